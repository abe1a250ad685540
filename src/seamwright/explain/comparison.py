"""Where two requests first differ, what kind of change that is, and what it costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import attrs

from seamwright.explain.outline import CountTokens, Outline, OutlinedItem, Piece, outline
from seamwright.ingest.ingested import Usage
from seamwright.model.guards import is_array, is_mapping
from seamwright.wire.assembled import AssembledInput
from seamwright.wire.difference import first_difference

Kind = Literal[
    "same",
    "appended only",
    "model changed",
    "tools changed",
    "instructions changed",
    "history rewritten",
    "item inserted",
    "item removed",
    "history cut",
]

Verdict = Literal["hit", "ours", "provider", "too short", "unknown"]

CACHE_MINIMUM: Final = 1024
"""The API caches prefixes from this many tokens on, in steps of 128 (the vendor's guide to prompt caching)."""
CACHE_STEP: Final = 128


@attrs.frozen
class LostReasoning:
    """A reasoning item of the previous request that stood behind the change. ``sent``: whether the next still carries it."""

    index: int
    id: str | None
    sent: bool


@attrs.frozen
class CacheVerdict:
    """Whose a cache miss was. ``expected`` and ``cached`` in tokens, None where the usage does not say."""

    verdict: Verdict
    text: str
    expected: int
    cached: int | None


@attrs.frozen(kw_only=True)
class Explanation:
    """What changed from one request to the next.

    ``section`` (``model``, ``tools``, ``instructions``, ``input``), ``index`` (of the tool or item) and ``path`` say where
    they first differ; None when nothing before the end of the previous prefix does. ``shared_items``, ``shared_bytes`` and
    ``shared_tokens`` measure the prefix both have. ``parameters`` names other parameters that changed.
    """

    kind: Kind
    section: str | None
    index: int | None
    path: str | None
    shared_items: int
    shared_bytes: int
    shared_tokens: int
    appended: int
    reasoning: tuple[LostReasoning, ...]
    parameters: tuple[str, ...]
    cache: CacheVerdict | None

    def __str__(self) -> str:
        lines = [self.kind + (f" at {self.path}" if self.path else "")]
        lines.append(
            f"shared prefix: {self.shared_items} items, {self.shared_bytes} bytes, ~{self.shared_tokens} tokens"
        )
        if self.appended:
            lines.append(f"appended: {self.appended} items")
        lines += [
            f"reasoning at input[{one.index}] ({one.id or 'no id'}): "
            + ("still sent" if one.sent else "not sent any more")
            for one in self.reasoning
        ]
        if self.parameters:
            lines.append(f"other parameters that changed: {', '.join(self.parameters)}")
        if self.cache is not None:
            lines.append(f"cache: {self.cache.text}")
        return "\n".join(lines)


Request = AssembledInput | Mapping[str, Any] | Outline


def explain(
    previous: Request,
    next: Request,
    usage: Usage | Mapping[str, Any] | None = None,
    *,
    count: CountTokens | None = None,
) -> Explanation:
    """Why the next request is not simply the previous one gone on.

    Both may be builds, request bodies, or outlines (:func:`seamwright.explain.outline`), which hold digests only. ``usage`` is
    that of the response to *next*; with it the explanation says whether a cache miss was ours or the provider's. ``count``
    counts tokens; without it four bytes count as one.
    """
    before, after = outline(previous, count), outline(next, count)
    found = _first_change(before, after)
    shared = _shared(before, after, found)
    path = None if found.section is None else _path(previous, next, found)
    return Explanation(
        kind=found.kind,
        section=found.section,
        index=found.index,
        path=path,
        shared_items=found.items,
        shared_bytes=sum(piece.size for piece in shared),
        shared_tokens=sum(piece.tokens for piece in shared),
        appended=max(0, len(after.input) - len(before.input)) if found.section is None else 0,
        reasoning=_reasoning(before, after, found),
        parameters=_parameters(before, after),
        cache=None if usage is None else _cache(sum(piece.tokens for piece in shared), found, _cached_tokens(usage)),
    )


@attrs.frozen
class _Change:
    kind: Kind
    section: str | None = None
    index: int | None = None
    items: int = 0


def _first_change(before: Outline, after: Outline) -> _Change:
    """The sections are looked at in the order in which they stand in the prompt."""
    if before.model != after.model:
        return _Change("model changed", "model")
    if before.tools != after.tools:
        return _Change("tools changed", "tools", _differing(before.tools, after.tools))
    if before.instructions != after.instructions:
        return _Change("instructions changed", "instructions")
    return _input_change(before, after)


def _input_change(before: Outline, after: Outline) -> _Change:
    old, new = before.input, after.input
    length = before.prefix_length
    index = _differing([item.whole for item in old], [item.whole for item in new])
    if index is None:
        return _Change("same", items=len(old))
    if index >= length:
        return _Change("appended only", items=index)
    return _Change(_input_kind(old, new, index), "input", index, index)


def _input_kind(old: Sequence[OutlinedItem], new: Sequence[OutlinedItem], index: int) -> Kind:
    if index >= len(new):
        return "history cut"
    gone = _find(old[index:], new[index])
    came = _find(new[index:], old[index])
    if came is not None and (gone is None or came <= gone):
        return "item inserted"
    return "item removed" if gone is not None else "history rewritten"


def _find(items: Sequence[OutlinedItem], wanted: OutlinedItem) -> int | None:
    return next((place for place, item in enumerate(items) if item.whole.digest == wanted.whole.digest), None)


def _differing(old: Sequence[Piece], new: Sequence[Piece]) -> int | None:
    """The first index at which two sequences differ; None when they are equal."""
    common = min(len(old), len(new))
    index = next((i for i in range(common) if old[i].digest != new[i].digest), common)
    return None if index == len(old) == len(new) else index


def _shared(before: Outline, after: Outline, found: _Change) -> list[Piece]:
    """The pieces of the prefix that both requests have."""
    if found.section == "model":
        return []
    if found.section == "tools":
        return list(before.tools[: found.index])
    pieces = list(before.tools)
    if found.section == "instructions":
        return pieces
    if before.instructions is not None:
        pieces.append(before.instructions)
    return [*pieces, *(item.whole for item in after.input[: found.items])]


def _path(previous: Request, next: Request, found: _Change) -> str:
    """The place of the change: down to the text where both texts are there, else to the field whose digest differs."""
    place = found.section or ""
    if found.index is None:
        return place
    place = f"{place}[{found.index}]"
    if found.kind != "history rewritten" and found.section == "input":
        return place
    old, new = (_element(request, found) for request in (previous, next))
    if isinstance(old, OutlinedItem) and isinstance(new, OutlinedItem):
        keys = [*old.fields, *(key for key in new.fields if key not in old.fields)]
        key = next((key for key in keys if old.fields.get(key) != new.fields.get(key)), None)
        return place if key is None else f"{place}.{key}"
    difference = first_difference(old, new, place)
    return place if difference is None else difference.path


def _element(request: Request, found: _Change) -> Any:
    """The tool or item that changed: itself, or its outline where the texts are not at hand."""
    assert found.section is not None
    assert found.index is not None
    held = request.to_request() if isinstance(request, AssembledInput) else request
    if isinstance(held, Outline) or held.get("outline") == 1:
        return _at(getattr(outline(held), found.section), found.index)
    return _at(held.get(found.section), found.index)


def _at(items: Any, index: int) -> Any:
    return items[index] if is_array(items) and index < len(items) else None


def _reasoning(before: Outline, after: Outline, found: _Change) -> tuple[LostReasoning, ...]:
    """The reasoning items behind the change: their prefix is another now."""
    if found.section is None:
        return ()
    sent = {item.fields["encrypted_content"].digest for item in after.input if "encrypted_content" in item.fields}
    return tuple(
        LostReasoning(
            index, item.id, "encrypted_content" in item.fields and item.fields["encrypted_content"].digest in sent
        )
        for index, item in enumerate(before.input)
        if index >= found.items and item.is_reasoning
    )


def _parameters(before: Outline, after: Outline) -> tuple[str, ...]:
    names = sorted({*before.parameters, *after.parameters})
    return tuple(name for name in names if before.parameters.get(name) != after.parameters.get(name))


def _cached_tokens(usage: Usage | Mapping[str, Any]) -> int | None:
    if isinstance(usage, Usage):
        return usage.cached_tokens
    usage = usage["usage"] if is_mapping(usage.get("usage")) else usage
    details = usage.get("input_tokens_details")
    cached = details.get("cached_tokens") if is_mapping(details) else usage.get("cached_tokens")
    return cached if isinstance(cached, int) and not isinstance(cached, bool) else None


def _cache(shared: int, found: _Change, cached: int | None) -> CacheVerdict:
    expected = shared // CACHE_STEP * CACHE_STEP if shared >= CACHE_MINIMUM else 0
    if cached is None:
        return CacheVerdict("unknown", "the usage does not say how many tokens were cached", expected, None)
    if expected == 0:
        changed = found.section is not None
        text = f"only ~{shared} tokens are shared; a prefix is cached from {CACHE_MINIMUM} on"
        return CacheVerdict("ours" if changed else "too short", text, expected, cached)
    if cached >= 0.9 * expected - CACHE_STEP:
        return CacheVerdict("hit", f"{cached} tokens came from the cache, ~{expected} could", expected, cached)
    text = (
        f"the provider's: ~{expected} tokens could come from the cache and {cached} did; the shared prefix is unchanged"
    )
    return CacheVerdict("provider", text, expected, cached)
