"""The trimmer ``trim_oldest``, and what it is given: what of a timeline belongs together."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from seamwright import AgentState, BuildContext, PrefixHash, RenderOptions, TimelineGroup, TrimRoom, trim_oldest
from seamwright.pipeline.groups import inseparable
from seamwright.seams.steps import Rendered
from seamwright.testing.strategies import states
from seamwright_containers import responses_pipeline

GROUPS = st.lists(
    st.builds(
        TimelineGroup,
        ids=st.just(("g",)),
        tokens=st.integers(0, 60),
        from_user=st.booleans(),
        pinned=st.sampled_from((False, False, False, True)),
    ),
    max_size=30,
)
ROOMS = st.integers(-50, 300).flatmap(lambda most: st.builds(TrimRoom, st.just(most), st.integers(-100, most)))


def groups(*tokens: int, user: int = 0) -> list[TimelineGroup]:
    """Groups of so many tokens; the one at *user* is the user's."""
    return [TimelineGroup((f"g{n}",), each, from_user=n == user) for n, each in enumerate(tokens)]


def test_down_to_the_low_water_mark_in_one_step() -> None:
    """The oldest go until what is left is at most the mark; the user's message in front stays."""
    assert [1, 2, 3] == trim_oldest(groups(10, 30, 30, 30, 30, 30), TrimRoom(150, 80))
    assert [] == trim_oldest(groups(10, 30, 30, 30, 30, 20), TrimRoom(150, 80)), "everything fits"
    assert [0, 1, 2, 3, 4] == trim_oldest(groups(*[10] * 15, user=14), TrimRoom(140, 100)), "one too much: five go"
    assert [0, 1, 2, 3, 4] == trim_oldest(groups(*[10] * 19, user=18), TrimRoom(140, 100)), "and no more until"
    assert list(range(10)) == trim_oldest(groups(*[10] * 20, user=19), TrimRoom(140, 100)), "it is passed again"


def test_the_newest_stays_however_large_it_is() -> None:
    """It is what the model just asked for; the build says what is too much."""
    assert [0, 1] == trim_oldest(groups(50, 50, 500, user=9), TrimRoom(100, 70))


@given(GROUPS, ROOMS)
def test_what_has_to_stay_stays(given_groups: list[TimelineGroup], room: TrimRoom) -> None:
    """The last message of the user, what is pinned, the newest; and when anything goes, it was too much."""
    gone = trim_oldest(given_groups, room)
    last = max((n for n, group in enumerate(given_groups) if group.from_user), default=-1)
    assert last not in gone
    assert len(given_groups) - 1 not in gone
    assert not any(given_groups[n].pinned for n in gone)
    if gone:
        assert sum(group.tokens for group in given_groups) > room.budget
    left = [n for n in range(len(given_groups)) if n not in gone]
    free = [n for n in left[:-1] if n != last and not given_groups[n].pinned]
    assert not free or sum(given_groups[n].tokens for n in left) <= room.budget


@given(GROUPS, ROOMS)
def test_oldest_first(given_groups: list[TimelineGroup], room: TrimRoom) -> None:
    """Behind the first group that stays of its own accord, nothing is gone."""
    gone = trim_oldest(given_groups, room)
    left = [n for n, group in enumerate(given_groups) if n not in gone and not group.pinned]
    assert all(given_groups[n].from_user for n in left if gone and n < max(gone)), "one that was the user's last once"
    assert sum(n < max(gone, default=0) for n in left) <= 1


@given(GROUPS, ROOMS, st.integers(0, 30))
def test_what_is_left_out_stays_out(given_groups: list[TimelineGroup], room: TrimRoom, length: int) -> None:
    """A conversation that has grown is cut at the same places, and perhaps once more."""
    assert set(trim_oldest(given_groups[:length], room)) <= set(trim_oldest(given_groups, room))


def test_cuts_are_rare() -> None:
    """Groups of a hundredth of the budget: with a mark of 0.7, thirty of them come between two cuts."""
    many = [TimelineGroup((str(n),), 10, from_user=n % 2 == 0) for n in range(1000)]
    cuts = [len(trim_oldest(many[:length], TrimRoom(1000, 700))) for length in range(1, 1001)]
    moved = [one for one, other in itertools.pairwise(cuts) if one != other]
    assert 28 <= len(moved) <= 31


# --- what belongs together


def rendered(state: AgentState) -> list[Rendered]:
    """The timeline of a state before pairing."""
    kept: list[Rendered] = []

    def pairing(given: Sequence[Rendered], prefix: PrefixHash, context: BuildContext, /) -> list[dict[str, Any]]:
        kept.extend(given)
        return []

    made = RenderOptions(model="m", unsupported_media_policy="synthetic-description")
    responses_pipeline(reasoning_pairing=pairing).build_sync(state, made)
    return kept


def pieces(one: Sequence[Rendered]) -> list[list[str]]:
    """The types of the items of each span."""
    spans = inseparable(one)
    return [[str((r.item or {}).get("type")) for r in one[span.start : span.end]] for span in spans]


def of(kind: str, role: str = "output", group: str | None = None, unsent: bool = False, **fields: str) -> Rendered:
    """A rendered provider item."""
    item = {"type": kind, **fields}
    return Rendered(item, None, group, role, unsent=unsent)  # type: ignore[arg-type]  # a role, as a text


def test_an_answer_stays_with_its_call() -> None:
    """With everything between; what stands before or behind is by itself."""
    one = [
        of("message", "other"),
        of("shell_call", call_id="c1"),
        of("message", "other"),
        of("shell_call_output", "answer", call_id="c1"),
        of("message", "other"),
    ]
    assert [["message"], ["shell_call", "message", "shell_call_output"], ["message"]] == pieces(one)


def test_another_calls_answer_binds_nothing() -> None:
    """Types don't mix, and neither do ids."""
    one = [of("shell_call", call_id="c1"), of("shell_call_output", "answer", call_id="c2")]
    assert [["shell_call"], ["shell_call_output"]] == pieces(one)


def test_reasoning_without_origin_stays_with_what_follows_it() -> None:
    """Up to the next thing that is no output of the agent's, whether it is sent or not."""
    one = [
        of("reasoning", "candidate"),
        of("message"),
        of("function_call", call_id="c"),
        of("message", "other"),
        of("note", "other", unsent=True),
        of("message"),
        of("message", "other"),
    ]
    expected = [["reasoning", "message", "function_call"], ["message"], ["note", "message"], ["message"]]
    assert expected == pieces(one)


def test_a_response_is_one_piece() -> None:
    """Whatever is in it."""
    one = [
        of("reasoning", "candidate", "r"),
        of("message", group="r"),
        of("message", group="s"),
        of("message", "other"),
    ]
    assert [["reasoning", "message"], ["message"], ["message"]] == pieces(one)


@given(states())
def test_pieces_cover_the_timeline(state: AgentState) -> None:
    """Without a gap, in order, and no thing or response is in two of them."""
    one = rendered(state)
    spans = inseparable(one)
    assert [n for span in spans for n in range(span.start, span.end)] == list(range(len(one)))
    for key in ("group", "thing"):
        homes: dict[int, set[int]] = {}
        for index, span in enumerate(spans):
            for r in one[span.start : span.end]:
                value = getattr(r, key)
                if value is not None:
                    homes.setdefault(hash(value) if key == "group" else id(value), set()).add(index)
        assert all(len(places) == 1 for places in homes.values())
