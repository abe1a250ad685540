"""The documentation page of the rules, made from the table: ``python -m seamwright.check.page > docs/rules.md``."""

from __future__ import annotations

from typing import Final

from seamwright.check.models import TABLE_DATE
from seamwright.check.rule import Rule
from seamwright.check.table import RULES

_TOPICS: Final = (
    ("P", "What goes together"),
    ("I", "Ids"),
    ("F", "Fields of items"),
    ("C", "Messages and parts"),
    ("T", "Tools and options"),
    ("M", "Media and models"),
    ("L", "Lengths"),
    ("X", "The body as JSON"),
    ("K", "Parameters"),
)

_HEAD: Final = f"""\
# Rules of the checker

What `check_request` and `seamwright check` look for. An **error** is something the API was seen to refuse in independent
reports, or says itself; a **warning** is something it may refuse, or refuses at some endpoints or for some models. Accepted
traffic gives no error.

A finding names the rule, the place as a JSON path (`input[3].id`), what is wrong there and what to do. `repair_request` and
`seamwright check --fix` put all errors right and report each change. What models can do is a table of {TABLE_DATE}; a model
that is not in it gives no finding.

This page is made from the table in `seamwright.check.table`: `python -m seamwright.check.page > docs/rules.md`.
"""


def rules_page() -> str:
    """The page as Markdown: an overview, then one section for each topic and one entry for each rule."""
    overview = ["| rule | severity | meaning |", "| --- | --- | --- |"]
    overview += [
        f"| [{rule.id}](#{_anchor(rule)}) | {rule.severity or 'not decidable'} | {_cell(rule.meaning)} |"
        for rule in RULES
    ]
    sections = [_section(letter, title) for letter, title in _TOPICS]
    return "\n".join([_HEAD, *overview, "", *sections])


def _anchor(rule: Rule) -> str:
    return f"rule-{rule.id.lower()}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _section(letter: str, title: str) -> str:
    rules = [rule for rule in RULES if rule.id[0] == letter]
    return "\n".join([f"## {title}", "", *(_entry(rule) for rule in rules)])


def _entry(rule: Rule) -> str:
    severity = rule.severity or "not decidable from a body"
    lines = [f"({_anchor(rule)})=", f"### {rule.id}", "", rule.meaning, "", f"- Severity: {severity}"]
    lines[-1] += f" ({rule.varies})" if rule.varies else ""
    if rule.api_error:
        lines.append(f"- The API says: {_code(rule.api_error)}")
    lines += [f"- What to do: {rule.remedy}", ""]
    return "\n".join(lines)


def _code(text: str) -> str:
    fence = "``" if "`" in text else "`"
    return f"{fence} {text} {fence}" if "`" in text else f"{fence}{text}{fence}"


if __name__ == "__main__":
    print(rules_page(), end="")
