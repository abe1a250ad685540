"""``seamwright batch``: files, messages, exit codes."""

from __future__ import annotations

import io
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest
from batch_states import batch, ids, size, started, state, until, written

from seamwright.batch.line import Unreadable
from seamwright.cli import main
from seamwright.cli.batch_input import StateLines
from seamwright.cli.batch_output import Part

ACTING = ("--container", "batch_states:acting")

fcntl: Any = pytest.importorskip("fcntl", reason="no fcntl: the tests are about POSIX")
pty: Any = pytest.importorskip("pty", reason="no pty: the tests are about POSIX")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Where the output goes."""
    return tmp_path / "requests.jsonl"


@pytest.fixture
def part(out: Path) -> Path:
    """What it is called until it is complete."""
    return Path(f"{out}.part")


def test_good_states(tmp_path: Path, out: Path, part: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every state gives its request, in order; nothing is said; no part is left."""
    states = written(tmp_path / "states.jsonl", [state(), state(custom_id="mine"), state()])

    assert 0 == batch(states, "-o", out)
    assert ["line-1", "mine", "line-3"] == ids(out.read_bytes())
    assert ("", "") == capsys.readouterr()
    assert not part.exists()


def test_the_body_is_what_render_gives(tmp_path: Path, out: Path) -> None:
    """The two commands build the same request, with the same ``--set``."""
    one = written(tmp_path / "state.json", [state(system_prompt="Be brief.")])
    changes = ("--set", "model=gpt-5.5", "--set", "system_prompt_channel=system-item")

    assert 0 == batch(one, "-o", out, *changes)
    assert 0 == main(["render", str(one), "-o", str(tmp_path / "one.json"), *changes])
    assert json.loads((tmp_path / "one.json").read_bytes()) == json.loads(out.read_bytes())["body"]


def test_bad_lines(tmp_path: Path, out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each is told with its file and number, one line for each fault, and skipped; exit 1."""
    lines = [state(), "{", "", state(bogus=1, model=2), state(custom_id="line-1"), state("fail now")]
    states = written(tmp_path / "states.jsonl", lines)

    assert 1 == batch(states, "-o", out, *ACTING)
    assert ["line-1"] == ids(out.read_bytes())
    told = capsys.readouterr().err.splitlines()
    starts = [
        "2: no JSON",
        "4: bogus: ",
        "4: model: ",
        "5: custom_id: line 1 has 'line-1'",
        "6: seam 'timeline_message'",
    ]
    assert len(starts) == len(told[:-1])
    assert all(line.startswith(f"error: {states}:{start}") for line, start in zip(told, starts, strict=False))
    assert "error: 4 lines were skipped" == told[-1]


def test_warnings(tmp_path: Path, out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each cause, with the number of the state; a warning is no reason for another exit code."""
    states = written(tmp_path / "states.jsonl", [state(), state("a \ud800 b")])

    assert 0 == batch(states, "-o", out)
    (told,) = capsys.readouterr().err.splitlines()
    assert told.startswith(f"warning: {states}:2: lone-surrogate (m1): ")


def test_an_empty_file(tmp_path: Path, out: Path) -> None:
    """No states, no requests: an empty output."""
    assert 0 == batch(written(tmp_path / "states.jsonl", []), "-o", out)
    assert b"" == out.read_bytes()


def test_no_good_line(tmp_path: Path, out: Path) -> None:
    """All lines skipped: an empty output and exit 1."""
    assert 1 == batch(written(tmp_path / "states.jsonl", ["{"]), "-o", out)
    assert b"" == out.read_bytes()


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("begin", ["", "\ufeff"])
def test_forms_of_a_file(tmp_path: Path, out: Path, begin: str, end: str) -> None:
    """A byte order mark, carriage returns, and a last line without an end change nothing."""
    text = json.dumps(state("line\u2028separator"), ensure_ascii=False)
    (tmp_path / "states.jsonl").write_bytes(f"{begin}{text}{end}{text}".encode())

    assert 0 == batch(tmp_path / "states.jsonl", "-o", out)
    assert ["line-1", "line-2"] == ids(out.read_bytes())


def test_stdin(tmp_path: Path, out: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """``-`` reads stdin, and says so where it names a line."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(state()).encode() + b"\n{")))

    assert 1 == batch("-", "-o", out)
    assert ["line-1"] == ids(out.read_bytes())
    assert capsys.readouterr().err.startswith("error: stdin:2: ")


def test_closed_stdin(out: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a stdin there is nothing to read."""
    monkeypatch.setattr(sys, "stdin", None)

    assert 1 == batch("-", "-o", out)
    assert "stdin: can't be read: it is closed" in capsys.readouterr().err


def test_a_line_that_is_too_long(tmp_path: Path) -> None:
    """It is passed over without being kept, and the lines behind it have their numbers."""
    path = tmp_path / "states.jsonl"
    path.write_bytes(b"a" * 9 + b"\n" + b"b" * 10 + b"\n" + b"c" * 11 + b"\n" + b"d" * 3_000_000 + b"\ne\n" + b"f" * 12)
    with StateLines(str(path), longest=10) as lines:
        found = list(lines)
        position, whole = lines.position, lines.size

    long = Unreadable("the line is longer than 10 bytes")
    assert [b"a" * 9, b"b" * 10, long, long, b"e", long] == found
    assert position == whole == path.stat().st_size


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["missing.jsonl", "-o", "out"], 1, "missing.jsonl: can't be read: No such file"),
        (["folder", "-o", "out"], 1, "folder: can't be read: Is a directory"),
        (["a\0b", "-o", "out"], 1, "can't be read: "),
        (["states.jsonl", "-o", "folder"], 2, "folder: can't be written: no regular file"),
        (["states.jsonl", "-o", "/dev/null"], 2, "/dev/null: can't be written: no regular file"),
        (["states.jsonl", "-o", "missing/out"], 2, "can't be written: No such file"),
        (["states.jsonl", "-o", "a\0b"], 2, "can't be written: "),
        (["states.jsonl", "-o", "-"], 2, "-o -: a file is expected"),
        (["states.jsonl", "-o", "states.jsonl"], 2, "it is what is read"),
        (["states.jsonl", "-o", "link"], 2, "it is what is read"),
        (["out.part", "-o", "out", "--resume"], 2, "it is what is read"),
        (
            ["states.jsonl", "-o", "out"],
            2,
            "out.part: it is there from a run that did not end; go on with it by --resume",
        ),
        (
            ["states.jsonl", "-o", "new", "--container", "nothing"],
            2,
            "--container nothing: MODULE:ATTRIBUTE is expected",
        ),
        (["states.jsonl", "-o", "new", "--set", "modal=x"], 2, "--set modal: no such option (did you mean 'model'?)"),
    ],
)
def test_wrong_calls(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    *,
    arguments: list[str],
    code: int,
    told: str,
) -> None:
    """What can't work is said, and no file is changed, made or lost."""
    monkeypatch.chdir(tmp_path)
    states = written(Path("states.jsonl"), [state()])
    Path("out.part").write_text("half a line", encoding="utf-8")
    Path("link").symlink_to(states)
    Path("folder").mkdir()
    before = {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}

    assert code == batch(*arguments)
    assert told in capsys.readouterr().err
    assert before == {path: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}


@pytest.mark.parametrize("count", ["0", "-1", "two"])
def test_a_wrong_number_of_workers(capsys: pytest.CaptureFixture[str], count: str) -> None:
    """One worker is the least."""
    with pytest.raises(SystemExit) as raised:
        batch("states.jsonl", "-o", "out", f"--workers={count}")
    assert 2 == raised.value.code
    assert f"'{count}' is not a number from 1" in capsys.readouterr().err


def test_an_older_output_is_replaced_at_the_end(tmp_path: Path, out: Path) -> None:
    """The old file stands until the new one is complete, which then has its permissions; links are followed."""
    out.write_text("old", encoding="utf-8")
    out.chmod(0o640)
    link = tmp_path / "link"
    link.symlink_to(out)

    assert 0 == batch(written(tmp_path / "states.jsonl", [state()]), "-o", link)
    assert ["line-1"] == ids(out.read_bytes())
    assert 0o640 == out.stat().st_mode & 0o777
    assert link.is_symlink()


def test_on_the_disk_before_it_has_its_name(tmp_path: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole file is flushed first, then renamed, then the folder is flushed."""
    done: list[str] = []
    replace = Path.replace

    def flushed(handle: int) -> None:
        done.append(f"flushed {os.fstat(handle).st_size if not out.exists() else 'folder'}")

    def renamed(self: Path, target: Path) -> Path:
        done.append("renamed")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", flushed)
    monkeypatch.setattr(Path, "replace", renamed)

    assert 0 == batch(written(tmp_path / "states.jsonl", [state(), state()]), "-o", out)
    assert [f"flushed {size(out)}", "renamed", "flushed folder"] == done


def test_one_run_at_a_time(tmp_path: Path, out: Path, part: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A part that another run is writing is left alone."""
    states = written(tmp_path / "states.jsonl", [state()])
    with part.open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert 2 == batch(states, "-o", out, "--resume")
    assert "another run is writing it" in capsys.readouterr().err


def test_an_empty_part_is_no_obstacle(tmp_path: Path, out: Path, part: Path) -> None:
    """A run that was killed before its first line has nothing to lose."""
    part.touch()

    assert 0 == batch(written(tmp_path / "states.jsonl", [state()]), "-o", out)
    assert ["line-1"] == ids(out.read_bytes())


def test_a_full_disk(
    tmp_path: Path, out: Path, part: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was written stays, and the message says how to go on."""
    states = written(tmp_path / "states.jsonl", [state(), state(), state()])
    write = Part.write

    def full(self: Part, request: bytes) -> None:
        if b'"line-3"' in request:
            raise OSError(28, "No space left on device")
        write(self, request)

    with monkeypatch.context() as patched:
        patched.setattr(Part, "write", full)
        assert 2 == batch(states, "-o", out)
    assert "No space left on device; what is done is in" in capsys.readouterr().err
    assert ["line-1", "line-2"] == ids(part.read_bytes())
    assert 0 == batch(states, "-o", out, "--resume")
    assert ["line-1", "line-2", "line-3"] == ids(out.read_bytes())


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c(tmp_path: Path, out: Path, part: Path, workers: int) -> None:
    """Exit 130 at once, no traceback from any process; what is done is kept, and the message says how to go on."""
    lines = [*[state()] * 40, *[state("sleep 300")] * 40]
    states = written(tmp_path / "states.jsonl", lines)
    child = started(states, "-o", out, *ACTING, "--workers", str(workers))
    until(lambda: size(part) > 0)
    os.killpg(child.pid, signal.SIGINT)
    _, told = child.communicate(timeout=60)

    assert 130 == child.returncode
    assert [f"error: interrupted; what is done is in {part}, go on with --resume"] == told.splitlines()
    assert ids(part.read_bytes())[0] == "line-1"
    assert not out.exists()


def test_progress_on_a_terminal(tmp_path: Path, out: Path) -> None:
    """A terminal shows lines, what was skipped and the share; at the end the line is empty again."""
    states = written(tmp_path / "states.jsonl", ["{", *[state("sleep 0.3")] * 3])
    ours, theirs = pty.openpty()
    with started(states, "-o", out, *ACTING, stderr=theirs) as child:
        child.wait(60)
    os.close(theirs)
    shown = os.read(ours, 100_000).decode()
    os.close(ours)

    assert "\r\x1b[Kline 3, 1 skipped, " in shown
    assert "%" in shown
    assert f"error: {states}:1: no JSON" in shown
    assert shown.endswith("\r\x1b[Kerror: 1 line was skipped\r\n")


def test_workers_give_the_same_file(tmp_path: Path, out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With two workers: the same bytes, the same messages, the same exit code."""
    lines: list[Any] = [state(f"Number {number}") for number in range(60)]
    lines[10] = "{"
    lines[20] = state("a \ud800 b")
    lines[50] = state(custom_id="line-2")
    states = written(tmp_path / "states.jsonl", lines)
    results = []
    for workers in ("1", "2"):
        code = batch(states, "-o", out, "--workers", workers)
        results.append((code, out.read_bytes(), capsys.readouterr()))

    assert 1 == results[0][0]
    assert results[0] == results[1]
