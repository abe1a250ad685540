"""What a request goes without when it is over its token budget."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Sequence
from typing import Protocol

import attrs


@attrs.frozen
class TimelineGroup:
    """What of the timeline stays or goes as a whole: a response with the outputs of its calls, a message, a call with
    its answer.

    ``ids``: of its things, in order. ``tokens``: what it costs. ``from_user``: it holds a message of the user.
    ``pinned``: it has to stay, because it holds instructions or a compacted history.
    """

    ids: tuple[str, ...]
    tokens: int
    from_user: bool = False
    pinned: bool = False


@attrs.frozen
class TrimRoom:
    """The tokens that are left for the timeline: up to the budget, and up to the low-water mark.

    Either may be negative, when what stands round the timeline is larger.
    """

    budget: int
    low_water: int


class Trimmer(Protocol):
    """Which groups of the timeline a request goes without: their indices.

    Asked only when the request is over its budget, with all groups, oldest first. Pinned groups and the last one with a
    message of the user must stay. What else stays is the trimmer's choice, and nothing is kept of it between builds: it
    has to choose the same again for a conversation that has grown a little, or the API's cache and the reasoning
    recorded since are lost with every turn. The caller removes and reports the groups.
    """

    def __call__(self, groups: Sequence[TimelineGroup], room: TrimRoom, /) -> Collection[int]: ...


def trim_oldest(groups: Sequence[TimelineGroup], room: TrimRoom, /) -> Collection[int]:
    """A ``trimmer``: the oldest groups go, down to the low-water mark in one step.

    What is pinned stays, the last message of the user, and the newest group. Lets the conversation grow again, group by
    group from its first one, and cuts wherever the budget was passed on the way: so a longer conversation is cut at the
    same places, until the budget is passed anew.
    """
    kept: list[int] = []
    total = 0
    user = -1
    for newest, group in enumerate(groups):
        kept.append(newest)
        total += group.tokens
        if group.from_user:
            user = newest
        if total > room.budget:
            total = _cut(groups, kept, total, room.low_water, user)
    return sorted(set(range(len(groups))).difference(kept))


def _cut(groups: Sequence[TimelineGroup], kept: list[int], total: int, mark: int, user: int) -> int:
    """Takes the oldest out of *kept*, down to the mark, and gives what is left of the total."""
    spared: list[int] = []
    end = 0
    for index in itertools.islice(kept, len(kept) - 1):
        if total <= mark:
            break
        if index == user or groups[index].pinned:
            spared.append(index)
        else:
            total -= groups[index].tokens
        end += 1
    kept[:end] = spared
    return total
