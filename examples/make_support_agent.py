"""Plays the support case and writes ``support_agent.json`` and the files beside it.

Run it again (``python examples/make_support_agent.py``) when a renderer has changed: the fingerprints change with it.
"""

from __future__ import annotations

import functools
import json
from typing import assert_never

import attrs

from seamwright import AgentState, Message, Thought, dump_state
from seamwright_containers import responses_pipeline
from support_case import EVENTS, FILES, HERE, OPTIONS, STATE, Event, Prompted, Responded, Returned


def play(state: AgentState, event: Event) -> AgentState:
    """The state after one event, as a host would make it."""
    match event:
        case Message():
            return attrs.evolve(state, messages=(*state.messages, event))
        case Thought():
            return attrs.evolve(state, thoughts=(*state.thoughts, event))
        case Prompted():
            return attrs.evolve(state, system_prompt=event.system_prompt)
        case Responded():
            return respond(state, event)
        case Returned():
            return give_back(state, event)
        case _:
            assert_never(event)


def respond(state: AgentState, event: Responded) -> AgentState:
    """One turn: the request is built, and the response to it taken in."""
    pipeline = responses_pipeline(clock=lambda: event.created_at)
    request = pipeline.build_sync(state, OPTIONS)
    response = {"object": "response", "id": event.response_id, "model": OPTIONS.model, "status": "completed"}
    return state.extend(pipeline.ingest(response | {"output": event.output}, request, state))


def give_back(state: AgentState, event: Returned) -> AgentState:
    """A pending call gets its results."""
    done = state.complete(event.call_id, event.results)
    calls = zip(state.tool_calls, done.tool_calls, strict=True)
    shown = [after if after is before else attrs.evolve(after, inline=event.inline) for before, after in calls]
    return attrs.evolve(done, tool_calls=shown)


def state_file() -> str:
    """``support_agent.json``: the state after the last event. The files of the case have to be there."""
    state = functools.reduce(play, EVENTS, STATE)
    return json.dumps(dump_state(state, OPTIONS), indent=2, ensure_ascii=False) + "\n"


def main() -> None:
    """Writes everything."""
    for name, content in FILES.items():
        (HERE / name).write_bytes(content)
    (HERE / "support_agent.json").write_text(state_file(), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
