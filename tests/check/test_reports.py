"""Public bug reports as requests: each is found by its own rule, and what the API accepts has no error."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from check_bodies import errors, reports, rules

from seamwright.check import RULES, check_request

SAME_AS = {"P10": "P3", "F11": "C4"}
"""Reports whose rule stands in the table under another id."""

UNDECIDABLE = {rule.id for rule in RULES if rule.severity is None}

WARNED = {"P2", "P3", "P5", "P7", "P8", "P9", "F6", "F7", "T4", "T6", "L4", "M5"}
"""Rules that a body alone can't always decide, so that a warning names them."""

NUMBERED = [
    pytest.param(report, id=f"{number}-{report['rule']}-{report['source']}") for number, report in enumerate(reports())
]


@pytest.mark.parametrize("report", NUMBERED)
def test_a_report_is_found_by_its_rule(report: dict[str, Any]) -> None:
    """A refused body gives its own rule, as an error unless the rule can't be decided from a body; an accepted one no
    error.
    """
    found = check_request(report["minimal_input"])
    rule = SAME_AS.get(report["rule"], report["rule"])
    if report["valid"]:
        assert errors(found) == []
    elif rule not in UNDECIDABLE:
        assert rule in rules(found)
        assert rule in WARNED or rule in rules(errors(found))


def test_counts(capsys: pytest.CaptureFixture[str]) -> None:
    """Of the refused bodies all but those of undecidable rules are found; none of the accepted ones has an error."""
    counts: Counter[str] = Counter()
    for report in reports():
        found = check_request(report["minimal_input"])
        rule = SAME_AS.get(report["rule"], report["rule"])
        if report["valid"]:
            counts["accepted, no error" if not errors(found) else "accepted, with error"] += 1
        elif rule in UNDECIDABLE:
            counts["refused, not decidable"] += 1
        else:
            how = "error" if rule in rules(errors(found)) else "warning" if rule in rules(found) else "nothing"
            counts[f"refused, found as {how}"] += 1
    with capsys.disabled():
        print(f"\nreports: {dict(sorted(counts.items()))}")
    assert counts["accepted, with error"] == counts["refused, found as nothing"] == 0
    assert counts["refused, not decidable"] == 1
    assert sum(counts.values()) == len(reports()) == 138
