"""Step 3: which reasoning goes back, decided in one walk from left to right over the rendered timeline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import attrs

from seamwright.model.thought import ReasoningPayload
from seamwright.pipeline.causes import Cause, cause_text
from seamwright.pipeline.walk import Walk, subject
from seamwright.seams.context import BuildContext
from seamwright.seams.fingerprint import SECTIONS, Prefix, PrefixHash
from seamwright.seams.steps import ReasoningPairing, Rendered
from seamwright.wire.items import Item


class Judge(Protocol):
    """Compares (a build) or records (an ingestion) what a reasoning item was produced under."""

    def stands(self, candidate: Rendered, walk: Walk) -> Cause | None:
        """The candidate's own cause to fall, looked at where it would stand."""
        ...

    def falls(self, candidate: Rendered, walk: Walk) -> None:
        """The candidate is not sent; *walk* holds what stands before its place."""
        ...

    def reason(self, candidate: Rendered, cause: Cause) -> str:
        """What the warning says."""
        ...


def _payload(candidate: Rendered) -> ReasoningPayload:
    thought: Any = candidate.thing  # a thought with a payload of ours, or it would not be a candidate
    payload: ReasoningPayload = thought.payload
    return payload


class CompareFingerprints:
    """The judge of a build: the stored fingerprint must equal the running hash."""

    def __init__(self) -> None:
        self._changed: dict[int, list[str]] = {}

    def stands(self, candidate: Rendered, walk: Walk) -> Cause | None:
        payload = _payload(candidate)
        recorded = payload.prefix_fingerprint
        if not recorded:
            return "reasoning-no-fingerprint"
        if recorded == walk.prefix.digest():
            return None
        self._changed[id(candidate)] = _changed_sections(payload, walk)
        return "reasoning-prefix-changed"

    def falls(self, candidate: Rendered, walk: Walk) -> None:
        """Nothing is recorded."""

    def reason(self, candidate: Rendered, cause: Cause) -> str:
        return cause_text(cause, self._changed.get(id(candidate), []))


def _changed_sections(payload: ReasoningPayload, walk: Walk) -> list[str]:
    """Which parts of the request differ from when the item was produced, as far as that was recorded."""
    sections = walk.sections
    if sections is None:
        return []
    recorded = payload.sections
    digest = {"input": lambda: walk.input_digest(sections)}
    return [
        name
        for name in SECTIONS
        if name in recorded and recorded[name] != (digest[name]() if name in digest else sections.part(name))
    ]


@attrs.frozen
class DefaultReasoningPairing:
    """The default ``reasoning_pairing``: a response goes back whole, or without its reasoning and its ids."""

    def __call__(self, rendered: Sequence[Rendered], prefix_hash: PrefixHash, context: BuildContext, /) -> list[Item]:
        walk = start_walk(prefix_hash, context)
        Pairing(walk, CompareFingerprints()).place(rendered)
        walk.tell(context.warn)
        return walk.items


def make_reasoning_pairing() -> ReasoningPairing:
    """The default ``reasoning_pairing``, see :class:`DefaultReasoningPairing`."""
    return DefaultReasoningPairing()


def start_walk(prefix_hash: PrefixHash, context: BuildContext) -> Walk:
    """A walk that goes on from a prefix; the ids and calls of its items count as sent."""
    policy = context.options.endpoint.ids
    if not isinstance(prefix_hash, Prefix):
        return Walk(prefix_hash, None, policy)
    walk = Walk(prefix_hash.running, prefix_hash.sections, policy)
    prefix_hash.sections.begin(prefix_hash.items)
    walk.seen(prefix_hash.items)
    return walk


@attrs.define
class Pairing:
    """Places rendered items on a walk: response groups as a whole, reasoning without origin run by run.

    ``reach`` is how far into the rendered items the decisions so far have looked: what stands behind it may change
    without changing them.
    """

    walk: Walk
    judge: Judge
    reach: int = 0

    def place(self, rendered: Sequence[Rendered], start: int = 0) -> None:
        """Places everything from *start* on."""
        index = start
        while index < len(rendered):
            index = self.step(rendered, index)

    def step(self, rendered: Sequence[Rendered], index: int) -> int:
        """Places the group, run or single item that begins at *index*, and gives the index behind it."""
        one = rendered[index]
        if one.group is not None:
            return self.place_group(rendered, index)
        if one.role == "candidate":
            return self.place_run(rendered, index)
        walk = self.walk
        walk.append(one, walk.policy != "never" and not walk.behind_unsent)
        return index + 1

    def place_group(self, rendered: Sequence[Rendered], start: int) -> int:
        """Decides a response group and gives the index behind it."""
        group = rendered[start].group
        candidates: list[Rendered] = []
        whole = True
        expected = 0
        end = start
        thing = None
        for end in range(start, len(rendered)):
            one = rendered[end]
            if one.group != group:
                break
            if one.role == "candidate":
                candidates.append(one)
            elif one.unsent:
                whole = False
            if one.thing is not thing and (thing := one.thing) is not None:
                origin = thing.origin
                if origin is not None and origin.reasoning_count > expected:
                    expected = origin.reasoning_count
        else:
            end = len(rendered)
        complete = whole and len(candidates) >= expected
        self.reach = max(self.reach, end)
        if not candidates:
            self.append_all(rendered, start, end, ids=complete)
        elif len(candidates) == 1 and candidates[0] is rendered[start]:
            self.place_lone(rendered, start, end, complete)
        else:
            self.place_tried(rendered, start, end, candidates, complete)
        return end

    def place_lone(self, rendered: Sequence[Rendered], start: int, end: int, complete: bool) -> None:
        """A group that begins with its only candidate.

        All is known before anything is appended, so nothing is tried.
        """
        walk = self.walk
        one = rendered[start]
        place = self.follower(rendered, start + 1, end)
        follower = None if place is None else rendered[place]
        always = walk.policy == "always"
        usable = always and one.wire_id is not None and not walk.is_used(one.wire_id)
        cause = self.cause(one, follower, follower, usable)
        if cause is not None or not complete:
            self.fall([one], [cause], "reasoning-group-incomplete")
            self.append_all(rendered, start, end, ids=False)
            return
        assert one.item is not None
        assert follower is not None
        carry = not always and self.carried([one], follower)
        walk.send(one, one.item, carry or usable)
        sends_ids = walk.policy != "never"
        with_partner = carry or always or follower.needs_id
        for index in range(start + 1, end):
            walk.append(rendered[index], sends_ids and (with_partner or index != place))

    def place_tried(
        self, rendered: Sequence[Rendered], start: int, end: int, candidates: list[Rendered], complete: bool
    ) -> None:
        """Any other group: appended as if it stayed, and once more from its start when it does not."""
        mark = self.walk.mark()
        causes = self.attempt(rendered, start, end, grouped=True)
        if complete and not any(causes):
            return
        shared: Cause | None = next(filter(None, causes), None) if complete else "reasoning-group-incomplete"
        self.walk.back(mark)
        self.fall(candidates, causes, shared)
        self.append_all(rendered, start, end, ids=False)

    def append_all(self, rendered: Sequence[Rendered], start: int, end: int, ids: bool) -> None:
        """Appends a group that has no reasoning, or that goes without it."""
        walk = self.walk
        carry = ids and walk.policy != "never"
        for index in range(start, end):
            one = rendered[index]
            if one.role == "candidate":
                self.judge.falls(one, walk)
                walk.behind_unsent = True
                continue
            if one.unsent:
                self.judge.falls(one, walk)
            walk.append(one, carry)

    def place_run(self, rendered: Sequence[Rendered], start: int) -> int:
        """Decides a run without origin and gives the index to go on from."""
        walk = self.walk
        run_end = _run_end(rendered, start, len(rendered))
        follower = self.follower(rendered, run_end, len(rendered))
        mark = walk.mark()
        end = run_end if follower is None else follower + 1
        causes = self.attempt(rendered, start, end, grouped=False)
        if not any(causes):
            return end
        walk.back(mark)
        candidates = [one for one in rendered[start:run_end] if one.role == "candidate"]
        self.fall(candidates, causes, next(filter(None, causes), None))
        for one in candidates:
            self.judge.falls(one, walk)
        walk.behind_unsent = True
        return run_end

    def fall(self, candidates: Sequence[Rendered], causes: Sequence[Cause | None], shared: Cause | None) -> None:
        """One warning for each candidate: its own cause, else the one it shares."""
        for candidate, own in zip(candidates, causes, strict=True):
            cause = own or shared
            if cause is not None:
                self.walk.warn(cause, self.judge.reason(candidate, cause), subject(candidate))

    def follower(self, rendered: Sequence[Rendered], start: int, end: int) -> int | None:
        """The next item that is sent before *end*, when it is an output item of the same response."""
        ids = self.walk.policy != "never"
        group = rendered[start - 1].group
        for index in range(start, end):
            one = rendered[index]
            ids = ids and not (one.unsent and one.group is None)
            if one.item is None or ((one.needs_id or one.role == "answer") and self.walk.leaves_out(one, ids)):
                continue
            if index >= self.reach:
                self.reach = index + 1
            return index if one.role == "output" and one.group == group else None
        self.reach = max(self.reach, end + (group is None))
        return None

    def attempt(self, rendered: Sequence[Rendered], start: int, end: int, grouped: bool) -> list[Cause | None]:
        """Appends a group, or a run and its follower, as if it stayed; gives the cause of each candidate, in order."""
        walk = self.walk
        sends_ids = walk.policy != "never"
        causes: list[Cause | None] = []
        apart = -1  # the follower that goes without its id because its reasoning does
        index = start
        while index < end:
            one = rendered[index]
            if one.role == "candidate":
                run_end = _run_end(rendered, index, end)
                follower = self.follower(rendered, run_end, end)
                if (
                    not self.run(rendered, index, run_end, follower, grouped=grouped, causes=causes)
                    and follower is not None
                ):
                    apart = -1 if rendered[follower].needs_id else follower
                index = run_end
            else:
                walk.append(one, sends_ids and index != apart and (grouped or not walk.behind_unsent))
                index += 1
        return causes

    def run(
        self,
        rendered: Sequence[Rendered],
        start: int,
        end: int,
        follower: int | None,
        *,
        grouped: bool,
        causes: list[Cause | None],
    ) -> bool:
        """Appends one run, adds the causes of its candidates, and says whether its follower may carry its id."""
        walk = self.walk
        run = [one for one in rendered[start:end] if one.role == "candidate"]
        next_item = None if follower is None else rendered[follower]
        always = walk.policy == "always"
        hidden = not grouped and follower is not None and any(one.unsent for one in rendered[end:follower])
        carry = not always and not hidden and self.carried(run, next_item)
        for position, one in enumerate(run):
            behind = run[position + 1] if position + 1 < len(run) else next_item
            usable = always and one.wire_id is not None and not walk.is_used(one.wire_id)
            causes.append(self.cause(one, behind, next_item, usable))
            assert one.item is not None
            walk.send(one, one.item, carry or usable)
        return carry or always

    def cause(self, one: Rendered, behind: Rendered | None, follower: Rendered | None, usable: bool) -> Cause | None:
        """The first cause that holds, in the order in which they are looked for."""
        if follower is None or behind is None:
            return "reasoning-unpaired"
        partner = _payload(one).paired_item_id
        if partner is not None and partner != behind.provider_id:
            return "reasoning-wrong-partner"
        if self.walk.policy == "always" and not usable:
            return "reasoning-needs-id"
        return self.judge.stands(one, self.walk)

    def carried(self, run: Sequence[Rendered], follower: Rendered | None) -> bool:
        """Whether a run and its follower carry their ids, all together or not at all."""
        walk = self.walk
        if walk.policy != "paired":
            return False
        if len(run) == 1 and follower is not None:  # nearly always
            mine, theirs = run[0].wire_id, follower.wire_id
            if mine is not None and theirs is not None and mine != theirs and walk.are_unused((mine, theirs)):
                return True
        unit = run if follower is None else [*run, follower]
        ids = [one.wire_id for one in unit]
        if None in ids:
            return False
        distinct = set(ids)
        if len(distinct) == len(ids) and walk.are_unused(distinct):
            return True
        free = True
        for position, one in enumerate(unit):
            if walk.is_used(one.wire_id or "") or one.wire_id in ids[:position]:
                free = False
                walk.warn("duplicate-item-id", f"goes without its id: {one.wire_id!r} was sent before", subject(one))
        return free


def _run_end(rendered: Sequence[Rendered], start: int, end: int) -> int:
    """Behind the last candidate of the run; what shows nothing does not end it."""
    group = rendered[start].group
    last = start + 1
    for index in range(last, end):
        one = rendered[index]
        if one.group != group or (one.role != "candidate" and one.item is not None):
            break
        if one.role == "candidate":
            last = index + 1
    return last
