"""What a cold build costs, as a multiple of ``json.dumps`` of its result in the same run.

python -m benchmarks.build
"""

from __future__ import annotations

import json
import sys

import attrs

from benchmarks.conversation import OPTIONS, conversation
from benchmarks.measure import best
from seamwright import AgentState
from seamwright_containers import responses_pipeline

TURNS = (10, 100, 400, 1600)
LIMIT_AT_400 = 3.0
GROWTH_LIMIT = 1.1


@attrs.frozen
class Row:
    """One size: turns, items of the request, seconds of the build and of ``json.dumps``."""

    turns: int
    items: int
    build: float
    dumps: float

    @property
    def ratio(self) -> float:
        return self.build / self.dumps


def measure(turns: int) -> Row:
    """A fresh state for each run: nothing that an earlier run left can help."""
    pipeline = responses_pipeline()
    first = pipeline.build_sync(conversation(pipeline, turns), OPTIONS)
    if first.warnings:
        raise AssertionError(f"the conversation does not replay: {first.warnings[0]}")

    def fresh() -> AgentState:
        return conversation(pipeline, turns)

    build = best(lambda state: pipeline.build_sync(state, OPTIONS), fresh)
    dumps = best(json.dumps, lambda: pipeline.build_sync(fresh(), OPTIONS).to_request())
    return Row(turns, len(first.input), build, dumps)


def growth(small: Row, large: Row) -> float:
    """How much dearer an item became from the small size to the large, against ``json.dumps``."""
    ours = (large.build / large.items) / (small.build / small.items)
    theirs = (large.dumps / large.items) / (small.dumps / small.items)
    return ours / theirs


def main() -> int:
    """Prints one row a size; 1 when a limit is passed."""
    rows = {turns: measure(turns) for turns in TURNS}
    print(f"{'turns':>6} {'items':>6} {'build ms':>9} {'json.dumps ms':>14} {'ratio':>6}")
    for row in rows.values():
        print(f"{row.turns:>6} {row.items:>6} {row.build * 1e3:>9.2f} {row.dumps * 1e3:>14.2f} {row.ratio:>6.2f}")
    grown = growth(rows[100], rows[1600])
    print(f"growth per item from 100 to 1600 turns, against json.dumps: {grown:.2f}")
    return int(rows[400].ratio > LIMIT_AT_400 or grown > GROWTH_LIMIT)


if __name__ == "__main__":
    sys.exit(main())
