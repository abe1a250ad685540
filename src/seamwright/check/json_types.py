"""JSON values as the checker handles them: their types, and how they are written in paths and messages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeGuard

from seamwright.model.frozen import FrozenDict, FrozenList

Object = dict[str, Any]
"""A JSON object."""


def is_object(value: object) -> TypeGuard[Object]:
    """Whether a value is a JSON object."""
    return isinstance(value, dict)


def is_mapping(value: object) -> TypeGuard[Mapping[Any, Any]]:
    """Whether a value is a mapping of any kind."""
    return isinstance(value, Mapping)


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Whether a value is a JSON array."""
    return isinstance(value, list)


def step(key: str) -> str:
    """A key as one step of a path: ``.name``, or ``["odd name"]``, cut when it is very long."""
    return f".{key}" if key.isidentifier() and key.isascii() else f"[{json.dumps(key[:200])}]"


def shown(value: object, limit: int = 60) -> str:
    """A value as it stands in a message: short, on one line, printable."""
    if isinstance(value, dict | list):
        return kind(value)  # pyright: ignore[reportUnknownArgumentType]
    text = ascii(value[: limit + 1] if isinstance(value, str) else value)
    return text if len(text) <= limit else f"{text[: limit - 1]}…"


KINDS: dict[type, str] = {
    str: "a string",
    int: "a number",
    float: "a number",
    bool: "a boolean",
    type(None): "null",
    list: "an array",
    dict: "an object",
    FrozenList: "an array",
    FrozenDict: "an object",
}


def kind(value: object) -> str:
    """What a JSON value is, in the API's words: ``a string``, ``null``, ``an array``…"""
    return KINDS.get(type(value), f"a {type(value).__name__}")
