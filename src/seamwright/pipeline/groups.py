"""What of a rendered timeline belongs together, so that it can be removed without breaking a rule of the API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import attrs

from seamwright.model.message import Message
from seamwright.model.provider_item import ProviderItem
from seamwright.pipeline.answers import AnswerKey, answer_key, call_keys
from seamwright.pipeline.walk import subject
from seamwright.seams.steps import Rendered

_INSTRUCTING: Final = ("system", "developer")


@attrs.frozen
class Span:
    """A row of rendered items that stays or goes as a whole: ``rendered[start:end]``."""

    start: int
    end: int


def inseparable(rendered: Sequence[Rendered]) -> list[Span]:
    """The timeline in spans, without a gap.

    A response is one, and so is a thing with what was rendered of it. An answer is bound to its call with everything
    between; reasoning without origin to what follows it, up to what is no output of the agent's.
    """
    starts = _units(rendered)
    ends = [*starts[1:], len(rendered)] if starts else []
    reach = list(range(len(starts)))  # the last unit that each one is bound to
    _bind_answers(rendered, starts, ends, reach)
    _bind_reasoning(rendered, starts, ends, reach)
    spans: list[Span] = []
    unit = 0
    while unit < len(starts):
        last = first = unit
        while unit <= last:
            last = max(last, reach[unit])
            unit += 1
        spans.append(Span(starts[first], ends[last]))
    return spans


def _units(rendered: Sequence[Rendered]) -> list[int]:
    """Where a response, or a thing without origin, begins."""
    starts: list[int] = []
    before: Rendered | None = None
    for index, one in enumerate(rendered):
        same_group = before is not None and one.group is not None and one.group == before.group
        same_thing = before is not None and one.thing is not None and one.thing is before.thing
        if not (same_group or same_thing):
            starts.append(index)
        before = one
    return starts


def _bind_answers(rendered: Sequence[Rendered], starts: list[int], ends: list[int], reach: list[int]) -> None:
    calls: dict[AnswerKey, int] = {}
    for unit, (start, end) in enumerate(zip(starts, ends, strict=True)):
        for one in rendered[start:end]:
            item = one.item or {}
            if one.role == "answer":
                key = answer_key(item, one.wire_id)
                call = None if key is None else calls.get(key)
                if call is not None:
                    reach[call] = max(reach[call], unit)
            elif one.role == "output":
                calls.update((key, unit) for key in call_keys(item, one.wire_id))


def _bind_reasoning(rendered: Sequence[Rendered], starts: list[int], ends: list[int], reach: list[int]) -> None:
    open_since: int | None = None
    for unit, (start, end) in enumerate(zip(starts, ends, strict=True)):
        first = rendered[start]
        if first.group is None and (first.role == "candidate" or first.unsent):
            open_since = unit if open_since is None else open_since
            reach[open_since] = unit
        elif open_since is not None:
            if any(one.role == "other" and one.item is not None for one in rendered[start:end]):
                open_since = None
            else:
                reach[open_since] = unit


def ids_of(rendered: Sequence[Rendered]) -> tuple[str, ...]:
    """The ids of the things, each once."""
    return tuple(dict.fromkeys(known for one in rendered if (known := subject(one)) is not None))


def has_user_message(rendered: Sequence[Rendered]) -> bool:
    """Whether a message of the user is among them."""
    return any(isinstance(one.thing, Message) and one.thing.role == "user" for one in rendered)


def is_pinned(rendered: Sequence[Rendered]) -> bool:
    """Whether something is among them that speaks for more than itself: instructions, or a compacted history."""
    items = [one.item or {} for one in rendered if isinstance(one.thing, ProviderItem)]
    return any(item.get("type") == "compaction" or item.get("role") in _INSTRUCTING for item in items)
