"""What each stream event does to the slots.

Event names: the Responses API's ``ResponseStreamEvent`` union, and older spellings.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, cast

import attrs

from seamwright.errors import StreamFailedError
from seamwright.ingest.board import Board, Event
from seamwright.ingest.plain import as_index, fields, plain, try_mapping
from seamwright.ingest.settle import fill, settle
from seamwright.ingest.slots import text_or_none

Handler = Callable[[Board, Event], None]


def handle(board: Board, event: Event) -> None:
    """Take one event; unknown ones do nothing. Raises ``StreamFailedError`` for those that say the stream failed."""
    handler = HANDLERS.get(_name(event))
    if board.is_repeat(event) and "delta" in event:
        return  # other events may come twice: the second changes nothing
    if handler is not None:
        handler(board, event)


def _name(event: Event) -> str:
    """The event's type.

    Without one, an error body or a whole response that was sent in place of a stream is still known.
    """
    name = event.get("type")
    if isinstance(name, str) and name:
        return name
    if event.get("object") == "response":
        return "response"
    return "error" if event.get("error") else ""


def _started(board: Board, event: Event) -> None:
    """Another response than the one begun: the request was made again, what came before is void."""
    response = try_mapping(event.get("response")) or {}
    known, new = board.response.get("id"), response.get("id")
    if known and new and known != new:
        board.restart()
    board.response = response or board.response


def _progress(board: Board, event: Event) -> None:
    board.response = try_mapping(event.get("response")) or board.response


def _item_added(board: Board, event: Event) -> None:
    item = try_mapping(event.get("item"))
    if item is None:
        return
    slot = board.slot_of_item(event, item)
    if not slot.known:
        slot.announce(item)


def _item_done(board: Board, event: Event) -> None:
    item = try_mapping(event.get("item"))
    if item is None:
        return
    slot = board.slot_of_item(event, item)
    slot.finish(item if slot.final is None else fill(slot.final, item))


@attrs.frozen
class _Text:
    """One kind of text.

    Which key of its events says the position, and which key of its ``done`` event holds the whole.
    """

    kind: str
    position: str | None
    whole: str

    def at(self, event: Event) -> int:
        return (as_index(event.get(self.position)) or 0) if self.position else 0


def _delta(text: _Text, board: Board, event: Event) -> None:
    delta = event.get("delta")
    slot = board.slot_of_part(event)
    if slot.final is None and isinstance(delta, str):
        slot.see(as_index(event.get("sequence_number")))
        slot.piece(text.kind, text.at(event)).append(delta)


def _text_done(text: _Text, board: Board, event: Event) -> None:
    whole = event.get(text.whole)
    slot = board.slot_of_part(event)
    if slot.final is None:
        slot.piece(text.kind, text.at(event)).close(whole if isinstance(whole, str) else None)


def _text_added(text: _Text, board: Board, event: Event) -> None:
    begun = text_or_none(event.get(text.whole))
    slot = board.slot_of_part(event)
    if slot.final is None:
        slot.piece(text.kind, text.at(event)).begin(begun or "")


def _part_added(board: Board, event: Event) -> None:
    part = try_mapping(event.get("part")) or {}
    text = _PARTS.get(str(part.get("type")))
    slot = board.slot_of_part(event)
    if text is not None and slot.final is None:
        slot.piece(text.kind, text.at(event)).begin(text_or_none(part.get(text.whole)) or "")


def _part_done(board: Board, event: Event) -> None:
    """The part as it ends replaces its text; a part without one leaves what was gathered."""
    part = try_mapping(event.get("part")) or {}
    text = _PARTS.get(str(part.get("type")))
    slot = board.slot_of_part(event)
    if text is None or slot.final is not None:
        return
    whole = part.get(text.whole)
    slot.piece(text.kind, text.at(event)).close(whole if isinstance(whole, str) else None)
    if isinstance(whole, str):
        slot.parts[text.kind, text.at(event)] = part


def _annotation(board: Board, event: Event) -> None:
    slot = board.slot_of_part(event)
    position = as_index(event.get("content_index")) or 0
    slot.annotations.setdefault(position, []).append(plain(event.get("annotation")))


def _ended(status: str, board: Board, event: Event) -> None:
    """A terminal event.

    Some servers leave ``in_progress``, or nothing, in the response it carries: then its name counts.
    """
    response = try_mapping(event.get("response")) or {}
    if status != "completed" or response.get("status") not in _ENDED:
        response["status"] = status
    if response["status"] == "failed":
        _failed(board, {"response": response})
    for key in ("id", "object", "created_at", "model"):
        if response.get(key) is None and key in board.response:
            response[key] = board.response[key]
    listed = response.get("output")
    board.ended = settle(board.slots, cast(list[object], listed) if isinstance(listed, list) else [])
    board.response = response


def _whole_response(board: Board, event: Event) -> None:
    """No event but a response: a server that does not stream answered a streaming request."""
    if event.get("status") in _ENDED:
        _ended("completed", board, {"response": event})
    else:
        _progress(board, {"response": event})


def _failed(_board: Board, event: Event) -> None:
    response = fields(event.get("response")) or {}
    error = fields(response.get("error")) or fields(event.get("error")) or event
    code = error.get("code")
    message = text_or_none(error.get("message")) or "the response failed without a message"
    raise StreamFailedError(message, None if code is None else str(code))


_ENDED: Final = ("completed", "incomplete", "failed", "cancelled")  # looked up by whatever stands there

_OUTPUT_TEXT = _Text("text", "content_index", "text")
_REFUSAL = _Text("refusal", "content_index", "refusal")
_SUMMARY = _Text("summary", "summary_index", "text")
_REASONING = _Text("reasoning", "content_index", "text")
_ARGUMENTS = _Text("arguments", None, "arguments")
_CODE = _Text("code", None, "code")
_COMMAND = _Text("command", "command_index", "command")

_PARTS: Final = {
    "output_text": _OUTPUT_TEXT,
    "refusal": _REFUSAL,
    "summary_text": _SUMMARY,
    "reasoning_text": _REASONING,
}

_TEXTS: Final = {
    "response.output_text": _OUTPUT_TEXT,
    "response.refusal": _REFUSAL,
    "response.reasoning_summary_text": _SUMMARY,
    "response.reasoning_text": _REASONING,
    "response.function_call_arguments": _ARGUMENTS,
    "response.mcp_call_arguments": _ARGUMENTS,
    "response.custom_tool_call_input": _Text("input", None, "input"),
    "response.code_interpreter_call_code": _CODE,
    "response.apply_patch_call_operation_diff": _Text("diff", None, "diff"),
    "response.shell_call_command": _COMMAND,
    # names of the first months of the API
    "response.reasoning_summary": _SUMMARY,
    "response.mcp_call.arguments": _ARGUMENTS,
    "response.code_interpreter_call.code": _CODE,
}

HANDLERS: Final[dict[str, Handler]] = {
    "response.created": _started,
    "response.queued": _progress,
    "response.in_progress": _progress,
    "response.output_item.added": _item_added,
    "response.output_item.done": _item_done,
    "response.content_part.added": _part_added,
    "response.content_part.done": _part_done,
    "response.reasoning_summary_part.added": _part_added,
    "response.reasoning_summary_part.done": _part_done,
    "response.output_text.annotation.added": _annotation,
    "response.shell_call_command.added": partial(_text_added, _COMMAND),
    "response.completed": partial(_ended, "completed"),
    "response.done": partial(_ended, "completed"),
    "response.incomplete": partial(_ended, "incomplete"),
    "response.cancelled": partial(_ended, "cancelled"),
    "response.failed": _failed,
    "response.error": _failed,
    "error": _failed,
    "response": _whole_response,
    **{f"{name}.delta": partial(_delta, text) for name, text in _TEXTS.items()},
    **{f"{name}.done": partial(_text_done, text) for name, text in _TEXTS.items()},
}
