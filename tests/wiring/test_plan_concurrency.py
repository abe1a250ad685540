"""One plan serves many requests at once, each with seams of its own, and none sees those of another."""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any, Final

import pytest

from seamwright import AgentState, Memory, Message, Pipeline, RenderOptions
from seamwright_containers import Plan, ResponsesContainer

PLAN: Final = Plan.compile(ResponsesContainer())
OPTIONS: Final = RenderOptions(model="m")
STATE: Final = AgentState(
    system_prompt="Prompt.",
    memories=[Memory(id="k", content="Tea.")],
    messages=[Message(id="u", role="user", content="Hello", created_at=datetime(2026, 1, 1, tzinfo=UTC))],
)
TASKS, THREADS, TURNS = 1000, 8, 2000

OWN_SEAMS: Final[tuple[Callable[[str], dict[str, Any]], ...]] = (
    lambda tag: {"nonce": lambda identifier: f"{identifier}{tag}"},
    lambda tag: {"neutraliser": lambda text: text + tag},
    lambda tag: {"memories": lambda items: tag, "nonce": lambda identifier: tag},
    lambda tag: {"system_prompt": lambda state, context: tag},
    lambda tag: {"timeline_message": lambda message, context: [{"text": tag}]},
)
"""Seams at the bottom, in the middle and at the top of the graph, which leave a mark in what they render."""


Pipelines = Callable[..., Pipeline]
"""From overrides to a pipeline, as ``plan.pipeline``."""


def build(number: int, tag: str, pipelines: Pipelines = PLAN.pipeline) -> tuple[object, ...]:
    """What one request sends whose own seams leave a tag."""
    overrides = OWN_SEAMS[number % len(OWN_SEAMS)](tag)
    assembled = pipelines(**overrides).build_sync(STATE, OPTIONS)
    return assembled.instructions, assembled.input


def expected(number: int, tag: str) -> tuple[object, ...]:
    """The same, of a plan that nobody else ever used."""
    alone = Plan.compile(ResponsesContainer())
    assembled = alone.pipeline(**OWN_SEAMS[number % len(OWN_SEAMS)]("@")).build_sync(STATE, OPTIONS)
    return _filled((assembled.instructions, assembled.input), tag)


def _filled(value: Any, tag: str) -> Any:
    match value:
        case str():
            return value.replace("@", tag)
        case dict():
            return {key: _filled(inner, tag) for key, inner in value.items()}
        case list() | tuple():
            return type(value)(_filled(inner, tag) for inner in value)
        case _:
            return value


TEMPLATES: Final = [expected(number, "@") for number in range(len(OWN_SEAMS))]


def strangers(number: int, tag: str, pipelines: Pipelines = PLAN.pipeline) -> bool:
    """Whether a request gets anything else than it would get alone."""
    return _filled(TEMPLATES[number % len(TEMPLATES)], tag) != build(number, tag, pipelines)


def test_the_tags_are_seen() -> None:
    """Every request's own seams show in what it sends, so that a mix-up could not go unseen."""
    for number, template in enumerate(TEMPLATES):
        assert "@" in str(template)
        assert expected(number, "one") == build(number, "one") != build(number, "two")


def right_in_tasks(pipelines: Pipelines, count: int = TASKS) -> list[bool]:
    """Whether each of many tasks at once gets what it would get alone."""

    async def task(number: int) -> bool:
        tag = f"task{number}."
        pipeline = pipelines(**OWN_SEAMS[number % len(OWN_SEAMS)](tag))
        for _ in range(number % 5):
            await asyncio.sleep(0)
        assembled = await pipeline.build(STATE, OPTIONS)
        given = (assembled.instructions, assembled.input)
        return _filled(TEMPLATES[number % len(TEMPLATES)], tag) == given

    async def everybody() -> list[bool]:
        return await asyncio.gather(*map(task, range(count)))

    return asyncio.run(everybody())


def test_a_thousand_tasks_share_a_plan() -> None:
    """Tasks that take their pipeline, wait, and build while others do the same each get what they would get alone."""

    assert [True] * TASKS == right_in_tasks(PLAN.pipeline)


@pytest.fixture
def free_switching() -> Iterator[None]:
    """Threads are switched as often as the interpreter can."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def mixed_up(pipelines: Pipelines = PLAN.pipeline, turns: int = TURNS) -> list[str]:
    """Which of the builds of all threads got something else than they would get alone."""
    wrong: list[str] = []
    barrier = threading.Barrier(THREADS)

    def worker(thread: int) -> None:
        barrier.wait()
        for turn in range(turns):
            tag = f"thread{thread}turn{turn}."
            if strangers(thread + turn, tag, pipelines):
                wrong.append(tag)

    threads = [threading.Thread(target=worker, args=(thread,)) for thread in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return wrong


def test_eight_threads_share_a_plan() -> None:
    """Not one of their builds holds what belongs to another."""
    assert [] == mixed_up()


@pytest.mark.usefixtures("free_switching")
def test_eight_threads_share_a_plan_under_free_switching() -> None:
    """The same when a thread can be stopped after any step."""
    assert [] == mixed_up()


class Late:
    """A pipeline whose seams look up what the newest request replaced, when they are called."""

    def __init__(self) -> None:
        self.newest: dict[str, Any] = {}

    def __call__(self, **overrides: Any) -> Pipeline:
        """A pipeline that is that of whoever came last."""
        self.newest = overrides
        late = {name: lambda *given, name=name: self.newest.get(name, overrides[name])(*given) for name in overrides}
        return PLAN.pipeline(**late)


@pytest.mark.usefixtures("free_switching")
def test_cross_talk_between_threads_would_be_seen() -> None:
    """Seams that are looked up late are those of another thread, and the tests above tell."""
    assert mixed_up(Late(), turns=200)


def test_cross_talk_between_tasks_would_be_seen() -> None:
    """Seams that are looked up late are those of another task, and the test above tells."""
    assert False in right_in_tasks(Late(), count=50)
