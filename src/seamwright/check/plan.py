"""The table of rules compiled into one list of functions for each type."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import attrs

from seamwright.check.context import BodyCheck, Context, ObjectCheck
from seamwright.check.fields import ITEM_KEYS, PART_KEYS
from seamwright.check.guards import ITEM_GUARDS, PART_GUARDS, Guard, Guards
from seamwright.check.history import Role, fixed_role, type_of
from seamwright.check.models import ModelCapabilities
from seamwright.check.rule import Check
from seamwright.check.table import RULES
from seamwright.model.endpoints import EndpointProfile

Checks = tuple[ObjectCheck, ...]

UNTYPED: Final = ""
"""Stands for an item without type and role, which can only be an ``item_reference``."""
OTHER: Final = "?"
"""Stands for a type the tables do not know."""
NO_ITEM: Final = "!"
"""Stands for an entry of ``input`` that is no object."""

_OWNERS: Final = ("message", "output", "summary", "screenshot")
_PARTS_OF: Final = {
    "message": ("message", "content"),
    "function_call_output": ("output", "output"),
    "custom_tool_call_output": ("output", "output"),
    "reasoning": ("summary", "summary"),
}


@attrs.frozen
class Checklist:
    """The checks of one type: those that always run, and groups behind a guard.

    For items also ``role``, how the type stands in the history (None when the item decides), and where it has parts
    their checklists and the ``field`` they stand in.
    """

    always: Checks = ()
    guarded: tuple[tuple[Guard, Checks], ...] = ()
    role: Role | None = None
    parts: Mapping[str, Checklist] | None = None
    field: str = ""

    def run(self, ctx: Context, thing: Any) -> None:
        """Run them over one item, part or tool."""
        for check in self.always:
            check(ctx, thing)
        for guard, checks in self.guarded:
            if not guard(thing):
                for check in checks:
                    check(ctx, thing)


Compiled = dict[str, Checklist]


@attrs.frozen
class Plan:
    """The table compiled for one endpoint and one set of model capabilities.

    ``items`` by known type; ``untyped``, ``other`` and ``no_item`` for what has none.
    """

    items: Compiled
    untyped: Checklist
    other: Checklist
    no_item: Checklist
    tools: Compiled
    screenshot: Checklist
    body: tuple[BodyCheck, ...]

    def find(self, item: dict[str, Any]) -> tuple[str, Checklist]:
        """The name and the checks of an item's type, missing and unknown ones included."""
        name = type_of(item)
        if item.get("type") is None:
            return name, self.items["message"] if name == "message" else self.untyped
        return name, self.items.get(name, self.other)


@lru_cache(maxsize=64)
def plan_for(profile: EndpointProfile, can: ModelCapabilities) -> Plan:
    """The functions to run for each type, without those that can't find anything here."""
    checks = [check for rule in RULES for check in rule.checks if check.when is None or check.when(profile, can)]
    by_scope = {
        scope: [check for check in checks if check.scope == scope] for scope in ("body", "item", "part", "tool")
    }
    parts = {owner: _parts([c for c in by_scope["part"] if owner in c.owners]) for owner in _OWNERS}
    items = _compile(by_scope["item"], (*ITEM_KEYS, UNTYPED, OTHER, NO_ITEM), ITEM_GUARDS)
    for name, (owner, field) in _PARTS_OF.items():
        items[name] = attrs.evolve(items[name], parts=parts[owner], field=field)
    return Plan(
        items={name: attrs.evolve(items[name], role=fixed_role(name)) for name in ITEM_KEYS},
        untyped=attrs.evolve(items[UNTYPED], role="reference"),
        other=items[OTHER],
        no_item=items[NO_ITEM],
        tools=_compile(by_scope["tool"], (), {}),
        screenshot=parts["screenshot"]["computer_screenshot"],
        body=tuple(check.run for check in by_scope["body"]),
    )


def _parts(checks: list[Check]) -> Compiled:
    return _compile(checks, (*PART_KEYS, OTHER), PART_GUARDS)


def _compile(checks: list[Check], known: tuple[str, ...], guards: Mapping[str, Guards]) -> Compiled:
    kinds = dict.fromkeys((*known, *(kind for check in checks for kind in check.types)))
    return {kind: _checklist([c.run for c in checks if kind in c.types], guards.get(kind, ())) for kind in kinds}


def _checklist(runs: list[Any], guards: Guards) -> Checklist:
    groups = {guard: tuple(run for run in runs if run in spared) for guard, spared in guards}
    behind = {run for spared in groups.values() for run in spared}
    always = tuple(run for run in runs if run not in behind)
    return Checklist(always, tuple((guard, spared) for guard, spared in groups.items() if spared))
