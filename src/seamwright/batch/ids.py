"""Which line has which ``custom_id``, over any number of lines."""

from __future__ import annotations

import contextlib
import sqlite3
from types import TracebackType
from typing import Final, Self

_MEMORY: Final = 2000  # KiB that are kept before a part goes to disk


class ClaimedIds:
    """An id belongs to the first line that has it.

    Kept in a temporary database that has no name and goes with the process: exact, and in 2 MB whatever the number of
    lines. A set would need some hundred bytes for each. Raises OSError when the disk is full.
    """

    def __init__(self) -> None:
        # a generator may be drawn on by another thread than the one it was made in, though by one at a time
        self._database = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._database.execute(f"PRAGMA cache_size = -{_MEMORY}")
        self._database.execute("PRAGMA journal_mode = OFF")
        self._database.execute("CREATE TABLE claimed (id TEXT PRIMARY KEY, line INTEGER) WITHOUT ROWID")
        self._database.execute("BEGIN")  # one transaction, never committed: nobody else ever reads it

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(sqlite3.Error):
            self._database.close()

    def claim(self, custom_id: str, number: int) -> int | None:
        """Gives the id to a line. None when it was free, else the number of the line that has it."""
        try:
            if self._database.execute("INSERT OR IGNORE INTO claimed VALUES (?, ?)", (custom_id, number)).rowcount:
                return None
            row = self._database.execute("SELECT line FROM claimed WHERE id = ?", (custom_id,)).fetchone()
        except sqlite3.Error as error:
            raise OSError(f"the temporary file of the ids can't be written: {error}") from error
        return int(row[0])
