"""What a seam may know of the build it renders for."""

from __future__ import annotations

from binascii import b2a_base64
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Protocol

import attrs

from seamwright.model.options import RenderOptions
from seamwright.model.text import has_lone_surrogates, replace_lone_surrogates
from seamwright.model.tools import ToolRegistry
from seamwright.wire.assembled import RenderWarning
from seamwright.wire.items import Part


class AddWarning(Protocol):
    """Notes a warning of this build."""

    def __call__(self, code: str, text: str, subject_id: str | None, /) -> None: ...


def ignore_warning(code: str, text: str, subject_id: str | None, /) -> None:
    """For a seam called alone."""


class DataUrl(Protocol):
    """``data:{mime};base64,{…}`` of some bytes."""

    def __call__(self, mime_type: str, data: bytes, /) -> str: ...


def data_url(mime_type: str, data: bytes, /) -> str:
    """The plain way; a session remembers what it made of the same bytes."""
    return _url(mime_type, (data,))


def data_url_of_pieces(mime_type: str, pieces: Iterable[bytes]) -> str:
    """The same of bytes in pieces, each but the last a multiple of three long: they are never held as a whole."""
    return _url(mime_type, pieces)


def _url(mime_type: str, pieces: Iterable[bytes]) -> str:
    encoded = [f"data:{mime_type};base64,".encode()]
    encoded += [b2a_base64(piece, newline=False) for piece in pieces]
    whole = b"".join(encoded)
    del encoded  # of a large file there would be three copies at once
    return whole.decode()


@attrs.frozen
class BuildContext:
    """One build: its options, the tools of the state, the results given as rendered, where warnings go.

    ``data_url`` encodes the bytes of media.
    """

    options: RenderOptions
    tools: ToolRegistry = attrs.field(factory=ToolRegistry)
    rendered_tool_results: Mapping[str, str | list[Part]] = attrs.field(factory=dict[str, "str | list[Part]"])
    warn: AddWarning = ignore_warning
    data_url: DataUrl = data_url

    def clean(self, text: str, subject_id: str | None) -> str:
        """A text as it enters: lone surrogates become U+FFFD, with one warning."""
        if not has_lone_surrogates(text):
            return text
        self.warn("lone-surrogate", "a text held lone surrogates; they became U+FFFD", subject_id)
        return replace_lone_surrogates(text)


class Clock(Protocol):
    """The time of an ingestion, zone-aware."""

    def __call__(self) -> datetime: ...


class WarningSink(Protocol):
    """Takes every warning as it is made, for logs; the build collects them itself. Must not raise."""

    def __call__(self, warning: RenderWarning, /) -> None: ...


class Warnings:
    """Collects the warnings of one build and hands each to the sink."""

    def __init__(self, sink: WarningSink) -> None:
        self.collected: list[RenderWarning] = []
        self._sink = sink

    def add(self, code: str, text: str, subject_id: str | None, /) -> None:
        """Note one warning."""
        warning = RenderWarning(code, text, subject_id)
        self.collected.append(warning)
        self._sink(warning)


class TokenCounter(Protocol):
    """Counts the tokens of a text. ``encoding`` names how."""

    @property
    def encoding(self) -> str: ...

    def __call__(self, text: str, /) -> int: ...
