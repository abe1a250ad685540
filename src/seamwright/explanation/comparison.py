"""Where two requests first differ, what kind of change that is, and what it costs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import attrs

from seamwright.explanation.cache import CacheVerdict, Counts, judge
from seamwright.explanation.changes import Change, Kind, Section, first_change
from seamwright.explanation.outline import CountTokens, Outline, Piece, is_outline, items_of, outline
from seamwright.ingest.ingested import Usage
from seamwright.model.guards import is_array
from seamwright.wire.assembled import AssembledInput
from seamwright.wire.difference import first_difference

Request = AssembledInput | Mapping[str, Any] | Outline
"""A build, a request body (also one of ``to_request``), or an outline, as JSON too."""


@attrs.frozen
class LostReasoning:
    """A reasoning item of the previous request behind the change. ``sent``: whether the next one still carries it."""

    index: int
    id: str | None
    sent: bool


@attrs.frozen(kw_only=True)
class Explanation:
    """What changed from one request to the next.

    ``section`` (``model``, ``tools``, ``text``, ``instructions``, ``input``), ``index`` (of the tool or item) and
    ``path`` say where they first differ; None when nothing before the end of the previous prefix does. ``count`` is
    the number of items inserted, removed, cut or appended. ``shared_items``, ``shared_bytes`` and ``shared_tokens``
    measure the prefix both have, ``shared_tokens`` being an estimate where nothing counts. ``reasoning`` is what
    stood behind the change. ``parameters`` names other parameters that changed.
    """

    kind: Kind
    section: Section | None
    index: int | None
    path: str | None
    count: int
    shared_items: int
    shared_bytes: int
    shared_tokens: int
    reasoning: tuple[LostReasoning, ...]
    parameters: tuple[str, ...]
    cache: CacheVerdict | None

    def __str__(self) -> str:
        place = f" at {self.path}" if self.path else ""
        count = f" ({_items(self.count)})" if self.count else ""
        lines = [
            f"{self.kind}{place}{count}",
            f"shared prefix: {_items(self.shared_items)}, {self.shared_bytes} bytes, ~{self.shared_tokens} tokens",
        ]
        for one in self.reasoning:
            sent = "still sent, produced under another prefix" if one.sent else "not sent any more"
            lines.append(f"reasoning at input[{one.index}] ({one.id or 'no id'}): {sent}")
        if self.parameters:
            lines.append(f"other parameters that changed: {', '.join(self.parameters)}")
        if self.cache is not None:
            lines.append(f"cache: {self.cache.text}")
        return "\n".join(lines)


def _items(count: int) -> str:
    return f"{count} {'item' if count == 1 else 'items'}"


def explain(
    previous: Request,
    next: Request,  # noqa: A002  # the pair's own words; nothing here iterates
    usage: Usage | Mapping[str, Any] | None = None,
    *,
    count: CountTokens | None = None,
) -> Explanation:
    """Why the next request is not simply the previous one gone on.

    Both may be builds, request bodies, or outlines (:func:`seamwright.explanation.outline`), which hold digests only.
    ``usage`` is that of the response to *next*; with it the explanation says whether a cache miss was ours or the
    provider's. ``count`` counts tokens; without it four bytes count as one. Raises :class:`OutlineError` for anything
    that is no request.
    """
    before, after = outline(previous, count), outline(next, count)
    found = first_change(before, after)
    shared = _tokens_and_bytes(_shared(before, found))
    path = None if found.section is None else _path(previous, next, found)
    parameters = _parameters(before, after, found)
    verdict = None
    if usage is not None:
        counts = Counts(shared[0], _tokens_and_bytes(_whole(before))[0], _tokens_and_bytes(_whole(after, True))[0])
        verdict = judge(usage, counts, path, parameters)
    return Explanation(
        kind=found.kind,
        section=found.section,
        index=found.index,
        path=path,
        count=found.count,
        shared_items=found.items,
        shared_bytes=shared[1],
        shared_tokens=shared[0],
        reasoning=_reasoning(before, after, found),
        parameters=parameters,
        cache=verdict,
    )


def _tokens_and_bytes(pieces: list[Piece]) -> tuple[int, int]:
    return sum(piece.tokens for piece in pieces), sum(piece.size for piece in pieces)


def _whole(one: Outline, trailing: bool = False) -> list[Piece]:
    items = one.input if trailing else one.input[: one.prefix_length]
    return [*one.prefix(), *(item.whole for item in items)]


def _shared(before: Outline, found: Change) -> list[Piece]:
    """The pieces of the prefix that both requests have."""
    match found.section:
        case "model":
            return []
        case "tools":
            return list(before.tools[: found.index])
        case "text":
            return list(before.tools)
        case "instructions":
            return before.prefix()[: -1 if before.instructions is not None else None]
        case _:
            return [*before.prefix(), *(item.whole for item in before.input[: found.items])]


def _path(previous: Request, following: Request, found: Change) -> str:
    """The place of the change: down to the text where both texts are there, else to the field whose digest differs."""
    if found.section == "text":
        return "text.format"
    if found.section is None or found.index is None:
        return found.section or ""
    place = f"{found.section}[{found.index}]"
    if found.section == "input" and found.kind != "history rewritten":
        return place
    bodies = [_body(request) for request in (previous, following)]
    if all(body is not None for body in bodies):
        old, new = (_element(body or {}, found) for body in bodies)
        difference = first_difference(old, new, place)
        return place if difference is None or old is None or new is None else difference.path
    return _outlined_path(outline(previous), outline(following), found, place)


def _body(request: Request) -> Mapping[str, Any] | None:
    """The request with its texts; None when only its digests are there."""
    if isinstance(request, AssembledInput):
        return request.to_request()
    return None if isinstance(request, Outline) or is_outline(request) else request


def _element(body: Mapping[str, Any], found: Change) -> Any:
    elements: Any = body.get("tools") if found.section == "tools" else items_of(body)
    index = found.index or 0
    return elements[index] if is_array(elements) and index < len(elements) else None


def _outlined_path(before: Outline, after: Outline, found: Change, place: str) -> str:
    if found.section != "input" or found.index is None:
        return place
    old, new = before.input[found.index], after.input[found.index]
    keys = [*old.fields, *(key for key in new.fields if key not in old.fields)]
    key = next((key for key in keys if old.fields.get(key) != new.fields.get(key)), None)
    return place if key is None else f"{place}.{key}"


def _reasoning(before: Outline, after: Outline, found: Change) -> tuple[LostReasoning, ...]:
    """The reasoning items behind the change: their prefix is another now."""
    if found.section is None:
        return ()
    sent = {item.fields.get("encrypted_content") for item in after.input} - {None}
    return tuple(
        LostReasoning(index, item.id, item.fields.get("encrypted_content") in sent)
        for index, item in enumerate(before.input)
        if index >= found.items and item.is_reasoning
    )


def _parameters(before: Outline, after: Outline, found: Change) -> tuple[str, ...]:
    names = sorted({*before.parameters, *after.parameters} - ({"text.format"} if found.section == "text" else set()))
    pieces = ((name, before.parameters.get(name), after.parameters.get(name)) for name in names)
    return tuple(name for name, old, new in pieces if (old and old.digest) != (new and new.digest))
