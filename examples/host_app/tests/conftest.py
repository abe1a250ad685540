"""Puts the host's plan in the place of the plugin's: its ``pipeline`` is then this host's."""

from __future__ import annotations

import pytest

from host_app import PLAN
from host_app.wiring import HostSeams
from seamwright_containers import Plan


@pytest.fixture(scope="session")
def plan() -> Plan[HostSeams]:
    """The plan that the application starts with."""
    return PLAN
