"""Where a thing came from: the provider response, and the place in it."""

from __future__ import annotations

import attrs

from seamwright.model.checks import COUNT, OPTIONAL_TEXT, TEXT


@attrs.frozen(kw_only=True)
class ResponseOrigin:
    """Written by ingestion.

    ``item_id`` is the provider's own id of the item, ``reasoning_count`` how many reasoning items the response had.
    """

    response_id: str = attrs.field(validator=TEXT)
    output_index: int = attrs.field(validator=COUNT)
    item_id: str | None = attrs.field(default=None, validator=OPTIONAL_TEXT)
    model: str = attrs.field(validator=TEXT)
    reasoning_count: int = attrs.field(default=0, validator=COUNT)
