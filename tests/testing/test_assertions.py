"""The assertions: each passes what is right, and its failure shows what is wrong and where."""

from __future__ import annotations

from typing import Any

import attrs
import pytest

from seamwright import AgentState, Media, RenderOptions
from seamwright.testing.assertions import (
    assert_no_warnings,
    assert_replayed,
    assert_request_equal,
    assert_sendable,
    assert_warned,
)
from seamwright.testing.contracts.inputs import CALL, MESSAGE, OPTIONS, THOUGHT
from seamwright.testing.items import message, reasoning, response
from seamwright_containers import responses_pipeline

PIPELINE = responses_pipeline()
PENDING = AgentState(messages=(MESSAGE,), tool_calls=(attrs.evolve(CALL, results=None),))


def built(state: AgentState = PENDING, **options: Any) -> Any:
    """A build; by default with a call that has no result."""
    return PIPELINE.build_sync(state, RenderOptions(model="gpt-5.4", **options))


def failure(check: Any, *arguments: Any, **keywords: Any) -> str:
    """What a failing assertion says."""
    with pytest.raises(AssertionError) as error:
        check(*arguments, **keywords)
    return str(error.value)


def test_equal_requests_pass() -> None:
    """A build is its request, and the order of keys is none."""
    request = built().to_request()
    assert_request_equal(built(), request)
    assert_request_equal(dict(reversed(request.items())), built())


def test_a_difference_is_shown_with_its_place() -> None:
    """The path, both values, and the lines round them; long ones are cut."""
    expected = built().to_request()
    text = failure(assert_request_equal, built(attrs.evolve(PENDING, messages=())), expected)
    assert text.startswith("the requests differ at input[0].type:\n  expected 'message'\n  actual   'function_call'\n")
    assert '\n-      "role": "user",\n' in text

    changed = {**expected, "input": [{**item, "status": "x" * 1000} for item in expected["input"]]}
    text = failure(assert_request_equal, changed, expected)
    assert "differ at input[0].status:\n  expected nothing\n  actual   'xxx" in text
    assert all(len(line) < 250 for line in text.splitlines())


def test_many_differences_are_cut() -> None:
    """A request that is another one altogether does not fill the screen."""
    text = failure(assert_request_equal, {"input": [{"n": n} for n in range(500)]}, {"input": []})
    assert text.endswith("\n…")
    assert 70 > len(text.splitlines())


def test_true_is_not_one() -> None:
    """JSON tells a number from a truth value."""
    assert "expected True\n  actual   1" in failure(assert_request_equal, {"store": 1}, {"store": True})


def test_warnings_are_listed() -> None:
    """Each with its code, its thing and its text."""
    assert_no_warnings(built(AgentState(messages=(MESSAGE,))))
    text = failure(assert_no_warnings, built())
    assert text == "the build has warnings:\n  pending-tool-call about 'call_1': the call of 'lookup' has no result"


def test_a_warning_is_found_by_code_and_thing() -> None:
    """Without a thing any will do; None is a warning about none."""
    assert_warned(built(), "pending-tool-call")
    assert_warned(built(), "pending-tool-call", "call_1")
    assert "no warning 'pending-tool-call' about 'call_2'; the build has:\n  pending" in failure(
        assert_warned, built(), "pending-tool-call", "call_2"
    )
    assert "about None" in failure(assert_warned, built(), "pending-tool-call", None)
    assert "(did you mean 'pending-tool-call'?)" in failure(assert_warned, built(), "pending-tool-cal")
    assert failure(assert_warned, built(AgentState()), "stash-miss").endswith("the build has: none")


def answered(**options: Any) -> tuple[AgentState, Any]:
    """A state that took in a response with reasoning, and its build."""
    state = AgentState(messages=(MESSAGE,))
    reply = response(reasoning(id="rs_1"), message("tea", id="msg_1"))
    state = state.extend(PIPELINE.ingest(reply, built(state), state))
    return state, built(state, **options)


def test_reasoning_that_goes_back_is_found() -> None:
    """By the id of its item, or by its encrypted part where items carry none."""
    state, assembled = answered()
    assert_replayed(assembled, "rs_1")
    assert_replayed(assembled)
    without_ids = attrs.evolve(
        assembled, input=[{key: item[key] for key in item if key != "id"} for item in assembled.input]
    )
    assert_replayed(without_ids, "rs_1", state=state)
    assert "give the state" in failure(assert_replayed, without_ids, "rs_1")


def test_reasoning_that_stays_away_is_told_with_its_cause() -> None:
    """The warning about it, the mode that leaves it out, or that there is none."""
    state, _ = answered()
    other_model = PIPELINE.build_sync(state, RenderOptions(model="other"))
    assert "'rs_1' does not go back:\n  reasoning-prefix-changed about 'rs_1'" in failure(
        assert_replayed, other_model, "rs_1"
    )
    off = answered(reasoning_replay="off")[1]
    assert "reasoning_replay is 'off'" in failure(assert_replayed, off, "rs_1")
    assert failure(assert_replayed, off) == "the request holds no reasoning item"
    assert "no thought 'rs_2' (did you mean 'rs_1'?)" in failure(assert_replayed, off, "rs_2", state=state)
    plain = AgentState(messages=(MESSAGE,), thoughts=(THOUGHT,))
    assert "is plain text" in failure(assert_replayed, built(plain), "t1", state=plain)


def test_a_request_that_is_fine_may_be_sent() -> None:
    """As a build, as its body, as JSON text."""
    assert_sendable(built())
    assert_sendable(built().to_request(), endpoint="azure")
    assert_sendable('{"model": "gpt-5.4", "store": false, "input": "Hi."}')


def test_what_an_endpoint_refuses_is_listed() -> None:
    """Rule, place, what stands there, and the remedy; the endpoint is the build's own unless another is named."""
    body = {"model": "gpt-5.4", "store": False, "input": [{"type": "message", "role": "robot", "content": "a"}]}
    text = failure(assert_sendable, body)
    assert text.startswith("openai refuses the request:\n  ")
    assert "input[0].role" in text
    assert "\n    there:  'robot'" in text
    assert "\n    remedy: " in text

    picture = Media(
        id="a1",
        kind="document",
        mime_type="text/plain",
        filename="a.txt",
        source_reader=b"a",
        trust_tier="first-party",
        modality_hazard="inert",
    )
    state = AgentState(messages=(attrs.evolve(MESSAGE, attachments=(picture,)),))
    assembled = PIPELINE.build_sync(state, OPTIONS)
    assert_sendable(assembled)
    assert failure(assert_sendable, assembled, endpoint="azure").startswith("azure refuses the request:\n")
