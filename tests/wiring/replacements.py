"""For each seam: one that replaces it, and what a build then differs in, said without a look at how it is wired.

An expectation takes the view of a build with defaults and gives the whole view that the replacement must lead to: what
it does not change must not change.
"""

from __future__ import annotations

import asyncio
import copy
import inspect
import json
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import attrs

from seamwright import (
    AgentState,
    BuildContext,
    EnvelopeAttrs,
    HandleInfo,
    Media,
    Memory,
    Message,
    PrefixHash,
    RenderOptions,
    RenderWarning,
    Retrievable,
    Seams,
    Sha256Fingerprint,
    Thought,
    ToolCall,
    ToolRegistry,
)
from seamwright.seams.ids import CallIds, Thing
from seamwright.seams.steps import Leading, Rendered
from seamwright_containers import responses_pipeline
from wiring.rich import View, map_items, map_texts

Item = dict[str, Any]
Expectation = Callable[[View], View]

DEFAULTS: Final[Seams] = responses_pipeline().seams


async def awaited(value: Any) -> Any:
    """The result of a default that may wait."""
    return await value if inspect.isawaitable(value) else value


@attrs.frozen
class Replacement:
    """A seam's stand-in and what it must change."""

    value: Any
    expected: Expectation


REPLACEMENTS: Final[dict[str, Replacement]] = {}


def replaces(name: str, value: Any) -> Callable[[Expectation], Expectation]:
    """Registers the expectation of a replacement."""

    def register(expected: Expectation) -> Expectation:
        REPLACEMENTS[name] = Replacement(value, expected)
        return expected

    return register


# --- views


def in_texts(shown: View, change: Callable[[str], str]) -> View:
    """A view with every text of the instructions and the input changed."""
    return {
        **shown,
        "instructions": map_texts(shown["instructions"], change),
        "input": map_texts(shown["input"], change),
    }


def substituted(pattern: str, replacement: str | Callable[[re.Match[str]], str]) -> Expectation:
    """An expectation that every match in the texts is replaced, and that there is one."""

    def expected(shown: View) -> View:
        result = in_texts(shown, lambda text: re.sub(pattern, replacement, text))
        assert result != shown, f"nothing in the state shows {pattern!r}"
        return result

    return expected


def without_warnings(shown: View, *gone: tuple[str, str]) -> View:
    """A view without these warnings."""
    return {**shown, "warnings": [one for one in shown["warnings"] if tuple(one) not in gone]}


def unchanged(shown: View) -> View:
    """The expectation that no build shows the seam."""
    return shown


_TAGS: Final = r"(?:untrusted_content|trusted_content|memory|retrieved|thought|message|peer_agent_output)_"
_NOT_A_TAG: Final = rf"(?:(?!</?(?:{_TAGS}|memories|retrieved_corpus))[\s\S])*?"
_INNERMOST: Final = re.compile(rf"(<({_TAGS}[^\s>]+)[^>]*>\n)({_NOT_A_TAG})(\n</\2>)")


# --- inert in a build


@replaces("clock", lambda: datetime(2000, 1, 1, tzinfo=UTC))
def clock(shown: View) -> View:
    """Only ingestion asks for the time."""
    return unchanged(shown)


SUNK: Final[list[RenderWarning]] = []


@replaces("warn", SUNK.append)
def warn(shown: View) -> View:
    """The request is the same; the sink has what the build collected."""
    assert [[one.code, one.subject_id] for one in SUNK] == shown["warnings"]
    return unchanged(shown)


class OwnSlots:
    """A slot machine that keeps nothing."""

    def feed(self, event: object, /) -> None:
        """Takes it."""

    def views(self) -> Sequence[Any]:
        """None."""
        return ()

    def text(self, output_index: int | None = None) -> str:
        """None."""
        return ""

    def result(self) -> dict[str, Any]:
        """An empty response."""
        return {"object": "response", "output": []}


@replaces("output_slots", OwnSlots)
def output_slots(shown: View) -> View:
    """Only streams are accumulated."""
    return unchanged(shown)


@replaces("fingerprint", Sha256Fingerprint())
def fingerprint(shown: View) -> View:
    """A state recorded under it renders as one recorded under the default."""
    return unchanged(shown)


# --- everywhere


@replaces("nonce", lambda identifier: f"zz9.{DEFAULTS.nonce(identifier)}")
def nonce(shown: View) -> View:
    """In the name and on the tag of every envelope."""
    return substituted(rf"(</?{_TAGS}(?!corpus)| nonce=\")", r"\1zz9.")(shown)


@replaces("neutraliser", lambda text: f"[[{DEFAULTS.neutraliser(text)}]]")
def neutraliser(shown: View) -> View:
    """Round every body from outside, once: in every envelope but the operator's, and in the agent's own messages."""

    def own(item: Item) -> Item:
        for part in item["content"] if item.get("status") and item["type"] == "message" else ():
            key = "text" if part["type"] == "output_text" else "refusal"
            part[key] = f"[[{part[key]}]]"
        return item

    return map_items(substituted(_INNERMOST.pattern, r"\1[[\3]]\4")(shown), own)


def _renamed(envelope: Any, tag: str) -> Any:
    def seam(content: str, attributes: EnvelopeAttrs, /) -> str:
        head, _, tail = envelope("\0", attributes).partition("\0")
        return head.replace(f"<{tag}_", f"<{tag}X_") + content + tail.replace(f"</{tag}_", f"</{tag}X_")

    return seam


@replaces("untrusted_envelope", _renamed(DEFAULTS.untrusted_envelope, "untrusted_content"))
def untrusted_envelope(shown: View) -> View:
    """Retrieved documents, tool results and their media brackets, stand-ins of media, calls without answer."""
    return substituted(r"(</?untrusted_content)_", r"\1X_")(shown)


@replaces("trusted_envelope", _renamed(DEFAULTS.trusted_envelope, "trusted_content"))
def trusted_envelope(shown: View) -> View:
    """Results of trusted tools and their media brackets, stand-ins of first-party media."""
    return substituted(r"(</?trusted_content)_", r"\1X_")(shown)


class Sevens:
    """A token counter that counts seven."""

    encoding = "sevens"

    def __call__(self, text: str, /) -> int:
        return 7


@replaces("token_counter", Sevens())
def token_counter(shown: View) -> View:
    """On every handle, of results and of documents."""
    return substituted(r"(- lineCount: \S+)", r"\1\n- estimatedTokens: 7 (encoding: sevens)")(shown)


@replaces("trimmer", lambda groups, room: range(len(groups)))
def trimmer(shown: View) -> View:
    """Only a build that is over a budget asks for it."""
    return unchanged(shown)


# --- leading and trailing text


@replaces("standing_instructions", lambda items, version=None: f"SI({len(items)} {version})")
def standing_instructions(shown: View) -> View:
    """The block, wherever its bucket stands, with the version of the options."""

    def block(match: re.Match[str]) -> str:
        return f"SI(2 {match[1]})"

    return substituted(
        r'<system_instructions kind="developer-rules"(?: version="(.*?)")?>[\s\S]*?</system_instructions>', block
    )(shown)


def _memories(items: Sequence[Memory], /) -> str:
    return f"M({DEFAULTS.memories(items)})"


@replaces("memories", _memories)
def memories(shown: View) -> View:
    """The block, wherever its bucket stands."""
    return substituted(r"<memories>\n[\s\S]*?\n</memories>", r"M(\g<0>)")(shown)


@replaces("safety_directive", lambda: "DIRECTIVE")
def safety_directive(shown: View) -> View:
    """The one paragraph before the documents."""
    return substituted(re.escape(DEFAULTS.safety_directive()), "DIRECTIVE")(shown)


def _handle(info: HandleInfo, /) -> str:
    return f"HANDLE {info.call_id}"


@replaces("retrievable_handle", _handle)
def retrievable_handle(shown: View) -> View:
    """Documents of first and third parties, and no tool results."""
    return substituted(r"This record was left out[\s\S]*?callId: (\S+)[\s\S]*?this turn\.", r"HANDLE \1")(shown)


@replaces("artifact_handle", _handle)
def artifact_handle(shown: View) -> View:
    """Tool results, each artifact, and no documents."""
    return substituted(r"This tool result was left out[\s\S]*?callId: (\S+)[\s\S]*?this turn\.", r"HANDLE \1")(shown)


def _documents(label: str) -> Any:
    async def seam(items: Sequence[Retrievable], context: BuildContext, /) -> str:
        await asyncio.sleep(0)
        return f"{label}({', '.join(item.id for item in items)})"

    return seam


@replaces("first_party_retrievables", _documents("FIRST"))
def first_party_retrievables(shown: View) -> View:
    """The corpus, in the order given."""
    return substituted(r"<retrieved_corpus>[\s\S]*?</retrieved_corpus>", "FIRST(f_text, f_large)")(shown)


def _tier(kind: str) -> str:
    one = rf'<untrusted_content_([^\s>]+) nonce="[^"]*" kind="{kind}"[\s\S]*?</untrusted_content_\1>'
    two = one.replace(r"\1", r"\2")
    return f"{one}\n{two}"


@replaces("third_party_public_retrievables", _documents("PUBLIC"))
def third_party_public_retrievables(shown: View) -> View:
    """The public envelopes, by age."""
    return substituted(_tier("retrieved-third-party-public"), "PUBLIC(p_text, p_large)")(shown)


@replaces("third_party_private_retrievables", _documents("PRIVATE"))
def third_party_private_retrievables(shown: View) -> View:
    """The private envelopes, by age."""
    return substituted(_tier("retrieved-third-party-private"), "PRIVATE(q_text, q_inline)")(shown)


@replaces("retrievables", _documents("ALL"))
def retrievables(shown: View) -> View:
    """Directive and all tiers, in the order of the state."""
    everything = rf"{re.escape(DEFAULTS.safety_directive())}[\s\S]*</untrusted_content_q_inline>"
    return substituted(everything, "ALL(q_inline, f_text, p_text, f_large, p_large, q_text)")(shown)


async def _system_prompt(state: AgentState, context: BuildContext, /) -> str:
    return f"SP({await awaited(DEFAULTS.system_prompt(state, context))})"


@replaces("system_prompt", _system_prompt)
def system_prompt(shown: View) -> View:
    """The leading text on its carrier; nothing behind the timeline."""
    result = copy.deepcopy(shown)
    if result["instructions"] is not None:
        result["instructions"] = f"SP({result['instructions']})"
    else:
        part = result["input"][0]["content"][0]
        part["text"] = f"SP({part['text']})"
    return result


# --- the timeline


def _thought_filter(thoughts: Sequence[Thought], options: RenderOptions, /) -> list[Thought]:
    return [one for one in DEFAULTS.thought_filter(thoughts, options) if one.id != "t_peer"]


@replaces("thought_filter", _thought_filter)
def thought_filter(shown: View) -> View:
    """What it leaves out is not shown; everything else stays."""
    return map_items(shown, lambda item: None if "<thought_t_peer" in str(item.get("content")) else item)


@replaces("thought", lambda one, kind: f"T({DEFAULTS.thought(one, kind)})")
def thought(shown: View) -> View:
    """Thoughts of the agent and of peers, and no messages."""

    def change(item: Item) -> Item:
        content = item.get("content")
        return {**item, "content": f"T({content})"} if isinstance(content, str) and "<thought_" in content else item

    return map_items(shown, change)


@replaces("media_policy", lambda media, context: f"POLICY {media.id}")
def media_policy(shown: View) -> View:
    """Whatever can't go natively, in messages and in tool results of both shapes; the stash is not looked at."""
    pattern = r"\[media id: (\S+) \| [^\]]*\]\n<((?:un)?trusted_content_[^\s>]+) [\s\S]*?</\2>"
    result = substituted(pattern, r"POLICY \1")(shown)
    return {**result, "warnings": [one for one in shown["warnings"] if one[0] != "stash-miss"]}


async def _media_blocks(media: Media, context: BuildContext, /) -> list[Item]:
    await asyncio.sleep(0)
    return [{"type": "input_text", "text": f"BLOCKS {media.id}"}]


def _in_blocks(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _in_blocks(one) for key, one in value.items()}
    if not isinstance(value, list):
        return value
    parts: list[Any] = []
    for part in value:
        marked = re.match(r"\[media id: (\S+) ", part.get("text", "")) if isinstance(part, dict) else None
        if marked:
            parts.append({"type": "input_text", "text": f"BLOCKS {marked[1]}"})
        elif not isinstance(part, dict) or part.get("type") not in ("input_image", "input_file"):
            parts.append(_in_blocks(part))
    return parts


@replaces("media_blocks", _media_blocks)
def media_blocks(shown: View) -> View:
    """Attachments of users, peers and the agent, and media of tool results that are parts."""
    result = {**shown, "input": _in_blocks(shown["input"])}
    gone = {"md_pdf", "md_sound"} - {one for text in _strings(shown) for one in ("md_sound",) if f"id: {one}" in text}
    return without_warnings(result, *(("stash-miss", one) for one in gone))


def _strings(shown: View) -> list[str]:
    """The outputs of tool calls that are strings."""
    return [item["output"] for item in shown["input"] if isinstance(item.get("output"), str)]


async def _timeline_message(message: Message, context: BuildContext, /) -> list[Item]:
    await asyncio.sleep(0)
    return [{"type": "message", "role": "user", "content": f"TM {message.id}"}]


@replaces("timeline_message", _timeline_message)
def timeline_message(shown: View) -> View:
    """Messages of users and peers with their attachments; none of the agent's own."""

    def change(item: Item) -> Item | None:
        text = json.dumps(item.get("content"))
        if "[media id: md_chart " in text:
            return None  # the peer's attachments, which followed in an item of their own
        sender = re.search(r"<(?:message|peer_agent_output)_(u1|u2|p1) ", text)
        return {"type": "message", "role": "user", "content": f"TM {sender[1]}"} if sender else item

    return without_warnings(map_items(shown, change), ("stash-miss", "md_pdf"))


def _own_message(message: Message, /) -> Item | None:
    item = DEFAULTS.own_message(message)
    return None if item is None else {**item, "mark": message.id}


@replaces("own_message", _own_message)
def own_message(shown: View) -> View:
    """The agent's own messages, and none of peers."""
    ids = iter(["a1", "msg_2", "msg_3", "msg_4"])
    return map_items(shown, lambda item: {**item, "mark": next(ids)} if _is_own(item) else item)


def _is_own(item: Item) -> bool:
    return item["type"] == "message" and "status" in item


@replaces("pending_result", lambda call: "NONE")
def pending_result(shown: View) -> View:
    """Calls without result, of functions and of custom tools."""
    return substituted(r"No result was recorded.*", "NONE")(shown)


async def _tool_result(call: ToolCall, context: BuildContext, /) -> str:
    await asyncio.sleep(0)
    return f"OUT {call.id}"


@replaces("tool_result", _tool_result)
def tool_result(shown: View) -> View:
    """Every function's output but those given as rendered; no custom tool's."""
    calls = {item["call_id"]: json.loads(item["arguments"])["of"] for item in shown["input"] if "arguments" in item}

    def change(item: Item) -> Item:
        if item["type"] != "function_call_output" or item["call_id"] == "call_given":
            return item
        return {**item, "output": f"OUT {calls[item['call_id']]}"}

    about = {"call_pending", "call_unknown", "md_found", "md_sound", "md_made"}
    gone = [(code, subject) for code, subject in shown["warnings"] if subject in about]
    return without_warnings(map_items(shown, change), *gone)


OWN_SCHEMA: Final = {"type": "object", "properties": {}, "title": "own"}


@replaces("json_schema", lambda schema, strict: OWN_SCHEMA)
def json_schema(shown: View) -> View:
    """The parameters of every function tool; hosted tools have none."""
    return {**shown, "tools": [{**t, "parameters": OWN_SCHEMA} if "parameters" in t else t for t in shown["tools"]]}


def _tool_declarations(tools: ToolRegistry, options: RenderOptions, /) -> list[dict[str, Any]] | None:
    return [{"type": "function", "name": tool.name} for tool in tools]


@replaces("tool_declarations", _tool_declarations)
def tool_declarations(shown: View) -> View:
    """The function tools, before the hosted ones."""
    declared = [{"type": "function", "name": name} for name in ("search", "calc", "secret", "lookup")]
    return {**shown, "tools": [*declared, shown["tools"][-1]]}


def _reasoning_item(one: Thought, context: BuildContext, /) -> Item | None:
    item = DEFAULTS.reasoning_item(one, context)
    return None if item is None else {**item, "mark": one.id}


@replaces("reasoning_item", _reasoning_item)
def reasoning_item(shown: View) -> View:
    """The reasoning that goes back."""
    return map_items(shown, lambda item: {**item, "mark": "r1"} if item["type"] == "reasoning" else item)


class OwnIds:
    """Ids of the default with an ``x`` in them."""

    def message_id(self, message: Message, /) -> str | None:
        """``msg_x…``."""
        own = DEFAULTS.item_ids.message_id(message)
        return own and own.replace("msg_", "msg_x")

    def call_ids(self, call: ToolCall, /) -> CallIds:
        """``x…`` and ``fc_x…``."""
        ids = DEFAULTS.item_ids.call_ids(call)
        return CallIds(f"x{ids.call_id}", ids.item_id and ids.item_id.replace("fc_", "fc_x"))

    def provider_id(self, thing: Thing, /) -> str | None:
        """As by default."""
        return DEFAULTS.item_ids.provider_id(thing)


@replaces("item_ids", OwnIds())
def item_ids(shown: View) -> View:
    """Ids of messages and calls, and call ids on both sides; not those of provider items and reasoning."""

    def change(item: Item) -> Item:
        result = dict(item)
        if item["type"] in ("function_call", "function_call_output"):
            result["call_id"] = f"x{item['call_id']}"
        if "id" in item:
            result["id"] = re.sub("^(msg|fc)_", r"\1_x", item["id"])
        return result

    return map_items(shown, change)


# --- the steps

_OWN_ITEM: Final = {"type": "message", "role": "system", "content": "OWN"}


@replaces("leading_step", lambda state, context: Leading("LEAD", (dict(_OWN_ITEM),)))
def leading_step(shown: View) -> View:
    """What stands before the timeline, on both carriers."""
    had = [] if shown["instructions"] is not None else shown["input"][:1]
    rest = shown["input"][len(had) :]
    covered = shown["covered"] - len(had) + 1
    return {**shown, "instructions": "LEAD", "input": [_OWN_ITEM, *rest], "covered": covered}


async def _timeline_step(state: AgentState, context: BuildContext, /) -> list[Rendered]:
    rendered: list[Rendered] = await awaited(DEFAULTS.timeline_step(state, context))
    return [one for one in rendered if not _is_last(one)]


def _is_last(rendered: Rendered) -> bool:
    return isinstance(rendered.thing, Message) and rendered.thing.id == "u2"


@replaces("timeline_step", _timeline_step)
def timeline_step(shown: View) -> View:
    """What the timeline holds."""
    return map_items(shown, lambda item: None if "<message_u2 " in json.dumps(item) else item)


def _reasoning_pairing(rendered: Sequence[Rendered], prefix_hash: PrefixHash, context: BuildContext, /) -> list[Item]:
    items = DEFAULTS.reasoning_pairing(rendered, prefix_hash, context)
    return [*items, dict(_OWN_ITEM)] if any(map(_is_last, rendered)) else items


@replaces("reasoning_pairing", _reasoning_pairing)
def reasoning_pairing(shown: View) -> View:
    """What of the timeline is sent; what it adds is covered by a fingerprint."""
    covered = shown["covered"]
    items = [*shown["input"][:covered], _OWN_ITEM, *shown["input"][covered:]]
    return {**shown, "input": items, "covered": covered + 1}


@replaces("trailing_step", lambda state, context: dict(_OWN_ITEM))
def trailing_step(shown: View) -> View:
    """The one item behind the timeline, which no fingerprint covers."""
    return {**shown, "input": [*shown["input"][: shown["covered"]], _OWN_ITEM]}
