"""A build with a token budget: what it costs, what it goes without, and whether it fits."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Final

import attrs

from seamwright.errors import ContextOverflowError, Fault, InvalidStateError, SeamError
from seamwright.model.budget import TokenBudget
from seamwright.model.guards import is_array
from seamwright.model.options import Bucket, RenderOptions
from seamwright.model.state import AgentState
from seamwright.model.thought import ReasoningPayload, Thought
from seamwright.pipeline.groups import has_user_message, ids_of, inseparable, is_pinned
from seamwright.pipeline.walk import subject
from seamwright.record import Seams
from seamwright.seams.context import AddWarning, TokenCounter
from seamwright.seams.fingerprint import SECTIONS, SectionDigests
from seamwright.seams.steps import Leading, Rendered
from seamwright.seams.trimming import TimelineGroup, TrimRoom
from seamwright.tokens.count import TokenCount
from seamwright.tokens.items import Ledger
from seamwright.tokens.request import only_spent
from seamwright.tokens.weights import Weights, weights_of
from seamwright.wire.assembled import AssembledInput
from seamwright.wire.items import Item

_SHARES: Final = 16

Trim = Callable[[list[Rendered]], list[Rendered]]


@attrs.define
class Counted:
    """What one build has counted, for the next one of the same session: texts, and groups under their first item.

    ``head``: the digests of what reasoning is judged by, without which a group may cost something else.
    """

    texts: dict[str, int] = attrs.field(factory=dict[str, int])
    groups: dict[Rendered, tuple[list[Rendered], TimelineGroup]] = attrs.field(
        factory=dict[Rendered, "tuple[list[Rendered], TimelineGroup]"]
    )
    head: tuple[str, ...] = ()


@attrs.define
class Spending:
    """One build's count. ``known`` was counted in the build before, ``counted`` in this one."""

    seams: Seams
    state: AgentState
    options: RenderOptions
    budget: TokenBudget
    counter: TokenCounter
    weights: Weights
    known: Counted
    counted: Counted = attrs.field(factory=Counted)

    def text(self, text: str) -> int:
        """The tokens of a text, counted once."""
        tokens = self.counted.texts.get(text)
        if tokens is None:
            tokens = self.known.texts.get(text)
            self.counted.texts[text] = tokens = self.counter(text) if tokens is None else tokens
        return tokens

    def ledger(self) -> Ledger:
        return Ledger(self.text, self.weights)

    # --- trimming

    def trimmed_to(
        self,
        leading: Leading,
        tools: list[dict[str, Any]] | None,
        trailing: Item | None,
        sections: SectionDigests,
        warn: AddWarning,
    ) -> Trim | None:
        """Gives the timeline without what the trimmer gives up, or as it is when everything fits; None: no trimmer."""
        trimmer = self.seams.trimmer
        if trimmer is None:
            return None
        outside = self.ledger()
        outside.add(self.weights.reply)
        outside.instructions(leading.instructions)
        outside.items(leading.items)
        outside.tools(tools or ())
        behind = self.ledger()
        behind.items(() if trailing is None else (trailing,))
        reserved = outside.total + _reserve(behind.total, self.budget.tokens)
        room = TrimRoom(self.budget.tokens - reserved, self.budget.low_mark - reserved)

        def trim(rendered: list[Rendered]) -> list[Rendered]:
            parts = [rendered[span.start : span.end] for span in inseparable(rendered)]
            groups = self._groups(parts, sections)
            if outside.total + behind.total + sum(group.tokens for group in groups) <= self.budget.tokens:
                return list(rendered)
            removed = _sound(trimmer(groups, room), groups)
            for index in removed:
                warn("group-trimmed", _told(groups[index], parts[index]), next(iter(groups[index].ids), None))
                for one in parts[index]:
                    if one.role == "candidate":
                        warn("reasoning-trimmed", "left out with its group, for the token budget", subject(one))
            gone = frozenset(removed)
            return [one for index, part in enumerate(parts) if index not in gone for one in part]

        return trim

    def _groups(self, parts: Sequence[list[Rendered]], sections: SectionDigests) -> list[TimelineGroup]:
        """What each part costs; what was counted before is not counted again."""
        self.counted.head = head = tuple(sections.part(name) for name in SECTIONS if name != "input")
        before = self.known.groups if self.known.head == head else {}
        groups: list[TimelineGroup] = []
        for part in parts:
            known = before.get(part[0])
            group = known[1] if known is not None and known[0] == part else self._group(part, sections)
            self.counted.groups[part[0]] = part, group
            groups.append(group)
        return groups

    def _group(self, part: Sequence[Rendered], sections: SectionDigests) -> TimelineGroup:
        ledger = self.ledger()
        ledger.items(one.item for one in part if one.item is not None and not _is_stale(one, sections))
        return TimelineGroup(ids_of(part), ledger.total, has_user_message(part), is_pinned(part))

    # --- the result

    def settled(self, assembled: AssembledInput, leading: Leading) -> AssembledInput:
        """The request with its count. Raises :class:`ContextOverflowError` when it is over its budget."""
        count = self.count(assembled, leading)
        if count.total > self.budget.tokens:
            raise ContextOverflowError(count.total, self.budget.tokens, count.per_bucket)
        return attrs.evolve(assembled, tokens=count)

    def count(self, assembled: AssembledInput, leading: Leading) -> TokenCount:
        """What is sent, by bucket."""
        length = assembled.fingerprintable_length
        head, timeline, tail, tools = (self.ledger() for _ in range(4))
        head.instructions(leading.instructions)
        head.items(leading.items)
        timeline.add(self.weights.reply)
        timeline.items(assembled.input[len(leading.items) : length])
        tail.items(assembled.input[length:])
        tools.tools(assembled.tools or ())
        buckets = dict.fromkeys(("system_prompt", "standing_instructions", "memories", "retrievables"), 0)
        buckets |= {"timeline": timeline.total, "tools": tools.total}
        self._share(buckets, head.total, _text(leading), self.options.leading_buckets, ("system_prompt",))
        self._share(buckets, tail.total, "\n\n".join(_texts(assembled.input[length:])), self.options.trailing_buckets)
        all_of_it = (head, timeline, tail, tools)
        total, estimated = (sum(getattr(one, name) for one in all_of_it) for name in ("total", "estimated"))
        return TokenCount(total, estimated, only_spent(buckets), self.counter.encoding, self.budget.tokens)

    def _share(
        self, into: dict[str, int], total: int, text: str, buckets: Sequence[Bucket], before: Sequence[str] = ()
    ) -> None:
        """The tokens of a text by the buckets in it, as far as their own texts are found there.

        Documents are not rendered a second time: they are what is left.
        """
        left = total
        names = (*before, *buckets)
        for name in names:
            piece = self._piece(name)
            if piece and piece in text:
                tokens = min(self.text(piece), left)
                into[name] += tokens
                left -= tokens
        rest = "retrievables" if "retrievables" in names and self.state.retrievables else next(iter(names), "timeline")
        into[rest] += left

    def _piece(self, name: str) -> str:
        """The text of a bucket; nothing for those that are not rendered again."""
        state = self.state
        match name:
            case "system_prompt":
                return str(state.system_prompt)
            case "standing_instructions":
                rules = [str(rule) for rule in state.standing_instructions]
                return self.seams.standing_instructions(rules, self.options.standing_instructions_version)
            case "memories":
                return self.seams.memories(state.memories)
            case _:
                return ""


def start_spending(
    seams: Seams, state: AgentState, options: RenderOptions, budget: TokenBudget, known: Counted
) -> Spending:
    """The count of a build that has a budget. Raises :class:`InvalidStateError` when nothing can count."""
    if seams.token_counter is None:
        problem = "a budget needs the seam token_counter, and it is None; for example token_counter=O200kCounter()"
        raise InvalidStateError([Fault("options.budget", problem)])
    return Spending(seams, state, options, budget, seams.token_counter, weights_of(options.model), known)


def _reserve(tokens: int, budget: int) -> int:
    """What is kept free for the trailing item, which may be larger next turn: the cut should not move with it.

    A sixteenth of the budget, an eighth, a quarter … : the first that is enough.
    """
    share = max(1, budget // _SHARES)
    while share < tokens:
        share *= 2
    return share if tokens else 0


def _is_stale(one: Rendered, sections: SectionDigests) -> bool:
    """Whether reasoning can't be sent wherever the timeline is cut: it was recorded under another head."""
    if one.role != "candidate" or not isinstance(one.thing, Thought):
        return False
    payload = one.thing.payload
    if not isinstance(payload, ReasoningPayload):
        return False
    recorded = payload.sections
    return not payload.prefix_fingerprint or any(
        name in recorded and recorded[name] != sections.part(name) for name in SECTIONS if name != "input"
    )


def _sound(removed: Collection[int], groups: Sequence[TimelineGroup]) -> list[int]:
    """The indices that a trimmer gave, in order. Raises :class:`SeamError` for what may not be removed."""
    indices = sorted(set(removed))
    last = max((index for index, group in enumerate(groups) if group.from_user), default=-1)
    for index in indices:
        if not 0 <= index < len(groups):
            raise SeamError("trimmer", None, IndexError(f"there is no group {index}; there are {len(groups)}"))
        if index == last:
            raise SeamError("trimmer", groups[index].ids[0], ValueError("the last message of the user has to stay"))
        if groups[index].pinned:
            raise SeamError("trimmer", next(iter(groups[index].ids), None), ValueError("this group is pinned"))
    return indices


def _told(group: TimelineGroup, part: Sequence[Rendered]) -> str:
    reasoning = sum(one.role == "candidate" for one in part)
    also = f", with {reasoning} reasoning item{'s' * (reasoning > 1)}" if reasoning else ""
    return f"left out for the token budget: {group.tokens} tokens{also}"


def _text(leading: Leading) -> str:
    return "\n\n".join([leading.instructions or "", *_texts(leading.items)])


def _texts(items: Sequence[Item]) -> Iterator[str]:
    for item in items:
        content = item.get("content")
        if isinstance(content, str):
            yield content
        elif is_array(content):
            yield from (part.get("text", "") for part in content)
