"""Everything an agent knows at one moment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import attrs

from seamwright.errors import Fault, InvalidStateError
from seamwright.model.checks import (
    JSON_OBJECTS,
    TOKENIZABLE,
    Check,
    as_tuple,
    frozen_mappings,
    instance_of,
    tuple_of,
)
from seamwright.model.guards import is_tuple
from seamwright.model.knowledge import Memory, Retrievable
from seamwright.model.message import Message
from seamwright.model.provider_item import ProviderItem
from seamwright.model.spelling import shown
from seamwright.model.text import Tokenizable
from seamwright.model.thought import Thought, is_reasoning
from seamwright.model.tool_call import ToolCall, call_part
from seamwright.model.tools import ToolRegistry, as_registry

if TYPE_CHECKING:
    from seamwright.ingest.ingested import Ingested


def _texts(value: object) -> str | None:
    if not is_tuple(value):
        return f"{shown(value)} is not a list of texts"
    return next((problem for item in value if (problem := TOKENIZABLE.problem(item)) is not None), None)


def _withheld(thought: Thought, reason: str) -> Thought:
    marked = thought.withheld is not None or not is_reasoning(thought.payload)
    return thought if marked else attrs.evolve(thought, withheld=reason)


@attrs.frozen(kw_only=True)
class AgentState:
    """One agent's view. Collections may be any iterable at construction and are tuples afterwards.

    Tool calls and provider items are the agent's own; a peer's work comes in as messages and thoughts.
    ``provider_tools`` are hosted tool declarations (web search, MCP, …) as mappings, sent verbatim after the function
    tools.
    """

    system_prompt: Tokenizable = attrs.field(default="", validator=TOKENIZABLE)
    standing_instructions: tuple[Tokenizable, ...] = attrs.field(
        default=(), converter=as_tuple, validator=Check(_texts)
    )
    memories: tuple[Memory, ...] = attrs.field(default=(), converter=as_tuple, validator=tuple_of(Memory, "a memory"))
    retrievables: tuple[Retrievable, ...] = attrs.field(
        default=(), converter=as_tuple, validator=tuple_of(Retrievable, "a retrievable")
    )
    messages: tuple[Message, ...] = attrs.field(
        default=(), converter=as_tuple, validator=tuple_of(Message, "a message")
    )
    thoughts: tuple[Thought, ...] = attrs.field(
        default=(), converter=as_tuple, validator=tuple_of(Thought, "a thought")
    )
    tool_calls: tuple[ToolCall, ...] = attrs.field(
        default=(), converter=as_tuple, validator=tuple_of(ToolCall, "a tool call")
    )
    provider_items: tuple[ProviderItem, ...] = attrs.field(
        default=(), converter=as_tuple, validator=tuple_of(ProviderItem, "a provider item")
    )
    tools: ToolRegistry = attrs.field(
        factory=ToolRegistry, converter=as_registry, validator=instance_of(ToolRegistry, "a tool registry")
    )
    provider_tools: tuple[Mapping[str, Any], ...] = attrs.field(
        default=(), converter=frozen_mappings, validator=JSON_OBJECTS
    )

    def extend(self, ingested: Ingested) -> AgentState:
        """The next state: this one with everything of an ingested response at the end of its collections."""
        return attrs.evolve(
            self,
            messages=(*self.messages, *ingested.messages),
            thoughts=(*self.thoughts, *ingested.thoughts),
            tool_calls=(*self.tool_calls, *ingested.tool_calls),
            provider_items=(*self.provider_items, *ingested.provider_items),
        )

    def withhold(self, reason: str) -> AgentState:
        """The state in which no reasoning is sent again: every thought with reasoning is marked with why."""
        return attrs.evolve(self, thoughts=[_withheld(thought, reason) for thought in self.thoughts])

    def complete(self, call_id: str, results: Any, trusted: bool | None = None, is_error: bool = False) -> AgentState:
        """The state in which a pending call has its results.

        It is the first pending call whose whole id is ``call_id``, else the first pending one with that call part.
        Raises :class:`InvalidStateError` when there is none.
        """
        pending = [(index, call) for index, call in enumerate(self.tool_calls) if call.results is None]
        named = [one for one in pending if one[1].id == call_id] or [
            one for one in pending if call_part(one[1].id) == call_id
        ]
        if named:
            index, call = named[0]
            done = call.complete(results, trusted, is_error)
            calls = (*self.tool_calls[:index], done, *self.tool_calls[index + 1 :])
            return attrs.evolve(self, tool_calls=calls)
        waiting = ", ".join(repr(call.id) for _, call in pending) or "none"
        raise InvalidStateError([Fault("tool_calls", f"no pending call {call_id!r} (pending: {waiting})")])
