"""Tool schemas written as types: attrs and dataclasses, TypedDicts, pydantic models, annotated callables."""

from __future__ import annotations

import datetime as dt
import decimal
import enum
import functools
import json
import pathlib
import types
import typing
import uuid
from collections import abc
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from seamwright.model.frozen import freeze
from seamwright.model.guards import is_array, is_mapping
from seamwright.seams.docstrings import summary
from seamwright.seams.json_schema import JsonSchema
from seamwright.seams.type_fields import UNSET, Property, fields_of, parameters_of

Schema = dict[str, Any]


def make_typed_json_schema(*, json_schema: JsonSchema) -> JsonSchema:
    """A ``json_schema`` that reads types too; what it makes of them, and every mapping, goes through the given one.

    A type is a class of attrs, dataclasses or TypedDict, a pydantic model (by its own ``model_json_schema``), or a
    callable whose parameters are the properties. Descriptions come from ``Annotated`` texts, pydantic's ``Field``, the
    ``description`` in a field's metadata, and docstrings. Raises TypeError for a type without a form in JSON, naming
    the place.
    """
    cached = functools.lru_cache(maxsize=256)(_frozen_schema)

    def typed_json_schema(input_schema: Any, strict: bool, /) -> Schema:
        if isinstance(input_schema, Mapping):
            return json_schema(input_schema, strict)
        # A callable object may have no hash; then there is nothing to keep its schema under.
        read = cached if isinstance(input_schema, abc.Hashable) else _frozen_schema
        return json_schema(read(input_schema, strict), strict)

    return typed_json_schema


def _frozen_schema(source: Any, strict: bool) -> Any:
    schema = schema_of(source)
    return freeze(_apart(schema) if strict else schema)


def _apart(schema: Any) -> Any:
    """The schema with every ``$ref`` that has neighbours inside an ``anyOf``: strict mode refuses keys beside it."""
    if is_array(schema):
        return [_apart(one) for one in schema]
    if not is_mapping(schema):
        return schema
    result = {key: _apart(value) for key, value in schema.items()}
    if isinstance(result.get("$ref"), str) and len(result) > 1:
        result = {"anyOf": [{"$ref": result.pop("$ref")}]} | result
    return result


def schema_of(source: Any) -> Schema:
    """The JSON Schema of a type or of a callable's parameters. Raises TypeError naming what has no form in JSON."""
    reader = _Reader()
    name = str(getattr(source, "__qualname__", None) or source)
    read = reader.read if isinstance(source, type) or typing.get_origin(source) is not None else reader.parameters
    try:
        schema = read(source, name)
    except RecursionError:
        raise TypeError(f"{name}: a type that grows as it is read has no form in JSON") from None
    if schema.keys() == {"$ref"}:
        schema = reader.defs[str(schema["$ref"]).rpartition("/")[2]]
    if schema.get("type") != "object":
        raise TypeError(f"{name}: the arguments of a tool are an object, and this is none")
    return schema | ({"$defs": reader.defs} if reader.defs else {})


_SIMPLE: Final[dict[Any, Schema]] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    None: {"type": "null"},
    type(None): {"type": "null"},
    bytes: {"type": "string", "contentEncoding": "base64"},
    decimal.Decimal: {"type": "number"},
    dt.datetime: {"type": "string", "format": "date-time"},
    dt.date: {"type": "string", "format": "date"},
    dt.time: {"type": "string", "format": "time"},
    dt.timedelta: {"type": "string", "format": "duration"},
    uuid.UUID: {"type": "string", "format": "uuid"},
    pathlib.PurePath: {"type": "string"},
    Any: {},
    object: {},
}
_ARRAYS: Final = (abc.Collection, abc.Iterable)
_OBJECTS: Final = (abc.Mapping, abc.MutableMapping, dict)
_WRAPPERS: Final = tuple(
    getattr(typing, name) for name in ("Required", "NotRequired", "ReadOnly", "Final") if hasattr(typing, name)
)


class _Reader:
    """Reads types into schemas. A class that holds itself stands in ``defs`` and is referred to."""

    def __init__(self) -> None:
        self.defs: dict[str, Schema] = {}
        self._names: dict[Any, str] = {}
        self._recursive: set[Any] = set()
        self._variables: dict[Any, Any] = {}
        self._forms: dict[Any, Callable[[Any, tuple[Any, ...], str], Schema]] = {
            typing.Annotated: self._annotated,
            typing.Literal: lambda _, arguments, place: _values(arguments, place),
            typing.Union: self._union,
            types.UnionType: self._union,
            tuple: self._tuple,
            **dict.fromkeys(_OBJECTS, self._mapping),
            **dict.fromkeys(_WRAPPERS, lambda _, arguments, place: self.read(arguments[0], place)),
        }

    def read(self, hint: Any, place: str) -> Schema:
        """The schema of a type; *place* says where it stands, for errors."""
        if isinstance(hint, typing.TypeVar):
            bound = getattr(hint, "__bound__", None)
            return self.read(self._variables.get(hint, Any if bound is None else bound), place)
        if isinstance(hint, abc.Hashable) and hint in _SIMPLE:
            return dict(_SIMPLE[hint])
        origin = typing.get_origin(hint)
        if origin is not None:
            return self._generic(hint, origin, typing.get_args(hint), place)
        if isinstance(hint, type):
            return self._class(hint, hint, place)
        plain = getattr(hint, "__supertype__", None) or getattr(hint, "__value__", None)
        if plain is None:
            raise TypeError(f"{place}: {hint!r} has no form in JSON")
        return self.read(plain, place)  # NewType, or an alias by the statement of Python 3.12

    def parameters(self, function: Callable[..., Any], name: str) -> Schema:
        """The parameters of a callable as the properties of an object."""
        try:
            found = parameters_of(function)
        except TypeError as error:
            raise TypeError(f"{name}: {error}") from None
        return self._object(found.properties, name, is_open=found.is_open)

    def _generic(self, hint: Any, origin: Any, arguments: tuple[Any, ...], place: str) -> Schema:
        form = self._forms.get(origin)
        if form is not None:
            return form(hint, arguments, place)
        if not isinstance(origin, type):
            return self.read(origin.__value__[arguments], place)  # an alias with parameters
        if fields_of(origin) is None and issubclass(origin, _ARRAYS):
            return {"type": "array", "items": self.read(arguments[0], f"{place}[]")}
        names: tuple[Any, ...] = getattr(origin, "__parameters__", ())
        given = tuple(map(self._substituted, arguments))
        outer = self._variables
        self._variables = {**outer, **dict(zip(names, given, strict=False))}
        schema = self._class(origin, (origin, given), place)
        self._variables = outer
        return schema

    def _substituted(self, hint: Any) -> Any:
        """A type with the variables of the class it stands in replaced by what they are."""
        if isinstance(hint, typing.TypeVar):
            return self._variables.get(hint, hint)
        open_names: tuple[Any, ...] = getattr(hint, "__parameters__", ()) if typing.get_origin(hint) else ()
        return hint[tuple(map(self._substituted, open_names))] if open_names else hint

    def _annotated(self, hint: Any, arguments: tuple[Any, ...], place: str) -> Schema:
        schema = self.read(arguments[0], place)
        for note in arguments[1:]:
            for one in (note, *(getattr(note, "metadata", None) or ())):
                schema |= _said(one, schema)
        return schema

    def _union(self, hint: Any, arguments: tuple[Any, ...], place: str) -> Schema:
        return {"anyOf": [self.read(one, place) for one in arguments]}

    def _mapping(self, hint: Any, arguments: tuple[Any, ...], place: str) -> Schema:
        return {"type": "object", "additionalProperties": self.read(arguments[1], f"{place}{{}}")}

    def _tuple(self, hint: Any, arguments: tuple[Any, ...], place: str) -> Schema:
        if arguments[1:] == (Ellipsis,):
            return {"type": "array", "items": self.read(arguments[0], f"{place}[]")}
        kinds: list[Schema] = []
        for index, one in enumerate(arguments):
            schema = self.read(one, f"{place}[{index}]")
            kinds += [] if schema in kinds else [schema]
        # Not prefixItems: strict mode does not know it, and other servers pass over it.
        items = kinds[0] if len(kinds) == 1 else {"anyOf": kinds} if kinds else {}
        return {"type": "array", "items": items, "minItems": len(arguments), "maxItems": len(arguments)}

    def _class(self, cls: Any, key: Any, place: str) -> Schema:
        """The schema of a class; *key* tells one parametrisation of it from another."""
        if issubclass(cls, enum.Enum):
            return _values([member.value for member in cls], place)
        if hasattr(cls, "model_json_schema"):
            return self._model(cls, self._free(cls.__name__))
        properties = fields_of(cls)
        if properties is None:
            return self._without_fields(cls, place)
        if key in self._names:  # it holds itself: it is being read, or stands in defs already
            self._recursive.add(key)
            return {"$ref": f"#/$defs/{self._names[key]}"}
        self._names[key] = name = self._free(cls.__name__)
        schema = self._object(properties, place, is_open=False)
        if said := _own_summary(cls):
            schema = {"description": said} | schema
        if key not in self._recursive:
            del self._names[key]
            return schema
        self.defs[name] = schema
        return {"$ref": f"#/$defs/{name}"}

    def _without_fields(self, cls: Any, place: str) -> Schema:
        hints: dict[str, Any] = typing.get_type_hints(cls, include_extras=True) if hasattr(cls, "_fields") else {}
        if hints and issubclass(cls, tuple):  # a NamedTuple
            return self._tuple(cls, tuple(hints.values()), place)
        simple = next((base for base in cls.__mro__[:-1] if base in _SIMPLE), None)
        if simple is not None:
            return dict(_SIMPLE[simple])
        if issubclass(cls, abc.Mapping):
            return {"type": "object"}
        if issubclass(cls, _ARRAYS):
            return {"type": "array", "items": {}}
        known = "an attrs class, a dataclass, a TypedDict or a pydantic model"
        raise TypeError(f"{place}: {cls.__qualname__} has no form in JSON; {known} has")

    def _free(self, name: str) -> str:
        taken = {defined.partition(".")[0] for defined in self.defs} | set(self._names.values())
        numbered = (f"{name}{number}" for number in range(2, len(taken) + 3))
        return name if name not in taken else next(one for one in numbered if one not in taken)

    def _model(self, cls: Any, name: str) -> Schema:
        """A pydantic model says its own schema; what it refers to moves to our definitions, under names of its own."""
        schema: Schema = cls.model_json_schema(ref_template=f"#/$defs/{name}.{{model}}")
        inner: dict[str, Schema] = schema.pop("$defs", {})
        self.defs |= {f"{name}.{defined}": one for defined, one in inner.items()}
        return schema

    def _object(self, properties: Iterable[Property], place: str, *, is_open: bool) -> Schema:
        made: dict[str, Schema] = {}
        for one in properties:
            schema = self.read(one.hint, f"{place}.{one.name}")
            if one.description and not _has_own_text(one.hint, schema):
                schema["description"] = one.description
            if _is_json(one.default):
                schema["default"] = one.default
            made[one.name] = schema
        required = [one.name for one in properties if one.required]
        result: Schema = {"type": "object", "properties": made}
        return (
            result | ({"required": required} if required else {}) | ({} if is_open else {"additionalProperties": False})
        )


def _has_own_text(hint: Any, schema: Schema) -> bool:
    """Whether the description in a schema was said of this use; that of a class says only what it is."""
    return "description" in schema and typing.get_origin(hint) is typing.Annotated


def _is_json(value: Any) -> bool:
    if value is UNSET or isinstance(value, enum.Enum):
        return False
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        return False
    return True


_KINDS: Final[dict[type, str]] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    type(None): "null",
}


def _values(given: Iterable[Any], place: str) -> Schema:
    """An enumeration, with its types."""
    values = [value.value if isinstance(value, enum.Enum) else value for value in given]
    kinds = list(dict.fromkeys(_KINDS.get(value.__class__) for value in values))
    if None in kinds or not values:
        raise TypeError(f"{place}: an enumeration of {values!r} has no form in JSON")
    return {"type": kinds[0] if len(kinds) == 1 else kinds, "enum": values}


_LIMITS: Final = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "lt": "exclusiveMaximum",
    "multiple_of": "multipleOf",
    "pattern": "pattern",
}
_LENGTHS: Final = {"string": "Length", "array": "Items", "object": "Properties"}


def _said(note: Any, schema: Schema) -> Schema:
    """What a note in ``Annotated`` says: a text, the description of pydantic's Field, PEP 727's Doc, limits."""
    if isinstance(note, str):
        return {"description": note}
    found: Schema = {}
    for attribute in ("description", "documentation"):
        if isinstance(text := getattr(note, attribute, None), str):
            found["description"] = text
    for attribute, word in _LIMITS.items():
        if isinstance(limit := getattr(note, attribute, None), (int, float, str)):
            found[word] = limit
    measured = _LENGTHS.get(str(schema.get("type")))
    for bound in ("min", "max"):
        if measured and isinstance(limit := getattr(note, f"{bound}_length", None), int):
            found[f"{bound}{measured}"] = limit
    return found


def _own_summary(cls: Any) -> str:
    """What the docstring of a class says, when one was written: a dataclass without one gets its signature."""
    text = cls.__dict__.get("__doc__")
    return summary(text) if isinstance(text, str) and not text.startswith(f"{cls.__name__}(") else ""
