"""What an agent remembers and what was retrieved for it."""

from __future__ import annotations

from datetime import datetime

import attrs

from seamwright.model.artifact import SpooledArtifact
from seamwright.model.checks import (
    AWARE,
    FLAG,
    NUMBER,
    OPTIONAL_TEXT,
    TEXT,
    TOKENIZABLE,
    UNIT,
    Check,
)
from seamwright.model.media import TIER
from seamwright.model.spelling import shown
from seamwright.model.text import Tokenizable
from seamwright.model.trust import TrustTier


@attrs.frozen(kw_only=True)
class Memory:
    """Something remembered from before. ``score``, ``confidence`` and ``importance`` are between 0 and 1."""

    id: str = attrs.field(validator=TEXT)
    content: Tokenizable = attrs.field(validator=TOKENIZABLE)
    created_at: datetime | None = attrs.field(default=None, validator=AWARE.or_none())
    source: str | None = attrs.field(default=None, validator=OPTIONAL_TEXT)
    kind: str | None = attrs.field(default=None, validator=OPTIONAL_TEXT)
    score: float | None = attrs.field(default=None, validator=UNIT.or_none())
    confidence: float | None = attrs.field(default=None, validator=UNIT.or_none())
    importance: float | None = attrs.field(default=None, validator=UNIT.or_none())


def _content(value: object) -> str | None:
    if isinstance(value, SpooledArtifact):
        return None
    return TOKENIZABLE.problem(value) and f"{shown(value)} is not a string, a callable or an artifact"


@attrs.frozen(kw_only=True)
class Retrievable:
    """A retrieved document. There is no default tier: forgetting it is an error.

    ``inline`` matters for artifacts only.
    """

    id: str = attrs.field(validator=TEXT)
    content: Tokenizable | SpooledArtifact = attrs.field(validator=Check(_content))
    trust_tier: TrustTier = attrs.field(validator=TIER)
    created_at: datetime | None = attrs.field(default=None, validator=AWARE.or_none())
    source: str | None = attrs.field(default=None, validator=OPTIONAL_TEXT)
    kind: str | None = attrs.field(default=None, validator=OPTIONAL_TEXT)
    score: float | None = attrs.field(default=None, validator=NUMBER.or_none())
    inline: bool = attrs.field(default=False, validator=FLAG)
