"""Runs a conformance case through the public API, and compares JSON values as FORMAT.md says."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from stand_ins import overrides_of

from seamwright import AgentState, InvalidStateError, RenderOptions, SeamwrightError, UnsupportedMediaError, load_state
from seamwright.wire.assembled import AssembledInput
from seamwright_containers import responses_pipeline

DATA = Path(__file__).parent / "data"


def read_lines(name: str) -> list[dict[str, Any]]:
    """The objects of a file of JSON lines; lines end at the line feed alone."""
    text = (DATA / name).read_bytes().decode("utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


def structure(state: dict[str, Any]) -> tuple[AgentState, RenderOptions]:
    """A case's state and options; its paths begin in the folder of the cases."""
    return load_state(state, base_dir=DATA)


def shown(assembled: AssembledInput) -> dict[str, Any]:
    """A build as the expectations show it."""
    result: dict[str, Any] = {
        "input": assembled.input,
        "fingerprintable_length": assembled.fingerprintable_length,
        "warnings": sorted(warning.code for warning in assembled.warnings),
    }
    if assembled.instructions is not None:
        result["instructions"] = assembled.instructions
    if assembled.tools is not None:
        result["tools"] = assembled.tools
    return result


def failure(error: SeamwrightError, expected: dict[str, Any]) -> dict[str, Any]:
    """The parts of an error that the expectation has."""
    result: dict[str, Any] = {"type": type(error).__name__}
    if isinstance(error, InvalidStateError):
        fields = error.fields
        result |= {"fields": fields} if len(fields) > 1 else {"field": fields[0]}
    elif isinstance(error, UnsupportedMediaError):
        result["media"] = [error.kind, error.mime_type, error.filename]
    else:
        result["field"] = getattr(error, "path", None)
    return {key: value for key, value in result.items() if key in expected or key == "type"}


def run_build(case: dict[str, Any], expected: dict[str, Any]) -> dict[str, Any]:
    """What a build case gives, or its error, in the form of the expectations."""
    return built(responses_pipeline(**overrides_of(case)).build_sync, case, expected)


def built(build: Callable[..., AssembledInput], case: dict[str, Any], expected: dict[str, Any]) -> dict[str, Any]:
    """The same for a case whose seams are those of this way to build."""
    try:
        state, options = structure(case["state"])
        assembled = build(state, options, rendered_tool_results=case.get("rendered_tool_results"))
    except SeamwrightError as error:
        return {"error": failure(error, expected.get("error", {}))}
    return shown(assembled)


def same_json(one: Any, other: Any) -> bool:
    """Equality of JSON values: 1 is 1.0, but 1 is not true."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same_json(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same_json, one, other))
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return one == other
    return type(one) is type(other) and bool(one == other)
