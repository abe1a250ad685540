"""Single items: their shape, role, keys, parts and required fields."""

from __future__ import annotations

from typing import Any, Final

import orjson

from seamwright.check.fields import ACTION_KEYS, AGENT_PARTS, ITEM_KEYS, NO_ITEMS, PART_KEYS, ROLES
from seamwright.check.history import type_of
from seamwright.check.json_types import Object, is_list, is_object, shown, step
from seamwright.check.repair.draft import Draft
from seamwright.check.repair.parts import Side, mend_part
from seamwright.check.repair.text import compact, flat_text, odd_form, text_part, user_message

_ANSWERS_ELSEWHERE: Final = frozenset(
    {"tool_use", "tool_result", "tool_call", "function", "thinking", "reasoning_text"}
)
"""Types whose content was not said by a user; what they hold stays as text at most."""
_ROLE_NAMES: Final = {
    "model": "assistant",
    "ai": "assistant",
    "bot": "assistant",
    "agent": "assistant",
    "human": "user",
    "function": "tool",
    "tool_result": "tool",
}


def mend_shape(draft: Draft, item: Any, path: str, rule: str) -> None:
    """C4, C3: an entry that is no item, or has a type that is none: a string is a message, an object with a role as
    well.
    """
    if isinstance(item, str) and item:
        draft.replace(
            item, [user_message([text_part(False, item)])], rule, path, "a bare string, sent as a message of the user"
        )
    elif is_object(item) and isinstance(item.get("role"), str):
        kind = item.pop("type")
        draft.note(rule, draft.origin(item, path), "removed", f"type {shown(kind)}; it is a message by its role")
    elif is_object(item) and type_of(item) in NO_ITEMS - _ANSWERS_ELSEWHERE:
        role = "assistant" if type_of(item) in AGENT_PARTS else "user"
        message = {"type": "message", "role": role, "content": [item]}
        draft.replace(item, [message], rule, path, f"a part in the place of an item, sent as a message of role {role}")
    else:
        draft.remove_item(item, rule, path, "no item the API could read")


def mend_role(draft: Draft, item: Object, path: str, rule: str) -> None:
    """C2: another spelling of a role; a tool's message becomes the output it is; what is left is the user's."""
    given = item.get("role")
    name = given.lower() if isinstance(given, str) else ""
    role = _ROLE_NAMES.get(name, name)
    place = draft.origin(item, path)
    if role == "tool" and item.get("tool_call_id"):
        output = {"type": "function_call_output", "call_id": item["tool_call_id"], "output": item.get("content", "")}
        draft.replace(item, [output], rule, path, "a message of role tool, sent as the function_call_output it is")
        return
    item["role"] = role if role in ROLES else "user"
    draft.note(rule, f"{place}.role", "changed", f"{shown(given)} → {item['role']!r}")


def mend_keys(draft: Draft, item: Object, path: str, rule: str) -> None:
    """F1, F2: surplus keys go; ``tool_calls`` of the chat API become function calls."""
    place = draft.origin(item, path)
    kind = type_of(item)
    known = ITEM_KEYS.get(kind, frozenset(item))
    calls = item.get("tool_calls")
    if kind == "message" and is_list(calls) and calls:
        _split_calls(draft, item, path, rule, calls)
        return
    status = kind == "message" and item.get("role") != "assistant"
    for key in [key for key in item if key not in known or (status and key == "status")]:
        del item[key]
        draft.note("F2" if key == "status" else "F1", place + step(key), "removed", f"{kind} has no {shown(key)}")


def _split_calls(draft: Draft, item: Object, path: str, rule: str, calls: list[Any]) -> None:
    message = {key: value for key, value in item.items() if key != "tool_calls"}
    kept = [message] if message.get("content") else []
    new = [*kept, *(_chat_call(call) for call in calls if is_object(call))]
    draft.replace(item, new, rule, path, f"tool_calls, sent as {len(new) - len(kept)} function_call item(s)")


def _chat_call(call: Object) -> Object:
    function = call.get("function")
    function = function if is_object(function) else call
    return {
        "type": "function_call",
        "call_id": call.get("id"),
        "name": function.get("name"),
        "arguments": function.get("arguments", "{}"),
    }


def mend_content(draft: Draft, item: Object, path: str, rule: str) -> None:
    """C4: content that is no string and no list: one part is a list of one, nothing at all is no message."""
    value = item.get("content")
    place = draft.origin(item, path)
    if value is None:
        draft.drop(item, rule, path, "a message without content")
        return
    item["content"] = [value] if is_object(value) else flat_text(value)
    draft.note(
        rule,
        f"{place}.content",
        "changed",
        "one part, sent as a list of one" if is_object(value) else "written as a string",
    )


def mend_parts(draft: Draft, item: Object, field: str, positions: set[int], *, path: str, rule: str) -> None:
    """C1, C3, C4, M1 to M4 on parts: those at *positions* are mended; an item whose parts all go, goes."""
    side: Side = "summary" if field == "summary" else "output" if field == "output" else "input"
    if side == "input" and item.get("role") == "assistant":
        side = "agent"
    kept: list[Any] = []
    for position, part in enumerate(item[field]):
        if position not in positions:
            kept.append(part)
            continue
        place = draft.origin(part, f"{draft.origin(item, path)}.{field}[{position}]")
        mended, what = mend_part(part, side, draft.profile)
        if mended is not None:
            draft.remember(mended, place)
            kept.append(mended)
        draft.note(rule, place, "removed" if mended is None else "changed", what)
    item[field] = kept
    if field == "content" and not kept:
        draft.drop(item, rule, path, "nothing is left in the message")


def mend_part_keys(draft: Draft, part: Object, place: str) -> None:
    """F1 on a part: surplus keys go."""
    for key in [key for key in part if key not in PART_KEYS[part["type"]]]:
        del part[key]
        draft.note("F1", draft.origin(part, place) + step(key), "removed", f"{part['type']} has no {shown(key)}")


def mend_output(draft: Draft, item: Object, path: str, rule: str) -> None:
    """M4, F10: an output of a form its type does not take."""
    place = f"{draft.origin(item, path)}.output"
    kind, value = item["type"], item.get("output")
    if kind == "computer_call_output":
        draft.remove_item(item, rule, path, "the output is no screenshot")
    elif kind == "shell_call_output":
        item["output"] = (
            [{"stdout": flat_text(value), "stderr": "", "outcome": {"type": "exit", "exit_code": 0}}] if value else []
        )
        draft.note(rule, place, "changed", "written as what one command wrote")
    elif is_list(value):
        item["output"] = "\n".join(_line(part) for part in value)
        draft.note(
            rule, place, "changed", "a list of parts, written as one string; images and files are named in it only"
        )
    else:
        item["output"] = _plain_output(value)
        draft.note(
            rule,
            place,
            "changed" if value is not None else "added",
            "written as a string" if value else "an empty string",
        )


def _plain_output(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else compact(value)


def _line(part: Any) -> str:
    text = flat_text(part.get("text")) if is_object(part) and "text" in part else ""
    return text or (
        f"[{part['type']} left out]" if is_object(part) and isinstance(part.get("type"), str) else flat_text(part)
    )


def mend_reasoning(draft: Draft, item: Object, path: str, rule: str) -> None:
    """F3, F4: ``summary`` is a list, ``content`` stays away."""
    place = draft.origin(item, path)
    if not is_list(item.get("summary")):
        text = flat_text(item.get("summary"))
        item["summary"] = [{"type": "summary_text", "text": text}] if text else []
        draft.note("F3", f"{place}.summary", "added" if not text else "changed", "summary is a list, possibly empty")
    if item.get("content"):
        characters = sum(map(len, (flat_text(part) for part in item["content"]))) if is_list(item["content"]) else 0
        del item["content"]
        draft.note(
            "F4",
            f"{place}.content",
            "removed",
            f"the API keeps the content of reasoning itself; {characters} characters of it go",
        )


def mend_action(draft: Draft, item: Object, path: str, rule: str) -> None:
    """F5: the keys of a search action fit its type; a missing type is told by the keys."""
    action = item.get("action")
    if not is_object(action):
        draft.remove_item(item, rule, path, "a web search without a readable action")
        return
    place = f"{draft.origin(item, path)}.action"
    if not isinstance(action.get("type"), str):
        action["type"] = "find_in_page" if "pattern" in action else "open_page" if "url" in action else "search"
        draft.note(rule, f"{place}.type", "added", action["type"])
    for key in [key for key in action if key not in ACTION_KEYS.get(action["type"], action)]:
        del action[key]
        draft.note(rule, place + step(key), "removed", f"action {action['type']} has no {shown(key)}")


def mend_computer_action(draft: Draft, item: Object, path: str, rule: str) -> None:
    """F7 where it is an error: ``action`` goes."""
    del item["action"]
    draft.note(rule, f"{draft.origin(item, path)}.action", "removed", "this endpoint does not know it")


def mend_arguments(draft: Draft, item: Object, path: str, rule: str) -> None:
    """T5: arguments of a call as a string of JSON, those of a tool search as an object."""
    value = item.get("arguments")
    if item["type"] == "tool_search_call":
        item["arguments"] = _search_arguments(value)
    else:
        item["arguments"] = "{}" if value is None else compact(value)
    draft.note(
        rule, f"{draft.origin(item, path)}.arguments", "changed", f"written as {shown(compact(item['arguments']))}"
    )


def _search_arguments(value: Any) -> Object:
    if isinstance(value, str) and value:
        try:
            value = orjson.loads(value)
        except ValueError:
            return {"query": value}
    return value if is_object(value) else {} if value is None or value == "" else {"query": value}


def mend_call_name(draft: Draft, item: Object, path: str, rule: str) -> None:
    """T2: the name cleaned like a tool's."""
    given = item.get("name")
    item["name"] = odd_form(given) if isinstance(given, str) and given else "unknown"
    draft.note(rule, f"{draft.origin(item, path)}.name", "changed", f"{shown(given)} → {item['name']!r}")


def drop_item(draft: Draft, item: Any, path: str, rule: str) -> None:
    """F12 and the like: nothing can be made of it."""
    draft.remove_item(item, rule, path, "it can't be sent")
