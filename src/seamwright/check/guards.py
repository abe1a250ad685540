"""Cheap tests that spare the common, sound case a dozen calls. Each is true only where the checks behind it can't find anything."""

from __future__ import annotations

import re
from typing import Final

from seamwright.check.fields import ID_PREFIX, ITEM_KEYS, MAX_ID, PART_KEYS, ROLES
from seamwright.check.json_types import Object
from seamwright.check.models import ModelCapabilities
from seamwright.model.endpoints import EndpointProfile

_PLAIN_MESSAGE: Final = ITEM_KEYS["message"] - {"status", "prompt_cache_breakpoint"}
_PLAIN_TEXT: Final = PART_KEYS["output_text"] & PART_KEYS["input_text"]
_PLAIN_OUTPUT_TEXT: Final = PART_KEYS["output_text"]
_SOUND_ID: Final = {kind: re.compile(f"{ID_PREFIX.get(kind, '')}[A-Za-z0-9_-]+").fullmatch for kind in ITEM_KEYS}


def sound_id(item: Object) -> bool:
    """The id is absent, or of the form its type wants (I1, I2, I3)."""
    item_id = item.get("id")
    if item_id is None:
        return True
    sound = _SOUND_ID.get(item.get("type") or "message")
    return sound is not None and type(item_id) is str and len(item_id) <= MAX_ID and sound(item_id) is not None


def sound_message(item: Object) -> bool:
    """A message of a known role, with content, and no keys but the plain ones (F1, F2, C2, C4, C5, L4)."""
    content = item.get("content")
    return (
        _PLAIN_MESSAGE.issuperset(item)
        and (type(content) is str or type(content) is list)
        and content not in ("", [])
        and item.get("role") in ROLES
    )


def sound_text(part: Object) -> bool:
    """A text part with a text that is not empty, and no keys but the plain ones (F1, C4, C5, L4)."""
    text = part.get("text")
    if type(text) is not str or not text:
        return False
    return _PLAIN_TEXT.issuperset(part) or (part["type"] == "output_text" and _PLAIN_OUTPUT_TEXT.issuperset(part))


def no_status(item: Object) -> bool:
    """There is no ``status`` to look at."""
    return "status" not in item


def takes_no_ids(profile: EndpointProfile, can: ModelCapabilities) -> bool:
    """The endpoint knows no item ids."""
    return profile.ids == "never"


def no_reasoning(profile: EndpointProfile, can: ModelCapabilities) -> bool:
    """The model is known to take no reasoning items."""
    return can.reasoning is False


def no_images(profile: EndpointProfile, can: ModelCapabilities) -> bool:
    """The model is known to read no images."""
    return can.images is False


def no_files(profile: EndpointProfile, can: ModelCapabilities) -> bool:
    """The model is known to read no files."""
    return can.files is False
