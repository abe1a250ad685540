"""Reads a request's items as the API would: pairs, ids, what follows reasoning. Shares no code with the builder."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

Item = dict[str, Any]

_ANSWERED = {"function_call": "function_call_output", "custom_tool_call": "custom_tool_call_output"}
_ID_FORMS = {
    "message": r"msg_[A-Za-z0-9_-]{1,60}",
    "function_call": r"fc_[A-Za-z0-9_-]{1,61}",
    "reasoning": r"rs_[A-Za-z0-9_-]{1,61}",
    "custom_tool_call": r"ctc_[A-Za-z0-9_-]{1,60}",
}
_ANY_FORM = r"[A-Za-z0-9_-]{1,64}"


def is_output(item: Item) -> bool:
    """Whether an item is something the agent itself put out: no answer, no reasoning, nobody else's words."""
    kind = item["type"]
    if kind == "message":
        return item["role"] == "assistant" and isinstance(item.get("content"), list)
    return kind != "reasoning" and not kind.endswith("_output") and kind != "mcp_approval_response"


def reasoning_faults(items: Sequence[Item]) -> list[str]:
    """Each reasoning item that nothing of the agent's own follows, or that the API would refuse."""
    faults = []
    for index, item in enumerate(items):
        if item["type"] != "reasoning":
            continue
        if (
            not {"type", "summary", "encrypted_content"}
            <= item.keys()
            <= {"type", "summary", "encrypted_content", "id"}
        ):
            faults.append(f"input[{index}] has the keys {sorted(item)}")
        behind = items[index + 1] if index + 1 < len(items) else None
        if behind is None or not (behind["type"] == "reasoning" or is_output(behind)):
            faults.append(f"input[{index}] is followed by {behind and behind['type']}")
    return faults


def orphans(items: Sequence[Item]) -> list[str]:
    """Each function or custom tool call without its output behind it, and each output without its call before it."""
    faults = []
    for call, answer in _ANSWERED.items():
        for index, item in enumerate(items):
            if item["type"] == call:
                around, wanted = items[index + 1 :], answer
            elif item["type"] == answer:
                around, wanted = items[:index], call
            else:
                continue
            if not any(other["type"] == wanted and other["call_id"] == item["call_id"] for other in around):
                faults.append(f"input[{index}]: {item['type']} {item['call_id']} without its {wanted}")
    return faults


def id_faults(items: Sequence[Item]) -> list[str]:
    """Each item id that stands twice or is of no form that may be sent, and each call id that two function calls have.

    The ``id`` of a ``local_shell_call_output`` names its call.
    """
    own = [
        (index, item) for index, item in enumerate(items) if "id" in item and item["type"] != "local_shell_call_output"
    ]
    faults = [
        f"input[{index}].id {item['id']!r}"
        for index, item in own
        if not re.fullmatch(_ID_FORMS.get(item["type"], _ANY_FORM), str(item["id"]))
    ]
    ids = [item["id"] for _, item in own]
    calls = [item["call_id"] for item in items if item["type"] == "function_call"]
    faults += [f"id {one!r} stands twice" for one in set(ids) if ids.count(one) > 1]
    faults += [f"call id {one!r} stands twice" for one in set(calls) if calls.count(one) > 1]
    return faults + [f"call id {one!r}" for one in calls if not re.fullmatch(_ANY_FORM, one)]
