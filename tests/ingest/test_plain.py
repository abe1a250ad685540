"""SDK objects, mappings and dicts as plain data."""

from __future__ import annotations

import json
from collections import UserDict
from datetime import UTC, datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamwright.check.json_types import kind
from seamwright.errors import IngestError
from seamwright.ingest.plain import as_index, as_mapping, fields, join_text, try_mapping
from seamwright.testing.items import function_call, item, message, reasoning, response

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)


class Colour(StrEnum):
    """A string that is an enum, as client libraries use them."""

    RED = "red"


class Model:
    """An object that dumps itself as pydantic models do, with a part that has no JSON form."""

    def __init__(self, held: dict[str, Any], broken: bool = False) -> None:
        self.__dict__.update(held)
        self._held = held
        self._broken = broken

    def model_dump(self, *, mode: str, **_options: object) -> dict[str, Any]:
        """Fail in JSON mode when asked to, as a field of a host's own type does."""
        if self._broken and mode == "json":
            raise ValueError("no JSON form")
        return self._held


@given(st.dictionaries(st.text(), JSON_VALUES))
def test_plain_data_stays_as_it_is(data: dict[str, Any]) -> None:
    """JSON data comes back equal, and as a copy."""
    copy = as_mapping(data)

    assert data == copy
    assert copy is not data
    assert json.dumps(data) == json.dumps(copy)


def test_mappings_and_tuples_become_dicts_and_lists() -> None:
    """What holds the same data in another class is the same data."""
    given_mapping = MappingProxyType({"a": UserDict({"b": (1, 2)}), 3: Colour.RED})

    assert {"a": {"b": [1, 2]}, "3": "red"} == as_mapping(given_mapping)
    assert str is type(as_mapping(given_mapping)["3"])


def test_numbers_json_has_not_become_null() -> None:
    """NaN and the infinities can't be sent, so they are not kept."""
    assert {"a": None, "b": [None, 1.5]} == as_mapping({"a": float("nan"), "b": [float("inf"), 1.5]})


def test_values_without_a_json_form_become_their_text() -> None:
    """A value of a foreign class stands as its text instead of failing later."""
    moment = datetime(2026, 1, 1, tzinfo=UTC)

    assert {"at": str(moment)} == as_mapping({"at": moment})


def test_models_that_can_not_be_dumped_as_json_are_taken_apart() -> None:
    """A model over a host's own type is read as Python objects."""
    assert {"a": {"b": 1}} == as_mapping(Model({"a": Model({"b": 1})}, broken=True))


def test_the_top_level_of_a_model_is_read_without_a_dump() -> None:
    """``fields`` gives the values as they are."""
    inner = Model({"b": 1})

    assert inner is (fields(Model({"a": inner})) or {})["a"]
    assert fields(3) is None
    assert fields(Model) is None


@pytest.mark.parametrize("value", [None, 1, "text", b"bytes", [1], object(), Model])
def test_what_is_no_mapping_is_an_error(value: object) -> None:
    """The error says what came instead; ``try_mapping`` gives None."""
    with pytest.raises(IngestError, match=kind(value)):
        as_mapping(value)
    assert try_mapping(value) is None


def test_nesting_beyond_reading_is_an_error() -> None:
    """Data nested deeper than the interpreter goes is refused by name, not by a crash."""
    deep: list[Any] = []
    for _ in range(5000):
        deep = [deep]
    with pytest.raises(IngestError, match="nested too deeply"):
        as_mapping({"deep": deep})


@pytest.mark.parametrize(
    ("value", "index"),
    [
        (0, 0),
        ("7", 7),
        (2.0, 2),
        (" 3 ", 3),
        (True, None),
        (-1, None),
        ("x", None),
        (float("inf"), None),
        ("1" * 30, None),
        ("٣", None),
    ],
)
def test_positions_are_read_leniently(value: object, index: int | None) -> None:
    """Numbers and their decimal text are positions; nothing else is."""
    assert index == as_index(value)


def test_surrogate_pairs_are_joined_and_lone_halves_stay() -> None:
    """Only a pair makes a character."""
    assert "😀" == join_text(["\ud83d", "\ude00"])
    assert "\ud83da" == join_text(["\ud83d", "a"])


def test_sdk_objects_give_what_the_api_sent() -> None:
    """A response and its stream events as objects of ``openai`` give the very JSON.

    Unknown fields and items too, unset ones not.
    """
    models = pytest.importorskip("openai._models")
    responses = pytest.importorskip("openai.types.responses")
    call = {**function_call("f", '{"a":1}'), "async": True, "caller": None}
    sent = response(
        reasoning("Why.", content=["Raw."]),
        message("Hi.", refusal="No.", annotations=[{"type": "brand_new", "x": 1}]),
        call,
        item("brand_new_call", payload=[1, None, {"a": 2.5}]),
        prompt_cache_diagnostics={"type": "hit", "unknown": [1]},
        brand_new={"a": None},
    )
    sent["output"].append({"type": "message", "content": "plain", "id": 7})

    assert sent == as_mapping(models.construct_type(type_=responses.Response, value=sent))
    event = {"type": "response.output_item.done", "output_index": "0", "item": call, "brand_new": 1}
    assert event == as_mapping(models.construct_type(type_=responses.ResponseStreamEvent, value=event))
