"""Injections and overrides that are misspelt, missing or of the wrong type."""

from __future__ import annotations

from collections.abc import Sequence

from dependency_injector.providers import Object, Provider

from seamwright import (
    BuildContext,
    KeyedNonce,
    Memory,
    Message,
    Overrides,
    Pipeline,
    RenderOptions,
    Seams,
    Thought,
    ToolCall,
)
from seamwright.seams.envelopes import Nonce, nonce
from seamwright.seams.json_schema import json_schema
from seamwright.seams.leading import Memories, make_memories, make_system_prompt, standing_instructions
from seamwright.seams.tools import make_tool_declarations, make_tool_result
from seamwright_containers import ResponsesContainer, made, responses_pipeline, rewire, swap, use


def quiet(text: str, /) -> str:
    return text


def two_texts(text: str, other: str, /) -> str:
    return text + other


def a_number(text: str, /) -> int:
    return len(text)


def bytes_in(text: bytes, /) -> str:
    return text.decode()


async def waiting(text: str, /) -> str:
    return text


async def waiting_memories(items: Sequence[Memory], /) -> str:
    return str(len(items))


async def a_list(call: ToolCall, context: BuildContext, /) -> list[int]:
    return [1]


class NoIds:
    def message_id(self, message: Message, /) -> str | None:
        return message.id


class NoEncoding:
    def __call__(self, text: str, /) -> int:
        return len(text)


# --- overrides

responses_pipeline(nonces=quiet)  # E: no seam has this name
responses_pipeline(render_thought=lambda thought, kind: "")  # E: no seam has this name
responses_pipeline(quiet)  # E: every replacement has a name
responses_pipeline(nonce=3)  # E: a number is no function
responses_pipeline(nonce="n1")  # E: a text is no function
responses_pipeline(nonce=None)  # E: only the token counter and the trimmer may be absent
responses_pipeline(nonce=lambda: "n")  # E: a nonce is made of an id
responses_pipeline(nonce=two_texts)  # E: one text is given
responses_pipeline(nonce=a_number)  # E: a nonce is a text
responses_pipeline(nonce=bytes_in)  # E: an id is a text
responses_pipeline(nonce=waiting)  # E: a plain function is asked for
responses_pipeline(nonce=KeyedNonce)  # E: the class makes a nonce, it is none
responses_pipeline(nonce=Object(nonce))  # E: the provider holds a nonce, it is none
responses_pipeline(memories=waiting_memories)  # E: a plain function is asked for
responses_pipeline(memories=standing_instructions)  # E: instructions are no memories
responses_pipeline(thought=lambda thought: "")  # E: the kind is given too
responses_pipeline(tool_result=a_list)  # E: an output is text or parts
responses_pipeline(tool_result=quiet)  # E: a call and a context are given
responses_pipeline(item_ids=NoIds())  # E: two methods are missing
responses_pipeline(item_ids=quiet)  # E: an object with three methods is asked for
responses_pipeline(token_counter=NoEncoding())  # E: nobody knows in what it counts
responses_pipeline(token_counter=len)  # E: nobody knows in what it counts
responses_pipeline(trimmer=len)  # E: the room is given too
responses_pipeline(trimmer=lambda groups, room: 3)  # E: indices are asked for
responses_pipeline(fingerprint=lambda model: None)  # E: three keywords are given
responses_pipeline(warn=print, clock=3)  # E: a number tells no time

misspelt: Overrides = {"nonces": quiet}  # E: no seam has this name
mistyped: Overrides = {"nonce": 3}  # E: a number is no function

# --- the record


def of_a_record(seams: Seams, thought: Thought) -> None:
    seams.nonce = quiet  # E: the record is frozen
    seams.nonces("a")  # E: no seam has this name
    seams.nonce(3)  # E: an id is a text
    seams.nonce(identifier="a")  # E: data is positional
    seams.thought(thought, "own-reasoning")  # E: there are two kinds
    Seams(nonce=nonce)  # E: every seam is needed
    Pipeline(ResponsesContainer())  # E: a pipeline takes the record, not its container


def of_a_pipeline(pipeline: Pipeline) -> None:
    pipeline.build_sync(RenderOptions(model="m"))  # E: the state comes first
    pipeline.seams = pipeline.seams  # E: a pipeline is frozen


# --- injections

container = ResponsesContainer()
made(make_memories, nonce=use(container.nonce))  # E: the neutraliser is missing
made(make_memories, nonce=use(container.nonce), neutralizer=use(container.neutraliser))  # E: misspelt
made(make_memories, nonce=use(container.nonce), neutraliser=use(container.neutraliser), thought=quiet)  # E: surplus
made(make_memories, nonce=use(container.memories), neutraliser=use(container.neutraliser))  # E: memories are no nonce
made(make_memories, nonce=container.nonce, neutraliser=use(container.neutraliser))  # E: a provider is no nonce
made(make_memories, nonce=3, neutraliser=quiet)  # E: a number is no nonce
made(make_memories, quiet, quiet)  # E: seams are injected by name
made(make_system_prompt)  # E: three seams are missing
made(make_tool_result, nonce=use(container.nonce))  # E: eight seams are missing
made(make_tool_declarations, json_schema=use(container.tool_declarations))  # E: declarations are no schema
made(3)  # E: a number makes nothing
use(quiet)  # E: a function is no provider
use(container.nonces)  # E: no seam has this name
use(ResponsesContainer.nonces)  # E: no seam has this name

# --- replacing in a container

swap(container.nonce, 3)  # E: a number is no nonce
swap(container.nonce, two_texts)  # E: one text is given
swap(container.nonce, waiting)  # E: a plain function is asked for
swap(container.memories, standing_instructions)  # E: instructions are no memories
swap(container.nonces, quiet)  # E: no seam has this name
swap(quiet, quiet)  # E: a function is no provider
swap(container.nonce)  # E: by what?
rewire(container.nonce, quiet)  # E: a function is no recipe
rewire(container.nonce, container.memories)  # E: memories are no nonce
rewire(container.nonce, made(make_memories, nonce=nonce, neutraliser=quiet))  # E: memories are no nonce


class Own(ResponsesContainer):
    nonce: Provider[Nonce] = Object(two_texts)  # E: one text is given
    thought: Provider[Nonce] = Object(quiet)  # E: the base says what a thought is
    memories: Provider[Memories] = made(make_tool_declarations, json_schema=json_schema)  # E: no memories


swap(Own().nonces, quiet)  # E: nor of a container of one's own
