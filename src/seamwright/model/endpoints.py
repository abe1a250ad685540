"""Endpoint profiles: where endpoints that speak the Responses API differ, as records that builder and checker share."""

from __future__ import annotations

from typing import Final, Literal

import attrs

from seamwright.model.file_types import DOCUMENT_TYPES

IdPolicy = Literal["paired", "always", "never"]
ToolOutput = Literal["parts", "string"]


@attrs.frozen(kw_only=True)
class EndpointProfile:
    """What one endpoint accepts. A host adds its own by making another record.

    ``ids``: ``paired`` = a reasoning item and the item it led to carry their ids together or not at all;
    ``always`` = every id that is known is sent, and reasoning without one is refused; ``never`` = no item carries one.
    ``documents``: MIME types of documents taken natively.
    ``tool_output``: a string or a list of parts, or a string only.
    ``refuses``, ``tolerates``: ids of checker rules that are errors here although they are warnings elsewhere, and the
    other way round.
    """

    name: str
    ids: IdPolicy = "paired"
    documents: frozenset[str] = DOCUMENT_TYPES
    tool_output: ToolOutput = "parts"
    refuses: frozenset[str] = frozenset()
    tolerates: frozenset[str] = frozenset()


_PDF: Final = frozenset({"application/pdf"})

OPENAI: Final = EndpointProfile(name="openai")
AZURE: Final = EndpointProfile(name="azure", ids="always", documents=_PDF)
FOUNDRY: Final = EndpointProfile(name="foundry", ids="always", documents=_PDF)
CODEX: Final = EndpointProfile(name="codex", ids="never", refuses=frozenset({"F7"}))
# Servers of open models give reasoning as plain text and take it back so: no encrypted part (P6), nothing to look up
# (P1), with content (F4), ids of their own (I1).
COMPATIBLE: Final = EndpointProfile(
    name="compatible",
    ids="never",
    documents=frozenset(),
    tool_output="string",
    refuses=frozenset({"P11"}),
    tolerates=frozenset({"P1", "P6", "F4", "I1"}),
)

ENDPOINTS: Final = {profile.name: profile for profile in (OPENAI, AZURE, FOUNDRY, CODEX, COMPATIBLE)}
"""The profiles by name, as ``options.endpoint`` in a state file and ``--endpoint`` spell them."""
