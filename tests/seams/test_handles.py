"""The two handles, and what is told to them, each alone."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seams.fakes import Words, absent_file, settle
from seamwright import FileSource, HandleInfo, SpooledArtifact, ToolMethod
from seamwright.seams.handles import artifact_handle, handle_info, retrievable_handle

HANDLES = {"tool result": artifact_handle, "record": retrievable_handle}


@pytest.mark.parametrize("noun", HANDLES)
def test_a_handle_says_what_was_left_out(noun: str) -> None:
    """A sentence, the four lines of metadata, and that it can be queried again this turn."""
    lines = HANDLES[noun](HandleInfo("call 1|fc_1", "json", 2048, 7, ())).split("\n")

    assert noun in lines[0]
    assert "large" in lines[0]
    assert lines[1:6] == [
        "Artifact metadata:",
        "- callId: call 1|fc_1",
        "- kind: json",
        "- byteLength: 2048",
        "- lineCount: 7",
    ]
    assert "again" in lines[6]
    assert "turn" in lines[6]
    assert len(lines) == 7


@pytest.mark.parametrize("noun", HANDLES)
def test_sizes_that_are_not_known_say_so(noun: str) -> None:
    """Zero is a size."""
    text = HANDLES[noun](HandleInfo("c", "text", None, None, ()))
    assert "- byteLength: unknown\n- lineCount: unknown\n" in text
    assert "- byteLength: 0\n- lineCount: 0\n" in HANDLES[noun](HandleInfo("c", "text", 0, 0, ()))


@pytest.mark.parametrize("noun", HANDLES)
def test_tokens_are_shown_when_they_were_counted(noun: str) -> None:
    """With their encoding, behind the lines; zero tokens are a count."""
    handle = HANDLES[noun]
    counted = handle(HandleInfo("c", "text", 1, 1, (), 12, "o200k"))

    assert "- lineCount: 1\n- estimatedTokens: 12 (encoding: o200k)\n" in counted
    assert "- estimatedTokens: 0 (encoding: x)\n" in handle(HandleInfo("c", "text", 1, 1, (), 0, "x"))
    assert "estimatedTokens" not in handle(HandleInfo("c", "text", 1, 1, ()))


@pytest.mark.parametrize("noun", HANDLES)
def test_tools_that_read_it_stand_one_a_line(noun: str) -> None:
    """Name and description, behind the metadata; a tool without description is its name."""
    methods = (ToolMethod(name="grep", description="search lines"), ToolMethod(name="head"))
    lines = HANDLES[noun](HandleInfo("c", "text", 1, 1, methods)).split("\n")

    start = lines.index("- lineCount: 1") + 1
    assert "callId" in lines[start]
    assert lines[start + 1 : start + 3] == ["- grep — search lines", "- head"]
    assert len(lines) == start + 4


# --- what is told


@given(st.text(st.characters(exclude_categories=["Cs"])), st.sampled_from(["text", "bytes", "reader"]))
def test_sizes_are_those_of_the_text(text: str, form: str) -> None:
    """Length in UTF-8 bytes, lines split at the line feed alone, and none for an empty text, whatever holds it."""
    reader: Any = {"text": text, "bytes": text.encode(), "reader": lambda: text}[form]
    info = asyncio.run(handle_info("c", SpooledArtifact(reader=reader), None))

    assert info.byte_length == len(text.encode())
    assert info.line_count == (len(text.split("\n")) if text else 0)


@pytest.mark.parametrize("content", [b"", b"a", b"a\nb", b"a\n", b"\r\n\xc3\xa9", b"\xff\xfe\n"])
def test_a_file_has_the_sizes_of_its_content(tmp_path: Path, content: bytes) -> None:
    """The same as of its bytes; no UTF-8 is needed to count."""
    path = tmp_path / "a"
    path.write_bytes(content)
    of_file = asyncio.run(handle_info("c", SpooledArtifact(reader=path), None))

    assert of_file == asyncio.run(handle_info("c", SpooledArtifact(reader=content), None))
    assert of_file.byte_length == len(content)


def test_kind_methods_and_id_are_handed_on() -> None:
    """Just as the artifact has them."""
    methods = (ToolMethod(name="grep"),)
    info = asyncio.run(handle_info("c|i", SpooledArtifact(reader="a", kind="json", tool_methods=methods), None))

    assert info == HandleInfo("c|i", "json", 1, 1, methods)


def test_tokens_are_counted_when_there_is_a_counter() -> None:
    """Over the whole text, under the counter's own encoding."""
    info = asyncio.run(handle_info("c", SpooledArtifact(reader=b"a b c"), Words()))

    assert (3, "words") == (info.estimated_tokens, info.encoding)


def test_what_can_not_be_read_is_not_known(tmp_path: Path) -> None:
    """A file that is gone, and a reader whose storage fails."""

    def fails() -> bytes:
        raise ConnectionError("no storage")

    for reader in (absent_file(tmp_path), FileSource(tmp_path, "."), fails):
        info = asyncio.run(handle_info("c", SpooledArtifact(reader=reader), Words()))
        assert info == HandleInfo("c", "text", None, None, (), None, None)


def test_a_large_file_is_not_read_for_its_sizes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its length comes from the file system, its lines piece by piece."""
    path = tmp_path / "large"
    path.write_bytes(b"line\n" * 300_000)

    def forbidden(self: Path) -> bytes:
        raise AssertionError("the whole file was read")

    monkeypatch.setattr(Path, "read_bytes", forbidden)
    info = asyncio.run(handle_info("c", SpooledArtifact(reader=path), None))

    assert (1_500_000, 300_001) == (info.byte_length, info.line_count)


def test_a_reader_may_wait() -> None:
    """An asynchronous reader gives the same sizes."""

    async def read() -> str:
        await asyncio.sleep(0)
        return "a\nb"

    info = settle(handle_info("c", SpooledArtifact(reader=read), Words()))
    assert (3, 2, 2) == (info.byte_length, info.line_count, info.estimated_tokens)
