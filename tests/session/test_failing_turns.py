"""Turns that fail: what is raised, what the state is afterwards, and that no connection is left open."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import importlib
import importlib.util
from collections.abc import Callable
from typing import Any, Final

import attrs
import openai
import pytest

from seamwright import AgentState, AsyncSession, IngestError, InvalidRequestError, SeamError, Session, StreamFailedError
from seamwright.ingest.rejection import is_replay_refusal
from seamwright.testing.refusals import RULES
from seamwright.testing.server import (
    Refusal,
    ResponsesServer,
    Stream,
    message,
    reasoning,
    refusal,
    refusal_of,
    response,
    stream_events,
)
from seamwright_containers import responses_pipeline
from session.talk import OPTIONS, PIPELINE, STATE, Clients, Speaker

FIRST: Final = response(reasoning("Hm.", id="rs_1"), message("Rain.", id="msg_1"), id="resp_1")
SECOND: Final = response(reasoning(id="rs_2"), message("Bye.", id="msg_2"), id="resp_2")


def _lost() -> tuple[type[Exception], ...]:
    """What the client raises for a lost connection; older releases of it let the transport's own error through."""
    if importlib.util.find_spec("httpx") is None:
        return (openai.APIConnectionError,)
    return openai.APIConnectionError, importlib.import_module("httpx").TransportError


LOST: Final = _lost()


@pytest.mark.parametrize("rule", [rule for rule in RULES if not is_replay_refusal(rule)])
def test_other_refusals_are_the_clients_own_errors(speaker: Speaker, rule: str) -> None:
    """What no rebuild cures is raised after one request, and leaves the session as it was."""
    with speaker.talk([FIRST, refusal(rule), SECOND]) as talk:
        talk.turn("Hello.")
        before, options = talk.state, talk.session.options
        with pytest.raises(openai.APIStatusError):
            talk.turn("Again.")
        assert before is talk.state
        assert (options, None, 2) == (talk.session.options, talk.session.turn, len(talk.server.requests))
        assert "Bye." == talk.turn("Again.").text


@pytest.mark.parametrize("status", [401, 403, 429, 500, 503])
def test_other_trouble_is_no_refusal(speaker: Speaker, status: int) -> None:
    """A wrong key, a full queue or a broken server is not cured by sending less, whatever words it comes with."""
    text = refusal("P7").body["error"]["message"]
    with speaker.talk([FIRST, refusal_of(text, status=status)]) as talk:
        talk.turn("Hello.")
        before = talk.state
        with pytest.raises(openai.APIStatusError):
            talk.turn("Again.")

    assert before is talk.state
    assert 2 == len(talk.server.requests)


def test_nobody_there(speaker: Speaker) -> None:
    """A server that does not answer at all gives the client's connection error."""
    with speaker.talk([FIRST]) as talk:
        talk.turn("Hello.")
        before = talk.state
    with pytest.raises(openai.APIConnectionError):
        talk.turn("Again.")

    assert before is talk.state


@pytest.mark.parametrize("status", ["failed", "cancelled", "in_progress", "queued"])
def test_a_response_that_is_no_answer_changes_nothing(speaker: Speaker, status: str) -> None:
    """A response that failed, was cancelled or has not ended is told, not taken in; the message may be sent again."""
    error = {"code": "server_error", "message": "Broke."} if status == "failed" else None
    told = response(message("Half"), status=status, error=error)
    with speaker.talk([FIRST, told, SECOND]) as talk:
        talk.turn("Hello.")
        before = talk.state
        if status == "failed" and speaker.mode.streams:
            with pytest.raises(StreamFailedError, match="Broke"):
                talk.turn("Again.")
        else:
            turn = talk.turn("Again.")
            assert status.replace("queued", "in_progress") == turn.finish
            assert ("", ()) == (turn.text, turn.calls)
        assert before is talk.state
        talk.turn("Again.")

    assert ["Hello.", "Rain.", "Again.", "Bye."] == [one.content for one in _timeline(talk.state)]


def _timeline(state: AgentState) -> list[Any]:
    return sorted(state.messages, key=lambda one: one.created_at)


def _cuts(answer: dict[str, Any]) -> list[int]:
    return list(range(len(stream_events(answer))))


@pytest.mark.parametrize("drop", [False, True], ids=["ends", "drops"])
@pytest.mark.parametrize("cut", [0, 2, 5, 9, len(stream_events(FIRST)) - 1])
def test_a_stream_without_its_end_is_no_answer(streaming: Speaker, cut: int, drop: bool) -> None:
    """A stream that just ends gives a turn in progress, a lost connection the client's error; neither is taken in."""
    broken = Stream(stream_events(FIRST)[:cut], drop=drop)
    with streaming.talk([broken, SECOND]) as talk:
        if drop:
            with pytest.raises(LOST):
                talk.turn("Hello.")
            assert talk.session.turn is None
        else:
            turn = talk.turn("Hello.")
            assert ("in_progress", "", ()) == (turn.finish, turn.text, turn.calls)
            assert cut == len(talk.events)
        assert STATE is talk.state
        assert "Rain.".startswith(talk.session.slots.text())
        assert "Bye." == talk.turn("Hello.").text

    assert 2 == len(talk.server.requests)


def test_a_connection_lost_behind_the_end_takes_nothing_away(streaming: Speaker) -> None:
    """Once the terminal event is there the answer is whole."""
    with streaming.talk([Stream(stream_events(FIRST), drop=True), SECOND]) as talk:
        assert ("stop", "Rain.") == (talk.turn("Hello.").finish, talk.session.turn.text)
        assert "Bye." == talk.turn("Thanks.").text


@pytest.mark.parametrize(
    "end",
    [
        {"type": "error", "code": "server_error", "message": "Broke.", "param": None},
        {"type": "response.failed", "response": response(status="failed", error={"code": "x", "message": "Broke."})},
    ],
    ids=["error", "failed"],
)
def test_a_failing_stream_raises(streaming: Speaker, end: dict[str, Any]) -> None:
    """The provider's failure is raised as it is, the text so far can be read, the state is as it was."""
    events = stream_events(FIRST)
    cut = next(place for place, one in enumerate(events) if one["type"] == "response.output_text.done")
    with streaming.talk([Stream([*events[:cut], end]), SECOND]) as talk:
        with pytest.raises(StreamFailedError, match=r"Broke\."):
            talk.turn("Hello.")
        assert STATE is talk.state
        assert ("Rain.", None) == (talk.session.slots.text(), talk.session.turn)
        assert "Bye." == talk.turn("Hello.").text


def test_what_is_no_response_is_an_error(speaker: Speaker) -> None:
    """A body of which nothing can be made is an IngestError; a stream of such is one that has not ended."""
    with speaker.talk([{"object": "page", "data": []}, SECOND]) as talk:
        if not speaker.mode.streams:
            with pytest.raises(IngestError):
                talk.turn("Hello.")
        else:
            assert "in_progress" == talk.turn("Hello.").finish
        assert STATE is talk.state
        assert "Bye." == talk.turn("Hello.").text


def test_what_the_api_would_refuse_is_not_sent(speaker: Speaker) -> None:
    """A request that breaks a rule is an InvalidRequestError, before anything is sent."""
    state = attrs.evolve(STATE, provider_tools=[{"type": "function", "name": "no such name", "parameters": {}}])
    with speaker.talk([FIRST], state) as talk, pytest.raises(InvalidRequestError, match="T1"):
        talk.turn("Hello.")

    assert (state, []) == (talk.state, talk.server.requests)


@pytest.mark.parametrize("seam", ["output_slots", "clock", "timeline_message"])
def test_a_broken_seam_is_named(streaming: Speaker, seam: str) -> None:
    """A seam that raises is named in a SeamError."""

    def broken(*_: Any) -> Any:
        raise LookupError("lost")

    with (
        streaming.talk([FIRST], pipeline=responses_pipeline(**{seam: broken})) as talk,
        pytest.raises(SeamError) as caught,
    ):
        talk.turn("Hello.")

    assert seam == caught.value.seam
    assert STATE is talk.state


def test_slots_that_raise_are_named(streaming: Speaker) -> None:
    """Slots of the host's own that stumble over an event are named, and the stream is given up."""

    class Slots(type(PIPELINE.seams.output_slots())):  # type: ignore[misc]  # the default's class, whatever it is
        def feed(self, event: object, /) -> None:
            raise LookupError("lost")

    with streaming.talk([FIRST], pipeline=responses_pipeline(output_slots=Slots)) as talk:
        with pytest.raises(SeamError) as caught:
            talk.turn("Hello.")
        assert 1 == len(talk.server.requests)

    assert "output_slots" == caught.value.seam


class Watched:
    """A client that keeps the streams it gave out."""

    def __init__(self, client: Any) -> None:
        self._create = client.responses.create
        self.streams: list[Any] = []

    @property
    def responses(self) -> Any:
        return self

    def create(self, **body: Any) -> Any:
        made = self._create(**body)
        if asyncio.iscoroutine(made):
            return self._kept(made)
        self.streams.append(made)
        return made

    async def _kept(self, waiting: Any) -> Any:
        made = await waiting
        if hasattr(made, "response"):
            self.streams.append(made)
        return made

    @property
    def closed(self) -> list[bool]:
        return [stream.response.is_closed for stream in self.streams]


LONG: Final = response(message("word " * 50_000))


def test_a_reader_that_stops_leaves_nothing_open(clients: Clients) -> None:
    """Leaving the loop closes the client's stream, changes nothing, and the next turn works."""
    with ResponsesServer([LONG, SECOND], chunk=5) as server:
        client = Watched(clients.sync.with_options(base_url=server.base_url))
        session = Session(client, PIPELINE, STATE, OPTIONS)
        with contextlib.closing(session.stream("Hello.")) as events:
            for event in events:
                if event.type == "response.output_text.delta":
                    break
            assert [False] == client.closed
        assert [True] == client.closed
        assert (STATE, None) == (session.state, session.turn)
        assert session.slots is not None
        assert session.slots.text().startswith("word ")
        assert ["Bye."] == [session.turn.text for _ in [*session.stream("Hello.")][-1:] if session.turn]


def test_a_reader_that_forgets_leaves_nothing_open(clients: Clients) -> None:
    """So does dropping the events without closing them."""
    with ResponsesServer([LONG], chunk=5) as server:
        client = Watched(clients.sync.with_options(base_url=server.base_url))
        next(Session(client, PIPELINE, STATE, OPTIONS).stream("Hello."))
        gc.collect()

    assert [True] == client.closed


def test_a_task_that_is_cancelled_leaves_nothing_open(clients: Clients) -> None:
    """Cancelling, and leaving the loop inside ``aclosing``, close the asynchronous client's stream."""

    async def cancelled(session: AsyncSession) -> None:
        begun = asyncio.Event()

        async def read() -> None:
            async for _ in session.stream("Hello."):
                begun.set()
                await asyncio.sleep(0)
            await asyncio.sleep(60)

        task = asyncio.create_task(read())
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    async def left(session: AsyncSession) -> None:
        async with contextlib.aclosing(session.stream("Hello.")) as events:
            async for _ in events:
                break

    with ResponsesServer([LONG, LONG, SECOND], chunk=5) as server:
        client = Watched(clients.asynchronous.with_options(base_url=server.base_url))
        session = AsyncSession(client, PIPELINE, STATE, OPTIONS)
        for way in (cancelled, left):
            clients.runner.run(way(session))
            assert STATE is session.state
        assert "Bye." == clients.runner.run(session.send("Hello.")).text

    assert [True, True] == client.closed


def test_streams_are_closed_when_they_fail(clients: Clients) -> None:
    """An event that says failed closes the stream before the connection does; a rebuild opens a new one."""
    refused = {"type": "error", "code": "invalid_encrypted_content", "message": "could not be verified", "param": None}
    broken = {"type": "error", "code": "server_error", "message": "Broke.", "param": None}
    opened = stream_events(response())[:1]
    rest = stream_events(LONG)[1:2000]
    with ResponsesServer([FIRST, Stream([*opened, refused, *rest]), Stream([*opened, broken, *rest])]) as server:
        client = Watched(clients.sync.with_options(base_url=server.base_url))
        session = Session(client, PIPELINE, STATE, OPTIONS)
        list(session.stream("Hello."))
        with pytest.raises(StreamFailedError, match="Broke"):
            list(session.stream("Again."))

    assert [True, True, True] == client.closed


class ReaderError(Exception):
    """Raised by whoever reads the events, in words that a refusal could have."""


@pytest.mark.parametrize("at", [0, 3])
def test_what_the_reader_raises_is_the_readers(clients: Clients, at: int) -> None:
    """An exception thrown into the events passes through, even one that reads like a refusal; nothing is repeated."""
    words = refusal("P7").body["error"]["message"]
    with ResponsesServer([FIRST, LONG, LONG], chunk=5) as server:
        client = Watched(clients.sync.with_options(base_url=server.base_url))
        session = Session(client, PIPELINE, STATE, OPTIONS)
        list(session.stream("Hello."))
        before = session.state
        events = session.stream("Again.")
        for _ in range(at + 1):
            next(events)
        with pytest.raises(ReaderError):
            events.throw(ReaderError(words))

    assert before is session.state
    assert (2, [True, True]) == (len(server.requests), client.closed)


def test_the_wrong_client_is_told_so(clients: Clients) -> None:
    """A session over an asynchronous client, and the other way round, name the class to use."""
    with ResponsesServer([FIRST] * 4) as server:
        wrong: Any = clients.asynchronous.with_options(base_url=server.base_url)
        session = Session(wrong, PIPELINE, STATE, OPTIONS)
        with pytest.raises(TypeError, match="AsyncSession"):
            session.send("Hello.")
        with pytest.raises(TypeError, match="AsyncSession"):
            list(session.stream("Hello."))
        wrong = clients.sync.with_options(base_url=server.base_url)
        with pytest.raises(TypeError, match="Session is for it"):
            clients.runner.run(AsyncSession(wrong, PIPELINE, STATE, OPTIONS).send("Hello."))

    assert 1 == len(server.requests), "a coroutine that nobody awaits sends nothing"


def test_what_the_host_adds_meanwhile_stays(streaming: Speaker) -> None:
    """Whatever is put into the state while an answer comes in is still there behind it, and the answer too."""
    with streaming.talk(lambda body: _add(talk, body)) as talk:
        talk.turn("Hello.")

    assert ["Hello.", "Meanwhile.", "Rain."] == sorted(str(one.content) for one in talk.state.messages)


def _add(talk: Any, _body: dict[str, Any]) -> dict[str, Any] | Refusal:
    """The host writes a memory down while the server thinks."""
    state = talk.session.state
    noted = PIPELINE.ingest(response(message("Meanwhile.")), PIPELINE.build_sync(state, OPTIONS), state)
    talk.session.state = state.extend(noted)
    return FIRST


def test_every_cut_leaves_the_state_alone(clients: Clients) -> None:
    """Wherever a stream is cut, the state is the old one or that of the whole answer."""
    events = stream_events(FIRST)
    scripts: list[Callable[[], Any]] = [lambda cut=cut: events[:cut] for cut in range(len(events) + 1)]
    for cut, script in enumerate(scripts):
        session = Session(_Scripted(script), PIPELINE, STATE, OPTIONS)
        got = list(session.stream("Hello."))
        assert cut == len(got)
        assert (STATE is session.state) == (cut < len(events))


@attrs.frozen
class _Scripted:
    """A client that answers with what a function gives."""

    answer: Callable[[], Any]

    @property
    def responses(self) -> Any:
        return self

    def create(self, **_: Any) -> Any:
        return self.answer()
