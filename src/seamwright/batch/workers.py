"""Worker processes: started afresh, alive no longer than the process that started them, replaced when one dies."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Final, Self

from seamwright.batch.line import BatchLine, Numbered, Task, custom_id_of, render_chunk
from seamwright.batch.window import Chunk, Waiting, in_order

# The one way to start a process that is the same everywhere and safe beside threads: nothing is inherited.
_CONTEXT: Final = multiprocessing.get_context("spawn")


class Workers:
    """Some processes that render chunks of lines. Raises RuntimeError when they can't be started."""

    def __init__(self, task: Task, count: int) -> None:
        self._task = task
        self._count = count
        self._reader, self._writer = _CONTEXT.Pipe(duplex=False)
        self._pool = self._started()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is not None:  # nobody wants what is under way: closing the pipe ends the workers at once
            self._writer.close()
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._writer.close()
        self._reader.close()

    def rendered(self, chunks: Iterable[Chunk]) -> Iterator[list[BatchLine]]:
        """The results of the chunks, in their order. Each worker has one in hand and one waiting."""
        return in_order(chunks, self._submit, 2 * self._count + 1, self._recovered)

    def _submit(self, chunk: Chunk) -> Future[list[BatchLine]]:
        try:
            with _interrupts_held():  # the pool may start a worker now
                return self._pool.submit(render_chunk, self._task, chunk)
        except BrokenExecutor as error:  # found out when its result is asked for, as when it breaks later
            future: Future[list[BatchLine]] = Future()
            future.set_exception(error)
            return future

    def _recovered(self, waiting: Waiting) -> Iterator[list[BatchLine]]:
        """A worker died, and with it everything under way. Each line goes alone now, so that the culprit is known."""
        self._renew()
        for chunk, future in waiting:
            if future.exception() is None:
                yield future.result()
            else:
                yield [self._alone(line) for line in chunk]

    def _alone(self, line: Numbered) -> BatchLine:
        try:
            return self._submit([line]).result()[0]
        except BrokenExecutor:
            self._renew()
        number, source = line
        return BatchLine(
            number=number, custom_id=custom_id_of(source, number), problem="the worker process died while rendering it"
        )

    def _renew(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._pool = self._started()

    def _started(self) -> ProcessPoolExecutor:
        pool = ProcessPoolExecutor(self._count, _CONTEXT, _begin, (self._reader,))
        try:
            with _interrupts_held():
                first = pool.submit(os.getpid)
            first.result()
        except BrokenExecutor as error:
            pool.shutdown(wait=True)
            raise RuntimeError(
                "worker processes can't be started; a script that uses them needs to begin"
                ' its work under if __name__ == "__main__"'
            ) from error
        return pool


def _begin(reader: Connection) -> None:
    """Runs first in a worker. Ctrl-C is for the process that started it; when that is gone the worker goes too."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_watch, args=(reader,), daemon=True).start()


def _watch(reader: Connection) -> None:
    """Nothing is ever sent: the pipe becomes readable when its other end is closed, by hand or by a death."""
    with contextlib.suppress(OSError, EOFError):
        reader.poll(None)
    os._exit(1)


@contextlib.contextmanager
def _interrupts_held() -> Generator[None, None, None]:
    """Lets Ctrl-C wait while workers are started: they would show a traceback before they can ignore it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
