"""Reads envelopes the way a distrustful reader would: whatever may pass for a tag is one.

Shares no code with the renderer, and uses no regular expression, as the renderer does. It knows the names of the tags,
and takes them in any letter case and with white space where a sloppy reader would overlook it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import attrs

WHOLE = ("system_instructions", "memories", "retrieved_corpus")
WITH_NONCE = (
    "memory_",
    "retrieved_",
    "untrusted_content_",
    "trusted_content_",
    "thought_",
    "message_",
    "peer_agent_output_",
)
GAP = "\u241e"
"""Stands between two parts of one item, which are read one after the other but are no one text."""


@attrs.frozen
class Reading:
    """A text taken apart: ``texts`` stand before, between and behind ``tags``."""

    texts: list[str]
    tags: list[str]


def tag_positions(text: str) -> list[int]:
    """Where something begins that may pass for a tag of an envelope."""
    positions: list[int] = []
    place = text.find("<")
    while place >= 0:
        if _is_name(text, _name_start(text, place + 1)):
            positions.append(place)
        place = text.find("<", place + 1)
    return positions


def _name_start(text: str, place: int) -> int:
    place = _behind_spaces(text, place)
    return _behind_spaces(text, place + 1) if text[place : place + 1] == "/" else place


def _behind_spaces(text: str, place: int) -> int:
    while text[place : place + 1].isspace():
        place += 1
    return place


def _is_name(text: str, place: int) -> bool:
    folded = text[place : place + 32].casefold()
    if folded.startswith(WITH_NONCE):
        return True
    for name in WHOLE:
        if folded.startswith(name):
            behind = folded[len(name) : len(name) + 1]
            return not (behind.isalnum() or behind == "_")
    return False


def read(text: str) -> Reading:
    """Takes a text apart. A tag ends at the first ``>``, or with the text."""
    texts: list[str] = []
    tags: list[str] = []
    done = 0
    for place in tag_positions(text):
        if place < done:
            continue
        end = text.find(">", place)
        texts.append(text[done:place])
        done = len(text) if end < 0 else end + 1
        tags.append(text[place:done])
    return Reading([*texts, text[done:]], tags)


def neutral(text: str) -> str:
    """What is expected of a body: the ``<`` of everything that may pass for a tag is written ``&lt;``."""
    result: list[str] = []
    done = 0
    for place in tag_positions(text):
        result += [text[done:place], "&lt;"]
        done = place + 1
    return "".join([*result, text[done:]])


def nesting_fault(tags: list[str]) -> str | None:
    """What is wrong with the tags of one item, which have to open and close one another exactly; None for nothing."""
    open_names: list[str] = []
    for tag in tags:
        if not tag.endswith(">") or tag.count("<") != 1:
            return f"{tag!r} is no tag the renderer writes"
        if tag.startswith("</"):
            if not open_names or tag != f"</{open_names.pop()}>":
                return f"{tag!r} closes nothing"
            continue
        name = tag[1:-1].partition(" ")[0]
        nonce = _attribute(tag, "nonce")
        if nonce is not None and not name.endswith(f"_{nonce}"):
            return f"{tag!r} is not named after its nonce"
        open_names.append(name)
    return f"{open_names} stay open" if open_names else None


def _attribute(tag: str, name: str) -> str | None:
    _, found, rest = tag.partition(f' {name}="')
    return rest.partition('"')[0] if found else None


def shown_texts(instructions: str | None, items: list[dict[str, Any]]) -> list[str]:
    """What a request shows in text: the instructions, and each item that the renderer writes, its parts in a row."""
    written = [item for item in items if item["type"] in ("message", "function_call_output", "custom_tool_call_output")]
    texts = [GAP.join(_strings(item.get("content", item.get("output")))) for item in written]
    return texts if instructions is None else [instructions, *texts]


def _strings(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for part in content:
            yield from (part[key] for key in ("text", "refusal") if isinstance(part.get(key), str))
