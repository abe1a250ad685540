"""Plays a conversation: what the provider answers becomes state, its reasoning recorded under the prefix it came from.

Independent of the library's own ingestion. Every text and id of a conversation holds the key of its item (``2_0`` =
turn 2, item 0), so that an item of a request is known again whatever was done to the state.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

import attrs

from seamwright import (
    REASONING_TAG,
    AgentState,
    AssembledInput,
    Message,
    Pipeline,
    PrefixHash,
    ProviderItem,
    ReasoningPayload,
    RenderOptions,
    ResponseOrigin,
    Thought,
    ToolCall,
)
from seamwright.seams.fingerprint import fingerprint
from seamwright.testing.strategies import Turn
from seamwright_containers import responses_pipeline

Item = dict[str, Any]
Thing = Message | Thought | ToolCall | ProviderItem

_UNKNOWN: Final = "not recorded yet"
_KEY: Final = re.compile(r"(?:question|aside) \d+|\d+_\d+")
_GIVEN: Final = "result of call_"


def key_of(text: str) -> str:
    """The key in a text."""
    found: list[str] = _KEY.findall(text)
    return found[0]


def item_key(item: Mapping[str, Any]) -> str:
    """The key of the thing an item was rendered from. What a build writes as a call's output belongs to the call."""
    match item["type"]:
        case "function_call_output":
            return key_of(item["call_id"])
        case "custom_tool_call_output":
            given = item["output"].startswith(_GIVEN)
            return f"answer to {key_of(item['call_id'])}" if given else key_of(item["call_id"])
        case _:
            return key_of(json.dumps(item))


def thing_key(thing: Thing) -> str:
    """The key of a thing."""
    match thing:
        case Message():
            return key_of(str(thing.content))
        case Thought():
            return key_of(thing.id)
        case ToolCall():
            return key_of(thing.id)
        case ProviderItem():
            return item_key(thing.item)


def things_of(state: AgentState) -> list[Thing]:
    """Everything in a state's timeline."""
    return [*state.messages, *state.thoughts, *state.tool_calls, *state.provider_items]


def canonical(assembled: AssembledInput, end: int, more: Sequence[Item] = ()) -> str:
    """The request up to an item, and more items behind it, as text: what reasoning at that place is produced under."""
    head = [assembled.model, assembled.instructions, assembled.tools]
    return json.dumps([*head, *assembled.input[:end], *more], sort_keys=True)


def digest(assembled: AssembledInput, end: int) -> str:
    """The fingerprint of the same, from scratch."""
    running = fingerprint(model=assembled.model, instructions=assembled.instructions, tools=assembled.tools)
    for item in assembled.input[:end]:
        running.update(item)
    return running.digest()


def sections(assembled: AssembledInput, end: int) -> dict[str, str]:
    """One digest for each part of the request, over that part alone."""
    alone: dict[str, Item] = {
        "model": {"model": assembled.model, "instructions": None, "tools": None},
        "instructions": {"model": "", "instructions": assembled.instructions, "tools": None},
        "tools": {"model": "", "instructions": None, "tools": assembled.tools},
        "input": {"model": "", "instructions": None, "tools": None},
    }
    made: dict[str, str] = {}
    for name, head in alone.items():
        running = fingerprint(**head)
        for item in assembled.input[:end] if name == "input" else ():
            running.update(item)
        made[name] = running.digest()
    return made


class _Lenient(str):
    """A digest that equals what is not recorded yet, and otherwise only itself."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return other == _UNKNOWN or str.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = str.__hash__


@attrs.frozen
class _LenientHash:
    inner: PrefixHash

    def update(self, item: Item, /) -> None:
        self.inner.update(item)

    def digest(self) -> str:
        return _Lenient(self.inner.digest())

    def copy(self) -> PrefixHash:
        return _LenientHash(self.inner.copy())


def _lenient(*, model: str, instructions: str | None, tools: list[dict[str, Any]] | None) -> PrefixHash:
    return _LenientHash(fingerprint(model=model, instructions=instructions, tools=tools))


_LENIENT: Final = responses_pipeline(fingerprint=_lenient)


@attrs.frozen
class Memo:
    """What reasoning was recorded under.

    ``digest``: what was recorded. ``before``: the request up to the item, as text. ``sound``: it was sent in the build
    that recorded it. ``led_to``: the key of the item that the provider put out behind it.
    """

    digest: str
    before: str
    sound: bool
    led_to: str | None


@attrs.define
class Recorder:
    """A conversation as it is played. ``origins`` = things keep the response they came out of."""

    options: RenderOptions
    origins: bool = True
    pipeline: Pipeline = attrs.field(factory=responses_pipeline)
    state: AgentState = attrs.field(factory=AgentState)
    memos: dict[str, Memo] = attrs.field(factory=dict)
    led_to: dict[str, str | None] = attrs.field(factory=dict)

    def build(self) -> AssembledInput:
        """The request of the state as it is."""
        return self.pipeline.build_sync(self.state, self.options)

    def play(self, turn: Turn, answered: bool = True) -> None:
        """One turn: what was said, the response, and, when ``answered``, what the host gives to its calls."""
        self.state = attrs.evolve(self.state, messages=[*self.state.messages, *turn.said])
        request = self.build()
        made = [self._thing(turn, index) for index in range(len(turn.response["output"]))]
        self._append(*(thing for thing in made if thing is not None))
        # Without origins a result stands right behind its call, so a host can only record under what it has answered.
        if answered and not self.origins:
            self.answer(turn)
        self._record(request)
        if answered and self.origins:
            self.answer(turn)

    def answer(self, turn: Turn) -> None:
        """The host gives the results of a turn's calls."""
        custom = {item["call_id"] for item in turn.response["output"] if item["type"] == "custom_tool_call"}
        for number, (call_id, result) in enumerate(turn.results.items()):
            if call_id not in custom:
                self.state = self.state.complete(call_id, result)
                continue
            item = {"type": "custom_tool_call_output", "call_id": call_id, "output": result}
            self._append(
                ProviderItem(item=item, created_at=turn.answered_at + timedelta(seconds=10, milliseconds=number))
            )

    def _append(self, *things: Thing) -> None:
        state = self.state
        self.state = attrs.evolve(
            state,
            messages=[*state.messages, *(thing for thing in things if isinstance(thing, Message))],
            thoughts=[*state.thoughts, *(thing for thing in things if isinstance(thing, Thought))],
            tool_calls=[*state.tool_calls, *(thing for thing in things if isinstance(thing, ToolCall))],
            provider_items=[*state.provider_items, *(thing for thing in things if isinstance(thing, ProviderItem))],
        )

    def _thing(self, turn: Turn, index: int) -> Thing | None:
        output: list[Item] = turn.response["output"]
        item = output[index]
        origin = ResponseOrigin(
            response_id=turn.response["id"],
            output_index=index,
            item_id=item["id"],
            model=turn.response["model"],
            reasoning_count=sum(other["type"] == "reasoning" for other in output),
        )
        common: dict[str, Any] = {
            "created_at": turn.answered_at + timedelta(milliseconds=index),
            "origin": origin if self.origins else None,
        }
        match item["type"]:
            case "reasoning":
                behind = output[index + 1] if index + 1 < len(output) else None
                self.led_to[key_of(item["encrypted_content"])] = None if behind is None else item_key(behind)
                return _thought(item, None if behind is None else behind["id"], common)
            case "function_call":
                own = f"{item['call_id']}|{item['id']}"
                return ToolCall(id=own, tool=item["name"], args=item["arguments"], **common)
            case "message":
                return _message(item, index > 0 and output[index - 1]["type"] == "reasoning", common)
            case _:
                return ProviderItem(item=item, **common)

    def _record(self, request: AssembledInput) -> None:
        """Sets the fingerprints of the reasoning that has none, from a build that takes it as fitting."""
        built = _LENIENT.build_sync(self.state, self.options)
        length = request.fingerprintable_length
        assert request.input[:length] == built.input[:length], "what was sent before a response stands before it later"
        new = [thought for thought in self.state.thoughts if _is_new(thought)]
        recorded = {thing_key(thought): self._recorded(thought, built) for thought in new}
        thoughts = [recorded.get(thing_key(thought), thought) for thought in self.state.thoughts]
        self.state = attrs.evolve(self.state, thoughts=thoughts)

    def _recorded(self, thought: Thought, built: AssembledInput) -> Thought:
        key = thing_key(thought)
        lead = leading(built)
        keys = [""] * lead + [item_key(item) for item in built.input[lead : built.fingerprintable_length]]
        mates = _mates(self.state, thought)
        earlier = [mate for mate in mates[: mates.index(thought)] if thing_key(mate) in keys]
        place = layout(self.state, built)[thing_key(mates[0])] + len(earlier)
        sent = key in keys
        self.memos[key] = Memo(digest(built, place), canonical(built, place), sent, self.led_to[key])
        assert not sent or keys[place] == key
        found, parts = digest(built, place), sections(built, place)
        payload = attrs.evolve(reasoning(thought), prefix_fingerprint=found, sections=parts)
        return attrs.evolve(thought, payload=payload)


def _mates(state: AgentState, thought: Thought) -> list[Thing]:
    """The things that are decided with a reasoning thought: its response, or the run without origin it stands in."""
    ordered = sorted(things_of(state), key=lambda thing: thing.created_at)
    if thought.origin is not None:
        name = thought.origin.response_id
        return [thing for thing in ordered if thing.origin is not None and thing.origin.response_id == name]
    end = start = ordered.index(thought)
    while start > 0 and isinstance(ordered[start - 1], Thought):
        start -= 1
    return ordered[start : end + 1]


def leading(assembled: AssembledInput) -> int:
    """How many items stand before the timeline."""
    first = assembled.input[0] if assembled.fingerprintable_length else {}
    return int(first.get("role") in ("developer", "system"))


def units_of(state: AgentState) -> list[list[Thing]]:
    """The timeline in pieces that stay together, in time order: responses in their own order, single things."""
    ordered = sorted(things_of(state), key=lambda thing: thing.created_at)
    units: dict[object, list[Thing]] = {}
    for thing in ordered:
        units.setdefault(id(thing) if thing.origin is None else thing.origin.response_id, []).append(thing)
    for unit in units.values():
        unit.sort(key=lambda thing: 0 if thing.origin is None else thing.origin.output_index)
    return list(units.values())


def layout(state: AgentState, assembled: AssembledInput) -> dict[str, int]:
    """The index in ``input`` at which the unit of each thing, by its key, begins. Refuses a unit in two pieces."""
    place = leading(assembled)
    items = assembled.input[: assembled.fingerprintable_length]
    begins: dict[str, int] = {}
    for unit in units_of(state):
        keys = {thing_key(thing) for thing in unit}
        begins |= dict.fromkeys(keys, place)
        while place < len(items) and item_key(items[place]) in keys:
            place += 1
    assert place == len(items), f"input[{place}] stands where nothing of its unit is expected"
    return begins


def reasoning(thought: Thought) -> ReasoningPayload:
    """The payload of a reasoning thought."""
    assert isinstance(thought.payload, ReasoningPayload)
    return thought.payload


def _is_new(thought: Thought) -> bool:
    return reasoning(thought).prefix_fingerprint == _UNKNOWN


def _thought(item: Item, behind: str | None, common: Mapping[str, Any]) -> Thought:
    payload = ReasoningPayload(item=item, paired_item_id=behind, prefix_fingerprint=_UNKNOWN)
    own = f"thought {key_of(item['encrypted_content'])}"
    return Thought(id=own, payload=payload, replay_compatibility=REASONING_TAG, **common)


def _message(item: Item, led_to: bool, common: Mapping[str, Any]) -> Thing | None:
    """A message; an empty one is kept as it is behind reasoning, and is nothing elsewhere."""
    [part] = item["content"]
    if part["text"]:
        return Message(id=item["id"], role="assistant", content=part["text"], **common)
    return ProviderItem(item=item, **common) if led_to else None


_SENDABLE: Final = {
    Message: re.compile(r"msg_[A-Za-z0-9_-]{1,60}"),
    ToolCall: re.compile(r"fc_[A-Za-z0-9_-]{1,61}"),
    Thought: re.compile(r"rs_[A-Za-z0-9_-]{1,61}"),
    ProviderItem: re.compile(r"[A-Za-z0-9_-]{1,64}"),
}


def wire_id(thing: Thing) -> str | None:
    """The provider's id of a thing, when it is one that may be sent."""
    own = _own_id(thing)
    return own if _SENDABLE[type(thing)].fullmatch(own) else None


def _own_id(thing: Thing) -> str:
    recorded = None if thing.origin is None else thing.origin.item_id
    match thing:
        case Message():
            return thing.id if recorded is None else recorded
        case ToolCall():
            own = thing.id.partition("|")[2]
            return own if _SENDABLE[ToolCall].fullmatch(own) else str(recorded)
        case Thought():
            return str(reasoning(thing).item.get("id"))
        case ProviderItem():
            return str(thing.item.get("id"))


def provider_id(thing: Thing) -> object:
    """The provider's id of a thing, whether or not it may be sent."""
    match thing:
        case Thought():
            return reasoning(thing).item.get("id")
        case ProviderItem():
            return thing.item.get("id")
        case _:
            recorded = None if thing.origin is None else thing.origin.item_id
            return wire_id(thing) if recorded is None else recorded


_KEPT: Final = {
    "web_search_call": ("type", "action", "status"),
    "custom_tool_call": ("type", "call_id", "input", "name"),
    "compaction": ("type", "encrypted_content"),
    "message": ("type", "role", "content", "status"),
}


def as_sent(thing: Thing, ids: bool) -> Item:
    """The item that a thing of the agent's own goes out as, with or without its id: spelled out a second time."""
    own = wire_id(thing) if ids else None
    item = _without_id(thing)
    return item if own is None else item | {"id": own}


def _without_id(thing: Thing) -> Item:
    match thing:
        case Message():
            part: Item = {"type": "output_text", "text": thing.content, "annotations": []}
            return {"type": "message", "role": "assistant", "status": "completed", "content": [part]}
        case ToolCall():
            call_id = thing.id.partition("|")[0]
            return {"type": "function_call", "call_id": call_id, "name": thing.tool, "arguments": thing.args}
        case Thought():
            item = reasoning(thing).item
            kept = {key: item[key] for key in ("summary", "encrypted_content")}
            return {"type": "reasoning", **kept}
        case ProviderItem():
            return {key: thing.item[key] for key in _KEPT[thing.type]}
