"""A view as one page of HTML that needs no network: nothing in it comes from anywhere else, or runs but our script."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from importlib import resources
from typing import Final

from seamwright.show.html import Html, element, joined, preformatted
from seamwright.show.model import Block, Entry, Note, ToolRow, View
from seamwright.show.words import PREFIX_END, heading, measured, short, size, summary

_LINES: Final = 14
"""How many lines of a text are open; the rest is folded."""
_SPARE: Final = 4
"""That few more are not worth folding."""
_PREVIEW: Final = 120


def page(view: View) -> str:
    """The page.

    Every text of the state is escaped; beside that a Content-Security-Policy lets the browser use the page's own style
    and script only, by their hashes, and load nothing at all.
    """
    style, script = _asset("page.css"), _asset("page.js")
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_policy(style, script)),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", f"{short(view.model)}: {summary(view)}"),
        element("style", Html(style)),
    )
    body = element(
        "body",
        element("a", "Skip to the request", href="#request", class_="skip"),
        _top(view),
        element("main", *_sections(view)),
        element("script", Html(script)),
    )
    return f"<!doctype html>\n{element('html', head, body, lang='en')}\n"


def _asset(name: str) -> str:
    return resources.files("seamwright.show").joinpath(name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    hashes = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in (style, script)]
    return (
        f"default-src 'none'; style-src 'sha256-{hashes[0]}'; script-src 'sha256-{hashes[1]}';"
        " base-uri 'none'; form-action 'none'"
    )


def _top(view: View) -> Html:
    endpoint = element("span", f" at {view.endpoint}", class_="quiet")
    counted = f" · tokens by {view.encoding}" if view.encoding else ""
    search = element(
        "div",
        element("label", "Search", for_="search", class_="hidden"),
        element(
            "input", type="search", id="search", placeholder="Search  ( / )", autocomplete="off", spellcheck="false"
        ),
        element("button", "Fold all", type="button", id="fold", aria_pressed="false"),
        element("output", id="found", for_="search", aria_live="polite"),
        class_="tools",
        id="bar",
        hidden=True,  # there is nothing to press where scripts are off
    )
    return element(
        "header",
        element("h1", short(view.model), endpoint),
        element("p", summary(view) + counted, class_="quiet"),
        search,
    )


def _sections(view: View) -> Iterator[Html]:
    yield element("section", element("h2", "Size", id="size"), *_chart(view), aria_labelledby="size")
    if view.notes:
        notes = element("ul", *(element("li", _note(note)) for note in view.notes), class_="notes")
        yield element("section", element("h2", "Notes", id="notes"), notes, aria_labelledby="notes")
    if view.tools:
        rows = element("ul", *(element("li", _tool(row)) for row in view.tools), class_="entries compact")
        yield element("section", element("h2", "Tools", id="tools"), rows, aria_labelledby="tools")
    entries = element("ol", *_entries(view), class_="entries")
    yield element("section", element("h2", "Request", id="request", tabindex="-1"), entries, aria_labelledby="request")


# --- sizes


def _chart(view: View) -> Iterator[Html]:
    sizes = view.sizes()
    largest = max((sum(of.values()) for of in sizes.values()), default=1) or 1
    rows: list[Html] = []
    for bucket, of in sizes.items():
        place, bars = 0.0, list[Html]()
        for trust, count in of.items():
            width = max(3.0, 1000 * count / largest)
            bars.append(element("rect", x=f"{place:.1f}", width=f"{width:.1f}", height="10", class_=f"t-{trust}"))
            place += width
        picture = element(
            "svg", *bars, viewBox=f"0 0 {max(1000.0, place):.1f} 10", preserveAspectRatio="none", aria_hidden="true"
        )
        told = ", ".join(f"{trust} {size(count)}" for trust, count in of.items())
        rows.append(
            element(
                "tr",
                element("th", bucket, scope="row"),
                element("td", picture, element("span", told, class_="hidden"), class_="bars"),
                element("td", size(sum(of.values())), class_="number"),
            )
        )
    caption = element("caption", "Bytes of text by bucket, coloured by trust", class_="hidden")
    yield element("table", caption, element("tbody", *rows), class_="chart")
    chips = [_chip(element("i", class_=f"dot t-{trust}"), trust) for trust in view.trusts()]
    if any(entry.replayed for entry in view.entries):
        chips.append(_chip(None, "replayed"))
    if view.left_out:
        chips.append(_chip(None, "left out"))
    yield element("div", *chips, class_="chips", id="chips", role="group", aria_label="Show some alone", hidden=True)


def _chip(dot: Html | None, tag: str) -> Html:
    return element("button", dot, tag, type="button", data_tag=tag, aria_pressed="false")


def _tags(entry: Entry) -> str:
    """What a chip can pick it by."""
    words: list[str] = [entry.trust, *(block.trust for block in entry.blocks)]
    words += ["replayed"] if entry.replayed else []
    words += ["left out"] if entry.status == "left out" else []
    return "|".join(dict.fromkeys(words))


# --- entries


def _entries(view: View) -> Iterator[Html]:
    previous: str | None = None
    for place, entry in enumerate(view.entries):
        if place == view.prefix_end:
            yield _prefix_end()
        group = entry.group
        following = view.entries[place + 1].group if place + 1 < len(view.entries) else None
        edges = ["grouped"] if group else []
        edges += ["first"] if group and group != previous else []
        edges += ["last"] if group and group != following else []
        yield _entry(entry, edges)
        previous = group
    if view.prefix_end == len(view.entries):
        yield _prefix_end()


def _prefix_end() -> Html:
    return element("li", element("span", PREFIX_END), class_="prefix-end")


def _entry(entry: Entry, edges: list[str]) -> Html:
    out = entry.status == "left out"
    author = entry.author if entry.author not in {entry.title, entry.role} else None
    head = element(
        "summary",
        element("span", "" if entry.index is None else str(entry.index), class_="index"),
        element("span", heading(entry), class_="name"),
        _trust(entry.trust),
        element("span", "replayed", class_="badge good") if entry.replayed else None,
        element("span", "left out", class_="badge bad") if out else None,
        element("span", f"{len(entry.notes)} notes" if len(entry.notes) > 1 else "1 note", class_="badge warn")
        if entry.notes and not out and not entry.replayed
        else None,
        element("span", "" if out else measured(entry.size, entry.tokens), class_="measure"),
        element("span", _preview(entry), class_="preview"),
    )
    facts = [("from", author), ("id", entry.thing_id), ("at", entry.created_at), ("response", entry.group)]
    known = [element("div", element("dt", name), element("dd", value)) for name, value in facts if value]
    body = element(
        "div",
        element("dl", *known) if known else None,
        *(element("p", _note(note), class_="note") for note in entry.notes),
        *(_block(block, entry) for block in entry.blocks),
        class_="body",
    )
    return element(
        "li",
        element("details", head, body, open=True, data_tags=_tags(entry)),
        class_=" ".join(["entry", *(["out"] if out else []), *edges]),
    )


def _preview(entry: Entry) -> str:
    source = entry.notes[0].text if entry.status == "left out" and entry.notes else None
    text = source or next((block.text for block in entry.blocks if block.text.strip()), "")
    line = " ".join(text[: 4 * _PREVIEW].split())
    return line if len(line) <= _PREVIEW else line[:_PREVIEW] + "…"


def _trust(trust: str) -> Html:
    return element("span", element("i", class_=f"dot t-{trust}"), trust, class_="trust")


def _block(block: Block, entry: Entry) -> Html:
    labelled = len(entry.blocks) > 1 or block.trust != entry.trust
    label = element("p", element("span", block.label), _trust(block.trust), class_="label") if labelled else None
    return element(
        "div",
        label,
        element("code", block.opening, class_="tag") if block.opening else None,
        *_folded(block.text),
        element("code", block.closing, class_="tag") if block.closing else None,
        class_=f"block{'' if block.code else ' prose'} t-{block.trust}",
    )


def _folded(text: str) -> Iterator[Html]:
    """A text, its later lines folded when there are many."""
    lines = text.split("\n")
    if len(lines) <= _LINES + _SPARE:
        yield preformatted(text)
        return
    yield preformatted("\n".join(lines[:_LINES]))
    rest = preformatted("\n".join(lines[_LINES:]))
    yield element("details", element("summary", f"{len(lines) - _LINES:,} more lines"), rest, class_="more")


def _note(note: Note) -> Html:
    return joined(element("code", note.code), " ", note.text)


def _tool(row: ToolRow) -> Html:
    head = element(
        "summary",
        element("span", short(row.name), class_="name"),
        element("span", short(row.kind), class_="quiet") if row.kind not in {"function", row.name} else None,
        element("span", "hidden from the model", class_="badge bad") if row.hidden else None,
        element("span", row.description, class_="preview"),
        element("span", "" if row.hidden else measured(row.size, row.tokens), class_="measure"),
    )
    body = element("div", element("div", *_folded(row.declaration), class_="block t-operator"), class_="body")
    return element("details", head, body, data_tags="operator")
