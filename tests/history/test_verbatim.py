"""The pipeline of protocol histories: what its seams give alone, what a build changes, and that overrides arrive."""

from __future__ import annotations

import copy
import itertools
import json
from collections.abc import Sequence
from typing import Any, Final

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamwright import (
    ENDPOINTS,
    InvalidStateError,
    RenderOptions,
    SchemaError,
    SeamError,
    StrictSchemaError,
    WiringError,
)
from seamwright.check import check_request
from seamwright.history import (
    HistoryMessage,
    ImageBlock,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    VerbatimSeams,
    serialize_history,
    serialize_tools,
)
from seamwright.history.serialize import call_item, thinking_item, tool_output, user_part
from seamwright.history.verbatim import VERBATIM_SEAM_NAMES, VerbatimOverrides
from seamwright.wire.assembled import AssembledInput
from seamwright_containers import VerbatimContainer, verbatim_pipeline

OPTIONS: Final = RenderOptions(model="gpt-5.4")
PIPELINE: Final = verbatim_pipeline()
SEALED: Final = "gAAAAABjGvx3i9MS5F0lgtpvwBzyeuSuWJwPL5X7"


def reasoning(name: str | None, encrypted: Any = SEALED) -> ThinkingBlock:
    """A thought with a reasoning item of that id."""
    item = {"type": "reasoning", "summary": [], "encrypted_content": encrypted} | ({"id": name} if name else {})
    return ThinkingBlock("", json.dumps(item))


def assistant(*blocks: Any, provider: str | None = None) -> HistoryMessage:
    """A message of the assistant."""
    return HistoryMessage("assistant", blocks, provider=provider)


USER: Final = HistoryMessage("user", [TextBlock("q")])


def build(*messages: HistoryMessage, **fields: Any) -> AssembledInput:
    """A build of these messages after a user's."""
    return PIPELINE.build([USER, *messages], attrs.evolve(OPTIONS, **fields))


def types_and_ids(assembled: AssembledInput) -> list[tuple[str, str | None]]:
    """Type and id of every item but the user's."""
    return [(item["type"], item.get("id")) for item in assembled.input[1:]]


def codes(assembled: AssembledInput) -> list[str]:
    """The codes of the warnings but those of written types, sorted."""
    return sorted(warning.code for warning in assembled.warnings if warning.code != "item-type-written")


# --- the seams alone


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_a_signature_is_strict_json(number: str) -> None:
    """What only some readers take for JSON is none: the thought gives nothing."""
    assert thinking_item(ThinkingBlock("", f'{{"encrypted_content":"x","n":{number}}}')) is None


def test_a_signature_nested_too_deep_gives_nothing() -> None:
    """Nesting beyond what can be read is no error of the whole history."""
    assert (
        thinking_item(ThinkingBlock("", '{"encrypted_content":"x","d":' + "[" * 100_000 + "]" * 100_000 + "}")) is None
    )


@pytest.mark.parametrize("arguments", [float("nan"), {"a": [float("inf")]}, {"a": object()}, {"a": {1, 2}}])
def test_arguments_json_can_not_hold(arguments: Any) -> None:
    """NaN, Infinity and things of other kinds are refused when they are written, naming the block and the call."""
    block = ToolCallBlock("c", "f", arguments)
    with pytest.raises(SchemaError, match="tool_call: the arguments of 'f'"):
        call_item(block, True)


def test_a_failed_history_gives_nothing() -> None:
    """A block that a user can't send fails the whole history, by its type."""
    with pytest.raises(SchemaError) as caught:
        serialize_history([USER, HistoryMessage("user", [TextBlock("a"), ToolCallBlock("c", "f")])])
    assert "tool_call" == caught.value.block


def test_output_is_stripped_only_when_blocks_were_omitted() -> None:
    """White space of a tool's text stays; with the note of omitted blocks the ASCII white space at both ends goes."""
    image = ImageBlock("AQ", "image/png")
    assert "\n a \0" == tool_output([TextBlock("\n a \0")])
    assert "a\n[1 non-text block(s) omitted]" == tool_output([TextBlock("\0\v\f\r\t a"), image])


def test_an_image_goes_as_it_is() -> None:
    """Neither type nor data of an image is looked at."""
    assert {"type": "input_image", "image_url": "data:;base64,?"} == user_part(ImageBlock("?", ""))


def test_the_later_of_two_spellings_counts() -> None:
    """Of two keys that say the same name the later one stands; other keys are left out."""

    class Name(str):
        """A text that is equal to no other spelling of itself."""

        __slots__ = ()

        def __hash__(self) -> int:
            return 1

        def __eq__(self, other: object) -> bool:
            return self is other

    [declaration] = serialize_tools([{"name": "a", Name("name"): "b", "strict": True}])
    assert {"type": "function", "name": "b", "description": None, "parameters": None} == declaration


# --- turns: what a build does with reasoning and ids


def test_a_sound_turn_keeps_everything() -> None:
    """Reasoning, call and ids go out as the log has them."""
    built = build(
        assistant(reasoning("rs_1"), ToolCallBlock("c1", "f", {}, "fc_1")),
        HistoryMessage("tool", [TextBlock("r")], "c1"),
        assistant(reasoning("rs_2"), TextBlock("a", "msg_2")),
    )
    expected = [("reasoning", "rs_1"), ("function_call", "fc_1"), ("function_call_output", None)]
    assert [*expected, ("reasoning", "rs_2"), ("message", "msg_2")] == types_and_ids(built)
    assert [] == codes(built)


def test_a_turn_that_lost_reasoning_goes_without_ids() -> None:
    """Ids leave the turn whose reasoning can't go back, and no other turn."""
    built = build(
        assistant(ThinkingBlock("t"), reasoning("rs_1"), ToolCallBlock("c1", "f", {}, "fc_1")),
        HistoryMessage("tool", [TextBlock("r")], "c1"),
        assistant(reasoning("rs_2"), TextBlock("a", "msg_2")),
    )
    expected = [("reasoning", None), ("function_call", None), ("function_call_output", None)]
    assert [*expected, ("reasoning", "rs_2"), ("message", "msg_2")] == types_and_ids(built)
    assert ["item-id-left-out", "item-id-left-out", "reasoning-left-out"] == codes(built)


def test_a_turn_goes_on_behind_a_system_message() -> None:
    """A system message is not sent, so what stands before and behind it is one turn."""
    system = HistoryMessage("system", [TextBlock("s")])
    built = build(assistant(ThinkingBlock("t")), system, assistant(TextBlock("a", "msg_1")))
    assert [("message", None)] == types_and_ids(built)
    assert ["item-id-left-out", "reasoning-left-out", "system-left-out"] == codes(built)


def test_reasoning_at_the_end_of_a_turn_falls() -> None:
    """Reasoning that led to nothing leaves, with the ids of its turn; what stands before it stays."""
    built = build(assistant(reasoning("rs_1"), TextBlock("a", "msg_1"), reasoning("rs_2"), reasoning("rs_3")), USER)
    assert [("reasoning", None), ("message", None), ("message", None)] == types_and_ids(built)
    assert ["item-id-left-out"] * 2 + ["reasoning-unpaired"] * 2 == codes(built)


@pytest.mark.parametrize("encrypted", ["", 0, [], "abc", "gAAAA b", True])
def test_reasoning_the_api_could_not_read_falls(encrypted: Any) -> None:
    """An encrypted part that is none is not sent, and the ids of its turn leave."""
    built = build(assistant(reasoning("rs_1", encrypted), TextBlock("a", "msg_1")))
    assert [("message", None)] == types_and_ids(built)
    assert ["item-id-left-out", "reasoning-left-out"] == codes(built)


def test_an_endpoint_may_seal_in_its_own_way() -> None:
    """Where the endpoint tolerates P6 or P7, the form of an encrypted part is its own affair."""
    endpoint = attrs.evolve(ENDPOINTS["openai"], tolerates=frozenset({"P7"}))
    built = build(assistant(reasoning("rs_1", "own form"), TextBlock("a", "msg_1")), endpoint=endpoint)
    assert [("reasoning", "rs_1"), ("message", "msg_1")] == types_and_ids(built)


@pytest.mark.parametrize("mode", ["off", "summary-only"])
def test_reasoning_is_replayed_only_when_asked_for(mode: str) -> None:
    """Other replay modes leave reasoning and the ids bound to it out."""
    built = build(assistant(reasoning("rs_1"), TextBlock("a", "msg_1")), reasoning_replay=mode)
    assert [("message", None)] == types_and_ids(built)


@pytest.mark.parametrize(
    ("one", "other"), [("rs_1", None), (None, "msg_1"), ("rs_1", "x"), ("x", "msg_1"), ("rs_1", "fc_1"), ("rs_1", "")]
)
def test_a_pair_carries_both_ids_or_none(one: str | None, other: str | None) -> None:
    """When one of a reasoning item and what it led to has no id that may be sent, neither carries one."""
    built = build(assistant(reasoning(one), TextBlock("a", other)))
    assert [("reasoning", None), ("message", None)] == types_and_ids(built)


def test_an_id_is_sent_once() -> None:
    """The first item with an id keeps it; a later one goes without, and the reasoning it is paired with."""
    turn = assistant(reasoning("rs_1"), TextBlock("a", "msg_1"))
    built = build(turn, USER, turn)
    assert [("reasoning", "rs_1"), ("message", "msg_1")] == types_and_ids(built)[:2]
    assert [("reasoning", None), ("message", None)] == types_and_ids(built)[3:]
    assert ["duplicate-item-id"] * 2 == codes(built)


def test_always_keeps_what_may_be_sent() -> None:
    """Where reasoning must have its id, an odd id of what follows does not cost the reasoning its own."""
    built = build(assistant(reasoning("rs_1"), TextBlock("a", "odd")), endpoint="azure")
    assert [("reasoning", "rs_1"), ("message", None)] == types_and_ids(built)
    built = build(assistant(reasoning(None), TextBlock("a", "msg_1")), endpoint="azure")
    assert [("message", None)] == types_and_ids(built)


def test_never_sends_no_id() -> None:
    """Where no id is taken, none goes out."""
    built = build(assistant(reasoning("rs_1"), TextBlock("a", "msg_1")), endpoint="codex")
    assert [("reasoning", None), ("message", None)] == types_and_ids(built)


def test_what_another_provider_said_is_left_out_aloud() -> None:
    """Foreign thoughts and the assistant's images are left out with a warning; ids of our own stay."""
    foreign = assistant(ThinkingBlock("t", "sig"), TextBlock("a", "x"), provider="other")
    built = build(foreign, assistant(ImageBlock("AQ", "image/png"), TextBlock("b", "msg_1")))
    assert [("message", None), ("message", "msg_1")] == types_and_ids(built)
    assert ["block-left-out", "reasoning-left-out"] == codes(built)


# --- the rest of a build


def test_calls_and_outputs_find_each_other() -> None:
    """An unanswered call gets an answer, an output without call goes on as text, each with a warning."""
    built = build(assistant(ToolCallBlock("c1", "f")), HistoryMessage("tool", [TextBlock("r")], "c2"))
    assert ["function_call", "function_call_output", "message"] == sorted(name for name, _ in types_and_ids(built))
    assert ["repaired-P3", "repaired-P4"] == codes(built)


@pytest.mark.parametrize(
    ("channel", "role"), [("instructions", None), ("developer-item", "developer"), ("system-item", "system")]
)
def test_instructions_have_one_carrier(channel: Any, role: str | None) -> None:
    """The host's instructions go by the channel of the options; the system messages of the log stay out in silence."""
    history = [HistoryMessage("system", [TextBlock("log")]), USER]
    built = PIPELINE.build(history, attrs.evolve(OPTIONS, system_prompt_channel=channel), instructions="host")
    carried = [item["content"][0]["text"] for item in built.input if item["role"] == role]
    assert (built.instructions, carried) == (("host", []) if role is None else (None, ["host"]))
    assert "log" not in json.dumps(built.to_request())
    assert [] == codes(built)


CLOSED: Final = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
OPEN: Final = {"type": "object", "properties": {"a": {"type": "string"}}}


def declared(schema: Any, strict: bool | None) -> dict[str, Any]:
    """What the declaration of a tool with that schema says beside its names."""
    tools = [{"name": "f", "description": "d", "input_schema": schema}]
    built = PIPELINE.build([USER], attrs.evolve(OPTIONS, strict=strict), tools=tools)
    assert built.tools is not None
    return {key: value for key, value in built.tools[0].items() if key in ("parameters", "strict")}


def test_strict_is_said_where_its_absence_would_be_wrong() -> None:
    """The API takes no 'strict' for true: a schema that does not conform says false, one that does is left alone."""
    assert {"parameters": CLOSED} == declared(CLOSED, None)
    assert {"parameters": OPEN, "strict": False} == declared(OPEN, None)
    assert {"parameters": OPEN, "strict": False} == declared(OPEN, False)
    assert {"parameters": None} == declared(None, None)


def test_strict_is_made_to_conform_when_asked_for() -> None:
    """With strict=True every schema is made to conform, or the tool and the place are named."""
    closed = {"a": {"type": ["string", "null"]}}
    assert closed == declared(OPEN, True)["parameters"]["properties"]
    assert {"parameters": CLOSED, "strict": True} == declared(None, True)
    with pytest.raises(StrictSchemaError) as caught:
        declared({"type": "object", "additionalProperties": True}, True)
    assert ("f", "additionalProperties") == (caught.value.tool, caught.value.path)


@pytest.mark.parametrize(
    ("arguments", "path"),
    [
        ({"history": [{"role": "user"}]}, "history"),
        ({"history": 7}, "history"),
        ({"history": (), "tools": ["f"]}, "tools[0]"),
        ({"history": (), "instructions": 7}, "instructions"),
    ],
)
def test_wrong_arguments_are_named(arguments: Any, path: str) -> None:
    """What is no message, no definition and no text is refused by its name."""
    with pytest.raises(InvalidStateError) as caught:
        PIPELINE.build(arguments.pop("history"), OPTIONS, **arguments)
    assert [path] == caught.value.fields


# --- overrides


def test_a_seam_reaches_what_depends_on_it() -> None:
    """A replaced leaf is used by the message seam, the history seam and the build."""
    pipeline = verbatim_pipeline(tool_output=lambda blocks, /: f"{len(blocks)} blocks")
    message = HistoryMessage("tool", [TextBlock("a")], "c")
    assert "1 blocks" == pipeline.serialize_history([message])[0]["output"]
    built = pipeline.build([assistant(ToolCallBlock("c", "f")), message], OPTIONS)
    assert "1 blocks" == built.input[1]["output"]


def test_a_replaced_history_seam_reaches_the_build() -> None:
    """The build sends what ``serialize_history`` gives, turn by turn."""
    seen: list[Sequence[HistoryMessage]] = []

    def spy(history: Sequence[HistoryMessage], /) -> list[dict[str, Any]]:
        seen.append(history)
        return serialize_history(history)

    history = [USER, assistant(TextBlock("a")), assistant(TextBlock("b")), USER]
    built = verbatim_pipeline(serialize_history=spy).build(history, OPTIONS)
    assert built.input == PIPELINE.build(history, OPTIONS).input
    assert [1, 2, 1] == [len(part) for part in seen]


def test_wrong_overrides_are_refused() -> None:
    """A misspelt seam, one that is no callable and one of the wrong shape are errors at once."""
    with pytest.raises(WiringError, match="did you mean 'tool_output'"):
        verbatim_pipeline(tool_outputs=tool_output)
    with pytest.raises(WiringError, match="tool_output"):
        verbatim_pipeline(tool_output="text")
    with pytest.raises(WiringError, match="text_item"):
        verbatim_pipeline(text_item=lambda block: {})


def test_a_seam_that_raises_is_named() -> None:
    """What a seam raises comes out as a SeamError naming the seam."""

    def broken(blocks: Any, /) -> str:
        raise KeyError("x")

    with pytest.raises(SeamError) as caught:
        verbatim_pipeline(tool_output=broken).build([HistoryMessage("tool", [], "c")], OPTIONS)
    assert "tool_output" == caught.value.seam


def test_record_overrides_and_container_have_the_same_names() -> None:
    """Record, TypedDict and container name the same seams, and each warning reaches the sink."""
    assert VERBATIM_SEAM_NAMES == tuple(VerbatimOverrides.__annotations__)
    assert set(VERBATIM_SEAM_NAMES) == set(VerbatimContainer().providers)
    assert VERBATIM_SEAM_NAMES == tuple(field.name for field in attrs.fields(VerbatimSeams))
    heard: list[Any] = []
    built = verbatim_pipeline(warn=heard.append).build([USER], OPTIONS)
    assert list(built.warnings) == heard


# --- any history

IDS: Final = st.sampled_from(["msg_1", "msg_2", "fc_1", "fc_2", "rs_1", "", "odd id", "x" * 70])
TEXTS: Final = st.text(max_size=8)
SIGNATURES: Final = st.none() | IDS
STORED: Final = st.fixed_dictionaries(
    {"encrypted_content": st.sampled_from([SEALED, SEALED + "x", "", "odd", None, False, 0])},
    optional={
        "type": st.sampled_from(["reasoning", None, "message", "compaction", 7]),
        "id": IDS,
        "summary": st.sampled_from([[], None, [{"type": "summary_text", "text": "s"}], "s"]),
        "status": st.just("completed"),
        "content": st.sampled_from([[], [{"type": "reasoning_text", "text": "t"}]]),
    },
).map(json.dumps)
VALUES: Final = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)
CALL_IDS: Final = st.sampled_from(["c1", "c2", "", "c" * 65, "c 1"])
TEXT_BLOCKS: Final = st.builds(TextBlock, TEXTS, SIGNATURES)
IMAGES: Final = st.builds(
    ImageBlock, st.sampled_from(["AQ==", "iVBORw0KGgo=", "?", ""]), st.sampled_from(["image/png", ""])
)
ASSISTANTS: Final = st.one_of(
    TEXT_BLOCKS,
    IMAGES,
    st.builds(ThinkingBlock, TEXTS, STORED | SIGNATURES),
    st.builds(ToolCallBlock, CALL_IDS, st.sampled_from(["f", "", "a b", "x" * 70, "x" * 200]), VALUES, SIGNATURES),
)
MESSAGES: Final = st.one_of(
    st.builds(HistoryMessage, st.just("system"), st.lists(TEXT_BLOCKS, max_size=1)),
    st.builds(HistoryMessage, st.just("user"), st.lists(TEXT_BLOCKS | IMAGES, max_size=2)),
    st.builds(
        HistoryMessage,
        st.just("assistant"),
        st.lists(ASSISTANTS, max_size=4),
        provider=st.sampled_from([None, "openai", "other"]),
    ),
    st.builds(HistoryMessage, st.just("tool"), st.lists(TEXT_BLOCKS | IMAGES, max_size=2), CALL_IDS),
)
HISTORIES: Final = st.lists(MESSAGES, max_size=8)


@given(HISTORIES, st.sampled_from(sorted(ENDPOINTS)))
def test_any_history_is_accepted(history: list[HistoryMessage], endpoint: str) -> None:
    """Whatever a log holds, what is sent of it passes the checker with no error, at every endpoint."""
    built = PIPELINE.build(history, attrs.evolve(OPTIONS, endpoint=endpoint))
    assert [] == [violation for violation in check_request(built) if violation.severity == "error"]


@given(HISTORIES)
def test_ids_and_reasoning_go_together(history: list[HistoryMessage]) -> None:
    """In what is sent, a reasoning item stands before an item of the agent, and both carry ids or neither does."""
    items = PIPELINE.build(history, OPTIONS).input
    for item, follower in itertools.pairwise([*items, {}]):
        if item["type"] == "reasoning":
            assert follower.get("role") == "assistant" or follower.get("type") not in (None, "message")
            assert ("id" in item) == ("id" in follower)


@given(HISTORIES)
def test_the_log_is_kept_and_every_build_is_the_same(history: list[HistoryMessage]) -> None:
    """Two builds of a log are equal, and leave it as it was."""
    before = copy.deepcopy(history)
    assert PIPELINE.build(history, OPTIONS) == PIPELINE.build(history, OPTIONS)
    assert before == history


@given(st.lists(MESSAGES, max_size=6), st.lists(MESSAGES, max_size=6))
def test_items_of_two_logs_stand_one_after_the_other(one: list[HistoryMessage], other: list[HistoryMessage]) -> None:
    """Serializing is the same message by message."""
    assert serialize_history(one) + serialize_history(other) == serialize_history([*one, *other])
