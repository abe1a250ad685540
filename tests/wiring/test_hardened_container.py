"""The hardened container, the presets it can be put together from, and classes that derive from a container."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import attrs
import pytest
from dependency_injector.providers import Object, Provider, Singleton
from hypothesis import given
from hypothesis import strategies as st

from seamwright import KeyedNonce, OriginFingerprint, RenderOptions, Sha256Fingerprint, WiringError
from seamwright.check import check_request
from seamwright.record import SEAM_NAMES
from seamwright.seams.timeline import make_thought
from seamwright.testing import strategies
from seamwright_containers import (
    HardenedContainer,
    Plan,
    ResponsesContainer,
    VerbatimContainer,
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
    rewire,
    swap,
    use,
    with_keyed_nonces,
    with_media_brackets,
    with_origin_fingerprint,
    with_sha256_fingerprint,
    with_strict_neutralising,
    with_tool_types,
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


HARDENED_PLAN = Plan.compile(HardenedContainer(secret=Object(SECRET)))


@given(st.sets(st.sampled_from(SEAM_NAMES), max_size=4))
def test_any_replacements_at_once(names: set[str]) -> None:
    """Whatever is replaced together, both routes send, warn and fail alike."""
    options = SITUATIONS["leading"]
    replaced: Any = {name: REPLACEMENTS[name].value for name in names}
    assert outcome(hardened_pipeline(secret=SECRET, **replaced), options) == outcome(
        HARDENED_PLAN.pipeline(**replaced), options
    )


@pytest.mark.parametrize("name", SEAM_NAMES)
def test_exactly_what_depends_on_a_seam_is_made_anew(name: str) -> None:
    """The replacement stands in the record; what the framework says depends on it is new, all else the very same."""
    container = HardenedContainer(secret=Object(SECRET))
    kinds: Any = [Provider]
    dependents = {
        other
        for other in SEAM_NAMES
        if any(one is container.providers[name] for one in container.providers[other].traverse(types=kinds))
    }
    replaced: Any = {name: REPLACEMENTS[name].value}
    base, varied = HARDENED_PLAN.seams(), HARDENED_PLAN.seams(**replaced)
    changed = {other for other in SEAM_NAMES if getattr(base, other) is not getattr(varied, other)}
    assert dependents | {name} == changed


def outcome(pipeline: Any, options: RenderOptions) -> Any:
    """What a build gives, or how it fails."""
    try:
        return view(pipeline, options)
    except Exception as error:  # noqa: BLE001  # a replacement may fit no build of this state
        return type(error), str(error)


@given(strategies.states(), strategies.options())
def test_what_it_builds_is_accepted(state: Any, options: Any) -> None:
    """Whatever the state, the checker finds no error that it does not find in the default build, of the same items.

    The default build has none but hosted calls that only the host can answer, and has not.
    """
    options = attrs.evolve(options, unsupported_media_policy="synthetic-description", strict=False)
    built = HARDENED.build_sync(state, options)
    plain = responses_pipeline(fingerprint=HARDENED.seams.fingerprint).build_sync(state, options)
    errors = [[v for v in check_request(one, options.endpoint) if v.severity == "error"] for one in (plain, built)]
    assert errors[0] == errors[1]
    assert {"P3"} >= {violation.rule for violation in errors[1]}
    assert [item["type"] for item in plain.input] == [item["type"] for item in built.input]


def test_no_id_is_a_nonce() -> None:
    """No nonce tells the id it is of, and another secret gives other nonces."""
    options = SITUATIONS["leading"]
    shown = "\n".join(texts(view(HARDENED, options)))
    assert "<message_" in shown
    assert not [one.id for one in (*STATE.messages, *STATE.memories) if f"_{one.id} " in shown]
    assert view(HARDENED, options) != view(hardened_pipeline(secret="another"), options)


@pytest.mark.parametrize(
    "given",
    [{}, {"secret": ""}, {"secret": "x" * 33}, {"secret": 3}, {"secret": "\ud800"}, {"nonce": lambda text, /: text}],
)
def test_the_secret_is_asked_for(given: Any) -> None:
    """Without a secret, or with one that does not fit, there is no pipeline, even with nonces of the host's own."""
    with pytest.raises(WiringError, match="secret"):
        hardened_pipeline(**given)
    with pytest.raises(WiringError, match="secret"):
        Plan.compile(HardenedContainer())


ROUTES: dict[str, Any] = {
    "hardened_pipeline": lambda **given: hardened_pipeline(secret=SECRET, **given),
    "plan": Plan.compile(HardenedContainer(secret=Object(SECRET))).pipeline,
    "preset_pipeline": lambda **given: preset_pipeline(hardening(SECRET), **given),
}


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("name", SEAM_NAMES)
def test_wrong_overrides_are_refused(name: str, route: str) -> None:
    """A misspelt seam is answered with the nearest one; no callable and no fitting call name seam and Protocol."""
    misspelt = f"{name[:-1]}_"
    with pytest.raises(WiringError, match=f"no such seam: {misspelt!r} \\(did you mean {name!r}\\?\\)"):
        ROUTES[route](**{misspelt: lambda: None})
    with pytest.raises(WiringError, match=f"^{name}: 3 "):
        ROUTES[route](**{name: 3})
    with pytest.raises(WiringError, match=f"^{name}: "):
        ROUTES[route](**{name: lambda one, two, three, four, five: None})


@pytest.mark.parametrize(("misspelt", "meant"), [("secrets", "secret"), ("operator_source", "operator_sources")])
def test_misspelt_settings_are_answered(misspelt: str, meant: str) -> None:
    """Settings that are no seams are among the names that are suggested."""
    wrong: Any = {misspelt: SECRET}
    with pytest.raises(WiringError, match=f"did you mean '{meant}'"):
        hardened_pipeline(**wrong)


def make_round(*, memories: Any) -> Any:
    """A neutraliser that needs what is made of it."""
    return str


def test_wrong_recipes_are_refused() -> None:
    """A cycle is drawn, and a seam of another Protocol is told with the one that would fit."""
    container = HardenedContainer(secret=Object(SECRET))
    rewire(container.neutraliser, made(make_round, memories=use(container.memories)))
    with pytest.raises(WiringError) as caught:
        Plan.compile(container)
    assert "neutraliser" in str(caught.value)
    assert "memories" in str(caught.value)
    container = HardenedContainer(secret=Object(SECRET))
    crossed: Any = {"nonce": container.neutraliser, "neutraliser": container.neutraliser}
    rewire(container.thought, Singleton(make_thought, **crossed))
    with pytest.raises(WiringError, match=r"^thought: nonce= asks for Nonce, but 'neutraliser' is Neutraliser; nonce"):
        Plan.compile(container)


def test_who_the_operator_is_can_be_said() -> None:
    """Sources of the operator go in by keyword, and by the preset."""
    shown = [pipeline.seams.memories(STATE.memories) for pipeline in (HARDENED, BY_PRESET)]
    sources = {memory.source for memory in STATE.memories if memory.source is not None}
    ours = hardened_pipeline(secret=SECRET, operator_sources=sources).seams.memories
    also = preset_pipeline(hardening(SECRET, sources)).seams.memories
    assert shown[0] == shown[1]
    assert shown[0] != ours(STATE.memories) == also(STATE.memories)
    assert "<untrusted_content_" not in ours([one for one in STATE.memories if one.source is not None])
    assert "<untrusted_content_" in ours([one for one in STATE.memories if one.source is None])


@pytest.mark.parametrize("sources", ["operator", "", 3, [None], [3], None])
def test_sources_are_a_collection_of_texts(sources: Any) -> None:
    """A single text is refused, in which every piece of itself would count as the operator; so is what is no text."""
    with pytest.raises(WiringError, match="operator_sources"):
        hardened_pipeline(secret=SECRET, operator_sources=sources)
    with pytest.raises(WiringError, match="operator_sources"):
        with_untrusted_memories(sources)


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


WRONG_PRESETS: dict[str, tuple[Any, str]] = {
    "a keyed nonce without its secret": (lambda: preset_pipeline(with_keyed_nonces), "secret: "),
    "a secret that is none": (lambda: with_keyed_nonces(""), "need a secret of the host"),
    "a secret too long": (lambda: with_keyed_nonces(b"x" * 33), "1 to 32 bytes"),
    "a number as secret": (lambda: with_keyed_nonces(3), "secret: int is neither text nor bytes"),
    "hardening without its secret": (lambda: preset_pipeline(hardening), "secret: "),
    "a fingerprint without its endpoint": (lambda: preset_pipeline(with_origin_fingerprint), "endpoint: "),
    "memories without their call": (lambda: preset_pipeline(with_untrusted_memories), "operator_sources: "),
    "a preset that gives another": (
        lambda: preset_pipeline(lambda container, /: with_sha256_fingerprint),
        "gave no container",
    ),
    "a number": (lambda: preset_pipeline(3), "3 is no function that gives a configured copy"),
    "a class": (lambda: combined(ResponsesContainer), "is no function that gives"),
    "a number to configure": (lambda: preset(3), "3 is no function that configures"),
    "histories": (lambda: with_sha256_fingerprint(VerbatimContainer()), "the container has no clock"),
    "types for histories": (lambda: with_tool_types(VerbatimContainer()), "a preset takes an instance of"),
}


@pytest.mark.parametrize("wrong", WRONG_PRESETS)
def test_wrong_presets_are_told(wrong: str) -> None:
    """What is forgotten, of another kind, or meant for another container is an error that says what was expected."""
    call, expected = WRONG_PRESETS[wrong]
    with pytest.raises(WiringError) as caught:
        call()
    assert expected in str(caught.value)


PRESETS = {
    "keyed": with_keyed_nonces(SECRET),
    "sha256": with_sha256_fingerprint,
    "strict": with_strict_neutralising,
    "brackets": with_media_brackets,
    "memories": with_untrusted_memories(),
    "types": with_tool_types,
}


@pytest.mark.parametrize("order", list(permutations(PRESETS, 3)), ids="-".join)
def test_presets_that_touch_different_things_combine_in_any_order(order: tuple[str, ...]) -> None:
    """Each preset does what it does alone, whatever was applied before or after."""
    container = combined(*(PRESETS[name] for name in order))(ResponsesContainer())
    seams = resolve(container)
    assert ("keyed" in order) == (seams.nonce == KeyedNonce(SECRET))
    assert ("sha256" in order) == isinstance(seams.fingerprint, Sha256Fingerprint)
    assert ("strict" in order) == (seams.neutraliser("&lt;memories>") != "&lt;memories>")
    shown = seams.memories(STATE.memories)
    assert ("memories" in order) == ("<untrusted_content_" in shown)
    assert ("keyed" in order) == (f"<memory_{STATE.memories[0].id}" not in shown)
    assert ("types" in order) == reads_types(seams.json_schema)
    assert seams.memories(STATE.memories) == Plan.compile(container).seams().memories(STATE.memories)


def reads_types(json_schema: Any) -> bool:
    """Whether a schema may be a callable."""

    def tool(text: str) -> None: ...

    try:
        return bool(json_schema(tool, False)["properties"])
    except Exception:  # noqa: BLE001  # the default takes mappings alone
        return False


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


@pytest.mark.parametrize("name", [*PRESETS, "all"])
def test_a_plan_can_be_made_of_a_preset_on_the_hardened_container(name: str) -> None:
    """What only the replaced recipes used, the secret and the operator's sources, is no reason to refuse the wiring."""
    chosen = hardening(SECRET) if name == "all" else PRESETS[name]
    container = chosen(HardenedContainer(secret=Object(SECRET)))
    assert resolve(container).nonce("a") == Plan.compile(container).seams().nonce("a")


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
