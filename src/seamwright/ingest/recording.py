"""Under which prefix each new reasoning item was produced: the walk of step 3, recording where a build compares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

import attrs

from seamwright.awaiting import drive, settled
from seamwright.model.message import Message
from seamwright.model.provider_item import ProviderItem
from seamwright.model.state import AgentState
from seamwright.model.thought import ReasoningPayload, Thought, is_reasoning
from seamwright.model.tool_call import ToolCall
from seamwright.pipeline.causes import Cause
from seamwright.pipeline.entering import enter
from seamwright.pipeline.pairing import Pairing, start_walk
from seamwright.pipeline.walk import Walk
from seamwright.record import Seams
from seamwright.seams.context import BuildContext, ignore_warning
from seamwright.seams.fingerprint import start_prefix
from seamwright.seams.ids import Thing
from seamwright.seams.steps import Rendered
from seamwright.wire.assembled import AssembledInput


class RecordFingerprints:
    """The judge of an ingestion.

    Notes the running hash at each reasoning item's place, and lets every candidate stand.
    """

    def __init__(self) -> None:
        self.recorded: dict[str, tuple[str, dict[str, str]]] = {}

    def stands(self, candidate: Rendered, walk: Walk) -> Cause | None:
        self._note(candidate, walk)
        return None

    def falls(self, candidate: Rendered, walk: Walk) -> None:
        self._note(candidate, walk)

    def reason(self, candidate: Rendered, cause: Cause) -> str:
        return cause

    def _note(self, candidate: Rendered, walk: Walk) -> None:
        sections = walk.sections
        if isinstance(candidate.thing, Thought):
            parts = {} if sections is None else sections.all(walk.input_digest(sections))
            self.recorded[candidate.thing.id] = (walk.prefix.digest(), parts)


def record_prefixes(
    seams: Seams, request: AssembledInput, tools_of: AgentState, things: Sequence[Thing]
) -> dict[str, tuple[str, dict[str, str]]]:
    """Fingerprint and section digests by thought id, for the things of one response to *request*.

    The things are rendered by the steps of the next build itself, so what is hashed is what it will send.
    """
    if not any(isinstance(thing, Thought) and is_reasoning(thing.payload) for thing in things):
        return {}
    state, options = enter(alone(things, tools_of), request.options, None, ignore_warning)
    context = BuildContext(options, state.tools)
    prefix = start_prefix(seams.fingerprint, request.model, request.instructions, request.tools)
    for item in request.input[: request.fingerprintable_length]:
        prefix.update(item)
    judge = RecordFingerprints()
    Pairing(start_walk(prefix, context), judge).place(_rendered(seams, state, context))
    return judge.recorded


def alone(things: Sequence[Thing], tools_of: AgentState) -> AgentState:
    """A state that holds nothing but these things and the tools."""
    return AgentState(tools=tools_of.tools, **by_collection(things))


class Collections(TypedDict):
    """The timeline's collections of a state."""

    messages: tuple[Message, ...]
    thoughts: tuple[Thought, ...]
    tool_calls: tuple[ToolCall, ...]
    provider_items: tuple[ProviderItem, ...]


def by_collection(things: Sequence[Thing]) -> Collections:
    """Things by the state's collection they belong in, in order."""
    return {
        "messages": tuple(thing for thing in things if isinstance(thing, Message)),
        "thoughts": tuple(thing for thing in things if isinstance(thing, Thought)),
        "tool_calls": tuple(thing for thing in things if isinstance(thing, ToolCall)),
        "provider_items": tuple(thing for thing in things if isinstance(thing, ProviderItem)),
    }


def _rendered(seams: Seams, state: AgentState, context: BuildContext) -> list[Rendered]:
    async def work() -> list[Rendered]:
        rendered = seams.timeline_step(state, context)
        return rendered if isinstance(rendered, list) else await settled(rendered)

    return drive(work(), "pipeline.ingest")


def with_fingerprint(thought: Thought, recorded: tuple[str, dict[str, str]]) -> Thought:
    """The thought with what was recorded for it."""
    payload = thought.payload
    assert isinstance(payload, ReasoningPayload)
    digest, sections = recorded
    return attrs.evolve(thought, payload=attrs.evolve(payload, prefix_fingerprint=digest, sections=sections))
