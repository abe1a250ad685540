"""The running hash over a request's prefix: what a reasoning item was produced under."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal, Protocol

import attrs
import xxhash

from seamwright.wire.canonical import canonical_bytes
from seamwright.wire.items import Item


class PrefixHash(Protocol):
    """A running hash: of a model, instructions and tools, then of items in order."""

    def update(self, item: Item, /) -> None: ...

    def digest(self) -> str: ...

    def copy(self) -> PrefixHash: ...


class Fingerprint(Protocol):
    """Starts a running hash. The digest after *k* items equals one made from scratch over those *k*.

    Key order must not matter, item boundaries must; absent, null and ``[]`` must differ.
    """

    def __call__(self, *, model: str, instructions: str | None, tools: list[dict[str, Any]] | None) -> PrefixHash: ...


class _Hasher(Protocol):
    def update(self, data: bytes, /) -> None: ...

    def hexdigest(self) -> str: ...

    def copy(self) -> Any: ...


def _head(model: str, instructions: str | None, tools: list[dict[str, Any]] | None) -> dict[str, Any]:
    head: dict[str, Any] = {"model": model}
    if instructions is not None:
        head["instructions"] = instructions
    if tools is not None:
        head["tools"] = tools
    return head


class _Framed:
    """Length-framed canonical JSON of one value after the other."""

    __slots__ = ("_prefix", "hasher")

    def __init__(self, prefix: str, hasher: _Hasher) -> None:
        self._prefix = prefix
        self.hasher = hasher

    def update(self, item: Item, /) -> None:
        self.update_each((item,))

    def update_each(self, items: Iterable[Item]) -> None:
        """Several in one go, with what is needed for each looked up once."""
        take = self.hasher.update
        for data in map(canonical_bytes, items):
            take(b"%d:" % len(data))
            take(data)

    def digest(self) -> str:
        return self._prefix + self.hasher.hexdigest()

    def copy(self) -> _Framed:
        return _Framed(self._prefix, self.hasher.copy())


def fingerprint(*, model: str, instructions: str | None, tools: list[dict[str, Any]] | None) -> PrefixHash:
    """The default: xxh3-128, written ``xxh3-1:{32 hex}``.

    The prefix lets the scheme change without meeting old values.
    """
    running = _Framed("xxh3-1:", xxhash.xxh3_128())
    running.update(_head(model, instructions, tools))
    return running


@attrs.frozen
class Sha256Fingerprint:
    """SHA-256 in the place of xxh3-128, written ``sha256-1:{64 hex}``."""

    def __call__(self, *, model: str, instructions: str | None, tools: list[dict[str, Any]] | None) -> PrefixHash:
        running = _Framed("sha256-1:", hashlib.sha256())
        running.update(_head(model, instructions, tools))
        return running


class _Fixed:
    __slots__ = ("_digest",)

    def __init__(self, digest: str) -> None:
        self._digest = digest

    def update(self, item: Item, /) -> None:
        """Items don't count."""

    def digest(self) -> str:
        return self._digest

    def copy(self) -> _Fixed:
        return self


@attrs.frozen
class OriginFingerprint:
    """Covers the model and the endpoint only, written ``origin-1:{32 hex}``.

    For hosts whose instructions or tools change every turn.
    """

    endpoint: str

    def __call__(self, *, model: str, instructions: str | None, tools: list[dict[str, Any]] | None) -> PrefixHash:
        head = canonical_bytes({"endpoint": self.endpoint, "model": model})
        return _Fixed("origin-1:" + xxhash.xxh3_128_hexdigest(head))


def update_one(running: PrefixHash, items: Sequence[Item]) -> None:
    """The items into one hash."""
    if isinstance(running, _Framed):
        running.update_each(items)
    else:
        for item in items:
            running.update(item)


def update_all(hashes: Sequence[PrefixHash], items: Sequence[Item]) -> None:
    """The items into every hash. The hashes of this module share their spelling, which costs more than hashing it."""
    framed = [one.hasher.update for one in hashes if isinstance(one, _Framed)]
    others = [one.update for one in hashes if not isinstance(one, _Framed)]
    for item in items if framed else ():
        data = canonical_bytes(item)
        length = b"%d:" % len(data)
        for take in framed:
            take(length)
            take(data)
    for update in others:
        for item in items:
            update(item)


Section = Literal["model", "instructions", "tools", "input"]
SECTIONS: Final[tuple[Section, ...]] = ("model", "instructions", "tools", "input")


class SectionDigests:
    """One digest for each part of a request, made when first asked for.

    Each comes from a fresh fingerprint over that part alone.
    """

    def __init__(
        self, fingerprint: Fingerprint, model: str, instructions: str | None, tools: list[dict[str, Any]] | None
    ) -> None:
        self._fingerprint = fingerprint
        self.parts: dict[str, Any] = {"model": model, "instructions": instructions, "tools": tools}
        self._known: dict[str, str] = {}
        self._before: list[Item] = []
        self._input: PrefixHash | None = None
        self._hashed = 0
        self._attempt = -1
        self._ahead: PrefixHash | None = None
        self._hashed_ahead = 0

    def begin(self, items: list[Item]) -> None:
        """The items that stand before the walk begins."""
        self._before = items

    def part(self, name: Section) -> str:
        """The digest of model, instructions or tools."""
        if name not in self._known:
            alone: dict[str, Any] = {"model": "", "instructions": None, "tools": None} | {name: self.parts[name]}
            self._known[name] = self._fingerprint(**alone).digest()
        return self._known[name]

    def fresh(self) -> PrefixHash:
        """A hash of the input section before its first item."""
        return self._fingerprint(model="", instructions=None, tools=None)

    def input(self, items: list[Item], settled: int, attempt: int) -> str:
        """The digest of the items before the walk and of all *items*.

        The first *settled* of them stay as they are from call to call, the others as long as it is the same *attempt*:
        each item is hashed once.
        """
        if self._input is None:
            self._input = self.fresh()
            for item in self._before:
                self._input.update(item)
        if self._ahead is None or self._attempt != attempt:
            for index in range(self._hashed, settled):
                self._input.update(items[index])
            self._hashed = self._hashed_ahead = settled
            self._ahead, self._attempt = self._input.copy(), attempt
        for index in range(self._hashed_ahead, len(items)):
            self._ahead.update(items[index])
        self._hashed_ahead = len(items)
        return self._ahead.digest()

    def all(self, input_digest: str) -> dict[str, str]:
        """All four, as a payload keeps them."""
        heads = {name: self.part(name) for name in SECTIONS if name != "input"}
        return heads | {"input": input_digest}


@attrs.define
class Prefix:
    """The running hash that step 3 is given.

    It also knows what it began with, so that a stale item can say which part differs.
    """

    running: PrefixHash
    sections: SectionDigests
    items: list[Item] = attrs.field(factory=list[Item])

    def update(self, item: Item, /) -> None:
        self.running.update(item)
        self.items.append(item)

    def digest(self) -> str:
        return self.running.digest()

    def copy(self) -> Prefix:
        return Prefix(self.running.copy(), self.sections, list(self.items))


def start_prefix(
    fingerprint: Fingerprint, model: str, instructions: str | None, tools: list[dict[str, Any]] | None
) -> Prefix:
    """The prefix of a request before its first item."""
    running = fingerprint(model=model, instructions=instructions, tools=tools)
    return Prefix(running, SectionDigests(fingerprint, model, instructions, tools))
