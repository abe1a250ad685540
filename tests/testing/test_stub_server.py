"""The loopback server through the vendor's own client: plain, streamed, asynchronous, refusing, failing."""

from __future__ import annotations

import asyncio
import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Any

import attrs
import pytest

from seamwright.check import check_request
from seamwright.errors import StreamFailedError
from seamwright.ingest.plain import as_mapping
from seamwright.ingest.rejection import classify_rejection
from seamwright.ingest.stream import OutputSlots, accumulate
from seamwright.testing.events import stream_events
from seamwright.testing.refusals import RULES
from seamwright.testing.server import (
    Refusal,
    Reply,
    ResponsesServer,
    Stream,
    function_call,
    item,
    message,
    reasoning,
    refusal,
    refusal_of,
    response,
)

openai = pytest.importorskip("openai")

SHAPES = [
    response(message("Hi.")),
    response(reasoning("Why.", content=["Raw."]), function_call("f", {"q": "é😀"}), function_call("g")),
    response(reasoning(), message(refusal="No.", phase="final_answer"), item("brand_new_call", payload=[1, None])),
    response(message("Cut o", status="incomplete"), reason="max_output_tokens"),
    response(),
]


@contextmanager
def client_of(server: ResponsesServer) -> Iterator[Any]:
    """The vendor's client, told to ask once only."""
    with openai.OpenAI(base_url=server.base_url, api_key="none", max_retries=0, timeout=10) as client:
        yield client


def test_a_plain_reply_reaches_the_client_unchanged() -> None:
    """Each scripted response comes back as it was written, in order, over one client; unknown items too."""
    with ResponsesServer(SHAPES) as server, client_of(server) as client:
        answers = [client.responses.create(model="gpt-5.4", input="Hi.", store=False) for _ in SHAPES]

    assert SHAPES == [as_mapping(answer) for answer in answers]
    assert 0 == server.left


def test_a_streamed_reply_adds_up_to_the_response() -> None:
    """The client's own event objects, fed to the slots, give the scripted response; text can be read on the way."""
    with ResponsesServer(SHAPES, chunk=2) as server, client_of(server) as client:
        for expected in SHAPES:
            slots, lengths = OutputSlots(), [0]
            for event in client.responses.create(model="gpt-5.4", input="Hi.", stream=True):
                slots.feed(event)
                lengths.append(len(slots.text()))
            assert expected == slots.result()
            assert sorted(lengths) == lengths


def test_the_clients_stream_helper_gives_the_same() -> None:
    """The events of ``client.responses.stream``, which carry parsed values of the client's own, are read as well."""
    answer = response(reasoning("Why."), message("Hi."), function_call("f", {"a": 1}))
    with (
        ResponsesServer([answer]) as server,
        client_of(server) as client,
        client.responses.stream(model="gpt-5.4", input="Hi.") as stream,
    ):
        result = accumulate(stream)

    assert "completed" == result["status"]
    assert [one["id"] for one in answer["output"]] == [one["id"] for one in result["output"]]
    assert answer["output"][:1] == result["output"][:1]


def test_the_asynchronous_client_is_served_alike() -> None:
    """Several requests at once, plain and streamed, each get a whole reply."""
    answer = response(reasoning("Why."), message("Hi."))

    async def ask(client: Any, stream: bool) -> dict[str, Any]:
        got = await client.responses.create(model="gpt-5.4", input="Hi.", stream=stream)
        if not stream:
            return as_mapping(got)
        slots = OutputSlots()
        async for event in got:
            slots.feed(event)
        return slots.result()

    async def run(base_url: str) -> list[dict[str, Any]]:
        async with openai.AsyncOpenAI(base_url=base_url, api_key="none", max_retries=0, timeout=10) as client:
            return await asyncio.gather(*(ask(client, stream) for stream in (True, False) * 4))

    with ResponsesServer([answer] * 8) as server:
        results = asyncio.run(run(server.base_url))

    assert [answer] * 8 == results


def test_what_was_sent_is_kept() -> None:
    """Bodies and headers of all requests, refused ones included, in order."""
    with ResponsesServer([response(), refusal("P1")]) as server, client_of(server) as client:
        client.responses.create(
            model="gpt-5.4", input=[{"type": "message", "role": "user", "content": "é"}], store=False
        )
        with pytest.raises(openai.BadRequestError):
            client.responses.create(model="m", input="two")

    assert [[{"type": "message", "role": "user", "content": "é"}], "two"] == [sent["input"] for sent in server.requests]
    assert {"Bearer none"} == {sent["authorization"] for sent in server.headers}


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("stream", [False, True])
def test_every_refusal_arrives_as_the_clients_own_error(rule: str, stream: bool) -> None:
    """Status, code, param and text pass through the vendor's client, streaming or not, and are recognised there."""
    made = refusal(rule)
    with ResponsesServer([made]) as server, client_of(server) as client, pytest.raises(openai.APIStatusError) as caught:
        client.responses.create(model="gpt-5.4", input="Hi.", stream=stream)

    error = made.body["error"]
    assert (made.status, error["code"], error["param"]) == (
        caught.value.status_code,
        caught.value.code,
        caught.value.param,
    )
    assert error["message"] in (caught.value.body or {}).values()
    assert {"F6": "F1", "F7": "F1"}.get(rule, rule) == classify_rejection(caught.value)


def test_refusals_name_what_they_are_told() -> None:
    """Ids and paths stand in text and parameter."""
    said = refusal("P2", item_id="msg_9", item_type="message", partner_id="rs_8").body["error"]["message"]
    assert "Item 'msg_9' of type 'message' was provided without its required 'reasoning' item: 'rs_8'." == said
    error = refusal("I4", path="input[7].call_id").body["error"]
    assert ("Missing required parameter: 'input[7].call_id'.", "input[7].call_id") == (error["message"], error["param"])
    with pytest.raises(ValueError, match="P99"):
        refusal("P99")


@attrs.frozen
class Found:
    """A violation as a checker reports it."""

    rule: str
    severity: str
    path: str
    message: str


BROKEN: list[tuple[dict[str, Any], str, str | None]] = [
    (
        {"input": [{"type": "function_call_output", "call_id": "call_7", "output": "Rain."}]},
        "No tool call found for function call output with call_id call_7.",
        "input",
    ),
    (
        {"input": [{"type": "reasoning", "id": "rs_7", "summary": []}], "store": False},
        "Item with id 'rs_7' not found.",
        "input",
    ),
    (
        {"input": [{"type": "message", "role": "user", "content": "Hi.", "status": "completed"}]},
        "Unknown parameter: 'input[0].status'.",
        "input[0].status",
    ),
    (
        {"input": [{"type": "message", "id": "item_7", "role": "assistant", "content": "Hi."}]},
        "Invalid 'input[0].id': 'item_7'. Expected an ID that begins with 'msg'.",
        "input[0].id",
    ),
    ({"input": "Hi.", "instructions": "x" * 1_048_577}, "Invalid 'instructions': string too long.", "instructions"),
]


@pytest.mark.parametrize(("body", "text", "param"), BROKEN)
def test_what_the_rules_forbid_is_refused_without_being_told(
    body: dict[str, Any], text: str, param: str | None
) -> None:
    """The server holds each request against the rules by itself, and answers in the API's words, with ids and paths."""
    with ResponsesServer([response(message("Hi."))]) as server, client_of(server) as client:
        with pytest.raises(openai.APIStatusError) as caught:
            client.responses.create(model="gpt-5.4", **body)
        assert "Hi." == client.responses.create(model="gpt-5.4", input="Hi.").output_text

    assert caught.value.body["message"].startswith(text)
    assert param == caught.value.param
    assert classify_rejection(caught.value) is not None


def test_a_server_without_checker_takes_everything() -> None:
    """What the API would refuse gets the scripted reply."""
    body, _, _ = BROKEN[0]
    with ResponsesServer([response(message("Hi."))], checker=None) as server, client_of(server) as client:
        assert "Hi." == client.responses.create(model="gpt-5.4", **body).output_text


def test_the_checker_may_be_that_of_another_endpoint() -> None:
    """``partial(check_request, endpoint=…)`` refuses what that endpoint refuses and OpenAI's takes."""
    call = {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{}"}
    twice = [call, {"type": "function_call_output", "call_id": "c", "output": ""}] * 2
    compatible = partial(check_request, endpoint="compatible")
    with ResponsesServer([response()]) as server, client_of(server) as client:
        client.responses.create(model="gpt-5.4", input=twice)
    refusing = ResponsesServer([response()], checker=compatible)
    with refusing, client_of(refusing) as client, pytest.raises(openai.BadRequestError) as caught:
        client.responses.create(model="gpt-5.4", input=twice)
    assert "P11" == classify_rejection(caught.value)


def test_a_checker_refuses_as_the_api_would() -> None:
    """An error of the checker becomes the rule's own answer and uses up no reply; warnings pass."""

    def check(body: dict[str, Any]) -> list[Found]:
        known = {"bad": Found("F2", "error", "input[3].status", "…"), "odd": Found("Z9", "error", "input[1]", "Odd.")}
        warning = Found("C5", "warning", "input[0]", "empty")
        return [warning, known[body["input"]]] if body["input"] in known else [warning]

    with ResponsesServer([response(message("Hi."))], checker=check) as server, client_of(server) as client:
        for text in ("bad", "odd"):
            with pytest.raises(openai.BadRequestError) as caught:
                client.responses.create(model="gpt-5.4", input=text)
            assert {"bad": "Unknown parameter: 'input[3].status'.", "odd": "Odd."}[text] == caught.value.body["message"]
        assert "Hi." == client.responses.create(model="gpt-5.4", input="good").output_text

    assert ["bad", "odd", "good"] == [sent["input"] for sent in server.requests]


def test_a_script_may_be_a_function_of_the_request() -> None:
    """The reply depends on what was sent.

    A mistake of the script reaches the client as a text, not as a lost connection.
    """

    def answer(body: dict[str, Any]) -> Reply:
        return response(message(body["input"].upper())) if body["input"] != "no" else refusal_of("No.", status=404)

    with ResponsesServer(answer) as server, client_of(server) as client:
        assert "HELLO" == client.responses.create(model="gpt-5.4", input="hello").output_text
        with pytest.raises(openai.NotFoundError):
            client.responses.create(model="gpt-5.4", input="no")
        with pytest.raises(openai.BadRequestError, match="script raised AttributeError"):
            client.responses.create(model="gpt-5.4", input=[])


def test_a_script_that_is_at_its_end_says_so() -> None:
    """One request too many is a clear error; replies can be added while the server runs."""
    with ResponsesServer() as server, client_of(server) as client:
        with pytest.raises(openai.BadRequestError, match="no reply is left"):
            client.responses.create(model="gpt-5.4", input="Hi.")
        server.reply_with(response(message("Later.")))
        assert "Later." == client.responses.create(model="gpt-5.4", input="Hi.").output_text


def test_a_stream_may_end_or_break_anywhere() -> None:
    """A stream without its end, and one whose connection is lost, leave the finished items, marked partial."""
    answer = response(message("One."), function_call("f"))
    events = stream_events(answer)
    cut = next(place for place, event in enumerate(events) if event["type"] == "response.output_item.done") + 2
    script = [Stream(events[:cut]), Stream(events[:cut], drop=True)]
    with ResponsesServer(script) as server, client_of(server) as client:
        for lost in (False, True):
            slots = OutputSlots()
            with pytest.raises(openai.APIConnectionError) if lost else nullcontext():
                for event in client.responses.create(model="gpt-5.4", input="Hi.", stream=True):
                    slots.feed(event)
            assert ("in_progress", answer["output"][:1]) == (slots.result()["status"], slots.result()["output"])


@pytest.mark.parametrize(
    "end",
    [
        {"type": "error", "code": "c", "message": "Broke."},
        {"type": "response.failed", "response": response(status="failed", error={"code": "c", "message": "Broke."})},
    ],
    ids=["error", "failed"],
)
def test_a_failing_stream_raises_the_providers_error(end: dict[str, Any]) -> None:
    """``error`` and ``response.failed`` on the wire become ``StreamFailedError`` with code and text."""
    script = [Stream([*stream_events(response())[:2], end])]
    with ResponsesServer(script) as server, client_of(server) as client, pytest.raises(StreamFailedError) as caught:
        accumulate(client.responses.create(model="gpt-5.4", input="Hi.", stream=True))

    assert ("c", "Broke.") == (caught.value.code, caught.value.message)


def test_a_client_that_leaves_does_no_harm() -> None:
    """A stream closed in the middle leaves the server able to answer the next request."""
    long = response(message("word " * 20_000))
    with ResponsesServer([long, response(message("Next."))], chunk=5) as server, client_of(server) as client:
        stream = client.responses.create(model="gpt-5.4", input="Hi.", stream=True)
        next(iter(stream))
        stream.close()
        assert "Next." == client.responses.create(model="gpt-5.4", input="Hi.").output_text


def _post(url: str, data: bytes, method: str = "POST") -> tuple[int, dict[str, Any]]:
    """Status and JSON body of a request made without the vendor's client."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(urllib.request.Request(url, data, method=method), timeout=10) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


@pytest.mark.parametrize(
    ("path", "data", "method", "status"),
    [
        ("/responses", b"{not json", "POST", 400),
        ("/responses", b"[1]", "POST", 400),
        ("/responses", b"", "POST", 400),
        ("/chat/completions", b"{}", "POST", 404),
        ("/responses/resp_1", None, "GET", 404),
        ("/responses?x=1", b'{"input": "Hi."}', "POST", 200),
    ],
)
def test_other_requests_are_answered_as_the_api_does(path: str, data: bytes, method: str, status: int) -> None:
    """No JSON, no object, another path or method.

    An error body in the API's form, and nothing is taken from the script.
    """
    with ResponsesServer([response()]) as server:
        got, body = _post(server.base_url + path, data, method)
        left = server.left

    assert status == got
    assert (left, "error" in body and body["error"] is not None) == ((0, False) if status == 200 else (1, True))


def test_a_request_that_does_not_stream_gets_the_response_of_a_scripted_stream() -> None:
    """A script of events also answers a plain request, with the response its last event holds."""
    answer = response(message("Hi."))
    with ResponsesServer([Stream(stream_events(answer)), Stream([])]) as server, client_of(server) as client:
        assert answer == as_mapping(client.responses.create(model="gpt-5.4", input="Hi."))
        with pytest.raises(openai.BadRequestError, match="holds no response"):
            client.responses.create(model="gpt-5.4", input="Hi.")


def test_it_listens_on_loopback_only_and_stops() -> None:
    """Each server has a port of its own on 127.0.0.1; when left, it answers no more and its thread is gone."""
    before = threading.active_count()
    with ResponsesServer([response()]) as first, ResponsesServer() as second:
        assert first.base_url.startswith("http://127.0.0.1:")
        assert first.base_url != second.base_url
        url = first.base_url + "/responses"
        assert 200 == _post(url, b"{}")[0]
    with pytest.raises(urllib.error.URLError):
        _post(url, b"{}")
    assert threading.active_count() <= before + 1


def test_refusals_are_plain_data() -> None:
    """A refusal can be made by hand."""
    made = Refusal(418, {"error": {"message": "No.", "code": None, "param": None, "type": "teapot"}})
    with ResponsesServer([made]) as server, client_of(server) as client, pytest.raises(openai.APIStatusError) as caught:
        client.responses.create(model="gpt-5.4", input="Hi.")

    assert 418 == caught.value.status_code
