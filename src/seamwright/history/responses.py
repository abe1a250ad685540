"""A stored list of Responses items becomes a state that renders to the same items."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import attrs

from seamwright.errors import IngestError
from seamwright.history.parts import Parts, read_parts
from seamwright.ingest.ingested import Ingested
from seamwright.ingest.plain import plain
from seamwright.ingest.reading import Reader, count_reasoning
from seamwright.ingest.recording import RecordFingerprints, by_collection, with_fingerprint
from seamwright.model.guards import is_array, is_mapping
from seamwright.model.identity import Identity
from seamwright.model.message import Message
from seamwright.model.options import RenderOptions
from seamwright.model.provider_item import ProviderItem
from seamwright.model.state import AgentState
from seamwright.model.tool_call import ToolCall
from seamwright.pipeline.pairing import Pairing, start_walk
from seamwright.pipeline.pipeline import Pipeline
from seamwright.seams.context import BuildContext
from seamwright.seams.fingerprint import PrefixHash
from seamwright.seams.ids import Thing
from seamwright.seams.steps import Rendered
from seamwright.wire.items import Item
from seamwright.wire.provider_kinds import provider_kind

DEFAULT_PIPELINE: Final = ("seamwright_containers", "responses_pipeline")


@attrs.frozen
class ImportNote:
    """Something that could not be kept as it was: where it stood (``[3].content[1]``), and what became of it."""

    path: str
    text: str


@attrs.frozen(kw_only=True)
class ImportedHistory:
    """The state that a list of items stands for, and what of the list it can't give back."""

    state: AgentState
    notes: tuple[ImportNote, ...] = ()


def history_from_responses(
    items: Iterable[Any],
    *,
    options: RenderOptions | None = None,
    pipeline: Pipeline | None = None,
    state: AgentState | None = None,
    started_at: datetime | None = None,
    trust_prefix: bool = True,
) -> ImportedHistory:
    """A state from a stored ``input`` or ``output`` list (dicts or SDK objects).

    Building it with the same pipeline and options gives the items back in their order: assistant output, calls,
    reasoning and hosted items byte for byte, texts of users and tools in the envelopes that the pipeline puts round
    them. A run of output items becomes one response. ``state`` gives what the list does not hold (system prompt, tools,
    memories); ``started_at`` is the time of the first item, each next is a millisecond later (default: the pipeline's
    clock).

    Reasoning is recorded as produced under what the pipeline renders before it: the import vouches for the prefix.
    ``trust_prefix=False``, or no ``options``, leaves the fingerprints empty, and the reasoning is not replayed.
    Raises :class:`IngestError` for an element that is no item.
    """
    pipeline = pipeline or _default_pipeline()
    first = started_at or pipeline.seams.clock()
    author = options.self_identity if options else "assistant"
    importer = _Importer(first, Identity(identifier=author, representation=author))
    importer.read([_item(item, index) for index, item in enumerate(items)])
    imported = _joined(state or AgentState(), importer.things)
    if trust_prefix and options is not None:
        imported = _vouched(imported, pipeline, options)
    return ImportedHistory(state=imported, notes=tuple(importer.notes))


def _default_pipeline() -> Pipeline:
    """Found by name: the library itself knows no container."""
    module, attribute = DEFAULT_PIPELINE
    made = getattr(importlib.import_module(module), attribute)()
    assert isinstance(made, Pipeline)
    return made


def _item(value: Any, index: int) -> Mapping[str, Any]:
    item = plain(value)
    if not is_mapping(item):
        raise IngestError(f"[{index}]", f"an item is an object, not {type(value).__name__}")
    if "type" not in item and "role" in item:
        return {"type": "message", **item}
    return item


def _joined(state: AgentState, things: Sequence[Thing]) -> AgentState:
    return state.extend(Ingested(finish="stop", **by_collection(things)))


def _vouched(state: AgentState, pipeline: Pipeline, options: RenderOptions) -> AgentState:
    """The state with every reasoning item recorded under what stands before it in a build."""
    judge = RecordFingerprints()

    def record(rendered: Sequence[Rendered], prefix_hash: PrefixHash, context: BuildContext, /) -> list[Item]:
        walk = start_walk(prefix_hash, context)
        Pairing(walk, judge).place(rendered)
        return walk.items

    Pipeline(attrs.evolve(pipeline.seams, reasoning_pairing=record)).build_sync(state, options)
    thoughts = [
        with_fingerprint(thought, judge.recorded[thought.id]) if thought.id in judge.recorded else thought
        for thought in state.thoughts
    ]
    return attrs.evolve(state, thoughts=thoughts)


class _Importer:
    """Reads items from left to right: runs of output items through the reader of responses, the rest one by one."""

    def __init__(self, first: datetime, identity: Identity) -> None:
        self.first = first
        self.identity = identity
        self.things: list[Thing] = []
        self.notes: list[ImportNote] = []
        self.calls: dict[str, int] = {}

    def read(self, items: Sequence[Mapping[str, Any]]) -> None:
        index = 0
        while index < len(items):
            if _is_output(items[index]):
                end = index
                while end < len(items) and _is_output(items[end]):
                    end += 1
                self.run(items[index:end], index)
                index = end
            else:
                self.other(items[index], index)
                index += 1

    def at(self, index: int) -> datetime:
        return self.first + timedelta(milliseconds=index)

    def note(self, path: str, text: str) -> None:
        self.notes.append(ImportNote(path, text))

    def run(self, items: Sequence[Mapping[str, Any]], start: int) -> None:
        """One response: a run of output items."""
        reader = Reader(
            response_id=f"imported-{start}",
            model="",
            identity=self.identity,
            base=self.at(start),
            reasoning_count=count_reasoning(items),
            incomplete=False,
        )
        for thing in reader.read(items):
            if isinstance(thing, ToolCall):
                self.calls[thing.id.partition("|")[0]] = len(self.things)
            self.things.append(thing)
        for offset, item in enumerate(items):
            if item.get("type") == "message" and not _shows(item) and not self._kept(item):
                self.note(f"[{start + offset}]", "an empty message was left out")

    def _kept(self, item: Mapping[str, Any]) -> bool:
        return any(isinstance(thing, ProviderItem) and thing.item == item for thing in self.things)

    def other(self, item: Mapping[str, Any], index: int) -> None:
        kind, role = item.get("type"), item.get("role")
        if kind == "message" and role == "user":
            self.user(item, index)
        elif kind == "function_call_output":
            self.output(item, index)
        elif kind == "item_reference":
            self.note(f"[{index}]", "a reference to a stored item was left out: requests here are stateless")
        else:  # system and developer messages, answers to hosted calls, types unknown here
            self.things.append(ProviderItem(item=item, created_at=self.at(index)))

    def user(self, item: Mapping[str, Any], index: int) -> None:
        parts = self.parts(item.get("content"), f"[{index}].content", f"imported-{index}")
        if not parts.text and not parts.media:
            self.note(f"[{index}]", "an empty message was left out")
            return
        own = item.get("id")
        self.things.append(
            Message(
                id=own if isinstance(own, str) and own else f"imported-{index}",
                role="user",
                content=parts.text or None,
                attachments=parts.media,
                created_at=self.at(index),
            )
        )

    def output(self, item: Mapping[str, Any], index: int) -> None:
        place = self.calls.pop(str(item.get("call_id")), None)
        if place is None:
            self.note(f"[{index}]", f"an output of no call before it was left out ({item.get('call_id')!r})")
            return
        call = self.things[place]
        assert isinstance(call, ToolCall)
        parts = self.parts(item.get("output"), f"[{index}].output", f"imported-{index}")
        self.things[place] = call.complete(parts.all_as_media() if parts.media else parts.text)

    def parts(self, content: Any, path: str, name: str) -> Parts:
        parts = read_parts(content, name)
        self.notes += [ImportNote(f"{path}{where}", text) for where, text in parts.notes]
        return parts


def _is_output(item: Mapping[str, Any]) -> bool:
    """Whether the model made it: assistant messages, reasoning, calls and hosted items."""
    kind = item.get("type")
    if kind == "message":
        return item.get("role") == "assistant"
    return isinstance(kind, str) and kind != "item_reference" and not provider_kind(kind).answer


def _shows(item: Mapping[str, Any]) -> bool:
    content = item.get("content")
    if isinstance(content, str):
        return bool(content)
    parts = content if is_array(content) else ()
    return any(is_mapping(part) and (part.get("text") or part.get("refusal")) for part in parts)
