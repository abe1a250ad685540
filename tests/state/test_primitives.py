"""Primitives as a host builds them: what each field takes, its default, and the rules over several fields."""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamwright import (
    ENDPOINTS,
    REASONING_TAG,
    AgentState,
    FallbackStash,
    FileId,
    FileSource,
    Identity,
    InvalidStateError,
    Media,
    Memory,
    Message,
    ProviderItem,
    ReasoningPayload,
    RenderOptions,
    ResponseOrigin,
    Retrievable,
    SpooledArtifact,
    StashEntry,
    Thought,
    TokenizableError,
    Tool,
    ToolCall,
    ToolMethod,
    ToolRegistry,
    Url,
)
from seamwright.model.text import replace_lone_surrogates, text
from seamwright.model.times import dump_time, parse_time, show_time
from seamwright.model.tool_call import call_part, checksum_of
from seamwright.model.trust import TIERS, lower_tier
from state.samples import NOON, SMALLEST, make

NAIVE = datetime(2026, 1, 1)  # noqa: DTZ001  # a time without zone is what is refused
HUGE = 10**400
DEFAULTED = attrs.Factory  # a default that is made anew


class Unshown:
    """A value whose repr fails."""

    def __repr__(self) -> str:
        raise RuntimeError("not shown")


NO_TEXT = [None, 3, b"x", ["x"], Unshown()]
NO_OPTIONAL_TEXT = NO_TEXT[1:]
NO_FLAG = [None, 0, 1, "true"]
NO_TIME = [None, NAIVE, "2026-01-01T00:00:00Z", 0, NOON.date()]
NO_UNIT = ["1", True, -0.01, 1.01, float("nan"), float("inf"), HUGE, -HUGE]
NO_NUMBER = ["1", True, float("nan"), float("-inf"), HUGE]
NO_COUNT = [None, -1, 1.0, True, "1"]
NO_OBJECT: list[Any] = [None, [], "x", {1: 2}, {"a": float("nan")}, {"a": {1}}]
NO_TIER = [None, "second-party", "FIRST-PARTY", 1]
NO_WORD = [None, 1, "", ["user"]]
NO_ORIGIN = [{}, "resp_1"]
NO_IDENTITY = [None, 3, {"identifier": "a", "representation": "a"}]

REFUSED: dict[type, dict[str, list[Any]]] = {
    Identity: {"identifier": NO_TEXT, "representation": NO_TEXT},
    ResponseOrigin: {
        "response_id": NO_TEXT,
        "output_index": NO_COUNT,
        "item_id": NO_OPTIONAL_TEXT,
        "model": NO_TEXT,
        "reasoning_count": NO_COUNT,
    },
    Message: {
        "id": NO_TEXT,
        "role": [*NO_WORD, "tool", "User", "system"],
        "content": [3, b"x", ["x"]],
        "created_at": NO_TIME,
        "identity": NO_IDENTITY,
        "attachments": [None, "x", {}, ["x"], [{}], 3],
        "refusal": NO_OPTIONAL_TEXT,
        "phase": NO_OPTIONAL_TEXT,
        "annotations": [None, "x", {}, ["x"], [{"a": float("inf")}]],
        "incomplete": NO_FLAG,
        "origin": NO_ORIGIN,
    },
    Thought: {
        "id": NO_TEXT,
        "content": [*NO_TEXT, lambda ctx: "x"],
        "created_at": NO_TIME,
        "identity": NO_IDENTITY,
        "payload": ["x", [], {1: 2}, {"a": b"x"}],
        "replay_compatibility": NO_OPTIONAL_TEXT,
        "withheld": NO_OPTIONAL_TEXT,
        "origin": NO_ORIGIN,
    },
    ReasoningPayload: {
        "variant": [*NO_WORD, "responses_reasoning", "other"],
        "item": NO_OBJECT,
        "paired_item_id": NO_OPTIONAL_TEXT,
        "prefix_fingerprint": NO_TEXT,
        "sections": NO_OBJECT,
    },
    ToolCall: {
        "id": NO_TEXT,
        "tool": NO_TEXT,
        "args": [*[value for value in NO_OBJECT if value != "x"], 3],
        "created_at": NO_TIME,
        "results": [3, {}, [], (), ["x"], [3], {"text": "x"}, (SMALLEST,)],
        "checksum": NO_TEXT,
        "inline": NO_FLAG,
        "is_error": NO_FLAG,
        "trusted": NO_FLAG[1:],
        "incomplete": NO_FLAG,
        "namespace": NO_OPTIONAL_TEXT,
        "caller": NO_OBJECT[1:],
        "origin": NO_ORIGIN,
    },
    ProviderItem: {"item": NO_OBJECT, "created_at": NO_TIME, "origin": NO_ORIGIN},
    Memory: {
        "id": NO_TEXT,
        "content": NO_TEXT,
        "created_at": NO_TIME[1:],
        "source": NO_OPTIONAL_TEXT,
        "kind": NO_OPTIONAL_TEXT,
        "score": NO_UNIT,
        "confidence": NO_UNIT,
        "importance": NO_UNIT,
    },
    Retrievable: {
        "id": NO_TEXT,
        "content": [None, 3, b"x", {}],
        "trust_tier": NO_TIER,
        "created_at": NO_TIME[1:],
        "source": NO_OPTIONAL_TEXT,
        "kind": NO_OPTIONAL_TEXT,
        "score": NO_NUMBER,
        "inline": NO_FLAG,
    },
    Media: {
        "id": NO_TEXT,
        "kind": [*NO_WORD, "Image", "text"],
        "mime_type": NO_TEXT,
        "filename": NO_TEXT,
        "source_reader": [None, "text", 3, {}],
        "trust_tier": NO_TIER,
        "modality_hazard": [*NO_WORD, "extractable", "opaque"],
        "detail": [*NO_WORD, "medium", "original"],
        "source": NO_OPTIONAL_TEXT,
        "stash": [None, [], "x", {"k": "x"}, {"k": {"value": "x", "trust_tier": "first-party"}}],
    },
    StashEntry: {"trust_tier": NO_TIER, "derived_from_media": NO_OPTIONAL_TEXT},
    SpooledArtifact: {
        "reader": [None, 3, {}, []],
        "kind": [*NO_WORD, "xml"],
        "tool_methods": [None, "x", {}, ["x"], [{"name": "x"}]],
    },
    ToolMethod: {"name": NO_TEXT, "description": NO_OPTIONAL_TEXT},
    Tool: {
        "name": [*NO_TEXT, "", "a b", "a.b", "é", "a" * 65, "a\n"],
        "description": NO_TEXT,
        "input_schema": [None, "object", 3, [], {1: 2}, {"a": float("nan")}, {"valids": {1}}],
        "trusted": NO_FLAG,
        "strict": NO_FLAG[1:],
    },
    RenderOptions: {
        "model": NO_TEXT,
        "bucket_order": [None, "timeline", {}, 3],
        "self_identity": NO_TEXT,
        "thought_surfacing": [*NO_WORD, "self"],
        "replay_compatibility": [None, "tag", {}, [3]],
        "reasoning_replay": [*NO_WORD, "on", True],
        "system_prompt_channel": [*NO_WORD, "system"],
        "unsupported_media_policy": [*NO_WORD, "skip", {"mode": "fallback-stash", "keys": []}],
        "strict": NO_FLAG[1:],
        "standing_instructions_version": NO_OPTIONAL_TEXT,
        "endpoint": [None, "OpenAI", "other", 3, {}],
        "budget": [0, -1, True, 1.5, "1000", {"tokens": 1000}, [1000]],
    },
    AgentState: {
        "system_prompt": [None, 3, ["x"]],
        "standing_instructions": [None, "x", {}, [3], [None]],
        "memories": [None, "x", {}, ["x"], [{}], 3],
        "retrievables": [None, "x", {}, ["x"], 3],
        "messages": [None, "x", {}, ["x"], 3],
        "thoughts": [None, "x", {}, ["x"], 3],
        "tool_calls": [None, "x", {}, ["x"], 3],
        "provider_items": [None, "x", {}, [{}], 3],
        "provider_tools": [None, "x", {}, ["x"], [{"a": float("nan")}], 3],
    },
}

CASES = [(cls, field, value) for cls, fields in REFUSED.items() for field, values in fields.items() for value in values]


@pytest.mark.parametrize("cls", REFUSED, ids=lambda cls: cls.__name__)
def test_every_field_is_looked_at(cls: type) -> None:
    """All but those that take anything, or refuse in their own way."""
    free = {"value", "handler", "tools"}
    assert {field.name for field in attrs.fields(cls)} - free == set(REFUSED[cls])


@pytest.mark.parametrize(
    ("cls", "field", "value"), CASES, ids=[f"{c.__name__}.{f}-{i}" for i, (c, f, _) in enumerate(CASES)]
)
def test_a_bad_value_is_refused_naming_class_field_and_value(cls: type, field: str, value: Any) -> None:
    """``Message.role: 'tool' is not one of …``: one fault, in one line."""
    given_fields = SMALLEST.get(cls, {})
    with pytest.raises(InvalidStateError) as caught:
        cls(**(given_fields | {field: value}))
    error = caught.value

    assert re.fullmatch(rf"{cls.__name__}\.{field}(\[\d+\])?", error.faults[0].path)
    assert str(error).startswith(f"{cls.__name__}.{field}")
    assert "\n" not in error.faults[0].problem
    assert len(error.faults[0].problem) < 300
    assert isinstance(error, ValueError)


@pytest.mark.parametrize(
    ("cls", "field", "value", "problem"),
    [
        (Message, "role", "tool", "'tool' is not one of 'user', 'assistant'"),
        (Message, "role", "usr", "'usr' is not one of 'user', 'assistant' (did you mean 'user'?)"),
        (Message, "id", 3, "3 is not a string"),
        (Message, "created_at", NAIVE, "'2026-01-01T00:00:00' has no zone; add one, for example 'Z'"),
        (Memory, "score", 1.5, "1.5 is not between 0 and 1"),
        (Tool, "name", "a b", "'a b' is not 1 to 64 letters, digits, '_' or '-'"),
        (RenderOptions, "endpoint", "azur", "(did you mean 'azure'?)"),
        (Message, "id", Unshown(), "a value of type Unshown is not a string"),
        (Message, "id", ["x"] * 1000, "... is not a string"),
        (Message, "id", 10**5000, "a value of type int is not a string"),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 30 else "",
)
def test_the_problem_says_what_would_be_right(cls: type, field: str, value: Any, problem: str) -> None:
    """With the nearest word where there is one; a long value is cut, one that can't be shown is named by its type."""
    with pytest.raises(InvalidStateError) as caught:
        make(cls, **{field: value})
    assert problem in caught.value.faults[0].problem


@pytest.mark.parametrize("cls", SMALLEST, ids=lambda cls: cls.__name__)
def test_what_has_no_default_has_to_be_given(cls: type) -> None:
    """The smallest of each class has exactly those fields; there is no default tier and no default hazard."""
    needed = {field.name for field in attrs.fields(cls) if field.default is attrs.NOTHING and field.init}
    if cls is Message:
        needed.add("content")
    if cls is Thought:
        needed.add("content")
    assert needed == set(SMALLEST[cls])
    for field in needed - {"content"}:
        with pytest.raises(TypeError, match=field):
            cls(**{name: value for name, value in SMALLEST[cls].items() if name != field})
    made: Any = cls
    with pytest.raises(TypeError):
        made(**SMALLEST[cls], more=1)
    with pytest.raises(TypeError):
        made(*SMALLEST[cls].values())


SAID = Identity(identifier="assistant", representation="assistant")
USER = Identity(identifier="user", representation="user")


@pytest.mark.parametrize(
    ("cls", "defaults"),
    [
        (
            Message,
            {
                "identity": USER,
                "attachments": (),
                "refusal": None,
                "phase": None,
                "annotations": (),
                "incomplete": False,
                "origin": None,
            },
        ),
        (
            Thought,
            {"identity": SAID, "payload": None, "replay_compatibility": None, "withheld": None, "origin": None},
        ),
        (ReasoningPayload, {"variant": "responses-reasoning", "paired_item_id": None, "sections": {}}),
        (
            ToolCall,
            {
                "results": None,
                "inline": True,
                "is_error": False,
                "trusted": None,
                "incomplete": False,
                "namespace": None,
                "caller": None,
                "origin": None,
            },
        ),
        (ProviderItem, {"origin": None}),
        (
            Memory,
            {"created_at": None, "source": None, "kind": None, "score": None, "confidence": None, "importance": None},
        ),
        (Retrievable, {"created_at": None, "source": None, "kind": None, "score": None, "inline": False}),
        (Media, {"detail": "auto", "source": None, "stash": {}}),
        (StashEntry, {"derived_from_media": None}),
        (SpooledArtifact, {"kind": "text", "tool_methods": ()}),
        (ToolMethod, {"description": None}),
        (Tool, {"trusted": False, "strict": None, "handler": None}),
        (ResponseOrigin, {"item_id": None, "reasoning_count": 0}),
        (
            RenderOptions,
            {
                "bucket_order": ("standing_instructions", "memories", "retrievables", "timeline"),
                "self_identity": "assistant",
                "thought_surfacing": "all-self",
                "replay_compatibility": (REASONING_TAG,),
                "reasoning_replay": "encrypted",
                "system_prompt_channel": "instructions",
                "unsupported_media_policy": "throw",
                "strict": None,
                "standing_instructions_version": None,
                "endpoint": ENDPOINTS["openai"],
                "budget": None,
            },
        ),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_everything_else_has_its_default(cls: type, defaults: dict[str, Any]) -> None:
    """As the table of the primitives says."""
    one = make(cls)
    derived = {"id", "checksum", "content"} - SMALLEST[cls].keys()

    assert {name: getattr(one, name) for name in defaults} == defaults
    assert set(defaults) | SMALLEST[cls].keys() | derived >= {field.name for field in attrs.fields(cls)}


def test_an_empty_state_is_a_state() -> None:
    """Everything has a default."""
    state = AgentState()
    assert state.system_prompt == ""
    assert len(state.tools) == 0
    for name in ("standing_instructions", "memories", "retrievables", "messages", "thoughts", "tool_calls"):
        assert getattr(state, name) == ()
    assert (state.provider_items, state.provider_tools) == ((), ())


def test_the_identity_of_a_message_is_its_role() -> None:
    """A string means both halves; an identity is kept as it is."""
    assert make(Message, role="assistant").identity == SAID
    assert make(Message, identity="ann").identity == Identity(identifier="ann", representation="ann")
    assert make(Thought, identity="ann").identity == Identity(identifier="ann", representation="ann")
    both = Identity(identifier="a", representation="Ann")
    assert make(Message, identity=both).identity is both


def test_a_media_has_an_id_of_its_own() -> None:
    """A new UUID each time."""
    one, other = make(Media).id, make(Media).id
    assert one != other
    assert str(uuid.UUID(one)) == one


@pytest.mark.parametrize(
    ("factory", "tier"),
    [
        ("user_attachment", "third-party-private"),
        ("tool_generated", "first-party"),
        ("retrieved_public", "third-party-public"),
        ("retrieved_private", "third-party-private"),
    ],
)
@pytest.mark.parametrize(
    ("kind", "hazard"),
    [
        ("image", "opaque-perceptual"),
        ("audio", "opaque-perceptual"),
        ("video", "opaque-perceptual"),
        ("document", "extractable-instructions"),
    ],
)
def test_a_factory_says_tier_and_hazard(factory: str, tier: str, kind: str, hazard: str) -> None:
    """By where the media came from and what it is; what is given goes first."""
    fields = {"kind": kind, "mime_type": "a/b", "filename": "f", "source_reader": b""}
    one = getattr(Media, factory)(**fields)
    other = getattr(Media, factory)(**fields, trust_tier="first-party", modality_hazard="inert", id="own")

    assert (one.trust_tier, one.modality_hazard) == (tier, hazard)
    assert (other.trust_tier, other.modality_hazard, other.id) == ("first-party", "inert", "own")
    with pytest.raises(InvalidStateError):
        getattr(Media, factory)(**{**fields, "kind": "text"})


# --- rules over several fields


@pytest.mark.parametrize("content", [None, ""])
def test_a_message_needs_content_a_refusal_or_an_attachment(content: Any) -> None:
    """One of them; an empty text is none, white space is one."""
    with pytest.raises(InvalidStateError, match="needs content, a refusal or an attachment") as caught:
        make(Message, content=content)
    assert caught.value.faults[0].path == "Message.content"
    with pytest.raises(InvalidStateError):
        make(Message, content=content, refusal="")
    make(Message, content=" ")
    make(Message, content=content, refusal="no")
    make(Message, content=content, attachments=[make(Media)])
    make(Message, content=lambda ctx: "")


def test_a_thought_needs_text_or_a_payload() -> None:
    """And a payload needs a tag, whoever's it is."""
    with pytest.raises(InvalidStateError, match="needs text or a payload") as caught:
        make(Thought, content="")
    assert caught.value.faults[0].path == "Thought.content"
    for payload in (make(ReasoningPayload), {"variant": "x"}, {}):
        with pytest.raises(InvalidStateError, match="needs a tag") as caught:
            make(Thought, content="", payload=payload)
        assert caught.value.faults[0].path == "Thought.replay_compatibility"
        make(Thought, content="", payload=payload, replay_compatibility="")
    assert make(Thought, payload=None).payload is None


def test_buckets_are_a_unique_subset_of_four() -> None:
    """Every unknown one is named at its place, with the nearest; one named twice at the whole."""
    with pytest.raises(InvalidStateError) as caught:
        make(RenderOptions, bucket_order=["memory", "timeline", 3, "timeline"])
    assert [fault.path for fault in caught.value.faults] == [
        "RenderOptions.bucket_order[0]",
        "RenderOptions.bucket_order[2]",
        "RenderOptions.bucket_order",
    ]
    assert "(did you mean 'memories'?)" in caught.value.faults[0].problem
    for order in ((), ("timeline",), ["memories", "retrievables"], iter(["timeline", "memories"])):
        make(RenderOptions, bucket_order=order)


@pytest.mark.parametrize(
    ("order", "leading", "trailing"),
    [
        (("memories", "timeline", "retrievables"), ("memories",), ("retrievables",)),
        (("memories", "retrievables"), ("memories", "retrievables"), ()),
        (("timeline",), (), ()),
        ((), (), ()),
    ],
)
def test_the_timeline_splits_the_buckets(order: Any, leading: Any, trailing: Any) -> None:
    """Without it everything leads."""
    options = make(RenderOptions, bucket_order=order)
    assert (options.leading_buckets, options.trailing_buckets) == (leading, trailing)


@pytest.mark.parametrize("name", ENDPOINTS)
def test_an_endpoint_is_given_by_name_or_as_a_profile(name: str) -> None:
    """Both are the same."""
    assert make(RenderOptions, endpoint=name).endpoint is ENDPOINTS[name]
    assert make(RenderOptions, endpoint=ENDPOINTS[name]) == make(RenderOptions, endpoint=name)


def test_stash_keys_are_texts() -> None:
    """In their order; the default names three."""
    assert FallbackStash().keys == ("text:transcript", "text:caption", "text:description")
    assert FallbackStash(iter(["b", "a"])).keys == ("b", "a")
    for keys in ("text:caption", [3], None):
        with pytest.raises(InvalidStateError) as caught:
            FallbackStash(keys)
        assert caught.value.fields == ["FallbackStash.keys"]


# --- collections


def some() -> Iterator[Message]:
    """A generator of messages."""
    yield make(Message)
    yield make(Message, id="u2")


@pytest.mark.parametrize(
    "given_as", [list, tuple, iter, some, lambda items: dict.fromkeys(items).keys(), lambda items: (m for m in items)]
)
def test_any_iterable_is_a_collection(given_as: Any) -> None:
    """At construction; a tuple afterwards, also when it is changed by making a new one."""
    items = [make(Message), make(Message, id="u2")]
    state = AgentState(messages=some() if given_as is some else given_as(items))

    assert state.messages == tuple(items)
    assert attrs.evolve(state, messages=[*state.messages, make(Message, id="u3")]).messages[-1].id == "u3"
    assert make(Message, attachments=iter([make(Media, id="a")])).attachments == (make(Media, id="a"),)


# --- tool calls

TEXTS = st.text()
ARGS = st.dictionaries(TEXTS, st.none() | st.integers() | TEXTS | st.lists(st.integers(), max_size=2), max_size=3)


def test_a_checksum_is_sha256_of_canonical_json() -> None:
    """Keys sorted, no spaces, other letters as they are; what is given is taken as given."""
    expected = hashlib.sha256('{"args":{"a":[1,null],"b":"é"},"tool":"t"}'.encode()).hexdigest()
    as_text = hashlib.sha256(b'{"args":"{\\"a\\": 1}","tool":"t"}').hexdigest()

    assert make(ToolCall, args={"b": "é", "a": [1, None]}).checksum == expected
    assert make(ToolCall, args='{"a": 1}').checksum == as_text
    assert make(ToolCall, checksum="own").checksum == "own"


@given(ARGS | TEXTS, TEXTS)
def test_a_checksum_depends_on_tool_and_arguments_alone(args: Any, tool: str) -> None:
    """Not on the order of keys, the id, the time or the results; whatever the text, lone surrogates included."""
    turned = dict(reversed(args.items())) if isinstance(args, dict) else args
    one = make(ToolCall, args=args, tool=tool)
    other = make(ToolCall, args=turned, tool=tool, id="x", results="r", created_at=NOON + timedelta(1))

    assert one.checksum == other.checksum == checksum_of(tool, args)
    assert re.fullmatch("[0-9a-f]{64}", one.checksum)


@pytest.mark.parametrize(
    ("identifier", "part"), [("c", "c"), ("c|fc", "c"), ("c|", "c"), ("|fc", "|fc"), ("", ""), ("a|b|c", "a")]
)
def test_the_call_part_stands_before_the_first_bar(identifier: str, part: str) -> None:
    """The whole when nothing stands before it."""
    assert call_part(identifier) == part


@pytest.mark.parametrize("results", ["text", "", SpooledArtifact(reader="x"), None])
def test_results_of_one_are_kept(results: Any) -> None:
    """Text, an artifact, nothing yet."""
    assert make(ToolCall, results=results).results == results


def test_results_of_several_are_a_tuple_of_one_kind() -> None:
    """Artifacts or media, from any iterable; one media is a list of one; a mixture is refused."""
    artifact, media = SpooledArtifact(reader="x"), make(Media)
    assert make(ToolCall, results=[artifact, artifact]).results == (artifact, artifact)
    assert make(ToolCall, results=iter([media])).results == (media,)
    assert make(ToolCall, results=media).results == (media,)
    with pytest.raises(InvalidStateError):
        make(ToolCall, results=[artifact, media])


def test_a_call_is_completed_once_its_result_is_there() -> None:
    """A new call; what was said of its trust stays unless it is said anew."""
    pending = make(ToolCall, trusted=True)
    done = pending.complete("r", is_error=True)

    assert (done.results, done.trusted, done.is_error) == ("r", True, True)
    assert pending.complete("r", trusted=False).trusted is False
    assert pending.results is None
    with pytest.raises(InvalidStateError):
        pending.complete(3)


def test_a_state_completes_the_first_pending_call_of_that_id() -> None:
    """The whole id goes before the call part; calls that have a result are passed over."""
    calls = [
        make(ToolCall, id="a|fc_1", results="done"),
        make(ToolCall, id="a|fc_2"),
        make(ToolCall, id="a"),
        make(ToolCall, id="a|fc_2"),
    ]
    state = AgentState(tool_calls=calls)

    def done(call_id: str) -> list[Any]:
        return [call.results for call in state.complete(call_id, "r", trusted=True).tool_calls]

    assert done("a") == ["done", None, "r", None]
    assert done("a|fc_2") == ["done", "r", None, None]
    assert [call.results for call in state.complete("a", "1").complete("a", "2").tool_calls] == ["done", "2", "1", None]
    for gone in ("b", "a|fc_1", "", "fc_2"):
        with pytest.raises(InvalidStateError, match=r"pending: 'a\|fc_2', 'a', 'a\|fc_2'") as caught:
            state.complete(gone, "r")
        assert caught.value.fields == ["tool_calls"]


def test_arguments_are_read_when_they_are_asked_for() -> None:
    """The provider's text may be no JSON, or no object; the error names the call."""
    assert make(ToolCall, args='{"a": 1}').parsed_args() == {"a": 1}
    assert make(ToolCall, args={"a": 1}).parsed_args() == {"a": 1}
    for args in ("{", "", "[1]", "null"):
        with pytest.raises(ValueError, match="tool call 'c1' of 't'"):
            make(ToolCall, args=args).parsed_args()


# --- tools


def registry(*names: str, hidden: tuple[str, ...] = ()) -> ToolRegistry:
    """A registry of tools of these names."""
    return ToolRegistry([make(Tool, name=name) for name in names], hidden)


def names(tools: Any) -> list[str]:
    """The names of tools, in order."""
    return [tool.name for tool in tools]


def test_a_registry_keeps_its_order() -> None:
    """What is hidden keeps its place and is still found by name."""
    tools = registry("b", "a", "c", hidden=("a",))

    assert names(tools) == ["b", "a", "c"]
    assert (names(tools.visible()), names(tools.hidden())) == (["b", "c"], ["a"])
    assert len(tools) == 3
    assert tools.get("a") is not None
    assert tools.get("x") is None


def test_every_change_of_a_registry_gives_a_new_one() -> None:
    """Register, hide, unhide, merge; the first is as it was."""
    tools = registry("a", "b")
    assert names(tools.register(make(Tool, name="c"))) == ["a", "b", "c"]
    assert names(tools.hide("a", "b").hidden()) == ["a", "b"]
    assert names(tools.hide("a", "b").unhide("a").visible()) == ["a"]
    merged = tools.hide("a").merge(registry("c", "d", hidden=("d",)))
    assert (names(merged), names(merged.hidden())) == (["a", "b", "c", "d"], ["a", "d"])
    assert (names(tools), names(tools.hidden())) == (["a", "b"], [])
    assert tools.unhide("b") == tools == registry("a", "b")


def test_a_name_stands_once_in_a_registry() -> None:
    """At construction, by register and by merge; the later one is named by its place."""
    again: list[Callable[[], ToolRegistry]] = [
        lambda: registry("a", "b", "a"),
        lambda: registry("a", "b").register(make(Tool, name="a")),
        lambda: registry("a", "b").merge(registry("a")),
    ]
    for make_again in again:
        with pytest.raises(InvalidStateError, match="'a' is the name of an earlier tool") as caught:
            make_again()
        assert caught.value.fields == ["tools[2].name"]
    with pytest.raises(InvalidStateError) as caught:
        registry("a", "a", "a")
    assert caught.value.fields == ["tools[1].name", "tools[2].name"]


def test_only_a_tool_of_the_registry_can_be_hidden() -> None:
    """A misspelt name hides nothing, so it is an error."""
    with pytest.raises(InvalidStateError, match="'x'"):
        registry("a").hide("x")
    registry("a").unhide("x")


@pytest.mark.parametrize("tools", [None, 3, "search", {}, ["search"], [{}]])
def test_a_state_takes_tools_or_a_registry(tools: Any) -> None:
    """Anything else is refused at ``tools``."""
    with pytest.raises(InvalidStateError) as caught:
        AgentState(tools=tools)
    assert caught.value.fields == ["tools"]
    assert names(AgentState(tools=iter([make(Tool)])).tools) == ["t"]
    assert AgentState(tools=registry("a", hidden=("a",))).tools.visible() == ()


@pytest.mark.parametrize("schema", [{}, {"type": "object"}, int, dict, lambda a: a, Tool])
def test_a_schema_may_be_a_type(schema: Any) -> None:
    """A mapping of JSON, a class or a callable."""
    assert make(Tool, input_schema=schema).input_schema == schema


# --- sources


@pytest.mark.parametrize("source", [b"", b"x", Url("https://example.org"), FileId("file-1"), lambda: b"x"])
def test_a_media_takes_bytes_a_reader_or_a_reference(source: Any) -> None:
    """As they are; a path becomes a file that knows how it was spelled."""
    assert make(Media, source_reader=source).source_reader == source
    path = Path("a") / "b.png"
    assert make(Media, source_reader=path).source_reader == FileSource(path, str(path))
    assert make(SpooledArtifact, reader=path).reader == FileSource(path, str(path))


def test_no_content_shows_in_a_repr() -> None:
    """Bytes of a media, encrypted reasoning and results don't belong in a log."""
    secret = "0123456789" * 3
    shown = [
        repr(make(Media, source_reader=secret.encode())),
        repr(make(ReasoningPayload, item={"encrypted_content": secret})),
        repr(make(Thought, payload={"x": secret}, replay_compatibility="t")),
        repr(make(ToolCall, results=secret)),
    ]
    assert not any(secret in text for text in shown)


# --- texts and times


def test_a_text_is_a_string_or_a_callable_of_the_context() -> None:
    """A callable that raises or gives something else is named by its owner."""
    assert text("x", None) == "x"
    assert text(lambda ctx: f"for {ctx}", "ann") == "for ann"
    with pytest.raises(TokenizableError, match=r"Message u1\.content: the callable gave int, not a string") as caught:
        text(lambda ctx: 3, None, "Message u1.content")  # type: ignore[arg-type, return-value]
    assert caught.value.owner == "Message u1.content"
    with pytest.raises(TokenizableError, match="raised ZeroDivisionError") as caught:
        text(lambda ctx: str(1 / 0), None, "x")
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


@given(st.text())
def test_lone_surrogates_become_replacement_characters(value: str) -> None:
    """One each; everything else stays, and UTF-8 can hold the result."""
    clean = replace_lone_surrogates(value)
    assert len(clean) == len(value)
    clean.encode()
    assert all(a == b or ("\ud800" <= a <= "\udfff" and b == "\ufffd") for a, b in zip(value, clean, strict=True))


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("2026-01-01T12:00:00Z", "2026-01-01T12:00:00.000Z"),
        ("2026-01-01T13:30:00.123999+01:30", "2026-01-01T12:00:00.123Z"),
        ("2026-01-01 12:00:00+00:00", "2026-01-01T12:00:00.000Z"),
        ("20260101T120000Z", "2026-01-01T12:00:00.000Z"),
        (0, "1970-01-01T00:00:00.000Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
        (1767268800123, "2026-01-01T12:00:00.123Z"),
        (1767268800123.75, "2026-01-01T12:00:00.123Z"),
        (-62135596800000, "0001-01-01T00:00:00.000Z"),
        (253402300799999, "9999-12-31T23:59:59.999Z"),
    ],
)
def test_a_time_is_read_from_iso_8601_or_milliseconds(value: Any, shown: str) -> None:
    """Shown in UTC with milliseconds, cut and not rounded."""
    assert show_time(parse_time(value)) == shown


@pytest.mark.parametrize(
    "value",
    [
        "",
        "now",
        "2026-13-01T00:00:00Z",
        "2026-01-01T25:00:00Z",
        "1767268800123",
        None,
        True,
        [],
        {},
        float("nan"),
        float("inf"),
        HUGE,
        -HUGE,
        1e300,
        253402300800000,
    ],
)
def test_what_is_no_time_is_refused(value: Any) -> None:
    """With a ValueError, whatever it is."""
    with pytest.raises(ValueError):  # noqa: PT011  # each says something else
        parse_time(value)


def test_a_time_must_have_a_place_in_utc() -> None:
    """At the edges of the calendar a zone may lead out of it."""
    edge = datetime.max.replace(tzinfo=timezone(-timedelta(hours=1)))
    with pytest.raises(InvalidStateError, match="outside the years 1 to 9999"):
        make(Message, created_at=edge)
    with pytest.raises(InvalidStateError, match="outside the years"):
        make(Memory, created_at=datetime.min.replace(tzinfo=timezone(timedelta(hours=1))))
    make(Message, created_at=datetime.max.replace(tzinfo=UTC))
    make(Message, created_at=datetime.min.replace(tzinfo=UTC))


@given(st.datetimes(min_value=NAIVE.replace(year=2), max_value=NAIVE.replace(year=9998), timezones=st.timezones()))
def test_a_dumped_time_is_the_time(value: datetime) -> None:
    """To the microsecond, in UTC; shown, it is cut to the millisecond."""
    in_utc = value.astimezone(UTC)
    assert parse_time(dump_time(value)) == in_utc
    shown = show_time(value)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", shown)
    assert timedelta(0) <= in_utc - parse_time(shown) < timedelta(milliseconds=1)


@pytest.mark.parametrize("one", TIERS)
@pytest.mark.parametrize("other", TIERS)
def test_the_lower_tier_is_the_less_trusted(one: Any, other: Any) -> None:
    """In either order."""
    assert lower_tier(one, other) == lower_tier(other, one) == TIERS[max(TIERS.index(one), TIERS.index(other))]
