"""A session gives what a cold build gives, whatever happened to state and options since its last build."""

from __future__ import annotations

import copy
from datetime import timedelta
from typing import Final

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from render_session.same import assert_same
from replay.conversations import Conversation, Shape, carried, conversation_shapes, option_choices, shapes
from replay.edits import EDITS
from seamwright import AgentState, Message, RenderOptions, dump_state, load_state
from seamwright.testing.strategies import messages, options, provider_items, states, thoughts, tool_calls
from seamwright_containers import responses_pipeline

PIPELINE: Final = responses_pipeline()
STEPS: Final = st.lists(st.tuples(st.sampled_from(sorted(EDITS)), st.integers(0, 50)), min_size=1, max_size=8)


@given(conversation_shapes(shapes(), max_turns=6), option_choices(), STEPS)
def test_edit_after_edit(turns: list[Shape], chosen: RenderOptions, steps: list[tuple[str, int]]) -> None:
    """Each edit stands on the one before, and every few the first state comes back: as edits that are undone do."""
    conversation = carried(turns, chosen)
    session = PIPELINE.session()
    first = state, current = conversation.state, conversation.options
    assert_same(session, PIPELINE, state, current)
    for number, (name, which) in enumerate(steps):
        state, current = EDITS[name](state, current, which) if state.messages else first
        assert_same(session, PIPELINE, state, current)
        if number % 3 == 2:
            assert_same(session, PIPELINE, *first)


@given(conversation_shapes(shapes(), max_turns=10), option_choices())
def test_a_conversation_that_grows(turns: list[Shape], chosen: RenderOptions) -> None:
    """Turn after turn is appended, each answer taken in; completed calls change in place."""
    conversation = Conversation(chosen)
    session = conversation.pipeline.session()
    for shape in turns:
        conversation.turn(shape)
        assert_same(session, conversation.pipeline, conversation.state, conversation.options)


@given(st.lists(st.tuples(states(), options()), min_size=2, max_size=4))
def test_states_that_have_nothing_in_common(builds: list[tuple[AgentState, RenderOptions]]) -> None:
    """One session may be given anything; equal ids and times don't lead it astray."""
    session = PIPELINE.session()
    for state, chosen in [*builds, builds[0]]:
        assert_same(session, PIPELINE, state, chosen)


@given(states(), options(), st.data())
def test_more_of_everything(state: AgentState, chosen: RenderOptions, data: st.DataObject) -> None:
    """Things of any kind are added at any time, in front of what is known and behind it."""
    session = PIPELINE.session()
    assert_same(session, PIPELINE, state, chosen)
    for _ in range(3):
        state = attrs.evolve(
            state,
            messages=[*state.messages, *data.draw(st.lists(messages(), max_size=2))],
            thoughts=[*data.draw(st.lists(thoughts(), max_size=1)), *state.thoughts],
            tool_calls=[*state.tool_calls, *data.draw(st.lists(tool_calls(), max_size=2))],
            provider_items=[*state.provider_items, *data.draw(st.lists(provider_items(), max_size=1))],
        )
        assert_same(session, PIPELINE, state, chosen)


@given(conversation_shapes(shapes(), max_turns=5), option_choices())
def test_states_that_are_read_anew(turns: list[Shape], chosen: RenderOptions) -> None:
    """Nothing is the same object as before: a host that keeps its state in a database."""
    conversation = Conversation(chosen)
    session = conversation.pipeline.session()
    for shape in turns:
        conversation.turn(shape)
        state, read = load_state(dump_state(conversation.state, chosen))
        assert_same(session, conversation.pipeline, state, read)
        assert_same(session, conversation.pipeline, copy.deepcopy(state), read)


@given(conversation_shapes(shapes(), max_turns=6), option_choices(), st.integers(0, 20), st.integers(0, 20))
def test_order_of_the_collections(turns: list[Shape], chosen: RenderOptions, one: int, other: int) -> None:
    """Two messages change places in their collection, which counts where times are equal."""
    state = carried(turns, chosen).state
    session = PIPELINE.session()
    at = state.messages[0].created_at
    said = [attrs.evolve(message, created_at=at, origin=None) for message in state.messages]
    assert_same(session, PIPELINE, attrs.evolve(state, messages=said), chosen)
    one, other = one % len(said), other % len(said)
    said[one], said[other] = said[other], said[one]
    assert_same(session, PIPELINE, attrs.evolve(state, messages=said), chosen)


RICH: Final = [
    Shape("user", ("reasoning", "call", "call")),
    Shape("nobody", ("reasoning with summaries", "message")),
    Shape("user", ("reasoning", "web search", "reasoning", "message")),
    Shape("user", ("message",)),
]


@pytest.mark.parametrize("name", sorted(EDITS))
def test_one_edit(name: str) -> None:
    """Every edit of the first, a middle and the last thing, and its undoing."""
    conversation = carried(RICH, RenderOptions(model="gpt-test"))
    session = PIPELINE.session()
    for which in (0, 1, 2, -1):
        assert_same(session, PIPELINE, conversation.state, conversation.options)
        assert_same(session, PIPELINE, *EDITS[name](conversation.state, conversation.options, which))


@given(conversation_shapes(shapes(), max_turns=5), option_choices(), st.integers(0, 20), st.booleans())
def test_something_older_is_appended(turns: list[Shape], chosen: RenderOptions, which: int, equal: bool) -> None:
    """It stands last in its collection, but not in time."""
    state = carried(turns, chosen).state
    session = PIPELINE.session()
    assert_same(session, PIPELINE, state, chosen)
    at = state.messages[which % len(state.messages)].created_at - timedelta(milliseconds=not equal)
    said = Message(id="late", role="user", content="by the way", created_at=at)
    assert_same(session, PIPELINE, attrs.evolve(state, messages=[*state.messages, said]), chosen)


@given(conversation_shapes(shapes(), max_turns=5), option_choices(), st.integers(0, 20))
def test_something_of_an_earlier_response_is_appended(turns: list[Shape], chosen: RenderOptions, which: int) -> None:
    """It is newer than everything, but belongs to a response that stands further up."""
    state = carried(turns, chosen).state
    session = PIPELINE.session()
    assert_same(session, PIPELINE, state, chosen)
    things = [*state.messages, *state.thoughts, *state.tool_calls]
    origin = things[which % len(things)].origin
    latest = max(thing.created_at for thing in things)
    said = Message(id="late", role="assistant", content="and", created_at=latest + timedelta(seconds=1), origin=origin)
    assert_same(session, PIPELINE, attrs.evolve(state, messages=[*state.messages, said]), chosen)
