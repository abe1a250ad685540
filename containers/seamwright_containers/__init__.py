"""The wiring of Seamwright, and the only place that imports dependency_injector."""

from __future__ import annotations

from seamwright_containers.doors import add, made, rewire, swap, use
from seamwright_containers.graph import SeamInfo, describe
from seamwright_containers.plan import Plan
from seamwright_containers.responses import ResponsesContainer, resolve, responses_pipeline

__all__ = [
    "Plan",
    "ResponsesContainer",
    "SeamInfo",
    "add",
    "describe",
    "made",
    "resolve",
    "responses_pipeline",
    "rewire",
    "swap",
    "use",
]
