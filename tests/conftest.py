"""Where things are, how hard hypothesis looks, and how a test asks for material from outside the repository."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, settings

ROOT: Final = Path(__file__).resolve().parents[1]
SHARED: Final = Path(os.environ.get("SEAMWRIGHT_SHARED", ROOT.parent / "shared"))
"""Material that is not part of the repository: recorded responses, wire captures. It may be absent."""

# No deadline: the machine is shared, and what has to be fast is measured by the benchmarks. Derandomised where a run
# decides over a change, so that the change is not held up by what it did not touch.
settings.register_profile("modest", max_examples=40, deadline=None, derandomize=bool(os.environ.get("CI")))
settings.register_profile(
    "thorough", max_examples=2000, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "modest"))


def shared_folder(name: str) -> Path:
    """The folder ``name`` of the shared material; skips the calling test, or the whole calling module, when absent."""
    folder = SHARED / name
    if not folder.is_dir():
        pytest.skip(f"no shared folder {name!r} (SEAMWRIGHT_SHARED tells where to look)", allow_module_level=True)
    return folder


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository's root."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of the shared material, which may not exist: ask for one of its folders with ``shared_folder``."""
    return SHARED
