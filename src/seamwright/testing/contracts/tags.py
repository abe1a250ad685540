"""A reader of structural tags that shares no code with the renderer, and the harmless twin of hostile input."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

import attrs

from seamwright.model.artifact import SpooledArtifact, ToolMethod
from seamwright.model.guards import is_array, is_mapping, is_record, is_tuple
from seamwright.model.identity import Identity
from seamwright.model.knowledge import Memory, Retrievable
from seamwright.model.media import Media, StashEntry
from seamwright.model.message import Message
from seamwright.model.thought import Thought
from seamwright.model.tool_call import ToolCall
from seamwright.seams.envelopes import Neutraliser
from seamwright.testing.strategies import ENVELOPE_NAMES

T = TypeVar("T")

_TAG: Final = re.compile(r"<\s*+(/?)\s*+([^\s<>]{1,300})")
_EXACT: Final = tuple(name for name in ENVELOPE_NAMES if not name.endswith("_"))
_BEGUN: Final = tuple(name for name in ENVELOPE_NAMES if name.endswith("_"))


def tags(text: str) -> list[str]:
    """The names of all that may pass for a tag of an envelope, ``/`` before those that close one."""
    found: list[str] = []
    for match in _TAG.finditer(text):
        name = match[2].casefold()
        exact = next((one for one in _EXACT if name.startswith(one)), None)
        if name.startswith(_BEGUN) or (exact is not None and not _is_letter(name[len(exact) :][:1])):
            found.append(match[1] + name)
    return found


def _is_letter(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


def forged(hostile: str, harmless: str) -> list[str]:
    """The tags that a text has more of than its harmless twin."""
    return sorted((Counter(tags(hostile)) - Counter(tags(harmless))).elements())


def shows(text: str, body: str) -> bool:
    """Whether a body stands in a text, in whatever letter case and spacing."""
    return "".join(body.split()).casefold() in "".join(text.split()).casefold()


def fenced(text: str, body: str, neutraliser: Neutraliser) -> bool:
    """Whether a body stands between what no body could hold: what the neutraliser lets through nowhere else."""
    place = text.casefold().find(body.casefold())
    before, after = text[:place], text[place + len(body) :]
    return place >= 0 and neutraliser(before) != before and neutraliser(after) != after


# --- the same input, with one harmless word for each text that may be hostile


def _word(value: Any) -> Any:
    return "word" if isinstance(value, str) and value.strip() else value


def _without_brackets(value: str) -> str:
    """A file name of the same length and extension."""
    return value.replace("<", "‹")


def _reader(value: Any) -> Any:
    return "word" if isinstance(value, (str, bytes)) and value.strip() else value


_BODIES: Final[dict[tuple[type, str], Callable[[Any], Any]]] = {
    (Memory, "content"): _word,
    (Memory, "source"): _word,
    (Memory, "kind"): _word,
    (Retrievable, "content"): _word,
    (Retrievable, "source"): _word,
    (Retrievable, "kind"): _word,
    (Message, "content"): _word,
    (Message, "refusal"): _word,
    (Thought, "content"): _word,
    (ToolCall, "results"): _word,
    (SpooledArtifact, "reader"): _reader,
    (ToolMethod, "name"): _word,
    (ToolMethod, "description"): _word,
    (StashEntry, "value"): _word,
    (Media, "filename"): _without_brackets,
    (Identity, "representation"): _word,
}


def harmless(value: T) -> T:
    """The twin of a primitive, of a tuple or list of them, or of a state."""
    return cast("T", _harmless(value))


def _harmless(value: Any) -> Any:
    if is_tuple(value):
        return tuple(_harmless(one) for one in value)
    if is_array(value):
        return [_harmless(one) for one in value]
    if is_mapping(value):
        return {key: _harmless(one) for key, one in value.items()} if any(map(is_record, value.values())) else value
    if not is_record(value):
        return value
    changes: dict[str, Any] = {}
    for field in attrs.fields(type(value)):
        before = getattr(value, field.name)
        body = _BODIES.get((type(value), field.name))
        after = _harmless(before) if body is None or not isinstance(before, (str, bytes)) else body(before)
        if field.init and after != before:
            changes[field.alias] = after
    whole: Any = value  # evolve() is typed for one class, and this is any of them
    return attrs.evolve(whole, **changes) if changes else whole
