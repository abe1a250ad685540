"""The body as a JSON tree: X1 and L1, and the way from whatever a caller has to plain dicts and lists."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import isfinite
from typing import Any, Final

import attrs

from seamwright.check.fields import ITEM_KEYS, MAX_STRING, MAX_STRING_BY_KEY, PARAMETERS, PART_KEYS
from seamwright.check.json_types import is_mapping, is_object, shown, step
from seamwright.model.frozen import FrozenDict, FrozenList

MAX_DEPTH: Final = 100
"""Levels of nesting beyond which nothing is read. JSON readers stop between 128 and 1,000; no request comes near."""
MAX_BITS: Final = 10_000
MAX_VALUES: Final = 1_000_000
"""Objects and arrays beyond which nothing is read: shared ones can make a small tree endless."""
_SHALLOW: Final = 6
_MAX_INT: Final = 2**63
_NODES: Final = frozenset({dict, list, FrozenDict, FrozenList})
"""A build sends what a primitive holds as it is; frozen objects and arrays read like any other."""
_SAFE: Final = frozenset({bool, type(None)})
_COMMON_KEYS: Final = frozenset[str]().union(*ITEM_KEYS.values(), *PART_KEYS.values(), PARAMETERS)


@attrs.frozen
class TreeProblem:
    """Something no JSON request can hold. ``rule``: X1 or L1."""

    rule: str
    path: str
    message: str


def is_plain(body: dict[str, Any]) -> bool:  # noqa: C901 - one loop without calls: it sees every value
    """True when the tree is exact JSON types all through, every string short enough and UTF-8. One walk, level by
    level.
    """
    if type(body) is not dict:
        return False
    level: list[Any] = [body]
    for depth in range(MAX_DEPTH):
        inner: list[Any] = []
        for node in level:
            values: Any = node
            value: Any
            if is_object(node):
                if not _COMMON_KEYS.issuperset(node) and not all(map(_is_key, node)):
                    return False
                values = node.values()
            for value in values:
                kind = type(value)  # pyright: ignore[reportUnknownVariableType]
                if kind is str:
                    if len(value) > MAX_STRING or not (value.isascii() or _encodes(value)):
                        return False
                elif kind in _NODES:
                    inner.append(value)
                elif kind not in _SAFE and not _is_number(value):
                    return False
        if not inner:
            return True
        # Shared and circular objects multiply with every level; below the shallow ones each is looked at once.
        level = inner if depth < _SHALLOW else list({id(node): node for node in inner}.values())
    return False


def _is_key(key: Any) -> bool:
    return type(key) is str and (key.isascii() or _encodes(key))


def _is_number(value: Any) -> bool:
    if type(value) is int:
        return -_MAX_INT <= value <= _MAX_INT
    return type(value) is float and isfinite(value)


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def join_surrogates(text: str) -> str:
    """*text* with surrogate pairs joined into their character and lone surrogates as U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


Trail = tuple["Trail", str | int] | None
"""The way to a value, innermost step first; spelled out only when something is wrong there."""


def _spelled(trail: Trail) -> str:
    steps: list[str] = []
    while trail is not None:
        trail, key = trail
        steps.append(f"[{key}]" if isinstance(key, int) else step(key))
    return "".join(reversed(steps)).removeprefix(".")


class Reader:
    """Makes a plain copy of a tree and notes what JSON can't hold.

    With ``mend`` the copy holds what a repair puts in its place: joined or replaced surrogates, null for numbers that
    are none, strings cut to their limit. Without, such values stay, so that the other rules see them.
    """

    def __init__(self, *, mend: bool = False) -> None:
        self.problems: list[TreeProblem] = []
        self._mend = mend
        self._open: set[int] = set()
        self._left = MAX_VALUES

    def read(self, value: Any, trail: Trail = None) -> Any:
        """A plain copy of *value*, which stands where *trail* leads."""
        if isinstance(value, str):
            return self._text(str.__str__(value), trail)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, int | float):
            return self._number(value, trail)
        if hasattr(value, "model_dump") and not isinstance(value, type):
            value = value.model_dump(exclude_unset=True, mode="json")
        if self._mend and isinstance(value, bytes | bytearray):
            self._note(trail, "bytes, read as UTF-8")
            return self._text(bytes(value).decode("utf-8", "replace"), trail)
        if is_mapping(value) or isinstance(value, list | tuple):
            return self._container(value, trail)
        return self._note(trail, f"a {type(value).__name__} is nothing JSON can hold")

    def _note(self, trail: Trail, message: str, rule: str = "X1") -> None:
        self.problems.append(TreeProblem(rule, _spelled(trail), message))

    def _container(self, value: Any, trail: Trail) -> Any:
        if id(value) in self._open:
            return self._note(trail, "holds itself")
        self._left -= 1
        if self._left < 0:
            return self._note(trail, "endless, or too large to read") if self._left == -1 else None
        # every open object is one level
        if len(self._open) >= MAX_DEPTH:
            return self._note(trail, f"nested more than {MAX_DEPTH} levels deep")
        self._open.add(id(value))
        try:
            if is_mapping(value):
                return self._object(value, trail)
            return [self.read(inner, (trail, index)) for index, inner in enumerate(value)]
        finally:
            self._open.discard(id(value))

    def _object(self, value: Mapping[Any, Any], trail: Trail) -> dict[str, Any]:
        plain: dict[str, Any] = {}
        for key, inner in value.items():
            name = self._key(key, trail)
            if name is not None:
                plain[name] = self.read(inner, (trail, name))
        return plain

    def _key(self, key: Any, trail: Trail) -> str | None:
        if isinstance(key, str):
            return self._text(str.__str__(key), trail)
        self._note(trail, f"the key {shown(key)} is no string")
        # what the standard encoder makes of such keys
        return json.dumps(key) if key is None or isinstance(key, bool | float) or type(key) is int else None

    def _text(self, text: str, trail: Trail) -> str:
        if not text.isascii() and not _encodes(text):
            told = "lone surrogates become U+FFFD" if self._mend else "lone surrogates; this can't be written as UTF-8"
            self._note(trail, told)
            text = join_surrogates(text) if self._mend else text
        limit = MAX_STRING_BY_KEY.get(trail[1], MAX_STRING) if trail and isinstance(trail[1], str) else MAX_STRING
        if len(text) <= limit:
            return text
        if not self._mend:
            self._note(trail, f"{len(text)} characters; at most {limit}", "L1")
        elif limit == MAX_STRING:
            self._note(trail, f"cut; the last {len(text) - limit} characters are lost", "L1")
            return text[:limit]
        return text

    def _number(self, value: float, trail: Trail) -> float | None:
        if isinstance(value, int):
            if value.bit_length() <= MAX_BITS:
                return int(value)
            self._note(trail, "a number of thousands of digits")
            return None
        if isfinite(value):
            return float(value)
        self._note(trail, f"{value} is no JSON number")
        return None if self._mend else float(value)


def read_body(body: object) -> Any:
    """The request behind what a caller has: JSON text, an object with ``to_request()``, or the request itself.

    Raises ``ValueError`` with a text for the user when there is none.
    """
    maker: Any = None if isinstance(body, type) else getattr(body, "to_request", None)
    if callable(maker):
        body = maker()
    if isinstance(body, bytes | bytearray):
        try:
            body = bytes(body).decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise ValueError(f"not UTF-8: {error.reason} at byte {error.start}") from None
    if isinstance(body, str):
        try:
            body = json.loads(body)
        except RecursionError:
            raise ValueError(f"nested more than {MAX_DEPTH} levels deep") from None
        except ValueError as error:
            raise ValueError(f"not JSON: {error}") from None
    return body
