"""Field checks: one kind of validator that both construction and the state file use, so that both say the same."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import MAXYEAR, MINYEAR, UTC, datetime
from typing import Any

import attrs

from seamwright.errors import Fault, InvalidStateError, nearest
from seamwright.model.frozen import freeze
from seamwright.model.guards import is_collection, is_mapping, is_tuple
from seamwright.model.spelling import is_from_json, shown

Problem = Callable[[Any], "str | None"]


@attrs.frozen
class Check:
    """An attrs validator made of a function that says what is wrong with a value, or None.

    The converter of the state file asks ``problem`` itself, to collect every fault with its path. ``expected`` says
    what to give, where the name of the field alone does not.
    """

    problem: Problem
    expected: str | None = None

    def __call__(self, instance: object, attribute: attrs.Attribute[Any], value: object) -> None:
        if (problem := self.problem(value)) is not None:
            raise fault_of(type(instance), attribute.name, problem)

    def or_none(self) -> Check:
        """The same check, with None allowed."""
        problem = self.problem
        return Check(lambda value: None if value is None else problem(value))


def fault_of(cls: type, field: str, problem: str) -> InvalidStateError:
    """The error of one field: ``Message.role: …``. The converter replaces the class by the path of the object."""
    return InvalidStateError([Fault(f"{cls.__name__}.{field}" if field else cls.__name__, problem)])


def instance_of(kind: type | tuple[type, ...], expected: str) -> Check:
    """The value is an instance of *kind*; ``expected`` names it for people."""

    def problem(value: object) -> str | None:
        return None if isinstance(value, kind) else f"{shown(value)} is not {expected}"

    return Check(problem)


def one_of(*known: str) -> Check:
    """The value is one of the known words."""
    words = ", ".join(map(repr, known))

    def problem(value: object) -> str | None:
        if isinstance(value, str) and value in known:
            return None
        hint = nearest(value, known) if isinstance(value, str) else ""
        return f"{shown(value)} is not one of {words}{hint}"

    return Check(problem, f"one of {words}")


def _text_or_callable(value: object) -> str | None:
    if isinstance(value, str) or callable(value):
        return None
    return f"{shown(value)} is not a string{'' if is_from_json() else ' (or a callable)'}"


def _aware(value: object) -> str | None:
    if not isinstance(value, datetime):
        return f"{shown(value)} is not a datetime"
    if value.utcoffset() is None:
        return f"{value.isoformat()!r} has no zone; add one, for example 'Z'"
    if value.year in (MINYEAR, MAXYEAR) and not _has_utc(value):
        return f"{value.isoformat()!r} is outside the years {MINYEAR} to {MAXYEAR} in UTC"
    return None


def _has_utc(value: datetime) -> bool:
    try:
        value.astimezone(UTC)
    except OverflowError:
        return False
    return True


def _number(value: object) -> str | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not _is_finite(value):
        return f"{shown(value)} is not a number"
    return None


def _is_finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer beyond every float
        return False


def _unit(value: object) -> str | None:
    if isinstance(value, (int, float)) and (value < 0 or value > 1):
        return _number(value) or f"{shown(value)} is not between 0 and 1"
    return _number(value)


def _count(value: object) -> str | None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        return f"{shown(value)} is not a whole number from 0"
    return None


def _json_object(value: object) -> str | None:
    return json_problem(value) if is_mapping(value) else f"{shown(value)} is not an object"


def _json_objects(value: object) -> str | None:
    if not is_tuple(value):
        return f"{shown(value)} is not a list of objects"
    return next((problem for item in value if (problem := _json_object(item)) is not None), None)


def json_problem(value: object) -> str | None:
    """Why JSON can't hold a value, or None."""
    try:
        freeze(value)
    except (TypeError, ValueError) as error:
        return str(error)
    return None


TEXT = instance_of(str, "a string")
OPTIONAL_TEXT = TEXT.or_none()
FLAG = instance_of(bool, "true or false")
OPTIONAL_FLAG = FLAG.or_none()
TOKENIZABLE = Check(_text_or_callable)
AWARE = Check(_aware, "ISO 8601 with a zone, or epoch milliseconds,")
NUMBER = Check(_number)
UNIT = Check(_unit)
COUNT = Check(_count)
JSON_OBJECT = Check(_json_object)
JSON_OBJECTS = Check(_json_objects)


def tuple_of(kind: type | tuple[type, ...], expected: str) -> Check:
    """The value is a tuple of instances of *kind*."""

    def problem(value: object) -> str | None:
        if not is_tuple(value):
            return f"{shown(value)} is not a list of {expected}"
        wrong = next((item for item in value if not isinstance(item, kind)), None)
        return None if wrong is None else f"{shown(wrong)} is not {expected}"

    return Check(problem)


def as_tuple(value: Any) -> Any:
    """Any iterable but text and mappings becomes a tuple; what is none is left for the check to refuse."""
    if is_tuple(value):
        return value
    return tuple(value) if is_collection(value) else value


def as_frozen(value: Any) -> Any:
    """A mapping becomes a frozen copy of itself; what can't be copied is left for the check to refuse."""
    return as_frozen_json(value) if is_mapping(value) else value


def as_frozen_json(value: Any) -> Any:
    """A value of JSON becomes a frozen copy of itself; any other stays."""
    try:
        return freeze(value)
    except (TypeError, ValueError):
        return value


def frozen_mappings(value: Any) -> Any:
    """An iterable of mappings becomes a tuple of frozen copies."""
    value = as_tuple(value)
    return tuple(as_frozen(item) for item in value) if is_tuple(value) else value
