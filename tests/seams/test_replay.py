"""What goes back to the provider: the reasoning item, the fingerprint and the ids, each alone."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
import xxhash
from hypothesis import given
from hypothesis import strategies as st

from seams.fakes import NOON, Notes, assistant, call, origin, thought, user
from seamwright import (
    REASONING_TAG,
    OriginFingerprint,
    PrefixHash,
    ProviderItem,
    ReasoningPayload,
    Sha256Fingerprint,
)
from seamwright.pipeline.ids import item_ids
from seamwright.seams.fingerprint import fingerprint
from seamwright.seams.reasoning import reasoning_item

ITEM = {
    "type": "reasoning",
    "id": "rs_1",
    "encrypted_content": "enc",
    "summary": [{"type": "summary_text", "text": "s"}],
}


def reasoning(item: Any = ITEM, **fields: Any) -> Any:
    """A thought with a payload of ours."""
    payload = ReasoningPayload(item=item, prefix_fingerprint="f")
    return thought("", **{"payload": payload, "replay_compatibility": REASONING_TAG, **fields})


# --- reasoning_item


def test_the_encrypted_part_and_the_summary_go_back() -> None:
    """Nothing else does: not the id, which step 3 decides, and not what the API refuses on an input item."""
    item = {**ITEM, "status": "completed", "content": [{"type": "reasoning_text", "text": "t"}], "more": 1}

    assert reasoning_item(reasoning(item), Notes().context) == {
        "type": "reasoning",
        "summary": ITEM["summary"],
        "encrypted_content": "enc",
    }


@pytest.mark.parametrize("summary", [None, "text", {}, 1])
def test_a_summary_is_always_a_list(summary: Any) -> None:
    """The API wants one; what is none becomes an empty one, and a missing one too."""
    without = {"type": "reasoning", "encrypted_content": "enc"}
    for item in (without, {**without, "summary": summary}):
        got = reasoning_item(reasoning(item), Notes().context)
        assert got is not None
        assert got["summary"] == []


@pytest.mark.parametrize(
    "item",
    [
        {},
        {"type": "reasoning", "id": "rs_1"},
        {"type": "reasoning", "encrypted_content": None},
        {"type": "reasoning", "encrypted_content": ""},
        {"type": "reasoning", "encrypted_content": ["enc"]},
    ],
)
def test_without_encrypted_part_there_is_no_item(item: Any) -> None:
    """The API would look it up by its id, which answers 404 when nothing is stored."""
    notes = Notes()
    assert reasoning_item(reasoning(item), notes.context) is None
    assert notes.codes == []


@pytest.mark.parametrize(
    ("fields", "options"),
    [
        ({"replay_compatibility": "strange"}, {}),
        ({}, {"replay_compatibility": ()}),
        ({}, {"reasoning_replay": "off"}),
        ({}, {"reasoning_replay": "summary-only"}),
        ({"payload": {"variant": "other", "item": ITEM}}, {}),
        ({"payload": None, "content": "text"}, {}),
    ],
)
def test_what_may_not_be_replayed_is_no_item(fields: Any, options: Any) -> None:
    """Another tag, another provider's payload, no payload, another mode; withheld or not, without a warning."""
    for withheld in (None, "unverified"):
        notes = Notes(**options)
        given = {**fields, "withheld": withheld}
        one = thought(**given) if "content" in given else reasoning(**given)
        assert reasoning_item(one, notes.context) is None
        assert notes.codes == []


def test_what_the_api_refused_is_withheld_with_a_warning() -> None:
    """The warning says why; an empty reason is one."""
    for reason in ("could not be verified", ""):
        notes = Notes()
        assert reasoning_item(reasoning(withheld=reason), notes.context) is None
        assert notes.codes == [("reasoning-withheld", "t1")]
        assert reason in notes.warnings[0].text


def test_a_tag_of_the_host_lets_it_go() -> None:
    """The options list what may be replayed."""
    one = reasoning(replay_compatibility="own")
    assert reasoning_item(one, Notes(replay_compatibility=("x", "own")).context) is not None


# --- fingerprint

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text("aé😀"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abé", max_size=3), inner, max_size=3),
    max_leaves=6,
)
ITEMS = st.lists(st.dictionaries(st.sampled_from(["type", "role", "content", "id"]), JSON, max_size=3), max_size=5)
HEADS = st.fixed_dictionaries(
    {
        "model": st.sampled_from(["m", "n", ""]),
        "instructions": st.sampled_from([None, "", "i", "é"]),
        "tools": st.sampled_from([None, [], [{"type": "x"}], [{"type": "x", "a": None}]]),
    }
)
SCHEMES = {"xxh3-1:": (fingerprint, 32), "sha256-1:": (Sha256Fingerprint(), 64)}


def digest(scheme: Any, head: dict[str, Any], items: list[Any]) -> str:
    """The digest of a head and items, from scratch."""
    running: PrefixHash = scheme(**head)
    for item in items:
        running.update(item)
    return running.digest()


@pytest.mark.parametrize("prefix", SCHEMES)
def test_a_digest_names_its_scheme(prefix: str) -> None:
    """A prefix, then hex digits: another scheme never meets an old value."""
    scheme, length = SCHEMES[prefix]
    text = digest(scheme, {"model": "m", "instructions": None, "tools": None}, [])

    assert text.startswith(prefix)
    assert len(text) == len(prefix) + length
    assert set(text.removeprefix(prefix)) <= set("0123456789abcdef")


def test_the_default_is_xxh3_128_of_framed_canonical_json() -> None:
    """Each value as its length, a colon, and its JSON with sorted keys and no spaces; the same on every machine."""
    items = [{"b": "é", "a": [1, None, True]}, {}]
    parts = [{"instructions": "i", "model": "m"}, *items]
    texts = [json.dumps(part, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode() for part in parts]
    framed = b"".join(b"%d:%b" % (len(text), text) for text in texts)

    got = digest(fingerprint, {"model": "m", "instructions": "i", "tools": None}, items)
    assert got == f"xxh3-1:{xxhash.xxh3_128_hexdigest(framed)}"


@pytest.mark.parametrize("prefix", SCHEMES)
@given(head=HEADS, items=ITEMS)
def test_every_prefix_has_the_digest_made_from_scratch(prefix: str, head: dict[str, Any], items: list[Any]) -> None:
    """After k items the running hash says what a fresh one says over those k; asking does not change it."""
    scheme = SCHEMES[prefix][0]
    running = scheme(**head)
    assert running.digest() == digest(scheme, head, [])
    for count, item in enumerate(items, 1):
        before = copy.deepcopy(item)
        running.update(item)
        assert running.digest() == running.digest() == digest(scheme, head, items[:count])
        assert item == before


@pytest.mark.parametrize("prefix", SCHEMES)
@given(head=HEADS, items=ITEMS, more=ITEMS)
def test_a_copy_goes_its_own_way(prefix: str, head: dict[str, Any], items: list[Any], more: list[Any]) -> None:
    """What happens to the copy does not happen to the original, nor the other way round."""
    scheme = SCHEMES[prefix][0]
    running = scheme(**head)
    for item in items:
        running.update(item)
    other = running.copy()
    for item in more:
        other.update(item)

    assert running.digest() == digest(scheme, head, items)
    assert other.digest() == digest(scheme, head, [*items, *more])


def turned(value: Any) -> Any:
    """The same value with the keys of every mapping in the other order."""
    if isinstance(value, dict):
        return {key: turned(value[key]) for key in reversed(value)}
    return [turned(one) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize("prefix", SCHEMES)
@given(items=ITEMS)
def test_the_order_of_keys_does_not_matter(prefix: str, items: list[Any]) -> None:
    """At any depth, in items and in tools."""
    scheme = SCHEMES[prefix][0]
    heads = [{"model": "m", "instructions": None, "tools": tools} for tools in (items, turned(items))]

    assert digest(scheme, heads[0], items) == digest(scheme, heads[1], turned(items))


@pytest.mark.parametrize("prefix", SCHEMES)
@given(one=st.tuples(HEADS, ITEMS), other=st.tuples(HEADS, ITEMS))
def test_different_prefixes_have_different_digests(prefix: str, one: Any, other: Any) -> None:
    """Equal digests only for what is the same JSON: boundaries count, and null, empty and absent all differ."""
    scheme = SCHEMES[prefix][0]
    same = json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)

    assert (digest(scheme, *one) == digest(scheme, *other)) == same


@pytest.mark.parametrize("prefix", SCHEMES)
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([{"a": 1}, {"b": 2}], [{"a": 1, "b": 2}]),
        ([{"a": "x"}, {}], [{"a": "x"}]),
        ([{"a": "1:"}], [{"a": "1"}, {}]),
        ([{"a": None}], [{}]),
        ([{"a": []}], [{"a": None}]),
        ([{"a": ""}], [{"a": None}]),
        ([{"a": {}}], [{"a": []}]),
        ([{"a": True}], [{"a": 1}]),
        ([{"a": "1"}], [{"a": 1}]),
        ([{"a": [1, 2]}], [{"a": [2, 1]}]),
        ([{"a": 1}, {"b": 1}], [{"b": 1}, {"a": 1}]),
        ([{"a": "é"}], [{"a": "e\u0301"}]),
    ],
)
def test_what_is_sent_differently_has_another_digest(prefix: str, one: list[Any], other: list[Any]) -> None:
    """Pairs that a careless hash takes for one."""
    scheme = SCHEMES[prefix][0]
    head = {"model": "m", "instructions": None, "tools": None}
    assert digest(scheme, head, one) != digest(scheme, head, other)


@pytest.mark.parametrize("prefix", SCHEMES)
def test_unusual_json_is_hashed_too(prefix: str) -> None:
    """Integers beyond 64 bits and nesting as deep as a state may hold."""
    scheme = SCHEMES[prefix][0]
    head = {"model": "m", "instructions": None, "tools": None}
    deep: Any = 2**70
    for _ in range(400):
        deep = [deep]
    deeper = [{"a": deep}]

    assert digest(scheme, head, deeper) == digest(scheme, head, copy.deepcopy(deeper))
    assert digest(scheme, head, deeper) != digest(scheme, head, [{"a": [deep]}])


def test_the_origin_fingerprint_covers_model_and_endpoint_alone() -> None:
    """For hosts whose instructions or tools change every turn: neither they nor items count."""
    scheme = OriginFingerprint("https://api.example.org")
    same = digest(scheme, {"model": "m", "instructions": "i", "tools": [{}]}, [{"a": 1}])

    assert same.startswith("origin-1:")
    assert len(same) == len("origin-1:") + 32
    assert same == digest(scheme, {"model": "m", "instructions": None, "tools": None}, [])
    assert same != digest(scheme, {"model": "n", "instructions": None, "tools": None}, [])
    other = OriginFingerprint("https://other.example.org")
    assert same != digest(other, {"model": "m", "instructions": None, "tools": None}, [])
    running = scheme(model="m", instructions=None, tools=None)
    assert running.copy().digest() == same


# --- item_ids

GOOD = {"msg_": "a" * 60, "fc_": "a" * 61, "rs_": "a" * 61}


@pytest.mark.parametrize(
    ("identifier", "sent"),
    [
        ("msg_1", True),
        ("msg_" + "a" * 60, True),
        ("msg_" + "a" * 61, False),
        ("msg_", False),
        ("msg_a b", False),
        ("msg_a\n", False),
        ("msg_é", False),
        ("MSG_1", False),
        ("fc_1", False),
        ("u1", False),
        ("", False),
    ],
)
def test_a_message_id_is_sent_when_it_has_the_right_form(identifier: str, sent: bool) -> None:
    """The message's own without origin, the origin's when it has one; an odd one there counts as none."""
    expected = identifier if sent else None

    assert item_ids.message_id(assistant(id=identifier)) == expected
    assert item_ids.message_id(assistant(id=identifier, origin=origin(item_id=None))) == expected
    assert item_ids.message_id(assistant(id="msg_own", origin=origin(item_id=identifier))) == expected


@pytest.mark.parametrize(
    ("identifier", "call_id"),
    [
        ("call_1", "call_1"),
        ("call_1|fc_1", "call_1"),
        ("call_1|", "call_1"),
        ("a" * 64, "a" * 64),
        ("a" * 65, None),
        ("call 1|fc_1", None),
        ("|fc_1", None),
        ("", None),
        ("é", None),
        ("a\n", None),
        ("a|b|c", "a"),
    ],
)
def test_a_call_id_is_what_stands_before_the_bar(identifier: str, call_id: str | None) -> None:
    """As it is when the API takes it; else cut, with the hash of the whole call part."""
    part = identifier.partition("|")[0] or identifier
    cleaned = "".join(c if c.isascii() and (c.isalnum() or c in "_-") else "_" for c in part)[:47]
    odd = f"{cleaned}_{xxhash.xxh3_64_hexdigest(part.encode())}"
    got = item_ids.call_ids(call(id=identifier)).call_id

    assert got == (call_id or odd)
    assert 1 <= len(got) <= 64


@pytest.mark.parametrize(
    ("identifier", "of_origin", "item_id"),
    [
        ("call_1|fc_1", None, "fc_1"),
        ("call_1|fc_1", "fc_2", "fc_1"),
        ("call_1|odd", "fc_2", "fc_2"),
        ("call_1", "fc_2", "fc_2"),
        ("call_1", "odd", None),
        ("call_1|odd", "odd", None),
        ("call_1|fc_" + "a" * 61, None, "fc_" + "a" * 61),
        ("call_1|fc_" + "a" * 62, None, None),
        ("call_1|fc_1\n", None, None),
        ("|fc_1", None, None),
        ("fc_1", None, None),
    ],
)
def test_a_calls_item_id_stands_behind_the_bar_or_in_the_origin(
    identifier: str, of_origin: str | None, item_id: str | None
) -> None:
    """Whichever has the right form, the composite id first."""
    one = call(id=identifier, origin=origin(item_id=of_origin) if of_origin else None)
    assert item_ids.call_ids(one).item_id == item_id


@given(st.text(st.characters(exclude_categories=["Cs"])), st.text(st.characters(exclude_categories=["Cs"])))
def test_different_call_ids_stay_different(one: str, other: str) -> None:
    """Whatever is cut off, the hash keeps them apart."""
    parts = [value.partition("|")[0] or value for value in (one, other)]
    ids = [item_ids.call_ids(call(id=value)).call_id for value in (one, other)]
    assert (ids[0] == ids[1]) == (parts[0] == parts[1])


def provider_item(**item: Any) -> ProviderItem:
    """An item without primitive."""
    return ProviderItem(item={"type": "web_search_call", **item}, created_at=NOON)


@pytest.mark.parametrize(
    ("thing", "provider_id"),
    [
        (assistant(id="msg_1"), "msg_1"),
        (assistant(id="own"), None),
        (assistant(id="msg_1", origin=origin(item_id="odd id")), "odd id"),
        (assistant(id="msg_1", origin=origin(item_id=None)), "msg_1"),
        (user(id="u1"), None),
        (call(id="call_1|fc_1"), "fc_1"),
        (call(id="call_1|fc_1", origin=origin(item_id="fc_2")), "fc_2"),
        (call(id="call_1"), None),
        (call(id="call_1", origin=origin(item_id="odd id")), "odd id"),
        (reasoning(), "rs_1"),
        (reasoning({"id": "odd id"}), "odd id"),
        (reasoning({"id": 7}), None),
        (reasoning({"x": 1}), None),
        (reasoning(origin=origin(item_id="rs_9")), "rs_1"),
        (thought(origin=origin(item_id="rs_9")), None),
        (provider_item(id="ws_1"), "ws_1"),
        (provider_item(id="odd id"), "odd id"),
        (provider_item(id=7), None),
        (provider_item(), None),
    ],
)
def test_a_provider_id_is_the_providers_whether_or_not_it_is_sent(thing: Any, provider_id: str | None) -> None:
    """The origin's, else the one of the thing; of reasoning and provider items the one in the item."""
    assert item_ids.provider_id(thing) == provider_id
