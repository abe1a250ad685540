"""The recorded traffic: requests, what was answered to them, and which calls follow each other in one conversation."""

from __future__ import annotations

import gzip
import json
import os
from functools import cache
from pathlib import Path
from typing import Any, Final

import attrs

from seamwright.ingest.stream import accumulate

ROOT: Final = Path(__file__).resolve().parents[2]
RECORDED: Final = Path(os.environ.get("SEAMWRIGHT_SHARED", ROOT.parent / "shared")) / "recorded"

Item = dict[str, Any]

ENDPOINT_OF: Final = {"azure": "azure", "chatgpt-codex": "codex", "openai": "openai"}
"""The profile a provider is spoken to with; every other provider is a ``compatible`` one."""


@attrs.frozen
class Recording:
    """One call. ``request`` is None where none was kept; ``answered`` where neither response nor stream was."""

    id: str
    provider: str
    status: int
    endpoint: str
    request: dict[str, Any] | None
    answered: bool
    raw: dict[str, Any] = attrs.field(repr=False)

    @property
    def response(self) -> Any:
        """The response, accumulated when it was streamed."""
        return self.raw["response"] if "response" in self.raw else accumulate(self.raw["events"])

    @property
    def input(self) -> list[Item]:
        """The items that were sent; a text alone is a user message."""
        given = self.request["input"] if self.request else []
        return [*given] if isinstance(given, list) else [{"type": "message", "role": "user", "content": given}]

    @property
    def instructions(self) -> str:
        return (self.request or {}).get("instructions") or ""

    @property
    def profile(self) -> str:
        return ENDPOINT_OF.get(self.provider, "compatible")


@cache
def recordings() -> dict[str, Recording]:
    """Every recording, by its id."""
    return {raw["id"]: _recording(raw) for path in sorted(RECORDED.glob("*.jsonl.gz")) for raw in _lines(path)}


def _lines(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        return [json.loads(line) for line in lines]


def _recording(raw: dict[str, Any]) -> Recording:
    request = raw.get("request")
    return Recording(
        id=raw["id"],
        provider=raw["provider"],
        status=raw["status"],
        endpoint=raw["endpoint"],
        request=request if isinstance(request, dict) and "input" in request else None,
        answered="response" in raw or "events" in raw,
        raw=raw,
    )


@cache
def pairs() -> list[tuple[Recording, Recording]]:
    """Consecutive calls at OpenAI or Azure of which the second begins with the first one's input, unchanged."""
    chains = json.loads((RECORDED / "chains.json").read_bytes())
    known = recordings()
    chosen = [chain for chain in chains if chain["prefix"] and chain["provider"] in ("openai", "azure")]
    return [(known[chain["a"]], known[chain["b"]]) for chain in chosen]
