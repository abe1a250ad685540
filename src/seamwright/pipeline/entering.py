"""Where text enters: callables are rendered and lone surrogates replaced, once: seams see clean strings only."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import is_
from typing import Any, Final, TypeVar

import attrs
import orjson

from seamwright.errors import Fault, InvalidStateError
from seamwright.model.artifact import SpooledArtifact
from seamwright.model.frozen import freeze
from seamwright.model.guards import is_array, is_mapping, is_record, is_tuple
from seamwright.model.knowledge import Memory, Retrievable
from seamwright.model.message import Message
from seamwright.model.options import RenderOptions
from seamwright.model.provider_item import ProviderItem
from seamwright.model.state import AgentState
from seamwright.model.text import has_lone_surrogates, replace_lone_surrogates, text
from seamwright.model.thought import ReasoningPayload, Thought
from seamwright.model.tool_call import ToolCall, checksum_of
from seamwright.model.tools import Tool, ToolRegistry
from seamwright.seams.context import AddWarning

T = TypeVar("T", bound=attrs.AttrsInstance)


def _clean(value: str | None) -> bool:
    return value is None or value.isascii() or not has_lone_surrogates(value)


def _clean_json(value: object) -> bool:
    try:
        orjson.dumps(value)
    except TypeError:  # lone surrogates, or integers beyond 64 bits: the slow way knows
        return False
    return True


# Most texts are ASCII, which is known without looking at the letters. Several short ones are looked at as one.


def _message_is_clean(message: Message) -> bool:
    content = message.content
    if message.attachments or not (content is None or isinstance(content, str)):
        return False
    texts = f"{message.id}{message.identity.representation}{message.refusal}{message.phase}"
    return (texts.isascii() or _clean(texts)) and (content is None or content.isascii() or _clean(content))


def _thought_is_clean(thought: Thought) -> bool:
    payload = thought.payload
    texts = f"{thought.id}{thought.identity.representation}{thought.content}"
    return (texts.isascii() or _clean(texts)) and (
        not isinstance(payload, ReasoningPayload) or _clean_json(payload.item)
    )


def _call_is_clean(call: ToolCall) -> bool:
    results, args = call.results, call.args
    if not (results is None or (isinstance(results, str) and (results.isascii() or _clean(results)))):
        return False
    if not (_clean(args) if isinstance(args, str) else not args or _clean_json(args)):
        return False
    texts = f"{call.id}{call.tool}{call.checksum}{call.namespace}"
    return (texts.isascii() or _clean(texts)) and (call.caller is None or _clean_json(call.caller))


def _item_is_clean(item: ProviderItem) -> bool:
    return _clean_json(item.item)


def _memory_is_clean(memory: Memory) -> bool:
    return isinstance(memory.content, str) and all(map(_clean, (memory.id, memory.content, memory.source, memory.kind)))


def _retrievable_is_clean(item: Retrievable) -> bool:
    content = item.content
    return isinstance(content, str) and all(map(_clean, (item.id, content, item.source, item.kind)))


_TEXT_FIELDS: Final = {(Message, "content"), (Memory, "content"), (Retrievable, "content")}
_CODE: Final = {"handler", "reader", "source_reader", "input_schema"}


class Entrance:
    """Cleans one state, warning once for each text."""

    def __init__(self, ctx: object, warn: AddWarning) -> None:
        self.ctx = ctx
        self.warn = warn

    def string(self, value: str, subject_id: str | None) -> str:
        if not has_lone_surrogates(value):
            return value
        self.warn("lone-surrogate", "a text held lone surrogates; they became U+FFFD", subject_id)
        return replace_lone_surrogates(value)

    def tokenizable(self, value: Any, owner: str, subject_id: str | None) -> str:
        return self.string(text(value, self.ctx, owner), subject_id)

    def json(self, value: Any, subject_id: str | None) -> Any:
        if isinstance(value, str):
            return self.string(value, subject_id)
        if is_mapping(value):
            return {self.string(key, subject_id): self.json(item, subject_id) for key, item in value.items()}
        if is_array(value):
            return [self.json(item, subject_id) for item in value]
        return value

    def value(self, value: Any, owner: tuple[type, str], subject_id: str | None) -> Any:
        """A field's value, clean; the same object when nothing had to change."""
        if isinstance(value, str):
            return self.string(value, subject_id)
        if owner[1] in _CODE:
            return value
        if owner in _TEXT_FIELDS and value is not None and not isinstance(value, SpooledArtifact):
            return self.tokenizable(value, f"{owner[0].__name__} {subject_id}.{owner[1]}", subject_id)
        if is_record(value):
            return self.thing(value, subject_id)
        if is_tuple(value):
            items = tuple(self.value(item, owner, subject_id) for item in value)
            return value if all(a is b for a, b in zip(value, items, strict=True)) else items
        return self.mapping(value, owner, subject_id) if is_mapping(value) else value

    def mapping(self, value: Mapping[str, Any], owner: tuple[type, str], subject_id: str | None) -> Any:
        if any(map(is_record, value.values())):
            items = {key: self.value(item, owner, subject_id) for key, item in value.items()}
            return value if all(items[key] is value[key] for key in value) else items
        return value if _clean_json(value) else freeze(self.json(value, subject_id))

    def thing(self, thing: attrs.AttrsInstance, subject_id: str | None = None) -> Any:
        """A primitive with every text in it clean."""
        own = getattr(thing, "id", None)
        subject_id = own if isinstance(own, str) else subject_id
        changes: dict[str, Any] = {}
        for field in attrs.fields(type(thing)):
            if not field.init:
                continue
            before = getattr(thing, field.name)
            after = self.value(before, (type(thing), field.name), subject_id)
            if after is not before:
                changes[field.alias] = after
        if not changes:
            return thing
        if isinstance(thing, ToolCall) and thing.checksum == checksum_of(thing.tool, thing.args):
            tool, args = changes.get("tool", thing.tool), changes.get("args", thing.args)
            changes["checksum"] = checksum_of(tool, args)
        whole: Any = thing  # evolve() is typed for one class, and this is any of them
        return attrs.evolve(whole, **changes)

    def all(self, name: str, things: Sequence[T], is_clean: Callable[[T], bool]) -> tuple[T, ...]:
        """A collection of the state with every thing in it clean."""
        if all(map(is_clean, things)):
            return tuple(things)
        return tuple(thing if is_clean(thing) else self.thing(thing) for thing in things)

    def tools(self, registry: ToolRegistry) -> ToolRegistry:
        if all(_clean(tool.description) and _clean_schema(tool.input_schema) for tool in registry):
            return registry
        tools: list[Tool] = []
        for tool in registry:
            description = self.string(tool.description, tool.name)
            schema = tool.input_schema
            schema = schema if _clean_schema(schema) else freeze(self.json(schema, tool.name))
            tools.append(attrs.evolve(tool, description=description, input_schema=schema))
        return ToolRegistry(tools, registry.hidden_names)

    def state(self, state: AgentState) -> AgentState:
        """The state with every text clean; the same object when nothing had to change."""
        rules = tuple(
            self.tokenizable(rule, f"AgentState.standing_instructions[{index}]", None)
            for index, rule in enumerate(state.standing_instructions)
        )
        clean = {
            "system_prompt": self.tokenizable(state.system_prompt, "AgentState.system_prompt", None),
            "standing_instructions": rules,
            "memories": self.all("memories", state.memories, _memory_is_clean),
            "retrievables": self.all("retrievables", state.retrievables, _retrievable_is_clean),
            "messages": self.all("messages", state.messages, _message_is_clean),
            "thoughts": self.all("thoughts", state.thoughts, _thought_is_clean),
            "tool_calls": self.all("tool_calls", state.tool_calls, _call_is_clean),
            "provider_items": self.all("provider_items", state.provider_items, _item_is_clean),
            "tools": self.tools(state.tools),
            "provider_tools": tuple(self.hosted_tool(tool) for tool in state.provider_tools),
        }
        changes: dict[str, Any] = {
            name: value for name, value in clean.items() if not _same_objects(value, getattr(state, name))
        }
        return attrs.evolve(state, **changes) if changes else state

    def options(self, options: RenderOptions) -> RenderOptions:
        shown = (options.model, options.self_identity, options.standing_instructions_version)
        clean = all(map(_clean, (*shown, *options.replay_compatibility)))
        return options if clean else self.thing(options)

    def hosted_tool(self, tool: Mapping[str, Any]) -> Mapping[str, Any]:
        return tool if _clean_json(tool) else self.json(tool, None)


def _same_objects(one: object, other: object) -> bool:
    if one is not other and is_tuple(one) and is_tuple(other):
        return len(one) == len(other) and all(map(is_, one, other))
    return one is other


def _clean_schema(schema: object) -> bool:
    return not is_mapping(schema) or _clean_json(schema)


def enter(state: AgentState, options: RenderOptions, ctx: object, warn: AddWarning) -> tuple[AgentState, RenderOptions]:
    """The state and options as seams see them. Raises :class:`TokenizableError` for a callable that gives no text."""
    entrance = Entrance(ctx, warn)
    return entrance.state(state), entrance.options(options)


def enter_results(given: Mapping[str, Any] | None, state: AgentState, warn: AddWarning) -> dict[str, Any]:
    """The results given as rendered, by the whole id of their call.

    Raises :class:`InvalidStateError` for keys of no call.
    """
    if not given:
        return {}
    entrance = Entrance(None, warn)
    known = {call.id for call in state.tool_calls}
    results: dict[str, Any] = {}
    faults: list[Fault] = []
    for key, value in given.items():
        clean = replace_lone_surrogates(key)
        if clean not in known:
            problem = "no tool call has this id; the whole id is the key, call_id|item_id where it has two parts"
            faults.append(Fault(f"rendered_tool_results[{clean}]", problem))
        results[clean] = entrance.json(value, clean)
    if faults:
        raise InvalidStateError(sorted(faults, key=lambda fault: fault.path))
    return results
