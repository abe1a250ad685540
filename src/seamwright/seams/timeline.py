"""What stands in the timeline: thoughts, messages of users and peers, the agent's own messages."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Final, Literal, Protocol

from seamwright.awaiting import MaybeAwaitable, eager, settled
from seamwright.model.message import Message
from seamwright.model.options import RenderOptions
from seamwright.model.thought import Thought
from seamwright.model.times import show_time
from seamwright.seams.context import BuildContext
from seamwright.seams.envelopes import Neutraliser, Nonce, escape_attribute
from seamwright.seams.media import MediaBlocks
from seamwright.wire.items import Item, Part, input_text
from seamwright.wire.items import message as message_item

ThoughtKind = Literal["self-reasoning", "peer-reasoning"]


class ThoughtFilter(Protocol):
    """Which thoughts are shown, in (created_at, id) order. Gives thoughts it was given, unchanged."""

    def __call__(self, thoughts: Sequence[Thought], options: RenderOptions, /) -> list[Thought]: ...


class RenderThought(Protocol):
    """A thought's text in its envelope. Must neutralise the content."""

    def __call__(self, thought: Thought, kind: ThoughtKind, /) -> str: ...


class TimelineMessage(Protocol):
    """The items of a message that is not the agent's own. Must neutralise the content."""

    def __call__(self, message: Message, context: BuildContext, /) -> MaybeAwaitable[list[Item]]: ...


class OwnMessage(Protocol):
    """The agent's own message in output shape, without id; None when it has nothing to show.

    Must neutralise the content.
    """

    def __call__(self, message: Message, /) -> Item | None: ...


by_time: Final = attrgetter("created_at", "id")


def thought_filter(thoughts: Sequence[Thought], options: RenderOptions, /) -> list[Thought]:
    """By author, then by tag, then in time order; ``latest-self`` keeps the last."""
    everyone = options.thought_surfacing == "all"
    listed = options.replay_compatibility
    kept: list[Thought] = []
    for thought in thoughts:
        if not everyone and thought.identity.identifier != options.self_identity:
            continue
        tag = thought.replay_compatibility
        if tag in listed or (thought.payload is None and tag in (None, "plain-text")):
            kept.append(thought)
    kept.sort(key=by_time)
    return kept[-1:] if options.thought_surfacing == "latest-self" else kept


def make_thought(*, nonce: Nonce, neutraliser: Neutraliser) -> RenderThought:
    """The default ``thought``; a peer's stands in an envelope of peer output besides."""

    def thought(thought: Thought, kind: ThoughtKind, /) -> str:
        tag = nonce(thought.id)
        head = f'nonce="{escape_attribute(tag)}"'
        tail = f'from="{escape_attribute(thought.identity.representation)}" createdAt="{show_time(thought.created_at)}"'
        body = neutraliser(thought.content)
        text = f'<thought_{tag} {head} kind="{kind}" {tail}>\n{body}\n</thought_{tag}>'
        if kind == "self-reasoning":
            return text
        return f'<peer_agent_output_{tag} {head} kind="reasoning" {tail}>\n{text}\n</peer_agent_output_{tag}>'

    return thought


def make_timeline_message(*, nonce: Nonce, neutraliser: Neutraliser, media_blocks: MediaBlocks) -> TimelineMessage:
    """The default ``timeline_message``.

    One item for a user; for a peer an item of text, then a user item of attachments.
    """

    def envelope(message: Message) -> str:
        tag = nonce(message.id)
        author = escape_attribute(message.identity.representation)
        body = neutraliser(str(message.content or message.refusal or ""))
        if message.role == "user":
            name, role = f"message_{tag}", ' role="user"'
        else:
            name, role = f"peer_agent_output_{tag}", ""
        return f'<{name} from="{author}"{role} createdAt="{show_time(message.created_at)}">\n{body}\n</{name}>'

    def text_item(message: Message) -> Item:
        if message.role == "user":
            return message_item("user", [input_text(envelope(message))])
        return message_item("assistant", envelope(message))

    @eager
    async def with_attachments(message: Message, context: BuildContext) -> list[Item]:
        item = text_item(message)
        parts: list[Part] = []
        for media in message.attachments:
            blocks = media_blocks(media, context)
            parts += blocks if isinstance(blocks, list) else await settled(blocks, list, "media_blocks")
        if message.role == "user":
            item["content"] += parts
            return [item]
        return [item, message_item("user", parts)]

    def timeline_message(message: Message, context: BuildContext, /) -> MaybeAwaitable[list[Item]]:
        return with_attachments(message, context) if message.attachments else [text_item(message)]

    return timeline_message


def make_own_message(*, neutraliser: Neutraliser) -> OwnMessage:
    """The default ``own_message``: the text, then the refusal.

    Neutralised too: a model that mirrors a tag must not forge one next turn.
    """

    def own_message(message: Message, /) -> Item | None:
        content: list[Part] = []
        if message.content:
            text = neutraliser(str(message.content))
            content.append({"type": "output_text", "text": text, "annotations": []})
        if message.refusal:
            content.append({"type": "refusal", "refusal": neutraliser(message.refusal)})
        if not content:
            return None
        item = {
            "type": "message",
            "role": "assistant",
            "status": "incomplete" if message.incomplete else "completed",
            "content": content,
        }
        if message.phase is not None:
            item["phase"] = message.phase
        return item

    return own_message
