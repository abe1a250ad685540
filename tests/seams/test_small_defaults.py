"""The seams whose default does next to nothing: clock and warnings; and the context that others are given."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from seams.fakes import Notes
from seamwright import BuildContext, RenderOptions, RenderWarning, ToolRegistry
from seamwright_containers.responses import no_sink, now


def test_the_clock_gives_the_time_with_its_zone() -> None:
    """In UTC, and never backwards by much."""
    before = datetime.now(UTC)
    reading = now()

    assert reading.utcoffset() == timedelta(0)
    assert abs(reading - before) < timedelta(minutes=1)


def test_the_default_sink_keeps_nothing() -> None:
    """The build collects warnings itself."""
    assert no_sink(RenderWarning("code", "text", "id")) is None  # type: ignore[func-returns-value]


def test_a_context_cleans_what_enters_late() -> None:
    """Each lone surrogate becomes one U+FFFD, with one warning a text; pairs and other text stay as they are."""
    notes = Notes()

    assert notes.context.clean("a\ud800\udc00\udfffb", "x") == "a\ufffd\ufffd\ufffdb"
    assert notes.context.clean("plain", "x") == "plain"
    assert notes.context.clean("😀é\0", None) == "😀é\0"
    assert notes.codes == [("lone-surrogate", "x")]


def test_a_context_for_a_seam_alone_needs_options_only() -> None:
    """No tools, no results given as rendered, and warnings go nowhere."""
    context = BuildContext(RenderOptions(model="m"))

    assert (context.tools, context.rendered_tool_results) == (ToolRegistry(), {})
    assert context.warn("code", "text", None) is None  # type: ignore[func-returns-value]
    with pytest.raises(AttributeError):
        context.options = RenderOptions(model="n")  # type: ignore[misc]
