"""The streaming machine: the events of a response stream in, the response they amount to out."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any, cast

from seamwright.errors import StreamFailedError
from seamwright.ingest.board import Board
from seamwright.ingest.handlers import handle
from seamwright.ingest.plain import fields, plain
from seamwright.ingest.settle import finished
from seamwright.ingest.slots import SlotView

__all__ = ["OutputSlots", "SlotView", "accumulate"]


def accumulate(events: Iterable[object]) -> dict[str, Any]:
    """The response a stream amounts to, see :meth:`OutputSlots.result`.

    Raises ``StreamFailedError`` like :meth:`OutputSlots.feed`.
    """
    slots = OutputSlots()
    for event in events:
        slots.feed(event)
    return slots.result()


class OutputSlots:
    """Takes the events of one response stream, in order, and gives the response.

    The default of the seam ``output_slots``.

    Events are the SDK's objects, dicts or other mappings. Unknown events, repeated ones and fields of another shape are
    passed over, never an error; items of an unknown type are kept whole. Nothing that was fed is changed or kept hold
    of. Work and memory are linear in what was fed.
    """

    def __init__(self) -> None:
        self._board = Board()
        self._failure: StreamFailedError | None = None

    def feed(self, event: object) -> None:
        """Take the next event.

        Raises ``StreamFailedError`` at ``response.failed`` and ``error``, and at every later call.

        What follows the terminal event is passed over.
        """
        if self._failure is not None:
            raise self._failure
        given = fields(event)
        if given is None or self.finished:
            return
        try:
            handle(self._board, given)
        except StreamFailedError as failure:
            self._failure = failure
            raise

    @property
    def finished(self) -> bool:
        """The terminal event was seen."""
        return self._board.ended is not None

    @property
    def unfinished(self) -> tuple[int, ...]:
        """The output indexes that were announced and of which :meth:`result` holds no item."""
        return tuple(slot.index for slot in self._board.ordered() if slot.final is None)

    def views(self) -> list[SlotView]:
        """What is known of every output item so far, by output index."""
        return [slot.view() for slot in self._board.ordered()]

    def text(self, output_index: int | None = None) -> str:
        """The message text so far, of one output item or of all, joined with nothing."""
        return "".join(self._texts("text", output_index))

    def refusal(self, output_index: int | None = None) -> str:
        """The refusal so far."""
        return "".join(self._texts("refusal", output_index))

    def summary(self, output_index: int | None = None) -> str:
        """The reasoning summaries so far, an empty line between them."""
        return "\n\n".join(self._texts("summary", output_index))

    def reasoning(self, output_index: int | None = None) -> str:
        """The reasoning text so far, an empty line between its parts."""
        return "\n\n".join(self._texts("reasoning", output_index))

    def arguments(self, output_index: int) -> str:
        """What the call at ``output_index`` is given so far: arguments, custom tool input, code, patch or commands."""
        return "".join(slot.arguments() for slot in self._board.ordered() if slot.index == output_index)

    def result(self) -> dict[str, Any]:
        """The response so far, in the shape of one that was not streamed; every call gives a fresh copy.

        Before the terminal event its ``status`` is ``in_progress`` and ``output`` holds the finished items only. When
        an item between two others is left out, ``output_indexes`` lists where the kept ones stood: neighbours in the
        list are then no neighbours in the response. Raises ``StreamFailedError`` when the stream failed.
        """
        if self._failure is not None:
            raise self._failure
        board = self._board
        placed = finished(board.slots) if board.ended is None else board.ended
        response = {**board.response, "output": [item for _, item in placed]}
        if board.ended is None:
            response["status"] = "in_progress"
        indexes = [index for index, _ in placed]
        if any(after - before > 1 for before, after in pairwise(indexes)):
            response["output_indexes"] = indexes
        return cast(dict[str, Any], plain(response))

    def _texts(self, kind: str, output_index: int | None) -> list[str]:
        slots = (slot for slot in self._board.ordered() if output_index is None or slot.index == output_index)
        return [text for slot in slots for text in slot.texts(kind)]
