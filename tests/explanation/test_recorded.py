"""Recorded chains: where the prefix is unchanged, ``explain`` says that things were only appended."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Callable
from typing import Any

from conftest import shared_folder
from seamwright import explain
from seamwright.explanation import outline

FOLDER = shared_folder("recorded")


def bodies() -> dict[str, dict[str, Any]]:
    """Each recorded line by its id."""
    lines: dict[str, dict[str, Any]] = {}
    for path in FOLDER.glob("*.jsonl.gz"):
        for line in gzip.decompress(path.read_bytes()).decode().split("\n"):
            if line:
                raw = json.loads(line)
                lines[raw["id"]] = raw
    return lines


def answered(raw: dict[str, Any]) -> dict[str, Any]:
    """The response, also where it was streamed."""
    ended = [event["response"] for event in raw.get("events") or [] if event.get("type") == "response.completed"]
    response: dict[str, Any] = raw.get("response") or (ended[0] if ended else {})
    return response


def head(body: dict[str, Any]) -> list[Any]:
    """What stands before the items; a format of plain text is none."""
    output_format = (body.get("text") or {}).get("format")
    asked = None if output_format == {"type": "text"} else output_format
    return [body.get("model"), body.get("tools") or [], asked, body.get("instructions")]


def test_unchanged_chains_are_appended_only(figure: Callable[[str], None]) -> None:
    """Every chain whose input begins with the previous one says so; one whose head changed names the head.

    Where tokens came from the cache behind an unchanged prefix, that is a hit, and no miss is put on anybody.
    """
    known = bodies()
    seen: Counter[str] = Counter()
    verdicts: Counter[str] = Counter()
    for chain in json.loads((FOLDER / "chains.json").read_bytes()):
        one, other = (known[chain[side]].get("request") for side in "ab")
        if not (isinstance(one, dict) and isinstance(other, dict) and "input" in one and "input" in other):
            continue
        found = explain(one, other, answered(known[chain["b"]]))
        seen[found.kind] += 1
        same_head = head(one) == head(other)
        if chain["prefix"]:
            assert same_head == (found.kind == "appended only"), chain
            assert found.section in {None, "model", "tools", "text", "instructions"}, chain
        assert found.kind == explain(outline(one), outline(other)).kind
        assert found.cache is not None
        verdicts[found.cache.verdict] += 1
        if found.cache.cached and found.kind == "appended only":
            assert "hit" == found.cache.verdict, chain
        assert found.kind != "appended only" or found.cache.verdict in {"hit", "too short", "unknown"}, chain
    figure(f"explain: verdicts on recorded chains {dict(verdicts.most_common())}")
    figure(f"explain: recorded chains {dict(seen.most_common())}")
    assert seen["appended only"] >= 100
