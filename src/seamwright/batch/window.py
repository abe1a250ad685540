"""Chunks through an executor: several under way, results in order, and never more than a window of them in memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Future

from seamwright.batch.line import BatchLine, Numbered

Chunk = list[Numbered]
Waiting = deque[tuple[Chunk, "Future[list[BatchLine]]"]]


def in_order(
    chunks: Iterable[Chunk],
    submit: Callable[[Chunk], Future[list[BatchLine]]],
    size: int,
    recover: Callable[[Waiting], Iterator[list[BatchLine]]] | None = None,
) -> Iterator[list[BatchLine]]:
    """The results of the chunks, in their order; at most *size* are under way.

    When the executor breaks, ``recover`` gives the results of everything that waits; without it the error is raised.
    """
    waiting: Waiting = deque()
    try:
        for chunk in chunks:
            waiting.append((chunk, submit(chunk)))
            if len(waiting) >= size:
                yield from _first(waiting, recover)
        while waiting:
            yield from _first(waiting, recover)
    finally:
        for _, future in waiting:
            future.cancel()


def _first(
    waiting: Waiting, recover: Callable[[Waiting], Iterator[list[BatchLine]]] | None
) -> Iterator[list[BatchLine]]:
    try:
        result = waiting[0][1].result()
    except BrokenExecutor:
        if recover is None:
            raise
        yield from recover(waiting)
        waiting.clear()
    else:
        waiting.popleft()
        yield result
