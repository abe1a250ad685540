"""The wiring of protocol histories stands to its seams as the default wiring does to its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

import pytest
from dependency_injector.providers import Object, Provider, Singleton
from hypothesis import given
from hypothesis import strategies as st

from seamwright import AssembledInput, RenderOptions, SeamwrightError, WiringError
from seamwright.cli import main
from seamwright.history import HistoryMessage, ImageBlock, TextBlock, ThinkingBlock, ToolCallBlock, VerbatimSeams
from seamwright.history.serialize import SerializeHistory, ToolOutput, make_serialize_history, tool_output
from seamwright.history.verbatim import VERBATIM_SEAM_NAMES, VerbatimPipeline
from seamwright_containers import (
    Plan,
    ResponsesContainer,
    VerbatimContainer,
    describe,
    made,
    resolve,
    resolve_verbatim,
    rewire,
    swap,
    use,
    verbatim_pipeline,
)

PLAN: Final = Plan.compile(VerbatimContainer(), VerbatimSeams)
OPTIONS: Final = RenderOptions(model="gpt-5.4")
_STORED: Final = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAAAABjGvx3i9MS5F0lgtpv"}
HISTORY: Final = (
    HistoryMessage("user", [TextBlock("q"), ImageBlock("AQ==", "image/png")]),
    HistoryMessage(
        "assistant",
        [ThinkingBlock("t", json.dumps(_STORED)), TextBlock("a", "msg_1"), ToolCallBlock("c1", "f", {}, "fc_1")],
    ),
    HistoryMessage("tool", [TextBlock("r")], "c1"),
)
TOOLS: Final = [{"name": "f", "description": "d", "input_schema": {"type": "object"}}]

_NOTED: Final = {"role": "user", "content": [{"type": "input_text", "text": "stand-in"}]}
STAND_INS: Final[dict[str, Callable[..., Any]]] = {
    "warn": lambda warning, /: None,
    "user_part": lambda block, /: {"type": "input_text", "text": "stand-in"},
    "thinking_item": lambda block, /: None,
    "text_item": lambda block, own, /: {"type": "message", "role": "assistant", "content": "stand-in"},
    "call_item": lambda block, own, /: {"type": "function_call", "call_id": block.id, "name": "g", "arguments": "{}"},
    "tool_output": lambda blocks, /: "stand-in",
    "serialize_message": lambda message, /: [dict(_NOTED)],
    "serialize_history": lambda history, /: [dict(_NOTED)],
    "serialize_tools": lambda definitions, /: [{"type": "web_search"}],
    "turn_items": lambda messages, items, context, /: [item for item in items if item["type"] != "reasoning"],
    "json_schema": lambda schema, strict, /: {"type": "object"},
    "strict_declarations": lambda declarations, strict, warn, /: [],
    "repair": lambda body, endpoint, /: ({**body, "input": []}, []),
}
"""For every seam one that behaves otherwise than the default."""
NOT_IN_A_REQUEST: Final = {"warn"}


def outcome(pipeline: VerbatimPipeline) -> object:
    """What a build sends and warns of, or how it fails."""
    try:
        assembled: AssembledInput = pipeline.build(HISTORY, OPTIONS, tools=TOOLS, instructions="Be brief.")
    except SeamwrightError as error:
        return type(error), str(error)
    return assembled.to_request(), assembled.warnings


def planned(**overrides: Any) -> VerbatimPipeline:
    """The pipeline of a plan's record."""
    return VerbatimPipeline(PLAN.resolve(overrides))


@pytest.mark.parametrize("name", VERBATIM_SEAM_NAMES)
def test_replaced_by_plan_or_by_container_is_the_same(name: str) -> None:
    """One seam replaced through the plan, the function or a new container sends the same, and not the default."""
    replaced: Any = {name: STAND_INS[name]}
    by_container = VerbatimPipeline(resolve_verbatim(VerbatimContainer(**{name: Object(STAND_INS[name])})))
    assert outcome(by_container) == outcome(planned(**replaced)) == outcome(verbatim_pipeline(**replaced))
    assert (name in NOT_IN_A_REQUEST) == (outcome(verbatim_pipeline()) == outcome(by_container))


@given(st.sets(st.sampled_from(VERBATIM_SEAM_NAMES)))
def test_any_replacements_at_once(names: set[str]) -> None:
    """Whatever is replaced together, both routes send, warn and fail alike."""
    replaced: Any = {name: STAND_INS[name] for name in names}
    assert outcome(verbatim_pipeline(**replaced)) == outcome(planned(**replaced))


@pytest.mark.parametrize("name", VERBATIM_SEAM_NAMES)
def test_exactly_what_depends_on_a_seam_is_made_anew(name: str) -> None:
    """The replacement stands in the record; what the framework says depends on it is new, all else the very same."""
    container = VerbatimContainer()
    kinds: Any = [Provider]
    below = {
        other: {id(one) for one in container.providers[other].traverse(types=kinds)} for other in VERBATIM_SEAM_NAMES
    }
    dependents = {other for other, ids in below.items() if id(container.providers[name]) in ids}
    base, varied = PLAN.seams(), PLAN.resolve({name: STAND_INS[name]})
    changed = {other for other in VERBATIM_SEAM_NAMES if getattr(base, other) is not getattr(varied, other)}
    assert dependents | {name} == changed
    assert getattr(varied, name) is STAND_INS[name]


# --- what can't work


@pytest.mark.parametrize("name", VERBATIM_SEAM_NAMES)
@pytest.mark.parametrize("replace", [verbatim_pipeline, planned])
def test_wrong_overrides_are_errors_at_once(name: str, replace: Callable[..., object]) -> None:
    """A misspelt seam is answered with the nearest; no callable and no fitting call name seam and Protocol."""
    protocol = "WarningSink" if name == "warn" else "".join(map(str.capitalize, name.split("_")))
    for misspelt in (f"{name}s", name[:-1] + "_"):
        if misspelt not in VERBATIM_SEAM_NAMES:
            with pytest.raises(WiringError, match=f"no such seam: '{misspelt}' \\(did you mean '"):
                replace(**{misspelt: STAND_INS[name]})
    for wrong in (3, "text", None):
        with pytest.raises(WiringError, match=f"^{name}: {wrong!r} is not a callable, which {protocol} needs"):
            replace(**{name: wrong})
    with pytest.raises(WiringError, match=f"^{name}: .* can't be called as {protocol}"):
        replace(**{name: lambda: None})


def make_from_the_top(*, serialize_history: SerializeHistory) -> ToolOutput:
    """A leaf that needs what is made of it."""
    return tool_output


def refused(change: Callable[[VerbatimContainer], object]) -> str:
    """What the error says about a container that was changed so."""
    container = VerbatimContainer()
    change(container)
    with pytest.raises(WiringError) as caught:
        Plan.compile(container, VerbatimSeams)
    return str(caught.value)


def test_a_cycle_is_drawn() -> None:
    """Seams that need each other are named in their order."""
    text = refused(lambda c: rewire(c.tool_output, made(make_from_the_top, serialize_history=use(c.serialize_history))))
    for name in ("tool_output", "serialize_message", "serialize_history"):
        assert name in text


def test_a_seam_of_another_protocol_is_refused() -> None:
    """The error names the seam, what its factory asks for, what it was given, and what would fit."""
    wrong: Any = {"serialize_message": VerbatimContainer.text_item}
    text = refused(lambda c: rewire(c.serialize_history, Singleton(make_serialize_history, **wrong)))
    assert "serialize_history: " in text
    text = refused(
        lambda c: rewire(c.serialize_history, Singleton(make_serialize_history, serialize_message=c.text_item))
    )
    assert "serialize_history: serialize_message= asks for SerializeMessage, but 'text_item' is TextItem" in text
    assert "serialize_message would fit" in text
    text = refused(lambda c: rewire(c.serialize_history, Singleton(make_serialize_history, serialize_mesage=c.warn)))
    assert "takes no 'serialize_mesage' (did you mean 'serialize_message'?)" in text


def test_what_is_resolved_is_looked_at() -> None:
    """A wrong value that was put into a container is found when it is resolved, not when it is first called."""
    with pytest.raises(WiringError, match=r"^tool_output: 3 is not a callable, which ToolOutput needs"):
        resolve_verbatim(VerbatimContainer(tool_output=Object(3)))
    with pytest.raises(WiringError, match=r"^nonce: 3 is not a callable, which Nonce needs"):
        resolve(ResponsesContainer(nonce=Object(3)))


def test_another_record_than_its_own_is_refused() -> None:
    """A plan of the default record is told which seam the container has not."""
    with pytest.raises(WiringError, match="the container has no provider for this"):
        Plan.compile(VerbatimContainer())


# --- shown


def test_it_is_described() -> None:
    """Class, instance, plan and pipeline are described; what was replaced is told."""
    container = VerbatimContainer()
    assert describe(VerbatimContainer) == describe(container) == PLAN.describe()
    swap(container.tool_output, STAND_INS["tool_output"])
    assert ["tool_output"] == [info.name for info in describe(container) if info.overridden]
    assert ("serialize_message",) == {info.name: info for info in describe(container)}["tool_output"].needed_by
    pipeline = verbatim_pipeline(tool_output=STAND_INS["tool_output"])
    assert ["tool_output"] == [info.name for info in describe(pipeline) if info.overridden]
    assert not [info for info in describe(verbatim_pipeline) if info.overridden]


@pytest.mark.parametrize(
    ("target", "last"),
    [
        ("VerbatimContainer", "13 seams, 0 overridden, 0 added"),
        ("verbatim_pipeline", "13 seams, 0 overridden, 0 added"),
        ("HardenedContainer", "36 seams, 10 overridden, 0 added"),
    ],
)
def test_the_command_shows_the_other_wirings(capsys: pytest.CaptureFixture[str], target: str, last: str) -> None:
    """``seamwright seams`` takes the containers and pipelines that come with the library."""
    assert 0 == main(["seams", "--container", f"seamwright_containers:{target}"])
    assert last == capsys.readouterr().out.splitlines()[-1]


@pytest.mark.parametrize("command", [["seams"], ["render", "-"]])
def test_the_command_asks_for_the_secret(capsys: pytest.CaptureFixture[str], command: list[str]) -> None:
    """A hardened pipeline without a secret is a wrong call, and says so in one line."""
    assert 2 == main([*command, "--container", "seamwright_containers:hardened_pipeline"])
    out, err = capsys.readouterr()
    assert "" == out
    assert "hardened seams need a secret of the host" in err
    assert 1 == err.count("\n")


@pytest.mark.parametrize("target", ["VerbatimContainer", "verbatim_pipeline"])
def test_the_command_renders_states_only(capsys: pytest.CaptureFixture[str], target: str) -> None:
    """A wiring of histories renders no state, which is told before the state is read."""
    assert 2 == main(["render", "-", "--container", f"seamwright_containers:{target}"])
    assert f"--container seamwright_containers:{target}: " in capsys.readouterr().err
