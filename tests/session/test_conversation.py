"""Turns of a conversation through the vendor's own client, over HTTP: what goes out, comes in, and is replayed."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import attrs
import pytest

from seamwright import AgentState, InvalidStateError, Message, Turn, dump_state, load_state
from seamwright.testing.server import (
    encrypted_content,
    function_call,
    item,
    message,
    reasoning,
    response,
)
from seamwright_containers import responses_pipeline
from session.talk import MODES, OPTIONS, PIPELINE, STATE, Clients, Speaker, Talk, of_type, replayed

CITY: Final = {"city": "Lisbon"}
EARLY: Final = datetime(2020, 1, 1, tzinfo=UTC)

SCRIPT: Final = [
    response(
        reasoning("Two things are asked.", id="rs_1"),
        function_call("weather", CITY, call_id="call_1a", id="fc_1a"),
        function_call("clock", CITY, call_id="call_1b", id="fc_1b"),
        id="resp_1",
    ),
    response(reasoning(id="rs_2"), message("Sunny, and noon.", id="msg_2", phase="final_answer"), id="resp_2"),
    response(
        reasoning("First é😀.", "Then.", id="rs_3a", encrypted=encrypted_content("long " * 400)),
        function_call("weather", '{ "city":"Porto" }', call_id="call_3a", id="fc_3a"),
        reasoning(id="rs_3b", content=["Raw thought."]),
        function_call("weather", {"city": "Faro"}, call_id="call_3b", id="fc_3b"),
        id="resp_3",
    ),
    response(reasoning(id="rs_4"), message("Rain in both.", id="msg_4"), id="resp_4"),
    response(message("Bye.", id="msg_5"), id="resp_5"),
]


def conversation(talk: Talk) -> list[Turn]:
    """Five turns, with two calls in parallel in two of them."""
    first = talk.turn("What weather and what time is it in Lisbon?")
    for call in first.calls:
        talk.session.complete(call.id, {"weather": "Sun.", "clock": "12:00"}[call.tool])
    second = talk.turn()
    third = talk.turn("And in Porto and Faro?")
    for call in reversed(third.calls):  # results may come in any order
        talk.session.complete(call.id.partition("|")[0], f"Rain ({call.parsed_args()['city']}).")
    return [first, second, third, talk.turn(), talk.turn("Thanks.")]


def test_reasoning_goes_back_turn_after_turn(speaker: Speaker) -> None:
    """Each request holds every reasoning item so far, byte for byte, and each call and message with its own id."""
    with speaker.talk(SCRIPT) as talk:
        turns = conversation(talk)

    for place, turn in enumerate(turns):
        came = [part for answer in SCRIPT[:place] for part in answer["output"]]
        items = talk.sent(place)
        assert [replayed(part) for part in of_type(came, "reasoning")] == of_type(items, "reasoning")
        assert [part["id"] for part in came] == [one["id"] for one in items if "id" in one]
        assert turn.request.input == items
        assert () == turn.request.warnings
    assert len(SCRIPT) == len(talk.server.requests)


def test_calls_go_back_with_their_results(speaker: Speaker) -> None:
    """Arguments as the model wrote them, and a result for each call, whatever the order they came in."""
    with speaker.talk(SCRIPT) as talk:
        conversation(talk)

    calls = of_type(talk.sent(), "function_call")
    results = of_type(talk.sent(), "function_call_output")
    assert ['{"city":"Lisbon"}', '{"city":"Lisbon"}', '{ "city":"Porto" }', '{"city":"Faro"}'] == [
        call["arguments"] for call in calls
    ]
    assert [call["call_id"] for call in calls] == [one["call_id"] for one in results]
    assert all(text in one["output"] for text, one in zip(("Sun.", "12:00", "Porto", "Faro"), results, strict=True))
    assert ["<untr", "<trus", "<untr", "<untr"] == [one["output"][:5] for one in results], "the clock is trusted"


def test_the_answers_tell_what_is_next(speaker: Speaker) -> None:
    """Each turn says why it ended, what was said and which calls wait; the session lists these until they are done."""
    with speaker.talk(SCRIPT) as talk:
        turn = talk.turn("What weather and what time is it in Lisbon?")
        assert ("tool_calls", "", None) == (turn.finish, turn.text, turn.refusal)
        assert ["weather", "clock"] == [call.tool for call in turn.calls]
        assert turn.calls == talk.session.pending
        talk.session.complete("call_1b", "12:00")
        assert turn.calls[:1] == talk.session.pending
        talk.session.complete("call_1a|fc_1a", "Sun.", trusted=True, is_error=True)
        assert () == talk.session.pending

        turn = talk.turn()
        assert ("stop", "Sunny, and noon.", ()) == (turn.finish, turn.text, turn.calls)
        assert ("final_answer",) == tuple(one.phase for one in turn.ingested.messages)


def test_every_mode_leaves_the_same_state(clients: Clients) -> None:
    """Plain or streamed, synchronous or not: the same answers become the same state, but for the times."""
    question = [Message(id=f"u{number}", role="user", content="Go on.", created_at=EARLY) for number in range(3)]
    states = []
    for mode in MODES:
        with Speaker(mode, clients).talk(SCRIPT) as talk:
            for one in (question[0], None, question[1], None, question[2]):
                for call in talk.turn(one).calls:
                    talk.session.complete(call.id, "Done.")
        states.append(json.loads(json.dumps(dump_state(talk.state, OPTIONS)), object_hook=_timeless))

    assert states[:1] * 4 == states
    assert 5 == len(states[0]["thoughts"])


def test_a_session_sends_what_a_pipeline_builds(speaker: Speaker) -> None:
    """Every request is, byte for byte, what a pipeline without a session builds of the state."""
    with speaker.talk(SCRIPT) as talk:
        states = []
        for _ in range(2):
            talk.turn("Go on.")
            states.append(talk.state)
            for call in talk.session.pending:
                talk.session.complete(call.id, "Done.")
            states.append(talk.state)
            talk.turn()

    for place, state in ((1, states[1]), (3, states[3])):
        request = json.loads(json.dumps(PIPELINE.build_sync(state, OPTIONS).to_request()))
        told = {key: value for key, value in talk.server.requests[place].items() if key != "stream"}
        assert request == told


def test_streamed_events_are_the_clients_own(streaming: Speaker) -> None:
    """The reader gets each event as the client made it; slots and turn tell the same story."""
    with streaming.talk(SCRIPT[1:2]) as talk:
        turn = talk.turn("Hello.")
        slots = talk.session.slots

    kinds = [event.type for event in talk.events]
    assert "response.created" == kinds[0]
    assert "response.completed" == kinds[-1]
    assert turn.text == "".join(event.delta for event in talk.events if event.type == "response.output_text.delta")
    assert turn.text == slots.text()


def test_what_was_not_streamed_has_no_slots(speaker: Speaker) -> None:
    """``slots`` are those of the turn under way or the last one, and None when that was not streamed."""
    with speaker.talk(SCRIPT[1:2]) as talk:
        talk.turn("Hello.")
        assert (talk.session.slots is not None) == speaker.mode.streams


def test_a_conversation_goes_on_from_a_file(speaker: Speaker) -> None:
    """A state that was dumped and loaded between all turns replays like one that was kept."""
    with speaker.talk(SCRIPT) as talk:
        for text in ("What weather is it?", None, "And in Porto?", None, "Thanks."):
            turn = talk.turn(text)
            for call in turn.calls:
                talk.session.complete(call.id, "Rain.")
            stored = json.dumps(dump_state(talk.state, talk.session.options))
            talk.session.state, talk.session.options = load_state(stored)
        reasons = [replayed(part) for part in of_type((part for one in SCRIPT for part in one["output"]), "reasoning")]

    assert reasons == of_type(talk.sent(), "reasoning")


def test_parameters_go_with_every_request(speaker: Speaker) -> None:
    """Those of the session with each, those of a turn before them, and what either includes beside the reasoning."""
    own = {"reasoning": {"effort": "high"}, "include": ["web_search_call.results"], "tool_choice": "auto"}
    with speaker.talk([response(), response()], **own) as talk:
        talk.turn("One.", tool_choice="none", include=["file_search_call.results"], max_output_tokens=500)
        talk.turn("Two.")
    first, second = talk.server.requests

    assert ["web_search_call.results", "file_search_call.results", "reasoning.encrypted_content"] == first["include"]
    assert ("none", 500, {"effort": "high"}) == (
        first["tool_choice"],
        first["max_output_tokens"],
        first["reasoning"],
    )
    assert ["web_search_call.results", "reasoning.encrypted_content"] == second["include"]
    assert "auto" == second["tool_choice"]
    assert "max_output_tokens" not in second


@pytest.mark.parametrize("name", ["stream", "input", "model", "store", "tools", "instructions"])
def test_what_the_session_decides_is_no_parameter(speaker: Speaker, name: str) -> None:
    """Such a parameter is refused at once, in the constructor and in a turn; nothing is sent."""
    with speaker.talk([]) as talk:
        with pytest.raises(TypeError, match=repr(name)):
            talk.turn("Hello.", **{name: True})
        with (
            pytest.raises(TypeError, match=repr(name)),
            speaker.talk([], **{name: True}),
        ):
            pass

    assert [] == talk.server.requests


def test_a_message_stands_last(speaker: Speaker) -> None:
    """A message that was written while the model answered goes behind the answer; its other fields stay."""
    early = Message(id="u1", role="user", content="Wait!", created_at=EARLY)
    peer = Message(id="p1", role="assistant", identity="scout", content="Fog ahead.", created_at=early.created_at)
    with speaker.talk(SCRIPT[1:2] + [response()] * 3) as talk:
        talk.turn("Hello.")
        talk.turn(early)
        talk.turn(peer)
        late = attrs.evolve(early, id="u2", created_at=datetime.now(UTC) + timedelta(days=1))
        talk.turn(late)

    texts = [json.dumps(one["content"]) for one in of_type(talk.sent(), "message") if one.get("id") is None]
    kept = {one.id: one for one in talk.state.messages}
    assert 4 == len(texts)
    assert all(part in text for part, text in zip(("Hello.", "Wait!", "Fog", "Wait!"), texts, strict=True))
    assert early == attrs.evolve(kept["u1"], created_at=early.created_at)
    assert late == kept["u2"]
    assert [replayed(SCRIPT[1]["output"][0])] == of_type(talk.sent(), "reasoning")


def test_messages_given_as_text_have_ids_of_their_own(speaker: Speaker) -> None:
    """No two are alike, within a conversation and between two, and nobody can guess them."""
    ids = []
    for _ in range(2):
        with speaker.talk([response()] * 3) as talk:
            for _ in range(3):
                talk.turn("The same.")
        ids += [one.id for one in talk.state.messages]

    assert 6 == len(set(ids))
    assert all(len(one) == len("user-") + 16 for one in ids)


def test_an_empty_message_is_refused(speaker: Speaker) -> None:
    """A text without a character is no message; nothing is sent, nothing is changed."""
    with speaker.talk([]) as talk, pytest.raises(InvalidStateError, match="content"):
        talk.turn("")

    assert (STATE, []) == (talk.state, talk.server.requests)


def test_calls_that_were_cut_are_not_offered(speaker: Speaker) -> None:
    """A call whose arguments are cut is not to be run: it is not listed, and the conversation goes on without it."""
    cut = function_call("weather", '{"city": "Lis', call_id="call_9", id="fc_9", status="incomplete")
    script = [response(reasoning(), cut, reason="max_output_tokens"), response(message("Again."))]
    with speaker.talk(script) as talk:
        turn = talk.turn("The weather?")
        assert ("length", (), ()) == (turn.finish, turn.calls, talk.session.pending)
        assert 1 == len(turn.ingested.tool_calls)
        assert "Again." == talk.turn("Go on.").text


def test_completing_what_does_not_wait_is_an_error(speaker: Speaker) -> None:
    """An unknown call, and one that has its results, are refused by name."""
    with speaker.talk(SCRIPT[:1]) as talk:
        talk.turn("The weather?")
        talk.session.complete("call_1a", "Sun.")
        for name in ("call_1a", "call_2"):
            with pytest.raises(InvalidStateError, match=f"no pending call '{name}'"):
                talk.session.complete(name, "Rain.")


def test_unanswered_calls_do_not_stop_a_turn(speaker: Speaker) -> None:
    """A new message while a call waits is sent all the same: the build answers for the call and says so."""
    with speaker.talk([SCRIPT[0], response(message("Fine."))]) as talk:
        talk.turn("The weather?")
        turn = talk.turn("Never mind.")

    assert "Fine." == turn.text
    assert {"pending-tool-call"} == {warning.code for warning in turn.request.warnings}
    assert 2 == len(of_type(talk.sent(), "function_call_output"))


def test_the_servers_verdict_is_kept(speaker: Speaker) -> None:
    """Reasoning that the server kept from the model is told beside its thought, and still sent in the next turn."""
    verdict = {"id": "rs_2", "action": "withheld", "reason": "prefix_mismatch"}
    told = response(message("Hm.", id="msg_6"), input_transformations=[verdict], prompt_cache_diagnostics={"hit": 1})
    with speaker.talk([SCRIPT[1], told, SCRIPT[4]]) as talk:
        talk.turn("Hello.")
        turn = talk.turn("And?")
        talk.turn("Well.")

    (one,) = turn.ingested.input_transformations
    assert ("rs_2", "withheld", "prefix_mismatch", False) == (one.item_id, one.action, one.reason, one.predicted)
    assert one.thought_id == talk.state.thoughts[0].id
    assert talk.state.thoughts[0].withheld is None
    assert {"hit": 1} == turn.ingested.prompt_cache_diagnostics
    assert [replayed(SCRIPT[1]["output"][0])] == of_type(talk.sent(), "reasoning")


def test_usage_is_told(speaker: Speaker) -> None:
    """Token counts of the response, cached ones included."""
    answer = response(message("Hi."), input_tokens=1000, cached_tokens=900, output_tokens=7)
    with speaker.talk([answer]) as talk:
        usage = talk.turn("Hello.").ingested.usage

    assert usage is not None
    assert (1000, 900, 7) == (usage.input_tokens, usage.cached_tokens, usage.output_tokens)


def test_hosted_items_go_back(speaker: Speaker) -> None:
    """Calls that the provider ran itself are sent again where they stood."""
    search = item(
        "web_search_call", status="completed", action={"type": "search", "query": "tide", "queries": ["tide"]}
    )
    script = [response(reasoning(id="rs_7"), search, message("High.", id="msg_7")), response()]
    with speaker.talk(script) as talk:
        talk.turn("The tide?")
        talk.turn("Sure?")

    assert ["rs_7", search["id"], "msg_7"] == [one["id"] for one in talk.sent() if "id" in one]


def test_callable_texts_get_the_sessions_context(speaker: Speaker) -> None:
    """``render_ctx`` reaches texts that are functions, and may be replaced between turns."""
    state = attrs.evolve(STATE, system_prompt=lambda context: f"You serve {context}.")
    with speaker.talk([response()] * 2, state, render_ctx="Ada") as talk:
        talk.turn("Hello.")
        talk.session.render_ctx = "Bo"
        talk.turn("Hello.")

    assert ["You serve Ada.", "You serve Bo."] == [sent["instructions"] for sent in talk.server.requests]


def test_options_may_change_between_turns(speaker: Speaker) -> None:
    """A turn uses the options as they are when it begins; reasoning of another model is left out, with its cause."""
    with speaker.talk([SCRIPT[1], response()]) as talk:
        talk.turn("Hello.")
        talk.session.options = attrs.evolve(OPTIONS, model="gpt-5.5")
        turn = talk.turn("And?")

    assert "gpt-5.5" == talk.server.requests[1]["model"]
    assert ["reasoning-prefix-changed"] == [warning.code for warning in turn.request.warnings]


def test_a_replaced_seam_is_used(speaker: Speaker) -> None:
    """The session renders with the pipeline it was given."""
    pipeline = responses_pipeline(nonce=lambda _: "secret")
    with speaker.talk([response()], pipeline=pipeline) as talk:
        talk.turn("Hello.")

    assert "<message_secret " in talk.sent()[0]["content"][0]["text"]


def test_an_empty_state_may_be_sent(speaker: Speaker) -> None:
    """A turn without a message sends the state as it is."""
    with speaker.talk([response(message("Hi."))], AgentState(messages=[_question()])) as talk:
        assert "Hi." == talk.turn().text

    assert 1 == len(talk.sent())


def _question() -> Message:
    return Message(id="u1", role="user", content="Hello.", created_at=datetime(2026, 1, 1, tzinfo=UTC))


def _timeless(value: dict[str, Any]) -> dict[str, Any]:
    """An object of a state file without what the clock gives: times, and the fingerprints over them."""
    return {key: inner for key, inner in value.items() if key not in ("created_at", "prefix_fingerprint", "sections")}
