"""The checker: the walk over a request that runs the compiled rules."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from seamwright.check.context import Context
from seamwright.check.endpoints import endpoint_profile
from seamwright.check.history import role_of
from seamwright.check.json_types import is_list, is_object
from seamwright.check.json_types import kind as kind_of
from seamwright.check.models import ModelCapabilities
from seamwright.check.plan import OTHER, Checklist, Plan, plan_for
from seamwright.check.table import RULES
from seamwright.check.tree import Reader, TreeProblem, is_plain, read_body
from seamwright.check.violation import Severity, Violation
from seamwright.model.endpoints import EndpointProfile

TEXTS: Final[dict[str, tuple[Severity, str]]] = {rule.id: (rule.severity or "warning", rule.remedy) for rule in RULES}
"""Severity and remedy of every rule."""
_TOOL_HOLDERS: Final = frozenset({"additional_tools", "tool_search_output"})


def check_request(
    body: object,
    endpoint: str | EndpointProfile = "openai",
    *,
    models: Mapping[str, ModelCapabilities] | None = None,
) -> list[Violation]:
    """What the Responses API would refuse about *body*, or may refuse, in the order of the body.

    *body*: the request as a mapping, as JSON text or UTF-8 bytes, or anything with ``to_request()``. *endpoint*: a name
    of ``seamwright.model.endpoints.ENDPOINTS`` or a profile of your own; an unknown name raises ``InvalidStateError``
    (a ``ValueError``). *models* adds to the table of model capabilities. A bad body never raises: it is a violation.
    """
    profile = endpoint_profile(endpoint)
    plain, problems = plain_request(body)
    ctx = Context(plain, profile, models, TEXTS)
    for problem in problems:
        ctx.add(problem.rule, problem.path, problem.message)
    if plain or not problems:
        _run(ctx)
    return sorted(ctx.found, key=_place) if ctx.found else ctx.found


def plain_request(body: object) -> tuple[dict[str, Any], list[TreeProblem]]:
    """*body* as plain dicts and lists, uncopied when it is that already, and what JSON can't hold of it."""
    reader = Reader()
    try:
        request = read_body(body)
        if is_object(request) and is_plain(request):
            return request, []
        plain: Any = reader.read(request)
    except Exception as error:  # noqa: BLE001 - whatever a foreign object raises while it is read, the body is what is wrong
        return {}, [TreeProblem("X1", "", str(error) or type(error).__name__)]
    if is_object(plain):
        return plain, reader.problems
    return {}, [TreeProblem("X1", "", f"{kind_of(request)}; a body is an object"), *reader.problems]


_INDEX: Final = re.compile(r"(?:input|tools)\[(\d+)\]")
_SECTIONS: Final = {"i": 2, "t": 1}


def _place(violation: Violation) -> tuple[int, int]:
    match = _INDEX.match(violation.path)
    return (_SECTIONS[match[0][0]], int(match[1])) if match else (0, 0)


def _run(ctx: Context) -> None:
    plan = plan_for(ctx.profile, ctx.can)
    for index, item in enumerate(ctx.items):
        ctx.index = index
        if is_object(item):
            _run_item(ctx, plan, item)
        else:
            ctx.history.skip()
            plan.no_item.run(ctx, item)
    _run_tools(ctx, plan, ctx.body.get("tools"), "tools")
    for check in plan.body:
        check(ctx)


def _run_item(ctx: Context, plan: Plan, item: dict[str, Any]) -> None:
    kind: Any = item.get("type")
    checklist = plan.items.get(kind) if type(kind) is str else None
    if checklist is None:
        kind, checklist = plan.find(item)
    checklist.run(ctx, item)
    ctx.history.see(ctx.index, item, kind, checklist.role or role_of(item, kind))
    if checklist.parts is not None:
        parts = item.get(checklist.field)
        if is_list(parts):
            ctx.field = checklist.field
            _run_parts(ctx, checklist.parts, parts)
    elif kind == "computer_call_output":
        _run_screenshot(ctx, plan, item.get("output"))
    elif kind in _TOOL_HOLDERS:
        _run_tools(ctx, plan, item.get("tools"), f"input[{ctx.index}].tools")


def _run_parts(ctx: Context, compiled: Mapping[str, Checklist], parts: list[Any]) -> None:
    for position, part in enumerate(parts):
        ctx.position = position
        kind = part.get("type") if is_object(part) else OTHER
        ((compiled.get(kind) if type(kind) is str else None) or compiled[OTHER]).run(ctx, part)


def _run_screenshot(ctx: Context, plan: Plan, output: object) -> None:
    if is_object(output) and output.get("type") == "computer_screenshot":
        ctx.field, ctx.position = "output", None
        plan.screenshot.run(ctx, output)


def _run_tools(ctx: Context, plan: Plan, tools: object, path: str) -> None:
    if not is_list(tools):
        return
    for index, tool in enumerate(tools):
        if not is_object(tool):
            continue
        kind: Any = tool.get("type")
        checks = plan.tools.get(kind) if type(kind) is str else None
        ctx.tool_path = f"{path}[{index}]"
        if checks is not None:
            checks.run(ctx, tool)
        if kind == "namespace":
            _run_tools(ctx, plan, tool.get("tools"), f"{path}[{index}].tools")
