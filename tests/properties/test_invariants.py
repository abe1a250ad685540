"""What holds of every build, whatever the state."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from datetime import timedelta
from itertools import groupby
from typing import Any, Final

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st
from request_reader import Item, id_faults, orphans, reasoning_faults

from seamwright import (
    REASONING_TAG,
    AgentState,
    BuildContext,
    Memory,
    Message,
    OriginFingerprint,
    PrefixHash,
    ReasoningPayload,
    RenderOptions,
    Sha256Fingerprint,
    Thought,
    ToolRegistry,
    dump_state,
    load_state,
)
from seamwright.check import check_request
from seamwright.seams.fingerprint import fingerprint
from seamwright.seams.steps import Rendered
from seamwright.testing.strategies import (
    BASE_TIME,
    messages,
    options,
    provider_items,
    reasoning_payloads,
    states,
    thoughts,
    tool_calls,
)
from seamwright_containers import responses_pipeline

PIPELINE: Final = responses_pipeline()

# Under a fingerprint that covers no items, reasoning of any state replays, unless more than its prefix is wrong.
_FIXED: Final = OriginFingerprint("tests")
ALWAYS_FITS: Final = responses_pipeline(fingerprint=_FIXED)
_FITTING: Final = st.just(_FIXED(model="gpt-test", instructions=None, tools=None).digest())
_REPLAYING: Final = thoughts(
    identity=st.just("assistant"),
    payload=reasoning_payloads(prefix_fingerprint=_FITTING, paired_item_id=st.none()),
    replay_compatibility=st.just(REASONING_TAG),
    withheld=st.none(),
)
REPLAYING_STATES: Final = states(thoughts=st.lists(_REPLAYING | thoughts(), max_size=4))


def wire(state: AgentState, render_options: RenderOptions) -> bytes:
    """A request as bytes, in the order of keys in which it was made."""
    request = PIPELINE.build_sync(state, render_options).to_request()
    return json.dumps(request, ensure_ascii=False).encode()


# --- building changes nothing


@pytest.mark.cold  # the results of a session share their items, which are to be read only
@given(states(), options())
def test_building_changes_nothing(state: AgentState, render_options: RenderOptions) -> None:
    """A state is the same after a build, and what is done to the result does not reach it: bytes stay the same."""
    before = copy.deepcopy(state)
    first = wire(state, render_options)
    assembled = PIPELINE.build_sync(state, render_options)
    deface([assembled.input, assembled.tools])

    assert before == state
    assert first == wire(state, render_options)


def deface(value: Any) -> None:
    """Empties every list and dict in a value that can be emptied."""
    for inner in list(value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()):
        deface(inner)
    if isinstance(value, (dict, list)):
        try:
            value.clear()
        except TypeError:  # frozen: a part of the state itself, which no one can change
            return


@given(states(), options())
def test_a_dumped_state_gives_the_same_bytes(state: AgentState, render_options: RenderOptions) -> None:
    """A state that went through its JSON file renders into the same bytes."""
    text = json.dumps(dump_state(state, render_options))
    assert wire(state, render_options) == wire(*load_state(text))


# --- 1: a fingerprint covers the timeline and what leads it, never the trailing item


class Watching:
    """A fingerprint that keeps every item any of its hashes was given."""

    def __init__(self) -> None:
        self.seen: list[Item] = []

    def __call__(self, *, model: str, instructions: str | None, tools: list[dict[str, Any]] | None) -> PrefixHash:
        return _WatchingHash(self, fingerprint(model=model, instructions=instructions, tools=tools))


@attrs.frozen
class _WatchingHash:
    owner: Watching
    inner: PrefixHash

    def update(self, item: Item, /) -> None:
        self.owner.seen.append(copy.deepcopy(item))
        self.inner.update(item)

    def digest(self) -> str:
        return self.inner.digest()

    def copy(self) -> PrefixHash:
        return _WatchingHash(self.owner, self.inner.copy())


@given(states(), options())
def test_step_three_sees_a_prefix_of_the_input(state: AgentState, render_options: RenderOptions) -> None:
    """Leading item and paired timeline stand first; behind them is one trailing item at most, which nothing hashes."""
    watching = Watching()
    pairing = PIPELINE.seams.reasoning_pairing
    paired: list[Item] = []

    def watched(rendered: Sequence[Rendered], prefix_hash: PrefixHash, context: BuildContext) -> list[Item]:
        paired.extend(pairing(rendered, prefix_hash, context))
        return list(paired)

    assembled = responses_pipeline(fingerprint=watching, reasoning_pairing=watched).build_sync(state, render_options)
    length = assembled.fingerprintable_length
    trailing = assembled.input[length:]

    assert paired == assembled.input[length - len(paired) : length]
    assert all(item["role"] in ("developer", "system") for item in assembled.input[: length - len(paired)])
    assert len(trailing) <= 1
    assert all(item["role"] == "system" and item not in watching.seen for item in trailing)


@given(states(), options(bucket_order=st.just(("standing_instructions", "timeline", "memories"))))
def test_the_trailing_item_stands_outside(state: AgentState, render_options: RenderOptions) -> None:
    """What stands in a trailing bucket changes nothing before it."""
    other = attrs.evolve(state, memories=[Memory(id="other", content="something else")])
    one, two = (PIPELINE.build_sync(given, render_options) for given in (state, other))

    assert one.fingerprintable_length == two.fingerprintable_length
    assert one.input[: one.fingerprintable_length] == two.input[: two.fingerprintable_length]
    assert (one.instructions, one.tools) == (two.instructions, two.tools)


# --- 2: a reasoning item stands before the item it is paired with


@given(REPLAYING_STATES, options())
def test_reasoning_stands_before_what_it_led_to(state: AgentState, render_options: RenderOptions) -> None:
    """Every reasoning item is followed by another one or by an output item of the agent."""
    assert [] == reasoning_faults(ALWAYS_FITS.build_sync(state, render_options).input)


@pytest.mark.parametrize("seconds", [0, 1])
def test_without_origins_a_tie_puts_the_message_first(seconds: int) -> None:
    """Of equal times the message stands first, so its reasoning is dropped; an earlier thought keeps it."""
    payload = ReasoningPayload(item={"encrypted_content": "gAAAA"}, prefix_fingerprint=_FIXED_DIGEST)
    thought = Thought(id="t", created_at=BASE_TIME, payload=payload, replay_compatibility=REASONING_TAG)
    message = Message(id="m", role="assistant", content="hello", created_at=BASE_TIME + timedelta(seconds=seconds))
    assembled = ALWAYS_FITS.build_sync(
        AgentState(messages=[message], thoughts=[thought]), RenderOptions(model="gpt-test")
    )

    assert [["message"], ["reasoning", "message"]][seconds] == [item["type"] for item in assembled.input]
    assert [["reasoning-unpaired"], []][seconds] == [warning.code for warning in assembled.warnings]


_FIXED_DIGEST: Final = _FIXED(model="gpt-test", instructions=None, tools=None).digest()


def bare(item: Item | None) -> Item:
    """An item without the ids that step 3 may take away or replace."""
    return {key: value for key, value in (item or {}).items() if key not in ("id", "call_id")}


@given(REPLAYING_STATES, options())
def test_a_response_is_never_split_nor_reordered(state: AgentState, render_options: RenderOptions) -> None:
    """The things of a response stand in one row, in the order of its output; step 3 leaves out, and moves nothing."""
    pairing = PIPELINE.seams.reasoning_pairing
    walks: list[tuple[list[Rendered], list[Item]]] = []

    def watched(rendered: Sequence[Rendered], prefix_hash: PrefixHash, context: BuildContext) -> list[Item]:
        items = list(pairing(rendered, prefix_hash, context))
        walks.append((list(rendered), items))
        return items

    responses_pipeline(fingerprint=_FIXED, reasoning_pairing=watched).build_sync(state, render_options)
    for rendered, items in walks:
        origins = [None if one.thing is None else one.thing.origin for one in rendered]
        rows = [name for name, _ in groupby(origin and origin.response_id for origin in origins)]
        assert len({name for name in rows if name}) == len([name for name in rows if name])

        put_out = [o for one, o in zip(rendered, origins, strict=True) if o and one.role in ("candidate", "output")]
        for _, row in groupby(put_out, key=lambda origin: origin.response_id):
            indexes = [origin.output_index for origin in row]
            assert sorted(indexes) == indexes

        left = iter([bare(one.item) for one in rendered])
        assert all(any(bare(item) == other for other in left) for item in items)


# --- 3: no tools is not an empty list of tools


@given(states(tools=st.just(ToolRegistry()), provider_tools=st.just(())), options())
def test_no_tools_are_absent_everywhere(state: AgentState, render_options: RenderOptions) -> None:
    """Without tools there are none in the result, none in the hash and no key in the request."""
    heads: list[Any] = []

    def watched(*, model: str, instructions: str | None, tools: list[dict[str, Any]] | None) -> PrefixHash:
        heads.append(tools)
        return fingerprint(model=model, instructions=instructions, tools=tools)

    assembled = responses_pipeline(fingerprint=watched).build_sync(state, render_options)
    assert assembled.tools is None
    assert "tools" not in assembled.to_request()
    assert {None} >= set(heads)


@pytest.mark.parametrize("make", [fingerprint, Sha256Fingerprint()])
def test_absent_null_and_empty_hash_differently(make: Any) -> None:
    """In the head and in an item, a key that is absent, null and ``[]`` give three digests."""

    def of(tools: Any, item: Item) -> str:
        running: PrefixHash = make(model="m", instructions=None, tools=tools)
        running.update(item)
        digest: str = running.digest()
        return digest

    assert 2 == len({of(None, {}), of([], {})})
    items: list[Item] = [{}, {"tools": None}, {"tools": []}]
    assert 3 == len({of(None, item) for item in items})


@given(st.lists(st.dictionaries(st.sampled_from("abc"), st.integers() | st.text("ab"), max_size=2), max_size=4))
def test_a_digest_does_not_depend_on_the_way_to_it(items: list[Item]) -> None:
    """Key order does not matter, item boundaries do, and a copy goes on by itself."""
    running = fingerprint(model="m", instructions=None, tools=None)
    again = fingerprint(model="m", instructions=None, tools=None)
    for item in items:
        aside = running.copy()
        aside.update({"aside": 1})
        running.update(item)
        again.update(dict(reversed(item.items())))
        assert running.digest() == again.digest() != aside.digest()
    before = running.digest()
    running.update({})
    assert before != running.digest()


# --- 5: later things leave the bytes before them as they are

_LATER: Final = st.integers(1, 5).map(lambda minutes: BASE_TIME + timedelta(days=1, minutes=minutes))
# No answers among them: an answer that arrives takes the place of the text that stood for it.
_LATER_ITEMS: Final = provider_items(
    created_at=_LATER, origin=st.none(), item=st.just({"type": "web_search_call", "id": "ws_late"})
)


_LATER_THOUGHTS: Final = _REPLAYING.map(
    lambda thought: attrs.evolve(thought, created_at=BASE_TIME + timedelta(days=1), origin=None)
)
_LATER_THINGS: Final = st.fixed_dictionaries(
    {
        "messages": st.lists(messages(created_at=_LATER, origin=st.none()), max_size=2),
        "thoughts": st.lists(_LATER_THOUGHTS, max_size=2),
        "tool_calls": st.lists(tool_calls(created_at=_LATER, origin=st.none()), max_size=2),
        "provider_items": st.lists(_LATER_ITEMS, max_size=1),
    }
)


@given(REPLAYING_STATES, options(thought_surfacing=st.sampled_from(("all-self", "all"))), _LATER_THINGS)
def test_later_things_change_nothing_before_them(
    state: AgentState, render_options: RenderOptions, things: dict[str, list[Any]]
) -> None:
    """What was rendered before is a prefix, byte for byte, of what is rendered after something was appended."""
    appended: Any = {name: [*getattr(state, name), *more] for name, more in things.items()}
    later = attrs.evolve(state, **appended)
    before, after = (ALWAYS_FITS.build_sync(given, render_options) for given in (state, later))
    length = before.fingerprintable_length

    assert json.dumps(before.input[:length]) == json.dumps(after.input[:length])
    assert (before.instructions, before.tools) == (after.instructions, after.tools)


# --- 6: calls and outputs belong together, and no id stands twice


@given(REPLAYING_STATES, options())
def test_calls_and_outputs_belong_together(state: AgentState, render_options: RenderOptions) -> None:
    """Every function call and custom tool call has its output behind it, every output its call before it."""
    assert [] == orphans(ALWAYS_FITS.build_sync(state, render_options).input)


@given(REPLAYING_STATES, options())
def test_no_id_stands_twice(state: AgentState, render_options: RenderOptions) -> None:
    """No item id and no call id of a function call is sent twice, and each is of a form that may be sent."""
    assert [] == id_faults(ALWAYS_FITS.build_sync(state, render_options).input)


# --- 7: nothing is sent that the API refuses

_HOSTS_TO_ANSWER: Final = ("shell_call", "local_shell_call", "computer_call", "apply_patch_call")


@given(REPLAYING_STATES, options())
def test_every_build_is_accepted(state: AgentState, render_options: RenderOptions) -> None:
    """The checker finds no error but a hosted call that only the host can answer, and has not."""
    assembled = ALWAYS_FITS.build_sync(state, render_options)
    errors = [one for one in check_request(assembled, render_options.endpoint) if one.severity == "error"]
    waiting = {f"input[{i}]" for i, item in enumerate(assembled.input) if item["type"] in _HOSTS_TO_ANSWER}
    assert [] == [one for one in errors if one.rule != "P3" or one.path not in waiting]


@given(REPLAYING_STATES, options())
def test_every_build_is_json(state: AgentState, render_options: RenderOptions) -> None:
    """A request is JSON in UTF-8, and every message item says what it is."""
    request = ALWAYS_FITS.build_sync(state, render_options).to_request()
    again = json.loads(json.dumps(request, ensure_ascii=False, allow_nan=False).encode())
    assert again == request
    assert all(isinstance(item.get("type"), str) for item in again["input"])
