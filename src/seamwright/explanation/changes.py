"""The first place where two outlines differ, and what kind of change that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

import attrs

from seamwright.explanation.outline import Outline, Piece

Kind = Literal[
    "same",
    "appended only",
    "trailing item changed",
    "model changed",
    "tools changed",
    "output format changed",
    "instructions changed",
    "history rewritten",
    "item inserted",
    "item removed",
    "items reordered",
    "history cut",
]

Section = Literal["model", "tools", "text", "instructions", "input"]


@attrs.frozen
class Change:
    """What was found. ``section`` None: nothing before the end of the previous prefix changed.

    ``index`` is that of the tool or item, ``count`` how many items were inserted, removed or appended, ``items`` how
    many items stand before the change.
    """

    kind: Kind
    section: Section | None = None
    index: int | None = None
    count: int = 0
    items: int = 0


def first_change(before: Outline, after: Outline) -> Change:
    """The sections are looked at in the order in which they stand in the prompt."""
    if before.model.digest != after.model.digest:
        return Change("model changed", "model")
    tool = _differing(before.tools, after.tools)
    if tool is not None:
        return Change("tools changed", "tools", tool)
    if _digest(before.parameters.get("text.format")) != _digest(after.parameters.get("text.format")):
        return Change("output format changed", "text")
    if _digest(before.instructions) != _digest(after.instructions):
        return Change("instructions changed", "instructions")
    return _input_change(before, after)


def _digest(piece: Piece | None) -> str | None:
    return None if piece is None else piece.digest


def _input_change(before: Outline, after: Outline) -> Change:
    old, new = ([item.whole for item in one.input] for one in (before, after))
    length = before.prefix_length
    index = _differing(old, new)
    if index is None:
        return Change("same", items=len(old))
    if index >= length:
        count = after.prefix_length - length
        return Change("appended only" if count > 0 else "trailing item changed", count=max(0, count), items=index)
    if index >= after.prefix_length:
        return Change("history cut", "input", index, length - index, index)
    kind, count = _moved([one.digest for one in old[index:length]], [one.digest for one in new[index:]])
    return Change(kind, "input", index, count, index)


def _moved(old: Sequence[str], new: Sequence[str]) -> tuple[Kind, int]:
    """What kind of change makes *new* of *old*, which differ in the first item, and how many items it concerns."""
    came = new.index(old[0]) if old[0] in new else None  # this many stand before what was first
    gone = old.index(new[0]) if new[0] in old else None  # this many stood before what is first now
    if came is not None and _begins(new[came:], old):
        return "item inserted", came
    if came is not None and gone is not None and Counter(old) <= Counter(new):
        return "items reordered", 0
    if gone is not None and _begins(new, old[gone:]):
        return "item removed", gone
    if came is not None:
        return "item inserted", came
    if gone is not None:
        return "item removed", gone
    return "history rewritten", 0


def _begins(items: Sequence[str], start: Sequence[str]) -> bool:
    return items[: len(start)] == start


def _differing(old: Sequence[Piece], new: Sequence[Piece]) -> int | None:
    """The first index at which two sequences differ; None when they are equal."""
    common = min(len(old), len(new))
    index = next((i for i in range(common) if old[i].digest != new[i].digest), common)
    return None if index == len(old) == len(new) else index
