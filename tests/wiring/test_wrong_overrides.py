"""Overrides that can't be what they are given for: an error at once, naming the seam and what it needs."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import AsyncIterator, Iterator
from typing import Any, get_args
from unittest import mock

import pytest
from dependency_injector import providers
from hypothesis import given
from hypothesis import strategies as st

from seamwright import KeyedNonce, RenderOptions, SeamwrightError, Sha256Fingerprint, WiringError
from seamwright.record import SEAM_NAMES
from seamwright.shapes import seam_protocols
from seamwright_containers import made, responses_pipeline
from wiring.replacements import DEFAULTS, OwnIds, Sevens
from wiring.rich import STATE
from wiring.test_replaced_alone import WAITING

PLAIN = [name for name in SEAM_NAMES if name not in WAITING and name != "item_ids"]


def refused(**overrides: Any) -> str:
    """What the error says."""
    with pytest.raises(WiringError) as caught:
        responses_pipeline(**overrides)
    assert isinstance(caught.value, (SeamwrightError, TypeError))
    return str(caught.value)


def accepted(**overrides: Any) -> None:
    """No error, and the record holds what was given."""
    seams = responses_pipeline(**overrides).seams
    for name, value in overrides.items():
        assert getattr(seams, name) is value


def protocol(name: str) -> type:
    """The Protocol of a seam."""
    hint = seam_protocols()[name]
    real: type = next((one for one in get_args(hint) if one is not type(None)), hint)
    return real


# --- names


@pytest.mark.parametrize("name", SEAM_NAMES)
def test_a_misspelt_name_is_answered_with_the_nearest(name: str) -> None:
    """A letter missing, added or swapped: the seam that was meant is named."""
    for misspelt in (name[:-1], f"{name}s", name[1] + name[0] + name[2:], name.replace("_", "-")):
        if misspelt not in SEAM_NAMES:
            assert f"no such seam: {misspelt!r} (did you mean " in refused(**{misspelt: lambda: None})
    assert f"(did you mean {name!r}?)" in refused(**{name[:-1] + "_": lambda: None})


def test_a_name_that_resembles_none_is_answered_with_all() -> None:
    """Nothing is suggested that was not meant."""
    text = refused(qqqq=lambda: None)

    assert "'qqqq'." in text
    assert "did you mean" not in text
    assert all(name in text for name in SEAM_NAMES)


def test_every_unknown_name_is_told_at_once() -> None:
    """Before any value is looked at."""
    text = refused(nonces=3, thoughts=lambda: None, nonce=3)

    assert "'nonces' (did you mean 'nonce'?)" in text
    assert "'thoughts' (did you mean 'thought'?)" in text


@given(st.text(min_size=1).filter(lambda name: name not in SEAM_NAMES))
def test_no_other_name_is_taken(name: str) -> None:
    """Whatever it is, also what no keyword could be."""
    assert repr(name) in refused(**{name: lambda: None})


def test_a_providers_attribute_is_no_seam() -> None:
    """Names that the framework's container has are as unknown as others."""
    for name in ("providers", "wire", "override", "resolve", "wiring_config", "__self__", "parent_name"):
        assert repr(name) in refused(**{name: lambda: None})


# --- values


@pytest.mark.parametrize("name", SEAM_NAMES)
@pytest.mark.parametrize("value", [None, 3, "text", b"", [], {}, object(), ()], ids=lambda value: type(value).__name__)
def test_a_value_that_is_no_callable_is_refused(name: str, value: Any) -> None:
    """Naming the seam, the value and the Protocol; None is a token counter or a trimmer that is not there."""
    if value is None and name in ("token_counter", "trimmer"):
        accepted(**{name: None})
        return
    text = refused(**{name: value})

    assert text.startswith(f"{name}: ")
    assert protocol(name).__name__ in text


@pytest.mark.parametrize("name", [name for name in SEAM_NAMES if name not in ("item_ids", "token_counter")])
def test_what_makes_or_holds_a_seam_is_not_the_seam(name: str) -> None:
    """A class of callable objects, and a provider: both could be called, and the model would read their names."""

    class Seam:
        """A seam that takes some setting."""

        def __init__(self, *settings: Any, **more: Any) -> None:
            """The setting is what the seam would have been called with."""

        def __call__(self, *given: Any, **more: Any) -> Any:
            """Whatever it is."""

    assert f"{name}: " in (text := refused(**{name: Seam}))
    assert f"Seam is a class; give an instance of it as {protocol(name).__name__}" in text
    accepted(**{name: Seam()})
    for provider in (providers.Object(Seam()), made(Seam), providers.Callable(Seam)):
        text = refused(**{name: provider})
        assert text.startswith(f"{name}: <dependency_injector.providers.")
        assert f" is a provider; give what it provides as {protocol(name).__name__}" in text


def test_a_class_that_makes_plain_values_is_a_function() -> None:
    """What it makes can't be called, so it is no seam by mistake."""
    accepted(neutraliser=str)


def _wrong_signatures(name: str) -> list[Any]:
    """Callables that the seam can't be called as."""
    if name == "fingerprint":
        return [
            lambda model, instructions, tools, /: None,
            lambda *, model, instructions: None,
            lambda *, model, instructions, tools, more: None,
            lambda *, model, instructions, tool: None,
        ]
    count = len(inspect.signature(vars(protocol(name))["__call__"]).parameters) - 1
    few = [lambda: None] if count else []
    many = {0: lambda a: None, 1: lambda a, b: None, 2: lambda a, b, c: None, 3: lambda a, b, c, d: None}[count]
    return [*few, many, lambda *a, needed: None, *([lambda *, a, b: None] if count else [])]


@pytest.mark.parametrize("name", [name for name in SEAM_NAMES if name != "item_ids"])
def test_a_signature_that_can_not_bind_is_refused(name: str) -> None:
    """Too few parameters, too many, and keywords that nobody gives; the message shows both signatures."""
    for value in _wrong_signatures(name):
        given = types.SimpleNamespace if name == "token_counter" else None
        if given is not None:
            value.encoding = "e"
        text = refused(**{name: value})
        assert text.startswith(f"{name}: ")
        assert f"can't be called as {protocol(name).__name__}(" in text
        assert str(inspect.signature(value)) in text


@pytest.mark.parametrize("name", [name for name in SEAM_NAMES if name not in ("item_ids", "token_counter")])
def test_a_signature_that_binds_is_accepted(name: str) -> None:
    """Other names, defaults, ``*args``: what counts is that it can be called as the seam is."""
    accepted(**{name: lambda *args, **keywords: None})
    accepted(**{name: lambda a=1, b=2, c=3, model=0, instructions=0, tools=0: None})
    accepted(**{name: mock.Mock()})
    accepted(**{name: functools.partial(lambda bound, *args, **keywords: None, 1)})


def test_a_built_in_without_signature_is_accepted() -> None:
    """There is nothing to look at."""
    accepted(neutraliser=str)
    accepted(warn=print)


# --- asynchronous where plain is asked for


async def coroutine(*arguments: Any, **keywords: Any) -> Any:
    """An asynchronous function."""


async def generator(*arguments: Any, **keywords: Any) -> AsyncIterator[Any]:
    """An asynchronous generator."""
    yield None


def plain_generator(*arguments: Any, **keywords: Any) -> Iterator[Any]:
    """A generator."""
    yield None


class Asynchronous:
    """An object whose call is asynchronous."""

    encoding = "e"

    async def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """Waits for nothing."""

    async def render(self, *arguments: Any, **keywords: Any) -> Any:
        """A method that is asynchronous."""


def asynchronous_values() -> list[Any]:
    """Everything that can be seen to be asynchronous."""
    return [
        coroutine,
        Asynchronous(),
        Asynchronous().render,
        functools.partial(coroutine, 1),
        functools.partial(functools.partial(coroutine, 1), 2),
        functools.partial(Asynchronous()),
        mock.AsyncMock(),
    ]


@pytest.mark.parametrize("name", PLAIN)
def test_an_asynchronous_value_is_refused_where_a_plain_one_is_asked_for(name: str) -> None:
    """Function, object, method, partials and mock."""
    for value in asynchronous_values():
        if name == "token_counter" and not isinstance(value, (Asynchronous, mock.AsyncMock)):
            continue
        text = refused(**{name: value})
        assert text.startswith(f"{name}: ")
        assert f"asynchronous, but {protocol(name).__name__} is a plain function" in text


@pytest.mark.parametrize("name", WAITING)
def test_an_asynchronous_value_is_accepted_where_it_may_wait(name: str) -> None:
    """And a plain one too."""
    for value in asynchronous_values():
        accepted(**{name: value})
    accepted(**{name: lambda *arguments: None})


@pytest.mark.parametrize("name", [name for name in SEAM_NAMES if name not in ("item_ids", "token_counter")])
def test_a_generator_is_no_seam(name: str) -> None:
    """Plain or asynchronous: nothing goes over it, so it fits nowhere."""
    for value in (generator, plain_generator, functools.partial(generator, 1)):
        text = refused(**{name: value})
        assert text.startswith(f"{name}: ")
        assert protocol(name).__name__ in text
        assert "generator" in text


# --- seams that are more than a call


class NoIds:
    """A method too few."""

    def message_id(self, message: Any, /) -> str | None:
        """None."""
        return None

    def call_ids(self, call: Any, /) -> Any:
        """As by default."""
        return DEFAULTS.item_ids.call_ids(call)


@pytest.mark.parametrize("method", ["message_id", "call_ids", "provider_id"])
def test_item_ids_needs_its_three_methods(method: str) -> None:
    """A missing one, one that is no callable, one that can't bind, and an asynchronous one are refused by name."""
    others = {name: lambda thing: None for name in ("message_id", "call_ids", "provider_id")}

    missing = refused(item_ids=types.SimpleNamespace(**{k: v for k, v in others.items() if k != method}))
    assert missing.startswith("item_ids: ")
    assert f"a method {method!r}, which ItemIds needs" in missing
    assert "ItemIds" in refused(item_ids=types.SimpleNamespace(**{**others, method: 3}))
    assert "ItemIds" in refused(item_ids=types.SimpleNamespace(**{**others, method: lambda: None}))
    asynchronous = refused(item_ids=types.SimpleNamespace(**{**others, method: coroutine}))
    assert "asynchronous" in asynchronous
    assert "ItemIds" in asynchronous
    accepted(item_ids=types.SimpleNamespace(**others))


def test_item_ids_of_a_class_that_lacks_one() -> None:
    """The class is named, and the method."""
    text = refused(item_ids=NoIds())
    assert "NoIds" in text
    assert "provider_id" in text
    assert "ItemIds" in refused(item_ids=OwnIds), "a class is not its object: its methods want one argument more"
    accepted(item_ids=OwnIds())


def test_a_token_counter_needs_its_encoding() -> None:
    """A bare function counts, but nobody knows in what."""
    text = refused(token_counter=len)
    assert text.startswith("token_counter: len ")
    assert "'encoding', which TokenCounter needs" in text
    assert "TokenCounter" in refused(token_counter=types.SimpleNamespace(encoding="e"))
    accepted(token_counter=Sevens())


def test_objects_of_the_library_fit() -> None:
    """What it offers as replacements has the right shape."""
    accepted(nonce=KeyedNonce("secret"), fingerprint=Sha256Fingerprint())
    accepted(**{name: getattr(DEFAULTS, name) for name in SEAM_NAMES})


# --- in general


def test_the_first_wrong_override_is_told_and_nothing_is_built() -> None:
    """A pipeline made before is as it was."""
    pipeline = responses_pipeline()
    before = pipeline.build_sync(STATE, RenderOptions(model="m", unsupported_media_policy="fallback-stash"))
    assert refused(thought=3, nonce=lambda: None).startswith("thought: ")
    after = pipeline.build_sync(STATE, RenderOptions(model="m", unsupported_media_policy="fallback-stash"))
    assert after == before


@pytest.mark.parametrize("value", [type("Long", (), {"__repr__": lambda self: "x" * 10_000})(), "y" * 10_000])
def test_a_long_value_is_shown_cut(value: Any) -> None:
    """A message is for reading."""
    assert len(refused(nonce=value)) < 300


def test_a_value_that_can_not_be_shown_is_refused_all_the_same() -> None:
    """Its own ``__repr__`` may fail; the seam is named nevertheless."""

    class Unshown:
        def __repr__(self) -> str:
            raise RuntimeError("not shown")

    text = refused(nonce=Unshown())
    assert text.startswith("nonce: ")
    assert "Unshown" in text


def test_positional_overrides_are_no_overrides() -> None:
    """Every replacement has a name."""
    with pytest.raises(TypeError):
        responses_pipeline(lambda text: text)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
