"""A stored list of Responses items becomes a state that renders to the same items."""

from __future__ import annotations

import importlib
from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import count
from typing import Any, Final

import attrs

from seamwright.errors import IngestError
from seamwright.history.items import Importer, ImportNote
from seamwright.ingest.ingested import Ingested
from seamwright.ingest.plain import as_mapping
from seamwright.ingest.recording import (
    Place,
    Recorded,
    RecordFingerprints,
    Tandem,
    by_collection,
    record_walk,
    with_fingerprint,
)
from seamwright.ingest.response import base_time, timeline_of
from seamwright.model.identity import Identity
from seamwright.model.options import RenderOptions
from seamwright.model.state import AgentState
from seamwright.pipeline.pipeline import Pipeline
from seamwright.seams.context import BuildContext
from seamwright.seams.fingerprint import Prefix, PrefixHash
from seamwright.seams.ids import Thing
from seamwright.seams.steps import Rendered
from seamwright.wire.items import Item

DEFAULT_PIPELINE: Final = ("seamwright_containers", "responses_pipeline")


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
    memories, an earlier history); ``started_at`` is the time of the first item, each next is a millisecond later
    (default: the pipeline's clock, moved behind the timeline of ``state``).

    Reasoning is recorded as produced under what the pipeline renders before it: the import vouches for the prefix.
    ``trust_prefix=False``, or no ``options``, leaves the fingerprints empty, and the reasoning is not replayed.
    Raises :class:`IngestError` for an element that is no item, with its place in the list (``[3]``).
    """
    pipeline = pipeline or _default_pipeline()
    state = state or AgentState()
    author = options.self_identity if options else "assistant"
    importer = Importer(
        first=started_at or base_time(pipeline.seams, state),
        identity=Identity(identifier=author, representation=author),
        name=_free_name(state),
        neutraliser=pipeline.seams.neutraliser,
    )
    importer.read([_item(item, index) for index, item in enumerate(items)])
    things = importer.things
    if trust_prefix and options is not None:
        new = {thing.origin.response_id for thing in things if thing.origin is not None}
        recorded = _recorded(_joined(state, things), new, pipeline, options)
        things = [with_fingerprint(thing, recorded) for thing in things]
    return ImportedHistory(state=_joined(state, things), notes=tuple(importer.notes))


def _default_pipeline() -> Pipeline:
    """Found by name: the library itself knows no container."""
    module, attribute = DEFAULT_PIPELINE
    made = getattr(importlib.import_module(module), attribute)()
    assert isinstance(made, Pipeline)
    return made


def _item(value: Any, index: int) -> Mapping[str, Any]:
    """An element as plain data. The API takes messages without their type."""
    try:
        item = as_mapping(value)
    except IngestError as error:
        raise IngestError(f"[{index}]", error.problem) from error
    if item.get("type") is None and "role" in item:
        return {**item, "type": "message"}
    return item


def _free_name(state: AgentState) -> str:
    """What the ids of this import begin with: what no earlier import into the state used."""
    used = {thing.origin.response_id for thing in timeline_of(state) if thing.origin is not None}
    begun = {own.rpartition("-")[0] for own in (*used, *(message.id for message in state.messages))}
    return next(name for n in count(1) if (name := f"imported_{n}") not in begun)


def _joined(state: AgentState, things: Sequence[Thing]) -> AgentState:
    return state.extend(Ingested(finish="stop", **by_collection(things)))


def _recorded(
    state: AgentState, new: Container[str | None], pipeline: Pipeline, options: RenderOptions
) -> dict[Place, Recorded]:
    """What stands before each imported reasoning item in a build, as that build's step 3 walks."""
    found: dict[Place, Recorded] = {}

    def record(rendered: Sequence[Rendered], prefix_hash: PrefixHash, context: BuildContext, /) -> list[Item]:
        assert isinstance(prefix_hash, Prefix)
        section = prefix_hash.sections.fresh()
        for item in prefix_hash.items:
            section.update(item)
        judge = RecordFingerprints(prefix_hash.sections, new)
        walk = record_walk(rendered, prefix_hash.items, Tandem(prefix_hash.running, section), context, judge)
        found.update(judge.recorded)
        return walk.items

    Pipeline(attrs.evolve(pipeline.seams, reasoning_pairing=record)).build_sync(state, options)
    return found
