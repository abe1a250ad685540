"""The default pipeline, for what stands in for one of its seams.

Found by name: the library does not know its wiring.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

from seamwright.pipeline.pipeline import Pipeline
from seamwright.record import Seams


@functools.cache
def default_pipeline() -> Pipeline:
    """The pipeline of ``seamwright_containers.responses_pipeline()``, made once."""
    wiring: Any = importlib.import_module("seamwright_containers.responses")
    pipeline: Pipeline = wiring.responses_pipeline()
    return pipeline


def default_seams() -> Seams:
    """The seams of the default pipeline."""
    return default_pipeline().seams
