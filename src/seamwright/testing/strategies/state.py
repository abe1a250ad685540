"""Every primitive, and states in which anything may stand beside anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from seamwright.model.artifact import SpooledArtifact, ToolMethod
from seamwright.model.endpoints import ENDPOINTS
from seamwright.model.identity import Identity
from seamwright.model.knowledge import Memory, Retrievable
from seamwright.model.media import Media, StashEntry
from seamwright.model.message import Message
from seamwright.model.options import BUCKETS, DEFAULT_STASH_KEYS, Bucket, FallbackStash, RenderOptions
from seamwright.model.origin import ResponseOrigin
from seamwright.model.provider_item import ProviderItem
from seamwright.model.sources import FileId, Url
from seamwright.model.state import AgentState
from seamwright.model.thought import REASONING_TAG, ReasoningPayload, Thought
from seamwright.model.tool_call import ToolCall
from seamwright.model.tools import Tool, ToolRegistry
from seamwright.model.trust import HAZARDS, TIERS
from seamwright.testing.strategies.wire import provider_mappings, reasoning_items
from seamwright.testing.strategies.words import Fields, built, ids, json_objects, optional, texts, times


def identities() -> SearchStrategy[Identity]:
    """Identities of the agent, of a user and of peers, shown under any name."""
    names = st.sampled_from(("assistant", "user", "peer", "peer 2"))
    return st.builds(Identity, identifier=names, representation=st.sampled_from(("assistant", "Ann")) | texts())


def origins(**fields: Fields) -> SearchStrategy[ResponseOrigin]:
    """Origins in one of three responses, with ids of any form."""
    own = {
        "response_id": st.sampled_from(("resp_1", "resp_2", "resp_3")),
        "output_index": st.integers(0, 5),
        "item_id": optional(ids()),
        "model": st.just("gpt-test"),
        "reasoning_count": st.integers(0, 2),
    }
    return built(ResponseOrigin, own, fields)


_BYTES: Final = (
    b"",
    b"\x89PNG\r\n\x1a\n\x00",
    b"\xff\xd8\xff\xe0\x00",
    b"GIF89a\x00",
    b"RIFF\x00\x00\x00\x00WEBPVP8 ",
    b"%PDF-1.7\n",
    b"plain text",
)
_SOURCES: Final = (Url("https://example.org/a.png"), FileId("file-1"))
_MIME_TYPES: Final = (
    "image/png",
    "image/JPEG",
    "image/svg+xml",
    "application/pdf",
    "text/plain; charset=utf-8",
    "application/x-sh",
    "application/octet-stream",
    "application/zip",
    "audio/wav",
    "video/mp4",
)


def medias(**fields: Fields) -> SearchStrategy[Media]:
    """Media of every kind, native and not, under every tier; bytes that may not be what they are declared as."""
    entries = st.builds(StashEntry, value=texts() | st.integers(), trust_tier=st.sampled_from(TIERS))
    own = {
        "id": ids(),
        "kind": st.sampled_from(("image", "document", "audio", "video")),
        "mime_type": st.sampled_from(_MIME_TYPES),
        "filename": st.sampled_from(("a.png", "notes.md", "a|b].pdf", 'x"<y>.txt', "report.tar.gz", "")) | texts(),
        "source_reader": st.sampled_from(_BYTES) | st.sampled_from(_SOURCES),
        "trust_tier": st.sampled_from(TIERS),
        "modality_hazard": st.sampled_from(HAZARDS),
        "detail": st.sampled_from(("auto", "low", "high")),
        "stash": st.dictionaries(st.sampled_from((*DEFAULT_STASH_KEYS, "other")), entries, max_size=2),
    }
    return built(Media, own, fields)


def artifacts(**fields: Fields) -> SearchStrategy[SpooledArtifact]:
    """Artifacts of text or bytes, with and without tools that read them."""
    methods = st.builds(ToolMethod, name=st.sampled_from(("read", "grep")), description=optional(texts()))
    own = {
        "reader": texts() | st.just("") | st.just(b"caf\xc3\xa9 \xff"),
        "kind": st.sampled_from(("text", "json", "markdown")),
        "tool_methods": st.lists(methods, max_size=2),
    }
    return built(SpooledArtifact, own, fields)


def memories(**fields: Fields) -> SearchStrategy[Memory]:
    """Memories, dated and undated."""
    own = {
        "id": ids(),
        "content": texts() | st.just(""),
        "created_at": optional(times()),
        "source": optional(texts()),
        "kind": optional(texts()),
        "score": optional(st.sampled_from((0, 1, 0.75))),
    }
    return built(Memory, own, fields)


def retrievables(**fields: Fields) -> SearchStrategy[Retrievable]:
    """Documents of every tier: texts, and artifacts inline or as handles."""
    own = {
        "id": ids(),
        "content": texts() | artifacts(),
        "trust_tier": st.sampled_from(TIERS),
        "created_at": optional(times()),
        "source": optional(texts()),
        "kind": optional(texts()),
        "score": optional(st.sampled_from((-1, 0, 2.5))),
        "inline": st.booleans(),
    }
    return built(Retrievable, own, fields)


def messages(**fields: Fields) -> SearchStrategy[Message]:
    """Messages of users, peers and the agent: texts, refusals, attachments alone."""
    own = {
        "id": ids(),
        "role": st.sampled_from(("user", "assistant")),
        "content": texts(),
        "created_at": times(),
        "identity": identities(),
        "origin": optional(origins()),
    }
    refused = own | {"content": st.none(), "refusal": texts(), "incomplete": st.booleans()}
    attached = own | {"content": st.none() | texts(), "attachments": st.lists(medias(), min_size=1, max_size=2)}
    phased = own | {"phase": st.sampled_from(("commentary", "final_answer")), "incomplete": st.booleans()}
    return st.one_of(*(built(Message, variant, fields) for variant in (own, refused, attached, phased)))


def reasoning_payloads(**fields: Fields) -> SearchStrategy[ReasoningPayload]:
    """Payloads whose recorded fingerprint fits no prefix; :func:`conversations` are for those that do."""
    nothing: dict[str, Any] = {}
    own = {
        "item": reasoning_items() | st.just(nothing),
        "paired_item_id": optional(ids()),
        "prefix_fingerprint": st.sampled_from(("", "xxh3-1:0")),
        "sections": st.just(nothing) | st.just({"model": "xxh3-1:0", "input": "xxh3-1:0"}),
    }
    return built(ReasoningPayload, own, fields)


def thoughts(**fields: Fields) -> SearchStrategy[Thought]:
    """Plain thoughts, reasoning, and payloads of other providers, of the agent and of peers."""
    own = {"id": ids(), "created_at": times(), "identity": identities(), "origin": optional(origins())}
    plain = own | {"content": texts(), "replay_compatibility": st.sampled_from((None, "plain-text", "other"))}
    reasoning = own | {
        "identity": st.just("assistant"),
        "content": texts() | st.just(""),
        "payload": reasoning_payloads(),
        "replay_compatibility": st.just(REASONING_TAG),
        "withheld": st.none() | st.just("prefix_mismatch"),
    }
    foreign = plain | {"payload": st.just({"variant": "other"}), "replay_compatibility": st.just("other")}
    return st.one_of(*(built(Thought, variant, fields) for variant in (plain, reasoning, foreign)))


def tool_calls(**fields: Fields) -> SearchStrategy[ToolCall]:
    """Calls with results of every shape, pending ones, and arguments as a mapping or as the provider's JSON."""
    results = st.one_of(
        st.none(),
        texts() | st.just(""),
        artifacts(),
        st.lists(artifacts(), min_size=1, max_size=2),
        st.lists(medias(), min_size=1, max_size=2),
    )
    own = {
        "id": ids(),
        "tool": st.sampled_from(("lookup", "send_mail", "odd name!", "<memories>")),
        "args": json_objects() | st.sampled_from(("{}", '{"q": "caf\\u00e9"}', "cut sh")),
        "created_at": times(),
        "results": results,
        "inline": st.booleans(),
        "trusted": st.sampled_from((None, True, False)),
        "origin": optional(origins()),
    }
    return built(ToolCall, own, fields)


def provider_items(**fields: Fields) -> SearchStrategy[ProviderItem]:
    """Hosted calls, custom calls, answers to both, compactions and types not known yet."""
    own = {"item": provider_mappings(), "created_at": times(), "origin": optional(origins())}
    return built(ProviderItem, own, fields)


_SCHEMAS: Final[tuple[Mapping[str, Any], ...]] = (
    {},
    {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]},
    {"type": "object", "keys": {"n": {"type": "number", "rules": [{"name": "integer"}]}}},
)


def tools(**fields: Fields) -> SearchStrategy[Tool]:
    """Tools with a JSON Schema or a validator description; trusted or not."""
    own = {
        "name": st.sampled_from(("lookup", "send_mail", "read", "grep")),
        "description": texts(),
        "input_schema": st.sampled_from(_SCHEMAS),
        "trusted": st.booleans(),
        "strict": st.sampled_from((None, False)),
    }
    return built(Tool, own, fields)


def _registry(tools: Sequence[Tool], hidden: bool) -> ToolRegistry:
    registry = ToolRegistry(tools)
    return registry.hide(tools[0].name) if tools and hidden else registry


def states(**fields: Fields) -> SearchStrategy[AgentState]:
    """States in which anything may stand beside anything, fit or not to go out. All of them can be dumped."""
    hosted = st.just({"type": "web_search", "filters": None})
    registries = st.builds(
        _registry, st.lists(tools(), max_size=2, unique_by=lambda tool: tool.name), hidden=st.booleans()
    )
    own = {
        "system_prompt": st.just("") | texts(),
        "standing_instructions": st.lists(texts() | st.just(""), max_size=2),
        "memories": st.lists(memories(), max_size=2),
        "retrievables": st.lists(retrievables(), max_size=3),
        "messages": st.lists(messages(), max_size=4),
        "thoughts": st.lists(thoughts(), max_size=3),
        "tool_calls": st.lists(tool_calls(), max_size=3),
        "provider_items": st.lists(provider_items(), max_size=4),
        "tools": registries,
        "provider_tools": st.lists(hosted, max_size=1),
    }
    return built(AgentState, own, fields)


def options(**fields: Fields) -> SearchStrategy[RenderOptions]:
    """Options of every kind. No policy is ``throw``: give ``unsupported_media_policy`` to have media refused."""

    def cut(order: Sequence[Bucket], first: int) -> tuple[Bucket, ...]:
        return tuple(order[first:])

    permuted = st.builds(cut, st.permutations(BUCKETS), st.sampled_from((0, 0, 0, 1, 2, 4)))
    policies = ("fallback-stash", FallbackStash(("other",)), "synthetic-description")
    own = {
        "model": st.just("gpt-test"),
        "bucket_order": st.just(BUCKETS) | permuted,
        "thought_surfacing": st.sampled_from(("all-self", "latest-self", "all")),
        "reasoning_replay": st.sampled_from(("encrypted", "encrypted", "summary-only", "off")),
        "system_prompt_channel": st.sampled_from(("instructions", "developer-item", "system-item")),
        "unsupported_media_policy": st.sampled_from(policies),
        "strict": st.sampled_from((None, False)),
        "standing_instructions_version": optional(texts()),
        "endpoint": st.sampled_from(sorted(ENDPOINTS)),
    }
    return built(RenderOptions, own, fields)
