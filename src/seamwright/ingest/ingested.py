"""What was taken in from one response."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import attrs

from seamwright.model.message import Message
from seamwright.model.provider_item import ProviderItem
from seamwright.model.thought import Thought
from seamwright.model.tool_call import ToolCall
from seamwright.wire.assembled import RenderWarning

Finish = Literal["stop", "tool_calls", "length", "content_filter", "failed", "cancelled", "in_progress"]


@attrs.frozen(kw_only=True)
class Usage:
    """Token counts of a response, None where it does not say. ``raw`` is the provider's own record."""

    input_tokens: int | None = None
    cached_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None
    total_tokens: int | None = None
    raw: Mapping[str, Any] = attrs.field(factory=dict[str, Any], repr=False)


@attrs.frozen(kw_only=True)
class InputTransformation:
    """The server's own verdict on a reasoning item that it withheld from the model.

    ``reason`` is the server's word (``prefix_mismatch``, ``model_mismatch``, ``organization_mismatch``, …).
    ``thought_id`` names the thought it belongs to. ``predicted``: whether our fingerprint said so too; an item that
    was sent had matched, so a mismatch reported for it was not predicted. ``raw`` is the server's own record.
    """

    item_id: str
    action: str
    reason: str
    thought_id: str | None
    predicted: bool
    raw: Mapping[str, Any] = attrs.field(factory=dict[str, Any], repr=False)


@attrs.frozen(kw_only=True)
class Ingested:
    """New things in output order, with why the response ended and what it cost.

    ``state.extend(ingested)`` is the next state.
    ``messages``, ``thoughts``, ``tool_calls`` (pending) and ``provider_items`` carry their origin.
    ``incomplete_reason`` is the provider's word (``max_output_tokens``, ``content_filter``, ``steered``, …); ``error``
    and ``prompt_cache_diagnostics`` are its own records. None when it sent none.
    ``warnings`` say what of the response was not taken in, or is not to be used as it stands.
    """

    finish: Finish
    response_id: str | None = None
    model: str | None = None
    messages: tuple[Message, ...] = ()
    thoughts: tuple[Thought, ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()
    provider_items: tuple[ProviderItem, ...] = ()
    incomplete_reason: str | None = None
    usage: Usage | None = None
    input_transformations: tuple[InputTransformation, ...] = ()
    prompt_cache_diagnostics: Mapping[str, Any] | None = None
    error: Mapping[str, Any] | None = None
    warnings: tuple[RenderWarning, ...] = ()

    @property
    def runnable_calls(self) -> tuple[ToolCall, ...]:
        """The calls to run: those that the provider did not cut short."""
        return tuple(call for call in self.tool_calls if not call.incomplete)

    @property
    def text(self) -> str:
        """What the model said, refusals aside."""
        return "".join(str(message.content) for message in self.messages if message.content)
