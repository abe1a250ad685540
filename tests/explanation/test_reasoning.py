"""``explain_reasoning``: of every reasoning item of a state, whether it was replayed and why."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import attrs
import pytest

from seamwright import (
    AgentState,
    Message,
    ReasoningPayload,
    RenderOptions,
    Thought,
    explain,
    explain_reasoning,
    load_state,
)
from seamwright.explanation import ReasoningFate
from seamwright_containers import responses_pipeline

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
OPTIONS = RenderOptions(model="gpt-5.4")
PIPELINE = responses_pipeline()


def response(number: int) -> dict[str, Any]:
    """A response with reasoning and an answer."""
    return {
        "id": f"resp_{number}",
        "object": "response",
        "created_at": int((START + timedelta(minutes=number)).timestamp()),
        "status": "completed",
        "model": "gpt-5.4",
        "output": [
            {"type": "reasoning", "id": f"rs_{number}", "summary": [], "encrypted_content": f"gAAAA{number}"},
            {
                "type": "message",
                "id": f"msg_{number}",
                "role": "assistant",
                "status": "completed",
                "content": [{"type": "output_text", "text": "It is in the depot.", "annotations": []}],
            },
        ],
    }


def later(state: AgentState) -> datetime:
    """A second after everything in a state."""
    return max((message.created_at for message in state.messages), default=START) + timedelta(seconds=1)


def talked(turns: int = 2) -> AgentState:
    """A conversation of some turns, each with its reasoning."""
    state = AgentState(system_prompt="Help.")
    for number in range(turns):
        asked = Message(id=f"u{number}", role="user", content="Where?", created_at=later(state))
        state = attrs.evolve(state, messages=[*state.messages, asked])
        state = state.extend(PIPELINE.ingest(response(number), PIPELINE.build_sync(state, OPTIONS), state))
    return state


def fates(state: AgentState, options: RenderOptions = OPTIONS) -> tuple[ReasoningFate, ...]:
    """What became of the reasoning in a build."""
    return explain_reasoning(state, PIPELINE.build_sync(state, options))


def test_an_unchanged_conversation_replays_everything() -> None:
    """Each item is there, under its thought's id."""
    state = talked()

    assert [("replayed", "prefix-unchanged")] * 2 == [(one.fate, one.cause) for one in fates(state)]
    assert [thought.id for thought in state.thoughts] == [one.thought_id for one in fates(state)]


def test_a_changed_prompt_names_itself() -> None:
    """What is left out has the warning's code and its words."""
    state = attrs.evolve(talked(), system_prompt="Help more.")

    assert [("left out", "reasoning-prefix-changed")] * 2 == [(one.fate, one.cause) for one in fates(state)]
    assert ["instructions changed since", "instructions and input changed since"] == [
        one.text.partition("left out: ")[2].partition(" it was")[0] for one in fates(state)
    ]


def test_the_fate_follows_the_item() -> None:
    """Of two responses only the one behind the edited message falls, when the edit stands between them."""
    state = talked()
    edited = attrs.evolve(state.messages[2], content="Where is it now?")
    state = attrs.evolve(state, messages=[*state.messages[:2], edited, *state.messages[3:]])

    assert ["replayed", "left out"] == [one.fate for one in fates(state)]


@pytest.mark.parametrize(
    ("changes", "cause"),
    [
        ({"reasoning_replay": "off"}, "off"),
        ({"reasoning_replay": "summary-only"}, "summary-only"),
        ({"replay_compatibility": ["other"]}, "tag"),
        ({"self_identity": "somebody"}, "peer"),
        ({"bucket_order": ["memories"]}, "no-timeline"),
    ],
)
def test_what_the_options_did_not_ask_for_says_which(changes: dict[str, Any], cause: str) -> None:
    """Reasoning that was never a candidate is told apart from what was left out."""
    told = fates(talked(), attrs.evolve(OPTIONS, **changes))

    assert [("not asked for", cause)] * 2 == [(one.fate, one.cause) for one in told]
    assert all(one.text for one in told)


def test_an_older_thought_is_hidden_by_surfacing() -> None:
    """``latest-self`` shows the last thought alone; the other one is hidden."""
    told = fates(talked(), attrs.evolve(OPTIONS, thought_surfacing="latest-self"))

    assert ("not asked for", "hidden") == (told[0].fate, told[0].cause)


def test_without_encrypted_part_nothing_can_go_back() -> None:
    """A reasoning item without its encrypted part is named as such."""
    payload = ReasoningPayload(item={"type": "reasoning", "id": "rs_1", "summary": []}, prefix_fingerprint="")
    tag = "openai-responses-reasoning-v1"
    thought = Thought(id="t", payload=payload, created_at=START, replay_compatibility=tag)

    assert ["no-encrypted-content"] == [one.cause for one in fates(AgentState(thoughts=[thought]))]


def test_withheld_reasoning_says_so() -> None:
    """What the API refused before is left out with that cause."""
    assert {"reasoning-withheld"} == {one.cause for one in fates(talked().withhold("refused"))}


def test_a_thought_of_words_alone_is_no_reasoning() -> None:
    """Thoughts without a payload have no fate."""
    assert () == fates(AgentState(thoughts=[Thought(id="t", content="Hm.", created_at=START)]))


def test_every_reasoning_item_of_the_example_has_a_fate(root: Any) -> None:
    """In the example each reasoning item is accounted for, and what is replayed is in the request."""
    state, options = load_state(root / "examples" / "support_agent.json")
    assembled = PIPELINE.build_sync(state, options)
    told = explain_reasoning(state, assembled)
    sent = sum(item["type"] == "reasoning" for item in assembled.input)

    assert sent == sum(one.fate == "replayed" for one in told) > 0
    assert any(one.fate == "left out" for one in told)


def test_two_builds_of_one_conversation_are_appended_only() -> None:
    """``explain`` takes builds: a turn later, with another trailing item, the prefix is the same."""
    options = attrs.evolve(OPTIONS, bucket_order=["timeline", "standing_instructions"])
    state = attrs.evolve(talked(), standing_instructions=["It is 09:41."])
    before = PIPELINE.build_sync(state, options)
    thanks = Message(id="u9", role="user", content="Thanks.", created_at=later(state))
    state = attrs.evolve(state, messages=[*state.messages, thanks], standing_instructions=["It is 09:42."])

    found = explain(before, PIPELINE.build_sync(state, options))

    assert ("appended only", 1, before.fingerprintable_length) == (found.kind, found.count, found.shared_items)
