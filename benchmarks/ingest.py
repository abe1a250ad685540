"""What taking a response in costs, as a multiple of the cold build that its request came from, in the same run.

python -m benchmarks.ingest

A response without reasoning is shown as well, without limit: there is nothing to hash for it.
"""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from typing import Any, Final

import attrs

from benchmarks.conversation import OPTIONS, conversation, filler
from benchmarks.measure import best
from seamwright import AgentState, AssembledInput, Message, Pipeline
from seamwright.ingest.stream import accumulate
from seamwright.testing.events import Event, stream_events
from seamwright.testing.items import Item, function_call, message, reasoning, response
from seamwright_containers import responses_pipeline

TURNS: Final = (10, 100, 400, 1600)
ITEMS: Final = (100, 1600)
LIMIT_AT_400: Final = 1.0
GROWTH_LIMIT: Final = 1.1
RESPONSE_GROWTH_LIMIT: Final = 2.0
"""A response of sixteen times the items would be at 16, were it not linear; the rest is noise of the small one."""
_ASKED: Final = datetime(2026, 6, 1, tzinfo=UTC)


@attrs.frozen
class Row:
    """One length of conversation: turns, items sent, seconds of the cold build and of both ingestions."""

    turns: int
    items: int
    build: float
    ingest: float
    plain: float

    @property
    def ratio(self) -> float:
        return self.ingest / self.build


def answer(*before: Item) -> dict[str, Any]:
    """A response that calls a tool."""
    return response(*before, function_call("look_up", {"query": filler(1, 60)}), id="resp_new")


def asked(pipeline: Pipeline, turns: int) -> AgentState:
    """A fresh conversation at whose end the user has asked something."""
    state = conversation(pipeline, turns)
    question = Message(id="user-new", role="user", content=filler(turns, 300), created_at=_ASKED)
    return attrs.evolve(state, messages=[*state.messages, question])


def measure(turns: int) -> Row:
    """A fresh state for each build, a fresh state and request for each ingestion."""
    pipeline = responses_pipeline()
    whole, plain = answer(reasoning(encrypted="gAAAA" + filler(1, 1495))), answer()
    request = pipeline.build_sync(asked(pipeline, turns), OPTIONS)

    def sent() -> tuple[AssembledInput, AgentState]:
        state = asked(pipeline, turns)
        return pipeline.build_sync(state, OPTIONS), state

    return Row(
        turns,
        len(request.input),
        best(lambda state: pipeline.build_sync(state, OPTIONS), lambda: asked(pipeline, turns)),
        best(lambda given: pipeline.ingest(whole, *given), sent),
        best(lambda given: pipeline.ingest(plain, *given), sent),
    )


def output(items: int) -> dict[str, Any]:
    """A response of that many items: reasoning, and the message it led to, again and again."""
    pairs = ((reasoning(filler(place, 120)), message(filler(place, 600))) for place in range(items // 2))
    return response(*(item for pair in pairs for item in pair), id="resp_new")


def of_items(items: int) -> float:
    """Seconds for a response of that many items, as a multiple of ``json.loads`` of it."""
    pipeline = responses_pipeline()
    given = output(items)
    text = json.dumps(given)

    def sent() -> tuple[AssembledInput, AgentState]:
        state = asked(pipeline, 1)
        return pipeline.build_sync(state, OPTIONS), state

    taken = best(lambda pair: pipeline.ingest(given, *pair), sent)
    return taken / best(json.loads, lambda: text)


def of_events(items: int) -> float:
    """Seconds for gathering a response of that many items from its events, as a multiple of their ``json.loads``."""
    events: list[Event] = stream_events(output(items))
    lines = [json.dumps(event) for event in events]
    gathered = best(accumulate, lambda: events)
    return gathered / best(lambda texts: [json.loads(text) for text in texts], lambda: lines)


def main() -> int:
    """Prints one row a size; 1 when a limit is passed."""
    rows = {turns: measure(turns) for turns in TURNS}
    print(f"{'turns':>6} {'items':>6} {'build ms':>9} {'ingest ms':>10} {'ratio':>6} {'without reasoning ms':>21}")
    for row in rows.values():
        times = f"{row.build * 1e3:>9.2f} {row.ingest * 1e3:>10.2f} {row.ratio:>6.2f} {row.plain * 1e3:>21.2f}"
        print(f"{row.turns:>6} {row.items:>6} {times}")
    grown = rows[1600].ratio / rows[100].ratio
    print(f"growth of an ingestion from 100 to 1600 turns, against the build: {grown:.2f}")
    longer: list[float] = []
    for label, cost, against in (
        ("response", of_items, "json.loads"),
        ("stream", of_events, "json.loads of its events"),
    ):
        small, large = map(cost, ITEMS)
        longer.append(large / small)
        print(f"{label} of {ITEMS[1]} items: {large:.2f} times {against}; growth from {ITEMS[0]}: {longer[-1]:.2f}")
    over = rows[400].ratio > LIMIT_AT_400 or grown > GROWTH_LIMIT or max(longer) > RESPONSE_GROWTH_LIMIT
    return int(over)


if __name__ == "__main__":
    sys.exit(main())
