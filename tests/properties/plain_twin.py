"""A state's twin: the same in everything but the bodies, each of which is one harmless word."""

from __future__ import annotations

import re
from typing import Any, Final

import attrs

from seamwright import AgentState, Media, Memory, Message, Retrievable, SpooledArtifact, StashEntry, Thought, ToolCall

_WORD: Final = re.compile(r"BODY-\d+;")
_LONE_SURROGATES: Final = re.compile("[\ud800-\udfff]")


class Twin:
    """Makes the twin of a state, and knows which word stands for which body."""

    def __init__(self, state: AgentState) -> None:
        self._bodies: dict[str, str] = {}
        self.state = attrs.evolve(
            state,
            memories=[self._memory(memory) for memory in state.memories],
            retrievables=[self._retrievable(item) for item in state.retrievables],
            messages=[self._message(message) for message in state.messages],
            thoughts=[self._thought(thought) for thought in state.thoughts],
            tool_calls=[self._call(call) for call in state.tool_calls],
        )

    def with_bodies(self, text: str) -> str:
        """A text of the twin with the bodies in the place of their words."""
        return _WORD.sub(lambda match: self._bodies[match.group()], text)

    def _word(self, body: Any) -> Any:
        if isinstance(body, bytes):
            body = body.decode(errors="replace")
        if not isinstance(body, str) or not body:
            return body
        word = f"BODY-{len(self._bodies)};"
        self._bodies[word] = _LONE_SURROGATES.sub("\ufffd", body)
        return word

    def _memory(self, memory: Memory) -> Memory:
        return attrs.evolve(memory, content=self._word(memory.content))

    def _retrievable(self, item: Retrievable) -> Retrievable:
        content = item.content
        if isinstance(content, SpooledArtifact):
            return attrs.evolve(item, content=self._artifact(content, item.inline))
        return attrs.evolve(item, content=self._word(content))

    def _artifact(self, artifact: SpooledArtifact, inline: bool) -> SpooledArtifact:
        """A handle shows no body, but the sizes of what it stands for and the names of its tools."""
        if inline:
            return attrs.evolve(artifact, reader=self._word(artifact.reader))
        methods = [
            attrs.evolve(method, name=self._word(method.name), description=self._word(method.description))
            for method in artifact.tool_methods
        ]
        return attrs.evolve(artifact, tool_methods=methods)

    def _message(self, message: Message) -> Message:
        attachments = [self._media(media) for media in message.attachments]
        content, refusal = self._word(message.content), self._word(message.refusal)
        return attrs.evolve(message, content=content, refusal=refusal, attachments=attachments)

    def _thought(self, thought: Thought) -> Thought:
        return attrs.evolve(thought, content=self._word(thought.content))

    def _media(self, media: Media) -> Media:
        stash = {key: self._entry(entry) for key, entry in media.stash.items()}
        return attrs.evolve(media, stash=stash)

    def _entry(self, entry: StashEntry) -> StashEntry:
        return attrs.evolve(entry, value=self._word(entry.value))

    def _call(self, call: ToolCall) -> ToolCall:
        results: Any = call.results
        if isinstance(results, str):
            return attrs.evolve(call, results=self._word(results))
        if isinstance(results, SpooledArtifact):
            return attrs.evolve(call, results=self._artifact(results, call.inline))
        if results is None:
            return call
        made = [self._media(r) if isinstance(r, Media) else self._artifact(r, call.inline) for r in results]
        return attrs.evolve(call, results=made)
