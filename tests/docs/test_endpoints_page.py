"""The table of ``docs/endpoints.md`` is the records."""

from __future__ import annotations

from pathlib import Path

from seamwright import ENDPOINTS
from seamwright.model.file_types import DOCUMENT_TYPES

DOCUMENTS = {
    DOCUMENT_TYPES: "all that the API lists",
    frozenset({"application/pdf"}): "PDF",
    frozenset[str](): "none",
}


def test_the_table_is_the_records(root: Path) -> None:
    """Each profile is a row, in order, with the ids, documents and tool output of its record."""
    page = (root / "docs" / "endpoints.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.split("|")[1:-2]] for line in page.splitlines() if line.startswith("| `")]
    expected = [[f"`{p.name}`", p.ids, DOCUMENTS[p.documents], p.tool_output] for p in ENDPOINTS.values()]

    assert expected == rows
