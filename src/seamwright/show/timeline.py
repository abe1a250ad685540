"""The timeline as entries: what each item was rendered from, and what was left out where it would have stood."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import attrs

from seamwright.explanation.reasoning import ReasoningFate
from seamwright.model.message import Message
from seamwright.model.options import RenderOptions
from seamwright.model.provider_item import ProviderItem
from seamwright.model.thought import Thought
from seamwright.model.times import show_time
from seamwright.model.tool_call import ToolCall
from seamwright.model.tools import ToolRegistry
from seamwright.seams.ids import Thing
from seamwright.seams.steps import Rendered
from seamwright.show.model import Entry, Note, least
from seamwright.show.notes import Notes
from seamwright.show.parts import Counter, Reading
from seamwright.show.trust import trust_of
from seamwright.wire.items import Item

_WITH_ITS_GROUP: Final = Note("group-trimmed", "left out for the token budget, with the rest of its group")
_BY_A_STEP: Final = Note("not-sent", "a step of the host's left it out")
_KINDS: Final = {
    "message": "messages",
    "reasoning": "reasoning",
    "function_call": "calls and results",
    "function_call_output": "calls and results",
}


@attrs.frozen
class Timeline:
    """What entries are made with."""

    options: RenderOptions
    tools: ToolRegistry
    fates: Mapping[str, ReasoningFate]
    notes: Notes
    counter: Counter

    def entries(self, items: Sequence[Item], rendered: Sequence[Rendered], first: int) -> Iterator[Entry]:
        """The entries of sent items, the first of which stands at *first* in ``input``, and of what was not sent.

        Items are sent in the order in which they were rendered, so each is the next one rendered that is like it.
        """
        place = 0
        for index, item in enumerate(items, first):
            found = next((at for at in range(place, len(rendered)) if _alike(rendered[at].item, item)), None)
            if found is None:  # a step of the host's made it
                yield self.sent(item, Rendered(item), index)
                continue
            yield from self.dropped(rendered[place:found])
            yield self.sent(item, rendered[found], index)
            place = found + 1
        yield from self.dropped(rendered[place:])

    def sent(self, item: Item, one: Rendered, index: int) -> Entry:
        """The entry of a sent item."""
        trust, media = trust_of(one, self.options, self.tools)
        kind = str(item.get("type"))
        blocks = Reading(trust, media, _KINDS.get(kind, "other")).blocks(item)
        notes = self.notes.take(one, item)
        if one.role == "candidate" and isinstance(one.thing, Thought) and one.thing.id in self.fates:
            fate = self.fates[one.thing.id]
            notes = (*notes, Note(fate.cause, fate.text))
        return attrs.evolve(
            self.entry(one, kind),
            index=index,
            role=item.get("role"),
            trust=least(block.trust for block in blocks) if blocks else trust,
            replayed=kind == "reasoning" and bool(item.get("encrypted_content")),
            size=self.counter.size(item),
            tokens=self.counter.item(item),
            blocks=blocks,
            notes=notes,
        )

    def dropped(self, rendered: Sequence[Rendered]) -> Iterator[Entry]:
        """The entries of what was rendered and not sent."""
        trimmed = False
        for one in rendered:
            notes = self.notes.take(one) or self.reason(one)
            trimmed = trimmed or any(note.code == "group-trimmed" for note in notes)
            if not notes and one.item is not None:
                notes = (_WITH_ITS_GROUP if trimmed else _BY_A_STEP,)
            if not notes:  # it has nothing to show, and nothing was lost
                continue
            trust, media = trust_of(one, self.options, self.tools)
            item = one.item or _told(one.thing)
            kind = str(item.get("type"))
            blocks = Reading(trust, media, _KINDS.get(kind, "other")).blocks(item)
            yield attrs.evolve(
                self.entry(one, kind), status="left out", role=item.get("role"), blocks=blocks, notes=notes
            )

    def entry(self, one: Rendered, kind: str) -> Entry:
        """What is known of a thing, sent or not."""
        thing = one.thing
        if thing is None:
            return Entry(kind=kind, status="sent", trust="unknown")
        return Entry(
            kind=kind,
            status="sent",
            title=_title(thing),
            author=self.author(one),
            trust=trust_of(one, self.options, self.tools)[0],
            thing_id=thing.id,
            created_at=show_time(thing.created_at),
            group=None if thing.origin is None else thing.origin.response_id,
        )

    def author(self, one: Rendered) -> str | None:
        """Who is heard in it: a person, an agent, or the tool that answered."""
        match one.thing:
            case Message() | Thought():
                identity = one.thing.identity
                same = identity.identifier == identity.representation
                return identity.identifier if same else f"{identity.representation} ({identity.identifier})"
            case ToolCall():
                return one.thing.tool if one.role == "answer" else self.options.self_identity
            case _:
                return None if one.role == "answer" else self.options.self_identity

    def reason(self, one: Rendered) -> tuple[Note, ...]:
        """Why a thought is not there, when no warning says it."""
        thing = one.thing
        if not isinstance(thing, Thought):
            return ()
        fate = self.fates.get(thing.id)
        if fate is not None and fate.fate != "replayed":
            return (Note(fate.cause, fate.text),)
        if fate is None and one.item is None and thing.content:
            return (Note("hidden", f"thought_surfacing is {self.options.thought_surfacing!r} and does not show it"),)
        return ()


def _title(thing: Thing) -> str | None:
    """The tool that is called, or that answers."""
    if isinstance(thing, ToolCall):
        return thing.tool
    name: Any = thing.item.get("name") if isinstance(thing, ProviderItem) else None
    return name if isinstance(name, str) else None


def _alike(one: Item | None, other: Item) -> bool:
    """Whether one was sent as the other: ids and call ids may have been taken off or replaced."""
    if one is None:
        return False
    if one is other:
        return True
    keys = (one.keys() | other.keys()) - {"id", "call_id"}
    return all(one.get(key) == other.get(key) for key in keys)


def _told(thing: Thing | None) -> Item:
    """A thing that rendered to nothing, as far as there is something to tell of it."""
    if isinstance(thing, Thought):
        payload: Any = getattr(thing.payload, "item", None)
        item: Item = dict(payload) if payload else {"type": "thought"}
        return {**item, "content": thing.content} if thing.content else item
    return {"type": "message"}
