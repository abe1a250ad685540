"""A request as a person reads it: one view of a build, shown in a terminal or as a page."""

from __future__ import annotations

from seamwright.show.assemble import view, view_sync
from seamwright.show.document import page
from seamwright.show.model import Block, Entry, Note, ToolRow, Trust, View

__all__ = ["Block", "Entry", "Note", "ToolRow", "Trust", "View", "page", "view", "view_sync"]
