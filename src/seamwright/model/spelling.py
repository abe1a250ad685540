"""How a message shows a value: as Python has it, or, while a state file is read, as the file has it."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from seamwright.model.guards import is_array, is_mapping

_FROM_JSON: Final[ContextVar[bool]] = ContextVar("from_json", default=False)

_WORDS: Final[dict[Any, str]] = {None: "null", True: "true", False: "false"}


@contextmanager
def spelled_as_json() -> Generator[None, None, None]:
    """Inside the block values are shown in the words of JSON: ``null``, ``true``, ``false``."""
    token = _FROM_JSON.set(True)
    try:
        yield
    finally:
        _FROM_JSON.reset(token)


def is_from_json() -> bool:
    """Whether what is looked at stands in a state file, and was not written in Python."""
    return _FROM_JSON.get()


def shown(value: object) -> str:
    """A value as an error message shows it, cut to a readable length."""
    try:
        text = _as_json(value) if is_from_json() else repr(value)
    except Exception:  # noqa: BLE001  # nested too deep, more digits than Python prints, or a repr that fails
        return f"a value of type {type(value).__name__}"
    return text if len(text) <= 80 else text[:77] + "..."


def _as_json(value: object) -> str:
    """Texts stay in single quotes, as everywhere in a message."""
    if value is None or isinstance(value, bool):
        return _WORDS[value]
    if is_mapping(value):
        return "{" + ", ".join(f"{_as_json(key)}: {_as_json(item)}" for key, item in value.items()) + "}"
    if is_array(value):
        return "[" + ", ".join(map(_as_json, value)) + "]"
    return repr(value)
