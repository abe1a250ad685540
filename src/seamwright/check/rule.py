"""What a rule is: its texts, and the functions that look for it."""

from __future__ import annotations

from typing import Any, Literal

import attrs

from seamwright.check.conditions import Condition
from seamwright.check.context import BodyCheck, ObjectCheck
from seamwright.check.violation import Severity

Scope = Literal["body", "item", "part", "tool"]


@attrs.frozen
class Check:
    """One function and where it runs: on the body, or on every item, part or tool of the types named.

    For parts ``owners`` says in what they stand: ``message``, ``output``, ``summary``, or ``screenshot`` for the output
    of a computer call. ``when``: where it can find anything at all.
    """

    scope: Scope
    run: Any
    types: tuple[str, ...] = ()
    owners: tuple[str, ...] = ()
    when: Condition | None = None


@attrs.frozen(kw_only=True)
class Rule:
    """A rule of the API. ``severity`` None: a body does not show it, so nothing looks for it.

    ``meaning``: what holds in an accepted request. ``api_error``: what the API says otherwise, empty when nobody quoted
    it. ``remedy``: what to do. ``varies``: where the severity is another one.
    """

    id: str
    severity: Severity | None
    meaning: str
    api_error: str = ""
    remedy: str = ""
    varies: str = ""
    checks: tuple[Check, ...] = ()


def on_body(run: BodyCheck) -> Check:
    """A check that looks at the body once, after all items were seen."""
    return Check("body", run)


def on_items(run: ObjectCheck, *types: str, when: Condition | None = None) -> Check:
    """A check of items of these types."""
    return Check("item", run, types, when=when)


def on_parts(
    run: ObjectCheck,
    *types: str,
    owners: tuple[str, ...] = ("message", "output"),
    when: Condition | None = None,
) -> Check:
    """A check of content parts of these types."""
    return Check("part", run, types, owners, when)


def on_tools(run: ObjectCheck, *types: str) -> Check:
    """A check of tool declarations of these types, wherever they stand."""
    return Check("tool", run, types)
