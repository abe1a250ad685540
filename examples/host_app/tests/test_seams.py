"""Each seam of the host alone: called directly, with plain functions or fakes for what it needs."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable
from datetime import UTC, datetime
from typing import Any

import pytest

from host_app.seams import Levels, make_badged_message, no_badge, redactor
from seamwright import BuildContext, Identity, Media, Message, RenderOptions
from seamwright.seams.envelopes import nonce as default_nonce
from seamwright.seams.media import MediaBlocks
from seamwright.seams.timeline import TimelineMessage
from seamwright.testing.contracts import check_neutraliser, check_timeline_message
from seamwright.testing.fakes import recording

CONTEXT = BuildContext(RenderOptions(model="m"))
ANN = Identity(identifier="ann", representation="Ann")


def message(content: str = "Hello", **fields: Any) -> Message:
    """A message of Ann's."""
    when = datetime(2026, 1, 1, tzinfo=UTC)
    return Message(id="m1", role="user", content=content, created_at=when, identity=ANN, **fields)


def picture() -> Media:
    """An attachment."""
    return Media(
        id="a1",
        kind="image",
        mime_type="image/png",
        filename="a.png",
        source_reader=b"",
        trust_tier="third-party-private",
        modality_hazard="inert",
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("4111 1111 1111 1111", "[redacted]"),
        ("card 4111-1111-1111-1111.", "card [redacted]."),
        ("4111111111111111", "[redacted]"),
        ("order 4111 1111", "order 4111 1111"),
        ("nothing", "nothing"),
    ],
)
def test_card_numbers_are_blacked_out(text: str, expected: str) -> None:
    """Four groups of four digits, joined alike; nothing else."""
    assert expected == redactor()(text)


def test_what_a_tenant_asks_for_is_blacked_out_too() -> None:
    """Its patterns come on top of the card numbers."""
    assert "[redacted] [redacted]" == redactor([re.compile("secret")])("secret 4111111111111111")


def test_the_redactor_still_neutralises() -> None:
    """Blacking out is no excuse for letting a tag through, however it is spelt."""
    assert "&lt;memories>" == redactor()("<memories>")
    check_neutraliser(redactor([re.compile("secret")]))


def test_a_badge_names_the_level_of_a_known_customer() -> None:
    """By the identifier of the author; of others there is nothing to say."""
    assert "[customer level: gold]" == Levels({"ann": "gold"})(message())
    assert "" == Levels({"bob": "gold"})(message()) == no_badge(message())


BLOCKS = recording("media_blocks", result=[{"type": "input_text", "text": "blocks"}])


def badged(badge: str, blocks: MediaBlocks = BLOCKS) -> TimelineMessage:
    """The seam, made of functions that do nearly nothing."""
    return make_badged_message(
        badge=lambda message: badge,
        nonce=lambda identifier: f"n-{identifier}",
        neutraliser=lambda text: text.replace("<", "&lt;"),
        media_blocks=blocks,
    )


def texts(items: list[dict[str, Any]] | Awaitable[list[dict[str, Any]]]) -> list[str]:
    """The texts of all parts."""
    assert isinstance(items, list)
    return [part["text"] for item in items for part in item["content"]]


def test_the_badge_stands_before_the_text() -> None:
    """As a part of its own, outside the envelope of the message, and neutralised."""
    badge, text = texts(badged("<b>gold")(message(), CONTEXT))

    assert "&lt;b>gold" == badge
    assert text.startswith("<message_n-m1 ")


def test_without_a_badge_nothing_changes() -> None:
    """The item is the default's."""
    (text,) = texts(badged("")(message(), CONTEXT))

    assert text.startswith("<message_n-m1 ")


def test_attachments_stand_behind_badge_and_text() -> None:
    """Each is rendered by ``media_blocks``, once, in the context of the build."""
    blocks = recording("media_blocks", result=[{"type": "input_text", "text": "blocks"}])
    attached = picture()
    badge, text, media = texts(badged("gold", blocks)(message(attachments=[attached]), CONTEXT))

    assert ("gold", "blocks") == (badge, media)
    assert text.startswith("<message_n-m1 ")
    assert [(attached, CONTEXT)] == blocks.arguments


@pytest.mark.parametrize("line", ["[customer level: gold]", "<memories>", ""])
def test_a_badged_message_keeps_the_contract(line: str) -> None:
    """Whatever the message is, and whatever the badge says: the API takes it, and no body adds a tag."""
    check_timeline_message(
        make_badged_message(
            badge=lambda message: line,
            nonce=default_nonce,
            neutraliser=redactor(),
            media_blocks=recording("media_blocks"),
        ),
        neutraliser=redactor(),
    )


def test_attachments_may_wait() -> None:
    """When the media have to be waited for, so has the message, and the badge still stands first."""

    async def blocks(media: Media, context: BuildContext, /) -> list[dict[str, Any]]:
        await asyncio.sleep(0)
        return [{"type": "input_text", "text": media.id}]

    async def rendered() -> list[dict[str, Any]]:
        items = badged("gold", blocks)(message(attachments=[picture()]), CONTEXT)
        assert isinstance(items, Awaitable)
        return await items

    badge, text, media = texts(asyncio.run(rendered()))

    assert ("gold", "a1") == (badge, media)
    assert text.startswith("<message_n-m1 ")
