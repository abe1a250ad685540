"""Real requests: what the API accepted has no error, and what it refused for a reason a body shows is found."""

from __future__ import annotations

from collections import Counter

import pytest
from check_bodies import SHARED, accepted, errors, recordings, rules

from seamwright.check import check_request

pytestmark = pytest.mark.skipif(not (SHARED / "recorded").is_dir(), reason="the recordings are not here")

EXPLAINED = {
    "C5": "an assistant message whose only text is empty: what the model itself sent back beside a tool call",
    "P2": "a message or call with its id and no reasoning in its turn: its response had none, as no body shows",
    "T3": "a function without strict whose schema would not pass strict mode; the server falls back to a loose reading",
    "T7": "tools: [], which this API takes and others do not",
}
"""Every kind of warning that accepted requests give, and why it is no more than that."""


def profile_of(provider: str) -> str:
    """The endpoint a recording was made at."""
    return {"azure": "azure", "chatgpt-codex": "codex", "openai": "openai"}.get(provider, "compatible")


def test_accepted_requests_have_no_error(capsys: pytest.CaptureFixture[str]) -> None:
    """No request that OpenAI or Azure accepted has an error; every kind of warning is one that is explained."""
    kinds: Counter[str] = Counter()
    for pair in accepted():
        found = check_request(pair["request"], profile_of(pair["provider"]))
        assert errors(found) == [], pair["id"]
        kinds.update(violation.rule for violation in found)
    with capsys.disabled():
        print(f"\n{len(accepted())} accepted requests, no error; warnings:")
        for rule, count in sorted(kinds.items()):
            print(f"  {rule} {count:3} {EXPLAINED.get(rule, '?')}")
    assert len(accepted()) > 400
    assert set(kinds) <= set(EXPLAINED)


def test_the_codex_endpoint_takes_what_it_took() -> None:
    """Requests recorded at the codex endpoint have no error under its profile."""
    pairs = [p for p in recordings() if p.get("provider") == "chatgpt-codex" and p.get("status") == 200]
    assert pairs
    for pair in pairs:
        assert errors(check_request(pair["request"], "codex")) == [], pair["id"]


def test_compatible_endpoints_take_what_they_took() -> None:
    """Requests that other providers accepted have no error under the loosest profile."""
    pairs = [p for p in recordings() if profile_of(str(p.get("provider"))) == "compatible" and p.get("status") == 200]
    assert pairs
    for pair in pairs:
        assert errors(check_request(pair["request"], "compatible")) == [], pair["id"]


@pytest.mark.parametrize(
    ("told", "rule"),
    [
        ("required following item", "P1"),
        ("unsupported MIME type", "M3"),
        ("decimal below minimum value", "K1"),
    ],
)
def test_refused_requests_are_found(told: str, rule: str) -> None:
    """A recorded refusal whose cause stands in the body is named by the rule it broke."""
    refused = [p for p in recordings() if p.get("status") == 400 and told in str(p.get("response"))]
    assert refused
    for pair in refused:
        assert rule in rules(check_request(pair["request"], profile_of(pair["provider"]))), pair["id"]
