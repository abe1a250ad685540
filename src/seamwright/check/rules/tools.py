"""Tools, and calls of them: T1 to T5, T7."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import orjson

from seamwright.check.context import Context
from seamwright.check.fields import MAX_TOOLS
from seamwright.check.json_types import Object, is_list, is_object, kind, shown, step
from seamwright.check.violation import Severity

_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}").fullmatch
_LONG_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{65,128}").fullmatch
_PATTERN: Final = "^[a-zA-Z0-9_-]{1,64}$"
_NOT_STRICT: Final = frozenset(
    {"allOf", "oneOf", "not", "if", "then", "else", "patternProperties", "dependentSchemas", "dependentRequired"}
)
_AS_TOOL: Final = 'Declare each tool as an object in the list: {"type": "function", "name": …, "parameters": …}.'
_WHOLE: Final = "Complete the schema: properties of every object, items of every array, at least one value in an enum."
_SHAPES: Final = frozenset({"type", "anyOf", "$ref", "enum", "const"})


def name_problem(name: object) -> tuple[str, bool] | None:
    """What is wrong with a tool name, and whether the API tolerates it; None when nothing is."""
    if type(name) is not str:
        return ("missing" if name is None else f"{kind(name)}; a name is a string"), False
    if _NAME(name):
        return None
    return f"{shown(name)} does not match {_PATTERN}", _LONG_NAME(name) is not None


def tool_name(ctx: Context, tool: Object) -> None:
    """T1: the name of a function or custom tool matches the pattern; up to 128 characters are tolerated."""
    problem = name_problem(tool.get("name"))
    if problem:
        ctx.add("T1", f"{ctx.tool_path}.name", problem[0], severity="warning" if problem[1] else None)


def unique_tool_names(ctx: Context) -> None:
    """T1: no name twice among the tools of one type."""
    seen: dict[tuple[str, str], int] = {}
    names: dict[str, int] = {}
    for index, tool in enumerate(_tools(ctx)):
        if not is_object(tool) or tool.get("type") not in ("function", "custom") or type(tool.get("name")) is not str:
            continue
        first = seen.setdefault((tool["type"], tool["name"]), index)
        any_type = names.setdefault(tool["name"], index)
        if first != index:
            ctx.add("T1", f"tools[{index}].name", f"{shown(tool['name'])} is the name of tools[{first}] as well")
        elif any_type != index:
            message = f"{shown(tool['name'])} is the name of tools[{any_type}] as well, of another type"
            ctx.add("T1", f"tools[{index}].name", message, severity="warning")


def _tools(ctx: Context) -> list[Any]:
    tools = ctx.body.get("tools")
    return tools if is_list(tools) else []


def call_name(ctx: Context, item: Object) -> None:
    """T2: the name of a function call is of the form of a tool name."""
    problem = name_problem(item.get("name"))
    if problem:
        ctx.on_item("T2", "name", problem[0], severity="warning" if problem[1] else None)


def custom_call_name(ctx: Context, item: Object) -> None:
    """T2 as a warning: no report shows what the API says of the name of a custom tool call."""
    problem = name_problem(item.get("name"))
    if problem:
        ctx.on_item("T2", "name", problem[0], severity="warning")


def strict_tool(ctx: Context, tool: Object) -> None:
    """T3: a strict function's schema is closed, and every property required. Strict is the default, so without it a
    warning.
    """
    strict = tool.get("strict")
    schema = tool.get("parameters")
    if strict is False or schema is None or (strict is None and not isinstance(schema, dict)):
        return
    check_strict(ctx, schema, f"{ctx.tool_path}.parameters", told=strict is True)


def strict_format(ctx: Context) -> None:
    """T3 for structured output: the schema of ``text.format`` under ``strict: true``."""
    text = ctx.body.get("text")
    given = text.get("format") if is_object(text) else None
    if is_object(given) and given.get("type") == "json_schema" and given.get("strict") is True:
        check_strict(ctx, given.get("schema"), "text.format.schema", told=True)


def check_strict(ctx: Context, schema: Any, path: str, *, told: bool) -> None:
    """Note every place where *schema* does not conform to strict mode; as warnings when nobody asked for it."""
    severity: Severity | None = None if told else "warning"
    if not is_object(schema):
        ctx.add("T3", path, f"{kind(schema)}; a schema is an object", severity=severity)
        return
    if not _is_object(schema):
        ctx.add("T3", path, "parameters are of type object", severity=severity)
    for node, trail in walk_schema(schema):
        for key, problem, firm in _strict_problems(node):
            place = spell(path, trail)
            ctx.add("T3", place + step(key) if key else place, problem, severity=severity if firm else "warning")


def _is_object(schema: Object) -> bool:
    kinds = schema.get("type")
    return kinds == "object" or (is_list(kinds) and "object" in kinds) or "properties" in schema


def _strict_problems(node: Object) -> Iterator[tuple[str, str, bool]]:
    if _is_object(node):
        if node.get("additionalProperties") is not False:
            yield "additionalProperties", "is required to be supplied and to be false", True
        properties = node.get("properties")
        names: list[str] = list(properties) if is_object(properties) else []
        required = node.get("required")
        missing = [name for name in names if not is_list(required) or name not in required]
        if missing:
            yield "required", f"lacks {', '.join(map(shown, missing[:5]))}; every property is required", True
    elif not _SHAPES & node.keys():
        yield "", "says neither type nor anyOf, $ref, enum or const", False
    for key in sorted(_NOT_STRICT & node.keys()):
        yield key, "is not permitted in strict mode", False


Trail = tuple["Trail", str, str | int | None] | None
"""The way to a schema inside a schema, innermost step first; spelled out only when something is wrong there."""


def walk_schema(schema: Object) -> Iterator[tuple[Object, Trail]]:
    """Every schema inside a schema, itself first. Each object once, however often it is shared."""
    stack: list[tuple[Any, Trail]] = [(schema, None)]
    seen: set[int] = set()
    while stack:
        node, trail = stack.pop()
        if is_object(node) and id(node) not in seen:
            seen.add(id(node))
            yield node, trail
            for key, value in node.items():
                if key in _INNER:
                    stack.extend(_INNER[key](value, trail, key))


def spell(path: str, trail: Trail) -> str:
    """The path of a schema found by ``walk_schema`` in the one at *path*."""
    steps: list[str] = []
    while trail is not None:
        trail, key, inner = trail
        steps.append(f".{key}" + ("" if inner is None else f"[{inner}]" if isinstance(inner, int) else step(inner)))
    return path + "".join(reversed(steps))


def _one(value: Any, trail: Trail, key: str) -> list[tuple[Any, Trail]]:
    return [(value, (trail, key, None))]


def _named(value: Any, trail: Trail, key: str) -> list[tuple[Any, Trail]]:
    return [(inner, (trail, key, name)) for name, inner in value.items()] if is_object(value) else []


def _listed(value: Any, trail: Trail, key: str) -> list[tuple[Any, Trail]]:
    return [(inner, (trail, key, index)) for index, inner in enumerate(value)] if is_list(value) else []


_INNER: Final = {
    **dict.fromkeys(("properties", "$defs", "definitions"), _named),
    **dict.fromkeys(("items", "additionalProperties", "not"), _one),
    **dict.fromkeys(("anyOf", "allOf", "oneOf", "prefixItems"), _listed),
}


def schema_shape(ctx: Context, tool: Object) -> None:
    """T4: arrays say what their items are, enums are not empty."""
    schema = tool.get("parameters")
    if not is_object(schema):
        return
    if schema.get("type") != "object" or "properties" not in schema:
        ctx.add(
            "T4", f"{ctx.tool_path}.parameters", "parameters are an object with properties, possibly none", hint=_WHOLE
        )
    for node, trail in walk_schema(schema):
        if node.get("type") == "array" and "items" not in node and "prefixItems" not in node:
            ctx.add("T4", spell(f"{ctx.tool_path}.parameters", trail), "an array without items", hint=_WHOLE)
        if node.get("enum") == []:
            ctx.add("T4", spell(f"{ctx.tool_path}.parameters", trail) + ".enum", "empty", hint=_WHOLE)


def tool_list(ctx: Context) -> None:
    """T4: ``tools`` is a list of at most 128 tools, each an object with a type."""
    tools = ctx.body.get("tools")
    if tools is None:
        return
    if not is_list(tools):
        ctx.add("T4", "tools", f"{kind(tools)}; tools is an array", severity="error", hint=_AS_TOOL)
        return
    if len(tools) > MAX_TOOLS:
        ctx.add("T4", "tools", f"{len(tools)} tools; at most {MAX_TOOLS}")
    for index, tool in enumerate(tools):
        if not is_object(tool) or type(tool.get("type")) is not str:
            ctx.add("T4", f"tools[{index}]", "a tool is an object with a type", severity="error", hint=_AS_TOOL)


def call_arguments(ctx: Context, item: Object) -> None:
    """T5: the arguments of a function call are a string; that it is JSON is not enforced by the API."""
    value = item.get("arguments")
    if type(value) is not str:
        ctx.on_item("T5", "arguments", f"{'missing' if value is None else kind(value)}; arguments are JSON in a string")
    elif value:
        try:
            orjson.loads(value)
        except ValueError:
            ctx.on_item("T5", "arguments", f"{shown(value)} is no JSON", severity="warning")


def search_arguments(ctx: Context, item: Object) -> None:
    """T5: the arguments of a tool search are an object."""
    value = item.get("arguments")
    if not is_object(value):
        ctx.on_item("T5", "arguments", f"{'missing' if value is None else kind(value)}; here arguments are an object")


def empty_tools(ctx: Context) -> None:
    """T7: ``tools: []``, which other endpoints refuse."""
    if ctx.body.get("tools") == []:
        ctx.add("T7", "tools", "empty; leave it out")
