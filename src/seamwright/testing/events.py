"""The event stream in which the API would send a response."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, Final, cast

from seamwright.testing.items import encrypted_content

Event = dict[str, Any]
Item = Mapping[str, Any]

CHUNK: Final = 12
"""Characters of text in one delta, unless said otherwise."""


def stream_events(response: Mapping[str, Any], chunk: int = CHUNK) -> list[Event]:
    """The events of ``response``, one item after the other, numbered from 0.

    The terminal event is that of the response's status; one that has not ended (``queued``, ``in_progress``) has none.
    ``chunk``: characters in one delta.
    """
    events = [*opening_events(response)]
    for index, item in enumerate(response.get("output") or []):
        events += item_events(item, index, chunk)
    return numbered([*events, *closing_events(response)])


def opening_events(response: Mapping[str, Any]) -> list[Event]:
    """``response.created`` and ``response.in_progress``, with the response as it stands before anything was made."""
    nothing: list[Any] = []
    begun = {
        **response,
        "status": "in_progress",
        "output": nothing,
        "usage": None,
        "incomplete_details": None,
        "error": None,
    }
    return [{"type": "response.created", "response": begun}, {"type": "response.in_progress", "response": begun}]


def closing_events(response: Mapping[str, Any]) -> list[Event]:
    """The terminal event, when the response has ended."""
    status = response.get("status")
    if status not in ("completed", "incomplete", "failed", "cancelled"):
        return []
    return [{"type": f"response.{status}", "response": dict(response)}]


def item_events(item: Item, index: int, chunk: int = CHUNK) -> list[Event]:
    """The events of one output item, from ``output_item.added`` to ``output_item.done``, without numbers."""
    kind = str(item.get("type"))
    opened = _opened(item, _EMPTIED.get(kind, {}))
    middle = _MIDDLES.get(kind)
    where = {"item_id": item.get("id"), "output_index": index}
    return [
        {"type": "response.output_item.added", "output_index": index, "item": opened},
        *({**event, **where} for event in (middle(item, chunk) if middle else ())),
        {"type": "response.output_item.done", "output_index": index, "item": dict(item)},
    ]


def numbered(events: Iterable[Event]) -> list[Event]:
    """The events with their ``sequence_number``."""
    return [{**event, "sequence_number": number} for number, event in enumerate(events)]


def sse(events: Iterable[Mapping[str, Any]]) -> bytes:
    """The events as the body of a ``text/event-stream`` answer."""
    return b"".join(sse_event(event) for event in events)


def sse_event(event: Mapping[str, Any]) -> bytes:
    """One event as server-sent event: its name, its data in one line, an empty line."""
    data = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
    # a lone surrogate becomes \udXXX: within a JSON string just its escape
    return f"event: {event.get('type')}\ndata: {data}\n\n".encode("utf-8", "backslashreplace")


def _opened(item: Item, emptied: Mapping[str, Any]) -> Event:
    """The item as announced: its texts empty, its status in progress, its reasoning encrypted as far as it went."""
    opened = {key: emptied.get(key, value) for key, value in item.items() if emptied.get(key, value) is not ...}
    if "status" in opened:
        opened["status"] = "in_progress"
    if opened.get("encrypted_content"):
        opened["encrypted_content"] = encrypted_content("begun")
    return opened


# What a field holds when its item is announced; ``...``: it is not there yet.
_EMPTIED: Final[dict[str, dict[str, Any]]] = {
    "message": {"content": []},
    "reasoning": {"summary": [], "content": []},
    "function_call": {"arguments": ""},
    "custom_tool_call": {"input": ""},
    "web_search_call": {"action": ...},
    "file_search_call": {"queries": [], "results": None},
    "code_interpreter_call": {"code": "", "outputs": None},
    "image_generation_call": {"result": None},
    "mcp_call": {"arguments": "", "output": None},
    "mcp_list_tools": {"tools": []},
}

_Middle = Callable[[Item, int], Iterator[Event]]


def _deltas(name: str, text: str, chunk: int, done: str, where: Mapping[str, int]) -> Iterator[Event]:
    """A text in deltas, and its end. ``done``: the key that holds the whole text there."""
    for start in range(0, len(text), max(chunk, 1)):
        yield {"type": f"{name}.delta", "delta": text[start : start + max(chunk, 1)], **where}
    yield {"type": f"{name}.done", done: text, **where}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _list(value: object) -> list[Any]:
    return [*cast(list[object], value)] if isinstance(value, list) else []


def _message(item: Item, chunk: int) -> Iterator[Event]:
    for position, part in enumerate(_list(item.get("content"))):
        yield from _part(part, position, chunk)


def _part(part: Mapping[str, Any], position: int, chunk: int) -> Iterator[Event]:
    """One content part: of a message, or the reasoning text of a reasoning item."""
    where = {"content_index": position}
    name, key = _PART_TEXTS.get(str(part.get("type")), (None, ""))
    begun = {**part, key: ""} if name else dict(part)
    yield {"type": "response.content_part.added", **where, "part": {**begun, **_without_notes(part)}}
    if name:
        yield from _deltas(name, _text(part.get(key)), chunk, key, where)
    for number, note in enumerate(_list(part.get("annotations"))):
        added = {"annotation_index": number, "annotation": note}
        yield {"type": "response.output_text.annotation.added", **where, **added}
    yield {"type": "response.content_part.done", **where, "part": dict(part)}


_PART_TEXTS: Final = {
    "output_text": ("response.output_text", "text"),
    "refusal": ("response.refusal", "refusal"),
    "reasoning_text": ("response.reasoning_text", "text"),
}


def _without_notes(part: Mapping[str, Any]) -> Event:
    return {"annotations": []} if "annotations" in part else {}


def _reasoning(item: Item, chunk: int) -> Iterator[Event]:
    name = "response.reasoning_summary"
    for position, part in enumerate(_list(item.get("summary"))):
        where = {"summary_index": position}
        yield {"type": f"{name}_part.added", **where, "part": {**part, "text": ""}}
        yield from _deltas(f"{name}_text", _text(part.get("text")), chunk, "text", where)
        yield {"type": f"{name}_part.done", **where, "part": dict(part)}
    for position, part in enumerate(_list(item.get("content"))):
        yield from _part(part, position, chunk)


def _field(name: str, key: str, item: Item, chunk: int) -> Iterator[Event]:
    yield from _deltas(name, _text(item.get(key)), chunk, key, {})


def _steps(kind: str, *steps: str) -> _Middle:
    """A hosted call that only tells how far it is."""

    def middle(_item: Item, _chunk: int) -> Iterator[Event]:
        yield from ({"type": f"response.{kind}.{step}"} for step in steps)

    return middle


def _code_interpreter(item: Item, chunk: int) -> Iterator[Event]:
    yield {"type": "response.code_interpreter_call.in_progress"}
    yield from _field("response.code_interpreter_call_code", "code", item, chunk)
    yield {"type": "response.code_interpreter_call.interpreting"}
    yield {"type": "response.code_interpreter_call.completed"}


def _mcp_call(item: Item, chunk: int) -> Iterator[Event]:
    yield {"type": "response.mcp_call.in_progress"}
    yield from _field("response.mcp_call_arguments", "arguments", item, chunk)
    yield {"type": f"response.mcp_call.{'failed' if item.get('error') else 'completed'}"}


def _apply_patch(item: Item, chunk: int) -> Iterator[Event]:
    operation = item.get("operation")
    if isinstance(operation, Mapping) and "diff" in operation:
        yield from _field("response.apply_patch_call_operation_diff", "diff", cast(Item, operation), chunk)


def _shell(item: Item, chunk: int) -> Iterator[Event]:
    action = item.get("action")
    commands = _list(cast(Item, action).get("commands")) if isinstance(action, Mapping) else []
    for position, command in enumerate(commands):
        where = {"command_index": position}
        yield {"type": "response.shell_call_command.added", "command": "", **where}
        yield from _deltas("response.shell_call_command", _text(command), chunk, "command", where)


_MIDDLES: Final[dict[str, _Middle]] = {
    "message": _message,
    "reasoning": _reasoning,
    "function_call": partial(_field, "response.function_call_arguments", "arguments"),
    "custom_tool_call": partial(_field, "response.custom_tool_call_input", "input"),
    "web_search_call": _steps("web_search_call", "in_progress", "searching", "completed"),
    "file_search_call": _steps("file_search_call", "in_progress", "searching", "completed"),
    "image_generation_call": _steps("image_generation_call", "in_progress", "generating", "completed"),
    "mcp_list_tools": _steps("mcp_list_tools", "in_progress", "completed"),
    "compaction": _steps("compaction", "compacting"),
    "code_interpreter_call": _code_interpreter,
    "mcp_call": _mcp_call,
    "apply_patch_call": _apply_patch,
    "shell_call": _shell,
}
