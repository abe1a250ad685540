"""Finds a pipeline by its name, ``module:attribute``: how the command line and worker processes are told of one."""

from __future__ import annotations

import functools
import importlib
import inspect
import sys
from collections.abc import Mapping
from typing import Any, Final

import attrs

from seamwright.errors import WiringError, nearest
from seamwright.model.options import RenderOptions
from seamwright.model.spelling import shown
from seamwright.pipeline.pipeline import Pipeline
from seamwright.record import SEAM_NAMES, Seams
from seamwright.shapes import check_overrides
from seamwright.tokens import O200kCounter

DEFAULT_CONTAINER: Final = "seamwright_containers:responses_pipeline"


def find_pipeline(target: str) -> Pipeline:
    """The pipeline that ``module:attribute`` names: itself, a container's, or one that a function gives.

    Raises :class:`WiringError` when there is no such thing, or when it is none of the three.
    """
    return _pipeline_of(find_target(target), target)


def counting(pipeline: Pipeline, options: RenderOptions) -> Pipeline:
    """The pipeline, with an ``O200kCounter`` where a budget asks for a counter and there is none.

    For states out of files, which hold no code. Raises ImportError when the extra is not installed.
    """
    if options.budget is None or pipeline.seams.token_counter is not None:
        return pipeline
    return Pipeline(attrs.evolve(pipeline.seams, token_counter=_o200k()))


def counting_if_can(pipeline: Pipeline) -> Pipeline:
    """The pipeline, with an ``O200kCounter`` where there is no counter and the extra is installed: for looking on.

    What is rendered stays the same: a seam that shows counts was made with the pipeline's own counter, or none.
    """
    counter = counter_if_installed() if pipeline.seams.token_counter is None else None
    return pipeline if counter is None else Pipeline(attrs.evolve(pipeline.seams, token_counter=counter))


def counter_if_installed() -> O200kCounter | None:
    """An ``O200kCounter``, or None where the extra is not installed."""
    try:
        return _o200k()
    except ImportError:
        return None


_o200k: Final = functools.lru_cache(maxsize=1)(O200kCounter)  # its vocabulary is loaded once


def find_target(target: str) -> Any:
    """What ``module:attribute`` names. Raises :class:`WiringError` when there is no such thing."""
    module_name, found, attribute = target.partition(":")
    if not (module_name and found and attribute):
        raise WiringError(f"{target}: MODULE:ATTRIBUTE is expected")
    if "" not in sys.path:
        sys.path.insert(0, "")  # modules of the current folder, as with python -m
    try:
        value: Any = importlib.import_module(module_name)
    except (Exception, SystemExit) as error:
        told = f"{type(error).__name__}: {error}"
        raise WiringError(f"{target}: {module_name} can't be imported: {told}") from error
    for name in attribute.split("."):
        if not hasattr(value, name):
            raise WiringError(f"{target}: {module_name} has no {name!r}{nearest(name, dir(value))}")
        value = getattr(value, name)
    return value


def _pipeline_of(value: Any, target: str, *, call: bool = True) -> Pipeline:
    if isinstance(value, Pipeline):
        return value
    if isinstance(getattr(value, "providers", None), Mapping):
        return _resolved(value() if isinstance(value, type) else value, target)
    if call and callable(value):
        try:
            made = value()
        except (Exception, SystemExit) as error:
            raise WiringError(f"{target}: calling it raised {type(error).__name__}: {error}") from error
        return _pipeline_of(made, target, call=False)
    if inspect.iscoroutine(value):
        value.close()
    plan = callable(getattr(value, "pipeline", None)) and call  # a plan makes pipelines, by a method that can be named
    close = f"; {target}.pipeline would be" if plan else ""
    raise WiringError(f"{target}: {shown(value)} is no container, pipeline or function giving one{close}")


def _resolved(container: Any, target: str) -> Pipeline:
    missing = [name for name in SEAM_NAMES if name not in container.providers]
    if missing:
        raise WiringError(f"{target}: the container has no provider for {', '.join(missing)}")
    try:
        seams = {name: container.providers[name]() for name in SEAM_NAMES}
        check_overrides(seams)
        return Pipeline(Seams(**seams))
    except WiringError as error:
        raise WiringError(f"{target}: {error}") from error
    except Exception as error:
        raise WiringError(f"{target}: can't be resolved: {type(error).__name__}: {error}") from error
