"""What the benchmarks decide with: limits that are passed are named, and the kept figure of instructions holds."""

from __future__ import annotations

import shutil

import pytest
from benchmarks import instructions, table

GOOD = {
    turns: {"json.dumps": 1.0, "cold build": 1.5, "warm turn": 0.05, "pydantic-ai-slim": 2.0}
    for turns in (100, 400, 1600)
}


def test_limits_that_are_kept() -> None:
    """Nothing is said."""
    assert [] == table.faults(GOOD, 2.0)


@pytest.mark.parametrize(
    ("turns", "changed", "word"),
    [
        (400, {"cold build": 2.1, "pydantic-ai-slim": 3.0}, "cold build"),
        (1600, {"warm turn": 0.11}, "warm turn"),
        (1600, {"cold build": 1.8}, "grows"),
        (400, {"pydantic-ai-slim": 1.4}, "pydantic-ai-slim"),
    ],
)
def test_limits_that_are_passed(turns: int, changed: dict[str, float], word: str) -> None:
    """Each is named, and no other."""
    [said] = table.faults(GOOD | {turns: GOOD[turns] | changed}, None)
    assert word in said


def test_memory_that_is_passed() -> None:
    """So is that of the document."""
    [said] = table.faults(GOOD, 3.3)
    assert "50 MB" in said


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
def test_instructions_of_a_build() -> None:
    """They stay near the figure that is kept, on any version of Python."""
    assert instructions.ratio() <= instructions.BASELINE * instructions.TOLERANCE
