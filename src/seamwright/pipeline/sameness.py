"""Whether two things render to the same bytes: equality, but 1 is not true, and the order of keys counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson

from seamwright.model.provider_item import ProviderItem
from seamwright.model.thought import ReasoningPayload, Thought
from seamwright.model.tool_call import ToolCall
from seamwright.seams.ids import Thing
from seamwright.seams.steps import Rendered


def same_json(one: Any, other: Any) -> bool:
    """Whether two JSON values are written alike."""
    if one is other:
        return True
    try:
        return orjson.dumps(one) == orjson.dumps(other)
    except TypeError:  # integers beyond 64 bits: repr tells them apart as JSON would
        return repr(one) == repr(other)


def same_thing(one: Thing, other: Thing) -> bool:
    """Whether two primitives are the same one, or render alike."""
    if one is other:
        return True
    if type(one) is not type(other) or one != other:
        return False
    return same_json(_json_parts(one), _json_parts(other))


def _json_parts(thing: Thing) -> Any:
    """The mappings in a thing, of which equality says too little."""
    match thing:
        case ToolCall():
            return [thing.args, thing.caller]
        case Thought():
            return thing.payload.item if isinstance(thing.payload, ReasoningPayload) else None
        case ProviderItem():
            return thing.item
        case _:
            return None


def same_items(one: Sequence[Rendered], other: Sequence[Rendered]) -> bool:
    """Whether two renderings of a unit send the same."""
    return len(one) == len(other) and all(same_json(a.item, b.item) for a, b in zip(one, other, strict=True))
