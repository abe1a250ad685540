"""Where a check can find anything at all: by endpoint and by what the model can do."""

from __future__ import annotations

from collections.abc import Callable

from seamwright.check.models import ModelCapabilities
from seamwright.model.endpoints import EndpointProfile

Condition = Callable[[EndpointProfile, ModelCapabilities], bool]


def takes_no_ids(profile: EndpointProfile, can: ModelCapabilities) -> bool:
    """The endpoint knows no item ids."""
    return profile.ids == "never"


def no_reasoning(profile: EndpointProfile, can: ModelCapabilities) -> bool:
    """The model is known to take no reasoning items."""
    return can.reasoning is False


def no_images(profile: EndpointProfile, can: ModelCapabilities) -> bool:
    """The model is known to read no images."""
    return can.images is False


def no_files(profile: EndpointProfile, can: ModelCapabilities) -> bool:
    """The model is known to read no files."""
    return can.files is False
