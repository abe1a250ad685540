"""What is sent so far, while step 3 walks: the items, the running hash over them, the ids used, the warnings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from seamwright.model.endpoints import IdPolicy
from seamwright.model.provider_item import ProviderItem
from seamwright.model.tool_call import ToolCall, call_part
from seamwright.pipeline.answers import AnswerKey, answer_key, call_keys
from seamwright.pipeline.ids import numbered_call_id
from seamwright.seams.context import AddWarning
from seamwright.seams.fingerprint import PrefixHash, SectionDigests
from seamwright.seams.steps import Rendered
from seamwright.wire.items import Item


class Walk:
    """A list being built. :meth:`fork` gives a copy to try something on, :meth:`absorb` keeps what was tried.

    A fork knows what its parent holds and keeps only what it adds, so that trying a group costs the group.
    """

    __slots__ = (
        "behind_unsent",
        "calls",
        "items",
        "parent",
        "policy",
        "prefix",
        "renamed",
        "sections",
        "used",
        "warnings",
    )

    def __init__(
        self, prefix: PrefixHash, sections: SectionDigests | None, policy: IdPolicy, parent: Walk | None = None
    ) -> None:
        self.prefix = prefix
        self.sections = sections
        self.policy: IdPolicy = policy
        self.parent = parent
        self.items: list[Item] = []
        self.used: set[str] = set()
        self.calls: set[AnswerKey] = set()
        self.renamed: dict[int, str] = {}
        self.behind_unsent: bool = parent is not None and parent.behind_unsent
        self.warnings: list[tuple[str, str, str | None]] = []

    def fork(self) -> Walk:
        return Walk(self.prefix.copy(), self.sections, self.policy, self)

    def absorb(self, tried: Walk) -> None:
        self.prefix = tried.prefix
        self.items += tried.items
        self.used |= tried.used
        self.calls |= tried.calls
        self.renamed |= tried.renamed
        self.behind_unsent = tried.behind_unsent
        self.warnings += tried.warnings

    def seen(self, items: Iterable[Item]) -> None:
        """Counts the ids and calls of items that were sent before this walk begins."""
        for item in items:
            wire_id = item.get("id")
            if isinstance(wire_id, str):
                self.used.add(wire_id)
            self.calls.update(call_keys(item, wire_id if isinstance(wire_id, str) else None))

    def is_used(self, wire_id: str) -> bool:
        return wire_id in self.used or (self.parent is not None and wire_id in self.parent.used)

    def has_call(self, key: AnswerKey) -> bool:
        return key in self.calls or (self.parent is not None and key in self.parent.calls)

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
        return one.needs_id and (not ids or one.wire_id is None or self.is_used(one.wire_id))

    def _orphan(self, one: Rendered) -> bool:
        """An answer among the provider items whose call does not stand before it; others come with their call."""
        if not isinstance(one.thing, ProviderItem) or one.thing.item.get("type") != (one.item or {}).get("type"):
            return False
        key = answer_key(one.item or {}, one.wire_id)
        return not _unnamed(one.item or {}) and (key is None or not self.has_call(key))

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
        wire_id = one.wire_id if ids else None
        if wire_id is not None and self.is_used(wire_id):
            self.warn("duplicate-item-id", f"goes without its id: {wire_id!r} was sent before", subject(one))
            wire_id = None
        if one.needs_id and wire_id is None:
            text = (
                f"left out: the API refuses a {item.get('type')} without its id, and it has none that may be sent here"
            )
            self.warn("provider-item-dropped", text, subject(one))
            return
        self.send(one, item, wire_id)

    def send(self, one: Rendered, item: Item, wire_id: str | None) -> None:
        """Appends what is decided."""
        if isinstance(one.thing, ToolCall):
            item = self._with_own_call_id(one.thing, item)
        if wire_id is not None:
            item = {**item, "id": wire_id}
            self.used.add(wire_id)
        self.items.append(item)
        self.prefix.update(item)
        if one.role == "output":
            self.calls.update(call_keys(item, wire_id))
            if one.pending:
                self.warn("pending-tool-call", f"nothing answers this {item.get('type')}", subject(one))
        elif one.role == "candidate" or (one.role == "other" and not one.unsent):
            self.behind_unsent = False

    def _with_own_call_id(self, call: ToolCall, item: Item) -> Item:
        """The call or its output, under a call id of its own when an earlier call has the same."""
        if item["type"] == "function_call":
            if not self.has_call(("function_call", item["call_id"])):
                return item
            number = 2
            while self.has_call(("function_call", other := numbered_call_id(call_part(call.id), number))):
                number += 1
            self.renamed[id(call)] = other
            self.warn("duplicate-call-id", f"an earlier call has the same call id; sent as {other!r}", call.id)
        return {**item, "call_id": self.renamed[id(call)]} if id(call) in self.renamed else item

    def input_digest(self, sections: SectionDigests) -> str:
        """The digest of the input section up to here."""
        if self.parent is None:
            return sections.input(self.items, [])
        return sections.input(self.parent.items, self.items)


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
