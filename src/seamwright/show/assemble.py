"""One build as a view: leading text, timeline and trailing text as entries, tools, and what was left out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from seamwright.awaiting import drive
from seamwright.explanation.reasoning import explain_reasoning
from seamwright.model.guards import is_array, is_mapping
from seamwright.model.options import BUCKETS, Bucket, RenderOptions
from seamwright.model.state import AgentState
from seamwright.pipeline.pipeline import Pipeline
from seamwright.record import Seams
from seamwright.show.model import Block, Entry, Note, ToolRow, View, least
from seamwright.show.notes import Notes
from seamwright.show.parts import Counter, Reading, shortened
from seamwright.show.sections import Section, sections, taken_apart
from seamwright.show.timeline import Timeline
from seamwright.show.watching import Watched, watch
from seamwright.tokens import count_request
from seamwright.wire.assembled import AssembledInput
from seamwright.wire.items import Item


def view_sync(pipeline: Pipeline, state: AgentState, options: RenderOptions, render_ctx: object = None) -> View:
    """:func:`view` for callers without a loop."""
    return drive(view(pipeline, state, options, render_ctx), "view")


async def view(pipeline: Pipeline, state: AgentState, options: RenderOptions, render_ctx: object = None) -> View:
    """Builds a state and gives what there is to show of it.

    The seams of the buckets are called once more each, to tell their texts apart. Raises what a build raises.
    """
    assembled, seen = await watch(pipeline, state, options, render_ctx)
    counter = Counter(pipeline.seams.token_counter, assembled.model)
    notes = Notes(assembled.warnings)
    length = assembled.fingerprintable_length
    first = length - seen.paired
    options = seen.context.options

    leading = await sections(pipeline.seams, seen, options.leading_buckets, prompt=True)
    fates = {fate.thought_id: fate for fate in explain_reasoning(seen.state, assembled)}
    timeline = Timeline(options, seen.context.tools, fates, notes, counter)
    entries = list(_leading(assembled, assembled.input[:first], leading, counter))
    entries += timeline.entries(assembled.input[first:length], seen.rendered, first)
    end = len(entries)
    trailing = await sections(pipeline.seams, seen, options.trailing_buckets, prompt=False)
    entries += (_apart(item, index, trailing, counter) for index, item in enumerate(assembled.input[length:], length))

    tools = tuple(_tools(pipeline.seams, assembled, seen, counter))
    sizes = [entry.size for entry in entries] + [row.size for row in tools if not row.hidden]
    count = None if counter.count is None else count_request(assembled, counter.count)
    return View(
        model=assembled.model,
        endpoint=options.endpoint.name,
        entries=tuple(entries),
        prefix_end=end,
        tools=tools,
        notes=(*_whole_buckets(seen), *notes.rest()),
        size=sum(sizes),
        tokens=None if count is None else count.total,
        encoding=None if count is None else count.encoding,
        budget=None if options.budget is None else options.budget.tokens,
    )


def _leading(
    assembled: AssembledInput, items: list[Item], expected: list[Section], counter: Counter
) -> Iterator[Entry]:
    text = assembled.instructions
    if text is not None:
        blocks = taken_apart(text, expected)
        size = len(text.encode(errors="replace"))
        yield Entry(
            kind="instructions",
            status="sent",
            trust=least(block.trust for block in blocks),
            size=size,
            tokens=counter.instructions(text),
            blocks=tuple(blocks),
        )
    for index, item in enumerate(items):
        yield _apart(item, index, expected, counter)


def _apart(item: Item, index: int, expected: list[Section], counter: Counter) -> Entry:
    """A leading or trailing item, its text taken apart."""
    blocks = tuple(_blocks(item, expected))
    return Entry(
        kind=str(item.get("type")),
        status="sent",
        index=index,
        role=item.get("role"),
        trust=least(block.trust for block in blocks),
        size=counter.size(item),
        tokens=counter.item(item),
        blocks=blocks,
    )


def _blocks(item: Item, expected: list[Section]) -> Iterator[Block]:
    content: Any = item.get("content")
    parts: Any = [{"text": content}] if isinstance(content, str) else content
    if not is_array(parts):
        yield from Reading("unknown", "unknown", "other").blocks(item)
        return
    for part in parts:
        text = part.get("text") if is_mapping(part) else None
        if isinstance(text, str):
            yield from taken_apart(text, expected)
        else:
            yield from Reading("unknown", "unknown", "other").blocks({"content": [part]})


def _tools(seams: Seams, assembled: AssembledInput, seen: Watched, counter: Counter) -> Iterator[ToolRow]:
    for declaration in assembled.tools or ():
        yield _row(declaration, False, counter)
    for tool in seen.state.tools.hidden():
        yield _row({"type": "function", "name": tool.name, "description": tool.description}, True, counter)


def _row(declaration: Mapping[str, Any], hidden: bool, counter: Counter) -> ToolRow:
    kind = str(declaration.get("type"))
    name = declaration.get("name", declaration.get("server_label", kind))
    return ToolRow(
        name=str(name),
        kind=kind,
        description=str(declaration.get("description") or ""),
        declaration=json.dumps(shortened(declaration), ensure_ascii=False, indent=2),
        hidden=hidden,
        size=counter.size(declaration),
        tokens=counter.tool(declaration),
    )


def _whole_buckets(seen: Watched) -> Iterator[Note]:
    """What stands in a bucket that is not asked for."""
    state = seen.state
    timeline = [*state.messages, *state.thoughts, *state.tool_calls, *state.provider_items]
    held: dict[Bucket, int] = {
        "standing_instructions": len(state.standing_instructions),
        "memories": len(state.memories),
        "retrievables": len(state.retrievables),
        "timeline": len(timeline),
    }
    for name in BUCKETS:
        if held[name] and name not in seen.context.options.bucket_order:
            yield Note("bucket-left-out", f"bucket_order has no {name!r}, and {held[name]} stand in it")
