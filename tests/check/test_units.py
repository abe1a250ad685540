"""The small parts: data URLs, paths, texts."""

from __future__ import annotations

import base64
import binascii

import pytest
from check_bodies import JPEG, PNG
from hypothesis import given
from hypothesis import strategies as st

from seamwright.check.json_types import kind, shown, step
from seamwright.check.media import base64_fault, image_type, parse_data_url
from seamwright.check.paths import locate, steps_of
from seamwright.check.repair.parts import mend_base64, mend_image_url
from seamwright.check.repair.text import odd_form
from seamwright.check.tree import join_surrogates


@given(st.binary(min_size=1, max_size=60))
def test_base64_has_no_fault(data: bytes) -> None:
    """What the standard encoder writes is fault free, and any character taken away makes it faulty."""
    text = base64.b64encode(data).decode()
    assert base64_fault(text) == ""
    assert base64_fault(text[:-1]) != ""


@given(st.text(alphabet="AQgw+/=-_ \né", max_size=12))
def test_faults_are_those_of_a_strict_decoder(text: str) -> None:
    """A text has a fault exactly when a strict decoder refuses it, or it is empty."""
    try:
        strict = bool(binascii.a2b_base64(text, strict_mode=True))
    except ValueError:
        strict = False
    assert strict == (base64_fault(text) == "")


def test_images_are_told_by_their_first_bytes() -> None:
    """The four kinds are told by their signatures, anything else is none."""
    assert image_type(b"\x89PNG\r\n\x1a\n") == "image/png"
    assert image_type(b"\xff\xd8\xff") == "image/jpeg"
    assert image_type(b"GIF89a") == image_type(b"GIF87a") == "image/gif"
    assert image_type(b"RIFF\x00\x00\x00\x00WEBP") == "image/webp"
    assert image_type(b"RIFF\x00\x00\x00\x00WAVE") is image_type(b"<svg") is image_type(b"") is None


def test_data_urls() -> None:
    """A data URL is parted into type and payload, whatever its parameters and capitals."""
    data = parse_data_url("DATA:Image/PNG;charset=utf-8;BASE64,AAAA")
    assert data is not None
    assert (data.mime, data.payload, data.head()) == ("image/png", "AAAA", b"\x00\x00\x00")
    for odd in ("", "data:", "data:image/png,AAAA", "data:image/png;base64", "AAAA", "x" * 1000):
        assert parse_data_url(odd) is None


@given(st.binary(min_size=1, max_size=40))
def test_mended_base64_decodes_to_the_same(data: bytes) -> None:
    """Line breaks, the other alphabet and lost padding are mended without changing the bytes."""
    text = base64.urlsafe_b64encode(data).decode().rstrip("=")
    mended = mend_base64(f" {text[:5]}\n{text[5:]}")
    assert mended is not None
    assert base64.b64decode(mended, validate=True) == data


def test_sound_image_urls_stay() -> None:
    """An image URL without fault is not rewritten."""
    url = f"data:image/jpeg;base64,{JPEG}"
    assert mend_image_url(url) is url
    assert mend_image_url(f"data:image/png;base64,{JPEG}") == url
    assert mend_image_url(PNG) == f"data:image/png;base64,{PNG}"


@given(st.lists(st.one_of(st.text(max_size=12), st.integers(0, 99)), min_size=1, max_size=5))
def test_paths_can_be_read_back(steps: list[str | int]) -> None:
    """A path, as it is spelled, gives its steps again."""
    path = "".join(f"[{one}]" if isinstance(one, int) else step(one) for one in steps)
    assert steps_of(path) == steps


def test_locate() -> None:
    """A path leads to what stands there, or as far as it goes."""
    body = {"input": [{"a b": [1, 2]}]}
    assert locate(body, 'input[0]["a b"][1]') == 2
    assert locate(body, "input[0].missing.more") == {"a b": [1, 2]}
    assert locate(body, "input[7]") == [{"a b": [1, 2]}]
    assert locate(body, "") is body


@given(st.text(max_size=200))
def test_odd_forms_are_accepted_and_one_to_one(text: str) -> None:
    """The form of an odd id has at most 64 characters of the alphabet, and differs when the id differs."""
    form = odd_form(text)
    assert len(form) <= 64 and form.isascii() and form.replace("_", "a").replace("-", "a").isalnum()
    assert odd_form(text + "x") != form


def test_odd_form_exactly() -> None:
    """Other characters as _, cut to 47, _ and the hash of the whole, as the builder writes it."""
    assert odd_form("exec.command") == "exec_command_5b5a844f157d5a37"
    assert odd_form("x" * 70)[:48] == "x" * 47 + "_"


@given(st.text(alphabet=st.characters(codec=None, categories=("Cs", "Lu")), max_size=8))
def test_joined_surrogates_can_be_written(text: str) -> None:
    """Pairs are joined, lone surrogates replaced; what is left can be written as UTF-8."""
    joined = join_surrogates(text)
    assert joined.encode().decode() == joined
    assert len(joined) <= len(text)


def test_one_replacement_for_each_lone_surrogate() -> None:
    """Each lone surrogate becomes one U+FFFD, wherever it stands."""
    assert join_surrogates("\ud83d") == "\ufffd"
    assert join_surrogates("a\udc00b\ud83d\ud83dc") == "a\ufffdb\ufffd\ufffdc"
    assert join_surrogates("\ud83d\ude00") == "\U0001f600"


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("x", "a string"),
        (1, "a number"),
        (1.5, "a number"),
        (True, "a boolean"),
        (None, "null"),
        ([], "an array"),
        ({}, "an object"),
    ],
)
def test_kinds(value: object, name: str) -> None:
    """JSON values are named in the API's words."""
    assert kind(value) == name


@given(st.one_of(st.text(), st.integers(), st.lists(st.text(max_size=3)), st.none()))
def test_shown_values_fit_a_message(value: object) -> None:
    """A value in a message is short, printable and on one line."""
    text = shown(value)
    assert len(text) <= 60
    assert text.isprintable()
