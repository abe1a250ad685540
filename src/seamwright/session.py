"""A conversation over an ``openai`` client: build, send, ingest, and one rebuild when replayed reasoning is refused.

The session runs no tools: each turn yields the calls that wait for results. The client is the extra ``openai``'s, or
anything of its shape; nothing of it is imported here.
"""

from __future__ import annotations

import inspect
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Protocol

from seamwright.conversation import Conversation, Plan, Sent, Turn
from seamwright.model.message import Message
from seamwright.model.options import RenderOptions
from seamwright.model.state import AgentState
from seamwright.pipeline.pipeline import Pipeline

__all__ = ["AsyncClient", "AsyncSession", "Client", "Session", "Turn"]


class _Responses(Protocol):
    @property
    def create(self) -> Callable[..., Any]: ...


class _AsyncResponses(Protocol):
    @property
    def create(self) -> Callable[..., Awaitable[Any]]: ...


class Client(Protocol):
    """What :class:`Session` needs of a client: ``responses.create``, as of ``openai.OpenAI``."""

    @property
    def responses(self) -> _Responses: ...


class AsyncClient(Protocol):
    """What :class:`AsyncSession` needs of a client: ``responses.create``, as of ``openai.AsyncOpenAI``."""

    @property
    def responses(self) -> _AsyncResponses: ...


class Session(Conversation):
    """A conversation over ``openai.OpenAI``: one turn after the other.

    ``params`` go with every request (``reasoning={"effort": "high"}``), those of a turn before them; ``include`` is
    united. Requests are checked before they are sent: :class:`InvalidRequestError` instead of a 400.

    When the API refuses replayed reasoning, the turn is sent once more without any, and the refused thoughts are marked
    ``withheld`` for good. A model that takes none at all (P8, P9) has ``options.reasoning_replay`` set to ``off``, an
    endpoint that looks ids up (P2, P6) gets none any more. A request in which there is nothing to leave out is not
    repeated. Whatever else the client raises passes through.

    A turn that raises, and one that is no answer (``turn.finish`` is ``failed``, ``cancelled`` or ``in_progress``),
    leaves the state as it was, without the message, but for what was learnt about refused reasoning.
    """

    def __init__(
        self,
        client: Client,
        pipeline: Pipeline,
        state: AgentState,
        options: RenderOptions,
        *,
        render_ctx: object = None,
        **params: Any,
    ) -> None:
        super().__init__(pipeline, state, options, render_ctx, params)
        self._client = client

    def send(self, message: Message | str | None = None, **params: Any) -> Turn:
        """Sends the conversation, with a user message at its end when one is given, and takes the answer in.

        A message whose time is not behind everything in the timeline gets one that is.
        """
        sent = self._sent(self._plan(message, params))
        try:
            response = self._create(sent)
        except Exception as error:
            again = self._again(error, sent)
            if again is None:
                raise
        else:
            turn = self._answered(response, sent)
            again = self._again(turn.ingested.error, sent) if turn.finish == "failed" else None
            if again is None:
                return turn
        return self._answered(self._create(again), again)

    def stream(self, message: Message | str | None = None, **params: Any) -> Generator[Any, None, None]:
        """Like :meth:`send`, giving the SDK's events as they come; it begins with the first ``next``.

        ``slots`` shows the text so far, ``turn`` the answer at the end. Raises :class:`StreamFailedError` when the
        stream says that it failed. One that ends before its terminal event gives a turn that is ``in_progress``; when
        reading stops early, there is no turn. Either way the SDK's stream is closed. After a refusal behind
        ``response.created``, the second attempt's events follow, with a ``response.created`` of their own; nothing that
        was shown is repeated.
        """
        sent: Sent | None = self._sent(self._plan(message, params))
        while sent is not None:
            reading, again = self._reading(), None
            try:
                with _closing(self._create(sent, stream=True)) as events:
                    for event in events:
                        yield reading.take(event)
                        reading.go_on()
            except Exception as error:
                again = self._again(error, sent) if reading.may_repeat else None
                if again is None and not reading.has_ended:
                    raise
            if again is None:
                self._answered(reading.slots.result(), sent)
            sent = again

    def _create(self, sent: Sent, **more: Any) -> Any:
        response = self._client.responses.create(**sent.body, **more)
        if inspect.isawaitable(response):
            if inspect.iscoroutine(response):
                response.close()
            raise TypeError("the client is asynchronous: AsyncSession is for it")
        return response

    def _sent(self, plan: Plan) -> Sent:
        request = self._renderer.build_sync(plan.state, plan.options, self.render_ctx, check="error")
        return Sent(plan, request, request.to_request(**plan.params))

    def _again(self, error: object, sent: Sent) -> Sent | None:
        plan = self._cure(error, sent)
        return None if plan is None else self._remembered(self._sent(plan), sent)


class AsyncSession(Conversation):
    """A conversation over ``openai.AsyncOpenAI``; see :class:`Session`."""

    def __init__(
        self,
        client: AsyncClient,
        pipeline: Pipeline,
        state: AgentState,
        options: RenderOptions,
        *,
        render_ctx: object = None,
        **params: Any,
    ) -> None:
        super().__init__(pipeline, state, options, render_ctx, params)
        self._client = client

    async def send(self, message: Message | str | None = None, **params: Any) -> Turn:
        """See :meth:`Session.send`."""
        sent = await self._sent(self._plan(message, params))
        try:
            response = await self._create(sent)
        except Exception as error:
            again = await self._again(error, sent)
            if again is None:
                raise
        else:
            turn = self._answered(response, sent)
            again = await self._again(turn.ingested.error, sent) if turn.finish == "failed" else None
            if again is None:
                return turn
        return self._answered(await self._create(again), again)

    async def stream(self, message: Message | str | None = None, **params: Any) -> AsyncGenerator[Any, None]:
        """See :meth:`Session.stream`.

        ``async with contextlib.aclosing(session.stream(…)) as events`` closes the SDK's stream at once when reading
        stops early; without it, the event loop does so later.
        """
        sent: Sent | None = await self._sent(self._plan(message, params))
        while sent is not None:
            reading, again = self._reading(), None
            try:
                async with _aclosing(await self._create(sent, stream=True)) as events:
                    async for event in events:
                        yield reading.take(event)
                        reading.go_on()
            except Exception as error:
                again = await self._again(error, sent) if reading.may_repeat else None
                if again is None and not reading.has_ended:
                    raise
            if again is None:
                self._answered(reading.slots.result(), sent)
            sent = again

    async def _create(self, sent: Sent, **more: Any) -> Any:
        response = self._client.responses.create(**sent.body, **more)
        if not inspect.isawaitable(response):
            raise TypeError("the client is not asynchronous: Session is for it")
        return await response

    async def _sent(self, plan: Plan) -> Sent:
        request = await self._renderer.build(plan.state, plan.options, self.render_ctx, check="error")
        return Sent(plan, request, request.to_request(**plan.params))

    async def _again(self, error: object, sent: Sent) -> Sent | None:
        plan = self._cure(error, sent)
        return None if plan is None else self._remembered(await self._sent(plan), sent)


@contextmanager
def _closing(events: Any) -> Generator[Any, None, None]:
    """The events, closed behind the block where they can be: the connection goes back to the client."""
    try:
        yield events
    finally:
        close = getattr(events, "close", None)
        if close is not None:
            close()


@asynccontextmanager
async def _aclosing(events: Any) -> AsyncGenerator[Any, None]:
    """:func:`_closing` for the SDK's asynchronous stream, or an asynchronous generator."""
    try:
        yield events
    finally:
        close = getattr(events, "close", None) or getattr(events, "aclose", None)
        closed = None if close is None else close()
        if inspect.isawaitable(closed):
            await closed
