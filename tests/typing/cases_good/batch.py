"""Batches: what they are made of, and what they give."""

from __future__ import annotations

from collections.abc import Generator
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, assert_type

from seamwright import BatchLine, Pipeline, RenderWarning, render_batch


def sources(path: Path, states: list[dict[str, Any]], texts: set[str], pipeline: Pipeline, executor: Executor) -> None:
    with path.open("rb") as file:
        assert_type(render_batch(file), Generator[BatchLine, None, None])
    render_batch(states, pipeline, options={"model": "gpt-5.4"}, base_dir=path, allow_paths=True)
    render_batch(texts, "module:attribute", workers=4, executor=executor, start=100, base_dir="folder")


def lines(states: list[str]) -> None:
    for line in render_batch(states):
        assert_type(line.request, bytes | None)
        assert_type(line.problem, str | None)
        assert_type(line.custom_id, str | None)
        assert_type(line.warnings, tuple[RenderWarning, ...])
