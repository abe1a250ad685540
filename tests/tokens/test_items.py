"""What each item of a request costs, in a counter that counts words."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamwright import TokenCount, count_request
from seamwright.testing.strategies import options, states
from seamwright.tokens import weights
from seamwright_containers import responses_pipeline


class Words:
    """Counts words."""

    encoding = "words"

    def __call__(self, text: str, /) -> int:
        return len(text.split())


def spent(*items: Any, model: str = "gpt-4o", **more: Any) -> TokenCount:
    """The count of a request with these items, without what opens the reply."""
    count = count_request({"model": model, "input": list(items), **more}, Words())
    empty = count_request({"model": model, "input": []}, Words()).total
    return TokenCount(count.total - empty, count.estimated, count.per_bucket, count.encoding)


def user(*parts: Any) -> dict[str, Any]:
    """A message of the user."""
    return {"type": "message", "role": "user", "content": list(parts)}


TEXT = {"type": "input_text", "text": "one two three"}


def test_a_message_costs_its_texts_and_what_stands_round_it() -> None:
    """However its text is given, and nothing of it is an estimate."""
    for message in (user(TEXT), {"role": "user", "content": "one two three"}):
        assert (4 + 3, 0) == (spent(message).total, spent(message).estimated)
    assert 4 + 6 == spent(user(TEXT, TEXT)).total
    assert 4 + 3 == spent({"role": "assistant", "content": [{"type": "refusal", "refusal": "no no no"}]}).total


def test_models_that_reason_name_the_channel_of_what_they_said() -> None:
    """Two tokens a message of the assistant, and one less to open the reply."""
    said = {"role": "assistant", "content": "one two three"}
    assert 4 + 2 + 3 == spent(said, model="gpt-5.4").total
    assert 4 + 3 == spent(said, model="gpt-4.1").total
    assert (2, 3) == tuple(count_request({"model": m, "input": []}, Words()).total for m in ("gpt-5.4", "gpt-4.1"))
    assert 2 == count_request({"model": "somebody-else's", "input": []}, Words()).total


def test_a_text_alone_is_a_message_of_the_user() -> None:
    """As the API takes it."""
    alone, listed = "one two", [{"role": "user", "content": "one two"}]
    assert count_request({"model": "m", "input": alone}, Words()) == count_request(
        {"model": "m", "input": listed}, Words()
    )


def test_instructions_and_tools_have_buckets_of_their_own() -> None:
    """The total is their sum; tools are an estimate, instructions are not."""
    tool = {"type": "function", "name": "f", "description": "one two three four", "parameters": {}, "strict": False}
    count = count_request({"model": "gpt-4o", "instructions": "one two", "input": "one", "tools": [tool]}, Words())
    assert {"system_prompt": 4 + 2, "timeline": 3 + 4 + 1, "tools": 10 + 3} == count.per_bucket
    assert count.total == sum(count.per_bucket.values())
    assert count.estimated == count.per_bucket["tools"]


@pytest.mark.parametrize(
    ("item", "tokens"),
    [
        ({"type": "function_call", "call_id": "c", "name": "f", "arguments": "a b c"}, weights.CALL + 4),
        ({"type": "function_call_output", "call_id": "c", "output": "a b c"}, weights.OUTPUT + 3),
        ({"type": "function_call_output", "call_id": "c", "output": [TEXT, TEXT]}, weights.OUTPUT + 6),
        ({"type": "custom_tool_call_output", "call_id": "c", "output": "a b c"}, weights.OUTPUT + 3),
        ({"type": "reasoning", "summary": [], "encrypted_content": "x" * 1550}, 100),
        ({"type": "reasoning", "summary": [], "encrypted_content": "x" * 300}, 0),
        ({"type": "reasoning", "summary": [], "content": [{"type": "reasoning_text", "text": "a b c"}]}, 3),
        ({"type": "web_search_call", "id": "ws_1", "action": "a b c"}, weights.CALL + 3),
        ({"type": "compaction", "encrypted_content": "x" * 1550}, weights.CALL + 1 + 100),
        ({"type": "image_generation_call", "id": "ig", "result": "x" * 2000}, weights.CALL + 1 + weights.IMAGE),
    ],
    ids=lambda value: value["type"] if isinstance(value, dict) else "",
)
def test_other_items_are_estimated(item: dict[str, Any], tokens: int) -> None:
    """From their texts where they have any; from their length where it is sealed."""
    assert tokens == spent(item).total


def test_pictures_and_documents_cost_a_flat_sum() -> None:
    """A document of text costs its text; one that is not here costs a page."""
    encoded = base64.b64encode(b"a b c").decode()
    large = base64.b64encode(b"%PDF-" + bytes(50_000)).decode()
    assert 4 + weights.IMAGE == spent(user({"type": "input_image", "image_url": "data:image/png;base64,AA"})).total
    assert 4 + weights.IMAGE_LOW == spent(user({"type": "input_image", "file_id": "f", "detail": "low"})).total
    assert 4 + 3 == spent(user({"type": "input_file", "file_data": f"data:text/plain;base64,{encoded}"})).total
    assert 4 + 2000 == spent(user({"type": "input_file", "file_data": f"data:application/pdf;base64,{large}"})).total
    assert 4 + weights.DOCUMENT == spent(user({"type": "input_file", "file_url": "https://example.org/a.pdf"})).total
    assert 4 + weights.DOCUMENT == spent(user({"type": "input_file", "file_data": "no base64"})).total


@given(states(), options(unsupported_media_policy=st.just("synthetic-description")))
def test_whatever_is_built_can_be_counted(state: Any, given_options: Any) -> None:
    """A build and its own keyword arguments cost the same, and buckets add up."""
    assembled = responses_pipeline().build_sync(state, given_options)
    count = count_request(assembled, Words())
    assert count == count_request(assembled.to_request(), Words())
    assert count.total == sum(count.per_bucket.values())
    assert 0 <= count.estimated <= count.total
