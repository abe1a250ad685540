"""Writes ``llms.txt``, the documentation's index for programs that read: ``python docs/make_llms.py``.

The pages stand in the order of the index and its tables of contents, each with its title and the first sentence of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

DOCS: Final = Path(__file__).resolve().parent
ROOT: Final = DOCS.parent
PAGE: Final = ROOT / "llms.txt"

_TOCTREE: Final = re.compile(r"^```\{toctree\}\n(.*?)^```", re.MULTILINE | re.DOTALL)
_LINK: Final = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_SENTENCE: Final = re.compile(r"(.+?[.!?])(?=\s|$)", re.DOTALL)
_NO_PROSE: Final = ("#", "|", "```", ":", "(", "- ", "<")


def trees(page: Path) -> Iterator[tuple[str, list[Path]]]:
    """The tables of contents of a page: caption and pages, in order. What sphinx makes itself is left out."""
    for tree in _TOCTREE.findall(page.read_text(encoding="utf-8")):
        lines = [line.strip() for line in tree.splitlines() if line.strip()]
        captions = [line.removeprefix(":caption:").strip() for line in lines if line.startswith(":caption:")]
        names = [line for line in lines if not line.startswith(":")]
        files = [page.parent / f"{name}.md" for name in names]
        yield next(iter(captions), ""), [file for file in files if file.is_file()]


def pages(page: Path) -> Iterator[Path]:
    """A page, and all pages below it."""
    yield page
    for _, below in trees(page):
        for one in below:
            yield from pages(one)


def title_of(page: Path) -> str:
    """The first heading."""
    return next(line[2:] for line in page.read_text(encoding="utf-8").splitlines() if line.startswith("# "))


def summary_of(page: Path) -> str:
    """The first sentence, as plain text on one line."""
    paragraphs = page.read_text(encoding="utf-8").split("\n\n")
    prose = next(one for one in paragraphs if not one.startswith(_NO_PROSE))
    text = " ".join(_LINK.sub(r"\1", prose).split())
    found = _SENTENCE.match(text)
    return found[1] if found else text


def generated() -> str:
    """The whole file."""
    index = DOCS / "index.md"
    lines = [f"# {title_of(index)}", "", f"> {summary_of(index)}"]
    for caption, below in trees(index):
        lines += ["", f"## {caption}", ""]
        for one in (page for top in below for page in pages(top)):
            lines.append(f"- [{title_of(one)}]({one.relative_to(ROOT).as_posix()}): {summary_of(one)}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(generated(), encoding="utf-8", newline="\n")
