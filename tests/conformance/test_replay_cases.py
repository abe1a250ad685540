"""Every ingest and chain case of the conformance set."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest
from replay_runner import canonical, run_chain, run_ingest
from runner import read_lines, same_json

Case = dict[str, Any]

_ALL: Final = list(zip(read_lines("cases.jsonl"), read_lines("expected.jsonl"), strict=True))


def of_kind(kind: str) -> list[Any]:
    """The cases of a kind with their expectations, by name."""
    return [pytest.param(case, expected, id=case["name"]) for case, expected in _ALL if case.get("kind") == kind]


def text(value: object) -> list[str]:
    """A value as lines, so that a difference reads well."""
    return json.dumps(value, indent=1, sort_keys=True).splitlines()


@pytest.mark.parametrize(("case", "expected"), of_kind("ingest"))
def test_ingest_case(case: Case, expected: Case) -> None:
    """The next state and the finish are the expected ones."""
    wanted = canonical(expected)
    actual = run_ingest(case)
    assert same_json(wanted, actual) or text(wanted) == text(actual)


@pytest.mark.parametrize(("case", "expected"), of_kind("chain"))
def test_chain_case(case: Case, expected: Case) -> None:
    """Every step of the conversation gives what is expected of it."""
    wanted = [canonical(step) for step in expected["steps"]]
    actual = run_chain(case)
    assert len(wanted) == len(actual)
    for index, (one, other) in enumerate(zip(wanted, actual, strict=True)):
        assert same_json(one, other) or text(one) == text(other), f"step {index}: {case['steps'][index]}"


def test_every_case_is_run() -> None:
    """No kind of case is left out."""
    assert {"ingest", "chain", None} == {case.get("kind") for case, _ in _ALL}
    assert len(of_kind("ingest")) > 30
    assert len(of_kind("chain")) > 20
