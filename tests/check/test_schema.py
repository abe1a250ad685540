"""The vendor's published schema as a second opinion on the checker's own tables."""

from __future__ import annotations

import gzip
import json
from functools import cache
from typing import Any

import pytest
from check_bodies import SHARED

from seamwright.check.fields import INCLUDES, ITEM_KEYS, PARAMETERS, PART_KEYS

DOCUMENT = SHARED / "wire" / "openapi.json.gz"
pytestmark = pytest.mark.skipif(not DOCUMENT.is_file(), reason="the published schema is not here")

REFUSED = {("reasoning", "status"), ("message", "agent")}
"""Keys the document lists and the API answers with *Unknown parameter* (reports), or that belong to another preview."""

NEWER = {
    "program",
    "program_output",
    "compaction_trigger",
    "additional_tools",
    "configuration_update",
    "item_reference",
}
"""Types of the newer SDK that an older document may lack; a reference needs no type."""


@cache
def schemas() -> dict[str, Any]:
    """The component schemas."""
    with gzip.open(DOCUMENT, "rt", encoding="utf-8") as file:
        found: dict[str, Any] = json.load(file)["components"]["schemas"]
    return found


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema with its reference followed."""
    return schemas()[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema


def alternatives(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """The object schemas a schema may be, nested alternatives flattened."""
    schema = resolved(schema)
    inner = schema.get("oneOf") or schema.get("anyOf")
    return [found for one in inner for found in alternatives(one)] if inner else [schema]


def properties(schema: dict[str, Any]) -> dict[str, Any]:
    """The properties of an object schema, ``allOf`` merged."""
    schema = resolved(schema)
    merged = dict(schema.get("properties", {}))
    for part in schema.get("allOf", []):
        merged.update(properties(part))
    return merged


def by_type(schema: dict[str, Any]) -> dict[str, set[str]]:
    """The keys of each alternative, by the value of its ``type``."""
    found: dict[str, set[str]] = {}
    for one in alternatives(schema):
        keys = properties(one)
        for name in resolved(keys.get("type", {})).get("enum", []):
            found.setdefault(name, set()).update(keys)
    return found


def test_items_have_every_published_key() -> None:
    """No key that the schema lists for an input item is unknown to the table, but those the API is known to refuse."""
    published = by_type(schemas()["InputItem"])
    assert len(published) > 20
    for name, keys in published.items():
        assert name in ITEM_KEYS, name
        missing = {(name, key) for key in keys - ITEM_KEYS[name]}
        assert missing <= REFUSED, missing


def test_the_table_has_no_types_of_its_own() -> None:
    """Every item type of the table is published, here or in the newer SDK."""
    assert set(ITEM_KEYS) - set(by_type(schemas()["InputItem"])) <= NEWER


@pytest.mark.parametrize("name", ["InputContent", "OutputMessageContent"])
def test_parts_have_every_published_key(name: str) -> None:
    """No key that the schema lists for a content part is unknown to the table."""
    published = by_type(schemas()[name])
    assert published
    for part, keys in published.items():
        assert keys <= PART_KEYS[part], part


def test_parameters_and_includes_are_known() -> None:
    """Every parameter of a request and every value of ``include`` that the schema lists is in the table."""
    assert set(properties(schemas()["CreateResponse"])) <= PARAMETERS
    assert set(schemas()["IncludeEnum"]["enum"]) <= INCLUDES
