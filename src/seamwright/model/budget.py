"""How many tokens a request may have."""

from __future__ import annotations

from typing import Any

import attrs

from seamwright.model.checks import Check
from seamwright.model.guards import is_mapping
from seamwright.model.spelling import shown


def _tokens(value: object) -> str | None:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        return f"{shown(value)} is not a whole number from 1"
    return None


def _share(value: object) -> str | None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value <= 1:
        return f"{shown(value)} is not a share above 0, up to 1"
    return None


@attrs.frozen
class TokenBudget:
    """The input tokens that a request may have.

    ``tokens``: the most. ``low_water``: the share of it that a trimmer cuts down to in one step, above 0 and up to 1;
    the lower, the rarer a cut, and the longer the prefix stays the same that the API has cached.
    """

    tokens: int = attrs.field(validator=Check(_tokens))
    low_water: float = attrs.field(default=0.7, validator=Check(_share))

    @property
    def low_mark(self) -> int:
        """``low_water`` in tokens."""
        return int(self.tokens * self.low_water)


def as_budget(value: Any) -> Any:
    """A number of tokens becomes a budget; what is none is left for the check to refuse."""
    return TokenBudget(value) if isinstance(value, int) and _tokens(value) is None else value


def budget_problem(value: object) -> str | None:
    """What is wrong with a value that should be a budget, or None."""
    if isinstance(value, TokenBudget):
        return None
    if is_mapping(value) or not isinstance(value, int):
        return f"{shown(value)} is not a token budget: a number of tokens, or TokenBudget(tokens, low_water)"
    return _tokens(value)
