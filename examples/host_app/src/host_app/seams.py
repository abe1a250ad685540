"""The seams of this host. None of them knows a container, so each can be called and tested alone."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Iterable, Mapping
from typing import Any, Final, Protocol

import attrs

from seamwright import BuildContext, Message
from seamwright.seams.envelopes import Neutraliser, Nonce
from seamwright.seams.envelopes import neutraliser as default_neutraliser
from seamwright.seams.media import MediaBlocks
from seamwright.seams.timeline import TimelineMessage, make_timeline_message

Item = dict[str, Any]

CARD_NUMBER: Final = re.compile(r"\b\d{4}([ -]?)\d{4}\1\d{4}\1\d{4}\b")


class Badge(Protocol):
    """One line about the person who wrote a message, ``""`` for nothing. The caller neutralises it."""

    def __call__(self, message: Message, /) -> str: ...


def no_badge(message: Message, /) -> str:
    """The default ``badge``: nobody is known."""
    return ""


@attrs.frozen
class Levels:
    """A ``badge`` that knows the customers: identifier of the author to level."""

    levels: Mapping[str, str]

    def __call__(self, message: Message, /) -> str:
        level = self.levels.get(message.identity.identifier)
        return f"[customer level: {level}]" if level else ""


@attrs.frozen
class Redactor:
    """A ``neutraliser`` that also blacks out what no model needs to see. What it leaves is neutralised as ever."""

    patterns: tuple[re.Pattern[str], ...]

    def __call__(self, text: str, /) -> str:
        for pattern in self.patterns:
            text = pattern.sub("[redacted]", text)
        return default_neutraliser(text)


def redactor(patterns: Iterable[re.Pattern[str]] = ()) -> Redactor:
    """Card numbers, and what a tenant asks for besides."""
    return Redactor((CARD_NUMBER, *patterns))


def make_badged_message(
    *, badge: Badge, nonce: Nonce, neutraliser: Neutraliser, media_blocks: MediaBlocks
) -> TimelineMessage:
    """A ``timeline_message`` like the default, with the author's badge as a part of its own before a user's text."""
    default = make_timeline_message(nonce=nonce, neutraliser=neutraliser, media_blocks=media_blocks)

    def with_badge(line: str, items: list[Item]) -> list[Item]:
        first, *others = items
        part = {"type": "input_text", "text": neutraliser(line)}
        return [{**first, "content": [part, *first["content"]]}, *others]

    async def later(line: str, items: Awaitable[list[Item]]) -> list[Item]:
        return with_badge(line, await items)

    def timeline_message(message: Message, context: BuildContext, /) -> list[Item] | Awaitable[list[Item]]:
        items = default(message, context)
        line = badge(message) if message.role == "user" else ""
        if not line:
            return items
        return with_badge(line, items) if isinstance(items, list) else later(line, items)

    return timeline_message
