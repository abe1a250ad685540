"""The checker: the table of rules compiled into one list of functions for each type, and the walk that runs them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import attrs

from seamwright.check.context import BodyCheck, Context, ObjectCheck
from seamwright.check.endpoints import endpoint_profile
from seamwright.check.fields import ITEM_KEYS, PART_KEYS
from seamwright.check.json_types import is_list, is_object
from seamwright.check.models import ModelCapabilities
from seamwright.check.rule import Check, Guard
from seamwright.check.table import RULES
from seamwright.check.tree import Reader, TreeProblem, is_plain, read_body
from seamwright.check.violation import Severity, Violation
from seamwright.model.endpoints import EndpointProfile

Checks = tuple[ObjectCheck, ...]

UNTYPED: Final = ""
"""Stands for an item without type and role, which can only be an ``item_reference``."""
OTHER: Final = "?"
"""Stands for a type the tables do not know."""
NO_ITEM: Final = "!"
"""Stands for an entry of ``input`` that is no object."""

_TEXTS: Final[dict[str, tuple[Severity, str]]] = {rule.id: (rule.severity or "warning", rule.remedy) for rule in RULES}
_TOOL_HOLDERS: Final = frozenset({"additional_tools", "tool_search_output"})
_OWNERS: Final = ("message", "output", "summary", "screenshot")
_PARTS_OF: Final = {
    "message": ("message", "content"),
    "function_call_output": ("output", "output"),
    "custom_tool_call_output": ("output", "output"),
    "reasoning": ("summary", "summary"),
}


@attrs.frozen
class Checklist:
    """The checks of one type: those that always run, and groups behind a guard.

    ``parts`` and ``field``, for items: the checklists of their parts, and where these stand.
    """

    always: Checks = ()
    guarded: tuple[tuple[Guard, Checks], ...] = ()
    parts: Mapping[str, Checklist] | None = None
    field: str = ""

    def run(self, ctx: Context, thing: Any) -> None:
        """Run them over one item, part or tool."""
        for check in self.always:
            check(ctx, thing)
        for guard, checks in self.guarded:
            if not guard(thing):
                for check in checks:
                    check(ctx, thing)


Compiled = dict[str, Checklist]


@attrs.frozen
class Plan:
    """The table compiled for one endpoint and one set of model capabilities."""

    items: Compiled
    tools: Compiled
    screenshot: Checklist
    body: tuple[BodyCheck, ...]


@lru_cache(maxsize=64)
def plan_for(profile: EndpointProfile, can: ModelCapabilities) -> Plan:
    """The functions to run for each type, without those that can't find anything here."""
    checks = [check for rule in RULES for check in rule.checks if check.when is None or check.when(profile, can)]
    by_scope = {
        scope: [check for check in checks if check.scope == scope] for scope in ("body", "item", "part", "tool")
    }
    parts = {o: _compile([c for c in by_scope["part"] if o in c.owners], (*PART_KEYS, OTHER)) for o in _OWNERS}
    items = _compile(by_scope["item"], (*ITEM_KEYS, UNTYPED, OTHER, NO_ITEM))
    for name, (owner, field) in _PARTS_OF.items():
        items[name] = attrs.evolve(items[name], parts=parts[owner], field=field)
    return Plan(
        items=items,
        tools=_compile(by_scope["tool"], ()),
        screenshot=parts["screenshot"]["computer_screenshot"],
        body=tuple(check.run for check in by_scope["body"]),
    )


def _compile(checks: list[Check], known: tuple[str, ...]) -> Compiled:
    kinds = dict.fromkeys((*known, *(kind for check in checks for kind in check.types)))
    return {kind: _checklist([check for check in checks if kind in check.types]) for kind in kinds}


def _checklist(checks: list[Check]) -> Checklist:
    groups: dict[Guard, Checks] = {}
    for check in checks:
        if check.guard is not None:
            groups[check.guard] = (*groups.get(check.guard, ()), check.run)
    return Checklist(tuple(check.run for check in checks if check.guard is None), tuple(groups.items()))


def check_request(
    body: object,
    endpoint: str | EndpointProfile = "openai",
    *,
    models: Mapping[str, ModelCapabilities] | None = None,
) -> list[Violation]:
    """What the Responses API would refuse about *body*, or may refuse, in the order of the body.

    *body*: the request as a mapping, as JSON text or UTF-8 bytes, or anything with ``to_request()``. *endpoint*: a name of
    ``seamwright.model.endpoints.ENDPOINTS`` or a profile of your own; an unknown name raises ``InvalidStateError`` (a
    ``ValueError``). *models* adds to the table of model capabilities. A bad body never raises: it is a violation.
    """
    profile = endpoint_profile(endpoint)
    plain, problems = plain_request(body)
    ctx = Context(plain, profile, models, _TEXTS)
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
    except Exception as error:  # whatever a foreign object raises while it is read, the body is what is wrong
        return {}, [TreeProblem("X1", "", str(error) or type(error).__name__)]
    if is_object(plain):
        return plain, reader.problems
    return {}, [TreeProblem("X1", "", f"expected an object, got {type(request).__name__}"), *reader.problems]


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
            plan.items[NO_ITEM].run(ctx, item)
    _run_tools(ctx, plan, ctx.body.get("tools"), "tools")
    for check in plan.body:
        check(ctx)


def item_type(item: dict[str, Any]) -> str:
    """The type an item has for the tables: its own, ``message`` for one that only has a role or content, ``UNTYPED``, ``OTHER``."""
    given = item.get("type")
    if type(given) is str and given in ITEM_KEYS:
        return given
    if given is None:
        return "message" if "role" in item or "content" in item else UNTYPED
    return OTHER


def _run_item(ctx: Context, plan: Plan, item: dict[str, Any]) -> None:
    kind = item_type(item)
    checklist = plan.items[kind]
    checklist.run(ctx, item)
    ctx.history.see(ctx.index, item, kind if kind != OTHER else str(item["type"]))
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
