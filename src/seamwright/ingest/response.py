"""A response taken in: what the model answered becomes state from which the next build replays its reasoning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from seamwright.errors import IngestError
from seamwright.ingest.ingested import Finish, Ingested, InputTransformation, Usage
from seamwright.ingest.plain import as_mapping
from seamwright.ingest.reading import Reader, count_reasoning
from seamwright.ingest.recording import by_collection, record_prefixes, with_fingerprint
from seamwright.model.guards import is_array, is_mapping
from seamwright.model.identity import Identity
from seamwright.model.state import AgentState
from seamwright.model.thought import Thought, is_reasoning
from seamwright.record import Seams
from seamwright.seams.ids import Thing
from seamwright.wire.assembled import AssembledInput

_NOTHING_INGESTED: Final[dict[str, Finish]] = {
    "failed": "failed",
    "cancelled": "cancelled",
    "queued": "in_progress",
    "in_progress": "in_progress",
}


def ingest(seams: Seams, response: object, request: AssembledInput, state: AgentState) -> Ingested:
    """What ``Pipeline.ingest`` does."""
    body = as_mapping(response)
    status = body.get("status")
    if isinstance(status, str) and status in _NOTHING_INGESTED:
        return _ingested(body, _NOTHING_INGESTED[status], (), request, state)
    output = _output(body)
    reader = Reader(
        response_id=_text(body.get("id")) or f"response-{_base(seams, state).isoformat()}",
        model=_text(body.get("model")) or request.model,
        identity=Identity(identifier=request.options.self_identity, representation=request.options.self_identity),
        base=_base(seams, state),
        reasoning_count=count_reasoning(output),
        incomplete=status == "incomplete",
    )
    things = reader.read(output)
    recorded = record_prefixes(seams, request, state, things)
    things = [
        with_fingerprint(thing, recorded[thing.id]) if isinstance(thing, Thought) and thing.id in recorded else thing
        for thing in things
    ]
    return _ingested(body, _finish(body, output), things, request, state)


def _output(body: Mapping[str, Any]) -> list[Any]:
    output = body.get("output")
    if is_array(output):
        return list(output)
    if body.get("object") == "response" and output is None:
        return []
    error = body.get("error")
    if is_mapping(error) and isinstance(error.get("message"), str):
        raise IngestError("error", f"no response, but the API's error: {error['message']}")
    raise IngestError("output", "a response has a list of output items here")


def _base(seams: Seams, state: AgentState) -> datetime:
    """The one clock reading, moved behind everything in the timeline."""
    now: datetime = seams.clock()
    now = now if now.tzinfo is not None else now.replace(tzinfo=UTC)
    timeline: list[Sequence[Thing]] = [state.messages, state.thoughts, state.tool_calls, state.provider_items]
    latest = max((thing.created_at for things in timeline for thing in things), default=None)
    return now if latest is None else max(now, latest + timedelta(milliseconds=1))


def _finish(body: Mapping[str, Any], output: Sequence[Any]) -> Finish:
    if body.get("status") == "incomplete":
        details = body.get("incomplete_details")
        reason = details.get("reason") if is_mapping(details) else None
        return "content_filter" if reason == "content_filter" else "length"
    calls = ("function_call", "custom_tool_call")
    return "tool_calls" if any(is_mapping(i) and i.get("type") in calls for i in output) else "stop"


def _ingested(
    body: Mapping[str, Any], finish: Finish, things: Sequence[Thing], request: AssembledInput, state: AgentState
) -> Ingested:
    return Ingested(
        finish=finish,
        response_id=_text(body.get("id")) or None,
        model=_text(body.get("model")) or None,
        usage=_usage(body.get("usage")),
        input_transformations=_transformations(body.get("input_transformations"), request, state),
        prompt_cache_diagnostics=_mapping(body.get("prompt_cache_diagnostics")),
        error=_mapping(body.get("error")),
        **by_collection(things),
    )


def _usage(value: Any) -> Usage | None:
    if not is_mapping(value):
        return None
    inputs = _mapping(value.get("input_tokens_details")) or {}
    outputs = _mapping(value.get("output_tokens_details")) or {}
    return Usage(
        input_tokens=_count(value.get("input_tokens")),
        cached_tokens=_count(inputs.get("cached_tokens")),
        output_tokens=_count(value.get("output_tokens")),
        reasoning_tokens=_count(outputs.get("reasoning_tokens")),
        total_tokens=_count(value.get("total_tokens")),
        raw=value,
    )


def _transformations(value: Any, request: AssembledInput, state: AgentState) -> tuple[InputTransformation, ...]:
    if not is_array(value) or not value:
        return ()
    sent = {item.get("id") for item in request.input if item.get("type") == "reasoning"}
    owners = {thought.payload.item.get("id"): thought.id for thought in state.thoughts if is_reasoning(thought.payload)}
    return tuple(
        InputTransformation(
            item_id=_text(one.get("id")),
            action=_text(one.get("action")),
            reason=_text(one.get("reason")),
            thought_id=owners.get(one.get("id")),
            predicted=one.get("id") not in sent,
        )
        for one in value
        if is_mapping(one)
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _mapping(value: Any) -> Mapping[str, Any] | None:
    return value if is_mapping(value) else None


def _count(value: Any) -> int | None:
    """A number of tokens; foreign servers send it as text too."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 20:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None
