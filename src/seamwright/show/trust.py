"""How far a rendered thing is trusted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from seamwright.model.guards import is_tuple
from seamwright.model.media import Media
from seamwright.model.message import Message
from seamwright.model.options import RenderOptions
from seamwright.model.provider_item import ProviderItem
from seamwright.model.thought import Thought
from seamwright.model.tool_call import ToolCall
from seamwright.model.tools import ToolRegistry
from seamwright.seams.steps import Rendered, RenderedRole
from seamwright.show.model import Trust, least

_OF_PROVIDER: Final[dict[RenderedRole, Trust]] = {"answer": "untrusted", "output": "agent"}


def trust_of(one: Rendered, options: RenderOptions, tools: ToolRegistry) -> tuple[Trust, Trust]:
    """The trust of its texts, and of the media in it."""
    text = _of_texts(one, options, tools)
    return text, _of_media(_media_in(one), text)


def _of_texts(one: Rendered, options: RenderOptions, tools: ToolRegistry) -> Trust:
    thing = one.thing
    match thing:
        case Message() | Thought():
            return _of_author(thing, options)
        case ToolCall():
            return "agent" if one.role == "output" else _of_result(thing, tools)
        case ProviderItem():
            return _OF_PROVIDER.get(one.role, "user")
        case _:
            return "unknown"


def _of_author(thing: Message | Thought, options: RenderOptions) -> Trust:
    if isinstance(thing, Message) and thing.role == "user":
        return "user"
    return "agent" if thing.identity.identifier == options.self_identity else "peer"


def _of_result(call: ToolCall, tools: ToolRegistry) -> Trust:
    """A handle and a missing result stand in an untrusted envelope whatever the tool."""
    tool = tools.get(call.tool)
    trusted = call.trusted if call.trusted is not None else tool is not None and tool.trusted
    spooled = call.results is not None and not isinstance(call.results, str) and not _media_of(call.results)
    shown = call.results is not None and (call.inline or not spooled)
    return "first-party" if trusted and shown else "untrusted"


def _media_in(one: Rendered) -> tuple[Media, ...]:
    match one.thing:
        case Message():
            return one.thing.attachments
        case ToolCall() if one.role != "output":
            return _media_of(one.thing.results)
        case _:
            return ()


def _media_of(results: object) -> tuple[Media, ...]:
    return tuple(item for item in results if isinstance(item, Media)) if is_tuple(results) else ()


def _of_media(media: Sequence[Media], text: Trust) -> Trust:
    tiers: list[Trust] = [one.trust_tier for one in media]
    return least(tiers) if tiers else text
