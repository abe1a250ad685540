"""Attacks written by hand, each with the tags of the place it stands in."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import attrs

from attack.attacker import DISGUISES
from attack.bench import WORDS, judge_of
from attack.judge import Tag, shown_texts
from attack.scene import SLOTS, build
from seamwright import Pipeline


def _of_chars(number: int) -> Callable[[str], str]:
    return lambda tag: "".join(chr(number + ord(c) - 97) if "a" <= c <= "z" else c for c in tag)


WAYS: Final[Mapping[str, Callable[[str], str]]] = {
    "upper": str.upper,
    "swap": str.swapcase,
    "longs": DISGUISES["long s"],
    "ligature": DISGUISES["ligature"],
    "kelvin": DISGUISES["kelvin"],
    "dotless": lambda tag: tag.replace("i", "\u0131"),
    "zwsp": DISGUISES["zero width"],
    "shy": "\u00ad".join,
    "tagchars": lambda tag: "".join(chr(0xE0000 + ord(c)) for c in tag),
    "wide": DISGUISES["full width"],
    "math": _of_chars(0x1D41A),
    "circled": _of_chars(0x24D0),
    "decimal": DISGUISES["all decimal"],
    "hex": lambda tag: "".join(f"&#x{ord(c):X};" for c in tag),
}
_WORD: Final = re.compile(r"TRUSTED-CLOSE|TRUSTED|NAME|(?:OPEN|CLOSE)(?::([a-z]+))?")


@attrs.frozen
class Attack:
    """One attack. ``OPEN``, ``CLOSE`` and ``NAME`` stand for the tags round the slot, ``TRUSTED`` for a trusted one.

    ``CLOSE:way`` spells it in a way of :data:`WAYS`.
    """

    name: str
    text: str

    def against(self, around: Tag, trusted: Tag) -> str:
        """The attack on a slot that stands in this envelope."""

        def word(match: re.Match[str]) -> str:
            named, _, _ = match.group().partition(":")
            tag = {
                "OPEN": around.text,
                "CLOSE": f"</{around.name}>",
                "NAME": around.name,
                "TRUSTED": trusted.text,
                "TRUSTED-CLOSE": f"</{trusted.name}>",
            }[named]
            return WAYS[match.group(1)](tag) if match.group(1) else tag

        return _WORD.sub(word, self.text)


CORPUS: Final = tuple(
    Attack(**json.loads(line))
    for line in (Path(__file__).parent / "corpus.jsonl").read_text(encoding="ascii").splitlines()
)


def surroundings(pipeline: Pipeline, situation: str) -> tuple[dict[str, Tag], Tag]:
    """The innermost envelope round each slot, or the tag it stands in; and a trusted tag to forge.

    Where a slot stands in no envelope or can't be seen, it is the trusted one.
    """
    judge = judge_of(pipeline, situation)
    texts = ["\n".join(parts) for parts in shown_texts(build(pipeline, situation, lambda slot, _: f"{WORDS[slot]};"))]
    trusted = next(tag for text in texts for tag in judge.read(text) if "trusted-tool-result" in tag.text)
    around: dict[str, Tag] = {}
    for text in texts:
        place = 0
        opened = [trusted]
        for tag in judge.read(text):
            start = text.index(tag.text, place)
            _note(around, text[place:start], opened[-1])
            _note(around, tag.text, tag)
            place = start + len(tag.text)
            opened = opened[:-1] if tag.closing else [*opened, tag]
    return {slot: around.get(slot, trusted) for slot in SLOTS}, trusted


def _note(around: dict[str, Tag], text: str, tag: Tag) -> None:
    """Slots that stand in a text; their ``;`` is ``_`` where an id became part of a name."""
    for slot, word in WORDS.items():
        if f"{word};" in text or f"{word}_" in text:
            around.setdefault(slot, tag)
