"""The documentation as a whole: no page is lost, no name is unknown, every block of Python runs."""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

GENERATED = "reference"
"""A folder that sphinx makes at each build."""


def script(root: Path, name: str) -> ModuleType:
    """A script of the documentation, as a module."""
    spec = importlib.util.spec_from_file_location(name, root / "docs" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def make_llms(root: Path) -> ModuleType:
    """The script that writes ``llms.txt``."""
    return script(root, "make_llms")


@pytest.fixture(scope="module")
def make_names(root: Path) -> ModuleType:
    """The script that writes the page of names."""
    return script(root, "make_names")


def pages(root: Path) -> list[Path]:
    """Every page that somebody wrote."""
    docs = root / "docs"
    return sorted(path for path in docs.rglob("*.md") if GENERATED not in path.relative_to(docs).parts[:-1])


def test_every_page_is_in_a_table_of_contents(make_llms: ModuleType, root: Path) -> None:
    """From the index on, each once; and every name in a table is a page."""
    index = root / "docs" / "index.md"
    reached = list(make_llms.pages(index))
    assert sorted(reached) == pages(root)
    for page in reached:
        named = [
            line.strip()
            for tree in re.findall(
                r"^```\{toctree\}\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
            )
            for line in tree.splitlines()
            if line.strip() and not line.startswith(":")
        ]
        generated = [name for name in named if name.startswith(f"{GENERATED}/")]
        assert len(named) - len(generated) == sum(len(below) for _, below in make_llms.trees(page)), page


def test_the_index_for_programs_is_up_to_date(make_llms: ModuleType) -> None:
    """``llms.txt`` is what the script makes of the pages; it names each with a sentence."""
    assert make_llms.generated() == make_llms.PAGE.read_text(encoding="utf-8"), (
        "python docs/make_llms.py writes it anew"
    )
    lines = re.findall(r"^- \[.+\]\((docs/\S+\.md)\): \S.*[.!?:]$", make_llms.generated(), re.MULTILINE)
    index = make_llms.DOCS / "index.md"
    assert sorted(lines) == sorted(
        page.relative_to(make_llms.ROOT).as_posix() for page in make_llms.pages(index) if page != index
    )


def test_the_page_of_names_is_up_to_date(make_names: ModuleType) -> None:
    """It is what the script makes of the packages as they are now."""
    written = make_names.PAGE.read_text(encoding="utf-8")
    assert make_names.page() == written, "python docs/make_names.py writes it anew"


def test_every_public_name_is_documented(make_names: ModuleType) -> None:
    """Each has a text of its own and a row on the page; no private name is among them."""
    page = make_names.PAGE.read_text(encoding="utf-8")
    for package, names in make_names.names().items():
        for name in names:
            assert make_names.doc_of(package, name), f"{package}.{name}"
            assert f"| `{name}` | " in page
            assert not name.startswith("_")


def test_a_docstring_of_a_base_is_none_of_ones_own(make_names: ModuleType) -> None:
    """The search for a text takes that of the name itself: of a constant, what stands below it."""
    assert make_names.doc_of("seamwright", "Tokenizable").startswith("A text, or a callable")
    assert make_names.doc_of("pathlib", "PurePosixPath").startswith("PurePath subclass")
    assert make_names.doc_of("seamwright.testing.strategies.state", "_BYTES") == ""


def test_links_between_pages_lead_somewhere(root: Path) -> None:
    """Also those of the pages that sphinx does not read."""
    for page in [*pages(root), root / "README.md", root / "CONTRIBUTING.md"]:
        prose = re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", prose):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_blocks_of_the_other_pages_run(root: Path, name: str) -> None:
    """Python in the pages outside ``docs``; those inside run by themselves."""
    page = (root / name).read_text(encoding="utf-8")
    namespace: dict[str, object] = {}
    for block in re.findall(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL):
        exec(compile(block, name, "exec"), namespace)


def test_blocks_of_every_page_are_collected(root: Path) -> None:
    """Only a comment keeps Python from running; there is one, over what needs a cluster, and it parses."""
    skipped: list[str] = []
    for page in pages(root):
        text = page.read_text(encoding="utf-8")
        skipped += re.findall(r"<!-- skip: next -->\s*```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
        assert text.count("<!-- skip:") == text.count("<!-- skip: next -->")
        assert "```py\n" not in text
        assert "```python " not in text
    (alone,) = skipped
    assert "scheduler" in alone
    ast.parse(alone)
