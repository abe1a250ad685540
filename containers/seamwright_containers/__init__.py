"""The wiring of Seamwright, and the only place that imports dependency_injector."""

from __future__ import annotations

from seamwright_containers.doors import made, rewire, swap, use
from seamwright_containers.responses import ResponsesContainer, resolve, responses_pipeline

__all__ = ["ResponsesContainer", "made", "resolve", "responses_pipeline", "rewire", "swap", "use"]
