"""What a build sends holds frozen values of primitives; the checker reads them where they stand."""

from __future__ import annotations

from datetime import UTC, datetime

from seamwright import AgentState, ProviderItem, RenderOptions, Tool
from seamwright.check import check_request
from seamwright.check.engine import plain_request
from seamwright_containers import responses_pipeline

ITEM = {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "x"}}


def built() -> dict[str, object]:
    """A request with a frozen schema and a frozen item."""
    state = AgentState(
        provider_items=[ProviderItem(item=ITEM, created_at=datetime(2026, 1, 1, tzinfo=UTC))],
        tools=[
            Tool(name="t", description="d", input_schema={"type": "object", "properties": {"a": {"type": "string"}}})
        ],
    )
    return responses_pipeline().build_sync(state, RenderOptions(model="gpt-test")).to_request()


def test_nothing_is_copied() -> None:
    """The body is looked at as it is, which takes a third of copying it."""
    request = built()
    plain, problems = plain_request(request)
    assert plain is request
    assert [] == problems


def test_a_frozen_value_in_the_wrong_place() -> None:
    """A message calls it by its name in JSON."""
    request = built() | {"instructions": built()["tools"][0]["parameters"]}  # type: ignore[index]
    [found] = [one for one in check_request(request) if one.path == "instructions"]
    assert "object" in found.message
    assert "Frozen" not in found.message
