"""A support desk for two tenants, as a host of Seamwright."""

from __future__ import annotations

from host_app.tenants import BOOKSHOP, CLINIC, Tenant, pipeline_for
from host_app.wiring import PLAN, HostOverrides, HostSeams, host_pipeline

__all__ = ["BOOKSHOP", "CLINIC", "PLAN", "HostOverrides", "HostSeams", "Tenant", "host_pipeline", "pipeline_for"]
