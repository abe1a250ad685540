"""The JSON Schema of the state file, for editors: made from the primitives, so that it says what the loader takes.

A schema can't say everything: rules over several fields, and that a path stays inside its folder, are the loader's.
"""

from __future__ import annotations

import collections.abc
import inspect
import types
import typing
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final, Literal, get_args, get_origin

import attrs

from seamwright.model.artifact import SpooledArtifact, ToolMethod
from seamwright.model.budget import TokenBudget
from seamwright.model.endpoints import ENDPOINTS
from seamwright.model.identity import Identity
from seamwright.model.knowledge import Memory, Retrievable
from seamwright.model.media import Media, StashEntry
from seamwright.model.message import Message
from seamwright.model.options import BUCKETS, RenderOptions
from seamwright.model.origin import ResponseOrigin
from seamwright.model.provider_item import ProviderItem
from seamwright.model.state import AgentState
from seamwright.model.thought import REASONING_VARIANT, ReasoningPayload, Thought
from seamwright.model.tool_call import ToolCall
from seamwright.model.tools import TOOL_NAME, Tool

Schema = dict[str, Any]

SCHEMA_DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

_OBJECT: Final[Schema] = {"type": "object"}
_STRING: Final[Schema] = {"type": "string"}
_UNIT: Final[Schema] = {"type": ["number", "null"], "minimum": 0, "maximum": 1}
_WHEN: Final[Schema] = {
    "description": "ISO 8601 with a zone, or epoch milliseconds",
    "anyOf": [{"type": "string", "format": "date-time"}, {"type": "number"}],
}


def _ref(cls: type) -> Schema:
    return {"$ref": f"#/$defs/{cls.__name__}"}


def _list(items: Schema, **more: Any) -> Schema:
    return {"type": "array", "items": items, **more}


def _one_key(**shapes: Schema) -> list[Schema]:
    """Objects with exactly one of the keys."""
    return [
        {"type": "object", "properties": {key: shape}, "required": [key], "additionalProperties": False}
        for key, shape in shapes.items()
    ]


_SPELLED: Final[dict[tuple[type, str], Schema]] = {
    (Message, "content"): {"type": ["string", "null"]},
    (Memory, "content"): _STRING,
    (Memory, "score"): _UNIT,
    (Memory, "confidence"): _UNIT,
    (Memory, "importance"): _UNIT,
    (Retrievable, "content"): {"anyOf": [_STRING, *_one_key(artifact=_ref(SpooledArtifact))]},
    (StashEntry, "value"): {},
    (Thought, "payload"): {
        "anyOf": [
            _ref(ReasoningPayload),
            {"type": "null"},
            {
                "type": "object",
                "properties": {"variant": {"not": {"const": REASONING_VARIANT}}},
                "required": ["variant"],
            },
        ]
    },
    (ToolCall, "args"): {"type": ["object", "string"]},
    (ToolCall, "results"): {
        "anyOf": [
            {"type": "null"},
            *_one_key(
                text=_STRING,
                media=_list(_ref(Media), minItems=1),
                artifact=_ref(SpooledArtifact),
                artifacts=_list(_ref(SpooledArtifact), minItems=1),
            ),
        ]
    },
    (ReasoningPayload, "variant"): {"const": REASONING_VARIANT},
    (Tool, "name"): {"type": "string", "pattern": "^" + TOOL_NAME.pattern.removesuffix(r"\Z") + "$"},
    (Tool, "input_schema"): _OBJECT,
    (RenderOptions, "bucket_order"): _list({"enum": list(BUCKETS)}, uniqueItems=True),
    (RenderOptions, "endpoint"): {"enum": list(ENDPOINTS)},
    (RenderOptions, "budget"): {"anyOf": [{"type": "integer", "minimum": 1}, _ref(TokenBudget), {"type": "null"}]},
    (TokenBudget, "tokens"): {"type": "integer", "minimum": 1},
    (TokenBudget, "low_water"): {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
    (RenderOptions, "unsupported_media_policy"): {
        "anyOf": [
            {"enum": ["throw", "fallback-stash", "synthetic-description"]},
            {
                "type": "object",
                "properties": {"mode": {"const": "fallback-stash"}, "keys": _list(_STRING)},
                "required": ["mode", "keys"],
                "additionalProperties": False,
            },
        ]
    },
    (AgentState, "system_prompt"): _STRING,
    (AgentState, "standing_instructions"): _list(_STRING),
    (AgentState, "tools"): _list(_ref(Tool)),
}
"""Fields whose spelling in the file is their own."""

_SOURCES: Final[dict[type, tuple[str, dict[str, Schema]]]] = {
    Media: (
        "source_reader",
        {
            "data": {"type": "string", "contentEncoding": "base64"},
            "path": _STRING,
            "url": _STRING,
            "file_id": _STRING,
        },
    ),
    SpooledArtifact: ("reader", {"text": _STRING, "path": _STRING}),
}
"""Of these keys exactly one says where the content comes from."""

_LEFT_OUT: Final = {(Tool, "handler"), (RenderOptions, "model")}


def state_schema() -> Schema:
    """The JSON Schema (2020-12) of a state file."""
    classes = (
        Message, Thought, ReasoningPayload, ToolCall, ProviderItem, Memory, Retrievable, Media, StashEntry,
        SpooledArtifact, ToolMethod, Tool, ResponseOrigin, RenderOptions, TokenBudget,
    )  # fmt: skip
    state = _record(AgentState)
    properties = {
        "version": {"const": 1},
        "model": {"type": "string", "description": "The model the request is for; the only key that is required."},
        "options": _ref(RenderOptions),
        **state["properties"],
    }
    return {
        "$schema": SCHEMA_DIALECT,
        "title": "Seamwright state file",
        "description": "What an agent knows, and how it is rendered into a Responses request.",
        "type": "object",
        "properties": properties,
        "required": ["model"],
        "additionalProperties": False,
        "$defs": {cls.__name__: _record(cls) for cls in classes},
    }


def _record(cls: type) -> Schema:
    """The schema of a class of primitives."""
    field_of_source, sources = _SOURCES.get(cls, ("", {}))
    properties: Schema = {}
    required: list[str] = []
    for field in attrs.fields(attrs.resolve_types(cls)):
        if not field.init or field.name == field_of_source or (cls, field.name) in _LEFT_OUT:
            continue
        properties[field.name] = _SPELLED.get((cls, field.name)) or _of_type(field.type)
        if field.default is attrs.NOTHING:
            required.append(field.name)
    if cls is Tool:
        properties["hidden"] = {"type": "boolean"}
    properties |= sources
    result: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    if cls.__doc__:
        result = {"description": " ".join(inspect.cleandoc(cls.__doc__).split("\n\n")[0].split()), **result}
    if required:
        result["required"] = required
    if sources:
        result["oneOf"] = [{"required": [key]} for key in sources]
    return result


def _of_type(kind: Any) -> Schema:
    """The schema of an annotation."""
    simple: dict[Any, Callable[[], Schema]] = {
        str: lambda: _STRING,
        bool: lambda: {"type": "boolean"},
        int: lambda: {"type": "integer", "minimum": 0},
        float: lambda: {"type": "number"},
        type(None): lambda: {"type": "null"},
        datetime: lambda: _WHEN,
        Identity: _identity,
        Any: dict,
    }
    if kind in simple:
        return simple[kind]()
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (typing.Union, types.UnionType):
        return {"anyOf": [_of_type(argument) for argument in arguments]}
    if origin is tuple:
        return _list(_of_type(arguments[0]))
    if origin is collections.abc.Mapping or kind is Mapping:
        values = _of_type(arguments[1]) if arguments else {}
        return {"type": "object"} | ({"additionalProperties": values} if values else {})
    return _ref(kind)


def _identity() -> Schema:
    both = {"identifier": _STRING, "representation": _STRING}
    whole = {"type": "object", "properties": both, "required": list(both), "additionalProperties": False}
    return {"description": "Who it is: compared and shown alike, or apart.", "anyOf": [_STRING, whole]}
