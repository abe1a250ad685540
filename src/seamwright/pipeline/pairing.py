"""Step 3: which reasoning goes back, decided in one walk from left to right over the rendered timeline."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import attrs

from seamwright.model.thought import ReasoningPayload, Thought
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
    thought = candidate.thing
    assert isinstance(thought, Thought)
    assert isinstance(thought.payload, ReasoningPayload)
    return thought.payload


class CompareFingerprints:
    """The judge of a build: the stored fingerprint must equal the running hash."""

    def __init__(self) -> None:
        self._changed: dict[int, list[str]] = {}

    def stands(self, candidate: Rendered, walk: Walk) -> Cause | None:
        payload = _payload(candidate)
        if not payload.prefix_fingerprint:
            return "reasoning-no-fingerprint"
        if payload.prefix_fingerprint == walk.prefix.digest():
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


def make_reasoning_pairing() -> ReasoningPairing:
    """The default ``reasoning_pairing``: a response goes back whole, or without its reasoning and its ids."""

    def reasoning_pairing(
        rendered: Sequence[Rendered], prefix_hash: PrefixHash, context: BuildContext, /
    ) -> list[Item]:
        walk = start_walk(prefix_hash, context)
        Pairing(walk, CompareFingerprints()).place(rendered)
        walk.tell(context.warn)
        return walk.items

    return reasoning_pairing


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
    """Places rendered items on a walk: response groups as a whole, reasoning without origin run by run."""

    walk: Walk
    judge: Judge

    def place(self, rendered: Sequence[Rendered]) -> None:
        index = 0
        while index < len(rendered):
            one = rendered[index]
            if one.group is not None:
                end = _group_end(rendered, index)
                self.place_group(rendered[index:end])
                index = end
            elif one.role == "candidate":
                index = self.place_run(rendered, index)
            else:
                self.walk.append(one, self.may_carry())
                index += 1

    def may_carry(self) -> bool:
        """Whether a thing without origin may carry its id where the walk stands."""
        return self.walk.policy != "never" and not self.walk.behind_unsent

    def place_group(self, members: Sequence[Rendered]) -> None:
        candidates = [one for one in members if one.role == "candidate"]
        complete = len(candidates) >= _expected(members) and not any(one.unsent for one in members)
        if not candidates:
            self.append_all(members, ids=complete)
            return
        tried = self.walk.fork()
        causes = _Attempt(tried, self.judge, grouped=True).walk_over(members)
        if complete and not any(causes):
            self.walk.absorb(tried)
            return
        shared: Cause | None = "reasoning-group-incomplete" if not complete else next(filter(None, causes), None)
        self.fall(candidates, causes, shared)
        self.append_all(members, ids=False)

    def append_all(self, members: Sequence[Rendered], ids: bool) -> None:
        """Appends a group that has no reasoning, or that goes without it."""
        walk = self.walk
        carry = ids and walk.policy != "never"
        for one in members:
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
        run_end, segment_end = _segment(rendered, start, walk)
        tried = walk.fork()
        causes = _Attempt(tried, self.judge, grouped=False).walk_over(rendered[start:segment_end])
        if not any(causes):
            walk.absorb(tried)
            return segment_end
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


def _group_end(rendered: Sequence[Rendered], start: int) -> int:
    group = rendered[start].group
    return next((i for i in range(start, len(rendered)) if rendered[i].group != group), len(rendered))


def _expected(members: Sequence[Rendered]) -> int:
    """How many reasoning items the response had, as its things say."""
    return max(one.thing.origin.reasoning_count for one in members if one.thing is not None and one.thing.origin)


def _segment(rendered: Sequence[Rendered], start: int, walk: Walk) -> tuple[int, int]:
    """Where a run without origin ends, and where the segment to be decided with it ends: behind its follower."""
    run_end = _run_end(rendered, start)
    follower = _follower(rendered, run_end, walk, ids=walk.policy != "never")
    return run_end, run_end if follower is None else follower + 1


def _run_end(members: Sequence[Rendered], start: int) -> int:
    """Behind the last candidate of the run; what shows nothing does not end it."""
    end = index = start
    while index < len(members):
        one = members[index]
        if one.group != members[start].group or (one.role != "candidate" and one.item is not None):
            break
        index += 1
        if one.role == "candidate":
            end = index
    return end


def _follower(members: Sequence[Rendered], start: int, walk: Walk, ids: bool) -> int | None:
    """The next item that is sent, when it is an output item of the same response."""
    for index in range(start, len(members)):
        one = members[index]
        ids = ids and not (one.unsent and one.group is None)
        if one.item is None or walk.leaves_out(one, ids):
            continue
        same = one.group == members[start - 1].group
        return index if same and one.role == "output" else None
    return None


@attrs.define
class _Attempt:
    """Walks over a group, or a run and its follower, as if it stayed."""

    walk: Walk
    judge: Judge
    grouped: bool

    def walk_over(self, members: Sequence[Rendered]) -> list[Cause | None]:
        """Appends everything and gives the cause of each candidate, in order."""
        causes: list[Cause | None] = []
        together: dict[int, bool] = {}
        index = 0
        while index < len(members):
            one = members[index]
            if one.role == "candidate":
                end = _run_end(members, index)
                follower = _follower(members, end, self.walk, ids=self.walk.policy != "never")
                causes += self.run(members, index, end, follower, together)
                index = end
            else:
                self.walk.append(one, self.allowed() and together.get(index, True))
                index += 1
        return causes

    def allowed(self) -> bool:
        return self.walk.policy != "never" and (self.grouped or not self.walk.behind_unsent)

    def run(
        self,
        members: Sequence[Rendered],
        start: int,
        end: int,
        follower: int | None,
        together: dict[int, bool],
    ) -> list[Cause | None]:
        """Appends one run; notes in *together* whether its follower carries its id."""
        run = [one for one in members[start:end] if one.role == "candidate"]
        next_item = None if follower is None else members[follower]
        carry = self.carried(run, next_item, members[end:follower])
        if follower is not None and self.walk.policy == "paired":
            together[follower] = carry or members[follower].needs_id
        causes: list[Cause | None] = []
        for one, behind in zip(run, [*run[1:], next_item], strict=True):
            usable = one.wire_id is not None and not self.walk.is_used(one.wire_id)
            causes.append(self.cause(one, behind, next_item, usable))
            sends_id = usable if self.walk.policy == "always" else carry
            assert one.item is not None
            self.walk.send(one, one.item, one.wire_id if sends_id else None)
        return causes

    def cause(self, one: Rendered, behind: Rendered | None, follower: Rendered | None, usable: bool) -> Cause | None:
        if follower is None or behind is None:
            return "reasoning-unpaired"
        partner = _payload(one).paired_item_id
        if partner is not None and partner != behind.provider_id:
            return "reasoning-wrong-partner"
        if self.walk.policy == "always" and not usable:
            return "reasoning-needs-id"
        return self.judge.stands(one, self.walk)

    def carried(self, run: Sequence[Rendered], follower: Rendered | None, between: Sequence[Rendered]) -> bool:
        """Whether a run and its follower carry their ids, all together or not at all."""
        if self.walk.policy != "paired":
            return False
        unit = [*run, follower] if follower is not None else run
        hidden = not self.grouped and any(one.unsent for one in between)
        if hidden or any(one.wire_id is None for one in unit):
            return False
        free = True
        seen: set[str] = set()
        for one in unit:
            wire_id = one.wire_id or ""
            if wire_id in seen or self.walk.is_used(wire_id):
                free = False
                self.walk.warn("duplicate-item-id", f"goes without its id: {wire_id!r} was sent before", subject(one))
            seen.add(wire_id)
        return free
