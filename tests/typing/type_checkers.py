"""Run both type checkers over the cases, once each, and tell which lines they refuse."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import attrs

HERE: Final = Path(__file__).resolve().parent
ROOT: Final = HERE.parents[1]
GOOD: Final = tuple(sorted(HERE.glob("cases_good/*.py")))
BAD: Final = tuple(sorted(HERE.glob("cases_bad/*.py")))
CHECKERS: Final = ("mypy", "pyright")

_EXPECTED: Final = re.compile(r"#\s*E:\s*\S")
_CASES: Final = (*GOOD, *BAD)
_CACHE: Final = ROOT / ".mypy_cache" / "cases"
_MYPY: Final = ("mypy", "--config-file=", "--strict", "--explicit-package-bases", "--output=json")
_COMMANDS: Final = {
    "mypy": (*_MYPY, f"--cache-dir={_CACHE}", *map(str, _CASES)),
    "pyright": ("pyright", "--project", str(HERE), "--pythonpath", sys.executable, "--outputjson"),
}
_ENVIRONMENT: Final = {
    "MYPYPATH": os.pathsep.join(map(str, (HERE, ROOT / "src", ROOT / "containers"))),
    "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1",  # else it asks a registry for a newer version
}


@attrs.frozen
class Refusal:
    """One error of one checker. ``line`` counts from 1."""

    path: Path
    line: int
    message: str


def expected_lines(source: str) -> set[int]:
    """The lines marked ``# E: reason``, counted from 1. A marker without a reason counts for nothing."""
    return {number for number, line in enumerate(source.splitlines(), 1) if _EXPECTED.search(line)}


def refusals() -> Mapping[str, tuple[Refusal, ...]]:
    """What each checker refuses in all cases. The two run side by side."""
    running = {name: _start(*command) for name, command in _COMMANDS.items()}
    return {name: tuple(_READERS[name](_output(name, process))) for name, process in running.items()}


def _start(*command: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=HERE,
        env=os.environ | _ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


def _output(name: str, process: subprocess.Popen[str]) -> str:
    """Both checkers leave with 0 or 1 after a look at the code, and with 2 or more when they could not look at it."""
    out, err = process.communicate()
    if process.returncode not in (0, 1):
        raise RuntimeError(f"{name} failed with exit code {process.returncode}:\n{out}{err}")
    return out


def _read_mypy(out: str) -> Iterator[Refusal]:
    for line in out.splitlines():
        entry = json.loads(line)
        if entry["severity"] == "error":
            yield Refusal((HERE / entry["file"]).resolve(), entry["line"], entry["message"])


def _read_pyright(out: str) -> Iterator[Refusal]:
    report = json.loads(out)
    if report["summary"]["filesAnalyzed"] < len(_CASES):
        raise RuntimeError(f"pyright looked at {report['summary']['filesAnalyzed']} of {len(_CASES)} cases")
    for entry in report["generalDiagnostics"]:
        if entry["severity"] == "error":
            yield Refusal(Path(entry["file"]).resolve(), entry["range"]["start"]["line"] + 1, entry["message"])


_READERS: Final = {"mypy": _read_mypy, "pyright": _read_pyright}
