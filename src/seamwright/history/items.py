"""Reads a stored list of items from left to right: runs of output items as responses, everything else one by one."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import attrs

from seamwright.errors import IngestError, InvalidStateError
from seamwright.history.parts import Parts, read_parts
from seamwright.ingest.reading import Reader, count_reasoning
from seamwright.model.guards import is_array, is_mapping
from seamwright.model.identity import Identity
from seamwright.model.message import Message
from seamwright.model.provider_item import ProviderItem
from seamwright.model.tool_call import ToolCall
from seamwright.pipeline.ids import safe_name
from seamwright.seams.envelopes import Neutraliser
from seamwright.seams.ids import Thing
from seamwright.wire.provider_kinds import provider_kind

StoredItem = Mapping[str, Any]


@attrs.frozen
class ImportNote:
    """Something that can't be given back as it was: where it stood (``[3].content[1]``), and what became of it."""

    path: str
    text: str


@attrs.define
class _Run:
    """A run of output items: where it ends, and the outputs of its calls so far, by the place of the call."""

    end: int
    outputs: dict[int, int] = attrs.field(factory=dict[int, int])


@attrs.frozen
class _Call:
    """A function call that waits for its output: its place among the things and in the list, and its run."""

    thing: int
    index: int
    run: _Run


@attrs.define
class Importer:
    """Makes things of items. ``first``: the time of the first item; ``name``: what ids made here begin with."""

    first: datetime
    identity: Identity
    name: str
    neutraliser: Neutraliser
    things: list[Thing] = attrs.field(factory=list[Thing])
    notes: list[ImportNote] = attrs.field(factory=list[ImportNote])
    _waiting: dict[str, deque[_Call]] = attrs.field(factory=dict[str, "deque[_Call]"])

    def read(self, items: Sequence[StoredItem]) -> None:
        """Reads a whole list. Raises :class:`IngestError` for an item that no primitive can hold."""
        index = 0
        while index < len(items):
            end = index
            while end < len(items) and _is_output(items[end]):
                end += 1
            if end > index:
                self.run(items[index:end], index)
            else:
                self.other(items[index], index)
            index = max(end, index + 1)

    def at(self, index: int) -> datetime:
        try:
            return self.first + timedelta(milliseconds=index)
        except OverflowError:
            raise IngestError(f"[{index}]", "there is no time for it behind the items before it") from None

    def note(self, path: str, text: str) -> None:
        self.notes.append(ImportNote(path, text))

    def run(self, items: Sequence[StoredItem], start: int) -> None:
        """One response: a run of output items."""
        reader = Reader(
            response_id=f"{self.name}-{start}",
            model="",
            identity=self.identity,
            base=self.at(start),
            reasoning_count=count_reasoning(items),
            keep_empty=True,
            path=lambda place: f"[{start + place}]",
        )
        run = _Run(start + len(items))
        for place, (thing, item) in enumerate(zip(reader.read(items), items, strict=True)):
            if isinstance(thing, ToolCall):
                call = _Call(len(self.things), start + place, run)
                self._waiting.setdefault(str(item.get("call_id")), deque()).append(call)
            self.things.append(self.kept(thing, item, start + place))
            self.differences(item, start + place)

    def kept(self, thing: Thing, item: StoredItem, index: int) -> Thing:
        """The thing; a message that would join several parts into one stays the item it was.

        Provider items go out as they are, so none is made of text that only a message's way out makes harmless.
        """
        if not isinstance(thing, Message):
            return thing
        texts = [text for text in (thing.content, thing.refusal) if isinstance(text, str)]
        harmless = all(self.neutraliser(text) == text for text in texts)
        if not harmless:
            self.note(f"[{index}]", "tags of envelopes in its text are made harmless")
        if _is_one_text(item.get("content")):
            return thing
        if harmless:
            return ProviderItem(item=item, created_at=thing.created_at, origin=thing.origin)
        self.note(f"[{index}].content", "its parts were joined")
        return thing

    def differences(self, item: StoredItem, index: int) -> None:
        """Notes what a build will send otherwise, whatever it decides about reasoning."""
        if item.get("type") == "reasoning" and not item.get("encrypted_content"):
            self.note(
                f"[{index}]", "reasoning without its encrypted part is not replayed; its text is sent as a thought"
            )
        for key in ("call_id", "name") if item.get("type") == "function_call" else ("call_id",):
            value = item.get(key)
            if isinstance(value, str) and (safe := safe_name(value)) != value:
                self.note(f"[{index}].{key}", f"{value!r} is sent as {safe!r}")

    def other(self, item: StoredItem, index: int) -> None:
        """An item that the model did not make."""
        kind, role = item.get("type"), item.get("role")
        if kind == "message" and role == "user":
            self.user(item, index)
        elif kind == "function_call_output":
            self.output(item, index)
        elif kind == "item_reference":
            self.note(f"[{index}]", "a reference to a stored item was left out: requests here are stateless")
        else:  # system and developer messages, answers to hosted calls, types unknown here
            self.verbatim(item, index)

    def verbatim(self, item: StoredItem, index: int) -> None:
        try:
            self.things.append(ProviderItem(item=item, created_at=self.at(index)))
        except InvalidStateError as error:
            raise IngestError(f"[{index}]", f"can't be kept: {error}") from error

    def user(self, item: StoredItem, index: int) -> None:
        """A user's message; one in which nothing can be read stays what it is."""
        parts = self.parts(item.get("content"), f"[{index}].content", f"{self.name}-{index}")
        if not parts.text and not parts.media:
            self.verbatim(item if item.get("content") is not None else {**item, "content": []}, index)
            return
        own = item.get("id")
        self.things.append(
            Message(
                id=own if isinstance(own, str) and own else f"{self.name}-{index}",
                role="user",
                content=parts.text or None,
                attachments=parts.media,
                created_at=self.at(index),
            )
        )

    def output(self, item: StoredItem, index: int) -> None:
        """What came of a function call: the first call before it that has its id and no output yet."""
        waiting = self._waiting.get(str(item.get("call_id")))
        if not waiting:
            self.note(f"[{index}]", f"an output of no call before it was left out ({item.get('call_id')!r})")
            return
        found = waiting.popleft()
        call = self.things[found.thing]
        assert isinstance(call, ToolCall)
        parts = self.parts(item.get("output"), f"[{index}].output", f"{self.name}-{index}")
        self.things[found.thing] = call.complete(parts.all_as_media() if parts.media else parts.text)
        before = found.run.outputs
        if any(place > found.index for place in before) or len(before) != index - found.run.end:
            self.note(
                f"[{index}]", "outputs of function calls now stand right behind their run, in the order of the calls"
            )
        before[found.index] = index

    def parts(self, content: Any, path: str, name: str) -> Parts:
        parts = read_parts(content, name)
        self.notes += [ImportNote(f"{path}{where}", text) for where, text in parts.notes]
        return parts


def _is_output(item: StoredItem) -> bool:
    """Whether the model made it: assistant messages, reasoning, calls and hosted items."""
    kind = item.get("type")
    if kind == "message":
        return item.get("role") == "assistant"
    return isinstance(kind, str) and kind != "item_reference" and not provider_kind(kind).answer


def _is_one_text(content: Any) -> bool:
    """Whether a message gives this content back: it has one text and one refusal, the text first."""
    if not is_array(content):
        return isinstance(content, str)
    return [part.get("type") for part in content if is_mapping(part)] in _SHAPES


_SHAPES = (["output_text"], ["refusal"], ["output_text", "refusal"])
