"""Seams that trust less than the defaults: strict neutralising, labels too; brackets round media; memories as data.

Each is a default with something round it, so that everything else stays as it is.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeVar

import attrs

from seamwright.awaiting import MaybeAwaitable, eager, settled
from seamwright.errors import WiringError
from seamwright.model.identity import Identity
from seamwright.model.knowledge import Memory, Retrievable
from seamwright.model.media import Media
from seamwright.model.message import Message
from seamwright.model.thought import Thought
from seamwright.model.trust import SHOWN_HAZARD
from seamwright.seams import envelopes, media, retrievables, timeline
from seamwright.seams.brackets import brackets
from seamwright.seams.context import BuildContext, TokenCounter
from seamwright.seams.envelopes import Envelope, EnvelopeAttrs, KeyedNonce, Neutraliser, Nonce
from seamwright.seams.handles import Handle
from seamwright.seams.leading import Memories, tagged
from seamwright.seams.media import MediaBlocks, RenderMediaPolicy
from seamwright.seams.retrievables import Retrievables
from seamwright.seams.timeline import RenderThought, ThoughtKind, TimelineMessage
from seamwright.wire.items import Item, Part, input_text

Labelled = TypeVar("Labelled", Memory, Retrievable)
Said = TypeVar("Said", Message, Thought)

OPERATOR = "operator"
"""The ``source`` of a memory that the operator wrote."""


def _is_a(value: object, *kinds: type) -> bool:
    """Whether a value is what its annotation says: not everybody runs a type checker."""
    return isinstance(value, kinds)


def _check(fits: bool, problem: str) -> None:
    if not fits:
        raise WiringError(problem)


def make_keyed_nonce(*, secret: str | bytes | None) -> Nonce:
    """Nonces that can't be guessed. Raises :class:`WiringError` without a secret of the host: there is no default."""
    _check(secret is None or _is_a(secret, str, bytes), f"secret: {type(secret).__name__} is neither text nor bytes")
    if not secret:
        raise WiringError("hardened seams need a secret of the host: secret=… (1 to 32 bytes, kept from any model)")
    try:
        return KeyedNonce(secret)
    except ValueError as error:
        raise WiringError(f"secret: {error}") from None


def sources_of_operator(sources: Collection[str]) -> frozenset[str]:
    """The values of ``Memory.source`` that mean the operator.

    Raises :class:`WiringError` for what is no collection of texts: a single text is one of letters, and in it every
    piece of itself would be found.
    """
    several = _is_a(sources, Collection) and not _is_a(sources, str, bytes)
    _check(several, f"operator_sources: {sources!r:.80} is no collection of texts; give {{'operator'}}")
    for source in sources:
        problem = "is no text; a memory without source is not the operator's"
        _check(_is_a(source, str), f"operator_sources: {source!r:.80} {problem}")
    return frozenset(sources)


def _label(value: str | None, neutraliser: Neutraliser) -> str | None:
    return None if value is None else neutraliser(value)


def _labelled(item: Labelled, neutraliser: Neutraliser) -> Labelled:
    source, kind = _label(item.source, neutraliser), _label(item.kind, neutraliser)
    return item if (source, kind) == (item.source, item.kind) else attrs.evolve(item, source=source, kind=kind)


def _by(said: Said, neutraliser: Neutraliser) -> Said:
    shown = neutraliser(said.identity.representation)
    if shown == said.identity.representation:
        return said
    return attrs.evolve(said, identity=Identity(identifier=said.identity.identifier, representation=shown))


def _enclosing(envelope: Envelope, neutraliser: Neutraliser) -> Envelope:
    def enclose(content: str, attributes: EnvelopeAttrs, /) -> str:
        tool = _label(attributes.tool, neutraliser)
        return envelope(content, attributes if tool == attributes.tool else attrs.evolve(attributes, tool=tool))

    return enclose


def make_untrusted_envelope(*, neutraliser: Neutraliser) -> Envelope:
    """The default ``untrusted_envelope`` with the name of tool or source neutralised."""
    return _enclosing(envelopes.untrusted_envelope, neutraliser)


def make_trusted_envelope(*, neutraliser: Neutraliser) -> Envelope:
    """The default ``trusted_envelope`` with the name of the tool neutralised."""
    return _enclosing(envelopes.trusted_envelope, neutraliser)


def make_memories(
    *, nonce: Nonce, neutraliser: Neutraliser, untrusted_envelope: Envelope, operator_sources: Collection[str]
) -> Memories:
    """The default ``memories``, but what no operator wrote stands in an untrusted envelope inside its child.

    ``operator_sources``: the values of ``Memory.source`` that mean the operator. A memory without source is not his.
    Raises :class:`WiringError` for sources that are no collection of texts.
    """
    sources = sources_of_operator(operator_sources)

    def body(memory: Memory, source: str | None) -> str:
        text = neutraliser(str(memory.content))
        if memory.source in sources:
            return text
        return untrusted_envelope(text, EnvelopeAttrs(nonce(memory.id), "memory", source))

    def memories(items: Sequence[Memory], /) -> str:
        if not items:
            return ""
        shown = [(item, _labelled(item, neutraliser)) for item in items]
        children = [tagged("memory", body(item, label.source), label, nonce(item.id)) for item, label in shown]
        return "<memories>\n" + "\n".join(children) + "\n</memories>"

    return memories


def make_first_party_retrievables(
    *,
    nonce: Nonce,
    neutraliser: Neutraliser,
    retrievable_handle: Handle,
    token_counter: TokenCounter | None,
) -> Retrievables:
    """The default ``first_party_retrievables`` with source and kind neutralised."""
    inner = retrievables.make_first_party_retrievables(
        nonce=nonce, neutraliser=neutraliser, retrievable_handle=retrievable_handle, token_counter=token_counter
    )

    def first_party_retrievables(items: Sequence[Retrievable], context: BuildContext, /) -> MaybeAwaitable[str]:
        return inner([_labelled(item, neutraliser) for item in items], context)

    return first_party_retrievables


def make_thought(*, nonce: Nonce, neutraliser: Neutraliser) -> RenderThought:
    """The default ``thought`` with the author's name neutralised."""
    inner = timeline.make_thought(nonce=nonce, neutraliser=neutraliser)

    def thought(thought: Thought, kind: ThoughtKind, /) -> str:
        return inner(_by(thought, neutraliser), kind)

    return thought


def make_timeline_message(*, nonce: Nonce, neutraliser: Neutraliser, media_blocks: MediaBlocks) -> TimelineMessage:
    """The default ``timeline_message`` with the author's name neutralised."""
    inner = timeline.make_timeline_message(nonce=nonce, neutraliser=neutraliser, media_blocks=media_blocks)

    def timeline_message(message: Message, context: BuildContext, /) -> MaybeAwaitable[list[Item]]:
        return inner(_by(message, neutraliser), context)

    return timeline_message


def make_media_policy(
    *, nonce: Nonce, neutraliser: Neutraliser, trusted_envelope: Envelope, untrusted_envelope: Envelope
) -> RenderMediaPolicy:
    """The default ``media_policy`` with the marker before its envelope neutralised."""
    inner = media.make_media_policy(
        nonce=nonce,
        neutraliser=neutraliser,
        trusted_envelope=trusted_envelope,
        untrusted_envelope=untrusted_envelope,
    )

    @eager
    async def media_policy(one: Media, context: BuildContext, /) -> str:
        text = inner(one, context)
        text = text if isinstance(text, str) else await settled(text)
        marker = media.marker(one)
        return neutraliser(marker) + text.removeprefix(marker)

    return media_policy


def make_media_blocks(
    *,
    media_policy: RenderMediaPolicy,
    nonce: Nonce,
    neutraliser: Neutraliser,
    trusted_envelope: Envelope,
    untrusted_envelope: Envelope,
) -> MediaBlocks:
    """The default ``media_blocks`` with each native part between the tags of its tier, and its names neutralised.

    What goes by the policy stands in an envelope already.
    """
    inner = media.make_media_blocks(media_policy=media_policy)

    @eager
    async def media_blocks(one: Media, context: BuildContext, /) -> list[Part]:
        parts = inner(one, context)
        parts = parts if isinstance(parts, list) else await settled(parts)
        if len(parts) == 1:
            return parts
        trusted = one.trust_tier == "first-party"
        envelope = trusted_envelope if trusted else untrusted_envelope
        attributes = EnvelopeAttrs(nonce(one.id), "media", modality=SHOWN_HAZARD[one.modality_hazard])
        opening, closing = brackets(envelope, attributes, trusted=trusted, context=context, subject_id=one.id)
        return [input_text(opening), *(_quiet(part, neutraliser) for part in parts), input_text(closing)]

    return media_blocks


def _quiet(part: Part, neutraliser: Neutraliser) -> Part:
    return part | {key: neutraliser(part[key]) for key in ("text", "filename") if key in part}
