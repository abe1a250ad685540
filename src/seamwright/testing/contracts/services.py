"""Contracts of what a build has from outside: time, a sink for warnings, a counter, and the machine for streams."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from hypothesis import strategies as st

from seamwright.errors import StreamFailedError
from seamwright.seams.context import Clock, TokenCounter, WarningSink
from seamwright.seams.slots import OutputSlotsFactory, Slots
from seamwright.testing import strategies as given
from seamwright.testing.contracts.core import MAX_EXAMPLES, Trial, examine
from seamwright.testing.contracts.inputs import clean_texts
from seamwright.testing.events import stream_events
from seamwright.testing.items import encrypted_content
from seamwright.testing.keeping import kept
from seamwright.wire.assembled import RenderWarning


def check_clock(seam: Clock, /, *, max_examples: int = MAX_EXAMPLES) -> None:
    """A zone-aware time that does not go back."""

    def look(trial: Trial, _: None) -> None:
        times = [trial.once(seam), trial.once(seam)]
        for time in times:
            trial.expect(isinstance(time, datetime), "a datetime", time)
            trial.expect(time.utcoffset() is not None, "a zone-aware datetime", time)
        trial.expect(times[0] <= times[1], "a time that is not before the last one", times)

    examine("clock", seam, st.none(), look, max_examples=max_examples)


def check_warn(seam: WarningSink, /, *, max_examples: int = MAX_EXAMPLES) -> None:
    """Takes every warning, about a thing or about none, and raises nothing."""

    def look(trial: Trial, warning: RenderWarning) -> None:
        trial.once(seam, warning)

    codes = st.sampled_from(("reasoning-unpaired", "lone-surrogate", "a-code-of-next-year"))
    inputs = st.builds(RenderWarning, codes, clean_texts(), st.none() | clean_texts())
    always = [RenderWarning("lone-surrogate", "a text held lone surrogates; they became U+FFFD", None)]
    examine("warn", seam, inputs, look, max_examples=max_examples, always=always)


def check_token_counter(seam: TokenCounter | None, /, *, max_examples: int = MAX_EXAMPLES) -> None:
    """None, or an object that says in what it counts, and counts what is not negative: the same for the same text."""

    def look(trial: Trial, text: str) -> None:
        if seam is None:
            return
        trial.expect(bool(trial.text(seam.encoding)), "the name of an encoding", seam.encoding)
        count = trial.call(seam, text)
        trial.expect(type(count) is int and count >= 0, "a whole number that is not negative", count)

    examine("token_counter", seam, clean_texts(), look, max_examples=max_examples, always=["", "tea at four"])


_TWO: Final[dict[str, Any]] = {
    "id": "resp_1",
    "object": "response",
    "model": "gpt-test",
    "status": "completed",
    "output": [
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": encrypted_content("one")},
        {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": "tea at four", "annotations": []}],
        },
    ],
}


def check_output_slots(seam: OutputSlotsFactory, /, *, max_examples: int = MAX_EXAMPLES) -> None:
    """A machine for each stream that gives the response as it would have come in one piece.

    Until the terminal event its status is ``in_progress``; ``failed`` and ``error`` raise ``StreamFailedError``; an
    event is not changed, and one of a type not known yet is passed over.
    """

    def fed(trial: Trial, events: list[dict[str, Any]]) -> Slots:
        slots: Slots = trial.once(seam)
        for event in events:
            trial.once(slots.feed, kept(event))
        return slots

    def look(trial: Trial, response: dict[str, Any]) -> None:
        events = stream_events(response)
        slots = fed(trial, [*events[:1], {"type": "response.of_next_year", "output_index": 0}, *events[1:-1]])
        trial.given = response
        found = trial.mapping(slots.result())
        trial.expect(found.get("status") == "in_progress", "'in_progress' before the terminal event", found)
        trial.once(slots.feed, kept(events[-1]))
        trial.given = response
        found = trial.mapping(slots.result())
        for key in ("id", "status", "output"):
            trial.expect(
                found.get(key) == response[key], f"{key} as in the response, {response[key]!r}", found.get(key)
            )
        texts = [part["text"] for item in response["output"] for part in item.get("content") or ()]
        trial.expect(slots.text() == "".join(texts), f"the text {''.join(texts)!r}", slots.text())
        trial.expect(len(slots.views()) == len(response["output"]), "a view of each item", slots.views())
        failing = fed(trial, events[:2])
        for event in _failures(response):
            failed = trial.once(failing.feed, event, allowed=(StreamFailedError,))
            trial.expect(isinstance(failed, StreamFailedError), "StreamFailedError", failed)

    examine("output_slots", seam, given.responses(), look, max_examples=max_examples, always=[_TWO])


def _failures(response: dict[str, Any]) -> list[dict[str, Any]]:
    error = {"code": "server_error", "message": "The server had an error."}
    nothing: list[Any] = []
    failed = {**response, "status": "failed", "error": error, "output": nothing}
    return [{"type": "response.failed", "response": failed}, {"type": "error", **error}]
