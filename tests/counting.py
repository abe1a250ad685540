"""Counts what runs, so that a test of cost needs no clock."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, Final

import seamwright

_LIBRARY: Final = str(Path(seamwright.__file__).parent)


def lines_run(work: Callable[[], object]) -> int:
    """How many lines of the library run."""
    count = 0

    def line(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal count
        count += event == "line"
        return line

    def call(frame: FrameType, event: str, argument: object) -> Any:
        return line if frame.f_code.co_filename.startswith(_LIBRARY) else None

    before = sys.gettrace()
    sys.settrace(call)
    try:
        work()
    finally:
        sys.settrace(before)
    return count
