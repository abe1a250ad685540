"""Reasoning goes back exactly when it may: whatever single thing is dropped, edited or moved."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mutations import mutations
from oracle import Oracle
from recorder import Recorder, item_key
from request_reader import id_faults, orphans, reasoning_faults

from seamwright import ENDPOINTS, AgentState, AssembledInput, RenderOptions, Tool
from seamwright.testing.strategies import Turn, conversations
from seamwright_containers import responses_pipeline

PIPELINE: Final = responses_pipeline()

PROFILES: Final = pytest.mark.parametrize("endpoint", sorted(ENDPOINTS))
ORIGINS: Final = pytest.mark.parametrize("origins", [True, False], ids=["origins", "no-origins"])

PROMPTED: Final = AgentState(system_prompt="You are a support agent.", standing_instructions=["Be brief."])


def recorder_for(endpoint: str, origins: bool, channel: str = "instructions") -> Recorder:
    """A recorder before the first turn."""
    options: Any = {"model": "gpt-test", "endpoint": endpoint, "system_prompt_channel": channel}
    return Recorder(RenderOptions(**options), origins, PIPELINE, PROMPTED)


def played(recorder: Recorder, turns: Sequence[Turn]) -> Recorder:
    """The recorder behind the last turn."""
    for turn in turns:
        recorder.play(turn)
    return recorder


def faults_of(recorder: Recorder, state: AgentState, endpoint: str | None = None) -> list[str]:
    """Everything that is wrong with the request of a state, under the endpoint it was recorded for or another one."""
    options = recorder.options if endpoint is None else attrs.evolve(recorder.options, endpoint=endpoint)
    assembled = PIPELINE.build_sync(state, options)
    items = assembled.input
    oracle = Oracle(state, assembled, recorder.memos)
    return [*oracle.faults(), *reasoning_faults(items), *orphans(items), *id_faults(items)]


def sent(assembled: AssembledInput) -> set[str]:
    """The keys of the reasoning items in a request."""
    return {item_key(item) for item in assembled.input if item["type"] == "reasoning"}


def sound_in(recorder: Recorder) -> set[str]:
    """The keys of the reasoning that was sent in the build that recorded it."""
    return {key for key, memo in recorder.memos.items() if memo.sound}


@PROFILES
@ORIGINS
@given(conversations(), st.sampled_from(("instructions", "developer-item", "system-item")))
def test_all_of_it_is_replayed(endpoint: str, origins: bool, turns: tuple[Turn, ...], channel: str) -> None:
    """With nothing changed, all reasoning that was sound when it was recorded goes back, and nothing is wrong."""
    recorder = played(recorder_for(endpoint, origins, channel), turns)
    sound, found = sound_in(recorder), sent(recorder.build())

    assert [] == faults_of(recorder, recorder.state)
    # Without origins, reasoning that led to nothing may get something to lead to from the next response.
    assert sound == found if origins else sound <= found


@PROFILES
@ORIGINS
@given(conversations(max_turns=3), st.data())
def test_one_change_costs_what_it_has_to_and_no_more(
    endpoint: str, origins: bool, turns: tuple[Turn, ...], data: st.DataObject
) -> None:
    """Each single change costs exactly the reasoning that no longer fits, each with one warning of the right cause."""
    recorder = played(recorder_for(endpoint, origins), turns)
    first = data.draw(st.integers(0, STEP - 1))
    for label, state in list(mutations(recorder.state))[first::STEP]:
        assert [] == faults_of(recorder, state), label


STEP: Final = 9
"""Of the hundred and more single changes that a conversation has, one in so many is tried in each example."""


@PROFILES
@ORIGINS
@given(conversations(max_turns=3), st.data())
def test_two_changes_cost_what_they_have_to(
    endpoint: str, origins: bool, turns: tuple[Turn, ...], data: st.DataObject
) -> None:
    """Two changes at once, too."""
    recorder = played(recorder_for(endpoint, origins), turns)
    first, state = data.draw(st.sampled_from(list(mutations(recorder.state))))
    second, state = data.draw(st.sampled_from(list(mutations(state))))
    assert [] == faults_of(recorder, state), (first, second)


@PROFILES
@ORIGINS
@given(conversations(min_turns=2, max_turns=4), st.data())
def test_a_stale_response_costs_no_later_one(
    endpoint: str, origins: bool, turns: tuple[Turn, ...], data: st.DataObject
) -> None:
    """What is recorded after something fell, over what was sent without it, goes back."""
    recorder = played(recorder_for(endpoint, origins), turns[:1])
    before = set(recorder.memos)
    label, recorder.state = data.draw(st.sampled_from(list(mutations(recorder.state))))
    played(recorder, turns[1:])

    assert [] == faults_of(recorder, recorder.state), label
    assert sound_in(recorder) - before <= sent(recorder.build())


@PROFILES
@given(conversations(min_turns=2, kinds=("call", "custom", "message")), st.data())
def test_late_answers_cost_what_was_recorded_without_them(
    endpoint: str, turns: tuple[Turn, ...], data: st.DataObject
) -> None:
    """Reasoning recorded while a call was pending is stale once its result is there, and no other is."""
    recorder = recorder_for(endpoint, origins=True)
    late: list[Turn] = []
    for turn in turns:
        answered = data.draw(st.booleans())
        recorder.play(turn, answered)
        late += [] if answered else [turn]
        assert [] == faults_of(recorder, recorder.state)
    for turn in late:
        recorder.answer(turn)
        assert [] == faults_of(recorder, recorder.state)


@PROFILES
@ORIGINS
@given(conversations(max_turns=3), st.sampled_from(sorted(ENDPOINTS)))
def test_another_endpoint_gets_what_fits_there(
    endpoint: str, origins: bool, turns: tuple[Turn, ...], other: str
) -> None:
    """A conversation that goes on at another endpoint keeps the reasoning whose prefix is sent there as it was."""
    recorder = played(recorder_for(endpoint, origins), turns)
    assert [] == faults_of(recorder, recorder.state, other)


@PROFILES
@ORIGINS
@pytest.mark.parametrize("mode", ["off", "summary-only"])
@given(turns=conversations(max_turns=3))
def test_without_replay_nothing_is_bound(endpoint: str, origins: bool, mode: Any, turns: tuple[Turn, ...]) -> None:
    """In the other modes no reasoning goes out, nobody is warned of it, and no response that had some carries an id."""
    recorder = played(recorder_for(endpoint, origins), turns)
    assembled = PIPELINE.build_sync(recorder.state, attrs.evolve(recorder.options, reasoning_replay=mode))

    assert set() == sent(assembled)
    assert not [warning for warning in assembled.warnings if warning.code.startswith("reasoning-")]
    assert [] == [*orphans(assembled.input), *id_faults(assembled.input)]
    if origins:
        had_some = {key.partition("_")[0] for key in recorder.memos}
        bound = [item["id"] for item in assembled.input if "id" in item and item["type"] != "message"]
        assert not [one for one in bound if one.split("_")[1] in had_some]


def _changed(recorder: Recorder, part: str) -> AssembledInput:
    """The request after one part of it changed."""
    state, options = recorder.state, recorder.options
    match part:
        case "model":
            options = attrs.evolve(options, model="another")
        case "instructions":
            state = attrs.evolve(state, system_prompt="Another.")
        case "tools":
            state = attrs.evolve(state, tools=[Tool(name="new", description="", input_schema={})])
        case _:
            first = attrs.evolve(state.messages[0], content=f"{state.messages[0].content} edited")
            state = attrs.evolve(state, messages=[first, *state.messages[1:]])
    return PIPELINE.build_sync(state, options)


@PROFILES
@pytest.mark.parametrize("part", ["model", "instructions", "tools", "input"])
@given(turns=conversations(max_turns=2))
def test_the_warning_names_what_changed(endpoint: str, part: str, turns: tuple[Turn, ...]) -> None:
    """The first sound reasoning falls with a warning that names the one part that differs, and the remedy; all fall."""
    recorder = played(recorder_for(endpoint, origins=True), turns)
    sound = sorted(sound_in(recorder), key=lambda key: tuple(map(int, key.split("_"))))
    assembled = _changed(recorder, part)
    for first in sound[:1]:
        [warning] = [one for one in assembled.warnings if one.subject_id == f"thought {first}"]
        assert "reasoning-prefix-changed" == warning.code
        assert [part] == re.findall(r"\b(?:model|instructions|tools|input)\b", warning.text)
        assert "OriginFingerprint" in warning.text
    assert not sent(assembled) & set(sound)
