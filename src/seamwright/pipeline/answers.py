"""Which call an answer belongs to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from seamwright.model.provider_item import ProviderItem
from seamwright.seams.ids import Thing
from seamwright.wire.provider_kinds import HOST_ANSWERED, provider_kind

AnswerKey = tuple[str, str]
"""A call's type and the id by which its answer names it."""


def call_keys(item: Mapping[str, Any], wire_id: str | None) -> list[AnswerKey]:
    """The keys under which an answer may name this call."""
    kind = item.get("type")
    if kind == "function_call":  # nearly all of them
        name = item.get("call_id")
        return [(kind, name)] if isinstance(name, str) else []
    if not isinstance(kind, str):
        return []
    if kind == "mcp_approval_request":
        return [(kind, wire_id)] if wire_id is not None else []
    names = [item.get("call_id")] + ([wire_id] if kind == "local_shell_call" else [])
    return [(kind, name) for name in names if isinstance(name, str)]


def answer_key(item: Mapping[str, Any], wire_id: str | None = None) -> AnswerKey | None:
    """The key of the call that this answer belongs to."""
    kind = str(item.get("type"))
    if kind == "mcp_approval_response":
        kind, name = "mcp_approval_request", item.get("approval_request_id")
    elif kind == "local_shell_call_output":
        kind, name = "local_shell_call", item.get("id", wire_id)
    else:
        kind, name = kind.removesuffix("_output") + _CALL_SUFFIX.get(kind, ""), item.get("call_id")
    return (kind, name) if isinstance(name, str) else None


_CALL_SUFFIX = {"tool_search_output": "_call"}
"""Answers that are not named after their call's type."""


def unanswered(units: Iterable[Sequence[Thing]]) -> set[int]:
    """The ``id()`` of each call that the host has to answer and that no answer stands behind."""
    items = [thing for unit in units for thing in unit if isinstance(thing, ProviderItem)]
    answered: set[AnswerKey] = set()
    pending: set[int] = set()
    for thing in reversed(items):
        if provider_kind(thing.type).answer:
            key = answer_key(thing.item)
            if key is not None:
                answered.add(key)
        elif thing.type in HOST_ANSWERED and answered.isdisjoint(call_keys(thing.item, thing.id)):
            pending.add(id(thing))
    return pending
