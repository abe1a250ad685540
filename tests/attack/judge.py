"""Says whether a request has exactly the envelopes that the renderer gave it.

Shares no code with the renderer and knows none of its names. What it knows are the tags of *twins*: the same state
with a harmless word in each slot, rendered by the same pipeline. Every ``<`` in a twin was written by the renderer, so
its tags can be read off, and what differs between two twins with different ids is the part that comes from the ids.
"""

from __future__ import annotations

import html
import itertools
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

import attrs

from seamwright import AssembledInput

GAP: Final = "\n\u241e\n"
"""Between two parts of one item where they are read apart."""


@attrs.frozen
class Tag:
    """A tag as it stands: ``family`` is what of its name does not come from an id."""

    text: str
    family: str
    nonce: str

    @property
    def closing(self) -> bool:
        return self.text.startswith("</")

    @property
    def name(self) -> str:
        return self.family + self.nonce

    @property
    def shape(self) -> tuple[bool, str, tuple[str, ...]]:
        """All that may not change: direction, family, and the names of the attributes."""
        names = [piece.rpartition(" ")[2] for piece in self.text.split('="')[:-1]]
        return self.closing, self.family, tuple(names)

    @property
    def is_whole(self) -> bool:
        """Whether it is spelt as the renderer spells a tag: quotes in pairs, no further bracket, no line break."""
        if self.closing:
            return self.text == f"</{self.name}>"
        head, rest = f"<{self.name}", self.text.removeprefix(f"<{self.name}").removesuffix(">")
        values = rest.split('"')
        tidy = len(values) % 2 == 1 and all(gap == "" or (gap[0], gap[-1]) == (" ", "=") for gap in values[::2])
        return self.text.startswith(head) and self.text.endswith(">") and tidy and not set("<>\n\r\t") & set(rest)


def shown_texts(request: AssembledInput) -> list[list[str]]:
    """What a request shows in text: one list for the instructions and one for each item, a string for each part."""
    items = [item for item in request.input if item["type"] in ("message", *_OUTPUTS)]
    shown = [list(_strings(item.get("content", item.get("output")))) for item in items]
    return shown if request.instructions is None else [[request.instructions], *shown]


_OUTPUTS: Final = ("function_call_output", "custom_tool_call_output")


def _strings(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for part in content:
            yield from (part[key] for key in ("text", "refusal", "filename") if isinstance(part.get(key), str))


def lenient(text: str) -> str:
    """A text as a reader may take it that resolves references, and overlooks what can't be seen.

    Not reduced here: letters of other alphabets that look alike.
    """
    for _ in range(6):
        unseen = {} if text.isascii() else {ord(c): None for c in set(text) if not c.isascii() and _is_invisible(c)}
        plain = unicodedata.normalize("NFKC", html.unescape(text.translate(unseen) if unseen else text)).casefold()
        if plain == text:
            break
        text = plain
    return text


def _is_invisible(character: str) -> bool:
    return unicodedata.category(character) in ("Cf", "Mn", "Me") or character in "\u115f\u1160\u3164\uffa0\u17b4\u17b5"


@attrs.frozen
class Judge:
    """Knows one twin: what each item shows, its tags, and the families they belong to."""

    texts: Sequence[Sequence[str]]
    tags: Sequence[Sequence[Tag]]
    whole: frozenset[str]
    """Names that hold no id."""
    prefixes: tuple[str, ...]
    """What stands before the id in names that hold one."""

    @classmethod
    def of(cls, twin: AssembledInput, other: AssembledInput) -> Judge:
        """Learns from two twins that differ in every id."""
        names = [[_names(text) for text in map(GAP.join, shown_texts(one))] for one in (twin, other)]
        whole: set[str] = set()
        prefixes: set[str] = set()
        for mine, others in zip(*names, strict=True):
            for one, another in zip(mine, others, strict=True):
                if one == another:
                    whole.add(one)
                else:
                    prefixes.add(_shared(one, another))
        judge = cls((), (), frozenset(whole), tuple(sorted(prefixes, key=len, reverse=True)))
        texts = shown_texts(twin)
        return attrs.evolve(judge, texts=texts, tags=[list(judge.read(GAP.join(parts))) for parts in texts])

    def faults(self, request: AssembledInput, *, lenient_too: bool) -> list[str]:
        """What is wrong with the envelopes of a request, judged against the twin. Empty when nothing is.

        ``lenient_too``: disguised tags count as tags as well.
        """
        items = shown_texts(request)
        if len(items) != len(self.texts):
            return [f"{len(items)} items, not {len(self.texts)}"]
        faults: list[str] = []
        nonces: set[tuple[str, str]] = set()
        for parts, twin, tags in zip(items, self.texts, self.tags, strict=True):
            if parts == twin:  # innocent, as its twin is
                nonces.update((tag.nonce, tag.nonce) for tag in tags)
                continue
            found = list(self.read(GAP.join(parts)))
            nonces.update((mine.nonce, theirs.nonce) for mine, theirs in zip(tags, found, strict=False))
            faults += [*_judged(found, tags), *self._read_otherwise("".join(parts), tags, lenient_too)]
        return [*faults, *_crossed(nonces)]

    def _read_otherwise(self, text: str, expected: Sequence[Tag], lenient_too: bool) -> Iterator[str]:
        wanted = [(tag.closing, tag.family) for tag in expected]
        for how, read in {"as one text": text, **({"leniently": lenient(text)} if lenient_too else {})}.items():
            found = [(tag.closing, tag.family) for tag in self.read(read)]
            if found != wanted:
                yield f"read {how}: {_difference(wanted, found)}"

    def read(self, text: str) -> Iterator[Tag]:
        """Everything in a text that may pass for one of the tags, in whatever letter case and spacing."""
        place = text.find("<")
        while place >= 0:
            name = _behind_white_space(text, place + 1)
            if text[name : name + 1] == "/":
                name = _behind_white_space(text, name + 1)
            family = self._family(text[name : name + 64])
            if family is not None:
                end = text.find(">", name) + 1 or len(text)
                full = text[name:end].rstrip(">").partition(" ")[0]
                yield Tag(text[place:end], family, full[len(family) :])
            place = text.find("<", place + 1)

    def _family(self, text: str) -> str | None:
        folded = text.casefold()
        for name in self.whole:
            behind = folded[len(name) : len(name) + 1]
            if folded.startswith(name) and not (behind.isalnum() or behind == "_"):
                return name
        return next((prefix for prefix in self.prefixes if folded.startswith(prefix)), None)


def _judged(found: Sequence[Tag], expected: Sequence[Tag]) -> Iterator[str]:
    yield from (f"no tag of the renderer: {tag.text!r:.300}" for tag in found if not tag.is_whole)
    shapes = [tag.shape for tag in expected], [tag.shape for tag in found]
    if shapes[0] != shapes[1]:
        yield _difference(*shapes)
    opened: list[str] = []
    for tag in found:
        if not tag.closing:
            opened.append(tag.name)
        elif not opened or opened.pop() != tag.name:
            yield f"closes what is not open: {tag.text!r:.300}"
    yield from (f"stays open: {name!r:.300}" for name in opened)


def _crossed(pairs: Collection[tuple[str, str]]) -> Iterator[str]:
    """Ids that met, or one that was taken for two, told by the twin, in which each id is another word."""
    for side, what in enumerate(("the nonces of one id", "the ids of one nonce")):
        counts = Counter(pair[side] for pair in pairs)
        yield from (f"{what}: {name!r:.200}" for name, count in counts.items() if count > 1)


def _shared(one: str, other: str) -> str:
    """What two names begin with alike, up to the low line before the id."""
    end = next(place for place in range(len(one), -1, -1) if other.startswith(one[:place]))
    return one[: one.rindex("_", 0, end) + 1]


def _names(text: str) -> list[str]:
    """The names of all tags of a twin: every ``<`` in it begins one."""
    return [piece.lstrip("/").partition(">")[0].partition(" ")[0] for piece in text.split("<")[1:]]


def _behind_white_space(text: str, place: int) -> int:
    while text[place : place + 1].isspace():
        place += 1
    return place


def _difference(expected: Sequence[Any], found: Sequence[Any]) -> str:
    for number, (one, other) in enumerate(itertools.zip_longest(expected, found)):
        if one != other:
            return f"tag {number} is {other}, not {one}"
    return "no difference"
