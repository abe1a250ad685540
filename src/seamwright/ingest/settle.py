"""What the terminal event settles.

Which streamed item is which listed one, and what becomes of items that were never finished.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

from seamwright.ingest.slots import Item, Slot, text_or_none

Placed = list[tuple[int, Any]]
"""Output items with their ``output_index``, in order."""


def identity(item: Item) -> tuple[str, str] | None:
    """Type and id, else type and call id; None for an item that has neither."""
    name = text_or_none(item.get("id")) or text_or_none(item.get("call_id"))
    return (str(item.get("type")), name) if name else None


def finished(slots: Iterable[Slot]) -> Placed:
    """The items the server finished, by output index and then as they came."""
    done = [(slot.index, slot.final) for slot in slots if slot.final is not None]
    return sorted(done, key=lambda placed: placed[0])


def settle(slots: Sequence[Slot], listed: Sequence[object]) -> Placed:
    """The output of a response that ended. ``listed`` is the terminal event's own list.

    An item finished in the stream stays what it was and takes from the list only what it lacks (the API encrypts
    reasoning anew for the terminal event, so the two differ). An item not finished is taken from the list. When the
    list is empty, as some servers send it, it is put together from what was streamed.
    """
    claims = _claims(slots, listed)
    placed: Placed = []
    for slot in slots:
        at = claims.get(id(slot))
        _finish(slot, None if at is None else cast(Item, listed[at]), bool(listed))
        if slot.final is not None:
            placed.append((slot.index if at is None else at, slot.final))
    taken = set(claims.values())
    placed += [(at, item) for at, item in enumerate(listed) if at not in taken]
    return sorted(placed, key=lambda pair: pair[0])


def fill(item: Item, other: Item) -> Item:
    """``item`` with what it lacks from ``other``, when both are one item."""
    first, second = text_or_none(item.get("id")), text_or_none(other.get("id"))
    if first and second and first != second:
        return item
    lacking = {key: value for key, value in other.items() if key not in item}
    if not item.get("encrypted_content") and other.get("encrypted_content"):
        lacking["encrypted_content"] = other["encrypted_content"]
    return {**item, **lacking} if lacking else item


def _finish(slot: Slot, listed: Item | None, has_list: bool) -> None:
    if slot.final is not None:
        if listed is not None:
            slot.final = fill(slot.final, listed)
        return
    item = listed if listed is not None or has_list else _assembled(slot)
    if item is not None:
        slot.finish(item)


def _claims(slots: Sequence[Slot], listed: Sequence[object]) -> dict[int, int]:
    """Which slot (by ``id()``) is which listed item.

    By id or call id, else by place and type (some servers send an item under a new id).
    """
    items = {at: cast(Item, item) for at, item in enumerate(listed) if isinstance(item, dict)}
    by_identity = {key: at for at, item in items.items() if (key := identity(item)) is not None}
    claims: dict[int, int] = {}
    for slot in slots:
        at = by_identity.pop(identity(slot.known) or ("", ""), None)
        if at is not None:
            claims[id(slot)] = at
            del items[at]
    for slot in slots:
        if id(slot) not in claims and slot.index in items and items[slot.index].get("type") == slot.type:
            claims[id(slot)] = slot.index
            del items[slot.index]
    return claims


def _assembled(slot: Slot) -> Item | None:
    """An item of which no final form came, from its parts.

    None for the kinds whose streamed parts are not all of it.
    """
    make = _ASSEMBLERS.get(slot.type or "")
    if make is None or not slot.in_order:
        return None
    return make(slot)


def _status(slot: Slot) -> str:
    """``completed`` only when the end of each of its texts was seen.

    A call whose arguments may be cut must not be run.
    """
    whole = bool(slot.pieces) and all(piece.closed for piece in slot.pieces.values())
    return "completed" if whole else "incomplete"


def _message(slot: Slot) -> Item:
    head = slot.added or {"type": "message", "role": "assistant", **({"id": slot.item_id} if slot.item_id else {})}
    keys = sorted((position, kind) for kind, position in slot.pieces if kind in ("text", "refusal"))
    content = [slot.parts.get((kind, position)) or _part(slot, kind, position) for position, kind in keys]
    return {**head, "status": _status(slot), "content": content}


def _part(slot: Slot, kind: str, position: int) -> Item:
    text = slot.pieces[kind, position].text
    if kind == "refusal":
        return {"type": "refusal", "refusal": text}
    return {"type": "output_text", "text": text, "annotations": slot.annotations.get(position, [])}


def _call(slot: Slot, kind: str) -> Item | None:
    """A call that was never announced has neither name nor call id: nothing can be made of it."""
    if slot.added is None:
        return None
    return {**slot.added, "status": _status(slot), kind: "".join(slot.texts(kind))}


def _reasoning(slot: Slot) -> Item:
    """Without the encrypted part: the one in the announcement is not that of the finished item."""
    head = slot.added or {"type": "reasoning", **({"id": slot.item_id} if slot.item_id else {})}
    item = {key: value for key, value in head.items() if key != "encrypted_content"}
    item["summary"] = [{"type": "summary_text", "text": text} for text in slot.texts("summary")]
    if content := [{"type": "reasoning_text", "text": text} for text in slot.texts("reasoning")]:
        item["content"] = content
    return item


_ASSEMBLERS: dict[str, Callable[[Slot], Item | None]] = {
    "message": _message,
    "reasoning": _reasoning,
    "function_call": lambda slot: _call(slot, "arguments"),
    "custom_tool_call": lambda slot: _call(slot, "input"),
}
