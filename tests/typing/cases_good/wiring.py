"""Replacing seams: what fits is accepted as it is written, without casts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, assert_type

from dependency_injector.providers import Object, Provider

from seamwright import (
    AgentState,
    AssembledInput,
    BuildContext,
    EnvelopeAttrs,
    HandleInfo,
    KeyedNonce,
    Media,
    Memory,
    Message,
    O200kCounter,
    Overrides,
    Pipeline,
    PrefixHash,
    RenderOptions,
    RenderWarning,
    Retrievable,
    Seams,
    Sha256Fingerprint,
    Thought,
    TokenBudget,
    ToolCall,
    ToolRegistry,
    trim_oldest,
)
from seamwright.seams.context import TokenCounter
from seamwright.seams.envelopes import Envelope, Neutraliser, Nonce
from seamwright.seams.ids import CallIds, Thing
from seamwright.seams.leading import Memories, make_memories
from seamwright.seams.steps import Leading, Rendered
from seamwright.seams.timeline import ThoughtKind
from seamwright.seams.tools import ToolResult
from seamwright_containers import ResponsesContainer, made, resolve, responses_pipeline, rewire, swap, use

# --- functions: plain where plain is asked for, plain or asynchronous where a seam may wait


def quiet(text: str, /) -> str:
    return text


def with_other_names(anything: str) -> str:
    return anything


def envelope(content: str, attrs: EnvelopeAttrs, /) -> str:
    return f"{attrs.nonce}{content}"


def plain_result(call: ToolCall, context: BuildContext, /) -> str | list[dict[str, Any]]:
    return call.id


async def waiting_result(call: ToolCall, context: BuildContext, /) -> str | list[dict[str, Any]]:
    return call.id


def shows_text(call: ToolCall, context: BuildContext, /) -> str:
    return call.id


async def documents(items: Sequence[Retrievable], context: BuildContext, /) -> str:
    return items[0].id


async def blocks(media: Media, context: BuildContext, /) -> list[dict[str, Any]]:
    return [{"type": "input_text", "text": media.id}]


async def leading(state: AgentState, context: BuildContext, /) -> Leading:
    return Leading(str(state.system_prompt))


def pairing(rendered: Sequence[Rendered], prefix_hash: PrefixHash, context: BuildContext, /) -> list[dict[str, Any]]:
    return [one.item for one in rendered if one.item is not None]


def sink(warning: RenderWarning, /) -> None:
    print(warning.code)


class Ids:
    def message_id(self, message: Message, /) -> str | None:
        return message.id

    def call_ids(self, call: ToolCall, /) -> CallIds:
        return CallIds(call.id, None)

    def provider_id(self, thing: Thing, /) -> str | None:
        return None


class Counter:
    encoding = "words"

    def __call__(self, text: str, /) -> int:
        return len(text.split())


assert_type(responses_pipeline(), Pipeline)
responses_pipeline(nonce=KeyedNonce("secret"), neutraliser=quiet, warn=sink)
responses_pipeline(neutraliser=with_other_names, untrusted_envelope=envelope, trusted_envelope=envelope)
responses_pipeline(neutraliser=lambda text: text.upper(), safety_directive=lambda: "directive")
responses_pipeline(thought=lambda thought, kind: f"{thought.id} {kind}", pending_result=lambda call: "none")
responses_pipeline(tool_result=plain_result)
responses_pipeline(tool_result=waiting_result)
responses_pipeline(tool_result=shows_text)
responses_pipeline(tool_result=lambda call, context: call.id)
responses_pipeline(retrievables=documents, first_party_retrievables=documents, media_blocks=blocks)
responses_pipeline(leading_step=leading, reasoning_pairing=pairing, item_ids=Ids())
responses_pipeline(token_counter=Counter(), fingerprint=Sha256Fingerprint())
responses_pipeline(token_counter=None, trimmer=None)
responses_pipeline(token_counter=O200kCounter(), trimmer=trim_oldest)
responses_pipeline(trimmer=lambda groups, room: [i for i, one in enumerate(groups) if one.tokens > room.budget])
RenderOptions(model="m", budget=TokenBudget(1000, low_water=0.5))
responses_pipeline(clock=lambda: datetime(2026, 1, 1, tzinfo=UTC))
responses_pipeline(memories=lambda items: str(len(items)), standing_instructions=lambda items, version=None: "")
responses_pipeline(artifact_handle=lambda info: info.call_id, tool_declarations=lambda tools, options: None)

overrides: Overrides = {"nonce": KeyedNonce("secret"), "neutraliser": quiet}
responses_pipeline(**overrides)

# --- the record


def of_a_record(seams: Seams, thought: Thought, info: HandleInfo, kind: ThoughtKind) -> None:
    assert_type(seams.nonce, Nonce)
    assert_type(seams.untrusted_envelope, Envelope)
    assert_type(seams.token_counter, TokenCounter | None)
    assert_type(seams.nonce("a"), str)
    assert_type(seams.thought(thought, kind), str)
    assert_type(seams.artifact_handle(info), str)
    assert_type(seams.tool_declarations(ToolRegistry(), RenderOptions(model="m")), list[dict[str, Any]] | None)
    assert_type(Pipeline(seams), Pipeline)


async def of_a_pipeline(pipeline: Pipeline, state: AgentState) -> None:
    options = RenderOptions(model="m")
    assert_type(await pipeline.build(state, options), AssembledInput)
    assert_type(pipeline.build_sync(state, options, rendered_tool_results={"call": "text"}), AssembledInput)
    assert_type(pipeline.seams, Seams)


# --- the container's doors

container = ResponsesContainer()
assert_type(use(container.nonce), Nonce)
assert_type(use(container.tool_result), ToolResult)
recipe = made(make_memories, nonce=use(container.nonce), neutraliser=use(container.neutraliser))
assert_type(recipe, Provider[Memories])
assert_type(made(make_memories, nonce=KeyedNonce("secret"), neutraliser=quiet), Provider[Memories])

swap(container.nonce, KeyedNonce("secret"))
swap(container.neutraliser, quiet)
swap(container.tool_result, waiting_result)
swap(container.token_counter, None)
swap(container.token_counter, Counter())
rewire(container.memories, recipe)
assert_type(resolve(container), Seams)


def one_memory(items: Sequence[Memory], /) -> str:
    return items[0].id


class Own(ResponsesContainer):
    neutraliser: Provider[Neutraliser] = Object(quiet)
    memories: Provider[Memories] = Object(one_memory)
    more: Provider[Memories] = made(make_memories, nonce=use(ResponsesContainer.nonce), neutraliser=use(neutraliser))


assert_type(resolve(Own()), Seams)
