"""Who said something."""

from __future__ import annotations

from typing import Any

import attrs

from seamwright.model.checks import TEXT


@attrs.frozen(kw_only=True)
class Identity:
    """An author: ``identifier`` is compared, ``representation`` is shown. A plain string means both."""

    identifier: str = attrs.field(validator=TEXT)
    representation: str = attrs.field(validator=TEXT)


def as_identity(value: Any) -> Any:
    """A string becomes the identity it means; the check of the field refuses anything else."""
    return Identity(identifier=value, representation=value) if isinstance(value, str) else value
