"""Single edits of a conversation: each gives another state or other options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import Any, Final

import attrs

from seamwright import AgentState, Message, ProviderItem, RenderOptions, Thought, ToolCall
from seamwright.model.knowledge import Memory
from seamwright.model.thought import ReasoningPayload
from seamwright.model.tools import Tool

Edited = tuple[AgentState, RenderOptions]
Edit = Callable[[AgentState, RenderOptions, int], Edited]
"""(state, options, which of the things it could strike) → what is built next."""

COLLECTIONS: Final = ("messages", "thoughts", "tool_calls", "provider_items")


def _struck(collection: str, change: Callable[[Any], Any]) -> Edit:
    """One thing of a collection becomes another, or several, or none."""

    def edit(state: AgentState, options: RenderOptions, which: int) -> Edited:
        things = getattr(state, collection)
        if not things:
            return state, options
        at = which % len(things)
        made = change(things[at])
        new = made if isinstance(made, tuple) else (made,)
        return with_things(state, {collection: (*things[:at], *new, *things[at + 1 :])}), options

    return edit


def with_things(state: AgentState, collections: Mapping[str, Any]) -> AgentState:
    """The state with other collections, by their names."""
    changes: dict[str, Any] = dict(collections)
    return attrs.evolve(state, **changes)


def _removed(_: Any) -> tuple[Any, ...]:
    return ()


def _twice(thing: Any) -> tuple[Any, ...]:
    return (thing, thing)


def _later(thing: Any) -> Any:
    return attrs.evolve(thing, created_at=thing.created_at + timedelta(hours=9))


def _earlier(thing: Any) -> Any:
    return attrs.evolve(thing, created_at=thing.created_at - timedelta(hours=9))


def _without_origin(thing: Any) -> Any:
    return attrs.evolve(thing, origin=None)


def _of_another_response(thing: Any) -> Any:
    origin = thing.origin
    return thing if origin is None else attrs.evolve(thing, origin=attrs.evolve(origin, response_id="resp_t0"))


def _more_reasoning(thing: Any) -> Any:
    origin = thing.origin
    return thing if origin is None else attrs.evolve(thing, origin=attrs.evolve(origin, reasoning_count=9))


def _reworded(message: Message) -> Message:
    return attrs.evolve(message, content=f"{message.content} indeed")


def _other_id(thing: Any) -> Any:
    return attrs.evolve(
        thing, id="another", origin=None if thing.origin is None else attrs.evolve(thing.origin, item_id="x")
    )


def _payload(**changes: Any) -> Callable[[Thought], Thought]:
    def change(thought: Thought) -> Thought:
        payload = thought.payload
        assert isinstance(payload, ReasoningPayload)
        return attrs.evolve(thought, payload=attrs.evolve(payload, **changes))

    return change


def _item(**changes: Any) -> Callable[[Thought], Thought]:
    def change(thought: Thought) -> Thought:
        payload = thought.payload
        assert isinstance(payload, ReasoningPayload)
        return _payload(item={**payload.item, **changes})(thought)

    return change


def _with_item(**changes: Any) -> Callable[[ProviderItem], ProviderItem]:
    return lambda thing: attrs.evolve(thing, item={**thing.item, **changes})


def _other_result(call: ToolCall) -> ToolCall:
    return attrs.evolve(call, results="something else")


def _inserted(state: AgentState, options: RenderOptions, which: int) -> Edited:
    at = state.messages[which % len(state.messages)].created_at + timedelta(milliseconds=1)
    said = Message(id="late", role="user", content="by the way", created_at=at)
    return attrs.evolve(state, messages=(*state.messages, said)), options


def _state(**changes: Any) -> Edit:
    return lambda state, options, which: (attrs.evolve(state, **changes), options)


def _options(**changes: Any) -> Edit:
    return lambda state, options, which: (state, attrs.evolve(options, **changes))


def _one_tool_more(state: AgentState, options: RenderOptions, which: int) -> Edited:
    tool = Tool(name="extra", description="More", input_schema={"type": "object"})
    return attrs.evolve(state, tools=state.tools.register(tool)), options


def _everything_withheld(state: AgentState, options: RenderOptions, which: int) -> Edited:
    return state.withhold("refused"), options


def _origins_lost(state: AgentState, options: RenderOptions, which: int) -> Edited:
    lost = {name: [_without_origin(thing) for thing in getattr(state, name)] for name in COLLECTIONS}
    return with_things(state, lost), options


def _for_every_collection(name: str, change: Callable[[Any], Any]) -> dict[str, Edit]:
    return {f"{collection}: {name}": _struck(collection, change) for collection in COLLECTIONS}


EDITS: Final[Mapping[str, Edit]] = {
    **_for_every_collection("removed", _removed),
    **_for_every_collection("twice", _twice),
    **_for_every_collection("later", _later),
    **_for_every_collection("earlier", _earlier),
    **_for_every_collection("without origin", _without_origin),
    **_for_every_collection("of another response", _of_another_response),
    **_for_every_collection("more reasoning was there", _more_reasoning),
    "messages: reworded": _struck("messages", _reworded),
    "messages: incomplete": _struck("messages", lambda message: attrs.evolve(message, incomplete=True)),
    "messages: another id": _struck("messages", _other_id),
    "messages: a peer's": _struck("messages", lambda message: attrs.evolve(message, identity="someone")),
    "messages: one between": _inserted,
    "thoughts: withheld": _struck("thoughts", lambda thought: attrs.evolve(thought, withheld="refused")),
    "thoughts: another tag": _struck("thoughts", lambda thought: attrs.evolve(thought, replay_compatibility="other")),
    "thoughts: a peer's": _struck("thoughts", lambda thought: attrs.evolve(thought, identity="someone")),
    "thoughts: no fingerprint": _struck("thoughts", _payload(prefix_fingerprint="")),
    "thoughts: another fingerprint": _struck("thoughts", _payload(prefix_fingerprint="xxh3-1:0")),
    "thoughts: another partner": _struck("thoughts", _payload(paired_item_id="msg_other")),
    "thoughts: another summary": _struck("thoughts", _item(summary=[{"type": "summary_text", "text": "other"}])),
    "thoughts: no encrypted part": _struck("thoughts", _item(encrypted_content=None)),
    "thoughts: an odd id": _struck("thoughts", _item(id="an odd one")),
    "tool_calls: another result": _struck("tool_calls", _other_result),
    "tool_calls: pending again": _struck("tool_calls", lambda call: attrs.evolve(call, results=None)),
    "tool_calls: other arguments": _struck("tool_calls", lambda call: attrs.evolve(call, args={"q": 1})),
    "tool_calls: another id": _struck("tool_calls", _other_id),
    "provider_items: another id": _struck("provider_items", _with_item(id="other_1")),
    "provider_items: another content": _struck("provider_items", _with_item(status="incomplete")),
    "state: another system prompt": _state(system_prompt="Be long."),
    "state: no system prompt": _state(system_prompt=""),
    "state: another rule": _state(standing_instructions=["Guess."]),
    "state: another memory": _state(memories=[Memory(id="m2", content="Prefers coffee.")]),
    "state: nothing retrieved": _state(retrievables=()),
    "state: one tool more": _one_tool_more,
    "state: no hosted tools": _state(provider_tools=()),
    "state: everything withheld": _everything_withheld,
    "state: origins lost": _origins_lost,
    "options: another model": _options(model="gpt-other"),
    "options: another channel": _options(system_prompt_channel="developer-item"),
    "options: timeline first": _options(bucket_order=("timeline", "memories", "standing_instructions", "retrievables")),
    "options: timeline alone": _options(bucket_order=("timeline",)),
    "options: no timeline": _options(bucket_order=("memories",)),
    "options: no replay": _options(reasoning_replay="off"),
    "options: summaries only": _options(reasoning_replay="summary-only"),
    "options: the latest thought": _options(thought_surfacing="latest-self"),
    "options: nothing compatible": _options(replay_compatibility=()),
    "options: strict tools": _options(strict=None),
    "options: somebody else": _options(self_identity="someone"),
    "options: openai": _options(endpoint="openai"),
    "options: azure": _options(endpoint="azure"),
    "options: codex": _options(endpoint="codex"),
    "options: compatible": _options(endpoint="compatible"),
}
