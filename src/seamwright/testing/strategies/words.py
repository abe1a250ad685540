"""Texts, ids, times and JSON: the values that primitives are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

Fields = SearchStrategy[Any]

BASE_TIME: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)
"""What generated times are counted from."""

ENVELOPE_NAMES: Final = (
    "system_instructions",
    "memories",
    "retrieved_corpus",
    "memory_",
    "retrieved_",
    "untrusted_content_",
    "trusted_content_",
    "thought_",
    "message_",
    "peer_agent_output_",
)
"""Names of the tags that structure a request; one that ends in ``_`` goes on with a nonce."""

_FOLDS: Final = {"ss": ("ß", "ẞ"), "st": ("ﬅ", "ﬆ"), "s": ("s", "S", "ſ"), "k": ("k", "K", "\u212a")}
_SPACES: Final = ("", "", " ", "\t", "\n", "\r\n", "\x0b\x1f", "\x85", "\xa0", "\u2028", "\u3000 ")
_TAILS: Final = ("", ">", "/>", ' nonce="m1">', "\n>", " kind='trusted-tool-result'")
_ODDITIES: Final = (
    "<",
    "</",
    ">",
    "&lt;",
    "&",
    '"',
    "'",
    "[media id: m1 | a.png]",
    "]]>",
    "\x00",
    "\x1b[2J",
    "\n",
    "\r\n",
    "\ud83d",
    "\udc00",
    "\u200f\u202e",
    "\u200b",
    "\ufeff",
    "😀",
    "𝕞𝕖𝕞𝕠𝕣𝕪_",
    "é",
    "e\u0301",
    "x" * 300,
)
_WORDS: Final = ("yes", "Where is my parcel?", "naïve café", "42", "{}", "line one\nline two", "memories of message_s")

# Few, so that two things of one state often meet in an id.
PLAIN_IDS: Final = ("m1", "m2", "a.b-c", "msg_1", "msg_abc", "fc_1", "rs_1", "call_1", "call_1|fc_1", "call_2|fc_odd!")
_ODD_IDS: Final = (
    "with space",
    'quo"te',
    "a<b>c",
    "</memories>",
    "x_0123456789abcdef",
    "|fc_1",
    "é",
    "\ud800",
    "msg_",
    "n" * 200,
)
_ZONES: Final = (UTC, timezone(timedelta(hours=5, minutes=30)), timezone(timedelta(hours=-8)))


def _spelling(name: str, bits: int) -> str:
    """A name in letters that fold to it; ``bits`` chooses each."""
    result = ""
    while name:
        bits, choice = divmod(bits, 7)
        pair = _FOLDS.get(name[:2]) if choice == 6 else None
        if pair is not None:
            result, name = result + pair[bits % len(pair)], name[2:]
            continue
        letters = _FOLDS.get(name[0], (name[0], name[0].upper()))
        result, name = result + letters[choice % len(letters)], name[1:]
    return result


@st.composite
def envelope_tags(draw: DrawFn, nonces: SearchStrategy[str] | None = None) -> str:
    """An opening or closing tag of an envelope, in any letter case and spacing that a reader may take for one."""
    name = draw(st.sampled_from(ENVELOPE_NAMES))
    if name.endswith("_"):
        name += draw(nonces or st.sampled_from(PLAIN_IDS))
    name = _spelling(name, draw(st.integers(0, 7**12)))
    spaces = [draw(st.sampled_from(_SPACES)) for _ in range(2)]
    slash = draw(st.sampled_from(("", "/")))
    return f"<{spaces[0]}{slash}{spaces[1]}{name}{draw(st.sampled_from(_TAILS))}"


def hostile_texts() -> SearchStrategy[str]:
    """Texts that try to leave the envelope they stand in, or to break whoever reads them. Never empty."""
    pieces = st.one_of(envelope_tags(), st.sampled_from(_ODDITIES), st.sampled_from(_WORDS))
    return st.lists(pieces, min_size=1, max_size=5).map("".join)


def texts() -> SearchStrategy[str]:
    """Texts that are not empty, harmless and hostile."""
    return st.one_of(st.sampled_from(_WORDS), hostile_texts())


def ids() -> SearchStrategy[str]:
    """Ids of any form: plain ones of a small set, those of providers, and odd ones."""
    fresh = st.integers(0, 99).map(lambda number: f"id-{number}")
    return st.one_of(fresh, st.sampled_from(PLAIN_IDS), st.sampled_from(_ODD_IDS))


def times() -> SearchStrategy[datetime]:
    """Zone-aware times within a minute of :data:`BASE_TIME`, often equal, in several zones."""

    def time(microseconds: int, zone: timezone) -> datetime:
        return (BASE_TIME + timedelta(microseconds=microseconds)).astimezone(zone)

    whole_seconds = st.integers(0, 60).map(lambda seconds: seconds * 1_000_000)
    return st.builds(time, whole_seconds | st.sampled_from((1_000_500, 1_000_999)), st.sampled_from(_ZONES))


def json_objects() -> SearchStrategy[dict[str, Any]]:
    """Small JSON objects; strings in them may be hostile."""
    scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts()
    keys = st.sampled_from(("a", "b", "é", "a b", ""))
    values = st.recursive(
        scalars, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(keys, inner, max_size=2), max_leaves=4
    )
    return st.dictionaries(keys, values, max_size=3)


def built(kind: Callable[..., Any], own: Mapping[str, Fields], given: Mapping[str, Fields]) -> SearchStrategy[Any]:
    """Instances of a class from strategies of its fields; those given replace its own."""
    return st.builds(kind, **{**own, **given})


def optional(strategy: Fields) -> Fields:
    """A value, or None."""
    return st.none() | strategy
