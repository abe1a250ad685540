"""What holds of ``explain`` whatever the requests are."""

from __future__ import annotations

import json
from typing import Any, Final

from hypothesis import given
from hypothesis import strategies as st

from seamwright import AgentState, RenderOptions, SeamwrightError, explain
from seamwright.explanation import outline
from seamwright.testing.strategies import options, states
from seamwright_containers import responses_pipeline

PIPELINE: Final = responses_pipeline()

SCALARS: Final = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
KEYS: Final = st.sampled_from(
    ["type", "role", "id", "content", "output", "arguments", "summary", "encrypted_content", "text", "result"]
)
VALUES: Final = st.recursive(
    SCALARS | st.sampled_from(["message", "reasoning", "function_call", "function_call_output", "data:image/png,x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=8,
)
ITEMS: Final = VALUES | st.dictionaries(KEYS, VALUES, max_size=5)
BODIES: Final = st.fixed_dictionaries(
    {"input": st.lists(ITEMS, max_size=5)},
    optional={"model": VALUES, "tools": VALUES, "instructions": VALUES, "text": VALUES, "tool_choice": VALUES},
)


def kept(body: dict[str, Any]) -> Any:
    """A request as it is kept without its texts."""
    return json.loads(json.dumps(outline(body).to_json()))


@given(states(), options())
def test_a_build_is_the_same_as_itself(state: AgentState, given_options: RenderOptions) -> None:
    """A build, its body and its outline are one request."""
    try:
        assembled = PIPELINE.build_sync(state, given_options)
    except SeamwrightError:
        return

    for other in (assembled, assembled.to_request(), outline(assembled), kept(assembled.to_request())):
        found = explain(assembled, other)
        assert ("same", None, ()) == (found.kind, found.path, found.parameters)


@given(BODIES, BODIES)
def test_any_two_bodies_are_explained(one: dict[str, Any], other: dict[str, Any]) -> None:
    """Also bodies that no provider takes: something is said, and by digests the same kind at the same index."""
    found = explain(one, other, {"input_tokens": 5000, "cached_tokens": 0})
    told = explain(kept(one), kept(other))

    assert str(found)
    assert (found.kind, found.section, found.index, found.count) == (told.kind, told.section, told.index, told.count)
    assert (found.section is None) == (found.path is None)
    assert found.path is None or found.path.startswith(str(found.section))


@given(BODIES, st.lists(ITEMS, min_size=1, max_size=3))
def test_what_is_appended_is_only_appended(body: dict[str, Any], more: list[Any]) -> None:
    """Items behind the last one leave the whole prefix shared."""
    last = body["input"][-1] if body["input"] else None
    if isinstance(last, dict) and last.get("role") == "system":  # it would count as the trailing one
        return
    found = explain(body, {**body, "input": [*body["input"], *more]})

    assert found.section is None
    assert len(body["input"]) == found.shared_items


@given(BODIES, st.data())
def test_a_removed_item_is_found_where_it_was(body: dict[str, Any], data: st.DataObject) -> None:
    """Without one item that is unlike the next, the first difference is at its place."""
    body = {**body, "input": [{"type": "message", "role": "user", "content": str(i)} for i in range(4)] + body["input"]}
    index = data.draw(st.integers(0, 3))
    shorter = [item for place, item in enumerate(body["input"]) if place != index]
    found = explain(body, {**body, "input": shorter})

    assert ("input", index, f"input[{index}]") == (found.section, found.index, (found.path or "")[: len("input[0]")])
