"""Tool schemas from types and callables."""

from __future__ import annotations

import datetime as dt
import decimal
import enum
import functools
import json
import pathlib
import subprocess
import sys
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import (
    Annotated,
    Any,
    Generic,
    Literal,
    NamedTuple,
    NewType,
    NotRequired,
    Optional,
    Required,
    TypedDict,
    TypeVar,
    Union,
)

import attrs
import pydantic
import pytest
from annotated_types import Ge, Len

from seamwright import AgentState, RenderOptions, SeamError, StrictSchemaError, Tool
from seamwright.check import check_request
from seamwright.seams.json_schema import json_schema
from seamwright.seams.type_schema import make_typed_json_schema, schema_of
from seamwright_containers import preset_pipeline, with_tool_types

T = TypeVar("T")
Name = NewType("Name", str)
CLOSED = {"additionalProperties": False}


class Color(enum.Enum):
    """Two colours."""

    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    """Two levels."""

    LOW = 1
    HIGH = 2


class Point(NamedTuple):
    """A place."""

    x: int
    y: float


class Reference(str):
    """A text of its own kind."""

    __slots__ = ()


@attrs.frozen
class Address:
    """Where somebody lives."""

    street: str
    number: int = 1


def property_of(hint: Any) -> Any:
    """The schema of one parameter of that type."""

    def function(value: Any) -> None: ...

    function.__annotations__["value"] = hint
    return schema_of(function)["properties"]["value"]


TEXT = {"type": "string"}
WHOLE = {"type": "integer"}
NULL = {"type": "null"}


@pytest.mark.parametrize(
    ("hint", "schema"),
    [
        (str, TEXT),
        (int, WHOLE),
        (float, {"type": "number"}),
        (bool, {"type": "boolean"}),
        (None, NULL),
        (bytes, {"type": "string", "contentEncoding": "base64"}),
        (decimal.Decimal, {"type": "number"}),
        (dt.datetime, {"type": "string", "format": "date-time"}),
        (dt.date, {"type": "string", "format": "date"}),
        (uuid.UUID, {"type": "string", "format": "uuid"}),
        (pathlib.Path, TEXT),
        (Any, {}),
        (object, {}),
        (Name, TEXT),
        (Reference, TEXT),
        (T, {}),
        (Optional[int], {"anyOf": [WHOLE, NULL]}),  # noqa: UP045  # both spellings
        (Union[int, str], {"anyOf": [WHOLE, TEXT]}),  # noqa: UP007
        (int | None, {"anyOf": [WHOLE, NULL]}),
        (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}),
        (
            Literal["a", 1, None],  # noqa: PYI061  # both spellings
            {"type": ["string", "integer", "null"], "enum": ["a", 1, None]},
        ),
        (Literal[True], {"type": "boolean", "enum": [True]}),
        (Literal[Color.RED], {"type": "string", "enum": ["red"]}),
        (Color, {"type": "string", "enum": ["red", "blue"]}),
        (Level, {"type": "integer", "enum": [1, 2]}),
        (list[int], {"type": "array", "items": WHOLE}),
        (list, {"type": "array", "items": {}}),
        (set[str], {"type": "array", "items": TEXT}),
        (Sequence[str], {"type": "array", "items": TEXT}),
        (Iterable[str], {"type": "array", "items": TEXT}),
        (dict[str, int], {"type": "object", "additionalProperties": WHOLE}),
        (Mapping[str, int], {"type": "object", "additionalProperties": WHOLE}),
        (dict, {"type": "object"}),
        (tuple[int, ...], {"type": "array", "items": WHOLE}),
        (tuple[int, int], {"type": "array", "items": WHOLE, "minItems": 2, "maxItems": 2}),
        (tuple[int, str], {"type": "array", "items": {"anyOf": [WHOLE, TEXT]}, "minItems": 2, "maxItems": 2}),
        (tuple[()], {"type": "array", "items": {}, "minItems": 0, "maxItems": 0}),
        (tuple, {"type": "array", "items": {}}),
        (Point, {"type": "array", "items": {"anyOf": [WHOLE, {"type": "number"}]}, "minItems": 2, "maxItems": 2}),
        (list[int | None], {"type": "array", "items": {"anyOf": [WHOLE, NULL]}}),
        (Annotated[int, "How many."], {"type": "integer", "description": "How many."}),
        (Annotated[int, Ge(1)], {"type": "integer", "minimum": 1}),
        (Annotated[list[int], Len(1, 3)], {"type": "array", "items": WHOLE, "minItems": 1, "maxItems": 3}),
        (
            Annotated[str, pydantic.Field(description="A code.", max_length=3, pattern="^a")],
            {"type": "string", "description": "A code.", "maxLength": 3, "pattern": "^a"},
        ),
    ],
)
def test_each_type_has_its_schema(hint: Any, schema: Any) -> None:
    """A type as a parameter's annotation becomes this schema."""
    assert schema == property_of(hint)


@dataclass
class Order:
    """An order.

    Attributes:
        items: What is wanted.
        note: A word for the packer.
    """

    items: list[str]
    note: str = "none"
    tags: list[str] = field(default_factory=list)
    color: Color = field(default=Color.RED, metadata={"description": "Its colour."})
    made: str = field(init=False, default="")


@attrs.define
class Parcel:
    """A parcel."""

    _weight: float
    to: Address | None = None
    stops: list[str] = attrs.field(factory=list)
    code: str = attrs.field(init=False, default="")


class Query(TypedDict, total=False):
    """A search.

    :param text: What to look for.
    """

    text: Required[str]
    limit: NotRequired[int]
    near: Address


def test_a_dataclass() -> None:
    """Fields of the constructor, those without default required; texts from docstring and metadata; JSON defaults."""
    assert {
        "description": "An order.",
        "type": "object",
        "properties": {
            "items": {"type": "array", "items": TEXT, "description": "What is wanted."},
            "note": {"type": "string", "description": "A word for the packer.", "default": "none"},
            "tags": {"type": "array", "items": TEXT},
            "color": {"type": "string", "enum": ["red", "blue"], "description": "Its colour."},
        },
        "required": ["items"],
    } | CLOSED == schema_of(Order)


ADDRESS = {
    "description": "Where somebody lives.",
    "type": "object",
    "properties": {"street": TEXT, "number": {"type": "integer", "default": 1}},
    "required": ["street"],
} | CLOSED


def test_an_attrs_class() -> None:
    """Fields go by the names the constructor takes; a class inside another stands where it is used."""
    assert {
        "description": "A parcel.",
        "type": "object",
        "properties": {
            "weight": {"type": "number"},
            "to": {"anyOf": [ADDRESS, NULL], "default": None},
            "stops": {"type": "array", "items": TEXT},
        },
        "required": ["weight"],
    } | CLOSED == schema_of(Parcel)


def test_a_typed_dict() -> None:
    """Keys are required as the TypedDict says."""
    schema = schema_of(Query)
    assert ["text"] == schema["required"]
    assert {"type": "string", "description": "What to look for."} == schema["properties"]["text"]
    assert WHOLE == schema["properties"]["limit"]
    assert ADDRESS == schema["properties"]["near"]


def search(query: str, limit: Annotated[int, "At most."] = 5, *, exact: bool = False, **options: Any) -> None:
    """Search.

    Args:
        query: What to look for.
        limit: Not read, as the annotation says more.
    """


def test_a_callable() -> None:
    """Parameters are the properties; their texts come from annotations, else from the docstring; ** leaves it open."""
    assert {
        "type": "object",
        "properties": {
            "query": {"type": "string", "description": "What to look for."},
            "limit": {"type": "integer", "description": "At most.", "default": 5},
            "exact": {"type": "boolean", "default": False},
        },
        "required": ["query"],
    } == schema_of(search)


class Searcher:
    """Something that searches."""

    def __call__(self, query: str) -> None:
        """Search. :param query: not at the start of a line, so not read."""

    async def later(self, query: str) -> None:
        """Search later."""


def test_callables_of_every_kind() -> None:
    """Methods, objects, partials and asynchronous functions are read without what is bound already."""
    only_query = {"type": "object", "properties": {"query": TEXT}, "required": ["query"]} | CLOSED
    assert only_query == schema_of(Searcher())
    assert only_query == schema_of(Searcher().later)
    bound = functools.partial(functools.partial(search, exact=True), limit=1)
    assert ["query"] == list(schema_of(bound)["properties"])
    assert {"type": "object", "properties": {"anything": {}}, "required": ["anything"]} | CLOSED == schema_of(
        lambda anything: None
    )


@dataclass
class Tree:
    """A tree."""

    value: int
    children: list[Tree]


@dataclass
class Wood:
    """Two trees."""

    left: Tree
    right: Annotated[Tree, "The other."]


def test_a_type_that_holds_itself() -> None:
    """A recursive class stands in the definitions once and is referred to."""
    reference = {"$ref": "#/$defs/Tree"}
    schema = schema_of(Tree)
    assert {"type": "array", "items": reference} == schema["properties"]["children"]
    assert schema["properties"] == schema["$defs"]["Tree"]["properties"]
    wood = schema_of(Wood)
    assert [reference, reference | {"description": "The other."}] == list(wood["properties"].values())
    assert ["Tree"] == list(wood["$defs"])


@dataclass
class Page(Generic[T]):
    """A page."""

    entries: list[T]
    following: Page[T] | None


def test_generic_classes() -> None:
    """Variables are replaced by what they stand for, in recursion too; two kinds of one class stay apart."""

    def function(one: Page[int], other: Page[str], bare: Page[Any]) -> None: ...

    function.__annotations__ = {"one": Page[int], "other": Page[str], "bare": Page[Any]}
    schema = schema_of(function)
    kinds = [one["properties"]["entries"]["items"] for one in schema["$defs"].values()]
    assert [WHOLE, TEXT, {}] == kinds
    assert 3 == len({one["$ref"] for one in schema["properties"].values()})


class Item(pydantic.BaseModel):
    """An item."""

    name: str = pydantic.Field(description="Its name.")
    color: Color = Color.RED
    parts: list[Item] = []


@dataclass
class Cart:
    """A cart with models of pydantic in it."""

    one: Item
    others: list[Item]


def test_a_model_of_pydantic_says_its_own() -> None:
    """A model alone is its own schema; inside other types its definitions get names of their own."""
    schema = schema_of(Item)
    assert (
        Item.model_json_schema()["$defs"]["Item"]["properties"].keys()
        == next(one for name, one in schema["$defs"].items() if name.endswith("Item"))["properties"].keys()
    )
    cart = schema_of(Cart)
    text = json.dumps(cart)
    for reference in {part.split('"')[0] for part in text.split('"#/$defs/')[1:]}:
        assert reference in cart["$defs"]


@pytest.mark.parametrize(
    ("source", "place"),
    [
        (lambda *values: None, "values"),
        (int, "int"),
        (list[int], "list"),
        (Color, "Color"),
        (functools.partial(print), "print|args"),
    ],
)
def test_what_is_no_object_is_refused(source: Any, place: str) -> None:
    """Arguments are an object: a type that is none, and parameters without name, are errors that say what."""
    with pytest.raises(TypeError, match=place):
        schema_of(source)


class Service:
    """Something that has a tool for a method."""

    def track(self, parcel: str) -> str:
        """Finds a parcel."""
        return parcel


def test_a_method_is_taken_from_an_object() -> None:
    """Taken from its class it would ask the model for the object itself."""
    assert {"parcel"} == schema_of(Service().track)["properties"].keys()
    for unbound in (Service.track, functools.partial(Service.track, parcel="K-1")):
        with pytest.raises(TypeError, match=r"track.*: it is a method of the class"):
            schema_of(unbound)


class Opaque:
    """A class without fields."""


def test_what_has_no_form_is_named() -> None:
    """A type that JSON can't hold is an error with the place where it stands."""

    def function(value: Any) -> None: ...

    for hint in (Opaque, list[Opaque], complex, Literal[b"x"], 7):
        function.__annotations__["value"] = hint
        with pytest.raises(TypeError, match=r"function\.value"):
            schema_of(function)


def grows() -> type:
    """A generic class that holds a larger kind of itself."""

    @dataclass
    class Growing(Generic[T]):
        inner: Any

    Growing.__annotations__["inner"] = Growing[list[T]]  # type: ignore[valid-type]
    return Growing


def test_a_type_that_grows_is_refused() -> None:
    """A type that never comes to an end is an error, and no overflow."""
    with pytest.raises(TypeError, match="grows"):
        schema_of(grows()[int])  # type: ignore[index]


# --- as a seam

TYPED = make_typed_json_schema(json_schema=json_schema)


@pytest.mark.parametrize("source", [Order, Parcel, Query, Wood, Item, Cart, Searcher()])
def test_strict_schemas_conform(source: Any) -> None:
    """With strict, every object is closed, every property required, and no reference has neighbours."""
    schema = TYPED(source, True)
    tool = {"type": "function", "name": "f", "parameters": schema, "strict": True}
    found = check_request({"model": "gpt-5.4", "input": "q", "tools": [tool]})
    assert [] == [violation for violation in found if violation.severity == "error"]

    def references(value: Any) -> list[Any]:
        if isinstance(value, dict):
            return [value] * ("$ref" in value) + [one for inner in value.values() for one in references(inner)]
        return [one for inner in value for one in references(inner)] if isinstance(value, list) else []

    assert all(1 == len(one) for one in references(schema) if isinstance(one["$ref"], str))


def test_what_can_not_be_strict_says_where() -> None:
    """An open mapping has no strict form; the path is that of the inner seam."""

    def function(values: dict[str, int]) -> None: ...

    function.__annotations__["values"] = dict[str, int]
    with pytest.raises(StrictSchemaError) as caught:
        TYPED(function, True)
    assert "properties.values.additionalProperties" == caught.value.path


def test_mappings_go_to_the_inner_seam() -> None:
    """What is a mapping already is the inner seam's affair, and so is the last word on every schema."""
    seen: list[Any] = []

    def inner(input_schema: Any, strict: bool, /) -> dict[str, Any]:
        seen.append((dict(input_schema), strict))
        return {"inner": True}

    typed = make_typed_json_schema(json_schema=inner)
    assert {"inner": True} == typed({"type": "object"}, False) == typed(Address, True)
    assert [({"type": "object"}, False), (ADDRESS, True)] == seen


def test_what_is_given_can_not_spoil_the_next_build() -> None:
    """The schema kept for a type does not change with what a caller does to its own."""
    first = TYPED(Address, False)
    first["properties"] = {}
    with pytest.raises(TypeError):
        TYPED(Address, False)["properties"]["street"]["type"] = "x"
    assert ADDRESS == TYPED(Address, False)


def test_objects_without_hash_are_read() -> None:
    """A callable object that can't be hashed is read each time."""

    @dataclass
    class Callee:
        """Equal by value, so without hash."""

        name: str = "x"

        def __call__(self, query: str) -> None: ...

    Callee.__call__.__annotations__["query"] = str
    assert TEXT == TYPED(Callee(), False)["properties"]["query"]


def test_a_tool_of_a_type_is_declared() -> None:
    """With the preset, types and callables are schemas of tools; without it they are refused."""
    state = AgentState(tools=[Tool(name="search", description="d", input_schema=search)])
    built = preset_pipeline(with_tool_types).build_sync(state, RenderOptions(model="gpt-5.4"))
    assert built.tools is not None
    assert "What to look for." == built.tools[0]["parameters"]["properties"]["query"]["description"]
    with pytest.raises(SeamError, match="json_schema"):
        preset_pipeline().build_sync(state, RenderOptions(model="gpt-5.4"))


def test_pydantic_is_never_imported() -> None:
    """The library reads models without knowing the package they come from."""
    program = "import sys, seamwright, seamwright.seams.type_schema; print('pydantic' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "False" == ran.stdout.strip()
