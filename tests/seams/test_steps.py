"""The four steps, each alone: with fakes in the place of every seam, or with rendered items made by hand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import attrs
import pytest

from seams.fakes import (
    NOON,
    Notes,
    assistant,
    at,
    blocks,
    call,
    media,
    memory,
    neutraliser,
    nonce,
    origin,
    peer,
    retrievable,
    settle,
    thought,
    untrusted,
    user,
)
from seamwright import ENDPOINTS, REASONING_TAG, AgentState, ProviderItem, ReasoningPayload, Thought
from seamwright.pipeline.ids import item_ids, odd_form
from seamwright.pipeline.leading import make_leading_step
from seamwright.pipeline.pairing import make_reasoning_pairing
from seamwright.pipeline.timeline import make_timeline_step
from seamwright.pipeline.trailing import make_trailing_step
from seamwright.seams.fingerprint import fingerprint, start_prefix
from seamwright.seams.steps import Leading, Rendered
from seamwright.seams.timeline import thought_filter

# --- step 1


async def waiting_prompt(state: AgentState, context: Any) -> str:
    """A system prompt that waits."""
    await asyncio.sleep(0)
    return str(state.system_prompt)


@pytest.mark.parametrize("system_prompt", [lambda state, context: state.system_prompt, waiting_prompt])
@pytest.mark.parametrize(
    ("channel", "leading"),
    [
        ("instructions", Leading("TEXT")),
        (
            "developer-item",
            Leading(
                items=({"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "TEXT"}]},)
            ),
        ),
        (
            "system-item",
            Leading(
                items=({"type": "message", "role": "system", "content": [{"type": "input_text", "text": "TEXT"}]},)
            ),
        ),
    ],
)
def test_the_leading_text_has_exactly_one_carrier(system_prompt: Any, channel: str, leading: Leading) -> None:
    """Instructions, or one item at the head; an empty text has none, on every channel."""
    step = make_leading_step(system_prompt=system_prompt)
    context = Notes(system_prompt_channel=channel).context

    assert settle(step(AgentState(system_prompt="TEXT"), context)) == leading
    assert settle(step(AgentState(), context)) == Leading(None, ())


# --- step 4


def counted(letter: str) -> Any:
    """A bucket that shows how many things it was given."""
    return lambda items, *_: f"{letter}{len(items)}" if items else ""


trailing_step = make_trailing_step(standing_instructions=counted("S"), memories=counted("M"), retrievables=counted("R"))
FULL = AgentState(standing_instructions=["a"], memories=[memory()], retrievables=[retrievable()])


@pytest.mark.parametrize(
    ("order", "text"),
    [
        (("timeline", "retrievables", "memories"), "R1\n\nM1"),
        (("memories", "timeline", "standing_instructions"), "S1"),
        (("memories", "timeline"), None),
        (("memories", "retrievables"), None),
        ((), None),
    ],
)
def test_what_stands_behind_the_timeline_is_one_system_message(order: tuple[str, ...], text: str | None) -> None:
    """In the order of the buckets; no bucket or no text, no item."""
    context = Notes(bucket_order=order).context
    parts = [{"type": "input_text", "text": text}]
    expected = None if text is None else {"type": "message", "role": "system", "content": parts}

    assert settle(trailing_step(FULL, context)) == expected
    assert settle(trailing_step(AgentState(), context)) is None


def test_the_version_stands_on_trailing_instructions_too() -> None:
    """The seam is called as in the leading text."""
    seen: list[Any] = []
    step = make_trailing_step(
        standing_instructions=lambda items, version=None, /: seen.append(version) or "S",
        memories=counted("M"),
        retrievables=counted("R"),
    )
    order = ("timeline", "standing_instructions")
    settle(step(FULL, Notes(bucket_order=order, standing_instructions_version="v").context))
    assert seen == ["v"]


# --- step 2


def timeline(state: AgentState, notes: Notes | None = None, **seams: Any) -> list[Rendered]:
    """What the default step renders, with fakes, some of them replaced."""
    given = {
        "thought_filter": thought_filter,
        "thought": lambda one, kind: f"{kind} {one.id}",
        "timeline_message": lambda one, context: [{"type": "message", "of": one.id}],
        "own_message": lambda one: {"type": "message", "own": one.id} if one.content else None,
        "media_blocks": blocks,
        "tool_result": lambda one, context: f"OUT {one.id}",
        "reasoning_item": lambda one, context: {"type": "reasoning", "of": one.id} if one.payload.item else None,
        "item_ids": item_ids,
        "pending_result": lambda one: "PENDING",
        "untrusted_envelope": untrusted,
        "neutraliser": neutraliser,
        "nonce": nonce,
    }
    return settle(make_timeline_step(**(given | seams))(state, (notes or Notes()).context))


def names(rendered: list[Rendered]) -> list[str]:
    """What each rendered item is, in short."""
    return [_name(one.item) for one in rendered]


def _name(item: Any) -> str:
    if item is None:
        return "-"
    label = {"function_call": "call", "function_call_output": "out"}.get(item["type"], item["type"])
    which = item.get("of") or item.get("own") or item.get("call_id") or item.get("id") or item.get("content")
    return f"{label}:{which}"


def reasoning(identifier: str = "r1", item: Any = None, **fields: Any) -> Thought:
    """A thought that is a reasoning item."""
    payload = ReasoningPayload(
        item={"type": "reasoning", "id": "rs_1", "encrypted_content": "e"} if item is None else item,
        prefix_fingerprint=fields.pop("prefix_fingerprint", ""),
        paired_item_id=fields.pop("paired_item_id", None),
    )
    given = {"id": identifier, "payload": payload, "replay_compatibility": REASONING_TAG, "content": ""}
    return thought(**{**given, **fields})


def provider_item(kind: str = "web_search_call", seconds: float = 0, of: Any = None, **item: Any) -> ProviderItem:
    """An item without primitive."""
    return ProviderItem(item={"type": kind, **item}, created_at=at(seconds), origin=of)


def test_things_stand_in_time_order_kinds_in_theirs() -> None:
    """At the same time: messages, thoughts, tool calls, provider items, each in the order given."""
    state = AgentState(
        messages=[user(id="u2", created_at=at(5)), user(id="u1"), user(id="u0")],
        thoughts=[thought(id="t2"), thought(id="t1")],
        tool_calls=[call(id="c1"), call(id="c0", created_at=at(-1))],
        provider_items=[provider_item(id="ws_1")],
    )
    assert names(timeline(state)) == [
        "call:c0",
        "out:c0",
        "message:u1",
        "message:u0",
        "message:self-reasoning t1",
        "message:self-reasoning t2",
        "call:c1",
        "out:c1",
        "web_search_call:ws_1",
        "message:u2",
    ]


def test_the_whole_time_counts() -> None:
    """Microseconds order what is shown as the same millisecond."""
    state = AgentState(messages=[user(id="b", created_at=at(0.000002)), user(id="a", created_at=at(0.000001))])
    assert names(timeline(state)) == ["message:a", "message:b"]


def test_a_response_stands_in_one_piece_at_its_earliest_member() -> None:
    """Inside: heads by output index, then outputs in call order, then the agent's own attachments."""
    of = origin
    state = AgentState(
        messages=[
            assistant(id="a1", created_at=at(9), attachments=[media(id="md")], origin=of(index=3)),
            user(id="u1", created_at=at(1)),
            user(id="u2", created_at=at(8)),
        ],
        thoughts=[reasoning(created_at=at(7), origin=of(index=0))],
        tool_calls=[
            call(id="c2", created_at=at(6), origin=of(index=2)),
            call(id="c1", created_at=at(5), origin=of(index=1)),
            call(id="c9", created_at=at(5.5), origin=of("resp_2", 0)),
        ],
        provider_items=[provider_item(seconds=7.5, of=of(index=4), id="ws_1")],
    )
    rendered = timeline(state)

    assert names(rendered) == [
        "message:u1",
        "reasoning:r1",
        "call:c1",
        "call:c2",
        "message:a1",
        "web_search_call:ws_1",
        "out:c1",
        "out:c2",
        "message:[{'type': 'blocks', 'of': 'md'}]",
        "call:c9",
        "out:c9",
        "message:u2",
    ]
    assert [one.group for one in rendered] == [None, *["resp_1"] * 8, "resp_2", "resp_2", None]


def test_any_thing_with_an_origin_belongs_to_its_response() -> None:
    """A user's and a peer's message too."""
    state = AgentState(
        messages=[
            user(id="u1", created_at=at(3), origin=origin(index=1)),
            peer(id="p1", created_at=at(1), origin=origin(index=0)),
            user(id="u2", created_at=at(2)),
        ]
    )
    assert names(timeline(state)) == ["message:p1", "message:u1", "message:u2"]


def test_roles_say_what_an_item_is() -> None:
    """Candidates, the agent's own output, answers, and everything else; also what shows nothing is there."""
    state = AgentState(
        messages=[user(), assistant(id="msg_1", created_at=at(1)), peer(created_at=at(2))],
        thoughts=[
            reasoning(created_at=at(3)),
            thought(id="t", created_at=at(4)),
            reasoning("r2", {}, created_at=at(5)),
        ],
        tool_calls=[call(id="c1|fc_1", created_at=at(6))],
        provider_items=[
            provider_item(seconds=7, id="ws_1"),
            provider_item("mcp_approval_response", 8, approval_request_id="x"),
            provider_item("message", 9, role="user", content=[]),
            provider_item("message", 10, role="assistant", id="msg_2", content=[]),
        ],
    )
    rendered = timeline(state)

    assert [(one.role, one.wire_id, one.provider_id) for one in rendered] == [
        ("other", None, None),
        ("output", "msg_1", "msg_1"),
        ("other", None, None),
        ("candidate", "rs_1", "rs_1"),
        ("other", None, None),
        ("other", None, None),
        ("output", "fc_1", "fc_1"),
        ("answer", None, None),
        ("output", "ws_1", "ws_1"),
        ("answer", None, None),
        ("other", None, None),
        ("output", "msg_2", "msg_2"),
    ]
    assert [one.needs_id for one in rendered] == [False] * 8 + [True] + [False] * 3
    assert rendered[5].item is None, "it has neither an item nor text"


def test_own_reasoning_that_is_not_sent_is_marked() -> None:
    """Filtered, switched off, or without an item; shown as text or not at all. A peer's is never the agent's own."""
    thoughts = [
        reasoning("shown", content="text"),
        reasoning("hidden", replay_compatibility="strange", created_at=at(1)),
        reasoning("peer", identity="x", content="text", created_at=at(2)),
        reasoning("empty", {}, content="text", created_at=at(3)),
    ]
    notes = Notes(reasoning_replay="off", thought_surfacing="all")
    rendered = timeline(AgentState(thoughts=thoughts), notes)

    assert names(rendered) == [
        "message:self-reasoning shown",
        "-",
        "message:peer-reasoning peer",
        "message:self-reasoning empty",
    ]
    assert [one.unsent for one in rendered] == [True, True, False, False]


def test_a_peers_reasoning_is_never_a_candidate() -> None:
    """It shows as text when it has text, and not at all when it has none."""
    thoughts = [reasoning("p", identity="x", content="text"), reasoning("q", identity="x", created_at=at(1))]
    rendered = timeline(AgentState(thoughts=thoughts), Notes(thought_surfacing="all"))

    assert names(rendered) == ["message:peer-reasoning p", "-"]


def test_an_override_of_the_filter_decides_by_what_it_gives() -> None:
    """A thought that it leaves out counts as not sent, one that it adds back is shown."""
    thoughts = [reasoning("r1"), thought(id="t1", identity="x")]
    rendered = timeline(AgentState(thoughts=thoughts), thought_filter=lambda given, options: [given[1]])

    assert sorted(names(rendered)) == ["-", "message:peer-reasoning t1"]


@pytest.mark.parametrize(
    ("args", "arguments"),
    [({}, "{}"), ({"b": "é", "a": [1, None]}, '{"b":"é","a":[1,null]}'), ("{ not json", "{ not json"), ("", "")],
)
def test_arguments_go_out_as_the_provider_wrote_them(args: Any, arguments: str) -> None:
    """A string is its own JSON, verbatim; a mapping is written without spaces in its order."""
    [item, _] = timeline(AgentState(tool_calls=[call(args=args)]))
    assert item.item == {"type": "function_call", "call_id": "call_1", "name": "search", "arguments": arguments}


def test_odd_names_and_call_ids_are_made_safe_on_both_sides() -> None:
    """A warning for the name, none for the call id."""
    notes = Notes()
    [item, output] = timeline(AgentState(tool_calls=[call(id="a b|fc_1", tool="my tool")]), notes)

    assert item.item is not None
    assert output.item is not None
    assert item.item["call_id"] == output.item["call_id"] == odd_form("a b")
    assert item.item["name"] == odd_form("my tool")
    assert notes.codes == [("tool-name-cleaned", "a b|fc_1")]


def test_calls_with_the_same_id_are_left_to_step_three() -> None:
    """What stands before a call, and so whether its id was used, is not known before."""
    notes = Notes()
    rendered = timeline(AgentState(tool_calls=[call(id="c"), call(id="c|fc_1")]), notes)

    assert names(rendered) == ["call:c", "out:c", "call:c", "out:c"]
    assert notes.codes == []


def test_a_rendered_result_goes_out_as_given() -> None:
    """By the whole id of its call; the seam is not asked."""
    notes = Notes()
    given: dict[str, Any] = {"a|fc_1": "TEXT", "b": [{"type": "input_text", "text": "<memories>"}]}
    context = attrs.evolve(notes.context, rendered_tool_results=given)
    calls = [call(id="a|fc_1"), call(None, id="b"), call(id="a|fc_2")]
    notes.context = context
    rendered = timeline(AgentState(tool_calls=calls), notes)

    outputs = [one.item["output"] for one in rendered if one.item and "output" in one.item]
    assert outputs == ["TEXT", given["b"], "OUT a|fc_2"]


def test_provider_items_are_cut_to_their_keys() -> None:
    """Null stays, other keys go; a type that no table knows goes out whole. Each with its id."""
    items = [
        provider_item(id="ws_1", action=None, status="completed", extra=1),
        provider_item("brand_new_call", 1, id="bn_1", extra={"a": [1]}),
    ]
    known, new = timeline(AgentState(provider_items=items))

    assert known.item == {"type": "web_search_call", "id": "ws_1", "action": None, "status": "completed"}
    assert new.item == {"type": "brand_new_call", "id": "bn_1", "extra": {"a": [1]}}
    assert (new.wire_id, new.role, new.needs_id) == ("bn_1", "output", False)


def test_a_custom_call_that_nobody_answered_gets_an_output() -> None:
    """In an untrusted envelope, neutralised, under the nonce of its call id; an answered one gets none."""
    items = [
        provider_item("custom_tool_call", 0, call_id="c 1", name="patch", input="x"),
        provider_item("custom_tool_call", 1, call_id="c2", name=7, input="x"),
        provider_item("custom_tool_call_output", 2, call_id="c2", output="done"),
        provider_item("custom_tool_call", 3, call_id="c3", input="x"),
    ]
    rendered = timeline(AgentState(provider_items=items))
    outputs = [one.item for one in rendered if one.role == "answer"]

    assert outputs == [
        {
            "type": "custom_tool_call_output",
            "call_id": odd_form("c 1"),
            "output": "U[N(c 1) tool-result tool=patch](~PENDING~)",
        },
        {"type": "custom_tool_call_output", "call_id": "c2", "output": "done"},
        {"type": "custom_tool_call_output", "call_id": "c3", "output": "U[N(c3) tool-result](~PENDING~)"},
    ]
    assert [one.pending for one in rendered if one.role == "output"] == [True, False, True]


def test_an_empty_timeline_renders_nothing() -> None:
    """Nothing at all."""
    assert timeline(AgentState(system_prompt="x", memories=[memory()])) == []


@pytest.mark.parametrize("seam", ["timeline_message", "tool_result", "media_blocks"])
def test_seams_of_the_timeline_may_wait(seam: str) -> None:
    """The same items as of plain ones."""
    state = AgentState(messages=[user(), assistant(attachments=[media()])], tool_calls=[call()])
    plain: dict[str, Callable[..., Any]] = {
        "timeline_message": lambda one, context: [{"type": "message", "of": one.id}],
        "tool_result": lambda one, context: f"OUT {one.id}",
        "media_blocks": blocks,
    }

    async def waits(*arguments: Any) -> Any:
        await asyncio.sleep(0)
        return plain[seam](*arguments)

    assert [one.item for one in timeline(state, **{seam: waits})] == [one.item for one in timeline(state)]


# --- step 3

pair = make_reasoning_pairing()


def candidate(stored: str, wire_id: str | None = "rs_1", group: str | None = None, **payload: Any) -> Rendered:
    """A reasoning item as rendered."""
    of = origin(group, 0, reasoning_count=1) if group else None
    one = reasoning(f"r-{wire_id}", prefix_fingerprint=stored, origin=of, **payload)
    return Rendered({"type": "reasoning", "of": wire_id}, one, group, "candidate", wire_id, wire_id)


def output(wire_id: str | None = "msg_1", group: str | None = None, **fields: Any) -> Rendered:
    """An own message as rendered."""
    of = origin(group, 1, reasoning_count=1) if group else None
    one = assistant(id=wire_id or "a", origin=of)
    return Rendered({"type": "message", "of": wire_id}, one, group, "output", wire_id, wire_id, **fields)


def other(name: str = "u") -> Rendered:
    """A user's message as rendered."""
    return Rendered({"type": "message", "of": name}, user(id=name))


def paired(rendered: list[Rendered], endpoint: str = "openai") -> tuple[list[Any], list[tuple[str, str | None]]]:
    """What goes out of it, and the warnings."""
    notes = Notes(endpoint=endpoint)
    prefix = start_prefix(fingerprint, "m", "i", None)
    items = pair(rendered, prefix, notes.context)
    return items, notes.codes


def digest_after(*items: Any) -> str:
    """What a candidate behind these items has to have stored."""
    running = fingerprint(model="m", instructions="i", tools=None)
    for item in items:
        running.update(item)
    return running.digest()


HEAD = {"type": "message", "of": "u"}


@pytest.mark.parametrize("group", [None, "resp_1"])
@pytest.mark.parametrize(
    ("endpoint", "ids"), [("openai", True), ("azure", True), ("foundry", True), ("codex", False), ("compatible", False)]
)
def test_reasoning_whose_prefix_is_the_same_goes_back(group: str | None, endpoint: str, ids: bool) -> None:
    """With its ids or without, as the endpoint wants it, and without a word."""
    items, codes = paired([other(), candidate(digest_after(HEAD), group=group), output(group=group)], endpoint)

    assert [item.get("id") for item in items] == ([None, "rs_1", "msg_1"] if ids else [None] * 3)
    assert [item["type"] for item in items] == ["message", "reasoning", "message"]
    assert codes == []


@pytest.mark.parametrize("group", [None, "resp_1"])
@pytest.mark.parametrize(
    ("stored", "payload", "follower", "code"),
    [
        ("stale", {}, [output()], "reasoning-prefix-changed"),
        ("", {}, [output()], "reasoning-no-fingerprint"),
        (None, {"paired_item_id": "msg_9"}, [output()], "reasoning-wrong-partner"),
        (None, {}, [], "reasoning-unpaired"),
        (None, {}, [other("u2"), output()], "reasoning-unpaired"),
    ],
)
def test_reasoning_with_a_cause_falls(group: str | None, stored: Any, payload: Any, follower: Any, code: str) -> None:
    """One warning that names it; what stood behind it stays, without id."""
    given = [attrs.evolve(one, group=group) if one.role == "output" else one for one in follower]
    if group is not None:
        for one in given:
            if one.role == "output":
                one.thing = assistant(id="msg_1", origin=origin(group, 1, reasoning_count=1))
    first = candidate(digest_after(HEAD) if stored is None else stored, group=group, **payload)
    items, codes = paired([other(), first, *given])

    assert [item["type"] for item in items] == ["message"] * (1 + len(given))
    assert codes == [(code, "r-rs_1")]
    if given and given[0].role == "output":
        assert "id" not in items[1]


def test_a_response_goes_back_whole_or_without_its_reasoning() -> None:
    """One stale item takes the others with it; each is named once."""
    group = "resp_1"
    first = candidate(digest_after(HEAD), "rs_1", group)
    second = candidate("stale", "rs_2", group)
    items, codes = paired([other(), first, second, output(group=group)])

    assert [item["type"] for item in items] == ["message", "message"]
    assert codes == [("reasoning-prefix-changed", "r-rs_1"), ("reasoning-prefix-changed", "r-rs_2")]


def test_a_response_that_lost_a_reasoning_item_is_incomplete() -> None:
    """The highest count of its things says how many it had."""
    group = "resp_1"
    follower = output(group=group)
    follower.thing = assistant(origin=origin(group, 2, reasoning_count=2))
    items, codes = paired([other(), candidate(digest_after(HEAD), group=group), follower])

    assert [item["type"] for item in items] == ["message", "message"]
    assert codes == [("reasoning-group-incomplete", "r-rs_1")]


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_an_id_is_sent_once(endpoint: str) -> None:
    """The first keeps it, a later thing goes without; where no id is sent there is nothing to warn about."""
    items, codes = paired([output("msg_1"), output("msg_1")], endpoint)
    sends = ENDPOINTS[endpoint].ids != "never"

    assert [item.get("id") for item in items] == (["msg_1", None] if sends else [None, None])
    assert codes == ([("duplicate-item-id", "msg_1")] if sends else [])


def test_ids_sent_before_the_timeline_count() -> None:
    """A leading item may carry one."""
    notes = Notes()
    prefix = start_prefix(fingerprint, "m", "i", None)
    prefix.update({"type": "message", "id": "msg_1"})

    assert "id" not in pair([output("msg_1")], prefix, notes.context)[0]
    assert notes.codes == [("duplicate-item-id", "msg_1")]


def test_calls_with_the_same_id_get_one_of_their_own() -> None:
    """Counted on from 2 on both sides, in the order in which they stand in ``input``, with one warning each."""
    calls = [
        call(id="c", created_at=at(3)),
        call(id="c|fc_1", created_at=at(1)),
        call(id="c|fc_2", created_at=at(2)),
        call(id=odd_form("c#3"), created_at=at(0)),
    ]
    items, codes = paired(timeline(AgentState(tool_calls=calls)))
    ids = [item["call_id"] for item in items]

    assert ids[::2] == ids[1::2] == [odd_form("c#3"), "c", odd_form("c#2"), odd_form("c#4")]
    assert codes == [("duplicate-call-id", "c|fc_2"), ("duplicate-call-id", "c")]


@pytest.mark.parametrize(("endpoint", "sent"), [("openai", True), ("azure", True), ("codex", False)])
def test_an_item_that_needs_its_id_is_left_out_without(endpoint: str, sent: bool) -> None:
    """Where no id is sent, and where it has none."""
    item = provider_item(id="ws_1")
    search = Rendered({"type": "web_search_call"}, item, None, "output", "ws_1", "ws_1", needs_id=True)
    without = Rendered({"type": "web_search_call"}, provider_item(), None, "output", needs_id=True)

    items, codes = paired([search], endpoint)
    assert [one["id"] for one in items] == (["ws_1"] if sent else [])
    assert codes == ([] if sent else [("provider-item-dropped", "ws_1")])
    assert paired([without], endpoint) == ([], [("provider-item-dropped", "web_search_call")])


def test_an_answer_whose_call_was_left_out_leaves_too() -> None:
    """And stays when its call stands before it."""
    item = {"type": "computer_call_output", "call_id": "c1", "output": {}}
    answer = Rendered(item, provider_item("computer_call_output", call_id="c1"), None, "answer")
    request = {"type": "computer_call", "call_id": "c1"}
    thing = provider_item("computer_call", call_id="c1", id="cu_1")
    asked = Rendered(request, thing, None, "output", "cu_1", "cu_1", needs_id=True)

    assert paired([answer]) == ([], [("provider-item-dropped", "c1")])
    assert paired([asked, answer]) == ([{**request, "id": "cu_1"}, item], [])
    assert paired([asked, answer], "codex") == (
        [],
        [("provider-item-dropped", "cu_1"), ("provider-item-dropped", "c1")],
    )


def test_a_pending_call_is_told_when_it_is_sent() -> None:
    """Not when it is left out."""
    thing = provider_item("shell_call", call_id="c1", id="sh_1")
    sent = Rendered({"type": "shell_call", "call_id": "c1"}, thing, None, "output", "sh_1", "sh_1", pending=True)
    left = attrs.evolve(sent, needs_id=True, wire_id=None)

    assert paired([sent])[1] == [("pending-tool-call", "sh_1")]
    assert paired([left])[1] == [("provider-item-dropped", "sh_1")]


def test_what_was_rendered_is_not_changed() -> None:
    """Ids go into copies: the same rendered items can be placed again."""
    rendered = [other(), candidate(digest_after(HEAD)), output()]
    before = [dict(one.item or {}) for one in rendered]

    assert paired(rendered) == paired(rendered)
    assert [one.item for one in rendered] == before


def test_any_prefix_hash_will_do() -> None:
    """A bare running hash has no sections to name, and decides the same."""
    notes = Notes()
    running = fingerprint(model="m", instructions="i", tools=None)
    items = pair([other(), candidate(digest_after(HEAD)), output()], running, notes.context)

    assert [item.get("id") for item in items] == [None, "rs_1", "msg_1"]
    assert notes.codes == []


def test_nothing_rendered_nothing_sent() -> None:
    """An empty timeline."""
    assert paired([]) == ([], [])


def test_noon_is_noon() -> None:
    """The fakes' time is zone-aware, as every time of a state."""
    assert NOON.utcoffset() is not None
