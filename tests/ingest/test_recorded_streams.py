"""Recorded streams of every provider, whole and cut."""

from __future__ import annotations

import gzip
import itertools
import json
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from seamwright.ingest.events import read_events
from seamwright.ingest.stream import OutputSlots, accumulate
from seamwright.testing.events import sse, sse_event

ROOT = Path(__file__).resolve().parents[2]
RECORDED = Path(os.environ.get("SEAMWRIGHT_SHARED", ROOT.parent / "shared")) / "recorded"

pytestmark = pytest.mark.skipif(not RECORDED.is_dir(), reason="recorded traffic is not here")

Event = dict[str, Any]

ENDS = ("response.completed", "response.incomplete")

SEALED_AGAIN = (
    "the API encrypts reasoning anew for the terminal event; the part of the finished item is the one that is kept"
)
NAMED_AGAIN = "the router makes up an id in each event; the one of the finished item is kept"

# Streams whose items differ from their terminal list: at which places, in which key, and why.
DIFFERENT: dict[str, tuple[list[int], str, str]] = {
    "Arize-ai__openinference/0015.json": ([0], "encrypted_content", SEALED_AGAIN),
    "langchain_openai-1.7.4-sdist/0143.json": ([1], "encrypted_content", SEALED_AGAIN),
    "langchain_openai-1.7.4-sdist/0160.json": ([0], "encrypted_content", SEALED_AGAIN),
    "pydantic__pydantic-ai/0272.json": ([1, 3], "encrypted_content", SEALED_AGAIN),
    "pydantic__pydantic-ai/0283.json": ([0, 2], "encrypted_content", SEALED_AGAIN),
    "pydantic__pydantic-ai/0291.json": ([0], "encrypted_content", SEALED_AGAIN),
    "pydantic__pydantic-ai/0297.json": ([0], "encrypted_content", SEALED_AGAIN),
    "pydantic__pydantic-ai/0311.json": ([0], "encrypted_content", SEALED_AGAIN),
    "pydantic__pydantic-ai/0318.json": ([0], "encrypted_content", SEALED_AGAIN),
    "pydantic__pydantic-ai/0299.json": ([0], "id", NAMED_AGAIN),
}


@cache
def streams() -> dict[str, list[Event]]:
    """The events of every recorded stream, by the recording's id."""
    return dict(_recordings())


def _recordings() -> Iterator[tuple[str, list[Event]]]:
    for path in sorted(RECORDED.glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                recording = json.loads(line)
                if "events" in recording:
                    yield recording["id"], recording["events"]


def _end(events: list[Event]) -> int:
    """Where the terminal event stands."""
    return next(place for place, event in enumerate(events) if event["type"] in ENDS)


def _done_items(events: list[Event]) -> list[Event]:
    """The finished items by output index, read off the events without the machine."""
    done = [event for event in events if event["type"] == "response.output_item.done"]
    return [event["item"] for event in sorted(done, key=lambda event: event["output_index"])]


def test_every_stream_is_its_terminal_response() -> None:
    """All recorded streams give their terminal response, but for the places listed, where the finished item's own value
    is kept.
    """
    different: set[str] = set()
    for name, events in streams().items():
        result, told = accumulate(events), json.loads(json.dumps(events[_end(events)]["response"]))
        places, key, _ = DIFFERENT.get(name, ([], "", ""))
        if result != told:
            different.add(name)
        for place in places:
            assert _done_items(events)[place][key] == result["output"][place][key]
            told["output"][place][key] = result["output"][place][key]
        assert told == result, name
    print(f"{len(streams())} streams, {len(different)} with a listed difference")

    assert 200 <= len(streams())
    assert set(DIFFERENT) == different


def test_sdk_events_give_the_same_as_dicts() -> None:
    """Every stream as the objects the vendor's client makes of its events gives the same response."""
    models = pytest.importorskip("openai._models")
    union = pytest.importorskip("openai.types.responses").ResponseStreamEvent
    for name, events in streams().items():
        objects = [models.construct_type(type_=union, value=event) for event in events]
        assert accumulate(events) == accumulate(objects), name


def test_every_stream_cut_after_every_event() -> None:
    """Before its end a stream gives the items finished so far, in progress; from its end on, the whole response."""
    cuts = 0
    for name, events in streams().items():
        slots, whole, end = OutputSlots(), accumulate(events), _end(events)
        for place, event in enumerate(events):
            slots.feed(event)
            result = slots.result()
            cuts += 1
            if place < end:
                expected = _done_items(events[: place + 1])
                assert ("in_progress", expected) == (result["status"], result["output"]), (name, place)
            else:
                assert whole == result, (name, place)
    print(f"{cuts} cuts")


def test_partial_text_grows_to_the_text_of_the_response() -> None:
    """In every stream the message text read after each event only grows, up to the text of the items."""
    for name, events in streams().items():
        slots, seen = OutputSlots(), [""]
        for event in events:
            slots.feed(event)
            seen.append(slots.text())
        parts = [part for item in slots.result()["output"] for part in item.get("content") or []]
        assert all(after.startswith(before) for before, after in itertools.pairwise(seen)), name
        assert "".join(part["text"] for part in parts if part["type"] == "output_text") == seen[-1], name


def _short_streams() -> list[str]:
    """The five shortest that differ in the kinds of items they hold."""
    by_kinds: dict[frozenset[str], tuple[int, str]] = {}
    for name, events in streams().items():
        kinds = frozenset(item["type"] for item in _done_items(events))
        by_kinds[kinds] = min(by_kinds.get(kinds, (1 << 60, "")), (len(sse(events)), name))
    return [name for _, name in sorted(by_kinds.values())[:5]]


@pytest.mark.parametrize("number", range(5))
def test_short_streams_cut_at_every_byte(number: int) -> None:
    """Cut anywhere in its server-sent-event text, a stream gives the events that are whole, and so a result known to be
    right.
    """
    events = streams()[_short_streams()[number]]
    ends = list(itertools.accumulate(len(sse_event(event)) for event in events))
    text = sse(events)
    results = [accumulate(events[:count]) for count in range(len(events) + 1)]
    count = 0
    for cut in range(len(text) + 1):
        # the empty line behind an event is no part of it
        while count < len(events) and cut >= ends[count] - 2:
            count += 1
        read = list(read_events(text[:cut]))
        assert events[:count] == read, cut
        if cut % 16 == 0:  # equal events give equal results: a sample is enough
            assert results[count] == accumulate(read), cut

    assert results[-1] == accumulate(read_events(text))
