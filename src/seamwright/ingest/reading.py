"""One output item as the primitive it becomes.

Read leniently where the meaning is clear, kept verbatim where it is not.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import attrs

from seamwright.check.json_types import kind
from seamwright.errors import IngestError, InvalidStateError
from seamwright.model.guards import is_array, is_mapping
from seamwright.model.identity import Identity
from seamwright.model.message import Message
from seamwright.model.origin import ResponseOrigin
from seamwright.model.provider_item import ProviderItem
from seamwright.model.thought import REASONING_TAG, ReasoningPayload, Thought
from seamwright.model.tool_call import ToolCall
from seamwright.seams.context import AddWarning, ignore_warning
from seamwright.seams.ids import Thing

_CUT: Final = ("incomplete", "in_progress")
_PART_TEXTS: Final = {"output_text": "text", "refusal": "refusal"}
_MOST: Final = 2**64
"""Beyond it a number is no text by mistake, and Python may refuse to write it out."""


@attrs.frozen
class Placed:
    """An output item, where it stood in the response, and its neighbours there."""

    item: Mapping[str, Any]
    index: int
    before: Mapping[str, Any] | None
    behind: Mapping[str, Any] | None


@attrs.frozen(kw_only=True)
class Reader:
    """Reads the output items of one response. ``base`` is the time of the first; each next is a millisecond later.

    ``incomplete``: the response was cut short, so items that are not finished are left out. ``keep_empty``: messages
    without text are kept as provider items wherever they stand, and not only behind reasoning. ``path``: what an error
    calls the item at a place. ``warn`` is told of what is not taken in.
    """

    response_id: str
    model: str
    identity: Identity
    base: datetime
    reasoning_count: int
    incomplete: bool = False
    keep_empty: bool = False
    path: Callable[[int], str] = "output[{}]".format
    warn: AddWarning = ignore_warning

    def read(self, output: Sequence[Any], indexes: Sequence[int] | None = None) -> list[Thing]:
        """The things of an output list, in its order; ``indexes`` say where the items stood when some are missing.

        Raises :class:`IngestError` for an element that is no object, or that no primitive can hold.
        """
        read = [_object(item, self.path(place)) for place, item in enumerate(output)]
        items = dict(zip(range(len(read)) if indexes is None else indexes, read, strict=True))
        things: list[Thing] = []
        for place, (at, item) in enumerate(items.items()):
            try:
                things += self._things(Placed(item, at, items.get(at - 1), items.get(at + 1)))
            except (InvalidStateError, OverflowError) as error:
                raise IngestError(self.path(place), f"can't be kept: {error}") from error
        return things

    def _things(self, placed: Placed) -> Iterator[Thing]:
        item = placed.item
        cut = item.get("status") in _CUT
        match item.get("type"):
            case "message" if item.get("role", "assistant") == "assistant":
                yield from self._message(placed, cut)
            case "function_call":
                yield self._call(placed, cut)
            case _ if cut and self.incomplete:
                self.warn(
                    "item-not-ingested", f"{_named(item)} was not finished when it was cut short", self._id(placed)
                )
            case "reasoning":
                yield self._thought(placed)
            case _:
                yield self._verbatim(placed, item)

    def _verbatim(self, placed: Placed, item: Mapping[str, Any]) -> ProviderItem:
        return ProviderItem(item=item, created_at=self._time(placed), origin=self._origin(placed))

    def _message(self, placed: Placed, cut: bool) -> Iterator[Thing]:
        item = placed.item
        parts = _parts(item.get("content"))
        text = "".join(_text(part.get("text")) for part in parts)
        refusal = "".join(_text(part.get("refusal")) for part in parts)
        if not text and not refusal:
            if self.keep_empty or _is_reasoning(placed.before):
                yield self._verbatim(placed, _empty_message(item))
            else:
                self.warn("item-not-ingested", "a message without any text says nothing", self._id(placed))
            return
        for what in _unread(item.get("content")):
            self.warn("part-not-ingested", f"a message holds text and refusals, not {what}", self._id(placed))
        phase = item.get("phase")
        yield Message(
            id=self._id(placed),
            role="assistant",
            content=text or None,
            refusal=refusal or None,
            created_at=self._time(placed),
            identity=self.identity,
            phase=phase if isinstance(phase, str) else None,
            annotations=tuple(note for part in parts for note in _objects(part.get("annotations"))),
            incomplete=cut,
            origin=self._origin(placed),
        )

    def _call(self, placed: Placed, cut: bool) -> ToolCall:
        item = placed.item
        own = _text(item.get("id"))
        call_id = _text(item.get("call_id")) or self._id(placed)
        caller = item.get("caller")
        return ToolCall(
            id=f"{call_id}|{own}" if own else call_id,
            tool=_text(item.get("name")),
            args=_arguments(item.get("arguments")),
            created_at=self._time(placed),
            incomplete=cut,
            namespace=_text(item.get("namespace")) or None,
            caller=caller if is_mapping(caller) else None,
            origin=self._origin(placed),
        )

    def _thought(self, placed: Placed) -> Thought:
        item = placed.item
        partner = None if placed.behind is None else placed.behind.get("id")
        return Thought(
            id=self._id(placed),
            content="\n\n".join(_texts(item.get("content")) or _texts(item.get("summary"))),
            created_at=self._time(placed),
            identity=self.identity,
            payload=ReasoningPayload(
                item=item, paired_item_id=partner if isinstance(partner, str) else None, prefix_fingerprint=""
            ),
            replay_compatibility=REASONING_TAG,
            origin=self._origin(placed),
        )

    def _id(self, placed: Placed) -> str:
        return _text(placed.item.get("id")) or f"{self.response_id}:{placed.index}"

    def _time(self, placed: Placed) -> datetime:
        return self.base + timedelta(milliseconds=placed.index)

    def _origin(self, placed: Placed) -> ResponseOrigin:
        return ResponseOrigin(
            response_id=self.response_id,
            output_index=placed.index,
            item_id=_text(placed.item.get("id")) or None,
            model=self.model,
            reasoning_count=self.reasoning_count,
        )


def _object(value: Any, path: str) -> Mapping[str, Any]:
    if not is_mapping(value):
        raise IngestError(path, f"an output item is an object, not {kind(value)}")
    return {**value, "type": "message"} if value.get("type") is None and "role" in value else value


def _objects(value: Any) -> list[Mapping[str, Any]]:
    return [item for item in value if is_mapping(item)] if is_array(value) else []


def _text(value: Any) -> str:
    """A text, also where a server wrote a number in its place; nothing for anything else."""
    if isinstance(value, str):
        return value
    return json.dumps(value) if type(value) is float or (type(value) is int and abs(value) < _MOST) else ""


def _parts(value: Any) -> list[Mapping[str, Any]]:
    """The parts of a text field: a list of parts, one part without its list, or plain text in the place of either."""
    elements = value if is_array(value) else (value,)
    parts = [{"text": part} if isinstance(part, str) else part for part in elements]
    return [part for part in parts if is_mapping(part)]


def _unread(value: Any) -> Iterator[str]:
    """What the parts are called that hold nothing a message keeps."""
    for part in value if is_array(value) else ():
        if is_mapping(part) and not any(key in part for key in _PART_TEXTS.values()):
            yield f"a part of type {part.get('type')!r}"
        elif not is_mapping(part) and not isinstance(part, str):
            yield kind(part)


def _named(item: Mapping[str, Any]) -> str:
    return f"the item of type {item.get('type')!r}"


def _texts(value: Any) -> list[str]:
    return [text for part in _parts(value) if (text := _text(part.get("text")))]


def _arguments(value: Any) -> str:
    """The provider's own JSON; a server that sends the value itself is written out for it."""
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _empty_message(item: Mapping[str, Any]) -> Mapping[str, Any]:
    """The item as it is, but for content that the API gave and would not take back: null, parts of no known form."""
    content = item.get("content")
    if isinstance(content, str) or (is_array(content) and all(map(_is_sound, content))):
        return item
    return {**item, "content": list(filter(_is_sound, content)) if is_array(content) else []}


def _is_sound(part: Any) -> bool:
    """Whether a part is one that the API takes from the assistant."""
    key = _PART_TEXTS.get(str(part.get("type"))) if is_mapping(part) else None
    return key is not None and isinstance(part.get(key), str)


def _is_reasoning(item: Mapping[str, Any] | None) -> bool:
    return item is not None and item.get("type") == "reasoning"


def count_reasoning(output: Sequence[Any]) -> int:
    """How many reasoning items an output list holds."""
    return sum(1 for item in output if is_mapping(item) and item.get("type") == "reasoning")
