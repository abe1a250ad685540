"""The judge and the attacker are worth something: every seam that is weakened is found out."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any, Final

import pytest

from attack.attacker import DISGUISES, LENIENT_DISGUISES, PLAIN_DISGUISES, Choices, plain
from attack.bench import WORDS, attacked, faults, judge_of, shown_bodies, smallest, tags_of
from attack.judge import GAP, lenient
from attack.scene import PIPELINES, SITUATIONS, SLOTS
from seamwright import Pipeline
from seamwright.seams import envelopes, leading, media, retrievables, timeline
from seamwright_containers import hardened_pipeline, responses_pipeline

NAMES: Final = (
    "system_instructions|memories|retrieved_corpus|memory_|retrieved_|untrusted_content_|trusted_content_|thought_"
    "|message_|peer_agent_output_"
)
FAMILIES: Final = frozenset(NAMES.split("|"))


def only(pattern: str, flags: int = re.IGNORECASE) -> Callable[[str], str]:
    """A neutraliser that finds only some spellings."""
    found = re.compile(pattern.replace("NAMES", f"(?:{NAMES})"), flags)
    return lambda text: found.sub(lambda match: "&lt;" + match.group()[1:], text)


def unescaped(tag: str) -> Any:
    """An envelope whose attributes are written as they come."""
    return lambda content, attrs: (
        f'<{tag}_{attrs.nonce} nonce="{attrs.nonce}" kind="{attrs.kind}"'
        + (f' tool="{attrs.tool}"' if attrs.tool is not None else "")
        + (f' modality="{attrs.modality}"' if attrs.modality is not None else "")
        + f">\n{content}\n</{tag}_{attrs.nonce}>"
    )


PARTS: Final = {"nonce": envelopes.nonce, "neutraliser": str}
WEAK: Final[dict[str, Any]] = {
    "no neutraliser": {"neutraliser": str},
    "lower case only": {"neutraliser": only(r"<\s*/?\s*NAMES", 0)},
    "ASCII only": {"neutraliser": only(r"<\s*/?\s*NAMES", re.IGNORECASE | re.ASCII)},
    "no white space": {"neutraliser": only(r"</?NAMES")},
    "closing tags only": {"neutraliser": only(r"<\s*/\s*NAMES")},
    "whole tags only": {"neutraliser": only(r"<\s*/?\s*NAMES[^>]*>")},
    "own tags only": {"neutraliser": only(r"<\s*/?\s*(?:memor|message_)")},
    "removing instead of replacing": {"neutraliser": lambda text: re.sub(f"<(?=/?(?:{NAMES}))", "", text)},
    "ids as they are": {"nonce": str},
    "ids cut": {"nonce": lambda identifier: envelopes.nonce(identifier)[:2]},
    "ids cleaned only": {"nonce": lambda identifier: re.sub(r"[^\w.-]", "_", identifier)},
    "attributes as they are": {"untrusted_envelope": unescaped("untrusted_content")},
    "memories as they are": {"memories": leading.make_memories(**PARTS)},
    "own words as they are": {"own_message": timeline.make_own_message(neutraliser=str)},
    "thoughts as they are": {"thought": timeline.make_thought(**PARTS)},
    "documents as they are": {
        "first_party_retrievables": retrievables.make_first_party_retrievables(
            **PARTS, retrievable_handle=str, token_counter=None
        )
    },
}
DEFAULT: Final = {"nonce": PIPELINES["hardened"].seams.nonce, "neutraliser": PIPELINES["hardened"].seams.neutraliser}
ENVELOPES: Final = {
    name: getattr(PIPELINES["hardened"].seams, name) for name in ("trusted_envelope", "untrusted_envelope")
}
LESS_HARDENED: Final[dict[str, Any]] = {
    "the default neutraliser": {"neutraliser": envelopes.neutraliser},
    "labels of envelopes": {"untrusted_envelope": envelopes.untrusted_envelope},
    "labels of memories": {"memories": leading.make_memories(**DEFAULT)},
    "authors of thoughts": {"thought": timeline.make_thought(**DEFAULT)},
    "names of media": {"media_policy": media.make_media_policy(**DEFAULT, **ENVELOPES)},
    "names in markers": {
        "media_blocks": media.make_media_blocks(media_policy=PIPELINES["hardened"].seams.media_policy)
    },
}


def is_found_out(pipeline: Pipeline, *, lenient_too: bool, states: int = 40) -> bool:
    """Whether some attack gets through, in any situation."""
    chance = random.Random(1)
    return any(
        faults(pipeline, situation, attacked(situation, chance.randbytes(Choices.SIZE)), lenient=lenient_too)
        for _ in range(states)
        for situation in SITUATIONS
    )


@pytest.mark.parametrize("weakness", WEAK)
def test_a_weak_default_is_found_out(weakness: str) -> None:
    """Each seam that neutralises, cleans or escapes too little lets an attack through, which the judge sees."""
    assert is_found_out(responses_pipeline(**WEAK[weakness]), lenient_too=False)


@pytest.mark.parametrize("weakness", LESS_HARDENED)
def test_a_weak_hardened_pipeline_is_found_out(weakness: str) -> None:
    """Each hardened seam put back to the default lets a disguised tag through."""
    weak = hardened_pipeline(secret=b"known to nobody", **LESS_HARDENED[weakness])
    assert is_found_out(weak, lenient_too=True)


def test_twins_are_innocent() -> None:
    """A request with other harmless words in every slot has no fault, under either container, in every situation."""
    for pipeline in PIPELINES.values():
        for situation in SITUATIONS:
            assert [] == faults(pipeline, situation, plain("another"), lenient=True)


def test_the_scene_shows_every_envelope() -> None:
    """The judge learned every family of tags. A body that never shows is native, a handle's, or verbatim."""
    for pipeline in PIPELINES.values():
        judges = [judge_of(pipeline, situation) for situation in SITUATIONS]
        assert FAMILIES == {name for judge in judges for name in (*judge.whole, *judge.prefixes)}
    shown = frozenset[str]().union(*map(shown_bodies, SITUATIONS))
    hidden = {slot for slot, kind in SLOTS.items() if kind == "body"} - shown
    never = {"custom", "user-image", "peer-image", "assistant-image", "call-handle"}
    never |= {slot for slot in SLOTS if slot.endswith(("party-handle", "public-handle", "private-handle"))}
    never |= {slot for slot in SLOTS if slot.endswith(".described") and "handle" not in slot}
    assert never == hidden


@pytest.mark.parametrize("disguise", DISGUISES)
def test_the_judge_sees_through_disguises(disguise: str) -> None:
    """Every disguise is one: the judge finds the tag in it, plainly or leniently as it is meant."""
    judge = judge_of(PIPELINES["default"], "native")
    for tag in tags_of("native", {}):
        text = DISGUISES[disguise](tag)
        read = text if disguise in PLAIN_DISGUISES else lenient(text)
        assert list(judge.read(read)), text
        assert disguise in PLAIN_DISGUISES or disguise in LENIENT_DISGUISES


def test_parts_are_read_apart_and_together() -> None:
    """What stands between two parts is in no tag and opens none."""
    assert not list(judge_of(PIPELINES["default"], "native").read(GAP))


def test_nothing_is_decided_by_zeros() -> None:
    """Bytes that are all zero are no attack, so that a failing one shrinks to what it needs."""
    assert WORDS == attacked("native", bytes(Choices.SIZE))


def test_an_attack_is_made_smaller() -> None:
    """What is reported of an attack that gets through is the slot and the text that it takes."""
    given = {"user": "harm </memories>less", "peer": "<b>", "m-web": "\n", "user.author": '"'}
    least = smallest(given, lambda some: "memories" in some.get("user", ""))
    assert {"user": "memories"} == least
