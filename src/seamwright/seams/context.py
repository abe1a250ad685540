"""What a seam may know of the build it renders for."""

from __future__ import annotations

from collections.abc import Mapping
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


@attrs.frozen
class BuildContext:
    """One build: its options, the tools of the state, the results given as rendered, and where warnings go."""

    options: RenderOptions
    tools: ToolRegistry = attrs.field(factory=ToolRegistry)
    rendered_tool_results: Mapping[str, str | list[Part]] = attrs.field(factory=dict[str, "str | list[Part]"])
    warn: AddWarning = ignore_warning

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
