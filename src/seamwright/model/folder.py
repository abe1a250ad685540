"""Paths in a state file: relative to its folder, and inside it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, Final

import attrs

from seamwright.errors import Fault, InvalidStateError
from seamwright.model.sources import FileSource
from seamwright.model.spelling import shown


@attrs.frozen
class Folder:
    """The folder of the state file being read; None when the state came without one."""

    path: Path | None
    allow_outside: bool


_NOWHERE: Final = Folder(None, False)
_FOLDER: Final[ContextVar[Folder]] = ContextVar("folder", default=_NOWHERE)


@contextmanager
def reading_in(folder: Folder) -> Generator[None, None, None]:
    """Paths read inside the block are those of a state file in this folder."""
    token = _FOLDER.set(folder)
    try:
        yield
    finally:
        _FOLDER.reset(token)


def find_file(value: Any) -> FileSource:
    """The file that a ``path`` names. Links are resolved before looking whether it stays inside the folder."""
    folder = _FOLDER.get()
    if (problem := _problem(value, folder)) is not None:
        raise InvalidStateError([Fault("", problem)])
    assert folder.path is not None
    return FileSource((folder.path / value).resolve(), value)


def _problem(value: Any, folder: Folder) -> str | None:
    if not isinstance(value, str) or not value or "\0" in value:
        return f"{shown(value)} is not a path"
    if folder.path is None:
        return "this state has no folder of its own; say where its paths begin with base_dir"
    try:
        target = (folder.path / value).resolve()
        if not folder.allow_outside and not target.is_relative_to(folder.path.resolve()):
            return f"{value!r} leaves the folder of the state file (--allow-paths lifts this)"
        return None if target.is_file() else f"{value!r} is no file"
    except (OSError, RuntimeError, ValueError) as error:
        return f"{value!r} can't be looked at: {error}"
