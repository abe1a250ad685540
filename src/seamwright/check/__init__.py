"""Know before sending whether the API will accept a request: ``check_request``, and ``repair_request`` for what it
won't.
"""

from __future__ import annotations

from seamwright.check.engine import check_request
from seamwright.check.models import MODELS, TABLE_DATE, ModelCapabilities
from seamwright.check.repair import Change, repair_request
from seamwright.check.rule import Rule
from seamwright.check.table import RULES
from seamwright.check.violation import Severity, Violation

__all__ = [
    "MODELS",
    "RULES",
    "TABLE_DATE",
    "Change",
    "ModelCapabilities",
    "Rule",
    "Severity",
    "Violation",
    "check_request",
    "repair_request",
]
