"""What an unknown value is, for the type checkers too: a bare ``isinstance`` leaves them a mapping of unknowns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeGuard

import attrs


def is_mapping(value: object) -> TypeGuard[Mapping[Any, Any]]:
    """Whether a value is an object of JSON. Whether its keys are text is asked when it is frozen."""
    return isinstance(value, Mapping)


def is_tuple(value: object) -> TypeGuard[tuple[Any, ...]]:
    """Whether a value is a tuple, of whatever it may be."""
    return isinstance(value, tuple)


def is_array(value: object) -> TypeGuard[list[Any] | tuple[Any, ...]]:
    """Whether a value is an array of JSON; a tuple is one too, because ``json`` writes it as one."""
    return isinstance(value, (list, tuple))


def is_collection(value: object) -> TypeGuard[Iterable[Any]]:
    """Whether a value is an iterable of things, and not a text or a mapping."""
    return isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping))


def is_record(value: object) -> TypeGuard[attrs.AttrsInstance]:
    """Whether a value is an instance of an attrs class, as every primitive is."""
    return attrs.has(type(value))
