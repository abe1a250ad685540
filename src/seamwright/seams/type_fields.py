"""What the fields of a class and the parameters of a callable are: name, type, default, description."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import attrs

from seamwright.seams.docstrings import parameter_texts

UNSET: Final = inspect.Parameter.empty
"""Stands for no default."""


_WRITTEN: Final[Mapping[Any, bool]] = {typing.Required: True, typing.NotRequired: False}


@attrs.frozen
class Property:
    """One field or parameter: its type, whether it has to be given, its default, what is said of it."""

    name: str
    hint: Any
    required: bool
    default: Any = UNSET
    description: str | None = None


@attrs.frozen
class Parameters:
    """The parameters of a callable that are given by name. ``is_open``: it takes any others as well."""

    properties: tuple[Property, ...]
    is_open: bool


def fields_of(cls: Any) -> tuple[Property, ...] | None:
    """What the constructor of a class of attrs, dataclasses or TypedDict takes, None for any other class."""
    kinds = (
        (attrs.has, _attrs_fields),
        (dataclasses.is_dataclass, _dataclass_fields),
        (typing.is_typeddict, _typed_dict_keys),
    )
    read = next((read for is_kind, read in kinds if is_kind(cls)), None)
    if read is None:
        return None
    hints = typing.get_type_hints(cls, include_extras=True)
    return tuple(read(cls, parameter_texts(cls.__doc__), hints))


def _described(metadata: Mapping[Any, Any], text: str | None) -> str | None:
    own = metadata.get("description")
    return own if isinstance(own, str) else text


def _attrs_fields(cls: Any, texts: Mapping[str, str], hints: Mapping[str, Any]) -> Iterable[Property]:
    fields: tuple[attrs.Attribute[Any], ...] = attrs.fields(cls)
    for field in fields:
        if not field.init:
            continue
        default: Any = field.default
        plain = default is attrs.NOTHING or hasattr(default, "takes_self")  # a default made for each instance
        alias = field.alias or field.name
        text = texts.get(field.name) or texts.get(alias)
        yield Property(
            name=alias,
            hint=hints.get(field.name, Any),
            required=default is attrs.NOTHING,
            default=UNSET if plain else default,
            description=_described(field.metadata, text),
        )


def _dataclass_fields(cls: Any, texts: Mapping[str, str], hints: Mapping[str, Any]) -> Iterable[Property]:
    fields: tuple[dataclasses.Field[Any], ...] = dataclasses.fields(cls)
    for field in fields:
        if not field.init:
            continue
        given = field.default is not dataclasses.MISSING
        yield Property(
            name=field.name,
            hint=hints[field.name],
            required=not given and field.default_factory is dataclasses.MISSING,
            default=field.default if given else UNSET,
            description=_described(field.metadata, texts.get(field.name)),
        )


def _typed_dict_keys(cls: Any, texts: Mapping[str, str], hints: Mapping[str, Any]) -> Iterable[Property]:
    required: frozenset[str] = cls.__required_keys__
    for name, hint in hints.items():
        # The class can't read Required and NotRequired in annotations that are kept as text.
        said = _WRITTEN.get(typing.get_origin(hint))
        yield Property(name, hint, name in required if said is None else said, description=texts.get(name))


def parameters_of(function: Callable[..., Any]) -> Parameters:
    """The parameters of a callable; what a partial has bound by keyword is not among them.

    Raises TypeError for parameters that have no name of their own (``*args``), and for a method without its object.
    """
    target: Any = function
    bound: set[str] = set()
    while isinstance(target, functools.partial):
        bound.update(target.keywords)
        target = target.func
    code = target if inspect.isroutine(target) else target.__call__
    texts = parameter_texts(inspect.getdoc(code))
    hints = typing.get_type_hints(code, include_extras=True)
    properties: list[Property] = []
    is_open = False
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is parameter.VAR_POSITIONAL:
            raise TypeError(f"*{parameter.name} has no name that a model could give")
        if parameter.name == "self" and "self" not in hints:
            raise TypeError("it is a method of the class, whose self no model can give; take that of an instance")
        if parameter.kind is parameter.VAR_KEYWORD:
            is_open = True
        elif parameter.name not in bound:
            hint, required = hints.get(parameter.name, Any), parameter.default is UNSET
            text = texts.get(parameter.name)
            properties.append(Property(parameter.name, hint, required, parameter.default, text))
    return Parameters(tuple(properties), is_open)
