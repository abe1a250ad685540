"""Large results kept aside: the request shows their text, or only a handle."""

from __future__ import annotations

from typing import Literal

import attrs

from seamwright.model.checks import OPTIONAL_TEXT, TEXT, as_tuple, one_of, tuple_of
from seamwright.model.sources import ARTIFACT_SOURCE, ArtifactSource, FileSource, as_source, read_source

ArtifactKind = Literal["text", "json", "markdown"]


@attrs.frozen(kw_only=True)
class ToolMethod:
    """A tool that reads an artifact by its call id."""

    name: str = attrs.field(validator=TEXT)
    description: str | None = attrs.field(default=None, validator=OPTIONAL_TEXT)


@attrs.frozen(kw_only=True)
class SpooledArtifact:
    """A text held by a reader: text, bytes (UTF-8), a path, or a function that gives either, at once or awaited."""

    reader: ArtifactSource = attrs.field(converter=as_source, validator=ARTIFACT_SOURCE)
    kind: ArtifactKind = attrs.field(default="text", validator=one_of("text", "json", "markdown"))
    tool_methods: tuple[ToolMethod, ...] = attrs.field(
        default=(), converter=as_tuple, validator=tuple_of(ToolMethod, "a tool method")
    )

    async def content(self) -> str | bytes:
        """What the reader gives, read once."""
        return await read_source(self.reader)

    async def as_string(self) -> str:
        """The whole text; bytes that are no UTF-8 become U+FFFD."""
        return as_text(await self.content())

    async def byte_length(self) -> int:
        """Length in UTF-8 bytes; of a file without reading it."""
        if isinstance(self.reader, FileSource):
            return self.reader.path.stat().st_size
        return sizes_of(await self.content())[0]

    async def line_count(self) -> int:
        r"""Number of lines split at ``\n``, 0 for an empty text; a file is read piece by piece."""
        return (await self.sizes())[1]

    async def sizes(self) -> tuple[int, int]:
        """Byte length and line count, from one reading; a file is read piece by piece."""
        if isinstance(self.reader, FileSource):
            return _sizes_of_file(self.reader)
        return sizes_of(await self.content())


def as_text(content: str | bytes) -> str:
    """The text of what a reader gave; bytes that are no UTF-8 become U+FFFD."""
    return content if isinstance(content, str) else content.decode(errors="replace")


def sizes_of(content: str | bytes) -> tuple[int, int]:
    """Byte length in UTF-8 and line count."""
    data = content if isinstance(content, bytes) else content.encode(errors="replace")
    return len(data), data.count(b"\n") + 1 if data else 0


def _sizes_of_file(source: FileSource) -> tuple[int, int]:
    size = breaks = 0
    for piece in source.pieces():
        breaks += piece.count(b"\n")
        size += len(piece)
    return size, breaks + 1 if size else 0
