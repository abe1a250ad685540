"""Items as a provider gives them: one by one, as the output of a response, and turn by turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import attrs
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from seamwright.model.message import Message
from seamwright.testing.strategies.words import BASE_TIME, ids, texts

Item = dict[str, Any]


def reasoning_items() -> SearchStrategy[Item]:
    """Reasoning items as a provider gives them, some without an id that may be sent or without their encrypted part."""
    optional = {"encrypted_content": st.sampled_from(("gAAAA-one", "gAAAA-two", "")), "status": st.just("completed")}
    summaries = st.lists(st.fixed_dictionaries({"type": st.just("summary_text"), "text": texts()}), max_size=1)
    required = {"type": st.just("reasoning"), "id": st.sampled_from(("rs_1", "rs_2", "odd id")), "summary": summaries}
    return st.fixed_dictionaries(required, optional=optional)


_PROVIDER_ITEMS: Final[tuple[Mapping[str, Any], ...]] = (
    {"type": "web_search_call", "status": "completed", "action": {"type": "search", "query": "parcel"}},
    {"type": "file_search_call", "status": "completed", "queries": ["parcel"], "results": None},
    {"type": "code_interpreter_call", "status": "completed", "code": "1 + 1", "container_id": "c", "outputs": []},
    {"type": "image_generation_call", "status": "completed", "result": "aGk="},
    {"type": "mcp_list_tools", "server_label": "files", "tools": []},
    {"type": "mcp_call", "server_label": "files", "name": "read", "arguments": "{}", "output": "hello"},
    {"type": "mcp_approval_request", "server_label": "files", "name": "read", "arguments": "{}"},
    {"type": "computer_call", "call_id": "", "status": "completed", "action": {"type": "wait"}},
    {"type": "local_shell_call", "call_id": "", "status": "completed", "action": {"type": "exec", "command": ["ls"]}},
    {"type": "shell_call", "call_id": "", "status": "completed", "action": {"commands": ["ls"]}},
    {"type": "apply_patch_call", "call_id": "", "status": "completed", "operation": {"type": "delete_file"}},
    {"type": "custom_tool_call", "call_id": "", "name": "shell", "input": "ls -la"},
    {"type": "tool_search_call", "call_id": None, "arguments": {"goal": "mail"}, "status": "completed"},
    {"type": "program", "call_id": "", "code": "1 + 1"},
    {"type": "compaction", "encrypted_content": "gAAAA-all"},
    {"type": "message", "role": "assistant", "status": "completed", "content": []},
    {"type": "an_item_of_next_year", "anything": {"at": ["all"]}},
)
_PROVIDER_ANSWERS: Final[tuple[Mapping[str, Any], ...]] = (
    {"type": "computer_call_output", "call_id": "", "output": {"type": "computer_screenshot", "file_id": "file-1"}},
    {"type": "shell_call_output", "call_id": "", "output": []},
    {"type": "apply_patch_call_output", "call_id": "", "status": "completed"},
    {"type": "custom_tool_call_output", "call_id": "", "output": "total 0"},
    {"type": "program_output", "call_id": "", "result": "2", "status": "completed"},
    {"type": "tool_search_output", "call_id": None, "tools": [], "status": "completed"},
    {"type": "local_shell_call_output", "id": "", "output": "total 0"},
    {"type": "mcp_approval_response", "approval_request_id": "", "approve": True},
)
_CALL_IDS: Final = ("call_1", "call_2", "call_3", "odd call", "c" * 70)


@st.composite
def provider_mappings(draw: DrawFn) -> Item:
    """The mapping of any provider item: hosted calls, custom calls, answers to both, types not known yet."""
    item = dict(draw(st.sampled_from(_PROVIDER_ITEMS) | st.sampled_from(_PROVIDER_ANSWERS)))
    for key in ("call_id", "approval_request_id"):
        if item.get(key) == "":
            item[key] = draw(st.sampled_from(_CALL_IDS))
    prefix = {"message": "msg", "custom_tool_call": "ctc"}.get(item["type"], "x")
    numbered = st.integers(0, 20).map(lambda number: f"{prefix}_{number}")
    if (own := draw(st.none() | numbered | ids() | st.sampled_from(_CALL_IDS))) is not None:
        item["id"] = own
    return item


# --- conversations: what a provider answers, each id and each text of its own


@attrs.frozen(kw_only=True)
class Turn:
    """One turn: what was said before it, the response, and what the host then gives to the calls in it.

    ``response`` is a completed Responses object as its dict, taken in at ``answered_at``. ``results`` are texts by the
    ``call_id`` of function calls and custom tool calls.
    """

    said: tuple[Message, ...]
    response: Mapping[str, Any]
    answered_at: datetime
    results: Mapping[str, str]


_OUTPUTS: Final[Mapping[str, Callable[[str], Item]]] = {
    "message": lambda key: {
        "type": "message",
        "id": f"msg_{key}",
        "role": "assistant",
        "status": "completed",
        "content": [{"type": "output_text", "text": f"answer {key}", "annotations": []}],
    },
    # The annotation says which one it is where its id is not sent.
    "empty message": lambda key: {
        "type": "message",
        "id": f"msg_{key}",
        "role": "assistant",
        "status": "completed",
        "content": [
            {
                "type": "output_text",
                "text": "",
                "annotations": [{"type": "file_path", "file_id": f"file-{key}", "index": 0}],
            }
        ],
    },
    "call": lambda key: {
        "type": "function_call",
        "id": f"fc_{key}",
        "call_id": f"call_{key}",
        "name": "lookup",
        "arguments": f'{{"q":"{key}"}}',
        "status": "completed",
    },
    "custom": lambda key: {
        "type": "custom_tool_call",
        "id": f"ctc_{key}",
        "call_id": f"call_{key}",
        "name": "shell",
        "input": f"ls {key}",
    },
    "search": lambda key: {
        "type": "web_search_call",
        "id": f"ws_{key}",
        "status": "completed",
        "action": {"type": "search", "query": f"query {key}"},
    },
    "compaction": lambda key: {"type": "compaction", "id": f"cmp_{key}", "encrypted_content": f"gAAAA-{key}"},
}


def _reasoning(key: str, odd: bool) -> dict[str, Any]:
    own = "odd id" if odd else f"rs_{key}"
    return {"type": "reasoning", "id": own, "summary": [], "encrypted_content": f"gAAAA-{key}"}


@st.composite
def _outputs(draw: DrawFn, key: str, kinds: Sequence[str]) -> list[Item]:
    """Reasoning before one or several outputs, again and again; rarely one that leads to nothing or has an odd id."""
    stretch = st.tuples(st.sampled_from((1, 1, 0, 2)), st.lists(st.sampled_from(kinds), min_size=1, max_size=2))
    shape: list[str] = []
    for count, led_to in draw(st.lists(stretch, min_size=1, max_size=3)):
        shape += ["reasoning"] * count + led_to
    rare = draw(st.integers(0, 11))
    if rare == 0:
        shape.append("reasoning")
    items: list[Item] = []
    for index, kind in enumerate(shape):
        own = f"{key}_{index}"
        items.append(_reasoning(own, odd=rare == index + 1) if kind == "reasoning" else _OUTPUTS[kind](own))
    return items


def _response(key: str, output: list[Item]) -> dict[str, Any]:
    return {"id": f"resp_{key}", "object": "response", "model": "gpt-test", "status": "completed", "output": output}


def responses(key: str = "1", kinds: Sequence[str] = tuple(_OUTPUTS)) -> SearchStrategy[Item]:
    """Completed responses. ``key`` stands in every id and text; ``kinds`` are the outputs besides reasoning."""
    return _outputs(key, kinds).map(lambda output: _response(key, output))


def _said(number: int, at: datetime) -> dict[str, Message]:
    user = Message(id=f"user_{number}", role="user", content=f"question {number}", created_at=at)
    peer = Message(id=f"peer_{number}", role="assistant", identity="peer", content=f"aside {number}", created_at=at)
    return {"user": user, "peer": peer}


@st.composite
def conversations(
    draw: DrawFn, *, min_turns: int = 1, max_turns: int = 4, kinds: Sequence[str] = tuple(_OUTPUTS)
) -> tuple[Turn, ...]:
    """Turns of one conversation, a minute each, to be ingested one after the other.

    All ids and texts are unique. ``kinds`` (of ``message``, ``empty message``, ``call``, ``custom``, ``search``,
    ``compaction``) are the outputs besides reasoning. A turn that follows tool calls may begin without anything said.
    """
    turns: list[Turn] = []
    for number in range(draw(st.integers(min_turns, max_turns))):
        begins = BASE_TIME + timedelta(minutes=number)
        silent = bool(turns) and bool(turns[-1].results) and draw(st.booleans())
        who = None if silent else draw(st.sampled_from(("user", "user", "peer")))
        response = draw(responses(str(number), kinds))
        calls = [item["call_id"] for item in response["output"] if "call_id" in item]
        turns.append(
            Turn(
                said=() if who is None else (_said(number, begins)[who],),
                response=response,
                answered_at=begins + timedelta(seconds=20),
                results={call_id: f"result of {call_id}" for call_id in calls},
            )
        )
    return tuple(turns)
