"""What changes although no primitive does: texts made for each build, files, readers, given results, failing seams."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from render_session.same import assert_same, shown
from seamwright import (
    AgentState,
    BuildContext,
    InvalidStateError,
    Media,
    Message,
    RenderOptions,
    SeamError,
    SpooledArtifact,
    ToolCall,
)
from seamwright_containers import responses_pipeline

OPTIONS: Final = RenderOptions(model="gpt-test")
BEGIN: Final = datetime(2026, 1, 1, tzinfo=UTC)
PIPELINE: Final = responses_pipeline()


def message(number: int, content: Any = None, **fields: Any) -> Message:
    """What a user said, a minute after what was said before."""
    content = f"message {number}" if content is None else content
    at = BEGIN + timedelta(minutes=number)
    return Message(id=f"m{number}", role="user", content=content, created_at=at, **fields)


def call(number: int, results: Any) -> ToolCall:
    """A call, half a minute behind the message of its number."""
    at = BEGIN + timedelta(minutes=number, seconds=30)
    return ToolCall(id=f"call_{number}", tool="look_up", args="{}", created_at=at, results=results)


def image(source: Any) -> Media:
    """An image of a source."""
    return Media.user_attachment(id="i", kind="image", mime_type="image/png", filename="i.png", source_reader=source)


def png(letter: str) -> bytes:
    """The bytes of an image that is no image, but begins as one."""
    return b"\x89PNG\r\n\x1a\n" + letter.encode()


def state_of(*things: Message | ToolCall, **fields: Any) -> AgentState:
    """Messages and calls as a state."""
    said = [thing for thing in things if isinstance(thing, Message)]
    calls = [thing for thing in things if isinstance(thing, ToolCall)]
    return AgentState(messages=said, tool_calls=calls, **fields)


@given(st.lists(st.sampled_from(["a", "b", "\ud800", ""]), min_size=2, max_size=5))
def test_dynamic_texts(contexts: list[str]) -> None:
    """A callable text is asked at every build, in the system prompt, in rules and in messages."""
    state = state_of(
        message(0),
        message(1, lambda ctx: f"it is {ctx}"),
        message(2),
        system_prompt=lambda ctx: f"You see {ctx}.",
        standing_instructions=[lambda ctx: f"Say {ctx}."],
    )
    session = PIPELINE.session()
    for ctx in contexts:
        assert_same(session, PIPELINE, state, OPTIONS, render_ctx=ctx)


def test_a_dynamic_text_is_called_once_a_build() -> None:
    """No more often than in a cold build."""
    asked: list[object] = []

    def content(ctx: object) -> str:
        asked.append(ctx)
        return "text"

    session = PIPELINE.session()
    for ctx in range(3):
        session.build_sync(state_of(message(0, content)), OPTIONS, ctx)
    assert [0, 1, 2] == asked


def test_files_that_change(tmp_path: Path) -> None:
    """An image and an artifact on disk are looked at anew, wherever they stand."""
    picture, text = tmp_path / "i.png", tmp_path / "t.txt"
    state = state_of(
        message(0),
        message(1, attachments=(image(picture),)),
        call(1, SpooledArtifact(reader=text)),
        message(2),
        call(2, (image(picture),)),
        message(3),
    )
    session = PIPELINE.session()
    for letter in ("a", "a", "b", "a"):
        picture.write_bytes(png(letter))
        text.write_text(f"text {letter}")
        assert_same(session, PIPELINE, state, OPTIONS)


def test_readers_that_give_something_else() -> None:
    """A reader, plain or asynchronous, is asked anew: it may read what changed."""
    now = ["a"]

    async def later() -> bytes:
        await asyncio.sleep(0)
        return png(now[0])

    state = state_of(
        message(0, attachments=(image(lambda: png(now[0])),)),
        message(1, attachments=(image(later),)),
        call(1, SpooledArtifact(reader=lambda: f"text {now[0]}")),
        message(2),
    )
    session = PIPELINE.session()
    for letter in ("a", "b", "b", "a"):
        now[0] = letter
        assert_same(session, PIPELINE, state, OPTIONS)


@given(st.lists(st.dictionaries(st.sampled_from(["call_0", "call_2"]), st.text(max_size=3)), min_size=2, max_size=5))
def test_given_results(turns: list[dict[str, str]]) -> None:
    """Results given as rendered come, change and go."""
    state = state_of(message(0), call(0, "zero"), message(1), call(1, "one"), call(2, None), message(3))
    session = PIPELINE.session()
    for given_results in turns:
        assert_same(session, PIPELINE, state, OPTIONS, rendered_tool_results=given_results)
        assert_same(session, PIPELINE, state, OPTIONS)


def test_a_given_result_of_no_call() -> None:
    """It is the same error, and the next build is none the worse."""
    state = state_of(message(0), call(0, "zero"))
    session = PIPELINE.session()
    assert_same(session, PIPELINE, state, OPTIONS)
    with pytest.raises(InvalidStateError):
        session.build_sync(state, OPTIONS, rendered_tool_results={"call_9": "x"})
    assert_same(session, PIPELINE, state, OPTIONS)


@given(st.integers(0, 9), st.integers(0, 9))
def test_a_seam_that_raises_in_the_middle(failing: int, grown: int) -> None:
    """After an error the session builds as if it had never been asked."""
    broken: set[str] = set()
    default = PIPELINE.seams.timeline_message

    def timeline_message(subject: Message, context: BuildContext, /) -> Any:
        if subject.id in broken:
            raise LookupError(subject.id)
        return default(subject, context)

    pipeline = responses_pipeline(timeline_message=timeline_message)
    session = pipeline.session()
    state = state_of(*map(message, range(6)))
    assert_same(session, pipeline, state, OPTIONS)
    more = attrs.evolve(state, messages=[*state.messages, *map(message, range(6, 7 + grown))])
    edited = [attrs.evolve(one, content=f"{one.content}!") if one.id == f"m{failing}" else one for one in more.messages]
    broken.add(f"m{failing}")
    if failing < len(edited):
        with pytest.raises(SeamError):
            session.build_sync(attrs.evolve(more, messages=edited), OPTIONS)
    broken.clear()
    assert_same(session, pipeline, more, OPTIONS)
    assert_same(session, pipeline, attrs.evolve(more, messages=edited), OPTIONS)


def test_steps_of_a_host() -> None:
    """A step that is not the default is simply called: what it depends on is not known."""
    asked: list[int] = []
    default = PIPELINE.seams.timeline_step

    def timeline_step(state: AgentState, context: BuildContext, /) -> Any:
        asked.append(len(state.messages))
        return default(state, context)

    pipeline = responses_pipeline(timeline_step=timeline_step)
    session = pipeline.session()
    state = state_of(*map(message, range(4)))
    assert_same(session, pipeline, state, OPTIONS)
    assert_same(session, pipeline, state, OPTIONS)
    assert [4, 4, 4, 4] == asked


def test_builds_of_one_session_at_the_same_time() -> None:
    """They don't help one another, and don't disturb one another either."""
    states = [
        state_of(*map(message, range(number)), message(number, attachments=(image(_slow(number)),)))
        for number in range(1, 6)
    ]

    async def all_at_once() -> list[list[Any]]:
        session = PIPELINE.session()
        builds = [session.build(state, OPTIONS) for state in [*states, *reversed(states)]]
        return [shown(assembled) for assembled in await asyncio.gather(*builds)]

    expected = [shown(PIPELINE.build_sync(state, OPTIONS)) for state in states]
    assert [*expected, *reversed(expected)] == asyncio.run(all_at_once())


def _slow(number: int) -> Any:
    async def read() -> bytes:
        await asyncio.sleep(0.001 * (6 - number))
        return png(str(number))

    return read


def test_a_build_that_is_cancelled() -> None:
    """A build that is given up in the middle leaves nothing half changed behind."""
    state = state_of(*map(message, range(5)))
    slow = attrs.evolve(state, messages=[*state.messages, message(5, attachments=(image(_slow(-5000)),))])

    async def cancelled_once() -> list[Any]:
        session = PIPELINE.session()
        await session.build(state, OPTIONS)
        task = asyncio.create_task(session.build(slow, OPTIONS))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return shown(await session.build(state, OPTIONS))

    assert shown(PIPELINE.build_sync(state, OPTIONS)) == asyncio.run(cancelled_once())


def test_a_result_may_be_taken_apart() -> None:
    """The list of items is the caller's; only the items themselves are shared."""
    session = PIPELINE.session()
    state = state_of(*map(message, range(4)))
    first = session.build_sync(state, OPTIONS)
    first.input.clear()
    assert_same(session, PIPELINE, state, OPTIONS)
