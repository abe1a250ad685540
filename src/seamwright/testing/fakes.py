"""Fakes of seams: what a test puts in the place of one, to see afterwards what it was asked and what it said.

::

    blocks = recording("media_blocks")
    responses_pipeline(media_blocks=blocks).build_sync(state, options)
    assert [media.id for media, _ in blocks.arguments] == ["a1"]
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, Final, Literal, overload

import attrs

from seamwright.awaiting import MaybeAwaitable
from seamwright.errors import WiringError
from seamwright.model.knowledge import Memory, Retrievable
from seamwright.model.media import Media
from seamwright.model.message import Message
from seamwright.model.options import RenderOptions
from seamwright.model.provider_item import ProviderItem
from seamwright.model.state import AgentState
from seamwright.model.thought import Thought
from seamwright.model.tool_call import ToolCall
from seamwright.model.tools import ToolRegistry
from seamwright.seams.context import BuildContext, Clock, TokenCounter, WarningSink
from seamwright.seams.envelopes import Envelope, EnvelopeAttrs, Neutraliser, Nonce
from seamwright.seams.fingerprint import Fingerprint, PrefixHash
from seamwright.seams.handles import Handle, HandleInfo
from seamwright.seams.ids import ItemIds
from seamwright.seams.json_schema import JsonSchema
from seamwright.seams.leading import Memories, StandingInstructions, SystemPrompt
from seamwright.seams.media import MediaBlocks, RenderMediaPolicy
from seamwright.seams.reasoning import ReasoningItem
from seamwright.seams.retrievables import Retrievables, SafetyDirective
from seamwright.seams.slots import OutputSlotsFactory, Slots
from seamwright.seams.steps import Leading, LeadingStep, ReasoningPairing, Rendered, TimelineStep, TrailingStep
from seamwright.seams.timeline import OwnMessage, RenderThought, ThoughtFilter, ThoughtKind, TimelineMessage
from seamwright.seams.tools import PendingResult, ToolDeclarations, ToolResult
from seamwright.seams.trimming import TimelineGroup, Trimmer, TrimRoom
from seamwright.shapes import check_shape, reject_unknown, seam_protocols
from seamwright.testing.defaults import default_seams
from seamwright.testing.keeping import kept
from seamwright.testing.recordings import (
    WAITING,
    Call,
    Recording,
    RecordingFingerprint,
    RecordingItemIds,
    RecordingStandingInstructions,
    RecordingTokenCounter,
)
from seamwright.wire.assembled import RenderWarning
from seamwright.wire.items import Item, Part

__all__ = [
    "WAITING",
    "Call",
    "Recording",
    "RecordingFingerprint",
    "RecordingItemIds",
    "RecordingStandingInstructions",
    "RecordingTokenCounter",
    "recording",
]

# One overload for each Protocol: the fake of a seam takes what the seam takes, and fits where the seam fits.


@overload
def recording(name: Literal["clock"], seam: Clock = ..., /, *, result: datetime = ...) -> Recording[[], datetime]: ...
@overload
def recording(
    name: Literal["warn"], seam: WarningSink = ..., /, *, result: None = ...
) -> Recording[[RenderWarning], None]: ...
@overload
def recording(
    name: Literal["token_counter"], seam: TokenCounter = ..., /, *, result: int = ...
) -> RecordingTokenCounter: ...
@overload
def recording(
    name: Literal["trimmer"], seam: Trimmer = ..., /, *, result: Collection[int] = ...
) -> Recording[[Sequence[TimelineGroup], TrimRoom], Collection[int]]: ...
@overload
def recording(name: Literal["nonce"], seam: Nonce = ..., /, *, result: str = ...) -> Recording[[str], str]: ...
@overload
def recording(
    name: Literal["neutraliser"], seam: Neutraliser = ..., /, *, result: str = ...
) -> Recording[[str], str]: ...
@overload
def recording(
    name: Literal["untrusted_envelope", "trusted_envelope"], seam: Envelope = ..., /, *, result: str = ...
) -> Recording[[str, EnvelopeAttrs], str]: ...
@overload
def recording(
    name: Literal["standing_instructions"], seam: StandingInstructions = ..., /, *, result: str = ...
) -> RecordingStandingInstructions: ...
@overload
def recording(
    name: Literal["memories"], seam: Memories = ..., /, *, result: str = ...
) -> Recording[[Sequence[Memory]], str]: ...
@overload
def recording(
    name: Literal["safety_directive"], seam: SafetyDirective = ..., /, *, result: str = ...
) -> Recording[[], str]: ...
@overload
def recording(
    name: Literal["artifact_handle", "retrievable_handle"], seam: Handle = ..., /, *, result: str = ...
) -> Recording[[HandleInfo], str]: ...
@overload
def recording(
    name: Literal[
        "retrievables",
        "first_party_retrievables",
        "third_party_public_retrievables",
        "third_party_private_retrievables",
    ],
    seam: Retrievables = ...,
    /,
    *,
    result: str = ...,
) -> Recording[[Sequence[Retrievable], BuildContext], MaybeAwaitable[str]]: ...
@overload
def recording(
    name: Literal["system_prompt"], seam: SystemPrompt = ..., /, *, result: str = ...
) -> Recording[[AgentState, BuildContext], MaybeAwaitable[str]]: ...
@overload
def recording(
    name: Literal["thought_filter"], seam: ThoughtFilter = ..., /, *, result: list[Thought] = ...
) -> Recording[[Sequence[Thought], RenderOptions], list[Thought]]: ...
@overload
def recording(
    name: Literal["thought"], seam: RenderThought = ..., /, *, result: str = ...
) -> Recording[[Thought, ThoughtKind], str]: ...
@overload
def recording(
    name: Literal["media_policy"], seam: RenderMediaPolicy = ..., /, *, result: str = ...
) -> Recording[[Media, BuildContext], MaybeAwaitable[str]]: ...
@overload
def recording(
    name: Literal["media_blocks"], seam: MediaBlocks = ..., /, *, result: list[Part] = ...
) -> Recording[[Media, BuildContext], MaybeAwaitable[list[Part]]]: ...
@overload
def recording(
    name: Literal["timeline_message"], seam: TimelineMessage = ..., /, *, result: list[Item] = ...
) -> Recording[[Message, BuildContext], MaybeAwaitable[list[Item]]]: ...
@overload
def recording(
    name: Literal["own_message"], seam: OwnMessage = ..., /, *, result: Item | None = ...
) -> Recording[[Message], Item | None]: ...
@overload
def recording(
    name: Literal["pending_result"], seam: PendingResult = ..., /, *, result: str = ...
) -> Recording[[ToolCall | ProviderItem], str]: ...
@overload
def recording(
    name: Literal["tool_result"], seam: ToolResult = ..., /, *, result: str | list[Part] = ...
) -> Recording[[ToolCall, BuildContext], MaybeAwaitable[str | list[Part]]]: ...
@overload
def recording(
    name: Literal["json_schema"], seam: JsonSchema = ..., /, *, result: dict[str, Any] = ...
) -> Recording[[Any, bool], dict[str, Any]]: ...
@overload
def recording(
    name: Literal["tool_declarations"], seam: ToolDeclarations = ..., /, *, result: list[dict[str, Any]] | None = ...
) -> Recording[[ToolRegistry, RenderOptions], list[dict[str, Any]] | None]: ...
@overload
def recording(
    name: Literal["reasoning_item"], seam: ReasoningItem = ..., /, *, result: Item | None = ...
) -> Recording[[Thought, BuildContext], Item | None]: ...
@overload
def recording(
    name: Literal["fingerprint"], seam: Fingerprint = ..., /, *, result: PrefixHash = ...
) -> RecordingFingerprint: ...
@overload
def recording(name: Literal["item_ids"], seam: ItemIds = ..., /) -> RecordingItemIds: ...
@overload
def recording(
    name: Literal["leading_step"], seam: LeadingStep = ..., /, *, result: Leading = ...
) -> Recording[[AgentState, BuildContext], MaybeAwaitable[Leading]]: ...
@overload
def recording(
    name: Literal["timeline_step"], seam: TimelineStep = ..., /, *, result: list[Rendered] = ...
) -> Recording[[AgentState, BuildContext], MaybeAwaitable[list[Rendered]]]: ...
@overload
def recording(
    name: Literal["reasoning_pairing"], seam: ReasoningPairing = ..., /, *, result: list[Item] = ...
) -> Recording[[Sequence[Rendered], PrefixHash, BuildContext], list[Item]]: ...
@overload
def recording(
    name: Literal["trailing_step"], seam: TrailingStep = ..., /, *, result: Item | None = ...
) -> Recording[[AgentState, BuildContext], MaybeAwaitable[Item | None]]: ...
@overload
def recording(
    name: Literal["output_slots"], seam: OutputSlotsFactory = ..., /, *, result: Slots = ...
) -> Recording[[], Slots]: ...
def recording(name: str, seam: Any = None, /, **fixed: Any) -> Any:
    """A fake of the seam of that name, to be given as its override; ``calls`` holds what it was asked.

    It does what ``seam`` does, by default what the default pipeline has; with ``result``, it gives that, a copy each
    time. Arguments and results are kept as they were: what is done to a list or a dict afterwards does not show.
    Threads and tasks may share it. Raises :class:`WiringError` for a name that is no seam and for a seam that does not
    have its shape.
    """
    reject_unknown([name])
    if "result" in fixed:
        seam = _fixed(name, fixed["result"])
    elif seam is None:
        seam = getattr(default_seams(), name)
    if seam is None:
        raise WiringError(f"{name}: the default pipeline has none; give the fake a seam, or a result")
    check_shape(name, seam, seam_protocols()[name])
    return _CLASSES.get(name, Recording)(name, seam)


_CLASSES: Final[dict[str, Any]] = {
    "fingerprint": RecordingFingerprint,
    "item_ids": RecordingItemIds,
    "standing_instructions": RecordingStandingInstructions,
    "token_counter": RecordingTokenCounter,
}


@attrs.frozen
class _Always:
    """Gives the same for every call; as a token counter, in an encoding that says so."""

    result: Any
    encoding: str = "fixed"

    def __call__(self, *_arguments: Any, **_keywords: Any) -> Any:
        return kept(self.result)


def _fixed(name: str, result: Any) -> _Always:
    if name == "item_ids":
        raise WiringError("item_ids: an object with three methods has no one result; give the fake a seam")
    return _Always(result)
