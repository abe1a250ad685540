"""How many states a second become lines of a batch file, with one worker and with two.

python -m benchmarks.batch
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterator

import attrs

from benchmarks.conversation import OPTIONS, conversation
from seamwright import dump_state, render_batch
from seamwright_containers import responses_pipeline

TURNS = 40
LINES = 1000
RUNS = 3
GAIN_LIMIT = 1.5


@attrs.frozen
class Row:
    """One number of workers: lines a second, the start of the workers included."""

    workers: int
    rate: float


def states(line: bytes, count: int) -> Iterator[bytes]:
    """As many lines as there are asked for, made when they are asked for."""
    return (line for _ in range(count))


def measure(workers: int, line: bytes) -> Row:
    """One run; a run that skips a line measures nothing."""
    began = time.perf_counter()
    rendered = sum(result.request is not None for result in render_batch(states(line, LINES), workers=workers))
    seconds = time.perf_counter() - began
    if rendered != LINES:
        raise AssertionError(f"{LINES - rendered} lines were skipped")
    return Row(workers, LINES / seconds)


def best(line: bytes) -> tuple[Row, Row]:
    """The fastest of several runs with one worker and with two, by turns: what else the machine does strikes both."""
    runs = [(measure(1, line), measure(2, line)) for _ in range(RUNS)]
    one, two = (max(rows, key=lambda row: row.rate) for rows in zip(*runs, strict=True))
    return one, two


def main() -> int:
    """Prints one row a number of workers; 1 when two are not enough faster than one."""
    cores = os.cpu_count() or 1
    if cores < 2:
        print("one core: nothing to compare")
        return 0
    line = json.dumps(dump_state(conversation(responses_pipeline(), TURNS), OPTIONS), ensure_ascii=False).encode()
    one, two = best(line)
    print(f"{LINES} lines of {len(line) / 1e3:.0f} kB, {TURNS} turns each, {cores} cores")
    print(f"{'workers':>8} {'lines/s':>8} {'MB/s':>6}")
    for row in (one, two):
        print(f"{row.workers:>8} {row.rate:>8.0f} {row.rate * len(line) / 1e6:>6.1f}")
    print(f"gain: {two.rate / one.rate:.2f}")
    return int(two.rate < GAIN_LIMIT * one.rate)


if __name__ == "__main__":
    sys.exit(main())
