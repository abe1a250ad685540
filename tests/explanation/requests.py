"""A request with everything in it, and every way in which the next one may differ from it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import attrs

Body = dict[str, Any]
Item = dict[str, Any]


def said(role: str, text: str) -> Item:
    """A message."""
    part = "output_text" if role == "assistant" else "input_text"
    return {"type": "message", "role": role, "content": [{"type": part, "text": text}]}


def reasoning(number: int) -> Item:
    """A reasoning item."""
    return {
        "type": "reasoning",
        "id": f"rs_{number}",
        "summary": [],
        "encrypted_content": f"gAAAA{number}" * 40,
    }


def call(number: int) -> list[Item]:
    """A function call and its output."""
    arguments = f'{{"parcel":"P-{number}"}}'
    return [
        {"type": "function_call", "call_id": f"call_{number}", "name": "track", "arguments": arguments},
        {"type": "function_call_output", "call_id": f"call_{number}", "output": "It is in the depot. " * 60},
    ]


def tool(name: str) -> Item:
    """A function's declaration."""
    schema = {"type": "object", "properties": {"parcel": {"type": "string"}}, "required": ["parcel"]}
    return {"type": "function", "name": name, "description": f"Does {name}.", "parameters": schema, "strict": False}


def request() -> Body:
    """A request of a few thousand tokens: tools, instructions, eight items of history, a trailing item."""
    return {
        "model": "gpt-5.4",
        "store": False,
        "tools": [tool("track"), tool("refund"), tool("reorder")],
        "instructions": "You help the customers of a shop. " * 100,
        "text": {"format": {"type": "json_schema", "name": "answer", "schema": {"type": "object"}}},
        "reasoning": {"effort": "medium"},
        "prompt_cache_key": "customer-1",
        "input": [
            said("user", "Where is my parcel? " * 40),
            reasoning(1),
            *call(1),
            reasoning(2),
            said("assistant", "It is in the depot. " * 40),
            {
                "type": "message",
                "role": "user",
                "content": [
                    {"type": "input_text", "text": "Here is the receipt."},
                    {"type": "input_image", "image_url": "https://shop.example/receipt.png", "detail": "low"},
                ],
            },
            said("assistant", "Thank you. " * 40),
            said("system", "<memory>Likes short answers.</memory>"),
        ],
    }


TRAILING = 8
"""The index of the trailing item."""


@attrs.frozen
class Case:
    """One cause: what is done to the next request, and what has to be said of it."""

    name: str
    change: Callable[[Body], object]
    kind: str
    path: str | None = None
    outlined: str | None = None
    count: int = 0
    reasoning: tuple[tuple[int, bool], ...] = ()
    parameters: tuple[str, ...] = ()

    def following(self) -> Body:
        """The next request."""
        body = copy.deepcopy(request())
        self.change(body)
        return body

    @property
    def outlined_path(self) -> str | None:
        """The place that is told when only digests are there."""
        return self.outlined or self.path


def at(*path: str | int, to: Any) -> Callable[[Body], None]:
    """Puts something else at a place."""

    def change(body: Body) -> None:
        target: Any = body
        for step in path[:-1]:
            target = target[step]
        target[path[-1]] = to

    return change


def insert(index: int, *items: Item, into: str = "input") -> Callable[[Body], None]:
    """Puts items before the one at *index*."""

    def change(body: Body) -> None:
        body[into][index:index] = items

    return change


def remove(start: int, end: int, of: str = "input") -> Callable[[Body], None]:
    """Takes items out."""

    def change(body: Body) -> None:
        del body[of][start:end]

    return change


def swap(index: int, other: int, of: str = "input") -> Callable[[Body], None]:
    """Lets two items change places."""

    def change(body: Body) -> None:
        items = body[of]
        items[index], items[other] = items[other], items[index]

    return change


def without_reasoning(body: Body) -> None:
    """Leaves out all reasoning."""
    body["input"] = [item for item in body["input"] if item["type"] != "reasoning"]


def turned_over(body: Body) -> None:
    """A turn later: two items more, and another trailing item."""
    body["input"][TRAILING:] = [said("user", "And the refund?"), reasoning(3), said("system", "<memory>New.</memory>")]


ALL = ((1, True), (4, True))
LAST = ((4, True),)

CASES = [
    Case("same", lambda body: None, "same"),
    Case("append a message", insert(8, said("user", "Thanks!")), "appended only", count=1),
    Case("append a turn", turned_over, "appended only", count=2),
    Case(
        "append behind without trailing item",
        lambda body: body["input"].__setitem__(slice(TRAILING, None), [said("user", "Thanks!")]),
        "appended only",
        count=1,
    ),
    Case("change the trailing item", at("input", TRAILING, to=said("system", "Other.")), "trailing item changed"),
    Case("drop the trailing item", remove(TRAILING, 9), "trailing item changed"),
    Case("another model", at("model", to="gpt-5.4-mini"), "model changed", "model", reasoning=ALL),
    Case("no model", lambda body: body.pop("model"), "model changed", "model", reasoning=ALL),
    Case(
        "another description",
        at("tools", 1, "description", to="Pays."),
        "tools changed",
        "tools[1].description",
        "tools[1]",
        reasoning=ALL,
    ),
    Case(
        "another parameter",
        at("tools", 2, "parameters", "properties", "note", to={"type": "string"}),
        "tools changed",
        "tools[2].parameters.properties.note",
        "tools[2]",
        reasoning=ALL,
    ),
    Case("a tool more", insert(3, tool("ask"), into="tools"), "tools changed", "tools[3]", reasoning=ALL),
    Case("a tool less", remove(2, 3, of="tools"), "tools changed", "tools[2]", reasoning=ALL),
    Case("tools reordered", swap(0, 2, of="tools"), "tools changed", "tools[0].name", "tools[0]", reasoning=ALL),
    Case("no tools", lambda body: body.pop("tools"), "tools changed", "tools[0]", reasoning=ALL),
    Case("another format", at("text", "format", "name", to="x"), "output format changed", "text.format", reasoning=ALL),
    Case("no format", lambda body: body.pop("text"), "output format changed", "text.format", reasoning=ALL),
    Case(
        "other instructions",
        at("instructions", to="Be brief."),
        "instructions changed",
        "instructions",
        reasoning=ALL,
    ),
    Case(
        "no instructions",
        lambda body: body.pop("instructions"),
        "instructions changed",
        "instructions",
        reasoning=ALL,
    ),
    Case(
        "a word of the user edited",
        at("input", 0, "content", 0, "text", to="Where is it?"),
        "history rewritten",
        "input[0].content[0].text",
        "input[0].content",
        reasoning=ALL,
    ),
    Case(
        "a result edited",
        at("input", 3, "output", to="It is lost."),
        "history rewritten",
        "input[3].output",
        reasoning=LAST,
    ),
    Case(
        "arguments spelled otherwise",
        at("input", 2, "arguments", to='{"parcel": "P-1"}'),
        "history rewritten",
        "input[2].arguments",
        reasoning=LAST,
    ),
    Case(
        "another image",
        at("input", 6, "content", 1, "image_url", to="https://shop.example/other.png"),
        "history rewritten",
        "input[6].content[1].image_url",
        "input[6].content",
    ),
    Case(
        "a part more",
        lambda body: body["input"][6]["content"].append({"type": "input_text", "text": "And this."}),
        "history rewritten",
        "input[6].content[2]",
        "input[6].content",
    ),
    Case("another role", at("input", 7, "role", to="user"), "history rewritten", "input[7].role"),
    Case("an id more", at("input", 5, "id", to="msg_1"), "history rewritten", "input[5].id"),
    Case("an id less", lambda body: body["input"][1].pop("id"), "history rewritten", "input[1].id", reasoning=ALL),
    Case(
        "encrypted content replaced",
        at("input", 4, "encrypted_content", to="gBBBB" * 40),
        "history rewritten",
        "input[4].encrypted_content",
        reasoning=((4, False),),
    ),
    Case("a message inserted", insert(3, said("user", "Quick!")), "item inserted", "input[3]", count=1, reasoning=LAST),
    Case(
        "a message inserted and a later one edited",
        lambda body: (insert(3, said("user", "Quick!"))(body), at("input", 8, "role", to="user")(body)),
        "item inserted",
        "input[3]",
        count=1,
        reasoning=LAST,
    ),
    Case(
        "a message removed and a later one edited",
        lambda body: (remove(2, 4)(body), at("input", 5, "role", to="user")(body)),
        "item removed",
        "input[2]",
        count=2,
        reasoning=LAST,
    ),
    Case(
        "two messages inserted at the front",
        insert(0, said("user", "Hello."), said("assistant", "Hello!")),
        "item inserted",
        "input[0]",
        count=2,
        reasoning=ALL,
    ),
    Case(
        "a volatile item at the front",
        insert(0, said("developer", "It is 09:41.")),
        "item inserted",
        "input[0]",
        count=1,
        reasoning=ALL,
    ),
    Case("reasoning dropped", remove(4, 5), "item removed", "input[4]", count=1, reasoning=((4, False),)),
    Case(
        "all reasoning dropped",
        without_reasoning,
        "item removed",
        "input[1]",
        count=1,
        reasoning=((1, False), (4, False)),
    ),
    Case(
        "the oldest items trimmed",
        remove(0, 4),
        "item removed",
        "input[0]",
        count=4,
        reasoning=((1, False), (4, True)),
    ),
    Case("two items reordered", swap(6, 7), "items reordered", "input[6]"),
    Case("the newest items cut", remove(6, 8), "history cut", "input[6]", count=2),
    Case("everything cut", remove(0, 9), "history cut", "input[0]", count=8, reasoning=((1, False), (4, False))),
    Case("another cache key", at("prompt_cache_key", to="customer-2"), "same", parameters=("prompt_cache_key",)),
    Case("another effort", at("reasoning", "effort", to="low"), "same", parameters=("reasoning",)),
]
