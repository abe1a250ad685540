"""The command ``seamwright explain``."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from explanation.requests import CASES, request
from seamwright.cli import main


def written(folder: Path, name: str, value: Any) -> str:
    """A file that holds a JSON value."""
    path = folder / name
    path.write_text(json.dumps(value), encoding="utf-8")
    return str(path)


@pytest.fixture
def pair(tmp_path: Path) -> tuple[str, str]:
    """A request, and the same with other instructions."""
    case = next(case for case in CASES if case.name == "other instructions")
    return written(tmp_path, "a.json", request()), written(tmp_path, "b.json", case.following())


def test_two_requests_are_compared(pair: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """The report has the kind, the place, what is shared and what reasoning it costs."""
    assert 0 == main(["explain", *pair])
    lines = capsys.readouterr().out.splitlines()

    assert "instructions changed at instructions" == lines[0]
    assert lines[1].startswith("shared prefix: 0 items, ")
    assert ["reasoning at input[1] (rs_1)", "reasoning at input[4] (rs_2)"] == [
        line.partition(":")[0] for line in lines[2:]
    ]


def test_a_report_as_json(pair: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """``--format json`` has every field."""
    usage = '{"input_tokens": 4000, "input_tokens_details": {"cached_tokens": 0}}'
    assert 0 == main(["explain", *pair, "--format", "json", "--usage", usage])
    told = json.loads(capsys.readouterr().out)

    assert ("instructions changed", "instructions", "ours") == (told["kind"], told["path"], told["cache"]["verdict"])
    assert [1, 4] == [one["index"] for one in told["reasoning"]]


def test_a_usage_may_be_a_file(pair: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``--usage`` takes the name of a file, for example the response itself."""
    response = {"id": "resp_1", "usage": {"input_tokens": 9, "input_tokens_details": {"cached_tokens": 0}}}
    assert 0 == main(["explain", *pair, "--usage", written(tmp_path, "usage.json", response)])

    assert "cache: " in capsys.readouterr().out


def test_outlines_are_printed_and_read(
    pair: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """``--outline`` prints digests; compared with the next request they say the same."""
    assert 0 == main(["explain", "--outline", pair[0]])
    kept = capsys.readouterr().out
    assert "customers" not in kept
    path = tmp_path / "outline.json"
    path.write_text(kept, encoding="utf-8")

    assert 0 == main(["explain", str(path), pair[1]])
    assert "instructions changed at instructions" == capsys.readouterr().out.splitlines()[0]


def test_one_state_is_explained(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With one file: a line for each reasoning item of the state."""
    state = str(root / "examples" / "support_agent.json")
    assert 0 == main(["explain", state])
    lines = capsys.readouterr().out.splitlines()
    assert any("replayed (prefix-unchanged)" in line for line in lines)
    assert any("left out (reasoning-" in line for line in lines)

    assert 0 == main(["explain", state, "--format", "json"])
    assert len(lines) == len(json.loads(capsys.readouterr().out))


def test_options_reach_the_build(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``--set`` changes what the build was asked for."""
    assert 0 == main(["explain", str(root / "examples" / "support_agent.json"), "--set", "reasoning_replay=off"])
    assert all("not asked for" in line for line in capsys.readouterr().out.splitlines())


def test_a_state_without_reasoning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing to explain is said."""
    assert 0 == main(["explain", written(tmp_path, "s.json", {"model": "gpt-5.4"})])
    assert "the state holds no reasoning\n" == capsys.readouterr().out


def test_stdin_is_one_side(
    pair: tuple[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """``-`` reads one of the two from stdin; it can't be both."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(request()).encode())))
    assert 0 == main(["explain", "-", pair[0]])
    assert capsys.readouterr().out.startswith("same\n")

    assert 2 == main(["explain", "-", "-"])
    assert "stdin holds one request" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("{", "no JSON"),
        ("[]", "a request is an object"),
        ('{"model": "m", "messages": []}', "a state file is rendered first"),
        ('{"outline": 1}', "no outline that can be read"),
    ],
)
def test_a_wrong_file_is_exit_1(
    content: str, told: str, pair: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is no request names its file, on either side."""
    path = tmp_path / "wrong.json"
    path.write_text(content, encoding="utf-8")
    for arguments in ([str(path), pair[0]], [pair[0], str(path)], ["--outline", str(path)]):
        assert 1 == main(["explain", *arguments])
        out, err = capsys.readouterr()
        assert "" == out
        assert err.startswith(f"error: {path}: ")
        assert told in err


@pytest.mark.parametrize(
    "arguments",
    [["--usage", "{"], ["--usage", "nowhere.json"], ["--usage", "x" * 5000], ["--outline"]],
    ids=["half JSON", "no file", "too long", "two outlines"],
)
def test_a_wrong_call_is_exit_2(
    arguments: list[str], pair: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A usage that is none, and an outline of two requests."""
    assert 2 == main(["explain", *pair, *arguments])
    assert capsys.readouterr().err.startswith(f"error: {arguments[0]}")


def test_a_usage_without_a_pair_is_exit_2(pair: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """A usage is judged against two requests."""
    assert 2 == main(["explain", pair[0], "--usage", "{}"])
    assert "two requests" in capsys.readouterr().err


def test_a_missing_file_is_exit_1(pair: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    """A file that is not there is named."""
    assert 1 == main(["explain", pair[0], "nowhere.json"])
    assert "nowhere.json: can't be read" in capsys.readouterr().err


def test_nothing_a_terminal_would_act_on_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An id with an escape sequence in it shows as text."""
    before = {"model": "m", "input": [{"type": "reasoning", "id": "\x1b[31m", "encrypted_content": "x"}]}
    after = {"model": "n", "input": []}
    assert 0 == main(["explain", written(tmp_path, "a.json", before), written(tmp_path, "b.json", after)])

    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\\x1b" in out
