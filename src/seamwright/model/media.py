"""Images, documents and other media, with where they come from and how far they are trusted."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any, Literal

import attrs

from seamwright.model.checks import OPTIONAL_TEXT, TEXT, Check, as_frozen_json, one_of
from seamwright.model.frozen import FrozenDict
from seamwright.model.guards import is_mapping
from seamwright.model.sources import MEDIA_SOURCE, MediaSource, as_source
from seamwright.model.spelling import shown
from seamwright.model.trust import HAZARDS, TIERS, ModalityHazard, TrustTier

MediaKind = Literal["image", "audio", "video", "document"]
Detail = Literal["auto", "low", "high"]

MEDIA_KIND = one_of("image", "audio", "video", "document")
TIER = one_of(*TIERS)


@attrs.frozen(kw_only=True)
class StashEntry:
    """Something derived from a media beforehand: a transcript, a caption."""

    value: Any = attrs.field(converter=as_frozen_json)  # pyright: ignore[reportUnknownVariableType]  # it is anything
    trust_tier: TrustTier = attrs.field(validator=TIER)
    derived_from_media: str | None = attrs.field(default=None, validator=OPTIONAL_TEXT)


def _stash(value: object) -> str | None:
    if not is_mapping(value):
        return f"{shown(value)} is not a mapping of stash entries"
    wrong = next((item for item in value.values() if not isinstance(item, StashEntry)), None)
    return None if wrong is None else f"{shown(wrong)} is not a stash entry"


def _as_stash(value: Any) -> Any:
    return FrozenDict(value) if is_mapping(value) else value


@attrs.frozen(kw_only=True)
class Media:
    """One image, audio, video or document. There is no default tier or hazard: use a factory, or say both.

    ``source_reader``: bytes, a path, a reader (plain or asynchronous function giving bytes), ``Url`` or ``FileId``.
    ``detail`` goes with images. ``source`` says in words where it came from. ``stash`` holds texts by key
    (``text:caption``).
    """

    id: str = attrs.field(factory=lambda: str(uuid.uuid4()), validator=TEXT)
    kind: MediaKind = attrs.field(validator=MEDIA_KIND)
    mime_type: str = attrs.field(validator=TEXT)
    filename: str = attrs.field(validator=TEXT)
    source_reader: MediaSource = attrs.field(converter=as_source, validator=MEDIA_SOURCE, repr=False)
    trust_tier: TrustTier = attrs.field(validator=TIER)
    modality_hazard: ModalityHazard = attrs.field(validator=one_of(*HAZARDS))
    detail: Detail = attrs.field(default="auto", validator=one_of("auto", "low", "high"))
    source: str | None = attrs.field(default=None, validator=OPTIONAL_TEXT)
    stash: Mapping[str, StashEntry] = attrs.field(factory=dict, converter=_as_stash, validator=Check(_stash))

    @classmethod
    def user_attachment(cls, **fields: Any) -> Media:
        """What a user attached: third-party-private."""
        return cls(**_with_defaults(fields, "third-party-private"))

    @classmethod
    def tool_generated(cls, **fields: Any) -> Media:
        """What a tool of the host made: first-party."""
        return cls(**_with_defaults(fields, "first-party"))

    @classmethod
    def retrieved_public(cls, **fields: Any) -> Media:
        """What was found in public sources: third-party-public."""
        return cls(**_with_defaults(fields, "third-party-public"))

    @classmethod
    def retrieved_private(cls, **fields: Any) -> Media:
        """What was found in private sources of others: third-party-private."""
        return cls(**_with_defaults(fields, "third-party-private"))


def _with_defaults(fields: dict[str, Any], tier: TrustTier) -> dict[str, Any]:
    hazard = "extractable-instructions" if fields.get("kind") == "document" else "opaque-perceptual"
    return {"trust_tier": tier, "modality_hazard": hazard, **fields}
