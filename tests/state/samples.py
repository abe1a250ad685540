"""A state file that uses every key, and the smallest of each primitive."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any, Final

from seamwright import (
    Identity,
    Media,
    Memory,
    Message,
    ProviderItem,
    ReasoningPayload,
    RenderOptions,
    ResponseOrigin,
    Retrievable,
    SpooledArtifact,
    StashEntry,
    Thought,
    Tool,
    ToolCall,
    ToolMethod,
)

NOON: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)
TIME: Final = "2026-01-01T12:00:00.000Z"

SMALLEST: Final[dict[type, dict[str, Any]]] = {
    Identity: {"identifier": "a", "representation": "A"},
    ResponseOrigin: {"response_id": "resp_1", "output_index": 0, "model": "m"},
    Message: {"id": "u1", "role": "user", "content": "hi", "created_at": NOON},
    Thought: {"id": "t1", "content": "hm", "created_at": NOON},
    ReasoningPayload: {"item": {"type": "reasoning"}, "prefix_fingerprint": ""},
    ToolCall: {"id": "c1", "tool": "t", "args": {}, "created_at": NOON},
    ProviderItem: {"item": {"type": "web_search_call"}, "created_at": NOON},
    Memory: {"id": "m1", "content": "x"},
    Retrievable: {"id": "r1", "content": "x", "trust_tier": "first-party"},
    Media: {
        "kind": "image",
        "mime_type": "image/png",
        "filename": "a.png",
        "source_reader": b"x",
        "trust_tier": "first-party",
        "modality_hazard": "inert",
    },
    StashEntry: {"value": "x", "trust_tier": "first-party"},
    SpooledArtifact: {"reader": "x"},
    ToolMethod: {"name": "grep"},
    Tool: {"name": "t", "description": "d", "input_schema": {}},
    RenderOptions: {"model": "m"},
}
"""The fields that each class needs, and no others."""


def make(cls: type, **fields: Any) -> Any:
    """The smallest of a class, with some fields replaced."""
    return cls(**(SMALLEST[cls] | fields))


MEDIA: Final[dict[str, Any]] = {
    "id": "md1",
    "kind": "image",
    "mime_type": "image/png",
    "filename": "a.png",
    "data": "aGk=",
    "trust_tier": "third-party-private",
    "modality_hazard": "opaque-perceptual",
}
ORIGIN: Final = {
    "response_id": "resp_1",
    "output_index": 2,
    "item_id": "msg_1",
    "model": "m",
    "reasoning_count": 1,
}

_FULL: Final[dict[str, Any]] = {
    "version": 1,
    "model": "gpt-5.4",
    "options": {
        "bucket_order": ["memories", "timeline", "retrievables"],
        "self_identity": "me",
        "thought_surfacing": "all",
        "replay_compatibility": ["a", "b"],
        "reasoning_replay": "off",
        "system_prompt_channel": "developer-item",
        "unsupported_media_policy": {"mode": "fallback-stash", "keys": ["text:caption"]},
        "strict": True,
        "standing_instructions_version": "7",
        "endpoint": "azure",
        "budget": {"tokens": 100000, "low_water": 0.5},
    },
    "system_prompt": "Help.",
    "standing_instructions": ["a", "b"],
    "memories": [
        {
            "id": "m1",
            "content": "x",
            "created_at": TIME,
            "source": "s",
            "kind": "k",
            "score": 0.5,
            "confidence": 1,
            "importance": 0,
        }
    ],
    "retrievables": [
        {
            "id": "r1",
            "content": "x",
            "trust_tier": "third-party-public",
            "created_at": TIME,
            "source": "s",
            "kind": "k",
            "score": 12.5,
            "inline": True,
        },
        {"id": "r2", "content": {"artifact": {"text": "large"}}, "trust_tier": "first-party"},
    ],
    "messages": [
        {
            "id": "u1",
            "role": "user",
            "content": "hi",
            "created_at": TIME,
            "identity": {"identifier": "ann", "representation": "Ann"},
            "attachments": [
                MEDIA | {"detail": "low", "source": "camera"},
                {
                    **MEDIA,
                    "kind": "document",
                    "stash": {"text:caption": {"value": "c", "trust_tier": "first-party", "derived_from_media": "md1"}},
                },
            ],
        },
        {
            "id": "a1",
            "role": "assistant",
            "created_at": TIME,
            "identity": "me",
            "refusal": "no",
            "phase": "commentary",
            "annotations": [{"type": "url_citation"}],
            "incomplete": True,
            "origin": ORIGIN,
        },
    ],
    "thoughts": [
        {
            "id": "t1",
            "content": "hm",
            "created_at": TIME,
            "identity": "peer",
            "payload": {
                "variant": "responses-reasoning",
                "item": {"type": "reasoning", "id": "rs_1", "encrypted_content": "e"},
                "paired_item_id": "msg_1",
                "prefix_fingerprint": "f",
                "sections": {"model": "d"},
            },
            "replay_compatibility": "a",
            "withheld": "refused",
            "origin": ORIGIN,
        },
        {"id": "t2", "created_at": TIME, "payload": {"variant": "other", "anything": [1]}, "replay_compatibility": "b"},
    ],
    "tool_calls": [
        {
            "id": "c1|fc_1",
            "tool": "search",
            "args": {"q": [1, None]},
            "created_at": TIME,
            "results": {"text": "found"},
            "checksum": "own",
            "inline": False,
            "is_error": True,
            "trusted": False,
            "incomplete": True,
            "namespace": "n",
            "caller": {"type": "program"},
            "origin": ORIGIN,
        },
        {"id": "c2", "tool": "search", "args": "{}", "created_at": TIME, "results": {"media": [MEDIA]}},
        {
            "id": "c3",
            "tool": "search",
            "args": {},
            "created_at": TIME,
            "results": {
                "artifact": {
                    "text": "a",
                    "kind": "json",
                    "tool_methods": [{"name": "g", "description": "d"}, {"name": "h"}],
                }
            },
        },
        {
            "id": "c4",
            "tool": "s",
            "args": {},
            "created_at": TIME,
            "results": {"artifacts": [{"text": "a"}, {"text": "b"}]},
        },
        {"id": "c5", "tool": "s", "args": {}, "created_at": TIME},
    ],
    "provider_items": [{"item": {"type": "web_search_call", "id": "ws_1"}, "created_at": TIME, "origin": ORIGIN}],
    "tools": [
        {"name": "search", "description": "d", "input_schema": {"type": "object"}, "trusted": True, "strict": False},
        {"name": "hidden", "description": "d", "input_schema": {}, "hidden": True},
    ],
    "provider_tools": [{"type": "web_search", "strict": None}],
}


def full() -> dict[str, Any]:
    """A state file with every key set to something else than its default; no part of it stands in two places."""
    file: dict[str, Any] = json.loads(json.dumps(_FULL))
    return file
