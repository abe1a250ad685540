"""Handles: what stands in the place of a text that is too large to send."""

from __future__ import annotations

from typing import Protocol

import attrs

from seamwright.model.artifact import SpooledArtifact, ToolMethod, as_text, sizes_of
from seamwright.seams.context import TokenCounter


@attrs.frozen
class HandleInfo:
    """What is known of an artifact without sending it; None = could not be read (or, for tokens, not asked for)."""

    call_id: str
    kind: str
    byte_length: int | None
    line_count: int | None
    tool_methods: tuple[ToolMethod, ...]
    estimated_tokens: int | None = None
    encoding: str | None = None


class Handle(Protocol):
    """The text that stands for an artifact. The caller neutralises it."""

    def __call__(self, info: HandleInfo, /) -> str: ...


async def handle_info(call_id: str, artifact: SpooledArtifact, counter: TokenCounter | None) -> HandleInfo:
    """What a handle shows of an artifact, which is read once. A size that can't be read is None."""
    length: int | None = None
    lines: int | None = None
    tokens = encoding = None
    try:
        if counter is None:
            length, lines = await artifact.sizes()
        else:
            content = await artifact.content()
            length, lines = sizes_of(content)
            tokens, encoding = counter(as_text(content)), counter.encoding
    except OSError:
        length = lines = None
    return HandleInfo(call_id, artifact.kind, length, lines, artifact.tool_methods, tokens, encoding)


def _size(value: int | None) -> str:
    return "unknown" if value is None else str(value)


def _handle(noun: str, info: HandleInfo) -> str:
    lines = [
        f"This {noun} was left out because it is large.",
        "Artifact metadata:",
        f"- callId: {info.call_id}",
        f"- kind: {info.kind}",
        f"- byteLength: {_size(info.byte_length)}",
        f"- lineCount: {_size(info.line_count)}",
    ]
    if info.estimated_tokens is not None:
        lines.append(f"- estimatedTokens: {info.estimated_tokens} (encoding: {info.encoding})")
    if info.tool_methods:
        lines.append("Tools that read it with this callId:")
        lines += [f"- {m.name} — {m.description}" if m.description else f"- {m.name}" for m in info.tool_methods]
    lines.append("It can be queried again during this turn.")
    return "\n".join(lines)


def artifact_handle(info: HandleInfo, /) -> str:
    """The default handle of a tool result."""
    return _handle("tool result", info)


def retrievable_handle(info: HandleInfo, /) -> str:
    """The default handle of a retrieved record."""
    return _handle("record", info)
