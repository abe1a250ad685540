"""What a docstring says of parameters, in the three forms in common use."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Final

_SECTION: Final = re.compile(r"(?:Args|Arguments|Parameters|Params|Attributes|Keyword Args|Other Parameters)\s*:?\s*\Z")
_FIELD: Final = re.compile(
    r":(?:param|parameter|arg|argument|attribute|ivar|var)\s+(?:[^:]*\s)?\*{0,2}(\w+)\s*:\s*(.*)"
)
_ENTRY: Final = re.compile(r"\*{0,2}(\w+)\s*(?:\([^)]*\))?\s*:\s*(.*)")
_NUMPY_ENTRY: Final = re.compile(r"\*{0,2}(\w+(?:\s*,\s*\w+)*)\s*(?::.*)?\Z")


def parameter_texts(docstring: str | None) -> dict[str, str]:
    """The description of each parameter or attribute: Sphinx fields, Google sections or NumPy sections."""
    lines = inspect.cleandoc(docstring or "").splitlines()
    found: dict[str, list[str]] = {}
    for names, words in (*_fields(lines), *_sections(lines)):
        for name in names:
            found.setdefault(name, words)
    joined = {name: " ".join(" ".join(words).split()) for name, words in found.items()}
    return {name: text for name, text in joined.items() if text}


def summary(docstring: str | None) -> str:
    """The first paragraph, on one line."""
    paragraph = inspect.cleandoc(docstring or "").split("\n\n", 1)[0]
    return " ".join(paragraph.split())


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _continued(lines: list[str], start: int, indent: int) -> list[str]:
    """The lines from *start* on that are indented deeper; blank lines in between belong to them."""
    end = start
    while end < len(lines) and (not lines[end].strip() or _indent(lines[end]) > indent):
        end += 1
    return lines[start:end]


def _fields(lines: list[str]) -> Iterator[tuple[list[str], list[str]]]:
    for index, line in enumerate(lines):
        if match := _FIELD.match(line.strip()):
            yield [match[1]], [match[2], *_continued(lines, index + 1, _indent(line))]


def _sections(lines: list[str]) -> Iterator[tuple[list[str], list[str]]]:
    for index, line in enumerate(lines):
        if not _SECTION.match(line):
            continue
        underline = lines[index + 1].strip() if index + 1 < len(lines) else ""
        if underline and set(underline) == {"-"}:
            yield from _entries(lines[index + 2 :], 0, _NUMPY_ENTRY, numpy=True)
        elif line.rstrip().endswith(":"):
            body = _continued(lines, index + 1, 0)
            first = next((entry for entry in body if entry.strip()), "")
            yield from _entries(body, _indent(first), _ENTRY, numpy=False)


def _entries(
    lines: list[str], indent: int, form: re.Pattern[str], *, numpy: bool
) -> Iterator[tuple[list[str], list[str]]]:
    for index, line in enumerate(lines):
        if numpy and index + 1 < len(lines) and set(lines[index + 1].strip()) == {"-"}:
            return  # the next section
        if not line.strip() or _indent(line) != indent:
            continue
        if match := form.match(line.strip()):
            text = _continued(lines, index + 1, indent)
            yield re.split(r"\s*,\s*", match[1]), text if numpy else [match[2], *text]
