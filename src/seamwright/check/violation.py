"""What a check finds."""

from __future__ import annotations

from typing import Literal

import attrs

Severity = Literal["error", "warning"]
"""``error``: the API refuses it; ``warning``: it may."""


@attrs.frozen
class Violation:
    """One thing about a request body that the API refuses (``error``) or may refuse (``warning``).

    ``rule``: an id of the table ``seamwright.check.RULES``. ``path``: a JSON path into the body (``input[3].id``),
    empty for the body itself. ``message``: what is wrong there. ``hint``: what to do.
    """

    rule: str
    severity: Severity
    path: str
    message: str
    hint: str

    def __str__(self) -> str:
        return f"{self.severity} {self.rule} {self.path or 'body'}: {self.message}"
