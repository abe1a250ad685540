"""How things are measured here: best of several runs, gc off, each on fresh objects, all in one process."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")
RUNS = 7


def best(run: Callable[[T], Any], fresh: Callable[[], T], runs: int = RUNS) -> float:
    """Seconds of the fastest of several runs, each on what *fresh* makes for it."""
    fastest = float("inf")
    for _ in range(runs):
        subject = fresh()
        gc.collect()
        gc.disable()
        try:
            began = time.perf_counter()
            run(subject)
            fastest = min(fastest, time.perf_counter() - began)
        finally:
            gc.enable()
    return fastest
