"""Hypothesis strategies for everything a build takes in: for property tests of a host's own seams and containers.

Every strategy of a primitive takes strategies of its fields as keyword arguments, which replace its own::

    @given(states(messages=st.lists(messages(role=st.just("user")))), options(endpoint=st.just("azure")))

What they give is always valid, and often unpleasant: texts hold tags of every envelope in any spelling, lone surrogates
and control characters, ids hold quotes and angle brackets, times are equal. :func:`conversations` gives the other kind:
what a provider really answers, turn by turn, to be recorded by an ingestion. Needs the extra ``testing``.
"""

from __future__ import annotations

from seamwright.testing.strategies.state import (
    artifacts,
    identities,
    medias,
    memories,
    messages,
    options,
    origins,
    provider_items,
    reasoning_payloads,
    retrievables,
    states,
    thoughts,
    tool_calls,
    tools,
)
from seamwright.testing.strategies.wire import (
    Turn,
    conversations,
    reasoning_items,
    responses,
)
from seamwright.testing.strategies.words import (
    BASE_TIME,
    ENVELOPE_NAMES,
    envelope_tags,
    hostile_texts,
    ids,
    json_objects,
    texts,
    times,
)

media = medias
"""The same: a media, several media."""

hostile_text = hostile_texts
"""The same, for one text."""

__all__ = [
    "BASE_TIME",
    "ENVELOPE_NAMES",
    "Turn",
    "artifacts",
    "conversations",
    "envelope_tags",
    "hostile_text",
    "hostile_texts",
    "identities",
    "ids",
    "json_objects",
    "media",
    "medias",
    "memories",
    "messages",
    "options",
    "origins",
    "provider_items",
    "reasoning_items",
    "reasoning_payloads",
    "responses",
    "retrievables",
    "states",
    "texts",
    "thoughts",
    "times",
    "tool_calls",
    "tools",
]
