"""The blocks and messages of a protocol history."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import attrs
import pytest

from seamwright import InvalidStateError
from seamwright.history import HistoryMessage, ImageBlock, TextBlock, ThinkingBlock, ToolCallBlock, load_history
from seamwright.model.converter import converter


def test_a_role_that_is_none_is_refused() -> None:
    """The error of an unknown role names class, field, value and the nearest role."""
    with pytest.raises(InvalidStateError) as caught:
        HistoryMessage("asistant", [TextBlock("a")])
    assert ["HistoryMessage.role"] == caught.value.fields
    assert "'asistant'" in str(caught.value)
    assert "did you mean 'assistant'" in str(caught.value)


def test_a_tool_message_needs_its_call() -> None:
    """A tool message without tool_call_id is refused; an empty id is one."""
    with pytest.raises(InvalidStateError) as caught:
        HistoryMessage("tool", [TextBlock("a")])
    assert ["HistoryMessage.tool_call_id"] == caught.value.fields
    assert "" == HistoryMessage("tool", [TextBlock("a")], "").tool_call_id


@pytest.mark.parametrize("content", ["text", None, [{"type": "text", "text": "a"}], [1]])
def test_content_is_a_list_of_blocks(content: Any) -> None:
    """A text, nothing, and things that are no blocks are refused as content."""
    with pytest.raises(InvalidStateError) as caught:
        HistoryMessage("user", content)
    assert ["HistoryMessage.content"] == caught.value.fields


@pytest.mark.parametrize(
    ("make", "path"),
    [
        (lambda: TextBlock(1), "TextBlock.text"),
        (lambda: TextBlock("a", 1), "TextBlock.signature"),
        (lambda: ImageBlock("a", None), "ImageBlock.mime_type"),
        (lambda: ThinkingBlock(None), "ThinkingBlock.thinking"),
        (lambda: ToolCallBlock(1, "f"), "ToolCallBlock.id"),
        (lambda: ToolCallBlock("c", None), "ToolCallBlock.name"),
    ],
)
def test_a_wrong_field_is_named(make: Any, path: str) -> None:
    """A wrong value is refused when the block is made, with class and field."""
    with pytest.raises(InvalidStateError) as caught:
        make()
    assert [path] == caught.value.fields


def test_blocks_do_not_change() -> None:
    """Blocks and messages are frozen, arguments with them."""
    arguments = {"a": [1]}
    block = ToolCallBlock("c", "f", arguments)
    arguments["a"].append(2)
    assert {"a": [1]} == block.arguments
    with pytest.raises(TypeError):
        block.arguments["a"].append(2)
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        block.name = "g"


def test_bytes_of_an_image_are_encoded() -> None:
    """An image may be given as bytes; text is taken as base64 and left alone."""
    assert "AQI=" == ImageBlock(b"\x01\x02", "image/png").data
    assert "AQ\nI=" == ImageBlock("AQ\nI=", "image/png").data


LOG: list[dict[str, Any]] = [
    {
        "role": "user",
        "content": [{"type": "text", "text": "q"}, {"type": "image", "data": "AQ", "mime_type": "image/png"}],
    },
    {
        "role": "assistant",
        "content": [
            {"type": "thinking", "thinking": "t", "signature": "{}"},
            {"type": "tool_call", "id": "c", "name": "f", "arguments": {"a": [1, None]}},
        ],
        "provider": "openai",
    },
    {"role": "tool", "content": [{"type": "text", "text": "r"}], "tool_call_id": "c"},
]


def test_loads_from_every_source(tmp_path: Path) -> None:
    """A list, JSON text, bytes and a file give the same messages."""
    path = tmp_path / "history.json"
    path.write_text(json.dumps(LOG))
    loaded = load_history(LOG)
    assert loaded == load_history(json.dumps(LOG)) == load_history(json.dumps(LOG).encode()) == load_history(path)
    assert ToolCallBlock("c", "f", {"a": [1, None]}) == loaded[1].content[1]


def test_what_is_loaded_can_be_dumped() -> None:
    """The converter writes a message as it was read."""
    assert LOG == [converter.unstructure(message) for message in load_history(LOG)]


def test_absent_and_null_are_the_same_but_for_arguments() -> None:
    """Null stands for an absent key, except that null arguments are null."""
    given = {"type": "tool_call", "id": "c", "name": "f", "arguments": None, "signature": None}
    [message] = load_history([{"role": "assistant", "content": [given], "provider": None, "tool_call_id": None}])
    assert message == HistoryMessage("assistant", [ToolCallBlock("c", "f", None)])


def test_every_fault_has_its_path() -> None:
    """All faults of a log are reported together, each where it stands."""
    log = [
        {"role": "user", "content": [{"type": "txt", "text": "q"}, {"text": "q"}]},
        {"role": "tool", "content": []},
        {"role": "user", "content": [{"type": "text", "txt": "q"}], "nam": "x"},
        {"role": "user", "content": "q"},
        7,
    ]
    with pytest.raises(InvalidStateError) as caught:
        load_history(log)
    assert [
        "[0].content[0].type",
        "[0].content[1].type",
        "[1].tool_call_id",
        "[2].content[0].text",
        "[2].content[0].txt",
        "[2].nam",
        "[3].content",
        "[4]",
    ] == caught.value.fields


@pytest.mark.parametrize("source", ["{", b"\xff", "7", "{}"])
def test_what_is_no_list_is_refused(source: str | bytes) -> None:
    """Text that is no JSON, and JSON that is no list, is an error of the input."""
    with pytest.raises(InvalidStateError):
        load_history(source)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    """A missing file is an error of the input that names it."""
    with pytest.raises(InvalidStateError, match=r"nowhere\.json"):
        load_history(tmp_path / "nowhere.json")
