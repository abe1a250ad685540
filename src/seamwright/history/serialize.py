"""The items of a history and the declarations of tools, exactly as the log has them: nothing is repaired here."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, Final, NoReturn, Protocol

from seamwright.errors import SchemaError
from seamwright.history.blocks import (
    Block,
    HistoryMessage,
    ImageBlock,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
    block_type,
)
from seamwright.model.guards import is_mapping
from seamwright.wire.items import Item, Part, function_call_output, input_text

OWN_PROVIDER: Final = "openai"


def is_own(message: HistoryMessage) -> bool:
    """Whether ids and reasoning of an assistant's message are ours to send back."""
    return message.provider in (None, OWN_PROVIDER)


class UserPart(Protocol):
    """One block of a user as a part. Raises :class:`SchemaError` naming the type of a block that has no part."""

    def __call__(self, block: Block, /) -> Part: ...


class ThinkingItem(Protocol):
    """The reasoning item stored in a thought's signature, or None when there is none that can go back."""

    def __call__(self, block: ThinkingBlock, /) -> Item | None: ...


class TextItem(Protocol):
    """The message item of an assistant's text; with its id when *own*."""

    def __call__(self, block: TextBlock, own: bool, /) -> Item: ...


class CallItem(Protocol):
    """The item of a call; with its id when *own*. Raises :class:`SchemaError` for arguments that JSON can't hold."""

    def __call__(self, block: ToolCallBlock, own: bool, /) -> Item: ...


class ToolOutput(Protocol):
    """The text of a tool message."""

    def __call__(self, blocks: Sequence[Block], /) -> str: ...


class SerializeMessage(Protocol):
    """The items of one message, possibly none."""

    def __call__(self, message: HistoryMessage, /) -> list[Item]: ...


class SerializeHistory(Protocol):
    """The items of some messages: those of each, one after the other.

    Raises :class:`SchemaError`; then nothing is given.
    """

    def __call__(self, history: Sequence[HistoryMessage], /) -> list[Item]: ...


class SerializeTools(Protocol):
    """Function declarations. A definition's key is its text or, of an enum member, its value; missing ones are null."""

    def __call__(self, definitions: Iterable[Mapping[Any, Any]], /) -> list[dict[str, Any]]: ...


def user_part(block: Block, /) -> Part:
    """The default: text and images; the API takes nothing else from a user."""
    match block:
        case TextBlock(text):
            return input_text(text)
        case ImageBlock(data, mime_type):
            return {"type": "input_image", "image_url": f"data:{mime_type};base64,{data}"}
        case _:
            kind = block_type(block)
            raise SchemaError(kind, f"a user message can't hold a block of type {kind!r}")


def _no_json(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


def thinking_item(block: ThinkingBlock, /) -> Item | None:
    """The default: whatever object the signature holds, as long as it has an encrypted part."""
    try:
        item: Any = json.loads(block.signature or "", parse_constant=_no_json)
    except (ValueError, RecursionError):
        return None
    if not is_mapping(item):
        return None
    encrypted = item.get("encrypted_content")
    return None if encrypted is None or encrypted is False else {**item}


def _with_id(item: Item, signature: str | None, own: bool) -> Item:
    return item if signature is None or not own else item | {"id": signature}


def text_item(block: TextBlock, own: bool, /) -> Item:
    """The default: one message item for each text block."""
    content = [{"type": "output_text", "text": block.text}]
    return _with_id({"type": "message", "role": "assistant", "content": content}, block.signature, own)


def call_item(block: ToolCallBlock, own: bool, /) -> Item:
    """The default: ``arguments`` is a JSON value, so a string is written as a JSON string."""
    try:
        arguments = json.dumps(block.arguments, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        problem = f"the arguments of {block.name!r} ({block.id!r}) have no form in JSON: {error}"
        raise SchemaError(block_type(block), problem) from None
    item = {"type": "function_call", "call_id": block.id, "name": block.name, "arguments": arguments}
    return _with_id(item, block.signature, own)


_STRIPPED: Final = "\0\t\n\v\f\r "


def tool_output(blocks: Sequence[Block], /) -> str:
    """The default: the texts without separator, and how many other blocks there were."""
    text = "".join(block.text for block in blocks if isinstance(block, TextBlock))
    omitted = sum(not isinstance(block, TextBlock) for block in blocks)
    return f"{text}\n[{omitted} non-text block(s) omitted]".strip(_STRIPPED) if omitted else text


def make_serialize_message(
    *,
    user_part: UserPart,
    thinking_item: ThinkingItem,
    text_item: TextItem,
    call_item: CallItem,
    tool_output: ToolOutput,
) -> SerializeMessage:
    """The default ``serialize_message``: by role; system messages are the host's ``instructions`` and give nothing."""

    def from_assistant(block: Block, own: bool) -> Item | None:
        match block:
            case ThinkingBlock():
                return thinking_item(block) if own else None
            case TextBlock():
                return text_item(block, own)
            case ToolCallBlock():
                return call_item(block, own)
            case _:
                return None

    def serialize_message(message: HistoryMessage, /) -> list[Item]:
        match message.role:
            case "system":
                return []
            case "user":
                return [{"role": "user", "content": [user_part(block) for block in message.content]}]
            case "assistant":
                own = is_own(message)
                items = (from_assistant(block, own) for block in message.content)
                return [item for item in items if item is not None]
            case "tool":
                return [function_call_output(message.tool_call_id or "", tool_output(message.content))]

    return serialize_message


def make_serialize_history(*, serialize_message: SerializeMessage) -> SerializeHistory:
    """The default ``serialize_history``."""

    def serialize_history(history: Sequence[HistoryMessage], /) -> list[Item]:
        return [item for message in history for item in serialize_message(message)]

    return serialize_history


_DECLARED: Final = {"name": "name", "description": "description", "input_schema": "parameters"}


def _spellings(key: object) -> set[str]:
    return {str(key), str(key.value)} if isinstance(key, Enum) else {str(key)}


def serialize_tools(definitions: Iterable[Mapping[Any, Any]], /) -> list[dict[str, Any]]:
    """The default ``serialize_tools``."""
    declarations: list[dict[str, Any]] = []
    for definition in definitions:
        declaration: dict[str, Any] = {"type": "function", "name": None, "description": None, "parameters": None}
        for key, value in definition.items():
            for name in _spellings(key) & _DECLARED.keys():
                declaration[_DECLARED[name]] = value
        declarations.append(declaration)
    return declarations


_serialize_message: Final = make_serialize_message(
    user_part=user_part,
    thinking_item=thinking_item,
    text_item=text_item,
    call_item=call_item,
    tool_output=tool_output,
)
_default: Final = make_serialize_history(serialize_message=_serialize_message)


def serialize_history(history: Iterable[HistoryMessage], /) -> list[Item]:
    """The items of a history with the default seams, exactly as the log has them; nothing is repaired.

    Raises :class:`SchemaError` naming the type of a block that has no form in a request; nothing is given then.
    """
    return _default(tuple(history))
