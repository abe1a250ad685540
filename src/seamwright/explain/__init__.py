"""Why a request is what it is: what changed since the last one, and what became of each reasoning item."""

from __future__ import annotations

from seamwright.explain.comparison import CacheVerdict, Explanation, LostReasoning, explain
from seamwright.explain.outline import Outline, OutlineError, outline
from seamwright.explain.reasoning import ReasoningFate, explain_reasoning

__all__ = [
    "CacheVerdict",
    "Explanation",
    "LostReasoning",
    "Outline",
    "OutlineError",
    "ReasoningFate",
    "explain",
    "explain_reasoning",
    "outline",
]
