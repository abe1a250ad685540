"""Reading a saved stream, in both forms, whole and cut."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seamwright.ingest.events import read_events
from seamwright.ingest.stream import accumulate
from seamwright.testing.events import sse, stream_events
from seamwright.testing.items import function_call, message, reasoning, response

Event = dict[str, Any]

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
EVENTS = st.lists(st.builds(lambda value: {"type": "response.new", "value": value}, VALUES), max_size=5)
STREAM = stream_events(response(reasoning("Wärum? 😀"), message("Ja\u2028. \n\r"), function_call("f", '{"a": "é"}')))


def _json_lines(events: list[Event], end: str = "\n") -> str:
    return "".join(json.dumps(event, ensure_ascii=False) + end for event in events)


def _sse(events: list[Event], **form: str) -> str:
    """Server-sent events in a chosen spelling.

    Line end, what stands before each event, what stands behind ``data:``.
    """
    end, before, space = form.get("end", "\n"), form.get("before", ""), form.get("space", " ")
    return "".join(f"{before}data:{space}{json.dumps(event, ensure_ascii=False)}{end}{end}" for event in events)


@settings(deadline=None)
@given(EVENTS)
def test_both_forms_give_the_events(events: list[Event]) -> None:
    """JSON Lines and server-sent events, as text and as bytes, give what was written, whatever characters are in it."""
    for text in (_json_lines(events), sse(events).decode()):
        assert events == list(read_events(text))
        assert events == list(read_events(text.encode()))


@pytest.mark.parametrize(
    "text",
    [
        _sse(STREAM),
        _sse(STREAM, end="\r\n"),
        _sse(STREAM, end="\r"),
        _sse(STREAM, space=""),
        _sse(STREAM, before="event: x\nid: 7\nretry: 10\n"),
        _sse(STREAM, before=": a comment\n\n:\n"),
        _sse(STREAM) + "data: [DONE]\n\n",
        _sse(STREAM).rstrip("\n"),
        "\ufeff" + _sse(STREAM),
        "\n\n\n" + _sse(STREAM),
        _sse(STREAM).replace("\n\n", "\n"),
        _sse(STREAM).replace("\n\n", "\n") + "data: [DONE]\n",
        _json_lines(STREAM),
        _json_lines(STREAM, "\r\n"),
        _json_lines(STREAM, "\n\n"),
        _json_lines(STREAM).rstrip("\n"),
        "\ufeff" + _json_lines(STREAM),
        "not JSON\n" + _json_lines(STREAM) + "{half\n[1, 2]\n",
    ],
    ids=lambda text: repr(text[:12]) + repr(text[-8:]),
)
def test_every_spelling_gives_the_same_events(text: str) -> None:
    """Line ends, comments, other fields, byte order marks, ``[DONE]``, missing empty lines and junk do not matter."""
    assert STREAM == list(read_events(text))
    assert STREAM == list(read_events(text.encode()))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_says_the_encoding(encoding: str) -> None:
    """Files saved by tools that write UTF-16, or a mark before UTF-8, are read."""
    assert STREAM == list(read_events(_json_lines(STREAM).encode(encoding)))


@settings(deadline=None, max_examples=40)
@given(st.data())
def test_chunks_may_be_cut_anywhere(data: st.DataObject) -> None:
    """Text or bytes in pieces, cut within characters and line ends, give the same as in one."""
    end = data.draw(st.sampled_from(["\n", "\r\n", "\r"]))
    whole = data.draw(st.sampled_from([_sse(STREAM, end=end), _json_lines(STREAM, end)])).encode()
    size = data.draw(st.integers(1, 40))
    pieces = [whole[start : start + size] for start in range(0, len(whole), size)]

    assert STREAM == list(read_events(pieces))
    assert STREAM == list(read_events(io.BytesIO(whole)))
    assert STREAM == list(read_events(io.StringIO(whole.decode(), newline="")))


def test_data_over_several_lines_is_one_event() -> None:
    """An object written over many ``data:`` lines is read; cut short, none of its inner objects passes for an event."""
    event = {"type": "response.completed", "response": {"output": [{"type": "response.completed"}, {}]}}
    lines = [f"data: {line}\n" for line in json.dumps(event, indent=1).splitlines()]

    for end in ("\n", "\r\n", "\r"):
        text = "event: x\n".replace("\n", end) + "".join(lines).replace("\n", end)
        assert [event] == list(read_events(text))
        assert [event] == list(read_events(list(text)))
    for count in range(len(lines)):
        assert [] == list(read_events("event: response.completed\n" + "".join(lines[:count])))


def test_the_event_field_names_an_event_without_type() -> None:
    """The name of the field counts only where the data has none, and only when the whole name is there."""
    assert [{"type": "response.new", "a": 1}] == list(read_events('event: response.new\ndata: {"a": 1}\n\n'))
    assert [{"type": "response.new", "a": 1}] == list(read_events('event: response.new\r\ndata: {"a": 1}\r\n\r\n'))
    assert [{"type": "own", "a": 1}] == list(read_events('event: response.new\ndata: {"type": "own", "a": 1}\n\n'))
    assert [{"a": 1}] == list(read_events('data: {"a": 1}\nevent: response.'))
    assert [{"a": 1}, {"b": 2}] == list(read_events('data: {"a": 1}\n\ndata: {"b": 2}\n\n'))
    assert ["x", None] == [event.get("type") for event in read_events('event: x\ndata: {"a": 1}\n\ndata: {"b": 2}\n\n')]


@pytest.mark.parametrize(
    "form", [sse(STREAM), _json_lines(STREAM).encode(), _sse(STREAM, end="\r\n").encode()], ids=["sse", "lines", "crlf"]
)
def test_a_cut_at_any_byte_gives_what_is_whole_before(form: bytes) -> None:
    """Every prefix gives exactly the events whose object is complete in it."""
    whole = [len(list(read_events(form[:cut]))) for cut in range(len(form) + 1)]

    assert sorted(whole) == whole
    assert len(STREAM) == whole[-1]
    for cut in range(0, len(form), 7):
        assert STREAM[: whole[cut]] == list(read_events(form[:cut]))
    for number in range(1, len(STREAM)):
        first = whole.index(number)
        assert form[:first].endswith(b"}")


@settings(deadline=None)
@given(st.binary(max_size=200) | st.text(max_size=200))
def test_anything_can_be_read(junk: bytes | str) -> None:
    """Whatever is given, reading ends and raises nothing."""
    assert all(isinstance(event, dict) for event in read_events(junk))


@pytest.mark.parametrize(
    "text", ['{"a": ' + "[" * 100_000, '{"a": ' + "[" * 5000 + "]" * 5000 + "}", '{"a": ' + "9" * 5000 + "}"]
)
def test_monstrous_json_is_passed_over(text: str) -> None:
    """Nesting and numbers beyond what the interpreter reads are no events, and no error."""
    assert [] == list(read_events(text))


def test_numbers_json_has_not_are_nothing() -> None:
    """NaN and Infinity, as some serialisers write them, become null."""
    assert [{"a": None, "b": [None, None]}] == list(read_events('{"a": NaN, "b": [Infinity, -Infinity]}'))


def test_a_saved_stream_is_the_response() -> None:
    """Reader and slots together give the response back from either form."""
    expected = STREAM[-1]["response"]

    assert expected == accumulate(read_events(sse(STREAM)))
    assert expected == accumulate(read_events(_json_lines(STREAM)))


def _calls(work: Callable[[], object]) -> int:
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


@pytest.mark.parametrize(
    "form", [_sse, _json_lines, lambda events: [bytes([byte]) for byte in sse(events)]], ids=["sse", "lines", "bytes"]
)
def test_reading_is_linear(form: Callable[[list[Event]], Any]) -> None:
    """Four times the events cost at most four times the calls, also when every byte comes alone."""
    small, large = form(STREAM[:2] * 3), form(STREAM[:2] * 12)

    assert _calls(lambda: list(read_events(large))) <= 4.4 * _calls(lambda: list(read_events(small)))
