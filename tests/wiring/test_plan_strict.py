"""A wiring that can't work is an error when the plan is made, naming the seam, what was expected, the nearest name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Protocol

import attrs
import pytest
from dependency_injector import containers, providers
from dependency_injector.providers import Object, Singleton

from seamwright import Memory, Seams, WiringError
from seamwright.record import SEAM_NAMES
from seamwright.seams.context import TokenCounter
from seamwright.seams.envelopes import Envelope, Neutraliser, Nonce, neutraliser, nonce
from seamwright.seams.leading import Memories, make_memories
from seamwright_containers import Plan, ResponsesContainer, add, made, rewire, swap, use

if TYPE_CHECKING:
    from seamwright.seams.timeline import OwnMessage, RenderThought
Change = Callable[[ResponsesContainer], object]


def rejected(change: Change) -> str:
    """What the error says about a container that was changed so."""
    container = ResponsesContainer()
    change(container)
    with pytest.raises(WiringError) as error:
        Plan.compile(container)
    return str(error.value)


def none_at_all(items: Sequence[Memory], /) -> str:
    """Memories that show nothing."""
    return ""


def make_from_prompt(*, system_prompt: object) -> Neutraliser:
    """A neutraliser at the bottom that needs something near the top."""
    return neutraliser


def make_hidden(*, thought: OwnMessage) -> Memories:
    """Asks for a Protocol that is imported for type checkers only, and the wrong one."""
    return none_at_all


def make_seen(*, thought: RenderThought | None) -> Memories:
    """Asks for a Protocol that is imported for type checkers only, and the right one."""
    return none_at_all


def make_counted(*, token_counter: TokenCounter) -> Memories:
    """Needs a counter where there may be none."""
    return none_at_all


@attrs.frozen
class Described:
    """A factory that is a class: its fields are what it needs."""

    nonce: Nonce
    neutraliser: Neutraliser

    def __call__(self, items: Sequence[Memory], /) -> str:
        return self.neutraliser(self.nonce("x"))


MEMORIES = "seamwright.seams.leading:make_memories"
WRONG: dict[str, tuple[Change, list[str]]] = {
    "surplus": (
        lambda c: rewire(c.memories, Singleton(make_memories, nonse=c.nonce, neutraliser=c.neutraliser)),
        [f"memories: {MEMORIES} takes no 'nonse' (did you mean 'nonce'?)"],
    ),
    "surplus, nothing near": (
        lambda c: rewire(c.memories, Singleton(make_memories, x=c.nonce)),
        [f"memories: {MEMORIES} takes no 'x'; it takes neutraliser, nonce"],
    ),
    "missing": (
        lambda c: rewire(c.memories, Singleton(make_memories, nonce=c.nonce)),
        [f"memories: {MEMORIES} is not given neutraliser: Neutraliser; inject neutraliser=use(container.neutraliser)"],
    ),
    "missing, under a name that is no seam": (
        lambda c: rewire(c.memories, Singleton(lambda *, count: none_at_all)),
        ["is not given count; inject count=use(container.count)"],
    ),
    "wrong Protocol": (
        lambda c: rewire(c.memories, Singleton(make_memories, nonce=c.neutraliser, neutraliser=c.neutraliser)),
        ["memories: nonce= asks for Nonce, but 'neutraliser' is Neutraliser; nonce would fit"],
    ),
    "wrong Protocol into a class": (
        lambda c: rewire(c.memories, Singleton(Described, nonce=c.nonce, neutraliser=c.nonce)),
        ["memories: neutraliser= asks for Neutraliser, but 'nonce' is Nonce; neutraliser would fit"],
    ),
    "wrong Protocol into a partial": (
        lambda c: rewire(c.memories, Singleton(partial(make_memories, nonce=nonce), neutraliser=c.nonce)),
        ["memories: neutraliser= asks for Neutraliser, but 'nonce' is Nonce"],
    ),
    "wrong Protocol that only type checkers import": (
        lambda c: rewire(c.memories, Singleton(make_hidden, thought=c.thought)),
        ["memories: thought= asks for OwnMessage, but 'thought' is RenderThought; own_message would fit"],
    ),
    "None where none is taken": (
        lambda c: rewire(c.memories, Singleton(make_counted, token_counter=c.token_counter)),
        ["memories: token_counter= asks for TokenCounter, but 'token_counter' is TokenCounter | None"],
    ),
    "wrong product": (
        lambda c: rewire(c.nonce, Singleton(make_memories, nonce=c.clock, neutraliser=c.neutraliser)),
        [f"nonce: is Nonce, but {MEMORIES} makes Memories"],
    ),
    "wrong value": (
        lambda c: c.media_blocks.override(Object(3)),
        ["media_blocks: 3 is not a callable, which MediaBlocks needs"],
    ),
    "wrong stand-in": (
        lambda c: c.nonce.override(c.neutraliser),
        ["nonce: is Nonce, but 'neutraliser', which it follows, is Neutraliser"],
    ),
    "positional": (
        lambda c: rewire(c.memories, Singleton(make_memories, c.nonce, c.neutraliser)),
        [f"memories: {MEMORIES} is given positional arguments; inject by keyword"],
    ),
    "attributes": (
        lambda c: rewire(c.memories, Singleton(Described, nonce=c.nonce).add_attributes(neutraliser=c.neutraliser)),
        [":Described is given attributes; inject by keyword"],
    ),
    "opaque kind": (
        lambda c: rewire(c.nonce, providers.Selector(lambda: "a", a=c.nonce)),
        ["nonce: a Selector can't be looked into; declare the seam with Object(value) or made(factory, "],
    ),
    "a factory, made anew at each injection": (
        lambda c: rewire(c.memories, providers.Factory(make_memories, nonce=c.nonce, neutraliser=c.neutraliser)),
        ["memories: a Factory can't be looked into"],
    ),
    "a provider that calls": (
        lambda c: rewire(c.nonce, providers.Callable(nonce)),
        ["nonce: a Callable can't be looked into"],
    ),
    "nameless middleman": (
        lambda c: rewire(
            c.memories, Singleton(make_memories, nonce=Singleton(partial, c.nonce), neutraliser=c.neutraliser)
        ),
        ["memories: nonce= is no provider of this container", "use(container.nonce)"],
    ),
    "nameless middleman of another kind": (
        lambda c: rewire(
            c.memories, made(make_memories, nonce=providers.List(c.nonce), neutraliser=use(c.neutraliser))
        ),
        ["memories: nonce= is a List without a name", "add(container, 'its_name', provider)"],
    ),
    "provider of the class": (
        lambda c: rewire(
            c.memories, made(make_memories, nonce=use(ResponsesContainer.nonce), neutraliser=use(c.neutraliser))
        ),
        ["memories: nonce= is no provider of this container", "inject use(container.nonce)"],
    ),
    "provider of another container": (
        lambda c: rewire(
            c.memories,
            made(make_memories, nonce=use(c.nonce), neutraliser=use(ResponsesContainer().neutraliser)),
        ),
        ["memories: neutraliser= is no provider of this container", "inject use(container.neutraliser)"],
    ),
    "named middleman without a field": (
        lambda c: rewire(
            c.memories,
            Singleton(
                make_memories,
                nonce=c.nonce,
                neutraliser=add(c, "strict", Singleton(make_from_prompt, system_prompt=c.clock)),
            ),
        ),
        ["memories: neutraliser= is strict, which needs the seam 'clock' but is no seam of the record itself"],
    ),
    "unused provider": (
        lambda c: add(c, "nonces", Object(nonce)),
        ["nonces: the container has this provider, but it is no seam of the record", "(did you mean 'nonce'?)"],
    ),
    "seam set anew": (
        lambda c: c.set_provider("nonce", Object(nonce)),
        ["memories: nonce= is no provider of this container"],
    ),
    "unset setting": (
        lambda c: rewire(
            c.memories, Singleton(lambda *, secret: none_at_all, secret=add(c, "secret", providers.Dependency()))
        ),
        ["memories: secret= can't be resolved: ", "secret"],
    ),
    "a provider as the value": (
        lambda c: rewire(c.nonce, Object(c.clock)),
        ["nonce: its value is itself a provider", "no container may be reachable from it"],
    ),
    "cycle of one": (
        lambda c: rewire(c.memories, Singleton(lambda *, memories: memories, memories=c.memories)),
        ["memories: needs itself: memories -> memories"],
    ),
    "cycle through many": (
        lambda c: rewire(c.neutraliser, Singleton(make_from_prompt, system_prompt=c.system_prompt)),
        [": needs itself: ", "system_prompt -> ", "neutraliser -> system_prompt"],
    ),
    "cycle of followers": (
        lambda c: (rewire(c.trusted_envelope, c.untrusted_envelope), rewire(c.untrusted_envelope, c.trusted_envelope)),
        [": needs itself: ", "trusted_envelope -> untrusted_envelope"],
    ),
}


@pytest.mark.parametrize("kind", WRONG)
def test_a_wrong_wiring_is_refused(kind: str) -> None:
    """Each kind of mistake has an error of its own, before anything is rendered."""
    change, expected = WRONG[kind]
    text = rejected(change)

    assert [] == [part for part in expected if part not in text], text


def test_a_cycle_is_drawn_as_a_path_in_which_each_needs_the_next() -> None:
    """The path begins and ends with the same seam, and every arrow is an injection of the container."""
    container = ResponsesContainer()
    rewire(container.neutraliser, Singleton(make_from_prompt, system_prompt=container.system_prompt))
    with pytest.raises(WiringError) as error:
        Plan.compile(container)
    path = str(error.value).partition("needs itself: ")[2].split(" -> ")

    providers_of: dict[str, Any] = {name: container.providers[name] for name in SEAM_NAMES}
    providers_of["neutraliser"] = container.neutraliser.last_overriding
    assert path[0] == path[-1]
    assert len(path) > 2
    for needing, needed in pairwise(path):
        assert container.providers[needed] in providers_of[needing].kwargs.values()


def test_a_seam_without_a_provider_is_missed_by_name() -> None:
    """The error names the seam, its Protocol, and the provider that was most likely meant."""

    class Misspelt(containers.DeclarativeContainer):
        clok = ResponsesContainer.clock

    with pytest.raises(
        WiringError, match=r"clock: the container has no provider for this Clock \(did you mean 'clok'\?\)"
    ):
        Plan.compile(Misspelt())


def test_one_provider_under_two_names_is_refused() -> None:
    """Replacing one would replace the other in what was wired, and not in the record."""

    twins = ResponsesContainer()
    twins.set_provider("trusted_envelope", twins.untrusted_envelope)

    with pytest.raises(WiringError, match="trusted_envelope: is the same provider as 'untrusted_envelope'"):
        Plan.compile(twins)


def test_a_subclass_that_declares_a_seam_anew_is_refused() -> None:
    """What the base wired still holds the base's provider: the framework would mix the two in silence."""

    class Sub(ResponsesContainer):
        nonce = Object(lambda identifier: "sub")

    assert Sub.memories.kwargs["nonce"]() is nonce
    with pytest.raises(WiringError, match=r"memories: would still use the 'nonce' of a base class, not that of Sub"):
        Sub()
    with pytest.raises(WiringError, match=r"would still use the 'nonce'"):
        Sub(clock=Object(None))


def test_a_subclass_may_declare_what_nothing_depends_on() -> None:
    """At the top of the graph there is nobody to reach."""

    class Sub(ResponsesContainer):
        trailing_step = Object(lambda state, context: None)

    (info,) = (info for info in Plan.compile(Sub()).describe() if info.name == "trailing_step")

    assert info.overridden
    assert "seamwright.pipeline.trailing:make_trailing_step" == info.default


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (ResponsesContainer, "ResponsesContainer is a class, and what is replaced on it leaks; give an instance"),
        (object(), "is no container"),
    ],
)
def test_only_an_instance_of_a_container_is_compiled(given: Any, expected: str) -> None:
    """A class is shared by everybody, so a plan of it would be a plan of what others do to it."""
    with pytest.raises(WiringError) as error:
        Plan.compile(given)

    assert expected in str(error.value)


def test_the_record_is_an_attrs_class() -> None:
    """Fields with Protocols are what a container is compared with."""
    with pytest.raises(WiringError, match="builtins:dict is no attrs class"):
        Plan.compile(ResponsesContainer(), dict)


class Shout(Protocol):
    """A Protocol of the host's own, of the shape of a neutraliser."""

    def __call__(self, text: str, /) -> str: ...


class Pair(Protocol):
    """A Protocol of the host's own, of another shape than any seam here."""

    def __call__(self, one: str, other: str, /) -> str: ...


def make_shouted(*, shout: Shout) -> Memories:
    """Memories that a seam under a Protocol of the host's own writes."""

    def shouted(items: Sequence[Memory], /) -> str:
        return shout("memories")

    return shouted


def make_paired(*, pair: Pair) -> Memories:
    """Memories that need a callable of two texts."""
    return none_at_all


def make_called(*, call: Callable[[str], str]) -> Memories:
    """Memories that need any callable of a text."""
    return none_at_all


def test_a_protocol_of_the_hosts_own_is_compared_by_shape() -> None:
    """No seam has it, so its shape decides, as for the type checkers."""
    fitting = ResponsesContainer()
    rewire(fitting.memories, made(make_shouted, shout=use(fitting.neutraliser)))

    loud = Plan.compile(fitting).seams(neutraliser=str.upper)

    assert "MEMORIES" == loud.memories([])
    assert "memories: pair: neutraliser(text: 'str', /) -> 'str' can't be called as Pair(one, other)" in rejected(
        lambda c: rewire(c.memories, made(make_paired, pair=use(c.neutraliser)))
    )
    assert "memories: pair: len(obj, /) can't be called as Pair(one, other)" in rejected(
        lambda c: rewire(c.memories, Singleton(make_paired, pair=len))
    )
    assert "memories: call: " in rejected(lambda c: rewire(c.memories, Singleton(make_called, call=c.safety_directive)))


def test_a_factory_may_ask_for_more_than_it_is_given() -> None:
    """A Protocol or None, any object, and a parameter without annotation take the seam they are given."""

    def make_open(*, thought: object, nonce, **others: Any):  # type: ignore[no-untyped-def]  # as hosts write it
        return none_at_all

    for factory, names in ((make_seen, ["thought"]), (make_open, ["thought", "nonce", "clock"])):
        container = ResponsesContainer()
        rewire(container.memories, Singleton(factory, **{name: container.providers[name] for name in names}))
        assert Plan.compile(container).seams().memories is none_at_all


def test_constants_and_settings_are_settled_once() -> None:
    """Bare values, objects, configuration and named providers that need no seam reach the factory as they are."""
    made_with: list[tuple[Any, ...]] = []

    def make(*, nonce: Nonce, bare: str, boxed: dict[str, int], url: str, pool: object) -> Memories:
        made_with.append((nonce, bare, boxed, url, pool))
        return none_at_all

    table = {"a": 1}
    container = ResponsesContainer()
    config = providers.Configuration()
    config.from_dict({"service": {"url": "https://example.org"}})
    pool = add(container, "pool", Singleton(object))
    rewire(
        container.memories,
        Singleton(make, nonce=container.nonce, bare="b", boxed=Object(table), url=config.service.url, pool=pool),
    )
    plan = Plan.compile(container)
    other: Any = lambda identifier: "other"  # noqa: E731
    plan.seams(nonce=other)

    first, second = made_with
    assert (nonce, "b", table, "https://example.org", pool()) == first
    assert (other, *first[1:]) == second
    assert first[2] is second[2] is table


def test_add_does_not_hide_what_is_there() -> None:
    """What depends on a seam would keep the one it was wired with, so its name can't be taken again."""
    with pytest.raises(WiringError, match="nonce: the container has this seam; replace it by swap or rewire"):
        add(ResponsesContainer(), "nonce", Object(nonce))


class Badge(Protocol):
    """A seam of the host's own."""

    def __call__(self, memory: Memory, /) -> str: ...


@attrs.frozen(kw_only=True)
class HostSeams(Seams):
    """The record of a host with one seam of its own."""

    badge: Badge
    stamp: Envelope


def badge(memory: Memory, /) -> str:
    """The default badge."""
    return f"[{memory.id}]"


def make_badged(*, badge: Badge) -> Memories:
    """Memories that the host's seam writes."""

    def badged(items: Sequence[Memory], /) -> str:
        return "".join(map(badge, items))

    return badged


def host_container() -> ResponsesContainer:
    """The default container with two seams of the host's own: one on which a default seam depends, and a follower."""
    container = ResponsesContainer()
    own = add(container, "badge", Object(badge))
    add(container, "stamp", Singleton(lambda *, envelope: envelope, envelope=container.trusted_envelope))
    rewire(container.memories, made(make_badged, badge=use(own)))
    return container


def test_a_record_of_the_hosts_own_has_seams_of_its_own() -> None:
    """The host's seam is replaced per request like any other, and what depends on it is made anew."""
    plan = Plan.compile(host_container(), HostSeams)
    memory = Memory(id="m1", content="Likes tea.")

    varied = plan.resolve({"badge": lambda memory: "*"})

    assert isinstance(varied, HostSeams)
    assert ("[m1]", "*") == (plan.seams().memories([memory]), varied.memories([memory]))
    assert plan.seams().system_prompt is not varied.system_prompt
    assert plan.seams().timeline_step is varied.timeline_step
    swapped = plan.seams(trusted_envelope=lambda content, attrs: "swapped")
    assert swapped.stamp is swapped.trusted_envelope


def test_a_seam_of_the_hosts_own_is_checked_like_any_other() -> None:
    """Its name has neighbours, its value a shape, and without a field in the record it is no seam."""
    plan = Plan.compile(host_container(), HostSeams)

    with pytest.raises(WiringError, match=r"'bagde' \(did you mean 'badge'\?\)"):
        plan.resolve({"bagde": badge})
    with pytest.raises(WiringError, match="badge: 3 is not a callable, which Badge needs"):
        plan.resolve({"badge": 3})
    with pytest.raises(WiringError, match="stamp: the container has no provider for this Envelope"):
        Plan.compile(_with_badge_only(), HostSeams)
    with pytest.raises(WiringError, match=r"stamp: the container has this provider, but it is no seam of the record"):
        Plan.compile(host_container())


def _with_badge_only() -> ResponsesContainer:
    container = ResponsesContainer()
    rewire(container.memories, made(make_badged, badge=use(add(container, "badge", Object(badge)))))
    return container


def test_swap_goes_by_what_was_swapped_last() -> None:
    """A value that was swapped for a recipe needs nothing any more, and a cycle behind it is gone."""
    container = ResponsesContainer()
    rewire(container.neutraliser, Singleton(make_from_prompt, system_prompt=container.system_prompt))
    swap(container.neutraliser, neutraliser)

    assert Plan.compile(container).seams().neutraliser is neutraliser
