"""Whom this host serves, and in what they differ."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

import attrs

from host_app.seams import Levels, redactor
from host_app.wiring import HostOverrides, host_pipeline
from seamwright import KeyedNonce, Pipeline


@attrs.frozen
class Tenant:
    """One tenant: its secret, the levels of its customers, and what its model must not see."""

    name: str
    secret: bytes = attrs.field(repr=False)
    levels: Mapping[str, str] = attrs.field(factory=dict[str, str])
    redacted: tuple[re.Pattern[str], ...] = ()

    @property
    def overrides(self) -> HostOverrides:
        """The seams that are this tenant's own."""
        return {
            "nonce": KeyedNonce(self.secret),
            "neutraliser": redactor(self.redacted),
            "badge": Levels(self.levels),
        }


def pipeline_for(tenant: Tenant) -> Pipeline:
    """A pipeline that behaves as this tenant wants. It costs some microseconds: make one for each request."""
    return host_pipeline(**tenant.overrides)


BOOKSHOP: Final = Tenant("bookshop", b"bookshop secret", {"ann": "gold"})
CLINIC: Final = Tenant("clinic", b"clinic secret", redacted=(re.compile(r"\b(?:19|20)\d\d-\d\d-\d\d\b"),))
