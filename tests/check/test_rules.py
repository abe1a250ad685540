"""Every rule: a body in which it finds something, at the right place and severity, and bodies in which it does not."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from check_bodies import (
    ENCRYPTED,
    JPEG,
    PDF,
    PNG,
    agent,
    answer,
    call,
    document,
    image,
    reasoning,
    rules,
    stateless,
    stored,
    text,
    tool,
    user,
)

from seamwright.check import RULES, Violation, check_request

Body = dict[str, Any]


class Case(NamedTuple):
    """A body, where the rule finds something in it, and how grave that is."""

    rule: str
    path: str
    body: Any
    severity: str = "error"
    endpoint: str = "openai"


def _search(**action: Any) -> Body:
    return {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": action}


def _computer(**more: Any) -> Body:
    return {
        "type": "computer_call",
        "id": "cu_1",
        "call_id": "call_1",
        "status": "completed",
        "pending_safety_checks": [],
        **more,
    }


def _screen(url: str = f"data:image/png;base64,{PNG}") -> Body:
    return {
        "type": "computer_call_output",
        "call_id": "call_1",
        "output": {"type": "computer_screenshot", "image_url": url},
    }


def _custom(**more: Any) -> Body:
    return {"type": "custom_tool_call", "call_id": "call_1", "name": "patch", "input": "x", **more}


def _shell(kind: str, **more: Any) -> Body:
    return {"type": kind, "call_id": "call_1", "action": {"commands": ["ls"]}, **more}


CUSTOM_ANSWER: Body = {"type": "custom_tool_call_output", "call_id": "call_1", "output": "x"}
STRICT = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": False}
LOOSE: Body = {
    "type": "object",
    "properties": {"a": {"type": "object", "properties": {}}},
    "required": ["a"],
    "additionalProperties": False,
}
PATCH: Body = {
    "type": "apply_patch_call",
    "call_id": "call_1",
    "status": "completed",
    "operation": {"type": "delete_file", "path": "a"},
}
LOCAL: Body = {
    "type": "local_shell_call",
    "id": "lsh_1",
    "call_id": "call_1",
    "status": "completed",
    "action": {"type": "exec", "command": ["ls"], "env": {}},
}

NOTED: Body = {
    "role": "assistant",
    "content": [
        {"type": "output_text", "text": "x", "annotations": [{"type": "file_path", "file_id": "f", "index": 0, "x": 1}]}
    ],
}

FOUND = [
    # what goes together
    Case("P1", "input[1]", stored(user(), reasoning(sealed=False), user())),
    Case("P1", "input[1]", stored(user(), reasoning(sealed=False))),
    Case("P1", "input[1]", stored(user(), reasoning(), agent())),
    Case("P1", "input[1]", stored(user(), reasoning(1, sealed=False), reasoning(2, sealed=False), agent(id="msg_1"))),
    Case("P1", "input[1]", stored(user(), reasoning(), {"type": "additional_tools", "role": "developer", "tools": []})),
    Case("P1", "input[1]", stored(user(), {"type": "item_reference", "id": "rs_1"}, call(), answer())),
    Case("P1", "input[1]", stateless(user(), reasoning(sealed=False), user())),
    Case("P1", "input[1]", stateless(user(), reasoning(), user()), "warning"),
    Case("P1", "input[0]", {"input": [reasoning(sealed=False)]}),
    Case("P2", "input[4].id", stored(user(), reasoning(sealed=False), call(id="fc_1"), answer(), agent(id="msg_1"))),
    Case("P2", "input[4].id", stored(user(), reasoning(), call(id="fc_1"), answer(), agent(id="msg_1")), "warning"),
    Case("P2", "input[2].id", stored(user(), reasoning(None), call(id="fc_1"), answer())),
    Case("P2", "input[2].id", stateless(user(), reasoning(None), call(id="fc_1"), answer()), "warning"),
    Case("P2", "input[1].id", stored(user(), call(id="fc_1"), answer()), "warning"),
    Case("P2", "input[1].id", stateless(user(), agent(id="msg_1")), "warning"),
    Case("P2", "input[3].id", stored(user(), reasoning(1), reasoning(2), call(id="fc_1"), answer()), "warning"),
    Case("P3", "input[1]", stateless(user(), call(), user())),
    Case("P3", "input[0]", stateless(_custom())),
    Case("P3", "input[0]", stateless(_shell("shell_call"))),
    Case("P3", "input[0]", stateless(LOCAL)),
    Case("P3", "input[0]", stateless(PATCH)),
    Case("P3", "input[0]", stateless(_computer())),
    Case(
        "P3",
        "input[0]",
        stateless(call(), {"type": "custom_tool_call_output", "call_id": "call_1", "output": "x"}),
        "warning",
    ),
    Case("P3", "input[0].id", {"previous_response_id": "resp_1", "input": [answer(id="fc_1")]}, "warning"),
    Case("P3", "input[0]", {"previous_response_id": "resp_1", "input": [_screen()]}, "warning"),
    Case("P4", "input[1]", stateless(user(), answer())),
    Case("P4", "input[0]", stateless(answer(), call())),
    Case("P4", "input[0]", stateless({"type": "custom_tool_call_output", "call_id": "call_1", "output": "x"})),
    Case("P4", "input[0]", stateless({"type": "local_shell_call_output", "id": "call_1", "output": "x"})),
    Case(
        "P4", "input[0]", stateless({"type": "mcp_approval_response", "approval_request_id": "mcpr_1", "approve": True})
    ),
    Case("P4", "input[0]", stateless({"type": "tool_search_output", "call_id": "call_1", "tools": []})),
    Case("P5", "input[2].id", stateless(user(), agent(id="msg_1"), agent("again", id="msg_1"))),
    Case("P5", "input[0].id", {"conversation": "conv_1", "input": [call(id="fc_1"), answer()]}, "warning"),
    Case("P6", "input[0].encrypted_content", stateless(reasoning(sealed=False), agent())),
    Case("P6", "input[0].encrypted_content", stateless(reasoning(sealed=False, encrypted_content=None), agent())),
    Case("P6", "input[0]", stateless({"type": "item_reference", "id": "msg_1"})),
    Case("P6", "input[0]", stateless({"id": "msg_1"})),
    Case("P6", "input[0].encrypted_content", {"input": [reasoning(sealed=False), agent()]}, "error", "codex"),
    Case("P6", "input[0].encrypted_content", {"input": [reasoning(sealed=False), agent()]}, "warning", "compatible"),
    Case("P6", "input[0].id", stateless(agent(id="msg_1")), "warning", "codex"),
    Case("P6", "input[0]", stored(reasoning(None, sealed=False), agent()), "warning"),
    Case(
        "P7", "input[0].encrypted_content", stateless(reasoning(encrypted_content="Work it out."), agent()), "warning"
    ),
    Case(
        "P7", "input[0].encrypted_content", stateless({"type": "compaction", "encrypted_content": "gAAAA B"}), "warning"
    ),
    Case("P7", "input[0].encrypted_content", stateless(reasoning(encrypted_content=5), agent()), "warning"),
    Case("P8", "input[0]", stateless(reasoning(), agent(), model="gpt-4.1"), "warning"),
    Case(
        "P9",
        "include",
        stateless(user(), model="gpt-5-chat-latest", include=["reasoning.encrypted_content"]),
        "warning",
    ),
    Case("P11", "input[2].call_id", stateless(call(), answer(), call(), answer()), "warning"),
    Case("P11", "input[2].call_id", stateless(call(), answer(), call(), answer()), "error", "compatible"),
    # ids
    Case("I1", "input[0].id", stateless(agent(id="rs_1"))),
    Case("I1", "input[0].id", stateless(call(id="__fake_id__"), answer())),
    Case("I1", "input[0].id", stateless(_custom(id="tool_9"), CUSTOM_ANSWER)),
    Case("I1", "input[0].id", stateless(reasoning(id="reasoning_content"), agent())),
    Case("I2", "input[0].id", stateless(agent(id="msg_" + "x" * 61))),
    Case("I3", "input[0].id", stateless(reasoning(id=""), agent())),
    Case("I3", "input[0].id", stateless(agent(id="msg_é"))),
    Case("I3", "input[0].id", stateless(agent(id=["msg_1"]))),
    Case("I4", "input[0].call_id", stateless({k: v for k, v in call().items() if k != "call_id"})),
    Case("I4", "input[0].call_id", stateless(call(call_id=""))),
    Case("I4", "input[0].call_id", stateless(answer(call_id="x" * 65))),
    Case("I4", "input[0].call_id", stateless(answer(call_id=7))),
    Case("I4", "input[0].call_id", stateless(call(call_id="a|b"), answer(call_id="a|b")), "warning"),
    Case("I4", "input[0].call_id", stateless({"type": "tool_search_call", "call_id": "", "arguments": {}})),
    Case("I4", "input[0].approval_request_id", stateless({"type": "mcp_approval_response", "approve": True})),
    Case(
        "I5", "input[0].id", stateless({"type": "web_search_call", "status": "completed", "action": {"type": "search"}})
    ),
    Case(
        "I5",
        "input[0].id",
        stateless({"type": "mcp_call", "id": None, "name": "n", "arguments": "{}", "server_label": "s"}),
    ),
    Case("I5", "input[0].id", stored({"type": "item_reference"})),
    Case("I5", "input[0].id", stored({})),
    Case("I5", "input[0].id", stateless(reasoning(None), agent()), "error", "azure"),
    Case(
        "I5",
        "input[0].id",
        stored({"type": "program_output", "call_id": "c", "result": "", "status": "completed"}),
        "warning",
    ),
    # fields
    Case("F1", "input[0].parsed_arguments", stateless(call(parsed_arguments=None), answer())),
    Case("F1", "input[0].content[0].cache_control", stateless(user({**text(), "cache_control": None}))),
    Case(
        "F1",
        "input[0].summary[0].index",
        stateless(reasoning(summary=[{"type": "summary_text", "text": "s", "index": 0}]), agent()),
    ),
    Case("F1", 'input[0]["odd key"]', stateless({**user(), "odd key": 1})),
    Case("F1", "input[0].when", stored({"id": "msg_1", "when": 1})),
    Case(
        "F1",
        "input[1].output.detail_level",
        stateless(_computer(), {**_screen(), "output": {**_screen()["output"], "detail_level": 1}}),
    ),
    Case("F1", "tools[0].function", stateless(user(), tools=[tool(function={})]), "warning"),
    Case("F2", "input[0].status", stateless(reasoning(status=None), agent())),
    Case("F2", "input[0].status", stateless({"role": "user", "status": "completed", "content": "hi"})),
    Case(
        "F2",
        "input[0].status",
        stateless({"type": "compaction", "encrypted_content": ENCRYPTED, "status": "completed"}),
    ),
    Case("F2", "input[0].status", stateless(agent(status="done")), "warning"),
    Case("F3", "input[0].summary", stateless({k: v for k, v in reasoning().items() if k != "summary"}, agent())),
    Case("F3", "input[0].summary", stateless(reasoning(summary="s"), agent())),
    Case("F4", "input[0].content", stateless(reasoning(content=[{"type": "reasoning_text", "text": "t"}]), agent())),
    Case("F4", "input[0].content", stateless(reasoning(content=None), agent()), "warning"),
    Case(
        "F4",
        "input[0].content",
        stateless(reasoning(content=[{"type": "reasoning_text", "text": "t"}]), agent()),
        "warning",
        "compatible",
    ),
    Case("F5", "input[0].action.query", stateless(_search(type="open_page", url="https://example.org", query=None))),
    Case("F5", "input[0].action.type", stateless(_search(query="x"))),
    Case("F5", "input[0].action", stateless({**_search(), "action": None})),
    Case("F5", "input[0].action", stateless({k: v for k, v in _search().items() if k != "action"}), "warning"),
    Case("F5", "input[0].action.type", stateless(_search(type="dance")), "warning"),
    Case(
        "F6",
        "input[0].size",
        stateless({"type": "image_generation_call", "id": "ig_1", "size": "1024x1024"}),
        "warning",
    ),
    Case("F7", "input[0].action", stateless(_computer(action={"type": "wait"}), _screen()), "warning"),
    Case("F7", "input[0].action", stateless(_computer(action={"type": "wait"}), _screen()), "error", "codex"),
    Case("F10", "input[1].output", stateless(call(), {"type": "function_call_output", "call_id": "call_1"})),
    Case("F10", "input[1].output", stateless(_shell("shell_call"), {"type": "shell_call_output", "call_id": "call_1"})),
    Case("F12", "input[0].encrypted_content", stateless({"type": "compaction", "id": "cmp_1"})),
    # messages
    Case("C1", "input[0].content[0].type", stateless({"role": "assistant", "content": [text()]})),
    Case("C1", "input[0].content[0].type", stateless(user({"type": "output_text", "text": "hi"}))),
    Case("C1", "input[0].content[0].type", stateless(user({"type": "summary_text", "text": "hi"}))),
    Case("C2", "input[0].role", stateless({"role": "tool", "content": "x"})),
    Case("C2", "input[0].role", stateless({"content": "x"})),
    Case("C2", "input[0].role", stateless({"type": "message", "role": ["user"], "content": "x"})),
    Case("C3", "input[0].content[0].type", stateless(user({"type": "text", "text": "x"}))),
    Case("C3", "input[0].content[0]", stateless({"role": "user", "content": ["x"]})),
    Case("C3", "input[0].content[0].type", stateless(user({"text": "x"}))),
    Case(
        "C3",
        "input[0].content[0].image_url",
        stateless(user({"type": "input_image", "image_url": {"url": "https://e.org"}})),
    ),
    Case("C3", "input[0].type", stateless({"type": 5})),
    Case("C3", "input[0].type", stateless(text())),
    Case("C3", "input[0].type", stateless({"type": "tool_result", "content": "x"})),
    Case("C3", "input[0].type", stateless({"type": "hologram_call", "id": "hc_1"}), "warning"),
    Case("C4", "input[0].content", stateless({"role": "assistant", "content": None})),
    Case("C4", "input[0].content", stateless({"role": "user"})),
    Case("C4", "input[0].content", stateless({"role": "user", "content": text()})),
    Case("C4", "input[0].content[0].text", stateless(user({"type": "input_text", "text": ["a"]}))),
    Case("C4", "input[0].content[0].refusal", stateless({"role": "assistant", "content": [{"type": "refusal"}]})),
    Case("C4", "input", {"input": 5}),
    Case("C4", "input[0]", stateless("hello")),
    Case("C5", "input[0].content", stateless({"role": "user", "content": ""}), "warning"),
    Case("C5", "input[0].content", stateless({"role": "user", "content": []}), "warning"),
    Case("C5", "input[0].content[0].text", stateless(user(text(""))), "warning"),
    Case("C5", "input", {"input": ""}, "warning"),
    # tools
    Case("T1", "tools[0].name", stateless(user(), tools=[tool("host.lookup")])),
    Case("T1", "tools[0].name", stateless(user(), tools=[tool("x" * 129)])),
    Case("T1", "tools[0].name", stateless(user(), tools=[tool("x" * 128)]), "warning"),
    Case("T1", "tools[0].name", stateless(user(), tools=[{"type": "function", "function": {"name": "lookup"}}])),
    Case("T1", "tools[1].name", stateless(user(), tools=[tool(), tool()])),
    Case("T1", "tools[1].name", stateless(user(), tools=[tool(), {"type": "custom", "name": "lookup"}]), "warning"),
    Case(
        "T1",
        "tools[0].tools[0].name",
        stateless(user(), tools=[{"type": "namespace", "name": "n", "tools": [tool("a.b")]}]),
    ),
    Case(
        "T1",
        "input[0].tools[0].name",
        stateless({"type": "additional_tools", "role": "developer", "tools": [tool("a.b")]}),
    ),
    Case("T2", "input[0].name", stateless(call(name="exec.command"), answer())),
    Case("T2", "input[0].name", stateless(call(name=None), answer())),
    Case("T2", "input[0].name", stateless(call(name="x" * 65), answer()), "warning"),
    Case(
        "T2",
        "input[0].name",
        stateless(_custom(name="a.b"), CUSTOM_ANSWER),
        "warning",
    ),
    Case(
        "T3",
        "tools[0].parameters.properties.a.additionalProperties",
        stateless(user(), tools=[tool(strict=True, parameters=LOOSE)]),
    ),
    Case(
        "T3",
        "tools[0].parameters.required",
        stateless(user(), tools=[tool(strict=True, parameters={**STRICT, "required": []})]),
    ),
    Case("T3", "tools[0].parameters", stateless(user(), tools=[tool(strict=True, parameters={})])),
    Case("T3", "tools[0].parameters", stateless(user(), tools=[tool(strict=True, parameters="x")])),
    Case("T3", "tools[0].parameters.additionalProperties", stateless(user(), tools=[tool(strict=None)]), "warning"),
    Case(
        "T3",
        "tools[0].parameters.oneOf",
        stateless(user(), tools=[tool(strict=True, parameters={**STRICT, "oneOf": []})]),
        "warning",
    ),
    Case(
        "T3",
        "text.format.schema.properties.a.additionalProperties",
        stateless(user(), text={"format": {"type": "json_schema", "name": "n", "strict": True, "schema": LOOSE}}),
    ),
    Case("T4", "tools", stateless(user(), tools=[tool(f"t{n}") for n in range(129)]), "warning"),
    Case("T4", "tools", stateless(user(), tools="x")),
    Case("T4", "tools[0]", stateless(user(), tools=["web_search"])),
    Case(
        "T4",
        "tools[0].parameters.properties.a",
        stateless(user(), tools=[tool(parameters={"properties": {"a": {"type": "array"}}})]),
        "warning",
    ),
    Case("T4", "tools[0].parameters.enum", stateless(user(), tools=[tool(parameters={"enum": []})]), "warning"),
    Case("T5", "input[0].arguments", stateless(call(arguments={"q": 1}), answer())),
    Case("T5", "input[0].arguments", stateless(call(arguments="{"), answer()), "warning"),
    Case("T5", "input[0].arguments", stateless({"type": "tool_search_call", "arguments": "{}"})),
    Case("T6", "top_p", stateless(user(), model="gpt-5.2", top_p=0.9), "warning"),
    Case("T6", "reasoning.summary", stateless(user(), reasoning={"summary": "none"}), "warning"),
    Case("T6", "reasoning", stateless(user(), model="gpt-4o", reasoning={"effort": "low"}), "warning"),
    Case("T6", "tools[0].type", stateless(user(), tools=[{"type": "computer_use_preview"}]), "warning"),
    Case("T6", "input[0].content[0]", stateless(user(image()), model="o3-mini"), "warning"),
    Case("T6", "input[0].content[0]", stateless(user(document()), model="gpt-3.5-turbo"), "warning"),
    Case("T7", "tools", stateless(user(), tools=[]), "warning"),
    Case("T4", "tools[0].parameters", stateless(user(), tools=[tool(parameters={})]), "warning"),
    Case("T6", "reasoning.effort", stateless(user(), model="gpt-5", reasoning={"effort": "none"}), "warning"),
    Case("T6", "tools[0].type", stateless(user(), model="gpt-4.1", tools=[{"type": "tool_search"}]), "warning"),
    Case("K1", "tool_choice", stateless(user(), tool_choice={"type": "function", "name": "lookup"}), "warning"),
    Case("F1", "input[0].content[0].annotations[0].x", stateless(NOTED), "warning"),
    Case("M2", "input[0].content[0].image_url", stateless(user(image(mime="text/plain")))),
    Case(
        "M3",
        "input[0].content[0].file_url",
        stateless(user({"type": "input_file", "file_url": "https://e.org/A.MP3?x"})),
        "warning",
    ),
    Case("M4", "input[1].output[0]", stateless(call(), answer(output=["x"]))),
    Case("P2", "input[1].id", stored(user(), agent(id="msg_1"), model="my-deployment"), "warning"),
    # media
    Case("M1", "input[0].content[0].image_url", stateless(user(image(mime="image/svg+xml")))),
    Case("M1", "input[0].content[0].image_url", stateless(user(image("bm90IGFuIGltYWdl")))),
    Case("M1", "input[0].content[0].image_url", stateless(user(image(JPEG)))),
    Case("M1", "input[0].content[0].image_url", stateless(user(image(JPEG, "image/jpg"))), "warning"),
    Case("M1", "input[1].output.image_url", stateless(_computer(), _screen("data:image/png;base64,AAAA"))),
    Case("M1", "input[1].output[0].image_url", stateless(call(), answer(output=[image("AAAA")]))),
    Case("M2", "input[0].content[0].image_url", stateless(user(image("")))),
    Case("M2", "input[0].content[0].image_url", stateless(user(image("@@@")))),
    Case("M2", "input[0].content[0].image_url", stateless(user(image(PNG[:-1])))),
    Case("M2", "input[0].content[0].image_url", stateless(user(image(PNG + "\n")))),
    Case("M2", "input[0].content[0].image_url", stateless(user({"type": "input_image", "image_url": PNG}))),
    Case(
        "M2", "input[0].content[0].image_url", stateless(user({"type": "input_image", "image_url": "data:image/png,x"}))
    ),
    Case("M2", "input[0].content[0].image_url", stateless(user({"type": "input_image", "detail": "auto"}))),
    Case("M2", "input[0].content[0].file_data", stateless(user(document("é")))),
    Case("M3", "input[0].content[0].file_data", stateless(user(document(mime="audio/mpeg")))),
    Case(
        "M3",
        "input[0].content[0].file_data",
        stateless(user({"type": "input_file", "filename": "a.pdf", "file_data": PDF})),
    ),
    Case("M3", "input[0].content[0].filename", stateless(user({**document(), "filename": ""}))),
    Case("M3", "input[0].content[0]", stateless(user({"type": "input_file", "filename": "a.pdf"}))),
    Case("M3", "input[0].content[0].file_data", stateless(user(document(mime="text/csv"))), "error", "azure"),
    Case(
        "M3", "input[0].content[0]", stateless(user({"type": "input_file", "file_id": "file_1"})), "error", "compatible"
    ),
    Case("M4", "input[1].output", stateless(call(), answer(output={"a": 1}))),
    Case("M4", "input[1].output", stateless(call(), answer(output=None))),
    Case("M4", "input[1].output[0].type", stateless(call(), answer(output=[{"type": "output_text", "text": "x"}]))),
    Case("M4", "input[1].output[0].type", stateless(call(), answer(output=[{"type": "text", "text": "x"}]))),
    Case("M4", "input[1].output", stateless(call(), answer(output=[text()])), "error", "compatible"),
    Case("M4", "input[1].output", stateless(_computer(), {**_screen(), "output": "x"})),
    Case(
        "M4",
        "input[1].output",
        stateless(_shell("shell_call"), {"type": "shell_call_output", "call_id": "call_1", "output": "x"}),
    ),
    Case("M4", "input[1].output", stateless(LOCAL, {"type": "local_shell_call_output", "id": "call_1", "output": 5})),
    Case("M5", "model", stateless(user(), model="gpt-audio"), "warning"),
    # lengths, the body, parameters
    Case("L1", "input[0].content", stateless({"role": "user", "content": "x" * 10_485_761})),
    Case(
        "L1",
        "input[0].content[0].image_url",
        stateless(user({"type": "input_image", "image_url": "https://" + "x" * 20_971_520})),
    ),
    Case("L2", "prompt_cache_key", stateless(user(), prompt_cache_key="x" * 65)),
    Case("L3", "instructions", stateless(user(), instructions="x" * 1_048_577)),
    Case(
        "L4",
        "input[0].content[0].prompt_cache_breakpoint",
        stateless(user({**text(), "prompt_cache_breakpoint": {"mode": "explicit"}})),
        "warning",
    ),
    Case(
        "L4",
        "input[0].prompt_cache_breakpoint",
        stateless({**user(), "prompt_cache_breakpoint": {"mode": "explicit"}}),
        "warning",
    ),
    Case("X1", "input[0].content", stateless({"role": "user", "content": "cut \ud83d"})),
    Case("X1", "temperature", stateless(user(), model="gpt-4o", temperature=float("nan"))),
    Case("X1", "top_p", stateless(user(), model="gpt-4o", top_p=float("inf"))),
    Case("X1", "input[0].content", stateless({"role": "user", "content": b"bytes"})),
    Case("X1", "", "{"),
    Case("X1", "", b"\xff"),
    Case("X1", "", [user()]),
    Case("X1", "", None),
    Case("K1", "max_output_tokens", stateless(user(), max_output_tokens=15), "warning"),
    Case("K1", "temperature", stateless(user(), temperature=-1), "warning"),
    Case("K1", "include[0]", stateless(user(), include=["everything"]), "warning"),
    Case("K1", "include", stateless(user(), include="everything"), "warning"),
    Case(
        "K1",
        "previous_response_id",
        {"input": [], "previous_response_id": "resp_1", "conversation": "conv_1"},
        "warning",
    ),
    Case("K1", "metadata", stateless(user(), metadata={str(n): "" for n in range(17)}), "warning"),
    Case("K1", "metadata.a", stateless(user(), metadata={"a": 1}), "warning"),
    Case("K1", "max_tokens", stateless(user(), max_tokens=5), "warning"),
    Case("K1", "store", {"input": "hi", "store": "no"}, "warning"),
    Case("K1", "model", {"input": "hi", "model": 5}, "warning"),
    Case("K1", "model", {"input": "hi"}, "warning"),
    Case("K1", "input", {"model": "gpt-5"}, "warning"),
    Case("K1", "safety_identifier", {"input": "hi", "safety_identifier": "x" * 65}, "warning"),
]

FINE = {
    "content of the assistant as a string": stateless({"role": "assistant", "content": "hello"}),
    "assistant without id, status, annotations": stateless(
        user(), {"role": "assistant", "content": [{"type": "output_text", "text": "x"}]}
    ),
    "reasoning without id": stateless(user(), reasoning(None), call(), answer()),
    "reasoning with id, follower without, stateless": stateless(user(), reasoning(), call(), answer()),
    "a whole stored group": stored(
        user(), reasoning(sealed=False), call(1, id="fc_1"), call(2, id="fc_2"), answer(1), answer(2)
    ),
    "a tool loop in one turn": stored(user(), reasoning(1), call(id="fc_1"), answer(), reasoning(2), agent(id="msg_1")),
    "a hosted search in between": stored(
        user(), reasoning(1), _search(type="search", query="x"), reasoning(2), agent(id="msg_1")
    ),
    "reasoning and its follower as references": stored(
        {"type": "item_reference", "id": "rs_1"}, {"type": "item_reference", "id": "msg_1"}
    ),
    "a call that is a reference": stored({"type": "item_reference", "id": "fc_1"}, answer()),
    "an output long after its call": stateless(call(), agent(), answer()),
    "outputs in another order": stateless(call(1), call(2), answer(2), answer(1)),
    "part lists under system": stateless({"role": "system", "content": [text()]}),
    "function_call.status null": stateless(call(status=None), answer()),
    "a function no longer declared": stateless(call(name="gone"), answer(), tools=[tool()]),
    "arguments empty": stateless(call(arguments=""), answer()),
    "tool search without call_id": stateless(
        {"type": "tool_search_call", "call_id": None, "arguments": {}, "execution": "server"}
    ),
    "a local shell answered by call_id": stateless(
        LOCAL, {"type": "local_shell_call_output", "id": "call_1", "output": "x"}
    ),
    "a local shell answered by id": stateless(LOCAL, {"type": "local_shell_call_output", "id": "lsh_1", "output": "x"}),
    "an approval": stateless(
        {"type": "mcp_approval_request", "id": "mcpr_1", "name": "n", "arguments": "{}", "server_label": "s"},
        {"type": "mcp_approval_response", "approval_request_id": "mcpr_1", "approve": True},
    ),
    "an output with parts": stateless(call(), answer(output=[text(), image(), document()])),
    "an output that continues a response": {"model": "gpt-5", "previous_response_id": "resp_1", "input": [answer()]},
    "images by URL and by id": stateless(
        user({"type": "input_image", "image_url": "https://e.org/a.png"}, {"type": "input_image", "file_id": "f"})
    ),
    "files by URL and by id": stateless(
        user({"type": "input_file", "file_url": "https://e.org/a.pdf"}, {"type": "input_file", "file_id": "f"})
    ),
    "a csv": stateless(user(document(mime="text/csv; charset=utf-8"))),
    "strict and conforming": stateless(user(), tools=[tool(strict=True, parameters=STRICT)]),
    "an unknown model": stateless(
        reasoning(), agent(), model="my-deployment", include=["reasoning.encrypted_content"], top_p=1
    ),
    "a breakpoint on a new model": stateless(
        user({**text(), "prompt_cache_breakpoint": {"mode": "explicit"}}), model="gpt-5.6"
    ),
    "sampling without thinking": stateless(user(), model="gpt-5.6", temperature=0.5, reasoning={"effort": "none"}),
    "input as a string": {"model": "gpt-5", "input": "hi"},
    "JSON text": '{"model": "gpt-5", "input": "hi"}',
    "JSON bytes with a mark": b'\xef\xbb\xbf{"model": "gpt-5", "input": "hi"}',
    "a string of the largest length": stateless({"role": "user", "content": "x" * 10_485_760}),
    "characters beyond the first plane": stateless({"role": "user", "content": "\U0001f600 é"}),
    "a message typed null": stateless({"type": None, "role": "user", "content": "x"}),
}


@pytest.mark.parametrize("case", [pytest.param(case, id=f"{case.rule}-{number}") for number, case in enumerate(FOUND)])
def test_found(case: Case) -> None:
    """The rule finds what is wrong, at its path, with its severity, and says what to do."""
    found = check_request(case.body, case.endpoint)
    at = [violation for violation in found if violation.rule == case.rule]
    assert (case.path, case.severity) in {(violation.path, violation.severity) for violation in at}
    assert all(violation.message and violation.hint for violation in found)


@pytest.mark.parametrize("body", [pytest.param(body, id=name) for name, body in FINE.items()])
def test_not_found(body: Any) -> None:
    """What is known to be accepted gives nothing at all."""
    assert check_request(body) == []


def test_every_rule_has_a_case() -> None:
    """Each rule that can be decided stands among the cases; none stands there that is not in the table."""
    decidable = {rule.id for rule in RULES if rule.severity}
    assert {case.rule for case in FOUND} == decidable


def test_no_case_shows_an_unrelated_error() -> None:
    """A case's error comes from its own rule, or from a rule that its breach brings with it."""
    brought: dict[str, set[str]] = {
        "C3": {"C4", "M2"},
        "F1": {"T1"},
        "I4": {"P3", "P4"},
        "I5": {"P1", "P4", "P6"},
        "M2": {"M1"},
        "M4": {"C3"},
        "P1": {"P6"},
        "P2": {"P1"},
        "P3": {"P4"},
        "P4": {"P3"},
        "P6": {"P1", "I5"},
        "X1": {"C4"},
    }
    for case in FOUND:
        errors = {
            violation.rule for violation in check_request(case.body, case.endpoint) if violation.severity == "error"
        }
        assert errors - {case.rule} <= brought.get(case.rule, set()), case


def test_violations_stand_in_the_order_of_the_body() -> None:
    """What is wrong with the request comes first, then tools, then items from first to last."""
    body = stateless(
        agent(id="rs_1"), call(), {"role": "tool", "content": "x"}, tools=[tool("a.b")], prompt_cache_key="x" * 65
    )
    places = [violation.path.partition(".")[0] for violation in check_request(body)]
    assert list(dict.fromkeys(places)) == ["prompt_cache_key", "tools[0]", "input[0]", "input[1]", "input[2]"]


def test_a_violation_reads_well() -> None:
    """A violation says severity, rule, place and problem."""
    assert str(Violation("I1", "error", "input[3].id", "odd", "drop it")) == "error I1 input[3].id: odd"
    assert str(Violation("X1", "error", "", "no object", "send one")) == "error X1 body: no object"


def test_rules_meet() -> None:
    """Several rules can find something in one item, and each says its own."""
    assert rules(check_request(stateless({"type": "reasoning", "id": "", "content": [{}]}, agent()))) >= {
        "F3",
        "F4",
        "I3",
        "P6",
    }


@pytest.mark.parametrize(
    ("body", "message", "hint"),
    [
        (None, "null; a body is an object", "Give one JSON object."),
        ([], "an array; a body is an object", "Give one JSON object."),
        (stored(user(), "text"), "a string; an item is an object", "Write a text as a message: "),
        ({"model": "m", "input": 5}, "a number; input is a string or an array of items", "Write a text as a message: "),
        (stored({"type": "messge"}), "'messge' is no item type this table knows (did you mean 'message'?)", "Spell "),
        (stored({"type": 5}), "5; a type is a string", "Spell the type as the API does"),
        (
            stored({"role": "user", "content": [{"type": "input_txt", "text": "x"}]}),
            "'input_txt' is no part type (did you mean 'input_text'?)",
            "Write input_text ",
        ),
    ],
)
def test_the_hint_fits_what_was_found(body: Any, message: str, hint: str) -> None:
    """A rule that several mistakes break does not answer all of them with the remedy of one."""
    found = [violation for violation in check_request(body) if violation.message == message]
    assert len(found) == 1
    assert found[0].hint.startswith(hint)


def test_a_long_type_is_not_compared() -> None:
    """Looking for the nearest name of a long text would take minutes."""
    (found,) = check_request(stored({"type": "message" * 1_000_000}))
    assert "did you mean" not in found.message
