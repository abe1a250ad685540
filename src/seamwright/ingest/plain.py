"""Objects of an SDK, mappings and dicts as plain JSON data."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from seamwright.check.json_types import kind
from seamwright.errors import IngestError

_SCALARS = frozenset({str, int, bool, type(None)})


def plain(value: object) -> Any:
    """A fresh copy of ``value`` made of dict, list, str, int, float, bool and None only.

    SDK objects (pydantic models) give the keys the API sent, unknown ones included, and no key it did not send. NaN and
    the infinities become None, as a JavaScript serialiser writes them: JSON has no such numbers. What is no JSON value
    at all becomes its text. Linear in the size of the value.
    """
    if type(value) in _SCALARS:
        return value
    if isinstance(value, (str, int, float)):
        return _scalar(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in cast(Mapping[object, object], value).items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in cast(Iterable[object], value)]
    dumped = _dump(value)
    return str(value) if dumped is None else plain(dumped)


def fields(value: object) -> dict[str, Any] | None:
    """The top level of an object or mapping, its values as they are; None when it has none.

    For events: most are a few fields round a delta, and dumping a whole model for each of them would be the largest
    cost of a stream.
    """
    if type(value) is dict:
        return cast(dict[str, Any], value)
    if isinstance(value, Mapping):
        return dict(cast(Mapping[str, Any], value))
    if not _is_model(value):
        return None
    extra: Mapping[str, Any] = getattr(value, "__pydantic_extra__", None) or {}
    return {**vars(value), **extra}


def as_mapping(value: object) -> dict[str, Any]:
    """An SDK object, dict or other mapping as a plain dict, see :func:`plain`.

    Raises ``IngestError`` for anything else.
    """
    if not _has_fields(value):
        raise IngestError("", f"expected an object of the SDK or a mapping, got {kind(value)}")
    try:
        result = plain(value)
    except RecursionError as cause:
        raise IngestError("", "nested too deeply to be read") from cause
    if not isinstance(result, dict):
        raise IngestError("", f"expected an object, got {kind(cast(object, result))}")
    return cast(dict[str, Any], result)


def try_mapping(value: object) -> dict[str, Any] | None:
    """Like :func:`as_mapping`, with None for what is no mapping."""
    try:
        return as_mapping(value)
    except IngestError:
        return None


def as_index(value: object) -> int | None:
    """A position (0, 1, …) from a number or from its decimal text; None for anything else."""
    if isinstance(value, str):
        text = value.strip()
        return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return int(value) if value >= 0 and math.isfinite(value) and value == int(value) else None


def join_text(pieces: Iterable[str]) -> str:
    """The pieces joined; a surrogate pair that was cut between two deltas becomes its character again."""
    text = "".join(pieces)
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return text


def _scalar(value: str | float) -> str | float | None:
    """A number or a member of a subclass (an enum, a numpy float) as the plain value it stands for."""
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int(value)
    return float(value) if math.isfinite(value) else None


def _has_fields(value: object) -> bool:
    return isinstance(value, Mapping) or _is_model(value)


def _is_model(value: object) -> bool:
    return hasattr(value, "model_dump") and not isinstance(value, type)


def _dump(value: object) -> object | None:
    """What a pydantic model holds. A model over a type that has no JSON form is taken apart as Python objects."""
    if not _is_model(value):
        return None
    dump = cast(Callable[..., object], getattr(value, "model_dump"))  # noqa: B009
    try:
        return dump(mode="json", by_alias=True, exclude_unset=True, warnings=False)
    except Exception:  # noqa: BLE001 the serialiser of a host's own type may raise anything
        return dump(mode="python", by_alias=True, exclude_unset=True, warnings=False)
