"""Every error is caught by the root and carries its data as typed attributes."""

from __future__ import annotations

from typing import assert_type

from seamwright.errors import Fault, InvalidStateError, SeamError, SeamwrightError, StrictSchemaError


def root(error: SeamwrightError) -> str:
    return str(error)


def faults(error: InvalidStateError) -> None:
    root(error)
    assert_type(error.faults, tuple[Fault, ...])
    assert_type(error.fields, list[str])
    assert_type(error.faults[0].path, str)


def seam(error: SeamError) -> None:
    root(error)
    assert_type(error.subject_id, str | None)
    assert_type(error.cause, BaseException)


def schema(error: StrictSchemaError) -> None:
    root(error)
    assert_type(error.tool, str | None)
