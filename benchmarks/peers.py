"""The same conversation in the objects of other libraries, and the way each makes the ``input`` of a request of them.

Making their objects is not measured. Each is asked for what it does itself between its own history and the body of a
request: nothing is sent, and no key is needed.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import os
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

import attrs

from benchmarks.conversation import filler

MODEL: Final = "gpt-5.4"
Build = Callable[[Any], Any]


@attrs.frozen
class Turn:
    """The texts of one turn."""

    number: int
    said: str
    encrypted: str
    args: str
    output: str
    answer: str


def turns(count: int) -> Iterator[Turn]:
    """The conversation that :mod:`benchmarks.conversation` makes a state of, as texts."""
    for number in range(count):
        encrypted = "gAAAA" + filler(number, 1495).replace(" ", "_").replace(";", "-")
        args = f'{{"query":"gate {number}"}}'
        yield Turn(number, filler(number, 300), encrypted, args, filler(number, 2000), filler(number, 600))


@attrs.frozen
class Peer:
    """``make``: the history of so many turns in the library's own objects; ``build``: what is measured."""

    name: str
    make: Callable[[int], Any]
    build: Build


def pydantic_ai() -> Peer:
    """Its model class for Responses, from its messages."""
    messages = importlib.import_module("pydantic_ai.messages")
    models = importlib.import_module("pydantic_ai.models")
    openai = importlib.import_module("pydantic_ai.models.openai")
    model = openai.OpenAIResponsesModel(MODEL, provider=_of(("pydantic_ai.providers.openai", "OpenAIProvider"), "x"))

    def make(count: int) -> list[Any]:
        history: list[Any] = []
        for turn in turns(count):
            n = turn.number
            call_id = f"call_{n}"
            thinking = messages.ThinkingPart(content="", id=f"rs_{n}", signature=turn.encrypted, provider_name="openai")
            call = messages.ToolCallPart("look_up", turn.args, call_id, id=f"fc_{n}", provider_name="openai")
            answer = messages.TextPart(turn.answer, id=f"msg_{n}", provider_name="openai")
            history += [
                messages.ModelRequest(parts=[messages.UserPromptPart(turn.said)]),
                messages.ModelResponse(parts=[thinking, call], provider_name="openai"),
                messages.ModelRequest(parts=[messages.ToolReturnPart("look_up", turn.output, call_id)]),
                messages.ModelResponse(parts=[answer], provider_name="openai"),
            ]
        return history

    def build(history: list[Any]) -> Any:
        settings, parameters = model.prepare_request({}, models.ModelRequestParameters())
        return asyncio.run(model._build_responses_request_params(history, settings or {}, parameters, model.profile))

    return Peer("pydantic-ai-slim", make, build)


def openai_agents() -> Peer:
    """Its responses turned into input items again, between the items that it keeps as they are."""
    items = importlib.import_module("agents.items")
    usage = importlib.import_module("agents.usage")
    types = importlib.import_module("openai.types.responses")

    def make(count: int) -> list[Any]:
        history: list[Any] = []
        for turn in turns(count):
            n = turn.number
            call_id = f"call_{n}"
            reasoning = types.ResponseReasoningItem(
                id=f"rs_{n}", type="reasoning", summary=[], encrypted_content=turn.encrypted
            )
            call = types.ResponseFunctionToolCall(
                id=f"fc_{n}", type="function_call", call_id=call_id, name="look_up", arguments=turn.args
            )
            text = types.ResponseOutputText(type="output_text", text=turn.answer, annotations=[])
            answer = types.ResponseOutputMessage(
                id=f"msg_{n}", type="message", role="assistant", status="completed", content=[text]
            )
            history += [
                {"role": "user", "content": turn.said},
                items.ModelResponse(output=[reasoning, call], usage=usage.Usage(), response_id=None),
                {"type": "function_call_output", "call_id": call_id, "output": turn.output},
                items.ModelResponse(output=[answer], usage=usage.Usage(), response_id=None),
            ]
        return history

    def build(history: list[Any]) -> list[Any]:
        result: list[Any] = []
        for one in history:
            result += [one] if isinstance(one, dict) else one.to_input_items()
        return result

    return Peer("openai-agents", make, build)


def langchain_openai() -> Peer:
    """Its chat model's payload for Responses, from its messages."""
    messages = importlib.import_module("langchain_core.messages")
    chat = importlib.import_module("langchain_openai").ChatOpenAI(
        model=MODEL, use_responses_api=True, output_version="responses/v1", api_key="x"
    )

    def make(count: int) -> list[Any]:
        history: list[Any] = []
        for turn in turns(count):
            n = turn.number
            call_id = f"call_{n}"
            reasoning = {"type": "reasoning", "id": f"rs_{n}", "summary": [], "encrypted_content": turn.encrypted}
            call = {
                "type": "function_call",
                "id": f"fc_{n}",
                "call_id": call_id,
                "name": "look_up",
                "arguments": turn.args,
            }
            known = {"name": "look_up", "args": {"query": f"gate {n}"}, "id": call_id, "type": "tool_call"}
            answer = {"type": "text", "text": turn.answer, "annotations": [], "id": f"msg_{n}"}
            history += [
                messages.HumanMessage(turn.said),
                messages.AIMessage([reasoning, call], tool_calls=[known]),
                messages.ToolMessage(turn.output, tool_call_id=call_id),
                messages.AIMessage([answer]),
            ]
        return history

    return Peer("langchain-openai", make, chat._get_request_payload)


class _Reached(BaseException):
    """What a client that sends nothing raises, past every ``except Exception``."""


def _chat_messages(count: int) -> list[Any]:
    """Chat messages, litellm's own form of a history; its reasoning items stand beside the calls."""
    history: list[Any] = []
    for turn in turns(count):
        call_id = f"call_{turn.number}"
        call = {"id": call_id, "type": "function", "function": {"name": "look_up", "arguments": turn.args}}
        reasoning = {"type": "reasoning", "id": f"rs_{turn.number}", "summary": [], "encrypted_content": turn.encrypted}
        history += [
            {"role": "user", "content": turn.said},
            {"role": "assistant", "content": None, "tool_calls": [call], "reasoning_items": [reasoning]},
            {"role": "tool", "tool_call_id": call_id, "content": turn.output},
            {"role": "assistant", "content": turn.answer},
        ]
    return history


def litellm() -> Peer:
    """From the call of ``litellm.completion`` to the body that its HTTP client is handed."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # else it asks the network when it is imported
    module = importlib.import_module("litellm")
    handler = importlib.import_module("litellm.llms.custom_httpx.http_handler").HTTPHandler()

    def post(*arguments: object, **keywords: object) -> None:
        raise _Reached

    handler.post = post

    def build(history: list[Any]) -> None:
        with contextlib.suppress(_Reached):
            module.completion(
                model=f"openai/responses/{MODEL}",
                messages=history,
                client=handler,
                api_key="x",
                api_base="http://0.0.0.0",
            )
            raise AssertionError("litellm made no request")

    return Peer("litellm", _chat_messages, build)


def litellm_bridge() -> Peer:
    """Of that, the step from chat messages to input items."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    module = importlib.import_module("litellm.completion_extras.litellm_responses_transformation.transformation")
    handler = module.LiteLLMResponsesTransformationHandler()

    def build(history: list[Any]) -> Any:
        return handler.transform_request(MODEL, history, {}, {}, {}, None)

    return Peer("litellm, one step", _chat_messages, build)


def _of(place: tuple[str, str], key: str) -> Any:
    module, name = place
    return getattr(importlib.import_module(module), name)(api_key=key)


PEERS: Final[dict[str, Callable[[], Peer]]] = {
    "pydantic-ai-slim": pydantic_ai,
    "openai-agents": openai_agents,
    "langchain-openai": langchain_openai,
    "litellm": litellm,
    "litellm, one step": litellm_bridge,
}


def release(name: str) -> str | None:
    """The version of a distribution that is installed; what stands behind a comma says what of it is meant."""
    try:
        return version(name.partition(",")[0])
    except PackageNotFoundError:
        return None
