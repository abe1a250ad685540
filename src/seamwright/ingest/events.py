"""Read a saved stream: JSON Lines or server-sent events.

The two forms are told apart line by line: a line that begins with ``{`` is an event of its own, every other line is a
field of a server-sent event (https://html.spec.whatwg.org/multipage/server-sent-events.html, section 9.2.6).
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import Any, cast

from seamwright.ingest.plain import as_mapping, try_mapping

__all__ = ["as_mapping", "read_events", "try_mapping"]

# str.splitlines would also split at U+2028 and U+0085, which may stand inside a JSON string.
_LINE_END = re.compile(r"\r\n|\n|\r")

_UTF16 = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


def read_events(source: str | bytes | Iterable[str | bytes]) -> Iterator[dict[str, Any]]:
    """The events of a saved stream, in order: text, bytes, or chunks of either, split anywhere (an open file is such).

    An event without ``type`` gets the name of its ``event:`` field. ``[DONE]``, comments, unknown fields and lines that
    are no JSON object are passed over. A text that was cut gives every event that is whole before the cut: no proper
    beginning of a JSON object is itself JSON. Linear in the size of the text.
    """
    fields = _Fields()
    for line, ended in _lines(_texts(source)):
        if line.startswith("{"):
            yield from _objects([line])
        elif not line:
            yield from fields.dispatch()
        else:
            fields.take(line, ended)
    yield from fields.dispatch()


class _Fields:
    """The fields of one server-sent event until its empty line."""

    def __init__(self) -> None:
        self._data: list[str] = []
        self._name: str | None = None

    def take(self, line: str, ended: bool) -> None:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            self._data.append(value)
        elif name == "event" and ended:  # the beginning of a name would be another name
            self._name = value

    def dispatch(self) -> Iterator[dict[str, Any]]:
        for event in _objects(self._data):
            if self._name and not event.get("type"):
                event["type"] = self._name
            yield event
        self._data, self._name = [], None


def _objects(data: list[str]) -> list[dict[str, Any]]:
    """The event in the data lines. Some servers leave out the empty line between events: then one event a line.

    The lines count one by one only up to the first that is no event, so an object written over many lines and then cut
    never gives one of its inner objects.
    """
    whole = _parse("\n".join(data)) if data else None
    if whole is not None:
        return [whole]
    each = (_parse(line) for line in data) if len(data) > 1 else ()
    return [event for event in takewhile(lambda event: event is not None, each) if event is not None]


def _parse(text: str) -> dict[str, Any] | None:
    try:
        value = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError):
        return None
    return cast(dict[str, Any], value) if isinstance(value, dict) else None


def _no_number(_name: str) -> None:
    """NaN and Infinity, which JSON has not."""


def _texts(source: str | bytes | Iterable[str | bytes]) -> Iterator[str]:
    chunks: Iterable[str | bytes] = [source] if isinstance(source, (str, bytes)) else source
    decoder: codecs.IncrementalDecoder | None = None
    for chunk in chunks:
        if isinstance(chunk, str):
            yield chunk
            continue
        if decoder is None:
            decoder = codecs.getincrementaldecoder(_UTF16.get(chunk[:2], "utf-8"))(errors="replace")
        yield decoder.decode(chunk)


def _lines(texts: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Each line with whether its end was seen. A byte order mark and blanks round a line say nothing."""
    pending: list[str] = []
    for text in _whole_ends(texts):
        *ended, rest = _LINE_END.split(text)
        for line in ended:
            pending.append(line)
            yield _bare("".join(pending)), True
            pending.clear()
        pending.append(rest)
    last = _bare("".join(pending))
    if last:
        yield last, False


def _whole_ends(texts: Iterable[str]) -> Iterator[str]:
    """The chunks, cut so that no CR stands apart from its LF: two line ends would end an event."""
    held = ""
    for text in texts:
        chunk = held + text
        held = "\r" if chunk.endswith("\r") else ""
        yield chunk.removesuffix(held)
    yield held


def _bare(line: str) -> str:
    return line.strip("\ufeff \t")
