"""Trust envelopes: the tags that say how far a text is trusted, their nonces, and the neutraliser of bodies."""

from __future__ import annotations

import hashlib
import re
from typing import Final, Protocol

import attrs
import xxhash


@attrs.frozen
class EnvelopeAttrs:
    """What stands on an envelope's opening tag; values are escaped when written."""

    nonce: str
    kind: str
    tool: str | None = None
    modality: str | None = None


class Envelope(Protocol):
    """Puts a text between the tags of its trust.

    ``content`` is neutralised already and must stand in the result unchanged.
    """

    def __call__(self, content: str, attrs: EnvelopeAttrs, /) -> str: ...


class Nonce(Protocol):
    """A tag-safe nonce of an id: letters, digits, ``_``, ``.``, ``-``.

    Different ids give different nonces, the same id always the same.
    """

    def __call__(self, identifier: str, /) -> str: ...


class Neutraliser(Protocol):
    """A text in which no reserved structural tag is left. Must not change a text that holds none."""

    def __call__(self, text: str, /) -> str: ...


_SPECIAL: Final = re.compile(r'[&<>"\n\r\t]')
_ESCAPES: Final = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
)


def escape_attribute(value: str) -> str:
    """A value as it stands between the quotes of an attribute."""
    return value.translate(_ESCAPES) if _SPECIAL.search(value) else value


def attribute(name: str, value: str | None) -> str:
    """The words ``name="value"`` after a space, or nothing without a value."""
    return "" if value is None else f' {name}="{escape_attribute(value)}"'


def _enclose(tag: str, content: str, attrs: EnvelopeAttrs) -> str:
    nonce, kind, tool, modality = attrs.nonce, attrs.kind, attrs.tool, attrs.modality
    name = f"{tag}_{nonce}"
    if _SPECIAL.search(f"{nonce}{kind}{tool}{modality}"):
        nonce, kind = escape_attribute(nonce), escape_attribute(kind)
        tool, modality = (value and escape_attribute(value) for value in (tool, modality))
    extra = "" if tool is None else f' tool="{tool}"'
    if modality is not None:
        extra = f'{extra} modality="{modality}"'
    return f'<{name} nonce="{nonce}" kind="{kind}"{extra}>\n{content}\n</{name}>'


def untrusted_envelope(content: str, attrs: EnvelopeAttrs, /) -> str:
    """The default of the seam of that name: content from outside, to be read as data."""
    return _enclose("untrusted_content", content, attrs)


def trusted_envelope(content: str, attrs: EnvelopeAttrs, /) -> str:
    """The default of the seam of that name: content of the host's own tools and sources."""
    return _enclose("trusted_content", content, attrs)


_PLAIN_ID: Final = re.compile(r"[A-Za-z0-9_.-]{1,128}\Z")
_HASH: Final = re.compile(r"[0-9a-f]{16}\Z")
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9_.-]")


def nonce(identifier: str, /) -> str:
    """The id itself when it is tag-safe; otherwise a readable cut of it and its hash.

    An id that already looks like such a cut is hashed too, so that different ids never meet.
    """
    if identifier.isalnum() and identifier.isascii() and len(identifier) <= 128:  # as checksums are, told in no time
        return identifier
    if _PLAIN_ID.match(identifier) and not (
        identifier[-17:-16] == "_" and _HASH.match(identifier, len(identifier) - 16)
    ):
        return identifier
    return f"{_UNSAFE.sub('_', identifier)[:96]}_{xxhash.xxh3_64_hexdigest(identifier.encode())}"


def _as_key(secret: str | bytes) -> bytes:
    return secret.encode() if isinstance(secret, str) else secret


@attrs.frozen
class KeyedNonce:
    """32 hex digits of keyed BLAKE2s over the id: not to be guessed from the id, yet the same every turn."""

    secret: bytes = attrs.field(converter=_as_key, repr=False)

    def __attrs_post_init__(self) -> None:
        if not 1 <= len(self.secret) <= 32:
            raise ValueError(f"a secret of 1 to 32 bytes is needed, not {len(self.secret)}")

    def __call__(self, identifier: str, /) -> str:
        return hashlib.blake2s(identifier.encode(), key=self.secret, digest_size=16).hexdigest()


_NAMES: Final = (
    r"(?:(?:system_instructions|memories|retrieved_corpus)(?!\w)"
    r"|memory_|retrieved_|untrusted_content_|trusted_content_|thought_|message_|peer_agent_output_)"
)
# Possessive: white space given back and taken again by the second run costs the square of its length.
_RESERVED: Final = re.compile(r"<(?=\s*+/?\s*+" + _NAMES + ")", re.IGNORECASE)
_MARKS: Final = ("system_instr", "memor", "retrieved_", "_content_", "thought_", "message_", "peer_agent_")
_TAG_START: Final = re.compile(r"<(?=(\s*+/?\s*+)(.{1,24}))", re.DOTALL)
_FOLDED_NAME: Final = re.compile(_NAMES)


def _folded(match: re.Match[str]) -> str:
    return "&lt;" if _FOLDED_NAME.match(match.group(2).casefold()) else "<"


def neutraliser(text: str, /) -> str:
    """The leading ``<`` of every opening or closing reserved tag becomes ``&lt;``.

    In any letter case (Unicode case folding), with white space tolerated after ``<`` and ``/``.
    """
    if "<" not in text:
        return text
    if not text.isascii():
        return _TAG_START.sub(_folded, text)
    lowered = text.lower()
    if not any(mark in lowered for mark in _MARKS):
        return text
    return _RESERVED.sub("&lt;", text)
