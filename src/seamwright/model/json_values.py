"""How values that are no records are read and dumped: texts, numbers, flags, times, lists, mappings."""

from __future__ import annotations

import collections.abc
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, Literal, get_args, get_origin

import cattrs

from seamwright.model.checks import FLAG, TEXT, TOKENIZABLE, Check, json_problem
from seamwright.model.faults import collect_each, fault, object_of, placed
from seamwright.model.guards import is_array
from seamwright.model.records import NO_CODE, converter, hook_of
from seamwright.model.spelling import shown
from seamwright.model.text import Tokenizable
from seamwright.model.times import dump_time, parse_time


def as_given(value: Any, _: object = None) -> Any:
    """The value, whatever it is: the field's own check says what is wrong with it."""
    return value


def text_of(value: Any) -> str:
    """The value, when it is a string."""
    if not isinstance(value, str):
        raise fault(f"{shown(value)} is not a string")
    return value


def json_value(value: Any) -> Any:
    """The value, when JSON can hold it."""
    if (problem := json_problem(value)) is not None:
        raise fault(problem)
    return value


def dump_named(items: Mapping[str, Any]) -> dict[str, Any]:
    """An object, value by value."""
    return dict(zip(items, collect_each(converter.unstructure, items.items()), strict=True))


def dump_code(value: Any) -> Any:
    """Refuses what no file can hold."""
    raise fault(NO_CODE if callable(value) else f"a value of type {type(value).__name__} has no form in JSON")


def _checked(check: Check) -> Callable[[Any, Any], Any]:
    def read(value: Any, _: object) -> Any:
        if (problem := check.problem(value)) is not None:
            raise fault(problem)
        return value

    return read


def _time(value: Any, _: object) -> datetime:
    try:
        return parse_time(value)
    except ValueError as error:
        raise fault(str(error)) from None


def _mapping(value: Any, _: object) -> Any:
    return json_value(object_of(value))


def _list_hook(kind: Any) -> Callable[[Any, Any], Any]:
    read = hook_of(get_args(kind)[0])

    def read_list(value: Any, _: object) -> tuple[Any, ...]:
        if not is_array(value):
            raise fault(f"{shown(value)} is not a list")
        return tuple(collect_each(read, placed(value)))

    return read_list


def _dump_list(items: Iterable[Any]) -> list[Any]:
    return collect_each(converter.unstructure, placed(items))


# --- which types they are


def _is_list(kind: Any) -> bool:
    return get_origin(kind) is tuple


def _is_mapping(kind: Any) -> bool:
    return kind is Mapping or get_origin(kind) is collections.abc.Mapping


def _is_tokenizable(kind: Any) -> bool:
    return bool(kind == Tokenizable)


def _is_plain(kind: Any) -> bool:
    """A type, or a union of such, that stands in JSON as it is."""
    if kind in (Any, int, float, bytes) or get_origin(kind) in (Literal, Callable):
        return True
    arguments = get_args(kind)
    return (
        get_origin(kind) is not tuple
        and bool(arguments)
        and all(_is_plain(a) or a in (str, type(None)) for a in arguments)
    )


def _is_a(*classes: type) -> Callable[[Any], bool]:
    return lambda kind: isinstance(kind, type) and issubclass(kind, classes)


def _is_no_json(kind: Any) -> bool:
    return not _is_a(str, int, float, type(None), dict, list, tuple)(kind)


def register_values(to: cattrs.Converter) -> None:
    """Registers all of them with a converter."""
    to.register_structure_hook_func(_is_plain, as_given)
    to.register_structure_hook_func(_is_tokenizable, _checked(TOKENIZABLE))
    to.register_structure_hook(str, _checked(TEXT))
    to.register_structure_hook(bool, _checked(FLAG))
    to.register_structure_hook(int, as_given)  # a converter of its own would make the number 1 of "1" and of true
    to.register_structure_hook(datetime, _time)
    to.register_unstructure_hook(datetime, dump_time)
    to.register_structure_hook_factory(_is_list, _list_hook)
    to.register_structure_hook_func(_is_mapping, _mapping)
    to.register_unstructure_hook_func(_is_no_json, dump_code)
    to.register_unstructure_hook_func(_is_a(tuple), _dump_list)
    to.register_unstructure_hook_func(_is_a(dict, list), json_value)
