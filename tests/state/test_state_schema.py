"""The JSON Schema of the state file: it accepts what the loader takes, and refuses what the loader refuses by shape."""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import attrs
import pytest
from hypothesis import given
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it has no types

from seamwright import AgentState, InvalidStateError, RenderOptions, dump_state, load_state
from seamwright.cli import main
from seamwright.model.state_schema import state_schema
from seamwright.testing.strategies import options, states

ROOT: Final = Path(__file__).resolve().parents[2]
DATA: Final = ROOT / "tests" / "conformance" / "data"
VALIDATOR: Final = Draft202012Validator(state_schema())


def faults(state: Any) -> list[str]:
    """What the schema finds wrong, with the place of each."""
    return [f"{error.json_path}: {error.message[:200]}" for error in VALIDATOR.iter_errors(state)]


def loads(state: Any) -> bool:
    """Whether the loader takes a state."""
    try:
        load_state(state, base_dir=DATA)
    except InvalidStateError:
        return False
    return True


def case_states(name: str) -> Iterator[tuple[str, Any]]:
    """The states of a file of cases."""
    for line in (DATA / name).read_bytes().decode("utf-8").split("\n"):
        case = json.loads(line) if line else {}
        if "state" in case:
            yield case["name"], case["state"]


CASES: Final = list(case_states("cases.jsonl"))


def test_it_is_a_schema() -> None:
    """It is valid JSON Schema of the dialect it names, plain JSON, and every reference in it has its target."""
    schema = state_schema()
    Draft202012Validator.check_schema(schema)

    assert schema == json.loads(json.dumps(schema))
    references = set(re.findall(r'"#/\$defs/(\w+)"', json.dumps(schema)))
    assert references == set(schema["$defs"])


def test_every_case_that_loads_is_accepted() -> None:
    """All states of the build and ingest cases that the loader takes."""
    loadable = [(name, state) for name, state in CASES if loads(state)]

    assert len(loadable) > 400
    assert {} == {name: found for name, state in loadable if (found := faults(state))}


def test_most_wrong_states_are_refused() -> None:
    """Of the states that the loader refuses by the shape of one value, an editor sees most; none is accepted twice."""
    wrong = [state for _, state in CASES if isinstance(state, dict) and not loads(state)]
    seen = [state for state in wrong if faults(state)]

    assert len(wrong) > 20
    assert len(seen) > len(wrong) // 2


def test_examples_and_page_are_accepted() -> None:
    """The example, and every block of the page about the state file."""
    page = (ROOT / "docs" / "state-file.md").read_text("utf-8")
    blocks = [json.loads(block) for block in re.findall(r"^```json\n(.*?)^```", page, re.MULTILINE | re.DOTALL)]

    assert [] == faults(json.loads((ROOT / "examples" / "support_agent.json").read_bytes()))
    assert len(blocks) > 5
    for block in blocks:
        assert [] == faults({"model": "gpt-5.4", **block})


@given(states(), options())
def test_what_is_dumped_is_accepted(state: AgentState, given_options: RenderOptions) -> None:
    """Any state that can be written down is accepted as it is written."""
    with contextlib.suppress(InvalidStateError):  # it holds code
        dumped = dump_state(state, given_options)
        assert [] == faults(dumped)


WHEN: Final = "2026-03-02T09:12:00Z"
MESSAGE: Final = {"id": "m1", "role": "user", "content": "Hello.", "created_at": WHEN}
MEDIA: Final = {
    "id": "p",
    "kind": "image",
    "mime_type": "image/png",
    "filename": "p.png",
    "url": "https://shop.example/p.png",
    "trust_tier": "first-party",
    "modality_hazard": "opaque-perceptual",
}
TOOL: Final = {"name": "track", "description": "Where it is.", "input_schema": {}}
CALL: Final = {"id": "c", "tool": "track", "args": {}, "created_at": WHEN}
THOUGHT: Final = {"id": "t", "content": "Hm.", "created_at": WHEN}


def test_the_base_of_what_is_wrong_is_right() -> None:
    """What the wrong states below are made of is accepted and loads."""
    whole: dict[str, Any] = {
        "model": "m",
        "messages": [{**MESSAGE, "attachments": [MEDIA]}],
        "tools": [TOOL],
        "tool_calls": [CALL],
        "thoughts": [THOUGHT],
    }
    load_state(whole)

    assert [] == faults(whole)


@pytest.mark.parametrize(
    "state",
    [
        {},
        {"model": 3},
        {"model": "m", "memory": []},
        {"model": "m", "version": 2},
        {"model": "m", "options": {"model": "m"}},
        {"model": "m", "options": {"endpoint": "elsewhere"}},
        {"model": "m", "options": {"bucket_order": ["timeline", "timeline"]}},
        {"model": "m", "options": {"unsupported_media_policy": {"mode": "throw"}}},
        {"model": "m", "messages": [{**MESSAGE, "role": "tool"}]},
        {"model": "m", "messages": [{**MESSAGE, "contents": "x"}]},
        {"model": "m", "messages": [{key: value for key, value in MESSAGE.items() if key != "created_at"}]},
        {"model": "m", "messages": [{**MESSAGE, "created_at": True}]},
        {"model": "m", "messages": [{**MESSAGE, "identity": {"identifier": "x"}}]},
        {"model": "m", "messages": [{**MESSAGE, "attachments": [{**MEDIA, "trust_tier": "best"}]}]},
        {"model": "m", "messages": [{**MESSAGE, "attachments": [{**MEDIA, "data": "AA=="}]}]},
        {"model": "m", "tools": [{**TOOL, "name": "a b"}]},
        {"model": "m", "tools": [{**TOOL, "hidden": "yes"}]},
        {"model": "m", "tool_calls": [{**CALL, "args": 3}]},
        {"model": "m", "tool_calls": [{**CALL, "results": {"text": "x", "media": []}}]},
        {"model": "m", "thoughts": [{**THOUGHT, "withheld": 3}]},
        {"model": "m", "provider_tools": ["web_search"]},
        [],
    ],
    ids=lambda state: json.dumps(state)[-60:],
)
def test_a_wrong_shape_is_refused_by_both(state: Any) -> None:
    """What an editor should mark: wrong words, unknown keys, missing keys, wrong types. The loader refuses it too."""
    assert [] != faults(state)
    assert not isinstance(state, dict) or not loads(state)


def test_every_key_of_every_primitive_is_known() -> None:
    """The schema has each field under its name, but for what a file spells by what holds the bytes, and code."""
    schema = state_schema()
    names = {name: set(shape["properties"]) for name, shape in schema["$defs"].items()}

    assert {field.name for field in attrs.fields(AgentState) if field.init} <= set(schema["properties"])
    assert {"kind", "mime_type", "data", "path", "url", "file_id"} <= names["Media"]
    assert "source_reader" not in names["Media"]
    assert "handler" not in names["Tool"]
    assert "hidden" in names["Tool"]
    assert "model" not in names["RenderOptions"]


def test_the_command_prints_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``seamwright schema`` prints the schema, or writes it to a file."""
    assert 0 == main(["schema"])
    assert state_schema() == json.loads(capsys.readouterr().out)

    path = tmp_path / "schema.json"
    assert 0 == main(["schema", "-o", str(path)])
    assert state_schema() == json.loads(path.read_bytes())
    assert "" == capsys.readouterr().out
