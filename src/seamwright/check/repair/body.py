"""The request itself and its tools: C4 on ``input``, L2, L3, T1, T3, T4."""

from __future__ import annotations

from typing import Any

from seamwright.check.fields import MAX_INSTRUCTIONS
from seamwright.check.json_types import Object, is_list, is_object, shown
from seamwright.check.repair.draft import Draft
from seamwright.check.repair.text import flat_text, odd_form


def mend_input(draft: Draft, path: str, rule: str) -> None:
    """C4: ``input`` as a list of items, or a string."""
    given = draft.body["input"]
    if is_object(given):
        draft.body["input"] = [given]
        draft.remember(given, "input")
        draft.note(rule, "input", "changed", "one item, sent as a list of one")
    elif given is None:
        del draft.body["input"]
        draft.note(rule, "input", "removed", "null")
    else:
        draft.body["input"] = flat_text(given)
        draft.note(rule, "input", "changed", "written as a string")


def mend_cache_key(draft: Draft, path: str, rule: str) -> None:
    """L2: the key cut, with a hash of the whole."""
    draft.body["prompt_cache_key"] = odd_form(draft.body["prompt_cache_key"])
    draft.note(rule, path, "changed", f"shortened to {draft.body['prompt_cache_key']!r}")


def mend_instructions(draft: Draft, path: str, rule: str) -> None:
    """L3: the instructions cut."""
    given = draft.body["instructions"]
    draft.body["instructions"] = given[:MAX_INSTRUCTIONS]
    draft.note(rule, path, "changed", f"cut; the last {len(given) - MAX_INSTRUCTIONS} characters are lost")


def mend_format(draft: Draft, path: str, rule: str) -> None:
    """T3 on ``text.format``: without strict mode, what the schema says is still asked for."""
    if draft.body["text"]["format"].get("strict"):
        draft.body["text"]["format"]["strict"] = False
        draft.note(rule, "text.format.strict", "changed", "false: the schema does not conform to strict mode")


def mend_tools(draft: Draft, path: str, rule: str) -> None:
    """T4: ``tools`` as a list."""
    given = draft.body["tools"]
    if is_object(given):
        draft.body["tools"] = [given]
        draft.remember(given, "tools")
        draft.note(rule, "tools", "changed", "one tool, sent as a list of one")
    else:
        del draft.body["tools"]
        draft.note(rule, "tools", "removed", "no list of tools")


def mend_strict(draft: Draft, tool: Object, path: str, rule: str) -> None:
    """T3: strict mode off; the schema is the host's to close."""
    if tool.get("strict"):
        tool["strict"] = False
        draft.note(
            rule, f"{draft.origin(tool, path)}.strict", "changed", "false: the schema does not conform to strict mode"
        )


def mend_tool_name(draft: Draft, tool: Object, path: str, rule: str) -> None:
    """T1: the name cleaned, in ``tool_choice`` as well; a function nested like in the chat API taken out; a second of a
    name goes.
    """
    place = draft.origin(tool, path)
    function: Any = tool.get("function")
    if "name" not in tool and is_object(function) and function.get("name"):
        tool.update(function)
        del tool["function"]
        draft.note(rule, f"{place}.function", "changed", "its fields stand in the tool itself")
        return
    given = tool.get("name")
    if not isinstance(given, str) or not given:
        draft.drop(tool, rule, path, "a tool without a name")
        return
    new = odd_form(given)
    if _is_sound(given):
        draft.drop(tool, rule, path, f"a second tool named {shown(given)}")
        return
    tool["name"] = new
    draft.note(rule, f"{place}.name", "changed", f"{shown(given)} → {new!r}")
    _rename_choice(draft, given, new)


def _is_sound(name: str) -> bool:
    return len(name) <= 128 and all((c.isascii() and c.isalnum()) or c in "_-" for c in name)


def _rename_choice(draft: Draft, given: str, new: str) -> None:
    choice = draft.body.get("tool_choice")
    if not is_object(choice):
        return
    named = choice.get("tools")
    for entry in [choice, *(named if is_list(named) else [])]:
        if is_object(entry) and entry.get("name") == given:
            entry["name"] = new
            draft.note("T1", "tool_choice", "changed", f"{shown(given)} → {new!r}")
