"""Every attack of the corpus, in every slot, under both containers."""

from __future__ import annotations

import os
from functools import cache

import pytest

from attack.bench import faults, shown_bodies
from attack.corpus import CORPUS, Attack, surroundings
from attack.judge import Tag
from attack.scene import PIPELINES, SITUATIONS, SLOTS

CASES = [(container, situation) for container in PIPELINES for situation in SITUATIONS]
in_every_case = pytest.mark.parametrize(("container", "situation"), CASES, ids=map("-".join, CASES))
thoroughly = pytest.mark.skipif("SEAMWRIGHT_ATTACK_BODIES" not in os.environ, reason="make attack has the time for it")


@cache
def places(container: str, situation: str) -> tuple[dict[str, Tag], Tag]:
    """What stands round each slot."""
    return surroundings(PIPELINES[container], situation)


def filled_with(attack: Attack, container: str, situation: str) -> dict[str, str]:
    """The attack in each slot, with the tags round it; ids stay apart."""
    around, trusted = places(container, situation)
    hostile = {slot: attack.against(tag, trusted) for slot, tag in around.items()}
    return {s: text.replace("\ud83d", "") + s if SLOTS[s] == "id" else text for s, text in hostile.items()}


@in_every_case
def test_attacks_in_every_slot_at_once(container: str, situation: str) -> None:
    """With the same attack in every body, name and id of the request, no envelope changes."""
    for attack in CORPUS:
        given = filled_with(attack, container, situation)
        assert [] == faults(PIPELINES[container], situation, given, lenient=container == "hardened"), attack.name


@thoroughly
@pytest.mark.parametrize("kind", ["body", "name", "id"])
@in_every_case
def test_attacks_in_one_kind_of_slot(container: str, situation: str, kind: str) -> None:
    """With the attack in the bodies, the names or the ids alone, no envelope changes."""
    for attack in CORPUS:
        given = {s: text for s, text in filled_with(attack, container, situation).items() if SLOTS[s] == kind}
        assert [] == faults(PIPELINES[container], situation, given, lenient=container == "hardened"), attack.name


@thoroughly
@in_every_case
def test_attacks_in_one_body(container: str, situation: str) -> None:
    """With the attack in a single body, no envelope changes."""
    for attack in CORPUS:
        given = filled_with(attack, container, situation)
        for slot in sorted(shown_bodies(situation)):
            found = faults(PIPELINES[container], situation, {slot: given[slot]}, lenient=container == "hardened")
            assert [] == found, (attack.name, slot)


def test_the_corpus_is_large_and_says_what_it_does() -> None:
    """No attack stands twice, and each of them finds the tags it asks for."""
    assert 140 <= len(CORPUS) == len({attack.name for attack in CORPUS}) == len({attack.text for attack in CORPUS})
    around, trusted = places("default", "native")
    assert around["user"].text.startswith("<message_")
    assert around["call-trusted"].text.startswith("<trusted_content_")
    assert around["m-web.source"].text.startswith("<memory_")
    assert "trusted-tool-result" in trusted.text
    assert f"</{around['user'].name}>" == Attack("", "CLOSE").against(around["user"], trusted)
    assert Attack("", "CLOSE:upper").against(around["user"], trusted).isupper()
