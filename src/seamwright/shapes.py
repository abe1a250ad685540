"""Whether a value has the shape of a seam: looked at when it is given, not when it is first called."""

from __future__ import annotations

import functools
import inspect
import types
import typing
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any

from seamwright.errors import WiringError, nearest
from seamwright.record import SEAM_NAMES, Seams


@functools.cache
def seam_protocols() -> Mapping[str, Any]:
    """The Protocol of each seam, by name."""
    return types.MappingProxyType(typing.get_type_hints(Seams))


def reject_unknown(names: Iterable[str], known: Iterable[str] = SEAM_NAMES) -> None:
    """Raises :class:`WiringError` for names that are no seams, with the nearest that are."""
    known = tuple(known)
    unknown = [name for name in names if name not in known]
    if unknown:
        listed = ", ".join(f"{name!r}{nearest(name, known)}" for name in unknown)
        raise WiringError(f"no such seam: {listed}. Seams: {', '.join(known)}")


def check_overrides(overrides: Mapping[str, object]) -> None:
    """Raises :class:`WiringError` for the first override that can't be what it is given for."""
    reject_unknown(overrides)
    for name, value in overrides.items():
        check_shape(name, value, seam_protocols()[name])


def check_shape(name: str, value: object, expected: Any) -> None:
    """Raises :class:`WiringError` when *value* does not have the shape of the Protocol ``expected``."""
    protocol, optional = _protocol(expected)
    if value is None and optional:
        return
    for attribute in _data_members(protocol):
        if not hasattr(value, attribute):
            raise WiringError(f"{name}: {_shown(value)} has no {attribute!r}, which {protocol.__name__} needs")
    for method, contract in _methods(protocol):
        target = value if method == "__call__" else getattr(value, method, None)
        if not callable(target):
            wanted = "a callable" if method == "__call__" else f"a method {method!r}"
            raise WiringError(f"{name}: {_shown(value)} is not {wanted}, which {protocol.__name__} needs")
        _check_call(name, protocol, target, contract)


def _shown(value: object) -> str:
    name = getattr(value, "__qualname__", None)
    if isinstance(name, str):
        return name
    try:
        return repr(value)[:80]
    except Exception:  # noqa: BLE001  # a repr that fails must not hide what is wrong with the value
        return f"an object of {type(value).__qualname__}"


def _protocol(expected: Any) -> tuple[Any, bool]:
    options = typing.get_args(expected) if typing.get_origin(expected) in (typing.Union, types.UnionType) else ()
    real = [option for option in options if option is not type(None)]
    return (real[0], len(real) < len(options)) if options else (expected, False)


def _data_members(protocol: type) -> list[str]:
    return [name for name, member in vars(protocol).items() if isinstance(member, property)]


def _methods(protocol: type) -> list[tuple[str, Any]]:
    members = [(name, member) for name, member in vars(protocol).items() if inspect.isfunction(member)]
    return [(name, member) for name, member in members if name == "__call__" or not name.startswith("_")]


def _check_call(name: str, protocol: Any, target: Any, contract: Any) -> None:
    parameters = list(inspect.signature(contract).parameters.values())[1:]
    try:
        signature = inspect.signature(target)
    except (TypeError, ValueError):  # some built-in callables have no signature to look at
        return
    positional = [p.name for p in parameters if p.kind is not p.KEYWORD_ONLY]
    keywords = {p.name: None for p in parameters if p.kind is p.KEYWORD_ONLY}
    try:
        signature.bind(*positional, **keywords)
    except TypeError as error:
        shape = ", ".join([*positional, *(f"{key}=" for key in keywords)])
        raise WiringError(
            f"{name}: {_shown(target)}{signature} can't be called as {protocol.__name__}({shape}): {error}"
        ) from None
    if _is(target, inspect.isgeneratorfunction) or _is(target, inspect.isasyncgenfunction):
        raise WiringError(f"{name}: {_shown(target)} is a generator, but {protocol.__name__} gives its whole result")
    if _is(target, inspect.iscoroutinefunction) and not _may_wait(contract):
        raise WiringError(f"{name}: {_shown(target)} is asynchronous, but {protocol.__name__} is a plain function")


def _is(target: Any, kind: Callable[[Any], bool]) -> bool:
    """Whether a callable is of a kind of function, behind partials or as its class's call."""
    while isinstance(target, functools.partial):
        target = target.func
    call = getattr(_class_of(target), "__call__", None)  # noqa: B004  # the function itself, not whether there is one
    return kind(target) or kind(call)


def _class_of(value: object) -> type:
    return type(value)


def _may_wait(contract: Any) -> bool:
    hint = typing.get_type_hints(contract).get("return")
    return any(typing.get_origin(option) is Awaitable for option in typing.get_args(hint))
