"""Media are encoded once in a session, files are read piece by piece, artifacts are read once: counted."""

from __future__ import annotations

import json
from binascii import b2a_base64
from pathlib import Path
from typing import Any, Final

import attrs
import pytest
from benchmarks.memory import LIMIT, measured

from render_session.test_outside import OPTIONS, call, image, message, png, state_of
from seamwright import AgentState, Media, Message, SpooledArtifact
from seamwright.model import sources
from seamwright.seams import context
from seamwright_containers import responses_pipeline

PIPELINE: Final = responses_pipeline()


@pytest.fixture
def encoded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The length of everything that is encoded as base64 while the test runs."""
    lengths: list[int] = []

    def counted(data: bytes, *, newline: bool = True) -> bytes:
        lengths.append(len(data))
        return b2a_base64(data, newline=newline)

    monkeypatch.setattr(context, "b2a_base64", counted)
    return lengths


def with_media(*media: Media) -> AgentState:
    """A message with these attachments between others."""
    return state_of(message(0), message(1, attachments=media), message(2))


def edited(state: AgentState, place: int) -> AgentState:
    """The state with another text in one message."""
    said: list[Message] = list(state.messages)
    said[place] = attrs.evolve(said[place], content="edited")
    return attrs.evolve(state, messages=said)


def test_the_same_bytes_are_encoded_once_in_a_session(encoded: list[int]) -> None:
    """Also when the message is rendered anew because something before it, or its own text, changed."""
    session = PIPELINE.session()
    state = with_media(image(png("a")))
    builds = [session.build_sync(edited(state, place), OPTIONS) for place in (2, 1, 0)]
    assert [9] == encoded
    assert all("data:image/png;base64,iVBORw0KGgph" in json.dumps(built.input) for built in builds)


def test_a_cold_build_encodes_each_media_once(encoded: list[int]) -> None:
    """Whether its bytes come from memory, from a file or from a reader."""
    state = with_media(image(png("a")), image(lambda: png("bb")))
    PIPELINE.build_sync(state, OPTIONS)
    assert [9, 10] == encoded


def test_bytes_that_left_the_state_are_forgotten(encoded: list[int]) -> None:
    """They are encoded again when they come back: a session holds no more than its last state needs."""
    session = PIPELINE.session()
    state = with_media(image(png("a")))
    for built in (state, with_media(), state):
        session.build_sync(built, OPTIONS)
    assert [9, 9] == encoded


def test_files_are_read_piece_by_piece(tmp_path: Path, encoded: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """No piece is longer than is asked for, and together they are the file."""
    monkeypatch.setattr(sources, "_PIECE", 30)
    path = tmp_path / "i.png"
    path.write_bytes(png("x" * 92))
    streamed = PIPELINE.build_sync(with_media(image(path)), OPTIONS)
    assert [30, 30, 30, 10] == encoded
    assert PIPELINE.build_sync(with_media(image(path.read_bytes())), OPTIONS).input == streamed.input


@pytest.mark.parametrize("counter", [None, "counts"])
@pytest.mark.parametrize("inline", [False, True])
def test_artifacts_are_read_once(counter: str | None, inline: bool) -> None:
    """For its length, its lines, its tokens or its text, a reader is asked one time in a build."""
    asked: list[int] = []

    class Counter:
        encoding = "letters"

        def __call__(self, text: str, /) -> int:
            return len(text)

    async def read() -> str:
        asked.append(1)
        return "one\ntwo\n"

    pipeline = responses_pipeline(token_counter=Counter() if counter else None)
    state = state_of(message(0), attrs.evolve(call(0, SpooledArtifact(reader=read)), inline=inline, trusted=True))
    built = json.dumps(pipeline.build_sync(state, OPTIONS).input)
    assert [1] == asked
    assert ("one" in built) is inline
    assert ("lineCount: 3" in built) is not inline


@pytest.mark.parametrize("how", ["bytes", "file", "json"])
def test_a_large_document(how: Any) -> None:
    """A document of 50 MB takes a few times its base64 text, hashing and the body of the request included."""
    grown = measured(how)
    if grown is None:
        pytest.skip("no /proc, which tells the peak of a process")
    assert 0.9 <= grown <= LIMIT
