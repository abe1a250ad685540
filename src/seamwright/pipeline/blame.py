"""Which seam raised, and over what: read from the traceback, so that no call pays for it."""

from __future__ import annotations

import functools
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from types import CodeType, FrameType, MethodType
from typing import Any, Final

import attrs

from seamwright.awaiting import WrongResultError
from seamwright.errors import SeamError, SeamwrightError
from seamwright.model.guards import is_record, is_tuple
from seamwright.model.provider_item import ProviderItem
from seamwright.model.tools import Tool
from seamwright.pipeline.walk import subject
from seamwright.seams.ids import ItemIds
from seamwright.seams.steps import Rendered
from seamwright.wire.assembled import RenderWarning

_LAYERS: Final = 32
"""How many partials and decorators round a seam are looked through."""

_ID_METHODS: Final = tuple(name for name in vars(ItemIds) if not name.startswith("_"))


@contextmanager
def blaming(seams: attrs.AttrsInstance) -> Generator[None, None, None]:
    """What a seam raises inside the block becomes a :class:`SeamError`; the library's own errors stay as they are."""
    try:
        yield
    except SeamwrightError:
        raise
    except Exception as error:
        blamed = blame(error, seams)
        if blamed is error:
            raise
        raise blamed from error


def blame(error: Exception, seams: attrs.AttrsInstance) -> Exception:
    """A :class:`SeamError` naming the innermost seam in the traceback; the error itself when no seam is in it."""
    culprit = subject_id = rendering = None
    for frame in _frames(error):
        own = _subject(frame)
        rendering = own or rendering
        name = _seam_of(frame, seams)
        if name is not None:
            culprit, subject_id = name, rendering
        subject_id = subject_id or own  # a seam of many things has no subject of its own: the one it stumbled over
    if isinstance(error, WrongResultError) and error.seam is not None:
        culprit, subject_id = error.seam, rendering  # it returned: its frame is gone
    return error if culprit is None else SeamError(culprit, subject_id, error)


def _frames(error: Exception) -> Iterator[FrameType]:
    traceback = error.__traceback__
    while traceback is not None:
        yield traceback.tb_frame
        traceback = traceback.tb_next


def _seam_of(frame: FrameType, seams: attrs.AttrsInstance) -> str | None:
    """The seam whose frame it is; of several that share their code, the one with the frame's own bindings."""
    fits = {field.name: _fit(frame, field.name, getattr(seams, field.name)) for field in attrs.fields(type(seams))}
    name = max(fits, key=lambda name: fits[name])
    return name if fits[name] else None


def _fit(frame: FrameType, name: str, seam: Any) -> int:
    parts = [seam] if name != "item_ids" else [seam, *(getattr(seam, method, None) for method in _ID_METHODS)]
    layers = (layer for part in parts if part is not None for layer in _layers(part))
    return max((_fit_layer(frame, *layer) for layer in layers), default=0)


def _layers(seam: Any) -> Iterator[tuple[Any, tuple[Any, ...], Mapping[str, Any]]]:
    """The seam and what it wraps, each with the arguments that partials have bound."""
    args: tuple[Any, ...] = ()
    keywords: Mapping[str, Any] = {}
    for _ in range(_LAYERS):
        yield seam, args, keywords
        if isinstance(seam, functools.partial):
            seam, args, keywords = seam.func, (*seam.args, *args), {**seam.keywords, **keywords}
        elif (wrapped := getattr(seam, "__wrapped__", None)) is not None:
            seam, args, keywords = wrapped, (), {}
        else:
            return


def _fit_layer(frame: FrameType, target: Any, args: tuple[Any, ...], keywords: Mapping[str, Any]) -> int:
    """2 when the frame is surely the target's, 1 when it runs the target's code with other bindings, else 0."""
    code = getattr(target, "__code__", None)
    if type(code) is not CodeType:
        first = next((frame.f_locals.get(name) for name in frame.f_code.co_varnames), None)
        return 2 if first is target or (isinstance(target, type) and isinstance(first, target)) else 0
    if frame.f_code is not code:
        return 0
    if isinstance(target, MethodType):
        args = (target.__self__, *args)
    bound = {**_cells(target, code), **dict(zip(code.co_varnames[: code.co_argcount], args, strict=False)), **keywords}
    rest = args[code.co_argcount :]
    same = all(frame.f_locals.get(name) is value for name, value in bound.items())
    return 2 if same and (not rest or frame.f_locals.get(_rest(code) or "", ())[: len(rest)] == rest) else 1


def _cells(target: Any, code: CodeType) -> dict[str, Any]:
    cells = getattr(target, "__closure__", None) or ()
    return {name: _content(cell) for name, cell in zip(code.co_freevars, cells, strict=False)}


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _subject(frame: FrameType) -> str | None:
    """The id of what a frame is about: of its first local that has one; arguments stand first."""
    rest = _rest(frame.f_code)
    for name in frame.f_code.co_varnames:
        value: object = frame.f_locals.get(name)
        found = map(_id, value if name == rest and is_tuple(value) else (value,))
        if (own := next(filter(None, found), None)) is not None:
            return own
    return None


def _rest(code: CodeType) -> str | None:
    """The name of ``*args``, if the code has it."""
    takes_rest = code.co_flags & 0x04
    return code.co_varnames[code.co_argcount + code.co_kwonlyargcount] if takes_rest else None


def _id(value: object) -> str | None:
    match value:
        case Rendered():
            return subject(value)
        case ProviderItem():
            return subject(Rendered(None, value))
        case Tool():
            return value.name
        case RenderWarning():
            return value.subject_id
        case _ if is_record(value):
            own = getattr(value, "id", None) or getattr(value, "call_id", None)
            return own if isinstance(own, str) else None
        case _:
            return None
