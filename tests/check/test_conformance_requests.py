"""The requests that the conformance cases expect of a builder, as the checker sees them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from check_bodies import SHARED, errors

from seamwright.check import check_request
from seamwright.check.fields import ANSWER_OF
from seamwright.check.json_types import is_list, is_object

CASES = SHARED / "conformance" / "cases.jsonl"
pytestmark = pytest.mark.skipif(not CASES.is_file(), reason="the conformance cases are not here")

HOSTED = [kind for kind in ANSWER_OF if kind not in ("function_call", "custom_tool_call")]
"""Calls that a host has to answer itself: without an answer the request is refused, and the checker says so."""


def lines(name: str) -> list[Any]:
    """The lines of a file of cases."""
    text = (SHARED / "conformance" / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


def requests() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """(name of the case, endpoint, request) for everything a case expects to be sent."""
    for case, expected in zip(lines("cases.jsonl"), lines("expected.jsonl"), strict=True):
        state = case.get("state")
        if not is_object(state):
            continue
        options: dict[str, Any] = state.get("options") or {}
        for built in expected.get("steps", [expected]):
            if is_object(built) and is_list(built.get("input")):
                sent = {key: built[key] for key in ("input", "instructions", "tools") if built.get(key) is not None}
                model = state.get("model", options.get("model", "gpt-5"))
                yield case["name"], options.get("endpoint", "openai"), {"model": model, "store": False, **sent}


def test_what_a_builder_sends_has_no_error() -> None:
    """No expected request has an error, but for hosted calls that nobody answered: those are P3, nothing else is."""
    count = 0
    for name, endpoint, request in requests():
        count += 1
        for violation in errors(check_request(request, endpoint)):
            index = int(violation.path.removeprefix("input[").removesuffix("]"))
            assert violation.rule == "P3", (name, violation)
            assert request["input"][index]["type"] in HOSTED, (name, violation)
    assert count > 300
