"""Which ids a thing could carry."""

from __future__ import annotations

from typing import Protocol

import attrs

from seamwright.model.message import Message
from seamwright.model.provider_item import ProviderItem
from seamwright.model.thought import Thought
from seamwright.model.tool_call import ToolCall

Thing = Message | Thought | ToolCall | ProviderItem
"""What stands in the timeline."""


@attrs.frozen
class CallIds:
    """``call_id`` as it is sent on both sides, and the provider's id of the call's item when it may be sent."""

    call_id: str
    item_id: str | None


class ItemIds(Protocol):
    """Stateless: which ids were used already, and what follows from that, is the business of step 3."""

    def message_id(self, message: Message, /) -> str | None:
        """The id of an own message that may be sent."""
        ...

    def call_ids(self, call: ToolCall, /) -> CallIds:
        """A call's two ids, made safe."""
        ...

    def provider_id(self, thing: Thing, /) -> str | None:
        """The provider's id of a thing, whether or not it may be sent: what ``paired_item_id`` is compared with."""
        ...
