"""Calls, answers and reasoning: P1 to P4, P6."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from seamwright.check.fields import ANSWER_OF
from seamwright.check.history import answer_key, type_of
from seamwright.check.json_types import Object, is_object, shown
from seamwright.check.repair.draft import Draft
from seamwright.check.repair.text import NO_RESULT

_BOUND: Final = frozenset({"message", "function_call", "custom_tool_call"})


def drop_reasoning(draft: Draft, item: Object, path: str, rule: str, why: str) -> None:
    """Take a reasoning item out, and the ids of what it led to: they may not go without it."""
    draft.drop(item, rule, path, f"{why}; the ids of what it led to go with it")
    for follower in _step_behind(draft, item):
        strip_id(draft, follower, "P2", "its reasoning is gone")


def _step_behind(draft: Draft, item: Object) -> Iterator[Object]:
    """The agent's items of the same step behind a reasoning item."""
    items, roles = draft.items, draft.roles()
    start = next(index for index, other in enumerate(items) if other is item)
    for other, role in zip(items[start + 1 :], roles[start + 1 :], strict=True):
        if role not in ("agent", "neutral"):
            return
        if role == "agent":
            yield other


def strip_id(draft: Draft, item: Object, rule: str, why: str) -> None:
    """Take the id from an item that is tied to reasoning by it."""
    if type_of(item) in _BOUND and "id" in item:
        given = item.pop("id")
        draft.note(rule, f"{draft.origin(item, 'input')}.id", "removed", f"{shown(given)}: {why}")


def mend_unresolved(draft: Draft, item: Object, path: str, rule: str) -> None:
    """P6: reasoning without its encrypted part, and references, go where the server keeps nothing."""
    if type_of(item) == "reasoning":
        drop_reasoning(draft, item, path, rule, "reasoning without encrypted part, and the server keeps no items")
    else:
        draft.drop(item, rule, path, "a reference to an item the server does not keep")


def mend_unfollowed(draft: Draft, item: Object, path: str, rule: str) -> None:
    """P1: reasoning whose item is missing goes; one that can be read without being looked up only loses its id."""
    items, roles = draft.items, draft.roles()
    index = next(index for index, other in enumerate(items) if other is item)
    followed = index + 1 < len(items) and roles[index + 1] == "agent"
    if followed and item.get("encrypted_content") and draft.profile.ids != "always":
        given = item.pop("id")
        draft.note(rule, f"{draft.origin(item, path)}.id", "removed", f"{shown(given)}: what it led to carries none")
    elif type_of(item) != "reasoning":
        draft.drop(item, rule, path, "a reference to reasoning whose item is missing")
    else:
        for lost in _lost_with(draft, index):
            if not draft.gone(lost):
                drop_reasoning(draft, lost, path, rule, "the item it led to is not there")


def _lost_with(draft: Draft, index: int) -> list[Object]:
    """The reasoning items that go with an unfollowed one: the others of its run when it is open which of them led to
    what.
    """
    items, roles = draft.items, draft.roles()
    end = index
    while end < len(items) and roles[end] == "reasoning":
        end += 1
    behind = _step_behind(draft, items[end - 1])
    several = sum(bool(other.get("id")) for other in behind) > 1
    return items[index:end] if several else [items[index]]


def mend_partner(draft: Draft, item: Object, path: str, rule: str) -> None:
    """P2: an item apart from its reasoning goes on without its id; reasoning that can't be found at all goes."""
    strip_id(draft, item, rule, "it stands apart from its reasoning")
    index = next(index for index, other in enumerate(draft.items) if other is item)
    before = draft.items[index - 1] if index else None
    if (
        is_object(before)
        and type_of(before) == "reasoning"
        and not (before.get("id") or before.get("encrypted_content"))
    ):
        draft.drop(before, rule, f"input[{index - 1}]", "reasoning with neither id nor encrypted part")


def mend_orphan(draft: Draft, item: Object, path: str, rule: str) -> None:
    """P4: an answer before its call moves behind it; one without call stays as text."""
    call = _call_of(draft, item)
    if call is None:
        draft.remove_item(item, rule, path, "the call it answers is not there")
        return
    draft.insert_behind(_end_of_step(draft, call), _moved(draft, item))
    draft.note(rule, draft.origin(item, path), "moved", f"behind its call at {draft.origin(call, 'input')}")


def _moved(draft: Draft, item: Object) -> Object:
    """A stand-in for the new place of an item that leaves its old one."""
    copy = dict(item)
    draft.remember(copy, draft.origin(item, "input"))
    draft.leave(item)
    return copy


def _call_of(draft: Draft, item: Object) -> Object | None:
    kind = type_of(item)
    key = answer_key(item, kind)
    calls = [o for o, role in zip(draft.items, draft.roles(), strict=True) if role == "agent" and is_object(o)]
    if kind == "mcp_approval_response":
        return next((o for o in calls if type_of(o) == "mcp_approval_request" and o.get("id") == key), None)
    named = next((o for o in calls if o.get("call_id") == key), None)
    own = (o for o in calls if type_of(o) == "local_shell_call" and o.get("id") == key)
    return named or (next(own, None) if kind == "local_shell_call_output" else None)


def _end_of_step(draft: Draft, call: Object) -> Any:
    """The last of the agent's items in a row that *call* is in: answers stand behind all of them."""
    items, roles = draft.items, draft.roles()
    index = next(index for index, other in enumerate(items) if other is call)
    while index + 1 < len(items) and roles[index + 1] == "agent":
        index += 1
    return items[index]


def mend_unanswered(draft: Draft, item: Object, path: str, rule: str) -> None:
    """P3: a call without answer gets one that says so; a computer call, which wants a picture, goes."""
    kind = type_of(item)
    call_id = str(item.get("call_id"))
    place = draft.origin(item, path)
    answer = _answer(kind, call_id)
    if answer is None:
        draft.drop(item, rule, path, f"{kind} {shown(call_id)} has no screenshot, and none can be made")
        return
    draft.remember(answer, place)
    draft.insert_behind(_end_of_step(draft, item), answer)
    draft.note(rule, place, "added", f"a {ANSWER_OF[kind]} for {shown(call_id)}: {NO_RESULT}")


def _answer(kind: str, call_id: str) -> Object | None:
    output: Any = NO_RESULT
    if kind == "computer_call":
        return None
    if kind == "local_shell_call":
        return {"type": ANSWER_OF[kind], "id": call_id, "output": output}
    if kind == "shell_call":
        output = [{"stdout": "", "stderr": NO_RESULT, "outcome": {"type": "timeout"}}]
    answer = {"type": ANSWER_OF[kind], "call_id": call_id, "output": output}
    return {**answer, "status": "failed"} if kind == "apply_patch_call" else answer
