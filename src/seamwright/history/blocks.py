"""A provider-neutral chat log: messages of blocks, and a signature for what the provider wants back."""

from __future__ import annotations

import base64
from typing import Any, Final, Literal

import attrs

from seamwright.errors import Fault, InvalidStateError
from seamwright.model.checks import OPTIONAL_TEXT, TEXT, as_tuple, fault_of, one_of, tuple_of
from seamwright.model.frozen import freeze

HistoryRole = Literal["system", "user", "assistant", "tool"]
"""Who says a message of a protocol history."""


@attrs.frozen
class TextBlock:
    """A text. ``signature``: of an assistant's, the id of the message item it came out of."""

    text: str = attrs.field(validator=TEXT)
    signature: str | None = attrs.field(default=None, validator=OPTIONAL_TEXT)


def _as_base64(value: Any) -> Any:
    return base64.b64encode(value).decode("ascii") if isinstance(value, bytes) else value


@attrs.frozen
class ImageBlock:
    """An image. ``data``: base64, sent as it stands; bytes are encoded."""

    data: str = attrs.field(converter=_as_base64, validator=TEXT, repr=False)
    mime_type: str = attrs.field(validator=TEXT)


@attrs.frozen
class ThinkingBlock:
    """A thought. ``signature``: the whole reasoning item as JSON; without it the thought is not sent."""

    thinking: str = attrs.field(validator=TEXT)
    signature: str | None = attrs.field(default=None, validator=OPTIONAL_TEXT, repr=False)


def _as_frozen_value(value: Any) -> Any:
    try:
        return freeze(value)
    except (TypeError, ValueError):  # refused when it is written: a log may be kept that can't be sent
        return value


@attrs.frozen
class ToolCallBlock:
    """A call. ``arguments``: any JSON value. ``signature``: the id of the call's item."""

    id: str = attrs.field(validator=TEXT)
    name: str = attrs.field(validator=TEXT)
    arguments: Any = attrs.field(factory=dict[str, Any], converter=_as_frozen_value)
    signature: str | None = attrs.field(default=None, validator=OPTIONAL_TEXT)


Block = TextBlock | ImageBlock | ThinkingBlock | ToolCallBlock
"""What a message of a protocol history is made of."""

BLOCKS: Final[dict[str, type[Block]]] = {
    "text": TextBlock,
    "image": ImageBlock,
    "thinking": ThinkingBlock,
    "tool_call": ToolCallBlock,
}
"""The classes of blocks by their ``type`` in JSON."""

_TYPES: Final[dict[type, str]] = {cls: name for name, cls in BLOCKS.items()}


def block_type(block: object) -> str:
    """The ``type`` of a block; the class of anything else."""
    return _TYPES.get(block.__class__, block.__class__.__name__)


@attrs.frozen
class HistoryMessage:
    """One message. ``provider`` says which provider an assistant's came from; None counts as ``openai``.

    ``tool_call_id``: of a ``tool`` message, the call it answers. Raises :class:`InvalidStateError` for a role that is
    none and for a ``tool`` message without the id of its call.
    """

    role: HistoryRole = attrs.field(validator=one_of("system", "user", "assistant", "tool"))
    content: tuple[Block, ...] = attrs.field(converter=as_tuple, validator=tuple_of(tuple(_TYPES), "a block"))
    tool_call_id: str | None = attrs.field(default=None, validator=OPTIONAL_TEXT)
    provider: str | None = attrs.field(default=None, validator=OPTIONAL_TEXT)

    def __attrs_post_init__(self) -> None:
        if self.role == "tool" and self.tool_call_id is None:
            raise fault_of(HistoryMessage, "tool_call_id", "a tool message needs the id of the call it answers")


def as_history(messages: Any) -> tuple[HistoryMessage, ...]:
    """The messages as a tuple. Raises :class:`InvalidStateError` for what is no message."""
    history = as_tuple(messages)
    if (problem := tuple_of(HistoryMessage, "a history message").problem(history)) is not None:
        raise InvalidStateError([Fault("history", problem)])
    return history  # type: ignore[no-any-return]  # just checked
