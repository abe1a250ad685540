"""The events in which a scripted response is streamed have the form of the API's own."""

from __future__ import annotations

from typing import Any

import pytest

from seamwright.ingest.events import read_events
from seamwright.testing.events import sse, stream_events
from seamwright.testing.items import encrypted_content, function_call, item, message, reasoning, response


def _types(*output: dict[str, Any], **fields: Any) -> list[str]:
    """The event types of a response, without what every one begins with, in one delta a text."""
    events = stream_events(response(*output, **fields), chunk=1000)
    assert ["response.created", "response.in_progress"] == [event["type"] for event in events[:2]]
    return [event["type"].removeprefix("response.") for event in events[2:]]


def test_a_message_streams_part_by_part() -> None:
    """Text and refusal are parts of their own, annotations come between."""
    types = _types(message("Hi.", refusal="No.", annotations=[{"type": "url_citation"}]))

    assert [
        "output_item.added",
        "content_part.added",
        "output_text.delta",
        "output_text.done",
        "output_text.annotation.added",
        "content_part.done",
        "content_part.added",
        "refusal.delta",
        "refusal.done",
        "content_part.done",
        "output_item.done",
        "completed",
    ] == types


def test_reasoning_streams_summaries_then_text() -> None:
    """Each summary is a part of its own; reasoning text streams as content."""
    types = _types(reasoning("One.", "Two.", content=["Raw."]))

    summary = [
        "reasoning_summary_part.added",
        "reasoning_summary_text.delta",
        "reasoning_summary_text.done",
        "reasoning_summary_part.done",
    ]
    content = ["content_part.added", "reasoning_text.delta", "reasoning_text.done", "content_part.done"]
    assert ["output_item.added", *summary, *summary, *content, "output_item.done", "completed"] == types


@pytest.mark.parametrize(
    ("made", "middle"),
    [
        (function_call("f", "{}"), ["function_call_arguments.delta", "function_call_arguments.done"]),
        (
            item("custom_tool_call", call_id="c", name="n", input="x"),
            ["custom_tool_call_input.delta", "custom_tool_call_input.done"],
        ),
        (
            item("web_search_call", status="completed", action={}),
            [f"web_search_call.{step}" for step in ("in_progress", "searching", "completed")],
        ),
        (
            item("code_interpreter_call", code="x", status="completed"),
            ["code_interpreter_call.in_progress", "code_interpreter_call_code.delta", "code_interpreter_call_code.done"]
            + [f"code_interpreter_call.{step}" for step in ("interpreting", "completed")],
        ),
        (
            item("mcp_call", arguments="{}", error="no"),
            ["mcp_call.in_progress", "mcp_call_arguments.delta", "mcp_call_arguments.done", "mcp_call.failed"],
        ),
        (
            item("apply_patch_call", operation={"type": "create_file", "diff": "+a"}),
            ["apply_patch_call_operation_diff.delta", "apply_patch_call_operation_diff.done"],
        ),
        (item("apply_patch_call", operation={"type": "delete_file"}), []),
        (
            item("shell_call", action={"commands": ["ls"]}),
            ["shell_call_command.added", "shell_call_command.delta", "shell_call_command.done"],
        ),
        (item("brand_new_call"), []),
    ],
    ids=lambda value: value["type"] if isinstance(value, dict) else "",
)  # fmt: skip
def test_each_kind_of_item_has_its_own_events(made: dict[str, Any], middle: list[str]) -> None:
    """Between announcement and end stand the events the API has for the item's type."""
    assert ["output_item.added", *middle, "output_item.done", "completed"] == _types(made)


def test_events_are_numbered_and_placed() -> None:
    """Numbers count from 0 without a gap; each event of an item says which item, and where it stands."""
    output = [reasoning("Why."), message("Hi."), function_call("f")]
    events = stream_events(response(*output), chunk=2)

    assert list(range(len(events))) == [event["sequence_number"] for event in events]
    placed = [event for event in events if "output_index" in event]
    assert len(events) - 3 == len(placed)
    for event in placed:
        assert output[event["output_index"]]["id"] == event.get("item_id", event.get("item", {}).get("id"))


def test_an_item_is_announced_empty() -> None:
    """The announcement has no text yet, is in progress, and carries another encrypted part than the finished item."""
    output = [reasoning("Why.", content=["Raw."], encrypted="gAAAAdone"), message("Hi."), function_call("f", '{"a":1}')]
    added = [
        event["item"] for event in stream_events(response(*output)) if event["type"] == "response.output_item.added"
    ]

    thought, said, call = added
    assert ([], [], encrypted_content("begun")) == (
        thought["summary"],
        thought["content"],
        thought["encrypted_content"],
    )
    assert ([], "in_progress") == (said["content"], said["status"])
    assert ("", "in_progress", call["call_id"]) == (call["arguments"], call["status"], output[2]["call_id"])


@pytest.mark.parametrize(
    ("status", "last"),
    [
        ("completed", "completed"),
        ("incomplete", "incomplete"),
        ("failed", "failed"),
        ("in_progress", "output_item.done"),
        ("queued", "output_item.done"),
    ],
)
def test_the_end_is_that_of_the_status(status: str, last: str) -> None:
    """A response that has not ended has no terminal event."""
    assert last == _types(message("Hi."), status=status)[-1]


@pytest.mark.parametrize("chunk", [1, 3, 1000, 0, -5])
def test_deltas_hold_the_text(chunk: int) -> None:
    """Deltas of any length add up to the text; a length below one counts as one."""
    deltas = [event["delta"] for event in stream_events(response(message("Hello 😀")), chunk) if "delta" in event]

    assert "Hello 😀" == "".join(deltas)
    assert max(len(delta) for delta in deltas) <= max(chunk, 1)


def test_server_sent_events_have_name_and_data() -> None:
    """Each event is a name, one line of data and an empty line."""
    text = sse([{"type": "response.new", "text": "a\nb\u2028é"}]).decode()

    assert 'event: response.new\ndata: {"type":"response.new","text":"a\\nb\u2028é"}\n\n' == text


def test_half_a_character_survives_the_wire() -> None:
    """A lone surrogate, which UTF-8 can't hold, is sent as its JSON escape and read back."""
    events = stream_events(response(message("a\ud83d")))

    assert events == list(read_events(sse(events)))


def test_a_scripted_response_is_one_to_the_sdk() -> None:
    """The vendor's own types take a response of every helper without complaint."""
    responses = pytest.importorskip("openai.types.responses")
    made = response(
        reasoning("Why."),
        message("Hi.", phase="final_answer"),
        function_call("f", {"a": 1}),
        reason="max_output_tokens",
    )

    parsed = responses.Response.model_validate(made)
    assert ("Hi.", '{"a":1}', "max_output_tokens") == (
        parsed.output_text,
        parsed.output[2].arguments,
        parsed.incomplete_details.reason,
    )


def test_ids_are_new_in_every_item() -> None:
    """Two items never share an id unless the script says so."""
    made = [message("Hi."), message("Hi."), reasoning(), reasoning(), function_call("f"), function_call("f")]

    assert len(made) == len({one["id"] for one in made})
    assert made[4]["call_id"] != made[5]["call_id"]
    assert made[2]["encrypted_content"] != made[3]["encrypted_content"]
