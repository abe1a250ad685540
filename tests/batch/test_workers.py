"""Worker processes: the same lines in the same order, also when some of them die."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pytest
from batch_states import environment, state, until

from seamwright import WiringError, render_batch
from seamwright.batch.chunks import BYTES, LINES, chunks
from seamwright.batch.line import BatchLine, Numbered
from seamwright.batch.window import in_order

ACTING = "batch_states:acting"


def test_the_same_in_the_same_order() -> None:
    """Two workers give line for line what one process gives: requests, warnings, problems, numbers."""
    states: list[Any] = [state(f"Number {number}") for number in range(5 * LINES)]
    states[7] = "{"
    states[20] = ""
    states[33] = state("a \ud800 b")
    states[40] = state("fail here")
    states[50] = state(custom_id="line-3")

    assert list(render_batch(states, ACTING)) == list(render_batch(states, ACTING, workers=2))


def test_a_line_that_kills_its_worker_is_a_bad_line() -> None:
    """The line is found out and skipped, its id stays its own; everything else under way is rendered all the same."""
    states = [state(f"Number {number}") for number in range(6 * LINES)]
    states[2] = state("die", custom_id="deadly")
    states[LINES + 1] = state("die")
    states[-1] = state(custom_id="deadly")
    lines = list(render_batch(states, ACTING, workers=2))
    bad = {line.number: line.problem for line in lines if line.request is None}

    assert list(range(1, len(states) + 1)) == [line.number for line in lines]
    assert {3, LINES + 2, len(states)} == set(bad)
    assert "the worker process died while rendering it" == bad[3] == bad[LINES + 2]
    assert "custom_id: line 3 has 'deadly' already" == bad[len(states)]


def test_a_worker_that_dies_by_accident_costs_no_line(tmp_path: Path) -> None:
    """What was under way when a worker died for a reason outside the line is rendered anew."""
    states = [state(f"Number {number}") for number in range(3 * LINES)]
    states[5] = state(f"die-once {tmp_path / 'died'}")
    lines = list(render_batch(states, ACTING, workers=2))

    assert (tmp_path / "died").exists()
    assert [None] * len(states) == [line.problem for line in lines]


def test_giving_up_ends_the_workers(tmp_path: Path) -> None:
    """Closing the results does not wait for what is under way, and leaves no process behind."""
    notes = tmp_path / "pids"
    lines = render_batch([state(f"note {notes}")] * LINES + [state("sleep 600")] * 40, ACTING, workers=2)
    next(lines)
    pids = {int(pid) for pid in notes.read_text(encoding="utf-8").split()}
    lines.close()

    assert pids
    until(lambda: not any(alive(pid) for pid in pids))


def alive(pid: int) -> bool:
    """Whether a process runs. One that has ended may stand in the table until somebody asks for it."""
    try:
        if Path("/proc").is_dir():
            return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
        os.kill(pid, 0)
    except OSError:
        return False
    return True


def test_a_script_without_a_guard_is_told_what_it_lacks(tmp_path: Path) -> None:
    """A worker imports the script that started it; one that starts workers then is an error, not a flood."""
    script = tmp_path / "unguarded.py"
    script.write_text(
        "from seamwright import render_batch\nprint(list(render_batch([{'model': 'm'}], workers=2)))\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, script], env=environment(), capture_output=True, encoding="utf-8", check=False, timeout=120
    )

    assert done.returncode != 0
    assert '__name__ == "__main__"' in done.stderr.splitlines()[-1]


def test_an_executor_of_the_host() -> None:
    """Any executor renders; it gets the pipeline's name, is never flooded, and is not shut down."""
    states = [state(f"Number {number}") for number in range(9 * LINES)]
    with ThreadPoolExecutor(2) as executor:
        assert list(render_batch(states)) == list(render_batch(states, executor=executor, workers=2))
        assert 3 == executor.submit(int, "3").result()


def test_a_name_only_the_executor_can_refuse() -> None:
    """A pipeline that the workers do not find is an error of the whole, not of each line."""
    with ThreadPoolExecutor(1) as executor, pytest.raises(WiringError, match="can't be imported"):
        list(render_batch([state()], "no_such_module_at_all:x", executor=executor))


def test_a_broken_executor_of_the_host_is_its_own_affair() -> None:
    """Only workers that were started here are replaced."""

    def submit(chunk: list[Numbered]) -> Future[list[BatchLine]]:
        future: Future[list[BatchLine]] = Future()
        future.set_exception(BrokenProcessPool("gone"))
        return future

    with pytest.raises(BrokenProcessPool):
        list(in_order([[(1, state())]], submit, 3))


def test_the_window_is_bounded() -> None:
    """Never more chunks under way than the window, and each result is given as soon as it is due."""
    submitted = given = most = 0

    def submit(chunk: list[Numbered]) -> Future[list[BatchLine]]:
        nonlocal submitted, most
        submitted += 1
        most = max(most, submitted - given)
        future: Future[list[BatchLine]] = Future()
        future.set_result([BatchLine(number=number) for number, _ in chunk])
        return future

    for lines in in_order(([(number, "")] for number in range(50)), submit, 5):
        assert given == lines[0].number
        given += 1

    assert (50, 50, 5) == (submitted, given, most)


def test_chunks_are_bounded_in_lines_and_in_bytes() -> None:
    """Small lines go together, a large one ends its chunk, none is lost."""
    small = [(number, "x") for number in range(LINES + 1)]
    large: list[Numbered] = [(number, b"x" * BYTES) for number in range(3)]

    assert [LINES, 1] == [len(chunk) for chunk in chunks(small)]
    assert [1, 1, 1] == [len(chunk) for chunk in chunks(large)]
    assert [*small, *large] == [line for chunk in chunks([*small, *large]) for line in chunk]
    assert [] == list(chunks([]))
