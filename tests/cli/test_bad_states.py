"""State files that are wrong: exit 1, every fault with its path and what would be right, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from cli.terminal import QUESTION, RESPONSE, STATE, Done, called, errors, typed, written

TOOL: Final = {"name": "track", "description": "Tracks.", "input_schema": {"type": "object"}}
MEDIA: Final = {
    "kind": "document",
    "mime_type": "text/plain",
    "filename": "n.txt",
    "trust_tier": "first-party",
    "modality_hazard": "inert",
}


def refused(*arguments: str | Path, **more: Any) -> list[str]:
    """The faults of a command that printed nothing else."""
    done: Done = called(*arguments, **more)
    assert (1, "") == (done.code, done.out)
    return errors(done)


def attached(**source: Any) -> dict[str, Any]:
    """A message with a file from somewhere."""
    return {"messages": [QUESTION | {"attachments": [MEDIA | source]}]}


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "no JSON: Expecting value: line 1 column 1 (char 0)"),
        ('{"model": "m",}', "no JSON: "),
        ('{"model": "m"', "no JSON: "),
        ("model: m", "no JSON: "),
        (b"\xff\xfe\xfa", "no JSON: "),
        ("[" * 100_000, "no JSON that can be read: nested too deep"),
        ("[]", " is not an object"),
        ('"text"', " is not an object"),
        ('"{\\"model\\": \\"m\\"}"', " is not an object"),
        ("17", "17 is not an object"),
        ("null", " is not an object"),
    ],
)
def test_no_state_at_all(content: str | bytes, told: str, tmp_path: Path) -> None:
    """A file that holds no JSON, or no object, is one fault of the whole."""
    state = written(tmp_path, "state.json", content)
    (line,) = refused("render", state)

    assert line.startswith(f"{state}: ")
    assert told in line


FAULTS: Final[list[tuple[dict[str, Any], list[str]]]] = [
    ({"model": None}, ["model: null is not a string"]),
    ({"modle": "m"}, ["modle: unknown key (did you mean 'model'?)"]),
    ({"options": {"strikt": True}}, ["options.strikt: unknown key (did you mean 'strict'?)"]),
    ({"options": {"model": "m"}}, ["options.model: the model stands at the top level, beside options"]),
    ({"options": []}, ["options: "]),
    ({"version": 2}, ["version: 2 is not 1"]),
    ({"messages": {}}, ["messages: "]),
    ({"messages": [{}]}, ["messages[0].id: ", "messages[0].role: ", "messages[0].created_at: "]),
    ({"messages": [QUESTION, QUESTION | {"role": "tool"}]}, ["messages[1].role: 'tool' is not "]),
    ({"messages": [QUESTION | {"contents": "x"}]}, ["messages[0].contents: unknown key (did you mean 'content'?)"]),
    ({"messages": [QUESTION | {"content": 17}]}, ["messages[0].content: 17 is not a string"]),
    (
        {"messages": [QUESTION | {"created_at": "2026-01-01T12:00:00"}]},
        ["messages[0].created_at: '2026-01-01T12:00:00' has no zone; add one, for example 'Z'"],
    ),
    ({"messages": [QUESTION | {"created_at": "yesterday"}]}, ["messages[0].created_at: 'yesterday' is not "]),
    ({"tools": [TOOL, TOOL | {"name": "other"}, TOOL]}, ["tools[2].name: 'track' is the name of an earlier tool"]),
    ({"tools": [TOOL | {"name": "a b"}]}, ["tools[0].name: 'a b' is not 1 to 64 letters, digits, '_' or '-'"]),
    (attached(path="none.txt"), ["messages[0].attachments[0].path: "]),
    (attached(path="../secret.txt"), ["messages[0].attachments[0].path: "]),
    (attached(path="/etc/passwd"), ["messages[0].attachments[0].path: "]),
    (attached(), ["messages[0].attachments[0]: "]),
    (attached(path="a", url="https://x.y/z"), ["messages[0].attachments[0]: "]),
    ({"tool_calls": [{"id": "c"}]}, ["tool_calls[0].tool: ", "tool_calls[0].args: ", "tool_calls[0].created_at: "]),
]


@pytest.mark.parametrize(("changes", "told"), FAULTS, ids=[told[0][:40] for _, told in FAULTS])
@pytest.mark.parametrize("command", ["render", "ingest", "explain"])
def test_every_fault_is_told(
    command: str, changes: dict[str, Any], told: list[str], tmp_path: Path, response: Path
) -> None:
    """One line for each, with file, path and remedy, whichever command reads the state."""
    state = written(tmp_path, "state.json", {**STATE, **changes})
    arguments = [response, "--state", state] if command == "ingest" else [state]
    lines = refused(command, *arguments)

    assert len(told) == len(lines)
    for line, expected in zip(sorted(lines), sorted(told), strict=True):
        assert line.startswith(f"{state}: {expected}")
        assert len(line) > len(f"{state}: {expected}") or not expected.endswith(" ")


def test_all_faults_of_a_file_at_once(tmp_path: Path) -> None:
    """Whatever is wrong with a file, one run tells it: every line of the table that does not exclude another."""
    changes = {
        "modle": "m",
        "version": 2,
        "options": {"strikt": True},
        "messages": [{}, QUESTION | {"role": "tool"}, QUESTION | {"created_at": "2026-01-01T12:00:00"}],
        "tools": [TOOL | {"name": "a b"}],
        "tool_calls": [{"id": "c", "tool": "t", "args": None, "created_at": 0}],
    }
    lines = refused("render", written(tmp_path, "state.json", {**STATE, **changes}))
    paths = [line.removeprefix(f"{tmp_path}/state.json: ").partition(": ")[0] for line in lines]

    assert [
        "messages[0].created_at",
        "messages[0].id",
        "messages[0].role",
        "messages[1].role",
        "messages[2].created_at",
        "modle",
        "options.strikt",
        "tool_calls[0].args",
        "tools[0].name",
        "version",
    ] == sorted(paths)


def test_as_a_user_sees_it(tmp_path: Path) -> None:
    """Typed: the name as it was typed, no traceback, nothing on stdout."""
    written(tmp_path, "state.json", STATE | {"messages": [QUESTION | {"created_at": "2026-01-01"}]})
    done = typed("render", "state.json", cwd=tmp_path)

    assert (1, "") == (done.code, done.out)
    assert errors(done)[0].startswith("state.json: messages[0].created_at: ")


def test_what_comes_from_stdin_is_called_stdin(tmp_path: Path) -> None:
    """A name that a user knows."""
    (line,) = refused("render", "-", stdin=json.dumps({"system_prompt": "x"}))
    assert line.startswith("stdin: model: ")


@pytest.mark.parametrize(("name", "told"), [("none.json", "No such file"), (".", "Is a directory"), ("a\0b", "null")])
def test_a_file_that_cant_be_read(name: str, told: str, tmp_path: Path) -> None:
    """Exit 1, with the reason of the system."""
    (line,) = refused("render", tmp_path / name)
    assert "can't be read: " in line
    assert told in line


def test_a_path_may_leave_the_folder_when_it_is_allowed(tmp_path: Path) -> None:
    """The remedy that the fault names works."""
    written(tmp_path, "note.txt", "Late.")
    (tmp_path / "inner").mkdir()
    state = written(tmp_path / "inner", "state.json", {**STATE, **attached(path="../note.txt")})
    (line,) = refused("render", state)
    assert "messages[0].attachments[0].path: " in line

    done = called("render", state, "--allow-paths")
    assert (0, "") == (done.code, done.err)
    assert "TGF0ZS4=" in done.out


def test_a_link_out_of_the_folder_is_no_way_out(tmp_path: Path) -> None:
    """A path is resolved before it is judged."""
    written(tmp_path, "secret.txt", "Secret.")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "note.txt").symlink_to(tmp_path / "secret.txt")
    state = written(tmp_path / "inner", "state.json", {**STATE, **attached(path="note.txt")})

    assert "messages[0].attachments[0].path: " in refused("render", state)[0]


AUDIO: Final = MEDIA | {"kind": "audio", "mime_type": "audio/ogg", "data": "T2dnUw=="}
LOOSE: Final = TOOL | {"strict": True, "input_schema": {"type": "object", "oneOf": []}}


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"tools": [LOOSE]}, "oneOf"),
        ({"messages": [QUESTION | {"attachments": [AUDIO]}]}, "audio/ogg"),
    ],
)
def test_what_only_building_finds_names_the_file_too(changes: dict[str, Any], told: str, tmp_path: Path) -> None:
    """A schema that can't be strict, a media that can't be sent: wrong input like any other."""
    state = written(tmp_path, "state.json", {**STATE, **changes, "options": {"unsupported_media_policy": "throw"}})
    (line,) = refused("render", state)

    assert line.startswith(f"{state}: ")
    assert told in line


def test_a_request_or_a_response_is_no_state(tmp_path: Path) -> None:
    """One line that says what the file is and which command takes it, instead of a fault for each of its keys."""
    request = written(tmp_path, "request.json", called("render", "-", stdin=json.dumps(STATE)).json)
    (told,) = refused("render", request)
    assert told.startswith(f"{request}: this is a request, not a state file; 'seamwright check'")

    response = written(tmp_path, "response.json", RESPONSE)
    (told,) = refused("show", response, "--html", "-")
    assert told.startswith(f"{response}: this is a response, not a state file; 'seamwright ingest'")


def test_a_state_with_a_strange_key_is_still_a_state(tmp_path: Path) -> None:
    """Its messages say that it is one, so its faults are told."""
    (told,) = refused("render", written(tmp_path, "state.json", {**STATE, "input": []}))
    assert "input: unknown key" in told
