"""No text from outside opens, closes or forges an envelope, whatever an attacker makes of what he knows."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Final

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from attack.attacker import Choices
from attack.bench import WORDS, attacked, faults, shown_bodies, smallest
from attack.scene import PIPELINES, SITUATIONS

BODIES: Final = int(os.environ.get("SEAMWRIGHT_ATTACK_BODIES", "6000"))
"""How many hostile bodies are generated at least, over all situations."""


@pytest.mark.parametrize("situation", SITUATIONS)
def test_nothing_leaves_its_envelope(situation: str, figure: Callable[[str], None]) -> None:
    """Under the default and the hardened container, every request keeps the envelopes that its twin has."""
    counts: Counter[str] = Counter()
    distinct: set[int] = set()
    shown = shown_bodies(situation)
    wanted = -(-BODIES // len(SITUATIONS))

    @settings(
        max_examples=10 + wanted * 11 // 10 // len(shown),
        deadline=None,
        database=None,
        phases=[Phase.generate],  # an attack is made smaller slot by slot, which is quicker than byte by byte
        suppress_health_check=[HealthCheck.too_slow],
    )
    @given(st.binary(min_size=Choices.SIZE, max_size=Choices.SIZE))
    def attack(data: bytes) -> None:
        given = attacked(situation, data)
        hostile = {slot: text for slot, text in given.items() if text != WORDS[slot]}
        bodies = [text for slot, text in hostile.items() if slot in shown]
        counts.update(states=1, bodies=len(bodies), others=len(hostile) - len(bodies))
        distinct.update(map(hash, bodies))
        for container, pipeline in PIPELINES.items():
            found = partial(faults, pipeline, situation, lenient=container == "hardened")
            if found(given):
                least = smallest(given, found)
                pytest.fail(f"{container}: {found(least)} by {least}")

    attack()
    figure(
        f"attack, {situation}: {counts['bodies']} bodies ({len(distinct)} distinct), {counts['others']} names, ids and"
        f" texts that do not show, in {counts['states']} states, each under {len(PIPELINES)} containers"
    )
    assert wanted <= counts["bodies"]
