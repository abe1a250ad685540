"""Step 2: the timeline in time order, each thing rendered, each provider response in one piece."""

from __future__ import annotations

from collections.abc import Awaitable, Container, Iterable, Sequence, Set
from operator import attrgetter
from typing import Final, assert_never

import attrs

from seamwright.awaiting import eager, settled
from seamwright.model.message import Message
from seamwright.model.provider_item import ProviderItem
from seamwright.model.state import AgentState
from seamwright.model.thought import Thought, is_reasoning
from seamwright.model.tool_call import ToolCall
from seamwright.pipeline.answers import unanswered
from seamwright.pipeline.ids import provider_wire_id, reasoning_wire_id, safe_name
from seamwright.seams.context import BuildContext
from seamwright.seams.envelopes import Envelope, EnvelopeAttrs, Neutraliser, Nonce
from seamwright.seams.ids import ItemIds, Thing
from seamwright.seams.media import MediaBlocks
from seamwright.seams.reasoning import ReasoningItem
from seamwright.seams.steps import Rendered, RenderedRole, TimelineStep
from seamwright.seams.timeline import OwnMessage, RenderThought, ThoughtFilter, TimelineMessage
from seamwright.seams.tools import PendingResult, ToolResult
from seamwright.wire.canonical import compact_json
from seamwright.wire.items import Item, Part, function_call_output
from seamwright.wire.items import message as message_item
from seamwright.wire.provider_kinds import provider_kind

_TIME: Final = attrgetter("created_at")
_PLACE: Final = attrgetter("origin.output_index")


def in_order(things: Iterable[Thing]) -> list[list[Thing]]:
    """The units of the timeline: single things, and the things of one response together at the place of the earliest.

    *things* come as messages, thoughts, tool calls, provider items, each in given order: that is how ties stand.
    """
    ordered = sorted(things, key=_TIME)
    units: list[list[Thing]] = []
    groups: dict[str, list[Thing]] = {}
    for thing in ordered:
        if thing.origin is None:
            units.append([thing])
        elif (group := groups.get(thing.origin.response_id)) is not None:
            group.append(thing)
        else:
            units.append(groups.setdefault(thing.origin.response_id, [thing]))
    for group in groups.values():
        group.sort(key=_PLACE)
    return units


@attrs.frozen
class _Renderers:
    """The seams that the timeline is rendered with."""

    thought: RenderThought
    timeline_message: TimelineMessage
    own_message: OwnMessage
    media_blocks: MediaBlocks
    tool_result: ToolResult
    reasoning_item: ReasoningItem
    item_ids: ItemIds
    pending_result: PendingResult
    untrusted_envelope: Envelope
    neutraliser: Neutraliser
    nonce: Nonce


class _Lists:
    """What a unit renders into: heads, then outputs, then attachments. A single thing uses one list for all three."""

    __slots__ = ("attachments", "heads", "outputs")

    def __init__(self, heads: list[Rendered], outputs: list[Rendered], attachments: list[Rendered]) -> None:
        self.heads = heads
        self.outputs = outputs
        self.attachments = attachments


class _Timeline:
    """One rendering of one timeline. A method gives an awaitable only when a seam really waits."""

    def __init__(
        self, seams: _Renderers, context: BuildContext, shown: Container[int], pending: Container[int]
    ) -> None:
        self.seams = seams
        self.context = context
        self.options = context.options
        self.shown = shown
        self.pending = pending

    async def render(self, units: Iterable[Sequence[Thing]], result: list[Rendered], ends: list[int]) -> None:
        """Appends what the units render to, and to *ends* where each of them ended."""
        single = _Lists(result, result, result)
        for unit in units:
            alone = len(unit) == 1 and type(unit[0]) is not Message
            lists = single if alone else _Lists(result, [], [])
            for thing in unit:
                waiting = self.thing(thing, lists)
                if waiting is not None:
                    await waiting
            if not alone:
                result += lists.outputs
                result += lists.attachments
            ends.append(len(result))

    def thing(self, thing: Thing, lists: _Lists) -> Awaitable[None] | None:
        group = None if thing.origin is None else thing.origin.response_id
        match thing:
            case Message():
                return self.message(thing, group, lists)
            case Thought():
                self.thought(thing, group, lists)
            case ToolCall():
                return self.tool_call(thing, group, lists)
            case ProviderItem():
                self.provider_item(thing, group, lists)
            case _:
                assert_never(thing)
        return None

    def message(self, message: Message, group: str | None, lists: _Lists) -> Awaitable[None] | None:
        own = message.role == "assistant" and message.identity.identifier == self.options.self_identity
        if not own:
            items = self.seams.timeline_message(message, self.context)
            if not isinstance(items, list):
                return self._later_items(items, message, group, lists)
            lists.heads += [Rendered(item, message, group) for item in items]
            return None
        ids = self.seams.item_ids
        item = self.seams.own_message(message)
        wire_id = ids.message_id(message)
        if item is not None and wire_id is not None:
            item["id"] = wire_id
        lists.heads.append(Rendered(item, message, group, "output", wire_id, ids.provider_id(message)))
        return self._attachments(message, group, lists) if message.attachments else None

    async def _later_items(
        self, items: Awaitable[list[Item]], message: Message, group: str | None, lists: _Lists
    ) -> None:
        lists.heads += [Rendered(item, message, group) for item in await settled(items)]

    async def _attachments(self, message: Message, group: str | None, lists: _Lists) -> None:
        parts: list[Part] = []
        for media in message.attachments:
            blocks = self.seams.media_blocks(media, self.context)
            parts += blocks if isinstance(blocks, list) else await settled(blocks)
        lists.attachments.append(Rendered(message_item("user", parts), message, group))

    def tool_call(self, call: ToolCall, group: str | None, lists: _Lists) -> Awaitable[None] | None:
        context = self.context
        ids = self.seams.item_ids
        safe = ids.call_ids(call)
        name = safe_name(call.tool)
        if name != call.tool:
            context.warn("tool-name-cleaned", f"{call.tool!r} is sent as {name!r}", call.id)
        args = call.args
        item: Item = {
            "type": "function_call",
            "call_id": safe.call_id,
            "name": name,
            "arguments": args if isinstance(args, str) else compact_json(args),
        }
        if safe.item_id is not None:
            item["id"] = safe.item_id
        if call.namespace is not None:
            item["namespace"] = call.namespace
        if call.caller is not None:
            item["caller"] = call.caller
        lists.heads.append(Rendered(item, call, group, "output", safe.item_id, ids.provider_id(call)))
        given = context.rendered_tool_results
        output = given[call.id] if call.id in given else self.seams.tool_result(call, context)
        if isinstance(output, (str, list)):
            self._answer(call, safe.call_id, output, group, lists)
            return None
        return self._later_answer(call, safe.call_id, output, group, lists)

    def _answer(self, call: ToolCall, call_id: str, output: str | list[Part], group: str | None, lists: _Lists) -> None:
        answer = function_call_output(call_id, output)
        if call.caller is not None:
            answer["caller"] = call.caller
        lists.outputs.append(Rendered(answer, call, group, "answer"))

    async def _later_answer(
        self, call: ToolCall, call_id: str, output: Awaitable[str | list[Part]], group: str | None, lists: _Lists
    ) -> None:
        self._answer(call, call_id, await settled(output), group, lists)

    def thought(self, thought: Thought, group: str | None, lists: _Lists) -> None:
        own = thought.identity.identifier == self.options.self_identity
        reasoning = own and is_reasoning(thought.payload)
        shown = id(thought) in self.shown
        if shown and reasoning and self.options.reasoning_replay != "off":
            item = self.seams.reasoning_item(thought, self.context)
            if item is not None:
                wire_id = reasoning_wire_id(thought)
                if wire_id is not None:
                    item["id"] = wire_id
                provider_id = self.seams.item_ids.provider_id(thought)
                lists.heads.append(Rendered(item, thought, group, "candidate", wire_id, provider_id))
                return
        item = None
        if shown and thought.content:
            text = self.seams.thought(thought, "self-reasoning" if own else "peer-reasoning")
            item = message_item("assistant", text)
        lists.heads.append(Rendered(item, thought, group, unsent=reasoning))

    def provider_item(self, thing: ProviderItem, group: str | None, lists: _Lists) -> None:
        kind = provider_kind(thing.type)
        keys = kind.keys
        item = {key: value for key, value in thing.item.items() if keys is None or key in keys}
        wire_id = None
        if not kind.keeps_id:
            wire_id = provider_wire_id(thing)
            if wire_id is None:
                item.pop("id", None)
        named_by = "id" if thing.type == "local_shell_call_output" else "call_id"
        if isinstance(item.get(named_by), str):
            item[named_by] = safe_name(item[named_by])
        role: RenderedRole = "answer" if kind.answer else "output"
        if thing.type == "message" and item.get("role") != "assistant":
            role = "other"
            item.pop("status", None)  # compaction returns users' messages with one, and the API takes none from them
        pending = id(thing) in self.pending
        provider_id = self.seams.item_ids.provider_id(thing)
        lists.heads.append(Rendered(item, thing, group, role, wire_id, provider_id, kind.needs_id, False, pending))
        call_id = thing.item.get("call_id")
        if pending and thing.type == "custom_tool_call" and isinstance(call_id, str):
            lists.outputs.append(self.no_answer(thing, call_id, group))

    def no_answer(self, call: ProviderItem, call_id: str, group: str | None) -> Rendered:
        """The output of a custom tool call that nobody answered: the API refuses the call without one."""
        name = call.item.get("name")
        attributes = EnvelopeAttrs(self.seams.nonce(call_id), "tool-result", name if isinstance(name, str) else None)
        body = self.seams.neutraliser(self.seams.pending_result(call))
        item = {
            "type": "custom_tool_call_output",
            "call_id": safe_name(call_id),
            "output": self.seams.untrusted_envelope(body, attributes),
        }
        return Rendered(item, call, group, "answer")


@attrs.frozen
class Order:
    """The timeline before rendering: its units, and the ``id()`` of thoughts that are shown and of calls nobody answers."""

    units: list[list[Thing]]
    shown: Set[int]
    pending: Set[int]


@attrs.frozen
class DefaultTimelineStep:
    """The default ``timeline_step``: each thing by its kind, and behind a response the outputs of its calls.

    Ordering and rendering can be asked for apart: a session renders only the units that are new.
    """

    thought_filter: ThoughtFilter
    renderers: _Renderers

    @eager
    async def __call__(self, state: AgentState, context: BuildContext, /) -> list[Rendered]:
        order = self.order(state, self.thought_filter(state.thoughts, context.options))
        result: list[Rendered] = []
        await self.rendering(order, context).render(order.units, result, [])
        return result

    @staticmethod
    def order(state: AgentState, shown: Sequence[Thought]) -> Order:
        """What stands in the timeline, in which order."""
        chosen = {id(thought) for thought in shown}
        hidden = [thought for thought in state.thoughts if id(thought) not in chosen]
        things: list[Thing] = [*state.messages, *shown, *hidden, *state.tool_calls, *state.provider_items]
        return DefaultTimelineStep.ordered(in_order(things), chosen, state)

    @staticmethod
    def ordered(units: list[list[Thing]], shown: Set[int], state: AgentState) -> Order:
        """An order of units that are known: with the calls that nobody answers."""
        return Order(units, shown, unanswered(units) if state.provider_items else frozenset[int]())

    def rendering(self, order: Order, context: BuildContext) -> _Timeline:
        """Renders the units of an order, one by one."""
        return _Timeline(self.renderers, context, order.shown, order.pending)


def make_timeline_step(
    *,
    thought_filter: ThoughtFilter,
    thought: RenderThought,
    timeline_message: TimelineMessage,
    own_message: OwnMessage,
    media_blocks: MediaBlocks,
    tool_result: ToolResult,
    reasoning_item: ReasoningItem,
    item_ids: ItemIds,
    pending_result: PendingResult,
    untrusted_envelope: Envelope,
    neutraliser: Neutraliser,
    nonce: Nonce,
) -> TimelineStep:
    """The default ``timeline_step``, see :class:`DefaultTimelineStep`."""
    renderers = _Renderers(
        thought,
        timeline_message,
        own_message,
        media_blocks,
        tool_result,
        reasoning_item,
        item_ids,
        pending_result,
        untrusted_envelope,
        neutraliser,
        nonce,
    )
    return DefaultTimelineStep(thought_filter, renderers)
