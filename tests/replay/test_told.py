"""What of a response is not taken in is told, to the caller and to the sink of warnings."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamwright import AgentState, RenderOptions
from seamwright.ingest import Ingested
from seamwright.testing.items import function_call, message, reasoning, response
from seamwright.wire.assembled import RenderWarning
from seamwright_containers import responses_pipeline


def taken_in(answer: Any) -> tuple[Ingested, list[RenderWarning]]:
    """A response to an empty request, and what the sink was told of it."""
    seen: list[RenderWarning] = []
    pipeline = responses_pipeline(warn=seen.append)
    state = AgentState()
    request = pipeline.build_sync(state, RenderOptions(model="gpt-5.4"))
    return pipeline.ingest(answer, request, state), seen


def codes(answer: Any) -> list[tuple[str, str | None]]:
    """Code and subject of every warning; the sink has been told the same."""
    ingested, seen = taken_in(answer)
    assert list(ingested.warnings) == seen
    return [(warning.code, warning.subject_id) for warning in seen]


def test_a_whole_response_is_taken_in_without_a_word() -> None:
    """Nothing is told where nothing is lost."""
    assert codes(response(reasoning("r"), message("m"), function_call("f"))) == []


@pytest.mark.parametrize("part", [{"type": "output_audio", "data": "x"}, {"type": "output_text"}, 7, None, ["x"]])
def test_a_part_that_a_message_can_not_hold(part: Any) -> None:
    """The text beside it is kept, and the part that is left out has its warning."""
    said = message("Hello", id="msg_1")
    said["content"].append(part)
    ingested, _ = taken_in(response(said))
    assert ingested.text == "Hello"
    assert codes(response(said)) == [("part-not-ingested", "msg_1")]


def test_an_empty_message_that_led_from_no_reasoning() -> None:
    """It says nothing, so it is left out; behind reasoning it is kept, and nothing is told."""
    empty = message("", id="msg_1")
    assert codes(response(empty)) == [("item-not-ingested", "msg_1")]
    assert codes(response(reasoning("r"), empty)) == []


def test_items_that_were_not_finished() -> None:
    """A hosted item under way when the response was cut short is left out, a cut call is marked."""
    search = {"type": "web_search_call", "id": "ws_1", "status": "in_progress"}
    call = function_call("f", id="fc_1", call_id="call_1", status="incomplete")
    cut = response(search, call, status="incomplete", reason="max_output_tokens")
    assert codes(cut) == [("item-not-ingested", "ws_1"), ("tool-call-incomplete", "call_1|fc_1")]


@pytest.mark.parametrize("status", ["cancelled", "queued", "in_progress"])
def test_a_response_that_has_not_ended(status: str) -> None:
    """Nothing of it is taken in, and that is said."""
    assert codes(response(message("m"), id="resp_1", status=status)) == [("response-not-ended", "resp_1")]


@given(st.lists(st.sampled_from([{"type": "output_text", "text": "t"}, {"type": "odd"}, {"refusal": "r"}, 3])))
def test_every_part_is_kept_or_told(parts: list[Any]) -> None:
    """As many warnings as parts that are neither text nor refusal, where the message is kept at all."""
    said = message("x", id="msg_1")
    said["content"] = parts
    ingested, seen = taken_in(response(said))
    known = [part for part in parts if isinstance(part, dict) and part.get("type") != "odd"]
    assert len(seen) == (len(parts) - len(known) if known else 1)
    assert bool(ingested.messages) == bool(known)
