"""Nothing that comes out of a file, a name or an argument reaches the terminal as something it acts on."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cli.terminal import CALL, QUESTION, RESPONSE, STATE, Done, called, typed, written

CLEAR: Final = "\x1b[2J"
TITLE: Final = "\x1b]0;gone\x07"
HOSTILE: Final = (CLEAR, TITLE, "\x9b2J", "\x7f", "\r", "\u202ecod.exe", "\u2066", "\u2028", "\x85")
ACTED_ON: Final = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def harmless(done: Done) -> None:
    """Holds that both streams are text and line feeds alone."""
    for text in (done.out, done.err):
        assert ACTED_ON.search(text) is None, ACTED_ON.findall(text)


def everywhere(sign: str) -> dict[str, Any]:
    """A state that has it in every id, name and text that a warning, an error or a request may show."""
    waiting = {"id": f"call{sign}", "tool": f"tool{sign}", "args": {sign: sign}, "created_at": QUESTION["created_at"]}
    thought = {
        "id": f"rs{sign}",
        "created_at": QUESTION["created_at"],
        "content": sign,
        "replay_compatibility": "openai-responses-reasoning-v1",
        "payload": {
            "variant": "responses-reasoning",
            "item": {"id": "rs_1", "type": "reasoning", "summary": [], "encrypted_content": sign},
            "prefix_fingerprint": sign,
            "paired_item_id": sign,
        },
    }
    return {
        **STATE,
        "model": f"model{sign}",
        "system_prompt": f"prompt{sign}",
        "messages": [QUESTION | {"id": f"m{sign}", "content": f"text{sign}"}],
        "thoughts": [thought],
        "tool_calls": [waiting],
    }


@pytest.mark.parametrize("sign", HOSTILE, ids=ascii)
@pytest.mark.parametrize("command", ["render", "ingest", "explain", "explain --format json"])
def test_what_a_state_holds(command: str, sign: str, tmp_path: Path) -> None:
    """Ids and texts of every kind: requests and states show them as JSON escapes, which are the same values."""
    state = written(tmp_path, "state.json", everywhere(sign))
    answer = {**RESPONSE, "id": f"resp{sign}", "output": [{**CALL, "call_id": f"c{sign}", "status": "incomplete"}]}
    response = written(tmp_path, "response.json", {**answer, "status": "incomplete"})
    name, *more = command.split()
    done = called(name, response, "--state", state) if name == "ingest" else called(name, state, *more)

    assert 0 == done.code, done.err
    harmless(done)
    if name == "ingest":
        assert f"call{sign}" == done.json["tool_calls"][0]["id"]
    if name == "render":
        assert f"model{sign}" == done.json["model"]
        assert done.err


@pytest.mark.parametrize("sign", HOSTILE, ids=ascii)
def test_faults(sign: str, tmp_path: Path) -> None:
    """Keys and values that an error quotes."""
    wrong = {**STATE, sign: 1, "messages": [{**QUESTION, "role": sign, f"content{sign}": 1}], "version": sign}
    done = called("render", written(tmp_path, "state.json", wrong))

    assert 1 == done.code
    assert 4 == len(done.err.splitlines())
    harmless(done)


@pytest.mark.parametrize("sign", HOSTILE, ids=ascii)
def test_file_names(sign: str, tmp_path: Path) -> None:
    """Of states, requests, responses and targets, also with line feeds in them: one line for each fault."""
    name = f"x{sign}\nerror: y"
    state = written(tmp_path, f"{name}.json", {**STATE, "modle": 1})
    good = written(tmp_path, "good.json", STATE)
    for done in (
        called("render", state),
        called("render", tmp_path / name),
        called("ingest", tmp_path / name, "--state", good),
        called("ingest", good, "--state", state),
        called("explain", state),
        called("explain", state, state),
        called("check", tmp_path / name),
        called("check", state),
        called("render", good, "-o", tmp_path / name / "x"),
        called("schema", "-o", tmp_path / name / "x"),
    ):
        assert 0 != done.code
        harmless(done)
        assert [] == [line for line in done.err.splitlines() if line.startswith("error: y")]


@pytest.mark.parametrize("sign", HOSTILE, ids=ascii)
def test_arguments(sign: str, state: Path) -> None:
    """Options, values and commands that don't exist: a shell's pattern may bring file names in here."""
    for arguments in (
        (sign,),
        (f"--{sign}",),
        ("render", state, sign),
        ("render", state, f"--{sign}={sign}"),
        ("render", state, "--set", sign),
        ("render", state, "--set", f"{sign}=1"),
        ("render", state, "--set", f"model={sign}", "--set", f"self_identity={{{sign}"),
        ("render", state, "--set", f"endpoint={sign}"),
        ("render", state, "--container", f"{sign}:{sign}"),
        ("render", state, "--container", f"seamwright:{sign}"),
        ("check", state, "--endpoint", sign),
        ("check", state, "--format", sign),
        ("seams", "--container", f"seamwright:{sign}"),
        ("explain", state, state, "--usage", sign),
    ):
        harmless(called(*arguments))


@pytest.mark.parametrize("sign", HOSTILE, ids=ascii)
@pytest.mark.parametrize("more", [[], ["--format", "json"], ["--fix"], ["--fix", "--format", "json"]])
def test_what_a_request_holds(sign: str, more: list[str], tmp_path: Path) -> None:
    """Reports and repaired requests."""
    body = {"model": sign, "input": [{"type": sign, "role": sign, sign: sign}, {**CALL, "id": sign, "name": sign}]}
    harmless(called("check", written(tmp_path, f"r{sign}.json", body), *more))


@pytest.mark.parametrize("sign", HOSTILE, ids=ascii)
def test_what_a_provider_says(sign: str, state: Path) -> None:
    """Texts of failures, and of reasoning that was withheld."""
    for answer in (
        {**RESPONSE, "status": "failed", "error": {"code": sign, "message": f"no\n{sign}"}},
        {"error": {"message": sign, "code": sign}},
        {"type": "error", "message": sign, "code": sign},
        {**RESPONSE, "input_transformations": [{"type": "reasoning", "id": sign, "action": sign, "reason": sign}]},
        {**RESPONSE, "output": [sign]},
    ):
        harmless(called("ingest", "-", "--state", state, stdin=json.dumps(answer)))


def test_as_it_is_typed(tmp_path: Path) -> None:
    """Through the installed script, down to the bytes."""
    written(tmp_path, f"s{CLEAR}.json", {**everywhere(CLEAR), "modle": CLEAR})
    done = typed("render", f"s{CLEAR}.json", cwd=tmp_path)

    assert 1 == done.code
    assert done.err.startswith("error: s\\x1b[2J.json: modle: unknown key (did you mean 'model'?)")
    assert 1 == len(done.err.splitlines())


def places(value: Any) -> Iterator[Callable[[str], None]]:
    """A setter for every text in a JSON value."""
    pairs = list(value.items() if isinstance(value, dict) else enumerate(value))
    for key, inner in pairs:
        if isinstance(inner, str):
            yield lambda text, key=key: value.__setitem__(key, text)  # type: ignore[misc]
        elif isinstance(inner, (dict, list)):
            yield from places(inner)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_text_in_any_place(root: Path, data: st.DataObject) -> None:
    """One text of a rich state is replaced by anything: rendered or refused, both streams stay harmless."""
    state = json.loads((root / "examples" / "support_agent.json").read_text("utf-8"))
    setters = list(places(state))
    data.draw(st.sampled_from(setters))(data.draw(st.text("\x1b\x9b\x07\r\n\u202eab", min_size=1, max_size=6)))
    harmless(called("render", "-", "--allow-paths", stdin=json.dumps(state)))
