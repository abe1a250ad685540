"""Under which prefix each new reasoning item was produced: the walk of step 3, recording where a build compares."""

from __future__ import annotations

from collections.abc import Container, Sequence
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
from seamwright.pipeline.pairing import CompareFingerprints, Pairing
from seamwright.pipeline.walk import Walk
from seamwright.record import Seams
from seamwright.seams.context import BuildContext, ignore_warning
from seamwright.seams.fingerprint import PrefixHash, SectionDigests, update_all
from seamwright.seams.ids import Thing
from seamwright.seams.steps import Rendered
from seamwright.wire.assembled import AssembledInput
from seamwright.wire.items import Item

Place = tuple[str, int]
"""A thing's response and its place in the output. Ids may repeat within one response, places don't."""

Recorded = tuple[str, dict[str, str]]
"""The fingerprint of a prefix, and one digest for each part of it."""


@attrs.frozen
class Tandem:
    """The hash of the whole prefix and that of its items alone, of which each item is spelled out once."""

    whole: PrefixHash
    items: PrefixHash

    def update(self, item: Item, /) -> None:
        update_all((self.whole, self.items), (item,))

    def digest(self) -> str:
        return self.whole.digest()

    def copy(self) -> Tandem:
        return Tandem(self.whole.copy(), self.items.copy())


class RecordFingerprints:
    """The judge of an ingestion.

    Notes the running hash at the place of each reasoning item of the responses *new*, and lets it stand; any other is
    judged as in a build.
    """

    def __init__(self, heads: SectionDigests, new: Container[str | None]) -> None:
        self.heads = heads
        self.new = new
        self.recorded: dict[Place, Recorded] = {}
        self._compare = CompareFingerprints()

    def stands(self, candidate: Rendered, walk: Walk) -> Cause | None:
        if candidate.group not in self.new:
            return self._compare.stands(candidate, walk)
        self._note(candidate, walk)
        return None

    def falls(self, candidate: Rendered, walk: Walk) -> None:
        if candidate.group in self.new:
            self._note(candidate, walk)

    def reason(self, candidate: Rendered, cause: Cause) -> str:
        return cause

    def _note(self, candidate: Rendered, walk: Walk) -> None:
        thing, prefix = candidate.thing, walk.prefix
        if isinstance(thing, Thought) and thing.origin is not None and isinstance(prefix, Tandem):
            sections = self.heads.all(prefix.items.digest())
            self.recorded[thing.origin.response_id, thing.origin.output_index] = prefix.digest(), sections


def record_walk(
    rendered: Sequence[Rendered],
    before: Sequence[Item],
    prefix: Tandem,
    context: BuildContext,
    judge: RecordFingerprints,
) -> Walk:
    """Step 3 without comparing: what is sent. *prefix* covers the items *before* those *rendered*."""
    walk = Walk(prefix, None, context.options.endpoint.ids)
    walk.seen(before)
    Pairing(walk, judge).place(rendered)
    return walk


def record_prefixes(
    seams: Seams, request: AssembledInput, tools_of: AgentState, things: Sequence[Thing]
) -> dict[Place, Recorded]:
    """What was recorded for the reasoning among the things of one response to *request*.

    The things are rendered by the steps of the next build itself, so what is hashed is what it will send. Each item of
    the request is spelled out once.
    """
    if not any(isinstance(thing, Thought) and is_reasoning(thing.payload) for thing in things):
        return {}
    state, options = enter(alone(things, tools_of), request.options, None, ignore_warning)
    context = BuildContext(options, state.tools)
    head = (request.model, request.instructions, request.tools)
    before = request.input[: request.fingerprintable_length]
    heads = SectionDigests(seams.fingerprint, *head)
    prefix = Tandem(seams.fingerprint(model=head[0], instructions=head[1], tools=head[2]), heads.fresh())
    for item in before:
        prefix.update(item)
    judge = RecordFingerprints(heads, {thing.origin.response_id for thing in things if thing.origin is not None})
    record_walk(_rendered(seams, state, context), before, prefix, context, judge)
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
        return rendered if isinstance(rendered, list) else await settled(rendered, list, "timeline_step")

    return drive(work(), "pipeline.ingest")


def with_fingerprint(thing: Thing, recorded: dict[Place, Recorded]) -> Thing:
    """The thing; a reasoning thought with what was recorded for its place."""
    if not isinstance(thing, Thought) or thing.origin is None or not isinstance(thing.payload, ReasoningPayload):
        return thing
    found = recorded.get((thing.origin.response_id, thing.origin.output_index))
    if found is None:
        return thing
    digest, sections = found
    return attrs.evolve(thing, payload=attrs.evolve(thing.payload, prefix_fingerprint=digest, sections=sections))
