"""The graph of a container, a plan or a pipeline, as data to show."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import attrs
from dependency_injector import containers

from seamwright.errors import WiringError
from seamwright.history.verbatim import VerbatimPipeline
from seamwright.pipeline.pipeline import Pipeline
from seamwright.record import Seams
from seamwright.shapes import seam_protocols
from seamwright_containers.annotations import place, shown
from seamwright_containers.blueprint import read
from seamwright_containers.recipes import Recipe
from seamwright_containers.responses import ResponsesContainer, resolve
from seamwright_containers.verbatim import VerbatimContainer, resolve_verbatim


@attrs.frozen
class SeamInfo:
    """One seam of a graph.

    ``source`` and ``default`` are ``module:name`` of a function, factory or class, or ``seam x`` for one that follows
    x; ``default`` is what the container class has, None for a seam that was added to it. ``needs`` and ``needed_by``
    are the direct neighbours, in the order of the record; None where the graph is not known, as of a pipeline.
    """

    name: str
    protocol: str
    source: str
    default: str | None
    overridden: bool
    needs: tuple[str, ...] | None
    needed_by: tuple[str, ...] | None


def infos(recipes: Sequence[Recipe], protocols: Mapping[str, Any]) -> tuple[SeamInfo, ...]:
    """What there is to show of each seam, in the order of ``protocols``."""
    by_name = {recipe.seam: recipe for recipe in recipes}
    needs = {name: {seam for _, seam in recipe.needs} for name, recipe in by_name.items()}
    return tuple(
        SeamInfo(
            name=name,
            protocol=shown(protocol),
            source=by_name[name].provenance,
            default=None if by_name[name].added else by_name[name].origin or by_name[name].provenance,
            overridden=by_name[name].origin is not None,
            needs=tuple(other for other in protocols if other in needs[name]),
            needed_by=tuple(other for other in protocols if name in needs[other]),
        )
        for name, protocol in protocols.items()
    )


def describe(target: object) -> tuple[SeamInfo, ...]:
    """The graph of a plan, of a container class or instance, or of a pipeline, or of what a function gives of these.

    A container is read with the record that its class names (``record = MySeams``), else with :class:`Seams`. A
    pipeline knows its seams, not how they were made. Raises :class:`WiringError` for anything else and for a wrong
    wiring.
    """
    if callable(target) and not isinstance(target, type):
        target = target()
    if isinstance(target, type) and issubclass(target, containers.Container):
        target = target()
    if isinstance(target, containers.Container):
        record = getattr(target.declarative_parent, "record", None)
        protocols = seam_protocols(record if isinstance(record, type) else Seams)
        return infos(read(target, protocols), protocols)
    if isinstance(target, Pipeline):
        container = ResponsesContainer()
        return _of_values(target.seams, resolve(container), describe(container))
    if isinstance(target, VerbatimPipeline):
        verbatim = VerbatimContainer()
        return _of_values(target.seams, resolve_verbatim(verbatim), describe(verbatim))
    own: Callable[[], tuple[SeamInfo, ...]] | None = getattr(cast("Any", target), "describe", None)
    if own is None or isinstance(target, type):
        raise WiringError(f"{target!r:.80} is no container, plan or pipeline")
    return own()


def _of_values(seams: object, defaults: object, described: Sequence[SeamInfo]) -> tuple[SeamInfo, ...]:
    """Where each seam of a record comes from, and whether that of the default pipeline has one from there too."""
    sources = {info.name: info.source for info in described}
    found: list[SeamInfo] = []
    for name, protocol in seam_protocols(type(seams)).items():
        source, default = place(getattr(seams, name)), sources.get(name)
        overridden = default is not None and source != place(getattr(defaults, name))
        shown_source = source.partition(".<locals>")[0] if overridden or default is None else default
        found.append(SeamInfo(name, shown(protocol), shown_source, default, overridden, None, None))
    return tuple(found)
