"""What may render otherwise although the primitive is the same: files, readers, and results given as rendered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from seamwright.model.artifact import SpooledArtifact
from seamwright.model.media import Media
from seamwright.model.message import Message
from seamwright.model.sources import FileId, Url
from seamwright.model.tool_call import ToolCall
from seamwright.seams.ids import Thing


def is_volatile(thing: Thing, given: Mapping[str, Any]) -> bool:
    """Whether a thing has to be rendered anew to know what it renders to."""
    if isinstance(thing, Message):
        return _reads(thing.attachments)
    if not isinstance(thing, ToolCall):
        return False
    results = thing.results
    if thing.id in given:
        return True
    if results is None or isinstance(results, str):
        return False
    return _reads((results,) if isinstance(results, SpooledArtifact) else results)


def _reads(sources: Iterable[Media | SpooledArtifact]) -> bool:
    return any(not isinstance(_source(one), (str, bytes, Url, FileId)) for one in sources)


def _source(one: Media | SpooledArtifact) -> object:
    return one.source_reader if isinstance(one, Media) else one.reader
