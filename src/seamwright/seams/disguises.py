"""Reserved tags in disguise: full-width letters, invisible characters, character references, look-alikes.

A *skeleton* is a text as a lenient reader may take it: character references resolved, compatibility forms replaced,
marks and invisible characters dropped, case folded. A tag that shows in the skeleton counts as one.
"""

from __future__ import annotations

import html
import itertools
import re
import unicodedata
from collections.abc import Mapping
from typing import Final

from seamwright.seams.envelopes import neutraliser

_LIKE_LESS: Final = "\u02c2\u1438\u2039\u2329\u276c\u276e\u27e8\u3008\ufe3f"
_LESS: Final = f"<\u226e\ufe64\uff1c{_LIKE_LESS}\U000e003c"
"""What can be read as ``<``: its forms, U+226E that holds it, its look-alikes, its copy among the tag characters."""
_AMPERSANDS: Final = "&\ufe60\uff06\U000e0026"

_CANDIDATE: Final = re.compile(f"[{_LESS}{_AMPERSANDS}]")

# Default_Ignorable_Code_Point of Unicode 16, and the control characters that are no white space.
_IGNORED: Final = re.compile(
    "[\0-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_MARKS: Final = frozenset({"Mn", "Me", "Mc", "Cf"})

_HIDDEN: Final = re.compile("[\U000e0020-\U000e007e]")
_SHOWN: Final[Mapping[int, int]] = {code: code - 0xE0000 for code in range(0xE0020, 0xE007F)}
"""Tag characters are invisible copies of ASCII, which some models read as if they were that."""

# Confusable with what stands in reserved tags, after UTS 39. Small letters: case is folded before.
_ALIKE: Final = str.maketrans(
    {
        **dict.fromkeys(_LIKE_LESS, "<"),
        **dict(zip("\u0430\u0441\u0501\u0435\u04bb\u0456", "acdehi", strict=True)),
        **dict(zip("\u0458\u043a\u043c\u043e\u0440\u0455\u0442\u0443\u0445", "jkmopstyx", strict=True)),
        **dict(zip("\u03b1\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5", "aeiknoptu", strict=True)),
        **dict(zip("\u0131\u0261\u0269\u2044\u2215\u29f8\u2800", "igi/// ", strict=True)),
    }
)

_CHAIN: Final = re.compile(r"&(?:(?:amp|#0*38|#x0*26);?)+(?=[a-z#])", re.IGNORECASE)
_ROUNDS: Final = 3
"""How often references are resolved; a chain ``&amp;amp;…`` counts as one. No reader is known to do it more often."""

_TAG: Final = re.compile(
    r"<\s*+/?\s*+(?:(?:system_instructions|memories|retrieved_corpus)(?!\w)"
    r"|memory_|retrieved_|untrusted_content_|trusted_content_|thought_|message_|peer_agent_output_)"
)
_REFERENCE: Final = re.compile(
    r"&(?:(?:amp|#0*38|#x0*26);?)*(?:lt|nvlt|langle|lang|lsaquo|#0*60|#x0*3c|#0*65308|#x0*ff1c)", re.IGNORECASE
)
_LONGEST: Final = 64
"""How much of a text is looked at for one reference."""
_SHORTEST: Final = 4
"""No shorter text can be read as a reserved tag, not even with letters that stand for several."""


def _plain(text: str) -> str:
    """Compatibility forms replaced, marks and invisible characters dropped."""
    visible = _IGNORED.sub("", text)
    if visible.isascii():
        return visible
    decomposed = unicodedata.normalize("NFKD", visible)
    return "".join([c for c in decomposed if c.isascii() or unicodedata.category(c) not in _MARKS])


def _resolved(text: str) -> str:
    for _ in range(_ROUNDS):
        before = text
        if "&" in text:
            text = _plain(html.unescape(_CHAIN.sub("&", text)))
        if text == before:
            break
    return text


def skeleton(text: str) -> str:
    """A text as a lenient reader may take it."""
    resolved = _resolved(_plain(text))
    if resolved.isascii():
        return _resolved(resolved.lower())
    return _resolved(_plain(resolved.casefold()).translate(_ALIKE)).translate(_ALIKE)


def _readings(text: str) -> list[str]:
    """The skeleton, and that of the text with its tag characters shown when it has any."""
    readings = [skeleton(text)]
    if not text.isascii() and _HIDDEN.search(text):
        readings.append(skeleton(text.translate(_SHOWN)))
    return readings


def shows_tag(text: str) -> bool:
    """Whether a reserved tag can be read in a text, in whatever disguise."""
    if not _CANDIDATE.search(text):
        return False
    return neutraliser(text) != text or any(map(_TAG.search, _readings(text)))


def _begins_tag(text: str) -> bool:
    if len(text) < _SHORTEST:
        return False
    plainly = text[0] == "<" and neutraliser(text).startswith("&lt;")
    return plainly or any(map(_TAG.match, _readings(text)))


def _reads_as_less(text: str, place: int) -> bool:
    """Whether what stands there can be read as ``<``: one of its forms, or a reference to it."""
    return text[place] in _LESS or bool(_REFERENCE.match(_plain(text[place : place + _LONGEST])))


def strict_neutraliser(text: str, /) -> str:
    """A text in which no reserved tag can be read in any disguise: what each of them begins with becomes ``[``.

    No character reference comes back to a bracket, however often a text is resolved. A text without such a tag is not
    changed. Where a disguise is deeper than can be placed, every candidate of the text is replaced.
    """
    if not shows_tag(text):
        return text
    places = [match.start() for match in _CANDIDATE.finditer(text) if _reads_as_less(text, match.start())]
    pieces = [text[: places[0]]] if places else [text]
    # A tag's name holds nothing that reads as <, so that no piece has to be looked at twice.
    for start, end in itertools.pairwise([*places, len(text)]):
        piece = text[start:end]
        pieces.append("[" + piece[1:] if _begins_tag(piece) else piece)
    result = "".join(pieces)
    return _CANDIDATE.sub("[", result) if shows_tag(result) else result
