"""The graph of a container, a plan or a pipeline, as data to show."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

import attrs
from dependency_injector import containers

from seamwright.errors import WiringError
from seamwright.pipeline.pipeline import Pipeline
from seamwright.record import Seams
from seamwright.shapes import seam_protocols
from seamwright_containers.annotations import place, shown
from seamwright_containers.blueprint import read
from seamwright_containers.recipes import Recipe
from seamwright_containers.responses import ResponsesContainer, resolve


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
        return _of_pipeline(target)
    own: Callable[[], tuple[SeamInfo, ...]] | None = getattr(cast("Any", target), "describe", None)
    if own is None or isinstance(target, type):
        raise WiringError(f"{target!r:.80} is no container, plan or pipeline")
    return own()


def _of_pipeline(pipeline: Pipeline) -> tuple[SeamInfo, ...]:
    """Where each seam comes from, and whether the default pipeline has one from there too."""
    container = ResponsesContainer()
    defaults = {info.name: info for info in describe(container)}
    resolved = resolve(container)
    found: list[SeamInfo] = []
    for name, protocol in seam_protocols(type(pipeline.seams)).items():
        source = place(getattr(pipeline.seams, name))
        default = defaults[name].source if name in defaults else None
        overridden = default is not None and source != place(getattr(resolved, name))
        shown_source = source.partition(".<locals>")[0] if overridden or default is None else default
        found.append(SeamInfo(name, shown(protocol), shown_source, default, overridden, None, None))
    return tuple(found)
