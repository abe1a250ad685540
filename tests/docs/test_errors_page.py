"""``docs/errors.md`` draws the tree as it is and says something of every class."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

from seamwright import errors
from seamwright.errors import SeamwrightError


def _classes() -> dict[str, type[Exception]]:
    members = inspect.getmembers(errors, inspect.isclass)
    return {name: cls for name, cls in members if issubclass(cls, SeamwrightError) and cls is not SeamwrightError}


def _page(root: Path) -> str:
    return (root / "docs" / "errors.md").read_text(encoding="utf-8")


def test_the_tree_is_the_class_tree(root: Path) -> None:
    """The drawing names every class below the root, in the order of the module; each is a direct child."""
    drawn = re.findall(r"^[├└]── (\w+)", _page(root), re.MULTILINE)
    docstring = re.findall(r"[├└]── (\w+)", inspect.getdoc(errors) or "")

    assert docstring == drawn
    assert sorted(_classes()) == sorted(drawn)
    assert all(cls.__bases__[0] is SeamwrightError for cls in _classes().values())


def test_every_class_has_a_section_with_its_attributes(root: Path) -> None:
    """Each class is a heading, in the order of the tree; its section names its attributes and a remedy."""
    sections = dict(re.findall(r"^## `(\w+)`\n(.*?)(?=^## |\Z)", _page(root), re.MULTILINE | re.DOTALL))

    assert re.findall(r"[├└]── (\w+)", _page(root)) == list(sections)
    for name, cls in _classes().items():
        attributes = set(inspect.signature(cls).parameters) - {"args", "kwargs"} if "__init__" in vars(cls) else set()
        unnamed = {attribute for attribute in attributes if f"`{attribute}`" not in sections[name]}
        assert set() == unnamed, name
        assert "**Do:**" in sections[name], name
