"""Which items need which others: P1 to P4, P6."""

from __future__ import annotations

from typing import Any, Final

from seamwright.check.context import Context
from seamwright.check.fields import ANSWER_OF
from seamwright.check.history import Role
from seamwright.check.json_types import Object, shown
from seamwright.check.violation import Severity

_BOUND: Final = (None, "message", "function_call", "custom_tool_call")
"""Item types whose id the API ties to the reasoning of their response; ids of hosted calls were never seen refused."""


def _is_reasoning(ctx: Context, index: int) -> bool:
    """A reasoning item, or a reference to one."""
    role = ctx.history.roles[index]
    return role == "reasoning" or (role == "reference" and str(ctx.items[index].get("id", "")).startswith("rs_"))


def _resolved_by_id(ctx: Context, item: Object) -> bool:
    """True where the server has to find the reasoning item itself: nothing encrypted in it, or a stored request."""
    return not ctx.stateless or not item.get("encrypted_content")


def reasoning_followed(ctx: Context) -> None:
    """P1: a reasoning item is followed by the item it led to.

    With ids the follower has to be known to the server as well: an id on the reasoning wants one on what comes next.
    """
    count = len(ctx.items)
    for index in ctx.history.reasoning:
        item = ctx.items[index]
        by_id = _resolved_by_id(ctx, item)
        problem = (
            _follower_problem(ctx, index + 1, by_id and bool(item.get("id")))
            if index + 1 < count
            else "nothing follows"
        )
        if problem:
            ctx.add("P1", f"input[{index}]", f"{_name(item)}: {problem}", severity="error" if by_id else "warning")


def _follower_problem(ctx: Context, index: int, wants_id: bool) -> str:
    if _is_reasoning(ctx, index):
        return f"input[{index}] is another reasoning item"
    if ctx.history.roles[index] not in ("agent", "reference"):
        return f"input[{index}] is no output item of the agent"
    if wants_id and not ctx.items[index].get("id"):
        return f"input[{index}] goes without its id while the reasoning carries one"
    return ""


def _name(item: Object) -> str:
    return f"reasoning {shown(item.get('id'))}" if item.get("id") else "reasoning without id"


class _Turn:
    """What stands in the current turn before the item that is looked at.

    ``any``: reasoning in the turn; ``step``: since the last answer of a client; ``run``: how many reasoning items stood
    in a row last; ``open``: nothing stands behind them yet; ``bare``: some of the turn's has an id and no encrypted
    part.
    """

    __slots__ = ("any", "bare", "open", "run", "step")

    def __init__(self) -> None:
        self.any = self.step = self.bare = self.open = False
        self.run = 0

    def reason(self, item: Object) -> None:
        self.run = self.run + 1 if self.open else 1
        self.any = self.step = self.open = True
        self.bare = self.bare or bool(item.get("id") and not item.get("encrypted_content"))

    def see(self, item: Object, role: Role) -> None:
        if role == "turn":
            self.any = self.step = self.bare = False
        elif role == "answer" and _from_client(item):
            self.step = False


def _from_client(item: Object) -> bool:
    """False for what the server put between two items of one response."""
    item_type = item.get("type")
    return item_type != "program_output" and (item_type != "tool_search_output" or item.get("execution") == "client")


def partner_present(ctx: Context) -> None:
    """P2: an item with a provider id travels with the reasoning of its response.

    A body shows it in two shapes, both errors in a stored request: the reasoning of the turn stands before a tool
    output and the item behind it; the reasoning directly before it has no id. Accepted traffic has the first shape with
    encrypted reasoning, so there it is a warning.
    """
    turn = _Turn()
    items = ctx.items
    for index, role in enumerate(ctx.history.roles):
        item = items[index]
        if role == "agent":
            if item.get("id") and item.get("type") in _BOUND:
                _judge_partner(ctx, index, item, turn)
            turn.open = False
        elif role == "reasoning" or (role == "reference" and _is_reasoning(ctx, index)):
            turn.reason(item)
        elif role != "neutral":
            turn.open = False
            turn.see(item, role)


def _judge_partner(ctx: Context, index: int, item: Object, turn: _Turn) -> None:
    before = ctx.items[index - 1] if index and ctx.history.roles[index - 1] == "reasoning" else None
    stored: Severity = "warning" if ctx.stateless else "error"
    path, name = f"input[{index}].id", shown(item["id"])
    if before is not None and not before.get("id"):
        ctx.add("P2", path, f"{name} follows a reasoning item that goes without its id", severity=stored)
    elif turn.step and turn.run > 1:
        ctx.add(
            "P2", path, f"{name} follows {turn.run} reasoning items; one item stands behind each", severity="warning"
        )
    elif turn.any and not turn.step:
        severity: Severity = stored if turn.bare else "warning"
        ctx.add(
            "P2", path, f"{name} stands behind a tool output, the reasoning of its turn before it", severity=severity
        )
    elif not turn.any and (ctx.can.reasoning or (ctx.can.reasoning is None and not ctx.stateless)):
        ctx.add("P2", path, f"{name} has no reasoning in its turn", severity="warning")


def calls_answered(ctx: Context) -> None:
    """P3: every call that wants an answer has one. Not judged when the server holds part of the history."""
    if ctx.chained:
        return
    for index, item_type, call_id in ctx.history.calls:
        if item_type not in ANSWER_OF:
            continue
        types = _answers_to(ctx, index, item_type, call_id)
        if not types:
            ctx.add("P3", f"input[{index}]", f"{item_type} {shown(call_id)} has no {ANSWER_OF[item_type]}")
        elif ANSWER_OF[item_type] not in types:
            found = ", ".join(sorted(types))
            message = f"{item_type} {shown(call_id)} is answered by {found}, not by {ANSWER_OF[item_type]}"
            ctx.add("P3", f"input[{index}]", message, severity="warning")


def _answers_to(ctx: Context, index: int, item_type: str, call_id: str) -> set[str]:
    types = ctx.history.answered.get(call_id, set())
    own_id: Any = ctx.items[index].get("id")
    if item_type == "local_shell_call" and type(own_id) is str:
        return types | (ctx.history.answered.get(own_id, set()) & {"local_shell_call_output"})
    return types


def answer_with_call_id(ctx: Context, item: Object) -> None:
    """P3 as a warning: an answer that carries the id of a call hides the call from the server."""
    item_id = item.get("id")
    if type(item_id) is str and item_id.startswith("fc_"):
        message = f"{shown(item_id)} is the id of a call; an answer the client made has none"
        ctx.on_item("P3", "id", message, severity="warning", hint="Leave id out of answers; call_id names the call.")


def chained_screenshots(ctx: Context) -> None:
    """P3 as a warning: a response may hold several computer calls, and a chained body shows only the answers."""
    answers = [index for index, item_type, _ in ctx.history.answers if item_type == "computer_call_output"]
    if ctx.chained and answers:
        message = (
            f"{len(answers)} screenshot(s) for a response the body does not show; each of its computer calls needs one"
        )
        ctx.add("P3", f"input[{answers[0]}]", message, severity="warning")


def answers_called(ctx: Context) -> None:
    """P4: every answer has its call before it. Not judged when the server holds part of the history."""
    if ctx.chained:
        return
    reference = ctx.history.reference
    for index, item_type, key in ctx.history.answers:
        # In a stored request a reference may stand for the call, and the body does not show its call_id.
        referenced = reference is not None and reference < index and not ctx.stateless
        place = _place_of_call(ctx, item_type, key)
        if (place is None or place > index) and not referenced:
            where = "no call" if place is None else f"its call only behind it, at input[{place}],"
            ctx.add("P4", f"input[{index}]", f"{item_type} {shown(key)} has {where} in the input")


def _place_of_call(ctx: Context, item_type: str, key: str) -> int | None:
    named = ctx.history.first_id.get(key)
    of = {"local_shell_call_output": "local_shell_call", "mcp_approval_response": "mcp_approval_request"}.get(item_type)
    by_id = named if named is not None and of is not None and ctx.items[named].get("type") == of else None
    if item_type == "mcp_approval_response":
        return by_id
    by_call_id = ctx.history.first_call.get(key)
    places = [place for place in (by_id, by_call_id) if place is not None]
    return min(places) if places else None


def reasoning_persisted(ctx: Context, item: Object) -> None:
    """P6: where the server keeps nothing, a reasoning item brings its encrypted part; elsewhere that or its id, as a
    warning.
    """
    if item.get("encrypted_content"):
        return
    if ctx.stateless:
        ctx.on_item("P6", "encrypted_content", f"{_name(item)} has no encrypted part, and the server keeps no items")
    elif not item.get("id"):
        ctx.on_item("P6", "", "reasoning with neither id nor encrypted part", severity="warning", hint="Drop it.")


def reference_persisted(ctx: Context, item: Object) -> None:
    """P6: where the server keeps nothing, nothing can be referred to."""
    if ctx.stateless:
        ctx.on_item("P6", "", f"item_reference {shown(item.get('id'))}: the server keeps no items")


def idle_id(ctx: Context, item: Object) -> None:
    """P6 as a warning: ids sent to an endpoint that takes none."""
    if ctx.profile.ids == "never" and item.get("id"):
        message = f"endpoint {ctx.profile.name!r} knows no item ids"
        ctx.on_item("P6", "id", message, severity="warning", hint="Leave the id out.")
