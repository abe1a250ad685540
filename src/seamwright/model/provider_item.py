"""Output items that have no primitive of their own."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import attrs

from seamwright.model.checks import AWARE, JSON_OBJECT, as_frozen, instance_of
from seamwright.model.origin import ResponseOrigin


@attrs.frozen(kw_only=True)
class ProviderItem:
    """Any other item (web_search_call, mcp_call, compaction, custom_tool_call, …), replayed verbatim in its place."""

    item: Mapping[str, Any] = attrs.field(converter=as_frozen, validator=JSON_OBJECT)
    created_at: datetime = attrs.field(validator=AWARE)
    origin: ResponseOrigin | None = attrs.field(
        default=None, validator=instance_of(ResponseOrigin, "a response origin").or_none()
    )

    @property
    def type(self) -> str:
        """The item's type, ``""`` when it has none that is text."""
        kind = self.item.get("type")
        return kind if isinstance(kind, str) else ""

    @property
    def id(self) -> str | None:
        """The item's own id, when it has one that is text."""
        own = self.item.get("id")
        return own if isinstance(own, str) else None
