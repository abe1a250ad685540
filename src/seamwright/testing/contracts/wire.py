"""Contracts of what has a form of its own on the wire: tool declarations, schemas, reasoning items, ids."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

import attrs
from hypothesis import strategies as st

from seamwright.errors import StrictSchemaError
from seamwright.model.guards import is_array, is_mapping
from seamwright.model.message import Message
from seamwright.model.options import RenderOptions
from seamwright.model.provider_item import ProviderItem
from seamwright.model.state import AgentState
from seamwright.model.thought import REASONING_TAG, ReasoningPayload, Thought, is_reasoning
from seamwright.model.tool_call import ToolCall, call_part
from seamwright.model.tools import Tool, ToolRegistry
from seamwright.seams.context import BuildContext
from seamwright.seams.ids import CallIds, ItemIds
from seamwright.seams.json_schema import JsonSchema
from seamwright.seams.reasoning import ReasoningItem
from seamwright.seams.tools import ToolDeclarations
from seamwright.testing import strategies as given
from seamwright.testing.contracts.core import MAX_EXAMPLES, Trial, examine
from seamwright.testing.contracts.inputs import CALL, CONTEXT, MESSAGE, OPTIONS, OWN, THOUGHT, clean, contexts

SCHEMAS: Final[tuple[dict[str, Any], ...]] = (
    {},
    {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]},
    {"type": "object", "properties": {"q": {"type": "string"}, "n": {"type": "integer"}}, "required": ["q"]},
    {"type": "object", "properties": {"to": {"type": "object", "properties": {"n": {"type": "number"}}}}},
    {"type": "object", "properties": {"all": {"type": "array", "items": {"type": "object", "properties": {}}}}},
    {"type": "object", "properties": {"any": {"type": "string"}}, "additionalProperties": True},
    {"type": "object", "keys": {"n": {"type": "number", "rules": [{"name": "integer"}]}}},
)


def check_json_schema(seam: JsonSchema, /, *, max_examples: int = MAX_EXAMPLES) -> None:
    """A schema the API takes. With ``strict`` it conforms, or :class:`StrictSchemaError` names the path that can't."""

    def look(trial: Trial, value: tuple[dict[str, Any], bool]) -> None:
        source, strict = value
        schema = trial.call(seam, source, strict, allowed=(StrictSchemaError,) if strict else ())
        if isinstance(schema, StrictSchemaError):
            return
        schema = trial.mapping(schema)
        if strict:
            _conforms(trial, schema, schema)
        declared = {"type": "function", "name": "lookup", "description": "", "parameters": schema, "strict": strict}
        trial.accepted(schema, OPTIONS.endpoint, tools=[declared])

    named = st.dictionaries(st.sampled_from(("q", "n", "all")), st.sampled_from(SCHEMAS[1:5]), max_size=2)
    made = named.map(lambda properties: {"type": "object", "properties": properties})
    inputs = st.tuples(st.sampled_from(SCHEMAS) | made, st.booleans())
    always = [(schema, strict) for schema in SCHEMAS for strict in (False, True)]
    examine("json_schema", seam, inputs, look, max_examples=max_examples, always=always)


def _conforms(trial: Trial, schema: Any, whole: object) -> None:
    """Every object closed, every property required."""
    if is_array(schema):
        for one in schema:
            _conforms(trial, one, whole)
    if not is_mapping(schema):
        return
    properties = schema.get("properties")
    if schema.get("type") == "object" and is_mapping(properties):
        required: set[Any] = set(schema.get("required") or ())
        trial.expect(schema.get("additionalProperties") is False, "every object closed where strict", whole)
        trial.expect(required == set(properties), "every property required where strict", whole)
    for one in schema.values():
        _conforms(trial, one, whole)


def check_tool_declarations(seam: ToolDeclarations, /, *, max_examples: int = MAX_EXAMPLES) -> None:
    """Functions that the API takes, ``strict`` written out, visible tools only; None without any, never ``[]``."""

    def look(trial: Trial, value: tuple[ToolRegistry, RenderOptions]) -> None:
        tools, options = value
        visible = {tool.name for tool in tools.visible()}
        made = trial.call(seam, tools, options)
        if made is None:
            return
        declared = trial.mappings(made)
        trial.expect(bool(declared), "None without tools, never an empty list", declared)
        names = [one.get("name") for one in declared]
        trial.expect(set(names) <= visible, f"visible tools only ({', '.join(sorted(visible))})", names)
        trial.expect(len(names) == len(set(names)), "each tool once", names)
        written = all(isinstance(one.get("strict"), bool) for one in declared)
        trial.expect(written, "'strict' written out: the API takes its absence for true", declared)
        trial.accepted(declared, options.endpoint, tools=declared)

    schemas = st.sampled_from(SCHEMAS)
    registries = st.lists(clean(given.tools(input_schema=schemas)), max_size=3, unique_by=lambda tool: tool.name)
    hidden = st.builds(_registry, registries, st.booleans())
    lookup = Tool(name="lookup", description="Finds.", input_schema={})
    always = [ToolRegistry([]), ToolRegistry([lookup]), ToolRegistry([lookup]).hide("lookup")]
    examine(
        "tool_declarations",
        seam,
        st.tuples(hidden, st.just(OPTIONS)),
        look,
        max_examples=max_examples,
        always=[(registry, OPTIONS) for registry in always],
    )


def _registry(tools: Sequence[Tool], hide: bool) -> ToolRegistry:
    registry = AgentState(tools=tools).tools
    return registry.hide(tools[0].name) if tools and hide else registry


_REASONED: Final = attrs.evolve(
    THOUGHT,
    content="",
    replay_compatibility=REASONING_TAG,
    payload=ReasoningPayload(
        item={
            "type": "reasoning",
            "id": "rs_1",
            "summary": [],
            "encrypted_content": "gAAAA-one",
            "status": "completed",
        },
        prefix_fingerprint="",
    ),
)


def check_reasoning_item(seam: ReasoningItem, /, *, max_examples: int = MAX_EXAMPLES) -> None:
    """A reasoning item without id that the API takes, made anew each time and with the encrypted part of its thought.

    None for what can't be replayed: another payload, a tag that is not listed, another mode, withheld, nothing
    encrypted.
    """

    def look(trial: Trial, value: tuple[Thought, BuildContext]) -> None:
        thought, context = value
        item = trial.call(seam, thought, context)
        options = context.options
        encrypted = thought.payload.item.get("encrypted_content") if is_reasoning(thought.payload) else None
        replayed = bool(
            encrypted
            and thought.withheld is None
            and options.reasoning_replay == "encrypted"
            and thought.replay_compatibility in options.replay_compatibility
        )
        if item is None:
            trial.expect(thought is not _REASONED or not replayed, "the item of a thought that can be replayed", item)
            return
        item = trial.mapping(item)
        trial.expect(replayed, "None for a thought that can't be replayed", item)
        head = item.get("type"), "id" in item
        trial.expect(head == ("reasoning", False), "a reasoning item without id", item)
        trial.expect(item.get("encrypted_content") == encrypted, "the encrypted part as it came", item)
        if item is trial.once(seam, thought, context):
            trial.fail("an item made anew at each call: the pipeline sets ids on it", item)
        follower = {"type": "message", "role": "assistant", "content": "so"}
        endpoint = options.endpoint
        if endpoint.ids != "always":
            trial.accepted(item, endpoint, input=[item, follower], include=["reasoning.encrypted_content"])

    inputs = st.tuples(clean(given.thoughts()), contexts())
    off = BuildContext(attrs.evolve(OPTIONS, reasoning_replay="off"))
    unlisted = BuildContext(attrs.evolve(OPTIONS, replay_compatibility=()))
    withheld = attrs.evolve(_REASONED, withheld="prefix_mismatch")
    always = [(_REASONED, CONTEXT), (_REASONED, off), (_REASONED, unlisted), (withheld, CONTEXT), (THOUGHT, CONTEXT)]
    examine("reasoning_item", seam, inputs, look, max_examples=max_examples, always=always)


_MESSAGE_ID: Final = re.compile(r"msg_[A-Za-z0-9_-]{1,60}\Z")
_CALL_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")
_CALL_ITEM_ID: Final = re.compile(r"fc_[A-Za-z0-9_-]{1,61}\Z")


def check_item_ids(seam: ItemIds, /, *, max_examples: int = MAX_EXAMPLES) -> None:
    """Ids of the form that the API takes, or None; call ids of calls that differ in theirs differ when sent."""

    def own(trial: Trial, value: object, pattern: re.Pattern[str], form: str) -> None:
        if value is not None:
            trial.expect(
                isinstance(value, str) and bool(pattern.match(value)), f"None, or an id of the form {form}", value
            )

    def look(trial: Trial, value: tuple[Message, Sequence[ToolCall], ProviderItem]) -> None:
        message, calls, provider_item = value
        own(trial, trial.call(seam.message_id, message), _MESSAGE_ID, "msg_… (64 characters at most)")
        sent: dict[str, str] = {}
        for call in calls:
            ids = trial.call(seam.call_ids, call)
            if not isinstance(ids, CallIds):
                trial.fail("a CallIds", ids)
            trial.expect(bool(_CALL_ID.match(ids.call_id)), "a call id of 1 to 64 letters, digits, '_' and '-'", ids)
            own(trial, ids.item_id, _CALL_ITEM_ID, "fc_… (64 characters at most)")
            original = sent.setdefault(ids.call_id, call_part(call.id))
            trial.expect(original == call_part(call.id), f"another call id than that of {original!r}", ids)
        for thing in (message, *calls, provider_item):
            found = trial.call(seam.provider_id, thing)
            trial.expect(found is None or isinstance(found, str), "None, or the provider's id", found)

    inputs = st.tuples(
        clean(given.messages()), st.lists(clean(given.tool_calls()), max_size=3), clean(given.provider_items())
    )
    meeting = ("a b", "a_b", "a!b", "call_1|fc_1", "x" * 70, "x" * 71, "é")
    calls = [attrs.evolve(CALL, id=one) for one in meeting]
    item: Mapping[str, Any] = {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {}}
    search = ProviderItem(item=item, created_at=given.BASE_TIME)
    odd = attrs.evolve(OWN, id="msg_" + "x" * 80)
    always = [(one, calls, search) for one in (OWN, MESSAGE, odd)]
    examine("item_ids", seam, inputs, look, max_examples=max_examples, always=always)
