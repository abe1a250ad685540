"""The four steps of a build, as seams."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

import attrs

from seamwright.awaiting import MaybeAwaitable
from seamwright.model.state import AgentState
from seamwright.seams.context import BuildContext
from seamwright.seams.fingerprint import PrefixHash
from seamwright.seams.ids import Thing
from seamwright.wire.items import Item

RenderedRole = Literal["candidate", "output", "answer", "other"]


@attrs.frozen
class Leading:
    """Step 1: the leading text on its one carrier: ``instructions``, or an item at the head of ``input``."""

    instructions: str | None = None
    items: tuple[Item, ...] = ()


@attrs.define(eq=False)
class Rendered:
    """One item of the timeline before pairing, or a thing that shows nothing but matters to ids.

    ``item`` carries its id when it has one that may be sent; step 3 takes it off where it must not go.
    ``role``: ``candidate`` = a reasoning item; ``output`` = an own message, function call or provider item;
    ``answer`` = what was given to a call; ``other`` = users, peers, shown thoughts.
    ``group``: the response it came out of. ``wire_id``: the id that may be sent; ``provider_id``: the provider's,
    whether or not it may. ``needs_id``: the API refuses it without its id. ``unsent``: reasoning of the agent's own
    that is not sent as reasoning. ``pending``: a call that nothing answers.
    """

    item: Item | None
    thing: Thing | None = None
    group: str | None = None
    role: RenderedRole = "other"
    wire_id: str | None = None
    provider_id: str | None = None
    needs_id: bool = False
    unsent: bool = False
    pending: bool = False


class LeadingStep(Protocol):
    """Step 1: everything before the timeline, on one carrier."""

    def __call__(self, state: AgentState, context: BuildContext, /) -> MaybeAwaitable[Leading]: ...


class TimelineStep(Protocol):
    """Step 2: the timeline in order, rendered, each response in one piece.

    Nothing is decided about reasoning or ids yet.
    """

    def __call__(self, state: AgentState, context: BuildContext, /) -> MaybeAwaitable[list[Rendered]]: ...


class ReasoningPairing(Protocol):
    """Step 3: the items that are sent. ``prefix_hash`` covers what stands before them, and may be advanced."""

    def __call__(
        self, rendered: Sequence[Rendered], prefix_hash: PrefixHash, context: BuildContext, /
    ) -> list[Item]: ...


class TrailingStep(Protocol):
    """Step 4: the item after the timeline, outside every fingerprint; None when there is nothing to say."""

    def __call__(self, state: AgentState, context: BuildContext, /) -> MaybeAwaitable[Item | None]: ...
