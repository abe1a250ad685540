"""Ingestion records what an independent recorder does, and what it recorded is replayed: invariant 4."""

from __future__ import annotations

from typing import Any, Final

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorder import Recorder, item_key, reasoning

from seamwright import ENDPOINTS, AgentState, RenderOptions, Thought
from seamwright.testing.strategies import Turn, conversations, options
from seamwright_containers import responses_pipeline

PROFILES: Final = pytest.mark.parametrize("endpoint", sorted(ENDPOINTS))


def recorded(thought: Thought) -> list[Any]:
    """What a thought says of the request it came out of."""
    payload = reasoning(thought)
    return [payload.item["encrypted_content"], payload.prefix_fingerprint, payload.paired_item_id, payload.sections]


def ingested(state: AgentState, turn: Turn, render_options: RenderOptions) -> AgentState:
    """The state after a turn that the library took in itself."""
    pipeline = responses_pipeline(clock=lambda: turn.answered_at)
    state = attrs.evolve(state, messages=[*state.messages, *turn.said])
    request = pipeline.build_sync(state, render_options)
    return state.extend(pipeline.ingest(turn.response, request, state))


@PROFILES
@given(conversations())
def test_ingestion_records_what_the_recorder_does(endpoint: Any, turns: tuple[Turn, ...]) -> None:
    """Fingerprints, sections and partners are those of a hash over the request that was really built."""
    recorder = Recorder(RenderOptions(model="gpt-test", endpoint=endpoint))
    state = AgentState()
    for turn in turns:
        before = len(state.thoughts)
        state = ingested(state, turn, recorder.options)
        recorder.play(turn)
        expected = [recorded(thought) for thought in recorder.state.thoughts[before:]]
        assert expected == [recorded(thought) for thought in state.thoughts[before:]]
        state = recorder.state


@given(conversations(), options(reasoning_replay=st.just("encrypted"), thought_surfacing=st.just("all-self")))
def test_what_was_ingested_is_replayed(turns: tuple[Turn, ...], render_options: RenderOptions) -> None:
    """For every channel and bucket order, nothing changed: all that led to something at an endpoint that takes ids."""
    state = AgentState(system_prompt="You are a support agent.")
    due: set[str] = set()
    for turn in turns:
        recorder = Recorder(render_options, state=ingested(state, turn, render_options))
        recorder.answer(turn)
        state = recorder.state
        output = turn.response["output"]
        whole = all(item["id"] != "odd id" for item in output) and output[-1]["type"] != "reasoning"
        if whole and not any(item["type"] == "web_search_call" for item in output):
            due |= {item_key(item) for item in output if item["type"] == "reasoning"}
    assembled = responses_pipeline().build_sync(state, render_options)
    found = {item_key(item) for item in assembled.input if item["type"] == "reasoning"}
    assert due <= found if "timeline" in render_options.bucket_order else not found
