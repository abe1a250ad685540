"""JSON values that can't change, and primitives that keep nothing that can."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import attrs
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamwright import (
    AgentState,
    InvalidStateError,
    Media,
    ProviderItem,
    ReasoningPayload,
    StashEntry,
    Thought,
    Tool,
    ToolCall,
    load_state,
)
from seamwright.model.frozen import MAX_DEPTH, FrozenDict, FrozenList, freeze
from state.samples import NOON, SMALLEST, full, make

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=10,
)


def parts(value: Any) -> list[Any]:
    """The value and everything in it."""
    if isinstance(value, dict):
        return [value, *(found for one in value.values() for found in parts(one))]
    return [value, *(found for one in value for found in parts(one))] if isinstance(value, list) else [value]


@given(JSON)
def test_a_frozen_value_is_the_value(value: Any) -> None:
    """It compares, serialises and is walked over like what it was made of, and holds nothing of it that can change."""
    before = copy.deepcopy(value)
    frozen = freeze(value)

    assert frozen == value == before
    assert json.dumps(frozen) == json.dumps(value)
    for part in parts(frozen):
        assert type(part) not in (dict, list)
    assert freeze(frozen) == frozen


@given(JSON)
def test_a_frozen_value_is_copied_as_itself(value: Any) -> None:
    """By copy, deepcopy and pickle, of every protocol; the copy is as frozen."""
    frozen = freeze(value)
    copies = [copy.copy(frozen), copy.deepcopy(frozen)]
    copies += [pickle.loads(pickle.dumps(frozen, protocol)) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)]

    for one in copies:
        assert one == frozen
        assert [type(part) for part in parts(one)] == [type(part) for part in parts(frozen)]


CHANGES: dict[str, Callable[[Any], Any]] = {
    "set": lambda d: d.__setitem__("a", 2),
    "del": lambda d: d.__delitem__("a"),
    "update": lambda d: d.update(b=1),
    "setdefault": lambda d: d.setdefault("b", 1),
    "pop": lambda d: d.pop("a"),
    "popitem": lambda d: d.popitem(),
    "clear": lambda d: d.clear(),
    "ior": lambda d: d.__ior__({"b": 1}),
}
LIST_CHANGES: dict[str, Callable[[Any], Any]] = {
    "set": lambda x: x.__setitem__(0, 2),
    "set slice": lambda x: x.__setitem__(slice(0, 1), []),
    "del": lambda x: x.__delitem__(0),
    "append": lambda x: x.append(1),
    "extend": lambda x: x.extend([1]),
    "insert": lambda x: x.insert(0, 1),
    "pop": lambda x: x.pop(),
    "remove": lambda x: x.remove(1),
    "clear": lambda x: x.clear(),
    "sort": lambda x: x.sort(),
    "reverse": lambda x: x.reverse(),
    "iadd": lambda x: x.__iadd__([1]),
    "imul": lambda x: x.__imul__(2),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_frozen_dict_refuses_every_change(change: str) -> None:
    """Whichever method it is; the error says what to do."""
    frozen = freeze({"a": 1})
    with pytest.raises(TypeError, match="make a new one"):
        CHANGES[change](frozen)
    assert frozen == {"a": 1}


@pytest.mark.parametrize("change", LIST_CHANGES)
def test_a_frozen_list_refuses_every_change(change: str) -> None:
    """Whichever method it is."""
    frozen = freeze([3, 1])
    with pytest.raises(TypeError, match="make a new one"):
        LIST_CHANGES[change](frozen)
    assert frozen == [3, 1]


def test_no_method_that_changes_was_forgotten() -> None:
    """Every method of dict and list that is not overridden leaves the object as it is."""
    reading = {"copy", "fromkeys", "get", "items", "keys", "values", "count", "index"}
    for frozen, plain in ((FrozenDict, dict), (FrozenList, list)):
        methods = {name for name in vars(plain) if not name.startswith("_")}
        assert methods - reading <= set(vars(frozen)), methods - reading - set(vars(frozen))
    for name in ("__setitem__", "__delitem__", "__ior__"):
        assert name in vars(FrozenDict)
    for name in ("__setitem__", "__delitem__", "__iadd__", "__imul__"):
        assert name in vars(FrozenList)


def test_a_new_value_is_made_of_a_frozen_one() -> None:
    """By the operators that make one; what comes out can be changed."""
    frozen = freeze({"a": [1]})
    new = {**frozen, "b": 2} | {"c": 3}
    new["d"] = 4
    more = [*frozen["a"], 2]
    more.append(3)

    assert (frozen, new, more) == ({"a": [1]}, {"a": [1], "b": 2, "c": 3, "d": 4}, [1, 2, 3])
    assert orjson.loads(orjson.dumps(frozen)) == frozen


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (float("nan"), "nan has no form"),
        ({"a": [float("inf")]}, "inf has no form"),
        ([float("-inf")], "-inf has no form"),
        ({"a": {1, 2}}, "type set"),
        ({"a": b"x"}, "type bytes"),
        ([object()], "type object"),
        ({1: "a"}, "key 1 is not a string"),
        ({"a": {None: 1}}, "key None is not a string"),
        (NOON, "type datetime"),
    ],
)
def test_what_json_can_not_hold_is_refused(value: Any, problem: str) -> None:
    """Wherever in the value it stands."""
    with pytest.raises((TypeError, ValueError), match=problem):
        freeze(value)


def nested(depth: int) -> Any:
    """A list in a list, so many levels."""
    value: Any = []
    for _ in range(depth - 1):
        value = [value]
    return value


def test_deep_nesting_is_refused_and_not_run_into() -> None:
    """At one depth for all: readers and writers of JSON give up at depths of their own."""
    assert freeze(nested(MAX_DEPTH)) == nested(MAX_DEPTH)
    for depth in (MAX_DEPTH + 1, 5_000):
        with pytest.raises(ValueError, match=f"deeper than {MAX_DEPTH}"):
            freeze(nested(depth))


def test_a_cycle_is_refused() -> None:
    """It is nesting without end."""
    cycle: dict[str, Any] = {}
    cycle["again"] = cycle
    with pytest.raises(ValueError, match="deeper than"):
        freeze(cycle)


def test_tuples_and_other_mappings_are_taken_in() -> None:
    """As lists and dicts: they are what JSON makes of them."""
    frozen = freeze(MappingProxyType({"a": (1, (2,))}))
    assert type(frozen) is FrozenDict
    assert type(frozen["a"]) is FrozenList
    assert json.dumps(frozen) == '{"a": [1, [2]]}'


# --- primitives

HOLDS = [
    (ToolCall, "args"),
    (ToolCall, "caller"),
    (ProviderItem, "item"),
    (ReasoningPayload, "item"),
    (Tool, "input_schema"),
    (Thought, "payload"),
    (StashEntry, "value"),
]


@pytest.mark.parametrize(("cls", "field"), HOLDS, ids=lambda value: getattr(value, "__name__", value))
def test_a_primitive_keeps_its_own_copy(cls: type, field: str) -> None:
    """What happens to the mapping it was given does not happen to it, and its own can't be changed."""
    given_value: dict[str, Any] = {"variant": "x", "a": {"b": [1]}}
    extra = {"replay_compatibility": "tag"} if cls is Thought else {}
    one = make(cls, **{field: given_value}, **extra)
    given_value["a"]["b"].append(2)
    given_value["c"] = 3
    kept = getattr(one, field)

    assert kept == {"variant": "x", "a": {"b": [1]}}
    with pytest.raises(TypeError):
        kept["a"]["b"].append(3)


def test_a_stash_and_lists_of_mappings_are_copies_too() -> None:
    """Of a media, a message and a state."""
    stash = {"k": StashEntry(value="x", trust_tier="first-party")}
    annotations: list[Any] = [{"a": [1]}]
    tools: list[Any] = [{"type": "web_search"}]
    one = make(Media, stash=stash)
    message = load_state({"model": "m", "messages": [{**_message(), "annotations": annotations}]})[0].messages[0]
    state = AgentState(provider_tools=tools)
    stash["z"] = stash["k"]
    annotations[0]["a"].append(2)
    tools[0]["x"] = 1
    tools.append({})

    assert list(one.stash) == ["k"]
    with pytest.raises(TypeError):
        one.stash["q"] = stash["k"]
    assert message.annotations == ({"a": [1]},)
    assert state.provider_tools == ({"type": "web_search"},)


def _message() -> dict[str, Any]:
    return {"id": "u", "role": "user", "content": "x", "created_at": 0}


@pytest.mark.parametrize("cls", SMALLEST, ids=lambda cls: cls.__name__)
def test_no_field_of_a_primitive_can_be_set(cls: type) -> None:
    """Nor can one be added: frozen, with slots, given by keyword."""
    one = make(cls)
    for field in attrs.fields(cls):
        with pytest.raises(attrs.exceptions.FrozenInstanceError):
            setattr(one, field.name, None)
        assert field.kw_only
    with pytest.raises((attrs.exceptions.FrozenInstanceError, AttributeError)):
        one.something_else = 1
    assert not hasattr(one, "__dict__")


def test_a_whole_state_is_copied_as_itself() -> None:
    """By deepcopy and pickle, of every protocol; it works as before, and is as frozen."""
    state, options = load_state(full())
    copies = [copy.deepcopy((state, options)), copy.copy((state, options))]
    copies += [
        pickle.loads(pickle.dumps((state, options), protocol)) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)
    ]
    for other_state, other_options in copies:
        assert other_state == state
        assert other_options == options
        assert other_state.tools.get("search") == state.tools.get("search")
        assert other_state.tools.hidden() == state.tools.hidden()
        assert other_state.complete("c5", "done") == state.complete("c5", "done")
        args: Any = other_state.tool_calls[0].args
        with pytest.raises(TypeError):
            args["q"] = 1


def test_an_error_is_copied_as_itself() -> None:
    """So that it comes out of a process pool as it was raised."""
    with pytest.raises(InvalidStateError) as caught:
        load_state({"model": 3, "x": 1})
    other = pickle.loads(pickle.dumps(caught.value))

    assert type(other) is InvalidStateError
    assert (str(other), other.fields, other.faults) == (str(caught.value), ["model", "x"], caught.value.faults)
