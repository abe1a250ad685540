"""Builds through a session and cold, and says whether they are the same to the byte."""

from __future__ import annotations

import json
from typing import Any

from seamwright import AgentState, AssembledInput, Pipeline, RenderOptions, SeamwrightError
from seamwright.pipeline.pipeline import RenderSession


def shown(assembled: AssembledInput) -> list[Any]:
    """Everything a build gives, key order included."""
    return [
        json.dumps(assembled.to_request()),
        json.dumps(assembled.input),
        assembled.fingerprintable_length,
        assembled.warnings,
        assembled.options,
    ]


def outcome(build: Any, state: AgentState, options: RenderOptions, **more: Any) -> list[Any]:
    """What a build gives, or how it fails."""
    try:
        return shown(build(state, options, **more))
    except SeamwrightError as error:
        return [type(error), str(error)]


def assert_same(
    session: RenderSession, pipeline: Pipeline, state: AgentState, options: RenderOptions, **more: Any
) -> None:
    """Builds both ways; whatever a session remembers must not show."""
    assert outcome(pipeline.build_sync, state, options, **more) == outcome(session.build_sync, state, options, **more)
