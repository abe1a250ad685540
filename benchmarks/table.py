"""One table: what each thing costs, against ``json.dumps`` and ``orjson.dumps`` of the same result in the same run.

python -m benchmarks.table

Everything is measured several times on end, and all of it again: the best of each counts, and what else the machine
does strikes all of it alike. Other libraries stand beside it, each with its own objects; one that is not installed is
named as skipped.
"""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import attrs
import orjson

from benchmarks.conversation import OPTIONS, conversation
from benchmarks.ingest import answer
from benchmarks.measure import best
from benchmarks.memory import measured
from benchmarks.peers import PEERS, release
from seamwright import AgentState, AssembledInput
from seamwright.check import check_request
from seamwright.testing.items import reasoning
from seamwright_containers import responses_pipeline

TURNS: Final = (100, 400, 1600)
REPEATS: Final = 3
ROUNDS: Final = {100: 7, 400: 5, 1600: 3}
"""Runs on end, by the number of turns."""
COLD_LIMIT: Final = 2.0
WARM_LIMIT: Final = 0.1
GROWTH_LIMIT: Final = 1.1
MEMORY_LIMIT: Final = 3.2
SLOWER: Final = ("pydantic-ai-slim", "langchain-openai", "litellm")
"""At 400 turns a cold build takes less time than these do for theirs."""

Subject = tuple[Callable[[Any], object], Callable[[], Any]]
"""What is measured, and what makes the thing it is given, which is not measured."""


def rounds(subjects: dict[str, Subject], number: int) -> dict[str, float]:
    """Seconds of the best run of each: each several times on end, and all of that again."""
    times = dict.fromkeys(subjects, float("inf"))
    for _ in range(REPEATS):
        for name, (run, fresh) in subjects.items():
            times[name] = min(times[name], best(run, fresh, number))
    return times


def first_turns(state: AgentState, turns: int) -> AgentState:
    """The beginning of a conversation of the benchmark."""
    return attrs.evolve(
        state,
        messages=state.messages[: 2 * turns],
        thoughts=state.thoughts[:turns],
        tool_calls=state.tool_calls[:turns],
    )


def subjects(turns: int) -> dict[str, Subject]:
    """Everything of ours that is measured at one length."""
    pipeline = responses_pipeline()
    whole = conversation(pipeline, turns + REPEATS * ROUNDS[turns])
    session = pipeline.session()
    session.build_sync(first_turns(whole, turns - 1), OPTIONS)
    lengths = iter(range(turns, turns + REPEATS * ROUNDS[turns]))
    response = answer(reasoning(encrypted="gAAAA" + "x" * 1495))

    def fresh() -> AgentState:
        return conversation(pipeline, turns)

    def built() -> AssembledInput:
        return pipeline.build_sync(fresh(), OPTIONS)

    def request() -> dict[str, Any]:
        return built().to_request()

    def sent() -> tuple[AssembledInput, AgentState]:
        state = fresh()
        return pipeline.build_sync(state, OPTIONS), state

    return {
        "json.dumps": (json.dumps, request),
        "orjson.dumps": (orjson.dumps, request),
        "cold build": (lambda state: pipeline.build_sync(state, OPTIONS), fresh),
        "warm turn": (
            lambda state: session.build_sync(state, OPTIONS),
            lambda: first_turns(whole, next(lengths)),
        ),
        "check": (check_request, request),
        "ingest": (lambda pair: pipeline.ingest(response, *pair), sent),
        "to_json": (lambda assembled: assembled.to_json(), built),
    }


def peers(turns: int) -> dict[str, Subject]:
    """The other libraries, and beside them once more what they are compared with."""
    ours = subjects(turns)
    made = {name: make() for name, make in PEERS.items() if release(name) is not None}
    theirs: dict[str, Subject] = {name: (peer.build, partial(peer.make, turns)) for name, peer in made.items()}
    return {name: ours[name] for name in ("json.dumps", "orjson.dumps", "cold build")} | theirs


def show(turns: int, times: dict[str, float]) -> None:
    """The rows of one length."""
    for name, seconds in times.items():
        label = f"{name} {release(name)}" if name in PEERS else name
        plain, fast = seconds / times["json.dumps"], seconds / times["orjson.dumps"]
        print(f"{turns:>6}  {label:<28} {seconds * 1e3:>10.3f} {plain:>13.2f} {fast:>15.2f}")


def faults(all_times: dict[int, dict[str, float]], beside: dict[str, float], memory: float | None) -> list[str]:
    """The limits that were passed, in words."""
    found: list[str] = []
    ratio = {
        turns: {name: one / times["json.dumps"] for name, one in times.items()} for turns, times in all_times.items()
    }
    if ratio[400]["cold build"] > COLD_LIMIT:
        found.append(f"a cold build of 400 turns takes {ratio[400]['cold build']:.2f} times json.dumps")
    found += [
        f"a warm turn at {turns} takes {ratio[turns]['warm turn']:.3f} times json.dumps"
        for turns in (400, 1600)
        if ratio[turns]["warm turn"] > WARM_LIMIT
    ]
    grown = ratio[1600]["cold build"] / ratio[100]["cold build"]
    if grown > GROWTH_LIMIT:
        found.append(f"a cold build grows {grown:.2f} times as fast as json.dumps from 100 to 1600 turns")
    found += [
        f"{name} is faster than a cold build"
        for name in SLOWER
        if name in beside and beside[name] < beside["cold build"]
    ]
    if memory is not None and memory > MEMORY_LIMIT:
        found.append(f"a document of 50 MB takes {memory:.2f} times its base64 text")
    return found


def main() -> int:
    """Prints the table; 1 when a limit is passed."""
    print(f"Python {platform.python_version()}, seamwright {release('seamwright')}, orjson {release('orjson')}")
    print(f"{'turns':>6}  {'':<28} {'ms':>10} {'× json.dumps':>13} {'× orjson.dumps':>15}")
    all_times: dict[int, dict[str, float]] = {}
    for turns in TURNS:
        all_times[turns] = rounds(subjects(turns), ROUNDS[turns])
        show(turns, all_times[turns])
    print("beside other libraries, whose modules this process has loaded from here on:")
    beside = rounds(peers(400), ROUNDS[400])
    show(400, beside)
    for name in PEERS:
        if release(name) is None:
            print(f"   400  {name:<28} skipped: not installed (dependency group bench)")
    memory = measured("json")
    peak = "skipped: no /proc, which tells the peak" if memory is None else f"{memory:.2f} × its base64 text"
    print(f"peak of a process over the raw bytes of a document of 50 MB, body included: {peak}")
    found = faults(all_times, beside, memory)
    print("\n".join(found) if found else "every limit is kept")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
