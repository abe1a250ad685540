"""Input schemas of tools as JSON Schema, and made to conform where ``strict: true`` asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Protocol

from seamwright.errors import StrictSchemaError
from seamwright.model.guards import is_array, is_mapping
from seamwright.seams.validator_description import is_description, to_json_schema


class JsonSchema(Protocol):
    """The JSON Schema of a tool's input.

    With ``strict`` it conforms, or :class:`StrictSchemaError` names the path that can't.
    """

    def __call__(self, input_schema: Any, strict: bool, /) -> dict[str, Any]: ...


def json_schema(input_schema: Any, strict: bool, /) -> dict[str, Any]:
    """The default: JSON Schema as it is, validator descriptions translated.

    An empty schema is an object without properties.
    """
    if not is_mapping(input_schema):
        raise TypeError(f"{input_schema!r} is no mapping; schemas from types need a json_schema seam that reads them")
    schema: dict[str, Any] = to_json_schema(input_schema) if is_description(input_schema) else dict(input_schema)
    if not schema:
        schema = {"type": "object", "properties": {}}
    return _conform(schema, "") if strict else schema


_REFUSED: Final = (
    "allOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "patternProperties",
    "dependentSchemas",
    "dependentRequired",
)
_NAMED: Final = ("type", "anyOf", "$ref", "enum", "const")


def _at(path: str, step: str) -> str:
    return f"{path}.{step}" if path else step


def _is_object(schema: Mapping[str, Any]) -> bool:
    kind = schema.get("type")
    return kind == "object" or (is_array(kind) and "object" in kind)


def _conform(schema: Any, path: str) -> dict[str, Any]:
    """A conforming copy: every object closed, every property required, optional ones nullable."""
    if not is_mapping(schema):
        raise StrictSchemaError(path, "is no schema object")
    for key in _REFUSED:
        if key in schema:
            raise StrictSchemaError(_at(path, key), "has no strict form")
    if not any(key in schema for key in _NAMED):
        raise StrictSchemaError(path, f"says none of {', '.join(_NAMED)}")
    result: dict[str, Any] = dict(schema)
    if _is_object(schema):
        result |= _conform_object(schema, path)
    for key in ("$defs", "definitions"):
        if is_mapping(named := schema.get(key)):
            result[key] = {name: _conform(one, _at(_at(path, key), name)) for name, one in named.items()}
    if is_array(options := schema.get("anyOf")):
        result["anyOf"] = [_conform(one, _at(path, f"anyOf[{i}]")) for i, one in enumerate(options)]
    if "items" in schema:
        result["items"] = _conform(schema["items"], _at(path, "items"))
    return result


def _conform_object(schema: Mapping[str, Any], path: str) -> dict[str, Any]:
    if schema.get("additionalProperties", False) is not False:
        raise StrictSchemaError(_at(path, "additionalProperties"), "strict objects are closed")
    properties = schema.get("properties")
    if not is_mapping(properties):
        raise StrictSchemaError(path, "an object without properties has no strict form")
    required = schema.get("required") or ()
    conformed: dict[str, Any] = {}
    for name, one in properties.items():
        strict = _conform(one, _at(_at(path, "properties"), name))
        conformed[name] = strict if name in required else _nullable(strict)
    return {"properties": conformed, "required": list(properties), "additionalProperties": False}


_NULL: Final = {"type": "null"}


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with null allowed: how a property stays optional when every property is required."""
    kind = schema.get("type")
    if "const" in schema or (kind is None and "anyOf" not in schema):
        return {"anyOf": [schema, dict(_NULL)]}
    result = dict(schema)
    if kind is not None:
        kinds: list[Any] = list(kind) if is_array(kind) else [kind]
        result["type"] = kinds if "null" in kinds else [*kinds, "null"]
        if is_array(values := schema.get("enum")) and None not in values:
            result["enum"] = [*values, None]
    if "anyOf" in schema and not any(one.get("type") == "null" for one in schema["anyOf"]):
        result["anyOf"] = [*schema["anyOf"], dict(_NULL)]
    return result
