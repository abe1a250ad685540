"""Item ids and call ids: I1 to I5, P5, P11."""

from __future__ import annotations

from typing import Any

import xxhash

from seamwright.check.fields import ANSWER_OF, MAX_ID, NEEDS_ID
from seamwright.check.history import type_of
from seamwright.check.json_types import Object, is_object, shown
from seamwright.check.repair.draft import Draft
from seamwright.check.repair.pairing import drop_reasoning
from seamwright.check.repair.text import odd_form


def mend_id(draft: Draft, item: Object, path: str, rule: str) -> None:
    """I1, I2, I3, I5: an id that can't be sent goes; where the type needs one, the item goes. A call's name in an
    answer is shortened.
    """
    given = item.get("id")
    kind = type_of(item)
    if kind == "local_shell_call_output" and isinstance(given, str) and given:
        item["id"] = odd_form(given)
        draft.note(
            rule, f"{draft.origin(item, path)}.id", "changed", f"{shown(given)} → {item['id']!r}, as its call_id"
        )
    elif kind == "reasoning" and (draft.profile.ids == "always"):
        drop_reasoning(
            draft,
            item,
            path,
            rule,
            "the endpoint wants an id on every reasoning item, and this one has none it could take",
        )
    elif kind in NEEDS_ID:
        draft.remove_item(item, rule, path, f"{kind} without an id the API could take")
    else:
        item.pop("id", None)
        draft.note(rule, f"{draft.origin(item, path)}.id", "removed", f"{shown(given)} is no id of the API")


def mend_call_id(draft: Draft, item: Object, path: str, rule: str) -> None:
    """I4: a long call id is cut the same way wherever it stands; a missing one is made, or taken from the call that
    waits for an answer.
    """
    name = "approval_request_id" if type_of(item) == "mcp_approval_response" else "call_id"
    given = item.get(name)
    if isinstance(given, str) and given:
        new: str | None = odd_form(given)
    elif isinstance(given, int | float) and not isinstance(given, bool):
        new = str(given) if 0 < len(str(given)) <= MAX_ID else odd_form(str(given))
    else:
        new = _new_call_id(draft, item)
    if new is None:
        draft.remove_item(item, rule, path, f"no {name}, and no call that waits for an answer")
        return
    item[name] = new
    draft.note(rule, f"{draft.origin(item, path)}.{name}", "changed", f"{shown(given)} → {new!r}")


def _new_call_id(draft: Draft, item: Object) -> str | None:
    kind = type_of(item)
    if kind in ANSWER_OF:
        index = next(index for index, other in enumerate(draft.items) if other is item)
        taken = _call_ids(draft)
        return next(name for n in range(len(taken) + 1) if (name := _made(f"{index}.{n}")) not in taken)
    if kind in ("tool_search_call", "tool_search_output"):
        return None
    waiting = _waiting(draft, item)
    return waiting[0] if waiting else None


def _made(seed: str) -> str:
    return f"call_{xxhash.xxh3_64_hexdigest(seed.encode())}"


def _call_ids(draft: Draft) -> set[str]:
    return {str(item.get("call_id")) for item in draft.items if is_object(item)}


def _waiting(draft: Draft, answer: Object) -> list[str]:
    """Call ids of the calls before *answer* that an answer of its type would answer, and none does yet."""
    kind = type_of(answer)
    things = [item for item in draft.items if is_object(item) and not draft.gone(item)]
    answered = [item.get("call_id") for item in things if type_of(item) == kind]
    before = things[: next((index for index, item in enumerate(things) if item is answer), len(things))]
    calls = [item.get("call_id") for item in before if ANSWER_OF.get(type_of(item)) == kind]
    return [call_id for call_id in calls if isinstance(call_id, str) and call_id and call_id not in answered]


def mend_duplicate(draft: Draft, item: Object, path: str, rule: str) -> None:
    """P5: the first keeps its id. A copy goes, with the copy of its answer; reasoning goes; anything else goes on
    without id.
    """
    if item.get("id") is None:
        return  # lost it in this round, with its reasoning
    first = next(other for other in draft.items if is_object(other) and other.get("id") == item["id"])
    if item == first:
        draft.drop(item, rule, path, f"the same item as {draft.origin(first, 'the first')}")
        _drop_copied_answer(draft, item, rule)
    elif type_of(item) == "reasoning":
        drop_reasoning(draft, item, path, rule, f"its id is that of {draft.origin(first, 'another item')}")
    elif type_of(item) in NEEDS_ID:
        draft.remove_item(
            item, rule, path, f"its id is that of {draft.origin(first, 'another item')}, and it can't go without"
        )
    else:
        del item["id"]
        draft.note(
            rule, f"{draft.origin(item, path)}.id", "removed", f"it is the id of {draft.origin(first, 'another item')}"
        )


def _drop_copied_answer(draft: Draft, call: Object, rule: str) -> None:
    answer_type = ANSWER_OF.get(type_of(call))
    answers = [
        other
        for other in draft.items
        if is_object(other) and type_of(other) == answer_type and other.get("call_id") == call.get("call_id")
    ]
    for copy in answers[1:]:
        if copy == answers[0] and not draft.gone(copy):
            draft.drop(copy, rule, "input", "the same answer as that of the first copy of its call")
            return


def mend_repeated_call_id(draft: Draft, item: Any, path: str, rule: str) -> None:
    """P11 where it is an error: later calls with the id, and the answers that belong to them, get one of their own."""
    kind = type_of(item)
    call_id = item.get("call_id")
    if kind not in ANSWER_OF or not isinstance(call_id, str):
        _drop_surplus_answer(draft, item, path, rule)
        return
    same = [other for other in draft.items if is_object(other) and other.get("call_id") == call_id]
    calls = [other for other in same if type_of(other) == kind]
    answers = [other for other in same if type_of(other) == ANSWER_OF[kind]]
    taken = _call_ids(draft)
    for number, call in enumerate(calls[1:], start=2):
        new = next(
            name for n in range(number, number + len(taken) + 1) if (name := odd_form(f"{call_id}#{n}")) not in taken
        )
        taken.add(new)
        for thing in (call, *answers[number - 1 : number]):
            thing["call_id"] = new
            draft.note(rule, f"{draft.origin(thing, path)}.call_id", "changed", f"{shown(call_id)} → {new!r}")


def _drop_surplus_answer(draft: Draft, item: Any, path: str, rule: str) -> None:
    key = "id" if type_of(item) == "local_shell_call_output" else "call_id"
    same = [o for o in draft.items if is_object(o) and type_of(o) == type_of(item) and o.get(key) == item.get(key)]
    calls = [o for o in draft.items if is_object(o) and ANSWER_OF.get(type_of(o)) == type_of(item)]
    if sum(o.get("call_id") == item.get(key) for o in calls) < len(same):
        draft.remove_item(item, rule, path, "its call was answered before")
