"""Mutilation of bodies: one node dropped, doubled, retyped, cut or swapped at a time."""

from __future__ import annotations

import random
from typing import Any

from seamwright.check.json_types import is_list, is_object

JUNK: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    2**70,
    1.5,
    float("nan"),
    "",
    "x",
    "\ud83d",
    "x" * 70,
    "a b.c",
    [],
    {},
    [None],
    [[]],
    [{}],
    {"": None},
    {"type": None},
    {"type": []},
    {"type": "message"},
    {"type": "input_text"},
    {"type": "reasoning"},
    {"type": "item_reference"},
    {"type": "nonsense_output"},
    {1: 2},
    {None: 1},
    b"bytes",
    {1, 2},
    ("a", {"type": "input_text", "text": "t"}),
    object(),
    dict,
)
"""What a retyped node becomes: JSON of every kind, and things that are none."""


def copy(value: Any) -> Any:
    """A copy of the containers of a tree."""
    if is_object(value):
        return {key: copy(inner) for key, inner in value.items()}
    return [copy(inner) for inner in value] if is_list(value) else value


def slots(value: Any) -> list[tuple[Any, Any]]:
    """Every (container, key or index) of a tree."""
    found: list[tuple[Any, Any]] = []
    stack = [value]
    while stack:
        node = stack.pop()
        keys: list[Any] = list(node) if is_object(node) else list(range(len(node))) if is_list(node) else []
        found += [(node, key) for key in keys]
        stack += [node[key] for key in keys]
    return found


def mutilated(body: Any, chance: random.Random, times: int = 1) -> Any:
    """A copy of *body* with that many nodes mutilated."""
    body = copy(body)
    for _ in range(times):
        places = slots(body)
        if not places:
            return body
        container, key = chance.choice(places)
        chance.choice((_drop, _double, _retype, _cut, _swap, _rename))(container, key, chance, places)
    return body


def _drop(container: Any, key: Any, chance: random.Random, places: list[tuple[Any, Any]]) -> None:
    del container[key]


def _double(container: Any, key: Any, chance: random.Random, places: list[tuple[Any, Any]]) -> None:
    if is_list(container):
        container.insert(chance.randint(0, len(container)), copy(container[key]))
    else:
        container[f"{key}_2"] = copy(container[key])


def _retype(container: Any, key: Any, chance: random.Random, places: list[tuple[Any, Any]]) -> None:
    container[key] = copy(chance.choice(JUNK))


def _cut(container: Any, key: Any, chance: random.Random, places: list[tuple[Any, Any]]) -> None:
    value = container[key]
    if isinstance(value, str) or is_list(value):
        container[key] = value[: chance.randint(0, len(value))]
    elif is_object(value):
        container[key] = dict(list(value.items())[: chance.randint(0, len(value))])


def _swap(container: Any, key: Any, chance: random.Random, places: list[tuple[Any, Any]]) -> None:
    other, other_key = chance.choice(places)
    container[key], other[other_key] = copy(other[other_key]), copy(container[key])


def _rename(container: Any, key: Any, chance: random.Random, places: list[tuple[Any, Any]]) -> None:
    if is_object(container):
        container[chance.choice(("type", "id", "call_id", "status", "content", "role", "", "odd key", "é"))] = (
            container.pop(key)
        )
