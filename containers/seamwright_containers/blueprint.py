"""A container read as a graph: how each seam is made, from what, and whether that can work."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import Any

import attrs
from dependency_injector import containers, providers

from seamwright.errors import WiringError, nearest
from seamwright_containers.annotations import place, shown
from seamwright_containers.injections import CONFIGURATION, MADE, AnyProvider, Injections, behind, overriding
from seamwright_containers.recipes import Recipe


def read(container: containers.Container, protocols: Mapping[str, Any]) -> tuple[Recipe, ...]:
    """The recipes of the seams in ``protocols``, each after those of the seams it needs.

    No seam is made and nothing in the container is changed. Raises :class:`WiringError` for the first thing that
    can't work, naming the seam, what was expected and the nearest name: a seam without a provider, a provider that
    nothing uses, a kind of provider that can't be looked into, an injection that is missing, surplus, positional,
    nameless or of another Protocol, and seams that need each other.
    """
    _check_instance(container)
    injections = Injections(protocols, _names(container, protocols))
    recipes = {name: _recipe(container, name, injections) for name in protocols}
    _reject_unused(container, protocols)
    return tuple(recipes[name] for name in _in_order(recipes))


def _check_instance(container: object) -> None:
    if isinstance(container, type):
        raise WiringError(f"{container.__name__} is a class, and what is replaced on it leaks; give an instance of it")
    if not isinstance(container, containers.Container):
        raise WiringError(f"{container!r:.80} is no container")


def _names(container: containers.Container, protocols: Mapping[str, Any]) -> dict[int, str]:
    """The name of each provider by its identity; raises for a seam that has no provider, or none of its own."""
    names: dict[int, str] = {}
    for name in dict.fromkeys([*protocols, *container.providers]):
        if name not in container.providers:
            close = nearest(name, set(container.providers).difference(protocols))
            raise WiringError(f"{name}: the container has no provider for this {shown(protocols[name])}{close}")
        twin = names.setdefault(id(container.providers[name]), name)
        if twin != name:
            raise WiringError(
                f"{name}: is the same provider as {twin!r}, so that one can't be replaced alone; declare each, and"
                f" on an instance let one follow the other: rewire(container.{name}, container.{twin})"
            )
    return names


def _recipe(container: containers.Container, seam: str, injections: Injections) -> Recipe:
    recipe = _current(seam, container.providers[seam], injections)
    declared = _declared(container, seam)
    if not declared:
        return attrs.evolve(recipe, added=True)
    sources = [getattr(provider, "provides", provider) for provider in declared]
    # A class that derives from another has copies of what it does not declare itself: the same source, not replaced.
    anew = any(source is not sources[0] for source in sources)
    replaced = anew or overriding(container.providers[seam]) is not None
    return attrs.evolve(recipe, origin=place(sources[0])) if replaced else recipe


def _current(seam: str, provider: AnyProvider, injections: Injections) -> Recipe:
    """What stands at the end of all overridings; a seam that is overridden by another seam follows it."""
    while (newer := overriding(provider)) is not None:
        provider = newer
        other = injections.seam_of(provider)
        if other is not None:
            injections.check_followed(seam, other)
            return Recipe(seam, None, follows=other)
    if type(provider) is providers.Object:
        return Recipe(seam, provider())
    if type(provider) not in MADE:
        raise WiringError(
            f"{seam}: a {type(provider).__name__} can't be looked into; declare the seam with Object(value) or"
            " made(factory, name=use(container.name), …)"
        )
    return injections.made(seam, provider)


def _declared(container: containers.Container, seam: str) -> list[AnyProvider]:
    """The providers that the classes of a container declare for a seam, the first class of the line first."""
    line = reversed(getattr(container.declarative_parent, "__mro__", ()))
    tables: Iterator[dict[str, AnyProvider]] = (getattr(cls, "cls_providers", None) or {} for cls in line)
    return [table[seam] for table in tables if seam in table]


def _reject_unused(container: containers.Container, protocols: Mapping[str, Any]) -> None:
    """Raises for a provider that is no seam and that no seam uses: most likely a misspelt one.

    What a seam used before it was replaced counts as used: whoever swaps a seam need not know what it was made of.
    """
    used = {id(provider) for seam in protocols for provider in behind(container.providers[seam])}
    for name, provider in container.providers.items():
        if name in protocols or id(provider) in used or isinstance(provider, CONFIGURATION):
            continue
        raise WiringError(
            f"{name}: the container has this provider, but it is no seam of the record and no seam uses it"
            f"{nearest(name, protocols)}; a field of its name in the record would make it a seam"
        )


def _in_order(recipes: Mapping[str, Recipe]) -> Iterator[str]:
    graph = {name: [seam for _, seam in recipe.needs] for name, recipe in recipes.items()}
    try:
        yield from TopologicalSorter(graph).static_order()
    except CycleError as error:
        path: list[str] = error.args[1][::-1]  # graphlib draws it from what is needed to what needs it
        raise WiringError(f"{path[0]}: needs itself: {' -> '.join(path)}") from None
