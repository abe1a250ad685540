"""Whether a factory is given what it asks for."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, Final, TypeAlias, cast

import attrs
from dependency_injector import providers

from seamwright.errors import WiringError, nearest
from seamwright_containers.annotations import agrees, factory_hints, mentions, place, shown
from seamwright_containers.recipes import Argument, Recipe

AnyProvider: TypeAlias = providers.Provider[Any]
Hints: TypeAlias = Mapping[str, Any]

MADE: Final = (providers.Singleton, providers.ThreadSafeSingleton)
CONFIGURATION: Final = (providers.ConfigurationOption, providers.Configuration)


def overriding(provider: AnyProvider) -> AnyProvider | None:
    """What a provider was overridden with last."""
    newest: AnyProvider | None = cast("Any", provider).last_overriding
    return newest


def behind(provider: AnyProvider) -> Iterator[AnyProvider]:
    """What a provider, and whatever it was overridden with, is made of, at any depth."""
    kinds: Any = [providers.Provider]  # the framework types a call without kinds as giving nothing
    found: Iterator[AnyProvider] = provider.traverse(types=kinds)
    return found


@attrs.frozen
class Injections:
    """What can be injected: the seams of a record with their Protocols, and the names of a container's providers."""

    protocols: Hints
    names: Mapping[int, str]

    def seam_of(self, provider: AnyProvider) -> str | None:
        """The seam that a provider stands for, when it is one of this container."""
        name = self.names.get(id(provider))
        return name if name in self.protocols else None

    def made(self, seam: str, provider: AnyProvider) -> Recipe:
        """The recipe of a seam that ``made`` declared. Raises :class:`WiringError` for what its factory can't take."""
        declared: Any = provider
        factory: Callable[..., Any] = declared.provides
        if declared.args or declared.attributes:
            what = "positional arguments" if declared.args else "attributes"
            raise WiringError(
                f"{seam}: {place(factory)} is given {what}; inject by keyword, so that it shows what goes where:"
                " made(factory, name=use(container.name))"
            )
        hints = factory_hints(factory)
        self._check_keywords(seam, factory, hints, declared.kwargs)
        self._check_product(seam, factory, hints.get("return", Any))
        arguments = [self._argument(seam, key, hints.get(key, Any), value) for key, value in declared.kwargs.items()]
        return Recipe(seam, factory, tuple(arguments))

    def check_followed(self, seam: str, other: str) -> None:
        """Raises when a seam can't stand in for another."""
        asked, given = self.protocols[seam], self.protocols[other]
        if not agrees(asked, given):
            raise WiringError(f"{seam}: is {shown(asked)}, but {other!r}, which it follows, is {shown(given)}")

    def _check_keywords(self, seam: str, factory: Callable[..., Any], hints: Hints, given: Collection[str]) -> None:
        try:
            parameters = inspect.signature(factory).parameters.values()
        except ValueError:  # a built-in type that does not say what it takes
            return
        named = {p.name for p in parameters if p.kind in {p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY}}
        takes_all = any(p.kind is p.VAR_KEYWORD for p in parameters)
        for name in () if takes_all else given:
            if name not in named:
                close = nearest(name, named.difference(given)) or f"; it takes {', '.join(sorted(named)) or 'nothing'}"
                raise WiringError(f"{seam}: {place(factory)} takes no {name!r}{close}")
        missing = [p.name for p in parameters if p.name in named and p.default is p.empty and p.name not in given]
        if missing:
            wanted = ", ".join(f"{name}: {shown(hints[name])}" if name in hints else name for name in missing)
            inject = ", ".join(f"{name}=use(container.{self._supplier(name, hints.get(name))})" for name in missing)
            raise WiringError(f"{seam}: {place(factory)} is not given {wanted}; inject {inject}")

    def _check_product(self, seam: str, factory: Callable[..., Any], product: Any) -> None:
        asked = self.protocols[seam]
        if mentions(product, self.protocols.values()) and not agrees(asked, product):
            raise WiringError(f"{seam}: is {shown(asked)}, but {place(factory)} makes {shown(product)}")

    def _supplier(self, parameter: str, hint: Any) -> str:
        """The seam that a parameter most likely means: the one of its name, else the first of its Protocol."""
        if parameter in self.protocols or hint is None:
            return parameter
        return next((seam for seam, protocol in self.protocols.items() if agrees(hint, protocol)), parameter)

    def _argument(self, seam: str, parameter: str, hint: Any, value: object) -> Argument:
        if not isinstance(value, providers.Provider):
            return Argument(parameter, hint, None, value)
        provider: AnyProvider = cast("Any", value)
        where = f"{seam}: {parameter}="
        injected = self.seam_of(provider)
        if injected is not None:
            self._check_agreement(where, hint, injected)
            return Argument(parameter, hint, injected)
        if id(provider) not in self.names:
            self._check_nameless(where, parameter, hint, provider)
        self._check_settings(where, provider)
        try:
            return Argument(parameter, hint, None, provider())
        except Exception as error:
            raise WiringError(f"{where} can't be resolved: {type(error).__name__}: {error}") from error

    def _check_agreement(self, where: str, asked: Any, seam: str) -> None:
        """Raises when a seam is given where another Protocol of the record is asked for.

        A Protocol of the host's own, which no seam has, is compared by its shape when there is a value to look at.
        """
        given = self.protocols[seam]
        if agrees(asked, given) or not mentions(asked, self.protocols.values()):
            return
        fitting = [name for name, protocol in self.protocols.items() if agrees(asked, protocol)]
        would_fit = f"; {', '.join(fitting)} would fit" if fitting else ""
        raise WiringError(f"{where} asks for {shown(asked)}, but {seam!r} is {shown(given)}{would_fit}")

    def _check_nameless(self, where: str, parameter: str, hint: Any, provider: AnyProvider) -> None:
        """Raises unless it is a constant: no override would reach what stands behind a provider without a name."""
        of_a_seam = parameter in self.protocols if hint is Any else mentions(hint, self.protocols.values())
        if of_a_seam and type(provider) in {providers.Object, *MADE}:
            raise WiringError(
                f"{where} is no provider of this container, so that no override would reach it; inject"
                f" use(container.{self._supplier(parameter, hint)}). (A subclass that declares a seam anew does not"
                " reach what its base declared: swap or rewire on an instance does.)"
            )
        if type(provider) not in {providers.Object, *CONFIGURATION}:
            raise WiringError(
                f"{where} is a {type(provider).__name__} without a name, and no override would reach through it; inject"
                " the seams themselves, or give it a name: add(container, 'its_name', provider)"
            )

    def _check_settings(self, where: str, provider: AnyProvider) -> None:
        """Raises when a seam is among the providers behind a value that is settled once."""
        for found in (provider, *behind(provider)):
            seam = self.seam_of(found)
            if seam is not None:
                own = self.names.get(id(provider), "a provider without a name")
                raise WiringError(
                    f"{where} is {own}, which needs the seam {seam!r} but is no seam of the record itself, and could"
                    " not follow when that is replaced; give the record a field of its name"
                )
