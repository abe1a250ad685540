"""``docs/state-file.md``: every block is a state file, every key is explained."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import attrs
import pytest

from seamwright import (
    AgentState,
    FallbackStash,
    Identity,
    Media,
    Memory,
    Message,
    ProviderItem,
    ReasoningPayload,
    RenderOptions,
    ResponseOrigin,
    Retrievable,
    SpooledArtifact,
    StashEntry,
    Thought,
    Tool,
    ToolCall,
    ToolMethod,
    dump_state,
    load_state,
)

PAGE = Path(__file__).resolve().parents[2] / "docs" / "state-file.md"
TEXT = PAGE.read_text("utf-8")
BLOCKS = [json.loads(block) for block in re.findall(r"^```json\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)]
CLASSES = (
    *(AgentState, RenderOptions, FallbackStash, Identity, Message, Media, StashEntry, Memory, Retrievable),
    *(SpooledArtifact, ToolMethod, ToolCall, Thought, ReasoningPayload, ResponseOrigin, ProviderItem, Tool),
)
SPELLED_OTHERWISE = {"reader", "source_reader"}
"""Fields that a file spells by what holds the bytes: ``text``, ``path``, ``data``, …"""


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: ",".join(block)[:40])
def test_every_block_is_a_state_file(root: Path, block: dict[str, Any]) -> None:
    """With a model beside it each block loads, and what it was read as is written and read again the same."""
    state, options = load_state({"model": "gpt-5.4", **block}, root / "examples")

    again = load_state(json.dumps(dump_state(state, options)), root / "examples")

    assert (state, options) == again


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_every_key_is_on_the_page(cls: type) -> None:
    """Each field of each primitive stands on the page, in an example or in the text."""
    names = {field.name for field in attrs.fields(cls) if field.init} - SPELLED_OTHERWISE

    assert set() == {name for name in names if f'"{name}"' not in TEXT and f"`{name}`" not in TEXT}


def test_defaults_of_the_options_are_those_of_the_class() -> None:
    """The table of options has a row for each, and where a default is a word, it is the default."""
    rows = dict(re.findall(r"^\| `(\w+)` \| ([^|]+?) \|", TEXT.partition("## Messages")[0], re.MULTILINE))
    options = RenderOptions(model="gpt-5.4")
    fields = [field.name for field in attrs.fields(RenderOptions) if field.name != "model"]

    assert fields == list(rows)
    for name, shown in rows.items():
        value = getattr(options, name)
        words = [value.name] if name == "endpoint" else [value] if isinstance(value, str) else list(value or ())
        assert words == re.findall(r"`([^`]+)`", shown), name
