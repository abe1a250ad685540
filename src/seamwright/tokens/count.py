"""What was counted."""

from __future__ import annotations

from collections.abc import Mapping

import attrs


@attrs.frozen
class TokenCount:
    """The input tokens of a request.

    ``total``: all of them. ``estimated``: how many of these are an estimate: tools, calls, reasoning, media and
    whatever else the API writes into the model's context in a form of its own. ``per_bucket``: the total by what it is
    spent on: ``system_prompt``, ``standing_instructions``, ``memories``, ``retrievables``, ``timeline``, ``tools``;
    those that cost nothing are left out. ``encoding``: in what was counted. ``budget``: what the request may have.
    """

    total: int
    estimated: int
    per_bucket: Mapping[str, int]
    encoding: str
    budget: int | None = None
