"""When the API refuses replayed reasoning: one more request, no second one, and what was refused stays away."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any, Final

import attrs
import openai
import pytest

from seamwright import InvalidRequestError, Message, RenderOptions, dump_state, load_state
from seamwright.ingest.rejection import is_replay_refusal
from seamwright.testing.refusals import RULES
from seamwright.testing.server import (
    Refusal,
    Stream,
    function_call,
    message,
    reasoning,
    refusal,
    refusal_of,
    response,
    stream_events,
)
from session.talk import OPTIONS, PIPELINE, STATE, Speaker, Talk, of_type, replayed

REPLAY: Final = tuple(rule for rule in RULES if is_replay_refusal(rule))
"""The rules whose refusal a rebuild without reasoning cures."""

FIRST: Final = response(
    reasoning("It rains.", id="rs_1"), function_call("weather", call_id="call_1", id="fc_1"), id="resp_1"
)
SECOND: Final = response(reasoning(id="rs_2"), message("Rain.", id="msg_2"), id="resp_2")
THIRD: Final = response(reasoning(id="rs_3"), message("Bye.", id="msg_3"), id="resp_3")

ENCRYPTED: Final = "reasoning.encrypted_content"


def asked(talk: Talk) -> None:
    """The first turn, with its call completed: from here on there is reasoning to refuse."""
    talk.turn("The weather?")
    talk.session.complete("call_1", "Rain.")


def reasons(talk: Talk, place: int) -> list[dict[str, Any]]:
    """The reasoning items of one request."""
    return of_type(talk.sent(place), "reasoning")


def without_id(item: dict[str, Any]) -> dict[str, Any]:
    """The item but for its id."""
    return {key: value for key, value in item.items() if key != "id"}


def test_every_rule_that_a_rebuild_cures_is_tried() -> None:
    """The refusals of replayed reasoning are these."""
    assert ("P1", "P2", "P6", "P7", "P8", "P9", "F3", "F4") == REPLAY


@pytest.mark.parametrize("rule", REPLAY)
def test_a_refusal_costs_one_more_request(speaker: Speaker, rule: str) -> None:
    """The turn is sent again without any reasoning or id bound to it, answered, and says which rule was broken.

    What the summary said goes out as a thought in plain text; everything else is as it was.
    """
    with speaker.talk([FIRST, refusal(rule), SECOND]) as talk:
        asked(talk)
        before = talk.state
        turn = talk.turn("Please.")

    assert ("Rain.", rule) == (turn.text, turn.refusal)
    assert (3, 0) == (len(talk.server.requests), talk.server.left)
    assert [replayed(FIRST["output"][0])] == reasons(talk, 1)
    assert [] == reasons(talk, 2)
    assert [] == [one["id"] for one in talk.sent(2) if "id" in one]
    assert turn.request.input == talk.sent(2)
    rest = [without_id(one) for one in talk.sent(1) if one["type"] != "reasoning"]
    (thought,) = [one for one in talk.sent(2) if one not in rest]
    assert rest == [one for one in talk.sent(2) if one is not thought]
    assert "It rains." in json.dumps(thought)
    assert len(before.messages) + 2 == len(talk.state.messages)


@pytest.mark.parametrize("rule", REPLAY)
def test_refused_reasoning_stays_away(speaker: Speaker, rule: str) -> None:
    """The next turns leave out what was refused at once, with a warning that says why; new reasoning is replayed.

    A model that takes no reasoning gets none at all, and is asked for none.
    """
    takes_none = rule in ("P8", "P9")
    with speaker.talk([FIRST, refusal(rule), SECOND, THIRD]) as talk:
        asked(talk)
        talk.turn()
        turn = talk.turn("Thanks.")
        refused, fresh = talk.state.thoughts[:2]

    assert 4 == len(talk.server.requests)
    assert refused.withheld is not None
    assert refused.withheld.startswith(f"{rule}: ")
    assert (None, None) == (fresh.withheld, turn.refusal)
    fresh_item = replayed(SECOND["output"][0])
    again = [without_id(fresh_item) if rule in ("P2", "P6") else fresh_item]  # where ids are looked up none is sent
    assert ([] if takes_none else again) == reasons(talk, 3)
    assert [[ENCRYPTED], [ENCRYPTED], *[None if takes_none else [ENCRYPTED]] * 2] == [
        sent.get("include") for sent in talk.server.requests
    ]
    told = [] if takes_none else [("reasoning-withheld", refused.id)]
    assert told == [(warning.code, warning.subject_id) for warning in turn.request.warnings]


@pytest.mark.parametrize("rule", REPLAY)
def test_there_is_no_second_rebuild(speaker: Speaker, rule: str) -> None:
    """A second refusal in one turn is raised as it is. Nothing of the turn stays but what was learnt for the next."""
    with speaker.talk([FIRST, refusal(rule), refusal(rule), SECOND]) as talk:
        asked(talk)
        before = talk.state
        with pytest.raises(openai.APIStatusError):
            talk.turn("Please.")
        assert 3 == len(talk.server.requests)
        assert before.messages == talk.state.messages
        assert before.tool_calls == talk.state.tool_calls
        assert talk.session.turn is None
        (refused,) = talk.state.thoughts
        assert refused == attrs.evolve(before.thoughts[0], withheld=refused.withheld)
        assert str(refused.withheld).startswith(rule)

        assert "Rain." == talk.turn("Please.").text

    assert 4 == len(talk.server.requests)
    assert [] == reasons(talk, 3)


def test_the_second_attempt_may_fail_otherwise(speaker: Speaker) -> None:
    """What the second attempt meets is raised, be it another refusal or a server that broke; the refused is known."""
    for other, kind in ((refusal("P3"), openai.BadRequestError), (Refusal(500, {}), openai.InternalServerError)):
        with speaker.talk([FIRST, refusal("P7"), other, SECOND]) as talk:
            asked(talk)
            with pytest.raises(kind):
                talk.turn("Please.")
            assert talk.state.thoughts[0].withheld is not None
            talk.turn("Please.")

        assert (4, []) == (len(talk.server.requests), reasons(talk, 3))


def test_a_later_refusal_is_cured_too(speaker: Speaker) -> None:
    """Each turn may have its rebuild; a thought keeps the reason it was first refused for."""
    with speaker.talk([FIRST, refusal("P7"), SECOND, refusal("P1"), THIRD]) as talk:
        asked(talk)
        assert "P7" == talk.turn().refusal
        assert "P1" == talk.turn("Thanks.").refusal

    assert ["P7", "P1", None] == [one.withheld and one.withheld[:2] for one in talk.state.thoughts]


def test_what_was_refused_is_known_after_a_restart(speaker: Speaker) -> None:
    """The mark is part of the state: a session over the loaded state does not send the refused reasoning."""
    with speaker.talk([FIRST, refusal("P7"), SECOND, THIRD]) as talk:
        asked(talk)
        talk.turn()
        state, options = load_state(json.dumps(dump_state(talk.state, talk.session.options)))
        with speaker.talk([THIRD], state, options) as later:
            assert later.turn("Thanks.").refusal is None

    assert [replayed(SECOND["output"][0])] == of_type(later.sent(), "reasoning")


@pytest.mark.parametrize("rule", REPLAY)
def test_nothing_to_leave_out_is_nothing_to_repeat(speaker: Speaker, rule: str) -> None:
    """A conversation without reasoning and ids would send the same again: the refusal is raised after one request."""
    options = attrs.evolve(OPTIONS, reasoning_replay="off")
    with speaker.talk([refusal(rule)], options=options) as talk, pytest.raises(openai.APIStatusError):
        talk.turn("Hello.")

    if rule in ("P2", "P6"):
        assert "paired" == options.endpoint.ids
    assert (STATE, options) == (talk.state, talk.session.options)
    assert 1 == len(talk.server.requests)


@pytest.mark.parametrize("rule", ["P8", "P9"])
def test_a_model_that_gives_no_reasoning_is_not_asked_again(speaker: Speaker, rule: str) -> None:
    """The first turn with such a model recovers by not asking, even for what the host itself included."""
    more = {"include": [ENCRYPTED, "web_search_call.results"]}
    with speaker.talk([refusal(rule), response(message("Hi.")), response()], **more) as talk:
        assert rule == talk.turn("Hello.").refusal
        assert talk.turn("Bye.").refusal is None

    rest = ["web_search_call.results"]
    assert [[ENCRYPTED, *rest][::-1], rest, rest] == [sorted(sent["include"])[::-1] for sent in talk.server.requests]
    assert "off" == talk.session.options.reasoning_replay


def test_an_id_without_its_reasoning_loses_the_id(speaker: Speaker) -> None:
    """A message with the provider's id whose reasoning this state never had is sent without the id (P2)."""
    known = Message(id="msg_9", role="assistant", content="Rain.", created_at=datetime(2026, 1, 1, tzinfo=UTC))
    state = attrs.evolve(STATE, messages=[known])
    for rule in ("P2", "P6"):
        with speaker.talk([refusal(rule, item_id="msg_9", item_type="message"), SECOND, THIRD], state) as talk:
            assert rule == talk.turn("Sure?").refusal
            talk.turn("Thanks.")

        ids = [[one["id"] for one in talk.sent(place) if "id" in one] for place in range(3)]
        assert [["msg_9"], [], []] == ids
        assert SECOND["output"][0]["encrypted_content"] == reasons(talk, 2)[0]["encrypted_content"]


def test_where_reasoning_needs_ids_it_goes_with_them(speaker: Speaker) -> None:
    """An endpoint that wants an id on all reasoning, and can't resolve one, gets neither."""
    options = attrs.evolve(OPTIONS, endpoint="azure")
    with speaker.talk([FIRST, refusal("P2"), SECOND, THIRD], options=options) as talk:
        asked(talk)
        talk.turn()
        talk.turn("Thanks.")

    assert 4 == len(talk.server.requests)
    assert [] == reasons(talk, 3)
    assert [] == [one["id"] for one in talk.sent(3) if "id" in one]


def test_the_host_may_say_so_itself(speaker: Speaker) -> None:
    """A host that replaced the options while the refusal was on its way keeps its own, with what was learnt."""

    def answer(body: dict[str, Any]) -> Any:
        if any(one.get("type") == "reasoning" for one in body["input"]):
            talk.session.options = attrs.evolve(OPTIONS, self_identity="helper")
            return refusal("P8")
        return SECOND if len(body["input"]) > 1 else FIRST

    with speaker.talk(answer) as talk:
        asked(talk)
        talk.turn()

    assert attrs.evolve(OPTIONS, self_identity="helper", reasoning_replay="off") == talk.session.options


FAILED: Final = {"code": "invalid_encrypted_content", "message": refusal("P7").body["error"]["message"]}
ENDS: Final = {
    "error": {"type": "error", "param": None, **FAILED},
    "failed": {"type": "response.failed", "response": response(status="failed", error=FAILED)},
    "body": {"error": {"type": "invalid_request_error", "param": None, **FAILED}},
}


@pytest.mark.parametrize("end", ENDS)
def test_a_stream_that_ends_in_a_refusal_is_cured(streaming: Speaker, end: str) -> None:
    """The refusal may come as an event behind the first ones: the second attempt's events follow theirs."""
    broken = Stream([*stream_events(response())[:2], ENDS[end]])
    with streaming.talk([FIRST, broken, SECOND]) as talk:
        asked(talk)
        turn = talk.turn()

    kinds = [event.type for event in talk.events]
    assert ("Rain.", "P7", 3) == (turn.text, turn.refusal, len(talk.server.requests))
    assert ["response.created", "response.in_progress"] * 2 == kinds[:4]
    assert [] == reasons(talk, 2)


@pytest.mark.parametrize("end", ENDS)
def test_a_stream_refuses_only_once(streaming: Speaker, end: str) -> None:
    """The second attempt's failure is raised."""
    broken = Stream([*stream_events(response())[:2], ENDS[end]])
    with streaming.talk([FIRST, broken, broken, SECOND]) as talk:
        asked(talk)
        with pytest.raises(Exception, match="could not be verified"):
            talk.turn("Please.")
        assert talk.state.thoughts[0].withheld is not None
        assert 3 == len(talk.server.requests)
        assert "Rain." == talk.turn("Please.").text


def test_a_refusal_behind_shown_text_is_raised(streaming: Speaker) -> None:
    """Once something of the answer was shown, it is not said a second time."""
    events = stream_events(SECOND)
    cut = next(place for place, one in enumerate(events) if one["type"] == "response.output_text.delta")
    with streaming.talk([FIRST, Stream([*events[: cut + 1], ENDS["error"]])]) as talk:
        asked(talk)
        before = talk.state
        with pytest.raises(Exception, match="could not be verified"):
            talk.turn()

    assert (before, 2) == (talk.state, len(talk.server.requests))


def test_a_response_that_failed_for_its_reasoning_is_cured(speaker: Speaker) -> None:
    """A refusal may also come as a response with status ``failed``."""
    with speaker.talk([FIRST, response(status="failed", error=FAILED), SECOND]) as talk:
        asked(talk)
        turn = talk.turn()

    assert ("Rain.", "P7", 3) == (turn.text, turn.refusal, len(talk.server.requests))


def test_the_rebuild_is_checked_too(speaker: Speaker) -> None:
    """A second request that breaks a rule is not sent: the error of the check is raised, with the refusal behind it."""
    calls = 0

    def spoilt(tools: Any, options: RenderOptions, /) -> list[dict[str, Any]]:
        nonlocal calls
        calls += 1
        name = "weather" if calls < 3 else "no such name"
        return [{"type": "function", "name": name, "parameters": {}, "strict": False}]

    pipeline = type(PIPELINE)(attrs.evolve(PIPELINE.seams, tool_declarations=spoilt))
    with speaker.talk([FIRST, refusal("P7")], pipeline=pipeline) as talk:
        asked(talk)
        before = talk.state
        with pytest.raises(InvalidRequestError) as caught:
            talk.turn()

    assert isinstance(caught.value.__context__, openai.BadRequestError)
    assert (before, 2) == (talk.state, len(talk.server.requests))


def test_odd_words_of_the_api_can_be_stored(speaker: Speaker) -> None:
    """A long text, and one with halves of signs, is kept short and clean beside the thought."""
    text = "encrypted content \ud800 " + "could not be verified. \n" * 200
    with speaker.talk([FIRST, refusal_of(text), SECOND]) as talk:
        asked(talk)
        talk.turn()

    kept = talk.state.thoughts[0].withheld
    assert kept is not None
    assert 320 > len(kept)
    assert "\n" not in kept
    assert kept.encode()
    assert kept == load_state(json.dumps(dump_state(talk.state, OPTIONS)))[0].thoughts[0].withheld
