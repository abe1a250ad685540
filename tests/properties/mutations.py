"""Every state that differs from a given one by a single change."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

import attrs
from recorder import Thing, reasoning, thing_key, things_of

from seamwright import AgentState, Message, ProviderItem, Thought, Tool, ToolCall

Labelled = Iterator[tuple[str, AgentState]]
Change = Callable[[Any], Thing]


def with_things(state: AgentState, things: Sequence[Thing]) -> AgentState:
    """The state with other things in its timeline."""
    return attrs.evolve(
        state,
        messages=[thing for thing in things if isinstance(thing, Message)],
        thoughts=[thing for thing in things if isinstance(thing, Thought)],
        tool_calls=[thing for thing in things if isinstance(thing, ToolCall)],
        provider_items=[thing for thing in things if isinstance(thing, ProviderItem)],
    )


def mutations(state: AgentState) -> Labelled:
    """Everything dropped, edited and moved, one at a time, and each part of what leads the timeline changed."""
    things = things_of(state)
    for index, thing in enumerate(things):
        before, after = things[:index], things[index + 1 :]
        name = f"{type(thing).__name__} {thing_key(thing)}"
        yield f"{name} dropped", with_things(state, [*before, *after])
        for label, changed in [*_edits(thing), *_moves(thing, things)]:
            yield f"{name} {label}", with_things(state, [*before, changed, *after])
    yield "system prompt edited", attrs.evolve(state, system_prompt="Another.")
    yield "tool added", attrs.evolve(state, tools=[Tool(name="new", description="", input_schema={})])


def _payload(thought: Thought, **changes: Any) -> Thing:
    return attrs.evolve(thought, payload=attrs.evolve(reasoning(thought), **changes))


def _mapping(thing: ProviderItem, **changes: Any) -> Thing:
    return attrs.evolve(thing, item={**thing.item, **changes})


_EDITED: Final = {
    "web_search_call": "status",
    "custom_tool_call": "input",
    "custom_tool_call_output": "output",
    "compaction": "encrypted_content",
    "message": "status",
}

_EDITS: Final[Mapping[type, Mapping[str, Change]]] = {
    Message: {"text edited": lambda one: attrs.evolve(one, content=f"{one.content} edited")},
    ToolCall: {
        "arguments edited": lambda one: attrs.evolve(one, args=f"{one.args} "),
        "result edited": lambda one: attrs.evolve(one, results="another result"),
        "result lost": lambda one: attrs.evolve(one, results=None),
        "id edited": lambda one: attrs.evolve(one, id=f"{one.id}x"),
        "id lost": lambda one: attrs.evolve(one, id=one.id.partition("|")[0] + "|odd id"),
    },
    ProviderItem: {
        "edited": lambda one: _mapping(one, **{_EDITED[one.type]: f"{one.item[_EDITED[one.type]]} edited"}),
        "id edited": lambda one: _mapping(one, id=f"{one.item.get('id', 'new')}x"),
        "id lost": lambda one: _mapping(one, id="odd id"),
    },
    Thought: {
        "encrypted part edited": lambda one: _payload(
            one, item={**reasoning(one).item, "encrypted_content": reasoning(one).item["encrypted_content"] + "x"}
        ),
        "fingerprint edited": lambda one: _payload(one, prefix_fingerprint="xxh3-1:0"),
        "fingerprint lost": lambda one: _payload(one, prefix_fingerprint=""),
        "partner edited": lambda one: _payload(one, paired_item_id="another"),
        "partner lost": lambda one: _payload(one, paired_item_id=None),
        "id lost": lambda one: _payload(one, item={**reasoning(one).item, "id": "odd id"}),
        "withheld": lambda one: attrs.evolve(one, withheld="prefix_mismatch"),
    },
}


def _edits(thing: Thing) -> list[tuple[str, Thing]]:
    return [(label, change(thing)) for label, change in _EDITS[type(thing)].items()]


def _moves(thing: Thing, things: Sequence[Thing]) -> Iterator[tuple[str, Thing]]:
    """To the very beginning, to the very end, beside each neighbour; in its response, and out of it."""
    times = sorted(other.created_at for other in things)
    tick = timedelta(microseconds=1)
    for label, time in {
        "moved first": times[0] - tick,
        "moved last": times[-1] + tick,
        "moved in the midst": times[len(times) // 2] + tick,
    }.items():
        yield label, attrs.evolve(thing, created_at=time)
    origin = thing.origin
    if origin is not None:
        for step in (-2, 2):
            index = max(0, origin.output_index + step)
            yield f"moved to output {index}", attrs.evolve(thing, origin=attrs.evolve(origin, output_index=index))
        yield "moved out of its response", attrs.evolve(thing, origin=None)
