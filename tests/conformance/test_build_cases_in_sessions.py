"""Every build case once more, all those with the same seams through one session, one after the other and then again."""

from __future__ import annotations

from typing import Any, Final

from runner import built, same_json
from stand_ins import overrides_of
from test_build_cases import CASES, Case, Result

from seamwright_containers import responses_pipeline

ROUNDS: Final = 2


def _groups() -> dict[str, list[tuple[Case, Result]]]:
    groups: dict[str, list[tuple[Case, Result]]] = {}
    for case, expected in CASES:
        groups.setdefault(repr(case.get("overrides")), []).append((case, expected))
    return groups


def test_build_cases_in_sessions() -> None:
    """What a session remembers of all the cases before, and of the case itself, changes no result."""
    wrong: list[str] = []
    passed: list[Any] = []
    for cases in _groups().values():
        session = responses_pipeline(**overrides_of(cases[0][0])).session()
        for _ in range(ROUNDS):
            for case, expected in cases:
                for _ in range(ROUNDS):
                    actual = {"name": case["name"]} | built(session.build_sync, case, expected)
                    (passed if same_json(actual, expected) else wrong).append(case["name"])
    assert [] == wrong
    assert len(CASES) * ROUNDS * ROUNDS == len(passed)
