"""The streaming machine: what a stream amounts to, whole, cut, repeated, out of order, or of a strange shape."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seamwright.errors import StreamFailedError
from seamwright.ingest.slots import Piece
from seamwright.ingest.stream import OutputSlots, accumulate
from seamwright.testing.events import closing_events, item_events, numbered, opening_events, stream_events
from seamwright.testing.items import function_call, item, message, reasoning, response

Event = dict[str, Any]

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
NOTES = st.lists(st.fixed_dictionaries({"type": st.just("url_citation"), "url": TEXT}), max_size=2)
ITEMS = st.one_of(
    st.builds(message, TEXT, annotations=NOTES, phase=st.sampled_from([None, "commentary", "final_answer"])),
    st.builds(message, st.none() | TEXT, refusal=TEXT),
    st.builds(message, TEXT, status=st.just("incomplete")),
    st.builds(message),
    st.builds(reasoning, TEXT, TEXT, encrypted=st.sampled_from(["", None])),
    st.builds(reasoning, content=st.lists(TEXT, max_size=3)),
    st.builds(function_call, st.just("look_up"), TEXT, status=st.sampled_from(["completed", "incomplete"])),
    st.builds(lambda text: item("custom_tool_call", call_id="call_c", name="run", input=text), TEXT),
    st.builds(
        lambda text: item("code_interpreter_call", status="completed", code=text, container_id="c", outputs=None), TEXT
    ),
    st.builds(lambda text: item("web_search_call", status="completed", action={"type": "search", "query": text}), TEXT),
    st.builds(lambda text: item("file_search_call", status="completed", queries=[text], results=None), TEXT),
    st.builds(lambda text: item("image_generation_call", status="completed", result=text), TEXT),
    st.builds(lambda text: item("mcp_call", name="n", server_label="s", arguments=text, output=text, error=None), TEXT),
    st.builds(lambda text: item("mcp_list_tools", server_label="s", tools=[{"name": text}]), TEXT),
    st.builds(lambda text: item("mcp_approval_request", name="n", server_label="s", arguments=text), TEXT),
    st.builds(
        lambda text: item(
            "apply_patch_call", call_id="c", status="completed", operation={"type": "create_file", "diff": text}
        ),
        TEXT,
    ),
    st.builds(
        lambda texts: item("shell_call", call_id="c", status="completed", action={"commands": texts}),
        st.lists(TEXT, max_size=3),
    ),
    st.builds(lambda text: item("compaction", encrypted_content=text), TEXT),
    st.builds(
        lambda text: item("tool_search_call", call_id=None, arguments={"paths": [text]}, status="completed"), TEXT
    ),
    st.builds(lambda text: item("brand_new_call", payload=[text, None, {"deep": 1.5}]), TEXT),
)
RESPONSES = st.builds(
    lambda items, reason: response(*items, reason=reason, input_transformations=[{"type": "reasoning", "id": "rs_1"}]),
    st.lists(ITEMS, max_size=6),
    st.sampled_from([None, None, "max_output_tokens", "content_filter"]),
)


@settings(deadline=None)
@given(RESPONSES, st.integers(1, 50))
def test_a_streamed_response_is_the_response(given_response: Event, chunk: int) -> None:
    """Every output shape, in deltas of any length, comes back as the terminal event had it, unknown fields included."""
    assert given_response == accumulate(stream_events(given_response, chunk))


@settings(deadline=None)
@given(RESPONSES, st.integers(1, 50))
def test_finished_items_are_enough_when_the_terminal_list_is_empty(given_response: Event, chunk: int) -> None:
    """A server that sends ``output: []`` at the end loses nothing: each item is final by its own event."""
    ended = {**given_response, "output": []}
    events = [*stream_events(given_response, chunk)[:-1], *closing_events(ended)]

    assert given_response == accumulate(events)


@settings(deadline=None)
@given(st.data(), st.lists(ITEMS, min_size=1, max_size=5))
def test_interleaved_items_are_kept_apart(data: st.DataObject, items: list[Event]) -> None:
    """Events of several items in any mixture give the same response: slots are told apart by output index."""
    expected = response(*items)
    queues = [item_events(one, index, 5) for index, one in enumerate(items)]
    events = [*opening_events(expected)]
    while queues:
        queue = data.draw(st.sampled_from(queues))
        events.append(queue.pop(0))
        queues = [left for left in queues if left]

    assert expected == accumulate(numbered([*events, *closing_events(expected)]))


@settings(deadline=None)
@given(RESPONSES, st.integers(1, 30), st.data())
def test_a_cut_stream_holds_finished_items_only(given_response: Event, chunk: int, data: st.DataObject) -> None:
    """After any prefix the result is marked in progress and holds exactly the items finished so far, unchanged."""
    events = stream_events(given_response, chunk)
    kept = events[: data.draw(st.integers(0, len(events) - 1))]

    result = accumulate(kept)

    assert "in_progress" == result["status"]
    assert [event["item"] for event in kept if event["type"] == "response.output_item.done"] == result["output"]


@settings(deadline=None)
@given(RESPONSES, st.integers(1, 30), st.data())
def test_repeated_events_change_nothing(given_response: Event, chunk: int, data: st.DataObject) -> None:
    """A stream resumed a few events back repeats them with their numbers: result and partial texts stay the same."""
    events = stream_events(given_response, chunk)[:-1]
    cut = data.draw(st.integers(0, len(events)))
    back = data.draw(st.integers(0, cut))
    plain, resumed = OutputSlots(), OutputSlots()

    for event in events[:cut]:
        plain.feed(event)
    for event in events[:cut] + events[back:cut]:
        resumed.feed(event)

    assert plain.result() == resumed.result()
    assert plain.views() == resumed.views()


@settings(deadline=None)
@given(RESPONSES)
def test_feeding_changes_and_keeps_nothing_it_was_given(given_response: Event) -> None:
    """Events may be changed or read again by the host after they were fed, and so may a result."""
    events = stream_events(given_response)
    slots = OutputSlots()
    for event in events:
        slots.feed(event)
    first = slots.result()
    first["usage"].clear()
    for one in first["output"]:
        one.clear()
    for event in events:
        event.clear()

    assert given_response == slots.result()


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
FIELDS = [
    "type",
    "output_index",
    "item",
    "item_id",
    "delta",
    "part",
    "response",
    "content_index",
    "text",
    "sequence_number",
]


@settings(deadline=None, max_examples=50)
@given(RESPONSES, st.data())
def test_events_of_any_shape_never_raise(given_response: Event, data: st.DataObject) -> None:
    """Fields replaced by anything, in any event.

    Feeding raises nothing but ``StreamFailedError``, and the result is readable.
    """
    slots = OutputSlots()
    try:
        for event in stream_events(given_response):
            changed = data.draw(st.dictionaries(st.sampled_from(FIELDS), JUNK, max_size=1))
            slots.feed({**event, **changed})
            slots.views()
        result = slots.result()
    except StreamFailedError:
        return
    assert isinstance(result["output"], list)


@pytest.mark.parametrize(
    "junk", [None, 5, "text", b"bytes", [], object(), OutputSlots, {}, {"type": 3}, {"type": "response.new"}]
)
def test_what_is_no_event_is_passed_over(junk: object) -> None:
    """Objects that are no events, and events nobody knows, do nothing."""
    slots = OutputSlots()
    slots.feed(junk)

    assert {"status": "in_progress", "output": []} == slots.result()


def test_partial_texts_can_be_read_at_any_time() -> None:
    """Message text, refusal, summaries, reasoning text and arguments grow with their deltas, each in its own slot."""
    output = [
        reasoning("First.", "Second.", content=["Raw."]),
        message("Hello there", refusal="No."),
        function_call("look_up", '{"q":1}'),
        item("custom_tool_call", call_id="c", name="run", input="print()"),
    ]
    slots = OutputSlots()
    seen: dict[str, list[str]] = {
        "summary": [],
        "reasoning": [],
        "text": [],
        "refusal": [],
        "arguments": [],
        "input": [],
    }
    for event in stream_events(response(*output), chunk=3):
        slots.feed(event)
        for name in ("summary", "reasoning", "text", "refusal"):
            seen[name].append(getattr(slots, name)())
        seen["arguments"].append(slots.arguments(2))
        seen["input"].append(slots.arguments(3))

    ends = {name: texts[-1] for name, texts in seen.items()}
    assert {
        "summary": "First.\n\nSecond.",
        "reasoning": "Raw.",
        "text": "Hello there",
        "refusal": "No.",
        "arguments": '{"q":1}',
        "input": "print()",
    } == ends
    for texts in seen.values():
        assert all(after.startswith(before) for before, after in itertools.pairwise(texts))
    assert 4 == len({text for text in seen["text"] if text})


def test_views_tell_what_is_known_of_each_item() -> None:
    """A view names type, ids, name and texts, and says whether the item is final."""
    call = function_call("look_up", '{"q":1}', id="fc_1", call_id="call_1")
    slots = OutputSlots()
    begun, *middle, done = item_events(call, 3, 4)
    for event in [begun, *middle[:-1]]:
        slots.feed(event)
    partial_view = slots.views()[0]
    slots.feed(done)

    assert (3, "function_call", "fc_1", "call_1", "look_up", '{"q":1}', False) == (
        partial_view.output_index,
        partial_view.type,
        partial_view.id,
        partial_view.call_id,
        partial_view.name,
        partial_view.arguments,
        partial_view.done,
    )
    assert slots.views()[0].done


def test_a_character_cut_between_two_deltas_is_whole_again() -> None:
    """A surrogate pair in two deltas reads as its character, also when it was looked at in between."""
    slots = OutputSlots()
    seen: list[str] = []
    for half in ("a\ud83d", "\ude00b"):
        slots.feed({"type": "response.output_text.delta", "output_index": 0, "delta": half})
        seen.append(slots.text())

    assert ["a\ud83d", "a😀b"] == seen


def test_the_encrypted_part_is_that_of_the_finished_item() -> None:
    """Neither the announcement's encrypted part nor the terminal event's newer one replaces that of
    ``output_item.done``.
    """
    thought = reasoning("Why.", encrypted="gAAAAdone")
    answer = response(thought, message("Hi."))
    listed = {**answer, "output": [{**thought, "encrypted_content": "gAAAAlisted"}, answer["output"][1]]}

    assert (
        "gAAAAdone"
        == accumulate([*stream_events(answer)[:-1], *closing_events(listed)])["output"][0]["encrypted_content"]
    )


def test_the_terminal_list_fills_what_is_missing() -> None:
    """A finished item takes from the list what it lacks, an item never finished is taken whole, in its place."""
    thought, call, answer = reasoning("Why.", encrypted="gAAAAlisted"), function_call("f"), message("Hi.")
    whole = response(thought, call, answer)
    without = {key: value for key, value in thought.items() if key != "encrypted_content"}
    events = [
        *item_events(without, 0),
        *item_events(call, 1)[:-2],
        *item_events(answer, 2),
        *closing_events(whole),
    ]

    assert whole == accumulate(events)


def test_a_listed_item_under_another_id_is_the_same_item() -> None:
    """Some servers send an item under a new id at the end.

    The finished one counts, and takes nothing from the other.
    """
    streamed = reasoning("Why.", id="rs_tmp_1", encrypted=None)
    listed = reasoning("Why.", id="rs_tmp_2", encrypted="gAAAAother")

    assert [streamed] == accumulate([*item_events(streamed, 0), *closing_events(response(listed))])["output"]


@pytest.mark.parametrize("listed", [[], None, "none", {}])
def test_an_unfinished_item_is_put_together_when_nothing_lists_it(listed: object) -> None:
    """With no list at the end, an item whose every text was closed is whole; one whose text may be cut says so."""
    said = message("Hello", annotations=[{"type": "url_citation", "url": "u"}], refusal="No.")
    closed = function_call("f", '{"a":1}')
    cut = function_call("g", '{"b":22222}')
    thought = reasoning("Why.", content=["Raw."])
    patch = item("apply_patch_call", call_id="c", status="completed", operation={"type": "create_file", "diff": "+a"})
    output = [thought, said, closed, cut, patch]
    events = [event for index, one in enumerate(output) for event in item_events(one, index, 4)[:-1]]
    events = [event for event in events if event.get("arguments") != cut["arguments"]]
    slots = OutputSlots()
    for event in [*events, {"type": "response.completed", "response": {**response(), "output": listed}}]:
        slots.feed(event)

    unsealed = {key: value for key, value in thought.items() if key != "encrypted_content"}
    assert [unsealed, said, closed, {**cut, "status": "incomplete"}] == slots.result()["output"]
    assert (4,) == slots.unfinished


def test_deltas_alone_make_a_message_but_no_call() -> None:
    """Without any announcement a message is still clear.

    A call without name and call id is nothing that could be answered.
    """
    events = [
        {
            "type": "response.output_text.delta",
            "output_index": 0,
            "item_id": "msg_1",
            "content_index": 0,
            "delta": "Hi",
        },
        {"type": "response.output_text.done", "output_index": 0, "item_id": "msg_1", "content_index": 0, "text": "Hi."},
        {"type": "response.function_call_arguments.done", "output_index": 1, "item_id": "fc_1", "arguments": "{}"},
        {"type": "response.completed"},
    ]

    content = [{"type": "output_text", "text": "Hi.", "annotations": []}]
    said = {"type": "message", "role": "assistant", "id": "msg_1", "status": "completed", "content": content}
    assert [said] == accumulate(events)["output"]


def test_deltas_out_of_order_make_no_item() -> None:
    """A text whose deltas came in the wrong order is never put together; its ``done`` event still settles it."""
    added, first, second, done, part, _ = [
        *item_events(message("abcdef"), 0, 3)[:1],
        *item_events(message("abcdef"), 0, 3)[2:],
    ][:6]
    wrong = [{**added, "sequence_number": 0}, {**second, "sequence_number": 2}, {**first, "sequence_number": 1}]
    end = closing_events(response())

    assert [] == accumulate([*wrong, *end])["output"]
    assert "completed" == accumulate([added, first, second, done, part, *end])["output"][0]["status"]


def test_a_listed_output_leaves_out_what_it_does_not_know() -> None:
    """An item that was begun, but is not in a list that has others, did not become output."""
    begun, said = function_call("f"), message("Hi.")
    events = [*item_events(begun, 0)[:-1], *item_events(said, 1), *closing_events(response(said))]

    assert [said] == accumulate(events)["output"]


def test_a_finished_item_the_list_lacks_is_kept() -> None:
    """A list shorter than the stream takes nothing back."""
    thought, said = reasoning("Why."), message("Hi.")
    events = [*item_events(thought, 0), *item_events(said, 1), *closing_events(response(said))]

    assert [thought, said] == accumulate(events)["output"]


def test_items_never_streamed_come_from_the_list() -> None:
    """A list longer than the stream, even one without any item events, is taken whole.

    What is no object stays as it is.
    """
    said, call = message("Hi."), function_call("f")
    answer = response(said, call)
    answer["output"].append(None)

    assert answer == accumulate([*item_events(said, 0), {"type": "response.completed", "response": answer}])
    assert answer == accumulate([{"type": "response.completed", "response": answer}])


def test_items_that_share_an_index_are_all_kept() -> None:
    """A server that says index 0 for everything loses no item: ids and types tell them apart."""
    output = [reasoning("Why."), message("One."), message("Two."), function_call("f"), function_call("g")]
    events = [event for one in output for event in item_events(one, 0)]

    assert output == accumulate([*events, *closing_events(response())])["output"]


def test_items_that_share_an_index_are_told_apart_by_id() -> None:
    """Calls that are sent at one index, event by event in turns, get their own deltas."""
    calls = [function_call("f", '{"a":1}'), function_call("g", '{"b":2}')]
    events = [event for pair in zip(*(item_events(call, 0, 2) for call in calls), strict=True) for event in pair]
    slots = OutputSlots()
    for event in events[:-2]:
        slots.feed(event)

    assert ['{"a":1}', '{"b":2}'] == [view.arguments for view in slots.views()]
    slots.feed(closing_events(response())[0])
    assert calls == slots.result()["output"]


def test_an_item_of_another_type_is_another_item() -> None:
    """A finished item never takes the place of one of another type that is still open, nor of a listed one."""
    thought, said = reasoning("Why.", encrypted=None), message("Hi.")
    begun = item_events(thought, 0)[:-1]

    assert [thought, said] == accumulate([*begun, item_events(said, 0)[-1], *closing_events(response())])["output"]
    assert [thought, said] == accumulate([*item_events(thought, 0), *closing_events(response(said))])["output"]


def test_the_list_says_the_order() -> None:
    """Where the server's own count of the stream differs from its list, items stand as they are listed."""
    first, second, third = message("One."), message("Two."), message("Three.")
    events = [*item_events(third, 0), *item_events(second, 7), *closing_events(response(first, second, third))]

    assert [first, second, third] == accumulate(events)["output"]


def test_what_comes_late_or_twice_changes_nothing() -> None:
    """The first announcement, text end and finished item count; a second one only brings what the first lacked."""
    said = message("Hello")
    added, part, *deltas, text_done, part_done, done = item_events(said, 0, 2)
    slots = OutputSlots()
    for event in [added, part, *deltas, text_done]:
        slots.feed(event)
    for late in [
        {**added, "item": {**added["item"], "id": "msg_other"}},
        {**part, "part": {**part["part"], "text": "late"}},
        deltas[0],
    ]:
        slots.feed(late)
    assert [(said["id"], "Hello")] == [(view.id, view.text) for view in slots.views()]

    slots.feed(done)
    view = slots.views()
    for late in [
        {**part_done, "part": {**part["part"], "text": "late"}, "content_index": 4},
        {**text_done, "text": "late", "content_index": 5},
        {**deltas[0], "content_index": 6},
        {**done, "item": {**said, "role": "late", "brand_new": 1}},
    ]:
        slots.feed(late)
        assert view == slots.views()
    assert [{**said, "brand_new": 1}] == slots.result()["output"]


def test_a_part_may_begin_with_text() -> None:
    """Text that comes with the announcement of an item or a part is the beginning of it, once."""
    call = function_call("f", '{"a"')
    slots = OutputSlots()
    slots.feed({"type": "response.output_item.added", "output_index": 0, "item": call})
    slots.feed({"type": "response.function_call_arguments.delta", "output_index": 0, "delta": ":1}"})
    for text in ("He", "Hello"):
        part = {"type": "output_text", "text": text}
        slots.feed({"type": "response.content_part.added", "output_index": 1, "content_index": 0, "part": part})
    slots.feed({"type": "response.output_text.delta", "output_index": 1, "content_index": 0, "delta": "y"})

    assert ('{"a":1}', "Hey") == (slots.arguments(0), slots.text(1))


def test_the_finished_item_says_which_texts_there_are() -> None:
    """A streamed part that the finished item does not have is no longer shown."""
    thought = reasoning("One.", "Two.")
    *events, done = item_events(thought, 0)
    slots = OutputSlots()
    for event in [*events, {**done, "item": {**thought, "summary": thought["summary"][:1]}}]:
        slots.feed(event)

    assert "One." == slots.summary()


def test_annotations_are_kept_when_no_part_event_brings_them() -> None:
    """A message put together from its events has the annotations that were added to its text."""
    notes = [{"type": "url_citation", "url": "a"}, {"type": "url_citation", "url": "b"}]
    events = [
        event for event in item_events(message("Hi.", annotations=notes), 0)[:-1] if "part.done" not in event["type"]
    ]

    (said,) = accumulate([*events, *closing_events(response())])["output"]
    assert (notes, "completed") == (said["content"][0]["annotations"], said["status"])


def test_a_text_that_was_read_is_one_piece() -> None:
    """Reading joins what was gathered, so that the next reading has only the new to add."""
    piece = Piece()
    for delta in ("a", "b"):
        piece.append(delta)
        assert piece.text.endswith(delta)

    assert ["ab"] == attrs.astuple(piece)[0]


def test_an_item_whose_id_changes_in_every_event_is_one_item() -> None:
    """Some proxies give each event a new item id; the output index still says which item is meant."""
    said = message("Hello there")
    events = stream_events(response(said), chunk=4)
    for number, event in enumerate(events[:-1]):
        if "item_id" in event:
            event["item_id"] = f"msg_{number}"
        if "item" in event:
            event["item"] = {**event["item"], "id": f"msg_{number}"}
    slots = OutputSlots()
    for event in events[:-1]:
        slots.feed(event)

    assert "Hello there" == slots.text()
    assert [said["content"]] == [kept["content"] for kept in slots.result()["output"]]


def test_a_request_made_again_voids_what_came_before() -> None:
    """A second ``response.created`` with another id begins anew: items of two responses are never mixed."""
    first, second = response(message("Lost.")), response(message("Kept."))

    assert second == accumulate([*stream_events(first)[:-1], *stream_events(second)])


def test_what_follows_the_end_is_passed_over() -> None:
    """After the terminal event nothing is added, neither another response nor an error."""
    first, second = response(message("Kept.")), response(message("Late."))
    late = [*stream_events(second), {"type": "error", "message": "late"}]

    assert first == accumulate([*stream_events(first), *late])


def test_a_gap_between_kept_items_is_told() -> None:
    """When an item between two finished ones is cut off, the result says where the kept ones stood, and only then."""
    thought, call, said = reasoning("Why."), function_call("f"), message("Hi.")
    slots = OutputSlots()
    for event in [*item_events(thought, 0), *item_events(call, 1)[:-1], *item_events(said, 2)]:
        slots.feed(event)
    cut = slots.result()
    slots.feed(item_events(call, 1)[-1])

    assert ([thought, said], [0, 2]) == (cut["output"], cut["output_indexes"])
    assert [thought, call, said] == slots.result()["output"]
    assert "output_indexes" not in slots.result()


@pytest.mark.parametrize("index", ["0", 0, 0.0, " 0 "])
def test_numbers_as_text_are_read(index: object) -> None:
    """Positions written as text or as a float mean the same."""
    slots = OutputSlots()
    for event in item_events(message("Hello there"), 0, 4)[:-1]:
        slots.feed({**event, "output_index": index, **({"content_index": index} if "content_index" in event else {})})

    assert ["Hello there"] == [view.text for view in slots.views()]
    assert [0] == [view.output_index for view in slots.views()]


@pytest.mark.parametrize("index", [None, True, -1, "x", 1.5, [], "²"])
def test_without_an_output_index_the_id_or_the_order_says_which_item(index: object) -> None:
    """Events without a usable index belong to the item of their id; new items stand behind those before."""
    output = [reasoning("Why."), function_call("f", '{"a":1}'), message("Hi.")]
    events = [
        {**event, "output_index": index} for number, one in enumerate(output) for event in item_events(one, number)
    ]
    slots = OutputSlots()
    for event in events:
        slots.feed(event)
    views = slots.views()
    slots.feed(closing_events(response())[0])

    assert output == slots.result()["output"]
    assert [(0, "Why."), (1, '{"a":1}'), (2, "Hi.")] == [
        (view.output_index, view.summary + view.arguments + view.text) for view in views
    ]


def test_deltas_without_index_and_id_belong_to_the_item_at_hand() -> None:
    """With one item open there is no doubt where an event without index and id goes."""
    slots = OutputSlots()
    for event in item_events(message("Hello there"), 0, 4)[:-1]:
        slots.feed({key: value for key, value in event.items() if key not in ("output_index", "item_id")})

    assert ["Hello there"] == [view.text for view in slots.views()]


def test_numbers_that_do_not_number_are_not_used() -> None:
    """A server that gives every event the same ``sequence_number`` loses no delta."""
    slots = OutputSlots()
    for event in item_events(message("aaa one two three"), 0, 1)[:-3]:
        slots.feed({**event, "sequence_number": 0})

    assert "aaa one two three" == slots.text()

    bare = OutputSlots()
    for delta in "aba":
        bare.feed({"type": "response.output_text.delta", "output_index": 0, "delta": delta, "sequence_number": 0})
    assert "aba" == bare.text()


def test_numbers_that_begin_anew_are_not_used() -> None:
    """A server that numbers the events of each item from 0 loses no delta."""
    slots = OutputSlots()
    for index, one in enumerate([message("one"), message("two")]):
        for event in numbered(item_events(one, index, 1)[:-3]):
            slots.feed(event)

    assert "onetwo" == slots.text()


@pytest.mark.parametrize(
    ("event", "code", "text"),
    [
        ({"type": "error", "code": "server_error", "message": "It broke."}, "server_error", "It broke."),
        ({"type": "error", "error": {"code": 500, "message": "It broke."}}, "500", "It broke."),
        ({"error": {"code": None, "message": "It broke."}}, None, "It broke."),
        ({"type": "error"}, None, "the response failed without a message"),
        ({"type": "response.failed", "response": {"error": {"code": "c", "message": "It broke."}}}, "c", "It broke."),
        ({"type": "response.failed", "response": None}, None, "the response failed without a message"),
        (
            {"type": "response.completed", "response": {"status": "failed", "error": {"message": "It broke."}}},
            None,
            "It broke.",
        ),
    ],
)
def test_failure_is_raised_and_stays(event: Event, code: str | None, text: str) -> None:
    """``error`` and ``response.failed`` raise with the provider's code and text, and so does all asked later."""
    slots = OutputSlots()
    slots.feed(item_events(message("Hi."), 0)[0])
    calls: list[Callable[[], object]] = [lambda: slots.feed(event), lambda: slots.feed({}), slots.result]
    for call in calls:
        with pytest.raises(StreamFailedError) as caught:
            call()
        assert (code, text) == (caught.value.code, caught.value.message)


def test_text_seen_before_a_failure_can_still_be_shown() -> None:
    """Partial text stays readable after the stream failed."""
    slots = OutputSlots()
    for event in item_events(message("Hello"), 0)[:-1]:
        slots.feed(event)
    with pytest.raises(StreamFailedError):
        slots.feed({"type": "error", "message": "It broke."})

    assert "Hello" == slots.text()


@pytest.mark.parametrize(
    ("event", "told", "status"),
    [
        ("response.completed", "completed", "completed"),
        ("response.completed", None, "completed"),
        ("response.completed", "in_progress", "completed"),
        ("response.completed", "incomplete", "incomplete"),
        ("response.incomplete", "in_progress", "incomplete"),
        ("response.incomplete", "completed", "incomplete"),
        ("response.cancelled", "in_progress", "cancelled"),
        ("response.done", "incomplete", "incomplete"),
        ("response.done", None, "completed"),
    ],
)
def test_the_status_is_that_of_the_end(event: str, told: str | None, status: str) -> None:
    """A response that ended never says ``in_progress``, whatever its terminal event carries."""
    assert status == accumulate([{"type": event, "response": {"status": told, "output": []}}])["status"]


def test_the_end_without_a_response_takes_what_was_told_before() -> None:
    """Id and model come from ``response.created`` when the terminal event lacks them."""
    answer = response(message("Hi."))
    result = accumulate(
        [*stream_events(answer)[:-1], {"type": "response.completed", "response": {"usage": {"input_tokens": 1}}}]
    )

    assert (answer["id"], answer["model"], answer["output"]) == (result["id"], result["model"], result["output"])
    assert ("completed", {"input_tokens": 1}) == (result["status"], result["usage"])


def test_what_the_end_says_is_not_replaced() -> None:
    """Id and model of the terminal event count where they differ from what was told before."""
    begun, ended = response(id="resp_begun", model="alias"), response(id="resp_ended", model="gpt-5.4-2026-03-05")

    assert ended == accumulate([*stream_events(begun)[:-1], *closing_events(ended)])


def test_a_whole_response_in_place_of_a_stream_is_read() -> None:
    """A server that does not stream answers with the response itself."""
    answer = response(message("Hi."))

    assert answer == accumulate([answer])
    assert "in_progress" == accumulate([{**answer, "status": "queued"}])["status"]


def test_mappings_of_any_kind_are_events() -> None:
    """Read-only mappings, also inside an event, are read like dicts."""
    answer = response(message("Hi."))
    events = [
        MappingProxyType({**event, "item": MappingProxyType(event.get("item", {}))}) for event in stream_events(answer)
    ]

    assert answer == accumulate(events)


def _calls(work: Callable[[], object]) -> int:
    """How many functions a piece of work calls, built-in ones included: a measure of cost that no clock disturbs."""
    count = 0

    def watch(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(watch)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def _read_along(events: list[Event]) -> None:
    slots = OutputSlots()
    for event in events:
        slots.feed(event)
        slots.text(0)
    slots.result()


@pytest.mark.parametrize(
    "make",
    [
        lambda size: response(message("x" * size)),
        lambda size: response(function_call("f", "x" * size)),
        lambda size: response(*(message("x") for _ in range(size // 8))),
        lambda size: response(*(reasoning(*("x" for _ in range(size // 8))),)),
    ],
    ids=["deltas", "arguments", "items", "summaries"],
)
def test_work_is_linear(make: Callable[[int], Event]) -> None:
    """Four times the deltas, items or parts cost at most four times the calls, a few more aside."""
    small, large = (stream_events(make(size), chunk=1) for size in (400, 1600))
    expected = _calls(lambda: accumulate(small))

    assert _calls(lambda: accumulate(large)) <= 4.4 * expected


def test_reading_along_is_linear_in_the_deltas() -> None:
    """Looking at the text after every delta does not join all of them again each time."""
    small, large = (stream_events(response(message("x" * size)), chunk=1) for size in (400, 1600))

    assert _calls(lambda: _read_along(large)) <= 4.4 * _calls(lambda: _read_along(small))
