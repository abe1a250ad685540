"""Media: the native parts and the policy for what can't go natively, each alone."""

from __future__ import annotations

import asyncio
import base64
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seams.fakes import (
    GIF,
    JPEG,
    PDF,
    PNG,
    WEBP,
    Notes,
    absent_file,
    document,
    media,
    neutraliser,
    nonce,
    settle,
    trusted,
    untrusted,
)
from seamwright import ENDPOINTS, FallbackStash, FileId, Media, StashEntry, UnsupportedMediaError, Url
from seamwright.seams.media import clean_name, make_media_blocks, make_media_policy, show_size

IMAGES = {"image/png": PNG, "image/jpeg": JPEG, "image/gif": GIF, "image/webp": WEBP}
POLICY_PART = [{"type": "input_text", "text": "POLICY md1"}]


def policy(item: Media, context: Any) -> str:
    """A policy that says which media it was asked for."""
    return f"POLICY {item.id}"


def parts_of(item: Media, notes: Notes | None = None, media_policy: Any = policy) -> list[dict[str, Any]]:
    """What the default gives for a media, with a fake policy."""
    return settle(make_media_blocks(media_policy=media_policy)(item, (notes or Notes()).context))


def data_url(mime: str, data: bytes) -> str:
    """Bytes as they go into a request."""
    return f"data:{mime};base64,{base64.b64encode(data).decode()}"


def marker(text: str) -> dict[str, str]:
    """The part before a native one."""
    return {"type": "input_text", "text": text}


# --- images


@pytest.mark.parametrize("mime", IMAGES)
def test_the_four_kinds_of_image_go_natively(mime: str) -> None:
    """A marker, then the bytes under their type, with the detail asked for."""
    notes = Notes()

    assert parts_of(media(mime_type=mime, source_reader=IMAGES[mime], detail="low"), notes) == [
        marker("[media id: md1 | dot.png]"),
        {"type": "input_image", "detail": "low", "image_url": data_url(mime, IMAGES[mime])},
    ]
    assert notes.codes == []


@pytest.mark.parametrize(
    "declared", ["image/jpeg", "image/bmp", "application/octet-stream", "text/plain", "", "nonsense"]
)
def test_image_bytes_go_out_as_what_they_are(declared: str) -> None:
    """Whatever was declared, with a warning where it differs."""
    notes = Notes()
    [_, part] = parts_of(media(mime_type=declared), notes)

    assert part["image_url"] == data_url("image/png", PNG)
    assert notes.codes == [("media-type-mismatch", "md1")]


@pytest.mark.parametrize("declared", ["IMAGE/PNG", " image/png ; charset=binary", "Image/Png;x"])
def test_a_label_is_compared_without_parameters(declared: str) -> None:
    """Case and white space do not make another type."""
    notes = Notes()
    [_, part] = parts_of(media(mime_type=declared), notes)

    assert part["image_url"] == data_url("image/png", PNG)
    assert notes.codes == []


@pytest.mark.parametrize(
    "data", [b"", b"\x89PNG", b"BM\x00", b"RIFF\x00\x00\x00\x00WAVE", b"GIF90a", b"<svg/>", b"%PDF-1", b"\xff\xd8"]
)
def test_other_image_bytes_go_by_the_policy(data: bytes) -> None:
    """Also under a type that would go natively; the policy's text is the only part."""
    assert parts_of(media(source_reader=data)) == POLICY_PART


def test_an_image_the_api_fetches_itself_is_not_looked_at() -> None:
    """``url`` and ``file_id`` in the place of bytes, the detail as ever."""
    by_url = parts_of(media(source_reader=Url("https://example.org/a"), detail="high"))
    by_id = parts_of(media(source_reader=FileId("file-1"), mime_type="IMAGE/JPEG; q=1"))

    assert by_url[1] == {"type": "input_image", "detail": "high", "image_url": "https://example.org/a"}
    assert by_id[1] == {"type": "input_image", "detail": "auto", "file_id": "file-1"}


@pytest.mark.parametrize("source", [Url("https://example.org/a"), FileId("file-1")])
def test_a_reference_to_another_type_goes_by_the_policy(source: Any) -> None:
    """There are no bytes that would say better."""
    assert parts_of(media(source_reader=source, mime_type="image/svg+xml")) == POLICY_PART
    assert parts_of(document(source_reader=source, mime_type="application/zip", filename="a.zip")) == POLICY_PART


@pytest.mark.parametrize("kind", ["audio", "video"])
@pytest.mark.parametrize("mime", ["image/png", "application/pdf", "audio/mpeg"])
def test_audio_and_video_go_by_the_policy(kind: str, mime: str) -> None:
    """Whatever type they are labelled with; their bytes are not read."""

    def forbidden() -> bytes:
        raise AssertionError("the bytes were read")

    assert parts_of(media(kind=kind, mime_type=mime, source_reader=forbidden)) == POLICY_PART


# --- documents


def test_a_document_goes_natively_with_its_name() -> None:
    """A marker, then name and bytes; no detail."""
    assert parts_of(document()) == [
        marker("[media id: md1 | a.pdf]"),
        {"type": "input_file", "filename": "a.pdf", "file_data": data_url("application/pdf", PDF)},
    ]


def test_a_document_the_api_fetches_itself_has_no_name() -> None:
    """``filename`` stands only beside the bytes."""
    assert parts_of(document(source_reader=Url("https://example.org/a")))[1] == {
        "type": "input_file",
        "file_url": "https://example.org/a",
    }
    assert parts_of(document(source_reader=FileId("file-1")))[1] == {"type": "input_file", "file_id": "file-1"}


@pytest.mark.parametrize(
    ("declared", "filename", "sent"),
    [
        ("text/plain", "a.py", "text/plain"),
        ("text/yaml", "a", "application/yaml"),
        ("TEXT/PYTHON ; charset=utf-8", "a.txt", "text/x-python"),
        ("application/x-unknown", "a.b.MD", "text/markdown"),
        ("", "notes.txt", "text/plain"),
        ("application/octet-stream", "a.PDF", "application/pdf"),
        ("text/tab-separated-values", "a", "text/tsv"),
    ],
)
def test_a_label_is_mapped_to_an_accepted_type(declared: str, filename: str, sent: str) -> None:
    """By itself, by alias, then by the extension; a warning when another type is sent than declared."""
    notes = Notes()
    [_, part] = parts_of(document(mime_type=declared, filename=filename), notes)

    assert part["file_data"] == data_url(sent, PDF)
    bare = declared.partition(";")[0].strip().lower()
    assert notes.codes == ([] if bare == sent else [("media-type-mismatch", "md1")])


@pytest.mark.parametrize(
    ("declared", "filename"),
    [
        ("application/zip", "a.txt"),
        ("application/x-7z-compressed", "a.md"),
        ("audio/mpeg", "a.txt"),
        ("video/mp4", "a.txt"),
        ("image/png", "a.txt"),
        ("font/woff2", "a.css"),
        ("application/x-unknown", "a.unknown"),
        ("application/x-unknown", "txt"),
        ("application/x-unknown", "a.pdf"),
        ("application/octet-stream", "pdf"),
    ],
)
def test_a_type_that_no_rule_maps_goes_by_the_policy(declared: str, filename: str) -> None:
    """Archives, sound, pictures and fonts say what they are, whatever the extension; nothing is guessed for PDFs."""
    notes = Notes()
    item = document(mime_type=declared, filename=filename)

    assert parts_of(item, notes) == POLICY_PART
    assert notes.codes == []


@pytest.mark.parametrize("source", [Url("https://example.org/a"), FileId("f"), PDF])
def test_the_mismatch_of_a_document_is_told_for_every_source(source: Any) -> None:
    """The alias decides what is sent, bytes or not."""
    notes = Notes()
    parts_of(document(mime_type="text/yaml", source_reader=source), notes)

    assert notes.codes == [("media-type-mismatch", "md1")]


@pytest.mark.parametrize("data", [b"", b"PDF", b" %PDF-1.7", b"%PDF"])
def test_a_pdf_that_is_none_goes_by_the_policy(data: bytes) -> None:
    """Also an empty one, and without a warning: nothing was sent under another type."""
    notes = Notes()

    assert parts_of(document(source_reader=data), notes) == POLICY_PART
    assert parts_of(document(source_reader=data, mime_type="application/octet-stream"), notes) == POLICY_PART
    assert notes.codes == []


def test_an_empty_document_goes_by_the_policy() -> None:
    """The API refuses empty files."""
    assert parts_of(document(mime_type="text/plain", source_reader=b"")) == POLICY_PART


@pytest.mark.parametrize("name", ENDPOINTS)
def test_an_endpoint_says_which_documents_it_takes(name: str) -> None:
    """What it does not take goes by the policy; images go natively everywhere."""
    takes = ENDPOINTS[name].documents
    notes = Notes(endpoint=name)
    native = {
        mime: parts_of(document(mime_type=mime, filename="a"), notes) != POLICY_PART
        for mime in ("application/pdf", "text/plain", "text/yaml")
    }

    assert native == {
        "application/pdf": "application/pdf" in takes,
        "text/plain": "text/plain" in takes,
        "text/yaml": "application/yaml" in takes,
    }
    assert parts_of(media(), Notes(endpoint=name))[1]["type"] == "input_image"


def test_a_profile_of_the_host_can_take_other_types() -> None:
    """The profile decides, not a list of the library."""
    own = attrs.evolve(ENDPOINTS["openai"], name="own", documents=frozenset({"application/zip"}))
    notes = Notes(endpoint=own)

    assert parts_of(document(mime_type="application/zip", filename="a.zip"), notes)[1]["type"] == "input_file"
    assert parts_of(document(mime_type="text/plain"), notes) == POLICY_PART


# --- names


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a<b>[c]|d", "abcd"),
        ("a\r\n\t\0\x1f\x7f\x85b", "ab"),
        ("</media id: x | y]", "/media id: x  y"),
        ("é\u202e😀 ", "é\u202e😀 "),
        ("", ""),
        ("x" * 256, "x" * 256),
        ("x" * 257, "x" * 256 + "…"),
        ("<" + "x" * 256, "x" * 256),
    ],
)
def test_ids_and_file_names_are_cleaned_wherever_they_show(name: str, shown: str) -> None:
    """Brackets, bars and control characters are left out, then the rest is cut; in the marker and in ``filename``."""
    assert clean_name(name) == shown
    [text, part] = parts_of(document(filename=name, id=name, mime_type="application/pdf"))
    assert text["text"] == f"[media id: {shown} | {shown}]"
    assert part["filename"] == shown


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_marker_is_one_line_in_one_bracket(name: str) -> None:
    """Whatever the names, the marker can't be closed or split."""
    text = parts_of(media(id=name, filename=name))[0]["text"]

    assert (text.count("["), text.count("]"), text.count("|")) == (1, 1, 1)
    assert not any(ord(character) < 32 or 127 <= ord(character) < 160 or character in "<>" for character in text)


# --- sources


def test_bytes_come_from_wherever_they_are(tmp_path: Path) -> None:
    """A path, a reader and a reader that waits give the same parts."""
    path = tmp_path / "a.png"
    path.write_bytes(PNG)

    async def waits() -> bytes:
        await asyncio.sleep(0)
        return PNG

    expected = parts_of(media())
    for source in (path, lambda: PNG, waits):
        assert parts_of(media(source_reader=source)) == expected


def test_a_policy_may_wait() -> None:
    """Its text is awaited."""

    async def waits(item: Media, context: Any) -> str:
        await asyncio.sleep(0)
        return policy(item, context)

    assert parts_of(media(kind="audio"), media_policy=waits) == POLICY_PART


# --- media_policy


def stand_in(item: Media, policy_option: Any, notes: Notes | None = None) -> str:
    """What the default policy says, with fake envelopes."""
    seam = make_media_policy(
        nonce=nonce, neutraliser=neutraliser, trusted_envelope=trusted, untrusted_envelope=untrusted
    )
    notes = notes or Notes(unsupported_media_policy=policy_option)
    return settle(seam(item, notes.context))


def test_throw_names_the_media() -> None:
    """Kind, type and name as they stand in the state, and what else could be chosen."""
    item = media(kind="video", mime_type="Video/MP4; x=1", filename="<a>.mp4")
    with pytest.raises(UnsupportedMediaError, match="fallback-stash") as caught:
        stand_in(item, "throw")
    assert (caught.value.kind, caught.value.mime_type, caught.value.filename) == ("video", "Video/MP4; x=1", "<a>.mp4")


def stash(tier: str = "first-party", **entries: Any) -> dict[str, StashEntry]:
    """Entries by the last part of their key."""
    return {f"text:{key}": StashEntry(value=value, trust_tier=tier) for key, value in entries.items()}


@pytest.mark.parametrize(
    ("entries", "keys", "found"),
    [
        ({"caption": "C", "transcript": "T", "description": "D"}, None, "T"),
        ({"description": "D", "caption": "C"}, None, "C"),
        ({"transcript": None, "caption": 3, "description": "D"}, None, "D"),
        ({"transcript": "", "caption": "C"}, None, ""),
        ({"caption": "C", "transcript": "T"}, ("text:caption",), "C"),
        ({"caption": "C", "own": "O"}, ("text:own", "text:caption"), "O"),
    ],
)
def test_the_first_stash_key_with_text_stands_in(entries: Any, keys: Any, found: str) -> None:
    """In the order of the keys; what is no text is passed over, an empty text is text."""
    option = "fallback-stash" if keys is None else FallbackStash(keys)
    item = media(kind="audio", trust_tier="first-party", stash=stash(**entries))

    assert stand_in(item, option) == f"[media id: md1 | dot.png]\nT[N(md1) media-fallback mod=opaque](~{found}~)"


@pytest.mark.parametrize("of_media", ["first-party", "third-party-public", "third-party-private"])
@pytest.mark.parametrize("of_entry", ["first-party", "third-party-public", "third-party-private"])
def test_a_stash_text_is_trusted_when_both_are(of_media: str, of_entry: str) -> None:
    """The lower of the two tiers counts."""
    item = media(kind="audio", trust_tier=of_media, stash=stash(of_entry, caption="C"))
    letter = stand_in(item, "fallback-stash").split("\n")[1][0]

    assert letter == ("T" if of_media == of_entry == "first-party" else "U")


@pytest.mark.parametrize("option", ["fallback-stash", FallbackStash(("text:other",)), FallbackStash(())])
def test_a_stash_without_text_warns_and_describes(option: Any) -> None:
    """The description stands in, under the media's own tier."""
    notes = Notes(unsupported_media_policy=option)
    item = media(kind="audio", stash=stash(other=7) | {"x": StashEntry(value="x", trust_tier="first-party")})

    assert stand_in(item, option, notes) == stand_in(item, "synthetic-description")
    assert notes.codes == [("stash-miss", "md1")]


def test_a_stash_text_is_cleaned_as_it_enters() -> None:
    """Lone surrogates go, with one warning."""
    notes = Notes(unsupported_media_policy="fallback-stash")

    assert "~a\ufffd~" in stand_in(media(stash=stash(caption="a\udfff")), "fallback-stash", notes)
    assert notes.codes == [("lone-surrogate", "md1")]


def test_a_description_says_name_type_and_size() -> None:
    """The name cleaned, the type as declared, the whole neutralised, trusted for first-party media alone."""
    item = media(kind="audio", mime_type="Audio/X; a=<b>", filename="a|<b>.x", trust_tier="first-party")

    assert stand_in(item, "synthetic-description") == (
        "[media id: md1 | ab.x]\nT[N(md1) media-fallback mod=opaque](~[media: ab.x, Audio/X; a=<b>, 16 B]~)"
    )
    assert "\nU[" in stand_in(attrs.evolve(item, trust_tier="third-party-public"), "synthetic-description")


@pytest.mark.parametrize(
    ("hazard", "shown"),
    [("inert", "inert"), ("extractable-instructions", "extractable"), ("opaque-perceptual", "opaque")],
)
def test_the_modality_of_the_envelope_is_the_hazard(hazard: str, shown: str) -> None:
    """In its short spelling."""
    assert f"mod={shown}]" in stand_in(media(modality_hazard=hazard), "synthetic-description")


@pytest.mark.parametrize(
    ("size", "shown"),
    [
        (None, "unknown size"),
        (0, "0 B"),
        (12, "12 B"),
        (1023, "1023 B"),
        (1024, "1.0 KB"),
        (1536, "1.5 KB"),
        (1024**2, "1.0 MB"),
        (1_572_864, "1.5 MB"),
        (1024**3, "1.0 GB"),
        (5 * 1024**4, "5120.0 GB"),
    ],
)
def test_a_size_is_shown_in_bytes_or_base_1024(size: int | None, shown: str) -> None:
    """One decimal from a kilobyte up; gigabytes are the largest unit."""
    assert show_size(size) == shown


def test_a_size_that_can_not_be_read_is_unknown(tmp_path: Path) -> None:
    """What the API fetches itself, a file that is gone, and storage that fails."""

    def fails() -> bytes:
        raise OSError("no storage")

    for source in (Url("https://example.org/a"), FileId("f"), absent_file(tmp_path), fails):
        text = stand_in(media(kind="audio", source_reader=source), "synthetic-description")
        assert ", unknown size]" in text


def test_the_size_of_a_file_is_not_read_from_its_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file system knows it."""
    path = tmp_path / "a.wav"
    path.write_bytes(b"x" * 2048)
    monkeypatch.setattr(Path, "read_bytes", lambda self: pytest.fail("the file was read"))

    assert ", 2.0 KB]" in stand_in(media(kind="audio", source_reader=path), "synthetic-description")
