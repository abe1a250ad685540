"""A file of another kind than the command takes: told in one line, with the command that takes it."""

from __future__ import annotations

from typing import Any

from seamwright.model.guards import is_array, is_mapping
from seamwright.model.state_file import STATE_KEYS


def not_a_state(raw: Any) -> str | None:
    """What a file is that was given as a state; None where it may be one."""
    if not is_mapping(raw) or "messages" in raw:
        return None
    if raw.get("object") == "response":
        return "this is a response, not a state file; 'seamwright ingest' takes it into the state it answers"
    if "input" in raw:
        return "this is a request, not a state file; 'seamwright check' says what the API would refuse about it"
    return None


def not_a_request(body: Any) -> str | None:
    """What a file is that was given as a request; None where it may be one."""
    if not is_mapping(body) or "input" in body:
        return None
    if body.get("object") == "response":
        return "this is a response, not a request; 'seamwright ingest' takes it into the state it answers"
    if _is_chat(body.get("messages")):
        return "this looks like a request to Chat Completions; 'history_from_chat_completions' reads its messages"
    if len(body) > 1 and body.keys() <= STATE_KEYS:
        return "this is a state file, not a request; 'seamwright render' makes the request of it"
    return None


def _is_chat(messages: Any) -> bool:
    """Whether these are messages without what each has in a state file."""
    if not is_array(messages) or not messages:
        return False
    return all(is_mapping(message) and "role" in message and "created_at" not in message for message in messages)
