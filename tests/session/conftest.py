"""A conversation in each of the four ways: plain and streamed, synchronous and asynchronous."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("openai")

from session.talk import MODES, Clients, Mode, Speaker


@pytest.fixture(scope="session")
def clients() -> Iterator[Clients]:
    """The vendor's two clients."""
    made = Clients()
    yield made
    made.close()


@pytest.fixture(params=MODES, ids=lambda mode: str(mode.name))
def speaker(request: pytest.FixtureRequest, clients: Clients) -> Speaker:
    """Starts conversations, in each mode."""
    mode: Mode = request.param
    return Speaker(mode, clients)


@pytest.fixture(params=[mode for mode in MODES if mode.streams], ids=lambda mode: str(mode.name))
def streaming(request: pytest.FixtureRequest, clients: Clients) -> Speaker:
    """Starts conversations in the modes that stream."""
    mode: Mode = request.param
    return Speaker(mode, clients)
