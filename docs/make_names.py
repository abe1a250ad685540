"""Writes ``names.md``, the list of public names: ``python docs/make_names.py``.

A name's line is the first sentence of its docstring; of a constant or an alias, of the text that stands below it.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from pathlib import Path
from typing import Any, Final

PAGE: Final = Path(__file__).resolve().parent / "names.md"
MARK: Final = "<!-- What follows is written by docs/make_names.py. -->\n"

PACKAGES: Final = (
    "seamwright",
    "seamwright_containers",
    "seamwright.history",
    "seamwright.batch",
    "seamwright.show",
    "seamwright.check",
)
"""Where names may be imported from. A name stands under the first that has it."""


def names() -> dict[str, list[str]]:
    """The public names of each package, sorted."""
    seen: set[str] = set()
    found: dict[str, list[str]] = {}
    for package in PACKAGES:
        own = [name for name in importlib.import_module(package).__all__ if name not in seen]
        seen.update(own)
        found[package] = sorted(own, key=str.lower)
    return found


def doc_of(package: str, name: str) -> str:
    """The docstring of a name; nothing when it has none of its own."""
    value: Any = getattr(importlib.import_module(package), name)
    if inspect.isclass(value):
        return inspect.cleandoc(vars(value).get("__doc__") or "")
    return (inspect.getdoc(value) or "") if inspect.isroutine(value) else below_assignment(package, name)


def below_assignment(package: str, name: str) -> str:
    """The text below the assignment of a constant, in whichever module makes it."""
    module = importlib.import_module(package)
    body = ast.parse(inspect.getsource(module)).body
    for node, behind in zip(body, [*body[1:], ast.Pass()], strict=True):
        if isinstance(node, ast.ImportFrom) and any((one.asname or one.name) == name for one in node.names):
            original = next(one.name for one in node.names if (one.asname or one.name) == name)
            return below_assignment(node.module or "", original)
        targets = [*getattr(node, "targets", ()), getattr(node, "target", None)]
        if any(isinstance(one, ast.Name) and one.id == name for one in targets):
            match behind:
                case ast.Expr(value=ast.Constant(value=str(text))):
                    return inspect.cleandoc(text)
    return ""


def sentence(text: str) -> str:
    """The first sentence as Markdown, safe in a table."""
    first = " ".join(text.partition("\n\n")[0].split())
    found = re.match(r"(.+?[.!?])(?=\s|$)", first)
    plain = re.sub(r":\w+:`~?([^`]+)`", r"`\1`", found[1] if found else first)
    return plain.replace("``", "`").replace("|", "\\|")


def generated() -> str:
    """Everything behind the mark."""
    parts: list[str] = []
    for package, own in names().items():
        rows = [f"| `{name}` | {sentence(doc_of(package, name))} |" for name in own]
        if rows:
            parts.append("\n".join([f"## `{package}`", "", "| name | what it is |", "| --- | --- |", *rows]))
    return "\n\n".join(parts) + "\n"


def page() -> str:
    """The whole page."""
    by_hand = PAGE.read_text(encoding="utf-8").partition(MARK)[0]
    return f"{by_hand}{MARK}\n{generated()}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
