"""Invariant 4: built, answered, ingested and built again, with nothing else changed, every reasoning item goes back."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final, Literal

import attrs
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from replay.conversations import (
    ITEMS,
    OUTPUTS,
    Conversation,
    Item,
    Shape,
    carried,
    conversation_shapes,
    option_choices,
    reasoning_in,
    response_of,
    shapes,
    sound_shapes,
)
from replay.oracle import encrypted_parts, replayed
from seamwright import RenderOptions
from seamwright.ingest.stream import OutputSlots
from seamwright.testing.events import stream_events

OPENAI: Final = RenderOptions(model="gpt-test")
EVERYTHING: Final = [Shape("user", ("reasoning", name, "reasoning with summaries", "call")) for name in OUTPUTS]
CUT: Final = [Shape("user", ("reasoning", name), "cut") for name in ("message", "call", "reasoning", "shell")]
SILENT: Final = ("reasoning without its part",)


def responses(turns: Sequence[Shape]) -> list[Item]:
    """The responses of these turns."""
    return [response_of(turn, f"t{number}") for number, turn in enumerate(turns)]


@given(conversation_shapes(sound_shapes()), option_choices())
def test_every_reasoning_item_goes_back(turns: Sequence[Shape], options: RenderOptions) -> None:
    """Reasoning that led to something that is sent stands in every later request, in its order, without a warning."""
    parts = [encrypted_parts(response) for response in responses(turns)]
    for count, request in enumerate(carried(turns, options).requests):
        assert [part for one in parts[:count] for part in one] == reasoning_in(request)
        assert [] == [warning for warning in request.warnings if warning.code.startswith("reasoning-")]


@given(conversation_shapes(shapes()), option_choices())
@example([*EVERYTHING, *CUT], OPENAI)
@example([*EVERYTHING, *CUT], attrs.evolve(OPENAI, endpoint="azure"))
@example([*EVERYTHING, *CUT], attrs.evolve(OPENAI, endpoint="codex"))
def test_exactly_what_can_go_back_goes_back(turns: Sequence[Shape], options: RenderOptions) -> None:
    """Of responses of any shape, the reasoning of those that can go back whole is sent; the rest is told why."""
    answered = responses(turns)
    conversation = carried(turns, options)
    whole = [response for response in answered if replayed(response, options.endpoint.name)]
    request = conversation.requests[-1]

    assert [part for response in whole for part in encrypted_parts(response)] == reasoning_in(request)
    told = {warning.subject_id for warning in request.warnings if warning.code.startswith("reasoning-")}
    sent = set(reasoning_in(request))
    lost = [thought for thought in conversation.state.thoughts if encrypted_part(thought) not in sent]
    assert {thought.id for thought in lost if encrypted_part(thought)} == told


def encrypted_part(thought: object) -> str | None:
    """The encrypted part of a thought's reasoning."""
    payload = getattr(thought, "payload", None)
    part: str | None = payload.item.get("encrypted_content") if payload is not None else None
    return part


@given(conversation_shapes(shapes(), max_turns=6), option_choices(), st.sampled_from((1, 7, 1000)))
@example([*EVERYTHING, *CUT], OPENAI, 5)
def test_streamed_is_plain(turns: Sequence[Shape], options: RenderOptions, chunk: int) -> None:
    """A response that was streamed, in deltas of any size, is taken in like the one that was not."""
    plain, streamed = Conversation(options), Conversation(options)
    for number, shape in enumerate(turns):
        response = response_of(shape, f"t{number}")
        slots = OutputSlots()
        for event in stream_events(response, chunk):
            slots.feed(event)
        for conversation, answer in ((plain, response), (streamed, slots.result())):
            conversation.say(shape.speaker)
            conversation.build()
            conversation.take(answer)
            conversation.answer()
        assert plain.ingested[-1] == streamed.ingested[-1]
    assert plain.build() == streamed.build()


@given(conversation_shapes(shapes()), option_choices())
@example([*EVERYTHING, *CUT], OPENAI)
def test_what_was_sent_stays_as_it_was(turns: Sequence[Shape], options: RenderOptions) -> None:
    """Each request begins with the one before it, trailing item aside: that is what a prompt cache needs."""
    for before, after in pairwise(carried(turns, options).requests):
        length = before.fingerprintable_length
        assert before.input[:length] == after.input[:length]
        assert (before.instructions, before.tools) == (after.instructions, after.tools)


@given(conversation_shapes(shapes(), max_turns=8), option_choices())
@example([*EVERYTHING, *CUT], OPENAI)
def test_times_are_strictly_increasing(turns: Sequence[Shape], options: RenderOptions) -> None:
    """Things of a response stand behind everything that was there, each later than the one before it."""
    conversation = Conversation(options)
    for shape in turns:
        conversation.say(shape.speaker)
        conversation.build()
        there = [thing.created_at for thing in things_of(conversation.state)]
        ingested = conversation.take(response_of(shape, conversation.key))
        new = sorted(things_of(ingested), key=lambda thing: thing.origin.output_index)
        times = [max(there, default=conversation.now()), *(thing.created_at for thing in new)]
        assert all(before < after for before, after in pairwise(times))
        conversation.answer()


def things_of(holder: object) -> list[Any]:
    """Everything with a time that a state or an ingestion holds."""
    names = ("messages", "thoughts", "tool_calls", "provider_items")
    return [thing for name in names for thing in getattr(holder, name)]


@given(conversation_shapes(shapes(), max_turns=6), option_choices())
@example(EVERYTHING, OPENAI)
def test_every_request_passes_the_checker(turns: Sequence[Shape], options: RenderOptions) -> None:
    """No request of a conversation of any shape holds anything that the endpoint refuses."""
    conversation = carried(turns, options)
    for request in conversation.requests[-1:]:
        checked = conversation.pipeline.build_sync(conversation.state, options, check="report")
        assert checked.input == request.input
        assert [] == [found for found in checked.violations if found.severity == "error"]


@pytest.mark.parametrize("mode", ["off", "summary-only"])
@pytest.mark.parametrize("name", OUTPUTS)
def test_replay_switched_off_and_on_again(mode: Literal["off", "summary-only"], name: str) -> None:
    """A single reasoning item taken in while replay was off lives once it is on; one of several can't."""
    off = attrs.evolve(OPENAI, reasoning_replay=mode)
    for output, lives in ((("reasoning", name), True), (("reasoning", name, "reasoning", "call"), False)):
        conversation = carried([Shape("user", output)], off)
        assert [] == reasoning_in(conversation.requests[-1])
        conversation.options = OPENAI
        request = conversation.build()
        [response] = responses([Shape("user", output)])
        expected = encrypted_parts(response) if lives and replayed(response, "openai") else []
        assert expected == reasoning_in(request)


def test_every_shape_is_in_the_example() -> None:
    """The explicit examples hold every kind of output."""
    assert set(OUTPUTS) == {turn.output[1] for turn in EVERYTHING}
    assert set(OUTPUTS) < set(ITEMS)
