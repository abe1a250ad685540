"""Faults and their places: what is wrong with a part, told by the whole it stands in.

Whoever reads a value raises :class:`InvalidStateError` with paths relative to that value; whoever called puts its own
place in front, and goes on, so that all faults are told at once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from seamwright.errors import Fault, InvalidStateError, nearest
from seamwright.model.guards import is_mapping
from seamwright.model.spelling import shown

Hook = Callable[[Any], Any]
"""Reads or dumps one value. Raises :class:`InvalidStateError` with paths relative to it."""


def join(place: str, rest: str) -> str:
    """One path out of two: ``messages`` + ``[3]`` + ``role`` → ``messages[3].role``."""
    if not rest or not place:
        return place or rest
    return place + rest if rest.startswith("[") else f"{place}.{rest}"


def under(place: str, error: InvalidStateError) -> list[Fault]:
    """The faults of an error, moved below *place*."""
    return [Fault(join(place, fault.path), fault.problem) for fault in error.faults]


def fault(problem: str, path: str = "") -> InvalidStateError:
    """An error of one fault."""
    return InvalidStateError([Fault(path, problem)])


def collect(faults: list[Fault], place: str, hook: Hook, value: Any) -> Any:
    """What *hook* makes of a value; its faults go to *faults*, below *place*."""
    try:
        return hook(value)
    except InvalidStateError as error:
        faults.extend(under(place, error))
        return None


def object_of(value: Any) -> Mapping[str, Any]:
    """The value, when it is an object."""
    if not is_mapping(value):
        raise fault(f"{shown(value)} is not an object")
    return value


def unknown_keys(value: Mapping[str, Any], known: Collection[str]) -> list[Fault]:
    """A fault at each key that is not known, naming the nearest that is."""
    return [
        Fault(str(key), f"unknown key{nearest(str(key), known)}; known: {', '.join(known)}")
        for key in value
        if key not in known
    ]


def raise_all(faults: list[Fault]) -> None:
    """Raises them together, when there are some."""
    if faults:
        raise InvalidStateError(faults)


def collect_each(hook: Hook, items: Iterable[tuple[str, Any]]) -> list[Any]:
    """What *hook* makes of each value beside its place; raises the faults of all of them."""
    faults: list[Fault] = []
    made = [collect(faults, place, hook, item) for place, item in items]
    raise_all(faults)
    return made


def placed(items: Iterable[Any]) -> Iterable[tuple[str, Any]]:
    """The elements of a list, each beside its place: ``[0]``, ``[1]``, …"""
    return ((f"[{index}]", item) for index, item in enumerate(items))
