"""The page of the command line: what it shows is what happens, and it names every command and option."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest

from cli.terminal import SCRIPT, environment
from seamwright.cli import parser

if sys.platform == "win32":
    pytest.skip("the page is about a POSIX shell", allow_module_level=True)


@pytest.fixture(scope="module")
def page() -> str:
    """The page."""
    return (Path(__file__).resolve().parents[2] / "docs" / "command-line.md").read_text("utf-8")


@attrs.frozen
class Shown:
    """A line that is typed, and what the page shows below it."""

    line: str
    output: str


def shown(page: str) -> Iterator[Shown]:
    """Everything typed on the page, in order."""
    for block in re.findall(r"```console\n(.*?)```", page, re.DOTALL):
        for typed in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, output = typed.partition("\n")
            yield Shown(line, output)


def test_what_is_typed_gives_what_is_shown(page: str, tmp_path: Path) -> None:
    """One line after the other, in a folder with the files of the page."""
    for name, content in re.findall(r"`([\w.]+)`:\n\n```json\n(.*?)```", page, re.DOTALL):
        (tmp_path / name).write_text(content, encoding="utf-8")
    count = 0
    for one in shown(page):
        command = re.sub(r"^seamwright", f"'{SCRIPT}'", one.line)
        done = subprocess.run(
            ["sh", "-c", command],
            cwd=tmp_path,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert one.output == done.stdout, one.line
        count += 1

    assert count >= 10
    assert (tmp_path / "state.schema.json").exists()


def commands() -> dict[str, argparse.ArgumentParser]:
    """The parsers of all commands."""
    (action,) = [one for one in parser()._actions if isinstance(one, argparse._SubParsersAction)]
    return dict(action.choices)


def test_every_command_and_option_is_named(page: str) -> None:
    """Each command has a section of its own, each option stands on the page, and no other does."""
    assert list(commands()) == re.findall(r"^## `(\w+)`$", page, re.MULTILINE)
    options = {name for one in commands().values() for action in one._actions for name in action.option_strings}
    named = set(re.findall(r"(?<![\w-])(--?[a-z][\w-]*)", re.sub(r"```.*?```", "", page, flags=re.DOTALL)))

    assert options - {"-h", "--help"} == named - {"-m"}  # the interpreter's own
