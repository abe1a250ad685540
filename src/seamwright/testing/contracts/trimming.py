"""The contract of what takes groups out of a timeline that is over its budget."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from seamwright.model.guards import is_collection
from seamwright.seams.trimming import TimelineGroup, Trimmer, TrimRoom
from seamwright.testing.contracts.core import MAX_EXAMPLES, Trial, examine

_Asked = tuple[list[TimelineGroup], TrimRoom]

_TURNS: Final = [
    TimelineGroup(("m0",), 10, pinned=True),
    TimelineGroup(("m1",), 10, from_user=True),
    TimelineGroup(("r1", "r2"), 40),
    TimelineGroup(("m2",), 10, from_user=True),
    TimelineGroup(("r3",), 40),
]


def check_trimmer(seam: Trimmer | None, /, *, max_examples: int = MAX_EXAMPLES) -> None:
    """None, or what chooses indices of groups, each once; never a pinned one, never the last with a user's message.

    As long as what stays fits into the budget, the choice is the same when the conversation has grown.
    """

    def look(trial: Trial, value: _Asked) -> None:
        groups, room = value
        if seam is None:
            return
        chosen = _chosen(trial, trial.call(seam, groups, room), groups)
        held = {index for index, group in enumerate(groups) if group.pinned}
        held |= set([index for index, group in enumerate(groups) if group.from_user][-1:])
        trial.expect(not held & chosen, f"that these groups stay: {', '.join(map(str, sorted(held)))}", chosen)
        stays = sum(group.tokens for index, group in enumerate(groups) if index not in chosen)
        if stays <= room.budget:
            grown = [*groups, TimelineGroup(("grown",), 0)]
            again = _chosen(trial, trial.call(seam, grown, room), grown)
            trial.expect(again == chosen, f"the same choice for a conversation that has grown, {sorted(chosen)}", again)

    always = [(_TURNS, TrimRoom(60, 40)), (_TURNS, TrimRoom(20, 10)), (_TURNS, TrimRoom(-5, -10))]
    examine("trimmer", seam, _asked(), look, max_examples=max_examples, always=always)


def _asked() -> SearchStrategy[_Asked]:
    """Groups that cost more than there is room for: a trimmer is asked about no others."""
    group = st.builds(TimelineGroup, st.just(("m",)), st.integers(1, 50), st.booleans(), st.booleans())
    groups = st.lists(group, min_size=1, max_size=6)
    return st.builds(_over, groups, missing=st.integers(1, 60), between=st.integers(0, 30))


def _over(groups: list[TimelineGroup], missing: int, between: int) -> _Asked:
    budget = sum(group.tokens for group in groups) - missing
    return groups, TrimRoom(budget, budget - between)


def _chosen(trial: Trial, found: object, groups: Sequence[TimelineGroup]) -> set[int]:
    if not is_collection(found):
        trial.fail("a collection of indices", found)
    indices = list(found)
    trial.expect(all(type(index) is int for index in indices), "indices", found)
    trial.expect(all(0 <= index < len(groups) for index in indices), f"indices from 0 to {len(groups) - 1}", found)
    trial.expect(len(indices) == len(set(indices)), "each index once", found)
    return set(indices)
