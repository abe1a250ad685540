"""Whether a value has the shape of a seam: looked at when it is given, not when it is first called."""

from __future__ import annotations

import builtins
import functools
import inspect
import types
import typing
from collections.abc import Awaitable, Callable, Iterable, Mapping
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE, CO_GENERATOR, CO_VARARGS, CO_VARKEYWORDS
from types import FunctionType, MethodType
from typing import Any, Protocol

import attrs

from seamwright.errors import WiringError, nearest
from seamwright.record import SEAM_NAMES, Seams

_UNSEEN = frozenset({"__signature__", "_is_coroutine_mark", "_is_coroutine_marker"})
"""Attributes by which a function can say something else of itself than its code does."""

_GENERATOR = CO_GENERATOR | CO_ASYNC_GENERATOR

_WRAPPERS = 8
"""How many functions that wrap each other are looked through; one that wraps itself would have no end."""


@attrs.frozen
class _Call:
    """How a seam is called: with these positional arguments and keywords, on itself or on one of its methods."""

    method: str
    positional: tuple[str, ...] | None  # None: any
    keywords: tuple[str, ...]
    may_wait: bool


@attrs.frozen
class _Shape:
    """What a Protocol asks of a value."""

    name: str
    optional: bool = False
    attributes: tuple[str, ...] = ()
    calls: tuple[_Call, ...] = ()
    instance_of: type | None = None


def seam_protocols(record: Any = Seams) -> Mapping[str, Any]:
    """The Protocol of each seam of a record class, by name."""
    return _hints(record)


@functools.lru_cache(64)
def _hints(record: Any) -> Mapping[str, Any]:
    return types.MappingProxyType(typing.get_type_hints(record))


def reject_unknown(names: Iterable[str], known: Iterable[str] = SEAM_NAMES) -> None:
    """Raises :class:`WiringError` for names that are no seams, with the nearest that are."""
    known = tuple(known)
    unknown = [name for name in names if name not in known]
    if unknown:
        listed = ", ".join(f"{name!r}{nearest(name, known)}" for name in unknown)
        raise WiringError(f"no such seam: {listed}. Seams: {', '.join(known)}")


def check_overrides(overrides: Mapping[str, object], protocols: Mapping[str, Any] | None = None) -> None:
    """Raises :class:`WiringError` for the first override that can't be what it is given for.

    ``protocols`` are those of another record than :class:`Seams`. A plain function costs less than a microsecond.
    """
    known = seam_protocols() if protocols is None else protocols
    if not known.keys() >= overrides.keys():
        reject_unknown(overrides, known)
    for name, value in overrides.items():
        check_shape(name, value, known[name])


def check_shape(name: str, value: object, expected: Any) -> None:
    """Raises :class:`WiringError` when *value* does not have the shape of the Protocol ``expected``."""
    shape = _shape(expected)
    if value is None and shape.optional:
        return
    if shape.instance_of is not None and not isinstance(value, shape.instance_of):
        raise WiringError(f"{name}: {_shown(value)} is no {shape.name}")
    for attribute in shape.attributes:
        if not hasattr(value, attribute):
            raise WiringError(f"{name}: {_shown(value)} has no {attribute!r}, which {shape.name} needs")
    for call in shape.calls:
        target = value if call.method == "__call__" else getattr(value, call.method, None)
        if not callable(target):
            wanted = "a callable" if call.method == "__call__" else f"a method {call.method!r}"
            raise WiringError(f"{name}: {_shown(value)} is not {wanted}, which {shape.name} needs")
        if not _plainly_fits(target, call):
            _check_call(name, shape.name, target, call)


def _shown(value: object) -> str:
    name = getattr(value, "__qualname__", None)
    if isinstance(name, str):
        return name
    try:
        return repr(value)[:80]
    except Exception:  # noqa: BLE001  # a repr that fails must not hide what is wrong with the value
        return f"an object of {type(value).__qualname__}"


# ---------------------------------------------------------------------- what a Protocol asks for


@functools.lru_cache(512)
def _shape(expected: Any) -> _Shape:
    option, optional = _real_option(expected)
    kind = typing.get_origin(option) or option
    name = getattr(option, "__name__", None) or str(option)
    if kind is Callable:
        return _Shape(name, optional, calls=(_alias_call(option),))
    if not isinstance(kind, type) or typing.is_typeddict(kind):
        return _Shape(name, optional)  # nothing that could be looked at
    if not _is_protocol(kind):
        if kind is Any or kind in vars(builtins).values():  # not by its class: an int is a float to the type checkers
            return _Shape(name, optional)
        return _Shape(name, optional, instance_of=kind)
    members = _members(kind)
    calls = tuple(_call(method, member) for method, member in members.items() if inspect.isfunction(member))
    attributes = tuple(member for member in members if member not in {call.method for call in calls})
    return _Shape(name, optional, attributes, calls)


def _real_option(expected: Any) -> tuple[Any, bool]:
    """The first option of a union that is not None, and whether None is one."""
    options = typing.get_args(expected) if typing.get_origin(expected) in {typing.Union, types.UnionType} else ()
    real = [option for option in options if option is not types.NoneType]
    return (real[0], len(real) < len(options)) if real else (expected, False)


def _is_protocol(kind: type) -> bool:
    return bool(getattr(kind, "_is_protocol", False))


def _members(protocol: type) -> dict[str, Any]:
    """The members of a Protocol and of those it extends, methods or not, without what every class has."""
    members: dict[str, Any] = {}
    for base in reversed(protocol.__mro__):
        if _is_protocol(base) and base is not Protocol:
            members |= inspect.get_annotations(base) | vars(base)
    return {name: member for name, member in members.items() if name == "__call__" or not name.startswith("_")}


def _call(method: str, contract: Callable[..., Any]) -> _Call:
    parameters = list(inspect.signature(contract).parameters.values())[1:]
    positional = tuple(p.name for p in parameters if p.kind is not p.KEYWORD_ONLY)
    keywords = tuple(p.name for p in parameters if p.kind is p.KEYWORD_ONLY)
    return _Call(method, positional, keywords, _may_wait(typing.get_type_hints(contract).get("return")))


def _alias_call(alias: Any) -> _Call:
    """The call that ``Callable[[…], …]`` describes; it names no parameters."""
    parameters, result = typing.get_args(alias) or (..., Awaitable[Any])
    if parameters is ...:
        return _Call("__call__", None, (), _may_wait(result))
    positional = tuple(f"argument {number}" for number, _ in enumerate(parameters, 1))
    return _Call("__call__", positional, (), _may_wait(result))


def _may_wait(result: Any) -> bool:
    return any(typing.get_origin(option) is Awaitable for option in (result, *typing.get_args(result)))


# ---------------------------------------------------------------------- whether a callable takes such a call


def _plainly_fits(target: Any, call: _Call) -> bool:
    """Whether the code object of a function shows that it takes the call.

    A signature is some thirty times as expensive, which counts where a request brings seams of its own. False says
    nothing: the signature decides then, and names what is wrong.
    """
    function, bound = _function_of(target)
    if call.positional is None or function is None:
        return False
    if function.__code__.co_flags & (_GENERATOR if call.may_wait else _GENERATOR | CO_COROUTINE):
        return False
    spoken_for = _speaker(function)
    return spoken_for is not None and _binds(spoken_for, len(call.positional) + bound, call.keywords)


def _speaker(function: FunctionType) -> FunctionType | None:
    """The function whose code says what this one takes; None when an attribute says so instead."""
    for _ in range(_WRAPPERS):
        own = function.__dict__
        wrapped = own.get("__wrapped__")
        if wrapped is None:
            return function if _UNSEEN.isdisjoint(own) else None
        if not isinstance(wrapped, FunctionType) or not _UNSEEN.isdisjoint(own):
            return None
        function = wrapped
    return None


def _function_of(target: object) -> tuple[FunctionType | None, int]:
    """The function behind a callable, and how many arguments are bound already."""
    if isinstance(target, FunctionType):
        return target, 0
    if isinstance(target, MethodType):
        found: object = target.__func__
    else:
        found = getattr(type(target), "__call__", None)  # noqa: B004  # the function, not whether there is one
        if hasattr(target, "__code__") or any(hasattr(target, name) for name in _UNSEEN):  # as a mock has
            return None, 0
    return (found, 1) if isinstance(found, FunctionType) else (None, 0)


def _binds(function: FunctionType, given: int, keywords: tuple[str, ...]) -> bool:
    code = function.__code__
    taken = code.co_argcount
    required = taken - len(function.__defaults__ or ())
    if given < required or (given > taken and not code.co_flags & CO_VARARGS):
        return False
    if not keywords and not code.co_kwonlyargcount:
        return True
    if any(name in code.co_varnames[:taken] for name in keywords):
        return False
    named = code.co_varnames[taken : taken + code.co_kwonlyargcount]
    optional = function.__kwdefaults__ or {}
    if any(name not in keywords and name not in optional for name in named):
        return False
    return bool(code.co_flags & CO_VARKEYWORDS) or all(name in named for name in keywords)


def _check_call(name: str, protocol: str, target: Any, call: _Call) -> None:
    _reject_stand_in(name, protocol, target)
    _check_signature(name, protocol, target, call)
    if _is(target, inspect.isgeneratorfunction) or _is(target, inspect.isasyncgenfunction):
        raise WiringError(f"{name}: {_shown(target)} is a generator, but {protocol} gives its whole result")
    if _is(target, inspect.iscoroutinefunction) and not call.may_wait:
        raise WiringError(f"{name}: {_shown(target)} is asynchronous, but {protocol} is a plain function")


def _reject_stand_in(name: str, protocol: str, target: Any) -> None:
    """Raises for what makes a seam or holds one, in the place of the seam itself.

    Both can be called with nearly anything, and what they give would be written into the request as if it were text.
    """
    if isinstance(target, type) and any("__call__" in vars(base) for base in target.__mro__):
        raise WiringError(f"{name}: {_shown(target)} is a class; give an instance of it as {protocol}")
    if any(base.__module__.startswith("dependency_injector.") for base in _class_of(target).__mro__):
        raise WiringError(f"{name}: {_shown(target)} is a provider; give what it provides as {protocol}")


def _check_signature(name: str, protocol: str, target: Any, call: _Call) -> None:
    function, bound = _function_of(target)
    code = function.__code__ if function is not None and bound else None
    if code is not None and not (code.co_argcount or code.co_flags & CO_VARARGS):
        raise WiringError(f"{name}: {_shown(target)} can't be called as {protocol}: it takes no 'self'")
    try:
        signature = inspect.signature(target)
    except (TypeError, ValueError):  # some built-in callables have no signature to look at
        return
    if call.positional is None:
        return
    try:
        signature.bind(*call.positional, **dict.fromkeys(call.keywords))
    except TypeError as error:
        shape = ", ".join([*call.positional, *(f"{key}=" for key in call.keywords)])
        raise WiringError(
            f"{name}: {_shown(target)}{signature} can't be called as {protocol}({shape}): {error}"
        ) from None


def _is(target: Any, kind: Callable[[Any], bool]) -> bool:
    """Whether a callable is of a kind of function, behind partials or as its class's call."""
    while isinstance(target, functools.partial):
        target = target.func
    call = getattr(_class_of(target), "__call__", None)  # noqa: B004  # the function itself, not whether there is one
    return kind(target) or kind(call)


def _class_of(value: object) -> type:
    return type(value)
