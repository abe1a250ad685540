"""Every recorded response and stream, taken in; every recorded input, imported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import attrs
import pytest

from recorded.recordings import RECORDED, Item, Recording, recordings
from seamwright import AgentState, AssembledInput, Ingested, IngestError, RenderOptions
from seamwright.history.responses import ImportedHistory, history_from_responses
from seamwright_containers import responses_pipeline

pytestmark = pytest.mark.skipif(not RECORDED.is_dir(), reason="recorded traffic is not here")

NOW: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)
PIPELINE: Final = responses_pipeline(clock=lambda: NOW)

# What a recording holds in the place of a response, and where its error says so.
ERROR_BODY, NO_RESPONSE = "error", "output"
NOT_RESPONSES: Final = {
    "alexrudall__ruby-openai/0004.json": (NO_RESPONSE, "says that a response was deleted"),
    "alexrudall__ruby-openai/0006.json": (NO_RESPONSE, "lists the items of a stored input"),
    "langchain_openai-1.7.4-sdist/0036.json": (NO_RESPONSE, "refuses a token, in a form of its own"),
    "open-telemetry__opentelemetry-python-contrib/0001.json": (ERROR_BODY, "knows no such model"),
    "pydantic__pydantic-ai/0002.json": (ERROR_BODY, "knows no such model"),
    "pydantic__pydantic-ai/0093.json": (ERROR_BODY, "misses the output of a call"),
    "pydantic__pydantic-ai/0117.json": (ERROR_BODY, "refuses a type of file"),
    "pydantic__pydantic-ai/0124.json": (ERROR_BODY, "refuses file data"),
    "pydantic__pydantic-ai/0141.json": (ERROR_BODY, "refuses a type of file"),
    "pydantic__pydantic-ai/0148.json": (ERROR_BODY, "refuses file data"),
    "pydantic__pydantic-ai/0267.json": (ERROR_BODY, "refuses a temperature"),
    "pydantic__pydantic-ai/0320.json": (ERROR_BODY, "refuses reasoning without what it led to"),
    "pydantic__pydantic-ai/0331.json": (NO_RESPONSE, "counts tokens"),
    "pydantic__pydantic-ai/0332.json": (NO_RESPONSE, "counts tokens"),
    "pydantic__pydantic-ai/0333.json": (NO_RESPONSE, "counts tokens"),
}

# Calls of the last response that only the host can answer, and that nothing may be made up for.
WAIT_FOR_THE_HOST: Final = {
    "langchain_openai-1.7.4-sdist/0087.json": "apply_patch_call",
    "langchain_openai-1.7.4-sdist/0088.json": "apply_patch_call",
}


@attrs.frozen
class Taken:
    """A recording whose input was imported and built."""

    recording: Recording
    history: ImportedHistory
    options: RenderOptions
    request: AssembledInput


def imported(recording: Recording) -> Taken:
    """The state that a recorded request stands for, and what it renders to."""
    options = RenderOptions(
        model=(recording.request or {}).get("model") or "gpt-5.4",
        endpoint=recording.profile,
        unsupported_media_policy="synthetic-description",
    )
    state = AgentState(system_prompt=recording.instructions)
    history = history_from_responses(
        recording.input, options=options, pipeline=PIPELINE, state=state, started_at=NOW - timedelta(days=1)
    )
    return Taken(recording, history, options, PIPELINE.build_sync(history.state, options, check="report"))


def responded() -> list[Recording]:
    """The recordings that were answered with a response."""
    return [one for one in recordings().values() if one.answered and one.id not in NOT_RESPONSES]


def test_every_response_is_read(figure: Callable[[str], None]) -> None:
    """Each response and stream is taken in, item by item as the server gave it; the next build passes the checker."""
    finishes: Counter[str] = Counter()
    streams = 0
    for recording in responded():
        taken = imported(recording)
        ingested = PIPELINE.ingest(recording.response, taken.request, taken.history.state)
        finishes[ingested.finish] += 1
        streams += "events" in recording.raw
        assert accounted_for(ingested) == expected_of(recording.response), recording.id

        state = taken.history.state.extend(ingested)
        built = PIPELINE.build_sync(state, taken.options, check="report")
        errors = [one for one in built.violations if one.severity == "error"]
        waiting = WAIT_FOR_THE_HOST.get(recording.id)
        assert [one.rule for one in errors] == (["P3"] if waiting else []), (recording.id, errors)
    figure(f"recorded: {sum(finishes.values())} responses read, {streams} of them streams: {dict(finishes)}")
    assert {"stop", "tool_calls", "length", "in_progress"} <= set(finishes)


def accounted_for(ingested: Ingested) -> dict[int, Any]:
    """What was made of each output item, by its place."""
    made: dict[int, Any] = {}
    for message in ingested.messages:
        made[place(message)] = ("message", message.content or "", message.refusal or "", len(message.annotations))
    for thought in ingested.thoughts:
        assert not isinstance(thought.payload, Mapping)
        made[place(thought)] = ("reasoning", thought.payload and dict(thought.payload.item))
    for call in ingested.tool_calls:
        made[place(call)] = ("function_call", call.tool, call.args, call.id)
    for item in ingested.provider_items:
        made[place(item)] = ("item", dict(item.item))
    return made


def place(thing: Any) -> int:
    """Where it stood in the output."""
    index: int = thing.origin.output_index
    return index


def expected_of(response: Mapping[str, Any]) -> dict[int, Any]:
    """What has to be made of each output item, read off the response without the library."""
    output = (
        response["output"] if response.get("status") not in ("queued", "in_progress", "failed", "cancelled") else []
    )
    made = {}
    for index, item in enumerate(output):
        one = expected_item(item)
        if one[:3] != ("message", "", ""):
            made[index] = one
        elif index and output[index - 1]["type"] == "reasoning":  # what reasoning led to stays, however empty
            made[index] = ("item", item)
    return made


def expected_item(item: Item) -> tuple[Any, ...]:
    """What has to be made of one output item."""
    match item["type"], item.get("role"):
        case "message", "assistant":
            texts = [part for part in item["content"] if part["type"] == "output_text"]
            refusals = [part["refusal"] for part in item["content"] if part["type"] == "refusal"]
            notes = sum(len(part.get("annotations") or []) for part in texts)
            return "message", "".join(part["text"] for part in texts), "".join(refusals), notes
        case "reasoning", _:
            return "reasoning", item
        case "function_call", _:
            ids = [item["call_id"], item["id"]] if item.get("id") else [item["call_id"]]
            return "function_call", item["name"], item["arguments"], "|".join(ids)
        case _:
            return "item", item


def test_what_is_no_response_is_refused() -> None:
    """Error bodies and answers of other endpoints give an error that says where it looked, and change nothing."""
    assert set(NOT_RESPONSES) <= set(recordings())
    for name, (path, _) in NOT_RESPONSES.items():
        taken = imported(recordings()[name])
        before = attrs.asdict(taken.history.state, recurse=False)
        with pytest.raises(IngestError) as caught:
            PIPELINE.ingest(taken.recording.response, taken.request, taken.history.state)
        assert path == caught.value.path
        assert before == attrs.asdict(taken.history.state, recurse=False)


# --- imports of recorded inputs

TOLERATED: Final = ("annotations", "logprobs", "status", "id", "phase")


def given_back(items: list[Item]) -> list[Item]:
    """The items an import vouches for: what the model made, and answers to hosted calls; without what may differ."""
    return [plain for item in items if (plain := bare(item)) is not None]


def bare(item: Item) -> Item | None:
    """An item without what may differ; None for one that is not compared."""
    kind = item.get("type", "message")
    if kind in ("function_call_output", "item_reference") or item.get("role", "assistant") != "assistant":
        return None
    if kind == "reasoning":
        # 'content' can't be sent, and without its encrypted part the item can't either
        kept = {key: item.get(key) for key in ("type", "summary", "encrypted_content")}
        return kept if item.get("encrypted_content") else None
    if kind == "message":
        content = item["content"]
        parts = [{"type": "output_text", "text": content}] if isinstance(content, str) else content
        item = {**item, "type": kind, "content": [without(part) for part in parts]}
    return without(item)


def without(item: Item) -> Item:
    """An item or part without the keys that may differ."""
    return {key: value for key, value in item.items() if key not in TOLERATED}


# Recorded requests of which not every item is given back, and why.
NOT_GIVEN_BACK: Final = {
    "langchain_openai-1.7.4-sdist/0095.json": "its hosted call needs an id, and the reasoning before it can't be sent",
    "langchain_openai-1.7.4-sdist/0142.json": "it answers a call that only the server's stored response holds",
}


def renamed(item: Item, call_id: str, other: str) -> Item:
    """An item under another call id, when it has this one."""
    return {**item, "call_id": other} if item.get("call_id") == call_id else item


def test_recorded_inputs_are_given_back(figure: Callable[[str], None]) -> None:
    """Assistant output, calls, reasoning and hosted items of an imported request stand in the build as in it."""
    compared = 0
    for recording in recordings().values():
        if recording.request is None or recording.status != 200:
            continue
        taken = imported(recording)
        shown = [item for item in taken.request.input if not str(item.get("content")).startswith("<thought_")]
        want, got = given_back(recording.input), given_back(shown)
        for note in taken.history.notes:
            if note.path.endswith("].call_id"):  # an id of odd form: told, and replaced on both sides
                original, sent = note.text.split(" is sent as ")
                want = [renamed(item, original[1:-1], sent[1:-1]) for item in want]
        compared += bool(want)
        assert (want == got) == (recording.id not in NOT_GIVEN_BACK), recording.id
        errors = [one for one in taken.request.violations if one.severity == "error"]
        assert [] == errors, recording.id
    figure(f"recorded: {compared - len(NOT_GIVEN_BACK)} of {compared} imported inputs are given back whole")


def test_an_import_of_a_build_builds_the_same() -> None:
    """What an import renders, imported again, renders into the same output, calls, reasoning and hosted items.

    Shown thoughts aside: what reads like one is made harmless when it comes from elsewhere.
    """
    for recording in responded():
        taken = imported(recording)
        said = [item for item in taken.request.input if not str(item.get("content")).startswith("<thought_")]
        again = history_from_responses(
            said,
            options=taken.options,
            pipeline=PIPELINE,
            state=AgentState(system_prompt=recording.instructions),
            started_at=NOW,
        )
        built = PIPELINE.build_sync(again.state, taken.options)
        mine = [item for item in said if is_output(item)]
        assert mine == [item for item in built.input if is_output(item)], recording.id


def is_output(item: Item) -> bool:
    """Whether the agent's side gave the item."""
    return item["type"] != "function_call_output" and item.get("role") in (None, "assistant")
