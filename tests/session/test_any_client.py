"""Clients that are not the vendor's, many conversations at once, and random trouble."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, Final

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamwright import AgentState, AsyncSession, Session, StreamFailedError, check_request
from seamwright.ingest.plain import as_mapping
from seamwright.testing.server import (
    ResponsesServer,
    function_call,
    message,
    reasoning,
    refusal,
    response,
    stream_events,
)
from session.talk import OPTIONS, PIPELINE, STATE, Clients, of_type


def test_the_vendors_package_is_not_needed(root: Any) -> None:
    """Importing the library, session and all, loads nothing of the vendor's."""
    code = "import sys, seamwright.session; sys.exit('openai' in sys.modules or 'httpx' in sys.modules)"
    assert 0 == subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode


class RefusedError(Exception):
    """A client's own error: all that is asked of it is a text, and perhaps status, code and param."""

    def __init__(self, rule: str) -> None:
        made = refusal(rule)
        super().__init__(made.body["error"]["message"])
        self.status_code = made.status
        self.code = made.body["error"]["code"]


class Fake:
    """A client of the same shape that answers with dicts; ``answer`` may raise."""

    def __init__(self, answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.closed: list[bool] = []
        self._answer = answer

    @property
    def responses(self) -> Fake:
        return self

    def create(self, **body: Any) -> Any:
        self.bodies.append(body)
        made = self._answer(body)
        return self._streamed(made) if body.get("stream") else made

    def _streamed(self, made: dict[str, Any]) -> Iterator[dict[str, Any]]:
        self.closed.append(False)
        try:
            yield from stream_events(made, chunk=1)
        finally:
            self.closed[-1] = True


class AsyncFake(Fake):
    """The same, to be awaited; its stream closes as asynchronous generators do, and not for want of a holder."""

    def __init__(self, answer: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
        super().__init__(answer)
        self.kept: list[AsyncIterator[Any]] = []

    def create(self, **body: Any) -> Any:
        return self._waited(body)

    async def _waited(self, body: dict[str, Any]) -> Any:
        await asyncio.sleep(0)
        made = super().create(**body)
        if not body.get("stream"):
            return made
        self.kept.append(self._asynchronous(made))
        return self.kept[-1]

    async def _asynchronous(self, made: Any) -> AsyncIterator[Any]:
        try:
            for event in made:
                await asyncio.sleep(0)
                yield event
        finally:
            made.close()


def test_a_client_of_the_same_shape_will_do() -> None:
    """Dicts for responses and events, generators for streams, and errors of the client's own class."""
    answers = iter([response(reasoning(id="rs_1"), message("One.")), RefusedError("P7"), response(message("Two."))])

    def answer(_: dict[str, Any]) -> dict[str, Any]:
        made = next(answers)
        if isinstance(made, Exception):
            raise made
        return made

    client = Fake(answer)
    session = Session(client, PIPELINE, STATE, OPTIONS)
    list(session.stream("Hello."))
    turn = session.send("And?")

    assert ("Two.", "P7", [True]) == (turn.text, turn.refusal, client.closed)


def test_asynchronous_generators_are_closed() -> None:
    """An asynchronous generator is closed behind the turn, whether it was read to its end or not."""
    client = AsyncFake(lambda _: response(message("Hello.")))

    async def run() -> None:
        session = AsyncSession(client, PIPELINE, STATE, OPTIONS)
        async for _ in session.stream("One."):
            pass
        events = session.stream("Two.")
        await anext(events)
        await events.aclose()
        assert [True, True] == client.closed  # here: the loop closes what is left when it ends

    asyncio.run(run())


def _echo(body: dict[str, Any]) -> dict[str, Any]:
    """An answer that tells which conversation it belongs to, and how many requests that has had."""
    name = body["metadata"]["name"]
    number = len(of_type(body["input"], "reasoning"))
    return response(reasoning(id=f"rs_{name}_{number}"), message(f"{name} {number}", id=f"msg_{name}_{number}"))


def _whole(state: AgentState, name: str, turns: int) -> None:
    """Holds that a state is of one conversation alone."""
    texts = [str(one.content) for one in state.messages if one.role == "assistant"]
    assert [f"{name} {number}" for number in range(turns)] == texts
    assert turns == len(state.thoughts)
    assert {name} == {str(one.content) for one in state.messages if one.role == "user"}


def test_many_tasks_each_with_a_session(clients: Clients) -> None:
    """Sessions that share client and pipeline, in tasks that run at once, never see each other's turns."""

    async def converse(client: Any, name: str, streams: bool) -> AgentState:
        session = AsyncSession(client, PIPELINE, STATE, OPTIONS, metadata={"name": name})
        for _ in range(4):
            if not streams:
                await session.send(name)
                continue
            async for _ in session.stream(name):
                await asyncio.sleep(0)
        return session.state

    async def run(base_url: str) -> list[AgentState]:
        client = clients.asynchronous.with_options(base_url=base_url)
        return await asyncio.gather(*(converse(client, f"n{number}", number % 2 == 0) for number in range(6)))

    with ResponsesServer(_echo) as server:
        states = clients.runner.run(run(server.base_url))

    for number, state in enumerate(states):
        _whole(state, f"n{number}", 4)
    assert 24 == len(server.requests)


def test_many_threads_each_with_a_session(clients: Clients) -> None:
    """The same with threads."""
    states: dict[str, AgentState] = {}

    def converse(client: Any, name: str) -> None:
        session = Session(client, PIPELINE, STATE, OPTIONS, metadata={"name": name})
        for turn in range(4):
            if turn % 2:
                session.send(name)
            else:
                list(session.stream(name))
        states[name] = session.state

    with ResponsesServer(_echo) as server:
        client = clients.sync.with_options(base_url=server.base_url)
        threads = [threading.Thread(target=converse, args=(client, f"n{number}")) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert 4 == len(states)
    for name, state in states.items():
        _whole(state, name, 4)


def test_two_turns_of_one_session_at_once_lose_nothing() -> None:
    """Not meant to be, but harmless: both messages and both answers are in the state."""
    client = Fake(lambda body: response(message(f"Answer {len(body['input'])}.")))
    session = Session(client, PIPELINE, STATE, OPTIONS)
    first = session.stream("One.")
    next(first)
    session.send("Two.")
    list(first)

    assert ["Answer 1.", "Answer 1.", "One.", "Two."] == sorted(str(one.content) for one in session.state.messages)


OUTCOMES: Final = st.sampled_from(
    ["answer", "calls", "P1", "P2", "P6", "P7", "P8", "P9", "F3", "F4", "P3", "lost", "cut"]
)


@attrs.define
class Trouble:
    """Answers, refusals and lost connections as hypothesis wants them; an answer when it has no more wishes."""

    wishes: Iterator[str]
    number: int = 0

    def __call__(self, body: dict[str, Any]) -> dict[str, Any]:
        self.number += 1
        number = self.number
        match next(self.wishes, "answer"):
            case "answer":
                return response(reasoning(id=f"rs_{number}"), message("Yes.", id=f"msg_{number}"), id=f"resp_{number}")
            case "calls":
                call = function_call("weather", call_id=f"call_{number}", id=f"fc_{number}")
                return response(reasoning("Hm.", id=f"rs_{number}"), call, id=f"resp_{number}")
            case "lost":
                raise ConnectionError("lost")
            case "cut":
                return response(message("Half"), status="in_progress")
            case rule:
                raise RefusedError(rule)


def _turns(asynchronous: bool, streams: bool, client: Any) -> tuple[Any, Callable[[str], None]]:
    """A session, and how it makes one turn."""
    if not asynchronous:
        session = Session(client, PIPELINE, STATE, OPTIONS)
        return session, lambda text: (list(session.stream(text)), None)[1] if streams else (session.send(text), None)[1]
    waiting = AsyncSession(client, PIPELINE, STATE, OPTIONS)

    async def turn(text: str) -> None:
        if not streams:
            await waiting.send(text)
            return
        async for _ in waiting.stream(text):
            pass

    return waiting, lambda text: asyncio.run(turn(text))


@given(st.lists(OUTCOMES, max_size=12), st.booleans(), st.booleans())
def test_whatever_happens_turns_are_whole_or_not_at_all(wishes: list[str], asynchronous: bool, streams: bool) -> None:
    """At most two requests a turn, each clean; a turn that fails takes nothing in; refused reasoning never returns."""
    trouble = Trouble(iter(wishes))
    client = (AsyncFake if asynchronous else Fake)(trouble)
    session, turn = _turns(asynchronous, streams, client)
    refused: set[str] = set()
    for number in range(6):
        before, sent = session.state, len(client.bodies)
        try:
            turn(f"Message {number}.")
        except (RefusedError, ConnectionError, StreamFailedError):
            assert session.turn is None
        made = client.bodies[sent:]
        answered = session.turn is not None and session.turn.finish != "in_progress"

        assert len(made) in (1, 2)
        assert len(before.messages) + (0 if not answered else len(session.turn.ingested.messages) + 1) == len(
            session.state.messages
        )
        for body in made:
            assert [] == [one for one in check_request(body) if one.severity == "error"]
            assert not refused & {one["encrypted_content"] for one in of_type(body["input"], "reasoning")}
        if len(made) == 2:
            refused |= {one["encrypted_content"] for one in of_type(made[0]["input"], "reasoning")}
            assert [] == of_type(made[1]["input"], "reasoning")
        for call in session.pending:
            session.complete(call.id, "Done.")

    assert all(client.closed)


@given(st.lists(st.sampled_from(["answer", "calls", "P7", "P2", "P8"]), max_size=8))
def test_every_request_is_that_of_a_pipeline(wishes: list[str]) -> None:
    """What a session remembers between turns never shows: each request is built alike without a session."""
    client = Fake(Trouble(iter(wishes)))
    session = Session(client, PIPELINE, STATE, OPTIONS)
    for number in range(5):
        state, options = session.state, session.options
        try:
            turn = session.send(f"Message {number}.")
        except RefusedError:
            continue
        finally:
            session.complete(session.pending[0].id, "Done.") if session.pending else None
        message = session.state.messages[len(state.messages)]
        sent = attrs.evolve(state, messages=[*state.messages, message])
        if turn.refusal is None:
            assert PIPELINE.build_sync(sent, options).to_request() == client.bodies[-1]
        else:
            again = PIPELINE.rebuild_without_reasoning_sync(sent, session.options)
            assert again.input == client.bodies[-1]["input"]


def test_responses_may_be_objects() -> None:
    """A response as an object with ``model_dump`` is read like its dict."""
    body = response(message("Hi."))

    class Model:
        def model_dump(self, **_: Any) -> dict[str, Any]:
            return body

    made = Model()
    assert body == as_mapping(made)
    client: Any = Fake(lambda _: made)  # type: ignore[arg-type, return-value]
    assert "Hi." == Session(client, PIPELINE, STATE, OPTIONS).send("Hello.").text


@pytest.mark.parametrize("kind", [Session, AsyncSession])
def test_a_session_says_what_it_is(kind: Any) -> None:
    """Before the first turn there is no turn, no slots, and nothing pending."""
    session = kind(Fake(lambda _: response()), PIPELINE, STATE, OPTIONS)

    assert (None, None, (), STATE, OPTIONS) == (
        session.turn,
        session.slots,
        session.pending,
        session.state,
        session.options,
    )
