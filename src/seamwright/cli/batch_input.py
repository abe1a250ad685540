"""The lines of a file of states, each no longer than fits in memory."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final, Self

from seamwright.batch.line import Source, Unreadable
from seamwright.cli.common import InputError

LONGEST: Final = 256 * 1024 * 1024
"""Bytes of a line; the vendor takes no batch file of that size."""

_BUFFER: Final = 1024 * 1024


class StateLines:
    """Reads a file, or stdin for ``-``.

    ``position`` is how many bytes were read, of ``size``, which is None when nobody knows it.
    """

    def __init__(self, name: str, longest: int = LONGEST) -> None:
        self._name = name
        self._longest = longest
        self._file = _stdin() if name == "-" else _opened(name)
        self.position = 0
        self.size, self.identity = _status(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._name != "-":
            self._file.close()

    def __iter__(self) -> Iterator[Source]:
        """Each line without its line break. Raises :class:`InputError` when the file can't be read on."""
        while line := self._read():
            self.position += len(line)
            if len(line) > self._longest and not line.endswith(b"\n"):
                self._pass_over()
                yield Unreadable(f"the line is longer than {self._longest} bytes")
            else:
                yield line.removesuffix(b"\n")

    def _pass_over(self) -> None:
        while (rest := self._read(_BUFFER)) and not rest.endswith(b"\n"):
            self.position += len(rest)
        self.position += len(rest)

    def _read(self, limit: int | None = None) -> bytes:
        try:
            return self._file.readline(self._longest + 1 if limit is None else limit)
        except OSError as error:
            raise _unreadable(self._name, error) from None


def _opened(name: str) -> BinaryIO:
    try:
        file = Path(name).open("rb", _BUFFER)  # noqa: SIM115  # closed by __exit__
    except (OSError, ValueError) as error:  # a name with a NUL is no name
        raise _unreadable(name, error) from None
    return file


def _stdin() -> BinaryIO:
    stdin: Any = sys.stdin
    if stdin is None:  # Python has none when it is closed
        raise _unreadable("-", OSError("it is closed"))
    file: BinaryIO = stdin.buffer
    return file


def _status(file: BinaryIO) -> tuple[int | None, tuple[int, int] | None]:
    """Size and identity, as far as they are known."""
    try:
        status = os.fstat(file.fileno())
    except OSError:  # stdin may be something that stands in its place
        return None, None
    size = status.st_size if stat.S_ISREG(status.st_mode) else None
    return size, (status.st_dev, status.st_ino)


def _unreadable(name: str, error: OSError | ValueError) -> InputError:
    return InputError(name, OSError(f"can't be read: {getattr(error, 'strerror', None) or error}"))
