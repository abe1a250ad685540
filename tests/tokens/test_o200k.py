"""The counter of the extra ``tokens``."""

from __future__ import annotations

import socket
import sys
from typing import Any

import pytest

from seamwright import O200kCounter

COUNTER = O200kCounter()


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("hello world", 2), ("The quick brown fox jumps over the lazy dog.", 10), ("Grüße aus München", 5)],
)
def test_tokens_of_known_texts(text: str, tokens: int) -> None:
    """As the encoding has them."""
    assert tokens == COUNTER(text)
    assert COUNTER.encoding == "o200k_base"


def test_a_control_token_is_plain_text() -> None:
    """What looks like one costs its letters: nothing a user writes is taken for one."""
    assert COUNTER("<|endoftext|>") > 1


def test_a_text_longer_than_the_encoder_takes() -> None:
    """It is counted in pieces, and costs what its lines cost."""
    line = "Where is parcel K-20417, and when will it be here?\n"
    count = 30_000
    assert len(line) * count > 1_000_000

    assert COUNTER(line * count) == pytest.approx(COUNTER(line) * count, rel=0.001)
    assert COUNTER("a" * 150_000) == pytest.approx(3 * COUNTER("a" * 50_000), rel=0.001), "without a place to part it"


def test_no_network_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Making one and counting opens no connection."""

    def refuse(*given: Any, **more: Any) -> Any:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    assert O200kCounter()("hello world") == 2


def test_without_the_extra_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """An ImportError that names the extra."""
    monkeypatch.setitem(sys.modules, "bpe_openai", None)
    with pytest.raises(ImportError, match=r'pip install "seamwright\[tokens\]"'):
        O200kCounter()
