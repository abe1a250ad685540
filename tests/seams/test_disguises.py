"""Reserved tags in disguise, and the neutraliser that finds them."""

from __future__ import annotations

import html
import itertools
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamwright.seams import disguises
from seamwright.seams.disguises import shows_tag, skeleton, strict_neutraliser
from seamwright.seams.envelopes import neutraliser

NAMES = [
    "system_instructions",
    "memories",
    "memory_m1",
    "retrieved_corpus",
    "retrieved_r1",
    "untrusted_content_x",
    "trusted_content_x",
    "thought_t1",
    "message_m1",
    "peer_agent_output_p1",
]


def wide(text: str) -> str:
    """Full-width letters."""
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)


def hidden(text: str) -> str:
    """Invisible tag characters."""
    return "".join(chr(0xE0000 + ord(c)) for c in text)


def numbered(text: str) -> str:
    """Every character as a decimal reference."""
    return "".join(f"&#{ord(c)};" for c in text)


def hexed(text: str) -> str:
    """Every character as a hexadecimal reference without semicolon where that still ends."""
    return "".join(f"&#x{ord(c):06X};" for c in text)


DISGUISES = {
    "plain": str,
    "upper": str.upper,
    "wide": wide,
    "wide bracket": lambda tag: "\uff1c" + tag[1:],
    "small bracket": lambda tag: "\ufe64" + tag[1:],
    "angle": lambda tag: "\u27e8" + tag[1:],
    "zero width": "\u200b".join,
    "soft hyphen": "\u00ad".join,
    "word joiner and selector": "\u2060\ufe0f".join,
    "hangul filler": "\u3164".join,
    "byte order mark": "\ufeff".join,
    "accents": "\u0301".join,
    "struck": lambda tag: "\u226e" + tag[1:],
    "control": "\0\x08".join,
    "no-break space": lambda tag: tag[0] + "\u00a0\u2003" + tag[1:],
    "braille space": lambda tag: tag[0] + "\u2800" + tag[1:],
    "spaces": lambda tag: tag[0] + " \n\t " + tag[1:],
    "tag characters": hidden,
    "entity": html.escape,
    "bare entity": lambda tag: tag.replace("<", "&lt "),
    "upper entity": lambda tag: tag.replace("<", "&LT;"),
    "double entity": lambda tag: html.escape(html.escape(tag)),
    "many entities": lambda tag: tag.replace("<", "&" + "amp;" * 50 + "lt;"),
    "decimal": numbered,
    "hexadecimal": hexed,
    "padded": lambda tag: tag.replace("<", "&#0000060"),
    "nested": lambda tag: tag.replace("<", "&am&#112;;lt;"),
    "wide entity": lambda tag: tag.replace("<", wide("&lt;")),
    "split entity": lambda tag: tag.replace("<", "&\u200bl\u200dt;"),
    "entity space": lambda tag: tag.replace("<", "&lt;&nbsp;&ZeroWidthSpace;"),
    "entity underscore": lambda tag: tag.replace("_", "&lowbar;"),
    "small cyrillic": lambda tag: tag.replace("e", "\u0435").replace("s", "\u0455").replace("o", "\u043e"),
    "long s": lambda tag: tag.replace("s", "\u017f"),
    "ligature": lambda tag: tag.replace("st", "\ufb06"),
    "mathematical": lambda tag: "".join(chr(0x1D41A + ord(c) - 97) if c.islower() else c for c in tag),
    "circled": lambda tag: "".join(chr(0x24D0 + ord(c) - 97) if c.islower() else c for c in tag),
}


@pytest.mark.parametrize("disguise", DISGUISES)
def test_every_disguise_is_found(disguise: str) -> None:
    """Each reserved tag, opening and closing, is found in each disguise, and is none afterwards."""
    for name, head in itertools.product(NAMES, ("<", "</", "< / ")):
        text = f"before {DISGUISES[disguise](head + name)}> after"
        assert shows_tag(text), text
        result = strict_neutraliser(text)
        assert not shows_tag(result), text
        assert result.startswith("before ")
        assert result.endswith("> after")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a < b && c > d",
        "<p>memories of &lt;b&gt;</p>",
        "<memoriesque>",
        "<memory>",
        "<message>",
        "memories>",
        "&lt;memor&gt;ies",
        "\u27e8a, b\u27e9",
        "<\u200b",
        "&amp;lt;",
        "if x &lt memory",
        "AT&T <tel:1>",
        "<systém>",
        hidden("plain"),
    ],
)
def test_what_is_no_tag_is_left_alone(text: str) -> None:
    """A text without a reserved tag is not changed, references and look-alikes in it included."""
    assert text == strict_neutraliser(text)


def test_only_what_begins_a_tag_changes() -> None:
    """Other brackets and references beside a tag stay."""
    text = "a < b &lt; <p> &amp; <memories> &#60;b&#62; \uff1cmemory_1> <"
    assert "a < b &lt; <p> &amp; [memories> &#60;b&#62; [memory_1> <" == strict_neutraliser(text)


def test_what_is_too_deep_to_place_goes_whole() -> None:
    """Where a disguise can't be placed, every candidate of the text is replaced rather than one let through."""
    deep = "a &amp; &am&#112;;lt;memories>"
    assert "a [amp; [am[#112;;lt;memories>" == strict_neutraliser(deep)


PIECES = st.sampled_from(
    [
        "<",
        "&",
        "/",
        " ",
        "\xa0",
        "\u200b",
        "＜",
        "&lt;",
        "&amp;",
        "amp;",
        "lt;",
        "&#60;",
        "#x3c;",
        "&l",
        "t;",
        "a",
        wide("<me"),
        hidden("<"),
        hidden("memories"),
        "memories",
        "MEMORY_",
        "mem",
        "ories ",
        "message_1",
        "́",
        "[",
        "x",
    ]
)
TEXTS = st.lists(PIECES | st.text(max_size=3), max_size=12).map("".join)


@given(TEXTS)
def test_nothing_is_left_whatever_the_text(text: str) -> None:
    """No reserved tag shows in what comes out, which comes out again as it is; a text that shows none is the same."""
    result = strict_neutraliser(text)
    assert not shows_tag(result)
    assert result == strict_neutraliser(result)
    assert shows_tag(text) or text == result


@given(TEXTS)
def test_it_is_at_least_as_strict_as_the_default(text: str) -> None:
    """What the default neutraliser finds is found; and resolving references in what comes out brings nothing back."""
    result = strict_neutraliser(text)
    assert result == neutraliser(result)
    for _ in range(4):
        result = html.unescape(result)
        assert result == neutraliser(result)


def test_every_form_of_a_bracket_is_a_candidate() -> None:
    """No character of Unicode outside the candidates reads as < or &, by itself or by what it decomposes to."""
    candidates = set(disguises._LESS + disguises._AMPERSANDS)
    for code in range(sys.maxunicode + 1):
        character = chr(code)
        if character not in candidates and not 0xD800 <= code < 0xE000:
            assert not set("<&") & set(skeleton(character)), hex(code)
            assert not set("<&") & set(unicodedata.normalize("NFKC", character)), hex(code)


@pytest.mark.parametrize(
    "unit",
    ["<", "&", "&amp;", "&lt;", "&l", "<a", "\u200b", "\uff1c", "&#38;", "&am&#112;;", "\U000e003c", "<memories>"],
)
def test_a_long_hostile_text_is_neutralised(unit: str) -> None:
    """Whatever a long text is made of, the tag at its end is found; the benchmark shows that this takes linear time."""
    text = unit * (100_000 // len(unit))
    assert strict_neutraliser(f"{text}<memories>") == f"{strict_neutraliser(text)}[memories>"
