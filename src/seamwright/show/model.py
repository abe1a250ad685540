"""What is shown of a request: plain records, which every presenter reads."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

import attrs

Trust = Literal[
    "operator",
    "agent",
    "first-party",
    "user",
    "peer",
    "third-party-private",
    "third-party-public",
    "untrusted",
    "unknown",
]
"""Whose text it is, as far as the request says so."""
TRUSTS: Final[tuple[Trust, ...]] = (
    "operator",
    "agent",
    "first-party",
    "user",
    "peer",
    "third-party-private",
    "third-party-public",
    "untrusted",
    "unknown",
)
"""Most trusted first. ``operator``: the host's own words. ``untrusted``: a tool's result that no tier is known of.
``unknown``: a step of the host's made it, and nothing says of what."""

Status = Literal["sent", "left out"]

BUCKETS: Final = (
    "system prompt",
    "standing instructions",
    "memories",
    "retrievables",
    "tools",
    "messages",
    "reasoning",
    "calls and results",
    "other",
)
"""What sizes are summed by: the buckets, and of the timeline the kinds of things in it."""


def least(trusts: Iterable[Trust]) -> Trust:
    """The least trusted of some; ``unknown`` of none."""
    places = [TRUSTS.index(trust) for trust in trusts]
    return TRUSTS[max(places)] if places else "unknown"


@attrs.frozen
class Note:
    """Something said of an entry or of the whole build; ``code`` is a warning's, or a word of ours."""

    code: str
    text: str


@attrs.frozen(kw_only=True)
class Block:
    """A piece of an entry with one trust. ``opening`` and ``closing`` are the tags of its envelope, when it has one.

    ``code``: its text is JSON, or what a tool gave, and no prose. ``bucket`` is what its ``size`` (UTF-8 bytes)
    counts for.
    """

    label: str
    text: str
    trust: Trust
    bucket: str
    size: int
    code: bool = False
    opening: str = ""
    closing: str = ""


@attrs.frozen(kw_only=True)
class Entry:
    """One item of the request, or something that was left out of it.

    ``kind`` is the item's type, or ``instructions``; ``title`` names the tool where it is a call or a result. ``index``
    is its place in ``input``; None for ``instructions`` and for what was left out. ``thing_id`` is the id of what it
    was rendered from, ``group`` the response that came out of. ``size`` counts the bytes of its canonical JSON.
    ``replayed``: encrypted reasoning goes back.
    """

    kind: str
    status: Status
    title: str | None = None
    index: int | None = None
    role: str | None = None
    author: str | None = None
    trust: Trust
    thing_id: str | None = None
    created_at: str | None = None
    group: str | None = None
    replayed: bool = False
    size: int = 0
    tokens: int | None = None
    blocks: tuple[Block, ...] = ()
    notes: tuple[Note, ...] = ()


@attrs.frozen(kw_only=True)
class ToolRow:
    """A declared tool; ``hidden`` ones are not sent. ``declaration`` is JSON for people."""

    name: str
    kind: str
    description: str
    declaration: str
    hidden: bool
    size: int
    tokens: int | None


@attrs.frozen(kw_only=True)
class View:
    """A build as a person reads it.

    ``entries`` stand in the order of the request, what was left out where it would have stood. ``prefix_end`` is how
    many of them a fingerprint covers. ``notes`` are those that belong to no entry. ``encoding`` names the token
    counter; without one no ``tokens`` are known. ``budget`` is what the request may have of them.
    """

    model: str
    endpoint: str
    entries: tuple[Entry, ...]
    prefix_end: int
    tools: tuple[ToolRow, ...]
    notes: tuple[Note, ...]
    size: int
    tokens: int | None
    encoding: str | None
    budget: int | None = None

    @property
    def sent(self) -> tuple[Entry, ...]:
        """The entries that are sent."""
        return tuple(entry for entry in self.entries if entry.status == "sent")

    @property
    def left_out(self) -> tuple[Entry, ...]:
        """The entries that are not."""
        return tuple(entry for entry in self.entries if entry.status == "left out")

    def sizes(self) -> dict[str, dict[Trust, int]]:
        """Bytes by bucket and trust, in the order of :data:`BUCKETS`, buckets that hold nothing left out."""
        found: dict[str, dict[Trust, int]] = {bucket: {} for bucket in BUCKETS}
        for row in self.tools:
            if not row.hidden:
                _add(found["tools"], "operator", row.size)
        for entry in self.sent:
            for block in entry.blocks:
                _add(found[block.bucket], block.trust, block.size)
        return {bucket: sizes for bucket, sizes in found.items() if sizes}

    def trusts(self) -> tuple[Trust, ...]:
        """The trusts that occur, most trusted first."""
        occurring = {trust for sizes in self.sizes().values() for trust in sizes}
        occurring |= {entry.trust for entry in self.entries}
        return tuple(trust for trust in TRUSTS if trust in occurring)


def _add(sizes: dict[Trust, int], trust: Trust, size: int) -> None:
    sizes[trust] = sizes.get(trust, 0) + size
