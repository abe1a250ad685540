"""The pytest plugin: fixtures for tests of hosts, and the assertions of :mod:`seamwright.testing.assertions`.

pytest imports this module in every run of an environment that has Seamwright, so it imports nothing but pytest: what a
fixture needs is loaded when a test asks for it.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from seamwright import Pipeline, Seams
    from seamwright.testing.assertions import (
        assert_no_warnings,
        assert_replayed,
        assert_request_equal,
        assert_sendable,
        assert_warned,
    )
    from seamwright.testing.server import ResponsesServer
    from seamwright_containers.plan import Plan

__all__ = [
    "assert_no_warnings",
    "assert_replayed",
    "assert_request_equal",
    "assert_sendable",
    "assert_warned",
    "pipeline",
    "plan",
    "responses_server",
]

_ASSERTIONS: Final = "seamwright.testing.assertions"


@pytest.fixture(scope="session")
def plan() -> Plan[Seams]:
    """The default container, compiled: ``plan.pipeline(media_blocks=fake)`` is a pipeline with one seam replaced.

    A conftest that defines ``plan`` anew puts the host's own in its place, and ``pipeline`` follows.
    """
    from seamwright_containers import Plan, ResponsesContainer

    return Plan.compile(ResponsesContainer())


@pytest.fixture
def pipeline(plan: Plan[Seams]) -> Pipeline:
    """The pipeline of ``plan``, with nothing replaced."""
    return plan.pipeline()


@pytest.fixture
def responses_server() -> Iterator[ResponsesServer]:
    """A server on loopback that speaks the Responses API and checks what it is sent.

    ``responses_server.reply_with(response(message("Hello.")))`` adds to its script; ``base_url`` is for the client.
    """
    from seamwright.testing.server import ResponsesServer

    with ResponsesServer() as server:
        yield server


if not TYPE_CHECKING:  # the checkers would take any name for one of this module

    def __getattr__(name: str) -> Any:
        """An assertion, loaded when it is first asked for."""
        if name in __all__:
            return getattr(importlib.import_module(_ASSERTIONS), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
