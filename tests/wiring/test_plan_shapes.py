"""Whether a callable takes a Protocol's call is told alike by its code and by its signature."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamwright import WiringError
from seamwright.record import SEAM_NAMES
from seamwright.shapes import check_shape, seam_protocols
from seamwright_containers import responses_pipeline

NAMES = ("a", "b", "c", "d")


class Two(Protocol):
    """Two texts by position."""

    def __call__(self, one: str, two: str, /) -> str: ...


class Named(Protocol):
    """One by position, two by name."""

    def __call__(self, one: str, /, *, a: str, b: str) -> str: ...


class Later(Protocol):
    """One text; may wait."""

    def __call__(self, one: str, /) -> str | Awaitable[str]: ...


CALLS: dict[type, tuple[tuple[str, ...], tuple[str, ...]]] = {Two: (("1", "2"), ()), Named: (("1",), ("a", "b"))}


@st.composite
def functions(draw: st.DrawFn) -> Callable[..., Any]:
    """A function with any parameters: positional-only or not, by keyword only, with defaults or not, all the rest."""
    names = draw(st.permutations(NAMES))
    cut = sorted(draw(st.tuples(*[st.integers(0, 4)] * 3)))
    before, both, after = names[: cut[0]], names[cut[0] : cut[1]], names[cut[1] : cut[2]]
    first_default = draw(st.integers(0, 5))
    positional = [name if index < first_default else f"{name}=0" for index, name in enumerate([*before, *both])]
    rest = ["*rest"] if draw(st.booleans()) else ["*"] if after else []
    keywords = [f"{name}=0" if draw(st.booleans()) else name for name in after]
    parts = [*positional[: len(before)], *(["/"] if before else []), *positional[len(before) :], *rest, *keywords]
    parts += ["**others"] if draw(st.booleans()) else []
    scope: dict[str, Any] = {}
    exec(f"def function({', '.join(parts)}): return ''", scope)
    function: Callable[..., Any] = scope["function"]
    return function


def as_function(function: Callable[..., Any]) -> Any:
    """The function itself."""
    return function


def as_wrapped(function: Callable[..., Any]) -> Any:
    """A function that says by ``__wrapped__`` that it takes what the other takes."""

    @functools.wraps(function)
    def outer(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    return outer


def as_method(function: Callable[..., Any]) -> Any:
    """A method, whose first argument is taken."""
    return type("Holder", (), {"method": function})().method


def as_object(function: Callable[..., Any]) -> Any:
    """An object that is called."""
    return type("Called", (), {"__call__": function})()


def as_partial(function: Callable[..., Any]) -> Any:
    """A partial that fixes nothing."""
    return functools.partial(function)


FORMS = (as_function, as_wrapped, as_method, as_object, as_partial)


@given(functions(), st.sampled_from(FORMS), st.sampled_from([Two, Named]))
def test_code_and_signature_agree(function: Callable[..., Any], form: Callable[..., Any], protocol: type) -> None:
    """A callable is refused exactly when binding the Protocol's arguments to its signature fails."""
    positional, keywords = CALLS[protocol]
    target = form(function)
    try:
        inspect.signature(target).bind(*positional, **dict.fromkeys(keywords, ""))
    except (TypeError, ValueError):
        with pytest.raises(WiringError, match=f"seam: .* can't be called as {protocol.__name__}"):
            check_shape("seam", target, protocol)
    else:
        check_shape("seam", target, protocol)


async def wait(one: str) -> str:
    """An asynchronous function."""
    return one


class Waiting:
    """An object whose call is asynchronous."""

    async def __call__(self, one: str) -> str:
        return one


def as_wrapped_coroutine() -> Any:
    """An asynchronous function round another."""

    @functools.wraps(wait)
    async def outer(*args: Any) -> str:
        return await wait(*args)

    return outer


def test_a_function_that_wraps_itself_has_an_end() -> None:
    """It has no signature to look at, and is let through as other callables without one."""

    def turning(one: str) -> str:
        return one

    turning.__wrapped__ = turning  # type: ignore[attr-defined]  # as a careless decorator leaves it
    check_shape("seam", turning, Two)


def test_what_waits_fits_only_where_waiting_is_provided_for() -> None:
    """In every form, an asynchronous callable fits a Protocol that may wait and no other."""

    class Plain(Protocol):
        def __call__(self, one: str, /) -> str: ...

    for target in (wait, functools.partial(wait), Waiting(), Waiting().__call__, as_wrapped_coroutine()):
        check_shape("seam", target, Later)
        with pytest.raises(WiringError, match="is asynchronous, but Plain is a plain function"):
            check_shape("seam", target, Plain)


def test_a_signature_that_is_stated_counts() -> None:
    """A function that states another signature than its code has is judged by what it states."""

    def anything(*args: Any) -> str:
        return ""

    anything.__signature__ = inspect.signature(wait)  # type: ignore[attr-defined]  # what the protocol of inspect allows
    with pytest.raises(WiringError, match="can't be called as Two"):
        check_shape("seam", anything, Two)


def test_every_default_fits_its_own_seam() -> None:
    """The seams of the default pipeline have the shapes of their Protocols."""
    seams = responses_pipeline().seams
    for name in SEAM_NAMES:
        check_shape(name, getattr(seams, name), seam_protocols()[name])


class Base(Protocol):
    """A member to inherit."""

    size: int

    def size_of(self, text: str, /) -> int: ...


class Extended(Base, Protocol):
    """Nothing of its own."""


class Sized:
    """Has what Base asks for."""

    size = 1

    def size_of(self, text: str) -> int:
        return len(text)


def test_inherited_members_are_asked_for() -> None:
    """A Protocol that extends another asks for the members of both, methods and attributes."""
    check_shape("seam", Sized(), Extended)
    with pytest.raises(WiringError, match="has no 'size', which Extended needs"):
        check_shape("seam", object(), Extended)
    with pytest.raises(WiringError, match="is not a method 'size_of', which Extended needs"):
        check_shape("seam", type("Half", (), {"size": 1})(), Extended)


@pytest.mark.parametrize(
    ("expected", "fitting", "wrong"),
    [
        (Callable[[str], str], str.upper, lambda: ""),
        (Callable[..., str], len, 3),
        (Callable[[str], str] | None, None, 3),
        (Sized, Sized(), 3),
        (Sized | None, None, 3),
    ],
    ids=["one text", "anything", "or none", "a class", "a class or none"],
)
def test_other_types_than_protocols(expected: Any, fitting: object, wrong: object) -> None:
    """A host may type its own seams by ``Callable`` or by a class."""
    check_shape("seam", fitting, expected)
    with pytest.raises(WiringError, match="seam: "):
        check_shape("seam", wrong, expected)


@pytest.mark.parametrize("expected", [Any, object, int | str, dict[str, Any], "Unknown"], ids=str)
def test_what_can_not_be_looked_at_is_let_through(expected: Any) -> None:
    """A type that says nothing of a call refuses nothing."""
    check_shape("seam", len, expected)
