"""Seams that wait: in the synchronous build with and without a loop, and many builds at once."""

from __future__ import annotations

import asyncio
import contextvars
import gc
import inspect
import threading
import time
from typing import Any

import pytest

from seamwright import AgentState, InvalidStateError, Message, RenderOptions, ToolCall
from seamwright_containers import responses_pipeline
from wiring.replacements import DEFAULTS, REPLACEMENTS, awaited
from wiring.rich import GIVEN, SITUATIONS, STATE, at
from wiring.test_replaced_alone import WAITING

OPTIONS = SITUATIONS["leading"]


def delayed(name: str, delay: float = 0.001) -> Any:
    """The default of a seam, behind a real wait."""

    async def seam(*arguments: Any) -> Any:
        await asyncio.sleep(delay)
        return await awaited(getattr(DEFAULTS, name)(*arguments))

    return seam


def straight(name: str) -> Any:
    """The default of a seam as an asynchronous function that waits for nothing."""

    async def seam(*arguments: Any) -> Any:
        await asyncio.sleep(0)
        return await awaited(getattr(DEFAULTS, name)(*arguments))

    return seam


EXPECTED = responses_pipeline().build_sync(STATE, OPTIONS, rendered_tool_results=GIVEN)


def built_sync(**overrides: Any) -> Any:
    """The synchronous build of the rich state."""
    return responses_pipeline(**overrides).build_sync(STATE, OPTIONS, rendered_tool_results=GIVEN)


# --- inside a running loop


@pytest.mark.parametrize("name", [None, *WAITING])
def test_the_synchronous_build_works_in_a_loop_as_long_as_nothing_waits(name: str | None) -> None:
    """Also with asynchronous seams, as long as they go straight through."""

    async def inside() -> Any:
        return built_sync(**({name: straight(name)} if name else {}))

    assert asyncio.run(inside()) == EXPECTED


@pytest.mark.parametrize("name", WAITING)
def test_a_seam_that_waits_in_a_loop_is_told_what_to_await(name: str) -> None:
    """RuntimeError naming the method to await; nothing is left unawaited, and the loop goes on."""

    async def inside() -> Any:
        with pytest.raises(RuntimeError, match=r"await pipeline\.build\("):
            built_sync(**{name: delayed(name)})
        gc.collect()
        await asyncio.sleep(0)
        return built_sync()

    assert asyncio.run(inside()) == EXPECTED


@pytest.mark.parametrize("name", WAITING)
def test_awaiting_the_build_is_what_works(name: str) -> None:
    """The method that the error names."""
    pipeline = responses_pipeline(**{name: delayed(name)})  # type: ignore[misc]  # the name comes from a parameter
    assert asyncio.run(pipeline.build(STATE, OPTIONS, rendered_tool_results=GIVEN)) == EXPECTED


# --- without a loop


@pytest.mark.parametrize("name", WAITING)
def test_without_a_loop_a_waiting_seam_works(name: str) -> None:
    """A loop is made for what waits."""
    assert built_sync(**{name: delayed(name)}) == EXPECTED


def test_every_seam_may_wait_at_once() -> None:
    """Seams that wait call seams that wait."""
    assert built_sync(**{name: delayed(name) for name in WAITING}) == EXPECTED


def test_all_that_wait_share_one_loop() -> None:
    """A client that is bound to a loop can serve several seams of a build."""
    loops: set[int] = set()

    def noting(name: str) -> Any:
        async def seam(*arguments: Any) -> Any:
            loops.add(id(asyncio.get_running_loop()))
            await asyncio.create_task(asyncio.sleep(0.001))
            return await awaited(getattr(DEFAULTS, name)(*arguments))

        return seam

    assert (
        built_sync(**{name: noting(name) for name in ("tool_result", "timeline_message", "trailing_step")}) == EXPECTED
    )
    assert len(loops) == 1


@pytest.mark.parametrize(
    "wait",
    [
        lambda: asyncio.sleep(0.001),
        lambda: asyncio.gather(asyncio.sleep(0.001), asyncio.sleep(0.001)),
        lambda: asyncio.wait_for(asyncio.sleep(0.001), 5),
        lambda: asyncio.to_thread(time.sleep, 0.001),
    ],
    ids=["sleep", "gather", "wait_for", "thread"],
)
def test_whatever_is_awaited_works(wait: Any) -> None:
    """Timers, tasks, timeouts and threads, in both builds."""

    async def tool_result(call: Any, context: Any) -> Any:
        await wait()
        return await awaited(DEFAULTS.tool_result(call, context))

    pipeline = responses_pipeline(tool_result=tool_result)
    assert pipeline.build_sync(STATE, OPTIONS, rendered_tool_results=GIVEN) == EXPECTED
    assert asyncio.run(pipeline.build(STATE, OPTIONS, rendered_tool_results=GIVEN)) == EXPECTED


def test_a_seam_may_give_any_awaitable() -> None:
    """A future, or an object of its own: what can be awaited is awaited."""

    class Later:
        def __await__(self) -> Any:
            yield from asyncio.sleep(0.001).__await__()
            return "LATER"

    async def built() -> Any:
        future: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        asyncio.get_running_loop().call_later(0.001, future.set_result, "FUTURE")
        given = iter([Later(), future])
        pipeline = responses_pipeline(tool_result=lambda call, context: next(given))
        calls = [ToolCall(id=name, tool="t", args={}, created_at=at(0)) for name in ("a", "b")]
        return await pipeline.build(AgentState(tool_calls=calls), RenderOptions(model="m"))

    assert [item["output"] for item in asyncio.run(built()).input if "output" in item] == ["LATER", "FUTURE"]


def test_the_threads_own_loop_is_left_alone() -> None:
    """A program that keeps a loop of its own still has it after a build, whether or not a seam waited."""

    def check() -> None:
        own = asyncio.new_event_loop()
        asyncio.set_event_loop(own)
        try:
            built_sync()
            built_sync(tool_result=delayed("tool_result"))
            kept.append(asyncio.get_event_loop() is own)
        finally:
            asyncio.set_event_loop(None)
            own.close()

    kept: list[bool] = []
    thread = threading.Thread(target=check)
    thread.start()
    thread.join()
    assert kept == [True]


def test_no_loop_is_made_when_nothing_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Making one costs more than a small build."""
    made: list[Any] = []
    real = asyncio.new_event_loop
    monkeypatch.setattr(asyncio, "new_event_loop", lambda: made.append(1) or real())
    built_sync()
    assert made == []
    built_sync(tool_result=delayed("tool_result"))
    assert made == [1]


def test_an_error_carries_no_trace_of_how_it_was_run() -> None:
    """The context of an error is what led to it, not the look for a loop."""
    with pytest.raises(InvalidStateError) as caught:
        responses_pipeline().build_sync(AgentState(), OPTIONS, rendered_tool_results={"gone": "x"})
    assert caught.value.__context__ is None


def test_a_build_inside_a_seam_of_a_build() -> None:
    """A seam may build with another pipeline, waiting ones included, as long as no loop runs round it."""
    inner = responses_pipeline(tool_result=delayed("tool_result"))

    def memories(items: Any, /) -> str:
        return inner.build_sync(STATE, OPTIONS, rendered_tool_results=GIVEN).input[-1]["role"]  # type: ignore[no-any-return]

    built = built_sync(memories=memories, tool_result=delayed("tool_result"))
    assert built.instructions is not None
    assert "\n\nuser\n\n" in built.instructions


# --- many at once


def test_builds_at_once_do_not_meet() -> None:
    """Each of many builds over one pipeline gives its own request and its own warnings."""

    async def timeline_message(message: Message, context: Any) -> Any:
        await asyncio.sleep(0.001 * (len(message.id) % 3))
        context.warn("own", message.id, message.id)
        return [{"type": "message", "role": "user", "content": message.id}]

    pipeline = responses_pipeline(timeline_message=timeline_message)

    def state(number: int) -> AgentState:
        names = [f"{'x' * (number % 5)}{number}-{i}" for i in range(3)]
        return AgentState(
            messages=[Message(id=n, role="user", content=n, created_at=at(i)) for i, n in enumerate(names)]
        )

    async def all_of_them() -> Any:
        return await asyncio.gather(*(pipeline.build(state(number), OPTIONS) for number in range(20)))

    for number, built in enumerate(asyncio.run(all_of_them())):
        names = [message.id for message in state(number).messages]
        assert [item["content"] for item in built.input] == names
        assert [warning.subject_id for warning in built.warnings] == names


def test_threads_at_once_do_not_meet() -> None:
    """The synchronous build too, with a loop for each thread that waits."""
    pipeline = responses_pipeline(tool_result=delayed("tool_result"))
    results: list[Any] = []

    def work() -> None:
        results.append(pipeline.build_sync(STATE, OPTIONS, rendered_tool_results=GIVEN))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [EXPECTED] * 8


TENANT: contextvars.ContextVar[str] = contextvars.ContextVar("tenant", default="nobody")


@pytest.mark.parametrize("waiting", [True, False])
def test_a_seam_sees_the_callers_context(waiting: bool) -> None:
    """Context variables of the caller are there, whichever build it is and whether or not the seam waits."""

    async def late(call: Any, context: Any) -> str:
        await asyncio.sleep(0.001)
        return TENANT.get()

    pipeline = responses_pipeline(tool_result=late if waiting else lambda call, context: TENANT.get())
    state = AgentState(tool_calls=[ToolCall(id="a", tool="t", args={}, created_at=at(0))])

    def sync() -> Any:
        TENANT.set("acme")
        return pipeline.build_sync(state, OPTIONS)

    async def other() -> Any:
        TENANT.set("acme")
        return await pipeline.build(state, OPTIONS)

    assert contextvars.copy_context().run(sync).input[-1]["output"] == "acme"
    assert asyncio.run(other()).input[-1]["output"] == "acme"


def test_a_cancelled_build_stops_the_seam_it_waits_for() -> None:
    """The seam sees the cancellation, and so does whoever awaited the build."""
    seen: list[str] = []

    async def tool_result(call: Any, context: Any) -> str:
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            seen.append("cancelled")
            raise
        return ""

    async def run() -> None:
        pipeline = responses_pipeline(tool_result=tool_result)
        task = asyncio.create_task(pipeline.build(STATE, OPTIONS))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())
    assert seen == ["cancelled"]


def test_a_timeout_round_a_build_works() -> None:
    """As round anything that is awaited."""

    async def run() -> None:
        pipeline = responses_pipeline(system_prompt=delayed("system_prompt", 30))
        async with asyncio.timeout(0.01):
            await pipeline.build(STATE, OPTIONS)

    with pytest.raises(TimeoutError):
        asyncio.run(run())


def test_the_replacements_of_the_other_tests_wait() -> None:
    """Most of them are asynchronous, so the tests of each seam alone run both ways."""
    assert sum(inspect.iscoroutinefunction(REPLACEMENTS[name].value) for name in WAITING) >= 8
