"""Counting tokens: what a request costs before it is sent."""

from __future__ import annotations

from seamwright.tokens.count import TokenCount
from seamwright.tokens.o200k import O200kCounter
from seamwright.tokens.request import count_request

__all__ = ["O200kCounter", "TokenCount", "count_request"]
