"""Conversations that are kept in another form than a state: protocol histories, and logs of other APIs."""

from __future__ import annotations

from seamwright.history.blocks import (
    Block,
    HistoryMessage,
    HistoryRole,
    ImageBlock,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
)
from seamwright.history.chat import history_from_chat_completions
from seamwright.history.loading import load_history
from seamwright.history.serialize import serialize_history, serialize_tools
from seamwright.history.verbatim import VerbatimOverrides, VerbatimPipeline, VerbatimSeams

__all__ = [
    "Block",
    "HistoryMessage",
    "HistoryRole",
    "ImageBlock",
    "TextBlock",
    "ThinkingBlock",
    "ToolCallBlock",
    "VerbatimOverrides",
    "VerbatimPipeline",
    "VerbatimSeams",
    "history_from_chat_completions",
    "load_history",
    "serialize_history",
    "serialize_tools",
]
