"""Retrieved documents: the directive, the three tiers and the block of all, each alone."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from seams.fakes import Notes, Words, absent_file, at, handle, neutraliser, nonce, retrievable, settle, untrusted
from seamwright import BuildContext, Retrievable, SpooledArtifact, ToolMethod
from seamwright.seams.retrievables import (
    make_first_party_retrievables,
    make_retrievables,
    make_third_party_private_retrievables,
    make_third_party_public_retrievables,
    safety_directive,
)

THIRD_PARTY = {
    "retrieved-third-party-public": make_third_party_public_retrievables,
    "retrieved-third-party-private": make_third_party_private_retrievables,
}


def first_party(**seams: Any) -> Any:
    """The default with fakes, some of them replaced."""
    given = {"nonce": nonce, "neutraliser": neutraliser, "retrievable_handle": handle, "token_counter": None}
    return make_first_party_retrievables(**(given | seams))


def third_party(kind: str, **seams: Any) -> Any:
    """The default of a third-party tier with fakes, some of them replaced."""
    given = {"nonce": nonce, "neutraliser": neutraliser, "untrusted_envelope": untrusted, "token_counter": None}
    return THIRD_PARTY[kind](**(given | {"retrievable_handle": handle} | seams))


# --- safety_directive


def test_the_directive_is_one_paragraph() -> None:
    """It says that it is data, that it may be cited and not obeyed, and that no tier gives authority."""
    text = safety_directive()

    assert "\n" not in text
    assert "<" not in text
    for word in ("DATA", "cite", "instructions", "tier", "User-role", "Developer-role", "System-role", "authority"):
        assert word in text


# --- first_party_retrievables


def test_first_party_documents_are_children_of_one_corpus() -> None:
    """In the order given, with the attributes of a memory in its order; the tier is not named."""
    dated = retrievable("one", id="b", created_at=at(0), source="wiki", kind="page", score=12)
    text = settle(first_party()([dated, retrievable("two", id="a")], Notes().context))

    assert text == (
        "<retrieved_corpus>\n"
        '<retrieved_N(b) source="wiki" nonce="N(b)" createdAt="2026-01-01T12:00:00.000Z" kind="page" score="12">\n'
        "~one~\n</retrieved_N(b)>\n"
        '<retrieved_N(a) nonce="N(a)">\n~two~\n</retrieved_N(a)>\n'
        "</retrieved_corpus>"
    )
    assert "first-party" not in text


def test_no_first_party_documents_no_corpus() -> None:
    """Nothing at all."""
    assert settle(first_party()([], Notes().context)) == ""


@pytest.mark.parametrize("make", [first_party, *(lambda kind=kind: third_party(kind) for kind in THIRD_PARTY)])
def test_an_artifact_is_a_handle_unless_it_is_inline(make: Any) -> None:
    """The handle is told the document's whole id, the kind and both sizes; it is neutralised where it stands."""
    spooled = SpooledArtifact(reader="é\nb", kind="markdown")
    render = make()
    shown = settle(render([retrievable(spooled, id="r 1|x")], Notes().context))
    inline = settle(render([retrievable(spooled, inline=True)], Notes().context))

    assert "~HANDLE r 1|x markdown 4 2 None None~" in shown
    assert "é" not in shown
    assert "~é\nb~" in inline
    assert "HANDLE" not in inline


def test_a_token_counter_reaches_the_handle() -> None:
    """Tokens and encoding, counted over the whole text; an inline text is not counted."""
    seen: list[str] = []

    class Counter(Words):
        def __call__(self, text: str, /) -> int:
            seen.append(text)
            return super().__call__(text)

    render = first_party(token_counter=Counter())
    context = Notes().context
    shown = settle(render([retrievable(SpooledArtifact(reader="a b c"))], context))
    settle(render([retrievable(SpooledArtifact(reader="d"), inline=True), retrievable("text")], context))

    assert "HANDLE r1 text 5 1 3 words" in shown
    assert ["a b c"] == seen


def test_a_handle_is_told_of_the_tools_that_read_it() -> None:
    """Just as the artifact names them."""
    methods = (ToolMethod(name="grep", description="search"), ToolMethod(name="head"))
    seen: list[Any] = []
    render = first_party(retrievable_handle=lambda info: seen.append(info.tool_methods) or "H")
    settle(render([retrievable(SpooledArtifact(reader="a", tool_methods=methods))], Notes().context))

    assert [methods] == seen


def test_a_file_that_is_gone_has_unknown_sizes(tmp_path: Path) -> None:
    """A handle needs no content, so a file that can't be read does not stop it."""
    gone = SpooledArtifact(reader=absent_file(tmp_path))
    text = settle(first_party(token_counter=Words())([retrievable(gone)], Notes().context))

    assert "HANDLE r1 text None None None None" in text


def test_an_inline_artifact_is_cleaned_as_it_enters() -> None:
    """What a reader gives was not in the state: lone surrogates go here, with a warning."""
    notes = Notes()
    lone = retrievable(SpooledArtifact(reader=lambda: "a\ud800b"), inline=True)

    assert "~a\ufffdb~" in settle(first_party()([lone], notes.context))
    assert [("lone-surrogate", "r1")] == notes.codes


# --- third parties


@pytest.mark.parametrize("kind", THIRD_PARTY)
def test_a_third_party_document_has_an_untrusted_envelope(kind: str) -> None:
    """One each, joined by line breaks; its source stands as the tool, other attributes do not show."""
    one = retrievable("one", trust_tier="third-party-public", source="web", kind="page", score=1, created_at=at(0))
    render = third_party(kind)

    assert settle(render([one, retrievable("two", id="r2")], Notes().context)) == (
        f"U[N(r1) {kind} tool=web](~one~)\nU[N(r2) {kind}](~two~)"
    )
    assert settle(render([], Notes().context)) == ""


# --- retrievables


def group(letter: str) -> Any:
    """A tier that shows the ids it was given."""
    return lambda items, context: f"{letter}:{','.join(item.id for item in items)}"


def block(**seams: Any) -> Any:
    """The default with fakes, some of them replaced."""
    given = {
        "safety_directive": lambda: "DIRECTIVE",
        "first_party_retrievables": group("F"),
        "third_party_public_retrievables": group("P"),
        "third_party_private_retrievables": group("Q"),
    }
    return make_retrievables(**(given | seams))


def public(identifier: str, **fields: Any) -> Retrievable:
    """A public document of a third party."""
    return retrievable(id=identifier, trust_tier="third-party-public", **fields)


def private(identifier: str, **fields: Any) -> Retrievable:
    """A private document of a third party."""
    return retrievable(id=identifier, trust_tier="third-party-private", **fields)


def test_documents_are_split_by_tier_behind_the_directive() -> None:
    """Directive, first-party, public, private, with a blank line between."""
    items = [private("q1"), public("p1"), retrievable(id="f1"), public("p2"), retrievable(id="f0")]

    assert settle(block()(items, Notes().context)) == "DIRECTIVE\n\nF:f1,f0\n\nP:p1,p2\n\nQ:q1"


def test_tiers_without_documents_are_left_out() -> None:
    """The directive stays as long as there is one document; without any there is nothing at all."""
    assert settle(block()([public("p1")], Notes().context)) == "DIRECTIVE\n\nP:p1"
    assert settle(block()([retrievable(id="f1")], Notes().context)) == "DIRECTIVE\n\nF:f1"
    assert settle(block()([], Notes().context)) == ""


def test_a_tier_that_says_nothing_leaves_no_gap() -> None:
    """An override may render nothing, also in the place of the directive."""
    silent = block(safety_directive=lambda: "", third_party_public_retrievables=lambda items, context: "")

    assert settle(silent([retrievable(id="f"), public("p"), private("q")], Notes().context)) == "F:f\n\nQ:q"


@pytest.mark.parametrize(("make", "letter"), [(public, "P"), (private, "Q")])
def test_third_party_documents_stand_by_age_then_id(make: Any, letter: str) -> None:
    """The oldest first, undated ones last, ids by code point; first-party ones keep their order."""
    items = [
        make("b"),
        make("a"),
        make("y", created_at=at(2)),
        make("z", created_at=at(1.5)),
        make("Z", created_at=at(2)),
        make("\U0001f600", created_at=at(1)),
        make("\uffff", created_at=at(1)),
    ]

    assert settle(block()(items, Notes().context)) == f"DIRECTIVE\n\n{letter}:\uffff,\U0001f600,z,Z,y,a,b"


def test_age_is_compared_across_zones() -> None:
    """By the moment, and by the whole of it: microseconds that are not shown count."""
    later = datetime.fromisoformat("2026-01-01T13:00:00.000002+01:00")
    earlier = datetime(2026, 1, 1, 12, 0, 0, 1, tzinfo=UTC)
    items = [public("a", created_at=later), public("b", created_at=earlier)]

    assert settle(block()(items, Notes().context)).endswith("P:b,a")


def test_tiers_may_wait() -> None:
    """Waiting and plain tiers mix."""

    async def waiting(items: Sequence[Retrievable], context: BuildContext) -> str:
        await asyncio.sleep(0)
        return "WAITED"

    items = [retrievable(id="f"), public("p"), private("q")]
    text = settle(block(third_party_public_retrievables=waiting)(items, Notes().context))

    assert text == "DIRECTIVE\n\nF:f\n\nWAITED\n\nQ:q"


def test_readers_may_wait() -> None:
    """An artifact's reader may be asynchronous, in every tier."""

    async def read() -> bytes:
        await asyncio.sleep(0)
        return b"from afar"

    item = retrievable(SpooledArtifact(reader=read), inline=True)
    for render in (first_party(), *map(third_party, THIRD_PARTY)):
        assert "~from afar~" in settle(render([item], Notes().context))
