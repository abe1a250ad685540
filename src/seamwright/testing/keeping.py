"""Copies of what a seam was given and gave, so that nobody changes them afterwards."""

from __future__ import annotations

from typing import Any

from seamwright.model.guards import is_array, is_mapping, is_tuple


def kept(value: Any) -> Any:
    """A copy of every list and dict in a value, however deep; all else is frozen, or not ours to copy."""
    if _is_exactly(value, dict) and is_mapping(value):
        return {key: kept(one) for key, one in value.items()}
    if _is_exactly(value, tuple) and is_tuple(value):
        return tuple(kept(one) for one in value)
    return [kept(one) for one in value] if _is_exactly(value, list) and is_array(value) else value


def _is_exactly(value: object, kind: type) -> bool:
    """Frozen mappings are dicts too, and stay what they are."""
    return type(value) is kind
