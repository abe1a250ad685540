"""What a session is apart from the network: what a turn sends, what an answer changes, what a refusal teaches."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, Final

import attrs

from seamwright.errors import SeamwrightError
from seamwright.ingest.ingested import Finish, Ingested
from seamwright.ingest.rejection import classify_rejection, is_replay_refusal
from seamwright.ingest.response import base_time, timeline_of
from seamwright.model.guards import is_mapping
from seamwright.model.message import Message
from seamwright.model.options import RenderOptions
from seamwright.model.state import AgentState
from seamwright.model.text import replace_lone_surrogates
from seamwright.model.tool_call import ToolCall
from seamwright.pipeline.blame import blaming
from seamwright.pipeline.pipeline import Pipeline
from seamwright.record import Seams
from seamwright.seams.slots import Slots
from seamwright.wire.assembled import ENCRYPTED, AssembledInput, check_params

_UNANSWERED: Final[frozenset[Finish]] = frozenset({"failed", "cancelled", "in_progress"})

_LONGEST_REASON: Final = 300
"""Characters of the API's words that are kept beside each refused thought."""


@attrs.frozen(kw_only=True)
class Turn:
    """One answer of the model.

    ``request`` is what was sent last; ``refusal`` the rule that a first attempt broke, when one did.
    """

    ingested: Ingested
    request: AssembledInput
    refusal: str | None = None

    @property
    def finish(self) -> Finish:
        """Why the answer ended. ``failed``, ``cancelled`` and ``in_progress`` are no answers: nothing was taken in."""
        return self.ingested.finish

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The calls that wait for results, without those that the provider cut short."""
        return self.ingested.runnable_calls

    @property
    def text(self) -> str:
        """What the model said."""
        return self.ingested.text


@attrs.frozen(kw_only=True)
class Plan:
    """What a request is made of. ``state`` has the message at its end; ``refusal`` says that it is a second attempt."""

    state: AgentState
    message: Message | None
    options: RenderOptions
    params: Mapping[str, Any]
    refusal: str | None = None
    reason: str = ""


@attrs.frozen
class Sent:
    """A request and its plan; ``body`` is what the client is called with."""

    plan: Plan
    request: AssembledInput
    body: dict[str, Any]


class Reading:
    """One stream being read, and what an error in the midst of it means."""

    def __init__(self, slots: Slots, seams: Seams) -> None:
        self.slots = slots
        self._seams = seams
        self._outside = False

    def take(self, event: object) -> object:
        """Feeds an event; until :meth:`go_on`, what is raised comes from whoever reads the events."""
        with blaming(self._seams):
            self.slots.feed(event)
        self._outside = True
        return event

    def go_on(self) -> None:
        """The reader has asked for the next event."""
        self._outside = False

    @property
    def has_ended(self) -> bool:
        """Whether the answer is whole: a connection lost behind the terminal event takes nothing away."""
        return not self._outside and _status(self.slots) not in (None, "in_progress", "queued")

    @property
    def may_repeat(self) -> bool:
        """Whether nothing of the answer was shown yet, so that a second attempt repeats nothing."""
        return not (self._outside or self.slots.views() or self.has_ended)


class Conversation:
    """What the two sessions share: everything that does not wait for the network.

    ``state`` and ``options`` may be replaced between turns; ``render_ctx`` is handed to callable texts. ``turn`` is the
    last turn's answer, None until there is one; ``slots`` what the last stream has brought so far.
    """

    def __init__(
        self, pipeline: Pipeline, state: AgentState, options: RenderOptions, render_ctx: object, params: dict[str, Any]
    ) -> None:
        self.state = state
        self.options = options
        self.render_ctx = render_ctx
        self.turn: Turn | None = None
        self.slots: Slots | None = None
        self._pipeline = pipeline
        self._renderer = pipeline.session()
        self._params = _usable(params)

    @property
    def pending(self) -> tuple[ToolCall, ...]:
        """The calls of the state that wait for results, of this turn and of those before it."""
        return tuple(call for call in self.state.tool_calls if call.results is None and not call.incomplete)

    def complete(self, call_id: str, results: Any, trusted: bool | None = None, is_error: bool = False) -> None:
        """Gives a pending call its results (text, artifact(s) or media), see :meth:`AgentState.complete`."""
        self.state = self.state.complete(call_id, results, trusted, is_error)

    def _plan(self, given: Message | str | None, params: dict[str, Any]) -> Plan:
        merged = _united(self._params, _usable(params))
        message = self._last(given)
        self.turn = self.slots = None
        return Plan(state=_with(self.state, message), message=message, options=self.options, params=merged)

    def _last(self, given: Message | str | None) -> Message | None:
        """The message, with a time behind everything in the timeline, so that it stands last."""
        if given is None:
            return None
        with blaming(self._pipeline.seams):
            end = base_time(self._pipeline.seams, self.state)
        if isinstance(given, str):
            return Message(id=f"user-{secrets.token_hex(8)}", role="user", content=given, created_at=end)
        last = all(given.created_at > thing.created_at for thing in timeline_of(self.state))
        return given if last else attrs.evolve(given, created_at=end)

    def _cure(self, error: object, sent: Sent) -> Plan | None:
        """The plan of the one rebuild that a turn may have; None when a rebuild is no cure."""
        plan = sent.plan
        rule = classify_rejection(error)
        if plan.refusal is not None or rule is None or not is_replay_refusal(rule):
            return None
        reason = f"{rule}: {_words(error)}"
        return attrs.evolve(
            plan,
            state=plan.state.withhold(reason),
            options=_options_after(rule, plan.options),
            params=_params_after(rule, plan.params),
            refusal=rule,
            reason=reason,
        )

    def _remembered(self, again: Sent, sent: Sent) -> Sent | None:
        """The second attempt, after the session has learnt what was refused.

        None when it would send the same once more.
        """
        if again.body == sent.body:
            return None
        rule, reason = again.plan.refusal or "", again.plan.reason
        self.state = self.state.withhold(reason)
        self.options = _options_after(rule, self.options)
        self._params = _params_after(rule, self._params)
        self.turn = None
        return again

    def _reading(self) -> Reading:
        seams = self._pipeline.seams
        with blaming(seams):
            self.slots = seams.output_slots()
        return Reading(self.slots, seams)

    def _answered(self, response: object, sent: Sent) -> Turn:
        """Takes an answer in. Onto the state as it is now: what the host did to it meanwhile stays."""
        ingested = self._pipeline.ingest(response, sent.request, sent.plan.state)
        if ingested.finish not in _UNANSWERED:
            self.state = _with(self.state, sent.plan.message).extend(ingested)
        self.turn = Turn(ingested=ingested, request=sent.request, refusal=sent.plan.refusal)
        return self.turn


def _with(state: AgentState, message: Message | None) -> AgentState:
    return state if message is None else attrs.evolve(state, messages=(*state.messages, message))


def _usable(params: dict[str, Any]) -> dict[str, Any]:
    """The parameters, when the session does not decide them. Raises TypeError."""
    if "stream" in params:
        raise TypeError("a session takes no 'stream'; send() does not stream, stream() does")
    check_params(params)
    return params


def _united(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any]:
    """Both, the second before the first, with what either wants included."""
    include = dict.fromkeys((*(first.get("include") or ()), *(second.get("include") or ())))
    return {**first, **second, **({"include": list(include)} if include else {})}


def _params_after(rule: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters for an API that refused with this rule: a model that takes no reasoning gives none either."""
    if rule not in ("P8", "P9"):
        return dict(params)
    include = [one for one in params.get("include") or () if one != ENCRYPTED]
    rest = {name: value for name, value in params.items() if name != "include"}
    return {**rest, "include": include} if include else rest


def _options_after(rule: str, options: RenderOptions) -> RenderOptions:
    """The options for an API that refused with this rule, where ``withheld`` alone would not cure it for good.

    P8 and P9 are about the model, which takes no reasoning whosoever made it. P2 and P6 are about ids that the API
    can't resolve: also those of items whose response had reasoning that this state never held. Endpoints that want an
    id on all reasoning (``always``) then get no reasoning.
    """
    if rule in ("P8", "P9"):
        return attrs.evolve(options, reasoning_replay="off")
    if rule not in ("P2", "P6"):
        return options
    replay = "off" if options.endpoint.ids == "always" else options.reasoning_replay
    return attrs.evolve(options, endpoint=attrs.evolve(options.endpoint, ids="never"), reasoning_replay=replay)


def _words(error: object) -> str:
    """What the API said, cut, on one line."""
    given = error.get("message") if is_mapping(error) else getattr(error, "message", None)
    text = given if isinstance(given, str) and given else str(error)
    return " ".join(replace_lone_surrogates(text[:_LONGEST_REASON]).split())


def _status(slots: Slots) -> object:
    try:
        return slots.result().get("status")
    except SeamwrightError:
        return None
