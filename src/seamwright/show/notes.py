"""The warnings of a build, dealt out to what they are about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from seamwright.model.media import Media
from seamwright.model.message import Message
from seamwright.model.tool_call import ToolCall
from seamwright.pipeline.walk import subject
from seamwright.seams.steps import Rendered
from seamwright.show.model import Note
from seamwright.wire.assembled import RenderWarning
from seamwright.wire.items import Item

_OF_THE_CALL: Final = frozenset({"tool-name-cleaned", "duplicate-call-id", "duplicate-item-id", "group-trimmed"})
"""Of a call and its result, which have one id, these are about the call."""


class Notes:
    """Hands each warning to the first entry that it is about; :meth:`rest` is what belongs to none."""

    def __init__(self, warnings: Sequence[RenderWarning]) -> None:
        self._left = dict(enumerate(warnings))
        self._about: dict[str | None, list[int]] = {}
        for index, warning in self._left.items():
            self._about.setdefault(warning.subject_id, []).append(index)

    def take(self, one: Rendered, item: Item | None = None) -> tuple[Note, ...]:
        """The notes of a rendered thing; ``item`` is what was sent of it."""
        ids = dict.fromkeys([subject(one), *_media_ids(one)])
        found = [index for key in ids if key is not None for index in self._about.get(key, ())]
        taken = [index for index in found if index in self._left and _fits(one, item, self._left[index].code)]
        return tuple(_note(self._left.pop(index)) for index in taken)

    def rest(self) -> tuple[Note, ...]:
        """What nobody took, with its subject."""
        return tuple(
            Note(one.code, f"{one.subject_id}: {one.text}") if one.subject_id else _note(one)
            for one in self._left.values()
        )


def _fits(one: Rendered, item: Item | None, code: str) -> bool:
    """Whether a warning about an id is about this bearer of it: a call and its result share one, and ids repeat."""
    if isinstance(one.thing, ToolCall) and (code in _OF_THE_CALL) != (one.role == "output"):
        return False
    if item is None or one.item is None:
        return True
    if code == "duplicate-call-id":
        return item.get("call_id") != one.item.get("call_id")
    return code != "duplicate-item-id" or "id" not in item


def _media_ids(one: Rendered) -> list[str]:
    thing = one.thing
    if isinstance(thing, Message):
        return [media.id for media in thing.attachments]
    results = thing.results if isinstance(thing, ToolCall) and one.role == "answer" else None
    return [media.id for media in results if isinstance(media, Media)] if isinstance(results, tuple) else []


def _note(warning: RenderWarning) -> Note:
    return Note(warning.code, warning.text)
