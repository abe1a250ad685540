"""Step 2: the timeline in time order, each thing rendered, each provider response in one piece."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Container, Iterable, Sequence
from collections.abc import Set as AbstractSet
from operator import attrgetter
from typing import Any, Final, assert_never

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
    units: list[list[Thing]] = []
    groups: dict[str, list[Thing]] = {}
    for thing in sorted(things, key=_TIME):
        origin = thing.origin
        if origin is None:
            units.append([thing])
        elif (group := groups.get(origin.response_id)) is not None:
            group.append(thing)
        else:
            units.append(groups.setdefault(origin.response_id, [thing]))
    for group in groups.values():
        if len(group) > 1:
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


class _Timeline:
    """One rendering of one timeline. A method gives an awaitable only when a seam really waits.

    The unit at hand renders into ``heads``, ``outputs`` and ``attachments``, which stand behind one another.
    """

    __slots__ = ("attachments", "context", "group", "heads", "names", "options", "outputs", "pending", "seams", "shown")

    def __init__(
        self, seams: _Renderers, context: BuildContext, shown: Container[int], pending: Container[int]
    ) -> None:
        self.seams = seams
        self.context = context
        self.options = context.options
        self.shown = shown
        self.pending = pending
        self.names: dict[str, str] = {}
        self.group: str | None = None
        self.heads: list[Rendered] = []
        self.outputs: list[Rendered] = []
        self.attachments: list[Rendered] = []

    async def render(self, units: Iterable[Sequence[Thing]], result: list[Rendered], ends: list[int]) -> None:
        """Appends what the units render to, and to *ends* where each of them ended."""
        self.heads = result
        by_kind: dict[type, Callable[[Any], Awaitable[None] | None]] = {
            Message: self.message,
            Thought: self.thought,
            ToolCall: self.tool_call,
            ProviderItem: self.provider_item,
        }
        for unit in units:
            origin = unit[0].origin
            self.group = None if origin is None else origin.response_id
            alone = len(unit) == 1  # what a thing renders to is in order by itself
            self.outputs, self.attachments = (result, result) if alone else ([], [])
            for thing in unit:
                render = by_kind.get(type(thing)) or self.of_kind(thing)
                waiting = render(thing)
                if waiting is not None:
                    await waiting
            if not alone:
                result += self.outputs
                result += self.attachments
            ends.append(len(result))

    def of_kind(self, thing: Thing) -> Callable[[Any], Awaitable[None] | None]:
        """What renders a thing of a class that a host derived."""
        match thing:
            case Message():
                return self.message
            case Thought():
                return self.thought
            case ToolCall():
                return self.tool_call
            case ProviderItem():
                return self.provider_item
            case _:
                assert_never(thing)

    def message(self, message: Message) -> Awaitable[None] | None:
        own = message.role == "assistant" and message.identity.identifier == self.options.self_identity
        if not own:
            items = self.seams.timeline_message(message, self.context)
            if not isinstance(items, list):
                return self._later_items(items, message)
            for shown in items:
                self.heads.append(Rendered(shown, message, self.group))
            return None
        ids = self.seams.item_ids
        item = self.seams.own_message(message)
        wire_id = ids.message_id(message)
        if item is not None and wire_id is not None:
            item["id"] = wire_id
        self.heads.append(Rendered(item, message, self.group, "output", wire_id, ids.provider_id(message)))
        return self._attachments(message) if message.attachments else None

    async def _later_items(self, items: Awaitable[list[Item]], message: Message) -> None:
        self.heads += [Rendered(item, message, self.group) for item in await settled(items, list, "timeline_message")]

    async def _attachments(self, message: Message) -> None:
        parts: list[Part] = []
        for media in message.attachments:
            blocks = self.seams.media_blocks(media, self.context)
            parts += blocks if isinstance(blocks, list) else await settled(blocks, list, "media_blocks")
        self.attachments.append(Rendered(message_item("user", parts), message, self.group))

    def tool_call(self, call: ToolCall) -> Awaitable[None] | None:
        context = self.context
        ids = self.seams.item_ids
        safe = ids.call_ids(call)
        name = self.names.get(call.tool) or self.names.setdefault(call.tool, safe_name(call.tool))
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
        self.heads.append(Rendered(item, call, self.group, "output", safe.item_id, ids.provider_id(call)))
        given = context.rendered_tool_results
        output = given[call.id] if call.id in given else self.seams.tool_result(call, context)
        if isinstance(output, (str, list)):
            self._answer(call, safe.call_id, output)
            return None
        return self._later_answer(call, safe.call_id, output)

    def _answer(self, call: ToolCall, call_id: str, output: str | list[Part]) -> None:
        answer = function_call_output(call_id, output)
        if call.caller is not None:
            answer["caller"] = call.caller
        self.outputs.append(Rendered(answer, call, self.group, "answer"))

    async def _later_answer(self, call: ToolCall, call_id: str, output: Awaitable[str | list[Part]]) -> None:
        self._answer(call, call_id, await settled(output, (str, list), "tool_result"))

    def thought(self, thought: Thought) -> None:
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
                self.heads.append(Rendered(item, thought, self.group, "candidate", wire_id, provider_id))
                return
        item = None
        if shown and thought.content:
            text = self.seams.thought(thought, "self-reasoning" if own else "peer-reasoning")
            item = message_item("assistant", text)
        self.heads.append(Rendered(item, thought, self.group, unsent=reasoning))

    def provider_item(self, thing: ProviderItem) -> None:
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
        self.heads.append(Rendered(item, thing, self.group, role, wire_id, provider_id, kind.needs_id, False, pending))
        call_id = thing.item.get("call_id")
        if pending and thing.type == "custom_tool_call" and isinstance(call_id, str):
            self.outputs.append(self.no_answer(thing, call_id))

    def no_answer(self, call: ProviderItem, call_id: str) -> Rendered:
        """The output of a custom tool call that nobody answered: the API refuses the call without one."""
        name = call.item.get("name")
        attributes = EnvelopeAttrs(self.seams.nonce(call_id), "tool-result", name if isinstance(name, str) else None)
        body = self.seams.neutraliser(self.seams.pending_result(call))
        item = {
            "type": "custom_tool_call_output",
            "call_id": safe_name(call_id),
            "output": self.seams.untrusted_envelope(body, attributes),
        }
        return Rendered(item, call, self.group, "answer")


@attrs.frozen
class Order:
    """The timeline before rendering.

    Its units, and the ``id()`` of thoughts that are shown and of calls nobody answers.
    """

    units: list[list[Thing]]
    shown: set[int]
    pending: AbstractSet[int]


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
    def ordered(units: list[list[Thing]], shown: set[int], state: AgentState) -> Order:
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
