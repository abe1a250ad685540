"""What has to become of each reasoning item, worked out from the state, the memos of a recorder and the request itself.

An independent statement of step 3: it decides nothing about what is sent, but reads from the request that was built
what stands before each response, and says for each reasoning item whether it belongs there, and if not, for which
cause.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final

import attrs
from recorder import (
    Memo,
    Thing,
    as_sent,
    canonical,
    item_key,
    layout,
    leading,
    provider_id,
    reasoning,
    thing_key,
    units_of,
    wire_id,
)

from seamwright import AgentState, AssembledInput, ProviderItem, Thought

Fates = dict[str, str | None]
"""For each reasoning item by its key: None when it has to be sent, else the code of the one warning about it."""

NEEDS_ID: Final = ("web_search_call",)


def is_candidate(thing: Thing) -> bool:
    """Whether a thing could be sent as a reasoning item."""
    return isinstance(thing, Thought) and thing.withheld is None


def is_withheld(thing: Thing) -> bool:
    """Whether a thing is reasoning that is not sent; it has no text, so nothing of it shows."""
    return isinstance(thing, Thought) and thing.withheld is not None


def is_output(thing: Thing) -> bool:
    """Whether a thing is something the agent put out, and no answer to it."""
    if isinstance(thing, ProviderItem):
        return not thing.item["type"].endswith("_output")
    return not isinstance(thing, Thought) and not thing_key(thing).startswith(("question", "aside"))


def needs_id(thing: Thing) -> bool:
    """Whether the API refuses a thing without its id."""
    return isinstance(thing, ProviderItem) and thing.item["type"] in NEEDS_ID


@attrs.frozen
class Oracle:
    """Judges one request of a state."""

    state: AgentState
    assembled: AssembledInput
    memos: Mapping[str, Memo]

    @property
    def policy(self) -> str:
        """How the endpoint takes ids."""
        return self.assembled.options.endpoint.ids

    def fates(self) -> Fates:
        """What has to become of every reasoning item that could be sent."""
        begins = layout(self.state, self.assembled)
        fates: Fates = {}
        loose: list[Thing] = []
        for unit in [*self._units, None]:
            if unit is not None and unit[0].origin is None:
                loose += unit
                continue
            fates |= self._loose_fates(loose, begins)
            loose = []
            if unit is not None:
                fates |= self._group_fates(unit, begins[thing_key(unit[0])])
        return fates

    def _group_fates(self, members: Sequence[Thing], begin: int) -> Fates:
        own = self._causes(members, members, {thing_key(one): begin for one in members})
        counts = [member.origin.reasoning_count for member in members if member.origin is not None]
        incomplete = len(own) < max(counts) or any(map(is_withheld, members))
        return _shared(own, "reasoning-group-incomplete" if incomplete else None)

    def _loose_fates(self, things: Sequence[Thing], begins: Mapping[str, int]) -> Fates:
        fates: Fates = {}
        shown = [thing for thing in things if not is_withheld(thing)]
        for index, thing in enumerate(shown):
            if not is_candidate(thing) or (index and is_candidate(shown[index - 1])):
                continue
            run = _run(shown, index)
            begin = begins[thing_key(run[0])]
            fates |= _shared(self._causes(run, things, {thing_key(one): begin for one in run}), None)
        return fates

    def _causes(self, inside: Sequence[Thing], around: Sequence[Thing], begins: Mapping[str, int]) -> Fates:
        """The own cause of each candidate of ``inside``: a response, or a run. ``around``: what may follow it."""
        return {
            thing_key(one): self._cause(one, inside, around, begins[thing_key(one)])
            for one in inside
            if is_candidate(one)
        }

    def _cause(self, one: Thing, inside: Sequence[Thing], around: Sequence[Thing], begin: int) -> str | None:
        assert isinstance(one, Thought)
        payload = reasoning(one)
        shown = [thing for thing in around if not is_withheld(thing)]
        run = _run(shown, shown.index(one))
        follower = self._follower(run[-1], around)
        if follower is None or not is_output(follower):
            return "reasoning-unpaired"
        behind = run[1] if len(run) > 1 else follower
        if payload.paired_item_id not in (None, provider_id(behind)):
            return "reasoning-wrong-partner"
        if self.policy == "always" and wire_id(one) is None:
            return "reasoning-needs-id"
        if not payload.prefix_fingerprint:
            return "reasoning-no-fingerprint"
        return None if self._fits(one, inside, around, begin) else "reasoning-prefix-changed"

    def _follower(self, last: Thing, around: Sequence[Thing]) -> Thing | None:
        """The next thing that is sent."""
        ids = self.policy != "never"
        for thing in around[around.index(last) + 1 :]:
            if is_withheld(thing):
                ids = ids and thing.origin is not None
            elif not self._left_out(thing, ids):
                return thing
        return None

    def _left_out(self, thing: Thing, ids: bool) -> bool:
        """Whether a thing can't be sent whatever becomes of the reasoning: needs its id, or answers no earlier call."""
        if needs_id(thing):
            return not ids or wire_id(thing) is None
        if not isinstance(thing, ProviderItem) or thing.type != "custom_tool_call_output":
            return False
        order = [one for unit in self._units for one in unit]
        earlier = [one for one in order[: order.index(thing)] if isinstance(one, ProviderItem)]
        return all(one.type != "custom_tool_call" or one.item["call_id"] != thing.item["call_id"] for one in earlier)

    def _fits(self, one: Thought, inside: Sequence[Thing], around: Sequence[Thing], begin: int) -> bool:
        """Whether what stands before, and would stand before it in its response, is what it was recorded under."""
        memo = self.memos[thing_key(one)]
        ids = self.policy != "never"
        bare = self._together_bare(inside, around)
        earlier = [
            as_sent(thing, ids and thing_key(thing) not in bare)
            for thing in inside[: inside.index(one)]
            if not is_withheld(thing) and not self._left_out(thing, ids)
        ]
        before = canonical(self.assembled, begin, earlier)
        return (memo.digest, memo.before) == (reasoning(one).prefix_fingerprint, before)

    # --- what every request has to keep to, whatever the fates

    def faults(self) -> list[str]:
        """Everything that is wrong with the request; empty for a right one."""
        fates = self.fates()
        return [*self._sending(fates), *self._warnings(fates), *self._stale(), *self._order(), *self._ids(fates)]

    @cached_property
    def _units(self) -> list[list[Thing]]:
        return units_of(self.state)

    @cached_property
    def _keys(self) -> list[str]:
        lead = leading(self.assembled)
        timeline = self.assembled.input[lead : self.assembled.fingerprintable_length]
        return [""] * lead + [item_key(item) for item in timeline]

    def _sending(self, fates: Fates) -> list[str]:
        sent = {item_key(item) for item in self.assembled.input if item["type"] == "reasoning"}
        due = {key for key, fate in fates.items() if fate is None}
        return [f"reasoning {key} is {'sent' if key in sent else 'lost'}: {fates.get(key)}" for key in sent ^ due]

    def _warnings(self, fates: Fates) -> list[str]:
        """Each loss has exactly one warning, with its cause."""
        due = sorted((f"thought {key}", fate) for key, fate in fates.items() if fate is not None)
        made = [(warning.subject_id, warning.code) for warning in self.assembled.warnings]
        told = sorted(
            (str(one), code) for one, code in made if code.startswith("reasoning-") and "withheld" not in code
        )
        return [f"warned {told}, not {due}"] if told != due else []

    def _stale(self) -> list[str]:
        """Nothing is sent under another prefix than it was recorded under, nor, if known, without what it led to."""
        keys = self._keys
        partners = {thing_key(one) for one in self.state.thoughts if reasoning(one).paired_item_id is not None}
        faults: list[str] = []
        for index, key in enumerate(keys):
            if self.assembled.input[index]["type"] != "reasoning":
                continue
            memo = self.memos[key]
            if memo.before != canonical(self.assembled, index):
                faults.append(f"reasoning {key} is stale")
            behind = keys[index + 1 : index + 2]
            if key in partners and behind != [memo.led_to]:
                faults.append(f"reasoning {key} is followed by {behind}, not {memo.led_to}")
        return faults

    def _order(self) -> list[str]:
        """In each response what the model put out stands in its order, then the outputs of its calls in theirs."""
        faults: list[str] = []
        for unit in self._units:
            order = [thing_key(thing) for thing in unit]
            found = [
                (item["type"].endswith("_output"), order.index(key))
                for key, item in zip(self._keys, self.assembled.input, strict=False)
                if key in order
            ]
            if found != sorted(found):
                faults.append(f"{order} stand as {found}")
        return faults

    def _ids(self, fates: Fates) -> list[str]:
        """A response whose reasoning all goes out carries its ids, every other carries none."""
        items = dict(reversed(list(zip(self._keys, self.assembled.input, strict=False))))
        faults: list[str] = []
        for unit in self._units:
            if unit[0].origin is None:
                continue
            bare = self._bare(unit, fates)
            for thing in unit:
                key = thing_key(thing)
                due = None if key in bare else wire_id(thing)
                if key in items and items[key].get("id") != due:
                    faults.append(f"{key} has the id {items[key].get('id')}, not {due}")
        return faults

    def _bare(self, unit: Sequence[Thing], fates: Fates) -> set[str]:
        """The things of a response that go without ids."""
        keys = {thing_key(thing) for thing in unit}
        counts = [thing.origin.reasoning_count for thing in unit if thing.origin is not None]
        candidates = [thing for thing in unit if is_candidate(thing)]
        whole = len(candidates) >= max(counts) and not any(map(is_withheld, unit))
        if self.policy == "never" or not whole or any(fates[thing_key(one)] for one in candidates):
            return keys
        return self._together_bare(unit, unit)

    def _together_bare(self, inside: Sequence[Thing], around: Sequence[Thing]) -> set[str]:
        """Of runs and their followers, those that go without ids because one of them has none."""
        bare: set[str] = set()
        shown = [thing for thing in around if not is_withheld(thing)]
        for one in inside if self.policy == "paired" else ():
            if not is_candidate(one):
                continue
            run = _run(shown, shown.index(one))
            follower = self._follower(run[-1], around)
            together = [*run, follower] if follower is not None else run
            if any(wire_id(thing) is None for thing in together):
                bare |= {thing_key(thing) for thing in together if not needs_id(thing)}
        return bare


def _run(things: Sequence[Thing], start: int) -> list[Thing]:
    """The candidates in a row from *start*."""
    end = start
    while end < len(things) and is_candidate(things[end]):
        end += 1
    return list(things[start:end])


def _shared(own: Fates, incomplete: str | None) -> Fates:
    """A candidate without a cause of its own shares that of the others."""
    shared = incomplete or next((cause for cause in own.values() if cause is not None), None)
    return {key: cause or shared for key, cause in own.items()}
