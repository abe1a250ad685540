"""The content of a stored user message or tool output: its text and its media."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Any

import attrs

from seamwright.model.guards import is_array, is_mapping
from seamwright.model.media import Media, MediaKind
from seamwright.model.sources import FileId, MediaSource, Url

_IMAGE_BY_DEFAULT = "image/png"
_FILE_BY_DEFAULT = "application/pdf"
_AUDIO_BY_DEFAULT = "audio/wav"
_AUDIO_TYPES = {"mp3": "audio/mpeg"}


@attrs.frozen(kw_only=True)
class Parts:
    """What was read. ``notes`` holds (path below the content, what became of it)."""

    text: str
    media: tuple[Media, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()

    def all_as_media(self) -> tuple[Media, ...]:
        """For an output, which is text or media: the text as a document before the media."""
        if not self.text:
            return self.media
        document = Media.user_attachment(
            id=f"{self.media[0].id}-text",
            kind="document",
            mime_type="text/plain",
            filename="output.txt",
            source_reader=self.text.encode(errors="replace"),
        )
        return (document, *self.media)


def read_parts(content: Any, name: str) -> Parts:
    """Content as the API takes it: a string, or a list of ``input_*`` parts. *name* begins the ids of its media."""
    if isinstance(content, str):
        return Parts(text=content)
    if not is_array(content):
        return Parts(text="", notes=(("", f"content of type {type(content).__name__} was left out"),))
    texts: list[str] = []
    media: list[Media] = []
    notes: list[tuple[str, str]] = []
    for index, part in enumerate(content):
        where = f"[{index}]"
        if is_mapping(part) and isinstance(part.get("text"), str):
            texts.append(part["text"])
            if media:
                notes.append((where, "text behind media now stands before it"))
            continue
        one = _media(part, f"{name}-{index}") if is_mapping(part) else None
        if one is None:
            kind = part.get("type") if is_mapping(part) else type(part).__name__
            notes.append((where, f"a part of type {kind!r} has no form here and was left out"))
        else:
            media.append(one)
    if len(texts) > 1:
        notes.append(("", f"{len(texts)} text parts were joined, a line break between them"))
    return Parts(text="\n".join(texts), media=tuple(media), notes=tuple(notes))


def _media(part: Mapping[str, Any], name: str) -> Media | None:
    match part.get("type"):
        case "input_image":
            found = _source(part, ("image_url",))
            return found and _attachment("image", name, part, found, _IMAGE_BY_DEFAULT)
        case "input_file":
            found = _source(part, ("file_data", "file_url"))
            return found and _attachment("document", name, part, found, _FILE_BY_DEFAULT)
        case "input_audio":
            found = _audio(part.get("input_audio"))
            return found and _attachment("audio", name, part, found, _AUDIO_BY_DEFAULT)
        case _:
            return None


def _source(part: Mapping[str, Any], keys: tuple[str, ...]) -> tuple[str | None, MediaSource] | None:
    """The MIME type, when the part says it, and where the bytes are."""
    for key in keys:
        value = part.get(key)
        if isinstance(value, str) and value:
            return _decoded(value) if value.startswith("data:") else (None, Url(value))
    file_id = part.get("file_id")
    return (None, FileId(file_id)) if isinstance(file_id, str) and file_id else None


def _audio(sound: Any) -> tuple[str | None, MediaSource] | None:
    """Bytes of a sound with its format, ``wav`` or ``mp3``."""
    data = sound.get("data") if is_mapping(sound) else None
    if not isinstance(data, str) or not data:
        return None
    form = sound.get("format")
    known = _AUDIO_TYPES.get(form, f"audio/{form}") if isinstance(form, str) and form else None
    found = _decoded(f"data:;base64,{data}")
    return found and (known, found[1])


def _decoded(url: str) -> tuple[str | None, MediaSource] | None:
    head, _, data = url.partition(",")
    try:
        return head.removeprefix("data:").partition(";")[0] or None, base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        return None


def _attachment(
    kind: MediaKind, name: str, part: Mapping[str, Any], found: tuple[str | None, MediaSource], default: str
) -> Media:
    mime_type, source = found
    filename, detail = part.get("filename"), part.get("detail")
    return Media.user_attachment(
        id=name,
        kind=kind,
        mime_type=mime_type or default,
        filename=filename if isinstance(filename, str) and filename else name,
        source_reader=source,
        detail=detail if detail in ("auto", "low", "high") else "auto",
    )
