"""Each seam replaced alone through ``responses_pipeline(name=…)``: the change is where it should be, nowhere else."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Awaitable
from datetime import UTC, datetime
from typing import Any, get_args, get_origin, get_type_hints

import pytest

from seamwright import Overrides, RenderOptions, Seams
from seamwright.record import SEAM_NAMES
from seamwright.shapes import seam_protocols
from seamwright_containers import ResponsesContainer, responses_pipeline
from wiring.replacements import DEFAULTS, REPLACEMENTS, SUNK, OwnSlots, awaited
from wiring.rich import GIVEN, SITUATIONS, View, map_items, recorded, view, with_fingerprint

# A build of any kind, ingestion or a stream: what a build does not show is looked at apart.
INERT = {"clock", "warn", "trimmer", "output_slots", "fingerprint"}


def waits(name: str) -> bool:
    """Whether the Protocol of a seam lets it wait."""
    protocol = seam_protocols()[name]
    call = vars(protocol).get("__call__") if isinstance(protocol, type) else None
    hint = get_type_hints(call).get("return") if call else None
    return any(get_origin(option) is Awaitable for option in get_args(hint))


WAITING = [name for name in SEAM_NAMES if waits(name)]


@pytest.fixture(scope="module", params=SITUATIONS)
def options(request: pytest.FixtureRequest) -> RenderOptions:
    """Everything leads, or everything trails and tool outputs are strings."""
    return SITUATIONS[request.param]


@pytest.fixture(scope="module")
def before(options: RenderOptions) -> View:
    """The build with the defaults."""
    pipeline = responses_pipeline()
    return view(pipeline, options, recorded(pipeline, options))


def replaced(name: str, value: Any, options: RenderOptions) -> View:
    """The build with one seam replaced, of a state recorded under that pipeline."""
    pipeline = responses_pipeline(**{name: value})  # type: ignore[misc]  # the name comes from a parameter
    state = recorded(pipeline, options)
    SUNK.clear()
    return view(pipeline, options, state)


def test_no_seam_is_missing() -> None:
    """Every field of the record is replaced below."""
    assert set(REPLACEMENTS) == set(SEAM_NAMES)


def test_the_state_uses_everything(before: View) -> None:
    """All warnings and kinds of item that the two situations can show are there, and the reasoning goes back."""
    kinds = {item["type"] for item in before["input"]}
    codes = {code for code, _ in before["warnings"]}

    assert {"message", "reasoning", "function_call", "function_call_output", "custom_tool_call"} <= kinds
    assert {"stash-miss", "pending-tool-call", "unknown-tool", "tool-name-cleaned", "reasoning-prefix-changed"} <= codes
    assert before["covered"] in (len(before["input"]), len(before["input"]) - 1)


@pytest.mark.parametrize("name", SEAM_NAMES)
def test_a_seam_replaced_alone_changes_what_it_renders_and_nothing_else(
    name: str, options: RenderOptions, before: View
) -> None:
    """The whole build is the one with defaults, with exactly the seam's own share changed."""
    replacement = REPLACEMENTS[name]
    after = replaced(name, replacement.value, options)

    assert after == replacement.expected(before)
    assert (after == before) == (name in INERT)


@pytest.mark.parametrize("name", WAITING)
def test_a_seam_that_may_wait_may_be_a_plain_function(name: str, options: RenderOptions, before: View) -> None:
    """The same change, whether the replacement waits or not."""
    value = REPLACEMENTS[name].value

    def plain(*arguments: Any) -> Any:
        return asyncio.run(awaited(value(*arguments)))

    assert replaced(name, plain, options) == REPLACEMENTS[name].expected(before)


@pytest.mark.parametrize("name", WAITING)
def test_a_seam_that_may_wait_may_wait(name: str, options: RenderOptions, before: View) -> None:
    """The same change from an asynchronous function that really waits, in the synchronous build and in the other."""
    value = REPLACEMENTS[name].value

    async def waiting(*arguments: Any) -> Any:
        await asyncio.sleep(0.001)
        return await awaited(value(*arguments))

    expected = REPLACEMENTS[name].expected(before)
    assert replaced(name, waiting, options) == expected

    pipeline = responses_pipeline(**{name: waiting})  # type: ignore[misc]  # the name comes from a parameter
    state = recorded(pipeline, options)
    built = asyncio.run(pipeline.build(state, options, rendered_tool_results=GIVEN))
    assert json.loads(json.dumps([built.instructions, built.input])) == [expected["instructions"], expected["input"]]


def test_there_are_seams_that_wait() -> None:
    """Those that the table of seams names as asynchronous, and the steps that call them."""
    assert set(WAITING) == {
        "system_prompt",
        "retrievables",
        "first_party_retrievables",
        "third_party_public_retrievables",
        "third_party_private_retrievables",
        "timeline_message",
        "media_blocks",
        "media_policy",
        "tool_result",
        "leading_step",
        "timeline_step",
        "trailing_step",
    }


@pytest.mark.parametrize("name", SEAM_NAMES)
def test_a_default_given_as_its_own_replacement_changes_nothing(
    name: str, options: RenderOptions, before: View
) -> None:
    """Whatever the name, the pipeline is the same as without."""
    assert replaced(name, getattr(DEFAULTS, name), options) == before


def test_all_seams_replaced_by_their_defaults_are_the_default_pipeline(options: RenderOptions, before: View) -> None:
    """Every keyword at once."""
    pipeline = responses_pipeline(**{name: getattr(DEFAULTS, name) for name in SEAM_NAMES})  # type: ignore[typeddict-item]
    assert view(pipeline, options, recorded(pipeline, options)) == before


@pytest.mark.parametrize("name", SEAM_NAMES)
def test_the_record_holds_the_replacement_itself(name: str) -> None:
    """Not a copy, and what does not depend on it is the shared default."""
    value = REPLACEMENTS[name].value
    seams = responses_pipeline(**{name: value}).seams  # type: ignore[misc]  # the name comes from a parameter

    assert getattr(seams, name) is value


# --- what a build does not show


def test_another_fingerprint_makes_recorded_reasoning_stale(options: RenderOptions, before: View) -> None:
    """The group falls with its ids, with one more warning; nothing else changes."""
    default = responses_pipeline()
    other = responses_pipeline(fingerprint=REPLACEMENTS["fingerprint"].value)
    group = {"rs_r1", "fc_1", "msg_1"}

    def without(item: dict[str, Any]) -> dict[str, Any] | None:
        if item["type"] == "reasoning":
            return None
        return {key: value for key, value in item.items() if key != "id" or value not in group}

    expected = map_items(before, without)
    expected["warnings"].insert(-1, ["reasoning-prefix-changed", "r1"])
    after = view(other, options, recorded(default, options))
    assert sorted(after["warnings"]) == sorted(expected["warnings"])
    assert {**after, "warnings": []} == {**expected, "warnings": []}


@pytest.mark.parametrize(
    "name",
    [
        "nonce",
        "neutraliser",
        "memories",
        "timeline_message",
        "thought",
        "media_blocks",
        "tool_declarations",
        "json_schema",
    ],
)
def test_a_seam_that_changes_the_prefix_makes_reasoning_stale(name: str) -> None:
    """What a replacement changes before recorded reasoning is seen by the fingerprint."""
    options = SITUATIONS["leading"]
    state = recorded(responses_pipeline(), options)
    pipeline = responses_pipeline(**{name: REPLACEMENTS[name].value})  # type: ignore[misc]  # a name from a parameter

    assert ["reasoning-prefix-changed", "r1"] in view(pipeline, options, state)["warnings"]


@pytest.mark.parametrize("name", ["tool_result", "own_message", "trailing_step", "pending_result", "artifact_handle"])
def test_a_seam_that_changes_what_follows_leaves_reasoning_alone(name: str) -> None:
    """Only what stands before it counts."""
    options = SITUATIONS["leading"]
    state = recorded(responses_pipeline(), options)
    pipeline = responses_pipeline(**{name: REPLACEMENTS[name].value})  # type: ignore[misc]  # a name from a parameter

    assert ["reasoning-prefix-changed", "r1"] not in view(pipeline, options, state)["warnings"]


RESPONSE = {
    "object": "response",
    "id": "resp_9",
    "model": "m",
    "status": "completed",
    "output": [
        {
            "type": "message",
            "id": "msg_9",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": "Hi", "annotations": []}],
        }
    ],
}


def test_the_clock_times_an_ingestion() -> None:
    """What comes in is of the time the clock gives, moved behind what is there; a build never asks."""
    late = datetime(2100, 1, 1, tzinfo=UTC)
    pipeline = responses_pipeline(clock=lambda: late)
    options = SITUATIONS["leading"]
    state = with_fingerprint("")
    request = pipeline.build_sync(state, options)

    assert pipeline.ingest(RESPONSE, request, state).messages[0].created_at == late
    early = responses_pipeline(clock=lambda: datetime(2000, 1, 1, tzinfo=UTC))
    assert early.ingest(RESPONSE, request, state).messages[0].created_at > max(m.created_at for m in state.messages)


def test_own_slots_are_what_a_stream_is_accumulated_with() -> None:
    """The seam is a factory: every stream gets its own."""
    seams = responses_pipeline(output_slots=OwnSlots).seams
    one, other = seams.output_slots(), seams.output_slots()

    assert isinstance(one, OwnSlots)
    assert one is not other


# --- the record


def test_overrides_and_record_name_the_same_seams() -> None:
    """The same names in the same order, of the same types, as the container's providers."""
    assert get_type_hints(Overrides) == get_type_hints(Seams)
    assert list(Overrides.__annotations__) == list(Seams.__annotations__) == list(SEAM_NAMES)
    assert Overrides.__required_keys__ == frozenset()
    assert set(ResponsesContainer.providers) == set(SEAM_NAMES)


@pytest.mark.parametrize("name", SEAM_NAMES)
def test_a_provider_is_annotated_with_the_protocol_of_its_seam(name: str) -> None:
    """``Provider[…]`` of the very type that the record has."""
    # The framework's Provider forgets its argument when the program runs; a list in its place does not.
    annotated = get_type_hints(ResponsesContainer, localns={"Provider": list})[name]
    assert get_args(annotated) == (get_type_hints(Seams)[name],)


@pytest.mark.parametrize("name", SEAM_NAMES)
def test_a_protocol_is_the_contract_of_its_seam(name: str) -> None:
    """It has a docstring of its own, and its data parameters are positional-only."""
    protocols = [one for one in get_args(seam_protocols()[name]) or (seam_protocols()[name],) if one is not type(None)]
    for protocol in protocols:
        assert protocol.__doc__
        assert not protocol.__doc__.startswith("Base class")
        for name_of, method in vars(protocol).items():
            if inspect.isfunction(method) and (name_of == "__call__" or not name_of.startswith("_")):
                kinds = {p.kind for p in list(inspect.signature(method).parameters.values())[1:]}
                assert inspect.Parameter.POSITIONAL_OR_KEYWORD not in kinds, method
