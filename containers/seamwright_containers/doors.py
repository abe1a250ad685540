"""Typed doors to dependency_injector: with them, the type checkers see injections and overrides as plain calls.

The framework types injected arguments as ``Any``; each door is one line and gives the factory's own signature back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, Protocol, TypeVar

from dependency_injector import containers, providers

from seamwright.errors import WiringError

P = ParamSpec("P")
T = TypeVar("T")


def made(factory: Callable[P, T], /, *args: P.args, **seams: P.kwargs) -> providers.Provider[T]:
    """A seam that *factory* makes once per container; its keywords are values or ``use(provider)``."""
    return providers.Singleton(factory, *args, **seams)


def add(container: containers.Container, name: str, provider: providers.Provider[T]) -> providers.Provider[T]:
    """Gives a container instance a seam of the host's own, and gives its provider back for ``use``.

    A seam that is there already is replaced by :func:`swap` or :func:`rewire`: set anew, what depends on it would keep
    the old one. Raises :class:`WiringError` for such a name.
    """
    if name in container.providers:
        raise WiringError(f"{name}: the container has this seam; replace it by swap or rewire")
    container.set_provider(name, provider)
    return provider


def use(provider: providers.Provider[T]) -> T:
    """Injects what *provider* provides.

    To the type checkers it is the product; it is still the provider when the container is built.
    """
    return provider  # type: ignore[return-value]  # pyright: ignore[reportReturnType]  # injected as its product


def swap(seam: providers.Provider[T], value: T) -> None:
    """Replaces a seam of a container instance by a value."""
    _override(seam, providers.Object(value))


def rewire(seam: providers.Provider[T], provider: providers.Provider[T]) -> None:
    """Replaces a seam of a container instance by another recipe."""
    _override(seam, provider)


class _Overridable(Protocol):
    """A provider, of which the framework's own types leave the argument unknown."""

    def override(self, provider: Any) -> Any: ...


def _override(seam: _Overridable, provider: object) -> None:
    seam.override(provider)
