"""No input makes the checker or the repair raise; a repair of anything is without errors, and stays as it is."""

from __future__ import annotations

import random
from typing import Any

import pytest
from check_bodies import SHARED, accepted, errors, reports
from mutation import JUNK, mutilated

from seamwright.check import check_request, repair_request
from seamwright.model.endpoints import ENDPOINTS

SMALL = [report["minimal_input"] for report in reports() if len(str(report["minimal_input"])) < 100_000]


def holds(body: Any, endpoint: str) -> None:
    """Checking and repairing *body* raises nothing, and the repair is sound and final."""
    check_request(body, endpoint)
    repaired, changes = repair_request(body, endpoint)
    assert errors(check_request(repaired, endpoint)) == []
    assert repair_request(repaired, endpoint) == (repaired, [])
    assert changes or not errors(check_request(body, endpoint))


@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_mutilated_reports(endpoint: str) -> None:
    """Every report's body, mutilated at one to four nodes, is checked and repaired without raising."""
    chance = random.Random(f"reports {endpoint}")
    for body in SMALL:
        for times in (1, 3):
            holds(mutilated(body, chance, times), endpoint)


@pytest.mark.skipif(not (SHARED / "recorded").is_dir(), reason="the recordings are not here")
def test_mutilated_recordings() -> None:
    """Recorded requests, mutilated at one or three nodes, are checked and repaired without raising."""
    chance = random.Random("recordings")
    names = list(ENDPOINTS)
    for number, pair in enumerate(accepted()):
        if len(str(pair["request"])) < 60_000:
            for times in (1, 3):
                holds(mutilated(pair["request"], chance, times), names[number % len(names)])


@pytest.mark.parametrize("junk", [pytest.param(junk, id=str(number)) for number, junk in enumerate(JUNK)])
def test_junk(junk: Any) -> None:
    """Anything at all as a body, as the input, an item, a part, a tool or a parameter is checked and repaired without
    raising.
    """
    for body in (
        junk,
        [junk],
        {"input": junk},
        {"input": [junk]},
        {"input": [{"role": "user", "content": junk}]},
        {"input": [{"role": "user", "content": [junk]}]},
        {"input": [{"type": "reasoning", "summary": [junk], "content": junk}]},
        {"input": [{"type": "function_call_output", "call_id": junk, "output": junk}]},
        {"input": [{"type": "computer_call_output", "call_id": "c", "output": junk}]},
        {"input": [{"type": "additional_tools", "tools": junk}]},
        {"input": [{"type": "web_search_call", "id": "ws_1", "action": junk}]},
        {"tools": junk},
        {"tools": [junk], "tool_choice": junk},
        {"tools": [{"type": "function", "name": junk, "parameters": junk, "strict": True}]},
        {
            "tools": [
                {"type": "function", "name": "f", "parameters": {"type": "object", "properties": junk}, "strict": True}
            ]
        },
        {"tools": [{"type": "namespace", "name": "n", "tools": [junk]}]},
        {"text": {"format": {"type": "json_schema", "strict": True, "schema": junk}}},
        {
            key: junk
            for key in ("model", "store", "include", "metadata", "reasoning", "text", "temperature", "instructions")
        },
        {"prompt_cache_key": junk, "conversation": junk, "previous_response_id": junk, "max_output_tokens": junk},
    ):
        holds(body, "openai")


def _deep(levels: int, leaf: Any = None) -> Any:
    value: Any = leaf
    for _ in range(levels):
        value = {"a": [value]}
    return value


def test_deep_nesting() -> None:
    """Nesting far deeper than the interpreter's stack is a violation, as an object and as text."""
    for body in ({"input": _deep(50_000)}, '{"input": ' + "[" * 100_000 + "]" * 100_000 + "}"):
        assert {violation.rule for violation in errors(check_request(body))} >= {"X1"}
        assert errors(check_request(repair_request(body)[0])) == []


def test_objects_that_hold_themselves() -> None:
    """A body that holds itself, once or many times over, is a violation and no endless loop."""
    body: dict[str, Any] = {"input": []}
    body["input"] = [body, body, {"content": body["input"]}]
    many: list[Any] = []
    many.extend([many, many, many])
    for endless in (
        body,
        {"input": [many]},
        {"tools": [{"type": "function", "name": "f", "parameters": {"items": body}}]},
    ):
        assert "X1" in {violation.rule for violation in check_request(endless)}
        assert errors(check_request(repair_request(endless)[0])) == []


def test_shared_objects() -> None:
    """A tree whose levels share their objects, endless when written out, is checked in an instant."""
    shared: Any = {"type": "string"}
    for _ in range(40):
        shared = {"type": "object", "properties": {"a": shared, "b": shared}}
    found = check_request({"tools": [{"type": "function", "name": "f", "parameters": shared, "strict": True}]})
    assert {violation.rule for violation in errors(found)} == {"T3"}


class Hostile:
    """An object that raises wherever it is touched."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError("hostile")

    def to_request(self) -> Any:
        """No request."""
        raise RuntimeError("hostile")


def test_objects_that_raise() -> None:
    """What an object raises while it is read is a violation."""
    for body in (Hostile(), {"input": Hostile()}, {"input": [Hostile()]}):
        assert "X1" in {violation.rule for violation in check_request(body)}
        assert errors(check_request(repair_request(body)[0])) == []
