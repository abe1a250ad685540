"""The checker: the table of rules compiled into one list of functions for each type, and the walk that runs them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from seamwright.check.context import BodyCheck, Context, ObjectCheck
from seamwright.check.endpoints import endpoint_profile
from seamwright.check.fields import ITEM_KEYS, PART_KEYS
from seamwright.check.models import ModelCapabilities
from seamwright.check.rule import Scope
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


def _compile(scope: Scope, known: tuple[str, ...], owner: str = "") -> dict[str, Checks]:
    """The functions to run for each type, in the order of the table."""
    compiled: dict[str, Checks] = dict.fromkeys(known, ())
    for rule in RULES:
        for check in rule.checks:
            if check.scope == scope and (not owner or owner in check.owners):
                for name in check.types:
                    compiled[name] = (*compiled.get(name, ()), check.run)
    return compiled


_ITEM_CHECKS: Final = _compile("item", (*ITEM_KEYS, UNTYPED, OTHER, NO_ITEM))
_TOOL_CHECKS: Final = _compile("tool", ())
_PARTS: Final = {owner: _compile("part", (*PART_KEYS, OTHER), owner) for owner in ("message", "output", "summary")}
_BODY_CHECKS: Final[tuple[BodyCheck, ...]] = tuple(check.run for rule in RULES for check in rule.checks if check.scope == "body")

_PART_FIELDS: Final = {
    "message": ("content", _PARTS["message"]),
    "function_call_output": ("output", _PARTS["output"]),
    "custom_tool_call_output": ("output", _PARTS["output"]),
    "reasoning": ("summary", _PARTS["summary"]),
}
_TOOL_HOLDERS: Final = frozenset({"additional_tools", "tool_search_output"})


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
        if type(request) is dict and is_plain(request):  # pyright: ignore[reportUnknownArgumentType]
            return request, []  # pyright: ignore[reportUnknownVariableType]
        plain = reader.read(request)
    except Exception as error:  # whatever a foreign object raises while it is read, the body is what is wrong
        return {}, [TreeProblem("X1", "", str(error) or type(error).__name__)]
    if isinstance(plain, dict):
        return plain, reader.problems
    return {}, [TreeProblem("X1", "", f"expected an object, got {type(request).__name__}"), *reader.problems]


_INDEX: Final = re.compile(r"(?:input|tools)\[(\d+)\]")
_SECTIONS: Final = {"i": 2, "t": 1}


def _place(violation: Violation) -> tuple[int, int]:
    match = _INDEX.match(violation.path)
    return (_SECTIONS[match[0][0]], int(match[1])) if match else (0, 0)


def _run(ctx: Context) -> None:
    for index, item in enumerate(ctx.items):
        ctx.index = index
        if type(item) is dict:
            _run_item(ctx, item)
        else:
            ctx.history.skip()
            for check in _ITEM_CHECKS[NO_ITEM]:
                check(ctx, item)
    _run_tools(ctx, ctx.body.get("tools"), "tools")
    for body_check in _BODY_CHECKS:
        body_check(ctx)


def item_type(item: dict[str, Any]) -> str:
    """The type an item has for the tables: its own, ``message`` for one that only has a role or content, ``UNTYPED``, ``OTHER``."""
    given = item.get("type")
    if given is None:
        return "message" if "role" in item or "content" in item else UNTYPED
    return given if type(given) is str and given in ITEM_KEYS else OTHER


def _run_item(ctx: Context, item: dict[str, Any]) -> None:
    kind = item_type(item)
    for check in _ITEM_CHECKS[kind]:
        check(ctx, item)
    named = "item_reference" if kind == UNTYPED else str(item.get("type") or "message") if kind == OTHER else kind
    ctx.history.see(ctx.index, item, named)
    if kind in _PART_FIELDS:
        field, compiled = _PART_FIELDS[kind]
        parts = item.get(field)
        if type(parts) is list:
            _run_parts(ctx, parts, field, compiled)
    elif kind == "computer_call_output":
        _run_screenshot(ctx, item.get("output"))
    elif kind in _TOOL_HOLDERS:
        _run_tools(ctx, item.get("tools"), f"input[{ctx.index}].tools")


def _run_parts(ctx: Context, parts: list[Any], field: str, compiled: dict[str, Checks]) -> None:
    ctx.field = field
    for position, part in enumerate(parts):
        ctx.position = position
        kind = part.get("type") if type(part) is dict else OTHER
        checks = compiled.get(kind) if type(kind) is str else None
        for check in compiled[OTHER] if checks is None else checks:
            check(ctx, part)


def _run_screenshot(ctx: Context, output: object) -> None:
    if type(output) is dict and output.get("type") == "computer_screenshot":  # pyright: ignore[reportUnknownMemberType]
        ctx.field, ctx.position = "output", None
        for check in _PARTS["output"]["computer_screenshot"]:
            check(ctx, output)


def _run_tools(ctx: Context, tools: object, path: str) -> None:
    if type(tools) is not list:
        return
    for index, tool in enumerate(tools):  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        if type(tool) is not dict:
            continue
        kind: Any = tool.get("type")
        ctx.tool_path = f"{path}[{index}]"
        for check in _TOOL_CHECKS.get(kind, ()) if type(kind) is str else ():
            check(ctx, tool)
        if kind == "namespace":
            _run_tools(ctx, tool.get("tools"), f"{path}[{index}].tools")
