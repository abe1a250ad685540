"""One output item as the primitive it becomes.

Read leniently where the meaning is clear, kept verbatim where it is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import attrs

from seamwright.errors import IngestError
from seamwright.model.guards import is_array, is_mapping
from seamwright.model.identity import Identity
from seamwright.model.message import Message
from seamwright.model.origin import ResponseOrigin
from seamwright.model.provider_item import ProviderItem
from seamwright.model.thought import REASONING_TAG, ReasoningPayload, Thought
from seamwright.model.tool_call import ToolCall
from seamwright.seams.ids import Thing
from seamwright.wire.canonical import compact_json

_CUT: Final = ("incomplete", "in_progress")


@attrs.frozen
class Reader:
    """Reads the output items of one response. ``base`` is the time of the first; each next is a millisecond later."""

    response_id: str
    model: str
    identity: Identity
    base: datetime
    reasoning_count: int
    incomplete: bool

    def read(self, output: Sequence[Any]) -> list[Thing]:
        """The things of an output list, in its order. Raises :class:`IngestError` for an element that is no object."""
        items = [_object(item, f"output[{index}]") for index, item in enumerate(output)]
        things: list[Thing] = []
        for index, item in enumerate(items):
            behind = items[index + 1] if index + 1 < len(items) else None
            before = items[index - 1] if index else None
            things += self._thing(index, item, before, behind)
        return things

    def _thing(
        self, index: int, item: Mapping[str, Any], before: Mapping[str, Any] | None, behind: Mapping[str, Any] | None
    ) -> Iterator[Thing]:
        cut = item.get("status") in _CUT
        match item.get("type"):
            case "message" if item.get("role", "assistant") == "assistant":
                yield from self._message(index, item, cut, after_reasoning=_is_reasoning(before))
            case "function_call":
                yield self._call(index, item, cut)
            case _ if cut and self.incomplete:
                return
            case "reasoning":
                yield self._thought(index, item, behind)
            case _:
                yield self._verbatim(index, item)

    def _verbatim(self, index: int, item: Mapping[str, Any]) -> ProviderItem:
        return ProviderItem(item=item, created_at=self._time(index), origin=self._origin(index, item))

    def _message(self, index: int, item: Mapping[str, Any], cut: bool, after_reasoning: bool) -> Iterator[Thing]:
        content = item.get("content")
        parts = [content] if isinstance(content, str) else _objects(content)
        text = "".join(part if isinstance(part, str) else _text(part.get("text")) for part in parts)
        refusal = "".join(_text(part.get("refusal")) for part in parts if not isinstance(part, str))
        if not text and not refusal:
            if after_reasoning:
                yield self._verbatim(index, item)
            return
        notes = [note for part in parts if not isinstance(part, str) for note in _objects(part.get("annotations"))]
        yield Message(
            id=self._id(index, item),
            role="assistant",
            content=text or None,
            refusal=refusal or None,
            created_at=self._time(index),
            identity=self.identity,
            phase=item["phase"] if isinstance(item.get("phase"), str) else None,
            annotations=tuple(notes),
            incomplete=cut,
            origin=self._origin(index, item),
        )

    def _call(self, index: int, item: Mapping[str, Any], cut: bool) -> ToolCall:
        own = _text(item.get("id"))
        call_id = _text(item.get("call_id")) or self._id(index, item)
        arguments = item.get("arguments")
        if is_mapping(arguments):
            arguments = compact_json(arguments)
        return ToolCall(
            id=f"{call_id}|{own}" if own else call_id,
            tool=_text(item.get("name")),
            args=arguments if isinstance(arguments, str) else "",
            created_at=self._time(index),
            incomplete=cut,
            namespace=_text(item.get("namespace")) or None,
            caller=item["caller"] if is_mapping(item.get("caller")) else None,
            origin=self._origin(index, item),
        )

    def _thought(self, index: int, item: Mapping[str, Any], behind: Mapping[str, Any] | None) -> Thought:
        texts = _texts(item.get("content")) or _texts(item.get("summary"))
        partner = None if behind is None else behind.get("id")
        return Thought(
            id=self._id(index, item),
            content="\n\n".join(texts),
            created_at=self._time(index),
            identity=self.identity,
            payload=ReasoningPayload(
                item=item, paired_item_id=partner if isinstance(partner, str) else None, prefix_fingerprint=""
            ),
            replay_compatibility=REASONING_TAG,
            origin=self._origin(index, item),
        )

    def _id(self, index: int, item: Mapping[str, Any]) -> str:
        return _text(item.get("id")) or f"{self.response_id}:{index}"

    def _time(self, index: int) -> datetime:
        return self.base + timedelta(milliseconds=index)

    def _origin(self, index: int, item: Mapping[str, Any]) -> ResponseOrigin:
        return ResponseOrigin(
            response_id=self.response_id,
            output_index=index,
            item_id=_text(item.get("id")) or None,
            model=self.model,
            reasoning_count=self.reasoning_count,
        )


def _object(value: Any, path: str) -> Mapping[str, Any]:
    if not is_mapping(value):
        raise IngestError(path, f"an output item is an object, not {type(value).__name__}")
    return value


def _objects(value: Any) -> list[Any]:
    return [item for item in value if is_mapping(item)] if is_array(value) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _texts(value: Any) -> list[str]:
    return [text for part in _objects(value) if (text := _text(part.get("text")))]


def _is_reasoning(item: Mapping[str, Any] | None) -> bool:
    return item is not None and item.get("type") == "reasoning"


def count_reasoning(output: Sequence[Any]) -> int:
    """How many reasoning items an output list holds."""
    return sum(1 for item in output if is_mapping(item) and item.get("type") == "reasoning")
