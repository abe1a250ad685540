"""Step 1: the leading text on its channel."""

from __future__ import annotations

from typing import Final

from seamwright.awaiting import eager, settled
from seamwright.model.options import RenderOptions
from seamwright.model.state import AgentState
from seamwright.seams.context import BuildContext
from seamwright.seams.leading import SystemPrompt
from seamwright.seams.steps import Leading, LeadingStep
from seamwright.wire.items import input_text, message

_ROLES: Final = {"developer-item": "developer", "system-item": "system"}


def on_channel(text: str, options: RenderOptions) -> Leading:
    """A leading text on exactly one carrier; none for an empty text."""
    role = _ROLES.get(options.system_prompt_channel)
    if role is None or not text:
        return Leading(instructions=text or None)
    return Leading(items=(message(role, [input_text(text)]),))


def make_leading_step(*, system_prompt: SystemPrompt) -> LeadingStep:
    """The default ``leading_step``: the text of ``system_prompt`` on its channel."""

    @eager
    async def leading_step(state: AgentState, context: BuildContext, /) -> Leading:
        text = system_prompt(state, context)
        text = text if isinstance(text, str) else await settled(text, str, "system_prompt")
        return on_channel(text, context.options)

    return leading_step
