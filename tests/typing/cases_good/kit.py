"""The test kit: contracts take the seam they are for, and a fake fits where its seam fits."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, assert_type

from seamwright import AgentState, BuildContext, KeyedNonce, Media, Overrides, PrefixHash, RenderOptions, Seams
from seamwright.awaiting import MaybeAwaitable
from seamwright.testing.assertions import assert_replayed, assert_request_equal, assert_sendable, assert_warned
from seamwright.testing.contracts import (
    check_fingerprint,
    check_media_blocks,
    check_memories,
    check_nonce,
    check_seams,
    check_token_counter,
)
from seamwright.testing.fakes import Recording, RecordingFingerprint, RecordingItemIds, recording
from seamwright.testing.server import ResponsesServer
from seamwright_containers import Plan, ResponsesContainer, responses_pipeline
from seamwright_containers.pytest_plugin import assert_no_warnings


def quiet(text: str, /) -> str:
    return text


async def waiting(media: Media, context: BuildContext, /) -> list[dict[str, Any]]:
    return []


def of_contracts(seams: Seams) -> None:
    check_nonce(quiet)
    check_nonce(KeyedNonce("secret"), max_examples=5)
    check_media_blocks(waiting)
    check_memories(seams.memories, neutraliser=quiet)
    check_token_counter(None)
    check_fingerprint(seams.fingerprint, covers=["model", "input"])
    check_seams(seams)


def of_fakes(seams: Seams) -> None:
    blocks = recording("media_blocks")
    assert_type(blocks, Recording[[Media, BuildContext], MaybeAwaitable[list[dict[str, Any]]]])
    assert_type(recording("nonce"), Recording[[str], str])
    assert_type(recording("nonce", quiet)("a"), str)
    assert_type(recording("item_ids"), RecordingItemIds)
    assert_type(recording("fingerprint"), RecordingFingerprint)
    assert_type(recording("fingerprint")(model="m", instructions=None, tools=None), PrefixHash)
    assert_type(recording("token_counter", result=3).encoding, str)
    recording("clock", result=datetime(2026, 1, 1, tzinfo=UTC))
    recording("own_message", result=None)
    responses_pipeline(
        media_blocks=recording("media_blocks", waiting),
        nonce=recording("nonce"),
        neutraliser=recording("neutraliser", result=""),
        standing_instructions=recording("standing_instructions"),
        token_counter=recording("token_counter", result=7),
        item_ids=recording("item_ids", seams.item_ids),
        fingerprint=recording("fingerprint"),
        tool_result=recording("tool_result", result="done"),
        thought_filter=recording("thought_filter"),
        timeline_step=recording("timeline_step"),
        trimmer=recording("trimmer", result=[0]),
        reasoning_pairing=recording("reasoning_pairing"),
        output_slots=recording("output_slots"),
        warn=recording("warn"),
    )
    overrides: Overrides = {"safety_directive": recording("safety_directive", result="x")}
    Plan.compile(ResponsesContainer()).pipeline(**overrides)
    check_nonce(recording("nonce"))


def of_assertions(plan: Plan[Seams], responses_server: ResponsesServer) -> None:
    assembled = plan.pipeline().build_sync(AgentState(), RenderOptions(model="m"))
    assert_request_equal(assembled, responses_server.requests[0])
    assert_sendable(assembled.to_request(), endpoint="azure")
    assert_warned(assembled, "stash-miss", None)
    assert_replayed(assembled, "rs_1", "rs_2", state=AgentState())
    assert_no_warnings(assembled)
