"""What clients did to the items of a response before they sent them back, as functions that do the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

Item = dict[str, Any]

Change = Callable[[list[Item], list[Item]], list[Item]]
"""(the items of the response, the items that were sent) → the items of the response as this client changed them."""


def _each(kind: str, change: Callable[[Item], Item]) -> Change:
    return lambda given, sent: [change(item) if item["type"] == kind else item for item in given]


def dropped(kind: str) -> Change:
    """Items of this type are left out."""
    return lambda given, sent: [item for item in given if item["type"] != kind]


def without(kind: str, *keys: str) -> Change:
    """These keys of the items of this type are left out."""
    return _each(kind, lambda item: {key: value for key, value in item.items() if key not in keys})


def nulls_dropped(kind: str) -> Change:
    """Keys that hold null are left out."""
    return _each(kind, lambda item: {key: value for key, value in item.items() if value is not None})


def nulls_dropped_below(kind: str, key: str) -> Change:
    """Keys that hold null are left out of the objects in the list under a key."""

    def bare(inner: Item) -> Item:
        return {name: value for name, value in inner.items() if value is not None}

    return _each(kind, lambda item: {**item, key: [bare(inner) for inner in item[key]]})


def put(kind: str, **values: Any) -> Change:
    """Something else stands under these keys."""
    return _each(kind, lambda item: {**item, **values})


def without_below(kind: str, key: str, *keys: str) -> Change:
    """Keys of the object under a key are left out."""
    return _each(kind, lambda item: {**item, key: {name: item[key][name] for name in item[key] if name not in keys}})


def paths_called_queries() -> Change:
    """A tool search's ``paths`` are sent under the name ``queries``."""
    return _each("tool_search_call", lambda item: {**item, "arguments": {"queries": item["arguments"]["paths"]}})


def id_as_call_id(kind: str) -> Change:
    """The item's id stands in the place of its call id."""
    return _each(kind, lambda item: {**item, "call_id": item["id"]})


def another_call_id(kind: str) -> Change:
    """The call goes back under a call id that the response does not know."""

    def change(given: list[Item], sent: list[Item]) -> list[Item]:
        [other] = [item["call_id"] for item in sent if item["type"] == kind]
        assert other not in json.dumps(given)
        return put(kind, call_id=other)(given, sent)

    return change


def namespace_added() -> Change:
    """A function call of a loaded capability goes back under that capability's namespace, its own name."""
    return _each("function_call", lambda item: {**item, "namespace": item["name"]})


def straight_quotes() -> Change:
    """Typographic quotation marks of the text became straight ones."""
    straight = str.maketrans("“”’", '""\'')

    def text(part: Item) -> Item:
        return {**part, "text": part["text"].translate(straight)}

    return _each("message", lambda item: {**item, "content": [text(part) for part in item["content"]]})


def instead(given: list[Item], sent: list[Item]) -> list[Item]:
    """Nothing of the response goes back; texts of the client's own stand in its place."""
    assert given
    assert sent
    assert {"message"} == {item.get("type", "message") for item in sent}
    return sent


def polled(given: list[Item], sent: list[Item]) -> list[Item]:
    """The response was still waiting: what goes back was fetched later, out of another recording."""
    assert not given
    return sent


def applied(changes: Sequence[Change], given: list[Item], sent: list[Item]) -> list[Item]:
    """The items after every change, each of which has to change something."""
    for change in changes:
        before, given = given, change(given, sent)
        assert before != given, "this change changes nothing"
    return given
