"""The leading and the trailing text, taken apart again: which stretch came out of which bucket."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import attrs

from seamwright.awaiting import MaybeAwaitable, settled
from seamwright.model.knowledge import Retrievable
from seamwright.model.options import Bucket
from seamwright.record import Seams
from seamwright.seams.context import BuildContext, ignore_warning
from seamwright.seams.retrievables import Retrievables, make_retrievables
from seamwright.show.model import Block, Trust
from seamwright.show.parts import enclosed
from seamwright.show.watching import Watched


@attrs.frozen
class Section:
    """A text that is expected to stand in the leading or trailing text, and whose it is."""

    label: str
    text: str
    trust: Trust
    bucket: str


async def sections(seams: Seams, seen: Watched, names: Iterable[Bucket], prompt: bool) -> list[Section]:
    """The texts of some buckets, each rendered once more by its own seam; ``prompt``: behind the system prompt."""
    state = seen.state
    context = attrs.evolve(seen.context, warn=ignore_warning)
    found = [Section("system prompt", str(state.system_prompt), "operator", "system prompt")] if prompt else []
    for name in names:
        if name == "standing_instructions":
            rules = [str(rule) for rule in state.standing_instructions]
            text = seams.standing_instructions(rules, context.options.standing_instructions_version)
            found.append(Section("standing instructions", text, "operator", "standing instructions"))
        elif name == "memories":
            found.append(Section("memories", seams.memories(state.memories), "first-party", "memories"))
        elif name == "retrievables":
            found += await _documents(seams, state.retrievables, context)
    return [section for section in found if section.text]


async def _documents(seams: Seams, items: Sequence[Retrievable], context: BuildContext) -> list[Section]:
    """The directive and the tiers: what the default ``retrievables`` asks its parts for, in its order."""
    found: list[Section] = []

    def recorded(tier: Trust, render: Retrievables) -> Retrievables:
        async def part(items: Sequence[Retrievable], context: BuildContext, /) -> str:
            text = await _text(render(items, context))
            names = ", ".join(item.id for item in items)
            found.append(Section(names, text, tier, "retrievables"))
            return text

        return part

    def directive() -> str:
        text = seams.safety_directive()
        found.append(Section("how retrieved content is read", text, "operator", "retrievables"))
        return text

    default = make_retrievables(
        safety_directive=directive,
        first_party_retrievables=recorded("first-party", seams.first_party_retrievables),
        third_party_public_retrievables=recorded("third-party-public", seams.third_party_public_retrievables),
        third_party_private_retrievables=recorded("third-party-private", seams.third_party_private_retrievables),
    )
    await _text(default(items, context))
    return found


async def _text(given: MaybeAwaitable[str]) -> str:
    return given if isinstance(given, str) else await settled(given)


def taken_apart(text: str, expected: Iterable[Section]) -> list[Block]:
    """The text as blocks: the sections that stand in it in this order, and what stands between them as unknown."""
    blocks: list[Block] = []
    place = 0

    def between(end: int) -> None:
        rest = text[place:end].strip()
        if rest:
            blocks.append(enclosed("text", rest, "unknown", "other"))

    for section in expected:
        start = text.find(section.text, place)
        if start < 0:  # a step of the host's words it otherwise
            continue
        between(start)
        blocks.append(enclosed(section.label, section.text, section.trust, section.bucket))
        place = start + len(section.text)
    between(len(text))
    return blocks
