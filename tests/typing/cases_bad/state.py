"""Primitives that are given what they don't take, and changes of what is frozen."""

from __future__ import annotations

from datetime import UTC, datetime

from seamwright import (
    AgentState,
    Memory,
    Message,
    RenderOptions,
    Retrievable,
    StashEntry,
    Thought,
    Tool,
    ToolCall,
    dump_state,
    load_state,
)

NOW = datetime.now(UTC)

Message(id="u1", role="tool", content="hi", created_at=NOW)  # E: there are two roles
Message("u1", "user", "hi", NOW)  # E: fields are given by name
Message(id="u1", role="user", content="hi")  # E: the time is missing
Message(id=1, role="user", content="hi", created_at=NOW)  # E: an id is a text
Message(id="u1", role="user", content=3, created_at=NOW)  # E: content is a text or a callable
Message(id="u1", role="user", content="hi", created_at="2026-01-01")  # E: a time is a datetime
Message(id="u1", role="user", text="hi", created_at=NOW)  # E: the field is called content
Thought(id="t1", content=lambda ctx: "x", created_at=NOW)  # E: a thought is a text
Memory(id="m", content="x", score="1")  # E: a score is a number
Retrievable(id="r", content="x")  # E: the tier is missing
Retrievable(id="r", content="x", trust_tier="second-party")  # E: there are three tiers
StashEntry(value="x", trust_tier="third-party")  # E: there are three tiers
ToolCall(id="c", tool="t", created_at=NOW)  # E: the arguments are missing
Tool(name="t", description="d")  # E: the schema is missing
RenderOptions()  # E: the model is missing
RenderOptions(model="m", thought_surfacing="some")  # E: there are three modes
RenderOptions(model="m", system_prompt_channel="developer")  # E: there are three channels
RenderOptions(model="m", temperature=1)  # E: it goes into to_request
AgentState(prompt="x")  # E: the field is called system_prompt
load_state(3)  # E: a mapping, JSON text or a path
dump_state(AgentState())  # E: the options are dumped too


def frozen(state: AgentState, message: Message, options: RenderOptions) -> None:
    state.system_prompt = "x"  # E: a state is frozen
    state.messages.append(message)  # E: a collection is a tuple
    message.content = "x"  # E: a message is frozen
    options.model = "n"  # E: options are frozen
