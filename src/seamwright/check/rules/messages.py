"""Messages and their parts: C1 to C5."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from seamwright.check.context import Context
from seamwright.check.fields import AGENT_PARTS, INPUT_PARTS, ITEM_KEYS, NO_ITEMS, PUBLISHED_PARTS, ROLES, TEXT_KEY
from seamwright.check.json_types import Object, is_list, is_object, kind, shown
from seamwright.errors import nearest

_AS_MESSAGE: Final = 'Write a text as a message: {"role": "user", "content": …}; leave out what is none.'
_AS_PUBLISHED: Final = "Spell the type as the API does, or leave the item out."
_LONGEST_TYPE: Final = 64


def role(ctx: Context, item: Object) -> None:
    """C2: roles are user, assistant, system and developer."""
    value = item.get("role")
    if type(value) is not str or value not in ROLES:
        problem = "missing" if value is None else shown(value)
        ctx.on_item("C2", "role", f"{problem}; roles are {', '.join(ROLES)}")


def content(ctx: Context, item: Object) -> None:
    """C4: the content of a message is a string or a list of parts."""
    value = item.get("content")
    if type(value) is not str and not is_list(value):
        problem = "missing" if "content" not in item else kind(value)
        ctx.on_item("C4", "content", f"{problem}; content is a string or an array of parts")


def empty_content(ctx: Context, item: Object) -> None:
    """C5: content that says nothing."""
    if item.get("content") in ("", []):
        ctx.on_item("C5", "content", "empty")


def published_part(ctx: Context, part: Any) -> None:
    """C3: a part is an object of a published type."""
    if not is_object(part):
        ctx.on_part("C3", "", f"{kind(part)}; a part is an object")
        return
    part_type = part.get("type")
    if type(part_type) is not str or part_type not in PUBLISHED_PARTS:
        told = "missing" if part_type is None else f"{shown(part_type)} is no part type"
        ctx.on_part("C3", "type", told + _nearest(part_type, PUBLISHED_PARTS))


def part_of_role(ctx: Context, part: Object) -> None:
    """C1: parts of the assistant are ``output_text`` and ``refusal``, those of the others ``input_*``."""
    who = ctx.items[ctx.index].get("role")
    allowed = AGENT_PARTS if who == "assistant" else INPUT_PARTS
    if part["type"] not in allowed and who in ROLES:
        ctx.on_part("C1", "type", f"{shown(part['type'])} in a message of role {who}")


def part_text(ctx: Context, part: Object) -> None:
    """C4: the text of a part is a string."""
    key = TEXT_KEY[part["type"]]
    value = part.get(key)
    if type(value) is not str:
        ctx.on_part("C4", key, f"{'missing' if value is None else kind(value)}; a text is a string")


def empty_text(ctx: Context, part: Object) -> None:
    """C5: a text that says nothing."""
    if part.get(TEXT_KEY[part["type"]]) == "":
        ctx.on_part("C5", TEXT_KEY[part["type"]], "empty")


def image_url_string(ctx: Context, part: Object) -> None:
    """C3: ``image_url`` is a string, not the object of other APIs."""
    value = part.get("image_url")
    if value is not None and type(value) is not str:
        ctx.on_part("C3", "image_url", f"{kind(value)}; here image_url is the URL itself")


def input_shape(ctx: Context) -> None:
    """C4: ``input`` is a string or a list of items."""
    value = ctx.body.get("input")
    if "input" in ctx.body and type(value) is not str and not is_list(value):
        ctx.add("C4", "input", f"{kind(value)}; input is a string or an array of items", hint=_AS_MESSAGE)


def empty_input(ctx: Context) -> None:
    """C5: an empty ``input``."""
    if ctx.body.get("input") in ("", []):
        ctx.add("C5", "input", "empty")


def item_shape(ctx: Context, item: Any) -> None:
    """C4: an item is an object."""
    if not is_object(item):
        ctx.on_item("C4", "", f"{kind(item)}; an item is an object", hint=_AS_MESSAGE)


def item_type(ctx: Context, item: Object) -> None:
    """C3: the type of an item is a string; one the table does not know is only a warning, the API may be newer."""
    value = item.get("type")
    if type(value) is str and value in NO_ITEMS:
        ctx.on_item("C3", "type", f"{shown(value)} is the type of a part, not of an item")
    elif type(value) is str and value:
        told = f"{shown(value)} is no item type this table knows{_nearest(value, ITEM_KEYS)}"
        ctx.on_item("C3", "type", told, severity="warning", hint=_AS_PUBLISHED)
    else:
        ctx.on_item("C3", "type", f"{shown(value)}; a type is a string", hint=_AS_PUBLISHED)


def _nearest(value: object, known: Iterable[str]) -> str:
    """The nearest type, for a value as long as a type may be: comparing takes its time."""
    return nearest(value, known) if isinstance(value, str) and len(value) <= _LONGEST_TYPE else ""
