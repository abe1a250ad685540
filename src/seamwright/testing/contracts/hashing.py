"""The contract of the running hash."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from hypothesis import strategies as st

from seamwright.model.guards import is_array, is_mapping, is_tuple
from seamwright.model.text import replace_lone_surrogates
from seamwright.seams.fingerprint import SECTIONS, Fingerprint, PrefixHash, Section
from seamwright.testing import strategies as given
from seamwright.testing.contracts.core import MAX_EXAMPLES, Trial, examine
from seamwright.testing.contracts.inputs import clean_texts
from seamwright.testing.keeping import kept
from seamwright.wire.canonical import canonical_bytes

_Head = tuple[str, str | None, list[dict[str, Any]] | None]
_Prefix = tuple[_Head, list[dict[str, Any]]]

_ITEM: Final[dict[str, Any]] = {"type": "message", "role": "user", "content": "a"}
_OTHER: Final[dict[str, Any]] = {"type": "message", "role": "user", "content": "b"}
_ALWAYS: Final[tuple[tuple[_Prefix, _Prefix], ...]] = (
    ((("m", None, None), [_ITEM, _OTHER]), (("m", None, None), [_OTHER, _ITEM])),
    ((("m", None, None), [_ITEM]), (("m", None, None), [_ITEM, _ITEM])),
    ((("m", None, None), [_ITEM]), (("m", None, None), [{**_ITEM, "content": "ab"}])),
    ((("m", None, None), [{**_ITEM, "id": None}]), (("m", None, None), [_ITEM])),
    ((("m", None, None), [{**_ITEM, "content": []}]), (("m", None, None), [{**_ITEM, "content": None}])),
    ((("m", None, None), []), (("m", "", None), [])),
    ((("m", None, None), []), (("m", None, []), [])),
    ((("m", "i", None), []), (("mi", None, None), [])),
    ((("m", "i", None), [_ITEM]), (("n", "i", None), [_ITEM])),
    ((("m", "i", None), [_ITEM]), (("m", "j", None), [_ITEM])),
    ((("m", "i", None), [_ITEM]), (("m", "i", [{"type": "web_search"}]), [_ITEM])),
    ((("m", "i", [{"type": "web_search"}]), [_ITEM]), (("m", "i", [{"type": "web_search"}]), [_ITEM])),
)


def check_fingerprint(
    seam: Fingerprint, /, *, covers: Collection[Section] = SECTIONS, max_examples: int = MAX_EXAMPLES
) -> None:
    """A digest that is not empty and equal exactly where what it covers is equal, whatever the order of keys.

    The digest after some items is that of a hash made from scratch over them; asking for it changes nothing; a copy
    and what it was taken from go on apart. ``covers``: the parts of a request that the hash is about.
    """

    def started(trial: Trial, head: _Head) -> PrefixHash:
        model, instructions, tools = kept(head)
        begun: PrefixHash = trial.once(seam, model=model, instructions=instructions, tools=tools)
        return begun

    def digest(trial: Trial, prefix: _Prefix) -> str:
        head, items = prefix
        running = started(trial, head)
        for item in items:
            trial.once(running.update, kept(item))
        trial.given = prefix
        found = trial.text(running.digest(), empty=False)
        trial.expect(
            running.digest() == found, f"that asking for the digest {found!r} changes nothing", running.digest()
        )
        return found

    def copies(trial: Trial, head: _Head, items: Sequence[dict[str, Any]]) -> None:
        running = started(trial, head)
        for index, item in enumerate(items):
            before = running.copy()
            untouched = before.digest()
            running.update(kept(item))
            trial.given = (head, items)
            trial.expect(before.digest() == untouched, "a copy that stays when the original goes on", before.digest())
            before.update(kept(item))
            trial.expect(before.digest() == running.digest(), "a copy that goes on like the original", before.digest())
            scratch = digest(trial, (head, list(items[: index + 1])))
            trial.given = (head, items)
            trial.expect(scratch == running.digest(), f"the digest from scratch, {scratch!r}", running.digest())

    def look(trial: Trial, value: tuple[_Prefix, _Prefix]) -> None:
        one, other = (digest(trial, prefix) for prefix in value)
        trial.given = value
        same = _covered(value[0], covers) == _covered(value[1], covers)
        trial.expect((one == other) is same, "equal digests" if same else "different digests", (one, other))
        (head, items), _ = value
        turned = digest(trial, (_turned(head), _turned(items)))
        trial.expect(turned == one, f"the digest {one!r}: the order of keys does not count", turned)
        copies(trial, head, items)

    items = st.lists(given.json_objects().map(_clean), max_size=3)
    tools = st.none() | st.lists(st.just({"type": "web_search", "filters": None}), max_size=1)
    heads = st.tuples(st.sampled_from(("m", "n")), st.none() | st.just("") | clean_texts(), tools)
    prefixes = st.tuples(heads, items)
    pairs = st.tuples(prefixes, prefixes) | prefixes.map(lambda prefix: (prefix, kept(prefix)))
    examine("fingerprint", seam, pairs, look, max_examples=max_examples, always=_ALWAYS)


def _covered(prefix: _Prefix, covers: Collection[Section]) -> bytes:
    (model, instructions, tools), items = prefix
    parts: Mapping[str, Any] = {"model": model, "instructions": instructions, "tools": tools, "input": items}
    return canonical_bytes({name: part for name, part in parts.items() if name in covers})


def _turned(value: Any) -> Any:
    """The same with the keys of every mapping the other way round."""
    if is_tuple(value):
        return tuple(map(_turned, value))
    if is_array(value):
        return [_turned(one) for one in value]
    return {key: _turned(one) for key, one in reversed(list(value.items()))} if is_mapping(value) else value


def _clean(value: Any) -> Any:
    """Without lone surrogates, as an item that goes out."""
    if isinstance(value, str):
        return replace_lone_surrogates(value)
    if is_array(value):
        return [_clean(one) for one in value]
    return {_clean(key): _clean(one) for key, one in value.items()} if is_mapping(value) else value
