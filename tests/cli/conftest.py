"""Files that most commands take."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.terminal import RESPONSE, STATE, written


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A state file that renders without a warning."""
    return written(tmp_path, "state.json", STATE)


@pytest.fixture
def response(tmp_path: Path) -> Path:
    """The response to its request."""
    return written(tmp_path, "response.json", RESPONSE)
