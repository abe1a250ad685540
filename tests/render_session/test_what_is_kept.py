"""What a session keeps: enough to render only what is new, no more than one build, and nothing outside itself."""

from __future__ import annotations

import gc
import tracemalloc
import weakref
from typing import Any, Final

import attrs
import pytest

from render_session.same import assert_same
from render_session.test_outside import call, message, state_of
from seamwright import AgentState, BuildContext, Message, Pipeline, RenderOptions
from seamwright.seams import fingerprint
from seamwright.wire.canonical import canonical_bytes
from seamwright_containers import responses_pipeline

OPTIONS: Final = RenderOptions(model="gpt-test")


class Rendered:
    """A pipeline that counts the messages it renders."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        default = responses_pipeline().seams.timeline_message

        def timeline_message(subject: Message, context: BuildContext, /) -> Any:
            self.ids.append(subject.id)
            return default(subject, context)

        self.pipeline: Pipeline = responses_pipeline(timeline_message=timeline_message)

    def taken(self) -> list[str]:
        """The ids since the last time this was asked."""
        ids, self.ids = self.ids, []
        return ids


def conversation(turns: int) -> AgentState:
    """Messages, each with a call behind it."""
    return state_of(*(thing for n in range(turns) for thing in (message(n), call(n, f"result {n}"))))


def test_only_what_is_new_is_rendered() -> None:
    """After two appended messages, two are rendered; after an edit, what stands from there on."""
    rendered = Rendered()
    session = rendered.pipeline.session()
    state = conversation(200)
    session.build_sync(state, OPTIONS)
    assert 200 == len(rendered.taken())
    state = attrs.evolve(state, messages=[*state.messages, message(200), message(201)])
    session.build_sync(state, OPTIONS)
    assert ["m200", "m201"] == rendered.taken()
    session.build_sync(state, OPTIONS)
    assert [] == rendered.taken()
    said = list(state.messages)
    said[150] = attrs.evolve(said[150], content="edited")
    session.build_sync(attrs.evolve(state, messages=said), OPTIONS)
    assert 52 == len(rendered.taken())


def test_only_what_is_new_is_hashed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The running hash goes on where it was: it takes the new items and the few behind the last mark."""
    spelled: list[object] = []

    def counted(value: object) -> bytes:
        spelled.append(value)
        return canonical_bytes(value)

    session = responses_pipeline().session()
    state = conversation(400)
    session.build_sync(state, OPTIONS)
    monkeypatch.setattr(fingerprint, "canonical_bytes", counted)
    session.build_sync(attrs.evolve(state, messages=[*state.messages, message(400)]), OPTIONS)
    assert len(spelled) <= 16


def test_nothing_is_kept_outside_a_session() -> None:
    """Another session, and a cold build, render everything: no cache is shared."""
    rendered = Rendered()
    state = conversation(20)
    rendered.pipeline.session().build_sync(state, OPTIONS)
    rendered.taken()
    rendered.pipeline.session().build_sync(state, OPTIONS)
    assert 20 == len(rendered.taken())
    rendered.pipeline.build_sync(state, OPTIONS)
    assert 20 == len(rendered.taken())


def test_nothing_is_kept_on_primitives() -> None:
    """A primitive has no place where a rendering could be left: it holds its fields and nothing besides."""
    state = conversation(3)
    session = responses_pipeline().session()
    session.build_sync(state, OPTIONS)
    for thing in [*state.messages, *state.tool_calls]:
        assert not hasattr(thing, "__dict__")
        names = {name for base in type(thing).__mro__ for name in getattr(base, "__slots__", ())}
        assert {field.name for field in attrs.fields(type(thing))} | {"__weakref__"} >= names


def test_what_left_the_state_is_forgotten() -> None:
    """A message that was dropped is held by nobody after the next build."""
    session = responses_pipeline().session()
    dropped = message(5, "gone soon")
    state = attrs.evolve(conversation(5), messages=[*conversation(5).messages, dropped])
    session.build_sync(state, OPTIONS)
    watched = weakref.ref(dropped)
    state = attrs.evolve(state, messages=state.messages[:-1])
    del dropped
    session.build_sync(state, OPTIONS)
    gc.collect()
    assert watched() is None


def test_a_session_goes_with_its_memory() -> None:
    """Nothing else holds what a session remembers."""
    rendered = Rendered()
    session = rendered.pipeline.session()
    state = conversation(3)
    watched = weakref.ref(state.messages[0])
    session.build_sync(state, OPTIONS)
    del session, state
    gc.collect()
    assert watched() is None


def _kept(builds: list[AgentState]) -> int:
    """Bytes that a session holds after these builds, primitives excluded."""
    session = responses_pipeline().session()
    gc.collect()
    tracemalloc.start()
    try:
        for state in builds:
            session.build_sync(state, OPTIONS)
        gc.collect()
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow_with_the_builds() -> None:
    """After two hundred turns, each built, a session holds about what it holds after the last alone."""
    whole = conversation(200)
    grown = [attrs.evolve(whole, messages=whole.messages[:n], tool_calls=whole.tool_calls[:n]) for n in range(1, 201)]
    assert _kept(grown) <= 1.5 * _kept(grown[-1:])


def test_memory_does_not_grow_with_edits() -> None:
    """Nor with builds that go back and forth over one conversation."""
    whole = conversation(100)
    half = attrs.evolve(whole, messages=whole.messages[:50], tool_calls=whole.tool_calls[:50])
    assert _kept([whole, half] * 20 + [whole]) <= 1.5 * _kept([whole])


def test_an_edit_far_back_in_a_long_conversation() -> None:
    """The marks that are kept lie apart; going back to one of them gives the same as starting over."""
    pipeline = responses_pipeline()
    session = pipeline.session()
    state = conversation(700)
    assert_same(session, pipeline, state, OPTIONS)
    for place in (690, 400, 120, 3, 650):
        said = list(state.messages)
        said[place] = attrs.evolve(said[place], content=f"edited at {place}")
        state = attrs.evolve(state, messages=said)
        assert_same(session, pipeline, state, OPTIONS)
