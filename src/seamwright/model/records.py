"""How a class of primitives is read and dumped, field by field: every fault with its path."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import attrs
import cattrs

from seamwright.errors import Fault, InvalidStateError
from seamwright.model.checks import Check
from seamwright.model.faults import Hook, collect, object_of, raise_all, unknown_keys

converter: Final = cattrs.Converter(detailed_validation=False)
"""Finds the hook of a type. :mod:`seamwright.model.converter` is where it has all of them."""


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

    @property
    def missing(self) -> str:
        """What is said where a required field is not there."""
        expected = self.check and self.check.expected
        return f"is missing; {expected} is expected" if expected else "is missing"

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
                faults.append(Fault(field.name, field.missing))
        if self.sources is not None:
            self.sources.read_into(values, value, faults)
        raise_all(faults)
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
        faults += [Fault(name, NO_CODE) for name in self.code if getattr(value, name) is not None]
        raise_all(faults)
        return result


def _default(default: Any, owner: Any) -> Any:
    if isinstance(default, attrs.Factory):  # type: ignore[arg-type]  # a function to mypy, a class at run time
        return default.factory(owner) if default.takes_self else default.factory()
    return default


NO_CODE: Final = "a text, a reader or a schema given as code can't be written to a file; render or read it first"


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
