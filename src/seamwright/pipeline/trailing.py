"""Step 4: the buckets after the timeline."""

from __future__ import annotations

from seamwright.awaiting import eager, settled
from seamwright.model.state import AgentState
from seamwright.seams.context import BuildContext
from seamwright.seams.leading import Memories, StandingInstructions, make_buckets
from seamwright.seams.retrievables import Retrievables
from seamwright.seams.steps import TrailingStep
from seamwright.wire.items import Item, input_text, message


def make_trailing_step(
    *, standing_instructions: StandingInstructions, memories: Memories, retrievables: Retrievables
) -> TrailingStep:
    """The default ``trailing_step``: one system message at the very end."""
    buckets = make_buckets(standing_instructions=standing_instructions, memories=memories, retrievables=retrievables)

    @eager
    async def trailing_step(state: AgentState, context: BuildContext, /) -> Item | None:
        given = buckets(context.options.trailing_buckets, state, context)
        blocks = given if isinstance(given, list) else await settled(given, list)
        return message("system", [input_text("\n\n".join(blocks))]) if blocks else None

    return trailing_step
