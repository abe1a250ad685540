"""The smallest change that makes a request acceptable, each change reported."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from seamwright.check.endpoints import endpoint_profile
from seamwright.check.engine import check_request, plain_request
from seamwright.check.json_types import is_list, is_object
from seamwright.check.models import ModelCapabilities
from seamwright.check.repair.change import Action, Change
from seamwright.check.repair.dispatch import fix_all, rank, remove
from seamwright.check.repair.draft import Draft
from seamwright.check.tree import Reader, read_body
from seamwright.check.violation import Violation
from seamwright.model.endpoints import EndpointProfile

__all__ = ["Action", "Change", "repair_request"]


def repair_request(
    body: object,
    endpoint: str | EndpointProfile = "openai",
    *,
    models: Mapping[str, ModelCapabilities] | None = None,
) -> tuple[dict[str, Any], list[Change]]:
    """A request without errors for ``check_request``, and what was changed for it, in the order it was done.

    A body without errors comes back as it is, warnings and all; any other as a changed copy. Text of a user or a tool
    that can't stay where it stands goes on as a message, or its loss is one of the changes. Takes and raises what
    ``check_request`` does.
    """
    profile = endpoint_profile(endpoint)
    if not _errors(check_request(body, profile, models=models)):
        return plain_request(body)[0], []
    draft = Draft(*_readable(body), profile)
    tried: list[Violation] = []
    while errors := _errors(check_request(draft.body, profile, models=models)):
        batch = _first_rule(errors)
        before = len(draft.changes)
        if batch != tried:
            fix_all(draft, batch)
        if len(draft.changes) == before:
            remove(draft, batch[0])
        tried = batch
        draft.settle()
    return draft.body, draft.changes


def _errors(violations: list[Violation]) -> list[Violation]:
    return [violation for violation in violations if violation.severity == "error"]


def _first_rule(errors: list[Violation]) -> list[Violation]:
    first = min(map(rank, errors))
    return [violation for violation in errors if rank(violation) == first]


def _readable(body: object) -> tuple[dict[str, Any], list[Change]]:
    """The body as plain JSON, mended where JSON can't hold it; an empty one when there is nothing to read."""
    reader = Reader(mend=True)
    try:
        request = read_body(body)
        plain = reader.read(request)
    except Exception as error:  # noqa: BLE001 - see plain_request: whatever reading raises, there is no request
        return {}, [Change("X1", "", "removed", f"no request could be read: {error}")]
    changes = [Change(problem.rule, problem.path, "changed", problem.message) for problem in reader.problems]
    if is_list(plain):
        return {"input": plain}, [*changes, Change("X1", "", "changed", "a list, sent as the input of a request")]
    if is_object(plain):
        return plain, changes
    return {}, [Change("X1", "", "removed", f"expected an object, got {type(request).__name__}")]
