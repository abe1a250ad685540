"""Protocol histories and their wiring."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, assert_type

from dependency_injector.providers import Provider

from seamwright import AgentState, AssembledInput, RenderOptions
from seamwright.history import (
    Block,
    HistoryMessage,
    TextBlock,
    ToolCallBlock,
    VerbatimOverrides,
    VerbatimPipeline,
    VerbatimSeams,
    history_from_chat_completions,
    load_history,
    serialize_history,
)
from seamwright.history.serialize import SerializeMessage, ToolOutput, make_serialize_message
from seamwright_containers import (
    Plan,
    VerbatimContainer,
    describe,
    made,
    resolve_verbatim,
    rewire,
    swap,
    use,
    verbatim_pipeline,
)


def shouted(blocks: Sequence[Block], /) -> str:
    return "".join(block.text for block in blocks if isinstance(block, TextBlock)).upper()


history = [HistoryMessage("user", [TextBlock("q")]), HistoryMessage("assistant", [ToolCallBlock("c", "f", {"a": 1})])]
tools: list[Mapping[str, Any]] = [{"name": "f", "description": "d", "input_schema": {}}]

assert_type(verbatim_pipeline(), VerbatimPipeline)
pipeline = verbatim_pipeline(tool_output=shouted, warn=print, user_part=lambda block: {"type": "input_text"})
assert_type(pipeline.build(history, RenderOptions(model="m"), tools=tools, instructions="i"), AssembledInput)
assert_type(pipeline.serialize_history(history), list[dict[str, Any]])
assert_type(pipeline.seams.tool_output, ToolOutput)
assert_type(load_history(Path("log.json")), tuple[HistoryMessage, ...])
assert_type(serialize_history(load_history("[]")), list[dict[str, Any]])
assert_type(history_from_chat_completions([{"role": "user", "content": "q"}]), AgentState)

overrides: VerbatimOverrides = {"tool_output": shouted}
verbatim_pipeline(**overrides)

container = VerbatimContainer()
swap(container.tool_output, shouted)
recipe = made(
    make_serialize_message,
    user_part=use(container.user_part),
    thinking_item=use(container.thinking_item),
    text_item=use(container.text_item),
    call_item=use(container.call_item),
    tool_output=shouted,
)
assert_type(recipe, Provider[SerializeMessage])
rewire(container.serialize_message, recipe)
assert_type(resolve_verbatim(container), VerbatimSeams)
plan = Plan.compile(container, VerbatimSeams)
assert_type(plan, Plan[VerbatimSeams])
assert_type(VerbatimPipeline(plan.resolve({"tool_output": shouted})), VerbatimPipeline)
print(describe(pipeline), describe(container))
