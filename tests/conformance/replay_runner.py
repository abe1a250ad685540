"""Runs ingest and chain cases: builds, responses taken in, calls completed, states changed on the way."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import attrs
from runner import shown, structure
from stand_ins import overrides_of

from seamwright import AgentState, RenderOptions, dump_state
from seamwright.model.times import parse_time
from seamwright.wire.assembled import AssembledInput
from seamwright_containers import responses_pipeline

Result = dict[str, Any]


def canonical_state(state: AgentState, options: RenderOptions) -> Result:
    """A state as a state file, without the digests that are an implementation's own."""
    dumped = dump_state(state, options)
    for thought in dumped.get("thoughts", ()):
        if isinstance(thought.get("payload"), dict):
            thought["payload"].pop("sections", None)
    return dumped


def canonical(expected: Result | None) -> Result | None:
    """An expectation in the form of ours: its state read and dumped by the library, so that defaults don't matter."""
    if expected is None or "finish" not in expected:
        return expected
    return {"finish": expected["finish"], "state": canonical_state(*structure(expected["state"]))}


class Conversation:
    """A state on its way through the steps of a chain."""

    def __init__(self, case: dict[str, Any]) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)
        self.pipeline = responses_pipeline(**overrides_of(case), clock=lambda: self.now)
        self.state, self.options = structure(case["state"])
        self.request: AssembledInput | None = None

    def build(self, given: dict[str, Any] | None = None) -> Result:
        self.request = self.pipeline.build_sync(self.state, self.options, rendered_tool_results=given)
        return shown(self.request)

    def ingest(self, response: dict[str, Any], base_time: object) -> Result:
        assert self.request is not None
        self.now = parse_time(base_time)
        ingested = self.pipeline.ingest(response, self.request, self.state)
        self.state = self.state.extend(ingested)
        return {"finish": ingested.finish, "state": canonical_state(self.state, self.options)}

    def complete(self, call_id: str, results: Any, trusted: bool | None = None) -> None:
        call = {"id": "any", "tool": "any", "args": {}, "created_at": 0, "results": results}
        read, _ = structure({"model": "any", "tool_calls": [call]})
        self.state = self.state.complete(call_id, read.tool_calls[0].results, trusted)

    def append(self, additions: dict[str, Any]) -> None:
        read, _ = structure({"model": "any", **additions})
        added = {name: (*getattr(self.state, name), *getattr(read, name)) for name in additions}
        self.state = attrs.evolve(self.state, **added)

    def set(self, changes: dict[str, Any]) -> None:
        dumped = dump_state(self.state, self.options)
        options = {**dumped.get("options", {}), **changes.get("options", {})}
        self.state, self.options = structure({**dumped, **changes, "options": options})

    def take(self, step: dict[str, Any]) -> Result | None:
        """One step, and what it gives when it gives something."""
        [(kind, value)] = step.items()
        steps: dict[str, Callable[[], Result | None]] = {
            "build": self.build,
            "ingest": lambda: self.ingest(**value),
            "complete": lambda: self.complete(**value),
            "append": lambda: self.append(value),
            "set": lambda: self.set(value),
        }
        return steps[kind]()


def run_ingest(case: dict[str, Any]) -> Result:
    """The state after the response, and how it ended."""
    conversation = Conversation(case)
    conversation.build(case.get("rendered_tool_results"))
    return conversation.ingest(case["response"], case["base_time"])


def run_chain(case: dict[str, Any]) -> list[Result | None]:
    """What each step gives."""
    conversation = Conversation(case)
    return [conversation.take(step) for step in case["steps"]]
