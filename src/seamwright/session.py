"""A conversation over an ``openai`` client: build, send, ingest, and one rebuild when replayed reasoning is refused.

The session runs no tools: each turn yields the calls that wait for results. Extra ``openai``.
"""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from typing import Any

import attrs

from seamwright.ingest.ingested import Ingested
from seamwright.ingest.rejection import classify_rejection, is_replay_refusal
from seamwright.model.message import Message
from seamwright.model.options import RenderOptions
from seamwright.model.state import AgentState
from seamwright.model.tool_call import ToolCall
from seamwright.pipeline.pipeline import Pipeline
from seamwright.seams.ids import Thing
from seamwright.seams.slots import Slots
from seamwright.wire.assembled import AssembledInput


@attrs.frozen(kw_only=True)
class Turn:
    """One answer of the model.

    ``request`` is what was sent last; ``refusal`` the rule that a first attempt broke, when one did.
    """

    ingested: Ingested
    request: AssembledInput
    refusal: str | None = None

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The calls that wait for results; give them to :meth:`Session.complete`."""
        return self.ingested.runnable_calls

    @property
    def text(self) -> str:
        """What the model said."""
        return self.ingested.text


@attrs.frozen
class _Attempt:
    """What is about to be sent, and what the state will be when it is answered."""

    state: AgentState
    options: RenderOptions
    request: AssembledInput
    refusal: str | None = None


class _Conversation:
    """What the two sessions share: everything that does not wait for the network."""

    def __init__(
        self, client: Any, pipeline: Pipeline, state: AgentState, options: RenderOptions, **params: Any
    ) -> None:
        self._client = client
        self._pipeline = pipeline
        self._params = params
        self.state = state
        self.options = options
        self.turn: Turn | None = None
        self.slots: Slots | None = None

    def complete(self, call_id: str, results: Any, trusted: bool | None = None, is_error: bool = False) -> None:
        """Gives a pending call its results (text, artifact(s) or media)."""
        self.state = self.state.complete(call_id, results, trusted, is_error)

    def _with(self, message: Message | str | None) -> AgentState:
        """The state to send: with a user message at its end when there is one."""
        if message is None:
            return self.state
        if isinstance(message, str):
            message = Message(id=f"user-{uuid.uuid4()}", role="user", content=message, created_at=self._now())
        return attrs.evolve(self.state, messages=(*self.state.messages, message))

    def _now(self) -> Any:
        """The clock, but behind everything in the state, so that the message stands last."""
        state = self.state
        things: list[Thing] = [*state.messages, *state.thoughts, *state.tool_calls, *state.provider_items]
        latest = max((thing.created_at for thing in things), default=None)
        now = self._pipeline.seams.clock()
        return now if latest is None else max(now, latest + timedelta(milliseconds=1))

    def _parameters(self, attempt: _Attempt, params: dict[str, Any]) -> dict[str, Any]:
        return attempt.request.to_request(**{**self._params, **params})

    def _refused(self, error: Exception, attempt: _Attempt) -> tuple[AgentState, RenderOptions, str] | None:
        """State and options for the one rebuild that a turn may have, and the rule that was broken.

        None when a rebuild is no cure.
        """
        rule = classify_rejection(error)
        if rule is None or attempt.refusal is not None or not is_replay_refusal(rule):
            return None
        options = attempt.options
        if rule == "P2":  # an id travels without the reasoning of its response, which this state never had
            options = attrs.evolve(options, endpoint=attrs.evolve(options.endpoint, ids="never"))
        reason = f"{rule}: {error}"[:500]
        self.state, self.options = self.state.withhold(reason), options
        return attempt.state.withhold(reason), options, rule

    def _answered(self, response: object, attempt: _Attempt) -> Turn:
        ingested = self._pipeline.ingest(response, attempt.request, attempt.state)
        self.state = attempt.state.extend(ingested)
        self.turn = Turn(ingested=ingested, request=attempt.request, refusal=attempt.refusal)
        return self.turn


class Session(_Conversation):
    """A conversation over ``openai.OpenAI``.

    ``params`` go with every request (``reasoning={"effort": "high"}``). Requests are checked before they are sent:
    :class:`InvalidRequestError` instead of a 400. A turn that fails leaves the state as it was, but for reasoning that
    the API refused: that is remembered in ``withheld`` and not sent again.
    """

    def send(self, message: Message | str | None = None, **params: Any) -> Turn:
        """Sends the conversation, with a user message at its end when one is given, and takes the answer in."""
        attempt = self._attempt(self._with(message), self.options)
        while True:
            try:
                response = self._client.responses.create(**self._parameters(attempt, params))
            except Exception as error:  # noqa: BLE001 raised again unless it is a refusal that a rebuild cures
                attempt = self._again(error, attempt)
            else:
                return self._answered(response, attempt)

    def stream(self, message: Message | str | None = None, **params: Any) -> Iterator[Any]:
        """Like :meth:`send`, giving the SDK's events as they come.

        ``slots`` shows the text so far, ``turn`` the answer at the end.
        """
        attempt = self._attempt(self._with(message), self.options)
        while True:
            slots = self.slots = self._pipeline.seams.output_slots()
            begun = False
            try:
                for event in self._client.responses.create(**self._parameters(attempt, params), stream=True):
                    slots.feed(event)
                    yield event
                    begun = True
            except Exception as error:
                if begun and not _only_opened(slots):
                    raise
                attempt = self._again(error, attempt)
            else:
                self._answered(slots.result(), attempt)
                return

    def _attempt(self, state: AgentState, options: RenderOptions, refusal: str | None = None) -> _Attempt:
        request = self._pipeline.build_sync(state, options, check="error")
        return _Attempt(state, options, request, refusal)

    def _again(self, error: Exception, attempt: _Attempt) -> _Attempt:
        cure = self._refused(error, attempt)
        if cure is None:
            raise error
        return self._attempt(*cure)


class AsyncSession(_Conversation):
    """A conversation over ``openai.AsyncOpenAI``; see :class:`Session`."""

    async def send(self, message: Message | str | None = None, **params: Any) -> Turn:
        """Sends the conversation, with a user message at its end when one is given, and takes the answer in."""
        attempt = await self._attempt(self._with(message), self.options)
        while True:
            try:
                response = await self._client.responses.create(**self._parameters(attempt, params))
            except Exception as error:  # noqa: BLE001 raised again unless it is a refusal that a rebuild cures
                attempt = await self._again(error, attempt)
            else:
                return self._answered(response, attempt)

    async def stream(self, message: Message | str | None = None, **params: Any) -> AsyncIterator[Any]:
        """Like :meth:`send`, giving the SDK's events as they come.

        ``slots`` shows the text so far, ``turn`` the answer at the end.
        """
        attempt = await self._attempt(self._with(message), self.options)
        while True:
            slots = self.slots = self._pipeline.seams.output_slots()
            begun = False
            try:
                events = await self._client.responses.create(**self._parameters(attempt, params), stream=True)
                async for event in events:
                    slots.feed(event)
                    yield event
                    begun = True
            except Exception as error:
                if begun and not _only_opened(slots):
                    raise
                attempt = await self._again(error, attempt)
            else:
                self._answered(slots.result(), attempt)
                return

    async def _attempt(self, state: AgentState, options: RenderOptions, refusal: str | None = None) -> _Attempt:
        request = await self._pipeline.build(state, options, check="error")
        return _Attempt(state, options, request, refusal)

    async def _again(self, error: Exception, attempt: _Attempt) -> _Attempt:
        cure = self._refused(error, attempt)
        if cure is None:
            raise error
        return await self._attempt(*cure)


def _only_opened(slots: Slots) -> bool:
    """Whether nothing of the answer was shown yet, so that a second attempt repeats nothing."""
    return not slots.views()
