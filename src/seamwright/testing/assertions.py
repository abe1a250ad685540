"""Assertions about builds and requests, whose failures show what differs and where."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping
from itertools import islice
from types import EllipsisType
from typing import Any, Final

from seamwright.check import Violation, check_request
from seamwright.check.paths import locate
from seamwright.errors import nearest
from seamwright.model.endpoints import EndpointProfile
from seamwright.model.state import AgentState
from seamwright.model.thought import Thought, is_reasoning
from seamwright.wire.assembled import AssembledInput, RenderWarning
from seamwright.wire.difference import first_difference

Request = AssembledInput | Mapping[str, Any]
"""A build, or the body of a request."""

_LINES: Final = 60
_CHARACTERS: Final = 200


def assert_request_equal(actual: Request, expected: Request, /) -> None:
    """That two requests are the same JSON, wherever their keys stand. A build counts as its ``to_request()``.

    The failure names the first place where they differ, and shows the difference as lines.
    """
    __tracebackhide__ = True
    left, right = _body(expected), _body(actual)
    difference = first_difference(left, right)
    if difference is None:
        return
    found = f"expected {_short(difference.left)}\n  actual   {_short(difference.right)}"
    lines = list(islice(_difference(left, right), _LINES + 1))
    if len(lines) > _LINES:
        lines[_LINES:] = ["…"]
    raise AssertionError("\n".join([f"the requests differ at {difference.path or 'the top'}:\n  {found}", *lines]))


def assert_no_warnings(assembled: AssembledInput, /) -> None:
    """That nothing was left out of a build, and nothing changed."""
    __tracebackhide__ = True
    if assembled.warnings:
        raise AssertionError(f"the build has warnings:\n{_listed(assembled.warnings)}")


def assert_warned(assembled: AssembledInput, code: str, subject_id: str | EllipsisType | None = ..., /) -> None:
    """That a build has a warning of this code, about this thing; ``...`` is any thing, None a warning about none."""
    __tracebackhide__ = True
    found = [warning for warning in assembled.warnings if warning.code == code]
    if any(subject_id is ... or warning.subject_id == subject_id for warning in found):
        return
    about = "" if subject_id is ... else f" about {subject_id!r}"
    others = f"\n{_listed(assembled.warnings)}" if assembled.warnings else " none"
    close = "" if found else nearest(code, {warning.code for warning in assembled.warnings})
    raise AssertionError(f"no warning {code!r}{about}{close}; the build has:{others}")


def assert_replayed(assembled: AssembledInput, /, *thought_ids: str, state: AgentState | None = None) -> None:
    """That the reasoning of these thoughts goes back; without ids, that there is some.

    A thought is found by the id on its item. Items may go without ids: with ``state``, what was built, a thought is
    found by its encrypted part, and one that the state does not have is named.
    """
    __tracebackhide__ = True
    items = [item for item in assembled.input if item.get("type") == "reasoning"]
    missing = [one for one in thought_ids if not _is_among(one, items, state)]
    if not missing and (items or thought_ids):
        return
    lines = [_cause(one, assembled, state) for one in missing] or ["the request holds no reasoning item"]
    if missing and state is None and any("id" not in item for item in items):
        lines.append("some reasoning items carry no id: give the state, state=…, so that they can be told apart")
    raise AssertionError("\n".join(lines))


def assert_sendable(request: Request | str | bytes, /, endpoint: str | EndpointProfile | None = None) -> None:
    """That an endpoint takes a request: by default that of the build's options, ``openai`` for a body.

    A body is a mapping, or JSON text. The failure lists what breaks which rule, where, and what to do.
    """
    __tracebackhide__ = True
    profile = request.options.endpoint if endpoint is None and isinstance(request, AssembledInput) else endpoint
    errors = [one for one in check_request(request, profile or "openai") if one.severity == "error"]
    if not errors:
        return
    nothing: dict[str, Any] = {}
    body = nothing if isinstance(request, (str, bytes)) else _body(request)
    name = profile if isinstance(profile, str) else profile.name if profile else "openai"
    raise AssertionError("\n".join([f"{name} refuses the request:", *(_violation(one, body) for one in errors)]))


def _body(request: Request) -> Mapping[str, Any]:
    return request.to_request() if isinstance(request, AssembledInput) else request


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _CHARACTERS else f"{text[:_CHARACTERS]}…"


def _difference(left: object, right: object) -> Iterator[str]:
    before, after = (_lines(value) for value in (left, right))
    lines = difflib.unified_diff(before, after, "expected", "actual", n=2, lineterm="")
    return (line if len(line) <= _CHARACTERS else f"{line[:_CHARACTERS]}…" for line in lines)


def _lines(value: object) -> list[str]:
    return json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False, default=repr).splitlines()


def _listed(warnings: tuple[RenderWarning, ...]) -> str:
    return "\n".join(
        f"  {one.code}{'' if one.subject_id is None else f' about {one.subject_id!r}'}: {one.text}" for one in warnings
    )


def _thought(identifier: str, state: AgentState) -> Thought | None:
    return next((one for one in state.thoughts if one.id == identifier), None)


def _is_among(identifier: str, items: list[dict[str, Any]], state: AgentState | None) -> bool:
    if state is None:
        return any(item.get("id") == identifier for item in items)
    thought = _thought(identifier, state)
    if thought is None or not is_reasoning(thought.payload):
        return False
    encrypted = thought.payload.item.get("encrypted_content")
    return any(encrypted and item.get("encrypted_content") == encrypted for item in items)


def _cause(identifier: str, assembled: AssembledInput, state: AgentState | None) -> str:
    said = tuple(one for one in assembled.warnings if one.subject_id == identifier)
    if said:
        return f"the reasoning of {identifier!r} does not go back:\n{_listed(said)}"
    thought = None if state is None else _thought(identifier, state)
    if state is not None and thought is None:
        return f"the state has no thought {identifier!r}{nearest(identifier, [one.id for one in state.thoughts])}"
    if thought is not None and not is_reasoning(thought.payload):
        return f"the thought {identifier!r} is plain text: it has no reasoning to go back"
    mode = assembled.options.reasoning_replay
    why = "" if mode == "encrypted" else f"; reasoning_replay is {mode!r}"
    return f"no reasoning item of {identifier!r} is in the request, and no warning says why{why}"


def _violation(violation: Violation, body: Mapping[str, Any]) -> str:
    place = locate(body, violation.path) if violation.path else None
    shown = "" if place is None else f"\n    there:  {_short(place)}"
    hint = f"\n    remedy: {violation.hint}" if violation.hint else ""
    return f"  {violation.rule} {violation.path or 'body'}: {violation.message}{shown}{hint}"
