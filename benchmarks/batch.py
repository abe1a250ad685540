"""How many states a second become lines of a batch file, with one worker and with two.

python -m benchmarks.batch

Beside it stands what two processes gain over one at plain arithmetic. A machine that is busy with other things, or
whose cores are threads of one, has less than two processors to give; the limit goes down with it.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor

import attrs

from benchmarks.conversation import OPTIONS, conversation
from seamwright import dump_state, render_batch
from seamwright_containers import responses_pipeline

TURNS = 40
LINES = 2000
SUMS = 60
RUNS = 2
GAIN_LIMIT = 1.5
"""On a machine that gives two processes twice of what it gives to one."""


@attrs.frozen
class Rates:
    """Things done in a second, with one worker and with two."""

    one: float
    two: float

    @property
    def gain(self) -> float:
        return self.two / self.one


def best(rate: Callable[[int], float]) -> Rates:
    """The best of several runs with one worker and with two, by turns: what else the machine does strikes both."""
    runs = [(rate(1), rate(2)) for _ in range(RUNS)]
    one, two = map(max, zip(*runs, strict=True))
    return Rates(one, two)


def states(line: bytes) -> Iterator[bytes]:
    """As many lines as there are asked for, made when they are asked for."""
    return (line for _ in range(LINES))


def rendering(line: bytes, workers: int) -> float:
    """Lines a second, the start of the workers included; a run that skips a line measures nothing."""
    began = time.perf_counter()
    rendered = sum(result.request is not None for result in render_batch(states(line), workers=workers))
    seconds = time.perf_counter() - began
    if rendered != LINES:
        raise AssertionError(f"{LINES - rendered} lines were skipped")
    return LINES / seconds


def arithmetic(workers: int) -> float:
    """Sums a second, in processes that run already and share nothing."""
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        list(pool.map(_sum, range(2 * workers)))
        began = time.perf_counter()
        list(pool.map(_sum, range(SUMS)))
        return SUMS / (time.perf_counter() - began)


def _sum(start: int) -> int:
    return sum(number * number for number in range(start, start + 500_000))


def main() -> int:
    """Prints both rates and gains; 1 when two workers are not enough faster than one."""
    if (os.cpu_count() or 1) < 2:
        print("one core: nothing to compare")
        return 0
    line = json.dumps(dump_state(conversation(responses_pipeline(), TURNS), OPTIONS), ensure_ascii=False).encode()
    print(f"{LINES} lines of {len(line) / 1e3:.0f} kB, {TURNS} turns each")
    plain = best(arithmetic)
    batch = best(lambda workers: rendering(line, workers))
    limit = GAIN_LIMIT * min(1.0, plain.gain / 2)
    print(f"{'':>10} {'one worker':>11} {'two workers':>12} {'gain':>6}")
    print(f"{'lines/s':>10} {batch.one:>11.0f} {batch.two:>12.0f} {batch.gain:>6.2f}")
    print(f"{'sums/s':>10} {plain.one:>11.0f} {plain.two:>12.0f} {plain.gain:>6.2f}")
    print(f"the limit is a gain of {limit:.2f}")
    return int(batch.gain < limit)


if __name__ == "__main__":
    sys.exit(main())
