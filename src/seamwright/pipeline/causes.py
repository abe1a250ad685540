"""Why a reasoning item is not replayed, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

Cause = Literal[
    "reasoning-unpaired",
    "reasoning-wrong-partner",
    "reasoning-needs-id",
    "reasoning-no-fingerprint",
    "reasoning-prefix-changed",
    "reasoning-group-incomplete",
]

_TEXTS: Final[dict[Cause, str]] = {
    "reasoning-unpaired": (
        "nothing of the agent's own follows it in the same response, and the API refuses reasoning without the item it"
        " led to"
    ),
    "reasoning-wrong-partner": "what follows it is not the item it led to",
    "reasoning-needs-id": "this endpoint wants an id on every reasoning item, and it has none that may be sent",
    "reasoning-no-fingerprint": "no fingerprint of its prefix was recorded, so it can't be known to fit",
    "reasoning-group-incomplete": (
        "the response it came out of had more reasoning items than are left, and goes back whole or without"
    ),
}


def cause_text(cause: Cause, changed: Sequence[str]) -> str:
    """What the warning says; ``changed`` names the parts of the request that differ from when the item was produced."""
    if cause != "reasoning-prefix-changed":
        return f"reasoning left out: {_TEXTS[cause]}"
    what = " and ".join(changed) if changed else "something before it"
    return (
        f"reasoning left out: {what} changed since it was produced. What changes every turn belongs in a bucket after"
        " 'timeline'; where that can't be, use OriginFingerprint"
    )
