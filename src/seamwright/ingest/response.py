"""A response taken in: what the model answered becomes state from which the next build replays its reasoning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import count, pairwise
from typing import Any, Final

from seamwright.errors import IngestError
from seamwright.ingest.ingested import Finish, Ingested, InputTransformation, Usage
from seamwright.ingest.plain import as_index, as_mapping
from seamwright.ingest.reading import Reader, count_reasoning
from seamwright.ingest.recording import by_collection, record_prefixes, with_fingerprint
from seamwright.model.guards import is_array, is_mapping
from seamwright.model.identity import Identity
from seamwright.model.state import AgentState
from seamwright.model.text import replace_lone_surrogates
from seamwright.model.thought import Thought, is_reasoning
from seamwright.model.tool_call import ToolCall
from seamwright.record import Seams
from seamwright.seams.context import Warnings
from seamwright.seams.ids import Thing
from seamwright.wire.assembled import AssembledInput

_NOTHING_INGESTED: Final[dict[str, Finish]] = {
    "failed": "failed",
    "cancelled": "cancelled",
    "queued": "in_progress",
    "in_progress": "in_progress",
}
_CALLS: Final = ("function_call", "custom_tool_call")


def ingest(seams: Seams, response: object, request: AssembledInput, state: AgentState) -> Ingested:
    """What ``Pipeline.ingest`` does."""
    body = as_mapping(response)
    status = body.get("status")
    told = Warnings(seams.warn)
    if isinstance(status, str) and status in _NOTHING_INGESTED:
        return _ingested(body, _NOTHING_INGESTED[status], (), request, state, told=told)
    output = _output(body)
    indexes = _indexes(body, len(output))
    base = base_time(seams, state)
    author = request.options.self_identity
    reader = Reader(
        response_id=_response_id(body, base, state),
        model=_text(body.get("model")) or request.model,
        identity=Identity(identifier=author, representation=author),
        base=base,
        reasoning_count=count_reasoning(output) + (indexes is not None),
        incomplete=status == "incomplete",
        warn=told.add,
    )
    things = reader.read(output, indexes)
    recorded = record_prefixes(seams, request, state, things)
    things = [with_fingerprint(thing, recorded) for thing in things]
    return _ingested(body, _finish(body, output), things, request, state, told=told)


def _output(body: Mapping[str, Any]) -> list[Any]:
    output = body.get("output")
    if is_array(output):
        return list(output)
    if output is None and (body.get("object") == "response" or body.get("status") in ("completed", "incomplete")):
        return []
    error = body.get("error")
    if is_mapping(error) and isinstance(error.get("message"), str):
        raise IngestError("error", f"no response, but the API's error: {error['message']}")
    raise IngestError("output", "a response has a list of output items here")


def _indexes(body: Mapping[str, Any], length: int) -> list[int] | None:
    """Where the items stood in the response, when a stream lost some of them; None when none is missing.

    Reasoning of such a response counts as incomplete: what stood between its items is not known.
    """
    given = body.get("output_indexes")
    indexes = [as_index(one) for one in given] if is_array(given) else []
    known = [one for one in indexes if one is not None]
    rising = all(before < after for before, after in pairwise(known))
    return known if len(known) == len(indexes) == length and rising and known != list(range(length)) else None


def base_time(seams: Seams, state: AgentState) -> datetime:
    """The one clock reading, moved behind everything in the timeline."""
    now: datetime = seams.clock()
    now = now if now.tzinfo is not None else now.replace(tzinfo=UTC)
    latest = max((thing.created_at for thing in timeline_of(state)), default=None)
    try:
        return now if latest is None else max(now, latest + timedelta(milliseconds=1))
    except OverflowError:
        raise IngestError("", "no time is left behind what stands in the timeline") from None


def timeline_of(state: AgentState) -> Iterator[Thing]:
    """Everything that stands in a state's timeline."""
    yield from state.messages
    yield from state.thoughts
    yield from state.tool_calls
    yield from state.provider_items


def _response_id(body: Mapping[str, Any], base: datetime, state: AgentState) -> str:
    """The response's id, made this state's only one: some servers give every response the same.

    Things of one response id are one group, so two responses under one id would be taken for a single one.
    """
    own = replace_lone_surrogates(_text(body.get("id"))) or f"response-{base.isoformat()}"
    known = {thing.origin.response_id for thing in timeline_of(state) if thing.origin is not None}
    return own if own not in known else next(other for n in count(2) if (other := f"{own}#{n}") not in known)


def _finish(body: Mapping[str, Any], output: Sequence[Any]) -> Finish:
    if body.get("status") == "incomplete":
        return "content_filter" if _incomplete_reason(body) == "content_filter" else "length"
    return "tool_calls" if any(is_mapping(item) and item.get("type") in _CALLS for item in output) else "stop"


def _incomplete_reason(body: Mapping[str, Any]) -> str | None:
    details = body.get("incomplete_details")
    return (_text(details.get("reason")) or None) if is_mapping(details) else None


def _ingested(
    body: Mapping[str, Any],
    finish: Finish,
    things: Sequence[Thing],
    request: AssembledInput,
    state: AgentState,
    *,
    told: Warnings,
) -> Ingested:
    collections = by_collection(things)
    transformations = _transformations(body.get("input_transformations"), request, state)
    _tell(told, finish, _text(body.get("id")) or None, collections["tool_calls"], transformations)
    return Ingested(
        finish=finish,
        response_id=_text(body.get("id")) or None,
        model=_text(body.get("model")) or None,
        incomplete_reason=_incomplete_reason(body),
        usage=_usage(body.get("usage")),
        input_transformations=transformations,
        prompt_cache_diagnostics=_mapping(body.get("prompt_cache_diagnostics")),
        error=_mapping(body.get("error")),
        warnings=tuple(told.collected),
        **collections,
    )


def _tell(
    told: Warnings,
    finish: Finish,
    response_id: str | None,
    calls: Sequence[ToolCall],
    transformations: Sequence[InputTransformation],
) -> None:
    """What is to be known about a response as a whole, its calls, and the server's verdict on what it was sent."""
    warn = told.add
    if finish in ("cancelled", "in_progress"):
        text = f"nothing was taken in: the response is {finish.replace('_', ' ')}"
        warn("response-not-ended", text, response_id)
    for call in calls:
        if call.incomplete:
            warn("tool-call-incomplete", "the call was cut short and is not meant to be run", call.id)
    for one in transformations:
        text = f"the server kept it from the model: {one.reason}"
        warn("reasoning-withheld-by-server", text, one.thought_id or one.item_id)


def _usage(value: Any) -> Usage | None:
    if not is_mapping(value):
        return None
    inputs = _mapping(value.get("input_tokens_details")) or {}
    outputs = _mapping(value.get("output_tokens_details")) or {}
    return Usage(
        input_tokens=as_index(value.get("input_tokens")),
        cached_tokens=as_index(inputs.get("cached_tokens")),
        output_tokens=as_index(value.get("output_tokens")),
        reasoning_tokens=as_index(outputs.get("reasoning_tokens")),
        total_tokens=as_index(value.get("total_tokens")),
        raw=value,
    )


def _transformations(value: Any, request: AssembledInput, state: AgentState) -> tuple[InputTransformation, ...]:
    told = [one for one in value if is_mapping(one)] if is_array(value) else []
    if not told:
        return ()
    sent = {_text(item.get("encrypted_content")) for item in request.input if item.get("type") == "reasoning"}
    owners = {own: thought for thought in state.thoughts if (own := _text(_reasoning_of(thought).get("id")))}
    return tuple(_transformation(one, owners.get(_text(one.get("id"))), sent) for one in told)


def _transformation(one: Mapping[str, Any], owner: Thought | None, sent: set[str]) -> InputTransformation:
    """The verdict beside its thought. Some profiles send no ids: that an item was sent shows by its encrypted part."""
    return InputTransformation(
        item_id=_text(one.get("id")),
        action=_text(one.get("action")),
        reason=_text(one.get("reason")),
        thought_id=None if owner is None else owner.id,
        predicted=owner is None or _text(_reasoning_of(owner).get("encrypted_content")) not in sent,
        raw=one,
    )


def _reasoning_of(thought: Thought) -> Mapping[str, Any]:
    return thought.payload.item if is_reasoning(thought.payload) else {}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _mapping(value: Any) -> Mapping[str, Any] | None:
    return value if is_mapping(value) else None
