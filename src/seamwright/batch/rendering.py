"""``render_batch``: any number of states, in this process, in worker processes, or on an executor of the host's."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import Executor, Future
from contextlib import closing
from pathlib import Path
from typing import Any

import attrs

from seamwright.batch.chunks import chunks, numbered
from seamwright.batch.ids import ClaimedIds
from seamwright.batch.line import BatchLine, Numbered, Task, render_chunk
from seamwright.batch.window import Chunk, in_order
from seamwright.batch.workers import Workers
from seamwright.finding import DEFAULT_CONTAINER, find_pipeline
from seamwright.model.converter import OPTIONS
from seamwright.pipeline.pipeline import Pipeline


def render_batch(
    states: Iterable[Mapping[str, Any] | str | bytes],
    pipeline: Pipeline | str = DEFAULT_CONTAINER,
    *,
    options: Mapping[str, Any] | None = None,
    base_dir: Path | str | None = None,
    allow_paths: bool = False,
    workers: int = 1,
    executor: Executor | None = None,
    start: int = 1,
) -> Generator[BatchLine, None, None]:
    """Renders states into lines of the vendor's batch format, in order and in constant memory.

    ``states`` are state files: objects, or JSON text in UTF-8, as the lines of a file opened with ``"rb"`` are.
    A state may have a key ``custom_id`` beside those of a state file; without it the id is ``line-{number}``. Each
    state gives a :class:`BatchLine`, also one that can't be rendered or whose id an earlier line has: its ``request``
    is None and its ``problem`` says why. A blank line is counted and gives nothing.

    ``pipeline`` is a pipeline, or the name of one as ``module:attribute``. ``options`` are set in each state, over its
    own. ``base_dir`` and ``allow_paths`` are those of ``load_state``. ``start`` is the number of the first line.

    ``workers`` above 1 are processes of their own. ``executor`` is used in their place, and not shut down; ``workers``
    then says how many it has, which bounds what is under way. Either builds the pipeline itself, from its name. Closing
    the generator ends what is under way.

    Raises InvalidStateError for options that no state can have, TypeError for a pipeline that is to be sent to other
    processes and has no name, ValueError for less than one worker, WiringError for a name that leads to no pipeline,
    RuntimeError when worker processes can't be started, and OSError when there is no room for the temporary file that
    keeps the ids.
    """
    OPTIONS.read({"model": "any", **(options or {})})
    task = Task(
        pipeline=_checked(pipeline, workers, executor),
        options=dict(options or {}),
        base_dir=None if base_dir is None else os.fspath(base_dir),
        allow_paths=allow_paths,
    )
    return _unique(render_lines(numbered(states, start), task, workers, executor))


def render_lines(
    lines: Iterable[Numbered], task: Task, workers: int = 1, executor: Executor | None = None
) -> Generator[BatchLine, None, None]:
    """What becomes of each line, in order. Nothing is looked at but the line itself."""
    if executor is not None:
        yield from _flat(in_order(chunks(lines), _submitter(executor, task), 2 * workers + 1))
    elif workers > 1:
        with Workers(task, workers) as pool:
            yield from _flat(pool.rendered(chunks(lines)))
    else:
        for line in lines:  # one at a time, so that a slow source is never waited for with results in hand
            yield from render_chunk(task, [line])


def without_duplicates(line: BatchLine, ids: ClaimedIds) -> BatchLine:
    """The line, or what is wrong with it when an earlier one has its id. Lines come in order.

    A line that can't be rendered has its id all the same: which line an id belongs to then depends on the input alone.
    """
    if line.custom_id is None:
        return line
    owner = ids.claim(line.custom_id, line.number)
    if owner is None or line.request is None:
        return line
    return attrs.evolve(
        line, request=None, warnings=(), problem=f"custom_id: line {owner} has {line.custom_id!r} already"
    )


def _unique(lines: Generator[BatchLine, None, None]) -> Generator[BatchLine, None, None]:
    with closing(lines), ClaimedIds() as ids:
        for line in lines:
            yield without_duplicates(line, ids)


def _flat(results: Iterator[list[BatchLine]]) -> Iterator[BatchLine]:
    for result in results:
        yield from result


def _submitter(executor: Executor, task: Task) -> Callable[[Chunk], Future[list[BatchLine]]]:
    def submit(chunk: Chunk) -> Future[list[BatchLine]]:
        return executor.submit(render_chunk, task, chunk)

    return submit


def _checked(pipeline: Pipeline | str, workers: int, executor: Executor | None) -> Pipeline | str:
    if workers < 1:
        raise ValueError(f"workers: {workers} is less than 1")
    if executor is not None or workers > 1:
        if not isinstance(pipeline, str):
            raise TypeError(
                f"{type(pipeline).__name__} can't be sent to other processes; name it as 'module:attribute'"
            )
        if executor is None:
            find_pipeline(pipeline)  # a wrong name is an error here, before any process is started
        return pipeline
    return find_pipeline(pipeline) if isinstance(pipeline, str) else pipeline
