"""Whose a cache miss was, by the usage of the response."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import attrs

from seamwright.ingest.ingested import Usage
from seamwright.model.guards import is_mapping

Verdict = Literal["hit", "ours", "provider", "both", "too short", "unknown"]

CACHE_MINIMUM: Final = 1024
"""The API caches prefixes from this many tokens on, in steps of 128 (the vendor's guide to prompt caching)."""
CACHE_STEP: Final = 128
_ENOUGH: Final = 0.6
"""From this share of what was expected on it is a hit: an estimate from bytes is off by that much on recorded traffic,
while what really misses the cache mostly misses all of it."""


@attrs.frozen
class CacheVerdict:
    """Whose a cache miss was.

    ``ours``: the request changed. ``provider``: it did not, and yet less came from the cache than could. ``both``: it
    changed, and of what was left less came than could. ``too short``: nothing of this length is cached.
    ``expected`` (about what could come from the cache) and ``cached`` (what did) in tokens; None where nobody says.
    """

    verdict: Verdict
    text: str
    expected: int
    cached: int | None


@attrs.frozen
class Counts:
    """Tokens by our own count: of the prefix both requests have, of the previous prefix, of the whole next request."""

    shared: int
    before: int
    after: int


def judge(
    usage: Usage | Mapping[str, Any], counts: Counts, place: str | None, parameters: Sequence[str]
) -> CacheVerdict:
    """Judges a usage. ``place``: where the request changed, None when it did not; ``parameters``: others that did."""
    given, cached = _given(usage)
    # what the provider counted for the whole request says how far our own count is off
    scale = given / counts.after if given and counts.after else 1
    shared, before = round(counts.shared * scale), round(counts.before * scale)
    could, would = _cacheable(shared), _cacheable(before)
    if cached is None:
        return CacheVerdict("unknown", "the usage does not say how many tokens were cached", could, None)
    if would == 0 and cached == 0:
        text = f"nothing is cached below {CACHE_MINIMUM} tokens, and the previous prefix has ~{before}"
        return CacheVerdict("too short", text, could, cached)
    verdict, text = _judged(cached, could, would, place, parameters)
    return CacheVerdict(verdict, text, could, cached)


def _cacheable(tokens: int) -> int:
    return tokens // CACHE_STEP * CACHE_STEP if tokens >= CACHE_MINIMUM else 0


def _enough(cached: int, expected: int) -> bool:
    return cached > 0 and cached >= _ENOUGH * expected - CACHE_STEP


def _judged(cached: int, could: int, would: int, place: str | None, parameters: Sequence[str]) -> tuple[Verdict, str]:
    """``could``: about what could come from the cache; ``would``: what could if nothing had changed."""
    whole = _enough(cached, would) if place is None else cached > 0 and cached >= (could + would) / 2
    if whole:
        return "hit", f"{cached} tokens came from the cache, about what could"
    lost = f"the change at {place} cost the cache of ~{would - could} tokens"
    if place is not None and (could == 0 or _enough(cached, could)):
        return "ours", f"ours: {cached} tokens came from the cache; {lost}"
    if parameters:
        named = ", ".join(parameters)
        return "ours", f"ours, it seems: {cached} tokens came from the cache, not ~{could}, and {named} changed"
    if place is not None:
        return "both", f"both: {lost}, and of ~{could} that were left only {cached} came from it"
    return (
        "provider",
        f"the provider's: {cached} tokens came from the cache, not ~{could}, and nothing before them changed",
    )


def _given(usage: Usage | Mapping[str, Any]) -> tuple[int | None, int | None]:
    """The input tokens and the cached ones among them, of a usage or of a response that holds one."""
    if isinstance(usage, Usage):
        return usage.input_tokens, usage.cached_tokens
    inner: Any = usage.get("usage")
    found: Any = inner if is_mapping(inner) else usage
    details: Any = found.get("input_tokens_details")
    cached = details.get("cached_tokens") if is_mapping(details) else found.get("cached_tokens")
    return _number(found.get("input_tokens")), _number(cached)


def _number(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None
