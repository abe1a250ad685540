"""Images, documents and what stands in for media that can't go natively."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, closing
from itertools import chain
from typing import Any, Final, Protocol

import attrs

from seamwright.awaiting import MaybeAwaitable, eager, settled
from seamwright.errors import UnsupportedMediaError
from seamwright.model.file_types import IMAGE_TYPES, bare_type, document_type
from seamwright.model.media import Media, StashEntry
from seamwright.model.options import DEFAULT_STASH_KEYS, FallbackStash
from seamwright.model.sources import FileId, FileSource, Url, read_source
from seamwright.model.trust import SHOWN_HAZARD, lower_tier
from seamwright.seams.context import BuildContext, data_url, data_url_of_pieces
from seamwright.seams.envelopes import Envelope, EnvelopeAttrs, Neutraliser, Nonce
from seamwright.wire.items import Part, input_text


class MediaBlocks(Protocol):
    """The parts of one media: a marker and the native part, or one text by the policy.

    Must never raise for a type the policy covers.
    """

    def __call__(self, media: Media, context: BuildContext, /) -> MaybeAwaitable[list[Part]]: ...


class RenderMediaPolicy(Protocol):
    """The text that stands in for a media that can't go natively: its marker and an envelope.

    May raise :class:`UnsupportedMediaError`.
    """

    def __call__(self, media: Media, context: BuildContext, /) -> MaybeAwaitable[str]: ...


_UNSHOWN: Final = re.compile(r"[<>\[\]|\x00-\x1f\x7f-\x9f]")


def clean_name(name: str) -> str:
    """An id or a file name as it is shown: without brackets, bars and control characters, cut at 256 with ``…``."""
    clean = _UNSHOWN.sub("", name)
    return clean if len(clean) <= 256 else clean[:256] + "…"


def marker(media: Media) -> str:
    """The line before a media that says which one it is."""
    return f"[media id: {clean_name(media.id)} | {clean_name(media.filename)}]"


def sniff_image(data: bytes) -> str | None:
    """The type that the leading bytes of an image say, among the four that go natively."""
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "image/gif"
    return "image/webp" if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else None


async def media_bytes(media: Media) -> bytes | None:
    """The bytes, or None for a media the API fetches itself."""
    source = media.source_reader
    if isinstance(source, (Url, FileId)):
        return None
    content = await read_source(source)
    return content.encode() if isinstance(content, str) else content


@attrs.frozen
class _Content:
    """The bytes of a media: how they begin, and what makes a data URL of all of them."""

    head: bytes
    url: Callable[[str], str]


@asynccontextmanager
async def _opened(media: Media, context: BuildContext) -> AsyncGenerator[_Content | None, None]:
    """The content while it is rendered, of a file piece by piece; None for a media the API fetches itself."""
    source = media.source_reader
    if not isinstance(source, FileSource):
        data = await media_bytes(media)
        encode = context.data_url if isinstance(source, bytes) else data_url  # a reader's bytes won't come again
        yield None if data is None else _Content(data, lambda mime: encode(mime, data))
        return
    with closing(source.pieces()) as pieces:
        head = next(pieces, b"")
        yield _Content(head, lambda mime: data_url_of_pieces(mime, chain((head,), pieces)))


def _reference(media: Media, prefix: str) -> dict[str, Any]:
    source = media.source_reader
    return {f"{prefix}_url": source.url} if isinstance(source, Url) else {"file_id": getattr(source, "file_id", "")}


def _native_image(media: Media, content: _Content | None) -> tuple[str, Part] | None:
    head = {"type": "input_image", "detail": media.detail}
    if content is None:
        mime = bare_type(media.mime_type)
        return (mime, head | _reference(media, "image")) if mime in IMAGE_TYPES else None
    mime = sniff_image(content.head) or ""
    return (mime, head | {"image_url": content.url(mime)}) if mime else None


def _native_document(media: Media, content: _Content | None, accepted: frozenset[str]) -> tuple[str, Part] | None:
    mime = document_type(media.mime_type, media.filename)
    if mime not in accepted:
        return None
    if content is None:
        return mime, {"type": "input_file"} | _reference(media, "file")
    if not content.head or (mime == "application/pdf" and not content.head.startswith(b"%PDF-")):
        return None
    name = clean_name(media.filename)
    return mime, {"type": "input_file", "filename": name, "file_data": content.url(mime)}


def make_media_blocks(*, media_policy: RenderMediaPolicy) -> MediaBlocks:
    """The default ``media_blocks``.

    Native where the endpoint takes it and the bytes are what they say, else by the policy.
    """

    @eager
    async def media_blocks(media: Media, context: BuildContext, /) -> list[Part]:
        accepted = context.options.endpoint.documents
        native = None
        if media.kind == "image":
            async with _opened(media, context) as content:
                native = _native_image(media, content)
        elif media.kind == "document" and document_type(media.mime_type, media.filename) in accepted:
            async with _opened(media, context) as content:
                native = _native_document(media, content, accepted)
        if native is None:
            text = media_policy(media, context)
            return [input_text(text if isinstance(text, str) else await settled(text, str, "media_policy"))]
        mime, part = native
        if mime != bare_type(media.mime_type):
            context.warn("media-type-mismatch", f"declared as {media.mime_type!r}, sent as {mime!r}", media.id)
        return [input_text(marker(media)), part]

    return media_blocks


def show_size(size: int | None) -> str:
    """``12 B``, then base 1024 with one decimal; ``unknown size`` for None."""
    if size is None:
        return "unknown size"
    if size < 1024:
        return f"{size} B"
    value = size / 1024
    for unit in ("KB", "MB"):
        if value < 1024:
            return f"{value:.1f} {unit}"
        value /= 1024
    return f"{value:.1f} GB"


async def _size(media: Media) -> int | None:
    try:
        if isinstance(media.source_reader, FileSource):
            return media.source_reader.path.stat().st_size
        data = await media_bytes(media)
    except OSError:
        return None
    return None if data is None else len(data)


def _from_stash(media: Media, keys: tuple[str, ...]) -> StashEntry | None:
    entries = (media.stash.get(key) for key in keys)
    return next((entry for entry in entries if entry is not None and isinstance(entry.value, str)), None)


def make_media_policy(
    *, nonce: Nonce, neutraliser: Neutraliser, trusted_envelope: Envelope, untrusted_envelope: Envelope
) -> RenderMediaPolicy:
    """The default ``media_policy``: refuse, a text from the stash, or a description."""

    def enclosed(media: Media, body: str, trusted: bool) -> str:
        envelope = trusted_envelope if trusted else untrusted_envelope
        attributes = EnvelopeAttrs(nonce(media.id), "media-fallback", modality=SHOWN_HAZARD[media.modality_hazard])
        return f"{marker(media)}\n{envelope(neutraliser(body), attributes)}"

    @eager
    async def media_policy(media: Media, context: BuildContext, /) -> str:
        policy = context.options.unsupported_media_policy
        if policy == "throw":
            raise UnsupportedMediaError(media.kind, media.mime_type, media.filename)
        if policy != "synthetic-description":
            keys = policy.keys if isinstance(policy, FallbackStash) else DEFAULT_STASH_KEYS
            entry = _from_stash(media, keys)
            if entry is not None:
                trusted = lower_tier(media.trust_tier, entry.trust_tier) == "first-party"
                return enclosed(media, context.clean(entry.value, media.id), trusted)
            text = f"no stash entry with text under {', '.join(keys)}; a description stands in"
            context.warn("stash-miss", text, media.id)
        body = f"[media: {clean_name(media.filename)}, {media.mime_type}, {show_size(await _size(media))}]"
        return enclosed(media, body, media.trust_tier == "first-party")

    return media_policy
