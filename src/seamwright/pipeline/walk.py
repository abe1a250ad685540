"""What is sent so far, while step 3 walks: the items, the running hash over them, the ids used, the warnings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import attrs

from seamwright.model.endpoints import IdPolicy
from seamwright.model.provider_item import ProviderItem
from seamwright.model.tool_call import ToolCall, call_part
from seamwright.pipeline.answers import AnswerKey, answer_key, call_keys
from seamwright.pipeline.ids import numbered_call_id
from seamwright.seams.context import AddWarning
from seamwright.seams.fingerprint import PrefixHash, SectionDigests, update_one
from seamwright.seams.ids import Thing
from seamwright.seams.steps import Rendered
from seamwright.wire.items import Item


@attrs.define(eq=False)
class Mark:
    """A place in a walk that it can go back to."""

    prefix: PrefixHash
    items: int
    used: int
    calls: int
    warnings: int
    behind_unsent: bool


class Walk:
    """A list being built. Something is tried on it between a :meth:`mark` and, when it fails, going :meth:`back` there.

    What is tried costs what it adds: the mark copies the running hash, and everything else is cut off again. The hash
    is fed when somebody looks at it: a row of items in one go costs half of what they cost one by one between other
    work.
    """

    __slots__ = (
        "_attempt",
        "_call_log",
        "_calls",
        "_hashed",
        "_prefix",
        "_renamed",
        "_used",
        "_used_log",
        "behind_unsent",
        "items",
        "policy",
        "sections",
        "settled",
        "warnings",
    )

    def __init__(self, prefix: PrefixHash, sections: SectionDigests | None, policy: IdPolicy) -> None:
        self._prefix = prefix
        self._hashed = 0
        self.sections = sections
        self.policy: IdPolicy = policy
        self.items: list[Item] = []
        self.settled = 0
        self._attempt = 0
        self.behind_unsent = False
        self.warnings: list[tuple[str, str, str | None]] = []
        self._used: set[str] = set()
        self._used_log: list[str] = []
        self._calls: set[AnswerKey] = set()
        self._call_log: list[AnswerKey] = []
        self._renamed: dict[int, str] = {}

    @property
    def prefix(self) -> PrefixHash:
        """The running hash over everything that stands in the list."""
        items = self.items
        if self._hashed < len(items):
            update_one(self._prefix, items[self._hashed :])
            self._hashed = len(items)
        return self._prefix

    def mark(self) -> Mark:
        """The place where the walk stands; what is sent up to here stays."""
        self.settled = len(self.items)
        self._attempt += 1
        return Mark(
            self.prefix.copy(),
            self.settled,
            len(self._used_log),
            len(self._call_log),
            len(self.warnings),
            self.behind_unsent,
        )

    def back(self, mark: Mark) -> None:
        """Drops everything since *mark*. A mark that is gone back to more than once needs a fresh copy of its hash."""
        self._prefix = mark.prefix
        self._hashed = self.settled = mark.items
        self._attempt += 1
        del self.items[mark.items :]
        del self.warnings[mark.warnings :]
        self._used.difference_update(self._used_log[mark.used :])
        del self._used_log[mark.used :]
        self._calls.difference_update(self._call_log[mark.calls :])
        del self._call_log[mark.calls :]
        self.behind_unsent = mark.behind_unsent

    def seen(self, items: Iterable[Item]) -> None:
        """Counts the ids and calls of items that were sent before this walk begins."""
        for item in items:
            wire_id = item.get("id")
            known = wire_id if isinstance(wire_id, str) else None
            if known is not None:
                self._use(known)
            self._note_call(item, known)

    def _use(self, wire_id: str) -> None:
        self._used.add(wire_id)
        self._used_log.append(wire_id)

    def _note_call(self, item: Item, wire_id: str | None) -> None:
        calls = self._calls
        for key in call_keys(item, wire_id):
            if key not in calls:
                calls.add(key)
                self._call_log.append(key)

    def is_used(self, wire_id: str) -> bool:
        return wire_id in self._used

    def are_unused(self, wire_ids: Iterable[str | None]) -> bool:
        return self._used.isdisjoint(wire_ids)

    def warn(self, code: str, text: str, subject_id: str | None) -> None:
        self.warnings.append((code, text, subject_id))

    def tell(self, warn: AddWarning) -> None:
        """Hands the warnings on."""
        for code, text, subject_id in self.warnings:
            warn(code, text, subject_id)

    def leaves_out(self, one: Rendered, ids: bool) -> bool:
        """Whether the item can't be sent whatever becomes of the reasoning round it."""
        if one.role == "answer":
            return self._orphan(one)
        return one.needs_id and (not ids or one.wire_id is None or one.wire_id in self._used)

    def _orphan(self, one: Rendered) -> bool:
        """An answer among the provider items whose call does not stand before it; others come with their call."""
        if not isinstance(one.thing, ProviderItem) or one.thing.item.get("type") != (one.item or {}).get("type"):
            return False
        key = answer_key(one.item or {}, one.wire_id)
        return not _unnamed(one.item or {}) and (key is None or key not in self._calls)

    def append(self, one: Rendered, ids: bool) -> None:
        """Sends one rendered item, with its id when it has one that ``ids`` and earlier items let go."""
        if one.unsent:
            self.behind_unsent = True
        item = one.item
        if item is None:
            return
        if one.role == "answer" and self._orphan(one):
            self.warn("provider-item-dropped", "left out: the call it answers does not stand before it", subject(one))
            return
        wire_id = one.wire_id
        carried = ids and wire_id is not None
        if carried and wire_id in self._used:
            self.warn("duplicate-item-id", f"goes without its id: {wire_id!r} was sent before", subject(one))
            carried = False
        if one.needs_id and not carried:
            kind = item.get("type")
            text = f"left out: the API refuses a {kind} without its id, and it has none that may be sent here"
            self.warn("provider-item-dropped", text, subject(one))
            return
        if wire_id is None and one.role != "output" and not self._renamed:  # nothing of it is looked up later
            self.items.append(item)
            if one.role == "other" and not one.unsent:
                self.behind_unsent = False
        else:
            self.send(one, item, carried)

    def send(self, one: Rendered, item: Item, carried: bool) -> None:
        """Appends what is decided; ``carried``: with its id."""
        wire_id = one.wire_id
        if wire_id is not None:
            if carried:
                self._used.add(wire_id)
                self._used_log.append(wire_id)
                if item.get("id") != wire_id:  # a step of the host's may leave adding it to us
                    item = {**item, "id": wire_id}
            else:
                item = {key: value for key, value in item.items() if key != "id"}
                wire_id = None
        role = one.role
        kind = item.get("type")
        if kind == "function_call" or self._renamed:
            item = self._with_own_call_id(one.thing, item)
        self.items.append(item)
        if role == "output":
            if kind != "message":
                self._note_call(item, wire_id)
            if one.pending:
                self.warn("pending-tool-call", f"nothing answers this {kind}", subject(one))
        elif role == "candidate" or (role == "other" and not one.unsent):
            self.behind_unsent = False

    def _with_own_call_id(self, call: Thing | None, item: Item) -> Item:
        """The call or its output, under a call id of its own when an earlier call has the same."""
        if not isinstance(call, ToolCall):
            return item
        renamed = self._renamed
        if item["type"] == "function_call":
            if renamed:
                renamed.pop(id(call), None)
            if ("function_call", item["call_id"]) in self._calls:
                renamed[id(call)] = self._free_call_id(call)
        return {**item, "call_id": renamed[id(call)]} if id(call) in renamed else item

    def _free_call_id(self, call: ToolCall) -> str:
        """A call id that no earlier call has, with a warning."""
        number = 2
        while ("function_call", other := numbered_call_id(call_part(call.id), number)) in self._calls:
            number += 1
        self.warn("duplicate-call-id", f"an earlier call has the same call id; sent as {other!r}", call.id)
        return other

    def input_digest(self, sections: SectionDigests) -> str:
        """The digest of the input section up to here."""
        return sections.input(self.items, self.settled, self._attempt)


def _unnamed(item: dict[str, Any]) -> bool:
    """A tool search that the provider ran itself has no ``call_id`` on either side."""
    return item.get("type") == "tool_search_output" and item.get("call_id") is None


def subject(one: Rendered) -> str | None:
    """The id of the thing a warning is about."""
    thing = one.thing
    if thing is None:
        return one.wire_id
    if isinstance(thing, ProviderItem):
        call_id = thing.item.get("call_id")
        return thing.id or (call_id if isinstance(call_id, str) else thing.type)
    return thing.id
