"""Where two JSON values first differ."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeGuard

import attrs

from seamwright.model.guards import is_mapping


class _Absent:
    def __repr__(self) -> str:
        return "nothing"


ABSENT: Final = _Absent()
"""Stands for a key or an element that only the other value has."""


@attrs.frozen
class Difference:
    """The place (``input[3].content``) and what stands there on either side."""

    path: str
    left: Any
    right: Any


def first_difference(left: Any, right: Any, path: str = "") -> Difference | None:
    """The first place where two JSON values differ, in the order of the left one; None when they are equal."""
    steps: Iterable[tuple[str, Any, Any]]
    if is_mapping(left) and is_mapping(right):
        keys = [*left, *(key for key in right if key not in left)]
        steps = ((f"{path}.{key}" if path else str(key), left.get(key, ABSENT), right.get(key, ABSENT)) for key in keys)
    elif _is_list(left) and _is_list(right):
        length = max(len(left), len(right))
        steps = ((f"{path}[{i}]", _at(left, i), _at(right, i)) for i in range(length))
    else:
        same = left == right and isinstance(left, bool) == isinstance(right, bool)
        return None if same else Difference(path, left, right)
    return next((found for place, a, b in steps if (found := first_difference(a, b, place)) is not None), None)


def _is_list(value: object) -> TypeGuard[Sequence[Any]]:
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


def _at(items: Sequence[Any], index: int) -> Any:
    return items[index] if index < len(items) else ABSENT
