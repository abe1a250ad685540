"""The view of a build: every item with what it was made of, and what was left out with its cause."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import attrs
import pytest
from hypothesis import given

from seamwright import (
    AgentState,
    BuildContext,
    Message,
    PrefixHash,
    RenderOptions,
    SeamwrightError,
    Thought,
    Tool,
    ToolCall,
    load_state,
)
from seamwright.seams.steps import Leading, Rendered
from seamwright.seams.trimming import trim_oldest
from seamwright.show import Entry, View, view, view_sync
from seamwright.testing.strategies import options, states
from seamwright.wire.canonical import canonical_bytes
from seamwright_containers import responses_pipeline
from show.hostile import START

ROOT: Final = Path(__file__).resolve().parents[2]
PIPELINE: Final = responses_pipeline()
OPTIONS: Final = RenderOptions(model="gpt-5.4")


@pytest.fixture(scope="module")
def example() -> View:
    """The support case."""
    return view_sync(PIPELINE, *load_state(ROOT / "examples" / "support_agent.json"))


def entry(shown: View, thing_id: str, kind: str = "") -> Entry:
    """The one entry of a thing."""
    (found,) = [one for one in shown.entries if one.thing_id == thing_id and kind in (one.kind, "")]
    return found


class Words:
    """A counter for which every word is a token."""

    encoding = "words"

    def __call__(self, text: str, /) -> int:
        return len(text.split())


def test_each_item_is_one_entry(example: View) -> None:
    """The entries with an index are the items of the request, in order, with their sizes."""
    state, given_options = load_state(ROOT / "examples" / "support_agent.json")
    assembled = PIPELINE.build_sync(state, given_options)
    items = [one for one in example.entries if one.index is not None]

    assert list(range(len(assembled.input))) == [one.index for one in items]
    assert [(item["type"], item.get("role")) for item in assembled.input] == [(one.kind, one.role) for one in items]
    assert [len(canonical_bytes(item)) for item in assembled.input] == [one.size for one in items]
    covered = [one for one in example.entries[: example.prefix_end] if one.index is not None]
    assert assembled.fingerprintable_length == len(covered)


def test_authors_and_trust_are_those_of_the_things(example: View) -> None:
    """Who is heard, and how far it is trusted."""
    found = {
        "m1": ("Ines (customer) (customer-88213)", "third-party-private"),
        "m4": ("Ines (customer) (customer-88213)", "user"),
        "msg_02": ("assistant", "agent"),
        "m3": ("Logistics agent (agent-logistics)", "peer"),
    }
    assert found == {key: (entry(example, key).author, entry(example, key).trust) for key in found}
    assert "first-party" == entry(example, "call_order|fc_01a", "function_call_output").trust
    assert "untrusted" == entry(example, "call_readings|fc_03", "function_call_output").trust
    assert "agent" == entry(example, "call_readings|fc_03", "function_call").trust
    assert "unknown" not in example.trusts()


def test_the_texts_of_buckets_are_told_apart(example: View) -> None:
    """Instructions and the trailing item are blocks, each with the trust of its bucket; nothing is left over."""
    leading, trailing = example.entries[0], example.entries[-1]

    assert [
        ("system prompt", "operator"),
        ("standing instructions", "operator"),
        ("memories", "first-party"),
    ] == [(block.bucket, block.trust) for block in leading.blocks]
    assert ["operator", "first-party", "third-party-public", "third-party-private"] == [
        block.trust for block in trailing.blocks
    ]
    assert {"retrievables"} == {block.bucket for block in trailing.blocks}
    assert "third-party-public" == trailing.trust


def test_replayed_reasoning_has_its_group(example: View) -> None:
    """What goes back encrypted says so, with the response it came out of."""
    replayed = [(one.thing_id, one.group) for one in example.entries if one.replayed]

    assert [("rs_03", "resp_03"), ("rs_04a", "resp_04"), ("rs_04b", "resp_04"), ("rs_05", "resp_05")] == replayed
    assert ["prefix-unchanged"] == [note.code for note in entry(example, "rs_03").notes]


def test_what_was_left_out_stands_where_it_would_have(example: View) -> None:
    """Reasoning that fell stands before what it led to, with its cause."""
    ids = [one.thing_id for one in example.entries]

    assert ["rs_01", "rs_02"] == [one.thing_id for one in example.left_out]
    assert ids.index("rs_01") + 1 == ids.index("call_order|fc_01a")
    assert ids.index("rs_02") + 1 == ids.index("msg_02")
    assert ["reasoning-prefix-changed"] == [note.code for note in entry(example, "rs_01").notes]
    assert all(one.index is None and one.size == 0 for one in example.left_out)


def test_warnings_stand_at_what_they_are_about(example: View) -> None:
    """A pending call warns at its result; nothing is said twice."""
    call = entry(example, "call_courier|fc_05b", "function_call")
    result = entry(example, "call_courier|fc_05b", "function_call_output")

    assert ((), ["pending-tool-call"]) == (call.notes, [note.code for note in result.notes])
    assert () == example.notes


def test_envelopes_are_apart_from_what_they_hold(example: View) -> None:
    """The block of a message is its words; the tags stand beside them."""
    (block,) = entry(example, "m4").blocks

    assert "Thursday morning, please." == block.text
    assert block.opening.startswith("<message_m4 ")
    assert "</message_m4>" == block.closing


def test_bytes_and_encrypted_parts_are_cut(example: View) -> None:
    """Nobody reads base64: what is shown says how much there is."""
    texts = [block.text for one in example.entries for block in one.blocks]

    assert not [text for text in texts if "gAAAA" in text or len(text) > 5000]
    assert any("base64,… (7,940 characters)" in text for text in texts)
    assert "807 characters that the provider alone can read" in texts


def test_tools_are_listed_hidden_ones_too(example: View) -> None:
    """Declared tools with their sizes; a hidden one is marked."""
    assert ["refund_order"] == [row.name for row in example.tools if row.hidden]
    assert ("web_search", "web_search") == (example.tools[-2].name, example.tools[-2].kind)
    assert sum(row.size for row in example.tools if not row.hidden) == example.sizes()["tools"]["operator"]


def test_tokens_are_known_when_they_are_counted(example: View) -> None:
    """Without a counter there are none; with one every entry has some, and the whole is their sum."""

    assert (None, None) == (example.tokens, example.encoding)
    assert {None} == {one.tokens for one in example.entries}

    state, given_options = load_state(ROOT / "examples" / "support_agent.json")
    counted = view_sync(responses_pipeline(token_counter=Words()), state, given_options)
    rows = [row.tokens or 0 for row in counted.tools if not row.hidden]
    assert "words" == counted.encoding
    reply = 2  # what opens the reply, which belongs to no entry
    assert counted.tokens == sum(one.tokens or 0 for one in counted.sent) + sum(rows) + reply
    # three words between tags of five and one, and what the API adds round a message
    assert 3 + 6 + 4 == entry(counted, "m4").tokens


def test_what_a_budget_cuts_is_left_out() -> None:
    """A group that was trimmed stands where it was, each of its items with the cause; the budget is told."""

    at = [START + timedelta(minutes=number) for number in range(6)]
    state = AgentState(
        messages=[
            Message(id="old", role="user", content="word " * 100, created_at=at[0]),
            Message(id="new", role="user", content="And now?", created_at=at[3]),
        ],
        tool_calls=[ToolCall(id="call", tool="track", args={}, results="word " * 100, created_at=at[1], trusted=True)],
    )
    budget = RenderOptions(model="gpt-5.4", budget=100)
    shown = view_sync(responses_pipeline(token_counter=Words(), trimmer=trim_oldest), state, budget)

    assert (100, True) == (shown.budget, (shown.tokens or 0) <= 100)
    assert [("old", "left out"), ("call", "left out"), ("call", "left out"), ("new", "sent")] == [
        (one.thing_id, one.status) for one in shown.entries
    ]
    assert [["group-trimmed"]] * 3 + [[]] == [[note.code for note in one.notes] for one in shown.entries]
    assert ["function_call", "function_call_output"] == [one.kind for one in shown.entries[1:3]]


def test_a_leading_item_is_taken_apart_too() -> None:
    """On a channel of items the prompt is entry 0 of the input, with the same blocks."""
    state = AgentState(system_prompt="Help.", standing_instructions=["Be kind."])
    shown = view_sync(PIPELINE, state, attrs.evolve(OPTIONS, system_prompt_channel="developer-item"))
    (one,) = shown.entries

    assert (0, "developer", 1) == (one.index, one.role, shown.prefix_end)
    assert ["system prompt", "standing instructions"] == [block.label for block in one.blocks]


def test_a_bucket_that_is_not_asked_for_is_told() -> None:
    """Things in a bucket that ``bucket_order`` leaves out are noted for the whole."""
    state = AgentState(messages=[Message(id="m", role="user", content="Hello.", created_at=START)])
    shown = view_sync(PIPELINE, state, attrs.evolve(OPTIONS, bucket_order=["memories"]))

    assert ((), 0) == (shown.entries, shown.prefix_end)
    assert ["bucket-left-out"] == [note.code for note in shown.notes]
    assert "'timeline'" in shown.notes[0].text


def test_a_thought_that_is_not_surfaced_says_why() -> None:
    """A peer's thought that the options hide is left out with the option's name."""
    hidden = Thought(id="t", content="Hm.", created_at=START, identity="peer")
    shown = view_sync(PIPELINE, AgentState(thoughts=[hidden]), OPTIONS)
    (one,) = shown.entries

    assert ("left out", "hidden", "peer") == (one.status, one.notes[0].code, one.trust)
    assert "thought_surfacing is 'all-self'" in one.notes[0].text
    assert ["Hm."] == [block.text for block in one.blocks]


def test_equal_items_are_told_apart_by_order() -> None:
    """Of messages that render alike each is its own entry."""
    own = [
        Message(id=f"o{number}", role="assistant", content="Yes.", created_at=START + timedelta(minutes=number))
        for number in range(3)
    ]
    shown = view_sync(PIPELINE, AgentState(messages=own), OPTIONS)

    assert ["o0", "o1", "o2"] == [one.thing_id for one in shown.entries]


def test_renamed_calls_are_still_known() -> None:
    """A call that got a call id of its own is the thing it was, and its warning stands there."""
    calls = [
        ToolCall(id="c", tool="track", args={}, results=str(number), created_at=START + timedelta(minutes=number))
        for number in range(2)
    ]
    shown = view_sync(
        PIPELINE, AgentState(tool_calls=calls, tools=[Tool(name="track", description="", input_schema={})]), OPTIONS
    )

    assert ["c"] * 4 == [one.thing_id for one in shown.entries]
    assert [[], [], ["duplicate-call-id"], []] == [[note.code for note in one.notes] for one in shown.entries]


def test_what_a_step_of_the_hosts_makes_is_unknown() -> None:
    """Nothing is claimed of texts and items that no seam is known to have made."""

    def leading_step(state: AgentState, context: BuildContext, /) -> Leading:
        return Leading(instructions=f"Before.\n\n{state.system_prompt}\n\nBehind.")

    def pairing(rendered: Sequence[Rendered], prefix: PrefixHash, context: BuildContext, /) -> list[dict[str, Any]]:
        made = {"type": "message", "role": "user", "content": "made up"}
        return [made, *(one.item for one in rendered if one.item is not None), made]

    state = AgentState(
        system_prompt="Help.", messages=[Message(id="m", role="user", content="Hello.", created_at=START)]
    )
    shown = view_sync(responses_pipeline(leading_step=leading_step, reasoning_pairing=pairing), state, OPTIONS)

    assert [("text", "unknown"), ("system prompt", "operator"), ("text", "unknown")] == [
        (block.label, block.trust) for block in shown.entries[0].blocks
    ]
    assert [None, "m", None] == [one.thing_id for one in shown.entries[1:]]
    assert ["unknown", "user", "unknown"] == [one.trust for one in shown.entries[1:]]


def test_odd_items_of_the_hosts_steps_are_shown() -> None:
    """A leading item without text, and a part that is no text, are shown as they are."""
    picture = {"type": "input_image", "image_url": "https://shop.example/p.png"}
    odd = [
        {"type": "item_reference", "reference": "x"},
        {"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "Help."}, picture]},
        {"type": "message", "role": "developer", "content": "Help."},
    ]

    def leading_step(state: AgentState, context: BuildContext, /) -> Leading:
        return Leading(items=tuple(odd))

    state = AgentState(system_prompt="Help.")
    shown = view_sync(responses_pipeline(leading_step=leading_step), state, OPTIONS)

    assert [["fields"], ["system prompt", "image"], ["system prompt"]] == [
        [block.label for block in one.blocks] for one in shown.entries
    ]
    assert ["unknown", "unknown", "operator"] == [one.trust for one in shown.entries]


def test_a_thing_left_out_by_a_step_of_the_hosts_says_so() -> None:
    """What no warning explains is not passed over."""

    def pairing(rendered: Sequence[Rendered], prefix: PrefixHash, context: BuildContext, /) -> list[dict[str, Any]]:
        return []

    state = AgentState(messages=[Message(id="m", role="user", content="Hello.", created_at=START)])
    (one,) = view_sync(responses_pipeline(reasoning_pairing=pairing), state, OPTIONS).entries

    assert ("left out", ["not-sent"]) == (one.status, [note.code for note in one.notes])


def test_it_is_the_request_that_is_built() -> None:
    """Callable texts are rendered with the context, and what a build raises is raised."""
    state = AgentState(system_prompt=lambda ctx: f"Help {ctx}.")
    shown = view_sync(PIPELINE, state, OPTIONS, "Ines")
    assert "Help Ines." == shown.entries[0].blocks[0].text
    assert shown == asyncio.run(view(PIPELINE, state, OPTIONS, "Ines"))

    with pytest.raises(SeamwrightError):
        view_sync(PIPELINE, AgentState(system_prompt=lambda ctx: 3), OPTIONS)  # type: ignore[arg-type, return-value]


@given(states(), options())
def test_every_build_can_be_shown(state: AgentState, given_options: RenderOptions) -> None:
    """Of any state: each item has its entry, every warning its place, and nothing the defaults made is unknown."""
    try:
        assembled = PIPELINE.build_sync(state, given_options)
    except SeamwrightError:
        with pytest.raises(SeamwrightError):
            view_sync(PIPELINE, state, given_options)
        return
    shown = view_sync(PIPELINE, state, given_options)

    assert list(range(len(assembled.input))) == [one.index for one in shown.entries if one.index is not None]
    notes = [note.code for one in shown.entries for note in one.notes] + [note.code for note in shown.notes]
    for warning in assembled.warnings:
        assert warning.code in notes
        notes.remove(warning.code)
    assert not [one for one in shown.sent if one.trust == "unknown"]
    assert [item["type"] == "reasoning" and bool(item.get("encrypted_content")) for item in assembled.input] == [
        one.replayed for one in shown.entries if one.index is not None
    ]
