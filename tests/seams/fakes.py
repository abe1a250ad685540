"""Small things to call a seam with, alone: primitives, a context that keeps warnings, seams that show their use."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from seamwright import (
    BuildContext,
    EnvelopeAttrs,
    HandleInfo,
    Media,
    Memory,
    Message,
    RenderOptions,
    RenderWarning,
    ResponseOrigin,
    Retrievable,
    Thought,
    ToolCall,
    ToolRegistry,
)

T = TypeVar("T")

NOON: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)
SHOWN_NOON: Final = "2026-01-01T12:00:00.000Z"

PNG: Final = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
JPEG: Final = b"\xff\xd8\xff\xe0\x00\x10JFIF"
GIF: Final = b"GIF89a\x01\x00\x01\x00"
WEBP: Final = b"RIFF\x24\x00\x00\x00WEBPVP8 "
PDF: Final = b"%PDF-1.7\n"


def at(seconds: float) -> datetime:
    """A time so many seconds after noon."""
    return NOON + timedelta(seconds=seconds)


def settle(value: T | Awaitable[T]) -> T:
    """The result of a seam that may wait."""
    return asyncio.run(_awaited(value)) if inspect.isawaitable(value) else cast("T", value)


async def _awaited(value: Awaitable[T]) -> T:
    return await value


class Notes:
    """A build's context, and the warnings that were given to it."""

    def __init__(self, tools: Any = (), **options: Any) -> None:
        self.warnings: list[RenderWarning] = []
        registry = tools if isinstance(tools, ToolRegistry) else ToolRegistry(tools)
        self.context = BuildContext(RenderOptions(model="m", **options), registry, {}, self._add)

    def _add(self, code: str, text: str, subject_id: str | None, /) -> None:
        self.warnings.append(RenderWarning(code, text, subject_id))

    @property
    def codes(self) -> list[tuple[str, str | None]]:
        """Code and subject of each warning, in order."""
        return [(warning.code, warning.subject_id) for warning in self.warnings]


# --- seams that show where they were used: N(…) a nonce, ~…~ a neutralised body, T/U[…](…) an envelope


def nonce(identifier: str) -> str:
    """``N(id)``."""
    return f"N({identifier})"


def neutraliser(text: str) -> str:
    """``~text~``."""
    return f"~{text}~"


def trusted(content: str, attrs: EnvelopeAttrs) -> str:
    """``T[nonce kind …](content)``."""
    return _envelope("T", content, attrs)


def untrusted(content: str, attrs: EnvelopeAttrs) -> str:
    """``U[nonce kind …](content)``."""
    return _envelope("U", content, attrs)


def _envelope(letter: str, content: str, attrs: EnvelopeAttrs) -> str:
    extra = "".join(f" {name}={value}" for name, value in (("tool", attrs.tool), ("mod", attrs.modality)) if value)
    return f"{letter}[{attrs.nonce} {attrs.kind}{extra}]({content})"


def handle(info: HandleInfo) -> str:
    """Everything that a handle is told of."""
    tokens = f"{info.estimated_tokens} {info.encoding}"
    return f"HANDLE {info.call_id} {info.kind} {info.byte_length} {info.line_count} {tokens}"


class Words:
    """A token counter that counts words."""

    encoding = "words"

    def __call__(self, text: str, /) -> int:
        return len(text.split())


def blocks(media: Media, context: BuildContext) -> list[dict[str, Any]]:
    """One part that names its media."""
    return [{"type": "blocks", "of": media.id}]


async def waiting_blocks(media: Media, context: BuildContext) -> list[dict[str, Any]]:
    """The same, awaited."""
    await asyncio.sleep(0)
    return blocks(media, context)


# --- primitives


def origin(response: str = "resp_1", index: int = 0, **fields: Any) -> ResponseOrigin:
    """A place in a response."""
    return ResponseOrigin(**{"response_id": response, "output_index": index, "model": "m", **fields})


def user(content: str | None = "hello", **fields: Any) -> Message:
    """A message of a user."""
    return Message(**{"id": "u1", "role": "user", "content": content, "created_at": NOON, **fields})


def assistant(content: str | None = "hi", **fields: Any) -> Message:
    """A message of the agent's own."""
    return Message(**{"id": "a1", "role": "assistant", "content": content, "created_at": NOON, **fields})


def peer(content: str | None = "from a peer", **fields: Any) -> Message:
    """A message of another agent."""
    return assistant(content, **{"id": "p1", "identity": "researcher", **fields})


def thought(content: str = "hm", **fields: Any) -> Thought:
    """A thought of the agent's own, without payload."""
    return Thought(**{"id": "t1", "content": content, "created_at": NOON, **fields})


def call(results: Any = "done", **fields: Any) -> ToolCall:
    """A call with a checksum that is easy to read."""
    given = {"id": "call_1", "tool": "search", "args": {}, "created_at": NOON, "checksum": "sum", **fields}
    return ToolCall(results=results, **given)


def memory(content: str = "likes tea", **fields: Any) -> Memory:
    """A memory with nothing but id and content."""
    return Memory(**{"id": "m1", "content": content, **fields})


def retrievable(content: Any = "a document", **fields: Any) -> Retrievable:
    """A first-party document."""
    return Retrievable(**{"id": "r1", "content": content, "trust_tier": "first-party", **fields})


def media(**fields: Any) -> Media:
    """An image of a user."""
    given: dict[str, Any] = {
        "id": "md1",
        "kind": "image",
        "mime_type": "image/png",
        "filename": "dot.png",
        "source_reader": PNG,
        "trust_tier": "third-party-private",
        "modality_hazard": "opaque-perceptual",
    }
    return Media(**{**given, **fields})


def document(**fields: Any) -> Media:
    """A PDF of a user."""
    given = {"kind": "document", "mime_type": "application/pdf", "filename": "a.pdf", "source_reader": PDF}
    return media(**{**given, "modality_hazard": "extractable-instructions", **fields})


def absent_file(folder: Path) -> Path:
    """A path at which nothing stands."""
    return folder / "gone.txt"
