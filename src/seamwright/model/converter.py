"""The one converter between primitives and their JSON: every fault with its path, and what was read is dumped again.

Built on cattrs: its dispatch finds the hook of a type, the hooks here add the paths. A hook raises
:class:`InvalidStateError` with paths relative to its own value; whoever called it puts its own place in front.
"""

from __future__ import annotations

import base64
import binascii
import collections.abc
import typing
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, Final, Literal, get_args, get_origin

import attrs
import cattrs

from seamwright.errors import Fault, InvalidStateError, nearest
from seamwright.model.artifact import SpooledArtifact, ToolMethod
from seamwright.model.budget import TokenBudget
from seamwright.model.checks import FLAG, TEXT, Check, as_tuple, json_problem, shown
from seamwright.model.endpoints import ENDPOINTS, EndpointProfile
from seamwright.model.folder import find_file
from seamwright.model.guards import is_array, is_mapping
from seamwright.model.identity import Identity, as_identity
from seamwright.model.knowledge import Memory, Retrievable
from seamwright.model.media import Media, StashEntry
from seamwright.model.message import Message
from seamwright.model.options import FallbackStash, RenderOptions, bucket_faults
from seamwright.model.origin import ResponseOrigin
from seamwright.model.provider_item import ProviderItem
from seamwright.model.sources import FileId, FileSource, Url
from seamwright.model.thought import REASONING_VARIANT, ReasoningPayload, Thought
from seamwright.model.times import dump_time, parse_time
from seamwright.model.tool_call import ToolCall
from seamwright.model.tools import Tool

Hook = Callable[[Any], Any]


def join(place: str, rest: str) -> str:
    """One path out of two: ``messages`` + ``[3]`` + ``role`` → ``messages[3].role``."""
    if not rest or not place:
        return place or rest
    return place + rest if rest.startswith("[") else f"{place}.{rest}"


def under(place: str, error: InvalidStateError) -> list[Fault]:
    """The faults of an error, moved below *place*."""
    return [Fault(join(place, fault.path), fault.problem) for fault in error.faults]


def fault(problem: str, path: str = "") -> InvalidStateError:
    """An error of one fault."""
    return InvalidStateError([Fault(path, problem)])


def collect(faults: list[Fault], place: str, hook: Hook, value: Any) -> Any:
    """What *hook* makes of a value; its faults go to *faults*, below *place*."""
    try:
        return hook(value)
    except InvalidStateError as error:
        faults.extend(under(place, error))
        return None


def object_of(value: Any) -> Mapping[str, Any]:
    """The value, when it is an object."""
    if not is_mapping(value):
        raise fault(f"{shown(value)} is not an object")
    return value


def unknown_keys(value: Mapping[str, Any], known: typing.Collection[str]) -> list[Fault]:
    """A fault at each key that is not known, naming the nearest that is."""
    return [
        Fault(str(key), f"unknown key{nearest(str(key), known)}; known: {', '.join(known)}")
        for key in value
        if key not in known
    ]


@attrs.frozen
class Field:
    """How one field of a record is read and dumped."""

    name: str
    read: Hook
    dump: Hook
    check: Check | None
    convert: Hook | None
    default: Any
    required: bool

    def read_into(self, values: dict[str, Any], raw: Any, faults: list[Fault]) -> None:
        before = len(faults)
        value = collect(faults, self.name, self.read, raw)
        if len(faults) > before:
            return
        values[self.name] = value
        problem = self.check and self.check.problem(self.convert(value) if self.convert else value)
        if problem:
            faults.append(Fault(self.name, problem))


@attrs.frozen
class Sources:
    """The keys of which exactly one says where the content of a media or an artifact comes from."""

    field: str
    read: Mapping[str, Hook]
    dump: Hook

    def read_into(self, values: dict[str, Any], raw: Mapping[str, Any], faults: list[Fault]) -> None:
        given = [key for key in self.read if key in raw]
        if len(given) != 1:
            faults.append(Fault("", f"exactly one of {', '.join(self.read)} is needed, not {len(given)}"))
            return
        values[self.field] = collect(faults, given[0], self.read[given[0]], raw[given[0]])


@attrs.frozen
class Record:
    """Reads and dumps one class of primitives, field by field. ``code`` names the fields that no file can hold."""

    cls: type
    fields: tuple[Field, ...]
    sources: Sources | None
    code: tuple[str, ...]
    known: tuple[str, ...]

    def read(self, raw: Any, _: object = None) -> Any:
        value = object_of(raw)
        faults = unknown_keys(value, self.known)
        values: dict[str, Any] = {}
        for field in self.fields:
            if field.name in value:
                field.read_into(values, value[field.name], faults)
            elif field.required:
                faults.append(Fault(field.name, "is missing"))
        if self.sources is not None:
            self.sources.read_into(values, value, faults)
        if faults:
            raise InvalidStateError(faults)
        try:
            return self.cls(**values)
        except InvalidStateError as error:
            raise InvalidStateError([self._relative(one) for one in error.faults]) from None

    def _relative(self, one: Fault) -> Fault:
        return Fault(one.path.removeprefix(self.cls.__name__).removeprefix("."), one.problem)

    def dump(self, value: Any) -> dict[str, Any]:
        result: dict[str, Any] = {}
        faults: list[Fault] = []
        for field in self.fields:
            item = getattr(value, field.name)
            if field.required or item != _default(field.default, value):
                result[field.name] = collect(faults, field.name, field.dump, item)
        if self.sources is not None:
            result.update(collect(faults, "", self.sources.dump, getattr(value, self.sources.field)) or {})
        faults += [Fault(name, _NO_CODE) for name in self.code if getattr(value, name) is not None]
        if faults:
            raise InvalidStateError(faults)
        return result


def _default(default: Any, owner: Any) -> Any:
    if isinstance(default, attrs.Factory):  # type: ignore[arg-type]  # a function to mypy, a class at run time
        return default.factory(owner) if default.takes_self else default.factory()
    return default


_NO_CODE: Final = "a text, a reader or a schema given as code can't be written to a file; render or read it first"

converter: Final = cattrs.Converter(detailed_validation=False)
_records: Final[dict[type, Record]] = {}


def record(
    cls: type,
    sources: Sources | None = None,
    code: tuple[str, ...] = (),
    beside: tuple[str, ...] = (),
    **special: tuple[Hook, Hook],
) -> Record:
    """Registers a class with the converter. ``special`` gives (read, dump) of fields whose spelling is their own.

    ``beside``: keys that stand beside the fields and are read by somebody else.
    """
    attributes = [a for a in attrs.fields(attrs.resolve_types(cls)) if a.init]
    skipped = (*code, sources.field) if sources else code
    fields = tuple(_field(a, special.get(a.name)) for a in attributes if a.name not in skipped)
    known = (*(field.name for field in fields), *(sources.read if sources else ()), *beside)
    made = Record(cls, fields, sources, code, known)
    _records[cls] = made
    converter.register_structure_hook(cls, made.read)
    converter.register_unstructure_hook(cls, made.dump)
    return made


def _field(attribute: attrs.Attribute[Any], special: tuple[Hook, Hook] | None) -> Field:
    check = attribute.validator if isinstance(attribute.validator, Check) else None
    given: Any = attribute
    convert: Hook | None = given.converter if callable(given.converter) else None
    read, dump = special or (hook_of(attribute.type), converter.unstructure)
    default = attribute.default
    return Field(attribute.name, read, dump, check, convert, default, default is attrs.NOTHING)


def hook_of(kind: Any) -> Hook:
    """The function that reads a value of a type."""
    found = converter.get_structure_hook(kind)
    return lambda value: found(value, kind)


# --- types that stand in JSON as they are: the field's own check says what is wrong with them


def _list_type(kind: Any) -> bool:
    return get_origin(kind) is tuple


def _mapping_type(kind: Any) -> bool:
    return kind is Mapping or get_origin(kind) is collections.abc.Mapping


def _plain(kind: Any) -> bool:
    if kind in (Any, int, float, bytes) or get_origin(kind) in (Literal, Callable):
        return True
    arguments = get_args(kind)
    return (
        get_origin(kind) is not tuple
        and bool(arguments)
        and all(_plain(a) or a in (str, type(None)) for a in arguments)
    )


def _strict(check: Check) -> Callable[[Any, Any], Any]:
    def read(value: Any, _: object) -> Any:
        if (problem := check.problem(value)) is not None:
            raise fault(problem)
        return value

    return read


def _time(value: Any, _: object) -> datetime:
    try:
        return parse_time(value)
    except ValueError as error:
        raise fault(str(error)) from None


def _list_hook(kind: Any) -> Callable[[Any, Any], Any]:
    read = hook_of(get_args(kind)[0])

    def read_list(value: Any, _: object) -> tuple[Any, ...]:
        if not is_array(value):
            raise fault(f"{shown(value)} is not a list")
        faults: list[Fault] = []
        items = tuple(collect(faults, f"[{index}]", read, item) for index, item in enumerate(value))
        if faults:
            raise InvalidStateError(faults)
        return items

    return read_list


def _identity(value: Any, _: object) -> Any:
    return as_identity(value) if isinstance(value, str) else _records[Identity].read(value)


def _dump_identity(value: Identity) -> Any:
    if value.identifier == value.representation:
        return value.identifier
    return {"identifier": value.identifier, "representation": value.representation}


def _mapping(value: Any, _: object) -> Any:
    return _json_value(object_of(value))


def _json_value(value: Any) -> Any:
    if (problem := json_problem(value)) is not None:
        raise fault(problem)
    return value


def _dump_list(items: Iterable[Any]) -> list[Any]:
    faults: list[Fault] = []
    dumped = [collect(faults, f"[{index}]", converter.unstructure, item) for index, item in enumerate(items)]
    if faults:
        raise InvalidStateError(faults)
    return dumped


def _dump_named(items: Mapping[str, Any]) -> dict[str, Any]:
    faults: list[Fault] = []
    dumped = {key: collect(faults, key, converter.unstructure, item) for key, item in items.items()}
    if faults:
        raise InvalidStateError(faults)
    return dumped


def _dump_code(value: Any) -> Any:
    raise fault(_NO_CODE if callable(value) else f"a value of type {type(value).__name__} has no form in JSON")


def _is_a(*classes: type) -> Callable[[Any], bool]:
    return lambda kind: isinstance(kind, type) and issubclass(kind, classes)


def _is_no_json(kind: Any) -> bool:
    return not _is_a(str, int, float, type(None), dict, list, tuple)(kind)


converter.register_structure_hook_func(_plain, lambda value, _: value)
converter.register_structure_hook(str, _strict(TEXT))
converter.register_structure_hook(bool, _strict(FLAG))
converter.register_structure_hook(datetime, _time)
converter.register_unstructure_hook(datetime, dump_time)
converter.register_structure_hook_factory(_list_type, _list_hook)
converter.register_structure_hook_func(_mapping_type, _mapping)
converter.register_unstructure_hook_func(_is_no_json, _dump_code)
converter.register_unstructure_hook_func(_is_a(tuple), _dump_list)
converter.register_unstructure_hook_func(_is_a(dict, list), _json_value)


# --- unions, spelled as the state file spells them


def _base64(value: Any) -> bytes:
    if not isinstance(value, str):
        raise fault(f"{shown(value)} is not base64")
    try:
        return base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        raise fault(f"{shown(value)} is not base64") from None


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise fault(f"{shown(value)} is not a string")
    return value


def dump_source(source: Any) -> dict[str, Any]:
    """Where content comes from, as a state file spells it: a path stays a path."""
    match source:
        case FileSource():
            return {"path": source.shown}
        case Url():
            return {"url": source.url}
        case FileId():
            return {"file_id": source.file_id}
        case bytes():
            return {"data": base64.b64encode(source).decode()}
        case str():
            return {"text": source}
        case _:
            return typing.cast("dict[str, Any]", _dump_code(source))


def _dump_artifact_source(source: Any) -> dict[str, Any]:
    """An artifact is text: its bytes are written as what :meth:`SpooledArtifact.as_string` shows."""
    return {"text": source.decode(errors="replace")} if isinstance(source, bytes) else dump_source(source)


_MEDIA_SOURCES: Final = Sources(
    "source_reader",
    {
        "data": _base64,
        "path": find_file,
        "url": lambda value: Url(_text(value)),
        "file_id": lambda value: FileId(_text(value)),
    },
    dump_source,
)
_ARTIFACT_SOURCES: Final = Sources("reader", {"text": _text, "path": find_file}, _dump_artifact_source)


def _stash(value: Any) -> dict[str, Any]:
    faults: list[Fault] = []
    read = hook_of(StashEntry)
    entries = {key: collect(faults, key, read, entry) for key, entry in object_of(value).items()}
    if faults:
        raise InvalidStateError(faults)
    return entries


def _content(value: Any) -> Any:
    if not is_mapping(value):
        return value
    faults = unknown_keys(value, ("artifact",))
    if "artifact" not in value:
        faults.append(Fault("artifact", "is missing"))
    artifact = collect(faults, "artifact", hook_of(SpooledArtifact), value.get("artifact")) if not faults else None
    if faults:
        raise InvalidStateError(faults)
    return artifact


def _dump_content(value: Any) -> Any:
    return _dump_named({"artifact": value}) if isinstance(value, SpooledArtifact) else converter.unstructure(value)


def _some(kind: Any) -> Hook:
    read = hook_of(tuple[kind, ...])

    def read_some(value: Any) -> Any:
        items = read(value)
        if not items:
            raise fault("an empty list holds no result; use null for a pending call")
        return items

    return read_some


def _result_shapes() -> dict[str, Hook]:
    return {
        "text": _text,
        "media": _some(Media),
        "artifact": hook_of(SpooledArtifact),
        "artifacts": _some(SpooledArtifact),
    }


def _results(value: Any) -> Any:
    if value is None:
        return None
    shapes = _result_shapes()
    given = object_of(value)
    if unknown := unknown_keys(given, shapes):
        raise InvalidStateError(unknown)
    if len(given) != 1:
        raise fault(f"exactly one of {', '.join(shapes)} is needed, not {len(given)}")
    [(key, raw)] = given.items()
    faults: list[Fault] = []
    result = collect(faults, key, shapes[key], raw)
    if faults:
        raise InvalidStateError(faults)
    return result


def _dump_results(value: Any) -> Any:
    match value:
        case None:
            return None
        case str():
            return {"text": value}
        case SpooledArtifact():
            return _dump_named({"artifact": value})
        case _:
            return _dump_named({"media" if isinstance(value[0], Media) else "artifacts": value})


def _payload(value: Any) -> Any:
    if value is None or object_of(value).get("variant", REASONING_VARIANT) != REASONING_VARIANT:
        return value
    return hook_of(ReasoningPayload)(value)


def _args(value: Any) -> Any:
    return value


def _policy(value: Any) -> Any:
    if not is_mapping(value):
        return value
    faults = unknown_keys(value, ("mode", "keys"))
    if value.get("mode") != "fallback-stash":
        faults.append(Fault("mode", f"{shown(value.get('mode'))} is not 'fallback-stash'"))
    if "keys" not in value:
        faults.append(Fault("keys", "is missing"))
    keys = collect(faults, "keys", hook_of(tuple[str, ...]), value.get("keys", ()))
    if faults:
        raise InvalidStateError(faults)
    return FallbackStash(keys)


def _dump_policy(value: Any) -> Any:
    return {"mode": "fallback-stash", "keys": list(value.keys)} if isinstance(value, FallbackStash) else value


def _budget(value: Any) -> Any:
    return hook_of(TokenBudget)(value) if is_mapping(value) else value


def _dump_budget(value: Any) -> Any:
    return None if value is None else converter.unstructure(value)


def _bucket_order(value: Any) -> Any:
    if faults := bucket_faults(value, ""):
        raise InvalidStateError(faults)
    return as_tuple(value)


def _dump_endpoint(value: EndpointProfile) -> str:
    if ENDPOINTS.get(value.name) != value:
        raise fault(f"a host's own profile {value.name!r} can't be written to a file")
    return value.name


record(Identity)
converter.register_structure_hook(Identity, _identity)
converter.register_unstructure_hook(Identity, _dump_identity)
record(ResponseOrigin)
record(StashEntry, value=(_json_value, converter.unstructure))
record(ToolMethod)
record(SpooledArtifact, _ARTIFACT_SOURCES)
record(Media, _MEDIA_SOURCES, stash=(_stash, _dump_named))
record(Memory)
record(Retrievable, content=(_content, _dump_content))
record(Message)
record(ReasoningPayload)
record(Thought, payload=(_payload, converter.unstructure))
record(ToolCall, results=(_results, _dump_results), args=(_args, converter.unstructure))
record(ProviderItem)
record(Tool, code=("handler",), beside=("hidden",))
record(TokenBudget, tokens=(_args, converter.unstructure), low_water=(_args, converter.unstructure))
OPTIONS: Final = record(
    RenderOptions,
    bucket_order=(_bucket_order, list),
    unsupported_media_policy=(_policy, _dump_policy),
    endpoint=(_args, _dump_endpoint),
    budget=(_budget, _dump_budget),
)
