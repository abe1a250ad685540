"""The state file, read: every fault at once, with its path and what would be right; nothing ends in a traceback."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamwright import AgentState, FallbackStash, FileId, InvalidStateError, RenderOptions, Url, load_state
from state.samples import MEDIA, TIME, full


def faults_of(source: Any, **arguments: Any) -> dict[str, str]:
    """Path and problem of each fault."""
    with pytest.raises(InvalidStateError) as caught:
        load_state(source, **arguments)
    faults = {fault.path: fault.problem for fault in caught.value.faults}
    assert len(faults) == len(caught.value.faults), "no place is told twice"
    assert str(caught.value).count("\n") == len(faults) - 1, "one line each"
    return faults


def with_value(path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """The full file with one value replaced."""
    file = full()
    place: Any = file
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return file


def message(**fields: Any) -> dict[str, Any]:
    """A file of one message."""
    return {"model": "m", "messages": [{"id": "u", "role": "user", "content": "x", "created_at": 0, **fields}]}


# --- what is read


def test_the_full_file_is_read() -> None:
    """Every key reaches its field."""
    state, options = load_state(full())

    assert options.endpoint.name == "azure"
    assert options.unsupported_media_policy == FallbackStash(("text:caption",))
    assert options.bucket_order == ("memories", "timeline", "retrievables")
    assert state.messages[0].identity.representation == "Ann"
    assert state.messages[0].attachments[1].stash["text:caption"].derived_from_media == "md1"
    assert state.messages[1].origin is not None
    assert state.messages[1].origin.reasoning_count == 1
    assert state.thoughts[1].payload == {"variant": "other", "anything": [1]}
    assert state.tool_calls[0].checksum == "own"
    assert state.tool_calls[0].caller == {"type": "program"}
    assert [tool.name for tool in state.tools.hidden()] == ["hidden"]
    assert state.provider_tools == ({"type": "web_search", "strict": None},)


def test_only_the_model_is_needed() -> None:
    """The rest has its defaults."""
    assert load_state({"model": "m"}) == (AgentState(), RenderOptions(model="m"))
    assert load_state({"model": "m", "version": 1, "options": {}}) == (AgentState(), RenderOptions(model="m"))


def test_a_source_is_a_mapping_json_text_or_a_file(tmp_path: Path) -> None:
    """All of them give the same, also bytes with a byte-order mark and other mappings than dict."""
    expected = load_state(full())
    text = json.dumps(full(), ensure_ascii=False)
    path = tmp_path / "state.json"
    path.write_text(text, encoding="utf-8")

    for source in (
        text,
        text.encode(),
        b"\xef\xbb\xbf" + text.encode(),
        text.encode("utf-16"),
        path,
        MappingProxyType(full()),
    ):
        assert load_state(source) == expected


def test_the_source_is_not_changed() -> None:
    """Nor kept: what happens to it afterwards does not happen to the state."""
    source = full()
    state, _ = load_state(source)
    assert source == full()
    source["provider_tools"][0]["type"] = "changed"
    source["tool_calls"][0]["args"]["q"].append(2)
    assert load_state(full())[0] == state


def test_a_media_may_come_without_id() -> None:
    """It gets one of its own."""
    source = message(attachments=[{key: value for key, value in MEDIA.items() if key != "id"}] * 2)
    one, other = load_state(source)[0].messages[0].attachments
    assert one.id != other.id


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        ({"url": "https://example.org"}, Url("https://example.org")),
        ({"file_id": "f"}, FileId("f")),
        ({"data": "aGk="}, b"hi"),
        ({"data": ""}, b""),
    ],
)
def test_a_media_has_one_source(source: dict[str, str], kept: Any) -> None:
    """A reference or base64."""
    media = {key: value for key, value in MEDIA.items() if key != "data"} | source
    assert load_state(message(attachments=[media]))[0].messages[0].attachments[0].source_reader == kept


# --- the whole file


@pytest.mark.parametrize(
    "source",
    [
        "",
        " ",
        "{",
        "{]",
        '{"model": "m",}',
        "{'model': 'm'}",
        '{"model": "m"} x',
        "nul",
        "\ufeff{}",
        '{"a": "\x01"}',
        b"",
        b"\xff\xfe",
        b'{"model": "\xff"}',
        b"\x00",
        '{"model": ' + "1" * 5000 + "}",
        "[" * 100_000,
        '{"a":' * 100_000,
        "[" * 100_000 + "]" * 100_000,
    ],
    ids=range(18),
)
def test_what_is_no_json_is_told_at_the_whole(source: Any) -> None:
    """Text that breaks off, other notations, bytes that are no UTF-8, nesting without end: one fault without path."""
    faults = faults_of(source)
    assert list(faults) == [""]
    assert faults[""].startswith("no JSON")


@pytest.mark.parametrize("source", ["[]", "3", '"text"', "null", "true", '[{"model": "m"}]'])
def test_what_is_no_object_is_told_at_the_whole(source: str) -> None:
    """Whatever JSON it is."""
    assert "is not an object" in faults_of(source)[""]


def test_a_file_that_can_not_be_read_is_named(tmp_path: Path) -> None:
    """Gone, or a folder; with what the system says."""
    for path in (tmp_path / "gone.json", tmp_path):
        faults = faults_of(path)
        assert list(faults) == [""]
        assert str(path) in faults[""]
        assert "can't be read" in faults[""]


@pytest.mark.parametrize("version", [2, 0, "1", 1.0, True, None, [1]])
def test_another_version_is_told_which_one_is_read(version: Any) -> None:
    """The number 1 and nothing that resembles it."""
    faults = faults_of({"model": "m", "version": version})
    assert list(faults) == ["version"]
    assert "is not 1, the version this library reads" in faults["version"]


def test_the_model_stands_at_the_top() -> None:
    """Missing, misplaced and mistyped it is told at its place."""
    assert faults_of({}) == {"model": "is missing"}
    assert set(faults_of({"options": {"model": "m"}})) == {"model", "options.model"}
    assert set(faults_of({"model": "m", "options": {"model": "m"}})) == {"options.model"}
    assert faults_of({"model": None}) == {"model": "null is not a string"}


# --- every place


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The place of everything in a file."""
    inner: list[tuple[Any, ...]] = []
    if isinstance(value, dict):
        inner = [found for key, one in value.items() for found in places(one, (*path, key))]
    elif isinstance(value, list):
        inner = [found for index, one in enumerate(value) for found in places(one, (*path, index))]
    return [path, *inner] if path else inner


def shown(path: tuple[Any, ...]) -> str:
    """A place as a fault spells it."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".")


FREE = {
    *(("tool_calls", index, "args") for index in (0, 2, 3, 4)),
    ("tool_calls", 0, "caller"),
    ("provider_items", 0, "item"),
    ("provider_tools", 0),
    ("tools", 0, "input_schema"),
    ("tools", 1, "input_schema"),
    ("messages", 1, "annotations", 0),
    ("thoughts", 0, "payload", "item"),
    ("thoughts", 0, "payload", "sections"),
    ("thoughts", 1, "payload"),
    ("messages", 0, "attachments", 1, "stash", "text:caption", "value"),
}
"""Objects that hold what a provider or a host puts there."""


def inside_free(path: tuple[Any, ...]) -> bool:
    """Whether a place stands in such an object."""
    return any(path[: len(one)] == one and len(path) > len(one) for one in FREE)


VARIANT = ("thoughts", 0, "payload", "variant")
"""Not looked at: whatever it says, if not our own, makes the payload another provider's."""

CHECKED = [path for path in places(full()) if not inside_free(path) and path != VARIANT]


class Strange:
    """No value that any field takes."""


@pytest.mark.parametrize("path", CHECKED, ids=shown)
def test_a_strange_value_is_told_at_its_place(path: tuple[Any, ...]) -> None:
    """Whatever key it is: one fault, whose path is that of the value."""
    assert list(faults_of(with_value(path, Strange()))) == [shown(path)]


@pytest.mark.parametrize("path", [path for path in CHECKED if isinstance(path[-1], str)], ids=shown)
def test_a_list_in_the_place_of_anything_else_is_told(path: tuple[Any, ...]) -> None:
    """JSON of the wrong kind, with a value that is no value of any list."""
    if path[-1] == "value":
        return
    value = full()
    for step in path:
        value = value[step]
    told = list(faults_of(with_value(path, [Strange()])))
    assert told == [shown(path) + ("[0]" if isinstance(value, list) else "")]


OBJECTS = [path for path in CHECKED if path not in FREE] + [()]


@pytest.mark.parametrize("path", OBJECTS, ids=shown)
def test_an_unknown_key_is_told_with_the_nearest(path: tuple[Any, ...]) -> None:
    """At its own path, in every object whose keys are known."""
    file = full()
    place: Any = file
    for step in path:
        place = place[step]
    if not isinstance(place, dict) or "text:caption" in place:
        return
    key = next(iter(place))
    place[f"{key}x"] = 1
    told = faults_of(file)

    assert list(told) == [shown((*path, f"{key}x"))]
    assert told[shown((*path, f"{key}x"))].startswith("unknown key")
    assert f"(did you mean {key!r}?)" in next(iter(told.values())) or key in ("id", "role")


@pytest.mark.parametrize("variant", ["other", "", None, 3, ["responses-reasoning"], {}])
def test_a_payload_of_any_other_variant_is_kept(variant: Any) -> None:
    """As it is: nothing in it is asked for, and it is not replayed."""
    state, _ = load_state(with_value(VARIANT, variant))
    assert state.thoughts[0].payload == full()["thoughts"][0]["payload"] | {"variant": variant}


REQUIRED: dict[str, Callable[[], dict[str, Any]]] = {
    "memories": lambda: {"id": "m", "content": "x"},
    "retrievables": lambda: {"id": "r", "content": "x", "trust_tier": "first-party"},
    "thoughts": lambda: {"id": "t", "created_at": 0},
    "tool_calls": lambda: {"id": "c", "tool": "t", "args": {}, "created_at": 0},
    "provider_items": lambda: {"item": {}, "created_at": 0},
    "tools": lambda: {"name": "t", "description": "d", "input_schema": {}},
    "messages": lambda: {"id": "u", "role": "user", "created_at": 0},
}


CHOICES = {
    "role": "one of 'user', 'assistant'",
    "kind": "one of 'image', 'audio', 'video', 'document'",
    "trust_tier": "one of 'first-party', 'third-party-public', 'third-party-private'",
    "modality_hazard": "one of 'inert', 'extractable-instructions', 'opaque-perceptual'",
    "created_at": "ISO 8601 with a zone, or epoch milliseconds,",
}


def missing_at(key: str) -> str:
    """What is said of a key that is not there: what to give, where its name does not tell."""
    return f"is missing; {CHOICES[key]} is expected" if key in CHOICES else "is missing"


@pytest.mark.parametrize("collection", REQUIRED)
def test_a_missing_key_is_told_where_it_would_stand(collection: str) -> None:
    """Each that has no default; all of them when all are missing."""
    whole = REQUIRED[collection]()
    for key in whole:
        thing = {name: value for name, value in whole.items() if name != key}
        extra = {"content": "x"} if collection in ("messages", "thoughts") else {}
        assert faults_of({"model": "m", collection: [thing | extra]}) == {f"{collection}[0].{key}": missing_at(key)}
    assert set(faults_of({"model": "m", collection: [{}]})) == {f"{collection}[0].{key}" for key in whole}


@pytest.mark.parametrize(
    ("place", "value", "missing"),
    [
        (("messages", 0, "identity"), {"identifier": "a"}, "representation"),
        (("messages", 0, "attachments", 0), {"data": ""}, None),
        (("messages", 1, "origin"), {"response_id": "r", "model": "m"}, "output_index"),
        (("thoughts", 0, "payload"), {"item": {}}, "prefix_fingerprint"),
        (("thoughts", 0, "payload"), {"prefix_fingerprint": ""}, "item"),
        (("retrievables", 1, "content"), {}, "artifact"),
        (("tool_calls", 2, "results", "artifact", "tool_methods", 0), {}, "name"),
        (("options", "unsupported_media_policy"), {"mode": "fallback-stash"}, "keys"),
        (("messages", 0, "attachments", 1, "stash", "text:caption"), {"trust_tier": "first-party"}, "value"),
    ],
)
def test_a_missing_key_deep_inside(place: tuple[Any, ...], value: Any, missing: str | None) -> None:
    """In objects of objects; a media has no default tier, hazard or type."""
    expected = [missing] if missing else ["kind", "mime_type", "filename", "trust_tier", "modality_hazard"]
    assert faults_of(with_value(place, value)) == {f"{shown(place)}.{key}": missing_at(key) for key in expected}


# --- null


NULLABLE = {
    "content",
    "created_at",
    "source",
    "kind",
    "score",
    "confidence",
    "importance",
    "refusal",
    "phase",
    "origin",
    "payload",
    "replay_compatibility",
    "withheld",
    "results",
    "trusted",
    "namespace",
    "caller",
    "item_id",
    "paired_item_id",
    "derived_from_media",
    "description",
    "strict",
    "standing_instructions_version",
    "value",
    "budget",
}


@pytest.mark.parametrize("path", [path for path in CHECKED if path[0] != "version"], ids=shown)
def test_null_is_taken_only_where_none_is_a_value(path: tuple[Any, ...]) -> None:
    """It is not the same as a key that is absent: ``detail: null`` and ``args: null`` are faults."""
    try:
        load_state(with_value(path, None))
    except InvalidStateError as error:
        rule = {"content", "replay_compatibility"}
        [told] = error.fields
        assert told == shown(path) or told.rpartition(".")[2] in rule
    else:
        assert path[-1] in NULLABLE


@pytest.mark.parametrize(
    "path",
    [
        ("messages", 0, "attachments", 0, "detail"),
        ("tool_calls", 0, "args"),
        ("messages", 0, "attachments"),
        ("options",),
        ("options", "endpoint"),
        ("tools", 1, "hidden"),
        ("memories",),
    ],
    ids=shown,
)
def test_null_where_it_is_a_fault(path: tuple[Any, ...]) -> None:
    """Told at its place."""
    assert list(faults_of(with_value(path, None))) == [shown(path)]


# --- values of their own kind


@pytest.mark.parametrize("key", ["output_index", "reasoning_count"])
@pytest.mark.parametrize("count", ["1", 1.0, 1.5, True, -1, None, [1]])
def test_a_count_is_a_whole_number(key: str, count: Any) -> None:
    """Nothing is made into one."""
    path = ("provider_items", 0, "origin", key)
    given = repr(count) if isinstance(count, str) else json.dumps(count)
    assert faults_of(with_value(path, count)) == {shown(path): f"{given} is not a whole number from 0"}


@pytest.mark.parametrize(
    "time",
    [
        "2026-01-01T12:00:00",
        "2026-01-01",
        "2026-01-01T12:00:00.000",
        "12:00:00Z",
        "yesterday",
        "",
        "1767268800000",
        True,
        [],
        {},
        float("nan"),
        10**400,
        -(10**400),
        1e300,
        "9999-12-31T23:59:59-05:00",
        "0001-01-01T00:00:00+05:00",
    ],
    ids=range(16),
)
def test_a_time_without_zone_or_sense_is_told(time: Any) -> None:
    """In every collection that has times."""
    for path in (("messages", 0, "created_at"), ("memories", 0, "created_at"), ("provider_items", 0, "created_at")):
        assert list(faults_of(with_value(path, time))) == [shown(path)]


def test_a_naive_time_is_told_what_to_add() -> None:
    """The remedy stands in the message."""
    told = faults_of(message(created_at="2026-01-01T12:00:00"))
    assert "has no zone; add one, for example 'Z'" in told["messages[0].created_at"]


@pytest.mark.parametrize(
    "data",
    ["a", "aGk", "aGk=\n", " aGk=", "aG k=", "é", "a===", "-_==", "data:image/png;base64,aGk=", 3, None, [], b"aGk="],
)
def test_what_is_no_base64_is_told(data: Any) -> None:
    """Strictly: no white space, no other alphabet, no half groups."""
    told = faults_of(message(attachments=[MEDIA | {"data": data}]))
    assert list(told) == ["messages[0].attachments[0].data"]


@pytest.mark.parametrize(
    ("sources", "problem"),
    [
        ({}, "exactly one of data, path, url, file_id is needed, not 0"),
        ({"data": "", "url": "x"}, "not 2"),
        ({"data": "", "url": "x", "file_id": "y", "path": "z"}, "not 4"),
    ],
)
def test_a_media_without_one_source_is_told_at_the_whole(sources: dict[str, str], problem: str) -> None:
    """The object's own path."""
    media = {key: value for key, value in MEDIA.items() if key != "data"} | sources
    assert problem in faults_of(message(attachments=[media]))["messages[0].attachments[0]"]


def test_an_artifact_without_one_source_is_told_at_the_whole() -> None:
    """A text or a path."""
    for artifact in ({}, {"text": "a", "path": "b"}):
        told = faults_of(with_value(("tool_calls", 2, "results", "artifact"), artifact))
        assert list(told) == ["tool_calls[2].results.artifact"]
        assert "exactly one of text, path" in told["tool_calls[2].results.artifact"]


@pytest.mark.parametrize(
    ("results", "path"),
    [
        ("text", "results"),
        ([], "results"),
        (3, "results"),
        ({}, "results"),
        ({"text": "a", "artifact": {"text": "b"}}, "results"),
        ({"text": 3}, "results.text"),
        ({"text": None}, "results.text"),
        ({"media": []}, "results.media"),
        ({"media": None}, "results.media"),
        ({"media": {}}, "results.media"),
        ({"media": [3]}, "results.media[0]"),
        ({"artifacts": []}, "results.artifacts"),
        ({"artifacts": [{"text": "a"}, "b"]}, "results.artifacts[1]"),
        ({"artifact": "a"}, "results.artifact"),
        ({"artifact": {"text": "a", "kind": "xml"}}, "results.artifact.kind"),
        ({"texts": "a"}, "results.texts"),
    ],
)
def test_results_are_one_of_four_shapes(results: Any, path: str) -> None:
    """What is none is told at its key, or at the whole when it has not exactly one key."""
    told = faults_of(
        {"model": "m", "tool_calls": [{"id": "c", "tool": "t", "args": {}, "created_at": 0, "results": results}]}
    )
    assert list(told) == [f"tool_calls[0].{path}"]


def test_an_unknown_shape_of_results_is_answered_with_the_nearest() -> None:
    """``texts`` was meant to be ``text``."""
    call = {"id": "c", "tool": "t", "args": {}, "created_at": 0, "results": {"texts": "a"}}
    assert "(did you mean 'text'?)" in faults_of({"model": "m", "tool_calls": [call]})["tool_calls[0].results.texts"]


@pytest.mark.parametrize(
    "place",
    [
        ("tool_calls", 0, "args"),
        ("provider_items", 0, "item"),
        ("provider_tools", 0),
        ("tools", 0, "input_schema"),
        ("messages", 1, "annotations", 0),
        ("thoughts", 0, "payload", "item"),
        ("thoughts", 1, "payload"),
        ("tool_calls", 0, "caller"),
    ],
    ids=shown,
)
@pytest.mark.parametrize("bad", [float("nan"), float("inf"), {1: 2}, {3}, b"x", object()], ids=range(6))
def test_free_objects_hold_json(place: tuple[Any, ...], bad: Any) -> None:
    """NaN and what else JSON can't hold is told at the object, wherever in it it stands."""
    value: dict[str, Any] = {"variant": "other", "deep": [{"x": bad}]}
    assert list(faults_of(with_value(place, value))) == [shown(place)]
    if isinstance(bad, float):
        text = json.dumps(with_value(place, value))
        assert list(faults_of(text)) == [shown(place)]


@pytest.mark.parametrize("depth", [150, 250, 800, 3_000])
def test_deep_values_are_taken_or_told(depth: int) -> None:
    """Up to two hundred levels they are values; beyond that a fault at the object, or of the whole text."""
    nested = "[" * depth + "]" * depth
    for place in (("tool_calls", 0, "args"), ("provider_tools", 0), ("tools", 0, "input_schema")):
        marker = json.dumps(with_value(place, {"deep": "HERE"})).replace('"HERE"', nested)
        if depth < 200:
            load_state(marker)
        else:
            assert list(faults_of(marker)) in ([shown(place)], [""])


@pytest.mark.parametrize("depth", [100, 900, 950, 970, 985, 995])
def test_a_deep_value_where_none_belongs_is_told(depth: int) -> None:
    """Also so near the limit of the interpreter that it can't even be shown."""
    text = json.dumps(message(role="HERE")).replace('"HERE"', "[" * depth + "]" * depth)
    assert list(faults_of(text)) in (["messages[0].role"], [""])


def test_a_large_file_is_read() -> None:
    """Ten thousand messages with all their faults, in order."""
    source = {"model": "m", "messages": [{"id": "u", "role": "tool", "content": "x", "created_at": 0}] * 10_000}
    assert list(faults_of(source)) == [f"messages[{index}].role" for index in range(10_000)]


# --- rules over several fields


def test_rules_over_several_fields_are_told_at_one() -> None:
    """Each has its place."""
    thought = {"id": "t", "created_at": 0}
    told = faults_of(
        {
            "model": "m",
            "options": {"bucket_order": ["timeline", "memory", "timeline"]},
            "messages": [
                {"id": "u", "role": "user", "created_at": 0},
                {"id": "v", "role": "user", "content": "", "created_at": 0},
            ],
            "thoughts": [
                thought,
                thought | {"payload": {"variant": "x"}},
                thought | {"payload": {"item": {}, "prefix_fingerprint": ""}},
            ],
            "tools": [{"name": "a", "description": "", "input_schema": {}}] * 3,
        }
    )
    assert set(told) == {
        "options.bucket_order[1]",
        "options.bucket_order",
        "messages[0].content",
        "messages[1].content",
        "thoughts[0].content",
        "thoughts[1].replay_compatibility",
        "thoughts[2].replay_compatibility",
        "tools[1].name",
        "tools[2].name",
    }


def test_rules_over_several_fields_wait_for_the_fields() -> None:
    """A thing that has another fault is not judged as a whole."""
    told = faults_of(
        {
            "model": "m",
            "messages": [{"id": 3, "role": "user", "created_at": 0}],
            "thoughts": [{"id": "t", "created_at": "x"}],
        }
    )
    assert set(told) == {"messages[0].id", "thoughts[0].created_at"}


def test_a_duplicate_tool_is_told_whether_or_not_it_is_hidden() -> None:
    """At the name of the later one."""
    tool = {"name": "a", "description": "", "input_schema": {}}
    assert list(faults_of({"model": "m", "tools": [tool, tool | {"hidden": True}]})) == ["tools[1].name"]


@pytest.mark.parametrize("hidden", [None, 0, "yes", []])
def test_hidden_is_true_or_false(hidden: Any) -> None:
    """And stands among the keys a tool may have."""
    tool = {"name": "a", "description": "", "input_schema": {}}
    assert list(faults_of({"model": "m", "tools": [tool | {"hidden": hidden}]})) == ["tools[0].hidden"]
    assert "(did you mean 'hidden'?)" in faults_of({"model": "m", "tools": [tool | {"hiden": True}]})["tools[0].hiden"]


def test_code_does_not_come_from_a_file() -> None:
    """A tool's handler is the host's own, so it is no key."""
    tool = {"name": "a", "description": "", "input_schema": {}, "handler": "os.system"}
    assert faults_of({"model": "m", "tools": [tool]})["tools[0].handler"].startswith("unknown key")


@pytest.mark.parametrize("key", ["input", "messages ", "Model", "$schema", ""])
def test_unknown_keys_at_the_top(key: str) -> None:
    """Also what a request has."""
    assert faults_of({"model": "m", key: "x"})[key].startswith("unknown key")


@pytest.mark.parametrize("key", ["previous_response_id", "conversation"])
def test_histories_that_the_server_keeps(key: str) -> None:
    """They are no misspelt keys: where the history stands instead is told, and other faults with it."""
    faults = faults_of({"model": "m", key: "x", "tols": []})

    assert {key, "tols"} == set(faults)
    assert faults[key] == (
        "is not supported: the whole history is sent each time, and stands in messages, thoughts, tool_calls"
    )


@pytest.mark.parametrize(
    ("time", "told"),
    [
        ("2026-01-01", "'2026-01-01' has no zone; give a time with one (2026-01-01T12:00:00.000Z)"),
        ("2026-01-01 12:00", "'2026-01-01 12:00' has no zone; add one, for example 'Z'"),
        (10**40, f"{10**40} is no time in epoch milliseconds"),
        (None, "null is neither ISO 8601 with a zone nor epoch milliseconds"),
        ([True, None], "[true, null] is neither ISO 8601 with a zone nor epoch milliseconds"),
    ],
)
def test_a_wrong_time_is_shown_as_it_stands(time: Any, told: str) -> None:
    """The value as the file has it, and a remedy that makes it a time."""
    message = {"id": "u", "role": "user", "content": "x", "created_at": time}
    assert faults_of({"model": "m", "messages": [message]}) == {"messages[0].created_at": told}


def test_arguments_are_an_object_or_a_text() -> None:
    """Both forms are named where neither is there."""
    call = {"id": "c", "tool": "t", "args": None, "created_at": 0}
    told = faults_of({"model": "m", "tool_calls": [call, call | {"args": [1]}]})
    assert told == {
        "tool_calls[0].args": "null is not an object or a text that holds one",
        "tool_calls[1].args": "[1] is not an object or a text that holds one",
    }


def test_values_are_spelled_as_the_file_spells_them() -> None:
    """In a file there is no None, True or callable, on every level; in Python there is."""
    value = {"a": [None, True, {"b": False}], "c": "None"}
    expected = "{'a': [null, true, {'b': false}], 'c': 'None'} is not a string"
    assert faults_of({"model": "m", "system_prompt": value}) == {"system_prompt": expected}
    assert faults_of({"model": value}) == {"model": expected}
    with pytest.raises(InvalidStateError, match=r"None is not a string \(or a callable\)"):
        AgentState(system_prompt=cast("Any", None))


def test_a_fault_is_one_line_whatever_the_keys_hold() -> None:
    """A key can't forge a fault of its own, nor move what a terminal shows."""
    with pytest.raises(InvalidStateError) as caught:
        load_state({"model": "m", "a\nmodel: is missing": 1, "b\x1b[2J\u202e": 2})
    assert [line.partition(": unknown key")[0] for line in str(caught.value).splitlines()] == [
        r"a\nmodel: is missing",
        r"b\x1b[2J\u202e",
    ]
    assert ["a\nmodel: is missing", "b\x1b[2J\u202e"] == caught.value.fields


# --- all at once


def test_every_fault_of_a_file_is_told_at_once() -> None:
    """Each with its path, in one error."""
    source = {
        "version": 2,
        "modle": "m",
        "options": {
            "endpoint": "azur",
            "strict": "yes",
            "bucket_order": ["x"],
            "replay_compatibility": ["a", 1],
            "more": 1,
        },
        "system_prompt": 3,
        "standing_instructions": ["a", 4],
        "memories": [{"id": "m", "content": "x", "score": 2, "importance": "1"}, "x"],
        "retrievables": [
            {"id": "r", "content": {"artefact": {}}},
            {"id": "r", "content": {"artifact": {"text": 3}}, "trust_tier": "x"},
        ],
        "messages": [
            {"id": "u", "role": "usr", "content": "x", "created_at": "2026-01-01T00:00:00"},
            {
                "id": "v",
                "role": "user",
                "created_at": 0,
                "attachments": [MEDIA | {"data": "!", "detail": None, "kind": "x"}],
            },
        ],
        "thoughts": [
            {"id": "t", "created_at": 0, "payload": {"item": [], "paired_item_id": 3}, "replay_compatibility": "x"}
        ],
        "tool_calls": [
            {
                "id": "c",
                "args": None,
                "created_at": 0,
                "results": {"text": 3},
                "inline": 0,
                "origin": {"response_id": "r"},
            }
        ],
        "provider_items": [{"item": "x"}],
        "tools": [{"name": "a b", "description": None, "input_schema": "x", "hiden": True}],
        "provider_tools": [{}, "x"],
    }
    assert set(faults_of(source)) == {
        "version",
        "modle",
        "model",
        "options.endpoint",
        "options.strict",
        "options.bucket_order[0]",
        "options.replay_compatibility[1]",
        "options.more",
        "system_prompt",
        "standing_instructions[1]",
        "memories[0].score",
        "memories[0].importance",
        "memories[1]",
        "retrievables[0].content.artefact",
        "retrievables[0].content.artifact",
        "retrievables[0].trust_tier",
        "retrievables[1].content.artifact.text",
        "retrievables[1].trust_tier",
        "messages[0].role",
        "messages[0].created_at",
        "messages[1].attachments[0].data",
        "messages[1].attachments[0].detail",
        "messages[1].attachments[0].kind",
        "thoughts[0].payload.item",
        "thoughts[0].payload.paired_item_id",
        "thoughts[0].payload.prefix_fingerprint",
        "tool_calls[0].tool",
        "tool_calls[0].args",
        "tool_calls[0].results.text",
        "tool_calls[0].inline",
        "tool_calls[0].origin.output_index",
        "tool_calls[0].origin.model",
        "provider_items[0].item",
        "provider_items[0].created_at",
        "tools[0].name",
        "tools[0].description",
        "tools[0].input_schema",
        "tools[0].hiden",
        "provider_tools[1]",
    }


def told_of(source: Any) -> list[str]:
    """The paths of all faults; none for a file that is read."""
    try:
        load_state(source)
    except InvalidStateError as error:
        return error.fields
    return []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from([*CHECKED, *FREE]), JSON)
def test_no_value_ends_in_a_traceback(path: tuple[Any, ...], value: Any) -> None:
    """Any JSON in any place is read or told below that place (or by a rule of the thing it stands in)."""
    file = with_value(path, value)
    for source in (file, json.dumps(file)):
        assert all(told.startswith(str(path[0])) for told in told_of(source))


@given(JSON)
def test_no_file_ends_in_a_traceback(value: Any) -> None:
    """Any JSON at all."""
    told_of(json.dumps(value))


@given(st.text() | st.binary())
def test_no_text_ends_in_a_traceback(text: str | bytes) -> None:
    """Nor any text or bytes."""
    with pytest.raises(InvalidStateError):
        load_state(text)


def test_a_mapping_with_other_keys_is_told() -> None:
    """Keys that are no text come only from code."""
    source: Mapping[Any, Any] = {"model": "m", 3: 4}
    assert "unknown key" in faults_of(copy.copy(source))["3"]


def test_times_are_the_same_however_they_are_written() -> None:
    """ISO 8601 in any zone, or epoch milliseconds."""
    written: list[Any] = [TIME, "2026-01-01T13:00:00+01:00", 1767268800000, 1767268800000.0]
    read = {load_state(message(created_at=time))[0].messages[0].created_at for time in written}
    assert len(read) == 1
