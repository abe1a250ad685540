"""The tools an agent may call."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

import attrs

from seamwright.errors import Fault, InvalidStateError
from seamwright.model.checks import FLAG, JSON_OBJECT, OPTIONAL_FLAG, TEXT, Check, as_frozen
from seamwright.model.guards import is_collection, is_tuple
from seamwright.model.spelling import shown

TOOL_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}\Z")


def _name(value: object) -> str | None:
    if isinstance(value, str) and TOOL_NAME.match(value):
        return None
    return f"{shown(value)} is not 1 to 64 letters, digits, '_' or '-'"


def _schema(value: object) -> str | None:
    if isinstance(value, Mapping):
        return JSON_OBJECT.problem(value)
    if isinstance(value, type) or callable(value):
        return None
    return f"{shown(value)} is not a JSON Schema, a validator description or a type"


@attrs.frozen(kw_only=True)
class Tool:
    """A function the model may call. ``input_schema`` is a JSON Schema or a validator description.

    ``trusted``: results need no untrusted envelope. ``strict=None`` leaves it to the options. ``handler`` is the host's
    own.
    """

    name: str = attrs.field(validator=Check(_name))
    description: str = attrs.field(validator=TEXT)
    input_schema: Any = attrs.field(converter=as_frozen, validator=Check(_schema))
    trusted: bool = attrs.field(default=False, validator=FLAG)
    strict: bool | None = attrs.field(default=None, validator=OPTIONAL_FLAG)
    handler: Callable[..., Any] | None = attrs.field(default=None, repr=False)


def _tools(value: Any) -> Any:
    return tuple(value) if is_collection(value) else value


def _are_tools(value: object) -> bool:
    return is_tuple(value) and all(isinstance(item, Tool) for item in value)


def _names(value: Iterable[str]) -> frozenset[str]:
    return frozenset(value)


@attrs.frozen
class ToolRegistry:
    """An ordered set of tools; some may be hidden from the model. Every change gives a new registry."""

    tools: tuple[Tool, ...] = attrs.field(default=(), converter=_tools)
    hidden_names: frozenset[str] = attrs.field(default=frozenset(), converter=_names)
    _by_name: dict[str, Tool] = attrs.field(init=False, repr=False, eq=False)

    def __attrs_post_init__(self) -> None:
        if not _are_tools(self.tools):
            raise InvalidStateError([Fault("tools", f"{shown(self.tools)} is not a list of tools")])
        by_name: dict[str, Tool] = {}
        faults: list[Fault] = []
        for index, tool in enumerate(self.tools):
            if tool.name in by_name:
                faults.append(
                    Fault(
                        f"tools[{index}].name",
                        f"{tool.name!r} is the name of an earlier tool; each needs one of its own",
                    )
                )
            by_name[tool.name] = tool
        if faults:
            raise InvalidStateError(faults)
        if unknown := sorted(self.hidden_names.difference(by_name)):
            raise InvalidStateError([Fault("tools", f"no tool named {unknown[0]!r} to hide")])
        object.__setattr__(self, "_by_name", by_name)

    def __iter__(self) -> Iterator[Tool]:
        return iter(self.tools)

    def __len__(self) -> int:
        return len(self.tools)

    def get(self, name: str) -> Tool | None:
        """The tool of that name, hidden or not."""
        return self._by_name.get(name)

    def visible(self) -> tuple[Tool, ...]:
        """The tools the model is told of, in order."""
        return tuple(tool for tool in self.tools if tool.name not in self.hidden_names)

    def hidden(self) -> tuple[Tool, ...]:
        """The tools the model is not told of, in order."""
        return tuple(tool for tool in self.tools if tool.name in self.hidden_names)

    def register(self, tool: Tool) -> ToolRegistry:
        """A registry with one more tool at the end; a name that is taken is an error."""
        return ToolRegistry((*self.tools, tool), self.hidden_names)

    def hide(self, *names: str) -> ToolRegistry:
        """A registry in which these tools are hidden."""
        return ToolRegistry(self.tools, self.hidden_names.union(names))

    def unhide(self, *names: str) -> ToolRegistry:
        """A registry in which these tools are shown again."""
        return ToolRegistry(self.tools, self.hidden_names.difference(names))

    def merge(self, other: ToolRegistry) -> ToolRegistry:
        """Both registries' tools, these first; a name in both is an error."""
        return ToolRegistry((*self.tools, *other.tools), self.hidden_names | other.hidden_names)


def as_registry(value: Any) -> Any:
    """An iterable of tools becomes a registry; what is none is left for the check to refuse."""
    return value if isinstance(value, ToolRegistry) else ToolRegistry(value)
