"""What the commands share: reading states, finding the pipeline, writing results, saying what was wrong."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

from seamwright import finding
from seamwright.cli.mistaken import not_a_state
from seamwright.errors import (
    ContextOverflowError,
    InvalidStateError,
    StrictSchemaError,
    TokenizableError,
    UnsupportedMediaError,
    WiringError,
    nearest,
    printable,
)
from seamwright.finding import DEFAULT_CONTAINER, counting
from seamwright.model.converter import OPTIONS
from seamwright.model.guards import is_mapping
from seamwright.model.options import RenderOptions
from seamwright.model.spelling import spelled_as_json
from seamwright.model.state import AgentState
from seamwright.model.state_file import load_state, parse_json, with_options
from seamwright.pipeline.pipeline import Pipeline
from seamwright.wire.assembled import AssembledInput, RenderWarning

T = TypeVar("T")


_UNSEEN: Final = re.compile(r"[\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""What JSON may hold as it is and a terminal acts on: delete, C1 controls, line ends and turns of the direction."""


class _LinesError(Exception):
    """Tells its faults, each on one line, whatever stands in what it quotes."""

    def __init__(self, *faults: str) -> None:
        super().__init__("\n".join(map(printable, faults)))


class CallError(_LinesError):
    """The command was called in a way that can't work: exit code 2."""


class InputError(_LinesError):
    """What was read is wrong: exit code 1. Names the file beside every fault."""

    def __init__(self, name: str, error: Exception) -> None:
        where = "stdin" if name == "-" else name
        faults = error.faults if isinstance(error, InvalidStateError) else [error]
        super().__init__(*(f"{where}: {fault}" for fault in faults))


def report_error(error: Exception) -> None:
    """Prints an error, one line for each fault."""
    for line in str(error).split("\n"):
        print(f"error: {printable(line)}", file=sys.stderr)


def report_warnings(warnings: Sequence[RenderWarning], place: str | None = None) -> None:
    """Prints warnings, one line for each cause, with the ids of everything it struck."""
    causes: dict[tuple[str, str], list[str]] = {}
    for warning in warnings:
        causes.setdefault((warning.code, warning.text), []).append(warning.subject_id or "-")
    for (code, text), subjects in causes.items():
        report_warning(f"{code} ({', '.join(subjects)}): {text}", place)


def report_warning(text: str, place: str | None = None) -> None:
    """Prints a warning on one line."""
    print(f"warning: {printable(text if place is None else f'{place}: {text}')}", file=sys.stderr)


def add_state_arguments(parser: argparse.ArgumentParser) -> None:
    """``--set``, ``--container`` and ``--allow-paths``: what every command takes that builds a state."""
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set an option of RenderOptions; the value is JSON, a bare word is a string",
    )
    parser.add_argument(
        "--container",
        default=DEFAULT_CONTAINER,
        metavar="MODULE:ATTRIBUTE",
        help="a container, a pipeline, or a function that gives one (default: %(default)s)",
    )
    parser.add_argument(
        "--allow-paths", action="store_true", help="let paths in the state file leave the folder of the file"
    )


def read_input(name: str) -> bytes:
    """The bytes of a file, or of stdin for ``-``."""
    try:
        return read_stdin() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise InputError(name, OSError(f"can't be read: {error.strerror or error}")) from None
    except ValueError as error:  # a name with a NUL is no name
        raise InputError(name, ValueError(f"can't be read: {error}")) from None


def read_stdin() -> bytes:
    """What comes in on stdin. Raises OSError, also when it is closed: Python then has none."""
    stdin: Any = sys.stdin
    if stdin is None:
        raise OSError("it is closed")
    data: bytes = stdin.buffer.read()
    return data


def read_state(args: argparse.Namespace, name: str) -> tuple[AgentState, RenderOptions]:
    """The state and options of a file, with what ``--set`` says."""
    changes = settings(args.set)
    content = read_input(name)
    folder = Path.cwd() if name == "-" else Path(name).parent
    try:
        raw = parse_json(content)
        told = not_a_state(raw)
        if told is not None:
            raise InputError(name, ValueError(told))
        # what is no object goes in as it came: a string would be taken for a JSON text of its own
        source = with_options(raw, changes) if is_mapping(raw) else content
        return load_state(source, folder, allow_paths=args.allow_paths)
    except InvalidStateError as error:
        raise InputError(name, error) from None


def build(pipeline: Pipeline, state: AgentState, options: RenderOptions, name: str) -> AssembledInput:
    """The request of a state that was read from a file; what is wrong with the state names the file."""
    with naming_input(name):
        return counting(pipeline, options).build_sync(state, options)


@contextlib.contextmanager
def naming_input(name: str) -> Generator[None, None, None]:
    """Lets what a build finds wrong with a state name the file that the state was read from."""
    try:
        yield
    except (
        ContextOverflowError,
        ImportError,
        InvalidStateError,
        StrictSchemaError,
        TokenizableError,
        UnsupportedMediaError,
    ) as error:
        raise InputError(name, error) from error


def settings(texts: Sequence[str]) -> dict[str, Any]:
    """What ``--set`` says, by the names of the options. Raises :class:`CallError` for what is none."""
    changes: dict[str, Any] = {}
    for text in texts:
        name, found, value = text.partition("=")
        if not found:
            raise CallError(f"--set {text}: NAME=VALUE is expected")
        if name not in OPTIONS.known:
            raise CallError(f"--set {name}: no such option{nearest(name, OPTIONS.known)}; {', '.join(OPTIONS.known)}")
        try:
            changes[name] = json.loads(value)
        except (ValueError, RecursionError):
            changes[name] = value
    try:
        with spelled_as_json():
            OPTIONS.read({"model": "any", **changes})
    except InvalidStateError as error:
        raise CallError(*(f"--set {fault}" for fault in error.faults)) from None
    return changes


def find_pipeline(target: str) -> Pipeline:
    """The pipeline that ``--container`` names. Raises :class:`CallError` when there is no such thing."""
    return _found(finding.find_pipeline, target)


def find_target(target: str) -> Any:
    """What ``--container`` names. Raises :class:`CallError` when there is no such thing."""
    return _found(finding.find_target, target)


def _found(find: Callable[[str], T], target: str) -> T:
    try:
        return find(target)
    except WiringError as error:
        raise CallError(f"--container {error}") from error


def write_json(value: Any, output: str | None) -> None:
    """Prints a value as JSON, or writes it to a file: whole, or not at all."""
    try:
        text = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:  # a seam of somebody's own may give anything
        raise CallError(f"what was made can't be written as JSON: {error}") from None
    write_text(_UNSEEN.sub(_escape, text) + "\n", output)


def write_text(text: str, output: str | None) -> None:
    """Prints a text, or writes it to a file: whole, or not at all."""
    # half a sign, which UTF-8 can't hold, becomes its JSON escape
    data = text.encode("utf-8", "backslashreplace")
    if output is None or output == "-":
        stdout: Any = sys.stdout
        if stdout is None:
            raise CallError("stdout can't be written: it is closed")
        stdout.write(data.decode())
        return
    try:
        _write(Path(output), data)
    except (OSError, ValueError) as error:
        raise CallError(f"{printable(output)}: can't be written: {getattr(error, 'strerror', None) or error}") from None


def _escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def _write(path: Path, data: bytes) -> None:
    if path.exists() and not path.is_file():  # a device or a pipe can't be replaced, only written to
        path.write_bytes(data)
    else:
        _replace(Path(os.path.realpath(path)), data)


def _replace(target: Path, data: bytes) -> None:
    """Puts a new file in the place of an old one, with the old one's permissions."""
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:40]}.", suffix=".part")
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        temporary.chmod(target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask())
        temporary.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise


def _umask() -> int:
    """The mask, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
