"""A seam that raises: :class:`SeamError` with the seam, the subject and the cause, whatever kind of callable it is."""

from __future__ import annotations

import asyncio
import functools
import threading
from collections.abc import Callable
from typing import Any
from unittest import mock

import attrs
import pytest

from seamwright import (
    AgentState,
    InvalidStateError,
    Media,
    Memory,
    Message,
    Pipeline,
    RenderOptions,
    Retrievable,
    SeamError,
    SeamwrightError,
    SpooledArtifact,
    TokenizableError,
    Tool,
    ToolCall,
    UnsupportedMediaError,
)
from seamwright.record import SEAM_NAMES
from seamwright_containers import responses_pipeline
from wiring.replacements import DEFAULTS, OwnIds
from wiring.rich import SITUATIONS, STATE, at
from wiring.test_replaced_alone import RESPONSE, WAITING


class BoomError(Exception):
    """What the seams below raise."""


def boom(*arguments: Any, **keywords: Any) -> Any:
    """A plain function."""
    raise BoomError("boom")


async def waiting_boom(*arguments: Any, **keywords: Any) -> Any:
    """An asynchronous function that raises after it waited."""
    await asyncio.sleep(0)
    raise BoomError("boom")


class Booming:
    """A callable object, with the methods of every seam that is no plain callable."""

    encoding = "boom"

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        raise BoomError("boom")

    def message_id(self, message: Any, /) -> Any:
        """Raises."""
        raise BoomError("boom")

    def call_ids(self, call: Any, /) -> Any:
        """Raises."""
        raise BoomError("boom")

    def provider_id(self, thing: Any, /) -> Any:
        """Raises."""
        raise BoomError("boom")


def decorated(function: Callable[..., Any]) -> Callable[..., Any]:
    """What a host's own decorator makes of a seam."""

    @functools.wraps(function)
    def wrapper(*arguments: Any, **keywords: Any) -> Any:
        return function(*arguments, **keywords)

    return wrapper


def guarded(function: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator that raises itself, before the function is called."""

    @functools.wraps(function)
    def wrapper(*arguments: Any, **keywords: Any) -> Any:
        raise BoomError(f"boom before {function}")

    return wrapper


def made_for(name: str) -> Callable[..., Any]:
    """A closure of a factory that many seams share: one code, told apart by what they close over."""

    def seam(*arguments: Any, **keywords: Any) -> Any:
        raise BoomError(f"boom in {name}")

    return seam


def mocked(name: str) -> Any:
    """A mock, of the methods too where the seam has methods."""
    methods = ("message_id", "call_ids", "provider_id") if name == "item_ids" else ()
    made = mock.Mock(side_effect=BoomError("boom"), encoding="boom")
    for method in methods:
        getattr(made, method).side_effect = BoomError("boom")
    return made


def counting(function: Callable[..., Any]) -> Any:
    """A callable as a token counter has to be."""
    function.encoding = "boom"  # type: ignore[attr-defined]  # functions take attributes
    return function


KINDS: dict[str, Callable[[str], Any]] = {
    "function": lambda name: counting(boom),
    "lambda": lambda name: counting(lambda *a, **k: {}[f"boom in {name}"]),
    "object": lambda name: Booming(),
    "bound method": lambda name: Booming().__call__,
    "mock": mocked,
    "partial": lambda name: counting(functools.partial(made_for(name))),
    "partial with arguments": lambda name: counting(functools.partial(boom, name)),
    "closure": lambda name: counting(made_for(name)),
    "decorated": lambda name: counting(decorated(made_for(name))),
    "decorator that raises": lambda name: counting(guarded(made_for(name))),
}


def value_of(kind: str, name: str) -> Any:
    """A raising value of a kind, in the shape of a seam."""
    value = KINDS[kind](name)
    if name == "token_counter" and not hasattr(value, "encoding"):
        return Booming()
    if name == "item_ids" and not hasattr(value, "message_id"):
        return mock.NonCallableMock(message_id=value, call_ids=value, provider_id=value)
    return value


# Which thing a build of the rich state stumbles over first, and which situation leads there.
SUBJECTS: dict[str, str | None] = {
    "warn": "md_sound",
    "token_counter": "f_large",
    "nonce": "m_tea",
    "neutraliser": "m_tea",
    "untrusted_envelope": "p_text",
    "trusted_envelope": "md_audio",
    "standing_instructions": None,
    "memories": None,
    "safety_directive": None,
    "retrievable_handle": "f_large",
    "first_party_retrievables": None,
    "third_party_public_retrievables": None,
    "third_party_private_retrievables": None,
    "retrievables": None,
    "system_prompt": None,
    "thought_filter": None,
    "thought": "t_note",
    "media_policy": "md_audio",
    "media_blocks": "md_image",
    "timeline_message": "u1",
    "own_message": "a1",
    "artifact_handle": "call_large|fc_2",
    "pending_result": "call_pending",
    "tool_result": "call_1|fc_1",
    "json_schema": "search",
    "tool_declarations": None,
    "reasoning_item": "r1",
    "fingerprint": None,
    "item_ids": "r1",
    "leading_step": None,
    "timeline_step": None,
    "reasoning_pairing": None,
    "trailing_step": None,
}


def test_every_seam_of_a_build_is_here() -> None:
    """All but the three that a build without a budget does not call."""
    assert set(SUBJECTS) | {"clock", "output_slots", "trimmer"} == set(SEAM_NAMES)


def raised_by(work: Callable[[], Any]) -> SeamError:
    """The error of a seam."""
    with pytest.raises(SeamError) as caught:
        work()
    return caught.value


def built_with(**overrides: Any) -> Callable[[], Any]:
    """A build of the rich state."""
    pipeline: Pipeline = responses_pipeline(**overrides)
    return lambda: pipeline.build_sync(STATE, SITUATIONS["leading"])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", SUBJECTS)
def test_the_error_names_seam_subject_and_cause(name: str, kind: str) -> None:
    """The innermost seam that raised, the id of what it was rendering, and the exception itself."""
    error = raised_by(built_with(**{name: value_of(kind, name)}))

    assert (error.seam, error.subject_id) == (name, SUBJECTS[name])
    assert isinstance(error.cause, (BoomError, KeyError))
    assert error.__cause__ is error.cause
    assert name in str(error)
    assert "boom" in str(error)


@pytest.mark.parametrize("name", WAITING)
@pytest.mark.parametrize(
    "make",
    [
        lambda: waiting_boom,
        lambda: mock.AsyncMock(side_effect=BoomError("boom")),
        lambda: functools.partial(waiting_boom),
        lambda: decorated(waiting_boom),
    ],
    ids=["function", "mock", "partial", "decorated"],
)
def test_an_asynchronous_seam_is_named_too(name: str, make: Callable[[], Any]) -> None:
    """In the synchronous build and in the other."""
    pipeline = responses_pipeline(**{name: make()})  # type: ignore[misc]  # the name comes from a parameter
    options = SITUATIONS["leading"]
    for work in (
        lambda: pipeline.build_sync(STATE, options),
        lambda: asyncio.run(pipeline.build(STATE, options)),
    ):
        error = raised_by(work)
        assert (error.seam, error.subject_id) == (name, SUBJECTS[name])
        assert isinstance(error.cause, BoomError)


@pytest.mark.parametrize(
    "name", ["clock", "item_ids", "fingerprint", "timeline_step", "reasoning_item", "pending_result"]
)
@pytest.mark.parametrize("kind", KINDS)
def test_an_ingestion_names_the_seam_as_a_build_does(name: str, kind: str) -> None:
    """The same error from the other method that calls seams."""
    pipeline = responses_pipeline(**{name: value_of(kind, name)})  # type: ignore[misc]  # a name from a parameter
    request = responses_pipeline().build_sync(STATE, SITUATIONS["leading"])
    response = {
        **RESPONSE,
        "output": [
            {"type": "reasoning", "id": "rs_9", "summary": [], "encrypted_content": "e"},
            {"type": "function_call", "id": "fc_9", "call_id": "call_9", "name": "search", "arguments": "{}"},
        ],
    }
    error = raised_by(lambda: pipeline.ingest(response, request, STATE))

    assert error.seam == name
    assert isinstance(error.cause, (BoomError, KeyError))


def test_an_override_that_calls_the_default_is_named_for_what_it_raises() -> None:
    """The seam inside is named for its own errors, the override for its own."""

    def thought(one: Any, kind: Any) -> str:
        text = DEFAULTS.thought(one, kind)
        raise BoomError(text)

    assert raised_by(built_with(thought=thought)).seam == "thought"
    error = raised_by(built_with(nonce=boom, thought=lambda one, kind: DEFAULTS.thought(one, kind).upper()))
    assert (error.seam, error.subject_id) == ("nonce", "m_tea")


def test_seams_of_one_factory_are_told_apart() -> None:
    """Two closures of one function, two partials of one function, two objects of one class."""
    for one, other in (
        (made_for("a"), made_for("b")),
        (functools.partial(_raise_for, "a"), functools.partial(_raise_for, "b")),
        (functools.partial(_raise_for, which="a"), functools.partial(_raise_for, which="b")),
        (_Picky("a"), _Picky("b")),
        (_Picky("a").render, _Picky("b").render),
    ):
        error = raised_by(
            built_with(third_party_public_retrievables=lambda items, context: "", third_party_private_retrievables=one)
        )
        assert error.seam == "third_party_private_retrievables"
        fine = {"untrusted_envelope": other, "trusted_envelope": one}
        state = AgentState(
            tool_calls=[ToolCall(id="c", tool="t", args={}, created_at=at(0), results="x", trusted=True)]
        )
        pipeline = responses_pipeline(**fine)
        assert raised_by(lambda: pipeline.build_sync(state, RenderOptions(model="m"))).seam == "trusted_envelope"  # noqa: B023


def _raise_for(*arguments: Any, which: Any = None) -> Any:
    raise BoomError(f"{which} {arguments}")


@attrs.frozen
class _Picky:
    which: str

    def __call__(self, *arguments: Any) -> Any:
        return self.render(*arguments)

    def render(self, *arguments: Any) -> Any:
        """Raises."""
        raise BoomError(f"{self.which} {arguments}")


def test_a_fingerprint_that_fails_on_an_item_is_named() -> None:
    """A factory that is a class is known by its objects."""

    class Failing:
        def __init__(self, *, model: str, instructions: str | None, tools: Any) -> None:
            self.model = model

        def update(self, item: Any, /) -> None:
            raise BoomError("boom")

        def digest(self) -> str:
            return ""

        def copy(self) -> Failing:
            return self

    assert raised_by(built_with(fingerprint=Failing)).seam == "fingerprint"


@pytest.mark.parametrize(
    ("state", "name", "subject"),
    [
        (AgentState(tools=[Tool(name="t", description="", input_schema=int)]), "json_schema", "t"),
        (
            AgentState(
                retrievables=[
                    Retrievable(
                        id="r",
                        content=SpooledArtifact(reader=lambda: {}["gone"]),
                        trust_tier="first-party",
                        inline=True,
                    )
                ]
            ),
            "first_party_retrievables",
            "r",
        ),
        (
            AgentState(
                messages=[
                    Message(
                        id="u",
                        role="user",
                        created_at=at(0),
                        attachments=[
                            Media.user_attachment(
                                id="md",
                                kind="image",
                                mime_type="image/png",
                                filename="a",
                                source_reader=lambda: {}["gone"],
                            )
                        ],
                    )
                ]
            ),
            "media_blocks",
            "md",
        ),
        (
            AgentState(
                tool_calls=[
                    ToolCall(
                        id="c", tool="t", args={}, created_at=at(0), trusted=True, results=SpooledArtifact(reader=boom)
                    )
                ]
            ),
            "tool_result",
            "c",
        ),
    ],
)
def test_a_default_that_fails_over_what_the_host_gave_is_named(state: AgentState, name: str, subject: str) -> None:
    """Schemas of types without a seam that reads them, readers whose storage fails."""
    error = raised_by(lambda: responses_pipeline().build_sync(state, RenderOptions(model="m")))
    assert (error.seam, error.subject_id) == (name, subject)


# --- what passes


OWN_ERRORS = [
    UnsupportedMediaError("audio", "a/b", "c"),
    InvalidStateError([]),
    SeamError("thought", "x", BoomError()),
    TokenizableError("owner", "problem"),
    type("HostError", (SeamwrightError,), {})("mine"),
]


@pytest.mark.parametrize("error", OWN_ERRORS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("name", ["nonce", "timeline_message", "json_schema", "leading_step", "reasoning_pairing"])
def test_the_librarys_own_errors_pass_unchanged(name: str, error: SeamwrightError) -> None:
    """The very object, also of a host's own subclass."""

    def raises(*arguments: Any) -> Any:
        raise error

    with pytest.raises(type(error)) as caught:
        built_with(**{name: raises})()
    assert caught.value is error


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3), asyncio.CancelledError(), GeneratorExit()])
def test_what_stops_a_program_is_no_error_of_a_seam(error: BaseException) -> None:
    """Interrupts, exits and cancellation pass."""

    def raises(*arguments: Any) -> Any:
        raise error

    with pytest.raises(type(error)) as caught:
        built_with(thought=raises)()
    assert caught.value is error


def test_a_failed_build_leaves_nothing_behind() -> None:
    """The same pipeline builds again as soon as the seam works, also from other threads."""
    failing = {"now": True}

    def nonce(identifier: str) -> str:
        if failing["now"]:
            raise BoomError("boom")
        return DEFAULTS.nonce(identifier)

    pipeline = responses_pipeline(nonce=nonce)
    options = SITUATIONS["leading"]
    expected = responses_pipeline().build_sync(STATE, options)
    with pytest.raises(SeamError):
        pipeline.build_sync(STATE, options)
    failing["now"] = False
    results: list[Any] = []
    threads = [threading.Thread(target=lambda: results.append(pipeline.build_sync(STATE, options))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [one.input for one in results] == [expected.input] * 4


def test_ids_of_an_own_object_are_used() -> None:
    """The counterpart to the raising object above: methods are what the seam is called by."""
    built = built_with(item_ids=OwnIds())()
    assert any(item.get("call_id") == "xcall_1" for item in built.input)


def test_a_memory_is_named_by_its_id() -> None:
    """Of many things that one seam renders at once, the one it stumbled over."""
    state = AgentState(memories=[Memory(id="m1", content="fine"), Memory(id="m2", content="bad")])

    def neutraliser(text: str) -> str:
        if text == "bad":
            raise BoomError("boom")
        return text

    pipeline = responses_pipeline(neutraliser=neutraliser)
    error = raised_by(lambda: pipeline.build_sync(state, RenderOptions(model="m")))
    assert (error.seam, error.subject_id) == ("neutraliser", "m2")
