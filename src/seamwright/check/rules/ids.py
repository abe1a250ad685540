"""Item ids and call ids: I1 to I5, P5, P11."""

from __future__ import annotations

import re
from typing import Final

from seamwright.check.context import Context
from seamwright.check.fields import ID_PREFIX, MAX_ID, NEEDS_ID
from seamwright.check.json_types import Object, kind, shown

_ID_CHARACTERS: Final = re.compile(r"[A-Za-z0-9_-]+").fullmatch


def id_prefix(ctx: Context, item: Object) -> None:
    """I1: the id of a message, function call, custom tool call or reasoning item begins as its type wants."""
    item_id = item.get("id")
    prefix = ID_PREFIX[item.get("type") or "message"]
    if type(item_id) is str and item_id and not item_id.startswith(prefix):
        ctx.on_item("I1", "id", f"{shown(item_id)}: an id here begins with '{prefix}'")


def id_length(ctx: Context, item: Object) -> None:
    """I2: an id has at most 64 characters."""
    item_id = item.get("id")
    if type(item_id) is str and len(item_id) > MAX_ID:
        ctx.on_item("I2", "id", f"{len(item_id)} characters; at most {MAX_ID}")


def id_characters(ctx: Context, item: Object) -> None:
    """I3: an id is a string of letters, digits, ``_`` and ``-``, and not empty. Null counts as absent."""
    item_id = item.get("id")
    if item_id is None:
        return
    if type(item_id) is not str:
        ctx.on_item("I3", "id", f"{kind(item_id)}; an id is a string")
    elif not _ID_CHARACTERS(item_id):
        problem = "empty" if not item_id else f"{shown(item_id)} has other characters than letters, digits, _ and -"
        ctx.on_item("I3", "id", problem)


def id_present(ctx: Context, item: Object) -> None:
    """I5: types that need their ``id`` have it; where the endpoint wants every id, reasoning is one of them."""
    if item.get("id") is not None:
        return
    item_type = item.get("type")
    if item_type in NEEDS_ID:
        ctx.on_item("I5", "id", f"{item_type} needs its id")
    elif item_type == "reasoning" and ctx.profile.ids == "always":
        ctx.on_item("I5", "id", f"endpoint {ctx.profile.name!r} wants an id on every reasoning item")
    elif item_type == "program_output":
        ctx.on_item("I5", "id", "the published type has an id here", severity="warning")


def reference_id(ctx: Context, item: Object) -> None:
    """I5 for an ``item_reference`` written without its type: an object with neither ``type`` nor ``role``."""
    if item.get("id") is None:
        ctx.on_item("I5", "id", "item_reference needs its id")


def call_id(ctx: Context, item: Object) -> None:
    """I4: ``call_id`` is there, a string of 1 to 64 characters."""
    value = item.get("call_id")
    if type(value) is not str:
        ctx.on_item("I4", "call_id", "missing" if value is None else f"{kind(value)}; a call_id is a string")
    elif not 0 < len(value) <= MAX_ID:
        ctx.on_item("I4", "call_id", "empty" if not value else f"{len(value)} characters; at most {MAX_ID}")


def optional_call_id(ctx: Context, item: Object) -> None:
    """I4 for types on which null or absent is legal: a given ``call_id`` is a string of at most 64 characters."""
    value = item.get("call_id")
    if value is not None and (type(value) is not str or not 0 < len(value) <= MAX_ID):
        ctx.on_item("I4", "call_id", f"{shown(value)}: 1 to {MAX_ID} characters, or null")


def approval_request_id(ctx: Context, item: Object) -> None:
    """I4 for an approval: it names the request it answers."""
    value = item.get("approval_request_id")
    if type(value) is not str or not value:
        ctx.on_item("I4", "approval_request_id", "missing; it names the request")


def unique_ids(ctx: Context) -> None:
    """P5: no item id twice."""
    for index, item_id in ctx.history.repeated_ids:
        first = ctx.history.first_id[item_id]
        ctx.add("P5", f"input[{index}].id", f"{shown(item_id)} is the id of input[{first}] as well")


def resent_ids(ctx: Context) -> None:
    """P5 as a warning: with ``conversation`` the server holds the items already, so one sent by id is a second copy."""
    if not ctx.body.get("conversation"):
        return
    for item_id, index in ctx.history.first_id.items():
        if ctx.history.roles[index] in ("agent", "reasoning"):
            message = f"{shown(item_id)} comes from the API and may stand in the conversation already"
            ctx.add(
                "P5",
                f"input[{index}].id",
                message,
                severity="warning",
                hint="Send only what is new to the conversation.",
            )


def unique_call_ids(ctx: Context) -> None:
    """P11: no ``call_id`` on two calls, or two answers, of one type."""
    for things, what in ((ctx.history.calls, "call"), (ctx.history.answers, "answer")):
        seen: dict[tuple[str, str], int] = {}
        for index, item_type, key in things:
            first = seen.setdefault((item_type, key), index)
            if first != index:
                name = "id" if item_type == "local_shell_call_output" else "call_id"
                name = "approval_request_id" if item_type == "mcp_approval_response" else name
                ctx.add("P11", f"input[{index}].{name}", f"{shown(key)} names the {what} at input[{first}] as well")
