"""The contract of each seam: its default passes, and seams that break it are named with what is wrong."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seamwright import KeyedNonce, OriginFingerprint, Sha256Fingerprint, WiringError
from seamwright.record import SEAM_NAMES
from seamwright.seams import hardened, leading
from seamwright.seams.trimming import trim_oldest
from seamwright.testing import contracts
from seamwright.testing.contracts import (
    CONTRACTS,
    NOTHING,
    ContractError,
    check_fingerprint,
    check_media_blocks,
    check_memories,
    check_nonce,
    check_seam,
    check_seams,
    check_trimmer,
    check_untrusted_envelope,
)
from seamwright.testing.contracts.tags import harmless, tags
from seamwright.testing.strategies import states
from seamwright_containers import hardened_pipeline, responses_pipeline
from testing.broken_seams import BROKEN, SEAMS, without

CASES = [
    pytest.param(name, *case, id=f"{name}-{number}") for name in BROKEN for number, case in enumerate(BROKEN[name])
]


def test_every_seam_has_a_contract() -> None:
    """One for each field of the record, in its order, public under the name of the seam."""
    assert SEAM_NAMES == tuple(CONTRACTS)
    assert {f"check_{name}" for name in SEAM_NAMES} <= set(contracts.__all__)
    assert all(CONTRACTS[name] is getattr(contracts, f"check_{name}") for name in SEAM_NAMES)
    assert all(inspect.getdoc(contract) for contract in CONTRACTS.values())


def test_every_contract_is_tried_on_broken_seams() -> None:
    """At least two for each, so that no contract passes everything."""
    assert set(SEAM_NAMES) == set(BROKEN)
    assert all(len(cases) >= 2 for cases in BROKEN.values())


@pytest.mark.parametrize("name", SEAM_NAMES)
def test_a_default_passes_its_contract(name: str) -> None:
    """Whatever the pipeline relies on, its own seams do."""
    check_seam(name, getattr(SEAMS, name))


@pytest.mark.parametrize(("name", "seam", "expected"), CASES)
def test_a_broken_seam_is_caught(name: str, seam: Any, expected: str) -> None:
    """The failure names the seam, and says what was expected in words of its own."""
    with pytest.raises(ContractError) as failure:
        check_seam(name, seam)

    assert name == failure.value.seam
    assert expected in failure.value.expected
    assert str(failure.value).startswith(f"seam {name!r} breaks its contract: expected ")


def test_hardened_seams_pass() -> None:
    """Seams that trust less do what the defaults do."""
    check_seams(hardened_pipeline(secret="k").seams, max_examples=5)


def test_a_record_with_one_broken_seam_is_refused() -> None:
    """``check_seams`` looks at every seam of what is wired."""
    with pytest.raises(ContractError, match="seam 'thought' "):
        check_seams(responses_pipeline(thought=lambda thought, kind: thought.content).seams, max_examples=1)


def test_shipped_alternatives_pass() -> None:
    """Keyed nonces, the trimmer, SHA-256, and a fingerprint that covers the model alone, which has to be said."""
    check_nonce(KeyedNonce("secret"))
    check_trimmer(trim_oldest)
    check_fingerprint(Sha256Fingerprint())
    check_fingerprint(OriginFingerprint("eu"), covers=["model"])
    with pytest.raises(ContractError, match="different digests"):
        check_fingerprint(OriginFingerprint("eu"))


def test_a_failure_shows_the_smallest_input() -> None:
    """What was given is shrunk, and shown with what was found."""
    with pytest.raises(ContractError) as failure:
        check_memories(leading.make_memories(nonce=SEAMS.nonce, neutraliser=lambda text: text))

    ((memory,),) = failure.value.given  # type: ignore[misc]  # as many arguments as the seam has
    assert tags(memory.content)
    assert 40 > len(memory.content)
    assert "given: [Memory(" in str(failure.value)
    assert "found: '<memories>" in str(failure.value)


def test_the_same_failure_in_every_run() -> None:
    """Inputs are derandomised: a red build is red again."""
    texts: list[str] = []
    for _ in range(2):
        with pytest.raises(ContractError) as failure:
            check_untrusted_envelope(without("closing"))
        texts.append(str(failure.value))

    assert texts[0] == texts[1]


def test_the_cause_of_a_failure_is_kept() -> None:
    """An exception of the seam is the cause, with its traceback."""

    def raising(identifier: str, /) -> str:
        raise LookupError(identifier)

    with pytest.raises(ContractError, match="no exception for this input") as failure:
        check_nonce(raising)
    assert isinstance(failure.value.__cause__, LookupError)


def test_a_shape_that_does_not_fit_is_no_call() -> None:
    """What can't be called at all is told without an input."""
    with pytest.raises(ContractError, match="shape of its Protocol") as failure:
        check_seam("nonce", 3)
    assert failure.value.given is NOTHING


def test_an_asynchronous_seam_passes_where_it_may_wait() -> None:
    """It is awaited, in a loop of its own."""

    async def blocks(media: Any, context: Any, /) -> Any:
        await asyncio.sleep(0)
        return SEAMS.media_blocks(media, context)

    check_media_blocks(blocks, max_examples=5)


def test_a_contract_may_be_checked_inside_a_loop() -> None:
    """As in an asynchronous test; the seam's own loop is another one."""

    async def blocks(media: Any, context: Any, /) -> Any:
        await asyncio.sleep(0.0001)
        return []

    async def checked() -> None:
        check_nonce(SEAMS.nonce, max_examples=5)
        check_media_blocks(blocks, max_examples=5)

    with pytest.raises(ContractError, match="at least one part"):
        asyncio.run(checked())


def test_a_host_that_wires_a_neutraliser_of_its_own_says_so() -> None:
    """What a body can't hold depends on it: square brackets fence when the neutraliser takes them out."""

    def envelope(content: str, attributes: Any, /) -> str:
        return f"[[{attributes.nonce}\n{content}\n]]"

    with pytest.raises(ContractError, match="opening tag"):
        check_untrusted_envelope(envelope)
    check_untrusted_envelope(envelope, neutraliser=lambda text: text.replace("[", "(").replace("]", ")"))


def test_hardened_envelopes_pass_alone() -> None:
    """A seam made by hand, of the seams it was made with."""
    check_untrusted_envelope(hardened.make_untrusted_envelope(neutraliser=SEAMS.neutraliser))


def test_an_unknown_name_is_an_error() -> None:
    """With the nearest name."""
    with pytest.raises(WiringError, match="did you mean 'nonce'"):
        check_seam("nonces", SEAMS.nonce)


@settings(max_examples=20)
@given(states(system_prompt=st.just(""), standing_instructions=st.just(())))
def test_a_twin_is_harmless(state: Any) -> None:
    """The twin of a state has as many things, of the same ids, and no tag in any body."""
    twin = harmless(state)

    for name in ("memories", "retrievables", "messages", "thoughts", "tool_calls"):
        assert [one.id for one in getattr(state, name)] == [one.id for one in getattr(twin, name)]
    bodies = [one.content for one in (*twin.memories, *twin.messages, *twin.thoughts) if isinstance(one.content, str)]
    assert [] == [body for body in bodies if tags(body)]
