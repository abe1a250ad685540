"""What a build costs, counted: hashed items, and lines of the library that run. Invariant 8."""

from __future__ import annotations

import json
from collections import Counter
from functools import partial
from typing import Any, Final

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from long_conversation import KINDS, long_state

from counting import lines_run
from seamwright import ENDPOINTS, AgentState, PrefixHash, RenderOptions
from seamwright.seams import fingerprint as module
from seamwright.seams.fingerprint import fingerprint
from seamwright.wire.canonical import canonical_bytes
from seamwright_containers import responses_pipeline

PROFILES: Final = pytest.mark.parametrize("endpoint", sorted(ENDPOINTS))
SHAPES: Final = (
    ("reasoning", "call", "call"),
    ("reasoning", "message"),
    ("reasoning", "custom", "reasoning", "reasoning", "message"),
    ("message",),
)
"""A response whose reasoning stands first, and one that has to be tried; with and without calls."""


class Counting:
    """A host's own fingerprint, which counts how often it is given each item. Ours is inside."""

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()

    def __call__(self, *, model: str, instructions: str | None, tools: list[dict[str, Any]] | None) -> PrefixHash:
        return _CountingHash(self.seen, fingerprint(model=model, instructions=instructions, tools=tools))


@attrs.frozen
class _CountingHash:
    seen: Counter[str]
    inner: PrefixHash

    def update(self, item: dict[str, Any], /) -> None:
        self.seen[json.dumps(item, sort_keys=True)] += 1
        self.inner.update(item)

    def digest(self) -> str:
        return self.inner.digest()

    def copy(self) -> PrefixHash:
        return _CountingHash(self.seen, self.inner.copy())


def keys(items: list[dict[str, Any]]) -> list[str]:
    """The items as a counting fingerprint names them."""
    return [json.dumps(item, sort_keys=True) for item in items]


@PROFILES
def test_pairing_1600_turns_hashes_each_item_once(endpoint: Any) -> None:
    """Every item up to the last reasoning is given to the fingerprint exactly once, and no other item ever."""
    options = RenderOptions(model="gpt-test", endpoint=endpoint)
    state = long_state(1600, SHAPES, options)
    counting = Counting()
    assembled = responses_pipeline(fingerprint=counting).build_sync(state, options)
    places = [place for place, item in enumerate(assembled.input) if item["type"] == "reasoning"]

    assert 1600 // 4 * 5 == len(places) == len(state.thoughts)
    before = set(keys(assembled.input[: places[-1]]))
    assert {1} == set(counting.seen.values())
    assert before <= counting.seen.keys() <= set(keys(assembled.input))


@PROFILES
def test_1600_stale_turns_hash_each_item_twice_at_most(endpoint: Any) -> None:
    """Where all reasoning falls an item is hashed once as it would have stayed, and once as it is sent."""
    options = RenderOptions(model="gpt-test", endpoint=endpoint)
    state = attrs.evolve(long_state(1600, SHAPES, options), system_prompt="Another.")
    counting = Counting()
    assembled = responses_pipeline(fingerprint=counting).build_sync(state, options)

    assert not [item for item in assembled.input if item["type"] == "reasoning"]
    assert len(state.thoughts) == sum(w.code == "reasoning-prefix-changed" for w in assembled.warnings)
    # An item that carries no id in either case is the same text both times.
    assert {1, 2} >= set(counting.seen.values())
    assert 2 * (len(assembled.input) + len(state.thoughts)) >= counting.seen.total()


@pytest.mark.parametrize(("prompt", "most"), [("", 1), ("Another.", 3)], ids=["sound", "stale"])
def test_the_default_fingerprint_spells_out_each_item_once(
    prompt: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours, which is fed in rows: once for sound reasoning; stale is hashed again as sent, and to say what changed."""
    options = RenderOptions(model="gpt-test")
    state = attrs.evolve(long_state(1600, SHAPES, options), system_prompt=prompt)
    spelled = 0

    def counted(value: object) -> bytes:
        nonlocal spelled
        spelled += 1
        return canonical_bytes(value)

    monkeypatch.setattr(module, "canonical_bytes", counted)
    assembled = responses_pipeline().build_sync(state, options)
    heads = 4  # model, instructions and tools; and the empty beginning of the input alone
    assert spelled <= most * (len(assembled.input) + len(state.thoughts) * (most > 1)) + heads
    assert spelled >= len(state.thoughts)


# --- 8: linear


_SHAPES: Final = st.lists(st.sampled_from(KINDS), min_size=1, max_size=2).flatmap(
    lambda led_to: st.sampled_from([("reasoning", *led_to), (*led_to, "reasoning", "message"), tuple(led_to)])
)


def with_prompt(state: AgentState) -> AgentState:
    """A state none of whose reasoning fits."""
    return attrs.evolve(state, system_prompt="Another.")


@PROFILES
@settings(max_examples=8)
@given(st.lists(_SHAPES, min_size=1, max_size=3), st.booleans())
def test_twice_the_turns_run_twice_the_lines(endpoint: Any, shapes: list[tuple[str, ...]], stale: bool) -> None:
    """What thirty more turns add is the same, whether there are thirty or sixty before them."""
    options = RenderOptions(model="gpt-test", endpoint=endpoint)
    pipeline = responses_pipeline()
    states = [long_state(turns, shapes, options) for turns in (60, 30, 60, 90)]
    built = [with_prompt(state) if stale else state for state in states]
    # The first build fills what is kept by the process.
    _, small, middle, large = (lines_run(partial(pipeline.build_sync, state, options)) for state in built)
    assert large - middle <= 1.03 * (middle - small) + 50
