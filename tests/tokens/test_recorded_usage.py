"""Counts against recorded usage figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from recorded.recordings import RECORDED, Recording, recordings
from seamwright import O200kCounter, count_request

pytestmark = pytest.mark.skipif(not RECORDED.is_dir(), reason="recorded traffic is not here")

ELSEWHERE = ("previous_response_id", "conversation", "prompt", "tools")
"""With one of these the model reads more than the items and the instructions of the request."""
SAME_ENCODING = ("openai", "azure", "chatgpt-codex")
"""Providers whose models have this encoding; others serve models of their own."""


def usage(recording: Recording) -> int | None:
    """The recorded input tokens."""
    response = recording.response
    figures: Any = response.get("usage") if isinstance(response, Mapping) else None
    return figures.get("input_tokens") or None if isinstance(figures, Mapping) else None


def accepted() -> list[tuple[Recording, int]]:
    """Requests that were answered, with what they cost; edited ones and others' models are left out."""
    found: list[tuple[Recording, int]] = []
    for one in recordings().values():
        fits = one.status == 200 and one.provider in SAME_ENCODING and one.raw.get("model_match", True)
        if fits and one.request and one.answered and (tokens := usage(one)):
            found.append((one, tokens))
    return found


def is_messages_only(recording: Recording) -> bool:
    """Nothing but messages of text, and no more for the model to read than what the request says."""
    request = recording.request or {}
    form = (request.get("text") or {}).get("format") or {}
    if any(request.get(name) for name in ELSEWHERE) or form.get("type", "text") != "text":
        return False
    return all(_is_text(item) for item in recording.input)


def _is_text(item: Mapping[str, Any]) -> bool:
    content = item.get("content")
    parts = content if isinstance(content, list) else []
    kinds = {part.get("type") for part in parts}
    return item.get("type", "message") == "message" and kinds <= {"input_text", "output_text", "text"}


def test_messages_are_counted_as_they_were_billed(figure: Callable[[str], None]) -> None:
    """Within the larger of one per cent and two tokens, in 85 of 100 recorded requests at least."""
    counter = O200kCounter()
    requests = [(one, tokens) for one, tokens in accepted() if is_messages_only(one)]
    near = 0
    for one, tokens in requests:
        count = count_request(one.request or {}, counter)
        assert count.estimated == 0
        near += abs(count.total - tokens) <= max(2, tokens / 100)
    figure(f"tokens: {near} of {len(requests)} requests of messages alone within the larger of 1 % and 2 tokens")
    assert len(requests) >= 150
    assert near >= 0.85 * len(requests)


def test_function_tools_are_estimated(figure: Callable[[str], None]) -> None:
    """Requests with function tools: within a quarter in four of five. Published as an estimate."""
    counter = O200kCounter()
    requests = [(one, tokens) for one, tokens in accepted() if _has_function_tools(one)]
    near = sum(
        abs(count_request(one.request or {}, counter).total - tokens) <= max(10, tokens / 4) for one, tokens in requests
    )
    figure(f"tokens: {near} of {len(requests)} requests with function tools within a quarter")
    assert len(requests) >= 80
    assert near >= 0.8 * len(requests)


def _has_function_tools(recording: Recording) -> bool:
    request = recording.request or {}
    tools = request.get("tools") or []
    others = {name: value for name, value in request.items() if name != "tools"}
    plain = is_messages_only(Recording("", "", 200, "", others, True, {}))
    return bool(tools) and plain and all(tool.get("type") == "function" for tool in tools)
