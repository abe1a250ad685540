"""What one response becomes, and what it leaves alone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from types import MappingProxyType
from typing import Any, Final

import attrs
import pytest

from replay.conversations import BEGIN, ITEMS, Conversation, Item, Shape, carried, reasoning_in, response_of
from seamwright import AgentState, Ingested, IngestError, InvalidStateError, Message, RenderOptions, StreamFailedError
from seamwright.ingest.stream import accumulate
from seamwright.model.thought import ReasoningPayload
from seamwright.testing.events import item_events, opening_events, stream_events
from seamwright.testing.items import function_call, item, message, reasoning, response
from seamwright_containers import responses_pipeline

OPTIONS: Final = RenderOptions(model="gpt-test")
USER: Final = Message(id="u1", role="user", content="hello", created_at=BEGIN)
STATE: Final = AgentState(messages=[USER])
CLOCK: Final = BEGIN + timedelta(seconds=5)
PIPELINE: Final = responses_pipeline(clock=lambda: CLOCK)
REQUEST: Final = PIPELINE.build_sync(STATE, OPTIONS)


def ingest(answer: object, state: AgentState = STATE) -> Ingested:
    """The answer to a request of one user message."""
    return PIPELINE.ingest(answer, REQUEST, state)


def payload_of(ingested: Ingested, index: int = 0) -> ReasoningPayload:
    """The reasoning payload of a thought."""
    payload = ingested.thoughts[index].payload
    assert isinstance(payload, ReasoningPayload)
    return payload


def places(ingested: Ingested) -> list[int]:
    """Where the thoughts, and then the messages, stood in the output."""
    origins = [thought.origin for thought in ingested.thoughts] + [one.origin for one in ingested.messages]
    return [origin.output_index for origin in origins if origin is not None]


# --- how it ended


@pytest.mark.parametrize(
    ("fields", "finish", "reason"),
    [
        ({"status": "completed"}, "tool_calls", None),
        ({}, "tool_calls", None),
        ({"status": "something new"}, "tool_calls", None),
        (
            {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}},
            "length",
            "max_output_tokens",
        ),
        (
            {"status": "incomplete", "incomplete_details": {"reason": "content_filter"}},
            "content_filter",
            "content_filter",
        ),
        ({"status": "incomplete", "incomplete_details": {"reason": "steered"}}, "length", "steered"),
        ({"status": "incomplete", "incomplete_details": None}, "length", None),
        ({"status": "failed"}, "failed", None),
        ({"status": "cancelled"}, "cancelled", None),
        ({"status": "queued"}, "in_progress", None),
        ({"status": "in_progress"}, "in_progress", None),
    ],
)
def test_finish(fields: Item, finish: str, reason: str | None) -> None:
    """Every status has its finish; where nothing is ingested the finish is all there is."""
    ingested = ingest({"id": "resp_1", "output": [message("hi"), function_call("lookup")], **fields})
    nothing = finish in ("failed", "cancelled", "in_progress")
    assert (finish, reason) == (ingested.finish, ingested.incomplete_reason)
    assert (0 if nothing else 1) == len(ingested.messages) == len(ingested.tool_calls)


@pytest.mark.parametrize(
    ("output", "finish"),
    [
        ([], "stop"),
        ([message("hi")], "stop"),
        ([item("web_search_call", status="completed")], "stop"),
        ([item("custom_tool_call", call_id="call_1", name="shell", input="ls")], "tool_calls"),
        ([message("hi"), function_call("lookup")], "tool_calls"),
    ],
)
def test_only_calls_the_host_runs_finish_with_tool_calls(output: list[Item], finish: str) -> None:
    """Hosted calls alone are no reason to go on."""
    assert finish == ingest(response(*output)).finish


def test_errors_of_failed_responses_are_told() -> None:
    """A failed response gives its error record and changes nothing else."""
    ingested = ingest({"status": "failed", "error": {"code": "server_error", "message": "Oops"}})
    assert {"code": "server_error", "message": "Oops"} == ingested.error
    assert STATE == STATE.extend(ingested)


# --- the server's own records


def test_the_servers_verdict_stands_beside_the_thought() -> None:
    """Reasoning the server withheld is named with its thought; whether we had foreseen it shows in ``predicted``."""
    conversation = carried([Shape("user", ("reasoning", "message")), Shape("user", ("reasoning", "message"))], OPTIONS)
    sent = reasoning_in(conversation.requests[-1])
    told = [
        {"id": "rs_t0x0", "action": "removed", "reason": "prefix_mismatch", "type": "reasoning", "more": 1},
        {"id": "rs_unknown", "action": "removed", "reason": "model_mismatch", "type": "reasoning"},
        {"action": 5},
        "no record",
    ]
    ingested = conversation.take(response(message("hi"), input_transformations=told))
    first, unknown, odd = ingested.input_transformations
    assert ("rs_t0x0", "removed", "prefix_mismatch") == (first.item_id, first.action, first.reason)
    assert ("rs_t0x0", False, told[0]) == (first.thought_id, first.predicted, first.raw)
    assert (None, True) == (unknown.thought_id, unknown.predicted)
    assert ("", "", None) == (odd.item_id, odd.reason, odd.thought_id)

    conversation.say("user")
    assert sent == reasoning_in(conversation.build()), "it is still sent, so that what came after stays valid"


def test_a_foreseen_verdict() -> None:
    """A thought that we did not send because its prefix had changed was foreseen."""
    conversation = carried([Shape("user", ("reasoning", "message"))], OPTIONS)
    conversation.state = attrs.evolve(conversation.state, system_prompt="Another.")
    assert [] == reasoning_in(conversation.build())
    told = [{"id": "rs_t0x0", "action": "removed", "reason": "prefix_mismatch", "type": "reasoning"}]
    [verdict] = conversation.take(response(message("hi"), input_transformations=told)).input_transformations
    assert (True, "rs_t0x0") == (verdict.predicted, verdict.thought_id)


def test_where_no_ids_are_sent_a_verdict_is_compared_all_the_same() -> None:
    """A profile without ids sends the encrypted part alone: the thought counts as sent."""
    options = attrs.evolve(OPTIONS, endpoint="codex")
    conversation = carried([Shape("user", ("reasoning", "message"))], options)
    told = [{"id": "rs_t0x0", "action": "removed", "reason": "turn_boundary", "type": "reasoning"}]
    [verdict] = conversation.take(response(message("hi"), input_transformations=told)).input_transformations
    assert (False, "rs_t0x0") == (verdict.predicted, verdict.thought_id)


def test_usage_and_diagnostics_are_kept() -> None:
    """Token counts are read, cached ones too, and what is not known is kept in the record."""
    usage = {
        "input_tokens": "120",
        "input_tokens_details": {"cached_tokens": 64.0, "new": 1},
        "output_tokens": 7,
        "output_tokens_details": {"reasoning_tokens": 3},
        "total_tokens": 127,
        "seconds": 2,
    }
    ingested = ingest(
        {**response(message("hi")), "usage": usage, "prompt_cache_diagnostics": {"type": "cache_hit", "x": 1}}
    )
    assert ingested.usage is not None
    counts = attrs.astuple(ingested.usage, recurse=False)[:5]
    assert (120, 64, 7, 3, 127) == counts
    assert usage == ingested.usage.raw
    assert {"type": "cache_hit", "x": 1} == ingested.prompt_cache_diagnostics


@pytest.mark.parametrize("usage", [None, "12", 12, [], {"input_tokens": None}, {"input_tokens_details": "x"}])
def test_usage_of_another_shape_says_nothing(usage: object) -> None:
    """Counts that are not there are None, whatever stands in their place."""
    ingested = ingest({**response(message("hi")), "usage": usage})
    assert ingested.usage is None or (None, None) == (ingested.usage.input_tokens, ingested.usage.cached_tokens)


# --- ids, origins, times


def test_ids_and_origins() -> None:
    """Things keep the provider's ids; what has none is named after the response and its place."""
    answer = response(
        reasoning(id="rs_1"),
        message("hi", id=""),
        function_call("lookup", call_id="call_1", id="fc_1"),
        function_call("lookup", call_id="call_2", id=None),
        {"type": "function_call", "name": "lookup", "arguments": "{}"},
        id="resp_9",
        model="gpt-served",
    )
    ingested = ingest(answer)
    assert ["rs_1"] == [thought.id for thought in ingested.thoughts]
    assert ["resp_9:1"] == [one.id for one in ingested.messages]
    assert ["call_1|fc_1", "call_2", "resp_9:4"] == [call.id for call in ingested.tool_calls]
    origin = ingested.tool_calls[0].origin
    assert origin is not None
    assert ("resp_9", 2, "fc_1", "gpt-served", 1) == attrs.astuple(origin)


class Ticking:
    """A clock that counts how often it is asked and goes on each time."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self) -> datetime:
        self.asked += 1
        return BEGIN + timedelta(hours=self.asked)


@pytest.mark.parametrize("own", ["resp_1", None])
def test_the_clock_is_read_once(own: str | None) -> None:
    """One reading for a whole response, also for one that has no id to be named by."""
    clock = Ticking()
    ingested = responses_pipeline(clock=clock).ingest(
        {"id": own, "output": [reasoning(id="rs_1"), message("a"), message("b")]}, REQUEST, STATE
    )
    assert 1 == clock.asked
    times = [ingested.thoughts[0].created_at, *(one.created_at for one in ingested.messages)]
    assert [BEGIN + timedelta(hours=1, milliseconds=n) for n in range(3)] == times


@pytest.mark.parametrize("ahead", [timedelta(0), timedelta(days=400)])
def test_a_clock_that_lags_behind(ahead: timedelta) -> None:
    """Things stand behind everything in the timeline, however late that is and in whatever zone."""
    late = (CLOCK + ahead).astimezone(timezone(timedelta(hours=-8)))
    state = AgentState(messages=[attrs.evolve(USER, created_at=late)])
    ingested = ingest(response(message("a"), message("b")), state)
    assert [late + timedelta(milliseconds=n) for n in (1, 2)] == [one.created_at for one in ingested.messages]


def test_a_clock_without_a_zone_is_taken_for_utc() -> None:
    """A naive clock does not end in a naive time."""
    naive = BEGIN.replace(tzinfo=None)
    [one] = responses_pipeline(clock=lambda: naive).ingest(response(message("a")), REQUEST, AgentState()).messages
    assert BEGIN == one.created_at


def test_no_time_is_left() -> None:
    """Behind the last moment there is nothing: an error, not a wrong time."""
    state = AgentState(messages=[attrs.evolve(USER, created_at=datetime.max.replace(tzinfo=UTC))])
    with pytest.raises(IngestError):
        ingest(response(message("a")), state)


# --- servers that give ids twice


def test_responses_under_one_id_stay_apart() -> None:
    """A server that calls every response the same does not have its turns taken for one response."""
    conversation = Conversation(OPTIONS)
    for number in range(3):
        conversation.say("user")
        conversation.build()
        conversation.take({**response_of(Shape("user", ("reasoning", "message")), f"t{number}"), "id": "resp"})
    conversation.say("user")
    request = conversation.build()
    assert ["resp", "resp#2", "resp#3"] == [
        thought.origin and thought.origin.response_id for thought in conversation.state.thoughts
    ]
    assert [f"gAAAAt{n}x0" for n in range(3)] == reasoning_in(request)
    assert ["message", "reasoning", "message"] * 3 + ["message"] == [one["type"] for one in request.input]


def test_items_under_one_id_all_go_back() -> None:
    """Items of one response that share an id, or have none, are told apart by their place."""
    output = [
        reasoning(id="rs_1", encrypted="gAAAAa"),
        message("a"),
        reasoning(id="rs_1", encrypted="gAAAAb"),
        message("b"),
    ]
    bare = [
        reasoning(id=None, encrypted="gAAAAc"),
        message("c", id=None),
        reasoning(id=None, encrypted="gAAAAd"),
        message("d", id=None),
    ]
    for items in (output, bare):
        conversation = Conversation(OPTIONS)
        conversation.say("user")
        conversation.build()
        conversation.take(response(*items))
        parts = [one["encrypted_content"] for one in items if "encrypted_content" in one]
        assert parts == reasoning_in(conversation.build())
        assert 2 == len({payload_of(conversation.ingested[0], n).prefix_fingerprint for n in range(2)})


# --- what becomes of a state


def test_a_state_is_never_half_changed() -> None:
    """Neither taking in nor failing to changes the state or the request that were given."""
    conversation = carried([Shape("user", ("reasoning", "call")), Shape("user", ("message",))], OPTIONS)
    state, request = conversation.state, conversation.requests[-1]
    before = (attrs.asdict(state, recurse=False), attrs.asdict(request, recurse=False))
    held = [*state.messages], [*state.thoughts], [*state.tool_calls], [*request.input]
    conversation.pipeline.ingest(response(reasoning(), message("hi")), request, state)
    for bad in (
        {},
        {"output": [message("hi"), None]},
        {"output": [message("hi"), {"type": "x", "deep": nested(300)}]},
        None,
    ):
        with pytest.raises(IngestError):
            conversation.pipeline.ingest(bad, request, state)
    assert before == (attrs.asdict(state, recurse=False), attrs.asdict(request, recurse=False))
    assert held == ([*state.messages], [*state.thoughts], [*state.tool_calls], [*request.input])


def nested(depth: int) -> Item:
    """An object nested that deep."""
    value: Item = {}
    for _ in range(depth):
        value = {"in": value}
    return value


def test_the_response_is_not_kept_hold_of() -> None:
    """Changing the response later changes nothing that was taken in."""
    answer = response(
        reasoning("so"), item("web_search_call", status="completed", action={"type": "search", "query": "a"})
    )
    ingested = ingest(answer)
    answer["output"][0]["encrypted_content"] = "other"
    answer["output"][1]["action"]["query"] = "other"
    assert payload_of(ingested).item["encrypted_content"].startswith("gAAAA")
    assert "a" == ingested.provider_items[0].item["action"]["query"]


def test_extend_appends() -> None:
    """The next state holds what was there and then what came, each collection in output order."""
    ingested = ingest(response(reasoning(), message("a"), function_call("f"), message("b"), item("compaction")))
    extended = STATE.extend(ingested)
    assert (USER, *ingested.messages) == extended.messages
    assert ["a", "b"] == [one.content for one in ingested.messages]
    assert ingested.thoughts == extended.thoughts
    assert ingested.tool_calls == extended.tool_calls
    assert ingested.provider_items == extended.provider_items
    assert STATE == STATE.extend(Ingested(finish="failed"))


def test_complete_finds_the_first_pending_call() -> None:
    """By its whole id, else by the call part; a finished call is not finished again."""
    calls = [function_call("f", call_id="call_1", id="fc_1"), function_call("f", call_id="call_1", id="fc_2")]
    state = STATE.extend(ingest(response(*calls)))
    state = state.complete("call_1", "one")
    state = state.complete("call_1|fc_2", "two", trusted=True, is_error=True)
    assert ["one", "two"] == [call.results for call in state.tool_calls]
    assert [(None, False), (True, True)] == [(call.trusted, call.is_error) for call in state.tool_calls]
    with pytest.raises(InvalidStateError, match="pending: none"):
        state.complete("call_1", "again")


def test_withheld_reasoning_stays_away() -> None:
    """After ``withhold`` no reasoning is sent and each is told; later reasoning is."""
    conversation = carried([Shape("user", ("reasoning", "message"))], OPTIONS)
    conversation.state = conversation.state.withhold("P1: refused")
    request = conversation.build()
    assert [] == reasoning_in(request)
    assert ["reasoning-withheld"] == [warning.code for warning in request.warnings]
    conversation.turn(Shape("user", ("reasoning", "message")))
    assert [f"gAAAA{conversation.ingested[-1].thoughts[0].id[3:]}"] == reasoning_in(conversation.build())


# --- cut short


def test_calls_cut_short_are_not_to_be_run() -> None:
    """A call whose arguments may be cut is pending and marked, and not among those to run."""
    answer = response(function_call("f", '{"q": "a', status="incomplete"), reason="max_output_tokens")
    ingested = ingest(answer)
    [call] = ingested.tool_calls
    assert (True, None, '{"q": "a') == (call.incomplete, call.results, call.args)
    assert () == ingested.runnable_calls
    with pytest.raises(ValueError, match="arguments are no JSON"):
        call.parsed_args()


def test_a_stream_that_broke_off() -> None:
    """Without its terminal event a stream is in progress, and nothing of it becomes state."""
    events = stream_events(response(reasoning(), message("hello")))
    ingested = ingest(accumulate(events[:-1]))
    assert ("in_progress", ()) == (ingested.finish, ingested.messages)
    assert STATE == STATE.extend(ingested)


def test_a_stream_that_failed() -> None:
    """A failed stream raises before anything could be ingested."""
    with pytest.raises(StreamFailedError):
        accumulate([*opening_events(response()), {"type": "error", "code": "x", "message": "no"}])


def test_reasoning_round_a_lost_item_stays_away() -> None:
    """Where a stream lost an item, what is left keeps its places, and no reasoning of that response is replayed."""
    whole = response(
        reasoning(id="rs_1"), item("image_generation_call", status="completed", result="aGk="), message("a")
    )
    lost = [event for event in item_events(whole["output"][1], 1) if event["type"] != "response.output_item.done"]
    events = [
        *opening_events(whole),
        *item_events(whole["output"][0], 0),
        *lost,
        *item_events(whole["output"][2], 2),
        {"type": "response.completed", "response": {**whole, "output": []}},
    ]
    answer = accumulate(events)
    assert [0, 2] == answer["output_indexes"]
    ingested = ingest(answer)
    assert [0, 2] == places(ingested)
    assert payload_of(ingested).paired_item_id is None
    request = PIPELINE.build_sync(STATE.extend(ingested), OPTIONS)
    assert [] == reasoning_in(request)
    assert ["reasoning-group-incomplete"] == [warning.code for warning in request.warnings]


@pytest.mark.parametrize("indexes", [[0], [1, 0], ["a", 2], "02", [0, 1], None, [0, 0]])
def test_places_that_make_no_sense_are_passed_over(indexes: object) -> None:
    """Then the items stand where they stand in the list."""
    ingested = ingest({**response(reasoning(), message("a")), "output_indexes": indexes})
    assert [0, 1] == places(ingested)
    assert 1 == len(reasoning_in(PIPELINE.build_sync(STATE.extend(ingested), OPTIONS)))


# --- forms of responses


class Sdk:
    """An object that dumps itself as those of the SDK do."""

    def __init__(self, held: Item) -> None:
        self.held = held

    def model_dump(self, **_: object) -> Item:
        return self.held


@pytest.mark.parametrize("form", [dict, MappingProxyType, Sdk])
def test_any_form_of_a_response_gives_the_same(form: Callable[[Item], Any]) -> None:
    """Objects of the SDK, dicts and other mappings are read alike."""
    answer = response(reasoning("so", id="rs_1"), message("hi", id="msg_1"), id="resp_1")
    assert ingest(answer) == ingest(form(answer))


def test_every_kind_of_item_is_taken_in_verbatim() -> None:
    """What has no primitive of its own is kept as it came, key for key."""
    for name, make in ITEMS.items():
        given = make("k")
        ingested = ingest(response(given))
        if given["type"] in ("message", "function_call", "reasoning"):
            assert () == ingested.provider_items, name
        else:
            assert [given] == [dict(one.item) for one in ingested.provider_items], name
        if given["type"] == "reasoning":
            assert given == dict(payload_of(ingested).item)


def test_parsed_arguments() -> None:
    """Arguments are parsed only when asked for; what is no object is an error that names the call."""
    calls = [function_call("f", text, call_id=f"call_{n}") for n, text in enumerate(('{"a": 1}', "[1]", "nope", ""))]
    first, *others = ingest(response(*calls)).tool_calls
    assert {"a": 1} == first.parsed_args()
    for call in others:
        with pytest.raises(ValueError, match=call.id.split("|", maxsplit=1)[0]):
            call.parsed_args()


def test_texts() -> None:
    """Text parts are joined with nothing, refusals apart; a thought's text is its reasoning, else its summaries."""
    ingested = ingest(
        response(
            item(
                "message",
                role="assistant",
                content=[{"type": "output_text", "text": "a"}, {"type": "output_text", "text": "b"}],
            ),
            message(
                "well", refusal="no", phase="final_answer", annotations=[{"type": "url_citation", "url": "https://a.b"}]
            ),
            reasoning("one", "two"),
            reasoning("one", content=["so", "and so"]),
            reasoning(),
        )
    )
    assert [("ab", None), ("well", "no")] == [(one.content, one.refusal) for one in ingested.messages]
    assert "final_answer" == ingested.messages[1].phase
    assert ({"type": "url_citation", "url": "https://a.b"},) == ingested.messages[1].annotations
    assert ["one\n\ntwo", "so\n\nand so", ""] == [thought.content for thought in ingested.thoughts]
    assert "abwell" == ingested.text
    assert {"model", "instructions", "tools", "input"} == set(payload_of(ingested).sections)
