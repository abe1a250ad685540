"""Every decision about ids: which may be sent, how call ids are made safe, and what a group may carry."""

from __future__ import annotations

import re
from typing import Final

import attrs
import xxhash

from seamwright.model.message import Message
from seamwright.model.provider_item import ProviderItem
from seamwright.model.thought import Thought, is_reasoning
from seamwright.model.tool_call import ToolCall
from seamwright.seams.ids import CallIds, ItemIds, Thing
from seamwright.wire.items import Item

_MESSAGE: Final = re.compile(r"msg_[A-Za-z0-9_-]{1,60}\Z")
_CALL: Final = re.compile(r"fc_[A-Za-z0-9_-]{1,61}\Z")
_REASONING: Final = re.compile(r"rs_[A-Za-z0-9_-]{1,61}\Z")
_PROVIDER: Final = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")
_PREFIXES: Final = {"message": "msg_", "custom_tool_call": "ctc_"}
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9_-]")


def odd_form(original: str, readable: str | None = None) -> str:
    """A readable cut of an odd id and the hash of the whole: one to one, at most 64 characters."""
    cut = _UNSAFE.sub("_", original if readable is None else readable)[:47]
    return f"{cut}_{xxhash.xxh3_64_hexdigest(original.encode())}"


def safe_name(original: str) -> str:
    """A call id or a function name as the API takes it: itself, or its odd form."""
    if len(original) <= 64 and original.isascii() and original.isidentifier():  # most are, and are told in no time
        return original
    return original if _PROVIDER.match(original) else odd_form(original)


def numbered_call_id(original: str, number: int) -> str:
    """The call id of the ``number``-th call that came with the same one."""
    return odd_form(f"{original}#{number}")


def reasoning_wire_id(thought: Thought) -> str | None:
    """The id of a reasoning item that may be sent."""
    own = thought.payload.item.get("id") if is_reasoning(thought.payload) else None
    return own if isinstance(own, str) and _REASONING.match(own) else None


_BY_TYPE: Final = {"message": _MESSAGE, "function_call": _CALL, "reasoning": _REASONING}


def item_wire_id(item: Item) -> str | None:
    """The id on an output item when it may be sent."""
    own, pattern = item.get("id"), _BY_TYPE.get(str(item.get("type")), _PROVIDER)
    return own if isinstance(own, str) and pattern.match(own) else None


def provider_wire_id(item: ProviderItem) -> str | None:
    """The id of a provider item that may be sent."""
    own = item.id
    if own is None or not _PROVIDER.match(own):
        return None
    return own if own.startswith(_PREFIXES.get(item.type, "")) else None


@attrs.frozen
class DefaultItemIds:
    """The default ``item_ids``: provider ids of the right form, and nothing minted."""

    def message_id(self, message: Message, /) -> str | None:
        own = message.id if message.origin is None or message.origin.item_id is None else message.origin.item_id
        return own if _MESSAGE.match(own) else None

    def call_ids(self, call: ToolCall, /) -> CallIds:
        left, _, right = call.id.partition("|")
        if left and _CALL.match(right):
            return CallIds(safe_name(left), right)
        return CallIds(safe_name(left or call.id), self._call_item(call))

    def provider_id(self, thing: Thing, /) -> str | None:
        if isinstance(thing, Thought):
            own = thing.payload.item.get("id") if is_reasoning(thing.payload) else None
            return own if isinstance(own, str) else None
        if isinstance(thing, ProviderItem):
            return thing.id
        if thing.origin is not None and thing.origin.item_id is not None:
            return thing.origin.item_id
        return self.message_id(thing) if isinstance(thing, Message) else self._call_item(thing)

    @staticmethod
    def _call_item(call: ToolCall) -> str | None:
        head, _, right = call.id.partition("|")
        if head and _CALL.match(right):
            return right
        own = call.origin.item_id if call.origin is not None else None
        return own if own is not None and _CALL.match(own) else None


item_ids: Final[ItemIds] = DefaultItemIds()
