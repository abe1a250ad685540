"""The wiring of Seamwright, and the only place that imports dependency_injector."""

from __future__ import annotations

from seamwright_containers.deriving import deriving
from seamwright_containers.doors import add, made, rewire, swap, use
from seamwright_containers.graph import SeamInfo, describe
from seamwright_containers.hardened import HardenedContainer, hardened_pipeline
from seamwright_containers.plan import Plan
from seamwright_containers.presets import (
    Preset,
    combined,
    hardening,
    preset,
    preset_pipeline,
    with_keyed_nonces,
    with_media_brackets,
    with_origin_fingerprint,
    with_sha256_fingerprint,
    with_strict_neutralising,
    with_tool_types,
    with_untrusted_memories,
)
from seamwright_containers.responses import ResponsesContainer, resolve, responses_pipeline
from seamwright_containers.verbatim import VerbatimContainer, resolve_verbatim, verbatim_pipeline

__all__ = [
    "HardenedContainer",
    "Plan",
    "Preset",
    "ResponsesContainer",
    "SeamInfo",
    "VerbatimContainer",
    "add",
    "combined",
    "deriving",
    "describe",
    "hardened_pipeline",
    "hardening",
    "made",
    "preset",
    "preset_pipeline",
    "resolve",
    "resolve_verbatim",
    "responses_pipeline",
    "rewire",
    "swap",
    "use",
    "verbatim_pipeline",
    "with_keyed_nonces",
    "with_media_brackets",
    "with_origin_fingerprint",
    "with_sha256_fingerprint",
    "with_strict_neutralising",
    "with_tool_types",
    "with_untrusted_memories",
]
