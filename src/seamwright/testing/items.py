"""Build responses and their items as the API sends them, for scripts of :mod:`seamwright.testing.server`."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

Item = dict[str, Any]

_numbers = count(1)

_ID_PREFIXES = {
    "message": "msg",
    "reasoning": "rs",
    "function_call": "fc",
    "custom_tool_call": "ctc",
    "web_search_call": "ws",
    "file_search_call": "fs",
    "code_interpreter_call": "ci",
    "computer_call": "cu",
    "image_generation_call": "ig",
    "local_shell_call": "lsh",
    "shell_call": "sh",
    "apply_patch_call": "apc",
    "mcp_call": "mcp",
    "mcp_list_tools": "mcpl",
    "mcp_approval_request": "mcpr",
    "tool_search_call": "tsc",
    "tool_search_output": "tso",
    "compaction": "cmp",
}


def item(kind: str, /, **fields: Any) -> Item:
    """An output item of any type (``kind``), with an id of the type's own prefix unless ``id`` is given.

    A field that is ``...`` is left out.
    """
    made = {"id": _new_id(_ID_PREFIXES.get(kind, "item")), "type": kind, **fields}
    return {key: value for key, value in made.items() if value is not ...}


def message(
    text: str | None = None,
    *,
    refusal: str | None = None,
    annotations: Sequence[Mapping[str, Any]] = (),
    status: str = "completed",
    phase: str | None = None,
    **fields: Any,
) -> Item:
    """A message of the model: its text, a refusal, or both; neither gives a message without parts."""
    content: list[Item] = []
    if text is not None:
        parts = {"annotations": [dict(note) for note in annotations], "logprobs": []}
        content.append({"type": "output_text", "text": text, **parts})
    if refusal is not None:
        content.append({"type": "refusal", "refusal": refusal})
    return item("message", status=status, role="assistant", content=content, phase=phase or ..., **fields)


def reasoning(*summaries: str, content: Sequence[str] = (), encrypted: str | None = "", **fields: Any) -> Item:
    """A reasoning item.

    ``encrypted``: its encrypted part; by default one that no other item has, None for an item without.
    """
    sealed = encrypted_content(f"reasoning {next(_numbers)}") if encrypted == "" else encrypted
    return item(
        "reasoning",
        summary=[{"type": "summary_text", "text": text} for text in summaries],
        content=[{"type": "reasoning_text", "text": text} for text in content] or ...,
        encrypted_content=... if sealed is None else sealed,
        **fields,
    )


def function_call(
    name: str,
    arguments: str | Mapping[str, Any] = "{}",
    *,
    call_id: str | None = None,
    status: str = "completed",
    **fields: Any,
) -> Item:
    """A function call. ``arguments``: the text as the model wrote it, or a mapping that is written as compact JSON."""
    return item(
        "function_call",
        call_id=call_id or _new_id("call"),
        name=name,
        arguments=arguments if isinstance(arguments, str) else json.dumps(arguments, separators=(",", ":")),
        status=status,
        **fields,
    )


def response(
    *output: Item,
    id: str | None = None,
    model: str = "gpt-5.4",
    status: str = "completed",
    reason: str | None = None,
    input_tokens: int = 100,
    cached_tokens: int = 0,
    output_tokens: int = 20,
    **fields: Any,
) -> dict[str, Any]:
    """A response.

    ``reason`` (``max_output_tokens``, ``content_filter``) makes it an incomplete one; ``fields`` are set as given.
    """
    usage = {
        "input_tokens": input_tokens,
        "input_tokens_details": {"cached_tokens": cached_tokens, "cache_write_tokens": 0},
        "output_tokens": output_tokens,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": input_tokens + output_tokens,
    }
    return {
        "id": id or _new_id("resp"),
        "object": "response",
        "created_at": 1767225600,
        "status": "incomplete" if reason else status,
        "error": None,
        "incomplete_details": {"reason": reason} if reason else None,
        "model": model,
        "output": list(output),
        "parallel_tool_calls": True,
        "store": False,
        "tool_choice": "auto",
        "tools": [],
        "usage": usage,
        **fields,
    }


def encrypted_content(label: str) -> str:
    """Something that looks like an encrypted part: the prefix of a Fernet token, then base64url."""
    return "gAAAAAB" + base64.urlsafe_b64encode(label.encode()).decode()


def _new_id(prefix: str) -> str:
    return f"{prefix}_{next(_numbers):08x}"
