"""A bad state file on the command line: exit 1, every fault on a line of its own, nothing on stdout, no traceback."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from seamwright import InvalidStateError, load_state
from seamwright.cli import main
from state.samples import MEDIA, full
from state.test_state_file import CHECKED, with_value

MESSAGE = {"id": "u", "role": "user", "content": "x", "created_at": 0}
TOOL = {"name": "a", "description": "", "input_schema": {}}
CALL = {"id": "c", "tool": "t", "args": {}, "created_at": 0}


def with_path(path: str) -> dict[str, Any]:
    """A media read from a file, as a state."""
    media = {key: value for key, value in MEDIA.items() if key != "data"} | {"path": path}
    return {"model": "m", "messages": [MESSAGE | {"attachments": [media]}]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a file beside it, and links out of it."""
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "outside.png").write_bytes(b"x")
    (inside / "link.png").symlink_to(tmp_path / "outside.png")
    (inside / "up").symlink_to(tmp_path)
    return inside


def told(folder: Path, text: str, command: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The lines on stderr, without the name of the file that each begins with."""
    file = folder / "state.json"
    file.write_text(text, encoding="utf-8")
    assert 1 == main([one.replace("STATE", str(file)) for one in command])
    captured = capsys.readouterr()
    lines = captured.err.splitlines()
    assert "" == captured.out
    assert all(line.startswith(f"error: {file}: ") for line in lines)
    return [line.removeprefix(f"error: {file}: ") for line in lines]


RENDER = ("render", "STATE")

AT_WHOLE = {
    "empty": ("", "no JSON: Expecting value: line 1 column 1 (char 0)"),
    "cut off": ('{"model": "m"', "no JSON: Expecting ',' delimiter: line 1 column 14 (char 13)"),
    "nested too deep": ("[" * 100_000, "no JSON that can be read: nested too deep"),
    "a list": ("[]", "[] is not an object; a state file holds at least its model"),
    "a text": ('"{}"', "'{}' is not an object; a state file holds at least its model"),
    "null": ("null", "null is not an object; a state file holds at least its model"),
}


@pytest.mark.parametrize("name", AT_WHOLE)
def test_what_is_no_state_is_told_in_one_line(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No JSON, or no object."""
    text, expected = AT_WHOLE[name]
    assert [expected] == told(folder, text, RENDER, capsys)


def _tool_calls(**fields: Any) -> dict[str, Any]:
    return {"model": "m", "tool_calls": [CALL | fields]}


CASES: dict[str, tuple[dict[str, Any], list[str]]] = {
    "unknown keys": (
        {"model": "m", "tols": [], "messages": [MESSAGE | {"atachments": []}]},
        [
            "tols: unknown key (did you mean 'tools'?); known: version, model, options, ",
            "messages[0].atachments: unknown key (did you mean 'attachments'?); known: id, role, content, ",
        ],
    ),
    "missing keys": (
        {"messages": [{"role": "user", "content": "x"}], "tool_calls": [{}]},
        [
            "model: is missing",
            "messages[0].id: is missing",
            "messages[0].created_at: is missing",
            "tool_calls[0].id: is missing",
            "tool_calls[0].tool: is missing",
            "tool_calls[0].args: is missing",
            "tool_calls[0].created_at: is missing",
        ],
    ),
    "wrong types": (
        {"model": 3, "system_prompt": [], "memories": {}, "messages": [7, MESSAGE | {"id": None, "role": "usr"}]},
        [
            "model: 3 is not a string",
            "system_prompt: [] is not a string",
            "memories: {} is not a list",
            "messages[0]: 7 is not an object",
            "messages[1].id: null is not a string",
            "messages[1].role: 'usr' is not one of 'user', 'assistant' (did you mean 'user'?)",
        ],
    ),
    "naive times": (
        {"model": "m", "messages": [MESSAGE | {"created_at": "2026-01-01T12:00:00"}]},
        ["messages[0].created_at: '2026-01-01T12:00:00' has no zone; add one, for example 'Z'"],
    ),
    "duplicate tools": (
        {"model": "m", "tools": [TOOL, TOOL, TOOL | {"name": "b"}, TOOL]},
        [
            "tools[1].name: 'a' is the name of an earlier tool; each needs one of its own",
            "tools[3].name: 'a' is the name of an earlier tool; each needs one of its own",
        ],
    ),
    "wrong results": (
        _tool_calls(results={"media": [], "text": ""}),
        ["tool_calls[0].results: exactly one of text, media, artifact, artifacts is needed, not 2"],
    ),
    "missing path": (with_path("gone.png"), ["messages[0].attachments[0].path: 'gone.png' is no file"]),
    "escaping path": (
        with_path("../outside.png"),
        ["messages[0].attachments[0].path: '../outside.png' leaves the folder of the state file (--allow-paths lifts"],
    ),
    "escaping link": (
        with_path("link.png"),
        ["messages[0].attachments[0].path: 'link.png' leaves the folder of the state file (--allow-paths lifts this)"],
    ),
    "path through an escaping link": (
        with_path("up/outside.png"),
        ["messages[0].attachments[0].path: 'up/outside.png' leaves the folder of the state file (--allow-paths lift"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_each_fault_has_a_line_with_its_path_and_what_would_be_right(
    name: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All of them, in one run."""
    state, expected = CASES[name]
    lines = told(folder, json.dumps(state), RENDER, capsys)
    assert len(expected) == len(lines)
    assert all(any(line.startswith(one) for line in lines) for one in expected), lines


@pytest.mark.parametrize(
    "command",
    [RENDER, ("ingest", "RESPONSE", "--state", "STATE"), ("explain", "STATE")],
    ids=lambda command: command[0],
)
def test_every_command_that_reads_a_state_tells_the_same(
    command: tuple[str, ...], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With one file that has a fault of each kind."""
    response = folder / "response.json"
    response.write_text('{"object": "response", "id": "resp_1", "status": "completed", "output": []}')
    faulty = [case for case, _ in CASES.values()]
    state: dict[str, Any] = {"version": 2}
    for case in faulty:
        for key, value in case.items():
            state[key] = [*state[key], *value] if isinstance(state.get(key), list) else value
    here = tuple(one.replace("RESPONSE", str(response)) for one in command)
    lines = told(folder, json.dumps(state), here, capsys)

    with pytest.raises(InvalidStateError) as caught:
        load_state(folder / "state.json")
    assert sorted(fault.path for fault in caught.value.faults) == sorted(line.partition(":")[0] for line in lines)
    assert len(lines) > 15


def test_a_file_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With what the system says."""
    gone = str(tmp_path / "gone.json")
    assert 1 == main(["render", gone])
    captured = capsys.readouterr()
    assert ("", f"error: {gone}: can't be read: {os.strerror(2)}\n") == (captured.out, captured.err)


def test_stdin_is_named_stdin(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """And read like any file."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b'{"model": null}')))
    assert 1 == main(["render", "-"])
    captured = capsys.readouterr()
    assert ("", "error: stdin: model: null is not a string\n") == (captured.out, captured.err)


SHOWN = ("--set", "unsupported_media_policy=synthetic-description", "--set", "strict=false")
"""Options under which the full file renders, whose media are no media and whose schemas are loose."""


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.sampled_from(CHECKED),
    st.none() | st.integers() | st.text(max_size=5) | st.lists(st.text(max_size=3), max_size=2) | st.just({}),
)
def test_any_wrong_value_ends_in_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], path: tuple[Any, ...], value: Any
) -> None:
    """Whatever stands where: the file renders, or each line on stderr tells a fault; never a traceback."""
    file = tmp_path / "state.json"
    file.write_text(json.dumps(with_value(path, value)), encoding="utf-8")
    code = main(["render", str(file), *SHOWN])
    captured = capsys.readouterr()
    lines = captured.err.splitlines()
    if code == 0:
        assert json.loads(captured.out)["model"]
        assert all(line.startswith("warning: ") for line in lines)
    else:
        assert (1, "") == (code, captured.out)
        assert lines
        assert all(line.startswith("error: ") for line in lines)


def test_the_sample_itself_renders(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """So what is told above is told of the one wrong value."""
    file = tmp_path / "state.json"
    file.write_text(json.dumps(full()), encoding="utf-8")
    assert 0 == main(["render", str(file), *SHOWN])
    assert json.loads(capsys.readouterr().out)["model"] == full()["model"]
