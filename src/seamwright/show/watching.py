"""A build that is watched: the same steps, and what each of them was given and gave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import attrs

from seamwright.awaiting import MaybeAwaitable, eager, settled
from seamwright.model.options import RenderOptions
from seamwright.model.state import AgentState
from seamwright.pipeline.pipeline import Pipeline
from seamwright.record import Seams
from seamwright.seams.context import BuildContext
from seamwright.seams.fingerprint import PrefixHash
from seamwright.seams.steps import Leading, Rendered
from seamwright.wire.assembled import AssembledInput
from seamwright.wire.items import Item


@attrs.define
class Watched:
    """What a build went through.

    ``state`` is the state as seams see it, with its texts rendered. ``rendered`` is the timeline before anything is
    trimmed or paired, ``paired`` how many items came out of that.
    """

    state: AgentState
    context: BuildContext
    rendered: Sequence[Rendered] = ()
    paired: int = 0


async def watch(
    pipeline: Pipeline, state: AgentState, options: RenderOptions, render_ctx: object = None
) -> tuple[AssembledInput, Watched]:
    """Builds, and gives the request with what the build went through. Raises what a build raises."""
    seams = pipeline.seams
    seen = Watched(state, BuildContext(options))

    def leading_step(state: AgentState, context: BuildContext, /) -> MaybeAwaitable[Leading]:
        seen.state, seen.context = state, context
        return seams.leading_step(state, context)

    @eager
    async def timeline_step(state: AgentState, context: BuildContext, /) -> list[Rendered]:
        rendered = seams.timeline_step(state, context)
        rendered = rendered if isinstance(rendered, list) else await settled(rendered)
        seen.rendered = list(rendered)
        return rendered

    def reasoning_pairing(
        rendered: Sequence[Rendered], prefix_hash: PrefixHash, context: BuildContext, /
    ) -> list[Item]:
        items = seams.reasoning_pairing(rendered, prefix_hash, context)
        seen.paired = len(items)
        return items

    watching: Any = attrs.evolve(
        seams, leading_step=leading_step, timeline_step=timeline_step, reasoning_pairing=reasoning_pairing
    )
    assembled = await _pipeline(watching).build(state, options, render_ctx)
    return assembled, seen


def _pipeline(seams: Seams) -> Pipeline:
    return Pipeline(seams)
