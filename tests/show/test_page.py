"""The page: one view as HTML, in which no text of a state becomes anything but text."""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

import attrs
import pytest
from hypothesis import given, settings

from seamwright import AgentState, Message, RenderOptions, SeamwrightError, load_state
from seamwright.cli import main
from seamwright.show import page, view_sync
from seamwright.show.html import element
from seamwright.testing.strategies import options, states
from seamwright_containers import responses_pipeline
from show import hostile

ROOT: Final = Path(__file__).resolve().parents[2]
EXAMPLE: Final = ROOT / "examples" / "support_agent.json"
PIPELINE: Final = responses_pipeline()

TAGS: Final = (
    "html head meta title style body a header h1 p div label input button output main section h2 table caption tbody tr"
    " th td svg rect span ul ol li details summary dl dt dd i code pre script"
)
ATTRIBUTES: Final = (
    "lang charset http-equiv content name class href id type placeholder autocomplete spellcheck for hidden role open"
    " tabindex aria-live aria-pressed aria-labelledby aria-label aria-hidden scope viewbox preserveaspectratio x width"
    " height data-tag data-tags"
)
"""All that a page has."""


class Reader(HTMLParser):
    """Reads a page into its elements and its text, and checks that every element is closed where it has to be."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text: list[str] = []
        self.raw: dict[str, str] = {}
        self.others: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in ("meta", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] in ("script", "style"):
            self.raw[self.open[-1]] = self.raw.get(self.open[-1], "") + data
        else:
            self.text.append(data)

    def handle_comment(self, data: str) -> None:
        self.others.append(data)

    def handle_decl(self, decl: str) -> None:
        self.others.append(decl)

    def handle_pi(self, data: str) -> None:
        self.others.append(data)

    def unknown_decl(self, data: str) -> None:
        self.others.append(data)


def made(state: AgentState, given_options: RenderOptions) -> tuple[str, Reader]:
    """The page of a state, as text and as read."""
    text = page(view_sync(PIPELINE, state, given_options))
    return text, Reader(text)


def is_ours(read: Reader) -> None:
    """Nothing in the page but the elements, attributes and targets that the page itself has."""
    assert [] == read.open
    assert ["doctype html"] == read.others
    assert {tag for tag, _ in read.elements} <= set(TAGS.split())
    assert {name for _, attributes in read.elements for name in attributes} <= set(ATTRIBUTES.split())
    assert {"#request"} == {attributes["href"] for _, attributes in read.elements if "href" in attributes}
    counts = Counter(tag for tag, _ in read.elements)
    assert (1, 1, 5, 1) == (counts["script"], counts["style"], counts["meta"], counts["input"])


def test_the_example_is_a_page() -> None:
    """Everything the view holds is on the page."""
    _, read = made(*load_state(EXAMPLE))
    text = "".join(read.text)

    is_ours(read)
    for told in (
        "gpt-5.4",
        "25 items · 25.1 kB · 4 reasoning replayed · 2 left out",
        "Thursday morning, please.",
        "Ines (customer) (customer-88213)",
        "reasoning-prefix-changed",
        "end of the prefix that fingerprints cover",
        "hidden from the model",
        "resp_04",
    ):
        assert told in text
    counts = Counter(tag for tag, _ in read.elements)
    shown = view_sync(PIPELINE, *load_state(EXAMPLE))
    entries = [one for tag, one in read.elements if tag == "li" and "entry" in str(one.get("class")).split()]
    assert len(shown.entries) == len(entries)
    assert counts["rect"] == sum(len(of) for of in shown.sizes().values())


def test_hostile_texts_are_text() -> None:
    """Scripts, markup, comments and control characters from every place of a state show as they were written."""
    text, read = made(hostile.state(), hostile.OPTIONS)

    is_ours(read)
    told = "".join(read.text)
    for attack in hostile.ATTACKS:
        if attack.isprintable():
            assert attack in told
    assert not [char for char in text if not char.isprintable() and char != "\n"]
    assert "\\u202egnp.exe\\u200b\\U000e0041" in told


def test_attributes_are_escaped_and_spelled_out_like_texts() -> None:
    """Quotes end nothing, and what can't be seen is seen."""
    made_of = element("a", "\u202eb<", title='x" onload="y\u202e', hidden=True, lang=None)

    assert '<a title="x&quot; onload=&quot;y\\u202e" hidden>\\u202eb&lt;</a>' == made_of


def test_style_and_script_are_the_same_for_every_state() -> None:
    """No text of a state gets into the two elements whose text is not escaped."""
    _, one = made(hostile.state(), hostile.OPTIONS)
    _, other = made(AgentState(), RenderOptions(model="m"))

    assert one.raw == other.raw
    assert {"script", "style"} == one.raw.keys()


def test_the_policy_lets_nothing_in() -> None:
    """Only our style and our script, by their hashes; no network, no base, no form; no inline handler or style."""
    _, read = made(*load_state(EXAMPLE))
    (policy,) = [one["content"] for tag, one in read.elements if tag == "meta" and "http-equiv" in one]
    assert policy is not None
    hashes = {
        name: base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for name, text in read.raw.items()
    }

    assert policy.split("; ") == [
        "default-src 'none'",
        f"style-src 'sha256-{hashes['style']}'",
        f"script-src 'sha256-{hashes['script']}'",
        "base-uri 'none'",
        "form-action 'none'",
    ]


def test_nothing_is_loaded() -> None:
    """Neither style nor script names another place."""
    _, read = made(*load_state(EXAMPLE))

    assert not re.findall(r"url\(|@import|https?:|//", re.sub(r"\s// .*", "", "".join(read.raw.values())))
    assert "innerHTML" not in read.raw["script"]


def test_a_text_keeps_its_lines() -> None:
    """A line break that stands first, white space and tabs are kept; later lines of a long text are folded."""
    content = "\n\n  two spaces\tand a tab\n" + "\n".join(f"line {number}" for number in range(100))
    message = Message(id="m", role="user", content=content, created_at=hostile.START)
    text, read = made(AgentState(messages=[message]), RenderOptions(model="m"))

    assert "\n\n\n  two spaces\tand a tab\n" in text
    assert content in "".join(read.text).replace("89 more lines\n", "\n")
    assert "89 more lines" in "".join(read.text)


def test_every_page_has_its_frame() -> None:
    """An empty state is a page too, with the end of its prefix."""
    _, read = made(AgentState(), RenderOptions(model="m"))

    is_ours(read)
    assert "0 items" in "".join(read.text)
    assert "end of the prefix" in "".join(read.text)


@settings(max_examples=15)
@given(states(), options())
def test_no_state_makes_an_element(state: AgentState, given_options: RenderOptions) -> None:
    """Of any state, with tags of every envelope in its texts: the page's own elements only, all closed."""
    given_options = attrs.evolve(given_options, unsupported_media_policy="synthetic-description")
    try:
        _, read = made(state, given_options)
    except SeamwrightError:
        return

    is_ours(read)


def test_the_command_writes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """``--html FILE`` writes the page, ``-`` prints it; a folder that is not there is exit 2."""
    path = tmp_path / "page.html"
    assert 0 == main(["show", str(EXAMPLE), "--html", str(path)])
    assert ("", "") == capsys.readouterr()
    read = Reader(path.read_text("utf-8"))
    is_ours(read)
    assert "Thursday morning, please." in "".join(read.text)
    assert "4 reasoning replayed" in "".join(read.text)

    assert 0 == main(["show", str(EXAMPLE), "--html", "-"])
    assert path.read_text("utf-8") == capsys.readouterr().out

    assert 2 == main(["show", str(EXAMPLE), "--html", str(tmp_path / "none" / "page.html")])
    assert "can't be written" in capsys.readouterr().err
