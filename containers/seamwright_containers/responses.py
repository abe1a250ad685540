"""The wiring of the Responses pipeline: which seam is made by what, from what."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Unpack

from dependency_injector import containers, providers
from dependency_injector.providers import Object, Provider

from seamwright.ingest.stream import OutputSlots
from seamwright.pipeline.ids import item_ids
from seamwright.pipeline.leading import make_leading_step
from seamwright.pipeline.pairing import make_reasoning_pairing
from seamwright.pipeline.pipeline import Pipeline
from seamwright.pipeline.timeline import make_timeline_step
from seamwright.pipeline.trailing import make_trailing_step
from seamwright.record import SEAM_NAMES, Overrides, Seams
from seamwright.seams import (
    context,
    envelopes,
    fingerprint,
    handles,
    ids,
    json_schema,
    leading,
    media,
    reasoning,
    retrievables,
    slots,
    steps,
    timeline,
    tools,
    trimming,
)
from seamwright.shapes import check_overrides
from seamwright.wire.assembled import RenderWarning
from seamwright_containers.derivation import Blueprint
from seamwright_containers.doors import made, use


def now() -> datetime:
    """The default ``clock``: the time of the machine, in UTC."""
    return datetime.now(UTC)


def no_sink(warning: RenderWarning, /) -> None:
    """The default ``warn``: the build collects warnings itself."""


class ResponsesContainer(Blueprint):
    """The blueprint of the default pipeline. Make an instance, configure it, resolve it once, and drop it."""

    clock: Provider[context.Clock] = Object(now)
    warn: Provider[context.WarningSink] = Object(no_sink)
    token_counter: Provider[context.TokenCounter | None] = Object(None)
    trimmer: Provider[trimming.Trimmer | None] = Object(None)

    nonce: Provider[envelopes.Nonce] = Object(envelopes.nonce)
    neutraliser: Provider[envelopes.Neutraliser] = Object(envelopes.neutraliser)
    untrusted_envelope: Provider[envelopes.Envelope] = Object(envelopes.untrusted_envelope)
    trusted_envelope: Provider[envelopes.Envelope] = Object(envelopes.trusted_envelope)

    standing_instructions: Provider[leading.StandingInstructions] = Object(leading.standing_instructions)
    memories: Provider[leading.Memories] = made(leading.make_memories, nonce=use(nonce), neutraliser=use(neutraliser))
    safety_directive: Provider[retrievables.SafetyDirective] = Object(retrievables.safety_directive)
    retrievable_handle: Provider[handles.Handle] = Object(handles.retrievable_handle)
    first_party_retrievables: Provider[retrievables.Retrievables] = made(
        retrievables.make_first_party_retrievables,
        nonce=use(nonce),
        neutraliser=use(neutraliser),
        retrievable_handle=use(retrievable_handle),
        token_counter=use(token_counter),
    )
    third_party_public_retrievables: Provider[retrievables.Retrievables] = made(
        retrievables.make_third_party_public_retrievables,
        nonce=use(nonce),
        neutraliser=use(neutraliser),
        untrusted_envelope=use(untrusted_envelope),
        retrievable_handle=use(retrievable_handle),
        token_counter=use(token_counter),
    )
    third_party_private_retrievables: Provider[retrievables.Retrievables] = made(
        retrievables.make_third_party_private_retrievables,
        nonce=use(nonce),
        neutraliser=use(neutraliser),
        untrusted_envelope=use(untrusted_envelope),
        retrievable_handle=use(retrievable_handle),
        token_counter=use(token_counter),
    )
    retrievables: Provider[retrievables.Retrievables] = made(
        retrievables.make_retrievables,
        safety_directive=use(safety_directive),
        first_party_retrievables=use(first_party_retrievables),
        third_party_public_retrievables=use(third_party_public_retrievables),
        third_party_private_retrievables=use(third_party_private_retrievables),
    )
    system_prompt: Provider[leading.SystemPrompt] = made(
        leading.make_system_prompt,
        standing_instructions=use(standing_instructions),
        memories=use(memories),
        retrievables=use(retrievables),
    )

    thought_filter: Provider[timeline.ThoughtFilter] = Object(timeline.thought_filter)
    thought: Provider[timeline.RenderThought] = made(
        timeline.make_thought, nonce=use(nonce), neutraliser=use(neutraliser)
    )
    media_policy: Provider[media.RenderMediaPolicy] = made(
        media.make_media_policy,
        nonce=use(nonce),
        neutraliser=use(neutraliser),
        trusted_envelope=use(trusted_envelope),
        untrusted_envelope=use(untrusted_envelope),
    )
    media_blocks: Provider[media.MediaBlocks] = made(media.make_media_blocks, media_policy=use(media_policy))
    timeline_message: Provider[timeline.TimelineMessage] = made(
        timeline.make_timeline_message,
        nonce=use(nonce),
        neutraliser=use(neutraliser),
        media_blocks=use(media_blocks),
    )
    own_message: Provider[timeline.OwnMessage] = made(timeline.make_own_message, neutraliser=use(neutraliser))

    artifact_handle: Provider[handles.Handle] = Object(handles.artifact_handle)
    pending_result: Provider[tools.PendingResult] = Object(tools.pending_result)
    tool_result: Provider[tools.ToolResult] = made(
        tools.make_tool_result,
        nonce=use(nonce),
        neutraliser=use(neutraliser),
        trusted_envelope=use(trusted_envelope),
        untrusted_envelope=use(untrusted_envelope),
        media_blocks=use(media_blocks),
        media_policy=use(media_policy),
        artifact_handle=use(artifact_handle),
        pending_result=use(pending_result),
        token_counter=use(token_counter),
    )
    json_schema: Provider[json_schema.JsonSchema] = Object(json_schema.json_schema)
    tool_declarations: Provider[tools.ToolDeclarations] = made(
        tools.make_tool_declarations, json_schema=use(json_schema)
    )

    reasoning_item: Provider[reasoning.ReasoningItem] = Object(reasoning.reasoning_item)
    fingerprint: Provider[fingerprint.Fingerprint] = Object(fingerprint.fingerprint)
    item_ids: Provider[ids.ItemIds] = Object(item_ids)

    leading_step: Provider[steps.LeadingStep] = made(make_leading_step, system_prompt=use(system_prompt))
    timeline_step: Provider[steps.TimelineStep] = made(
        make_timeline_step,
        thought_filter=use(thought_filter),
        thought=use(thought),
        timeline_message=use(timeline_message),
        own_message=use(own_message),
        media_blocks=use(media_blocks),
        tool_result=use(tool_result),
        reasoning_item=use(reasoning_item),
        item_ids=use(item_ids),
        pending_result=use(pending_result),
        untrusted_envelope=use(untrusted_envelope),
        neutraliser=use(neutraliser),
        nonce=use(nonce),
    )
    reasoning_pairing: Provider[steps.ReasoningPairing] = made(make_reasoning_pairing)
    trailing_step: Provider[steps.TrailingStep] = made(
        make_trailing_step,
        standing_instructions=use(standing_instructions),
        memories=use(memories),
        retrievables=use(retrievables),
    )
    output_slots: Provider[slots.OutputSlotsFactory] = Object(OutputSlots)


def resolve(container: containers.Container) -> Seams:
    """Every seam of a container instance, resolved once.

    Raises :class:`WiringError` for a seam that does not have the shape of its Protocol.
    """
    values = {name: container.providers[name]() for name in SEAM_NAMES}
    check_overrides(values)
    return Seams(**values)


def responses_pipeline(**overrides: Unpack[Overrides]) -> Pipeline:
    """The default pipeline with some seams replaced; each reaches everything that depends on it.

    Raises :class:`WiringError` for a name that is no seam, and for a value that does not have the seam's shape. Costs
    about a millisecond: once per application or tenant; per request, use a plan.
    """
    check_overrides(overrides)
    replaced = {name: providers.Object(value) for name, value in overrides.items()}
    return Pipeline(resolve(ResponsesContainer(**replaced)))
