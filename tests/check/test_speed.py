"""What checking costs, beside writing the same body as JSON."""

from __future__ import annotations

import binascii
import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from check_bodies import agent, answer, call, image, reasoning, stateless, user

from seamwright.check import check_request


def best(run: Callable[[], object]) -> float:
    """The shortest of several runs, in seconds."""
    times: list[float] = []
    for _ in range(12):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


def turns(count: int) -> list[Any]:
    """Turns with reasoning, a call, its output and an answer."""
    sealed = "gAAAA" + "e" * 1_495
    return [
        item
        for number in range(count)
        for item in (
            user("q" * 300),
            reasoning(number, encrypted_content=sealed),
            call(number, id=f"fc_{number}"),
            answer(number, "r" * 2_000),
            agent("a" * 600),
        )
    ]


def share(body: Any) -> float:
    """What checking costs, as a multiple of writing the body."""
    return best(lambda: check_request(body)) / best(lambda: json.dumps(body))


def test_a_long_history_costs_at_most_twice_its_json() -> None:
    """Checking 200 turns takes at most twice as long as ``json.dumps`` of them, in the same run."""
    body = stateless(*turns(200))
    assert check_request(body) == []
    # The best of several tries: other processes may take the processor away in between.
    assert any(share(body) <= 2 for _ in range(5))


def test_cost_grows_with_the_length() -> None:
    """With eight times the turns the share stays about the same; a cost that grows with the square would multiply it."""
    short, long = stateless(*turns(30)), stateless(*turns(240))
    assert any(share(long) < 3 * share(short) for _ in range(5))


def test_of_a_payload_only_the_first_bytes_are_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Images are told by a few leading characters; the payload as a whole is never decoded."""
    decoded: list[int] = []
    decode = binascii.a2b_base64

    def watched(text: str) -> bytes:
        decoded.append(len(text))
        return decode(text)

    monkeypatch.setattr(binascii, "a2b_base64", watched)
    big = image("iVBORw0KGgo" + "A" * 1_000_001)
    assert check_request(stateless(user(big, big))) == []
    assert len(decoded) == 2 and max(decoded) <= 64
