"""Lines in groups: large enough that sending one costs little, small enough that some of them fit in memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from seamwright.batch.line import Numbered, Source, is_blank

LINES: Final = 16
BYTES: Final = 256 * 1024


def numbered(states: Iterable[Source], start: int = 1) -> Iterator[Numbered]:
    """Each line with its number. Blank ones are counted and left out."""
    for number, source in enumerate(states, start):
        if not is_blank(source):
            yield number, source


def chunks(lines: Iterable[Numbered]) -> Iterator[list[Numbered]]:
    """Groups of lines, in order. One ends when it has enough lines, or enough in them."""
    chunk: list[Numbered] = []
    size = 0
    for number, source in lines:
        chunk.append((number, source))
        # an object has no length that is known; it counts as the share of one line
        size += len(source) if isinstance(source, (str, bytes)) else BYTES // LINES
        if len(chunk) == LINES or size >= BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk
