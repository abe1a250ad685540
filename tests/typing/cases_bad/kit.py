"""Contracts and fakes of another seam than the one at hand, and assertions about what is no build."""

from __future__ import annotations

from typing import Any

from seamwright import AgentState, AssembledInput, BuildContext, Media, Message
from seamwright.seams.leading import standing_instructions
from seamwright.testing.assertions import assert_replayed, assert_sendable, assert_warned
from seamwright.testing.contracts import (
    check_fingerprint,
    check_item_ids,
    check_media_blocks,
    check_memories,
    check_nonce,
    check_seams,
    check_token_counter,
)
from seamwright.testing.fakes import recording
from seamwright_containers import Plan, ResponsesContainer, responses_pipeline
from seamwright_containers.pytest_plugin import assert_anything  # E: the plugin has no such name


def quiet(text: str, /) -> str:
    return text


def two_texts(text: str, other: str, /) -> str:
    return text + other


async def waiting(text: str, /) -> str:
    return text


def of_media(media: Media, context: BuildContext, /) -> list[dict[str, Any]]:
    return []


def a_text(media: Media, context: BuildContext, /) -> str:
    return media.id


def of_a_message(message: Message, context: BuildContext, /) -> list[dict[str, Any]]:
    return []


# --- contracts

check_nonce(two_texts)  # E: one text is given
check_nonce(waiting)  # E: a plain function is asked for
check_nonce(seam=quiet)  # E: the seam is positional
check_nonce(quiet, neutraliser=quiet)  # E: a nonce puts nothing into tags
check_memories(standing_instructions)  # E: instructions are no memories
check_memories(quiet, neutraliser=3)  # E: neither is a text, and a number is no neutraliser
check_media_blocks(a_text)  # E: a list of parts is given
check_media_blocks(of_a_message)  # E: a media is given
check_item_ids(quiet)  # E: an object with three methods is asked for
check_token_counter(len)  # E: nobody knows in what it counts
check_fingerprint(quiet)  # E: three keywords are given
check_seams(ResponsesContainer())  # E: the record is looked at, not its container
check_seams(Plan.compile(ResponsesContainer()))  # E: plan.seams() is

# --- fakes

recording("nonces")  # E: no seam has this name
recording(quiet)  # E: a fake has the name of a seam
recording("nonce", two_texts)  # E: one text is given
recording("nonce", waiting)  # E: a plain function is asked for
recording("nonce", result=3)  # E: a nonce is a text
recording("media_blocks", a_text)  # E: a list of parts is given
recording("media_blocks", result="blocks")  # E: a list of parts is given
recording("item_ids", result="id")  # E: three methods have no one result
recording("nonce")(3)  # E: an id is a text
recording("media_blocks", of_media)("a1", None)  # E: a media and a context are given
responses_pipeline(nonce=recording("media_blocks"))  # E: blocks are no nonce
responses_pipeline(memories=recording("standing_instructions"))  # E: instructions are no memories
responses_pipeline(item_ids=recording("nonce"))  # E: a nonce has no methods
responses_pipeline(token_counter=recording("neutraliser"))  # E: a text is no number
Plan.compile(ResponsesContainer()).pipeline(fingerprint=recording("nonce"))  # E: a text is no hash

# --- assertions


def of_a_build(assembled: AssembledInput) -> None:
    assert_warned(assembled, 3)  # E: a code is a text
    assert_warned(assembled.to_request(), "stash-miss")  # E: a body has no warnings
    assert_replayed(assembled, AgentState())  # E: thoughts are named by their ids
    assert_sendable(3)  # E: a number is no request
