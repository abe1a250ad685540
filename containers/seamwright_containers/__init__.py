"""The wiring of Seamwright, and the only place that imports dependency_injector.

A name is loaded when it is first asked for. The package also holds the pytest plugin, which every test run of an
environment imports: it must not cost a run that does not use it the time to load all of this.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from seamwright_containers.derivation import deriving
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

_HOMES: Final = {
    "derivation": ("deriving",),
    "doors": (
        "add",
        "made",
        "rewire",
        "swap",
        "use",
    ),
    "graph": (
        "SeamInfo",
        "describe",
    ),
    "hardened": (
        "HardenedContainer",
        "hardened_pipeline",
    ),
    "plan": ("Plan",),
    "presets": (
        "Preset",
        "combined",
        "hardening",
        "preset",
        "preset_pipeline",
        "with_keyed_nonces",
        "with_media_brackets",
        "with_origin_fingerprint",
        "with_sha256_fingerprint",
        "with_strict_neutralising",
        "with_tool_types",
        "with_untrusted_memories",
    ),
    "responses": (
        "ResponsesContainer",
        "resolve",
        "responses_pipeline",
    ),
    "verbatim": (
        "VerbatimContainer",
        "resolve_verbatim",
        "verbatim_pipeline",
    ),
}
"""Which module defines what."""

if not TYPE_CHECKING:  # the checkers would take any name for one of this module

    def __getattr__(name: str) -> Any:
        """A public name, loaded."""
        for home, names in _HOMES.items():
            if name in names:
                value = getattr(importlib.import_module(f"{__name__}.{home}"), name)
                globals()[name] = value
                return value
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        """What is loaded, and what could be."""
        return sorted({*globals(), *__all__})
