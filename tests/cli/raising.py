"""A module that can't be imported."""

raise RuntimeError("not today")
