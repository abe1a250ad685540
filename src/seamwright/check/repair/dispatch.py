"""Which fix answers which violation, and in which order."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from seamwright.check.history import type_of
from seamwright.check.json_types import Object, is_object
from seamwright.check.repair import body, ids, items, pairing
from seamwright.check.repair.draft import Draft
from seamwright.check.repair.parts import mend_image
from seamwright.check.violation import Violation

ItemFix = Callable[[Draft, Any, str, str], None]
"""(draft, item or tool, path, rule)"""
BodyFix = Callable[[Draft, str, str], None]
"""(draft, path, rule)"""

ORDER: Final = (
    *("X1", "L1", "C2", "F2", "F1", "C4", "C3", "C1"),
    *("M1", "M2", "M3", "M4", "F3", "F4", "F5", "F7", "F10", "F12", "T2", "T5"),
    *("I1", "I2", "I3", "I4", "I5", "T4", "T1", "T3", "L2", "L3"),
    *("P6", "P5", "P4", "P3", "P11", "P1", "P2"),
)
"""What an item is comes before what is in it, and both before what it goes with: an earlier fix may settle a later
rule.
"""

_ITEM_FIXES: Final[dict[str, ItemFix]] = {
    "C3": items.mend_shape,
    "C2": items.mend_role,
    "F1": items.mend_keys,
    "F2": items.mend_keys,
    "F3": items.mend_reasoning,
    "F4": items.mend_reasoning,
    "F5": items.mend_action,
    "F7": items.mend_computer_action,
    "F10": items.mend_output,
    "M4": items.mend_output,
    "F12": items.drop_item,
    "T2": items.mend_call_name,
    "T5": items.mend_arguments,
    "I1": ids.mend_id,
    "I2": ids.mend_id,
    "I3": ids.mend_id,
    "I5": ids.mend_id,
    "I4": ids.mend_call_id,
    "P5": ids.mend_duplicate,
    "P11": ids.mend_repeated_call_id,
    "P6": pairing.mend_unresolved,
    "P4": pairing.mend_orphan,
    "P3": pairing.mend_unanswered,
    "P1": pairing.mend_unfollowed,
    "P2": pairing.mend_partner,
}
_TOOL_FIXES: Final[dict[str, ItemFix]] = {"T1": body.mend_tool_name, "T3": body.mend_strict}
_BODY_FIXES: Final[dict[str, BodyFix]] = {
    "C4": body.mend_input,
    "L2": body.mend_cache_key,
    "L3": body.mend_instructions,
    "T3": body.mend_format,
    "T4": body.mend_tools,
}

_PART: Final = re.compile(r"(input\[(\d+)\])\.(content|output|summary)\[(\d+)\](.*)")
_ITEM: Final = re.compile(r"input\[(\d+)\]")
_TOOL: Final = re.compile(r"((?:input\[\d+\]\.)?tools\[\d+\](?:\.tools\[\d+\])*)")
_STEP: Final = re.compile(r"(\w+)|\[(\d+)\]")

_RANKS: Final = {rule: number for number, rule in enumerate(ORDER, start=1)}


def rank(violation: Violation) -> int:
    """When a violation is answered. What is no item at all comes first, while it can be told by its place."""
    if violation.rule == "C4" and _ITEM.fullmatch(violation.path):
        return 0
    return _RANKS.get(violation.rule, len(_RANKS) + 1)


def fix_all(draft: Draft, violations: list[Violation]) -> None:
    """Answer all violations of one rule, in the order of the body."""
    parts: dict[tuple[int, str], set[int]] = {}
    for violation in violations:
        part = _PART.match(violation.path)
        if part and violation.rule != "F1":
            parts.setdefault((int(part[2]), part[3]), set()).add(int(part[4]))
        elif part:
            _fix_part_keys(draft, part)
        else:
            fix(draft, violation)
    rule = violations[0].rule
    for (index, field), positions in parts.items():
        item = draft.items[index]
        if not draft.gone(item):
            items.mend_parts(draft, item, field, positions, f"input[{index}]", rule)


def _fix_part_keys(draft: Draft, match: re.Match[str]) -> None:
    part = draft.items[int(match[2])][match[3]][int(match[4])]
    items.mend_part_keys(draft, part, f"{match[1]}.{match[3]}[{match[4]}]")


def fix(draft: Draft, violation: Violation) -> None:
    """Answer one violation that is not about a part of a list."""
    tool, item, rule = _TOOL.match(violation.path), _ITEM.match(violation.path), violation.rule
    if tool:
        _fix_tool(draft, tool[0], rule)
    elif item:
        thing = draft.items[int(item[1])]
        if not draft.gone(thing):
            _item_fix(violation, thing)(draft, thing, item[0], rule)
    elif rule in _BODY_FIXES:
        _BODY_FIXES[rule](draft, violation.path, rule)


def _fix_tool(draft: Draft, path: str, rule: str) -> None:
    tool: Any = draft.body
    for name, index in _STEP.findall(path):
        tool = tool[name] if name else tool[int(index)]
    if not draft.gone(tool):
        _TOOL_FIXES.get(rule, drop_tool)(draft, tool, path, rule)


def drop_tool(draft: Draft, tool: Any, path: str, rule: str) -> None:
    """T4: what is no tool goes."""
    draft.drop(tool, rule, path, "no tool the API could read")


def _item_fix(violation: Violation, item: Any) -> ItemFix:
    rest = violation.path.partition("]")[2]
    if violation.rule == "C4":
        return items.mend_content if rest == ".content" else items.mend_shape
    if rest.startswith((".output.", '.output["')) and is_object(item) and type_of(item) == "computer_call_output":
        return _mend_screenshot
    return _ITEM_FIXES.get(violation.rule, items.drop_item)


def _mend_screenshot(draft: Draft, item: Object, path: str, rule: str) -> None:
    mended, what = mend_image(item["output"], draft.profile)
    if mended is None or mended["type"] != "input_image":
        draft.drop(item, rule, path, "the screenshot can't be read")
        return
    output = {key: mended[key] for key in ("image_url", "file_id") if key in mended}
    item["output"] = {"type": "computer_screenshot", **output}
    draft.note(rule, f"{draft.origin(item, path)}.output", "changed", what)


def remove(draft: Draft, violation: Violation) -> None:
    """The last resort: take out the item, the tool or the parameter that is wrong."""
    item, tool = _ITEM.match(violation.path), re.match(r"tools\[(\d+)\]", violation.path)
    if item:
        thing = draft.items[int(item[1])]
        why = f"nothing else helps: {violation.message}"
        if is_object(thing) and type_of(thing) != "message":
            draft.remove_item(thing, violation.rule, item[0], why)
        else:
            draft.drop(thing, violation.rule, item[0], why)
    elif tool:
        thing = draft.tools[int(tool[1])]
        if not draft.gone(thing):
            draft.drop(thing, violation.rule, tool[0], f"nothing else helps: {violation.message}")
    else:
        key = re.split(r"[.\[]", violation.path)[0]
        if draft.body.pop(key, None) is not None:
            draft.note(violation.rule, key, "removed", f"nothing else helps: {violation.message}")
