"""Trust tiers and modality hazards."""

from __future__ import annotations

from typing import Final, Literal

TrustTier = Literal["first-party", "third-party-public", "third-party-private"]
TIERS: Final[tuple[TrustTier, ...]] = ("first-party", "third-party-public", "third-party-private")
"""Most trusted first."""

ModalityHazard = Literal["inert", "extractable-instructions", "opaque-perceptual"]
HAZARDS: Final[tuple[ModalityHazard, ...]] = ("inert", "extractable-instructions", "opaque-perceptual")

SHOWN_HAZARD: Final = {"inert": "inert", "extractable-instructions": "extractable", "opaque-perceptual": "opaque"}
"""How a hazard is spelled in an envelope's ``modality``."""


def lower_tier(one: TrustTier, other: TrustTier) -> TrustTier:
    """The less trusted of two tiers."""
    return TIERS[max(TIERS.index(one), TIERS.index(other))]
