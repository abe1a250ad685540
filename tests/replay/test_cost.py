"""What taking a response in costs, counted in the values that are spelled out for hashing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import attrs
import pytest

from replay.conversations import (
    BEGIN,
    ITEMS,
    START,
    TURN,
    Conversation,
    Item,
    Shape,
    carried,
    reasoning_in,
    response_of,
)
from seamwright import RenderOptions, Sha256Fingerprint
from seamwright.history.responses import history_from_responses
from seamwright.seams import fingerprint as module
from seamwright.wire.canonical import canonical_bytes
from seamwright_containers import responses_pipeline

OPTIONS: Final = RenderOptions(model="gpt-test")
TURNS: Final = [
    Shape("user", ("reasoning", "call", "call")),
    Shape("nobody", ("reasoning with summaries", "message")),
    Shape("user", ("reasoning", "web search", "reasoning", "message")),
    Shape("user", ("message",)),
]


class Count:
    """How many values were spelled out."""

    def __init__(self) -> None:
        self.values = 0


@contextmanager
def spelled_out(monkeypatch: pytest.MonkeyPatch) -> Iterator[Count]:
    """Counts within the block."""
    count, original = Count(), canonical_bytes

    def counted(value: object) -> bytes:
        count.values += 1
        return original(value)

    with monkeypatch.context() as patch:
        patch.setattr(module, "canonical_bytes", counted)
        yield count


def stored(turns: int) -> Iterator[Item]:
    """The items of a conversation of many turns."""
    for number in range(turns):
        yield {"type": "message", "role": "user", "content": f"question {number}"}
        output = response_of(TURNS[number % len(TURNS)], f"s{number}")["output"]
        yield from output
        for item in output:
            if item["type"] == "function_call":
                yield {"type": "function_call_output", "call_id": item["call_id"], "output": "done"}


def long_conversation(turns: int) -> Conversation:
    """A conversation of many turns, all of its reasoning replayed, that waits for its next answer."""
    conversation = Conversation(OPTIONS)
    imported = history_from_responses(
        stored(turns), options=OPTIONS, pipeline=conversation.pipeline, state=START, started_at=BEGIN - TURN * turns
    )
    conversation.state = imported.state
    request = conversation.build()
    assert len(imported.state.thoughts) == len(reasoning_in(request)) >= turns * 0.9
    return conversation


@pytest.mark.cold  # a session hashes next to nothing
@pytest.mark.parametrize("shape", TURNS)
def test_a_late_turn_hashes_no_more_on_ingestion_than_on_building(
    shape: Shape, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a conversation of 400 turns, taking a response in spells out no more than the build that sends it back."""
    conversation = long_conversation(400)
    with spelled_out(monkeypatch) as ingesting:
        conversation.take(response_of(shape, conversation.key))
    conversation.answer()
    with spelled_out(monkeypatch) as building:
        request = conversation.build()

    heads = 4  # model, instructions and tools, once each alone, and the empty head of the input section
    last = max(place for place, item in enumerate(request.input) if item["type"] == "reasoning")
    assert last <= building.values  # what stands behind the last reasoning is in nobody's prefix
    assert ingesting.values <= building.values + heads


def test_a_response_without_reasoning_hashes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is nothing to record for it."""
    conversation = long_conversation(8)
    with spelled_out(monkeypatch) as count:
        conversation.take(response_of(Shape("user", ("message", "call")), conversation.key))
    assert 0 == count.values


def output_of(length: int, kind: str) -> Item:
    """A response of many items, half of them reasoning; ``kind`` is what each leads to."""
    output = [ITEMS["reasoning" if index % 2 == 0 else kind](f"t0x{index}") for index in range(length)]
    return {"id": "resp_t0", "object": "response", "model": "m", "status": "completed", "output": output}


@pytest.mark.parametrize("kind", ["message", "tools found"])
def test_a_long_response_is_linear(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice the items cost twice the values at most, whether their reasoning stands or falls."""
    counts = []
    for length in (100, 200):
        conversation = Conversation(OPTIONS)
        conversation.say("user")
        conversation.build()
        with spelled_out(monkeypatch) as count:
            conversation.take(output_of(length, kind))
        counts.append(count.values)
    assert counts[1] <= 2 * counts[0]
    assert counts[1] <= 2 * 200 + 10


def test_building_a_stale_long_response_is_linear(monkeypatch: pytest.MonkeyPatch) -> None:
    """So is finding out for every reasoning item of a long response what changed before it."""
    conversation = Conversation(OPTIONS)
    conversation.say("user")
    conversation.build()
    conversation.take(output_of(200, "message"))
    conversation.state = attrs.evolve(conversation.state, system_prompt="Another.")
    with spelled_out(monkeypatch) as count:
        request = conversation.build()
    assert 100 == len([warning for warning in request.warnings if warning.code == "reasoning-prefix-changed"])
    assert count.values <= 3 * 200 + 10


def test_importing_is_linear(monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice the turns cost twice the values."""
    counts = []
    for turns in (50, 100):
        with spelled_out(monkeypatch) as count:
            history_from_responses(stored(turns), options=OPTIONS, pipeline=Conversation(OPTIONS).pipeline)
        counts.append(count.values)
    assert counts[1] <= 2 * counts[0] + 10


class Counting:
    """A host's own fingerprint, which shares nothing with ours."""

    def __init__(self) -> None:
        self.updates = 0

    def __call__(self, *, model: str, instructions: str | None, tools: Any) -> _CountingHash:
        return _CountingHash(self, Sha256Fingerprint()(model=model, instructions=instructions, tools=tools))


@attrs.frozen
class _CountingHash:
    owner: Counting
    inner: Any

    def update(self, item: Item, /) -> None:
        self.owner.updates += 1
        self.inner.update(item)

    def digest(self) -> str:
        digest: str = self.inner.digest()
        return digest

    def copy(self) -> _CountingHash:
        return _CountingHash(self.owner, self.inner.copy())


def test_a_hosts_own_fingerprint_is_given_each_item_once_for_each_digest() -> None:
    """It sees the prefix twice: for the whole, and for the input alone."""
    counting = Counting()
    conversation = carried([TURNS[0]] * 5, OPTIONS, responses_pipeline(fingerprint=counting))
    counting.updates = 0
    before = conversation.requests[-1].fingerprintable_length
    conversation.take(response_of(TURNS[0], conversation.key))
    assert 2 * (before + len(TURNS[0].output) + 2) >= counting.updates
