"""A container's graph, compiled once, from which each request takes a pipeline with seams of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, TypeVar, Unpack, overload

import attrs
from dependency_injector import containers, providers

from seamwright.errors import WiringError
from seamwright.pipeline.pipeline import Pipeline
from seamwright.record import Overrides, Seams
from seamwright.shapes import check_overrides, check_shape, seam_protocols
from seamwright_containers.annotations import is_contract, mentions, place
from seamwright_containers.blueprint import read
from seamwright_containers.graph import SeamInfo, infos
from seamwright_containers.recipes import Recipe

Record_co = TypeVar("Record_co", covariant=True)
SeamsT = TypeVar("SeamsT", bound=Seams)
R = TypeVar("R")


@attrs.frozen
class _Step:
    """One seam that is made of others: ``make`` takes them under the names in ``needs``, as (parameter, seam)."""

    seam: str
    make: Callable[..., Any]
    needs: tuple[tuple[str, str], ...]

    def build(self, values: Mapping[str, Any]) -> Any:
        """The seam, of what it needs among ``values``."""
        return self.make(**{parameter: values[seam] for parameter, seam in self.needs})


@attrs.frozen(eq=False, repr=False)
class Plan(Generic[Record_co]):
    """A container, compiled: what each seam is, and what has to be made anew when another one is replaced.

    It never changes, and holds no lock: share one between threads and tasks, and let each request take its own seams.
    A factory is called again for each request that replaces something upstream of it, so it must do nothing but make.
    """

    record: type[Record_co]
    _base: Record_co
    _values: Mapping[str, Any]
    _protocols: Mapping[str, Any]
    _steps: tuple[_Step, ...]
    _downstream: Mapping[str, tuple[int, ...]]
    _recipes: tuple[Recipe, ...]

    @overload
    @classmethod
    def compile(cls, container: containers.Container) -> Plan[Seams]: ...

    @overload
    @classmethod
    def compile(cls, container: containers.Container, record: type[R]) -> Plan[R]: ...

    @classmethod
    def compile(cls, container: containers.Container, record: type[Any] = Seams) -> Plan[Any]:
        """Checks the wiring of a container instance and keeps what is needed to make any part of it anew.

        ``record`` is the attrs class of the product, one field for each seam, annotated with its Protocol. The
        container is not changed and not needed afterwards. Raises :class:`WiringError` for whatever does not fit,
        naming the seam.
        """
        if not attrs.has(record):
            raise WiringError(f"{place(record)} is no attrs class, which the record of a plan has to be")
        protocols = seam_protocols(record)
        recipes = read(container, protocols)
        steps = tuple(_Step(r.seam, r.make, r.needs) for r in recipes if r.make is not None)
        values = {recipe.seam: recipe.source for recipe in recipes if recipe.make is None}
        for step in steps:
            values[step.seam] = step.build(values)
        for recipe in recipes:
            _check_values(recipe, values, protocols)
        downstream = {name: _downstream(name, steps) for name in protocols}
        return Plan(record, record(**values), values, protocols, steps, downstream, recipes)

    def __repr__(self) -> str:
        replaced = [recipe.seam for recipe in self._recipes if recipe.origin is not None]
        return (
            f"<Plan of {len(self._values)} seams for {place(self.record)}, replaced: {', '.join(replaced) or 'none'}>"
        )

    def seams(self: Plan[SeamsT], **overrides: Unpack[Overrides]) -> SeamsT:
        """The record with some seams replaced, and everything made anew that depends on them."""
        return self.resolve(overrides)

    def pipeline(self: Plan[Seams], **overrides: Unpack[Overrides]) -> Pipeline:
        """A pipeline with some seams replaced: a few microseconds, and one more for each seam downstream.

        Raises :class:`WiringError` for a name that is no seam and for a value that does not have the seam's shape.
        """
        return Pipeline(self.resolve(overrides))

    def resolve(self, overrides: Mapping[str, object]) -> Record_co:
        """:meth:`seams` for any record. A host types it with a function of its own, ``**overrides: Unpack[…]``."""
        if not overrides:
            return self._base
        check_overrides(overrides, self._protocols)
        values = {**self._values, **overrides}
        for step in self._below(overrides):
            if step.seam not in overrides:
                values[step.seam] = step.build(values)
        return self.record(**values)

    def describe(self) -> tuple[SeamInfo, ...]:
        """Each seam in the order of the record: its Protocol, where it comes from, what it needs and what needs it."""
        return infos(self._recipes, self._protocols)

    def _below(self, overrides: Iterable[str]) -> Iterable[_Step]:
        """The steps downstream of some seams, each after those it needs."""
        touched = [self._downstream[name] for name in overrides]
        indexes = touched[0] if len(touched) == 1 else sorted({index for one in touched for index in one})
        return map(self._steps.__getitem__, indexes)


def _downstream(seam: str, steps: tuple[_Step, ...]) -> tuple[int, ...]:
    changed = {seam}
    indexes: list[int] = []
    for index, step in enumerate(steps):
        if any(need in changed for _, need in step.needs):
            changed.add(step.seam)
            indexes.append(index)
    return tuple(indexes)


def _check_values(recipe: Recipe, values: Mapping[str, Any], protocols: Mapping[str, Any]) -> None:
    """Raises when a seam, or what its factory was given under a Protocol that no seam has, is not what it has to be."""
    value = values[recipe.seam]
    if isinstance(value, providers.Provider):
        raise WiringError(
            f"{recipe.seam}: its value is itself a provider, {value}; no container may be reachable from it"
        )
    check_shape(recipe.seam, value, protocols[recipe.seam])
    for argument in recipe.arguments or ():
        if is_contract(argument.hint) and not mentions(argument.hint, protocols.values()):
            given = argument.value if argument.seam is None else values[argument.seam]
            check_shape(f"{recipe.seam}: {argument.parameter}", given, argument.hint)
