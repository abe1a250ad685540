"""The loop with tools: it runs as it stands, in parallel, and every request replays all reasoning so far."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

pytest.importorskip("openai")

import tool_loop
from seamwright import ToolCall
from seamwright.testing.server import ResponsesServer


class Kept(ResponsesServer):
    """A server that can be looked at behind the conversation."""

    made: Kept

    def __init__(self, script: Any) -> None:
        super().__init__(script)
        Kept.made = self


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> ResponsesServer:
    """The server of a conversation that is over."""
    monkeypatch.setattr(tool_loop, "ResponsesServer", Kept)
    tool_loop.main()
    assert "" == capsys.readouterr().err
    return Kept.made


def of_type(body: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    """The items of one type in a request."""
    return [item for item in body["input"] if item["type"] == kind]


def test_it_runs_as_a_user_runs_it(root: Path, tmp_path: Path) -> None:
    """From another folder, in a terminal that knows ASCII alone, behind a proxy that leads nowhere: the whole talk."""
    nowhere = dict.fromkeys(("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"), "http://127.0.0.1:9")
    keyless = {name: value for name, value in os.environ.items() if not name.startswith("OPENAI_")}
    path = os.pathsep.join(str(Path(entry).resolve()) for entry in sys.path if entry)
    done = subprocess.run(
        [sys.executable, root / "examples" / "tool_loop.py"],
        cwd=tmp_path,
        env=keyless | nowhere | {"PYTHONIOENCODING": "ascii", "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (0, "") == (done.returncode, done.stderr)
    lines = done.stdout.splitlines()
    assert 'tool   forecast {"day":"Thursday"}: rain from noon' in lines
    assert "agent  Friday stays dry. Your pickup is booked for 9:00." in lines
    assert "agent  You are welcome." == lines[-2]
    assert [f"reasoning among them: {count})" for count in range(6)] == [
        line.partition("encrypted ")[2] for line in lines if "items sent" in line
    ]


def test_every_request_replays_all_reasoning_so_far(server: ResponsesServer) -> None:
    """The encrypted parts come back as they were given, in order, each turn those of all turns before."""
    given = [
        item["encrypted_content"] for one in tool_loop.SCRIPT for item in of_type({"input": one["output"]}, "reasoning")
    ]
    replayed = [[item["encrypted_content"] for item in of_type(body, "reasoning")] for body in server.requests]

    assert 0 == server.left
    assert [given[:count] for count in (0, 1, 2, 3, 4, 5)] == replayed
    for before, after in pairwise(server.requests):
        assert before["input"] == after["input"][: len(before["input"])]


def test_results_go_back_under_their_calls(server: ResponsesServer) -> None:
    """Each call has its own result; only what comes from a service of others stands in an untrusted envelope."""
    calls = {call["call_id"]: call["name"] for call in of_type(server.requests[-1], "function_call")}
    outputs = [(calls[one["call_id"]], one["output"]) for one in of_type(server.requests[-1], "function_call_output")]

    assert ["repair_status", "forecast", "forecast", "book_pickup"] == [name for name, _ in outputs]
    for (name, output), told in zip(outputs, ("brake cable", "rain from noon", "dry", "booked"), strict=True):
        assert told in output
        assert (name == "forecast") is ("untrusted" in output)


def test_tools_of_one_answer_run_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both calls of the first answer wait for each other, so one after the other they would never end."""
    both = Barrier(2, timeout=10)
    status, forecast = tool_loop.repair_status, tool_loop.forecast
    monkeypatch.setitem(tool_loop.HANDLERS, "repair_status", lambda ticket: (both.wait(), status(ticket))[1])
    monkeypatch.setitem(
        tool_loop.HANDLERS, "forecast", lambda day: (day == "Thursday" and both.wait(), forecast(day))[1]
    )
    tool_loop.main()

    assert not both.broken


@pytest.mark.parametrize(
    ("tool", "args", "told"),
    [
        ("no_such_tool", "{}", "KeyError: 'no_such_tool'"),
        ("forecast", "{}", "TypeError: "),
        ("forecast", '{"day": "Monday"}', "KeyError: 'Monday'"),
        ("forecast", '{"day":', "ValueError: tool call 'c1' of 'forecast'"),
        ("forecast", "[]", "ValueError: "),
    ],
)
def test_a_mistake_of_the_model_is_told_to_it(tool: str, args: str, told: str) -> None:
    """Whatever the model calls, and with whatever arguments, its call gets an answer that is marked as an error."""
    result, is_error = tool_loop.run(
        ToolCall(id="c1", tool=tool, args=args, created_at=datetime(2026, 1, 1, tzinfo=UTC))
    )

    assert is_error
    assert result.startswith(told)
