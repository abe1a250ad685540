"""``assembled.to_json()``: the bytes of what ``to_request()`` gives."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamwright import AgentState, RenderOptions
from seamwright.testing.strategies import options, states
from seamwright_containers import responses_pipeline

PIPELINE = responses_pipeline()


@given(states(), options(unsupported_media_policy=st.just("synthetic-description")))
def test_equal_after_reading(state: AgentState, chosen: RenderOptions) -> None:
    """Whatever the state holds, reading the bytes gives what reading ``json.dumps`` of the request gives."""
    assembled = PIPELINE.build_sync(state, chosen)
    assert json.loads(json.dumps(assembled.to_request())) == json.loads(assembled.to_json())


@pytest.mark.parametrize(
    "params", [{"metadata": {"big": 2**70}}, {"metadata": {1: "one"}}, {"user": "\ud800"}, {"temperature": 0.5}]
)
def test_what_one_encoder_does_not_take(params: dict[str, Any]) -> None:
    """Integers beyond 64 bits, other keys than text and lone surrogates go through the other encoder."""
    assembled = PIPELINE.build_sync(AgentState(), RenderOptions(model="gpt-test"))
    assert json.loads(json.dumps(assembled.to_request(**params))) == json.loads(assembled.to_json(**params))


def test_what_the_build_decides() -> None:
    """Parameters that the build decides are refused, as by ``to_request``; so is what is no JSON."""
    assembled = PIPELINE.build_sync(AgentState(), RenderOptions(model="gpt-test"))
    with pytest.raises(TypeError, match="model"):
        assembled.to_json(model="other")
    with pytest.raises(TypeError):
        assembled.to_json(user=object())
