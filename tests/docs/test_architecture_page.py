"""``docs/architecture.md`` names every package and draws the layers that are enforced."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def page(root: Path) -> str:
    """The page's text."""
    return (root / "docs" / "architecture.md").read_text(encoding="utf-8")


def test_every_package_has_an_owner_line(page: str, root: Path) -> None:
    """Each package of the library, and each module beside them, has its row or is named."""
    library = root / "src" / "seamwright"
    packages = {path.parent.name for path in library.glob("*/__init__.py")}
    modules = {path.stem for path in library.glob("*.py")} - {"__init__"}
    rows = set(re.findall(r"^\| `seamwright\.(\w+)` \|", page, re.MULTILINE))

    assert set() == packages - rows
    assert set() == rows - packages - modules
    assert set() == {module for module in modules - rows if f"`{module}`" not in page}


def test_the_layers_are_those_of_the_contract(page: str, root: Path) -> None:
    """The drawing has the layers of ``pyproject.toml``, from top to bottom."""
    tool = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    (layers,) = (c["layers"] for c in tool["importlinter"]["contracts"] if c["type"] == "layers")
    drawn = page.partition("## Layers")[2].partition("## Wiring")[0].partition("```text\n")[2].partition("```")[0]

    assert [re.findall(r"\w+", layer) for layer in layers] == [re.findall(r"\w+", line) for line in drawn.splitlines()]


def test_the_steps_are_drawn_in_order(page: str) -> None:
    """The drawing shows the four steps, and the text calls their seams in the order of a build."""
    drawing, _, text = page.partition("## Who owns what")
    seams = ["tool_declarations", "leading_step", "timeline_step", "reasoning_pairing", "trailing_step"]
    run = text.partition("## How a build runs")[2]

    assert ["1 leading", "2 timeline", "3 pairing", "4 trailing"] == re.findall(r"│ (\d \w+)", drawing)
    assert seams == sorted(seams, key=lambda seam: run.index(f"`{seam}`"))
