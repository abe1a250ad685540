"""The one converter between primitives and their JSON: every fault with its path, and what was read is dumped again.

Built on cattrs: its dispatch finds the hook of a type, the hooks add the paths.
"""

from __future__ import annotations

from typing import Final

from seamwright.model.artifact import SpooledArtifact, ToolMethod
from seamwright.model.budget import TokenBudget
from seamwright.model.identity import Identity
from seamwright.model.json_values import as_given, dump_named, json_value, register_values
from seamwright.model.knowledge import Memory, Retrievable
from seamwright.model.media import Media, StashEntry
from seamwright.model.message import Message
from seamwright.model.options import RenderOptions
from seamwright.model.origin import ResponseOrigin
from seamwright.model.provider_item import ProviderItem
from seamwright.model.records import converter, hook_of, record
from seamwright.model.thought import ReasoningPayload, Thought
from seamwright.model.tool_call import ToolCall
from seamwright.model.tools import Tool
from seamwright.model.unions import (
    ARTIFACT_SOURCES,
    MEDIA_SOURCES,
    dump_content,
    dump_endpoint,
    dump_identity,
    dump_policy,
    dump_results,
    identity_hook,
    read_bucket_order,
    read_budget,
    read_content,
    read_payload,
    read_policy,
    read_results,
    read_stash,
)

__all__ = ["OPTIONS", "converter", "hook_of", "record"]

register_values(converter)
converter.register_structure_hook(Identity, identity_hook(record(Identity).read))
converter.register_unstructure_hook(Identity, dump_identity)
record(ResponseOrigin)
record(StashEntry, value=(json_value, converter.unstructure))
record(ToolMethod)
record(SpooledArtifact, ARTIFACT_SOURCES)
record(Media, MEDIA_SOURCES, stash=(read_stash, dump_named))
record(Memory)
record(Retrievable, content=(read_content, dump_content))
record(Message)
record(ReasoningPayload)
record(Thought, payload=(read_payload, converter.unstructure))
record(ToolCall, results=(read_results, dump_results), args=(as_given, converter.unstructure))
record(ProviderItem)
record(Tool, code=("handler",), beside=("hidden",))
record(TokenBudget, low_water=(as_given, converter.unstructure))
OPTIONS: Final = record(
    RenderOptions,
    bucket_order=(read_bucket_order, list),
    unsupported_media_policy=(read_policy, dump_policy),
    endpoint=(as_given, dump_endpoint),
    budget=(read_budget, converter.unstructure),
)
