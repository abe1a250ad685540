"""The hardened container, the presets it can be put together from, and classes that derive from a container."""

from __future__ import annotations

from typing import Any

import attrs
import pytest
from dependency_injector.providers import Object
from hypothesis import given

from seamwright import OriginFingerprint, RenderOptions, Sha256Fingerprint, WiringError
from seamwright.check import check_request
from seamwright.record import SEAM_NAMES
from seamwright.testing import strategies
from seamwright_containers import (
    HardenedContainer,
    Plan,
    ResponsesContainer,
    combined,
    deriving,
    describe,
    hardened_pipeline,
    hardening,
    made,
    preset,
    preset_pipeline,
    resolve,
    responses_pipeline,
    swap,
    use,
    with_keyed_nonces,
    with_origin_fingerprint,
    with_sha256_fingerprint,
    with_untrusted_memories,
)
from seamwright_containers.responses import now
from wiring.replacements import REPLACEMENTS
from wiring.rich import SITUATIONS, STATE, texts, view

SECRET = b"of the host"
HARDENED = hardened_pipeline(secret=SECRET)
BY_PRESET = preset_pipeline(hardening(SECRET))


@pytest.mark.parametrize("situation", SITUATIONS)
def test_presets_and_container_are_the_same(situation: str) -> None:
    """The preset over the default container builds what the hardened container builds."""
    options = SITUATIONS[situation]
    assert view(HARDENED, options) == view(BY_PRESET, options)
    assert view(HARDENED, options) != view(responses_pipeline(), options)


def test_a_plan_of_it_is_the_same() -> None:
    """A plan compiled from an instance, and from one that presets made, gives the same records' builds."""
    options = SITUATIONS["leading"]
    for container in (HardenedContainer(secret=Object(SECRET)), hardening(SECRET)(ResponsesContainer())):
        assert view(HARDENED, options) == view(Plan.compile(container).pipeline(), options)


@pytest.mark.parametrize("name", SEAM_NAMES)
def test_every_seam_can_be_replaced(name: str) -> None:
    """A seam replaced in the hardened container reaches what it reaches through a plan of it."""
    options = SITUATIONS["leading"]
    replaced: Any = {name: REPLACEMENTS[name].value}
    plan = Plan.compile(HardenedContainer(secret=Object(SECRET)))
    assert outcome(hardened_pipeline(secret=SECRET, **replaced), options) == outcome(plan.pipeline(**replaced), options)


def outcome(pipeline: Any, options: RenderOptions) -> Any:
    """What a build gives, or how it fails."""
    try:
        return view(pipeline, options)
    except Exception as error:  # noqa: BLE001  # a replacement may fit no build of this state
        return type(error), str(error)


@given(strategies.states(), strategies.options())
def test_what_it_builds_is_accepted(state: Any, options: Any) -> None:
    """Whatever the state, what the hardened pipeline builds passes the checker, with the items of the default build."""
    options = attrs.evolve(options, unsupported_media_policy="synthetic-description", strict=False)
    built = HARDENED.build_sync(state, options)
    errors = {found.rule for found in check_request(built, options.endpoint) if found.severity == "error"}
    assert errors <= {"P3"}, "only a call that the host has to answer may stand alone"
    plain = responses_pipeline(fingerprint=HARDENED.seams.fingerprint).build_sync(state, options)
    assert [item["type"] for item in plain.input] == [item["type"] for item in built.input]


def test_no_id_is_a_nonce() -> None:
    """No nonce tells the id it is of, and another secret gives other nonces."""
    options = SITUATIONS["leading"]
    shown = "\n".join(texts(view(HARDENED, options)))
    assert "<message_" in shown
    assert not [one.id for one in (*STATE.messages, *STATE.memories) if f"_{one.id} " in shown]
    assert view(HARDENED, options) != view(hardened_pipeline(secret="another"), options)


@pytest.mark.parametrize("given", [{}, {"secret": ""}, {"secret": "x" * 33}, {"nonce": lambda text, /: text}])
def test_the_secret_is_asked_for(given: Any) -> None:
    """Without a secret, or with one that does not fit, there is no pipeline, even with nonces of the host's own."""
    with pytest.raises(WiringError, match="secret"):
        hardened_pipeline(**given)
    with pytest.raises(WiringError, match="secret"):
        Plan.compile(HardenedContainer())


def test_wrong_overrides_are_refused() -> None:
    """A misspelt seam and one of the wrong shape are errors at once."""
    wrong: list[Any] = [{"nonse": str}, {"nonce": "text"}]
    for override in wrong:
        with pytest.raises(WiringError, match="nonce"):
            hardened_pipeline(secret=SECRET, **override)
        with pytest.raises(WiringError, match="nonce"):
            preset_pipeline(**override)


def test_who_the_operator_is_can_be_said() -> None:
    """Sources of the operator go in by keyword, and by the preset."""
    shown = [pipeline.seams.memories(STATE.memories) for pipeline in (HARDENED, BY_PRESET)]
    sources = {memory.source for memory in STATE.memories}
    ours: Any = hardened_pipeline(secret=SECRET, operator_sources=sources)
    also = preset_pipeline(hardening(SECRET, sources))
    assert shown[0] == shown[1]
    assert shown[0] != ours.seams.memories(STATE.memories) == also.seams.memories(STATE.memories)
    assert "<untrusted_content_" not in ours.seams.memories(STATE.memories)


# --- presets


def test_a_preset_leaves_its_container_alone() -> None:
    """A preset gives a copy; the container it was given, and what was made of it before, stay."""
    container = ResponsesContainer()
    swap(container.clock, now)
    before = resolve(container)
    changed = with_sha256_fingerprint(container)
    assert isinstance(resolve(changed).fingerprint, Sha256Fingerprint)
    assert now is resolve(changed).clock
    assert before.fingerprint is resolve(container).fingerprint
    swap(changed.clock, lambda: None)
    assert now is resolve(container).clock


def test_presets_are_combined_from_left_to_right() -> None:
    """A later preset sees, and may replace, what an earlier one did; overrides come last."""
    both = combined(with_sha256_fingerprint, with_origin_fingerprint("proxy"))
    assert OriginFingerprint("proxy") == resolve(both(ResponsesContainer())).fingerprint
    other = combined(with_origin_fingerprint("proxy"), with_sha256_fingerprint)
    assert Sha256Fingerprint() == resolve(other(ResponsesContainer())).fingerprint
    mine = OriginFingerprint("mine")
    assert mine is preset_pipeline(other, fingerprint=mine).seams.fingerprint
    assert resolve(combined()(ResponsesContainer())).fingerprint is resolve(ResponsesContainer()).fingerprint


def test_a_preset_of_ones_own() -> None:
    """Any function that configures an instance is made a preset, and keeps its name."""

    @preset
    def with_quiet_clock(container: ResponsesContainer, /) -> None:
        """Tells no time."""
        swap(container.clock, lambda: None)

    assert preset_pipeline(with_quiet_clock).seams.clock() is None
    assert "with_quiet_clock" == getattr(with_quiet_clock, "__name__", None)
    assert "Tells no time." == with_quiet_clock.__doc__


@pytest.mark.parametrize("given", [ResponsesContainer, None, 7])
def test_a_preset_takes_an_instance(given: Any) -> None:
    """A class is refused: what is replaced on it would leak into everything made of it."""
    with pytest.raises(WiringError, match="instance"):
        with_sha256_fingerprint(given)


def test_presets_fit_derived_containers() -> None:
    """A preset gives the kind of container it was given."""
    container = with_untrusted_memories({"web"})(HardenedContainer(secret=Object(SECRET)))
    assert resolve(container).nonce("a") == HARDENED.seams.nonce("a")
    assert with_keyed_nonces("k")(container).nonce()("a") != HARDENED.seams.nonce("a")


def test_a_plan_can_be_made_of_every_preset() -> None:
    """What is replaced per request reaches through what presets rewired."""
    plan = Plan.compile(hardening(SECRET)(ResponsesContainer()))
    assert "NONCE" in plan.pipeline(nonce=lambda text, /: "NONCE").seams.memories(STATE.memories)
    assert "BODY" in plan.pipeline(neutraliser=lambda text, /: "BODY").seams.memories(STATE.memories)


# --- deriving


def make_loud(*, nonce: Any) -> Any:
    """A neutraliser that shows the nonce it was made with."""
    return lambda text, /: f"{nonce('x')} {text}"


@deriving(ResponsesContainer)
class Derived(ResponsesContainer):
    """A container with two seams of its own, one made from the other, and one made from a seam of the base."""

    nonce: Any = Object(lambda text, /: f"OWN.{text}")
    neutraliser: Any = made(make_loud, nonce=use(nonce))
    safety_directive: Any = made(lambda *, clock: lambda: f"at {clock()}", clock=use(ResponsesContainer.clock))


def test_what_a_class_declares_reaches_what_the_base_made() -> None:
    """Dependents of the base use the derived class's own seams, and its own seams those of the base."""
    seams = resolve(Derived(clock=Object(lambda: "NOW")))
    assert "<memory_OWN." in seams.memories(STATE.memories)
    assert "\nOWN.x " in seams.memories(STATE.memories)
    assert "at NOW" == seams.safety_directive()


def test_what_is_replaced_on_an_instance_reaches_everything() -> None:
    """Each name of an instance is one provider, for dependents of the base and of the class alike."""
    container = Derived()
    swap(container.nonce, lambda text, /: "SWAPPED")
    seams = resolve(container)
    assert "<memory_SWAPPED" in seams.memories(STATE.memories)
    assert "\nSWAPPED " in seams.memories(STATE.memories)
    assert "<memory_OWN." in resolve(Derived()).memories(STATE.memories)


def test_the_base_is_left_alone() -> None:
    """Neither the base's seams nor its instances know of a class that derives from it."""
    assert "OWN." not in resolve(ResponsesContainer()).memories(STATE.memories)
    assert ResponsesContainer.nonce is not Derived.nonce


def test_only_what_is_declared_anew_counts_as_replaced() -> None:
    """The graph of a derived container tells its own seams from those it has from the base."""
    replaced = {info.name for info in describe(Derived) if info.overridden}
    assert {"nonce", "neutraliser", "safety_directive"} == replaced
