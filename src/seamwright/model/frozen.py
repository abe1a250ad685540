"""JSON values that can't change: what a primitive keeps of a mapping it was given."""

from __future__ import annotations

import math
from typing import Any, Final, NoReturn

from seamwright.model.guards import is_array, is_mapping

MAX_DEPTH: Final = 200
"""Deeper nesting is refused: JSON readers and writers give up a little above it, at depths of their own."""


def _refuse(self: object, *_: object, **__: object) -> NoReturn:
    raise TypeError(f"{type(self).__name__} can't be changed; make a new one")


class FrozenDict(dict[str, Any]):
    """A dict that refuses every change. Serialises, compares and copies (``{**frozen}``) like a dict."""

    __slots__ = ()
    __setitem__ = __delitem__ = __ior__ = _refuse
    update = setdefault = pop = popitem = clear = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenDict, (dict(self),)


class FrozenList(list[Any]):
    """A list that refuses every change."""

    __slots__ = ()
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = extend = insert = pop = remove = clear = sort = reverse = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenList, (list(self),)


def freeze(value: Any, depth: int = 0) -> Any:
    """A deep frozen copy of a JSON value.

    Raises TypeError or ValueError for what JSON can't hold: NaN, other types, keys that are no text.
    """
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} has no form in JSON")
        return value
    if depth >= MAX_DEPTH:
        raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
    if is_mapping(value):
        if type(value) is FrozenDict:
            return value
        if not all(isinstance(key, str) for key in value):
            raise TypeError(f"key {next(key for key in value if not isinstance(key, str))!r} is not a string")
        return FrozenDict({key: freeze(item, depth + 1) for key, item in value.items()})
    if is_array(value):
        return FrozenList(freeze(item, depth + 1) for item in value)
    raise TypeError(f"a value of type {type(value).__name__} has no form in JSON")
