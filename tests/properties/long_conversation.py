"""Conversations of any length, all of whose reasoning goes back, made in a time that grows with the length alone."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final

import attrs
from recorder import reasoning

from seamwright import (
    REASONING_TAG,
    AgentState,
    Message,
    OriginFingerprint,
    ProviderItem,
    ReasoningPayload,
    RenderOptions,
    ResponseOrigin,
    Thought,
    ToolCall,
)
from seamwright.seams.fingerprint import Fingerprint, fingerprint
from seamwright.testing.strategies import BASE_TIME
from seamwright_containers import responses_pipeline

KINDS: Final = ("message", "call", "custom")
_FIXED: Final = OriginFingerprint("anything fits")
_FITTING: Final = _FIXED(model="gpt-test", instructions=None, tools=None).digest()


def long_state(
    turns: int, shapes: Sequence[Sequence[str]], options: RenderOptions, hashed: Fingerprint = fingerprint
) -> AgentState:
    """*turns* questions, each answered with the items that the shapes in turn say, recorded as they will be sent.

    A shape is a row of ``reasoning``, ``message``, ``call`` and ``custom`` (a custom tool call, with its answer).
    """
    things: dict[str, list[Any]] = {"messages": [], "thoughts": [], "tool_calls": [], "provider_items": []}
    for number in range(turns):
        begin = BASE_TIME + timedelta(minutes=number)
        question = Message(id=f"q{number}", role="user", content=f"question {number}", created_at=begin)
        things["messages"].append(question)
        shape = shapes[number % len(shapes)]
        for index, kind in enumerate(shape):
            origin = ResponseOrigin(
                response_id=f"resp_{number}",
                output_index=index,
                model="gpt-test",
                reasoning_count=list(shape).count("reasoning"),
            )
            _put(things, kind, f"{number}_{index}", {"created_at": begin + timedelta(seconds=1), "origin": origin})
    given: dict[str, Any] = {**things}
    return _recorded(AgentState(**given), options, hashed)


def _put(things: dict[str, list[Any]], kind: str, key: str, common: dict[str, Any]) -> None:
    match kind:
        case "reasoning":
            item = {"type": "reasoning", "id": f"rs_{key}", "summary": [], "encrypted_content": f"gAAAA-{key}"}
            payload = ReasoningPayload(item=item, prefix_fingerprint=_FITTING)
            thought = Thought(id=f"t{key}", payload=payload, replay_compatibility=REASONING_TAG, **common)
            things["thoughts"].append(thought)
        case "message":
            things["messages"].append(Message(id=f"msg_{key}", role="assistant", content=f"answer {key}", **common))
        case "call":
            call = ToolCall(id=f"call_{key}|fc_{key}", tool="lookup", args=f'{{"q":"{key}"}}', results="ok", **common)
            things["tool_calls"].append(call)
        case _:
            asked = {"type": "custom_tool_call", "id": f"ctc_{key}", "call_id": f"c_{key}", "name": "sh", "input": "ls"}
            given = {"type": "custom_tool_call_output", "call_id": f"c_{key}", "output": f"result {key}"}
            later = common["created_at"] + timedelta(seconds=1)
            things["provider_items"] += [ProviderItem(item=asked, **common), ProviderItem(item=given, created_at=later)]


def _recorded(state: AgentState, options: RenderOptions, hashed: Fingerprint) -> AgentState:
    """The state with the fingerprint of what stands before each reasoning item when all of it goes back."""
    built = responses_pipeline(fingerprint=_FIXED).build_sync(state, options)
    running = hashed(model=built.model, instructions=built.instructions, tools=built.tools)
    digests: dict[str, str] = {}
    for item in built.input:
        if item["type"] == "reasoning":
            digests[item["encrypted_content"]] = running.digest()
        running.update(item)
    assert len(digests) == len(state.thoughts), "all of it goes back"
    return attrs.evolve(state, thoughts=[_with(thought, digests) for thought in state.thoughts])


def _with(thought: Thought, digests: dict[str, str]) -> Thought:
    payload = reasoning(thought)
    recorded = digests[payload.item["encrypted_content"]]
    return attrs.evolve(thought, payload=attrs.evolve(payload, prefix_fingerprint=recorded))
