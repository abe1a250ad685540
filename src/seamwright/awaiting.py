"""Seams that may wait: a plain function and an asynchronous one both fit.

A seam's result is awaited only when it is no result yet, so a build whose seams don't wait runs straight through:
``text = seam(…)``, then ``text if isinstance(text, str) else await settled(text, str, "seam")``.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextvars import ContextVar
from inspect import isawaitable
from types import NoneType
from typing import Any, Final, Generic, ParamSpec, TypeAlias, TypeVar

from seamwright.model.spelling import shown

P = ParamSpec("P")
T = TypeVar("T")

MaybeAwaitable: TypeAlias = T | Awaitable[T]

_RUNNER: Final[ContextVar[asyncio.Runner | None]] = ContextVar("runner", default=None)


class WrongResultError(TypeError):
    """Somebody else's function gave something else than was asked for. ``seam`` is the name of the one it is of."""

    def __init__(self, value: object, expected: type | tuple[type, ...], seam: str | None) -> None:
        self.seam = seam
        kinds = expected if isinstance(expected, tuple) else (expected,)
        names = " or ".join("None" if kind is NoneType else kind.__name__ for kind in kinds)
        super().__init__(f"it gave {shown(value)}, where {names} is expected")


async def settled(value: Awaitable[T], expected: type | tuple[type, ...] = object, seam: str | None = None) -> T:
    """Awaits what somebody else gave; under :func:`drive` without a loop, runs it in a loop made for it.

    ``seam`` names who gave it, and :class:`WrongResultError` blames it when it is no awaitable and not what was
    expected, or comes to something else.
    """
    if not isawaitable(value):
        raise WrongResultError(value, expected, seam)
    runner = _RUNNER.get()
    result: T = await value if runner is None else runner.run(_alone(value))
    if not isinstance(result, expected):
        raise WrongResultError(result, expected, seam)
    return result


async def _alone(value: Awaitable[T]) -> T:
    _RUNNER.set(None)  # a task has a context of its own: the caller keeps the runner
    return await value


class _Resumed(Generic[T]):
    """A coroutine that has begun and now waits: awaiting it goes on where it stopped."""

    def __init__(self, work: Coroutine[Any, Any, T], pending: Any) -> None:
        self._work = work
        self._pending = pending

    def __await__(self) -> Generator[Any, Any, T]:
        pending = self._pending
        while True:
            try:
                try:
                    sent = yield pending
                except BaseException as error:  # noqa: BLE001  # whatever is thrown in, the work decides about
                    pending = self._work.throw(error)
                else:
                    pending = self._work.send(sent)
            except StopIteration as stop:
                result: T = stop.value
                return result


def eager(function: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, MaybeAwaitable[T]]:
    """An asynchronous function that gives its result at once unless something in it really waits."""

    @functools.wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> MaybeAwaitable[T]:
        work = function(*args, **kwargs)
        try:
            pending = work.send(None)
        except StopIteration as stop:
            result: T = stop.value
            return result
        return _Resumed(work, pending)

    return run


def drive(work: Coroutine[Any, Any, T], name: str) -> T:
    """Runs *work* to its end from plain code.

    Without a running loop, what really waits is run in a loop made when it is first needed. Inside a running loop
    nothing can wait: RuntimeError then names the coroutine to await instead.
    """
    if _loop_is_running():
        return _straight(work, name)
    # Not entered, because entering makes the loop; with a factory, because without one the thread's own loop is reset.
    runner = asyncio.Runner(loop_factory=asyncio.new_event_loop)
    token = _RUNNER.set(runner)
    try:
        return _straight(work, name)
    finally:
        _RUNNER.reset(token)
        runner.close()


def _loop_is_running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _straight(work: Coroutine[Any, Any, T], name: str) -> T:
    try:
        while work.send(None) is None:  # a bare yield, as of asyncio.sleep(0), waits for nothing
            pass
    except StopIteration as stop:
        result: T = stop.value
        return result
    work.close()
    raise RuntimeError(f"a seam waits, and a loop is already running here: use 'await {name}(…)'")
