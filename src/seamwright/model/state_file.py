"""The JSON state file: ``load_state`` and ``dump_state``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import attrs

from seamwright.errors import Fault, InvalidStateError
from seamwright.model.checks import FLAG
from seamwright.model.converter import OPTIONS, converter, hook_of, record
from seamwright.model.faults import collect, fault, under, unknown_keys
from seamwright.model.folder import Folder, reading_in
from seamwright.model.guards import is_array, is_mapping
from seamwright.model.options import RenderOptions
from seamwright.model.spelling import shown, spelled_as_json
from seamwright.model.state import AgentState
from seamwright.model.tools import Tool, ToolRegistry

VERSION: Final = 1

_SERVER_SIDE: Final = ("previous_response_id", "conversation")
_STATELESS: Final = (
    "is not supported: the whole history is sent each time, and stands in messages, thoughts, tool_calls"
)

StateSource = Mapping[str, Any] | str | bytes | Path


def load_state(
    source: StateSource, base_dir: Path | str | None = None, *, allow_paths: bool = False
) -> tuple[AgentState, RenderOptions]:
    """A state and its options from a mapping, JSON text (``str``, ``bytes``) or a file (``Path``).

    ``base_dir`` is where the ``path`` of a media or an artifact begins (default: the folder of the file);
    ``allow_paths`` lets it leave that folder. Raises :class:`InvalidStateError` with every fault and its path.
    """
    if base_dir is None and isinstance(source, Path):
        base_dir = source.parent
    with spelled_as_json(), reading_in(Folder(None if base_dir is None else Path(base_dir), allow_paths)):
        return _structure(_parse(source))


def dump_state(state: AgentState, options: RenderOptions) -> dict[str, Any]:
    """The state file of a state: what differs from the defaults, paths as paths.

    Raises :class:`InvalidStateError` with every place that holds code, which no file can.
    """
    faults: list[Fault] = []
    dumped = collect(faults, "", _STATE.dump, state)
    given = collect(faults, "options", OPTIONS.dump, options)
    if faults:
        raise InvalidStateError(faults)
    result: dict[str, Any] = {"version": VERSION, "model": given.pop("model")}
    if given:
        result["options"] = given
    return {**result, **dumped}


def _parse(source: StateSource) -> Any:
    if isinstance(source, Mapping):
        return source
    return parse_json(_read(source) if isinstance(source, Path) else source)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise fault(f"{path}: can't be read: {error.strerror or error}") from None


def parse_json(content: str | bytes) -> Any:
    """A JSON text. Raises :class:`InvalidStateError` saying where it breaks off."""
    try:
        return json.loads(content)
    except RecursionError:
        raise fault("no JSON that can be read: nested too deep") from None
    except ValueError as error:
        raise fault(f"no JSON: {error}") from None


def with_options(raw: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """The content of a state file with some options set anew; ``model`` is one of them."""
    options = {name: value for name, value in changes.items() if name != "model"}
    result = dict(raw)
    if "model" in changes:
        result["model"] = changes["model"]
    given = result.get("options", {})
    if options and is_mapping(given):
        result["options"] = {**given, **options}
    return result


def _structure(raw: Any) -> tuple[AgentState, RenderOptions]:
    if not is_mapping(raw):
        raise fault(f"{shown(raw)} is not an object; a state file holds at least its model")
    value: Mapping[str, Any] = raw
    faults = [Fault(key, _STATELESS) for key in _SERVER_SIDE if key in value]
    faults += unknown_keys({key: item for key, item in value.items() if key not in _SERVER_SIDE}, _KNOWN)
    if "version" in value and (type(value["version"]) is not int or value["version"] != VERSION):
        faults.append(Fault("version", f"{shown(value['version'])} is not {VERSION}, the version this library reads"))
    options = _read_options(value, faults)
    state = collect(faults, "", _STATE.read, {key: item for key, item in value.items() if key in _STATE.known})
    if faults:
        raise InvalidStateError(faults)
    return state, options


def _read_options(value: Mapping[str, Any], faults: list[Fault]) -> Any:
    raw: Any = value.get("options", {})
    if not is_mapping(raw):
        faults.append(Fault("options", f"{shown(raw)} is not an object"))
    given: Mapping[str, Any] = raw if is_mapping(raw) else {}
    if "model" in given:
        faults.append(Fault("options.model", "the model stands at the top level, beside options"))
    merged = {key: item for key, item in given.items() if key != "model"}
    if "model" in value:
        merged["model"] = value["model"]
    try:
        return OPTIONS.read(merged)
    except InvalidStateError as error:
        for one in error.faults:
            faults.extend([one] if one.path == "model" else under("options", InvalidStateError([one])))
        return None


def _read_tools(raw: Any) -> ToolRegistry:
    if not is_array(raw):
        raise fault(f"{shown(raw)} is not a list")
    faults: list[Fault] = []
    read = hook_of(Tool)
    tools: list[Tool] = []
    hidden: list[Any] = []
    for index, item in enumerate(raw):
        place = f"[{index}]"
        given, flag = _without_hidden(item)
        if (problem := FLAG.problem(flag)) is not None:
            faults.append(Fault(f"{place}.hidden", problem))
        elif flag is True:
            hidden.append(given.get("name"))
        tools.append(collect(faults, place, read, given))
    if faults:
        raise InvalidStateError(faults)
    return _registry(tools, hidden)


def _without_hidden(item: Any) -> tuple[Any, Any]:
    """A tool's own keys, and ``hidden``, which is the registry's."""
    if not is_mapping(item):
        return item, False
    return {key: value for key, value in item.items() if key != "hidden"}, item.get("hidden", False)


def _registry(tools: list[Tool], hidden: list[Any]) -> ToolRegistry:
    try:
        return ToolRegistry(tools, hidden)
    except InvalidStateError as error:  # its paths begin with tools, where we stand already
        raise InvalidStateError([attrs.evolve(f, path=f.path.removeprefix("tools")) for f in error.faults]) from None


def _dump_tools(registry: ToolRegistry) -> list[Any]:
    hidden = registry.hidden_names
    tools = converter.unstructure(registry.tools)
    return [dumped | ({"hidden": True} if dumped["name"] in hidden else {}) for dumped in tools]


_STATE: Final = record(AgentState, tools=(_read_tools, _dump_tools))
_KNOWN: Final = ("version", "model", "options", *_STATE.known)

STATE_KEYS: Final = frozenset(_KNOWN)
"""The keys that a state file may have."""
