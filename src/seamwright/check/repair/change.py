"""What a repair did."""

from __future__ import annotations

from typing import Literal

import attrs

Action = Literal["removed", "changed", "added", "moved"]


@attrs.frozen
class Change:
    """One thing a repair did. ``rule``: the rule that asked for it. ``path``: where, in the body as it was given.

    ``message`` says what was done and, when a text is lost, how much of it.
    """

    rule: str
    path: str
    action: Action
    message: str

    def __str__(self) -> str:
        return f"{self.action} {self.path or 'body'} ({self.rule}): {self.message}"
