"""Seamwright renders what an agent knows into an OpenAI Responses request; every renderer is a seam."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

from seamwright.check import Change, Violation, check_request, repair_request
from seamwright.errors import (
    ContextOverflowError,
    Fault,
    IngestError,
    InvalidRequestError,
    InvalidStateError,
    OutlineError,
    SchemaError,
    SeamError,
    SeamwrightError,
    StreamFailedError,
    StrictSchemaError,
    TokenizableError,
    UnsupportedMediaError,
    WiringError,
)
from seamwright.history.chat import history_from_chat_completions
from seamwright.history.items import ImportNote
from seamwright.history.responses import ImportedHistory, history_from_responses
from seamwright.ingest import Ingested, InputTransformation, Usage, classify_rejection
from seamwright.model.artifact import SpooledArtifact, ToolMethod
from seamwright.model.budget import TokenBudget
from seamwright.model.endpoints import ENDPOINTS, EndpointProfile
from seamwright.model.identity import Identity
from seamwright.model.knowledge import Memory, Retrievable
from seamwright.model.media import Media, StashEntry
from seamwright.model.message import Message
from seamwright.model.options import FallbackStash, RenderOptions
from seamwright.model.origin import ResponseOrigin
from seamwright.model.provider_item import ProviderItem
from seamwright.model.sources import FileId, FileSource, Url
from seamwright.model.state import AgentState
from seamwright.model.state_file import dump_state, load_state
from seamwright.model.text import Tokenizable
from seamwright.model.thought import REASONING_TAG, ReasoningPayload, Thought
from seamwright.model.tool_call import ToolCall
from seamwright.model.tools import Tool, ToolRegistry
from seamwright.pipeline.pipeline import Pipeline
from seamwright.record import Overrides, Seams
from seamwright.seams.context import BuildContext
from seamwright.seams.envelopes import EnvelopeAttrs, KeyedNonce
from seamwright.seams.fingerprint import OriginFingerprint, PrefixHash, Sha256Fingerprint
from seamwright.seams.handles import HandleInfo
from seamwright.seams.trimming import TimelineGroup, TrimRoom, trim_oldest
from seamwright.session import AsyncSession, Session, Turn
from seamwright.tokens import O200kCounter, TokenCount, count_request
from seamwright.wire.assembled import AssembledInput, RenderWarning

if TYPE_CHECKING:
    from seamwright.batch import BatchLine, render_batch
    from seamwright.explanation import explain, explain_reasoning

__all__ = [
    "ENDPOINTS",
    "REASONING_TAG",
    "AgentState",
    "AssembledInput",
    "AsyncSession",
    "BatchLine",
    "BuildContext",
    "Change",
    "ContextOverflowError",
    "EndpointProfile",
    "EnvelopeAttrs",
    "FallbackStash",
    "Fault",
    "FileId",
    "FileSource",
    "HandleInfo",
    "Identity",
    "ImportNote",
    "ImportedHistory",
    "IngestError",
    "Ingested",
    "InputTransformation",
    "InvalidRequestError",
    "InvalidStateError",
    "KeyedNonce",
    "Media",
    "Memory",
    "Message",
    "O200kCounter",
    "OriginFingerprint",
    "OutlineError",
    "Overrides",
    "Pipeline",
    "PrefixHash",
    "ProviderItem",
    "ReasoningPayload",
    "RenderOptions",
    "RenderWarning",
    "ResponseOrigin",
    "Retrievable",
    "SchemaError",
    "SeamError",
    "Seams",
    "SeamwrightError",
    "Session",
    "Sha256Fingerprint",
    "SpooledArtifact",
    "StashEntry",
    "StreamFailedError",
    "StrictSchemaError",
    "Thought",
    "TimelineGroup",
    "TokenBudget",
    "TokenCount",
    "Tokenizable",
    "TokenizableError",
    "Tool",
    "ToolCall",
    "ToolMethod",
    "ToolRegistry",
    "TrimRoom",
    "Turn",
    "UnsupportedMediaError",
    "Url",
    "Usage",
    "Violation",
    "WiringError",
    "check_request",
    "classify_rejection",
    "count_request",
    "dump_state",
    "explain",
    "explain_reasoning",
    "history_from_chat_completions",
    "history_from_responses",
    "load_state",
    "render_batch",
    "repair_request",
    "trim_oldest",
]

_LATER: Final = {
    "BatchLine": "seamwright.batch",
    "explain": "seamwright.explanation",
    "explain_reasoning": "seamwright.explanation",
    "render_batch": "seamwright.batch",
}
"""Names that a process which only builds has no use for: their modules load when they are asked for."""

if not TYPE_CHECKING:  # to a type checker it would say that the package has every name

    def __getattr__(name: str) -> Any:
        if name not in _LATER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(importlib.import_module(_LATER[name]), name)
