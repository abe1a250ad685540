"""Hostile input rendered beside its harmless twin: whatever the first has more of, a body has forged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from seamwright.testing.contracts.core import Trial, flatten
from seamwright.testing.contracts.tags import forged, harmless


def no_forgery(trial: Trial, found: object, seam: Callable[..., Any], /, *arguments: Any, **how: Any) -> None:
    """That what a seam gave for *arguments* has no tag that it does not have for their harmless twin."""
    hostile = trial.given
    twin = trial.once(seam, *map(harmless, arguments), **how)
    trial.given = hostile
    more = forged(flatten(found), flatten(twin))
    trial.expect(not more, f"no tag that comes out of a body ({', '.join(more)})", found)
