"""What wiring costs, as multiples of making the ``Seams`` record alone in the same run.

python -m benchmarks.wiring
"""

from __future__ import annotations

import sys
import timeit
from collections.abc import Callable, Mapping
from typing import Any, Final

import attrs

from seamwright import Seams
from seamwright.seams import envelopes
from seamwright_containers import Plan, ResponsesContainer, resolve, responses_pipeline

LEAF_LIMIT: Final = 40.0
REPEATS: Final = 5


def seconds(call: Callable[[], object]) -> float:
    """Seconds of one call, the best of several runs of about a tenth of a second."""
    timer = timeit.Timer(call)
    number, _ = timer.autorange()
    return min(timer.repeat(REPEATS, max(1, number // 2))) / max(1, number // 2)


def nonce(identifier: str, /) -> str:
    """A seam that a request brings along: most of the graph is downstream of it."""
    return f"n-{identifier}"


def token_free(content: str, attrs: envelopes.EnvelopeAttrs, /) -> str:
    """A seam with a handful of others downstream."""
    return content


def trailing(state: object, context: object, /) -> None:
    """A seam at the top of the graph, with nothing downstream."""


def building(plan: Plan[Seams]) -> Mapping[str, Callable[[], object]]:
    """What is done once an application, once a tenant, or once a request."""
    values = attrs.asdict(plan.seams(), recurse=False)
    container = ResponsesContainer()
    return {
        "the record alone": lambda: Seams(**values),
        "new container, resolved": lambda: resolve(ResponsesContainer()),
        "responses_pipeline(nonce=…)": lambda: responses_pipeline(nonce=nonce),
        "Plan.compile(container)": lambda: Plan.compile(container),
        "plan.pipeline()": plan.pipeline,
        "plan.pipeline(trailing_step=…), nothing downstream": lambda: plan.pipeline(trailing_step=trailing),
        "plan.pipeline(trusted_envelope=…), a leaf": lambda: plan.pipeline(trusted_envelope=token_free),
        "plan.pipeline(nonce=…), the deepest leaf": lambda: plan.pipeline(nonce=nonce),
        "plan.pipeline(nonce=…, trusted_envelope=…)": lambda: plan.pipeline(nonce=nonce, trusted_envelope=token_free),
    }


def replacing(plan: Plan[Seams], name: str, value: object) -> Callable[[], object]:
    """A request that replaces one seam."""
    overrides: Any = {name: value}
    return lambda: plan.pipeline(**overrides)


def dearest(plan: Plan[Seams]) -> tuple[str, float]:
    """The seam whose replacement alone costs most, with its seconds."""
    values: dict[str, Any] = attrs.asdict(plan.seams(), recurse=False)
    costs = {name: seconds(replacing(plan, name, value)) for name, value in values.items()}
    name = max(costs, key=costs.__getitem__)
    return name, costs[name]


def calling(seams: Seams) -> tuple[float, float]:
    """Seconds of one call of a seam: the bare function, and through the record."""
    function = envelopes.nonce
    return seconds(lambda: function("m1")), seconds(lambda: seams.nonce("m1"))


def main() -> int:
    """Prints one row a way; 1 when one leaf seam costs more than the limit."""
    plan = Plan.compile(ResponsesContainer())
    rows = {label: seconds(call) for label, call in building(plan).items()}
    record = rows["the record alone"]
    print(f"{'':<52} {'µs':>10} {'records':>9}")
    for label, cost in rows.items():
        print(f"{label:<52} {cost * 1e6:>10.2f} {cost / record:>9.1f}")
    name, cost = dearest(plan)
    print(f"the dearest of all seams to replace: {name}, {cost / record:.1f} records (limit {LEAF_LIMIT:.0f})")
    bare, through = calling(plan.seams())
    print(f"one call: {bare * 1e9:.0f} ns bare, {through * 1e9:.0f} ns through the record ({through / bare:.2f})")
    return int(cost / record > LEAF_LIMIT)


if __name__ == "__main__":
    sys.exit(main())
