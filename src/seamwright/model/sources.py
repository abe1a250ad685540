"""Where the bytes of a media or an artifact come from."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator
from pathlib import Path
from typing import Any, Final

import attrs

from seamwright.awaiting import settled
from seamwright.model.checks import Check
from seamwright.model.spelling import shown

_PIECE: Final = 3 << 18


@attrs.frozen
class FileSource:
    """A file: ``path`` is where it is, ``shown`` how the state file spells it (and is dumped again)."""

    path: Path
    shown: str

    def read(self) -> bytes:
        return self.path.read_bytes()

    def pieces(self) -> Generator[bytes, None, None]:
        """What it holds, piece by piece; each but the last is a multiple of three long, as base64 takes them."""
        with self.path.open("rb") as file:
            while piece := file.read(_PIECE):
                yield piece


@attrs.frozen
class Url:
    """A media the API fetches itself."""

    url: str


@attrs.frozen
class FileId:
    """A media uploaded before."""

    file_id: str


Reader = Callable[[], bytes | Awaitable[bytes]]
MediaSource = bytes | FileSource | Url | FileId | Reader
TextReader = Callable[[], str | bytes | Awaitable[str | bytes]]
ArtifactSource = str | bytes | FileSource | TextReader


def as_source(value: Any) -> Any:
    """A path becomes a file source; everything else stays."""
    return FileSource(value, str(value)) if isinstance(value, Path) else value


def _media_source(value: object) -> str | None:
    if isinstance(value, (bytes, FileSource, Url, FileId)) or callable(value):
        return None
    return f"{shown(value)} is not bytes, a path, a Url, a FileId or a reader"


def _artifact_source(value: object) -> str | None:
    if isinstance(value, (str, bytes, FileSource)) or callable(value):
        return None
    return f"{shown(value)} is not text, bytes, a path or a reader"


MEDIA_SOURCE = Check(_media_source)
ARTIFACT_SOURCE = Check(_artifact_source)


async def read_source(source: ArtifactSource | Reader) -> str | bytes:
    """What the source holds. A reader may be a plain or an asynchronous function."""
    if isinstance(source, (str, bytes)):
        return source
    if isinstance(source, FileSource):
        return source.read()
    result = source()
    return result if isinstance(result, (str, bytes)) else await settled(result, (str, bytes))
