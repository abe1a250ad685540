"""Data URLs and the kinds of images: what can be told of a payload without decoding it."""

from __future__ import annotations

import binascii
import re
from typing import Final

import attrs

from seamwright.model.file_types import bare_type

_DATA_URL: Final = re.compile(r"data:([^,]*?);base64,", re.IGNORECASE)
_ALPHABET: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_HEAD: Final = 64
"""Characters that are decoded to look at the leading bytes; a multiple of four."""

IMAGE_SIGNATURES: Final = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)


@attrs.frozen
class DataURL:
    """A base64 data URL, undecoded. ``mime`` without parameters, lower case; ``start`` = where the payload begins in
    ``url``.
    """

    url: str
    mime: str
    start: int

    @property
    def payload(self) -> str:
        """The base64 text."""
        return self.url[self.start :]

    def head(self) -> bytes:
        """The leading bytes, enough to tell an image by. Empty when they are no base64."""
        try:
            return binascii.a2b_base64(self.url[self.start : self.start + _HEAD])
        except ValueError:
            return b""


def parse_data_url(url: str) -> DataURL | None:
    """The parts of ``data:TYPE;base64,…``; None when *url* is not of that form.

    >>> parse_data_url("data:image/png;base64,AAAA").mime
    'image/png'
    """
    match = _DATA_URL.match(url, 0, 300)
    return DataURL(url, bare_type(match[1]), match.end()) if match else None


def base64_fault(text: str) -> str:
    """What keeps *text* from being base64, or nothing. One pass over the characters; nothing is decoded."""
    if not text:
        return "empty"
    if not text.isascii():
        return "characters that are not base64"
    rest = text.encode("ascii").translate(None, _ALPHABET)
    if rest not in (b"", b"=", b"==") or not text.endswith(rest.decode("ascii")):
        return "characters that are not base64"
    return "cut or without padding: the length is no multiple of four" if len(text) % 4 else ""


def image_type(head: bytes) -> str | None:
    """The MIME type of the four kinds of images the API takes, by leading bytes."""
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return "image/webp"
    return next((mime for signature, mime in IMAGE_SIGNATURES if head.startswith(signature)), None)
