"""What checking costs: counted; its time is measured by the benchmark."""

from __future__ import annotations

import binascii
from functools import partial
from typing import Any

import pytest
from check_bodies import agent, answer, call, image, reasoning, stateless, user

from counting import lines_run
from seamwright.check import check_request


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


def test_cost_grows_with_the_length() -> None:
    """What thirty more turns add is the same, whether there are thirty or sixty before them."""
    check_request(stateless(*turns(1)))  # what is made once for a profile
    small, middle, large = (lines_run(partial(check_request, stateless(*turns(count)))) for count in (30, 60, 90))
    assert large - middle <= 1.03 * (middle - small) + 50


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
    assert len(decoded) == 2
    assert max(decoded) <= 64
