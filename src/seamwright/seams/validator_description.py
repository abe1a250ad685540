"""Tool schemas in the notation of validator descriptions (type, keys, flags, rules, valids), read as JSON Schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from seamwright.model.guards import is_array, is_mapping

_MARKS: Final = frozenset({"keys", "flags", "rules", "valids", "allow", "matches", "presence"})
_TYPES: Final = frozenset({"object", "array", "string", "number", "boolean"})
_LIMITS: Final = {
    "string": ("minLength", "maxLength"),
    "array": ("minItems", "maxItems"),
    "object": ("minProperties", "maxProperties"),
    "number": ("minimum", "maximum"),
}


def is_description(schema: Mapping[str, Any]) -> bool:
    """Whether a mapping is a validator description and not JSON Schema."""
    return (
        not _MARKS.isdisjoint(schema) or schema.get("type") in ("alternatives", "any") or is_array(schema.get("items"))
    )


def to_json_schema(description: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON Schema that a description stands for."""
    kind = description.get("type")
    flags = _mapping(description.get("flags"))
    result: dict[str, Any] = {}
    if isinstance(kind, str) and kind in _TYPES:
        result["type"] = "integer" if kind == "number" and _has_rule(description, "integer") else kind
    result |= {key: flags[key] for key in ("description", "default") if key in flags}
    if values := _enumerated(description, flags):
        result["enum"] = values
    for rule in _sequence(description.get("rules")):
        result |= _limit(str(kind), rule)
    if kind == "object" and ("keys" in description or "properties" not in description):
        result |= _properties(_mapping(description.get("keys")))
    if kind == "array":
        result["items"] = _any_of([to_json_schema(item) for item in _sequence(description.get("items"))])
    if kind == "alternatives" and (matches := _sequence(description.get("matches"))):
        result["anyOf"] = [to_json_schema(_mapping(match.get("schema", match))) for match in matches]
    return result


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if is_mapping(value) else {}


def _sequence(value: Any) -> list[Mapping[str, Any]]:
    items = value if is_array(value) else [value]
    return [item for item in items if is_mapping(item)]


def _has_rule(description: Mapping[str, Any], name: str) -> bool:
    return any(rule.get("name") == name for rule in _sequence(description.get("rules")))


def _enumerated(description: Mapping[str, Any], flags: Mapping[str, Any]) -> list[Any]:
    """The values allowed and no others; nulls are no value a model can pick, and an empty list allows nothing."""
    values = description.get("valids") or description.get("enum") or (flags.get("only") and description.get("allow"))
    return [value for value in values if value is not None] if is_array(values) else []


def _properties(keys: Mapping[str, Any]) -> dict[str, Any]:
    wanted = {name: _mapping(key) for name, key in keys.items() if _presence(_mapping(key)) != "forbidden"}
    required = [name for name, key in wanted.items() if _presence(key) == "required"]
    properties = {name: to_json_schema(key) for name, key in wanted.items()}
    return {"properties": properties} | ({"required": required} if required else {})


def _presence(key: Mapping[str, Any]) -> Any:
    return _mapping(key.get("flags")).get("presence", key.get("presence"))


def _any_of(schemas: list[dict[str, Any]]) -> dict[str, Any]:
    match schemas:
        case []:
            return {}
        case [only]:
            return only
        case _:
            return {"anyOf": schemas}


def _limit(kind: str, rule: Mapping[str, Any]) -> dict[str, Any]:
    name = rule.get("name")
    arguments = _mapping(rule.get("args"))
    value = arguments.get("limit", rule.get("arg"))
    if name == "pattern":
        regex = arguments.get("regex", rule.get("arg"))
        return {"pattern": _bare_pattern(regex)} if isinstance(regex, str) else {}
    words = _LIMITS.get(kind)
    if words is None or isinstance(value, bool) or not isinstance(value, (int, float)):
        return {}
    low, high = words
    rules: dict[str, Callable[[], dict[str, Any]]] = {
        "min": lambda: {low: value},
        "max": lambda: {high: value},
        "length": lambda: {low: value, high: value},
        "greater": lambda: {"exclusiveMinimum": value},
        "less": lambda: {"exclusiveMaximum": value},
        "multiple": lambda: {"multipleOf": value},
    }
    return rules[name]() if isinstance(name, str) and name in rules else {}


def _bare_pattern(regex: str) -> str:
    """``/^a$/i`` → ``^a$``: JSON Schema has no delimiters and no flags."""
    if regex.startswith("/") and regex.rfind("/") > 0:
        return regex[1 : regex.rfind("/")]
    return regex
