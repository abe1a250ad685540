"""Instructions of a cold build, as a multiple of those of ``json.dumps`` of its result: a figure no busy machine moves.

python -m benchmarks.instructions

Counted by valgrind: a process that does the work several times, minus one that only gets ready for it. The figure
differs between versions of Python, less than a regression that matters.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from typing import Final, Literal

BASELINE: Final = 1.0
"""Measured with CPython 3.11; see :data:`TOLERANCE`."""
TOLERANCE: Final = 1.25
TIMES: Final = 4
Work = Literal["build", "dumps"]

CHILD: Final = """
import gc, json, sys
from benchmarks.conversation import OPTIONS, conversation
from seamwright_containers import responses_pipeline

work, times = sys.argv[1], int(sys.argv[2])
pipeline = responses_pipeline()
state = conversation(pipeline, 50)
request = pipeline.build_sync(state, OPTIONS).to_request()
gc.disable()
for _ in range(times):
    pipeline.build_sync(state, OPTIONS) if work == "build" else json.dumps(request)
"""


def counted(work: Work, times: int) -> int:
    """Instructions of a whole process that does the work so many times."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", sys.executable, "-c", CHILD]
    done = subprocess.run(
        [*command, work, str(times)],
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
        env=os.environ | {"PYTHONHASHSEED": "0"},
    )
    found = re.search(r"Collected : (\d+)", done.stderr)
    if found is None:
        raise RuntimeError(f"valgrind counted nothing: {done.stderr[-400:]}")
    return int(found.group(1))


def ratio() -> float:
    """Instructions of a build over those of ``json.dumps``."""
    start = counted("build", 0)
    return (counted("build", TIMES) - start) / (counted("dumps", TIMES) - start)


def main() -> int:
    """Prints the figure beside the one that is kept; 1 when it is far above."""
    if shutil.which("valgrind") is None:
        print("skipped: valgrind is not installed")
        return 0
    figure = ratio()
    print(f"a build takes {figure:.3f} times the instructions of json.dumps (kept: {BASELINE}, at most × {TOLERANCE})")
    return int(figure > BASELINE * TOLERANCE)


if __name__ == "__main__":
    sys.exit(main())
