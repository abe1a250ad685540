"""Many states to the vendor's batch format: a line of request for each line of state, in order, in constant memory."""

from __future__ import annotations

from seamwright.batch.line import BatchLine
from seamwright.batch.rendering import render_batch

__all__ = ["BatchLine", "render_batch"]
