"""Conversations with every shape of output, carried on turn by turn: said, built, answered, ingested, completed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import attrs
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from seamwright import AgentState, AssembledInput, Ingested, Message, ProviderItem, RenderOptions
from seamwright.model.knowledge import Memory, Retrievable
from seamwright.model.tools import Tool
from seamwright.pipeline.pipeline import Pipeline
from seamwright_containers import responses_pipeline

Item = dict[str, Any]

BEGIN: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)
TURN: Final = timedelta(minutes=1)

# --- output items: each a function of a key that stands in its ids and texts


def _message(key: str, *content: Item, **fields: Any) -> Item:
    whole = {"type": "message", "id": f"msg_{key}", "role": "assistant", "status": "completed", "content": [*content]}
    return {**whole, **fields}


def _text(text: str, *annotations: Item) -> Item:
    return {"type": "output_text", "text": text, "annotations": [*annotations], "logprobs": []}


def _refusal(text: str) -> Item:
    return {"type": "refusal", "refusal": text}


def _reasoning(key: str, **fields: Any) -> Item:
    own = {"type": "reasoning", "id": f"rs_{key}", "summary": [], "encrypted_content": f"gAAAA{key}"}
    return {name: value for name, value in {**own, **fields}.items() if value is not None}


def _summary(*texts: str) -> list[Item]:
    return [{"type": "summary_text", "text": text} for text in texts]


def _call(key: str, **fields: Any) -> Item:
    own = {
        "type": "function_call",
        "id": f"fc_{key}",
        "call_id": f"call_{key}",
        "name": "lookup",
        "arguments": f'{{"q": "{key}"}}',
        "status": "completed",
    }
    return {**own, **fields}


def _hosted(kind: str, prefix: str, **fields: Any) -> Callable[[str], Item]:
    def make(key: str) -> Item:
        return {"type": kind, "id": f"{prefix}_{key}", **{name: _filled(value, key) for name, value in fields.items()}}

    return make


def _filled(value: Any, key: str) -> Any:
    return value.replace("KEY", key) if isinstance(value, str) else value


_CALL_ID: Final = "call_KEY"
_DONE: Final = "completed"

ITEMS: Final[Mapping[str, Callable[[str], Item]]] = {
    "reasoning": _reasoning,
    "reasoning with summaries": lambda key: _reasoning(key, summary=_summary(f"one {key}", "two"), status="completed"),
    "reasoning with text": lambda key: _reasoning(key, content=[{"type": "reasoning_text", "text": f"so {key}"}]),
    "reasoning without its part": lambda key: _reasoning(key, encrypted_content=None, summary=_summary(f"bare {key}")),
    "reasoning under an odd id": lambda key: _reasoning(key, id=f"odd id {key}"),
    "reasoning without an id": lambda key: _reasoning(key, id=None),
    "message": lambda key: _message(key, _text(f"answer {key}")),
    "message of two parts": lambda key: _message(key, _text(f"one {key} "), _text("two"), phase="commentary"),
    "message with notes": lambda key: _message(
        key, _text(f"see {key}", {"type": "url_citation", "url": "https://a.b"})
    ),
    "refusal": lambda key: _message(key, _refusal(f"no {key}")),
    "text and refusal": lambda key: _message(key, _text(f"well {key}"), _refusal("no")),
    "empty message": _message,
    "empty text": lambda key: _message(key, _text("")),
    "call": _call,
    "call under a namespace": lambda key: _call(
        key, namespace="maps", caller={"type": "program", "call_id": f"p_{key}"}
    ),
    "call with an odd id": lambda key: _call(key, call_id=f"call:{key}", name="odd name!"),
    "custom call": _hosted("custom_tool_call", "ctc", call_id=_CALL_ID, name="shell", input="ls KEY"),
    "web search": _hosted("web_search_call", "ws", status=_DONE, action={"type": "search", "query": "parcel"}),
    "file search": _hosted("file_search_call", "fs", status=_DONE, queries=["parcel"], results=None),
    "code": _hosted("code_interpreter_call", "ci", status=_DONE, code="1 + 1 # KEY", container_id="c", outputs=[]),
    "image": _hosted("image_generation_call", "ig", status=_DONE, result="aGk="),
    "hosted tools": _hosted("mcp_list_tools", "mcpl", server_label="files", tools=[]),
    "hosted call": _hosted("mcp_call", "mcp", server_label="files", name="read", arguments="{}", output="KEY"),
    "approval": _hosted("mcp_approval_request", "mcpr", server_label="files", name="read", arguments="{}"),
    "computer": _hosted(
        "computer_call", "cu", call_id=_CALL_ID, status=_DONE, action={"type": "wait"}, pending_safety_checks=[]
    ),
    "local shell": _hosted(
        "local_shell_call", "lsh", call_id=_CALL_ID, status=_DONE, action={"type": "exec", "command": ["ls"], "env": {}}
    ),
    "shell": _hosted("shell_call", "sh", call_id=_CALL_ID, status=_DONE, action={"commands": ["ls"]}),
    "patch": _hosted(
        "apply_patch_call", "apc", call_id=_CALL_ID, status=_DONE, operation={"type": "delete_file", "path": "a"}
    ),
    "tool search": _hosted("tool_search_call", "tsc", arguments={"goal": "mail"}, status=_DONE, execution="server"),
    "tools found": _hosted("tool_search_output", "tso", call_id=None, tools=[], status=_DONE, execution="server"),
    "compaction": _hosted("compaction", "cmp", encrypted_content="gAAAAcKEY"),
    "of next year": _hosted("an_item_of_next_year", "new", anything={"at": ["all"]}),
}
"""Every shape of output item by a name."""

REASONING: Final = tuple(name for name in ITEMS if name.startswith("reasoning"))
SOUND_REASONING: Final = REASONING[:3]
OUTPUTS: Final = tuple(name for name in ITEMS if name not in REASONING)
ANSWERING: Final = ("tools found",)
NEED_IDS: Final = (
    "web_search_call",
    "file_search_call",
    "code_interpreter_call",
    "image_generation_call",
    "mcp_list_tools",
    "mcp_call",
    "mcp_approval_request",
    "computer_call",
    "local_shell_call",
)
"""Types that are left out where no ids are sent, written down here a second time."""

_ANSWERS: Final[Mapping[str, Callable[[Item], Item]]] = {
    "custom_tool_call": lambda call: {"call_id": call["call_id"], "output": "total 0"},
    "computer_call": lambda call: {
        "call_id": call["call_id"],
        "output": {"type": "computer_screenshot", "file_id": "file-1"},
    },
    "local_shell_call": lambda call: {"id": call["call_id"], "output": "total 0"},
    "shell_call": lambda call: {"call_id": call["call_id"], "output": []},
    "apply_patch_call": lambda call: {"call_id": call["call_id"], "status": "completed"},
    "mcp_approval_request": lambda call: {"approval_request_id": call["id"], "approve": True},
}


def answer_to(call: Item) -> Item | None:
    """What a host gives to a call that is no function call; None when nothing is asked of it."""
    make = _ANSWERS.get(call["type"])
    kind = "mcp_approval_response" if call["type"] == "mcp_approval_request" else f"{call['type']}_output"
    return None if make is None else {"type": kind, **make(call)}


# --- shapes of conversations


@attrs.frozen
class Shape:
    """One turn: who speaks before it, what comes out (names of :data:`ITEMS`), and how it ends."""

    speaker: str
    output: tuple[str, ...]
    end: str = "completed"


ENDS: Final = ("completed", "completed", "completed", "cut", "filtered")


def _stretches(reasoning: Sequence[str], outputs: Sequence[str]) -> SearchStrategy[tuple[str, ...]]:
    """Reasoning that leads to something, again and again."""
    thinking = st.lists(st.sampled_from(reasoning), max_size=2)
    led_to = st.lists(st.sampled_from(outputs), min_size=1, max_size=3)
    stretch = st.tuples(thinking, led_to).map(lambda pair: (*pair[0], *pair[1]))
    return st.lists(stretch, min_size=1, max_size=3).map(
        lambda stretches: tuple(name for one in stretches for name in one)
    )


def shapes(
    reasoning: Sequence[str] = REASONING, outputs: Sequence[str] = OUTPUTS, ends: Sequence[str] = ENDS
) -> SearchStrategy[Shape]:
    """Turns of any shape; with the defaults some hold reasoning that can't go back."""
    output = _stretches(reasoning, outputs) | st.lists(st.sampled_from((*reasoning, *outputs)), max_size=4).map(tuple)
    return st.builds(Shape, st.sampled_from(("user", "user", "peer", "nobody")), output, st.sampled_from(ends))


def sound_shapes() -> SearchStrategy[Shape]:
    """Turns whose reasoning leads to something, and so goes back whatever the profile."""
    followers = [name for name in OUTPUTS if name not in ANSWERING and ITEMS[name]("k")["type"] not in NEED_IDS]
    output = _stretches(SOUND_REASONING, followers)
    return st.builds(Shape, st.sampled_from(("user", "peer", "nobody")), output)


def conversation_shapes(turn: SearchStrategy[Shape], max_turns: int = 30) -> SearchStrategy[list[Shape]]:
    """Up to *max_turns* turns."""
    return st.lists(turn, min_size=1, max_size=max_turns)


def response_of(shape: Shape, key: str) -> Item:
    """The response of a turn. One that was cut has its last item unfinished."""
    output = [ITEMS[name](f"{key}x{index}") for index, name in enumerate(shape.output)]
    response = {"id": f"resp_{key}", "object": "response", "model": "gpt-test", "status": "completed", "output": output}
    if shape.end == "completed":
        return response
    if output and "status" in output[-1]:
        output[-1]["status"] = "incomplete"
    reason = "content_filter" if shape.end == "filtered" else "max_output_tokens"
    return {**response, "status": "incomplete", "incomplete_details": {"reason": reason}}


# --- carrying one on

START: Final = AgentState(
    system_prompt="Be brief.",
    standing_instructions=["Never guess."],
    memories=[Memory(id="m1", content="Prefers tea.", created_at=BEGIN)],
    retrievables=[Retrievable(id="r1", content="Opening hours: 9 to 5.", trust_tier="third-party-public")],
    tools=[Tool(name="lookup", description="Looks up", input_schema={"type": "object", "properties": {}})],
    provider_tools=[{"type": "web_search"}],
)


@attrs.define
class Conversation:
    """A conversation so far, with every request that was built on the way."""

    options: RenderOptions
    pipeline: Pipeline = attrs.field(factory=responses_pipeline)
    state: AgentState = START
    requests: list[AssembledInput] = attrs.field(factory=list[AssembledInput])
    ingested: list[Ingested] = attrs.field(factory=list[Ingested])

    def __attrs_post_init__(self) -> None:
        self.pipeline = attrs.evolve(self.pipeline, seams=attrs.evolve(self.pipeline.seams, clock=self.now))

    def now(self) -> datetime:
        return BEGIN + TURN * len(self.requests) - timedelta(seconds=20)

    @property
    def key(self) -> str:
        """The number of the turn that is on, as it stands in ids."""
        return f"t{len(self.ingested)}"

    def say(self, speaker: str) -> None:
        if speaker == "nobody" and self.state.messages:
            return
        number = len(self.ingested)
        said = Message(
            id=f"said_{number}",
            role="assistant" if speaker == "peer" else "user",
            identity="peer" if speaker == "peer" else "user",
            content=f"question {number}",
            created_at=BEGIN + TURN * number,
        )
        self.state = attrs.evolve(self.state, messages=(*self.state.messages, said))

    def build(self) -> AssembledInput:
        self.requests.append(self.pipeline.build_sync(self.state, self.options))
        return self.requests[-1]

    def take(self, response: object) -> Ingested:
        """Ingests the answer to the last request."""
        self.ingested.append(self.pipeline.ingest(response, self.requests[-1], self.state))
        self.state = self.state.extend(self.ingested[-1])
        return self.ingested[-1]

    def answer(self) -> None:
        """Gives every call of the last response what it waits for, function calls in reverse order."""
        last = self.ingested[-1]
        for call in reversed(last.tool_calls):
            self.state = self.state.complete(call.id, f"result of {call.id}")
        answers = [made for item in last.provider_items if (made := answer_to(dict(item.item))) is not None]
        at = BEGIN + TURN * len(self.ingested) - timedelta(seconds=5)
        things = [ProviderItem(item=made, created_at=at) for made in answers]
        self.state = attrs.evolve(self.state, provider_items=(*self.state.provider_items, *things))

    def turn(self, shape: Shape) -> None:
        """A whole turn."""
        self.say(shape.speaker)
        key = self.key
        self.build()
        self.take(response_of(shape, key))
        self.answer()


def carried(shapes: Sequence[Shape], options: RenderOptions, pipeline: Pipeline | None = None) -> Conversation:
    """A conversation of these turns, and a last request behind them."""
    conversation = Conversation(options, pipeline or responses_pipeline())
    for shape in shapes:
        conversation.turn(shape)
    conversation.say("user")
    conversation.build()
    return conversation


def reasoning_in(request: AssembledInput) -> list[str]:
    """What of reasoning is sent: encrypted parts, in order."""
    return [item["encrypted_content"] for item in request.input if item["type"] == "reasoning"]


def option_choices(**fixed: Any) -> SearchStrategy[RenderOptions]:
    """Options under which reasoning is replayed: all channels, bucket orders, profiles."""
    buckets = st.permutations(("standing_instructions", "memories", "retrievables", "timeline"))
    choices: dict[str, SearchStrategy[Any]] = {
        "model": st.just("gpt-test"),
        "bucket_order": buckets.map(tuple),
        "system_prompt_channel": st.sampled_from(("instructions", "developer-item", "system-item")),
        "endpoint": st.sampled_from(("openai", "azure", "foundry", "codex", "compatible")),
        "thought_surfacing": st.sampled_from(("all-self", "all")),
    }
    return st.builds(RenderOptions, **{**choices, **{name: st.just(value) for name, value in fixed.items()}})
