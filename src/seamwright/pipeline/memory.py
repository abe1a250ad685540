"""What a session remembers of its last build, and how much of it the next one can keep.

Primitives never change, so what was rendered of them stays valid. Kept is the longest prefix of the timeline whose
things, and what was decided about them, are the same; what reads files, or was given as rendered, is rendered anew and
compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from operator import attrgetter, is_
from typing import Any, Final

import attrs

from seamwright.model.options import RenderOptions
from seamwright.model.state import AgentState
from seamwright.model.thought import Thought
from seamwright.model.tools import ToolRegistry
from seamwright.pipeline.data_urls import DataUrls
from seamwright.pipeline.entering import Entrance
from seamwright.pipeline.pairing import CompareFingerprints, DefaultReasoningPairing, Pairing, start_walk
from seamwright.pipeline.sameness import same_items, same_json, same_thing
from seamwright.pipeline.spending import Counted, Trim
from seamwright.pipeline.timeline import DefaultTimelineStep, Order, in_order
from seamwright.pipeline.volatile import is_volatile
from seamwright.pipeline.walk import Mark, Walk
from seamwright.record import Seams
from seamwright.seams.context import AddWarning, BuildContext
from seamwright.seams.fingerprint import Prefix
from seamwright.seams.ids import Thing
from seamwright.seams.steps import Rendered
from seamwright.seams.timeline import by_time, thought_filter
from seamwright.wire.items import Item

_TIME: Final = attrgetter("created_at")
_SPARSE: Final = 256
"""Rendered items between two marks that are kept for edits far back."""
_DENSE: Final = 48
"""Rendered items at the end behind each of which a mark is kept: where conversations usually change."""

Said = tuple[str, str, str | None]


def _begins(now: Sequence[Any], before: Sequence[Any]) -> bool:
    """Whether *now* begins with the very objects of *before*."""
    return len(now) >= len(before) and all(map(is_, before, now))


@attrs.define
class _Known:
    """A collection that was cleaned: as it was given, as it came out, and what became of things not clean as they are.

    ``grew_from``: what came out the time before, when this begins with the very same.
    """

    given: Sequence[Any]
    clean: tuple[Any, ...]
    odd: dict[int, Any]
    grew_from: tuple[Any, ...] | None


class RememberingEntrance(Entrance):
    """Looks only at the things of a collection that are new, and at those that were not clean or are dynamic."""

    def __init__(self, ctx: object, warn: AddWarning, known: dict[str, _Known]) -> None:
        super().__init__(ctx, warn)
        self.known = known

    def all(self, name: str, things: Sequence[Any], is_clean: Callable[[Any], bool]) -> tuple[Any, ...]:
        last = self.known.get(name)
        if last is None or not _begins(things, last.given):
            last = _Known((), (), {}, None)
        start = len(last.given)
        unclean = [start + i for i, thing in enumerate(things[start:]) if not is_clean(thing)]
        odd: dict[int, Any] = {}
        for index in (*last.odd, *unclean):
            clean = self.thing(things[index])
            before = last.odd.get(index)
            odd[index] = before if before is not None and same_thing(before, clean) else clean
        result = _with(things, odd)
        same = all(odd[index] is clean for index, clean in last.odd.items())
        self.known[name] = _Known(things, result, odd, last.clean if same else None)
        return result


def _with(things: Sequence[Any], replaced: dict[int, Any]) -> tuple[Any, ...]:
    """The things, some of them replaced; the same tuple when none really is."""
    if all(things[index] is one for index, one in replaced.items()):
        return tuple(things)
    result = list(things)
    for index, one in replaced.items():
        result[index] = one
    return tuple(result)


@attrs.define
class _Ordered:
    """The timeline as it was ordered last, with what it was ordered from."""

    order: Order
    messages: Sequence[Any]
    thoughts: Sequence[Any]
    shown: Sequence[Any]
    calls: Sequence[Any]
    items: Sequence[Any]
    latest: datetime | None
    groups: set[str]


@attrs.define
class _Checkpoint:
    """A place among the rendered items to go on from, as long as nothing before ``reach`` changed."""

    index: int
    reach: int
    mark: Mark


@attrs.define
class Memory:
    """One session's last build. Nothing of it is shared; any error forgets all of it."""

    known: dict[str, _Known] = attrs.field(factory=dict[str, _Known])
    key: tuple[RenderOptions, ToolRegistry] | None = None
    ordered: _Ordered | None = None
    rendered: list[Rendered] = attrs.field(factory=list[Rendered])
    sent: list[Rendered] = attrs.field(factory=list[Rendered])
    counted: Counted = attrs.field(factory=Counted)
    ends: list[int] = attrs.field(factory=list[int])
    warnings: dict[int, list[Said]] = attrs.field(factory=dict[int, list[Said]])
    volatile: set[int] = attrs.field(factory=set[int])
    head: tuple[Any, ...] | None = None
    walk: Walk | None = None
    checkpoints: list[_Checkpoint] = attrs.field(factory=list[_Checkpoint])
    urls: DataUrls = attrs.field(factory=DataUrls)

    def enter(
        self, state: AgentState, options: RenderOptions, ctx: object, warn: AddWarning
    ) -> tuple[AgentState, RenderOptions]:
        """The state and options as seams see them."""
        self.urls.keep(state)
        entrance = RememberingEntrance(ctx, warn, self.known)
        return entrance.state(state), entrance.options(options)

    async def timeline(
        self, seams: Seams, state: AgentState, context: BuildContext, prefix: Prefix, trim: Trim | None
    ) -> list[Item] | None:
        """Steps 2 and 3, keeping what can be kept; None when a step is not the default, and nothing is known of it.

        ``trim`` takes out of what was rendered what the request goes without.
        """
        step, pairing = seams.timeline_step, seams.reasoning_pairing
        if type(step) is not DefaultTimelineStep or type(pairing) is not DefaultReasoningPairing:
            return None
        key = (context.options, state.tools)
        if self.key is None or self.key[0] != key[0] or not _same_tools(self.key[1], key[1]):
            self.forget()
        self.key = key
        order, kept = self._order(step, state, context.options)
        kept = min(kept, self._given(order, kept, context))
        kept = await self._render_again(step, order, kept, context)
        await self._render_rest(step, order, kept, context)
        for unit in sorted(self.warnings):
            for warning in self.warnings[unit]:
                context.warn(*warning)
        changed = self.ends[kept - 1] if kept else 0
        if trim is None:
            self.sent = self.rendered
        else:
            before, self.sent = self.sent, trim(self.rendered)
            changed = _same_start(before, self.sent)
        return self._pair(changed, prefix, context)

    def forget(self) -> None:
        """Drops everything rendered."""
        self.ordered = None
        self.rendered = []
        self.sent = []
        self.ends.clear()
        self.warnings.clear()
        self.volatile.clear()
        self.walk = None
        self.checkpoints.clear()

    # --- order

    def _order(self, step: DefaultTimelineStep, state: AgentState, options: RenderOptions) -> tuple[Order, int]:
        """The order of the timeline, and how many of its units are those of the last build."""
        last = self.ordered
        shown, grown = self._shown(step, state, options)
        appended = self._appended(last, state, shown) if last is not None and grown else None
        if last is not None and appended is not None:
            # what the last build's order holds is this session's own, and is needed no more: it grows in its place
            units, ids = last.order.units, last.order.shown
            count = len(units)
            units += in_order(appended)
            ids |= {id(thought) for thought in shown[len(last.shown) :]}
            order = step.ordered(units, ids, state)
            kept = _same_pending(last.order, order, count)
            latest = max((thing.created_at for thing in appended), default=last.latest)
            groups = last.groups
        else:
            order = step.order(state, shown)
            kept = 0 if last is None else _same_units(last.order, order)
            latest = max((thing.created_at for unit in order.units for thing in unit), default=None)
            groups = set[str]()
            appended = [thing for unit in order.units for thing in unit]
        groups.update(thing.origin.response_id for thing in appended if thing.origin is not None)
        self.ordered = _Ordered(
            order, state.messages, state.thoughts, shown, state.tool_calls, state.provider_items, latest, groups
        )
        return order, kept

    def _shown(
        self, step: DefaultTimelineStep, state: AgentState, options: RenderOptions
    ) -> tuple[Sequence[Thought], bool]:
        """What the filter keeps, and whether that begins with what it kept in the last build.

        The default filter decides about each thought by itself, so it is asked about new ones only.
        """
        last = self.ordered
        own = step.thought_filter is thought_filter and options.thought_surfacing != "latest-self"
        if last is not None and own and self.known["thoughts"].grew_from is last.thoughts:
            fresh = thought_filter(state.thoughts[len(last.thoughts) :], options)
            if not fresh:
                return last.shown, True
            if not last.shown or by_time(last.shown[-1]) <= by_time(fresh[0]):
                return [*last.shown, *fresh], True
        shown = step.thought_filter(state.thoughts, options)
        return shown, last is not None and _begins(shown, last.shown)

    def _appended(self, last: _Ordered, state: AgentState, shown: Sequence[Thought]) -> list[Thing] | None:
        """What is new, when everything else is as it was and the new stands behind it; else None."""
        before = {
            "messages": last.messages,
            "thoughts": last.thoughts,
            "tool_calls": last.calls,
            "provider_items": last.items,
        }
        grown = all(self.known[name].grew_from is things for name, things in before.items())
        if not grown:
            return None
        new_shown = list(shown[len(last.shown) :])
        new_thoughts = state.thoughts[len(last.thoughts) :]
        chosen = {id(thought) for thought in new_shown}
        hidden = [thought for thought in new_thoughts if id(thought) not in chosen]
        if len(new_shown) + len(hidden) != len(new_thoughts):
            return None
        added: list[Thing] = [
            *state.messages[len(last.messages) :],
            *new_shown,
            *hidden,
            *state.tool_calls[len(last.calls) :],
            *state.provider_items[len(last.items) :],
        ]
        behind = all(last.latest is None or thing.created_at > last.latest for thing in added)
        apart = all(thing.origin is None or thing.origin.response_id not in last.groups for thing in added)
        return added if behind and apart else None

    # --- rendering

    def _given(self, order: Order, kept: int, context: BuildContext) -> int:
        """Marks the kept units whose results are given now: they are looked at again like everything volatile."""
        given = context.rendered_tool_results
        if given:
            for index in range(kept):
                if any(is_volatile(thing, given) for thing in order.units[index]):
                    self.volatile.add(index)
        return kept

    async def _render_again(self, step: DefaultTimelineStep, order: Order, kept: int, context: BuildContext) -> int:
        """Renders kept units that may have changed outside; gives how many units are still the same."""
        for index in sorted(unit for unit in self.volatile if unit < kept):
            rendered, warnings = await self._render(step, order, index, context)
            start = self.ends[index - 1] if index else 0
            if not same_items(self.rendered[start : self.ends[index]], rendered):
                return index
            self._warned(index, warnings)
        return kept

    async def _render_rest(self, step: DefaultTimelineStep, order: Order, kept: int, context: BuildContext) -> None:
        del self.rendered[self.ends[kept - 1] if kept else 0 :]
        del self.ends[kept:]
        self.warnings = {index: said for index, said in self.warnings.items() if index < kept}
        self.volatile = {index for index in self.volatile if index < kept}
        given = context.rendered_tool_results
        for index in range(kept, len(order.units)):
            rendered, warnings = await self._render(step, order, index, context)
            self.rendered += rendered
            self.ends.append(len(self.rendered))
            self._warned(index, warnings)
            if any(is_volatile(thing, given) for thing in order.units[index]):
                self.volatile.add(index)

    def _warned(self, unit: int, warnings: list[Said]) -> None:
        self.warnings.pop(unit, None)
        if warnings:
            self.warnings[unit] = warnings

    async def _render(
        self, step: DefaultTimelineStep, order: Order, index: int, context: BuildContext
    ) -> tuple[list[Rendered], list[Said]]:
        warnings: list[Said] = []

        def warn(code: str, text: str, subject_id: str | None, /) -> None:
            warnings.append((code, text, subject_id))

        rendered: list[Rendered] = []
        timeline = step.rendering(order, attrs.evolve(context, warn=warn))
        await timeline.render(order.units[index : index + 1], rendered, [])
        return rendered, warnings

    # --- pairing

    def _pair(self, changed: int, prefix: Prefix, context: BuildContext) -> list[Item]:
        """Goes on from the last mark before what changed."""
        sections = prefix.sections
        head = (context.options.model, sections.parts, list(prefix.items), context.options.endpoint.ids)
        if self.walk is None or self.head is None or not same_json(self.head, head):
            self.checkpoints.clear()
            self.walk = start_walk(prefix, context)
            self.head = head
        walk = self.walk
        walk.sections = sections
        sections.begin(prefix.items)
        usable = [point for point in self.checkpoints if point.index <= changed and point.reach <= changed]
        start = reach = 0
        if usable:
            point = usable[-1]
            walk.back(attrs.evolve(point.mark, prefix=point.mark.prefix.copy()))
            start, reach = point.index, point.reach
        elif self.checkpoints:
            self.checkpoints.clear()
            walk = self.walk = start_walk(prefix, context)
        self.checkpoints = _thinned(usable, len(self.sent))
        self._place(walk, start, reach)
        walk.tell(context.warn)
        return walk.items

    def _place(self, walk: Walk, start: int, reach: int) -> None:
        placing = Pairing(walk, CompareFingerprints(), reach)
        rendered = self.sent
        last = self.checkpoints[-1].index if self.checkpoints else -_SPARSE
        index = start
        while index < len(rendered):
            if index - last >= _SPARSE or (index > last and len(rendered) - index <= _DENSE):
                self.checkpoints.append(_Checkpoint(index, placing.reach, walk.mark()))
                last = index
            index = placing.step(rendered, index)
        if index > last:
            self.checkpoints.append(_Checkpoint(index, placing.reach, walk.mark()))


def _thinned(points: Iterable[_Checkpoint], length: int) -> list[_Checkpoint]:
    """The checkpoints near the end, and of the others one in every so many items."""
    kept: list[_Checkpoint] = []
    for point in points:
        near = length - point.index <= 2 * _DENSE
        if near or not kept or point.index - kept[-1].index >= _SPARSE:
            kept.append(point)
    return kept


def _same_start(one: Sequence[Rendered], other: Sequence[Rendered]) -> int:
    """How many of the first items are the very same."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((index for index, (a, b) in pairs if a is not b), min(len(one), len(other)))


def _same_tools(one: ToolRegistry, other: ToolRegistry) -> bool:
    return one is other or one == other


def _same_pending(one: Order, other: Order, count: int) -> int:
    """How many of the first *count* units have the same calls pending."""
    if one.pending == other.pending:
        return count
    changed = one.pending ^ other.pending
    units = enumerate(one.units[:count])
    return next((index for index, unit in units if any(id(thing) in changed for thing in unit)), count)


def _same_units(one: Order, other: Order) -> int:
    """How many leading units hold the same things, shown and pending alike."""
    count = 0
    for before, now in zip(one.units, other.units, strict=False):
        if len(before) != len(now):
            break
        if not all(_same_standing(one, a, other, b) for a, b in zip(before, now, strict=True)):
            break
        count += 1
    return count


def _same_standing(one: Order, a: Thing, other: Order, b: Thing) -> bool:
    shown = (id(a) in one.shown) == (id(b) in other.shown)
    pending = (id(a) in one.pending) == (id(b) in other.pending)
    return shown and pending and same_thing(a, b)
