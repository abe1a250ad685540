"""Input schemas, alone: JSON Schema as it is, validator descriptions, and what strict mode makes of both."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamwright import StrictSchemaError
from seamwright.model.frozen import freeze
from seamwright.seams.json_schema import json_schema

STRING = {"type": "string"}
EMPTY = {"type": "object", "properties": {}}


def closed(**properties: Any) -> dict[str, Any]:
    """A strict object."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


# --- JSON Schema


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"a": STRING}, "additionalProperties": True},
        {"type": "object"},
        {"type": ["object", "null"], "properties": {}},
        {"type": "array", "items": STRING},
        {"$ref": "#/$defs/a", "$defs": {"a": STRING}},
        {"anyOf": [STRING, {"type": "null"}]},
        {"oneOf": [STRING]},
        {"properties": {"keys": STRING, "flags": STRING, "rules": STRING}},
        {"type": "string", "enum": ["a", None]},
        {"const": 1},
    ],
)
def test_json_schema_stays_as_it_is(schema: dict[str, Any]) -> None:
    """Without strict nothing is added, and words of descriptions count only at the top."""
    assert json_schema(schema, False) == schema


@pytest.mark.parametrize("strict", [True, False])
def test_an_empty_schema_is_an_object_without_properties(strict: bool) -> None:
    """The API wants an object; in strict mode a closed one."""
    assert json_schema({}, strict) == (closed() if strict else EMPTY)


@pytest.mark.parametrize("schema", [None, "object", 1, [], dict, print])
def test_what_is_no_mapping_is_refused(schema: Any) -> None:
    """Types need another seam, and the error says so."""
    with pytest.raises(TypeError, match="json_schema seam"):
        json_schema(schema, False)


# --- validator descriptions


@pytest.mark.parametrize(
    ("description", "schema"),
    [
        ({"type": "object", "keys": {}}, EMPTY),
        ({"type": "object", "flags": {}}, EMPTY),
        ({"type": "string", "flags": {}}, STRING),
        ({"type": "boolean", "rules": []}, {"type": "boolean"}),
        ({"type": "number", "flags": {}}, {"type": "number"}),
        ({"type": "number", "rules": [{"name": "integer"}]}, {"type": "integer"}),
        (
            {"type": "number", "rules": [{"name": "min", "args": {"limit": 1}}, {"name": "integer"}]},
            {"type": "integer", "minimum": 1},
        ),
        (
            {"type": "string", "flags": {"description": "d", "default": None}},
            {**STRING, "description": "d", "default": None},
        ),
        ({"type": "any"}, {}),
        ({"type": "any", "valids": [1, "a"]}, {"enum": [1, "a"]}),
        ({"type": "date", "flags": {"description": "d"}}, {"description": "d"}),
        ({"flags": {}}, {}),
    ],
)
def test_the_types_of_a_description_map_across(description: Any, schema: Any) -> None:
    """Five types; a number with the rule ``integer`` is one; description and default come from the flags."""
    got = json_schema(description, False)
    assert got == (schema or EMPTY)


@pytest.mark.parametrize(
    ("given_values", "enum"),
    [
        ({"valids": ["a", "b"]}, ["a", "b"]),
        ({"enum": ["a"], "flags": {}}, ["a"]),
        ({"valids": [None, "a", None]}, ["a"]),
        ({"valids": [None]}, None),
        ({"valids": []}, None),
        ({"allow": ["a", None], "flags": {"only": True}}, ["a"]),
        ({"allow": ["a"], "flags": {"only": False}}, None),
        ({"allow": ["a"]}, None),
        ({"valids": [0, False, ""]}, [0, False, ""]),
        ({"valids": "ab"}, None),
    ],
)
def test_allowed_values_are_an_enum(given_values: dict[str, Any], enum: Any) -> None:
    """Without nulls and never empty; ``allow`` counts only when nothing else is allowed."""
    assert json_schema({"type": "string", **given_values}, False).get("enum") == enum


def test_keys_are_properties_and_presence_makes_them_required() -> None:
    """In their order; what is forbidden is no property; no required key, no ``required``."""
    description = {
        "type": "object",
        "keys": {
            "b": {"type": "string", "flags": {"presence": "required"}},
            "a": {"type": "number", "presence": "required"},
            "c": {"type": "string", "flags": {"presence": "optional"}},
            "d": {"type": "string", "flags": {"presence": "forbidden"}},
            "e": {},
        },
    }
    schema = json_schema(description, False)

    assert schema == {
        "type": "object",
        "properties": {"b": STRING, "a": {"type": "number"}, "c": STRING, "e": {}},
        "required": ["b", "a"],
    }
    assert list(schema["properties"]) == ["b", "a", "c", "e"]
    assert json_schema({"type": "object", "keys": {"a": STRING}}, False) == {
        "type": "object",
        "properties": {"a": STRING},
    }


@pytest.mark.parametrize(
    ("items", "schema"),
    [
        ([STRING], STRING),
        ([], {}),
        ([STRING, {"type": "number"}], {"anyOf": [STRING, {"type": "number"}]}),
        ([{"type": "object", "keys": {"a": STRING}}], {"type": "object", "properties": {"a": STRING}}),
    ],
)
def test_items_are_a_schema(items: list[Any], schema: Any) -> None:
    """``{}`` when nothing is known; several kinds are alternatives."""
    assert json_schema({"type": "array", "items": items}, False) == {"type": "array", "items": schema}


def test_an_array_without_items_takes_anything() -> None:
    """``items`` is there all the same."""
    assert json_schema({"type": "array", "rules": []}, False) == {"type": "array", "items": {}}


@pytest.mark.parametrize(
    ("kind", "low", "high"),
    [
        ("string", "minLength", "maxLength"),
        ("array", "minItems", "maxItems"),
        ("object", "minProperties", "maxProperties"),
        ("number", "minimum", "maximum"),
    ],
)
def test_limits_have_the_words_of_their_type(kind: str, low: str, high: str) -> None:
    """``min``, ``max``, ``length``; zero is a limit; an argument may stand as ``args.limit`` or ``arg``."""
    rules = [{"name": "min", "args": {"limit": 0}}, {"name": "max", "arg": 9}]
    schema = json_schema({"type": kind, "rules": rules}, False)
    exact = json_schema({"type": kind, "rules": [{"name": "length", "args": {"limit": 3}}]}, False)

    assert (schema[low], schema[high]) == (0, 9)
    assert (exact[low], exact[high]) == (3, 3)


@pytest.mark.parametrize(
    ("regex", "pattern"),
    [("^a$", "^a$"), ("/^a$/", "^a$"), ("/a/b/gi", "a/b"), ("/", "/"), ("a/", "a/"), ("//", "")],
)
def test_a_pattern_has_no_delimiters_and_no_flags(regex: str, pattern: str) -> None:
    """JSON Schema knows neither."""
    for rule in ({"name": "pattern", "args": {"regex": regex}}, {"name": "pattern", "arg": regex}):
        assert json_schema({"type": "string", "rules": [rule]}, False) == {**STRING, "pattern": pattern}


def test_alternatives_are_any_of() -> None:
    """Each match as a schema, given directly or under ``schema``."""
    description = {"type": "alternatives", "matches": [{"schema": {"type": "string", "flags": {}}}, {"type": "number"}]}

    assert json_schema(description, False) == {"anyOf": [STRING, {"type": "number"}]}


@pytest.mark.parametrize(
    "description",
    [
        {"type": ["array", "null"], "items": [STRING]},
        {"type": {"a": 1}, "flags": {}},
        {"type": "string", "flags": [], "rules": {"name": []}},
        {"type": "string", "flags": None, "rules": None},
        {
            "type": "string",
            "rules": [
                None,
                1,
                {},
                {"name": "min"},
                {"name": "min", "args": {"limit": True}},
                {"name": ["min"], "arg": 1},
            ],
        },
        {"type": "object", "keys": {"a": None, "b": 3}},
        {"type": "object", "keys": []},
        {"type": "array", "items": [None, "x"]},
        {"type": "alternatives", "matches": [None, {"schema": None}]},
        {"type": "string", "rules": [{"name": "pattern", "args": {"regex": {}}}]},
        {"type": "alternatives"},
    ],
)
def test_a_strange_description_is_read_as_far_as_it_goes(description: Any) -> None:
    """What can't be read is left out; nothing raises, and the result is JSON."""
    json.dumps(json_schema(description, False))


# --- strict


def test_every_object_is_closed_and_every_property_required() -> None:
    """At every depth: in properties, items, alternatives and definitions; optional ones become nullable."""
    schema = {
        "type": "object",
        "properties": {
            "a": STRING,
            "b": {"type": "array", "items": {"type": "object", "properties": {"x": STRING}}},
            "c": {"anyOf": [{"type": "object", "properties": {}}, STRING]},
            "d": {"$ref": "#/$defs/d"},
        },
        "required": ["b", "gone"],
        "$defs": {"d": {"type": "object", "properties": {"y": STRING}, "required": ["y"]}},
        "definitions": {"e": {"type": "object", "properties": {}}},
        "additionalProperties": False,
    }

    assert json_schema(schema, True) == {
        "type": "object",
        "properties": {
            "a": {"type": ["string", "null"]},
            "b": {"type": "array", "items": closed(x={"type": ["string", "null"]})},
            "c": {"anyOf": [closed(), STRING, {"type": "null"}]},
            "d": {"anyOf": [{"$ref": "#/$defs/d"}, {"type": "null"}]},
        },
        "required": ["a", "b", "c", "d"],
        "$defs": {"d": closed(y=STRING)},
        "definitions": {"e": closed()},
        "additionalProperties": False,
    }


@pytest.mark.parametrize(
    ("optional", "nullable"),
    [
        (STRING, {"type": ["string", "null"]}),
        ({"type": ["string", "number"]}, {"type": ["string", "number", "null"]}),
        ({"type": ["null", "string"]}, {"type": ["null", "string"]}),
        ({"type": "null"}, {"type": ["null"]}),
        ({"type": "string", "enum": ["a"]}, {"type": ["string", "null"], "enum": ["a", None]}),
        ({"type": ["string", "null"], "enum": ["a", None]}, {"type": ["string", "null"], "enum": ["a", None]}),
        ({"enum": ["a"]}, {"anyOf": [{"enum": ["a"]}, {"type": "null"}]}),
        ({"const": "a"}, {"anyOf": [{"const": "a"}, {"type": "null"}]}),
        ({"type": "string", "const": "a"}, {"anyOf": [{"type": "string", "const": "a"}, {"type": "null"}]}),
        ({"anyOf": [STRING]}, {"anyOf": [STRING, {"type": "null"}]}),
        ({"anyOf": [STRING, {"type": "null"}]}, {"anyOf": [STRING, {"type": "null"}]}),
        ({"$ref": "#"}, {"anyOf": [{"$ref": "#"}, {"type": "null"}]}),
    ],
)
def test_an_optional_property_takes_null(optional: Any, nullable: Any) -> None:
    """In the list of types, in the enum as well, as an alternative where there is no type; once is enough."""
    schema = {"type": "object", "properties": {"p": optional}}
    got = json_schema(schema, True)["properties"]["p"]

    assert got == nullable
    assert json_schema({**schema, "required": ["p"]}, True)["properties"]["p"] == optional


REFUSED = (
    *("allOf", "oneOf", "not", "if", "then", "else", "patternProperties", "dependentSchemas", "dependentRequired"),
)


@pytest.mark.parametrize("word", REFUSED)
def test_words_without_a_strict_form_are_refused_at_their_path(word: str) -> None:
    """At the top and at any depth."""
    bad = {"type": "string", word: {}}
    places = {
        word: bad,
        f"properties.a.{word}": {"type": "object", "properties": {"a": bad}},
        f"items.{word}": {"type": "array", "items": bad},
        f"anyOf[1].{word}": {"anyOf": [STRING, bad]},
        f"$defs.a.{word}": {"type": "string", "$defs": {"a": bad}},
        f"properties.a.items.properties.b.{word}": {
            "type": "object",
            "properties": {"a": {"type": "array", "items": {"type": "object", "properties": {"b": bad}}}},
        },
    }
    for path, schema in places.items():
        assert refused_at(schema) == path


def refused_at(schema: Any) -> str:
    """The path of the refusal."""
    with pytest.raises(StrictSchemaError) as caught:
        json_schema(schema, True)
    return caught.value.path


@pytest.mark.parametrize(
    ("schema", "path"),
    [
        ({"type": "object", "properties": {}, "additionalProperties": True}, "additionalProperties"),
        ({"type": "object", "properties": {}, "additionalProperties": {}}, "additionalProperties"),
        (
            {
                "type": "object",
                "properties": {"m": {"type": "object", "properties": {}, "additionalProperties": STRING}},
            },
            "properties.m.additionalProperties",
        ),
        ({"type": "object"}, ""),
        ({"type": ["object", "null"]}, ""),
        ({"type": "object", "properties": {"m": {"type": "object"}}}, "properties.m"),
        ({"type": "object", "properties": []}, ""),
        ({"description": "anything"}, ""),
        ({"type": "object", "properties": {"m": {}}}, "properties.m"),
        ({"type": "array", "items": {}}, "items"),
        ({"type": "array", "items": True}, "items"),
        ({"type": "object", "properties": {"m": True}}, "properties.m"),
        ({"anyOf": [STRING, {}]}, "anyOf[1]"),
        ({"type": "any", "flags": {}}, None),
        ({"type": "object", "keys": {"a": {"type": "any"}}}, "properties.a"),
        ({"type": "array", "rules": []}, "items"),
    ],
)
def test_what_can_not_conform_is_refused_at_its_path(schema: Any, path: str | None) -> None:
    """Open objects, objects that say nothing of their properties, schemas that say nothing at all."""
    if path is None:
        assert json_schema(schema, True) == closed(), "an empty schema at the top is an object first"
    else:
        assert refused_at(schema) == path


def test_a_closed_object_is_taken_as_closed() -> None:
    """``additionalProperties: false`` is what strict mode wants."""
    schema = {"type": "object", "properties": {"a": STRING}, "required": ["a"], "additionalProperties": False}
    assert json_schema(schema, True) == closed(a=STRING)


def test_a_description_conforms_too() -> None:
    """It is translated first."""
    description = {"type": "object", "keys": {"a": STRING, "b": {"type": "number", "presence": "required"}}}
    assert json_schema(description, True) == closed(a={"type": ["string", "null"]}, b={"type": "number"})


SCHEMAS = st.recursive(
    st.sampled_from(
        [
            STRING,
            {"type": "number", "minimum": 1},
            {"enum": ["a"]},
            {"const": None},
            {"$ref": "#/$defs/x"},
            {"type": "null"},
        ]
    ),
    lambda inner: st.one_of(
        st.dictionaries(st.text("abc", max_size=2), inner, max_size=3).flatmap(
            lambda properties: st.fixed_dictionaries(
                {"type": st.just("object"), "properties": st.just(properties)},
                optional={
                    "required": st.lists(st.sampled_from(sorted(properties) or ["z"]), unique=True),
                    "additionalProperties": st.just(False),
                },
            )
        ),
        inner.map(lambda one: {"type": "array", "items": one}),
        st.lists(inner, min_size=1, max_size=3).map(lambda some: {"anyOf": some}),
    ),
    max_leaves=8,
)


def objects_in(schema: Any) -> list[dict[str, Any]]:
    """Every object schema inside a schema."""
    if isinstance(schema, list):
        return [found for one in schema for found in objects_in(one)]
    if not isinstance(schema, dict):
        return []
    inner = [found for one in schema.values() for found in objects_in(one)]
    return [schema, *inner] if schema.get("type") in ("object", ["object", "null"]) else inner


@given(SCHEMAS)
def test_a_strict_schema_is_closed_throughout_and_stays_so(schema: dict[str, Any]) -> None:
    """Every object is closed and requires all its properties; again changes nothing; the input is untouched."""
    before = copy.deepcopy(schema)
    strict = json_schema(schema, True)

    assert before == schema
    for one in objects_in(strict):
        if "properties" in one:
            assert one["additionalProperties"] is False
            assert one["required"] == list(one["properties"])
    assert json_schema(strict, True) == strict


@given(SCHEMAS, st.booleans())
def test_a_frozen_schema_gives_the_same(schema: dict[str, Any], strict: bool) -> None:
    """As a tool holds it; what comes out can be written as JSON."""
    assert json_schema(freeze(schema), strict) == json_schema(schema, strict)
    json.dumps(json_schema(freeze(schema), strict))
