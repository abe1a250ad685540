"""Why a request is what it is: what changed since the last one, and what became of each reasoning item."""

from __future__ import annotations

from seamwright.explanation.cache import CacheVerdict
from seamwright.explanation.comparison import Explanation, LostReasoning, explain
from seamwright.explanation.outline import Outline, outline
from seamwright.explanation.reasoning import ReasoningFate, explain_reasoning

__all__ = [
    "CacheVerdict",
    "Explanation",
    "LostReasoning",
    "Outline",
    "ReasoningFate",
    "explain",
    "explain_reasoning",
    "outline",
]
