"""What the README tells a newcomer to type works, and the page that shows it shows what comes back."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from cli.terminal import SCRIPT, environment

if sys.platform == "win32":
    pytest.skip("the pages are about a POSIX shell", allow_module_level=True)

INSTALLED = ".venv/bin/seamwright"
LEFT_OUT = "…"
COUNTED = r" · \d+ tokens|tokens by \w+\n"
"""What ``show`` tells where the extra ``tokens`` is installed. The newcomer has none."""


def run(line: str, folder: Path) -> str:
    """What a shell prints for a line, whatever the stream, without counts of tokens."""
    done = subprocess.run(
        ["sh", "-e", "-c", line.replace(INSTALLED, f"'{SCRIPT}'")],
        cwd=folder,
        env=environment(COLUMNS="80"),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return re.sub(COUNTED, "", done.stdout)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder after ``make demo``."""
    (tmp_path / "build").mkdir()
    return tmp_path


def test_what_the_readme_says_gives_a_request_a_check_and_a_page(root: Path, clone: Path) -> None:
    """Typed as it stands, it prints that nothing is wrong and leaves the files that it names."""
    readme = (root / "README.md").read_text(encoding="utf-8")
    (block,) = [one for one in re.findall(r"```console\n(.*?)```", readme, re.DOTALL) if INSTALLED in one]

    assert run(block, clone) == "build/request.json: 0 errors, 0 warnings\n"
    assert sorted(path.name for path in (clone / "build").iterdir()) == ["hello.html", "hello.json", "request.json"]
    (file,) = re.findall(r"<<'END'\n(.*?)END\n", block, re.DOTALL)
    shown = (root / "docs" / "first-five-minutes.md").read_text(encoding="utf-8")
    assert f"`build/hello.json`:\n\n```json\n{file}```" in shown


def test_the_page_shows_what_comes_back(root: Path, clone: Path) -> None:
    """Each line that is typed, in order; of the demo, the lines that are shown stand in its output in that order."""
    page = (root / "docs" / "first-five-minutes.md").read_text(encoding="utf-8")
    for name, content in re.findall(r"`(build/[\w.]+)`:\n\n```json\n(.*?)```", page, re.DOTALL):
        (clone / name).write_text(content, encoding="utf-8")
    demo = (root / "Makefile").read_text(encoding="utf-8").partition("\ndemo: ")[2].partition("\n\n")[0]
    (clone / "build" / "page.html").touch()
    typed = [
        one
        for block in re.findall(r"```console\n(.*?)```", page, re.DOTALL)
        for one in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    ]
    for one in typed:
        line, _, output = one.partition("\n")
        if line == "make demo":
            said = subprocess.run(
                [sys.executable, "examples/demo.py"], cwd=root, env=environment(), capture_output=True, check=True
            )
            rest = said.stdout.decode() + demo
            for shown in output.splitlines()[1:]:
                if shown != LEFT_OUT:
                    assert shown in rest, shown
                    rest = rest.partition(shown)[2]
        else:
            assert run(line, clone) == output, line

    assert len(typed) > 6
