"""Recording fakes: each stands where its seam stands, and keeps what it was asked and what it said."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import attrs
import pytest

from seamwright import AgentState, BuildContext, Memory, RenderOptions, SeamError, WiringError
from seamwright.record import SEAM_NAMES
from seamwright.seams.context import TokenCounter
from seamwright.testing.contracts import check_seam
from seamwright.testing.contracts.inputs import CONTEXT, MESSAGE, OWN
from seamwright.testing.contracts.timeline import PICTURE
from seamwright.testing.fakes import WAITING, recording
from seamwright_containers import Plan, ResponsesContainer, responses_pipeline
from wiring.replacements import REPLACEMENTS
from wiring.rich import SITUATIONS, recorded, view

PLAN = Plan.compile(ResponsesContainer())
STATE = AgentState(memories=(Memory(id="k1", content="tea"),), messages=(MESSAGE, OWN))
OPTIONS = RenderOptions(model="gpt-test")
NAMES = [name for name in SEAM_NAMES if name not in ("token_counter", "trimmer")]


def make(name: Any, *arguments: Any, **result: Any) -> Any:
    """A fake whose name comes from a parameter."""
    return recording(name, *arguments, **result)


@pytest.mark.parametrize("name", NAMES)
def test_a_fake_of_the_default_changes_nothing(name: str) -> None:
    """It wraps the default: the build is the same, and what the build asked for is kept."""
    options = SITUATIONS[min(SITUATIONS)]
    plain = responses_pipeline()
    state = recorded(plain, options)
    fake = make(name)

    assert view(plain, options, state) == view(responses_pipeline(**{name: fake}), options, state)
    inert = {"clock", "output_slots", "trailing_step"}
    assert bool(fake.calls) or name in inert


@pytest.mark.parametrize("name", [name for name in NAMES if name != "clock"])
def test_a_fake_keeps_the_contract_of_its_seam(name: str) -> None:
    """What wraps a default can be checked as the default can."""
    check_seam(name, make(name), max_examples=3)


@pytest.mark.parametrize("name", NAMES)
def test_a_fake_of_another_seam_does_what_that_does(name: str) -> None:
    """Each stand-in of the wiring's own tests, recorded, is the stand-in."""
    options = SITUATIONS[min(SITUATIONS)]
    value = REPLACEMENTS[name].value
    plain, faked = (responses_pipeline(**{name: one}) for one in (value, make(name, value)))

    assert view(plain, options, recorded(plain, options)) == view(faked, options, recorded(faked, options))


def test_arguments_and_results_are_kept() -> None:
    """In the order of the calls, for a test to look at."""
    fake = recording("neutraliser")
    PLAN.pipeline(neutraliser=fake).build_sync(STATE, OPTIONS)

    assert [("tea",), (MESSAGE.content,), (OWN.content,)] == fake.arguments
    assert ["tea", MESSAGE.content, OWN.content] == fake.results
    assert "<recording of neutraliser, 3 calls>" == repr(fake)
    fake.clear()
    assert () == fake.calls


def test_a_fixed_result_is_given_each_time_anew() -> None:
    """What the pipeline does to one copy is not in the next, nor in what was kept."""
    item = {"type": "message", "role": "assistant", "status": "completed", "content": []}
    fake = recording("own_message", result=item)
    built = PLAN.pipeline(own_message=fake).build_sync(STATE, OPTIONS)

    assert {**item, "id": "msg_1"} == built.input[-1]
    assert [item] == fake.results
    assert "id" not in item


def test_a_fixed_result_stands_in_for_an_asynchronous_seam() -> None:
    """A plain result is one."""
    fake = recording("media_blocks", result=[{"type": "input_text", "text": "BLOCKS"}])
    state = AgentState(messages=(attrs.evolve(MESSAGE, attachments=(PICTURE,)),))
    built = PLAN.pipeline(media_blocks=fake).build_sync(state, OPTIONS)

    assert {"type": "input_text", "text": "BLOCKS"} == built.input[0]["content"][-1]
    ((media, context),) = fake.arguments
    assert PICTURE is media
    assert isinstance(context, BuildContext)


def test_an_asynchronous_result_is_kept_when_it_is_there() -> None:
    """Until then the call waits."""
    seen: list[Any] = []

    async def blocks(media: Any, context: Any, /) -> Any:
        seen.append(fake.calls[-1].result)
        await asyncio.sleep(0)
        return [{"type": "input_text", "text": media.id}]

    fake = recording("media_blocks", blocks)

    async def called() -> Any:
        given = fake(PICTURE, CONTEXT)
        assert not isinstance(given, list)
        return await given

    assert [{"type": "input_text", "text": "a1"}] == asyncio.run(called())
    assert [WAITING] == seen
    assert [[{"type": "input_text", "text": "a1"}]] == fake.results


def test_what_is_raised_is_kept_and_names_the_seam() -> None:
    """A fake is no disguise: the error of the build still says which seam failed."""

    def failing(items: Any, /) -> str:
        raise LookupError("no memories today")

    fake = recording("memories", failing)
    with pytest.raises(SeamError) as error:
        PLAN.pipeline(memories=fake).build_sync(STATE, OPTIONS)

    assert "memories" == error.value.seam
    assert isinstance(fake.calls[0].error, LookupError)
    assert WAITING is fake.calls[0].result


def test_methods_are_told_apart() -> None:
    """``item_ids`` has three; a call says which."""
    fake = recording("item_ids")
    PLAN.pipeline(item_ids=fake).build_sync(STATE, OPTIONS)

    assert ["message_id", "provider_id"] == [call.method for call in fake.calls]
    assert ["msg_1", "msg_1"] == fake.results


def test_keywords_are_kept() -> None:
    """``fingerprint`` is called by them."""
    fake = recording("fingerprint")
    PLAN.pipeline(fingerprint=fake).build_sync(STATE, OPTIONS)

    assert {"model", "instructions", "tools"} == set(fake.calls[0].keywords)
    assert "gpt-test" == fake.calls[0].keywords["model"]


class Words:
    """Counts words."""

    encoding = "words"

    def __call__(self, text: str, /) -> int:
        return len(text.split())


def test_a_token_counter_has_no_default_to_wrap() -> None:
    """The default pipeline counts nothing; a counter or a number stands in."""
    with pytest.raises(WiringError, match="the default pipeline has none"):
        recording("token_counter")
    counter: TokenCounter = recording("token_counter", Words())
    assert ("words", 2) == (counter.encoding, counter("two words"))
    fixed = recording("token_counter", result=7)
    assert ("fixed", 7) == (fixed.encoding, fixed("x"))
    assert [("x",)] == fixed.arguments


def test_wrong_fakes_are_refused_when_they_are_made() -> None:
    """A name that is no seam, a seam of another shape, one result for an object with three methods."""
    with pytest.raises(WiringError, match="did you mean 'nonce'"):
        make("nonces")
    with pytest.raises(WiringError, match="nonce"):
        make("nonce", lambda: "n")
    with pytest.raises(WiringError, match="three methods"):
        make("item_ids", result="x")


def test_threads_share_a_fake_without_losing_calls() -> None:
    """Every call of every thread is kept, once."""
    fake = recording("neutraliser")
    pipeline = PLAN.pipeline(neutraliser=fake)
    threads = [
        threading.Thread(target=lambda: [pipeline.build_sync(STATE, OPTIONS) for _ in range(50)]) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert 8 * 50 * 3 == len(fake.calls)
    assert all(call.arguments[0] == call.result for call in fake.calls)


def test_tasks_share_a_fake_without_mixing_results() -> None:
    """Calls that wait side by side each get their own result."""

    async def blocks(media: Any, context: Any, /) -> Any:
        await asyncio.sleep(0.001 if media.id == "a1" else 0)
        return [{"type": "input_text", "text": media.id}]

    fake = recording("media_blocks", blocks)

    async def all_at_once() -> None:
        other = attrs.evolve(PICTURE, id="a2")
        waiting: list[Any] = [fake(one, CONTEXT) for one in (PICTURE, other) * 10]
        await asyncio.gather(*waiting)

    asyncio.run(all_at_once())

    assert all(call.result == [{"type": "input_text", "text": call.arguments[0].id}] for call in fake.calls)
