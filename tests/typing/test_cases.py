"""What mypy --strict and pyright strict accept and refuse in code that uses the library."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
import type_checkers
from type_checkers import BAD, CHECKERS, GOOD, Refusal, expected_lines

Refusals = Mapping[str, tuple[Refusal, ...]]


@pytest.fixture(scope="module")
def refused() -> Refusals:
    """What each checker refuses, over all cases."""
    return type_checkers.refusals()


def _at(refused: Refusals, checker: str, path: Path) -> dict[int, list[str]]:
    lines: dict[int, list[str]] = {}
    for refusal in refused[checker]:
        if refusal.path == path:
            lines.setdefault(refusal.line, []).append(refusal.message)
    return lines


def test_there_are_cases_of_both_kinds() -> None:
    """An empty folder would let the tests below pass without a look at anything."""
    assert GOOD
    assert BAD
    assert all(expected_lines(path.read_text(encoding="utf-8")) for path in BAD)


@pytest.mark.parametrize("checker", CHECKERS)
@pytest.mark.parametrize("path", GOOD, ids=lambda path: path.stem)
def test_a_good_case_is_accepted(refused: Refusals, checker: str, path: Path) -> None:
    """No line of a good case is refused."""
    assert {} == _at(refused, checker, path)


@pytest.mark.parametrize("checker", CHECKERS)
@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_a_bad_case_is_refused_line_by_line(refused: Refusals, checker: str, path: Path) -> None:
    """Each marked line of a bad case is refused, and no other line is."""
    lines = _at(refused, checker, path)

    assert expected_lines(path.read_text(encoding="utf-8")) == set(lines), lines


@pytest.mark.parametrize("checker", CHECKERS)
def test_the_packages_themselves_are_clean(refused: Refusals, checker: str) -> None:
    """The cases import the library, and nothing is refused outside the cases."""
    assert [] == [refusal for refusal in refused[checker] if refusal.path not in {*GOOD, *BAD}]


def test_only_a_marker_with_a_reason_counts() -> None:
    """``# E:`` says why a line is refused; alone, or inside another word, it marks nothing."""
    source = "a = 1  # E: no int\nb = 2  # E:\nc = 3\nd = 4  #E: no space needed\ne = 5  # NOTE: not one\n"

    assert {1, 4} == expected_lines(source)
