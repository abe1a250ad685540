"""Builds with a token budget."""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamwright import (
    AgentState,
    AssembledInput,
    ContextOverflowError,
    InvalidStateError,
    Memory,
    Message,
    O200kCounter,
    ProviderItem,
    RenderOptions,
    Retrievable,
    SeamError,
    Thought,
    TimelineGroup,
    TokenBudget,
    ToolCall,
    TrimRoom,
    check_request,
    count_request,
    dump_state,
    explain_reasoning,
    finding,
    load_state,
    trim_oldest,
)
from seamwright.cli import main
from seamwright.testing.items import function_call, message, reasoning, response
from seamwright.testing.strategies import Turn, conversations, options, states
from seamwright_containers import responses_pipeline

START = datetime(2026, 1, 1, tzinfo=UTC)


class Letters:
    """Counts a token for every four letters."""

    encoding = "letters"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, text: str, /) -> int:
        self.asked.append(text)
        return -(-len(text) // 4)


PLAIN = responses_pipeline(token_counter=Letters())
NOW = [START]
TRIMMING = responses_pipeline(token_counter=Letters(), trimmer=trim_oldest, clock=lambda: NOW[0])


def says(number: int, role: str = "user", length: int = 200) -> Message:
    """A message, at the minute of its number."""
    at = START + timedelta(minutes=number)
    return Message(id=f"m{number}", role=role, content="x" * length, created_at=at)  # type: ignore[arg-type]


def talk(length: int) -> list[Message]:
    """User and assistant by turns."""
    return [says(number, "assistant" if number % 2 else "user") for number in range(length)]


def budgeted(tokens: int, low_water: float = 0.7, **more: Any) -> RenderOptions:
    """Options with a budget."""
    return RenderOptions(model="gpt-5.4", budget=TokenBudget(tokens, low_water), **more)


def codes(assembled: AssembledInput) -> list[str]:
    """The codes of the warnings."""
    return [warning.code for warning in assembled.warnings]


# --- counting


def test_without_a_budget_nothing_is_counted() -> None:
    """No text is given to the counter, and no count is on the result."""
    counter = Letters()
    assembled = responses_pipeline(token_counter=counter, trimmer=trim_oldest).build_sync(
        AgentState(messages=talk(4)), RenderOptions(model="gpt-5.4")
    )
    assert assembled.tokens is None
    assert [] == counter.asked


def test_a_budget_needs_a_counter() -> None:
    """The error says which seam is missing."""
    with pytest.raises(InvalidStateError, match="token_counter") as caught:
        responses_pipeline().build_sync(AgentState(), budgeted(100))
    assert ["options.budget"] == caught.value.fields


def test_each_bucket_has_its_tokens() -> None:
    """Leading and trailing ones alike; together they are the request."""
    state = AgentState(
        system_prompt="p" * 40,
        standing_instructions=["s" * 400],
        memories=[Memory(id="k", content="k" * 800)],
        retrievables=[Retrievable(id="d", content="d" * 1600, trust_tier="first-party")],
        messages=talk(3),
    )
    for order in (
        ("standing_instructions", "memories", "retrievables", "timeline"),
        ("timeline", "retrievables", "standing_instructions", "memories"),
        ("standing_instructions", "timeline", "memories", "retrievables"),
        ("memories", "retrievables"),
    ):
        assembled = PLAIN.build_sync(state, budgeted(10_000, bucket_order=order))
        count = assembled.tokens
        assert count is not None
        spent = dict(count.per_bucket)
        assert count.total == sum(spent.values()) == count_request(assembled, Letters()).total
        assert 10 <= spent.pop("system_prompt") <= 25
        timeline = spent.pop("timeline", 0)
        assert ("timeline" in order) == (timeline > 150)
        sizes = {"standing_instructions": 100, "memories": 200, "retrievables": 400}
        assert {name for name in order if name != "timeline"} == spent.keys()
        for name, tokens in spent.items():
            assert sizes[name] <= tokens <= sizes[name] + 200, name


@given(states(), options(unsupported_media_policy=st.just("synthetic-description")))
def test_counts_are_those_of_the_wire(state: AgentState, given_options: RenderOptions) -> None:
    """Whatever the state: the total is that of the request that is sent, bucket by bucket; the request is the same."""
    assembled = PLAIN.build_sync(state, attrs.evolve(given_options, budget=10**9))
    count = assembled.tokens
    assert count is not None
    assert count.total == count_request(assembled.to_request(), Letters()).total
    assert count.total == sum(count.per_bucket.values())
    assert all(tokens > 0 for tokens in count.per_bucket.values())
    assert PLAIN.build_sync(state, given_options).to_request() == assembled.to_request()


# --- over the budget


def test_over_the_budget_without_a_trimmer_is_an_error_with_figures() -> None:
    """One token more than the budget is too much, and the budget itself is not."""
    state = AgentState(system_prompt="p" * 40, messages=talk(4))
    total = count_request(PLAIN.build_sync(state, RenderOptions(model="gpt-5.4")), Letters()).total
    fits = PLAIN.build_sync(state, budgeted(total))
    assert fits.tokens is not None
    assert (total, total) == (fits.tokens.total, fits.tokens.budget)
    with pytest.raises(ContextOverflowError) as caught:
        PLAIN.build_sync(state, budgeted(total - 1))
    assert (total, total - 1) == (caught.value.total, caught.value.budget)
    assert caught.value.per_bucket == fits.tokens.per_bucket


def test_what_fits_is_not_trimmed() -> None:
    """A trimmer is not asked for it."""
    asked: list[TrimRoom] = []

    def trimmer(groups: Sequence[TimelineGroup], room: TrimRoom, /) -> list[int]:
        asked.append(room)
        return []

    state = AgentState(messages=talk(4))
    pipeline = responses_pipeline(token_counter=Letters(), trimmer=trimmer)
    total = count_request(pipeline.build_sync(state, RenderOptions(model="gpt-5.4")), Letters()).total
    pipeline.build_sync(state, budgeted(total))
    assert [] == asked
    with pytest.raises(ContextOverflowError):
        pipeline.build_sync(state, budgeted(total - 1))
    assert 1 == len(asked)
    assert total - 20 < asked[0].budget < total
    assert asked[0].low_water < asked[0].budget * 0.72


def test_the_oldest_go_and_each_is_reported() -> None:
    """Down to the mark; one warning each, with the id of what went, and nothing else changes."""
    messages = talk(20)
    assembled = TRIMMING.build_sync(AgentState(messages=messages), budgeted(1000))
    whole = TRIMMING.build_sync(AgentState(messages=messages), RenderOptions(model="gpt-5.4"))
    count = assembled.tokens
    assert count is not None
    assert count.total <= 1000
    gone = len(messages) - len(assembled.input)
    assert assembled.input == whole.input[gone:]
    assert [f"m{n}" for n in range(gone)] == [warning.subject_id for warning in assembled.warnings]
    assert {"group-trimmed"} == set(codes(assembled))


def test_the_last_message_of_the_user_stays() -> None:
    """Also when everything that stands behind it is what is too much."""
    calls = [
        ToolCall(id=f"c{n}", tool="f", args={}, created_at=START + timedelta(hours=1, minutes=n), results="r" * 400)
        for n in range(20)
    ]
    state = AgentState(messages=talk(3), tool_calls=calls)
    assembled = TRIMMING.build_sync(state, budgeted(1000), check="error")
    assert "m2" not in {warning.subject_id for warning in assembled.warnings}
    assert "user" == assembled.input[0]["role"]
    kinds = [item["type"] for item in assembled.input[1:]]
    assert kinds == ["function_call", "function_call_output"] * (len(kinds) // 2)
    assert "c19" == assembled.input[-1]["call_id"]


def test_when_nothing_more_may_go_it_is_an_error() -> None:
    """The figures are those of what is left."""
    state = AgentState(messages=[*talk(6), says(6, length=8000)])
    with pytest.raises(ContextOverflowError) as caught:
        TRIMMING.build_sync(state, budgeted(1000))
    assert 2000 < caught.value.total < 2200


def test_instructions_in_the_timeline_and_a_compacted_history_stay() -> None:
    """They speak for more than themselves."""
    items = [
        ProviderItem(item={"type": "message", "role": "developer", "content": "d"}, created_at=START),
        ProviderItem(item={"type": "compaction", "id": "cmp_1", "encrypted_content": "e"}, created_at=START),
    ]
    state = AgentState(messages=talk(20), provider_items=items)
    assembled = TRIMMING.build_sync(state, budgeted(1000))
    assert {"developer", "cmp_1"} <= {item.get("role") for item in assembled.input} | {
        item.get("id") for item in assembled.input
    }
    assert len(assembled.input) < 20


@pytest.mark.parametrize(("removed", "problem"), [([19], "user"), ([40], "no group 40"), ([-1], "no group -1")])
def test_a_trimmer_that_takes_what_has_to_stay_is_an_error(removed: list[int], problem: str) -> None:
    """It names the seam."""
    messages = [*talk(19), says(19)]
    pipeline = responses_pipeline(token_counter=Letters(), trimmer=lambda groups, room: removed)
    with pytest.raises(SeamError, match=problem) as caught:
        pipeline.build_sync(AgentState(messages=messages), budgeted(500))
    assert "trimmer" == caught.value.seam


def test_a_trimmer_that_raises_is_named() -> None:
    """As every seam."""

    def trimmer(groups: Sequence[TimelineGroup], room: TrimRoom, /) -> list[int]:
        raise LookupError("none")

    pipeline = responses_pipeline(token_counter=Letters(), trimmer=trimmer)
    with pytest.raises(SeamError) as caught:
        pipeline.build_sync(AgentState(messages=talk(20)), budgeted(500))
    assert "trimmer" == caught.value.seam


# --- reasoning, turn after turn


def turn(state: AgentState, number: int, given_options: RenderOptions) -> tuple[AgentState, AssembledInput]:
    """One more turn: the user asks, the model thinks, calls, is answered, thinks and says."""
    at = START + timedelta(hours=number)
    state = attrs.evolve(
        state,
        messages=[*state.messages, Message(id=f"u{number}", role="user", content="q" * 100, created_at=at)],
    )
    first = TRIMMING.build_sync(state, given_options)
    call = function_call("f", call_id=f"call_{number}")
    state = state.extend(TRIMMING.ingest(response(reasoning(), call), first, state))
    state = state.complete(f"call_{number}", "r" * 100)
    second = TRIMMING.build_sync(state, given_options, check="error")
    return state.extend(TRIMMING.ingest(response(reasoning(), message("a" * 100)), second, state)), second


def sealed(items: Sequence[Mapping[str, Any]]) -> set[Any]:
    """The encrypted parts among items."""
    return {item["encrypted_content"] for item in items if item["type"] == "reasoning"}


def test_reasoning_recorded_after_a_cut_is_replayed() -> None:
    """Between two cuts the prefix grows and nothing goes stale; a cut costs what it costs once, and all is reported."""
    given_options = budgeted(2400)
    state = AgentState(system_prompt="p" * 40)
    before: AssembledInput | None = None
    cuts = 0
    for number in range(40):
        state, assembled = turn(state, number, given_options)
        trimmed = [warning.subject_id for warning in assembled.warnings if warning.code == "group-trimmed"]
        known = {warning.subject_id for warning in assembled.warnings}
        for thought in state.thoughts[:-1]:
            payload: Any = thought.payload
            assert payload.item["encrypted_content"] in sealed(assembled.input) or _reported(thought, state, known)
        if before is not None:
            last = [warning.subject_id for warning in before.warnings if warning.code == "group-trimmed"]
            assert trimmed[: len(last)] == last, "what was cut stays cut"
            if trimmed == last:
                assert assembled.input[: len(before.input)] == before.input
                assert sealed(before.input) <= sealed(assembled.input)
            else:
                cuts += 1
        before = assembled
    assert 3 <= cuts <= 10


def test_reasoning_that_can_not_go_back_takes_no_room() -> None:
    """Recorded under another system prompt, it is left out anyway, so that nothing has to be cut for it."""
    state = AgentState(system_prompt="p" * 40, messages=[says(0)])
    answer = response(reasoning(encrypted="g" * 20_000), message("a" * 100))
    state = state.extend(TRIMMING.ingest(answer, TRIMMING.build_sync(state, budgeted(100_000)), state))
    state = attrs.evolve(state, system_prompt="q" * 40, messages=[*state.messages, says(10)])
    needed = TRIMMING.build_sync(state, budgeted(100_000)).tokens
    assert needed is not None
    assembled = TRIMMING.build_sync(state, budgeted(needed.total))

    assert not sealed(assembled.input)
    assert "group-trimmed" not in codes(assembled)


def test_the_fate_of_trimmed_reasoning_is_told() -> None:
    """Each item that was cut away has a warning of its own, and is explained by it."""
    given_options = budgeted(2400)
    state = AgentState(system_prompt="p" * 40)
    for number in range(16):
        state, _ = turn(state, number, given_options)
    assembled = TRIMMING.build_sync(state, given_options)
    trimmed = [warning.subject_id for warning in assembled.warnings if warning.code == "reasoning-trimmed"]
    fates = explain_reasoning(state, assembled)
    assert trimmed == [fate.thought_id for fate in fates if fate.cause == "reasoning-trimmed"]
    assert trimmed == [thought.id for thought in state.thoughts[: len(trimmed)]]
    causes = {fate.cause for fate in fates[len(trimmed) :]}
    assert causes <= {"prefix-unchanged", "reasoning-prefix-changed"}
    assert trimmed


def _reported(thought: Thought, state: AgentState, known: set[str | None]) -> bool:
    """Whether a warning is about the thought, or about the group that it went with."""
    assert thought.origin is not None
    group = thought.origin.response_id
    things = (*state.messages, *state.thoughts, *state.tool_calls, *state.provider_items)
    mates = {one.id for one in things if one.origin is not None and one.origin.response_id == group}
    return thought.id in known or bool(mates & known)


def test_documents_that_change_every_turn_do_not_move_the_cut() -> None:
    """What stands behind the timeline is larger and smaller from turn to turn."""
    given_options = budgeted(5000, bucket_order=("standing_instructions", "timeline", "retrievables"))
    messages = talk(200)
    firsts: list[str] = []
    for length in range(60, 200):
        document = Retrievable(id="d", content="d" * (100 + 97 * length % 400), trust_tier="first-party")
        state = AgentState(messages=messages[:length], retrievables=[document])
        assembled = TRIMMING.build_sync(state, given_options)
        firsts.append(f"m{length - assembled.fingerprintable_length}")
    moves = sum(one != other for one, other in itertools.pairwise(firsts))
    assert len(set(firsts)) - 1 == moves, "no cut is taken back"
    assert 5 <= moves <= 10


def play(turns: Sequence[Turn], given_options: RenderOptions) -> list[tuple[AgentState, AssembledInput]]:
    """A conversation, its responses taken in one after the other; each state with its build."""
    state = AgentState()
    built: list[tuple[AgentState, AssembledInput]] = []
    for one in turns:
        state = attrs.evolve(state, messages=[*state.messages, *one.said])
        assembled = TRIMMING.build_sync(state, given_options)
        built.append((state, assembled))
        NOW[0] = one.answered_at
        state = state.extend(TRIMMING.ingest(one.response, assembled, state))
        for call_id, result in one.results.items():
            if any(call.id.partition("|")[0] == call_id for call in state.tool_calls):
                state = state.complete(call_id, result)
    built.append((state, TRIMMING.build_sync(state, given_options)))
    return built


@given(
    conversations(max_turns=6), st.integers(60, 400), st.floats(0.2, 1.0), st.sampled_from(("openai", "azure", "codex"))
)
def test_after_any_trim_the_request_is_sound(turns: Sequence[Turn], tokens: int, low: float, endpoint: str) -> None:
    """It passes the checker and is within its budget; reasoning that is not sent is reported. Else: an overflow."""
    try:
        built = play(turns, budgeted(tokens, low, endpoint=endpoint))
    except ContextOverflowError as error:
        overflow = error
        built = []
    else:
        overflow = None
    assert overflow is None or overflow.total > overflow.budget == tokens
    for state, assembled in built:
        errors = [one for one in check_request(assembled, endpoint) if one.severity == "error"]
        assert [] == errors
        assert assembled.tokens is not None
        assert assembled.tokens.total <= tokens
        known = {warning.subject_id for warning in assembled.warnings}
        sent = sealed(assembled.input)
        for thought in state.thoughts:
            payload: Any = thought.payload
            assert payload.item.get("encrypted_content") in sent or _reported(thought, state, known)


@given(states(), options(unsupported_media_policy=st.just("synthetic-description")), st.integers(20, 500))
def test_a_trim_breaks_no_rule(state: AgentState, given_options: RenderOptions, tokens: int) -> None:
    """Of any state: whatever the checker finds in the trimmed request, it finds in the whole one too."""
    whole = TRIMMING.build_sync(state, given_options)
    try:
        assembled = TRIMMING.build_sync(state, attrs.evolve(given_options, budget=tokens))
    except ContextOverflowError:
        return
    found = [{one.rule for one in check_request(each) if one.severity == "error"} for each in (assembled, whole)]
    assert found[0] <= found[1]


# --- sessions


@given(conversations(max_turns=6), st.integers(60, 400))
def test_a_session_builds_the_same(turns: Sequence[Turn], tokens: int) -> None:
    """Turn after turn, cut or not, and after a change of budget or prompt; an overflow is the same overflow."""
    session = TRIMMING.session()
    try:
        built = play(turns, budgeted(tokens))
    except ContextOverflowError:
        built = play(turns, budgeted(100_000))
    for state, _ in built:
        other = attrs.evolve(state, system_prompt="other")
        for one in (state, other, other, state):
            for given_options in (budgeted(tokens), budgeted(tokens // 2)):
                assert _outcome(session.build_sync, one, given_options) == _outcome(
                    TRIMMING.build_sync, one, given_options
                )


def _outcome(build: Any, state: AgentState, given_options: RenderOptions) -> Any:
    try:
        return build(state, given_options)
    except ContextOverflowError as error:
        return str(error)


def test_a_session_counts_only_what_is_new() -> None:
    """Texts of the turn before are known."""
    counter = Letters()
    session = responses_pipeline(token_counter=counter, trimmer=trim_oldest).session()
    messages = talk(40)
    session.build_sync(AgentState(messages=messages[:38]), budgeted(1000))
    counter.asked.clear()
    grown = attrs.evolve(messages[38], content="y" * 300)
    session.build_sync(AgentState(messages=[*messages[:38], grown]), budgeted(1000))
    assert 1 == len(counter.asked)


# --- where a budget is said


def test_a_budget_in_a_state_file() -> None:
    """A number, or both figures; what is the default is not written."""
    _, given_options = load_state({"model": "m", "options": {"budget": 1000}})
    assert TokenBudget(1000) == given_options.budget
    _, both = load_state({"model": "m", "options": {"budget": {"tokens": 1000, "low_water": 0.5}}})
    assert TokenBudget(1000, 0.5) == both.budget
    assert {"tokens": 1000} == dump_state(AgentState(), given_options)["options"]["budget"]
    assert {"tokens": 1000, "low_water": 0.5} == dump_state(AgentState(), both)["options"]["budget"]


@pytest.mark.parametrize(
    ("given_budget", "path"),
    [
        (0, "options.budget"),
        ("1000", "options.budget"),
        ({}, "options.budget.tokens"),
        ({"tokens": 0}, "options.budget.tokens"),
        ({"tokens": 9, "low_water": 0}, "options.budget.low_water"),
        ({"tokens": 9, "low_water": True}, "options.budget.low_water"),
        ({"tokens": 9, "low_waters": 0.5}, "options.budget.low_waters"),
    ],
)
def test_a_wrong_budget_is_told_at_its_place(given_budget: Any, path: str) -> None:
    """With its path in the file."""
    with pytest.raises(InvalidStateError) as caught:
        load_state({"model": "m", "options": {"budget": given_budget}})
    assert [path] == caught.value.fields


def test_the_command_line_takes_a_budget(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What fits is rendered; what does not is an error with the figures, and no traceback."""
    file = tmp_path / "state.json"
    file.write_text(json.dumps({"model": "gpt-5.4", "system_prompt": "one two three four"}), encoding="utf-8")
    assert 0 == main(["render", str(file), "--set", "budget=1000"])
    assert "one two three four" in capsys.readouterr().out
    assert 1 == main(["render", str(file), "--set", "budget=5"])
    assert "10 tokens are over the budget of 5 (system_prompt 8, timeline 2)" in capsys.readouterr().err
    assert 2 == main(["render", str(file), "--set", "budget=none"])
    assert "budget: 'none' is not a token budget" in capsys.readouterr().err


def test_the_command_line_without_the_extra(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error says what to install."""
    monkeypatch.setattr(finding, "_o200k", O200kCounter)  # without one made before
    monkeypatch.setitem(sys.modules, "bpe_openai", None)
    file = tmp_path / "state.json"
    file.write_text(json.dumps({"model": "gpt-5.4", "options": {"budget": 9}}), encoding="utf-8")
    assert 1 == main(["render", str(file)])
    assert 'pip install "seamwright[tokens]"' in capsys.readouterr().err
