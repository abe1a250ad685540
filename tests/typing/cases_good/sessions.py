"""Sessions over the vendor's clients, and over anything of their shape."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from typing import Any, assert_type

import openai

from seamwright import AgentState, AsyncSession, Message, Pipeline, RenderOptions, Session, ToolCall, Turn
from seamwright.session import AsyncClient, Client


class Own:
    """A client of the host's own."""

    @property
    def responses(self) -> Own:
        return self

    def create(self, *, model: str, **body: Any) -> dict[str, Any]:
        return {"model": model}


class OwnAsync:
    """The same, to be awaited."""

    @property
    def responses(self) -> OwnAsync:
        return self

    async def create(self, **body: Any) -> dict[str, Any]:
        return body


def clients() -> tuple[list[Client], list[AsyncClient]]:
    return [openai.OpenAI(), openai.AzureOpenAI(), Own()], [openai.AsyncOpenAI(), openai.AsyncAzureOpenAI(), OwnAsync()]


def turns(pipeline: Pipeline, state: AgentState, options: RenderOptions, message: Message) -> None:
    session = Session(
        openai.OpenAI(), pipeline, state, options, render_ctx={"user": "Ada"}, reasoning={"effort": "low"}
    )
    turn = session.send("Hello.", tool_choice="none")
    assert_type(turn, Turn)
    assert_type(turn.calls, tuple[ToolCall, ...])
    assert_type(turn.text, str)
    assert_type(session.turn, Turn | None)
    assert_type(session.pending, tuple[ToolCall, ...])
    assert_type(session.stream(message), Generator[Any, None, None])
    for call in turn.calls:
        session.complete(call.id, "Rain.", trusted=False)
    session.send()


async def awaited(pipeline: Pipeline, state: AgentState, options: RenderOptions) -> None:
    session = AsyncSession(openai.AsyncOpenAI(), pipeline, state, options)
    assert_type(await session.send("Hello."), Turn)
    events = session.stream()
    assert_type(events, AsyncGenerator[Any, None])
    async for _ in events:
        pass
