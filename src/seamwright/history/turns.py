"""What the list of items alone does not show: which ids a turn of the assistant may still carry.

The API ties the items of a response to its reasoning by their ids. A log may have lost some of that reasoning; then the
ids it led to have to go as well, and only the log can tell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, Protocol

import attrs

from seamwright.history.blocks import HistoryMessage, ImageBlock, ThinkingBlock
from seamwright.history.serialize import is_own
from seamwright.model.options import RenderOptions
from seamwright.pipeline.ids import item_wire_id
from seamwright.seams.context import AddWarning
from seamwright.wire.items import Item


@attrs.frozen
class TurnContext:
    """One build: its options, where warnings go, and the item ids that stand in the input already."""

    options: RenderOptions
    warn: AddWarning
    used: set[str] = attrs.field(factory=set[str])


class TurnItems(Protocol):
    """The items of some assistant messages in a row, with reasoning and ids in a state that can be sent.

    ``items`` is what ``serialize_history`` gave for ``messages``; whatever is left out or changed is a warning.
    """

    def __call__(
        self, messages: Sequence[HistoryMessage], items: Sequence[Item], context: TurnContext, /
    ) -> list[Item]: ...


# Fernet in base64url, as every encrypted part in traffic: the version byte 0x80, then a time whose high bytes are 0.
_SEALED: Final = re.compile(r"gAAAA[A-Za-z0-9_-]*={0,2}\Z")
_OPEN_REASONING: Final = frozenset({"P6", "P7"})
"""Rules that an endpoint tolerates when its encrypted parts are of a form of their own."""


def turn_items(messages: Sequence[HistoryMessage], items: Sequence[Item], context: TurnContext, /) -> list[Item]:
    """The default: reasoning that can't be read, or that nothing follows, falls and takes the ids of its turn along."""
    lost = _report_left_out(messages, items, context)
    typed = [_with_type(item, context) for item in items]
    kept = [item for item in typed if not _falls(item, context)]
    followed = _without_loose_end(kept, context)
    if lost or len(followed) < len(typed):
        return [_bare(item, "the reasoning of its turn was left out", context) for item in followed]
    if context.options.endpoint.ids == "never":
        return [_bare(item, "the endpoint takes no ids", context) for item in followed]
    return [item for run in _runs(followed) for item in _settled(run, context)]


def _is_reasoning(item: Item) -> bool:
    return item.get("type") == "reasoning"


def _report_left_out(messages: Sequence[HistoryMessage], items: Sequence[Item], context: TurnContext) -> bool:
    """Warns of blocks that gave no item. True when reasoning of our own provider is among them."""
    foreign = sum(isinstance(block, ThinkingBlock) for m in messages if not is_own(m) for block in m.content)
    own = sum(isinstance(block, ThinkingBlock) for m in messages if is_own(m) for block in m.content)
    images = sum(isinstance(block, ImageBlock) for m in messages for block in m.content)
    lost = own - sum("encrypted_content" in item for item in items)
    if foreign:
        context.warn("reasoning-left-out", f"{foreign} thinking block(s) of another provider can't be replayed", None)
    if lost > 0:
        text = f"{lost} thinking block(s) hold no reasoning item with an encrypted part in their signature"
        context.warn("reasoning-left-out", text, None)
    if images:
        context.warn("block-left-out", f"{images} image(s) of the assistant have no form in a request", None)
    return lost > 0


def _with_type(item: Item, context: TurnContext) -> Item:
    if "encrypted_content" not in item or item.get("type") is not None:
        return item
    context.warn("item-type-written", "a stored reasoning item did not say its type", _id(item))
    return {"type": "reasoning"} | {key: value for key, value in item.items() if key != "type"}


def _id(item: Item) -> str | None:
    own: Any = item.get("id")
    return own if isinstance(own, str) else None


def _falls(item: Item, context: TurnContext) -> bool:
    if not _is_reasoning(item):
        return False
    problem = _reasoning_problem(item, context.options)
    if problem is not None:
        context.warn("reasoning-left-out", problem, _id(item))
    return problem is not None


def _reasoning_problem(item: Item, options: RenderOptions) -> str | None:
    encrypted = item.get("encrypted_content")
    if options.reasoning_replay != "encrypted":
        return f"reasoning_replay is {options.reasoning_replay!r}"
    if not isinstance(encrypted, str) or not encrypted:
        return "its encrypted part is no text"
    if not _SEALED.match(encrypted) and _OPEN_REASONING.isdisjoint(options.endpoint.tolerates):
        return "its encrypted part does not look like one of the API's"
    return None


def _without_loose_end(items: list[Item], context: TurnContext) -> list[Item]:
    end = len(items)
    while end and _is_reasoning(items[end - 1]):
        end -= 1
        context.warn("reasoning-unpaired", "the item it led to does not follow it", _id(items[end]))
    return items[:end]


def _runs(items: list[Item]) -> Iterator[list[Item]]:
    """Reasoning items in a row with what follows them; every other item alone."""
    run: list[Item] = []
    for item in items:
        run.append(item)
        if not _is_reasoning(item):
            yield run
            run = []


def _settled(run: list[Item], context: TurnContext) -> list[Item]:
    """Ids of a run go all together or not at all; an endpoint that wants every id gets those that may be sent."""
    bad = {index: problem for index, item in enumerate(run) if (problem := _id_problem(item, context)) is not None}
    if len(run) > 1 and bad and context.options.endpoint.ids == "paired":
        bad = dict.fromkeys(range(len(run)), "what it is paired with can't carry its own") | bad
    settled = [_bare(item, bad[index], context) if index in bad else item for index, item in enumerate(run)]
    context.used.update(own for item in settled if (own := _id(item)) is not None)
    return settled


def _id_problem(item: Item, context: TurnContext) -> str | None:
    if item.get("id") is None:
        return "it has none"
    own = item_wire_id(item)
    if own is None:
        return "it is no id of the API"
    return "an earlier item has it" if own in context.used else None


def _bare(item: Item, why: str, context: TurnContext) -> Item:
    if "id" not in item:
        return item
    text = f"{item.get('type')} goes without its id: {why}"
    if item["id"] in context.used:
        context.warn("duplicate-item-id", text, _id(item))
    else:
        context.warn("item-id-left-out", text, _id(item))
    return {key: value for key, value in item.items() if key != "id"}
