"""A plan gives what a new container would give, and makes anew exactly what depends on what was replaced."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import attrs
import pytest
from dependency_injector.providers import Object, Provider
from hypothesis import given
from hypothesis import strategies as st

from conftest import ROOT
from seamwright import (
    AgentState,
    AssembledInput,
    BuildContext,
    Media,
    RenderOptions,
    SeamwrightError,
    WiringError,
    load_state,
)
from seamwright.record import SEAM_NAMES
from seamwright.seams.media import MediaBlocks, RenderMediaPolicy
from seamwright.testing.strategies import options, states
from seamwright.wire.items import Part, input_text
from seamwright_containers import Plan, ResponsesContainer, made, responses_pipeline, rewire, swap, use
from wiring.plan_stand_ins import DEFAULTS, stand_in

PLAN = Plan.compile(ResponsesContainer())

NOT_IN_A_REQUEST = {"clock", "warn", "trimmer", "output_slots"}
"""Seams that no build of a request calls for what is in it."""


@cache
def support_case() -> tuple[AgentState, RenderOptions]:
    """A state that has something for every seam to do."""
    return load_state(ROOT / "examples" / "support_agent.json")


@cache
def dependents() -> dict[str, set[str]]:
    """Which seams depend on a seam, as the framework itself sees it in a container."""
    container = ResponsesContainer()
    kinds: Any = [Provider]
    found: dict[str, set[str]] = {name: set() for name in SEAM_NAMES}
    for above in SEAM_NAMES:
        below = set(map(id, container.providers[above].traverse(types=kinds)))
        for name in SEAM_NAMES:
            if id(container.providers[name]) in below:
                found[name].add(above)
    return found


def outcome(build: Callable[[], AssembledInput]) -> object:
    """What a build sends and warns of, or how it fails."""
    try:
        assembled = build()
    except SeamwrightError as error:
        return type(error), str(error)
    return assembled.to_request(), assembled.warnings, assembled.fingerprintable_length


@pytest.mark.parametrize("name", SEAM_NAMES)
def test_replaced_by_plan_or_by_container_is_the_same(name: str) -> None:
    """One seam replaced through the plan gives the request that a new container gives, and another than the default."""
    state, given_options = support_case()
    replaced: Any = {name: stand_in(name)}

    by_container = outcome(lambda: responses_pipeline(**replaced).build_sync(state, given_options))
    by_plan = outcome(lambda: PLAN.pipeline(**replaced).build_sync(state, given_options))
    default = outcome(lambda: PLAN.pipeline().build_sync(state, given_options))

    assert by_container == by_plan
    assert (name in NOT_IN_A_REQUEST) == (default == by_plan)


@given(states(), options(), st.sets(st.sampled_from(SEAM_NAMES), max_size=4))
def test_any_replacements_over_any_state(state: AgentState, given_options: RenderOptions, names: set[str]) -> None:
    """Whatever is replaced at once, and whatever the state, both routes send, warn and fail alike."""
    replaced: Any = {name: stand_in(name) for name in names}

    expected = outcome(lambda: responses_pipeline(**replaced).build_sync(state, given_options))

    assert expected == outcome(lambda: PLAN.pipeline(**replaced).build_sync(state, given_options))


@pytest.mark.parametrize("name", SEAM_NAMES)
def test_exactly_what_depends_on_a_seam_is_made_anew(name: str) -> None:
    """The replacement stands in the record as given; what depends on it is new, everything else the very same."""
    replacement = stand_in(name)
    overrides: Any = {name: replacement}
    base, varied = PLAN.seams(), PLAN.seams(**overrides)

    changed = {other for other in SEAM_NAMES if getattr(base, other) is not getattr(varied, other)}

    assert getattr(varied, name) is replacement
    assert dependents()[name] | {name} == changed


def test_two_replacements_make_anew_the_union_but_not_each_other() -> None:
    """A seam that is replaced itself is not made anew, though it depends on another that is replaced as well."""
    replaced: Any = {"media_blocks": stand_in("media_blocks"), "nonce": stand_in("nonce")}
    base, varied = PLAN.seams(), PLAN.seams(**replaced)

    changed = {other for other in SEAM_NAMES if getattr(base, other) is not getattr(varied, other)}

    assert varied.media_blocks is replaced["media_blocks"]
    assert dependents()["nonce"] | dependents()["media_blocks"] | set(replaced) == changed


def test_nothing_replaced_is_always_the_same_record() -> None:
    """Without overrides there is nothing to make: every call shares one record."""
    assert PLAN.seams() is PLAN.seams() is PLAN.pipeline().seams


def test_requests_leave_no_trace_in_the_plan() -> None:
    """Neither what a request replaced nor what was made for it is seen by the next one."""
    before = attrs.asdict(PLAN.seams(), recurse=False)
    for name in SEAM_NAMES:
        overrides: Any = {name: stand_in(name)}
        PLAN.pipeline(**overrides)

    assert before == attrs.asdict(PLAN.seams(), recurse=False)


def test_a_plan_does_not_touch_the_container() -> None:
    """A container stays as it was, and what is replaced in it afterwards does not reach the plan."""
    container = ResponsesContainer()
    plan = Plan.compile(container)
    swap(container.nonce, stand_in("nonce"))

    assert plan.seams().nonce is DEFAULTS.nonce
    assert Plan.compile(container).seams().nonce is not DEFAULTS.nonce


def make_boxed(*, media_policy: RenderMediaPolicy, frame: str) -> MediaBlocks:
    """Media blocks that show nothing but the policy's text, in a frame."""

    def boxed(media: Media, context: BuildContext, /) -> list[Part]:
        return [input_text(f"{frame}{media_policy(media, context)}{frame}")]

    return boxed


def test_a_container_of_the_host_is_planned_as_it_is_configured() -> None:
    """A recipe of the host's own takes part: its constants stay, and its seams follow what a request replaces."""
    container = ResponsesContainer()
    rewire(container.media_blocks, made(make_boxed, media_policy=use(container.media_policy), frame="##"))
    plan = Plan.compile(container)
    media = Media(
        id="a",
        kind="audio",
        mime_type="audio/wav",
        filename="a.wav",
        source_reader=b"",
        trust_tier="first-party",
        modality_hazard="inert",
    )
    context = BuildContext(RenderOptions(model="m", unsupported_media_policy="synthetic-description"))

    def shown(**overrides: Any) -> object:
        return plan.seams(**overrides).media_blocks(media, context)

    assert [input_text("##[media: kept]##")] == shown(media_policy=lambda media, context: "[media: kept]")
    assert shown() != shown(nonce=lambda identifier: "other")


def test_a_seam_that_stands_in_for_another_keeps_following_it() -> None:
    """One seam rewired to another is that other one, in each request."""
    container = ResponsesContainer()
    rewire(container.trusted_envelope, container.untrusted_envelope)
    plan = Plan.compile(container)
    other = stand_in("untrusted_envelope")

    assert plan.seams().trusted_envelope is DEFAULTS.untrusted_envelope
    assert plan.seams(untrusted_envelope=other).trusted_envelope is other
    assert plan.seams(trusted_envelope=other).untrusted_envelope is DEFAULTS.untrusted_envelope


def test_what_is_replaced_twice_is_what_was_given_last() -> None:
    """Overridings of a container pile up; the newest counts."""
    container = ResponsesContainer(nonce=Object(DEFAULTS.nonce))
    first, second = stand_in("nonce"), stand_in("nonce")
    swap(container.nonce, first)
    swap(container.nonce, second)

    assert Plan.compile(container).seams().nonce is second


def test_wrapping_the_default_does_not_come_back_to_itself() -> None:
    """A replacement may call the default it replaces, which is a value and not a name."""

    def loud(content: str, /) -> str:
        return DEFAULTS.neutraliser(content).upper()

    assert DEFAULTS.neutraliser("<memories> a").upper() == PLAN.seams(neutraliser=loud).neutraliser("<memories> a")


def test_the_plan_shows_what_it_is() -> None:
    """Its text names the record, the number of seams and what was replaced."""
    container = ResponsesContainer()
    swap(container.nonce, stand_in("nonce"))

    assert f"<Plan of {len(SEAM_NAMES)} seams for seamwright.record:Seams, replaced: none>" == repr(PLAN)
    assert repr(Plan.compile(container)).endswith("replaced: nonce>")


async def _later(text: str) -> str:
    return text


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("nonse", len, "no such seam: 'nonse' (did you mean 'nonce'?)"),
        ("media_blocks", 3, "media_blocks: 3 is not a callable, which MediaBlocks needs"),
        ("neutraliser", lambda: "", "can't be called as Neutraliser(text): too many positional arguments"),
        ("neutraliser", _later, "neutraliser: _later is asynchronous, but Neutraliser is a plain function"),
        ("token_counter", len, "token_counter: len has no 'encoding', which TokenCounter needs"),
        ("item_ids", DEFAULTS.nonce, "item_ids: nonce is not a method 'message_id', which ItemIds needs"),
        ("nonce", None, "nonce: None is not a callable, which Nonce needs"),
    ],
)
def test_a_wrong_override_is_an_error_at_once(name: str, value: object, expected: str) -> None:
    """A misspelt name and a value of another shape are refused: the error names seam, expectation, nearest name."""
    overrides: Any = {name: value}
    with pytest.raises(WiringError) as error:
        PLAN.pipeline(**overrides)

    assert expected in str(error.value)


def test_a_seam_may_be_left_out_where_its_type_says_so() -> None:
    """None replaces the token counter, which is optional."""
    assert PLAN.seams(token_counter=None).token_counter is None
