"""Responses of a wrong shape: read where the meaning is clear, kept where not, refused where nothing is left."""

from __future__ import annotations

import copy
import gzip
import json
import os
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DataObject

from replay.conversations import BEGIN, ITEMS, Item, Shape, answer_to, response_of
from seamwright import (
    AgentState,
    AssembledInput,
    Ingested,
    IngestError,
    Message,
    ProviderItem,
    RenderOptions,
    StreamFailedError,
    dump_state,
    load_state,
)
from seamwright.check import check_request
from seamwright.history.responses import history_from_responses
from seamwright.ingest.stream import OutputSlots
from seamwright.testing.events import stream_events
from seamwright.testing.items import function_call, item, message, reasoning, response
from seamwright_containers import responses_pipeline

ROOT: Final = Path(__file__).resolve().parents[2]
RECORDED: Final = Path(os.environ.get("SEAMWRIGHT_SHARED", ROOT.parent / "shared")) / "recorded"

OPTIONS: Final = RenderOptions(model="gpt-test")
USER: Final = Message(id="u1", role="user", content="hello", created_at=BEGIN)
STATE: Final = AgentState(messages=[USER])
PIPELINE: Final = responses_pipeline(clock=lambda: BEGIN)
REQUEST: Final = PIPELINE.build_sync(STATE, OPTIONS)


def ingest(answer: object) -> Ingested:
    """The answer to a request of one user message."""
    return PIPELINE.ingest(answer, REQUEST, STATE)


def sent_after(ingested: Ingested) -> list[Item]:
    """What the next request sends of it. It has to be JSON in UTF-8."""
    request = PIPELINE.build_sync(STATE.extend(ingested), OPTIONS)
    text = json.dumps(request.to_request(), ensure_ascii=False, allow_nan=False)
    assert json.loads(text.encode()) == json.loads(text)
    return request.input[1:]


# --- nothing can be made of it


@pytest.mark.parametrize(
    ("answer", "path"),
    [
        (None, ""),
        ("a text", ""),
        (b"bytes", ""),
        (5, ""),
        ([message("hi")], ""),
        (object(), ""),
        ({}, "output"),
        ({"output": None}, "output"),
        ({"output": "text"}, "output"),
        ({"output": {"0": message("hi")}}, "output"),
        ({"output": 3, "object": "response"}, "output"),
        ({"object": "list", "data": []}, "output"),
        ({"error": {"message": "no such model"}}, "error"),
        ({"error": "overloaded"}, "output"),
        ({"output": [None]}, "output[0]"),
        ({"output": [message("hi"), "text"]}, "output[1]"),
        ({"output": [message("hi"), [message("hi")]]}, "output[1]"),
        ({"output": [message("hi"), 5]}, "output[1]"),
    ],
)
def test_what_is_no_response(answer: object, path: str) -> None:
    """The error says where it looked in vain."""
    with pytest.raises(IngestError) as caught:
        ingest(answer)
    assert path == caught.value.path
    assert str(caught.value).startswith(f"{path or 'response'}: ")


@pytest.mark.parametrize("depth", [250, 400, 100_000])
@pytest.mark.parametrize("kind", ["web_search_call", "reasoning", "function_call", "message"])
def test_nesting(kind: str, depth: int) -> None:
    """What is nested too deeply to be kept is refused with its place, not with an error from somewhere within."""
    deep = nested(depth)
    places: dict[str, Item] = {
        "web_search_call": {"action": deep},
        "reasoning": {"more": deep},
        "function_call": {"caller": {"in": deep}, "name": "f", "arguments": "{}"},
        "message": {"role": "assistant", "content": [{"type": "output_text", "text": "hi", "annotations": [deep]}]},
    }
    answer = response(message("hi"), {"type": kind, **places[kind]})
    with pytest.raises(IngestError) as caught:
        ingest(answer)
    assert caught.value.path in ("output[1]", "")


def nested(depth: int) -> Any:
    """An object nested that deep."""
    value: Any = "end"
    for _ in range(depth):
        value = {"in": value}
    return value


def test_nesting_that_can_be_kept() -> None:
    """What is nested as deeply as a state can hold goes back as it came."""
    [sent] = sent_after(ingest(response(item("an_item_of_next_year", anything=nested(190)))))
    assert nested(190) == sent["anything"]


# --- the meaning is clear


@pytest.mark.parametrize(
    "answer",
    [
        {"object": "response", "output": None},
        {"object": "response"},
        {"status": "completed"},
        {"status": "completed", "output": None},
        {"output": []},
        {"output": ()},
    ],
)
def test_a_response_without_output(answer: Item) -> None:
    """What is a response by its other fields and holds no items is an empty one."""
    ingested = ingest(answer)
    assert ("stop", ()) == (ingested.finish, ingested.messages)


@pytest.mark.parametrize(
    "content",
    [
        "hi",
        ["hi"],
        ["h", "i"],
        [{"type": "output_text", "text": "hi"}],
        {"type": "output_text", "text": "hi"},
        [{"text": "hi"}],
        [{"type": "text", "text": "hi"}],
        [None, 5, {"type": "output_text", "text": "hi"}],
        [{"type": "output_text", "text": "hi", "annotations": "none"}],
        [{"type": "output_text", "text": "hi"}, {"type": "output_text", "text": None}],
        ({"type": "output_text", "text": "hi"},),
    ],
)
@pytest.mark.parametrize("typed", [{"type": "message"}, {"type": None}, {}])
def test_a_message_of_another_shape(content: object, typed: Item) -> None:
    """Text as a string, as a part without a list, beside what is none: it is the same message."""
    [one] = ingest({"output": [{**typed, "role": "assistant", "content": content}]}).messages
    assert ("hi", None, ()) == (one.content, one.refusal, one.annotations)


def test_a_message_without_a_role_is_the_agents() -> None:
    """A response holds what the model said."""
    assert "hi" == ingest({"output": [{"type": "message", "content": "hi"}]}).text


UNSENDABLE: Final[list[Any]] = [
    [{"type": "output_text", "text": True}],
    [{"type": "output_audio", "data": "AAAA"}],
    [{"type": "output_text", "text": ""}, {"type": "refusal", "refusal": None}, "", {}],
    [{"type": ["output_text"], "text": ""}],
]


@pytest.mark.parametrize("content", [None, 5, True, ..., [], [None], "", *UNSENDABLE])
def test_an_empty_message_behind_reasoning(content: object) -> None:
    """It stays what reasoning led to, and what the API refuses of it is not sent back; elsewhere it is left out."""
    whole = {"type": "message", "role": "assistant", "content": content}
    given = {key: value for key, value in whole.items() if value is not ...}
    sent = sent_after(ingest(response(reasoning(), given)))
    assert ["reasoning", "message"] == [one["type"] for one in sent]
    assert [] == [found for found in check_request({"model": "gpt-5.4", "input": sent}) if found.severity == "error"]
    assert [] == sent_after(ingest(response(given)))


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ('{"a": 1}', '{"a": 1}'),
        ({"a": 1, "b": "é"}, '{"a":1,"b":"é"}'),
        ({}, "{}"),
        ([1, None], "[1,null]"),
        (5, "5"),
        (True, "true"),
        (float("nan"), ""),
        (None, ""),
        ("", ""),
        ("not json", "not json"),
    ],
)
def test_arguments_of_another_shape(arguments: object, text: str) -> None:
    """A value in the place of its text is written as JSON; text stays as it came."""
    [call] = ingest({"output": [{**function_call("f"), "arguments": arguments}]}).tool_calls
    assert text == call.args


def test_a_call_without_anything() -> None:
    """It is a call all the same: it waits for a result and can be answered."""
    ingested = ingest({"id": "resp_1", "output": [{"type": "function_call"}]})
    [call] = ingested.tool_calls
    assert ("resp_1:0", "", "") == (call.id, call.tool, call.args)
    sent = sent_after(ingested)
    assert sent[0]["call_id"] == sent[1]["call_id"]
    assert [] == errors_of(STATE.extend(ingested).complete("resp_1:0", "unknown tool"))


@pytest.mark.parametrize(
    "summary", ["so", ["so"], [{"type": "summary_text", "text": "so"}], {"text": "so"}, [None, {"text": "so"}]]
)
def test_a_summary_of_another_shape(summary: object) -> None:
    """Its text is the thought's."""
    [thought] = ingest({"output": [{"type": "reasoning", "summary": summary}]}).thoughts
    assert "so" == thought.content


@pytest.mark.parametrize("value", [None, [], {}, 5, True])
def test_fields_of_another_shape_say_nothing(value: object) -> None:
    """Ids, names, phase and status that are no text count as missing."""
    odd = {
        "id": value,
        "status": value,
        "phase": value,
        "name": value,
        "call_id": value,
        "namespace": value,
        "caller": value,
    }
    output = [
        {**odd, "type": "message", "content": "hi"},
        {**odd, "type": "function_call", "arguments": "{}"},
        {**odd, "type": "reasoning", "encrypted_content": "gAAAAa"},
        {**odd, "type": "message", "content": "ho"},
    ]
    ingested = ingest({"id": value, "model": value, "usage": value, "incomplete_details": value, "output": output})
    assert ["hi", "ho"] == [one.content for one in ingested.messages]
    assert (None, None) == (ingested.response_id, ingested.model)
    assert "gpt-test" == (ingested.messages[0].origin and ingested.messages[0].origin.model)
    assert ["message", "function_call", "reasoning", "message", "function_call_output"] == [
        one["type"] for one in sent_after(ingested)
    ]


# --- kept as it is


@pytest.mark.parametrize(
    "kept",
    [
        {"type": "an_item_of_next_year", "id": "x_1", "deep": [{"a": [1, None, "b"]}]},
        {"type": 5, "a": 1},
        {"type": None, "a": 1},
        {"a": 1},
        {},
        {"type": ["message"], "role": "x"},
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]},
        {"type": "web_search_call", "id": 7, "action": "none"},
    ],
)
def test_what_is_not_understood_is_kept(kept: Item) -> None:
    """Items of unknown types, or of none, stand in their place as they came."""
    ingested = ingest(response(message("a"), kept, message("b")))
    [one] = ingested.provider_items
    assert kept == dict(one.item)
    assert 1 == (one.origin and one.origin.output_index)
    sent_after(ingested)


def test_numbers_that_are_none() -> None:
    """NaN and the infinities become null, since JSON has no such numbers."""
    ingested = ingest(response(item("x", score=float("nan"), most=float("inf"), least=-float("inf"))))
    assert (None, None, None) == tuple(ingested.provider_items[0].item[key] for key in ("score", "most", "least"))
    sent_after(ingested)


def test_lone_surrogates() -> None:
    """Texts and ids with lone surrogates are taken in, replaced when they are sent, and replayed."""
    bad = "a\ud800b"
    answer = response(
        {**reasoning(bad), "id": f"rs_{bad}", bad: bad},
        message(bad, id=f"msg_{bad}", annotations=[{"type": bad}]),
        function_call(bad, bad, call_id=bad, id=bad),
        item("web_search_call", id="ws_1", status="completed", action={"type": "search", "query": bad}),
        reasoning(bad),
        item("custom_tool_call", call_id=bad, name=bad, input=bad),
        id=bad,
        model=bad,
    )
    ingested = ingest(answer)
    sent = sent_after(ingested)
    assert 2 == sum(one["type"] == "reasoning" for one in sent)
    assert "\ud800" not in json.dumps(sent, ensure_ascii=False)
    origins = [thought.origin for thought in ingested.thoughts] + [one.origin for one in ingested.messages]
    assert 1 == len({origin.response_id for origin in origins if origin is not None})


def errors_of(state: AgentState) -> list[Any]:
    """What the checker finds wrong with the request of a state."""
    request = PIPELINE.build_sync(state, OPTIONS, check="report")
    return [found for found in request.violations if found.severity == "error"]


# --- anything may be wrong anywhere

ODD: Final[tuple[Any, ...]] = (
    None,
    True,
    0,
    -1,
    7.5,
    float("nan"),
    "",
    "7",
    "text",
    "\ud800",
    [],
    {},
    [None],
    [[]],
    {"type": 5},
    {"": {}},
)
EXAMPLES: Final = tuple(response_of(Shape("user", (name, "reasoning", "message", "call")), "t0") for name in ITEMS)


def nodes(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a JSON value: what holds it, and under which key."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from nodes(value[key])


def _drop(holder: Any, key: Any, _: Any) -> None:
    del holder[key]


def _retype(holder: Any, key: Any, odd: Any) -> None:
    holder[key] = copy.deepcopy(odd)


def _duplicate(holder: Any, key: Any, _: Any) -> None:
    if isinstance(holder, list):
        holder.insert(key, copy.deepcopy(holder[key]))
    else:
        holder[f"{key}_"] = copy.deepcopy(holder[key])


def _truncate(holder: Any, key: Any, _: Any) -> None:
    value = holder[key]
    if isinstance(value, (str, list)):
        holder[key] = value[: len(value) // 2]
    elif isinstance(value, dict):
        holder[key] = dict(list(value.items())[: len(value) // 2])


def _as_text(holder: Any, key: Any, _: Any) -> None:
    holder[key] = json.dumps(holder[key]) if not isinstance(holder[key], str) else [holder[key]]


MUTATIONS: Final[tuple[Callable[[Any, Any, Any], None], ...]] = (_drop, _retype, _duplicate, _truncate, _as_text)


def spoilt(data: DataObject, value: Any) -> Any:
    """The value with one to three of its nodes dropped, doubled, cut or made something else."""
    spoiled = copy.deepcopy(value)
    for _ in range(data.draw(st.integers(1, 3))):
        places = list(nodes(spoiled))
        if places:
            holder, key = places[data.draw(st.integers(0, len(places) - 1))]
            data.draw(st.sampled_from(MUTATIONS))(holder, key, data.draw(st.sampled_from(ODD)))
    return spoiled


def outcome(answer: Any) -> None:
    """Takes it in and goes on: only an error of ingestion comes out, and what was taken in can be sent and stored."""
    try:
        ingested = ingest(answer)
    except IngestError:
        return
    assert_lives_on(STATE.extend(ingested))


def assert_lives_on(state: AgentState) -> None:
    """A state can be completed, built in every mode, stored and read again."""
    for call in state.tool_calls:
        state = state.complete(call.id, "done") if call.results is None else state
    answers = [made for one in state.provider_items if (made := given_to(one)) is not None]
    state = attrs.evolve(state, provider_items=[*state.provider_items, *answers])
    for options in (OPTIONS, attrs.evolve(OPTIONS, endpoint="codex"), attrs.evolve(OPTIONS, reasoning_replay="off")):
        request = PIPELINE.build_sync(state, options, check="report")
        json.dumps(request.to_request(), ensure_ascii=False, allow_nan=False).encode()
    again, _ = load_state(json.dumps(dump_state(state, OPTIONS)))
    assert PIPELINE.build_sync(state, OPTIONS).input == PIPELINE.build_sync(again, OPTIONS).input


def given_to(call: ProviderItem) -> ProviderItem | None:
    """The host's answer, when the call still holds what it takes to answer it."""
    try:
        made = answer_to(dict(call.item))
    except KeyError:
        return None
    return None if made is None else ProviderItem(item=made, created_at=call.created_at)


@given(st.data(), st.sampled_from(EXAMPLES))
def test_spoilt_responses(data: DataObject, answer: Item) -> None:
    """Whatever is dropped, doubled, cut or retyped in a response: it is read, or refused as one."""
    outcome(spoilt(data, answer))


@given(st.data(), st.sampled_from(EXAMPLES))
def test_spoilt_streams(data: DataObject, answer: Item) -> None:
    """The same for the events of a stream, which may also say that it failed."""
    events = spoilt(data, stream_events(answer, 4))
    slots = OutputSlots()
    try:
        for event in events:
            slots.feed(event)
        result = slots.result()
    except StreamFailedError:
        return
    outcome(result)


@given(st.data(), st.sampled_from(EXAMPLES))
def test_spoilt_histories(data: DataObject, answer: Item) -> None:
    """The same for a stored list of items."""
    stored = [{"role": "user", "content": [{"type": "input_text", "text": "hi"}]}, *answer["output"]]
    stored += [{"type": "function_call_output", "call_id": "call_t0x3", "output": "done"}]
    try:
        imported = history_from_responses(spoilt(data, stored), options=OPTIONS, pipeline=PIPELINE)
    except IngestError:
        return
    assert_lives_on(imported.state)


@cache
def recorded() -> list[Any]:
    """Recorded responses; the events of recorded streams, accumulated."""
    texts = [gzip.decompress(path.read_bytes()) for path in sorted(RECORDED.glob("*.jsonl.gz"))]
    lines = [line for text in texts for line in text.split(b"\n")]
    raws = [json.loads(line) for line in lines if line]
    return [raw["response"] for raw in raws if isinstance(raw.get("response"), dict)]


@pytest.mark.skipif(not RECORDED.is_dir(), reason="recorded traffic is not here")
@given(st.data())
def test_spoilt_recorded_responses(data: DataObject) -> None:
    """The same for responses of real servers."""
    answers = recorded()
    outcome(spoilt(data, answers[data.draw(st.integers(0, len(answers) - 1))]))


def test_a_request_of_another_shape_is_not_needed() -> None:
    """What is taken in depends on the request alone: a state that was lost may be replaced by an empty one."""
    assert isinstance(REQUEST, AssembledInput)
    assert (
        ingest(response(message("hi"), id="r")).text
        == PIPELINE.ingest(response(message("hi")), REQUEST, AgentState()).text
    )


def test_numbers_in_the_place_of_texts() -> None:
    """Their meaning is clear: they are read as a text, on both sides of a call, and nothing of the answer is lost."""
    told = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": 42}]}
    call = {"type": "function_call", "call_id": 7, "name": "f", "arguments": 1.5}
    read = ingest(response(told, call))

    assert [one.content for one in read.messages] == ["42"]
    assert [(one.id, one.args) for one in read.tool_calls] == [("7", "1.5")]
    assert [one.get("call_id") for one in sent_after(read)] == [None, "7", "7"]


@pytest.mark.parametrize(
    "value", [True, None, [], {}, 2**64, 10**5000, -(2**70)], ids=lambda value: type(value).__name__
)
def test_what_is_no_text_by_mistake(value: Any) -> None:
    """Other values are none; a number that Python would not write out raises nothing."""
    content = [{"type": "output_text", "text": value}, {"type": "output_text", "text": "and this"}]
    read = ingest(response({"type": "message", "role": "assistant", "content": content}))
    assert [one.content for one in read.messages] == ["and this"]
