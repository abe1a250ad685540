"""Paths into a body, as violations spell them, read back."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from seamwright.check.json_types import is_list, is_object

_STEP: Final = re.compile(r'\.?([A-Za-z_]\w*)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]')
_NOTHING: Final = object()


def steps_of(path: str) -> list[str | int]:
    """The keys and indices of a path: ``input[3].id`` → ``["input", 3, "id"]``."""
    return [int(index) if index else json.loads(odd) if odd else name for name, index, odd in _STEP.findall(path)]


def locate(body: Any, path: str) -> Any:
    """What stands at *path*; where nothing does, the innermost thing around it."""
    here = body
    for step in steps_of(path):
        inner = _inside(here, step)
        if inner is _NOTHING:
            break
        here = inner
    return here


def _inside(value: Any, step: str | int) -> Any:
    if isinstance(step, str):
        return value.get(step, _NOTHING) if is_object(value) else _NOTHING
    return value[step] if is_list(value) and step < len(value) else _NOTHING
