"""One output item while it streams: its texts by kind and position, and its final form once that is known."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

import attrs

from seamwright.ingest.plain import join_text

Item = dict[str, Any]

ARGUMENT_KINDS = ("arguments", "input", "code", "diff", "command")
"""What a call is given: by function and MCP calls, custom tools, the code interpreter, patches, the shell."""


@attrs.define
class Piece:
    """One growing text. Reading it costs no more than its length, however many deltas came."""

    _deltas: list[str] = attrs.field(factory=list[str])
    closed: bool = False

    def append(self, delta: str) -> None:
        """Add to the text, unless its end was seen: what comes after is late or repeated."""
        if not self.closed:
            self._deltas.append(delta)

    def begin(self, text: str) -> None:
        """What the text is announced with; says nothing once it has begun."""
        if text and not self._deltas:
            self.append(text)

    def close(self, text: str | None) -> None:
        """The text is whole; ``text`` replaces what was gathered."""
        self.closed = True
        if text is not None:
            self._deltas = [text]

    @property
    def text(self) -> str:
        if len(self._deltas) > 1:
            self._deltas = [join_text(self._deltas)]
        return self._deltas[0] if self._deltas else ""


@attrs.frozen
class SlotView:
    """What is known of one output item so far, for display. ``done``: the item is final."""

    output_index: int
    type: str | None
    id: str | None
    call_id: str | None
    name: str | None
    text: str
    refusal: str
    summary: str
    reasoning: str
    arguments: str
    done: bool


@attrs.define(eq=False)
class Slot:
    """An output item in the making. ``added`` is the item as announced, ``final`` as the server finished it."""

    index: int
    item_id: str | None = None
    added: Item | None = None
    final: Item | None = None
    in_order: bool = True
    pieces: dict[tuple[str, int], Piece] = attrs.field(factory=dict[tuple[str, int], Piece])
    parts: dict[tuple[str, int], Item] = attrs.field(factory=dict[tuple[str, int], Item])
    annotations: dict[int, list[Any]] = attrs.field(factory=dict[int, list[Any]])
    last_number: int = -1

    @property
    def known(self) -> Item:
        return self.final or self.added or {}

    @property
    def type(self) -> str | None:
        """The item's type; of an item that was never announced, the type its deltas belong to."""
        if self.known:
            return text_or_none(self.known.get("type"))
        return next((_TYPE_OF_KIND[kind] for kind, _ in self.pieces if kind in _TYPE_OF_KIND), None)

    def announce(self, item: Item) -> None:
        """The item as it was added: what it already holds is the beginning of its texts."""
        self.added = item
        self.item_id = text_or_none(item.get("id")) or self.item_id
        for kind, position, text in texts_of(item):
            if text:
                self.piece(kind, position).begin(text)

    def finish(self, item: Item) -> None:
        """The item as the server finished it.

        Its texts are what the item says, and nothing is added to them any more.
        """
        self.final = item
        self.pieces = {}
        for kind, position, text in texts_of(item):
            self.piece(kind, position).close(text)

    def see(self, number: int | None) -> None:
        """Note the number of a delta.

        The texts of a slot whose deltas came in the wrong order are not to be trusted.
        """
        if number is not None:
            self.in_order = self.in_order and number >= self.last_number
            self.last_number = number

    def piece(self, kind: str, position: int) -> Piece:
        return self.pieces.setdefault((kind, position), Piece())

    def texts(self, kind: str) -> list[str]:
        """The texts of one kind, by position."""
        return [self.pieces[key].text for key in sorted(key for key in self.pieces if key[0] == kind)]

    def view(self) -> SlotView:
        known = self.known
        return SlotView(
            output_index=self.index,
            type=self.type,
            id=text_or_none(known.get("id")) or self.item_id,
            call_id=text_or_none(known.get("call_id")),
            name=text_or_none(known.get("name")),
            text="".join(self.texts("text")),
            refusal="".join(self.texts("refusal")),
            summary="\n\n".join(self.texts("summary")),
            reasoning="\n\n".join(self.texts("reasoning")),
            arguments=self.arguments(),
            done=self.final is not None,
        )

    def arguments(self) -> str:
        """What the call is given so far; several shell commands on a line each."""
        return "\n".join(text for kind in ARGUMENT_KINDS for text in self.texts(kind))


_TYPE_OF_KIND = {
    "text": "message",
    "refusal": "message",
    "summary": "reasoning",
    "reasoning": "reasoning",
    "arguments": "function_call",
    "input": "custom_tool_call",
}


def text_or_none(value: object) -> str | None:
    """A string that is not empty, else None."""
    return value if isinstance(value, str) and value else None


def texts_of(item: Mapping[str, Any]) -> Iterator[tuple[str, int, str]]:
    """Kind, position and text of every text an item holds. What has another shape than its type says gives nothing."""
    read = _TEXTS_OF.get(str(item.get("type")))
    for kind, position, text in read(item) if read else ():
        if isinstance(text, str):
            yield kind, position, text


_Texts = Iterator[tuple[str, int, object]]


def _message_texts(item: Mapping[str, Any]) -> _Texts:
    content = item.get("content")
    if isinstance(content, str):
        yield "text", 0, content
    for position, part in _objects(content):
        if part.get("type") == "refusal":
            yield "refusal", position, part.get("refusal")
        elif part.get("type") == "output_text":
            yield "text", position, part.get("text")


def _reasoning_texts(item: Mapping[str, Any]) -> _Texts:
    for position, part in _objects(item.get("summary")):
        yield "summary", position, part.get("text")
    for position, part in _objects(item.get("content")):
        yield "reasoning", position, part.get("text")


def _field(kind: str) -> Callable[[Mapping[str, Any]], _Texts]:
    def read(item: Mapping[str, Any]) -> _Texts:
        yield kind, 0, item.get(kind)

    return read


def _patch_text(item: Mapping[str, Any]) -> _Texts:
    operation: object = item.get("operation")
    if isinstance(operation, dict):
        yield "diff", 0, cast(Item, operation).get("diff")


def _shell_texts(item: Mapping[str, Any]) -> _Texts:
    action: object = item.get("action")
    commands: object = cast(Item, action).get("commands") if isinstance(action, dict) else None
    if isinstance(commands, list):
        for position, command in enumerate(cast(list[object], commands)):
            yield "command", position, command


_TEXTS_OF: dict[str, Callable[[Mapping[str, Any]], _Texts]] = {
    "message": _message_texts,
    "reasoning": _reasoning_texts,
    "function_call": _field("arguments"),
    "mcp_call": _field("arguments"),
    "mcp_approval_request": _field("arguments"),
    "custom_tool_call": _field("input"),
    "code_interpreter_call": _field("code"),
    "apply_patch_call": _patch_text,
    "shell_call": _shell_texts,
}


def _objects(value: object) -> Iterator[tuple[int, Item]]:
    if isinstance(value, list):
        for position, element in enumerate(cast(list[object], value)):
            if isinstance(element, dict):
                yield position, cast(Item, element)
