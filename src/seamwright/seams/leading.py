"""Leading text: the system prompt, standing instructions and memories, and the buckets as blocks of text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

from seamwright.awaiting import MaybeAwaitable, eager, settled
from seamwright.model.knowledge import Memory, Retrievable
from seamwright.model.options import Bucket
from seamwright.model.state import AgentState
from seamwright.model.times import show_time
from seamwright.seams.context import BuildContext
from seamwright.seams.envelopes import Neutraliser, Nonce, attribute

if TYPE_CHECKING:
    from seamwright.seams.retrievables import Retrievables


class SystemPrompt(Protocol):
    """The whole leading text: the state's system prompt and every bucket that stands before the timeline."""

    def __call__(self, state: AgentState, context: BuildContext, /) -> MaybeAwaitable[str]: ...


class StandingInstructions(Protocol):
    """The operator's rules as one block, ``""`` when there are none. Operator text: not neutralised."""

    def __call__(self, items: Sequence[str], version: str | None = None, /) -> str: ...


class Memories(Protocol):
    """Memories as one block, ``""`` when there are none. Every body is neutralised."""

    def __call__(self, items: Sequence[Memory], /) -> str: ...


def standing_instructions(items: Sequence[str], version: str | None = None, /) -> str:
    """``<system_instructions kind="developer-rules">`` round the rules that are not empty, a blank line between."""
    rules = [item for item in items if item]
    if not rules:
        return ""
    body = "\n\n".join(rules)
    return (
        f'<system_instructions kind="developer-rules"{attribute("version", version)}>\n{body}\n</system_instructions>'
    )


def show_number(value: float) -> str:
    """The shortest form: whole numbers without ``.0``."""
    return str(int(value)) if value == int(value) else repr(float(value))


def tagged(tag: str, body: str, item: Memory | Retrievable, nonce: str) -> str:
    """A child of a block of memories or retrieved documents, in the attribute order that both share."""
    head = (
        attribute("source", item.source)
        + attribute("nonce", nonce)
        + attribute("createdAt", None if item.created_at is None else show_time(item.created_at))
        + attribute("kind", item.kind)
        + attribute("score", None if item.score is None else show_number(item.score))
    )
    return f"<{tag}_{nonce}{head}>\n{body}\n</{tag}_{nonce}>"


def make_memories(*, nonce: Nonce, neutraliser: Neutraliser) -> Memories:
    """The default ``memories``: one ``<memory_…>`` child each."""

    def memories(items: Sequence[Memory], /) -> str:
        if not items:
            return ""
        children = (tagged("memory", neutraliser(str(item.content)), item, nonce(item.id)) for item in items)
        return "<memories>\n" + "\n".join(children) + "\n</memories>"

    return memories


class Buckets(Protocol):
    """The texts of some buckets, in the order named, empty ones left out."""

    def __call__(
        self, names: Iterable[Bucket], state: AgentState, context: BuildContext, /
    ) -> MaybeAwaitable[list[str]]: ...


def make_buckets(
    *, standing_instructions: StandingInstructions, memories: Memories, retrievables: Retrievables
) -> Buckets:
    """What leading and trailing text share; no seam of its own, its parts are."""

    @eager
    async def buckets(names: Iterable[Bucket], state: AgentState, context: BuildContext, /) -> list[str]:
        texts: list[str] = []
        for name in names:
            text: MaybeAwaitable[str] = ""
            if name == "standing_instructions":
                rules = [str(rule) for rule in state.standing_instructions]
                text = standing_instructions(rules, context.options.standing_instructions_version)
            elif name == "memories":
                text = memories(state.memories)
            elif name == "retrievables":
                text = retrievables(state.retrievables, context)
            texts.append(text if isinstance(text, str) else await settled(text, str, name))
        return [text for text in texts if text]

    return buckets


def make_system_prompt(
    *, standing_instructions: StandingInstructions, memories: Memories, retrievables: Retrievables
) -> SystemPrompt:
    """The default ``system_prompt``: the prompt, then the leading buckets, with a blank line between."""
    buckets = make_buckets(standing_instructions=standing_instructions, memories=memories, retrievables=retrievables)

    @eager
    async def system_prompt(state: AgentState, context: BuildContext, /) -> str:
        given = buckets(context.options.leading_buckets, state, context)
        blocks = given if isinstance(given, list) else await settled(given, list)
        prompt = str(state.system_prompt)
        return "\n\n".join([prompt, *blocks] if prompt else blocks)

    return system_prompt
