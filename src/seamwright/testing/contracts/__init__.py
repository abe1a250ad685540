"""What the pipeline relies on, for each seam a function: ``check_nonce(my_nonce)`` passes, or says what is wrong.

A contract runs a seam on generated input, the same in every run, and raises :class:`ContractError` (an
``AssertionError``) with the seam's name, the smallest input that shows the mistake, and what was expected. A seam that
may wait may be plain or asynchronous; a contract may be checked inside a running loop. Needs the extra ``testing``.

Every contract takes ``max_examples``. Those of seams that put texts from outside into tags take ``neutraliser``: the
one that the seam was made with, by which the contract knows what no body can hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

import attrs

from seamwright.errors import WiringError, nearest
from seamwright.record import Seams
from seamwright.testing.contracts.core import MAX_EXAMPLES, NOTHING, ContractError
from seamwright.testing.contracts.hashing import check_fingerprint
from seamwright.testing.contracts.leading import (
    check_first_party_retrievables,
    check_memories,
    check_retrievables,
    check_standing_instructions,
    check_system_prompt,
    check_third_party_private_retrievables,
    check_third_party_public_retrievables,
)
from seamwright.testing.contracts.services import check_clock, check_output_slots, check_token_counter, check_warn
from seamwright.testing.contracts.steps import (
    check_leading_step,
    check_reasoning_pairing,
    check_timeline_step,
    check_trailing_step,
)
from seamwright.testing.contracts.texts import (
    check_artifact_handle,
    check_neutraliser,
    check_nonce,
    check_pending_result,
    check_retrievable_handle,
    check_safety_directive,
    check_trusted_envelope,
    check_untrusted_envelope,
)
from seamwright.testing.contracts.timeline import (
    check_media_blocks,
    check_media_policy,
    check_own_message,
    check_thought,
    check_thought_filter,
    check_timeline_message,
    check_tool_result,
)
from seamwright.testing.contracts.trimming import check_trimmer
from seamwright.testing.contracts.wire import (
    check_item_ids,
    check_json_schema,
    check_reasoning_item,
    check_tool_declarations,
)

__all__ = [
    "CONTRACTS",
    "MAX_EXAMPLES",
    "NOTHING",
    "ContractError",
    "check_artifact_handle",
    "check_clock",
    "check_fingerprint",
    "check_first_party_retrievables",
    "check_item_ids",
    "check_json_schema",
    "check_leading_step",
    "check_media_blocks",
    "check_media_policy",
    "check_memories",
    "check_neutraliser",
    "check_nonce",
    "check_output_slots",
    "check_own_message",
    "check_pending_result",
    "check_reasoning_item",
    "check_reasoning_pairing",
    "check_retrievable_handle",
    "check_retrievables",
    "check_safety_directive",
    "check_seam",
    "check_seams",
    "check_standing_instructions",
    "check_system_prompt",
    "check_third_party_private_retrievables",
    "check_third_party_public_retrievables",
    "check_thought",
    "check_thought_filter",
    "check_timeline_message",
    "check_timeline_step",
    "check_token_counter",
    "check_tool_declarations",
    "check_tool_result",
    "check_trailing_step",
    "check_trimmer",
    "check_trusted_envelope",
    "check_untrusted_envelope",
    "check_warn",
]

CONTRACTS: Final[Mapping[str, Callable[..., None]]] = MappingProxyType(
    {
        "clock": check_clock,
        "warn": check_warn,
        "token_counter": check_token_counter,
        "trimmer": check_trimmer,
        "nonce": check_nonce,
        "neutraliser": check_neutraliser,
        "untrusted_envelope": check_untrusted_envelope,
        "trusted_envelope": check_trusted_envelope,
        "standing_instructions": check_standing_instructions,
        "memories": check_memories,
        "safety_directive": check_safety_directive,
        "retrievable_handle": check_retrievable_handle,
        "first_party_retrievables": check_first_party_retrievables,
        "third_party_public_retrievables": check_third_party_public_retrievables,
        "third_party_private_retrievables": check_third_party_private_retrievables,
        "retrievables": check_retrievables,
        "system_prompt": check_system_prompt,
        "thought_filter": check_thought_filter,
        "thought": check_thought,
        "media_policy": check_media_policy,
        "media_blocks": check_media_blocks,
        "timeline_message": check_timeline_message,
        "own_message": check_own_message,
        "artifact_handle": check_artifact_handle,
        "pending_result": check_pending_result,
        "tool_result": check_tool_result,
        "json_schema": check_json_schema,
        "tool_declarations": check_tool_declarations,
        "reasoning_item": check_reasoning_item,
        "fingerprint": check_fingerprint,
        "item_ids": check_item_ids,
        "leading_step": check_leading_step,
        "timeline_step": check_timeline_step,
        "reasoning_pairing": check_reasoning_pairing,
        "trailing_step": check_trailing_step,
        "output_slots": check_output_slots,
    }
)
"""The contract of each seam, by name, in the order of the record."""

_FENCED: Final = frozenset(
    name for name, contract in CONTRACTS.items() if "neutraliser" in (contract.__kwdefaults__ or {})
)


def check_seam(name: str, seam: Any, /, *, max_examples: int = MAX_EXAMPLES) -> None:
    """The contract of the seam of that name. Raises :class:`WiringError` for a name that is none."""
    if name not in CONTRACTS:
        raise WiringError(f"no such seam: {name!r}{nearest(name, CONTRACTS)}. Seams: {', '.join(CONTRACTS)}")
    CONTRACTS[name](seam, max_examples=max_examples)


def check_seams(seams: Seams, /, *, max_examples: int = MAX_EXAMPLES) -> None:
    """Every contract, for what is wired: ``check_seams(plan.seams())``.

    Seams that put texts into tags are checked with the record's own neutraliser.
    """
    for field in attrs.fields(Seams):
        how: dict[str, Any] = {"neutraliser": seams.neutraliser} if field.name in _FENCED else {}
        CONTRACTS[field.name](getattr(seams, field.name), max_examples=max_examples, **how)
