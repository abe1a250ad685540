"""What no batch takes."""

from __future__ import annotations

from seamwright import AgentState, BatchLine, Pipeline, render_batch


def wrong(state: AgentState, pipeline: Pipeline, line: BatchLine) -> None:
    render_batch([state])  # E: a state as an object has no options beside it
    render_batch(["{}"], pipeline, 4)  # E: how it runs is said by name
    render_batch(["{}"], workers="4")  # E: a number of workers
    line.number = 3  # E: a line is frozen
