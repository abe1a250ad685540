"""After any single edit no stale reasoning is sent, nothing raises, and each loss has its warning."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from replay.conversations import (
    OUTPUTS,
    Conversation,
    Shape,
    carried,
    conversation_shapes,
    option_choices,
    reasoning_in,
    shapes,
    sound_shapes,
)
from replay.edits import EDITS
from replay.oracle import Prefix, could_be_before, prefixes
from seamwright import AgentState, AssembledInput, RenderOptions, Thought
from seamwright.model.thought import ReasoningPayload

OPENAI: Final = RenderOptions(model="gpt-test")
LONG: Final = [
    Shape("user", ("reasoning", "message")),
    Shape("peer", ("reasoning", "call", "call", "reasoning with summaries", "message with notes")),
    Shape("nobody", ("reasoning", "web search", "reasoning", "refusal")),
    Shape("user", ("custom call", "reasoning with text", "shell", "empty message")),
    Shape("user", ("reasoning", "empty message", "compaction")),
    Shape("user", ("reasoning", "reasoning", "call")),
    Shape("user", ("message",)),
]


def true_prefixes(conversation: Conversation) -> dict[str, Prefix]:
    """What each reasoning item was produced under, as the requests of the unedited conversation say.

    It is what stood before it when it was first sent: the request it answers, and what came before it in its response.
    """
    known: dict[str, Prefix] = {}
    for request in conversation.requests:
        for part, prefix in prefixes(request).items():
            known.setdefault(part, prefix)
    return known


def check(conversation: Conversation, state: AgentState, options: RenderOptions) -> AssembledInput:
    """Builds what was edited, and looks at its reasoning item by item."""
    known = true_prefixes(conversation)
    request = conversation.pipeline.build_sync(state, options, check="report")

    for part, prefix in prefixes(request).items():
        if part in known:
            assert known[part] == prefix, "stale reasoning is sent"
        else:  # an edit may bring back what could not be sent before
            assert could_be_before(part, prefix, conversation.requests), "stale reasoning is sent"
    told = {warning.subject_id for warning in request.warnings if warning.code.startswith("reasoning-")}
    for thought in lost(conversation.requests[-1], request, state, options):
        assert thought.id in told, "reasoning is lost in silence"
    return request


def lost(before: AssembledInput, after: AssembledInput, state: AgentState, options: RenderOptions) -> list[Thought]:
    """The thoughts that were replayed and are not any more, though nobody asked for that or took them away."""
    asked = options.reasoning_replay != "encrypted" or "timeline" not in options.bucket_order
    was, now = reasoning_in(before), reasoning_in(after)
    gone = {part for part in was if part not in now}
    shown = state.thoughts[-1:] if options.thought_surfacing == "latest-self" else state.thoughts
    return [] if asked else [thought for thought in shown if replayable(thought, options) in gone]


def replayable(thought: Thought, options: RenderOptions) -> str | None:
    """The encrypted part of a thought that the options let go back."""
    mine = thought.identity.identifier == options.self_identity
    listed = thought.replay_compatibility in options.replay_compatibility
    payload = thought.payload
    return payload.item.get("encrypted_content") if mine and listed and isinstance(payload, ReasoningPayload) else None


@given(
    conversation_shapes(shapes() | sound_shapes(), max_turns=8),
    option_choices(),
    st.sampled_from(sorted(EDITS)),
    st.integers(0, 40),
)
def test_any_single_edit(turns: Sequence[Shape], options: RenderOptions, name: str, which: int) -> None:
    """Whatever is edited: what is sent was produced under just that prefix, and what is not sent any more is told."""
    conversation = carried(turns, options)
    check(conversation, *EDITS[name](conversation.state, options, which))


STRIKES_NOTHING: Final = {
    "options: strict tools",  # each tool's own setting is the default
    "options: openai",
    "options: azure",  # every id is one that may be sent
    "thoughts: later",  # a response stands where its earliest thing stands
    "tool_calls: later",
}
"""Edits that change nothing here."""


@pytest.mark.parametrize("name", sorted(EDITS))
def test_every_edit_of_one_conversation(name: str) -> None:
    """Each edit, at many places it could strike, changes what is sent, and leaves what the checker accepts."""
    conversation = long_conversation()
    built = [check(conversation, *EDITS[name](conversation.state, OPENAI, which)) for which in range(9)]
    errors = {found.rule for request in built for found in request.violations if found.severity == "error"}
    assert errors <= {"P3"}, "only a call that the host has to answer may stand alone"

    before = conversation.requests[-1]
    strikes = [sent(request) for request in built if sent(request) != sent(before)]
    assert bool(strikes) != (name in STRIKES_NOTHING)


def sent(request: AssembledInput) -> tuple[object, ...]:
    """What a request says."""
    return request.model, request.instructions, request.tools, request.input


@cache
def long_conversation() -> Conversation:
    """One conversation for every edit; no test changes it."""
    return carried(LONG, OPENAI)


def test_what_stands_before_an_edit_is_still_replayed() -> None:
    """A change of the last message before the last turn leaves the reasoning of earlier turns as it was."""
    conversation = long_conversation()
    edited = EDITS["messages: reworded"](conversation.state, OPENAI, len(conversation.state.messages) - 1)
    assert reasoning_in(conversation.requests[-1]) == reasoning_in(check(conversation, *edited))
    early = EDITS["messages: reworded"](conversation.state, OPENAI, 0)
    assert [] == reasoning_in(check(conversation, *early))


@pytest.mark.parametrize("name", OUTPUTS)
def test_an_edit_taken_back_brings_reasoning_back(name: str) -> None:
    """What an edit made stale is replayed again once the edit is undone: nothing of it is kept."""
    conversation = carried([Shape("user", ("reasoning", name)), *LONG], OPENAI)
    for edit in ("state: another system prompt", "options: another model", "state: one tool more"):
        check(conversation, *EDITS[edit](conversation.state, OPENAI, 0))
    assert conversation.requests[-1] == conversation.pipeline.build_sync(conversation.state, OPENAI)
