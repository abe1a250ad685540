"""A seam that gives something else than its Protocol says is named."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from seamwright import AgentState, SeamError, SpooledArtifact, ToolCall
from seamwright_containers import responses_pipeline
from wiring.rich import SITUATIONS, STATE, at
from wiring.test_raising import SUBJECTS
from wiring.test_replaced_alone import WAITING


class Odd:
    """Nothing that any seam gives."""

    def __repr__(self) -> str:
        return "an odd thing"


@pytest.mark.parametrize("asynchronous", [False, True])
@pytest.mark.parametrize("name", WAITING)
def test_a_wrong_result_names_the_seam(name: str, asynchronous: bool) -> None:
    """Plain or awaited, with what was being rendered and what it gave."""

    def plain(*arguments: Any) -> Any:
        return Odd()

    async def waiting(*arguments: Any) -> Any:
        await asyncio.sleep(0)
        return Odd()

    pipeline = responses_pipeline(**{name: waiting if asynchronous else plain})  # type: ignore[misc]  # the name comes from a parameter
    with pytest.raises(SeamError) as caught:
        pipeline.build_sync(STATE, SITUATIONS["leading"])

    # it has returned, so its own arguments are gone: the message that a media hangs on is known, the media is not
    subject = "u1" if name == "media_blocks" else SUBJECTS[name]
    assert (name, subject) == (caught.value.seam, caught.value.subject_id)
    assert isinstance(caught.value.cause, TypeError)
    assert "it gave an odd thing, where " in str(caught.value)


def test_a_forgotten_return_is_told() -> None:
    """The commonest mistake in a function of one's own."""

    def forgetful(state: AgentState, context: Any, /) -> Any:
        text = f"<prompt>{state.system_prompt}</prompt>"
        assert text

    pipeline = responses_pipeline(system_prompt=forgetful)
    with pytest.raises(SeamError, match=r"seam 'system_prompt' .*: it gave None, where str is expected"):
        pipeline.build_sync(STATE, SITUATIONS["leading"])


def test_a_reader_that_gives_no_text_is_told() -> None:
    """What reads an artifact is the host's own too."""

    def reader() -> Any:
        return 17

    results = SpooledArtifact(reader=reader)
    call = ToolCall(id="c", tool="t", args={}, created_at=at(0), results=results, trusted=True)
    with pytest.raises(SeamError, match=r"over 'c' .*: it gave 17, where str or bytes is expected"):
        responses_pipeline().build_sync(AgentState(tool_calls=[call]), SITUATIONS["leading"])
