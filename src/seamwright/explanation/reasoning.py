"""Why each reasoning item of a state was, or was not, replayed in a build."""

from __future__ import annotations

from typing import Final, Literal

import attrs

from seamwright.model.options import RenderOptions
from seamwright.model.state import AgentState
from seamwright.model.thought import ReasoningPayload, Thought, is_reasoning
from seamwright.wire.assembled import AssembledInput

Fate = Literal["replayed", "left out", "not asked for"]


@attrs.frozen
class ReasoningFate:
    """What became of one thought's reasoning. ``cause`` is a warning code, or a word for what the options say."""

    thought_id: str
    fate: Fate
    cause: str
    text: str


_OPTIONS: Final = {
    "off": "reasoning_replay is 'off'",
    "summary-only": "reasoning_replay is 'summary-only': summaries go out as text",
}


def explain_reasoning(state: AgentState, assembled: AssembledInput) -> tuple[ReasoningFate, ...]:
    """The fate of every reasoning item of *state* in *assembled*, in the state's order."""
    sent: set[object] = {item.get("encrypted_content") for item in assembled.input if item.get("type") == "reasoning"}
    said = {
        warning.subject_id: (warning.code, warning.text)
        for warning in assembled.warnings
        if warning.code.startswith("reasoning-")
    }
    return tuple(
        _fate(thought, thought.payload, sent, said, assembled.options)
        for thought in state.thoughts
        if is_reasoning(thought.payload)
    )


def _fate(
    thought: Thought,
    payload: ReasoningPayload,
    sent: set[object],
    said: dict[str | None, tuple[str, str]],
    options: RenderOptions,
) -> ReasoningFate:
    if thought.id in said:
        code, text = said[thought.id]
        return ReasoningFate(thought.id, "left out", code, text)
    encrypted = payload.item.get("encrypted_content")
    if encrypted and encrypted in sent:
        return ReasoningFate(thought.id, "replayed", "prefix-unchanged", "its prefix is the one it was produced under")
    cause, text = _why_not(thought, encrypted, options)
    return ReasoningFate(thought.id, "not asked for", cause, text)


def _why_not(thought: Thought, encrypted: object, options: RenderOptions) -> tuple[str, str]:
    if "timeline" not in options.bucket_order:
        return "no-timeline", "bucket_order has no 'timeline'"
    if thought.identity.identifier != options.self_identity:
        return "peer", f"it is the reasoning of {thought.identity.identifier!r}, not of {options.self_identity!r}"
    if options.reasoning_replay in _OPTIONS:
        return options.reasoning_replay, _OPTIONS[options.reasoning_replay]
    if thought.replay_compatibility not in options.replay_compatibility:
        return "tag", f"its tag {thought.replay_compatibility!r} is not among replay_compatibility"
    if not encrypted:
        return "no-encrypted-content", "it has no encrypted part, without which the API answers 404"
    return "hidden", f"thought_surfacing is {options.thought_surfacing!r} and does not show it"
