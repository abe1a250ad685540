"""A pipeline under attack: what may stand in its slots, and what its judge says of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from itertools import chain
from typing import Final

from attack.attacker import Choices, filled, plain, slots
from attack.judge import Judge, shown_texts
from attack.scene import PIPELINES, build
from seamwright import Pipeline

WORDS: Final = plain("w")
"""What stands in each slot when nobody attacks."""
_OTHERS: Final = plain("v")


@cache
def judge_of(pipeline: Pipeline, situation: str) -> Judge:
    """The judge of a pipeline, taught by two twins."""
    return Judge.of(build(pipeline, situation, filled(WORDS)), build(pipeline, situation, filled(_OTHERS)))


def faults(pipeline: Pipeline, situation: str, given: Mapping[str, str], *, lenient: bool) -> list[str]:
    """What is wrong with the envelopes of a request whose slots are filled so; slots not named hold their word."""
    request = build(pipeline, situation, filled({**WORDS, **given}))
    return judge_of(pipeline, situation).faults(request, lenient_too=lenient)


def tags_of(situation: str, ids: Mapping[str, str]) -> list[str]:
    """Every tag that stands in a request with these ids, under either container, when nobody attacks it."""
    found: dict[str, None] = {}
    for pipeline in PIPELINES.values():
        judge = judge_of(pipeline, situation)
        texts = map("\n".join, shown_texts(build(pipeline, situation, filled({**WORDS, **ids}))))
        found |= dict.fromkeys(tag.text for tag in chain.from_iterable(map(judge.read, texts)))
    return list(found)


@cache
def shown_bodies(situation: str) -> frozenset[str]:
    """The slots of bodies that a request shows under either container; what is not shown does not count."""
    requests = [build(pipeline, situation, filled(WORDS)) for pipeline in PIPELINES.values()]
    shown = "\n".join(chain.from_iterable(chain.from_iterable(map(shown_texts, requests)))) + "\n"
    return frozenset(slot for slot in slots("body") if f"{WORDS[slot]}\n" in shown)


def attacked(situation: str, data: bytes) -> dict[str, str]:
    """What an attacker puts into the slots: into bodies always, into ids and names every other time."""
    choices = Choices(data)
    ids = choices.ids() if choices.below(2) else {}
    names = slots("name") if choices.below(2) else []
    tags = tags_of(situation, ids)
    return {**WORDS, **ids, **{slot: choices.text(WORDS[slot], tags) for slot in [*slots("body"), *names]}}


def smallest(given: Mapping[str, str], fails: Callable[[Mapping[str, str]], bool]) -> dict[str, str]:
    """What of an attack is needed for it to get through: slot by slot back to its word, then piece by piece less."""
    needed = {slot: text for slot, text in given.items() if text != WORDS[slot]}
    for slot in list(needed):
        without = {other: text for other, text in needed.items() if other != slot}
        needed = without if fails(without) else needed
    for slot in needed:
        needed[slot] = _shortest(needed[slot], lambda text, slot=slot: fails({**needed, slot: text}))
    return needed


def _shortest(text: str, fails: Callable[[str], bool]) -> str:
    size = len(text)
    while size := size // 2:
        place = 0
        while place < len(text):
            shorter = text[:place] + text[place + size :]
            text, place = (shorter, place) if shorter and fails(shorter) else (text, place + size)
    return text
