"""The hardened seams, each alone."""

from __future__ import annotations

from typing import Any

import pytest

from seams.fakes import (
    JPEG,
    Notes,
    handle,
    media,
    memory,
    neutraliser,
    nonce,
    peer,
    retrievable,
    settle,
    thought,
    trusted,
    untrusted,
    user,
)
from seamwright import EnvelopeAttrs, Identity, KeyedNonce, UnsupportedMediaError, WiringError
from seamwright.seams import envelopes, hardened
from seamwright.seams.media import make_media_policy


def policy(item: Any, context: Any) -> str:
    """A policy that names its media."""
    return f"POLICY {item.id}"


def blocks_of(one: Any, notes: Notes | None = None, **seams: Any) -> Any:
    """What the hardened seam gives for a media."""
    given = {
        "media_policy": policy,
        "nonce": nonce,
        "neutraliser": neutraliser,
        "trusted_envelope": trusted,
        "untrusted_envelope": untrusted,
    }
    return settle(hardened.make_media_blocks(**(given | seams))(one, (notes or Notes()).context))


@pytest.mark.parametrize("secret", [None, "", b""])
def test_there_is_no_default_secret(secret: Any) -> None:
    """Without a secret of the host there are no nonces."""
    with pytest.raises(WiringError, match="secret"):
        hardened.make_keyed_nonce(secret=secret)


def test_a_secret_that_does_not_fit() -> None:
    """A secret longer than the hash takes is an error of the wiring."""
    with pytest.raises(WiringError, match="1 to 32 bytes"):
        hardened.make_keyed_nonce(secret="x" * 33)
    assert hardened.make_keyed_nonce(secret="x" * 32)("m1") == KeyedNonce(b"x" * 32)("m1")


def test_every_native_media_stands_between_the_tags_of_its_tier() -> None:
    """Opening tag, marker, native part, closing tag; the names in marker and part are neutralised."""
    private = blocks_of(media())
    assert ["input_text", "input_text", "input_image", "input_text"] == [part["type"] for part in private]
    assert ["U[N(md1) media mod=opaque](", "~[media id: md1 | dot.png]~", ")"] == [
        part["text"] for part in private if "text" in part
    ]
    first = blocks_of(media(trust_tier="first-party"))
    assert "T[N(md1) media mod=opaque](" == first[0]["text"]
    public = blocks_of(media(trust_tier="third-party-public"))
    assert "U[N(md1) media mod=opaque](" == public[0]["text"]


def test_a_native_document_has_a_neutral_file_name() -> None:
    """The file name beside the bytes is neutralised as well."""
    given = {"kind": "document", "mime_type": "application/pdf", "source_reader": b"%PDF-1", "filename": "a.pdf"}
    assert "~a.pdf~" == blocks_of(media(**given))[2]["filename"]


def test_what_goes_by_the_policy_has_its_envelope_already() -> None:
    """No bracket round the text of a policy; and the rules of native media are those of the default."""
    assert [{"type": "input_text", "text": "POLICY md1"}] == blocks_of(media(kind="audio"))
    notes = Notes()
    assert "data:image/jpeg;base64," in blocks_of(media(source_reader=JPEG), notes)[2]["image_url"]
    assert [("media-type-mismatch", "md1")] == notes.codes


def test_a_swallowing_envelope_is_replaced() -> None:
    """Native media never stands outside a bracket, whatever an override gives."""
    notes = Notes()
    parts = blocks_of(media(), notes, untrusted_envelope=lambda content, attrs, /: "gone")
    assert '<untrusted_content_N(md1) nonce="N(md1)" kind="media" modality="opaque">' == parts[0]["text"]
    assert "</untrusted_content_N(md1)>" == parts[-1]["text"]
    assert [("envelope-body-swallowed", "md1")] == notes.codes


@pytest.mark.parametrize("name", ["seamwright-body-0-", "seamwright-body-0-seamwright-body-1-"])
def test_no_id_of_a_media_breaks_its_bracket(name: str) -> None:
    """An id that is what the envelope is rendered round leaves both tags whole."""
    parts = blocks_of(media(id=name), nonce=envelopes.nonce, untrusted_envelope=envelopes.untrusted_envelope)
    assert parts[0]["text"].endswith('modality="opaque">')
    assert f"</untrusted_content_{name}>" == parts[-1]["text"]


def memories_of(*items: Any, sources: Any = frozenset({"operator"})) -> str:
    """What the hardened seam gives for memories."""
    made = hardened.make_memories(
        nonce=nonce, neutraliser=neutraliser, untrusted_envelope=untrusted, operator_sources=sources
    )
    return made(items)


def test_only_the_operators_memories_are_bare() -> None:
    """What another source wrote, or nobody knows who, stands in an untrusted envelope inside its child."""
    shown = memories_of(
        memory("a", id="1", source="operator"),
        memory("b", id="2", source="web"),
        memory("c", id="3"),
        memory("", id="4"),
    )
    assert '<memory_N(1) source="~operator~" nonce="N(1)">\n~a~\n</memory_N(1)>' in shown
    assert ">\nU[N(2) memory tool=~web~](~b~)\n</memory_N(2)>" in shown
    assert ">\nU[N(3) memory](~c~)\n</memory_N(3)>" in shown
    assert not memories_of()


def test_who_the_operator_is_can_be_said() -> None:
    """Any sources may be the operator's."""
    assert "U[" not in memories_of(memory(source="ops"), memory(source="admin"), sources={"ops", "admin"})


def test_a_disguised_operator_is_none() -> None:
    """The source is compared as it is given, and not as it is shown."""
    assert "U[" in memories_of(memory(source="operator\u200b"))


def test_labels_of_documents_are_neutralised() -> None:
    """Source and kind on the tag of a first-party document are."""
    made = hardened.make_first_party_retrievables(
        nonce=nonce, neutraliser=neutraliser, retrievable_handle=handle, token_counter=None
    )
    shown = settle(made([retrievable(source="s", kind="k")], Notes().context))
    assert ' source="~s~"' in shown
    assert ' kind="~k~"' in shown


def test_names_of_authors_are_neutralised() -> None:
    """The name that is shown is, on messages and thoughts; who it is stays."""
    said = Identity(identifier="x", representation="name")
    message = hardened.make_timeline_message(nonce=nonce, neutraliser=neutraliser, media_blocks=lambda m, c, /: [])
    for one in (user(identity=said), peer(identity=said)):
        assert ' from="~name~"' in str(settle(message(one, Notes().context)))
    shown = hardened.make_thought(nonce=nonce, neutraliser=neutraliser)(thought(identity=said), "peer-reasoning")
    assert 2 == shown.count(' from="~name~"')


@pytest.mark.parametrize("make", [hardened.make_untrusted_envelope, hardened.make_trusted_envelope])
def test_names_of_tools_are_neutralised(make: Any) -> None:
    """The name of tool or source on an envelope is; without one there is none; the body is the caller's."""
    envelope = make(neutraliser=neutraliser)
    assert ' tool="~t~"' in envelope("body", EnvelopeAttrs("n", "k", "t"))
    assert "\nbody\n" in envelope("body", EnvelopeAttrs("n", "k"))
    assert " tool=" not in envelope("body", EnvelopeAttrs("n", "k"))


def test_the_marker_before_a_policys_envelope_is_neutralised() -> None:
    """The marker is, once; the envelope behind it is that of the default."""
    given = {"nonce": nonce, "neutraliser": neutraliser, "trusted_envelope": trusted, "untrusted_envelope": untrusted}
    notes = Notes(unsupported_media_policy="synthetic-description")
    one = media(kind="audio", mime_type="audio/wav")
    default = settle(make_media_policy(**given)(one, notes.context))
    marker, _, rest = default.partition("\n")
    assert f"~{marker}~\n{rest}" == settle(hardened.make_media_policy(**given)(one, notes.context))


def test_a_policy_that_refuses_still_does() -> None:
    """The error of the default comes through."""
    given = {"nonce": nonce, "neutraliser": neutraliser, "trusted_envelope": trusted, "untrusted_envelope": untrusted}
    with pytest.raises(UnsupportedMediaError):
        settle(hardened.make_media_policy(**given)(media(kind="audio"), Notes().context))


def test_labels_that_do_not_change_leave_the_thing_as_it_is() -> None:
    """The default gets the very thing that was given when there is nothing to change on it."""
    one = user()
    assert one is hardened._by(one, envelopes.neutraliser)
