"""What the API accepts of each type of provider item when it is sent back.

Keys are those of the published input items; ``needs_id`` marks the types the API refuses without their ``id``; answers
are outputs given to a call. Source: the vendor's schema and SDK, and public reports of refusals.
"""

from __future__ import annotations

from typing import Final

import attrs


@attrs.frozen
class ProviderKind:
    """``keys``: what may be sent beside ``type``; None = everything."""

    keys: frozenset[str] | None = None
    needs_id: bool = False
    answer: bool = False
    keeps_id: bool = False


def _kind(keys: str, *, needs_id: bool = False, answer: bool = False, keeps_id: bool = False) -> ProviderKind:
    return ProviderKind(frozenset(["type", *keys.split()]), needs_id, answer, keeps_id)


PROVIDER_KINDS: Final = {
    "message": _kind("role content id status phase"),
    "web_search_call": _kind("id action status", needs_id=True),
    "file_search_call": _kind("id queries status results", needs_id=True),
    "computer_call": _kind("id call_id pending_safety_checks status action actions", needs_id=True),
    "computer_call_output": _kind("call_id output id acknowledged_safety_checks status", answer=True),
    "image_generation_call": _kind(
        "id result status action background error output_format quality revised_prompt size svg_usage", needs_id=True
    ),
    "code_interpreter_call": _kind("id code container_id outputs status", needs_id=True),
    "local_shell_call": _kind("id action call_id status", needs_id=True),
    "local_shell_call_output": _kind("id output status", answer=True, keeps_id=True),
    "shell_call": _kind("action call_id id caller environment status"),
    "shell_call_output": _kind("call_id output id caller max_output_length status", answer=True),
    "apply_patch_call": _kind("call_id operation status id caller"),
    "apply_patch_call_output": _kind("call_id status id caller output", answer=True),
    "mcp_list_tools": _kind("id server_label tools error", needs_id=True),
    "mcp_approval_request": _kind("id arguments name server_label", needs_id=True),
    "mcp_approval_response": _kind("approval_request_id approve id reason", answer=True),
    "mcp_call": _kind("id arguments name server_label approval_request_id error output status", needs_id=True),
    "custom_tool_call": _kind("call_id input name async id caller namespace"),
    "custom_tool_call_output": _kind("call_id output id caller", answer=True),
    "tool_search_call": _kind("arguments id call_id execution status"),
    "tool_search_output": _kind("tools id call_id execution status", answer=True),
    "additional_tools": _kind("role tools id"),
    "compaction": _kind("encrypted_content id"),
    "program": _kind("id call_id code fingerprint", needs_id=True),
    "program_output": _kind("id call_id result status", answer=True, keeps_id=True),
}

_OTHER: Final = ProviderKind()
_OTHER_ANSWER: Final = ProviderKind(answer=True)

HOST_ANSWERED: Final = frozenset(
    {"custom_tool_call", "shell_call", "computer_call", "local_shell_call", "apply_patch_call"}
)
"""Calls that the host has to answer with an item of its own."""


def provider_kind(kind: str) -> ProviderKind:
    """The rules of a type; a type the table does not know goes out whole."""
    known = PROVIDER_KINDS.get(kind)
    if known is not None:
        return known
    return _OTHER_ANSWER if kind.endswith("_output") else _OTHER
