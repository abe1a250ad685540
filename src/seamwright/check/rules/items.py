"""Fields of items: F1 to F12."""

from __future__ import annotations

from typing import Any

from seamwright.check.context import Context
from seamwright.check.fields import (
    ACTION_KEYS,
    ANNOTATION_KEYS,
    IMAGE_CALL_SETTINGS,
    ITEM_KEYS,
    PART_KEYS,
    STATUSES,
    TOOL_KEYS,
)
from seamwright.check.json_types import Object, is_list, is_object, kind, shown, step


def known_item_keys(ctx: Context, item: Object) -> None:
    """F1 and, for ``status``, F2: an item has only the keys of its type. Null counts."""
    known = ITEM_KEYS[item.get("type") or "message"]
    if known.issuperset(item):
        return
    for key in item:
        if key == "status":
            ctx.on_item("F2", key, f"{item.get('type') or 'this item'} has no status")
        elif key not in known:
            ctx.on_item("F1", key, f"{item.get('type') or 'message'} has no {shown(key)}")


def reference_keys(ctx: Context, item: Object) -> None:
    """F1 for an ``item_reference`` written without its type."""
    for key in item.keys() - ITEM_KEYS["item_reference"]:
        ctx.on_item("F1", key, f"item_reference has no {shown(key)}")


def known_part_keys(ctx: Context, part: Object) -> None:
    """F1: a part has only the keys of its type. Null counts."""
    known = PART_KEYS[part["type"]]
    if known.issuperset(part):
        return
    for key in part:
        if key not in known:
            ctx.on_part("F1", key, f"{part['type']} has no {shown(key)}")


def known_annotation_keys(ctx: Context, part: Object) -> None:
    """F1 as a warning: an annotation has only the keys of its type."""
    annotations = part.get("annotations")
    for index, annotation in enumerate(annotations if is_list(annotations) else []):
        kind_of = annotation.get("type") if is_object(annotation) else None
        known = ANNOTATION_KEYS.get(kind_of) if type(kind_of) is str else None
        for key in annotation.keys() - known if known is not None else ():
            path = f"{ctx.part_path()}.annotations[{index}]{step(key)}"
            ctx.add("F1", path, f"{kind_of} has no {shown(key)}", severity="warning")


def known_tool_keys(ctx: Context, tool: Object) -> None:
    """F1 as a warning: a tool has only the keys of its type."""
    known = TOOL_KEYS[tool["type"]]
    if known.issuperset(tool):
        return
    for key in tool.keys() - known:
        ctx.add("F1", ctx.tool_path + step(key), f"a {tool['type']} tool has no {shown(key)}", severity="warning")


def message_status(ctx: Context, item: Object) -> None:
    """F2: among messages only the assistant's have a status. Null counts."""
    if "status" in item and item.get("role") != "assistant":
        ctx.on_item("F2", "status", f"a message of role {shown(item.get('role'))} has no status")


def status_value(ctx: Context, item: Object) -> None:
    """F2 as a warning: a status is one of the published words."""
    value = item.get("status")
    if value is not None and (type(value) is not str or value not in STATUSES):
        ctx.on_item("F2", "status", f"{shown(value)} is no published status", severity="warning")


def reasoning_summary(ctx: Context, item: Object) -> None:
    """F3: reasoning has ``summary``, a list that may be empty."""
    value = item.get("summary")
    if not is_list(value):
        ctx.on_item("F3", "summary", "missing" if "summary" not in item else f"{kind(value)}; summary is an array")


def reasoning_content(ctx: Context, item: Object) -> None:
    """F4: the ``content`` of reasoning stays with the server: absent or empty."""
    value = item.get("content", ())
    if value is None:
        ctx.on_item("F4", "content", "null; leave it out", severity="warning")
    elif value:
        ctx.on_item("F4", "content", f"{kind(value)} with content; it is absent or []")


def web_search_action(ctx: Context, item: Object) -> None:
    """F5: the action of a search call has a type, and the keys of that type."""
    if "action" not in item:
        ctx.on_item("F5", "action", "missing", severity="warning")
        return
    action: Any = item["action"]
    if not is_object(action) or type(action.get("type")) is not str:
        path = f"input[{ctx.index}].action{'.type' if is_object(action) else ''}"
        ctx.add("F5", path, "an action is an object with a type")
        return
    known = ACTION_KEYS.get(action["type"])
    if known is None:
        path = f"input[{ctx.index}].action.type"
        ctx.add("F5", path, f"{shown(action['type'])} is no known action", severity="warning")
        return
    for key in action.keys() - known:
        ctx.add("F5", f"input[{ctx.index}].action{step(key)}", f"action {action['type']} has no {shown(key)}")


def image_call_settings(ctx: Context, item: Object) -> None:
    """F6: settings on ``image_generation_call`` that some backends do not know."""
    for key in sorted(IMAGE_CALL_SETTINGS & item.keys()):
        ctx.on_item("F6", key, f"some backends know no {shown(key)} here")


def computer_action(ctx: Context, item: Object) -> None:
    """F7: ``computer_call.action``, which depends on the version of the tool."""
    if "action" in item:
        ctx.on_item("F7", "action", "not every backend knows it")


def output_present(ctx: Context, item: Object) -> None:
    """F10: an answer has ``output``."""
    if "output" not in item:
        ctx.on_item("F10", "output", "missing")


def compaction_content(ctx: Context, item: Object) -> None:
    """F12: a compaction item is its encrypted part."""
    value = item.get("encrypted_content")
    if type(value) is not str or not value:
        ctx.on_item("F12", "encrypted_content", "missing" if not value else f"{kind(value)}; it is a string")
