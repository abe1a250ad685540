"""Bodies, parts and recordings that the tests of the checker share."""

from __future__ import annotations

import base64
import gzip
import json
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from seamwright.check import Violation
from seamwright.check.json_types import is_list, is_object

ROOT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("SEAMWRIGHT_SHARED", ROOT.parent / "shared"))
REPORTS = ROOT / "tests" / "data" / "reports.jsonl"

Body = dict[str, Any]

ENCRYPTED = "gAAAAABo" + "x" * 40
PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"\x00" * 16).decode()
JPEG = base64.b64encode(b"\xff\xd8\xff\xe0" + b"\x00" * 16).decode()
PDF = base64.b64encode(b"%PDF-1.7\n%%EOF\n").decode()


def text(value: str = "hi") -> Body:
    """A part of a user's message."""
    return {"type": "input_text", "text": value}


def user(*parts: Body | str) -> Body:
    """A message of the user."""
    return {
        "type": "message",
        "role": "user",
        "content": [text(p) if isinstance(p, str) else p for p in parts or ("hi",)],
    }


def agent(value: str = "hello", **more: Any) -> Body:
    """A message of the assistant."""
    return {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "output_text", "text": value, "annotations": []}],
        **more,
    }


def reasoning(number: int | None = 1, *, sealed: bool = True, **more: Any) -> Body:
    """A reasoning item, with or without id and encrypted part."""
    item: Body = {"type": "reasoning", "summary": []}
    if number is not None:
        item["id"] = f"rs_{number}"
    if sealed:
        item["encrypted_content"] = ENCRYPTED
    return {**item, **more}


def call(number: int = 1, **more: Any) -> Body:
    """A function call."""
    return {"type": "function_call", "call_id": f"call_{number}", "name": "lookup", "arguments": '{"q":"x"}', **more}


def answer(number: int = 1, output: Any = "result", **more: Any) -> Body:
    """The output of that call."""
    return {"type": "function_call_output", "call_id": f"call_{number}", "output": output, **more}


def image(payload: str = PNG, mime: str = "image/png") -> Body:
    """An image part with a data URL."""
    return {"type": "input_image", "detail": "auto", "image_url": f"data:{mime};base64,{payload}"}


def document(payload: str = PDF, mime: str = "application/pdf", **more: Any) -> Body:
    """A file part with a data URL."""
    return {"type": "input_file", "filename": "report.pdf", "file_data": f"data:{mime};base64,{payload}", **more}


def tool(name: str = "lookup", **more: Any) -> Body:
    """A function tool."""
    return {
        "type": "function",
        "name": name,
        "strict": False,
        "parameters": {"type": "object", "properties": {}},
        **more,
    }


def stateless(*items: Any, **more: Any) -> Body:
    """A request that stores nothing."""
    return {"model": "gpt-5.4", "store": False, "input": list(items), **more}


def stored(*items: Any, **more: Any) -> Body:
    """A request whose items the server keeps."""
    return {"model": "gpt-5.4", "store": True, "input": list(items), **more}


def errors(violations: list[Violation]) -> list[Violation]:
    """The violations that are errors."""
    return [violation for violation in violations if violation.severity == "error"]


def rules(violations: list[Violation]) -> set[str]:
    """The rules that found something."""
    return {violation.rule for violation in violations}


_CHARACTERS = re.compile(r"<(\d+) characters>")
_TOOLS = re.compile(r"<(\d+) function tools>")
_SURROGATE = re.compile(r"<LONE-SURROGATE U\+([0-9A-F]{4})>")


def written_out(value: Any) -> Any:
    """A report's body with its placeholders (long strings, many tools, lone surrogates) written out."""
    if is_object(value):
        return {key: written_out(inner) for key, inner in value.items()}
    if is_list(value):
        return [written_out(inner) for inner in value]
    if not isinstance(value, str):
        return value
    if match := _CHARACTERS.fullmatch(value):
        return "x" * int(match[1])
    if match := _TOOLS.fullmatch(value):
        return [tool(f"tool_{number}") for number in range(int(match[1]))]
    return _SURROGATE.sub(lambda found: chr(int(found[1], 16)), value)


@cache
def reports() -> tuple[Body, ...]:
    """The reports, bodies written out."""
    lines = REPORTS.read_text(encoding="utf-8").splitlines()
    return tuple({**report, "minimal_input": written_out(report["minimal_input"])} for report in map(json.loads, lines))


def recordings() -> Iterator[Body]:
    """Recorded request and response pairs that have a request. None when the folder is not there."""
    for path in sorted((SHARED / "recorded").glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            yield from (pair for pair in map(json.loads, lines) if "request" in pair)


@cache
def accepted() -> tuple[Body, ...]:
    """The recordings of requests that OpenAI or Azure accepted as they stand."""
    return tuple(
        pair
        for pair in recordings()
        if pair.get("status") == 200
        and pair.get("provider") in ("openai", "azure")
        and pair.get("model_match") is not False
    )
