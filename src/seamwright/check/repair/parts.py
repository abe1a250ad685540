"""Content parts: C1, C3, C4, M1 to M4, and L1 on media. Each fix turns one part into one that is accepted, or into
nothing.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable
from typing import Any, Final, Literal

from seamwright.check.fields import MAX_STRING, MAX_STRING_BY_KEY, PART_KEYS
from seamwright.check.json_types import is_list, is_object
from seamwright.check.media import base64_fault, image_type, parse_data_url
from seamwright.check.repair.text import flat_text, text_part, texts_in
from seamwright.model.endpoints import EndpointProfile
from seamwright.model.file_types import IMAGE_TYPES, bare_type, document_type

Side = Literal["agent", "input", "output", "summary"]
Part = dict[str, Any]
Outcome = tuple[Part | None, str]
"""The part that goes out, if any, and what was done."""

_TEXTS: Final = frozenset(
    {"text", "input_text", "output_text", "summary_text", "reasoning_text", "refusal", "thinking", "markdown"}
)
_IMAGES: Final = frozenset({"image_url", "image", "input_image", "computer_screenshot"})
_FILES: Final = frozenset({"file", "document", "input_file"})
_DETAILS: Final = ("low", "high", "auto", "original")


def mend_part(part: Any, side: Side, profile: EndpointProfile) -> Outcome:
    """*part* in a form that is accepted on that side, with what was done to it; None when nothing of it can stay."""
    kind = part.get("type") if is_object(part) else None
    family = _family(kind)
    if family is None or side == "summary":
        return _mend_text(part, side)
    mended, what = family(part, profile)
    if side == "agent" and mended is not None and mended["type"] != "input_text":
        return None, f"a message of the assistant can't hold {mended['type']}"
    if side == "agent" and mended is not None:
        mended = {**mended, "type": "output_text"}
    return mended, what


def _family(kind: object) -> Callable[[Part, EndpointProfile], Outcome] | None:
    if not isinstance(kind, str):
        return None
    return mend_image if kind in _IMAGES else mend_file if kind in _FILES else None


def _mend_text(part: Any, side: Side) -> Outcome:
    if is_object(part) and part.get("type") == "refusal" and side == "agent":
        return {"type": "refusal", "refusal": flat_text(part.get("refusal"))}, "refusal written as a string"
    if is_object(part) and part.get("type") == "input_audio" and side == "input" and is_object(part.get("input_audio")):
        return {key: part[key] for key in ("type", "input_audio")}, "surplus keys left out"
    text = _text_of(part)
    if not text:
        return None, "a part without text"
    if side == "summary":
        return {"type": "summary_text", "text": text}, "written as summary_text"
    mended = text_part(side == "agent", text)
    if is_object(part) and part.get("type") == mended["type"]:
        mended = {key: value for key, value in part.items() if key in PART_KEYS[mended["type"]]} | mended
    elif is_object(part) and side == "agent" and is_list(part.get("annotations")):
        mended["annotations"] = part["annotations"]
    return mended, f"written as {mended['type']}"


def _text_of(part: Any) -> str:
    if is_object(part):
        known = part.get("type") in _TEXTS if isinstance(part.get("type"), str) else "text" in part
        if known and "text" in part:
            return flat_text(part["text"])
        return "\n".join(texts_in(part))
    return "" if part is None else flat_text(part)


def _note(what: str) -> Part:
    return text_part(False, f"[{what}]")


def mend_image(part: Part, profile: EndpointProfile) -> Outcome:
    """An image as ``input_image``: its URL as a string, a well-formed data URL labelled by its bytes; else a text
    saying it is gone.
    """
    url = _image_url(part)
    file_id = part.get("file_id")
    base = {key: part[key] for key in ("detail", "prompt_cache_breakpoint") if part.get(key) is not None}
    detail = _nested(part, "image_url").get("detail", base.get("detail"))
    base = {**base, "detail": detail} if detail in _DETAILS else {k: v for k, v in base.items() if k != "detail"}
    if url is not None and len(url) <= MAX_STRING_BY_KEY["image_url"]:
        mended = url if url.lower().startswith(("http://", "https://")) else mend_image_url(url)
        if mended is not None:
            return {
                "type": "input_image",
                "image_url": mended,
                **base,
            }, "image written as input_image with a sound image_url"
    if isinstance(file_id, str) and file_id:
        return {"type": "input_image", "file_id": file_id, **base}, "image written as input_image"
    return _note("image left out: its data could not be read"), "the image can't be read; a text says so"


def _nested(part: Part, key: str) -> Part:
    value = part.get(key)
    return value if is_object(value) else {}


def _image_url(part: Part) -> str | None:
    """The URL of an image as this API, the chat API or a ``source`` object spell it."""
    nested, source = _nested(part, "image_url"), _nested(part, "source")
    if isinstance(source.get("data"), str):
        return f"data:{source.get('media_type', '')};base64,{source['data']}"
    found = (
        part.get("image_url")
        if isinstance(part.get("image_url"), str)
        else nested.get("url") or source.get("url") or part.get("url")
    )
    return found if isinstance(found, str) and found else None


def mend_image_url(url: str) -> str | None:
    """A data URL whose payload is base64 and whose label is what its bytes are; None when they are no image of the four
    kinds.
    """
    data = parse_data_url(url)
    payload = mend_base64(data.payload if data else url.partition(",")[2] if url[:5].lower() == "data:" else url)
    if payload is None:
        return None
    found = image_type(_head(payload))
    if found is None:
        return None
    label = "image/jpeg" if data is not None and data.mime == "image/jpg" else data.mime if data else ""
    if data is not None and label == found and payload == data.payload and label in IMAGE_TYPES:
        return url
    return f"data:{found};base64,{payload}"


def mend_base64(text: str) -> str | None:
    """Base64 in the standard alphabet, padded, without white space; None when *text* is none."""
    text = re.sub(r"\s+", "", text).replace("-", "+").replace("_", "/").rstrip("=")
    text += "=" * (-len(text) % 4)
    return None if base64_fault(text) else text


def _head(payload: str) -> bytes:
    return binascii.a2b_base64(payload[:64])


def mend_file(part: Part, profile: EndpointProfile) -> Outcome:
    """A file as ``input_file`` of an accepted type, named; a text file as its text; else a text saying it is gone."""
    inner = {**part, **_nested(part, "file")}
    source = _nested(part, "source")
    name = inner.get("filename") or inner.get("title")
    name = name if isinstance(name, str) and name else ""
    given = inner.get("file_data") if isinstance(inner.get("file_data"), str) else source.get("data")
    if profile.documents and not isinstance(given, str):
        for key in ("file_id", "file_url"):
            value = inner.get(key)
            if isinstance(value, str) and value:
                return {"type": "input_file", key: value}, f"file written as input_file with its {key}"
    if isinstance(given, str) and len(given) <= MAX_STRING_BY_KEY["file_data"]:
        return _mend_data(given, name, str(source.get("media_type") or ""), profile)
    return _file_gone(name)


def _file_gone(name: str) -> Outcome:
    return _note(f"file left out: {name or 'without name'}"), "the file can't be sent here; a text says so"


def _mend_data(given: str, name: str, label: str, profile: EndpointProfile) -> Outcome:
    data = parse_data_url(given)
    payload = mend_base64(data.payload if data else given.partition(",")[2] if given[:5].lower() == "data:" else given)
    if payload is None:
        return _file_gone(name)
    pdf = binascii.a2b_base64(payload[:64]).startswith(b"%PDF-")
    mime = "application/pdf" if pdf else document_type(data.mime if data else bare_type(label), name)
    if mime in profile.documents:
        name = name or ("file.pdf" if pdf else "file.txt")
        return {
            "type": "input_file",
            "filename": name,
            "file_data": f"data:{mime};base64,{payload}",
        }, f"file sent as {mime}, named {name}"
    return _as_text(payload, name, mime)


def _as_text(payload: str, name: str, mime: str) -> Outcome:
    """A file the endpoint does not take, as its text when it is one."""
    try:
        text = binascii.a2b_base64(payload).decode()
    except UnicodeDecodeError:
        return _file_gone(name)
    readable = bool(text.strip()) and not any(c < " " and c not in "\t\n\r\f" for c in text) and len(text) < MAX_STRING
    if not readable:
        return _file_gone(name)
    return text_part(False, text), f"file of type {mime or 'unknown'} sent as its text"
