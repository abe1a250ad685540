"""The data URLs of media that a session made: the same bytes are encoded once."""

from __future__ import annotations

from collections.abc import Iterator

from seamwright.model.media import Media
from seamwright.model.state import AgentState
from seamwright.seams.context import data_url


class DataUrls:
    """Makes data URLs, and remembers them by the very object that holds the bytes, as long as the state has it.

    A remembered text is the one that stands in the items, so it takes no room of its own.
    """

    def __init__(self) -> None:
        self._made: dict[tuple[int, str], tuple[bytes, str]] = {}

    def __call__(self, mime_type: str, data: bytes, /) -> str:
        key = id(data), mime_type
        known = self._made.get(key)
        if known is None:
            known = self._made[key] = data, data_url(mime_type, data)
        return known[1]

    def keep(self, state: AgentState) -> None:
        """Forgets the bytes that no media of the state holds."""
        if self._made:
            held = {id(media.source_reader) for media in _media(state)}
            self._made = {key: made for key, made in self._made.items() if key[0] in held}


def _media(state: AgentState) -> Iterator[Media]:
    for message in state.messages:
        yield from message.attachments
    for call in state.tool_calls:
        if isinstance(call.results, tuple):
            yield from (one for one in call.results if isinstance(one, Media))
