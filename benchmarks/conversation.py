"""The conversation that is measured: user messages, replayed reasoning, tool calls with output, answers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

import attrs

from seamwright import (
    REASONING_TAG,
    AgentState,
    BuildContext,
    Message,
    Pipeline,
    PrefixHash,
    ReasoningPayload,
    RenderOptions,
    ResponseOrigin,
    Thought,
    Tool,
    ToolCall,
)
from seamwright.pipeline.causes import Cause
from seamwright.pipeline.pairing import Pairing, start_walk
from seamwright.pipeline.walk import Walk
from seamwright.seams.steps import Rendered
from seamwright.wire.items import Item

OPTIONS: Final = RenderOptions(model="gpt-5.4")
_START: Final = datetime(2026, 1, 1, tzinfo=UTC)
_TOOL: Final = Tool(
    name="look_up",
    description="Looks something up.",
    input_schema={"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
)


def filler(seed: int, length: int) -> str:
    """ASCII text of a length, another for each seed."""
    words = f"turn {seed} looks at the ledger of gate {seed % 97} and notes what it says; "
    return (words * (length // len(words) + 1))[:length]


def conversation(pipeline: Pipeline, turns: int) -> AgentState:
    """A fresh state of that many turns whose reasoning replays: 300 characters from the user, 1,500 encrypted, 2 kB of
    output, 600 of answer in each.
    """
    messages: list[Message] = []
    thoughts: list[Thought] = []
    calls: list[ToolCall] = []
    for turn in range(turns):
        began = _START + timedelta(minutes=turn)
        messages.append(Message(id=f"user-{turn}", role="user", content=filler(turn, 300), created_at=began))
        thoughts.append(_thought(turn, began))
        calls.append(_call(turn, began))
        messages.append(_answer(turn, began))
    state = AgentState(
        system_prompt="You keep the ledger.", messages=messages, thoughts=thoughts, tool_calls=calls, tools=[_TOOL]
    )
    return _recorded(pipeline, state)


def _origin(turn: int, index: int, item_id: str) -> ResponseOrigin:
    return ResponseOrigin(
        response_id=f"resp_{turn}", output_index=index, item_id=item_id, model="gpt-5.4", reasoning_count=1
    )


def _thought(turn: int, began: datetime) -> Thought:
    item = {
        "type": "reasoning",
        "id": f"rs_{turn}",
        "summary": [],
        "encrypted_content": "gAAAA" + filler(turn, 1495).replace(" ", "_").replace(";", "-"),
    }
    return Thought(
        id=f"rs_{turn}",
        created_at=began + timedelta(seconds=1),
        payload=ReasoningPayload(item=item, paired_item_id=f"fc_{turn}", prefix_fingerprint=""),
        replay_compatibility=REASONING_TAG,
        origin=_origin(turn, 0, f"rs_{turn}"),
    )


def _call(turn: int, began: datetime) -> ToolCall:
    return ToolCall(
        id=f"call_{turn}|fc_{turn}",
        tool="look_up",
        args=f'{{"query":"gate {turn}"}}',
        created_at=began + timedelta(seconds=2),
        results=filler(turn, 2000),
        origin=_origin(turn, 1, f"fc_{turn}"),
    )


def _answer(turn: int, began: datetime) -> Message:
    return Message(
        id=f"msg_{turn}",
        role="assistant",
        content=filler(turn, 600),
        created_at=began + timedelta(seconds=3),
        origin=_origin(turn, 2, f"msg_{turn}"),
    )


class _Recorder:
    """A judge that lets every reasoning item stand and notes the running hash at its place."""

    def __init__(self) -> None:
        self.digests: dict[str | None, str] = {}

    def stands(self, candidate: Rendered, walk: Walk) -> Cause | None:
        self.digests[candidate.wire_id] = walk.prefix.digest()
        return None

    def falls(self, candidate: Rendered, walk: Walk) -> None:
        raise AssertionError(f"{candidate.wire_id} fell")

    def reason(self, candidate: Rendered, cause: Cause) -> str:
        return cause


def _recorded(pipeline: Pipeline, state: AgentState) -> AgentState:
    """The state with every reasoning item recorded under its prefix, as ingesting turn by turn would leave it."""
    judge = _Recorder()

    def record(rendered: Sequence[Rendered], prefix_hash: PrefixHash, context: BuildContext, /) -> list[Item]:
        walk = start_walk(prefix_hash, context)
        Pairing(walk, judge).place(rendered)
        return walk.items

    Pipeline(attrs.evolve(pipeline.seams, reasoning_pairing=record)).build_sync(state, OPTIONS)
    return attrs.evolve(state, thoughts=[_with_fingerprint(one, judge.digests[one.id]) for one in state.thoughts])


def _with_fingerprint(thought: Thought, digest: str) -> Thought:
    assert isinstance(thought.payload, ReasoningPayload)
    return attrs.evolve(thought, payload=attrs.evolve(thought.payload, prefix_fingerprint=digest))
