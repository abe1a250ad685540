"""The demo: readable in a terminal, and true."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import demo
from seamwright import AgentState, Message, RenderOptions, RenderWarning, load_state
from seamwright_containers import responses_pipeline

KEYS = st.text("abcdefgh_", min_size=1, max_size=12)
SCALARS = st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.text(max_size=300)
VALUES: st.SearchStrategy[Any] = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4), max_leaves=12
)


@given(VALUES)
def test_no_line_is_longer_than_the_terminal(value: Any) -> None:
    """Whatever the value, every line of it fits in 100 columns."""
    assert all(len(line) <= demo.WIDTH for line in demo.pretty(value).split("\n"))


@given(
    st.recursive(
        st.integers(0, 99) | st.text("abc <>", max_size=20),
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
        max_leaves=20,
    )
)
def test_what_is_short_is_whole(value: Any) -> None:
    """Where no text is long, the shown JSON is the value itself."""
    assert value == json.loads(demo.pretty(value))


@given(st.text(min_size=200), st.integers(40, 80))
def test_a_cut_text_says_how_much_is_left(text: str, room: int) -> None:
    """A cut text begins as the text does, and what it says was cut is what is missing."""
    shown = json.loads(demo.shortened(text, room))
    beginning, _, rest = shown.rpartition("… (+")

    assert text.startswith(beginning)
    assert len(text) == len(beginning) + int(rest.rstrip(")").replace(",", ""))


def test_base64_is_cut_where_it_would_fit() -> None:
    """Nobody reads an encrypted part, so it takes no whole line."""
    assert 50 > len(demo.shortened("gAAAAAB" + "x" * 200, 300))


def test_a_checksum_shows_its_beginning() -> None:
    """Of 64 hex digits eight stay."""
    assert '"<a_01234567…>"' == demo.as_json(f"<a_{'01234567' * 8}>")


def test_short_entries_share_a_line() -> None:
    """A mapping that does not fit on one line has as many entries on each as fit."""
    shown = demo.pretty({"type": "message", "role": "user", "content": "x y " * 40})

    assert '{\n  "type": "message", "role": "user",\n  "content": "x y' == shown[:56]


def test_things_are_counted_in_order_of_appearance() -> None:
    """The count stands before the name, and a line may not break between them."""
    assert "2 × message, 1 × reasoning" == demo.counted(["message", "reasoning", "message"]).replace("\xa0", " ")


def test_warnings_of_one_cause_stand_together() -> None:
    """Same code and same text make one group, with the subjects in order; another text makes another."""
    warnings = [
        RenderWarning("stale", "because", "a"),
        RenderWarning("pending", "waits"),
        RenderWarning("stale", "because", "b"),
        RenderWarning("stale", "otherwise", "c"),
    ]

    assert {
        ("stale", "because"): ["a", "b"],
        ("pending", "waits"): ["the request"],
        ("stale", "otherwise"): ["c"],
    } == demo.grouped(warnings)


def test_the_report_fits_and_is_true(root: Path) -> None:
    """The report of the support case names what replays, what does not and why, what is a handle, what is pending."""
    report = demo.report(*load_state(root / "examples" / "support_agent.json"))
    shown, sent, out, otherwise = report.split("\n\n")

    assert all(len(line) <= demo.WIDTH for line in report.split("\n"))
    assert '"store": false' in shown
    assert "25 items            4 × message (user), 5 × function_call" in sent
    assert "reasoning replayed  rs_03, rs_04a, rs_04b, rs_05" in sent
    assert "as a handle         call_readings|fc_03, catalogue-2026-02" in sent
    assert "hidden tools        refund_order" in sent
    assert "reasoning-prefix-changed: rs_01\n    reasoning left out: instructions" in out
    assert "rs_03" not in out
    assert "pending-tool-call: call_courier|fc_05b" in otherwise


def test_the_counts_are_those_of_the_request(root: Path) -> None:
    """What the report counts adds up to the items of the request."""
    state, options = load_state(root / "examples" / "support_agent.json")
    assembled = responses_pipeline().build_sync(state, options)
    pairs = dict(demo.sent(assembled, state))
    (items,) = (text for label, text in pairs.items() if label.endswith("items"))

    assert len(assembled.input) == sum(int(part.split("\xa0")[0]) for part in items.split(", "))


def test_a_state_that_loses_nothing_says_so(question: Message) -> None:
    """Without warnings both parts say that there is nothing to tell."""
    report = demo.report(AgentState(messages=[question]), RenderOptions(model="gpt-5.4"))

    assert 2 == report.count("\n  nothing")
    assert "tools               none" in report


def test_it_reads_another_state(question: Message, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An argument names the state file to render."""
    path = tmp_path / "state.json"
    message = {"id": question.id, "role": "user", "content": "Hello", "created_at": "2026-01-01T00:00:00Z"}
    path.write_text(json.dumps({"model": "other-model", "messages": [message]}), encoding="utf-8")

    demo.main([str(path)])

    assert '"model": "other-model"' in capsys.readouterr().out


def test_without_an_argument_it_shows_the_support_case(capsys: pytest.CaptureFixture[str]) -> None:
    """``make demo`` needs no argument."""
    demo.main([])

    assert "Kestrel Espresso" in capsys.readouterr().out


def test_it_runs_as_a_script_in_any_terminal(root: Path, tmp_path: Path) -> None:
    """From another folder, into a terminal that knows ASCII alone, it prints its report and nothing else."""
    done = subprocess.run(
        [sys.executable, root / "examples" / "demo.py"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )

    assert (0, b"") == (done.returncode, done.stderr)
    assert b"reasoning replayed  rs_03" in done.stdout
