"""Which seam raised, and over what: read from the traceback, so that no call pays for it."""

from __future__ import annotations

import functools
from types import CodeType, FrameType
from typing import Any

import attrs

from seamwright.errors import SeamError
from seamwright.model.guards import is_record


def blame(error: Exception, seams: attrs.AttrsInstance) -> Exception:
    """A :class:`SeamError` naming the innermost seam in the traceback; the error itself when no seam is in it.

    ``seams`` is the record of a pipeline's seams.
    """
    culprit = None
    subject_id = None
    for frame in _frames(error):
        name = _seam_of(frame, seams)
        if name is None:
            continue
        culprit = name
        subject_id = _subject(frame) or subject_id
    return error if culprit is None else SeamError(culprit, subject_id, error)


def _frames(error: Exception) -> list[FrameType]:
    frames: list[FrameType] = []
    traceback = error.__traceback__
    while traceback is not None:
        frames.append(traceback.tb_frame)
        traceback = traceback.tb_next
    return frames


def _seam_of(frame: FrameType, seams: attrs.AttrsInstance) -> str | None:
    for field in attrs.fields(type(seams)):
        seam = getattr(seams, field.name)
        if seam is not None and _runs(frame, seam):
            name: str = field.name
            return name
    return None


def _runs(frame: FrameType, seam: Any) -> bool:
    """Whether a frame is one of this seam's: its function, or a method of its object."""
    while isinstance(seam, functools.partial):
        seam = seam.func
    target = getattr(seam, "__wrapped__", seam)
    code = getattr(target, "__code__", None)
    if not isinstance(code, CodeType):
        return any(frame.f_locals.get(name) is seam for name in frame.f_code.co_varnames[:1])
    if frame.f_code is not code:
        return False
    cells = dict(zip(code.co_freevars, getattr(target, "__closure__", None) or (), strict=False))
    return all(frame.f_locals.get(name) is _content(cell) for name, cell in cells.items())


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _subject(frame: FrameType) -> str | None:
    """The id of what a seam was called with: of its first argument that has one."""
    arguments = frame.f_code.co_varnames[: frame.f_code.co_argcount]
    for name in arguments:
        value = frame.f_locals.get(name)
        own = getattr(value, "id", None) or getattr(value, "call_id", None)
        if isinstance(own, str) and is_record(value):
            return own
    return None
