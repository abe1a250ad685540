"""Peak memory does not depend on the number of lines."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from batch_states import environment, state, written

_PROGRAM = """
import resource, sys
from pathlib import Path
from seamwright.cli import main
code = main(sys.argv[1:])
# On Linux the peak of a process in the table of resources begins with that of the process that started it.
status = Path("/proc/self/status")
lines = status.read_text().splitlines() if status.exists() else []
peaks = [line.split()[1] for line in lines if line.startswith("VmHWM")]
print(*peaks or [resource.getrusage(resource.RUSAGE_SELF).ru_maxrss])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(code)
"""


def peak(folder: Path, lines: int, *arguments: str) -> list[int]:
    """Peak memory of a run over so many lines: of the process and of the largest of its children."""
    states = written(
        folder / f"{lines}.jsonl", (state(custom_id=f"an id of some length, {n:08}") for n in range(lines))
    )
    command = [sys.executable, "-c", _PROGRAM, "batch", str(states), "-o", str(folder / "out"), *arguments]
    done = subprocess.run(command, env=environment(), capture_output=True, encoding="utf-8", check=True)
    with (folder / "out").open("rb") as output:
        assert lines == sum(1 for _ in output)
    return [int(size) for size in done.stdout.split()]


@pytest.mark.parametrize("workers", ["1", "2"])
def test_twenty_times_the_lines(tmp_path: Path, workers: str) -> None:
    """Twenty times the lines, each with an id of its own, take less than a tenth more."""
    few = peak(tmp_path, 1_000, "--workers", workers)
    many = peak(tmp_path, 20_000, "--workers", workers)

    assert all(more < 1.1 * less for less, more in zip(few, many, strict=True) if less), (few, many)
