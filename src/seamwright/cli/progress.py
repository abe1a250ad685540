"""How far a long run is, on one line of a terminal; nothing where nobody looks."""

from __future__ import annotations

import time
from typing import Final, Protocol, TextIO

_PAUSE: Final = 0.2  # seconds between two looks: a terminal costs more than a line
_ERASE: Final = "\r\x1b[K"


class Measured(Protocol):
    """What is read: ``position`` is how many bytes of ``size`` were, None when nobody knows."""

    position: int
    size: int | None


class Progress:
    """Shows lines, those skipped, and the share of the input that was read."""

    def __init__(self, stream: TextIO | None, source: Measured) -> None:
        self._stream = stream if stream is not None and stream.isatty() else None
        self._source = source
        self._began = self._last = time.monotonic()
        self._shown = ""

    def show(self, lines: int, skipped: int) -> None:
        """Shows where we are, unless that was done a moment ago."""
        if self._stream is None or time.monotonic() - self._last < _PAUSE:
            return
        self._last = time.monotonic()
        rate = lines / (self._last - self._began)
        parts = [f"line {lines:,}", *([f"{skipped:,} skipped"] if skipped else []), f"{rate:,.0f}/s"]
        if self._source.size:
            parts.append(f"{min(1.0, self._source.position / self._source.size):.0%}")
        self._write(", ".join(parts))

    def clear(self) -> None:
        """Makes room for something else on the line."""
        if self._shown:
            self._write("")

    def end(self) -> None:
        """Leaves the terminal as it was found."""
        self.clear()
        self._stream = None

    def _write(self, text: str) -> None:
        assert self._stream is not None
        self._stream.write(f"{_ERASE}{text}")
        self._stream.flush()
        self._shown = text
