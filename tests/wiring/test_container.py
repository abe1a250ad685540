"""The container is the blueprint, the record the product: what happens to one does not happen to the other."""

from __future__ import annotations

import gc
import threading
import types
from typing import Any

import attrs
import pytest
from dependency_injector import containers, providers
from dependency_injector.providers import Object

from seamwright import Pipeline, RenderOptions, Seams, WiringError
from seamwright.record import SEAM_NAMES
from seamwright.seams import leading
from seamwright_containers import (
    HardenedContainer,
    ResponsesContainer,
    VerbatimContainer,
    made,
    resolve,
    responses_pipeline,
    rewire,
    swap,
    use,
)
from wiring.replacements import DEFAULTS, REPLACEMENTS
from wiring.rich import SITUATIONS, recorded, view

OPTIONS = SITUATIONS["leading"]


def shown(seams: Seams) -> Any:
    """The build of the rich state."""
    pipeline = Pipeline(seams)
    return view(pipeline, OPTIONS, recorded(pipeline, OPTIONS))


EXPECTED = shown(DEFAULTS)


def loud(identifier: str, /) -> str:
    """A nonce that can't be missed."""
    return f"LOUD.{DEFAULTS.nonce(identifier)}"


def test_a_later_override_does_not_reach_a_built_pipeline() -> None:
    """The container was resolved once; what is swapped afterwards changes nothing of the product."""
    container = ResponsesContainer()
    seams = resolve(container)
    before = {name: getattr(seams, name) for name in SEAM_NAMES}
    swap(container.nonce, loud)
    rewire(
        container.memories,
        made(leading.make_memories, nonce=use(container.nonce), neutraliser=use(container.neutraliser)),
    )

    assert {name: getattr(seams, name) for name in SEAM_NAMES} == before
    assert shown(seams) == EXPECTED


def test_an_override_of_the_class_does_not_reach_a_built_pipeline() -> None:
    """The framework's own trap, looked at from the product's side."""
    pipeline = responses_pipeline()
    ResponsesContainer.nonce.override(Object(loud))
    try:
        assert shown(pipeline.seams) == EXPECTED
    finally:
        ResponsesContainer.nonce.reset_override()
    assert shown(responses_pipeline().seams) == EXPECTED


@pytest.mark.parametrize("name", SEAM_NAMES)
def test_a_swap_is_an_override(name: str) -> None:
    """``swap`` before resolving gives what the keyword gives."""
    replacement = REPLACEMENTS[name]
    container = ResponsesContainer()
    swap(getattr(container, name), replacement.value)
    seams = resolve(container)
    pipeline = Pipeline(seams)
    state = recorded(pipeline, OPTIONS)
    if name == "warn":
        seams = attrs.evolve(seams, warn=lambda warning: None)
    after = view(Pipeline(seams), OPTIONS, state)

    assert after == (EXPECTED if name == "warn" else replacement.expected(EXPECTED))


def test_a_recipe_may_be_replaced_by_another() -> None:
    """``rewire`` takes a provider made from others; what depends on the seam gets its product."""
    container = ResponsesContainer()
    quiet: providers.Provider[Any] = made(
        leading.make_memories, nonce=use(container.nonce), neutraliser=use(Object(lambda text: "QUIET"))
    )
    rewire(container.memories, quiet)
    text = shown(resolve(container))["instructions"]

    assert ">\nQUIET\n</memory_m_tea>" in text
    assert text.count("QUIET") == 2


@pytest.mark.parametrize(
    ("container", "misspelt", "meant"),
    [
        (ResponsesContainer, "nonse", "nonce"),
        (VerbatimContainer, "call_items", "call_item"),
        (HardenedContainer, "secrets", "secret"),
    ],
)
def test_a_misspelt_keyword_is_answered_with_the_nearest(container: Any, misspelt: str, meant: str) -> None:
    """A container is made with the names of its own providers, those that are no seams too, and with no others."""
    with pytest.raises(WiringError, match=f"'{misspelt}' \\(did you mean '{meant}'"):
        container(**{misspelt: Object(None)})
    made_with = container(**{meant: Object(7)})
    assert made_with.providers[meant]() == 7


def test_containers_do_not_share_overrides() -> None:
    """Two instances, two products; the pipelines of many threads at once too."""
    one, other = ResponsesContainer(), ResponsesContainer()
    swap(one.nonce, loud)
    assert "LOUD" in str(shown(resolve(one)))
    assert shown(resolve(other)) == EXPECTED

    texts: dict[int, str] = {}

    def work(number: int) -> None:
        seams = responses_pipeline(safety_directive=lambda: f"directive of {number}.").seams
        texts[number] = str(shown(seams)["instructions"])

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, text in texts.items():
        assert f"directive of {number}." in text
        assert text.count("directive of") == 1
    assert len(texts) == 8


def test_a_subclass_with_another_leaf_is_a_container() -> None:
    """A host's own container resolves as the default one does; its own providers are its own affair."""

    class Own(ResponsesContainer):
        extra: providers.Provider[int] = Object(3)

    assert shown(resolve(Own())) == EXPECTED
    assert Own().extra() == 3


def test_pipeline_and_record_are_frozen() -> None:
    """Neither a seam nor the record is replaced in place; a new record is a new pipeline."""
    pipeline = responses_pipeline()
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        pipeline.seams = DEFAULTS  # type: ignore[misc]
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        pipeline.seams.nonce = loud  # type: ignore[misc]
    assert "LOUD" not in str(shown(attrs.evolve(pipeline.seams, nonce=loud))["instructions"]), "it is resolved"


def test_no_container_is_reachable_from_a_pipeline() -> None:
    """Not from a closure, an attribute or a default: a call costs one slot read and a call."""
    seen: set[int] = set()
    open_ends: list[Any] = [responses_pipeline(nonce=loud)]
    while open_ends:
        value = open_ends.pop()
        if id(value) in seen or isinstance(value, (type, types.ModuleType)):
            continue
        seen.add(id(value))
        assert not isinstance(value, (providers.Provider, containers.DynamicContainer)), value
        globals_of = getattr(value, "__globals__", None) if isinstance(value, types.FunctionType) else None
        open_ends += [one for one in gc.get_referents(value) if one is not globals_of]
    assert len(seen) > 100


def test_defaults_are_made_once_for_each_pipeline() -> None:
    """A seam that several others use is the same object in all of them."""
    one, other = responses_pipeline().seams, responses_pipeline().seams

    assert one.nonce is other.nonce, "a leaf is a function"
    assert one.memories is not other.memories, "a composed seam belongs to its pipeline"


def test_a_pipeline_of_a_record_of_ones_own() -> None:
    """No container is needed: the record is what a pipeline takes."""
    record = Seams(**{name: getattr(DEFAULTS, name) for name in SEAM_NAMES})
    assert shown(record) == EXPECTED
    assert Pipeline(record).build_sync(
        recorded(Pipeline(record), OPTIONS), RenderOptions(model="m", unsupported_media_policy="fallback-stash")
    )
