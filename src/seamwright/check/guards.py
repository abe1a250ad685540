"""Cheap tests that spare the common, sound case a dozen calls.

A guard is true only where the checks behind it can't find anything; a property test holds every one of them to that.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from seamwright.check.fields import ID_PREFIX, ITEM_KEYS, MAX_ID, PART_KEYS, ROLES, STATUS_TYPES, TEXT_KEY
from seamwright.check.json_types import Object
from seamwright.check.rules import ids, items, media, messages, pairing, request, tools

Guard = Callable[[Object], bool]
Guards = tuple[tuple[Guard, frozenset[Any]], ...]
"""Guards of one type, each with the checks it stands before."""

_PLAIN_MESSAGE: Final = ITEM_KEYS["message"] - {"status", "prompt_cache_breakpoint"}
_PLAIN_CALL: Final = ITEM_KEYS["function_call"] - {"status"}
_PLAIN_ANSWER: Final = ITEM_KEYS["function_call_output"] - {"status", "id"}
_PLAIN_REASONING: Final = ITEM_KEYS["reasoning"] - {"content"}
_PLAIN_TEXT: Final = PART_KEYS["output_text"] & PART_KEYS["input_text"]
_PLAIN_OUTPUT_TEXT: Final = PART_KEYS["output_text"]
_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}").fullmatch
_SOUND_ID: Final = {kind: re.compile(f"{ID_PREFIX.get(kind, '')}[A-Za-z0-9_-]+").fullmatch for kind in ITEM_KEYS}


def sound_id(item: Object) -> bool:
    """The id is absent, or of the form its type wants."""
    item_id = item.get("id")
    if item_id is None:
        return True
    sound = _SOUND_ID[item.get("type") or "message"]
    return type(item_id) is str and len(item_id) <= MAX_ID and sound(item_id) is not None


def sound_message(item: Object) -> bool:
    """A message of a known role, with content, and no keys but the plain ones."""
    content = item.get("content")
    return (
        _PLAIN_MESSAGE.issuperset(item)
        and (type(content) is str or type(content) is list)
        and content not in ("", [])
        and item.get("role") in ROLES
    )


def sound_call(item: Object) -> bool:
    """A function call with a call_id and a name of the right form, and no keys but the plain ones."""
    call_id, name = item.get("call_id"), item.get("name")
    return (
        _PLAIN_CALL.issuperset(item)
        and type(call_id) is str
        and 0 < len(call_id) <= MAX_ID
        and type(name) is str
        and _NAME(name) is not None
    )


def sound_answer(item: Object) -> bool:
    """The output of a function call as a string, with a call_id, and no keys but the plain ones."""
    call_id = item.get("call_id")
    return (
        _PLAIN_ANSWER.issuperset(item)
        and type(call_id) is str
        and 0 < len(call_id) <= MAX_ID
        and type(item.get("output")) is str
    )


def sound_reasoning(item: Object) -> bool:
    """Reasoning with id, encrypted part and summary, and nothing else."""
    return (
        _PLAIN_REASONING.issuperset(item)
        and type(item.get("summary")) is list
        and bool(item.get("encrypted_content"))
        and item.get("id") is not None
    )


def sound_text(part: Object) -> bool:
    """A text part with a text that is not empty, and no keys but the plain ones."""
    text = part.get("text")
    if type(text) is not str or not text:
        return False
    return _PLAIN_TEXT.issuperset(part) or (part["type"] == "output_text" and _PLAIN_OUTPUT_TEXT.issuperset(part))


def no_status(item: Object) -> bool:
    """There is no ``status`` to look at."""
    return "status" not in item


_MESSAGE_CHECKS: Final = frozenset(
    {
        items.known_item_keys,
        items.message_status,
        items.status_value,
        messages.role,
        messages.content,
        messages.empty_content,
        request.item_cache_breakpoint,
    }
)
_CALL_CHECKS: Final = frozenset({ids.call_id, items.known_item_keys, items.status_value, tools.call_name})
_ANSWER_CHECKS: Final = frozenset(
    {
        ids.call_id,
        items.known_item_keys,
        items.output_present,
        items.status_value,
        media.tool_output,
        pairing.answer_with_call_id,
    }
)
_REASONING_CHECKS: Final = frozenset(
    {
        ids.id_present,
        items.known_item_keys,
        items.reasoning_content,
        items.reasoning_summary,
        pairing.reasoning_persisted,
    }
)
_TEXT_CHECKS: Final = frozenset(
    {items.known_part_keys, messages.part_text, messages.empty_text, request.cache_breakpoint}
)
_SPECIAL: Final[dict[str, Guards]] = {
    "message": ((sound_message, _MESSAGE_CHECKS),),
    "function_call": ((sound_call, _CALL_CHECKS),),
    "function_call_output": ((sound_answer, _ANSWER_CHECKS),),
    "reasoning": ((sound_reasoning, _REASONING_CHECKS),),
}


def _item_guards(kind: str) -> Guards:
    special = _SPECIAL.get(kind, ())
    status: Guards = ((no_status, frozenset({items.status_value})),) if kind in STATUS_TYPES and not special else ()
    return (*special, (sound_id, frozenset({ids.id_prefix, ids.id_length, ids.id_characters})), *status)


ITEM_GUARDS: Final[dict[str, Guards]] = {kind: _item_guards(kind) for kind in ITEM_KEYS}
PART_GUARDS: Final[dict[str, Guards]] = dict.fromkeys(TEXT_KEY, ((sound_text, _TEXT_CHECKS),))
