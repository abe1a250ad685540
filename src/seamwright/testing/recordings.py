"""Stand-ins of seams that keep their calls: see :func:`seamwright.testing.fakes.recording`."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from threading import Lock
from typing import Any, Final, Generic, ParamSpec, TypeVar

import attrs

from seamwright.model.message import Message
from seamwright.model.tool_call import ToolCall
from seamwright.seams.context import TokenCounter
from seamwright.seams.fingerprint import PrefixHash
from seamwright.seams.ids import CallIds, ItemIds, Thing
from seamwright.testing.keeping import kept

P = ParamSpec("P")
R = TypeVar("R")


class _Waiting:
    def __repr__(self) -> str:
        return "WAITING"


WAITING: Final = _Waiting()
"""The result of a call that has not ended."""


@attrs.define(eq=False)
class Call:
    """One call: its arguments as they were then, and what came of it, when it has ended.

    ``result`` is what an asynchronous seam gave in the end; :data:`WAITING` before that, and when it raised ``error``.
    ``method`` is the method that was called, where a seam has several.
    """

    arguments: tuple[Any, ...]
    keywords: Mapping[str, Any]
    method: str = "__call__"
    result: Any = WAITING
    error: BaseException | None = None


class _Kept:
    """The calls of one stand-in. Threads and tasks may share it: no call is lost, none is seen half."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._calls: list[Call] = []
        self._lock = Lock()

    def __repr__(self) -> str:
        return f"<recording of {self.name}, {len(self._calls)} calls>"

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls so far, in the order in which they began."""
        with self._lock:
            return tuple(self._calls)

    @property
    def arguments(self) -> list[tuple[Any, ...]]:
        """The positional arguments of each call."""
        return [call.arguments for call in self.calls]

    @property
    def results(self) -> list[Any]:
        """What came of each call."""
        return [call.result for call in self.calls]

    def clear(self) -> None:
        """Forgets the calls."""
        with self._lock:
            self._calls.clear()

    def run(
        self, function: Callable[..., Any], arguments: tuple[Any, ...], keywords: Mapping[str, Any], method: str
    ) -> Any:
        """Calls a function and keeps the call."""
        call = Call(kept(arguments), kept(dict(keywords)), method)
        with self._lock:
            self._calls.append(call)
        try:
            result = function(*arguments, **keywords)
        except BaseException as error:
            call.error = error
            raise
        if inspect.isawaitable(result):
            return _ended(call, result)
        call.result = kept(result)
        return result


async def _ended(call: Call, waiting: Awaitable[Any]) -> Any:
    try:
        result = await waiting
    except BaseException as error:
        call.error = error
        raise
    call.result = kept(result)
    return result


class Recording(_Kept, Generic[P, R]):
    """A seam that is one function: called like it, it does what the seam in it does, and keeps the call."""

    def __init__(self, name: str, seam: Callable[P, R]) -> None:
        super().__init__(name)
        self.seam = seam

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        result: R = self.run(self.seam, args, kwargs, "__call__")
        return result


class RecordingStandingInstructions(Recording[..., str]):
    """``standing_instructions``, whose version may be left out."""

    def __call__(self, items: Sequence[str], version: str | None = None, /) -> str:
        return super().__call__(items, version)


class RecordingFingerprint(Recording[..., PrefixHash]):
    """``fingerprint``, which is called by keywords."""

    def __call__(self, *, model: str, instructions: str | None, tools: list[dict[str, Any]] | None) -> PrefixHash:
        return super().__call__(model=model, instructions=instructions, tools=tools)


class RecordingTokenCounter(Recording[[str], int]):
    """``token_counter``, which also says in what it counts."""

    def __init__(self, name: str, seam: TokenCounter) -> None:
        super().__init__(name, seam)
        self.encoding: str = seam.encoding


class RecordingItemIds(_Kept):
    """``item_ids``, an object with three methods; ``call.method`` says which."""

    def __init__(self, name: str, seam: ItemIds) -> None:
        super().__init__(name)
        self.seam = seam

    def message_id(self, message: Message, /) -> str | None:
        """See :meth:`ItemIds.message_id`."""
        result: str | None = self.run(self.seam.message_id, (message,), {}, "message_id")
        return result

    def call_ids(self, call: ToolCall, /) -> CallIds:
        """See :meth:`ItemIds.call_ids`."""
        result: CallIds = self.run(self.seam.call_ids, (call,), {}, "call_ids")
        return result

    def provider_id(self, thing: Thing, /) -> str | None:
        """See :meth:`ItemIds.provider_id`."""
        result: str | None = self.run(self.seam.provider_id, (thing,), {}, "provider_id")
        return result
