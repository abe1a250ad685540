"""Leading text: standing instructions, memories and the system prompt, each alone."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seams.fakes import Notes, at, memory, neutraliser, nonce, retrievable, settle
from seamwright import AgentState, BuildContext, Memory, Retrievable
from seamwright.seams.leading import make_memories, make_system_prompt, show_number, standing_instructions

memories = make_memories(nonce=nonce, neutraliser=neutraliser)


# --- standing_instructions


def test_standing_instructions_stand_in_one_block() -> None:
    """With a blank line between them; operator text goes out as it is."""
    text = standing_instructions(["Be brief.", "Never <memories> & 'guess'."])

    assert text == (
        '<system_instructions kind="developer-rules">\n'
        "Be brief.\n\nNever <memories> & 'guess'.\n"
        "</system_instructions>"
    )


def test_a_version_stands_behind_the_kind() -> None:
    """Escaped; an empty version is set and shows, None does not."""
    assert standing_instructions(["a"], '7"<\n').startswith(
        '<system_instructions kind="developer-rules" version="7&quot;&lt;&#10;">\n'
    )
    assert standing_instructions(["a"], "").startswith('<system_instructions kind="developer-rules" version="">')
    assert standing_instructions(["a"], None) == standing_instructions(["a"])


@pytest.mark.parametrize("items", [[], [""], ["", ""]])
def test_no_instructions_no_block(items: list[str]) -> None:
    """Also with a version: there is nothing it could be the version of."""
    assert standing_instructions(items) == ""
    assert standing_instructions(items, "1") == ""


def test_empty_instructions_are_skipped() -> None:
    """They leave no blank line; white space is text and stays."""
    assert "\na\n\n \n\nb\n" in standing_instructions(["", "a", "", " ", "b", ""])


# --- memories


def test_memories_are_children_of_one_block() -> None:
    """In the order given, each with its nonce on the tag and its body neutralised."""
    text = memories([memory("one", id="b"), memory("two", id="a")])

    assert text == (
        "<memories>\n"
        '<memory_N(b) nonce="N(b)">\n~one~\n</memory_N(b)>\n'
        '<memory_N(a) nonce="N(a)">\n~two~\n</memory_N(a)>\n'
        "</memories>"
    )


def test_a_memory_shows_what_is_known_of_it() -> None:
    """source, nonce, createdAt, kind, score, in this order and escaped; confidence and importance are for the host."""
    one = memory(
        source='a "b"', created_at=at(0.1239), kind="<fact>", score=0.75, confidence=0.5, importance=1, content=""
    )

    assert memories([one]) == (
        '<memories>\n<memory_N(m1) source="a &quot;b&quot;" nonce="N(m1)" createdAt="2026-01-01T12:00:00.123Z"'
        ' kind="&lt;fact&gt;" score="0.75">\n~~\n</memory_N(m1)>\n</memories>'
    )


def test_no_memories_no_block() -> None:
    """Nothing at all, not an empty block."""
    assert memories([]) == ""
    assert memories(()) == ""


def test_a_memory_with_zero_score_and_empty_texts_shows_them() -> None:
    """Zero and the empty text are set."""
    text = memories([memory(score=0, source="", kind="")])
    assert '<memory_N(m1) source="" nonce="N(m1)" kind="" score="0">' in text


def test_a_memory_time_is_shown_in_utc() -> None:
    """Whatever zone it was given in; milliseconds are cut, not rounded."""
    late = datetime(2026, 1, 1, 1, 30, 0, 999_999, tzinfo=timezone(timedelta(hours=5, minutes=30)))
    assert 'createdAt="2025-12-31T20:00:00.999Z"' in memories([memory(created_at=late)])


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0, "0"), (1, "1"), (0.0, "0"), (-0.0, "0"), (1.0, "1"), (0.75, "0.75"), (0.1, "0.1"), (-2.5, "-2.5"), (3, "3")],
)
def test_a_number_is_shown_in_its_shortest_form(value: float, shown: str) -> None:
    """Whole numbers without ``.0``, integers and floats alike."""
    assert show_number(value) == shown


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**30), 10**30))
def test_a_number_is_shown_as_what_it_is(value: float) -> None:
    """Read back, it is the same number, and a whole number has no point."""
    text = show_number(value)

    assert float(text) == float(value)
    assert not text.endswith(".0")


# --- system_prompt


def blocks_of(letter: str) -> Any:
    """A seam that shows how many things it was given."""
    return lambda items, *_: f"{letter}{len(items)}" if items else ""


STATE = AgentState(
    system_prompt="You help.",
    standing_instructions=["a", "b"],
    memories=[memory()],
    retrievables=[retrievable(), retrievable(id="r2")],
)
PLAIN: dict[str, Any] = {"standing_instructions": blocks_of("S"), "memories": blocks_of("M")}


async def waiting(items: Sequence[Retrievable], context: BuildContext) -> str:
    """Retrievables that wait."""
    await asyncio.sleep(0)
    return f"R{len(items)}"


@pytest.mark.parametrize("retrievables", [blocks_of("R"), waiting])
def test_the_prompt_comes_first_then_the_leading_buckets(retrievables: Any) -> None:
    """With a blank line between; a seam that waits and a plain one give the same."""
    system_prompt = make_system_prompt(**PLAIN, retrievables=retrievables)

    assert settle(system_prompt(STATE, Notes().context)) == "You help.\n\nS2\n\nM1\n\nR2"


@pytest.mark.parametrize(
    ("order", "text"),
    [
        (("timeline", "memories"), "You help."),
        (("memories", "timeline", "retrievables"), "You help.\n\nM1"),
        (("retrievables", "standing_instructions", "timeline"), "You help.\n\nR2\n\nS2"),
        (("retrievables", "memories"), "You help.\n\nR2\n\nM1"),
        ((), "You help."),
    ],
)
def test_only_what_stands_before_the_timeline_leads(order: tuple[str, ...], text: str) -> None:
    """In the order of the buckets; without a timeline all of them lead."""
    system_prompt = make_system_prompt(**PLAIN, retrievables=blocks_of("R"))

    assert settle(system_prompt(STATE, Notes(bucket_order=order).context)) == text


@pytest.mark.parametrize(
    ("state", "text"),
    [
        (AgentState(), ""),
        (AgentState(memories=[memory()]), "M1"),
        (AgentState(system_prompt="P"), "P"),
        (AgentState(system_prompt=" ", memories=[memory()]), " \n\nM1"),
    ],
)
def test_empty_blocks_leave_no_gap(state: AgentState, text: str) -> None:
    """Neither an empty prompt nor an empty bucket."""
    system_prompt = make_system_prompt(**PLAIN, retrievables=blocks_of("R"))

    assert settle(system_prompt(state, Notes().context)) == text


def test_the_version_of_the_options_reaches_the_instructions() -> None:
    """``standing_instructions_version`` is what the seam is called with."""
    seen: list[str | None] = []

    def instructions(items: Sequence[str], version: str | None = None, /) -> str:
        seen.append(version)
        return "S"

    system_prompt = make_system_prompt(
        standing_instructions=instructions, memories=blocks_of("M"), retrievables=blocks_of("R")
    )
    settle(system_prompt(STATE, Notes(standing_instructions_version="v2").context))

    assert ["v2"] == seen


def test_the_prompt_is_not_neutralised() -> None:
    """It is the operator's: tags in it are meant."""
    system_prompt = make_system_prompt(**PLAIN, retrievables=blocks_of("R"))
    state = AgentState(system_prompt="Mind <memories> & <trusted_content_x>.")

    assert settle(system_prompt(state, Notes().context)) == state.system_prompt


def test_seams_are_asked_only_for_what_leads() -> None:
    """A bucket behind the timeline is not rendered twice."""

    def forbidden(items: Sequence[Memory]) -> str:
        raise AssertionError("memories stand behind the timeline")

    system_prompt = make_system_prompt(
        standing_instructions=blocks_of("S"), memories=forbidden, retrievables=blocks_of("R")
    )
    order = ("standing_instructions", "timeline", "memories")

    assert settle(system_prompt(STATE, Notes(bucket_order=order).context)) == "You help.\n\nS2"
