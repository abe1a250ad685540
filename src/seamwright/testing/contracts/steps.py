"""Contracts of the four steps of a build."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, Final, get_args

import attrs
from hypothesis import strategies as st

from seamwright.check import check_request
from seamwright.model.options import RenderOptions
from seamwright.model.state import AgentState
from seamwright.model.thought import Thought, is_reasoning
from seamwright.seams.context import BuildContext
from seamwright.seams.fingerprint import Prefix, start_prefix
from seamwright.seams.steps import (
    Leading,
    LeadingStep,
    ReasoningPairing,
    Rendered,
    RenderedRole,
    TimelineStep,
    TrailingStep,
)
from seamwright.testing.contracts.core import MAX_EXAMPLES, Trial, examine, flatten
from seamwright.testing.contracts.inputs import (
    CALL,
    CONTEXT,
    MESSAGE,
    OPTIONS,
    OWN,
    PEER,
    PLAIN,
    contexts,
    small_states,
)
from seamwright.testing.contracts.leading import ORDERS, expect_buckets, with_buckets
from seamwright.testing.contracts.tags import shows
from seamwright.testing.contracts.twins import no_forgery
from seamwright.testing.defaults import default_pipeline, default_seams
from seamwright.wire.items import Item

_CHANNELS: Final = ("instructions", "developer-item", "system-item")


def check_leading_step(seam: LeadingStep, /, *, max_examples: int = MAX_EXAMPLES) -> None:
    """The leading text on the one carrier that the options ask for; no text, no carrier."""

    def look(trial: Trial, value: tuple[AgentState, BuildContext]) -> None:
        state, context = value
        leading = trial.call(seam, state, context, waits=True)
        if not isinstance(leading, Leading):
            trial.fail("a Leading", leading)
        items = trial.mappings(list(leading.items))
        if leading.instructions is not None:
            trial.text(leading.instructions, empty=False)
        by_item = context.options.system_prompt_channel != "instructions"
        misplaced = leading.instructions if by_item else items
        trial.expect(not misplaced, f"all of it on {context.options.system_prompt_channel!r}", leading)
        trial.accepted(leading, context.options.endpoint, input=[*items, *_SAID])
        text = flatten([leading.instructions or "", items])
        if (state, context) in always:
            expect_buckets(trial, text, context.options.leading_buckets)
        if state == AgentState():
            trial.expect(leading == Leading(), "nothing of an empty state", leading)
        no_forgery(trial, text, _texts_of(seam), state, context, waits=True)

    always: list[tuple[AgentState, BuildContext]] = [
        (state, attrs.evolve(context, options=attrs.evolve(context.options, system_prompt_channel=channel)))
        for state, context in with_buckets(*ORDERS)
        for channel in _CHANNELS
    ]
    inputs = st.tuples(small_states(), contexts())
    examine("leading_step", seam, inputs, look, max_examples=max_examples, always=[*always, (AgentState(), CONTEXT)])


_SAID: Final[tuple[Item, ...]] = ({"type": "message", "role": "user", "content": "Hello"},)


def _texts_of(seam: LeadingStep) -> Any:
    """The step as a function that gives its texts."""

    async def texts(state: AgentState, context: BuildContext) -> str:
        made: Any = seam(state, context)
        leading = made if isinstance(made, Leading) else await made
        return flatten([leading.instructions or "", list(leading.items)])

    return texts


def check_trailing_step(seam: TrailingStep, /, *, max_examples: int = MAX_EXAMPLES) -> None:
    """One item of what stands in the buckets after the timeline, that the API takes; None when that is nothing."""

    def look(trial: Trial, value: tuple[AgentState, BuildContext]) -> None:
        state, context = value
        item = trial.call(seam, state, context, waits=True)
        buckets = context.options.trailing_buckets
        if item is None:
            trial.expect(value not in always or not buckets, f"an item with {', '.join(buckets)}", item)
            return
        item = trial.mapping(item)
        trial.accepted(item, context.options.endpoint, input=[*_SAID, item])
        trial.expect(bool(buckets), "None: no bucket stands after the timeline", item)
        if value in always:
            expect_buckets(trial, flatten(item), buckets)
        no_forgery(trial, item, seam, state, context, waits=True)

    always = with_buckets(*ORDERS)
    inputs = st.tuples(small_states(), contexts())
    examine("trailing_step", seam, inputs, look, max_examples=max_examples, always=[*always, (AgentState(), CONTEXT)])


_STATE: Final = AgentState(messages=(MESSAGE, OWN, PEER), tool_calls=(CALL,))


def check_timeline_step(seam: TimelineStep, /, *, max_examples: int = MAX_EXAMPLES) -> None:
    """What is in the timeline, in time order, each response in one piece, each call with its output behind it.

    A candidate is a reasoning item of a thought; ``wire_id`` is what stands on the item; no body adds a tag.
    """

    def look(trial: Trial, value: tuple[AgentState, BuildContext]) -> None:
        state, context = value
        found = trial.listed(trial.call(seam, state, context, waits=True))
        trial.expect(all(isinstance(one, Rendered) for one in found), "a list of Rendered", found)
        ones: list[Rendered] = found
        for one in ones:
            _check_rendered(trial, one)
        _check_order(trial, ones)
        _check_answers(trial, ones)
        if state is _STATE:
            texts = [flatten(one.item) for one in ones if shows(flatten(one.item), PLAIN)]
            trial.expect(len(texts) == 4, "both users' messages, the agent's own and the result", texts)
        shown = [one.item for one in ones]
        no_forgery(trial, shown, _items_of(seam), state, context, waits=True)

    inputs = st.tuples(small_states(), contexts())
    examine("timeline_step", seam, inputs, look, max_examples=max_examples, always=[(_STATE, CONTEXT)])


def _items_of(seam: TimelineStep) -> Any:
    async def items(state: AgentState, context: BuildContext) -> list[Item | None]:
        made: Any = seam(state, context)
        rendered: list[Rendered] = await made if inspect.isawaitable(made) else made
        return [one.item for one in rendered]

    return items


def _check_rendered(trial: Trial, one: Rendered) -> None:
    trial.expect(one.role in get_args(RenderedRole), f"one of {', '.join(get_args(RenderedRole))}", one)
    if one.item is None:
        trial.expect(one.role != "candidate", "a candidate with an item", one)
        return
    trial.mapping(one.item)
    if one.wire_id is not None:
        trial.expect(one.item.get("id") == one.wire_id, "wire_id on the item", one)
    if one.role == "candidate":
        reasoned = isinstance(one.thing, Thought) and is_reasoning(one.thing.payload)
        trial.expect(reasoned and one.item.get("type") == "reasoning", "a reasoning item of a thought", one)


def _check_order(trial: Trial, ones: Sequence[Rendered]) -> None:
    groups = [one.group for one in ones]
    pieces = [group for before, group in zip([None, *groups], groups, strict=False) if group and group != before]
    trial.expect(len(pieces) == len(set(pieces)), "each response in one piece", groups)
    times = [one.thing.created_at for one in ones if one.thing is not None and one.group is None]
    trial.expect(times == sorted(times), "the order of time outside responses", times)


def _check_answers(trial: Trial, ones: Sequence[Rendered]) -> None:
    waiting: list[object] = []
    for one in ones:
        kind, call_id = (one.item or {}).get("type"), (one.item or {}).get("call_id")
        if kind == "function_call":
            waiting.append(call_id)
        elif kind == "function_call_output":
            trial.expect(call_id in waiting, "an output behind its call", one.item)
            waiting.remove(call_id)
    trial.expect(not waiting, "an output for each call", waiting)


_ANSWER: Final[dict[str, Any]] = {
    "id": "resp_1",
    "object": "response",
    "model": "gpt-test",
    "status": "completed",
    "output": [
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAAA-one"},
        {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": PLAIN, "annotations": []}],
        },
    ],
}


def _answered() -> AgentState:
    """A state that took in a response with reasoning, which has to go back as long as nothing changes."""
    pipeline = default_pipeline()
    state = AgentState(messages=(MESSAGE,))
    return state.extend(pipeline.ingest(_ANSWER, pipeline.build_sync(state, OPTIONS), state))


class _Told:
    """Collects what is said of which thing."""

    def __init__(self) -> None:
        self.subjects: list[str | None] = []

    def __call__(self, code: str, text: str, subject_id: str | None, /) -> None:
        self.subjects.append(subject_id)


def check_reasoning_pairing(seam: ReasoningPairing, /, *, max_examples: int = MAX_EXAMPLES) -> None:
    """The rendered items in their order, nothing but reasoning, ids, and what needs an id left out; the API takes them.

    Reasoning goes back exactly when its fingerprint is that of what stands before it, and is reported when it does not.
    """
    seams = default_seams()
    answered = _answered()

    def look(trial: Trial, value: tuple[AgentState, RenderOptions]) -> None:
        state, options = value
        told = _Told()
        context = BuildContext(options, state.tools, warn=told)
        rendered: list[Rendered] = trial.once(seams.timeline_step, state, context, waits=True)
        expected = [attrs.evolve(one, item=None if one.item is None else dict(one.item)) for one in rendered]
        told.subjects.clear()
        prefix: Prefix = start_prefix(seams.fingerprint, options.model, None, None)
        items = trial.mappings(trial.once(seam, rendered, prefix, context))
        trial.given = value
        _check_kept(trial, expected, items)
        replayed = {item.get("encrypted_content") for item in items if item.get("type") == "reasoning"}
        fits = state is answered and options.model == OPTIONS.model
        trial.expect(fits or not replayed, "no reasoning whose fingerprint is not that of what stands before it", items)
        trial.expect(not fits or bool(replayed), "the reasoning, which stands where it was produced", items)
        for one in expected:
            if one.role == "candidate" and one.item is not None and one.thing is not None and not replayed:
                trial.expect(
                    getattr(one.thing, "id", None) in told.subjects, "a warning of what is left out", told.subjects
                )
        known = _broken_rules(state, options)
        trial.accepted(items, options.endpoint, known=known, input=items, include=["reasoning.encrypted_content"])

    inputs = st.tuples(small_states(), contexts().map(lambda context: context.options))
    always = [(answered, OPTIONS), (answered, attrs.evolve(OPTIONS, model="gpt-other")), (_STATE, OPTIONS)]
    examine("reasoning_pairing", seam, inputs, look, max_examples=max_examples, always=always)


def _broken_rules(state: AgentState, options: RenderOptions) -> set[str]:
    """What the API refuses about a state that no pairing can mend, as hosted calls that nobody answered."""
    seams = default_seams()
    context = BuildContext(options, state.tools)
    rendered: Any = seams.timeline_step(state, context)
    items = seams.reasoning_pairing(rendered, start_prefix(seams.fingerprint, options.model, None, None), context)
    return {one.rule for one in check_request({"model": "gpt-5.4", "store": False, "input": items}, options.endpoint)}


def _check_kept(trial: Trial, expected: Sequence[Rendered], items: Sequence[Item]) -> None:
    """That items are the rendered ones in their order, and that no other was left out than may be."""
    left = list(items)
    for one in expected:
        if one.item is None:
            continue
        if left and _bare(one.item) == _bare(left[0]):
            left.pop(0)
        else:
            may_go = one.role in ("candidate", "answer") or one.needs_id
            trial.expect(may_go, f"the item {one.item!r} in its place", items)
    trial.expect(not left, "only what was rendered", left)


def _bare(item: Item) -> Item:
    """Without what pairing decides: the id, and the id of a call that came twice."""
    return {key: value for key, value in item.items() if key not in ("id", "call_id")}
