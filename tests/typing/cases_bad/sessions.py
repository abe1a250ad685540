"""Clients, messages and parameters that no session takes."""

from __future__ import annotations

import openai

from seamwright import AgentState, AsyncSession, Pipeline, RenderOptions, Session


class NoClient:
    responses = 3


async def wrong(pipeline: Pipeline, state: AgentState, options: RenderOptions) -> None:
    AsyncSession(openai.OpenAI(), pipeline, state, options)  # E: its answers can't be awaited
    Session(NoClient(), pipeline, state, options)  # E: no responses.create
    Session(openai.OpenAI(), pipeline, options, state)  # E: the wrong way round
    session = Session(openai.OpenAI(), pipeline, state, options)
    session.send(3)  # E: a number is no message
    session.stream(["Hello."])  # E: one message at a time
    session.complete(3, "Rain.")  # E: a call id is a text
    session.state = options  # E: options are no state
    waiting = AsyncSession(openai.AsyncOpenAI(), pipeline, state, options)
    for _ in waiting.stream("Hello."):  # E: its events are awaited
        pass
