"""``OUT.part``: what a batch is written to until it is complete, and what is there to go on with when it is not."""

from __future__ import annotations

import contextlib
import importlib
import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Final, Self

import orjson

from seamwright.cli.common import CallError
from seamwright.errors import InvalidStateError
from seamwright.model.guards import is_mapping
from seamwright.model.state_file import parse_json

_BLOCK: Final = 64 * 1024


class Part:
    """The file that is written, line by line, each handed to the system at once: a killed run loses at most the line
    it was writing. Flushed to the disk once, before it takes its name.

    One run writes it at a time. With *resume* what it holds is kept, but for a last line that is torn.
    ``reads`` is the identity (device, inode) of the input, which must be neither of the two files.
    """

    def __init__(self, output: str, resume: bool, reads: tuple[int, int] | None) -> None:
        self._target = _target(output)
        self.path = Path(f"{self._target}.part")
        for path in (self._target, self.path):
            if reads is not None and _identity(path) == reads:
                raise CallError(f"{path}: it is what is read; it can't be written")
        self._file = self._opened(resume)
        self._held = self._file.seek(0, os.SEEK_END)
        self.lines_written = self._held > 0

    def _opened(self, resume: bool) -> BinaryIO:
        try:
            file = self.path.open("r+b" if self.path.exists() else "x+b")  # closed by __exit__
        except (OSError, ValueError) as error:
            raise CallError(f"{self.path}: can't be written: {getattr(error, 'strerror', None) or error}") from None
        try:
            _lock(file, self.path)
            if resume:
                file.truncate(_whole(file))
            elif os.fstat(file.fileno()).st_size:
                raise CallError(
                    f"{self.path}: it is there from a run that did not end; go on with it by --resume, or delete it"
                )
        except BaseException:
            file.close()
            raise
        return file

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(OSError):  # what a full disk left in the buffer
            self._file.close()
        if kind is not None and not self.lines_written:
            with contextlib.suppress(OSError):
                self.path.unlink()

    def requests(self) -> Iterator[tuple[str, bytes]]:
        """``custom_id`` and line, without line break, of each request it held at first.

        Raises :class:`CallError` for a whole line that is no request: then it is not a file of ours.
        """
        left = self._held
        with self.path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if left <= 0:  # what was added since
                    return
                left -= len(line)
                custom_id = _custom_id(line)
                if custom_id is None:
                    raise CallError(f"{self.path}:{number}: no request; delete the file to begin anew")
                yield custom_id, line[:-1]

    def write(self, request: bytes) -> None:
        """Adds a line. Raises OSError when there is no room."""
        self.lines_written = True
        self._file.write(request + b"\n")
        self._file.flush()

    def finish(self) -> None:
        """Gives the file its name, in the place of an older one, whose permissions it takes. Raises OSError."""
        os.fsync(self._file.fileno())
        self._file.close()  # not every system renames what is open
        if self._target.exists():
            self.path.chmod(self._target.stat().st_mode & 0o777)
        self.path.replace(self._target)
        _flush_folder(self._target.parent)

    def kept(self) -> list[str]:
        """What to tell somebody whose run does not end: where its lines are, when there are any."""
        return [f"what is done is in {self.path}, go on with --resume"] if self.lines_written else []


def _target(output: str) -> Path:
    """Where the output goes, links followed."""
    if output == "-":
        raise CallError("-o -: a file is expected, which an interrupted run can go on with")
    try:
        target = Path(os.path.realpath(output))
        if target.exists() and not target.is_file():
            raise CallError(f"{output}: can't be written: no regular file")
    except (OSError, ValueError) as error:
        raise CallError(f"{output}: can't be written: {getattr(error, 'strerror', None) or error}") from None
    return target


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _lock(file: BinaryIO, path: Path) -> None:
    """Keeps a second run out, until this one ends, however it ends. Not where the system has no such locks."""
    try:
        fcntl: Any = importlib.import_module("fcntl")
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise CallError(f"{path}: another run is writing it") from None
    except OSError:  # a file system without locks
        return


def _whole(file: BinaryIO) -> int:
    """How many bytes there are up to the end of the last whole line."""
    end = file.seek(0, os.SEEK_END)
    while end > 0:
        begin = max(0, end - _BLOCK)
        file.seek(begin)
        found = file.read(end - begin).rfind(b"\n")
        if found >= 0:
            return begin + found + 1
        end = begin
    return 0


def _custom_id(line: bytes) -> str | None:
    try:
        request: Any = orjson.loads(line)
    except ValueError:  # also for what is JSON all the same: halves of signs, very deep nesting
        try:
            request = parse_json(line)
        except InvalidStateError:
            return None
    custom_id: Any = request.get("custom_id") if is_mapping(request) and "body" in request else None
    return custom_id if isinstance(custom_id, str) else None


def _flush_folder(folder: Path) -> None:
    """Brings the new name to the disk. Not every system opens folders; the file itself is there already."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
