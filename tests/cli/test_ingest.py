"""``seamwright ingest``: responses whole, streamed, cut and failed; the request compared; the next state."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

import pytest

from cli.terminal import CALL, QUESTION, REASONING, RESPONSE, STATE, called, errors, typed, written
from seamwright import ReasoningPayload, load_state
from seamwright.testing.events import sse, stream_events
from seamwright_containers import responses_pipeline

EVENTS: Final = stream_events(RESPONSE, 3)


def json_lines(events: Iterable[Any]) -> bytes:
    """A stream saved event by event."""
    return b"".join(json.dumps(event).encode() + b"\n" for event in events)


def reasoning_of(state: dict[str, Any]) -> list[Any]:
    """What a state file holds of reasoning: item, partner and fingerprint, but not the times."""
    return [(one["id"], one["payload"], one["origin"]) for one in state["thoughts"]]


def test_the_next_state_replays(state: Path, response: Path, tmp_path: Path) -> None:
    """What is printed is a state file; its request begins as the one that was answered and has the reasoning in it."""
    done = typed("ingest", response, "--state", state, cwd=tmp_path)
    assert (0, "") == (done.code, done.err)

    following = written(tmp_path, "next.json", done.json)
    rendered = called("render", following)
    assert called("render", state).json["input"] == rendered.json["input"][:1]
    assert [REASONING, {key: value for key, value in CALL.items() if key != "status"}] == rendered.json["input"][1:3]
    assert "warning: pending-tool-call (call_1|fc_1)" in rendered.err


def test_it_is_what_the_library_does(state: Path, response: Path) -> None:
    """The same things with the same fingerprints."""
    loaded, options = load_state(state)
    pipeline = responses_pipeline()
    ingested = pipeline.ingest(RESPONSE, pipeline.build_sync(loaded, options), loaded)
    (thought,) = called("ingest", response, "--state", state).json["thoughts"]

    payload = ingested.thoughts[0].payload
    assert isinstance(payload, ReasoningPayload)
    assert payload.prefix_fingerprint == thought["payload"]["prefix_fingerprint"]


def test_options_of_the_call_count(state: Path, response: Path) -> None:
    """What is recorded is recorded under ``--set`` and ``--container``, and the options are in the next state."""
    plain = called("ingest", response, "--state", state).json
    changed = called("ingest", response, "--state", state, "--set", "system_prompt_channel=developer-item").json

    assert "developer-item" == changed["options"]["system_prompt_channel"]
    assert reasoning_of(plain) != reasoning_of(changed)


@pytest.mark.parametrize("form", [sse, json_lines])
def test_a_saved_stream_is_the_response(form: Callable[[Any], bytes], state: Path, response: Path) -> None:
    """As JSON Lines or server-sent events, from a file or stdin: the same reasoning as of the whole response."""
    stream = written(state.parent, "stream.txt", form(EVENTS))
    whole = called("ingest", response, "--state", state)
    for done in (
        called("ingest", stream, "--state", state),
        called("ingest", "-", "--state", state, stdin=form(EVENTS)),
    ):
        assert (0, "") == (done.code, done.err)
        assert reasoning_of(whole.json) == reasoning_of(done.json)


@pytest.mark.parametrize("form", [sse, json_lines])
def test_a_truncated_stream_changes_nothing(form: Callable[[Any], bytes], state: Path) -> None:
    """Wherever it is cut: the state as it was and a line that says so, or an error that there is no event; no more."""
    text = form(EVENTS)
    end = text.rindex(b"}")  # with this one the terminal event is whole
    before = json.loads(called("ingest", "-", "--state", state, stdin=json.dumps({**RESPONSE, "output": []})).out)
    for cut in range(0, end, 41):
        done = called("ingest", "-", "--state", state, stdin=text[:cut])
        if done.code:
            assert (1, "") == (done.code, done.out)
            assert cut <= text.index(b"}\n") + 1
            assert errors(done)[0].startswith("stdin: ")
        else:
            assert before == done.json
            assert "nothing was taken in: the response is in progress" in done.err

    assert 0 == called("ingest", "-", "--state", state, stdin=text[: end + 1]).code


@pytest.mark.parametrize(
    "last",
    [
        {"type": "error", "code": "server_error", "message": "Too much."},
        {"type": "response.failed", "response": {"error": {"code": "server_error", "message": "Too much."}}},
    ],
)
@pytest.mark.parametrize("form", [sse, json_lines])
@pytest.mark.parametrize("begun", [0, len(EVENTS) - 1])
def test_a_failed_stream_is_an_error(form: Callable[[Any], bytes], last: Any, begun: int, state: Path) -> None:
    """Exit 1 with the provider's code and text, however much came before; the target is not touched."""
    stream = written(state.parent, "stream.txt", form([*EVENTS[:begun], last]))
    target = written(state.parent, "next.json", "old")
    done = called("ingest", stream, "--state", state, "-o", target)

    assert (1, "", "old") == (done.code, done.out, target.read_text("utf-8"))
    (line,) = errors(done)
    assert line.startswith(f"{stream}: ")
    assert "Too much." in line
    assert "server_error" in line


@pytest.mark.parametrize(
    ("changes", "code", "told"),
    [
        ({"status": "failed", "error": {"code": "c", "message": "Too much."}}, 1, "the response failed: c: Too much."),
        ({"status": "failed"}, 1, "the response failed: no reason is given"),
        ({"status": "cancelled"}, 0, "response-not-ended (resp_1): nothing was taken in: the response is cancelled"),
        ({"status": "queued"}, 0, "response-not-ended (resp_1): nothing was taken in: the response is in progress"),
        (
            {
                "status": "incomplete",
                "incomplete_details": {"reason": "max_output_tokens"},
                "output": [CALL | {"status": "incomplete"}],
            },
            0,
            "tool-call-incomplete (call_1|fc_1): the call was cut short and is not meant to be run",
        ),
    ],
)
def test_a_response_that_did_not_end_well(changes: dict[str, Any], code: int, told: str, state: Path) -> None:
    """One that failed is an error; of one that did not end nothing is taken in; a call that was cut is told."""
    done = called("ingest", "-", "--state", state, stdin=json.dumps({**RESPONSE, **changes}))

    assert code == done.code
    assert told in done.err
    assert (code == 1) is (done.out == "")


def test_what_the_server_withheld_is_told(state: Path, response: Path, tmp_path: Path) -> None:
    """With the reason it gave, under the thought it is about."""
    following = tmp_path / "next.json"
    assert 0 == called("ingest", response, "--state", state, "-o", following).code
    verdict = {"type": "reasoning", "id": "rs_1", "action": "removed", "reason": "prefix_mismatch"}
    later = {**RESPONSE, "id": "resp_2", "output": [], "input_transformations": [verdict]}
    done = called("ingest", "-", "--state", following, stdin=json.dumps(later))

    assert 0 == done.code
    assert "reasoning-withheld-by-server (rs_1): the server kept it from the model: prefix_mismatch" in done.err


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "no JSON"),
        ("{", "no JSON"),
        ("not a response", "no JSON"),
        ("[]", "got an array"),
        ("17", "got a number"),
        ('{"error": {"message": "Rate limit reached"}}', "Rate limit reached"),
        ('{"output": 17}', "output"),
        ('{"id": "r", "object": "response", "output": [17]}', "output[0]"),
    ],
)
def test_what_is_no_response(content: str, told: str, state: Path) -> None:
    """Exit 1, with the file and what it holds instead."""
    done = called("ingest", written(state.parent, "response.json", content), "--state", state)

    assert (1, "") == (done.code, done.out)
    (line,) = errors(done)
    assert line.startswith(f"{state.parent}/response.json: ")
    assert told in line


def sent(state: Path) -> dict[str, Any]:
    """The request that is rendered of a state file."""
    request: dict[str, Any] = called("render", state).json
    return request


def test_the_request_that_was_sent_may_be_compared(state: Path, response: Path, tmp_path: Path) -> None:
    """Equal but for what a host adds beside it: the same state as without."""
    request = written(tmp_path, "request.json", {**sent(state), "reasoning": {"effort": "low"}, "stream": True})
    done = called("ingest", response, "--state", state, "--request", request)

    assert (0, "") == (done.code, done.err)
    assert reasoning_of(called("ingest", response, "--state", state).json) == reasoning_of(done.json)


@pytest.mark.parametrize(
    ("changes", "path"),
    [
        ({"model": "gpt-5.4-mini"}, "model"),
        ({"model": ...}, "model"),
        ({"instructions": "You answer for a bank."}, "instructions"),
        ({"instructions": ...}, "instructions"),
        ({"tools": []}, "tools"),
        ({"tools": [{"type": "function", "name": "trace"}]}, "tools[0]"),
        ({"input": []}, "input"),
        ({"input": [{"type": "message", "role": "system", "content": []}]}, "input[0]"),
        ({"input": "Where is it?"}, "input"),
        ({"model": "other", "input": []}, "model"),
    ],
)
def test_another_request_is_an_error(
    changes: dict[str, Any], path: str, state: Path, response: Path, tmp_path: Path
) -> None:
    """Exit 1, naming the first place that differs and both sides of it; nothing is written."""
    request = {key: value for key, value in {**sent(state), **changes}.items() if value is not ...}
    other, target = written(tmp_path, "request.json", request), tmp_path / "next.json"
    done = called("ingest", response, "--state", state, "--request", other, "-o", target)

    assert (1, "") == (done.code, done.out)
    (line,) = errors(done)
    assert line.startswith(f"{other}: {path}")
    assert " where this state renders " in line
    assert not target.exists()


def test_a_deep_difference_is_named_in_full(state: Path, response: Path, tmp_path: Path) -> None:
    """Down to the text that changed."""
    request = sent(state)
    request["input"][0]["content"][0]["text"] += "!"
    done = called("ingest", response, "--state", state, "--request", written(tmp_path, "r.json", request))

    assert f"{tmp_path}/r.json: input[0].content[0].text: the request has " in done.err


@pytest.mark.parametrize(("content", "told"), [("{", "no JSON"), ("[]", "a request is an object")])
def test_a_request_that_is_none(content: str, told: str, state: Path, response: Path, tmp_path: Path) -> None:
    """Exit 1 with its name."""
    request = written(tmp_path, "request.json", content)
    done = called("ingest", response, "--state", state, "--request", request)

    assert (1, "") == (done.code, done.out)
    assert errors(done)[0].startswith(f"{request}: {told}")


def test_stdin_is_read_once(state: Path, response: Path) -> None:
    """Either of them may be a dash; two of them are a wrong call."""
    text = state.read_text("utf-8")
    assert called("ingest", response, "--state", state).json.keys() == (
        called("ingest", response, "--state", "-", stdin=text).json.keys()
    )
    assert 0 == called("ingest", response, "--state", state, "--request", "-", stdin=json.dumps(sent(state))).code
    for arguments in (("-", "--state", "-"), ("-", "--state", state, "--request", "-")):
        done = called("ingest", *arguments, stdin=text)
        assert (2, "") == (done.code, done.out)
        assert "stdin can be read once" in errors(done)[0]


def test_a_state_may_be_taken_forward_in_place(state: Path, response: Path, tmp_path: Path) -> None:
    """Typed with ``-o`` on the state itself, turn after turn; what was there stays, byte for byte as values."""
    assert 0 == typed("ingest", response, "--state", state, "-o", state, cwd=tmp_path).code
    once = json.loads(state.read_text("utf-8"))
    answer = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Here."}]}
    second = written(tmp_path, "second.json", {**RESPONSE, "id": "resp_2", "output": [answer | {"id": "msg_2"}]})
    assert 0 == typed("ingest", second, "--state", state, "-o", state, cwd=tmp_path).code
    twice = json.loads(state.read_text("utf-8"))

    assert [QUESTION["id"], "msg_2"] == [one["id"] for one in twice["messages"]]
    assert {**once, "messages": twice["messages"]} == twice
    assert once["messages"] == twice["messages"][:1]


def test_a_file_of_one_event_is_a_stream(state: Path) -> None:
    """A stream may be so short that it is a JSON object as a whole."""
    last = written(state.parent, "last.json", EVENTS[-1])
    done = called("ingest", last, "--state", state)

    assert ["rs_1"] == [one["id"] for one in done.json["thoughts"]]
    assert STATE["model"] == done.json["model"]
