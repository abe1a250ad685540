"""The same state and options give the same bytes in every process, whatever the seed of its hashes is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any, Final

from hypothesis import Phase, given, settings

from conftest import ROOT
from seamwright import AgentState, RenderOptions, dump_state, load_state
from seamwright.testing.strategies import options, states
from seamwright_containers import responses_pipeline

_BUILD: Final = """
import json, sys
from seamwright import load_state
from seamwright_containers import responses_pipeline
pipeline = responses_pipeline()
print(hash("seamwright"))
for line in sys.stdin:
    print(json.dumps(pipeline.build_sync(*load_state(line)).to_request()))
"""


def some_states() -> list[str]:
    """State files as JSON, one a line, of every kind that the strategies know."""
    found: list[dict[str, Any]] = []

    @settings(max_examples=60, derandomize=True, database=None, phases=[Phase.generate])
    @given(states(), options())
    def find(state: AgentState, render_options: RenderOptions) -> None:
        found.append(dump_state(state, render_options))

    find()
    return [json.dumps(one) for one in found]


def built_elsewhere(files: list[str], seed: str) -> list[str]:
    """What a process of its own prints: a hash that depends on its seed, then each request."""
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"}
    source = "\n".join(files)
    done = subprocess.run(
        [sys.executable, "-c", _BUILD],
        input=source,
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def test_processes_with_other_hash_seeds_build_the_same_bytes() -> None:
    """Here, and in three processes whose sets and dicts stand in other orders."""
    files = some_states()
    pipeline = responses_pipeline()
    here = [json.dumps(pipeline.build_sync(*load_state(file)).to_request()) for file in files]
    elsewhere = [built_elsewhere(files, seed) for seed in ("0", "1", "random")]

    assert 3 == len({hashed for hashed, *_ in elsewhere}), "the seeds made a difference"
    assert [here] * 3 == [requests for _, *requests in elsewhere]
    assert len(files) > 30
