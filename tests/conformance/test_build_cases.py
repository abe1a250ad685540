"""Every build case of the conformance set, through the public API, with the stand-ins that its format describes."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from runner import read_lines, run_build, same_json

Case = dict[str, Any]
Result = dict[str, Any]

CASES: Final[list[tuple[Case, Result]]] = [
    (case, expected)
    for case, expected in zip(read_lines("cases.jsonl"), read_lines("expected.jsonl"), strict=True)
    if case.get("kind", "build") == "build"
]

_RESPONSE_KEYS: Final = ("origin", "payload", "provider_items")


def case_id(case: Case) -> str:
    """The name of a case as a test id, which can't hold everything that a name can."""
    return re.sub(r"[^\w.,:;()+=-]+", "-", case["name"])


def is_foundation(case: Case) -> bool:
    """Whether nothing in the state came out of a response: no origin, payload, provider item or composite id."""
    state = case["state"]
    if not isinstance(state, dict):
        return True
    calls = state.get("tool_calls", ())
    composite = any("|" in str(call.get("id")) for call in calls if isinstance(call, dict))
    return not composite and not any(state.get(key) or key in set(_keys(state)) for key in _RESPONSE_KEYS)


def _keys(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _keys(item)
    elif isinstance(value, list):
        for item in value:
            yield from _keys(item)


def outcome(case: Case, expected: Result) -> Result:
    """What the case gives, in the form of its expectation."""
    return {"name": case["name"]} | run_build(case, expected)


def difference(expected: Result, actual: Result) -> str:
    """Both results as text, line against line."""
    one, other = (json.dumps(result, indent=1, sort_keys=True).splitlines() for result in (expected, actual))
    return "\n".join(difflib.unified_diff(one, other, "expected", "actual", lineterm="", n=6))


@pytest.mark.parametrize(("case", "expected"), [pytest.param(*pair, id=case_id(pair[0])) for pair in CASES])
def test_build_case(case: Case, expected: Result) -> None:
    """The request, the fingerprintable length and the warnings, or the error, are the expected ones."""
    actual = outcome(case, expected)
    if not same_json(actual, expected):
        pytest.fail(f"{case['spec']}: {case['name']}\n{difference(expected, actual)}", pytrace=False)


def test_how_many_pass(figure: Callable[[str], None]) -> None:
    """All build cases pass, and among them all that hold nothing of a provider response."""
    passed = [case for case, expected in CASES if same_json(outcome(case, expected), expected)]
    foundation = [case for case, _ in CASES if is_foundation(case)]
    figure(f"conformance: {len(passed)} of {len(CASES)} build cases pass")
    done = sum(map(is_foundation, passed))
    figure(f"conformance: {done} of {len(foundation)} build cases without anything of a provider response pass")
    assert (457, 215) == (len(CASES), len(foundation))
    assert (457, 215) == (len(passed), done)


def test_difference_is_readable() -> None:
    """A failure shows the lines that differ, with those around them."""
    shown = difference({"input": [{"type": "message", "role": "user"}]}, {"input": [{"type": "message", "role": "x"}]})
    assert '-   "role": "user",' in shown.splitlines()
    assert '+   "role": "x",' in shown.splitlines()


def test_case_ids_are_unique() -> None:
    """Every case can be run alone by its id."""
    names = [case_id(case) for case, _ in CASES]
    assert len(names) == len(set(names))
