"""The streaming slot machine, as a seam."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol


class Slots(Protocol):
    """One stream being accumulated, a slot for each output item."""

    def feed(self, event: object, /) -> None:
        """Takes the next event, an SDK object or a dict.

        Raises :class:`StreamFailedError` for ``failed`` and ``error``.
        """
        ...

    def views(self) -> Sequence[Any]:
        """What is known of each output item so far, for display."""
        ...

    def text(self, output_index: int | None = None) -> str:
        """The text so far, of one item or of all."""
        ...

    def result(self) -> dict[str, Any]:
        """The response as it would have come without streaming; ``in_progress`` when no terminal event was seen."""
        ...


class OutputSlotsFactory(Protocol):
    """Starts a slot machine for one stream."""

    def __call__(self) -> Slots: ...
