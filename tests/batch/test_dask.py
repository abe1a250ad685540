"""``render_batch`` on a distributed engine, unchanged: Dask, with workers that build the pipeline from its name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from batch_states import state

from seamwright import BatchLine, render_batch

distributed: Any = pytest.importorskip("distributed", reason="distributed is not installed")

ACTING = "batch_states:acting"

# What the engine itself does: it closes sockets late, and warns of a busy machine.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """A cluster on this machine: two worker processes."""
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
        ) as cluster,
        distributed.Client(cluster) as connected,
    ):
        yield connected


STATES = [*[state(f"Number {number}", custom_id=f"id-{number}") for number in range(100)], state("fail here"), "{"]


def test_as_an_executor(client: Any) -> None:
    """The client's own executor takes the place of worker processes: the same lines, in order."""
    lines = list(render_batch(STATES, ACTING, executor=client.get_executor(), workers=2))

    assert list(render_batch(STATES, ACTING)) == lines


def test_as_a_task(client: Any) -> None:
    """The function itself is mapped over partitions; each worker renders its part and gives lines back."""

    def rendered(part: list[Any], start: int) -> list[BatchLine]:
        return list(render_batch(part, ACTING, start=start))

    starts = range(0, len(STATES), 25)
    parts = [STATES[start : start + 25] for start in starts]
    results = client.gather(client.map(rendered, parts, [start + 1 for start in starts]))

    assert list(render_batch(STATES, ACTING)) == [line for result in results for line in result]


def test_the_workers_are_processes_of_their_own(client: Any) -> None:
    """Nothing of a pipeline is sent: a worker that finds none by its name says so."""
    with pytest.raises(Exception, match="can't be imported"):
        list(render_batch(STATES, "no_such_module_at_all:x", executor=client.get_executor()))
