"""Consecutive recorded calls: what our build sends after a response is what the client really sent after it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final

import attrs
import pytest

from recorded.changes import (
    Change,
    Item,
    another_call_id,
    applied,
    dropped,
    id_as_call_id,
    instead,
    namespace_added,
    nulls_dropped,
    nulls_dropped_below,
    paths_called_queries,
    polled,
    put,
    straight_quotes,
    without,
    without_below,
)
from recorded.recordings import RECORDED, Recording, pairs
from seamwright import AgentState, RenderOptions
from seamwright.history.responses import history_from_responses
from seamwright_containers import responses_pipeline

pytestmark = pytest.mark.skipif(not RECORDED.is_dir(), reason="recorded traffic is not here")

_REWORDED_FOUND: Final = (
    "it calls the search's paths queries, and leaves out the keys that hold null of the tools found",
    [paths_called_queries(), nulls_dropped_below("tool_search_output", "tools")],
)
_NAMED: Final = (
    "it gives the search the item's id as its call id, and leaves out what it found",
    [id_as_call_id("tool_search_call"), dropped("tool_search_output")],
)
_REWORDED_NAMED: Final = (
    "it calls the search's paths queries, gives it the item's id as its call id, and leaves out what it found",
    [paths_called_queries(), *_NAMED[1]],
)
_NULLS: Final = "it leaves out the keys that hold null"
_NAMESPACE: Final = ("it adds a namespace to the call", [namespace_added()])

# Pairs whose client changed what the response gave, by the second call's id. No library can give back both.
CHANGED: Final[dict[str, tuple[str, list[Change]]]] = {
    "langchain_openai-1.7.4-sdist/0089.json": (
        "it patches under the call id of another recording",
        [another_call_id("apply_patch_call")],
    ),
    "langchain_openai-1.7.4-sdist/0095.json": (_NULLS, [nulls_dropped("code_interpreter_call")]),
    "langchain_openai-1.7.4-sdist/0137.json": (
        "it sends the image by its id alone, which the server's stored response resolves",
        [
            without(
                "image_generation_call",
                *("background", "output_format", "quality", "result", "revised_prompt", "size"),
            )
        ],
    ),
    "langchain_openai-1.7.4-sdist/0145.json": (_NULLS, [nulls_dropped("mcp_call")]),
    "langchain_openai-1.7.4-sdist/0147.json": (_NULLS, [nulls_dropped("mcp_call")]),
    "langchain_openai-1.7.4-sdist/0161.json": (
        "it makes an empty summary of none",
        [put("reasoning", summary=[{"type": "summary_text", "text": ""}])],
    ),
    "langchain_openai-1.7.4-sdist/0166.json": (
        _NULLS,
        [nulls_dropped("tool_search_call"), nulls_dropped("tool_search_output")],
    ),
    "langchain_openai-1.7.4-sdist/0168.json": (
        _NULLS,
        [nulls_dropped("tool_search_call"), nulls_dropped("tool_search_output")],
    ),
    "pydantic__pydantic-ai/0033.json": _REWORDED_FOUND,
    "pydantic__pydantic-ai/0044.json": _REWORDED_FOUND,
    "pydantic__pydantic-ai/0047.json": (
        "it sends the search of another recording, and what that found",
        [dropped("tool_search_call"), dropped("tool_search_output")],
    ),
    "pydantic__pydantic-ai/0050.json": _REWORDED_NAMED,
    "pydantic__pydantic-ai/0052.json": _NAMED,
    "pydantic__pydantic-ai/0054.json": _REWORDED_NAMED,
    "pydantic__pydantic-ai/0056.json": _REWORDED_FOUND,
    "pydantic__pydantic-ai/0058.json": _NAMESPACE,
    "pydantic__pydantic-ai/0060.json": _REWORDED_FOUND,
    "pydantic__pydantic-ai/0062.json": _NAMESPACE,
    "pydantic__pydantic-ai/0184.json": ("the response was only queued; it sends what it fetched later", [polled]),
    "pydantic__pydantic-ai/0264.json": ("it leaves out the file search", [dropped("file_search_call")]),
    "pydantic__pydantic-ai/0271.json": (
        "it leaves out what the server of the hosted tools said",
        [put("mcp_list_tools", tools=[]), put("mcp_call", output=None), without("mcp_call", "approval_request_id")],
    ),
    "pydantic__pydantic-ai/0284.json": (
        "it leaves out the sources of the search",
        [without_below("web_search_call", "action", "sources")],
    ),
    "pydantic__pydantic-ai/0298.json": ("it makes straight quotation marks of typographic ones", [straight_quotes()]),
    "pydantic__pydantic-ai/0310.json": ("it sends the item's id as the call id", [id_as_call_id("function_call")]),
    "pydantic__pydantic-ai/0317.json": (
        "it leaves out what the code put out",
        [put("code_interpreter_call", outputs=None)],
    ),
    "pydantic__pydantic-ai/0321.json": ("it sends two texts of its own in the place of the answer", [instead]),
}

# The one response that a stateless build can't give back whole.
NEEDS_ITS_ID: Final = {
    "langchain_openai-1.7.4-sdist/0095.json": (
        "code_interpreter_call",
        "its reasoning came without encrypted part",
    )
}


@attrs.frozen
class Pair:
    """Two calls.

    ``given``: the response's items; ``sent``: what stands behind the first input in the second one, without what the
    client added; ``built``: what our build puts there.
    """

    name: str
    given: list[Item]
    sent: list[Item]
    built: list[Item]
    warnings: list[str]


@cache
def all_pairs() -> list[Pair]:
    """Every pair, built once."""
    return [_pair(first, second) for first, second in pairs()]


def _pair(first: Recording, second: Recording) -> Pair:
    given = first.response["output"]
    behind = second.input[len(first.input) :]
    built, warnings = _built(first)
    return Pair(
        name=second.id,
        given=given,
        sent=[item for item in behind if not is_added(item, given)],
        built=[item for item in built if not is_added(item, None)],
        warnings=warnings,
    )


def _built(recording: Recording) -> tuple[list[Item], list[str]]:
    """What a build puts behind the imported input of a call once its response is taken in."""
    pipeline = responses_pipeline()
    assert recording.request is not None
    options = RenderOptions(model=recording.request["model"], endpoint=recording.profile)
    state = AgentState(system_prompt=recording.instructions)
    state = history_from_responses(recording.input, options=options, pipeline=pipeline, state=state).state
    before = pipeline.build_sync(state, options)
    state = state.extend(pipeline.ingest(recording.response, before, state))
    after = pipeline.build_sync(state, options)
    assert before.input == after.input[: len(before.input)]
    return after.input[len(before.input) :], [warning.code for warning in after.warnings]


# --- what is not part of the comparison


def is_added(item: Item, given: list[Item] | None) -> bool:
    """Whether the host put an item there, not the response.

    These are answers to calls, messages of anybody but the agent, tools that came later, and items the client made up:
    items of the agent that nothing in the response is the original of (``given`` is None for items of our own build).
    """
    kind = item.get("type", "message")
    if kind in ("mcp_approval_response", "additional_tools"):
        return True
    if kind.endswith("_output") and kind != "tool_search_output":  # the provider searches its tools itself
        return True
    if kind == "message" and item.get("role") != "assistant":
        return True
    return given is not None and not any(is_original(one, item) for one in given)


def is_original(given: Item, sent: Item) -> bool:
    """Whether two items are one: they have an id, an encrypted part or all of their words in common."""
    if given["type"] != sent.get("type", "message"):
        return False
    names = [given.get(key) and given.get(key) == sent.get(key) for key in ("id", "call_id", "encrypted_content")]
    return any(names) or (given["type"] == "message" and words(given) == words(sent))


def words(message: Item) -> str:
    """All text of a message."""
    content = message["content"]
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


# --- what may differ


class Tolerance:
    """Takes out what may differ, and counts it."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def rest(self, items: list[Item]) -> list[Item]:
        return list(self._rest(items))

    def _rest(self, items: list[Item]) -> Iterator[Item]:
        for item in items:
            kind = item.get("type", "message")
            if kind == "reasoning" and not item.get("encrypted_content"):
                self.counts["reasoning without encrypted part"] += 1
            elif kind == "message" and str(item["content"]).startswith("<thought_"):
                self.counts["reasoning without encrypted part, shown as a thought"] += 1
            else:
                yield {"type": kind, **self.without(item, "id", "status", "phase"), **self._changed(kind, item)}

    def _changed(self, kind: str, item: Item) -> Item:
        match kind:
            case "message":
                content = item["content"]
                parts = [{"type": "output_text", "text": content}] if isinstance(content, str) else content
                return {"content": [self.without(part, "annotations", "logprobs") for part in parts]}
            case "function_call":
                value = json.loads(item["arguments"])
                self.counts["spelling of arguments"] += json.dumps(value) != item["arguments"]
                return {"arguments": value}
            case "reasoning":  # an empty content is the only one the API takes, and says nothing
                return {"content": item.get("content") or []}
            case _:
                return {}

    def without(self, item: Item, *keys: str) -> Item:
        self.counts.update(key for key in keys if key in item)
        return {key: value for key, value in item.items() if key not in keys}


def sent_back(pair: Pair) -> bool:
    """Whether the response held something and the client sent it as it was."""
    return bool(pair.given) and Tolerance().rest(pair.given) == Tolerance().rest(pair.sent)


def test_what_clients_sent_back_is_what_we_send(figure: Callable[[str], None]) -> None:
    """Where a client sent a response's items back, our build gives the same items in the same order, no others."""
    tolerance = Tolerance()
    unchanged = [pair for pair in all_pairs() if sent_back(pair)]
    different = [pair.name for pair in unchanged if tolerance.rest(pair.sent) != tolerance.rest(pair.built)]
    matching = len(unchanged) - len(different)
    figure(f"chains: {matching} of {len(unchanged)} pairs match whose client sent the response's items back")
    figure(f"chains: {len(all_pairs()) - len(unchanged)} of {len(all_pairs())} pairs were changed by their client")
    figure(f"chains: tolerated {dict(sorted(tolerance.counts.items()))}")
    assert matching >= 0.95 * len(unchanged)
    assert [] == different
    assert len(all_pairs()) - len(CHANGED) == len(unchanged) >= 100


def test_every_other_pair_is_explained() -> None:
    """Each pair whose client changed the response is listed, and doing as the list says gives what it sent."""
    changed = {pair.name: pair for pair in all_pairs() if not sent_back(pair)}
    assert sorted(CHANGED) == sorted(changed)
    for name, pair in changed.items():
        why, changes = CHANGED[name]
        sent = pair.sent or added_by(name)
        expected = applied(changes, pair.given, sent)
        assert Tolerance().rest(expected) == Tolerance().rest(sent), (name, why)


def added_by(name: str) -> list[Any]:
    """The agent's items that a client made up behind the first input."""
    [(first, second)] = [pair for pair in pairs() if pair[1].id == name]
    return [item for item in second.input[len(first.input) :] if not is_added(item, None)]


def test_our_build_gives_every_response_back() -> None:
    """Whatever the client did, our build sends the response's own items, but for one that may not go without its id."""
    for pair in all_pairs():
        tolerance = Tolerance()
        given = tolerance.rest(pair.given)
        if pair.name in NEEDS_ITS_ID:
            kind, _ = NEEDS_ITS_ID[pair.name]
            assert "provider-item-dropped" in pair.warnings
            given = [item for item in given if item["type"] != kind]
        else:
            assert "provider-item-dropped" not in pair.warnings
        assert given == tolerance.rest(pair.built), pair.name


def test_ids_and_reasoning_go_together() -> None:
    """A response whose reasoning our build sends goes back with its ids, one whose reasoning it can't send without."""
    seen: Counter[str] = Counter()
    for pair in all_pairs():
        kinds = {item["type"]: item for item in pair.built}
        had = any(item["type"] == "reasoning" for item in pair.given)
        sends = "reasoning" in kinds
        seen["with" if sends else "without" if had else "none"] += 1
        for item in pair.built:
            if item["type"] in ("message", "function_call", "reasoning") and had:
                assert ("id" in item) == sends, pair.name
    assert seen["with"] > 20
    assert seen["without"] > 3
