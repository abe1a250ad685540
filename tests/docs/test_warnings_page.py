"""``docs/warnings.md`` names every code, and no other."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

from seamwright.pipeline.causes import Cause


def _codes(source: str) -> Iterator[str]:
    """The codes a module writes: the first argument of whatever is called ``warn``."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(
                func=ast.Attribute(attr="warn") | ast.Name(id="warn"), args=[ast.Constant(value=str(code)), *_]
            ):
                yield code
            case _:
                pass


def _used(root: Path) -> set[str]:
    sources = (root / "src" / "seamwright").rglob("*.py")
    written = {code for path in sources for code in _codes(path.read_text(encoding="utf-8"))}
    return written | set(get_args(Cause))


def _documented(root: Path) -> list[str]:
    page = (root / "docs" / "warnings.md").read_text(encoding="utf-8")
    return re.findall(r"^\| `([a-z-]+)` \|", page, re.MULTILINE)


def test_the_page_names_every_code_once(root: Path) -> None:
    """Each code that the library can give has one row, and no row is about a code it can't give."""
    documented = _documented(root)

    assert sorted(_used(root)) == sorted(documented)


def test_codes_are_found_where_they_are_written(root: Path) -> None:
    """The search sees a code that a seam gives, one that step 3 gives, and one that text gives as it enters."""
    assert {"unknown-tool", "duplicate-item-id", "lone-surrogate", "reasoning-unpaired"} <= _used(root)
    assert ["a-code"] == list(_codes("context.warn('a-code', 'text', None)\nlog.info('no-code')"))


def test_every_row_says_what_to_do(root: Path) -> None:
    """A row has three cells, none of them empty."""
    page = (root / "docs" / "warnings.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1:-1] for line in page.splitlines() if line.startswith("| `")]

    assert rows
    assert all(len(row) == 3 and all(cell.strip() for cell in row) for row in rows)
