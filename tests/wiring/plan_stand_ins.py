"""For every seam one that behaves otherwise than the default, so that a replacement shows wherever it is used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final

import attrs

from seamwright import OriginFingerprint, RenderWarning, Seams
from seamwright.ingest.stream import OutputSlots
from seamwright.pipeline.ids import DefaultItemIds
from seamwright.seams.steps import Leading, Rendered
from seamwright.wire.items import input_text, message
from seamwright_containers import responses_pipeline

DEFAULTS: Final[Seams] = responses_pipeline().seams


class Words:
    """A token counter that counts words."""

    encoding: str = "words"

    def __call__(self, text: str, /) -> int:
        return len(text.split())


@attrs.frozen
class NoMessageIds:
    """The default ids, without those of messages."""

    call_ids: Callable[..., Any] = DefaultItemIds().call_ids
    provider_id: Callable[..., Any] = DefaultItemIds().provider_id

    def message_id(self, message: object, /) -> None:
        """None may be sent."""


def _noon() -> datetime:
    return datetime(2026, 1, 1, 12, tzinfo=UTC)


def _swallow(warning: RenderWarning, /) -> None:
    """Nobody is told."""


_NOTE: Final = "a stand-in was here"
_ITEM: Final = message("user", [input_text(_NOTE)])


def _noted(text: str) -> str:
    return f"{text}\n{_NOTE}"


def _without_last(values: list[Any] | None) -> list[Any] | None:
    return values[:-1] if values else values


def _noted_output(output: str | list[Any]) -> str | list[Any]:
    return _noted(output) if isinstance(output, str) else [*output, input_text(_NOTE)]


_CHANGES: Final[Mapping[str, Callable[[Any], Any]]] = {
    "nonce": lambda nonce: f"{nonce}-other",
    "thought_filter": _without_last,
    "media_blocks": lambda parts: [*parts, input_text(_NOTE)],
    "timeline_message": lambda items: [*items, dict(_ITEM)],
    "own_message": lambda item: item and {**item, "content": [*item["content"], dict(item["content"][0], text=_NOTE)]},
    "tool_result": _noted_output,
    "json_schema": lambda schema: {**schema, "title": _NOTE},
    "tool_declarations": _without_last,
    "reasoning_item": lambda item: item and {**item, "summary": []},
    "leading_step": lambda leading: Leading(_noted(leading.instructions or ""), leading.items),
    "timeline_step": lambda rendered: [*rendered, Rendered(dict(_ITEM))],
    "reasoning_pairing": lambda items: [*items, dict(_ITEM)],
    "trailing_step": lambda _: dict(_ITEM),
}
_OTHERS: Final[Mapping[str, Any]] = {
    "clock": _noon,
    "warn": _swallow,
    "token_counter": Words(),
    "trimmer": lambda groups, room: (),
    "fingerprint": OriginFingerprint("elsewhere"),
    "item_ids": NoMessageIds(),
    "output_slots": partial(OutputSlots),
}


def stand_in(name: str) -> Any:
    """A seam of this name that gives something else than the default wherever that gives anything."""
    if name in _OTHERS:
        return _OTHERS[name]
    default: Callable[..., Any] = getattr(DEFAULTS, name)
    change = _CHANGES.get(name, _noted)

    def changed(*args: Any) -> Any:
        return change(default(*args))

    return changed
