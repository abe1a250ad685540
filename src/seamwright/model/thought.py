"""What an agent thought, with the provider's encrypted reasoning where there is one."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, TypeGuard

import attrs

from seamwright.model.checks import (
    AWARE,
    JSON_OBJECT,
    OPTIONAL_TEXT,
    TEXT,
    as_frozen,
    fault_of,
    instance_of,
    one_of,
)
from seamwright.model.identity import Identity, as_identity
from seamwright.model.origin import ResponseOrigin

REASONING_VARIANT: Final = "responses-reasoning"
REASONING_TAG: Final = "openai-responses-reasoning-v1"
"""``replay_compatibility`` of a thought whose payload is a Responses reasoning item."""


@attrs.frozen(kw_only=True)
class ReasoningPayload:
    """A reasoning item as the provider gave it, and what it takes to know whether it may go back.

    ``prefix_fingerprint`` is the hash of everything before it in the request that will replay it, ``""`` when unknown.
    ``sections`` holds one digest each for model, instructions, tools and input, so that a stale item can say which
    differs.
    """

    variant: str = attrs.field(default=REASONING_VARIANT, validator=one_of(REASONING_VARIANT))
    item: Mapping[str, Any] = attrs.field(converter=as_frozen, validator=JSON_OBJECT, repr=False)
    paired_item_id: str | None = attrs.field(default=None, validator=OPTIONAL_TEXT)
    prefix_fingerprint: str = attrs.field(validator=TEXT)
    sections: Mapping[str, str] = attrs.field(factory=dict, converter=as_frozen, validator=JSON_OBJECT, repr=False)


def _assistant() -> Identity:
    return Identity(identifier="assistant", representation="assistant")


@attrs.frozen(kw_only=True)
class Thought:
    """A thought as text, as encrypted reasoning, or both. ``withheld`` says why the API refused it, when it did.

    A payload of another provider is a mapping: kept as it is and never replayed.
    """

    id: str = attrs.field(validator=TEXT)
    content: str = attrs.field(default="", validator=TEXT)
    created_at: datetime = attrs.field(validator=AWARE)
    identity: Identity = attrs.field(
        default=attrs.Factory(_assistant), converter=as_identity, validator=instance_of(Identity, "an identity")
    )
    payload: ReasoningPayload | Mapping[str, Any] | None = attrs.field(
        default=None,
        converter=as_frozen,
        validator=instance_of((ReasoningPayload, Mapping), "a payload").or_none(),
        repr=False,
    )
    replay_compatibility: str | None = attrs.field(default=None, validator=OPTIONAL_TEXT)
    withheld: str | None = attrs.field(default=None, validator=OPTIONAL_TEXT)
    origin: ResponseOrigin | None = attrs.field(
        default=None, validator=instance_of(ResponseOrigin, "a response origin").or_none()
    )

    def __attrs_post_init__(self) -> None:
        if not self.content and self.payload is None:
            raise fault_of(Thought, "content", "a thought needs text or a payload")
        if self.payload is not None and self.replay_compatibility is None:
            raise fault_of(Thought, "replay_compatibility", f"a payload needs a tag, for example {REASONING_TAG!r}")


def is_reasoning(payload: object) -> TypeGuard[ReasoningPayload]:
    """Whether a payload is a Responses reasoning item; an empty item counts as none."""
    return isinstance(payload, ReasoningPayload) and bool(payload.item)
