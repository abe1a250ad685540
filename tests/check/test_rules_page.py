"""The table of rules and the page made from it."""

from __future__ import annotations

import re

from check_bodies import ROOT

from seamwright.check import RULES
from seamwright.check.page import rules_page

PAGE = ROOT / "docs" / "rules.md"


def test_the_page_is_up_to_date() -> None:
    """The page in the documentation is the one the table gives: ``python -m seamwright.check.page > docs/rules.md``."""
    assert PAGE.read_text(encoding="utf-8") == rules_page()


def test_every_rule_stands_on_the_page() -> None:
    """Every rule has one entry with an anchor the overview links to, its meaning, the API's text and the remedy."""
    page = rules_page()
    for rule in RULES:
        anchor = f"rule-{rule.id.lower()}"
        assert page.count(f"({anchor})=") == page.count(f"(#{anchor})") == 1
        entry = page.split(f"({anchor})=")[1].split("\n(")[0]
        assert rule.meaning in entry
        assert rule.remedy in entry
        assert rule.api_error in entry


def test_the_table_is_whole() -> None:
    """Ids are unique; every rule says what holds and what to do; only undecidable ones look for nothing."""
    assert len({rule.id for rule in RULES}) == len(RULES)
    found_elsewhere = {"X1", "L1", "M1"}
    for rule in RULES:
        assert re.fullmatch(r"[A-Z]\d+", rule.id)
        assert rule.meaning.endswith(".")
        assert rule.remedy.endswith((".", "…"))
        assert bool(rule.checks) == (rule.severity is not None and rule.id not in found_elsewhere)


def test_every_check_says_its_rule() -> None:
    """The docstring of every function in the table begins with the id of a rule."""
    for rule in RULES:
        for check in rule.checks:
            assert re.match(r"[A-Z]\d+\b", check.run.__doc__), check.run
            assert rule.id in check.run.__doc__.split(":")[0], (rule.id, check.run)
