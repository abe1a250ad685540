"""The state of one check: the body, where we are in it, and what was found."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from seamwright.check.endpoints import severity_at, stateless
from seamwright.check.history import History
from seamwright.check.json_types import Object, step
from seamwright.check.models import ModelCapabilities, capabilities_of
from seamwright.check.violation import Severity, Violation
from seamwright.model.endpoints import EndpointProfile


class Context:
    """What the rules read and where they write.

    The rules of items and parts take the item or part alone: ``index`` is the place of the item in ``input``, ``field``
    and ``position`` the place of the part in it, so that a path is only spelled out when something is wrong.
    """

    __slots__ = (
        "_severities",
        "body",
        "can",
        "chained",
        "field",
        "found",
        "history",
        "index",
        "items",
        "position",
        "profile",
        "stateless",
        "tool_path",
    )

    def __init__(
        self,
        body: Object,
        profile: EndpointProfile,
        models: Mapping[str, ModelCapabilities] | None,
        severities: Mapping[str, tuple[Severity, str]],
    ) -> None:
        self.body = body
        self.profile = profile
        self.can = capabilities_of(body.get("model"), models)
        self.stateless = stateless(profile, body.get("store"))
        self.chained = bool(body.get("previous_response_id") or body.get("conversation"))
        given = body.get("input")
        self.items: list[Any] = given if isinstance(given, list) else []
        self.history = History()
        self.found: list[Violation] = []
        self.index = 0
        self.field = ""
        self.position: int | None = None
        self.tool_path = ""
        self._severities = severities

    def add(self, rule: str, path: str, message: str, *, severity: Severity | None = None, hint: str = "") -> None:
        """Note a finding. *severity* and *hint* default to those of the table; the endpoint has the last word."""
        usual, remedy = self._severities[rule]
        at = severity_at(self.profile, rule, severity or usual)
        self.found.append(Violation(rule, at, path, message, hint or remedy))

    def on_item(self, rule: str, key: str, message: str, *, severity: Severity | None = None, hint: str = "") -> None:
        """Note a finding at *key* of the current item (the item itself for an empty key)."""
        path = f"input[{self.index}]"
        self.add(rule, f"{path}{step(key)}" if key else path, message, severity=severity, hint=hint)

    def on_part(self, rule: str, key: str, message: str, *, severity: Severity | None = None, hint: str = "") -> None:
        """Note a finding at *key* of the current part."""
        path = self.part_path()
        self.add(rule, f"{path}{step(key)}" if key else path, message, severity=severity, hint=hint)

    def part_path(self) -> str:
        """The path of the current part."""
        place = "" if self.position is None else f"[{self.position}]"
        return f"input[{self.index}].{self.field}{place}"


BodyCheck = Callable[[Context], None]
ObjectCheck = Callable[[Context, Object], None]
