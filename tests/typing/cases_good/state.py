"""Primitives as a host builds them: any iterable where a collection stands, a string where an identity stands."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, assert_type

from seamwright import (
    ENDPOINTS,
    AgentState,
    AssembledInput,
    FallbackStash,
    Identity,
    Media,
    Memory,
    Message,
    RenderOptions,
    Retrievable,
    SpooledArtifact,
    StashEntry,
    Thought,
    Tool,
    ToolCall,
    ToolRegistry,
    dump_state,
    load_state,
)

NOW = datetime.now(UTC)


def messages() -> Iterator[Message]:
    yield Message(id="u1", role="user", content="hi", created_at=NOW)
    yield Message(id="u2", role="user", content=lambda ctx: str(ctx), created_at=NOW, identity="ann")


async def reader() -> bytes:
    return b""


media = Media.user_attachment(kind="image", mime_type="image/png", filename="a.png", source_reader=reader)
assert_type(media, Media)
stash = {"text:caption": StashEntry(value="a", trust_tier="first-party")}
tools = ToolRegistry([Tool(name="t", description="", input_schema={}, strict=True)])
state = AgentState(
    system_prompt=lambda ctx: "prompt",
    standing_instructions=("a", "b"),
    memories=[Memory(id="m", content="x", score=1)],
    retrievables=(Retrievable(id="r", content=SpooledArtifact(reader=Path("a")), trust_tier="first-party"),),
    messages=messages(),
    thoughts=[Thought(id="t", content="x", created_at=NOW, identity=Identity(identifier="a", representation="A"))],
    tool_calls=[ToolCall(id="c", tool="t", args={"a": [1, None]}, created_at=NOW, results=[media])],
    tools=tools.hide("t"),
)
assert_type(state.messages, tuple[Message, ...])
assert_type(state.messages[0].identity, Identity)
assert_type(state.tools, ToolRegistry)
assert_type(tools.get("t"), Tool | None)
assert_type(state.complete("c", "done"), AgentState)

options = RenderOptions(
    model="m",
    bucket_order=["timeline", "memories"],
    endpoint="azure",
    unsupported_media_policy=FallbackStash(["text:caption"]),
)
RenderOptions(model="m", endpoint=ENDPOINTS["codex"], unsupported_media_policy="synthetic-description")
assert_type(load_state(Path("state.json")), tuple[AgentState, RenderOptions])
assert_type(load_state('{"model": "m"}', base_dir="."), tuple[AgentState, RenderOptions])
assert_type(load_state({"model": "m"}, allow_paths=True), tuple[AgentState, RenderOptions])
assert_type(dump_state(state, options), dict[str, Any])


def request(assembled: AssembledInput) -> None:
    assert_type(assembled.instructions, str | None)
    assert_type(assembled.input, list[dict[str, Any]])
    assert_type(assembled.to_request(temperature=1), dict[str, Any])
