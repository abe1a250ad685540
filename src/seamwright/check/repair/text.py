"""Texts a repair writes, and texts it saves from what has to go."""

from __future__ import annotations

import json
from typing import Any, Final

import xxhash

from seamwright.check.fields import AGENT_PARTS, INPUT_PARTS, ROLES
from seamwright.check.history import type_of
from seamwright.check.json_types import is_list, is_object

NO_RESULT: Final = "No result was recorded for this call."
ORPHAN: Final = "[Output of a tool call that is no longer part of the conversation]"
_TEXT_KEYS: Final = (
    "text",
    "refusal",
    "output",
    "logs",
    "stdout",
    "stderr",
    "content",
    "error",
    "result",
    "input_text",
    "thinking",
    "outputs",
    "results",
    "reason",
)
_SILENT: Final = frozenset({"reasoning", "item_reference", "image_generation_call", "compaction", "additional_tools"})
"""Item types that hold nothing said by a user or a tool."""


def odd_form(text: str) -> str:
    """An id or name in the form the API takes: other characters as ``_``, cut to 47, ``_`` and a hash of the whole. One
    to one.

    The builder writes odd call ids and names in the same form.
    """
    clean = "".join(c if (c.isascii() and c.isalnum()) or c in "_-" else "_" for c in text[:47])
    return f"{clean}_{xxhash.xxh3_64_hexdigest(text.encode('utf-8', 'surrogatepass'))}"


def compact(value: Any) -> str:
    """A value as compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def flat_text(value: Any) -> str:
    """A text out of whatever stands where one is wanted: a list of texts joined, anything else as JSON."""
    if isinstance(value, str):
        return value
    if is_list(value) and value and all(isinstance(inner, str) for inner in value):
        return "".join(value)
    texts = texts_in(value)
    return "\n".join(texts) if texts else "" if value is None else compact(value)


def texts_in(value: Any) -> list[str]:
    """The texts inside a value, in order: strings under the keys where texts stand, and strings in lists."""
    if isinstance(value, str):
        return [value] if value else []
    if is_list(value):
        return [text for inner in value for text in texts_in(inner)]
    if is_object(value):
        return [text for key in _TEXT_KEYS if key in value for text in texts_in(value[key])]
    return []


def text_part(agent: bool, text: str) -> dict[str, Any]:
    """A text as a part of the assistant or of anybody else."""
    return {"type": "output_text" if agent else "input_text", "text": text}


def kept_message(item: Any) -> dict[str, Any] | None:
    """What is left of an item that has to go: its text, images and files as a message; None when it holds none.

    A message keeps its side, everything else was said by a tool and goes on as the user's, under a line that says so.
    """
    if isinstance(item, str):
        return user_message([text_part(False, item)]) if item else None
    if not is_object(item) or type_of(item) in _SILENT:
        return None
    if type_of(item) == "message":
        role = item.get("role")
        role = role if isinstance(role, str) and role in ROLES else "user"
        parts = kept_parts(item.get("content"), role == "assistant")
        return {"type": "message", "role": role, "content": parts} if parts else None
    output = item.get("output")
    parts = kept_parts(output if _has_parts(output) else item, agent=False)
    return user_message([text_part(False, ORPHAN), *parts]) if parts else None


def _has_parts(output: Any) -> bool:
    return (isinstance(output, str) and output != "") or is_list(output) or _is_screenshot(output)


def _is_screenshot(output: Any) -> bool:
    return is_object(output) and output.get("type") == "computer_screenshot"


def user_message(parts: list[dict[str, Any]]) -> dict[str, Any]:
    """A message of the user."""
    return {"type": "message", "role": "user", "content": parts}


def kept_parts(value: Any, agent: bool) -> list[dict[str, Any]]:
    """Parts that can stand in a message: those that can already, screenshots as images, of the rest the text."""
    if _is_screenshot(value):
        image = {key: value[key] for key in ("image_url", "file_id") if isinstance(value.get(key), str)}
        return [{"type": "input_image", **image}] if image else []
    if not is_list(value):
        return [text_part(agent, text) for text in texts_in(value)]
    kept: list[dict[str, Any]] = []
    for part in value:
        if is_object(part) and part.get("type") in [*(AGENT_PARTS if agent else INPUT_PARTS)]:
            kept.append(part)
        else:
            kept.extend(text_part(agent, text) for text in texts_in(part))
    return kept
