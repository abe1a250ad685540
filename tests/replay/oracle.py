"""What has to be sent of a response's reasoning, said a second time: read off the response, without the library."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from replay.conversations import NEED_IDS, Item
from seamwright import AssembledInput

NO_IDS = ("codex", "compatible")
ALWAYS_IDS = ("azure", "foundry")


def replayed(response: Item, endpoint: str) -> bool:
    """Whether the reasoning of a response goes back, given that nothing before it changed.

    Every reasoning item must have its encrypted part and lead, over further reasoning at most, to something that the
    agent made and that is sent; and what comes next must be what was recorded. An endpoint that wants ids gets them.
    """
    output = response["output"]
    kept = [kept_item(index, output, response["status"]) for index in range(len(output))]
    for index, item in enumerate(output):
        if item["type"] != "reasoning":
            continue
        if not kept[index] or not item.get("encrypted_content"):
            return False
        if endpoint in ALWAYS_IDS and not re.fullmatch(r"rs_[A-Za-z0-9_-]{1,61}", str(item.get("id"))):
            return False
        if not led_to_what_is_sent(index, output, kept, endpoint):
            return False
    return any(item["type"] == "reasoning" for item in output)


def led_to_what_is_sent(index: int, output: Sequence[Item], kept: Sequence[bool], endpoint: str) -> bool:
    """Whether the item next to a reasoning item is there, and is reasoning or something of the agent's own."""
    if index + 1 >= len(output) or not kept[index + 1]:
        return False
    behind = output[index + 1]
    if behind["type"] == "reasoning":
        return True
    left_out = endpoint in NO_IDS and behind["type"] in NEED_IDS
    return not left_out and not behind["type"].endswith("_output")


def kept_item(index: int, output: Sequence[Item], status: str) -> bool:
    """Whether an output item is taken in at all."""
    item = output[index]
    cut = item.get("status") == "incomplete"
    if item["type"] == "message":
        says = any(part.get("text") or part.get("refusal") for part in item["content"])
        return bool(says) or (index > 0 and output[index - 1]["type"] == "reasoning")
    return item["type"] == "function_call" or not (cut and status == "incomplete")


def encrypted_parts(response: Item) -> list[str]:
    """The encrypted parts of a response, in order."""
    return [item["encrypted_content"] for item in response["output"] if item["type"] == "reasoning"]


Prefix = list[str]
"""The head of a request and the items behind it, each as one text."""


def prefix_of(request: AssembledInput, length: int) -> Prefix:
    """The head of a request and its first items."""
    head: list[Any] = [request.model, request.instructions, request.tools]
    return [json.dumps(one, sort_keys=True) for one in (head, *request.input[:length])]


def prefixes(request: AssembledInput) -> dict[str, Prefix]:
    """Everything that stands before each reasoning item of a request, by its encrypted part."""
    whole = prefix_of(request, len(request.input))
    return {
        item["encrypted_content"]: whole[: index + 1]
        for index, item in enumerate(request.input)
        if item["type"] == "reasoning"
    }


def could_be_before(part: str, prefix: Prefix, requests: Sequence[AssembledInput]) -> bool:
    """Whether a reasoning item that was never sent could stand behind this: the request it answers, then its response.

    Its encrypted part says the turn and the place in the output (``gAAAAt3x1``).
    """
    turn, place = map(int, part.removeprefix("gAAAAt").split("x"))
    answered = prefix_of(requests[turn], requests[turn].fingerprintable_length)
    own = prefix[len(answered) :]
    return prefix[: len(answered)] == answered and len(own) <= place and all(f"t{turn}x" in item for item in own)
