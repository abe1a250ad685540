"""One line of a batch: a state in, a request out, or what is wrong with it."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs

from seamwright.errors import Fault, InvalidStateError, SeamwrightError
from seamwright.finding import counting, find_pipeline
from seamwright.model.guards import is_mapping
from seamwright.model.spelling import shown
from seamwright.model.state_file import load_state, parse_json, with_options
from seamwright.pipeline.pipeline import Pipeline
from seamwright.wire.assembled import RenderWarning

URL: Final = "/v1/responses"
_BOM: Final = "\ufeff"


@attrs.frozen
class Unreadable:
    """A line that was not taken in; ``problem`` says why."""

    problem: str


Source = Mapping[str, Any] | str | bytes | Unreadable
"""A state file's content: an object, or JSON text in UTF-8."""

Numbered = tuple[int, Source]
"""A source with the number of its line, from 1."""


@attrs.frozen(kw_only=True)
class BatchLine:
    """What became of one state.

    ``number`` is the number of its line. ``request`` is a line of the vendor's batch file without its line break: JSON
    in UTF-8 with ``custom_id``, ``method``, ``url`` and ``body``; None when the state was skipped, and then ``problem``
    says why, one line for each fault. ``custom_id`` is None when none could be read.
    """

    number: int
    custom_id: str | None = None
    request: bytes | None = attrs.field(default=None, repr=False)
    warnings: tuple[RenderWarning, ...] = ()
    problem: str | None = None


@attrs.frozen(kw_only=True)
class Task:
    """How every line is rendered. With a pipeline that is named it can be sent to another process."""

    pipeline: Pipeline | str
    options: Mapping[str, Any]
    base_dir: str | None
    allow_paths: bool


def render_chunk(task: Task, chunk: Sequence[Numbered]) -> list[BatchLine]:
    """Renders some lines; what a worker runs. Raises only when there is no such pipeline."""
    pipeline = task.pipeline if isinstance(task.pipeline, Pipeline) else _found(task.pipeline)
    return [_render(task, pipeline, number, source) for number, source in chunk]


_found: Final = functools.lru_cache(maxsize=8)(find_pipeline)  # once for each process, not for each chunk


def _render(task: Task, pipeline: Pipeline, number: int, source: Source) -> BatchLine:
    custom_id: str | None = None
    try:
        custom_id, raw = _identified(_parsed(source), number)
        state, options = load_state(with_options(raw, task.options), task.base_dir, allow_paths=task.allow_paths)
        assembled = counting(pipeline, options).build_sync(state, options)
        request = _request(custom_id, assembled.to_request())
    except SeamwrightError as error:
        return BatchLine(number=number, custom_id=custom_id, problem=str(error))
    except (Exception, SystemExit) as error:  # noqa: BLE001  # a host's own step may raise anything; the other lines go on
        return BatchLine(number=number, custom_id=custom_id, problem=f"{type(error).__name__}: {error}")
    return BatchLine(number=number, custom_id=custom_id, request=request, warnings=assembled.warnings)


def is_blank(source: Source) -> bool:
    """Whether a line holds nothing: it is counted, and gives nothing."""
    match source:
        case str():
            return not source.removeprefix(_BOM).strip(_SPACE)
        case bytes():
            return not source.removeprefix(_BOM.encode()).strip(_SPACE.encode())
        case _:
            return False


_SPACE: Final = " \t\r\n"  # what JSON takes for white space


def custom_id_of(source: Source, number: int) -> str | None:
    """The ``custom_id`` a line has, whatever else may be wrong with it; None when it has none that can be read."""
    try:
        return _identified(_parsed(source), number)[0]
    except InvalidStateError:
        return None


def _parsed(source: Source) -> Mapping[str, Any]:
    match source:
        case Unreadable():
            raise _fault("", source.problem)
        case bytes():
            raw = parse_json(_decoded(source))
        case str():
            raw = parse_json(source.removeprefix(_BOM))
        case _:
            raw = source
    if not is_mapping(raw):
        raise _fault("", f"{shown(raw)} is not an object")
    return raw


def _decoded(source: bytes) -> str:
    """Strictly UTF-8: ``json`` would guess UTF-16 or 32, which lines can't be cut out of."""
    try:
        return source.decode("utf-8").removeprefix(_BOM)
    except UnicodeDecodeError as error:
        raise _fault("", f"no UTF-8: {error.reason} at byte {error.start}") from None


def _identified(raw: Mapping[str, Any], number: int) -> tuple[str, Mapping[str, Any]]:
    """The ``custom_id`` of a state, and the state without it."""
    if "custom_id" not in raw:
        return f"line-{number}", raw
    custom_id = raw["custom_id"]
    if not isinstance(custom_id, str) or not custom_id:
        raise _fault("custom_id", f"{shown(custom_id)} is not a string with something in it")
    try:
        custom_id.encode()
    except UnicodeEncodeError:
        raise _fault("custom_id", f"{shown(custom_id)} holds lone surrogates") from None
    return custom_id, {key: value for key, value in raw.items() if key != "custom_id"}


def _request(custom_id: str, body: Mapping[str, Any]) -> bytes:
    """The id stands first: ``--resume`` looks for it in many lines."""
    line = {"custom_id": custom_id, "method": "POST", "url": URL, "body": body}
    text = json.dumps(line, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    # half a sign, which UTF-8 can't hold, becomes its JSON escape
    return text.encode("utf-8", "backslashreplace")


def _fault(path: str, problem: str) -> InvalidStateError:
    return InvalidStateError([Fault(path, problem)])
