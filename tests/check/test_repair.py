"""Repair: the smallest change that leaves no error, each change reported, nothing lost in silence."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from check_bodies import (
    ENCRYPTED,
    JPEG,
    PDF,
    PNG,
    SHARED,
    accepted,
    agent,
    answer,
    call,
    document,
    errors,
    image,
    reasoning,
    reports,
    stateless,
    stored,
    text,
    tool,
    user,
)

from seamwright.check import Change, check_request, repair_request
from seamwright.check.json_types import is_list, is_object
from seamwright.check.repair.text import NO_RESULT, ORPHAN, odd_form
from seamwright.errors import InvalidStateError

Body = dict[str, Any]


def texts(value: Any, path: str = "input") -> list[tuple[str, str]]:
    """Every (path, text) said by a user or a tool in the items of a body."""
    if is_list(value):
        return [found for index, inner in enumerate(value) for found in texts(inner, f"{path}[{index}]")]
    if not is_object(value):
        return []
    if value.get("type") == "reasoning":
        return []
    said = [(f"{path}.{key}", value[key]) for key in ("text", "output", "content") if isinstance(value.get(key), str)]
    inside = [found for key in ("content", "output") for found in texts(value.get(key), f"{path}.{key}")]
    return [found for found in (*said, *inside) if found[1]]


def unreported(body: Body, repaired: Body, changes: list[Change]) -> list[tuple[str, str]]:
    """Texts of the body that are nowhere in the repaired one and that no change speaks of."""
    kept = json.dumps(repaired)
    return [
        (path, said)
        for path, said in texts(body.get("input"))
        if json.dumps(said)[1:-1] not in kept and not any(c.path and path.startswith(c.path) for c in changes)
    ]


BAD = [r for r in reports() if errors(check_request(r["minimal_input"]))]
FINE = [r for r in reports() if not errors(check_request(r["minimal_input"]))]


@pytest.mark.parametrize("report", [pytest.param(r, id=f"{n}-{r['rule']}") for n, r in enumerate(BAD)])
@pytest.mark.parametrize("endpoint", ["openai", "azure", "compatible"])
def test_every_refused_report_is_repaired(report: Body, endpoint: str) -> None:
    """The repaired body has no error, a second repair changes nothing, the given body is untouched, every lost text is
    reported.
    """
    body = report["minimal_input"]
    before = copy.deepcopy(body)
    repaired, changes = repair_request(body, endpoint)
    assert errors(check_request(repaired, endpoint)) == []
    assert repair_request(repaired, endpoint) == (repaired, [])
    assert bool(changes) == bool(errors(check_request(body, endpoint)))
    assert body == before
    assert unreported(body, repaired, changes) == []


@pytest.mark.parametrize("report", [pytest.param(r, id=f"{n}-{r['rule']}") for n, r in enumerate(FINE)])
def test_a_body_without_errors_stays_as_it_is(report: Body) -> None:
    """Warnings are no reason to change anything."""
    assert repair_request(report["minimal_input"]) == (report["minimal_input"], [])


@pytest.mark.skipif(not (SHARED / "recorded").is_dir(), reason="the recordings are not here")
def test_accepted_requests_stay_as_they_are() -> None:
    """No recorded request that was accepted is changed."""
    for pair in accepted():
        endpoint = "azure" if pair["provider"] == "azure" else "openai"
        assert repair_request(pair["request"], endpoint) == (pair["request"], [])


def repaired_items(body: Any, endpoint: str = "openai") -> list[Body]:
    """The items after a repair that is sound and final."""
    repaired, changes = repair_request(body, endpoint)
    assert changes
    assert errors(check_request(repaired, endpoint)) == []
    assert repair_request(repaired, endpoint) == (repaired, [])
    items: list[Body] = repaired["input"]
    return items


ORPHANED = user(ORPHAN, "result")
NO_ANSWER = answer(output=NO_RESULT)
SHELL: Body = {"type": "shell_call", "call_id": "call_1", "action": {"commands": ["ls"]}}
LOCAL: Body = {"type": "local_shell_call", "id": "lsh_1", "call_id": "call_1", "status": "completed", "action": {}}
PATCH: Body = {"type": "apply_patch_call", "call_id": "call_1", "status": "completed", "operation": {}}
COMPUTER: Body = {
    "type": "computer_call",
    "id": "cu_1",
    "call_id": "call_1",
    "status": "completed",
    "pending_safety_checks": [],
}
SEARCH: Body = {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search"}}
LONG = "call_" + "x" * 80

REPAIRS: dict[str, tuple[Body, list[Body]]] = {
    "an orphan stays as text": (stateless(user(), answer()), [user(), ORPHANED]),
    "an orphan keeps its image": (stateless(answer(output=[text("see"), image()])), [user(ORPHAN, "see", image())]),
    "a call is answered": (stateless(call(), user()), [call(), NO_ANSWER, user()]),
    "answers stand behind the whole step": (
        stateless(call(1), call(2), answer(2)),
        [call(1), call(2), NO_ANSWER, answer(2)],
    ),
    "an answer moves behind its call": (stateless(answer(), user(), call()), [user(), call(), answer()]),
    "a shell call is answered": (
        stateless(SHELL),
        [
            SHELL,
            {
                "type": "shell_call_output",
                "call_id": "call_1",
                "output": [{"stdout": "", "stderr": NO_RESULT, "outcome": {"type": "timeout"}}],
            },
        ],
    ),
    "a local shell call is answered": (
        stateless(LOCAL),
        [LOCAL, {"type": "local_shell_call_output", "id": "call_1", "output": NO_RESULT}],
    ),
    "a patch is answered": (
        stateless(PATCH),
        [PATCH, {"type": "apply_patch_call_output", "call_id": "call_1", "output": NO_RESULT, "status": "failed"}],
    ),
    "a computer call without screenshot goes, and its reasoning": (
        stored(user(), reasoning(sealed=False), COMPUTER, user()),
        [user(), user()],
    ),
    "a long call id is cut on both sides": (
        stateless(call(call_id=LONG), answer(call_id=LONG)),
        [call(call_id=odd_form(LONG)), answer(call_id=odd_form(LONG))],
    ),
    "a number as call id becomes a string on both sides": (
        stateless(call(call_id=7), answer(call_id=7)),
        [call(call_id="7"), answer(call_id="7")],
    ),
    "an answer without call id answers the call that waits": (
        stateless(call(1), answer(1), call(2), answer(call_id=None)),
        [call(1), answer(1), call(2), answer(2)],
    ),
    "reasoning without its item goes": (stored(user(), reasoning(sealed=False), user()), [user(), user()]),
    "reasoning that can be read loses its id with its item's": (
        stored(user(), reasoning(), agent(), user()),
        [user(), reasoning(None), agent(), user()],
    ),
    "which reasoning led to what is open: all of it goes, ids too": (
        stored(user(), reasoning(1), reasoning(2), call(1, id="fc_1"), call(2, id="fc_2"), answer(1), answer(2)),
        [user(), call(1), call(2), answer(1), answer(2)],
    ),
    "one item, two reasoning items: the last stays": (
        stored(reasoning(1, sealed=False), reasoning(2, sealed=False), agent(id="msg_1")),
        [reasoning(2, sealed=False), agent(id="msg_1")],
    ),
    "an item apart from its reasoning loses its id": (
        stored(user(), reasoning(sealed=False), call(id="fc_1"), answer(), agent(id="msg_1")),
        [user(), reasoning(sealed=False), call(id="fc_1"), answer(), agent()],
    ),
    "without store, bare reasoning goes with the ids of what it led to": (
        stateless(reasoning(sealed=False), agent(id="msg_1"), call(id="fc_1"), answer()),
        [agent(), call(), answer()],
    ),
    "without store, references go": (stateless(user(), {"type": "item_reference", "id": "msg_1"}), [user()]),
    "a copied group goes": (
        stored(reasoning(), call(id="fc_1"), answer(), reasoning(), call(id="fc_1"), answer()),
        [reasoning(), call(id="fc_1"), answer()],
    ),
    "a second id goes": (
        stateless(agent("a", id="msg_1"), agent("b", id="msg_1")),
        [agent("a", id="msg_1"), agent("b")],
    ),
    "a foreign id goes": (stateless(agent(id="019f"), call(id="__fake_id__"), answer()), [agent(), call(), answer()]),
    "a hosted call without id goes": (stateless(user(), {**SEARCH, "id": ""}), [user()]),
    "surplus keys go": (
        stateless(
            {**user({**text(), "cache_control": {}}), "status": "completed"}, call(parsed_arguments={}), answer()
        ),
        [user(), call(), answer()],
    ),
    "calls of the chat API become items": (
        stateless(
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {"id": "call_1", "type": "function", "function": {"name": "lookup", "arguments": '{"q":"x"}'}}
                ],
            },
            {"role": "tool", "tool_call_id": "call_1", "content": "result"},
        ),
        [call(), answer()],
    ),
    "parts of the chat API are rewritten": (
        stateless(
            user(
                {"type": "text", "text": "look"},
                {"type": "image_url", "image_url": {"url": f"data:image/jpeg;base64,{PNG}", "detail": "low"}},
            )
        ),
        [user("look", {"type": "input_image", "image_url": f"data:image/png;base64,{PNG}", "detail": "low"})],
    ),
    "parts change sides": (
        stateless({"role": "assistant", "content": [text("a")]}, user({"type": "output_text", "text": "b"})),
        [{"role": "assistant", "content": [{"type": "output_text", "text": "a"}]}, user("b")],
    ),
    "texts in a list are joined": (stateless(user({"type": "input_text", "text": ["a", "b"]})), [user("ab")]),
    "a message with nothing to say goes": (stateless(user(), {"role": "assistant", "content": None}), [user()]),
    "a bare string is a message": (stateless("hello"), [user("hello")]),
    "a part in the place of an item becomes a message": (
        stateless(text("a"), {"type": "output_text", "text": "b"}),
        [user("a"), {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "b"}]}],
    ),
    "a tool result of another API stays as text": (
        stateless({"type": "tool_result", "tool_use_id": "t", "content": "result"}),
        [ORPHANED],
    ),
    "roles are respelt": (stateless({"role": "Human", "content": "x"}), [{"role": "user", "content": "x"}]),
    "reasoning has a summary and no content": (
        stateless(
            {"type": "reasoning", "encrypted_content": ENCRYPTED, "content": [{"type": "reasoning_text", "text": "t"}]},
            agent(),
        ),
        [reasoning(None), agent()],
    ),
    "a search action fits its type": (
        stateless({**SEARCH, "action": {"url": "https://e.org", "query": None}}),
        [{**SEARCH, "action": {"type": "open_page", "url": "https://e.org"}}],
    ),
    "an output is a string": (stateless(call(), answer(output={"a": "é"})), [call(), answer(output='{"a":"é"}')]),
    "an output is there": (
        stateless(call(), {"type": "function_call_output", "call_id": "call_1"}),
        [call(), answer(output="")],
    ),
    "arguments are a string": (stateless(call(arguments={"q": "x"}), answer()), [call(), answer()]),
    "arguments of a search are an object": (
        stateless({"type": "tool_search_call", "arguments": '{"q":"x"}'}),
        [{"type": "tool_search_call", "arguments": {"q": "x"}}],
    ),
    "a call's name is cleaned": (
        stateless(call(name="exec.command"), answer()),
        [call(name=odd_form("exec.command")), answer()],
    ),
    "base64 is made whole": (stateless(user(image(f"{PNG[:20]}\n{PNG[20:]}".rstrip("=")))), [user(image())]),
    "an image is labelled by its bytes": (stateless(user(image(JPEG))), [user(image(JPEG, "image/jpeg"))]),
    "bare base64 of an image gets its label": (
        stateless(user({"type": "input_image", "detail": "auto", "image_url": PNG})),
        [user({**image(), "image_url": f"data:image/png;base64,{PNG}"})],
    ),
    "an image that is none leaves a text": (
        stateless(user(image("AAAA"))),
        [user("[image left out: its data could not be read]")],
    ),
    "bare base64 of a PDF gets its label": (
        stateless(user({"type": "input_file", "filename": "report.pdf", "file_data": PDF})),
        [user(document())],
    ),
    "a file under another name of its type": (
        stateless(user({"type": "input_file", "filename": "a.yml", "file_data": "data:text/yaml;base64,YTogMQ=="})),
        [user({"type": "input_file", "filename": "a.yml", "file_data": "data:application/yaml;base64,YTogMQ=="})],
    ),
    "a file nobody takes leaves a text": (
        stateless(user(document("/////w==", "audio/mpeg"))),
        [user("[file left out: report.pdf]")],
    ),
    "compaction without content goes": (stateless({"type": "compaction", "id": "cmp_1"}, user()), [user()]),
}


@pytest.mark.parametrize("name", REPAIRS)
def test_repairs(name: str) -> None:
    """Each kind of breach is repaired in the way its name says."""
    body, expected = REPAIRS[name]
    before = copy.deepcopy(body)
    assert repaired_items(body) == expected
    assert body == before


def test_missing_call_ids_are_made() -> None:
    """A call without call_id gets one of its own, which its answer without call_id takes over."""
    first, second, one, two = repaired_items(
        stateless(call(call_id=""), call(2, call_id=None), answer(call_id=""), answer(call_id=None))
    )
    assert first["call_id"] == one["call_id"] != second["call_id"]
    assert first["call_id"].startswith("call_")
    assert two["call_id"] == second["call_id"]


def test_azure_reasoning_without_id_goes() -> None:
    """Where every reasoning item needs an id, one without goes, and the ids of what it led to."""
    assert repaired_items(stateless(reasoning(None), call(id="fc_1"), answer()), "azure") == [call(), answer()]


def test_a_text_file_goes_as_text_where_files_are_not_taken() -> None:
    """A file of an unaccepted type whose bytes are text becomes its text."""
    csv = document("YSxiCjEsMg==", "text/csv")
    assert repaired_items(stateless(user(csv)), "azure") == [user("a,b\n1,2")]


def test_outputs_become_strings_where_only_strings_are_taken() -> None:
    """A list of parts becomes one string, what is no text is named in it."""
    items = repaired_items(stateless(call(), answer(output=[text("a"), image(), text("b")])), "compatible")
    assert items == [call(), answer(output="a\n[input_image left out]\nb")]


def test_repeated_call_ids_are_told_apart() -> None:
    """Where a call_id may not come twice, the later call and its answer get one of their own, in the builder's form."""
    again = odd_form("call_1#2")
    items = repaired_items(stateless(call(), answer(), call(), answer(output="second")), "compatible")
    assert items == [call(), answer(), call(call_id=again), answer(output="second", call_id=again)]


def test_a_second_answer_stays_as_text() -> None:
    """Where an answer may not come twice, the second stays as text."""
    items = repaired_items(stateless(call(), answer(), answer(output="second")), "compatible")
    assert items == [call(), answer(), user(ORPHAN, "second")]


def test_codex_computer_action_goes() -> None:
    """Where computer_call.action is refused it goes."""
    shot = {
        "type": "computer_call_output",
        "call_id": "call_1",
        "output": {"type": "computer_screenshot", "file_id": "f"},
    }
    first, _ = repaired_items(stateless({**COMPUTER, "action": {"type": "wait"}}, shot), "codex")
    assert "action" not in first


def test_tools_are_repaired() -> None:
    """Names are cleaned in tool_choice too, strict is lifted, doubles and nameless tools go, nested functions are taken
    out.
    """
    loose = {"type": "object", "properties": {"a": {"type": "string"}}}
    body = stateless(
        user(),
        tools=[
            tool("host.lookup"),
            tool("strict", strict=True, parameters=loose),
            tool("twice"),
            tool("twice"),
            {"type": "function"},
            {"type": "function", "function": {"name": "nested", "strict": False}},
            "junk",
        ],
        tool_choice={"type": "function", "name": "host.lookup"},
    )
    repaired, changes = repair_request(body)
    clean = odd_form("host.lookup")
    assert [t["name"] for t in repaired["tools"]] == [clean, "strict", "twice", "nested"]
    assert repaired["tools"][1]["strict"] is False
    assert repaired["tool_choice"] == {"type": "function", "name": clean}
    assert errors(check_request(repaired)) == []
    assert {c.path for c in changes} >= {
        "tools[0].name",
        "tools[1].strict",
        "tools[3]",
        "tools[4]",
        "tools[5].function",
        "tools[6]",
    }


def test_parameters_are_repaired() -> None:
    """Long keys and instructions are cut, a strict format is lifted, and each says so."""
    schema: Body = {"type": "object", "properties": {}}
    body: Body = {
        "input": "hi",
        "prompt_cache_key": "k" * 70,
        "instructions": "i" * 1_048_580,
        "text": {"format": {"type": "json_schema", "name": "n", "strict": True, "schema": schema}},
        "tools": {"type": "web_search"},
    }
    repaired, changes = repair_request(body)
    assert repaired["prompt_cache_key"] == odd_form("k" * 70)
    assert len(repaired["instructions"]) == 1_048_576
    assert repaired["text"]["format"]["strict"] is False
    assert repaired["tools"] == [{"type": "web_search"}]
    assert "the last 4 characters are lost" in next(c.message for c in changes if c.rule == "L3")


def test_what_json_cannot_hold_is_mended() -> None:
    """Surrogate pairs are joined, lone ones become U+FFFD, numbers that are none null, bytes text."""
    body = {"input": [user("cut \ud83d", "pair \ud83d\ude00")], "temperature": float("nan"), 5: "x", "user": b"me"}
    repaired, changes = repair_request(body)
    assert repaired["input"] == [user("cut \ufffd", "pair \U0001f600")]
    assert repaired["temperature"] is None
    assert repaired["user"] == "me"
    assert {c.rule for c in changes} == {"X1"}


def test_long_texts_are_cut_and_the_loss_is_counted() -> None:
    """A text over the limit is cut to it, and the change says how much is lost."""
    repaired, changes = repair_request({"input": "x" * 10_485_770})
    assert len(repaired["input"]) == 10_485_760
    assert [(c.rule, c.path, c.message) for c in changes] == [("L1", "input", "cut; the last 10 characters are lost")]


@pytest.mark.parametrize("body", [None, 5, "{", b"\xff", "text", object()])
def test_what_is_no_request_gives_an_empty_one(body: Any) -> None:
    """Nothing can be kept of it, and that is said."""
    repaired, changes = repair_request(body)
    assert repaired == {}
    assert [(c.rule, c.action) for c in changes] == [("X1", "removed")]


def test_a_list_is_taken_as_input() -> None:
    """A bare list of items becomes the input of a request."""
    repaired, changes = repair_request([user()])
    assert repaired == {"input": [user()]}
    assert [c.rule for c in changes] == ["X1"]


def test_json_text_is_repaired_too() -> None:
    """JSON text gives the repaired body as an object."""
    repaired, changes = repair_request(json.dumps(stateless(call())))
    assert repaired["input"] == [call(), NO_ANSWER]
    assert [str(c) for c in changes] == [f"added input[0] (P3): a function_call_output for 'call_1': {NO_RESULT}"]


def test_paths_are_those_of_the_body_as_given() -> None:
    """Changes name places in the given body, whatever was removed or inserted before."""
    body = stateless({"role": "assistant", "content": None}, call(), user({**text(), "x": 1}), answer(2))
    _, changes = repair_request(body)
    assert [(c.rule, c.path) for c in changes] == [
        ("F1", "input[2].content[0].x"),
        ("C4", "input[0]"),
        ("P4", "input[3]"),
        ("P3", "input[1]"),
    ]


def test_an_unknown_endpoint_is_the_callers_mistake() -> None:
    """An unknown endpoint name raises, with the nearest known one."""
    with pytest.raises(InvalidStateError, match="azure"):
        repair_request({}, "azur")
