"""What the tests of the examples share."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from seamwright import Message


@pytest.fixture
def question() -> Message:
    """A message that needs nothing else."""
    return Message(id="m1", role="user", content="Where is it?", created_at=datetime(2026, 1, 1, tzinfo=UTC))
