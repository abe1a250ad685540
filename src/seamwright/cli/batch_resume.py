"""Which lines an interrupted run has left: its output and the input are walked through side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

import attrs

from seamwright.batch.ids import ClaimedIds
from seamwright.batch.line import BatchLine, Numbered, Source, Task, custom_id_of, render_chunk
from seamwright.cli.common import CallError

_COULD_BE: Final = "skipped by the run that is resumed; it can be rendered now, but only a run from the start has it"
_OTHERWISE: Final = (
    "it is rendered otherwise now than in OUT.part; did the states, the options or the container change?"
)


class Remaining:
    """The lines of the input whose requests are not in OUT.part.

    The output holds the requests in the order of the input, and nothing is kept beside it. So a line whose id is the
    next in the output was done, and one whose id is not was skipped: it is rendered again, to say again why. An id
    belongs to the first line that has it, so no other line can be taken for the one that was done.
    """

    def __init__(
        self,
        lines: Iterable[Numbered],
        done: Iterator[tuple[str, bytes]],
        task: Task,
        doubt: Callable[[int, str], None],
    ) -> None:
        self._lines = lines
        self._done = done
        self._task = task
        self._doubt = doubt
        self._next = next(done, None)
        self._again: set[int] = set()

    def lines(self, ids: ClaimedIds) -> Iterator[Numbered]:
        """What is to be rendered. Ids of what was done are claimed on the way."""
        for number, source in self._lines:
            if self._next is not None:
                custom_id, request = self._next
                if custom_id_of(source, number) == custom_id:
                    ids.claim(custom_id, number)
                    self._next = next(self._done, None)
                    if self._next is None:
                        self._compare(number, source, request)
                    continue
                self._again.add(number)
            yield number, source

    def judged(self, line: BatchLine) -> BatchLine:
        """The line; or, when it was skipped before, why it is skipped again."""
        if line.number not in self._again:
            return line
        self._again.remove(line.number)
        return line if line.request is None else attrs.evolve(line, request=None, warnings=(), problem=_COULD_BE)

    def check_complete(self, part: Path) -> None:
        """Raises :class:`CallError` when the input has ended and the output holds more."""
        if self._next is not None:
            raise CallError(
                f"{part}: it holds {self._next[0]!r}, which is not in the input behind what it holds before;"
                " give the states it was made from, or delete it"
            )

    def _compare(self, number: int, source: Source, request: bytes) -> None:
        """The last line that was done is rendered again: an input or options that changed show there."""
        (line,) = render_chunk(self._task, [(number, source)])
        if line.request != request:
            self._doubt(number, _OTHERWISE)
