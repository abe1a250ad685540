"""The product of the wiring: every seam, resolved, in one frozen record."""

from __future__ import annotations

from typing import Final, TypedDict

import attrs

from seamwright.seams.context import Clock, TokenCounter, WarningSink
from seamwright.seams.envelopes import Envelope, Neutraliser, Nonce
from seamwright.seams.fingerprint import Fingerprint
from seamwright.seams.handles import Handle
from seamwright.seams.ids import ItemIds
from seamwright.seams.json_schema import JsonSchema
from seamwright.seams.leading import Memories, StandingInstructions, SystemPrompt
from seamwright.seams.media import MediaBlocks, RenderMediaPolicy
from seamwright.seams.reasoning import ReasoningItem
from seamwright.seams.retrievables import Retrievables, SafetyDirective
from seamwright.seams.slots import OutputSlotsFactory
from seamwright.seams.steps import LeadingStep, ReasoningPairing, TimelineStep, TrailingStep
from seamwright.seams.timeline import OwnMessage, RenderThought, ThoughtFilter, TimelineMessage
from seamwright.seams.tools import PendingResult, ToolDeclarations, ToolResult
from seamwright.seams.trimming import Trimmer


@attrs.frozen(kw_only=True)
class Seams:
    """Every seam of a pipeline. No container is reachable from it: a call costs one slot read and a call."""

    clock: Clock
    warn: WarningSink
    token_counter: TokenCounter | None
    trimmer: Trimmer | None
    nonce: Nonce
    neutraliser: Neutraliser
    untrusted_envelope: Envelope
    trusted_envelope: Envelope
    standing_instructions: StandingInstructions
    memories: Memories
    safety_directive: SafetyDirective
    retrievable_handle: Handle
    first_party_retrievables: Retrievables
    third_party_public_retrievables: Retrievables
    third_party_private_retrievables: Retrievables
    retrievables: Retrievables
    system_prompt: SystemPrompt
    thought_filter: ThoughtFilter
    thought: RenderThought
    media_policy: RenderMediaPolicy
    media_blocks: MediaBlocks
    timeline_message: TimelineMessage
    own_message: OwnMessage
    artifact_handle: Handle
    pending_result: PendingResult
    tool_result: ToolResult
    json_schema: JsonSchema
    tool_declarations: ToolDeclarations
    reasoning_item: ReasoningItem
    fingerprint: Fingerprint
    item_ids: ItemIds
    leading_step: LeadingStep
    timeline_step: TimelineStep
    reasoning_pairing: ReasoningPairing
    trailing_step: TrailingStep
    output_slots: OutputSlotsFactory


class Overrides(TypedDict, total=False):
    """Keyword arguments that replace seams: the names and types of :class:`Seams`."""

    clock: Clock
    warn: WarningSink
    token_counter: TokenCounter | None
    trimmer: Trimmer | None
    nonce: Nonce
    neutraliser: Neutraliser
    untrusted_envelope: Envelope
    trusted_envelope: Envelope
    standing_instructions: StandingInstructions
    memories: Memories
    safety_directive: SafetyDirective
    retrievable_handle: Handle
    first_party_retrievables: Retrievables
    third_party_public_retrievables: Retrievables
    third_party_private_retrievables: Retrievables
    retrievables: Retrievables
    system_prompt: SystemPrompt
    thought_filter: ThoughtFilter
    thought: RenderThought
    media_policy: RenderMediaPolicy
    media_blocks: MediaBlocks
    timeline_message: TimelineMessage
    own_message: OwnMessage
    artifact_handle: Handle
    pending_result: PendingResult
    tool_result: ToolResult
    json_schema: JsonSchema
    tool_declarations: ToolDeclarations
    reasoning_item: ReasoningItem
    fingerprint: Fingerprint
    item_ids: ItemIds
    leading_step: LeadingStep
    timeline_step: TimelineStep
    reasoning_pairing: ReasoningPairing
    trailing_step: TrailingStep
    output_slots: OutputSlotsFactory


SEAM_NAMES: Final[tuple[str, ...]] = tuple(field.name for field in attrs.fields(Seams))
