"""``docs/seams.md`` says what the code says."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from seamwright.record import SEAM_NAMES


@pytest.fixture(scope="module")
def make_seams(root: Path) -> ModuleType:
    """The script that writes the page."""
    spec = importlib.util.spec_from_file_location("make_seams", root / "docs" / "make_seams.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_the_page_is_up_to_date(make_seams: ModuleType) -> None:
    """The page is what the script makes of the Protocols, the defaults and the container as they are now."""
    assert make_seams.page() == make_seams.PAGE.read_text(encoding="utf-8"), "python docs/make_seams.py writes it anew"


def test_every_seam_has_a_section(make_seams: ModuleType) -> None:
    """Each name of the record is a heading, once, and no other is."""
    headings = re.findall(r"^### `(\w+)`$", make_seams.generated(), re.MULTILINE)

    assert sorted(SEAM_NAMES) == sorted(headings)


def test_every_protocol_and_default_says_something(make_seams: ModuleType) -> None:
    """A seam without a contract, or a default that says nothing of itself, is an empty section."""
    page = make_seams.generated()

    assert [] == re.findall(r"^### `(\w+)`\n\n```", page, re.MULTILINE)
    assert [] == re.findall(r"^- Default: (`[\w.]+`)\.$", page, re.MULTILINE)


def test_both_directions_agree(make_seams: ModuleType) -> None:
    """A seam is used by exactly those that are made from it."""
    made_from = {(name, needed) for name in SEAM_NAMES for needed in make_seams.needs(name)}
    used_by = {(user, name) for name in SEAM_NAMES for user in make_seams.used_by(name)}

    assert made_from == used_by
    assert ("thought", "nonce") in made_from


def test_a_docstring_becomes_markdown(make_seams: ModuleType) -> None:
    """Roles and double backticks of reStructuredText are written as Markdown."""
    assert "Raises `SeamError` for `x`." == make_seams.prose("Raises :class:`~SeamError` for ``x``.")
