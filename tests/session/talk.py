"""One way to talk for every kind of session: plain or streamed, over the synchronous client or the asynchronous one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final, Protocol

import attrs
import openai

from seamwright import AgentState, AsyncSession, Message, Pipeline, RenderOptions, Session, Tool, Turn
from seamwright.testing.server import ResponsesServer
from seamwright_containers import responses_pipeline

OPTIONS: Final = RenderOptions(model="gpt-5.4")
PIPELINE: Final = responses_pipeline()

_SCHEMA: Final = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
STATE: Final = AgentState(
    system_prompt="You tell the weather and the time.",
    tools=[
        Tool(name="weather", description="The weather of a city.", input_schema=_SCHEMA),
        Tool(name="clock", description="The time in a city.", input_schema=_SCHEMA, trusted=True),
    ],
)

AnySession = Session | AsyncSession


class Clients:
    """The vendor's two clients, made once for all tests: making one takes longer than a test."""

    def __init__(self) -> None:
        self.runner = asyncio.Runner()
        self.sync = openai.OpenAI(base_url="http://127.0.0.1:9", api_key="none", max_retries=0, timeout=10)
        self.asynchronous = openai.AsyncOpenAI(base_url="http://127.0.0.1:9", api_key="none", max_retries=0, timeout=10)

    def close(self) -> None:
        """Closes both, the asynchronous one in its own loop."""
        self.sync.close()
        self.runner.run(self.asynchronous.close())
        self.runner.close()


class Mode(Protocol):
    """How a turn is made."""

    name: str
    streams: bool

    def session(self, clients: Clients, base_url: str, state: AgentState, options: Any, **more: Any) -> AnySession: ...
    def turn(self, clients: Clients, session: Any, message: Any, params: dict[str, Any]) -> list[Any]: ...


@attrs.frozen
class Sync:
    """Over ``openai.OpenAI``."""

    name: str
    streams: bool

    def session(self, clients: Clients, base_url: str, state: AgentState, options: Any, **more: Any) -> AnySession:
        pipeline = more.pop("pipeline", PIPELINE)
        return Session(clients.sync.with_options(base_url=base_url), pipeline, state, options, **more)

    def turn(self, clients: Clients, session: Session, message: Any, params: dict[str, Any]) -> list[Any]:
        if self.streams:
            return list(session.stream(message, **params))
        assert session.send(message, **params) is session.turn
        return []


@attrs.frozen
class Async:
    """Over ``openai.AsyncOpenAI``."""

    name: str
    streams: bool

    def session(self, clients: Clients, base_url: str, state: AgentState, options: Any, **more: Any) -> AnySession:
        pipeline = more.pop("pipeline", PIPELINE)
        return AsyncSession(clients.asynchronous.with_options(base_url=base_url), pipeline, state, options, **more)

    def turn(self, clients: Clients, session: AsyncSession, message: Any, params: dict[str, Any]) -> list[Any]:
        async def whole() -> list[Any]:
            if self.streams:
                return [event async for event in session.stream(message, **params)]
            assert await session.send(message, **params) is session.turn
            return []

        return clients.runner.run(whole())


MODES: Final[tuple[Mode, ...]] = (
    Sync("plain", streams=False),
    Sync("streamed", streams=True),
    Async("async", streams=False),
    Async("async-streamed", streams=True),
)


@attrs.frozen
class Talk:
    """A session over a server on loopback.

    ``events`` of the last turn, when it was streamed.
    """

    mode: Mode
    clients: Clients
    server: ResponsesServer
    session: Any
    events: list[Any] = attrs.field(factory=list[Any])

    def turn(self, message: Message | str | None = None, **params: Any) -> Turn:
        """One turn, whatever the mode; raises what the session raises."""
        self.events[:] = self.mode.turn(self.clients, self.session, message, params)
        turn: Turn = self.session.turn
        return turn

    @property
    def state(self) -> AgentState:
        """The session's state as it is now."""
        state: AgentState = self.session.state
        return state

    def sent(self, place: int = -1) -> list[dict[str, Any]]:
        """The items of one request that reached the server."""
        items: list[dict[str, Any]] = self.server.requests[place]["input"]
        return items


@attrs.frozen
class Speaker:
    """Starts conversations in one mode."""

    mode: Mode
    clients: Clients

    @contextmanager
    def talk(
        self,
        script: Iterable[Any] | Callable[[dict[str, Any]], Any],
        state: AgentState = STATE,
        options: RenderOptions = OPTIONS,
        pipeline: Pipeline = PIPELINE,
        server: dict[str, Any] | None = None,
        **more: Any,
    ) -> Iterator[Talk]:
        """A conversation with a server that answers by ``script``."""
        with ResponsesServer(script, **(server or {})) as listening:
            session = self.mode.session(self.clients, listening.base_url, state, options, pipeline=pipeline, **more)
            yield Talk(self.mode, self.clients, listening, session)


def of_type(items: Iterable[dict[str, Any]], *types: str) -> list[dict[str, Any]]:
    """The items of some types."""
    return [item for item in items if item.get("type") in types]


def replayed(item: dict[str, Any]) -> dict[str, Any]:
    """A reasoning item as it goes back: the encrypted part, the summary and the id, and nothing else."""
    return {key: item[key] for key in ("type", "id", "summary", "encrypted_content")}
