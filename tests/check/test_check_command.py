"""The command ``seamwright check``."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from check_bodies import answer, call, reasoning, stateless, stored, user

from seamwright.check import check_request
from seamwright.cli import main
from seamwright.cli.check import snippet


def check(*arguments: str) -> int:
    """Run the command."""
    return main(["check", *arguments])


def written(folder: Path, name: str, *bodies: Any) -> str:
    """A file with these bodies, one a line."""
    path = folder / name
    path.write_text("\n".join(json.dumps(body) for body in bodies), encoding="utf-8")
    return str(path)


CLEAN = stateless(user())
WARNED = stateless(user(), tools=[])
WRONG = stored(user(), reasoning(sealed=False), user())


def test_clean(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A clean request, or one with warnings only, is exit 0."""
    assert check(written(tmp_path, "a.json", CLEAN), written(tmp_path, "b.json", WARNED)) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[0].endswith("a.json: 0 errors, 0 warnings")
    assert "b.json: 0 errors, 1 warning" in out
    assert err == ""


def test_errors(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Errors are exit 1; the report says rule, place, problem, what stands there and what to do."""
    assert check(written(tmp_path, "a.json", WRONG)) == 1
    out = capsys.readouterr().out
    assert "error P1 input[1]: reasoning 'rs_1'" in out
    assert '      found: {"type": "reasoning", "summary": [], "id": "rs_1"}' in out
    assert "      to do: Send the item" in out


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"{", "not JSON"),
        (b"\xff\xfe", "not UTF-8"),
        (b"", "not JSON"),
        (None, "No such file"),
        (b'{"a": 1}\n{', ":2: not JSON"),
    ],
)
def test_unreadable(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None, told: str) -> None:
    """What can't be read is exit 2, said on stderr with the file's name."""
    path = tmp_path / "a.json"
    if content is not None:
        path.write_bytes(content)
    assert check(str(path)) == 2
    out, err = capsys.readouterr()
    assert told in err
    assert "a.json" in err
    assert "Traceback" not in out + err


def test_unreadable_wins_and_the_rest_is_still_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One unreadable file among others: exit 2, the others are reported."""
    assert check(str(tmp_path / "none.json"), written(tmp_path, "a.json", WRONG)) == 2
    assert "1 error" in capsys.readouterr().out


def test_json_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each line of a file of JSON Lines is a request, named by its line; empty lines are skipped."""
    path = written(tmp_path, "many.jsonl", CLEAN, WRONG)
    Path(path).write_text("\n" + Path(path).read_text(encoding="utf-8") + "\n\n", encoding="utf-8")
    assert check(path) == 1
    lines = [line for line in capsys.readouterr().out.splitlines() if not line.startswith(" ")]
    assert [line.rpartition("many.jsonl:")[2] for line in lines] == [
        "2: 0 errors, 0 warnings",
        "3: 1 error, 0 warnings",
    ]


def test_lines_are_told_by_their_form(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Several documents in a file of any name are read as lines."""
    assert check(written(tmp_path, "many.txt", CLEAN, CLEAN)) == 0
    assert capsys.readouterr().out.count("0 errors") == 2


def test_stdin(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """``-`` reads standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(WRONG).encode())))
    assert check("-") == 1
    assert capsys.readouterr().out.startswith("stdin: 1 error")


def test_format_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``--format json`` prints one object a request, with the violations as they are."""
    assert check(written(tmp_path, "a.jsonl", CLEAN, WRONG), "--format", "json") == 1
    clean, wrong = map(json.loads, capsys.readouterr().out.splitlines())
    assert (clean["errors"], clean["violations"]) == (0, [])
    assert wrong["errors"] == 1
    assert [(v["rule"], v["severity"], v["path"]) for v in wrong["violations"]] == [("P1", "error", "input[1]")]
    assert set(wrong["violations"][0]) == {"rule", "severity", "path", "message", "hint"}


def test_endpoint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``--endpoint`` names the profile; an unknown name is exit 2 with the nearest one."""
    path = written(tmp_path, "a.json", stateless(call(), answer(), call(), answer()))
    assert check(path) == 0
    assert check(path, "--endpoint", "compatible") == 1
    capsys.readouterr()
    assert check(path, "--endpoint", "compatibel") == 2
    out, err = capsys.readouterr()
    assert "did you mean 'compatible'" in err
    assert out == ""


def test_fix(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``--fix`` prints the repaired request on stdout and the changes on stderr, and is exit 0."""
    assert check(written(tmp_path, "a.json", WRONG), "--fix") == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == stored(user(), user())
    assert check_request(out) == []
    assert "a.json: removed input[1] (P1)" in err


def test_fix_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``--fix --format json`` prints body and changes together."""
    assert check(written(tmp_path, "a.json", WRONG), "--fix", "--format", "json") == 0
    out, err = capsys.readouterr()
    told = json.loads(out)
    assert told["body"] == stored(user(), user())
    assert [(c["rule"], c["path"], c["action"]) for c in told["changes"]] == [("P1", "input[1]", "removed")]
    assert err == ""


@pytest.mark.parametrize("body", [[], "text", 5, None, '{"input": "hi"}'])
def test_json_that_is_no_request(tmp_path: Path, capsys: pytest.CaptureFixture[str], body: Any) -> None:
    """JSON of another kind can be read, so it is an error of the request: exit 1, also for a string that holds JSON."""
    assert check(written(tmp_path, "a.json", body)) == 1
    assert "X1" in capsys.readouterr().out


def test_any_terminal_can_show_a_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A report with characters that the terminal can't write is written with escapes."""
    body = stateless({"role": "tööl \U0001f600 \ud83d", "content": "x", "é": 1})
    out = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    monkeypatch.setattr(sys, "stdout", out)
    assert check(written(tmp_path, "a.json", body)) == 1
    out.seek(0)
    assert "C2" in out.read()


def test_snippets_are_short() -> None:
    """A snippet is one short line, however large the value; where nothing stands, it shows what is around."""
    body = {"input": [{"role": "user", "content": "x" * 1_000_000}]}
    assert len(snippet(body, "input[0].content")) < 130
    assert snippet(body, "input[0].role") == '"user"'
    assert snippet(body, "input[0].status").startswith('{"role": "user"')
    assert snippet({"a b": 1}, '["a b"]') == "1"
