"""The slots of one response stream: which slot an event means, and which deltas were taken already."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from seamwright.ingest.plain import as_index
from seamwright.ingest.settle import Placed, identity
from seamwright.ingest.slots import Item, Slot, text_or_none

Event = Mapping[str, Any]

# What tells two events with one number apart.
_SIGN = ("type", "output_index", "item_id", "content_index", "summary_index", "command_index", "delta")


class Board:
    """Slots by output index and by name (item id or call id).

    ``response`` as last told, ``ended`` once the terminal event came.
    """

    def __init__(self) -> None:
        self.response: dict[str, Any] = {}
        self.ended: Placed | None = None
        self.restart()

    def restart(self) -> None:
        """Forget every item."""
        self.slots: list[Slot] = []
        self._by_index: dict[int, Slot] = {}
        self._by_name: dict[str, Slot] = {}
        self._next_index = 0
        self._numbers: dict[int, int] | None = {}

    def ordered(self) -> list[Slot]:
        return sorted(self.slots, key=lambda slot: slot.index)

    def slot_of_part(self, event: Event) -> Slot:
        """The slot an event about a part of an item belongs to; one for an item never announced is made."""
        name = text_or_none(event.get("item_id"))
        slot = self._find(event, name)
        if slot is None and name is None and as_index(event.get("output_index")) is None and self.slots:
            slot = self.slots[-1]
        if slot is None:
            slot = self._open(event)
            slot.item_id = name
            self._register(slot, {"id": name})
        return slot

    def slot_of_item(self, event: Event, item: Item) -> Slot:
        """The slot of a whole item.

        An item that is plainly another one than the slot holds gets its own, at the same index.
        """
        named = identity(item)
        slot = self._find(event, named[1] if named else None)
        if slot is None or _is_other(slot, item):
            slot = self._open(event)
        self._register(slot, item)
        return slot

    def is_repeat(self, event: Event) -> bool:
        """Whether an event was seen before, by its ``sequence_number``.

        A server that gives one number to different events does not number them: then nothing is a repeat.
        """
        number = as_index(event.get("sequence_number"))
        if number is None or self._numbers is None:
            return False
        sign = hash(tuple(str(event.get(key)) for key in _SIGN))
        known = self._numbers.get(number)
        if known is None:
            self._numbers[number] = sign
        elif known != sign:
            self._numbers = None
        return known == sign

    def _find(self, event: Event, name: str | None) -> Slot | None:
        """By output index; where several items share one, by name. Without an index by name alone."""
        index = as_index(event.get("output_index"))
        named = self._by_name.get(name) if name else None
        if index is None:
            return named
        return named if named is not None and named.index == index else self._by_index.get(index)

    def _open(self, event: Event) -> Slot:
        """A new slot at the index the event names, else behind all others."""
        index = as_index(event.get("output_index"))
        slot = Slot(self._next_index if index is None else index)
        self.slots.append(slot)
        self._by_index[slot.index] = slot
        self._next_index = max(self._next_index, slot.index + 1)
        return slot

    def _register(self, slot: Slot, item: Item) -> None:
        for key in ("id", "call_id"):
            if name := text_or_none(item.get(key)):
                self._by_name[name] = slot


def _is_other(slot: Slot, item: Item) -> bool:
    """Whether ``item`` can't be what the slot holds.

    Some proxies give an item a new id in each event, so an id alone decides only once the slot is final.
    """
    known = slot.known
    if not known:
        return False
    if known.get("type") != item.get("type"):
        return True
    first, second = text_or_none(known.get("call_id")), text_or_none(item.get("call_id"))
    if first and second:
        return first != second
    first, second = text_or_none(known.get("id")), text_or_none(item.get("id"))
    return slot.final is not None and bool(first and second) and first != second
