"""The pinned cases of protocol histories: what they serialize to, and what is sent of them."""

from __future__ import annotations

import json
from enum import Enum
from pathlib import Path
from typing import Any, Final

import pytest

from seamwright import InvalidStateError, RenderOptions, SchemaError
from seamwright.check import check_request
from seamwright.history import load_history
from seamwright_containers import verbatim_pipeline

DATA: Final = Path(__file__).parents[1] / "conformance" / "data" / "history"
PIPELINE: Final = verbatim_pipeline()
OPTIONS: Final = RenderOptions(model="gpt-5.4")


def read_lines(name: str) -> list[dict[str, Any]]:
    """The objects of a file of JSON lines."""
    return [json.loads(line) for line in (DATA / name).read_text(encoding="ascii").split("\n") if line]


PAIRS: Final = list(zip(read_lines("cases.jsonl"), read_lines("expected.jsonl"), strict=True))


def same_json(one: Any, other: Any) -> bool:
    """Equality of JSON values that tells ``1`` from ``1.0`` and from ``true``."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same_json(one[key], other[key]) for key in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same_json, one, other))
    return bool(one == other) and repr(one) == repr(other)


def definitions_of(case: dict[str, Any]) -> list[dict[Any, Any]]:
    """The definitions of a case, with enum members where its keys are symbols."""
    mark = case.get("keys")
    count = 0
    definitions = []
    for definition in case["tools"]:
        keyed: dict[Any, Any] = {}
        for key, value in definition.items():
            symbol = mark == "symbol" or (mark == "mixed" and count % 2 == 0)
            keyed[Enum("Key", {"MEMBER": key}).MEMBER if symbol else key] = value
            count += 1
        definitions.append(keyed)
    return definitions


def serialized(case: dict[str, Any]) -> dict[str, Any]:
    """What a case gives, in the form of the expectations."""
    if "tools" in case:
        return {"tools": PIPELINE.serialize_tools(definitions_of(case))}
    try:
        return {"input": PIPELINE.serialize_history(load_history(case["history"]))}
    except SchemaError as error:
        return {"error": "SchemaError", "block": error.block if error.block in str(error) else None}


def refused(case: dict[str, Any], expected: dict[str, Any]) -> bool:
    """Whether constructing the messages fails, where a case or the specification lets it: a wrong role, no call id."""
    allowed = {".role": expected.get("or_error") == "role", ".tool_call_id": "I4" in expected.get("api_refuses", ())}
    try:
        load_history(case.get("history", ()))
    except InvalidStateError as error:
        return all(allowed["." + path.rpartition(".")[2]] for path in error.fields)
    return False


def arguments_decoded(items: Any) -> Any:
    """Items with every ``arguments`` decoded: where the spelling of a float is free."""
    return [item | {"arguments": json.loads(item["arguments"])} if "arguments" in item else item for item in items]


def comparable(result: dict[str, Any], expected: dict[str, Any]) -> dict[str, Any]:
    """A result as the case wants it compared."""
    if expected.get("compare") == "arguments_as_json":
        return result | {"input": arguments_decoded(result["input"])}
    return result


@pytest.mark.parametrize(("case", "expected"), PAIRS, ids=[case["name"] for case, _ in PAIRS])
def test_serializes_as_pinned(case: dict[str, Any], expected: dict[str, Any]) -> None:
    """A history and a list of definitions give exactly the pinned items, declarations or error."""
    assert case["name"] == expected["name"]
    if refused(case, expected):
        return
    wanted = {key: expected[key] for key in ("input", "tools", "error", "block") if key in expected}
    assert same_json(comparable(wanted, expected), comparable(serialized(case), expected))


def built(case: dict[str, Any]) -> Any:
    """The build of a case, or None when it has none."""
    if "tools" in case:
        return PIPELINE.build((), OPTIONS, tools=definitions_of(case))
    try:
        return PIPELINE.build(load_history(case["history"]), OPTIONS)
    except (SchemaError, InvalidStateError):
        return None


@pytest.mark.parametrize(("case", "expected"), PAIRS, ids=[case["name"] for case, _ in PAIRS])
def test_what_is_built_is_accepted(case: dict[str, Any], expected: dict[str, Any]) -> None:
    """A build passes the checker with no error, and is free of the very rules that the plain items break."""
    assembled = built(case)
    if assembled is None:
        assert "error" in expected or refused(case, expected)
        return
    found = check_request(assembled)
    assert [] == [violation for violation in found if violation.severity == "error"]
    broken = set(expected.get("api_refuses", ())) - {"P2"}  # P2 shows in the history alone; see the tests of turns
    assert broken.isdisjoint(violation.rule for violation in found)


@pytest.mark.parametrize(("case", "expected"), PAIRS, ids=[case["name"] for case, _ in PAIRS])
def test_every_change_is_a_warning(case: dict[str, Any], expected: dict[str, Any]) -> None:
    """What is sent differs from the plain items only where a warning says so."""
    assembled = built(case)
    if assembled is None:
        return
    wanted = expected.get("input") or [], expected.get("tools") or None
    assert assembled.warnings or (wanted[1] == assembled.tools and same_json(wanted[0], assembled.input))


def test_there_are_all_cases() -> None:
    """The copied set is whole."""
    assert 128 == len(PAIRS)
