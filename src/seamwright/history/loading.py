"""Read a history from JSON: every fault with its path."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from seamwright.errors import Fault, InvalidStateError
from seamwright.history.blocks import BLOCKS, Block, HistoryMessage, ImageBlock, TextBlock, ThinkingBlock, ToolCallBlock
from seamwright.model.checks import as_tuple, one_of
from seamwright.model.converter import converter, record
from seamwright.model.faults import Hook, collect, fault, object_of
from seamwright.model.guards import is_tuple
from seamwright.model.spelling import shown
from seamwright.model.state_file import parse_json

HistorySource = Iterable[Mapping[str, Any]] | str | bytes | Path

_KIND: Final = one_of(*BLOCKS)


def load_history(source: HistorySource) -> tuple[HistoryMessage, ...]:
    """The messages of a history: a list of mappings, JSON text (``str``, ``bytes``) or a file (``Path``).

    A message is ``{"role", "content": [block…], "tool_call_id"?, "provider"?}``, a block
    ``{"type": "text" | "image" | "thinking" | "tool_call", …}`` with the fields of its class. Absent and null mean the
    same, except for ``arguments``, where absent is ``{}`` and null is null. Raises :class:`InvalidStateError` with
    every fault and its path (``[3].content[0].type``).
    """
    return _list(_read_message)(_parse(source))  # type: ignore[no-any-return]  # hooks give Any


def _parse(source: HistorySource) -> Any:
    if isinstance(source, Path):
        try:
            source = source.read_bytes()
        except OSError as error:
            raise fault(f"{source!s}: can't be read: {error.strerror or error}") from None
    return parse_json(source) if isinstance(source, (str, bytes)) else source


def _list(read: Hook) -> Hook:
    def read_list(value: Any) -> tuple[Any, ...]:
        items = as_tuple(value)
        if not is_tuple(items):
            raise fault(f"{shown(value)} is not a list")
        faults: list[Fault] = []
        read_items = tuple(collect(faults, f"[{index}]", read, item) for index, item in enumerate(items))
        if faults:
            raise InvalidStateError(faults)
        return read_items

    return read_list


def _without_nulls(value: Any) -> dict[str, Any]:
    given = object_of(value)
    return {key: item for key, item in given.items() if item is not None or key == "arguments"}


def _read_block(value: Any) -> Block:
    given = _without_nulls(value)
    kind = given.pop("type", None)
    if kind is None:
        raise fault("is missing", "type")
    if (problem := _KIND.problem(kind)) is not None:
        raise fault(problem, "type")
    return _RECORDS[kind].read(given)  # type: ignore[no-any-return]  # the records are untyped


def _read_message(value: Any) -> HistoryMessage:
    return _MESSAGE.read(_without_nulls(value))  # type: ignore[no-any-return]  # the records are untyped


def _dump_blocks(blocks: Iterable[Block]) -> list[Any]:
    return [{"type": kind} | converter.unstructure(block) for block in blocks for kind in [_NAMES[type(block)]]]


_NAMES: Final = {cls: name for name, cls in BLOCKS.items()}
_RECORDS: Final = {
    name: record(cls) for name, cls in (("text", TextBlock), ("image", ImageBlock), ("thinking", ThinkingBlock))
} | {"tool_call": record(ToolCallBlock, arguments=(lambda value: value, lambda value: value))}
_MESSAGE: Final = record(HistoryMessage, content=(_list(_read_block), _dump_blocks))
