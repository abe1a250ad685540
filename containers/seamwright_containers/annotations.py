"""What a factory says it needs and gives, and whether that agrees with what it is given."""

from __future__ import annotations

import functools
import inspect
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import attrs

_ANYTHING = (Any, object, inspect.Parameter.empty)


def factory_hints(factory: Callable[..., Any]) -> dict[str, Any]:
    """The annotations of a factory's parameters, and of its result as ``return``.

    A name that is imported for type checkers only can't be looked up: its annotation stays text, and is compared by
    name.
    """
    while isinstance(factory, functools.partial):
        factory = factory.func
    if isinstance(factory, type):
        return _class_hints(factory)
    function: Any = factory if inspect.isroutine(factory) else getattr(type(factory), "__call__", None)  # noqa: B004
    function = inspect.unwrap(function)
    return _evaluated(getattr(function, "__annotations__", {}), getattr(function, "__globals__", {}))


def _class_hints(cls: type) -> dict[str, Any]:
    if attrs.has(cls):
        scope = vars(inspect.getmodule(cls) or types)
        return _evaluated({field.alias: field.type for field in attrs.fields(cls) if field.init}, scope)
    hints = factory_hints(vars(cls).get("__init__", cls))
    return {name: hint for name, hint in hints.items() if name != "return"}


def _evaluated(annotations: Mapping[str, Any], scope: dict[str, Any]) -> dict[str, Any]:
    return {name: _hint(annotation, scope) for name, annotation in annotations.items() if annotation is not None}


def _hint(annotation: Any, scope: dict[str, Any]) -> Any:
    def probe() -> None:
        """A function that carries nothing but one annotation, so that one unknown name spoils no other."""

    probe.__annotations__ = {"it": annotation}
    try:
        return typing.get_type_hints(probe, scope)["it"]
    except (NameError, AttributeError, TypeError):
        return annotation


def agrees(asked: Any, given: Any) -> bool:
    """Whether what has the type ``given`` may stand where ``asked`` is asked for: the same or one it extends."""
    wanted = options(asked)
    if any(option in _ANYTHING for option in wanted):
        return True
    return all(any(_is_a(option, choice) for choice in wanted) for option in options(given))


def mentions(asked: Any, protocols: Iterable[Any]) -> bool:
    """Whether one of these Protocols is among what is asked for."""
    known = [option for protocol in protocols for option in options(protocol) if option is not types.NoneType]
    return any(_same(option, choice) for choice in options(asked) for option in known)


def is_contract(hint: Any) -> bool:
    """Whether a type tells how its values are called: a Protocol or a ``Callable[…]``."""
    return any(getattr(o, "_is_protocol", False) or typing.get_origin(o) is Callable for o in options(hint))


def options(hint: Any) -> tuple[Any, ...]:
    """The members of a union; a single type is its only member. Text is cut at its bars."""
    if isinstance(hint, str):
        return tuple(option.strip() for option in hint.split("|"))
    union = typing.get_origin(hint) in {typing.Union, types.UnionType}
    return typing.get_args(hint) if union else (hint,)


def _is_a(given: Any, asked: Any) -> bool:
    return _same(given, asked) or any(_same(base, asked) for base in getattr(given, "__mro__", ()))


def _same(given: Any, asked: Any) -> bool:
    if isinstance(asked, str):
        return asked.rpartition(".")[2] == ("None" if given is types.NoneType else getattr(given, "__name__", ""))
    return bool(given == asked)


def shown(hint: Any) -> str:
    """A type as a person reads it: ``TokenCounter | None``."""
    names = (
        "None" if option is types.NoneType else getattr(option, "__name__", str(option)) for option in options(hint)
    )
    return " | ".join(names)


def place(thing: object) -> str:
    """Where a value comes from, as ``module:name``: for what has no name of its own, its class."""
    while isinstance(thing, functools.partial):
        thing = thing.func
    if thing is None:
        return "None"
    named: Any = thing if hasattr(thing, "__qualname__") else type(thing)
    module: str = getattr(named, "__module__", None) or "builtins"  # methods of built-in types have none
    return f"{module}:{named.__qualname__}"
