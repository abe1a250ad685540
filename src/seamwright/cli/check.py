"""``seamwright check``: requests in files or on stdin, checked or repaired."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Protocol

import attrs

from seamwright.check import Change, Violation, check_request, repair_request
from seamwright.check.endpoints import endpoint_profile
from seamwright.check.json_types import is_list, is_object
from seamwright.check.paths import locate
from seamwright.cli.common import CallError, read_stdin, report_error, report_warning
from seamwright.cli.mistaken import not_a_request
from seamwright.errors import InvalidStateError, printable
from seamwright.model.endpoints import EndpointProfile

_SNIPPET: Final = 110


class Subparsers(Protocol):
    """What ``ArgumentParser.add_subparsers()`` gives, as far as it is used."""

    def add_parser(
        self,
        name: str,
        *,
        help: str | None = ...,  # noqa: A002 the name is argparse's
        description: str = ...,
    ) -> argparse.ArgumentParser:
        """A parser for one command."""
        ...


@attrs.frozen
class Request:
    """One request of a file: its name for people, and the body as parsed."""

    name: str
    body: Any


class UnreadableError(Exception):
    """A file that can't be read, or holds no JSON. The text says which and why."""


def add(subparsers: Subparsers) -> None:
    """Add the command."""
    about = "ay what the Responses API would refuse about a request, before it is sent"
    parser = subparsers.add_parser(
        "check", help=f"s{about}", description=f"S{about}. Exit code 0: no error, 1: errors, 2: not readable."
    )
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="a request as JSON, or requests as JSON Lines; - for stdin"
    )
    parser.add_argument(
        "--endpoint", default="openai", metavar="NAME", help="openai (default), azure, foundry, codex, compatible"
    )
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="json: one object a request and line"
    )
    parser.add_argument(
        "--fix", action="store_true", help="print the repaired requests; what was changed goes to stderr"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Check all files. 2 when one can't be read, else 1 when a request has errors (with ``--fix``: never), else 0."""
    try:
        profile = endpoint_profile(args.endpoint)
    except InvalidStateError as error:
        raise CallError(f"--{error}") from None
    handle = _fix if args.fix else _report
    code = 0
    for name in args.files:
        try:
            for request in read_requests(name):
                code = max(code, handle(request, profile, args.format))
                told = not_a_request(request.body)
                if told is not None:
                    report_warning(told, request.name)
        except UnreadableError as error:
            report_error(error)
            code = 2
    return code


def read_requests(name: str) -> Iterator[Request]:
    """The requests of a file: one JSON document, or one a line. Raises ``UnreadableError``."""
    shown = "stdin" if name == "-" else name
    try:
        data = read_stdin() if name == "-" else Path(name).read_bytes()
    except (OSError, ValueError) as error:
        raise UnreadableError(f"{printable(shown)}: {getattr(error, 'strerror', None) or error}") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableError(f"{printable(shown)}: not UTF-8: {error.reason} at byte {error.start}") from None
    if name.endswith((".jsonl", ".ndjson")):
        yield from _lines(shown, text)
        return
    try:
        yield Request(shown, json.loads(text))
    except (ValueError, RecursionError) as error:
        if not _may_be_lines(text):
            raise UnreadableError(f"{printable(shown)}: not JSON: {error}") from None
        yield from _lines(shown, text)


def _may_be_lines(text: str) -> bool:
    """Whether the first line is a JSON document of its own, with more behind it."""
    lines = [line for line in text.splitlines() if line.strip()]
    try:
        return len(lines) > 1 and json.loads(lines[0]) is not None
    except (ValueError, RecursionError):
        return False


def _lines(shown: str, text: str) -> Iterator[Request]:
    # only line feeds part lines: a string may hold the other separators that splitlines knows
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            yield Request(f"{shown}:{number}", json.loads(line))
        except (ValueError, RecursionError) as error:
            raise UnreadableError(f"{printable(shown)}:{number}: not JSON: {error}") from None


def _report(request: Request, profile: EndpointProfile, form: str) -> int:
    violations = check_request(_body(request), profile)
    errors = sum(violation.severity == "error" for violation in violations)
    if form == "json":
        print(_json({"request": request.name, "errors": errors, "violations": [attrs.asdict(v) for v in violations]}))
    else:
        print(_text(request, violations, errors))
    return int(errors > 0)


def _body(request: Request) -> Any:
    # A JSON string is no request; as a plain string it would be read as the text of one.
    return [request.body] if isinstance(request.body, str) else request.body


def _text(request: Request, violations: list[Violation], errors: int) -> str:
    count = ", ".join((_plural(errors, "error"), _plural(len(violations) - errors, "warning")))
    lines = [f"{printable(request.name)}: {count}"]
    for violation in violations:
        lines.append(f"  {violation.severity} {violation.rule} {violation.path or '(body)'}: {violation.message}")
        lines.append(f"      found: {snippet(request.body, violation.path)}")
        lines.append(f"      to do: {violation.hint}")
    return _printable("\n".join(lines))


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def snippet(body: Any, path: str) -> str:
    """What stands at *path*, or around it, as JSON on one line, cut."""
    text = json.dumps(_shallow(locate(body, path)), ensure_ascii=True)
    return text if len(text) <= _SNIPPET else f"{text[:_SNIPPET]}…"


def _shallow(value: Any, depth: int = 4) -> Any:
    """A value with long strings, long lists and deep insides cut, so that a snippet costs nothing."""
    if isinstance(value, str):
        return value[:_SNIPPET]
    if depth == 0 and (is_object(value) or is_list(value)):
        return "…"
    if is_object(value):
        return {key: _shallow(inner, depth - 1) for key, inner in list(value.items())[:12]}
    return [_shallow(inner, depth - 1) for inner in value[:12]] if is_list(value) else value


def _fix(request: Request, profile: EndpointProfile, form: str) -> int:
    body, changes = repair_request(_body(request), profile)
    if form == "json":
        print(_json({"request": request.name, "body": body, "changes": [attrs.asdict(change) for change in changes]}))
        return 0
    print(_json(body))
    for change in changes:
        print(_printable(_change_line(request.name, change)), file=sys.stderr)
    return 0


def _change_line(name: str, change: Change) -> str:
    return f"{printable(name)}: {change}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))


def _printable(text: str) -> str:
    """Text with nothing in it that a terminal acts on, or can't write."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    shown = "\n".join(map(printable, text.split("\n")))
    return shown.encode(encoding, "backslashreplace").decode(encoding)
