"""``--resume``: an interrupted run that goes on gives what an uninterrupted one gives."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any, Final

import pytest
from batch_states import batch, ids, size, started, state, until, written
from test_workers import alive

# every cause of a skipped line, among them ids that are claimed by lines that are skipped
_BAD: Final[list[Any]] = [
    state(custom_id="b", bogus=1),
    state(custom_id="a"),
    "{",
    "",
    state(custom_id="b"),
    state(custom_id=3),
]


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Where the output goes."""
    return tmp_path / "requests.jsonl"


@pytest.fixture
def part(out: Path) -> Path:
    """What it is called until it is complete."""
    return Path(f"{out}.part")


def test_cut_at_every_byte_of_the_last_lines(
    tmp_path: Path, out: Path, part: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever the last three lines are cut, the output is whole again, and everything skipped is told again."""
    container = ("--container", "batch_states:acting")  # one that is made already, as there are many runs
    monkeypatch.setattr(os, "fsync", lambda handle: None)  # which takes longer than all the rest
    states = written(
        tmp_path / "states.jsonl", [state(custom_id="a"), *_BAD, state("ä☃"), state(), *_BAD[1:3], state()]
    )
    assert 1 == batch(states, "-o", out, *container)
    whole, told = out.read_bytes(), capsys.readouterr().err
    assert ["a", "line-8", "line-9", "line-12"] == ids(whole)

    for cut in range(whole.index(b'{"custom_id":"line-8"') - 1, len(whole) + 1):
        out.unlink()
        part.write_bytes(whole[:cut])
        assert 1 == batch(states, "-o", out, "--resume", *container), cut
        assert whole == out.read_bytes(), cut
        assert told == capsys.readouterr().err, cut
        assert not part.exists()


def test_cut_at_the_beginning(tmp_path: Path, out: Path, part: Path) -> None:
    """Nothing, or less than a line, is like a run from the start; so is no part at all."""
    states = written(tmp_path / "states.jsonl", [state(), state()])
    for held in (None, b"", b"{", b'{"custom_id":"line-1","method"'):
        if held is not None:
            part.write_bytes(held)
        assert 0 == batch(states, "-o", out, "--resume")
        assert ["line-1", "line-2"] == ids(out.read_bytes())


def test_a_torn_line_longer_than_a_block(tmp_path: Path, out: Path, part: Path) -> None:
    """The end of the last whole line is found however far behind it is."""
    states = written(tmp_path / "states.jsonl", [state(), state("long " * 60_000), state()])
    assert 0 == batch(states, "-o", out)
    whole = out.read_bytes()
    for cut in (200_000, 64 * 1024, len(whole) - 1):
        part.write_bytes(whole[:cut])
        assert 0 == batch(states, "-o", out, "--resume")
        assert whole == out.read_bytes()


@pytest.mark.parametrize("workers", [1, 2])
def test_killed_and_resumed(tmp_path: Path, out: Path, part: Path, workers: int) -> None:
    """Killed at several moments, each time going on: complete, in order, no line twice, and still exit 1."""
    lines: list[Any] = [state(f"{number} " * 400) for number in range(300)]
    for number in range(7, 300, 31):
        lines[number] = _BAD[number % len(_BAD)]
    states = written(tmp_path / "states.jsonl", lines)
    assert 1 == batch(states, "-o", tmp_path / "reference.jsonl")
    whole = (tmp_path / "reference.jsonl").read_bytes()

    killed = 0
    for share in (0.0, 0.01, 0.3, 0.6, 0.9, 0.99):
        child = started(states, "-o", out, "--resume", "--workers", str(workers))
        until(lambda: child.poll() is not None or (part.exists() and size(part) >= share * len(whole)))  # noqa: B023
        child.kill()
        child.communicate()
        killed += child.returncode == -signal.SIGKILL
        held = part.read_bytes() if part.exists() else out.read_bytes()
        assert whole.startswith(held)
    assert killed >= 4

    assert 1 == batch(states, "-o", out, "--resume", "--workers", str(workers))
    assert whole == out.read_bytes()


def test_killed_before_the_new_name(tmp_path: Path, out: Path, part: Path) -> None:
    """A part that is complete needs nothing but its name, and nothing is rendered for it but the look at its end."""
    states = written(tmp_path / "states.jsonl", [state("note " + str(tmp_path / f"n{n}")) for n in range(3)])
    container = ("--container", "batch_states:acting")
    assert 0 == batch(states, "-o", out, *container)
    whole = out.read_bytes()
    out.rename(part)
    for note in tmp_path.glob("n?"):
        note.unlink()

    assert 0 == batch(states, "-o", out, "--resume", *container)
    assert whole == out.read_bytes()
    assert ["n2"] == [note.name for note in tmp_path.glob("n?")]


def test_workers_go_with_the_run_that_was_killed(tmp_path: Path, out: Path) -> None:
    """A killed run leaves no process behind, not even one in the middle of a line."""
    notes = tmp_path / "pids"
    states = written(tmp_path / "states.jsonl", [*[state(f"note {notes}")] * 48, *[state("sleep 300")] * 48])
    child = started(states, "-o", out, "--container", "batch_states:acting", "--workers", "2")
    until(lambda: notes.exists() and len(notes.read_text(encoding="utf-8").split()) == 48)
    child.kill()
    child.communicate()
    pids = {int(pid) for pid in notes.read_text(encoding="utf-8").split()}

    assert os.getpid() not in pids
    until(lambda: not any(alive(pid) for pid in pids))


def test_a_line_that_was_skipped_and_is_good_now(
    tmp_path: Path, out: Path, part: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its place is behind: it stays skipped, and the message says that a run from the start would have it."""
    states = written(tmp_path / "states.jsonl", [state(), "{", state(), state()])
    assert 1 == batch(states, "-o", out)
    first = out.read_bytes().splitlines(keepends=True)
    part.write_bytes(b"".join(first[:2]))
    written(states, [state(), state(), state(), state()])
    capsys.readouterr()

    assert 1 == batch(states, "-o", out, "--resume")
    assert ["line-1", "line-3", "line-4"] == ids(out.read_bytes())
    assert f"{states}:2: skipped by the run that is resumed; it can be rendered now" in capsys.readouterr().err


def test_other_options_are_doubted(tmp_path: Path, out: Path, part: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The last line that was done is rendered again: when it comes out otherwise, a warning says so."""
    states = written(tmp_path / "states.jsonl", [state(), state(), state()])
    assert 0 == batch(states, "-o", out)
    part.write_bytes(b"".join(out.read_bytes().splitlines(keepends=True)[:2]))

    assert 0 == batch(states, "-o", out, "--resume", "--set", "model=gpt-5.5")
    (told,) = capsys.readouterr().err.splitlines()
    assert told.startswith(f"warning: {states}:2: it is rendered otherwise now than in OUT.part")


def test_another_input_is_refused(tmp_path: Path, out: Path, part: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An id of the part that the input does not have: nothing is added, and the part stays."""
    states = written(tmp_path / "states.jsonl", [state(custom_id="a"), state(custom_id="b")])
    assert 0 == batch(states, "-o", out)
    out.rename(part)
    held = part.read_bytes()
    written(states, [state(custom_id="a"), state(custom_id="c")])

    assert 2 == batch(states, "-o", out, "--resume")
    assert "it holds 'b', which is not in the input" in capsys.readouterr().err
    assert held == part.read_bytes()
    assert not out.exists()


@pytest.mark.parametrize(
    "line", ["something else", "[]", "{}", '{"custom_id": 3, "body": {}}', '{"custom_id": "line-2"}']
)
def test_a_part_that_is_none(
    tmp_path: Path, out: Path, part: Path, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    """A whole line that is no request: the file is not ours, and not touched."""
    states = written(tmp_path / "states.jsonl", [state(), state()])
    assert 0 == batch(states, "-o", out)
    held = out.read_bytes().splitlines(keepends=True)[0] + line.encode() + b"\n"
    part.write_bytes(held)

    assert 2 == batch(states, "-o", out, "--resume")
    assert f"{part}:2: no request" in capsys.readouterr().err
    assert held == part.read_bytes()
