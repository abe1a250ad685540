"""Contracts of the leading text: instructions, memories, retrieved documents, and all of it as one text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import attrs
from hypothesis import strategies as st

from seamwright.model.knowledge import Memory, Retrievable
from seamwright.model.options import Bucket
from seamwright.model.state import AgentState
from seamwright.model.trust import TIERS, TrustTier
from seamwright.seams.context import BuildContext
from seamwright.seams.envelopes import Neutraliser
from seamwright.seams.envelopes import neutraliser as default_neutraliser
from seamwright.seams.leading import Memories, StandingInstructions, SystemPrompt
from seamwright.seams.retrievables import Retrievables
from seamwright.testing import strategies as given
from seamwright.testing.contracts.core import MAX_EXAMPLES, Trial, examine
from seamwright.testing.contracts.inputs import (
    CONTEXT,
    MEMORY,
    OPTIONS,
    PLAIN,
    clean,
    clean_texts,
    contexts,
    document,
    small_states,
)
from seamwright.testing.contracts.tags import fenced, shows
from seamwright.testing.contracts.twins import no_forgery


def check_standing_instructions(seam: StandingInstructions, /, *, max_examples: int = MAX_EXAMPLES) -> None:
    """Every rule that is not empty stands in the text, in order; without rules there is no text."""

    def look(trial: Trial, value: tuple[list[str], str | None]) -> None:
        rules, version = value
        text = trial.text(trial.call(seam, rules, version))
        if not any(rules):
            trial.expect(text == "", "'' without rules", text)
        squeezed, place = "".join(text.split()), 0
        for rule in map("".join, map(str.split, rules)):
            place = squeezed.find(rule, place)
            trial.expect(place >= 0, "every rule, in the order given", text)
            place += len(rule)

    texts = st.lists(clean_texts() | st.just(""), max_size=3)
    inputs = st.tuples(texts, st.none() | clean_texts())
    always: list[tuple[list[str], str | None]] = [([], None), ([""], "7"), (["Be brief.", "", "Be kind."], None)]
    examine("standing_instructions", seam, inputs, look, max_examples=max_examples, always=always)


def check_memories(
    seam: Memories, /, *, neutraliser: Neutraliser = default_neutraliser, max_examples: int = MAX_EXAMPLES
) -> None:
    """``""`` for none; a memory stands inside tags; no body and no label adds a tag.

    ``neutraliser``: the one the seam was made with, which says what no body can hold.
    """

    def look(trial: Trial, items: list[Memory]) -> None:
        text = trial.text(trial.call(seam, items))
        if not items:
            trial.expect(text == "", "'' without memories", text)
        if items == [MEMORY]:
            _stands_fenced(trial, text, neutraliser)
        no_forgery(trial, text, seam, items)

    inputs = st.lists(clean(given.memories()), max_size=3)
    examine("memories", seam, inputs, look, max_examples=max_examples, always=[[], [MEMORY]])


def _stands_fenced(trial: Trial, text: str, neutraliser: Neutraliser) -> None:
    trial.expect(shows(text, PLAIN), f"the body {PLAIN!r}", text)
    trial.expect(fenced(text, PLAIN, neutraliser), "the body between tags that no body can hold", text)


def _check_retrievables(
    name: str, seam: Retrievables, tiers: Sequence[TrustTier], neutraliser: Neutraliser, max_examples: int
) -> None:
    plain = [document(tier) for tier in tiers]

    def look(trial: Trial, value: tuple[list[Retrievable], BuildContext]) -> None:
        items, context = value
        text = trial.text(trial.call(seam, items, context, waits=True))
        if not items:
            trial.expect(text == "", "'' without documents", text)
        if len(items) == 1 and items[0] in plain:
            _stands_fenced(trial, text, neutraliser)
        no_forgery(trial, text, seam, items, context, waits=True)

    items = st.lists(clean(given.retrievables(trust_tier=st.sampled_from(tiers))), max_size=3)
    always: Any = [([], CONTEXT), *(([item], CONTEXT) for item in plain)]
    examine(name, seam, st.tuples(items, contexts()), look, max_examples=max_examples, always=always)


def check_first_party_retrievables(
    seam: Retrievables, /, *, neutraliser: Neutraliser = default_neutraliser, max_examples: int = MAX_EXAMPLES
) -> None:
    """``""`` for none; a document stands inside tags; no body and no label adds a tag."""
    _check_retrievables("first_party_retrievables", seam, ["first-party"], neutraliser, max_examples)


def check_third_party_public_retrievables(
    seam: Retrievables, /, *, neutraliser: Neutraliser = default_neutraliser, max_examples: int = MAX_EXAMPLES
) -> None:
    """As for documents of the first party."""
    _check_retrievables("third_party_public_retrievables", seam, ["third-party-public"], neutraliser, max_examples)


def check_third_party_private_retrievables(
    seam: Retrievables, /, *, neutraliser: Neutraliser = default_neutraliser, max_examples: int = MAX_EXAMPLES
) -> None:
    """As for documents of the first party."""
    _check_retrievables("third_party_private_retrievables", seam, ["third-party-private"], neutraliser, max_examples)


def check_retrievables(
    seam: Retrievables, /, *, neutraliser: Neutraliser = default_neutraliser, max_examples: int = MAX_EXAMPLES
) -> None:
    """As for each tier, with documents of all of them."""
    _check_retrievables("retrievables", seam, TIERS, neutraliser, max_examples)


_ALL: Final = AgentState(
    system_prompt="You are a support agent.",
    standing_instructions=("Answer briefly.",),
    memories=(MEMORY,),
    retrievables=(attrs.evolve(document("third-party-public"), content="a page"),),
)
_SHOWN: Final[dict[Bucket, str]] = {
    "standing_instructions": "Answer briefly.",
    "memories": PLAIN,
    "retrievables": "a page",
}


def expect_buckets(trial: Trial, text: str, here: Sequence[Bucket]) -> None:
    """That a text of :data:`_ALL` holds these buckets, in this order, and no others."""
    places: list[int] = []
    for bucket, body in _SHOWN.items():
        if bucket not in here:
            trial.expect(not shows(text, body), f"nothing of {bucket}, which stands elsewhere", text)
    for bucket in here:
        if bucket in _SHOWN:
            trial.expect(shows(text, _SHOWN[bucket]), f"the bucket {bucket}", text)
            places.append(text.casefold().find(_SHOWN[bucket].casefold()))
    trial.expect(places == sorted(places), f"the buckets in the order {', '.join(here)}", text)


def with_buckets(*orders: tuple[Bucket, ...]) -> list[tuple[AgentState, BuildContext]]:
    """A state with something in each bucket, and builds that have them in these orders."""
    return [(_ALL, BuildContext(attrs.evolve(OPTIONS, bucket_order=order))) for order in orders]


ORDERS: Final[tuple[tuple[Bucket, ...], ...]] = (
    ("standing_instructions", "memories", "retrievables", "timeline"),
    ("memories", "timeline", "retrievables", "standing_instructions"),
    ("retrievables", "standing_instructions", "memories"),
    ("timeline", "memories"),
)


def check_system_prompt(seam: SystemPrompt, /, *, max_examples: int = MAX_EXAMPLES) -> None:
    """The prompt, then what stands in the buckets before the timeline, in their order; nothing of nothing is ``""``."""

    def look(trial: Trial, value: tuple[AgentState, BuildContext]) -> None:
        state, context = value
        text = trial.text(trial.call(seam, state, context, waits=True))
        if state is _ALL:
            trial.expect(shows(text, "You are a support agent."), "the system prompt", text)
            expect_buckets(trial, text, context.options.leading_buckets)
        if state == AgentState():
            trial.expect(text == "", "'' of an empty state", text)
        no_forgery(trial, text, seam, state, context, waits=True)

    always = [(AgentState(), CONTEXT), *with_buckets(*ORDERS)]
    inputs = st.tuples(small_states(), contexts())
    examine("system_prompt", seam, inputs, look, max_examples=max_examples, always=always)
