"""A thought as the reasoning item that goes back."""

from __future__ import annotations

from typing import Protocol

from seamwright.model.guards import is_array
from seamwright.model.thought import Thought, is_reasoning
from seamwright.seams.context import BuildContext
from seamwright.wire.items import Item


class ReasoningItem(Protocol):
    """The wire item of a thought's reasoning, without id, or None when it can't be replayed."""

    def __call__(self, thought: Thought, context: BuildContext, /) -> Item | None: ...


def reasoning_item(thought: Thought, context: BuildContext, /) -> Item | None:
    """The default: the encrypted part and the summary.

    The API refuses ``status`` and ``content`` here, and looks an item without encrypted part up by its id, which
    answers 404 under ``store: false``.
    """
    options = context.options
    payload = thought.payload
    if thought.replay_compatibility not in options.replay_compatibility or not is_reasoning(payload):
        return None
    if options.reasoning_replay != "encrypted":
        return None
    if thought.withheld is not None:
        text = f"not sent again: the API refused it ({thought.withheld})"
        context.warn("reasoning-withheld", text, thought.id)
        return None
    encrypted = payload.item.get("encrypted_content")
    if not encrypted or not isinstance(encrypted, str):
        return None
    summary = payload.item.get("summary")
    return {
        "type": "reasoning",
        "summary": list(summary) if is_array(summary) else [],
        "encrypted_content": encrypted,
    }
