"""The wiring of Seamwright, and the only place that imports dependency_injector."""

from __future__ import annotations

from seamwright_containers.doors import made, rewire, swap, use
from seamwright_containers.responses import ResponsesContainer, resolve, responses_pipeline
from seamwright_containers.verbatim import VerbatimContainer, resolve_verbatim, verbatim_pipeline

__all__ = [
    "ResponsesContainer",
    "VerbatimContainer",
    "made",
    "resolve",
    "resolve_verbatim",
    "responses_pipeline",
    "rewire",
    "swap",
    "use",
    "verbatim_pipeline",
]
