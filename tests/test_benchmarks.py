"""What the benchmarks decide with: limits that are passed are named, and the kept figure of instructions holds."""

from __future__ import annotations

import shutil

import pytest
from benchmarks import instructions, table

GOOD = {turns: {"json.dumps": 1.0, "cold build": 1.5, "warm turn": 0.05} for turns in (100, 400, 1600)}
BESIDE = {"json.dumps": 1.0, "cold build": 1.5, "pydantic-ai-slim": 2.0}


def test_limits_that_are_kept() -> None:
    """Nothing is said."""
    assert [] == table.faults(GOOD, BESIDE, 2.0)


@pytest.mark.parametrize(
    ("turns", "changed", "word"),
    [
        (400, {"cold build": 2.1}, "cold build"),
        (1600, {"warm turn": 0.11}, "warm turn"),
        (1600, {"cold build": 1.8}, "grows"),
    ],
)
def test_limits_that_are_passed(turns: int, changed: dict[str, float], word: str) -> None:
    """Each is named, and no other."""
    [said] = table.faults(GOOD | {turns: GOOD[turns] | changed}, BESIDE, None)
    assert word in said


def test_a_library_that_is_faster() -> None:
    """It is named, and one that stands there for context is not."""
    [said] = table.faults(GOOD, BESIDE | {"pydantic-ai-slim": 1.4, "openai-agents": 0.5}, None)
    assert "pydantic-ai-slim" in said


def test_memory_that_is_passed() -> None:
    """So is that of the document."""
    [said] = table.faults(GOOD, BESIDE, 3.3)
    assert "50 MB" in said


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
def test_instructions_of_a_build() -> None:
    """They stay near the figure that is kept, on any version of Python."""
    assert instructions.ratio() <= instructions.BASELINE * instructions.TOLERANCE
