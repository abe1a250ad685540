"""How values are worded for people, in a terminal and on a page alike."""

from __future__ import annotations

import unicodedata
from typing import Final

from seamwright.show.model import Entry, View

PREFIX_END: Final = "end of the prefix that fingerprints cover"

LONGEST_NAME: Final = 160


def visible(text: str) -> str:
    """A text with nothing in it that acts or hides: control, bidirectional and invisible characters are spelled out."""
    if text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(map(_shown, text))


def _shown(char: str) -> str:
    if char.isprintable() or char in "\n\t":
        return char
    if unicodedata.category(char) == "Zs":
        return " "
    return char.encode("unicode_escape").decode("ascii")


def size(count: int) -> str:
    """A number of bytes."""
    return f"{count:,} B" if count < 10_000 else f"{count / 1000:,.1f} kB"


def tokens(count: int | None) -> str:
    """A number of tokens, empty when nobody counts."""
    return "" if count is None else f"{count:,} {'token' if count == 1 else 'tokens'}"


def measured(count: int, counted: int | None) -> str:
    """Bytes, and tokens where they are known."""
    return " · ".join(word for word in (size(count), tokens(counted)) if word)


def short(text: str) -> str:
    """A name that is no longer than names are."""
    return text if len(text) <= LONGEST_NAME else f"{text[:LONGEST_NAME]}…"


def heading(entry: Entry) -> str:
    """What an entry is: its type, and its role or the tool's name."""
    named = entry.title or entry.role
    return short(f"{entry.kind}: {named}" if named else entry.kind)


def summary(view: View) -> str:
    """The request in one line."""
    items = sum(entry.index is not None for entry in view.entries)
    replayed = sum(entry.replayed for entry in view.entries)
    words = [
        f"{items} {'item' if items == 1 else 'items'}",
        measured(view.size, view.tokens),
        *([f"of at most {view.budget:,}"] if view.budget else []),
        f"{replayed} reasoning replayed",
        f"{len(view.left_out)} left out",
    ]
    return " · ".join(words)
