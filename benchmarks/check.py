"""What checking costs, as a multiple of ``json.dumps`` of the same body in the same run.

python benchmarks/check.py            # prints the ratios; exit 1 when one is over the limit

A request of one turn is shown as well, without limit: there the fixed cost of a check, about a tenth of a millisecond,
stands against a few dozen microseconds.
"""

from __future__ import annotations

import base64
import json
import sys
import time
from collections.abc import Callable
from typing import Any

from seamwright.check import check_request

LIMIT = 2.0
PNG = b"\x89PNG\r\n\x1a\n"
Body = dict[str, Any]


def turn(number: int) -> list[Body]:
    """One turn: user message, encrypted reasoning, call, output, answer."""
    call_id = f"call_{number:024d}"
    return [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "q" * 300}]},
        {
            "type": "reasoning",
            "id": f"rs_{number:048d}",
            "summary": [{"type": "summary_text", "text": "s" * 120}],
            "encrypted_content": "gAAAA" + "e" * 1_495,
        },
        {
            "type": "function_call",
            "id": f"fc_{number:048d}",
            "call_id": call_id,
            "name": "search_documents",
            "arguments": '{"query":"quarterly report","limit":10}',
        },
        {"type": "function_call_output", "call_id": call_id, "output": "r" * 2_000},
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "a" * 600, "annotations": []}],
        },
    ]


def history(turns: int) -> Body:
    """A stateless request of that many turns, ASCII."""
    schema = {"type": "object", "properties": {"query": {"type": "string"}, "limit": {"type": "integer"}}}
    tool = {"type": "function", "name": "search_documents", "strict": False, "parameters": schema}
    return {
        "model": "gpt-5.4",
        "store": False,
        "include": ["reasoning.encrypted_content"],
        "instructions": "i" * 2_000,
        "tools": [{**tool, "name": f"search_documents_{index}"} for index in range(10)],
        "input": [item for number in range(turns) for item in turn(number)],
    }


def with_media(turns: int, images: int, size: int) -> Body:
    """The same with images of *size* bytes in messages and tool outputs, and a document."""
    body = history(turns)
    payload = base64.b64encode(PNG + b"\x00" * size).decode()
    image = {"type": "input_image", "detail": "auto", "image_url": f"data:image/png;base64,{payload}"}
    body["input"].extend({"type": "message", "role": "user", "content": [image]} for _ in range(images))
    pdf = base64.b64encode(b"%PDF-1.7\n" + b"\x00" * size).decode()
    document = {"type": "input_file", "filename": "report.pdf", "file_data": f"data:application/pdf;base64,{pdf}"}
    body["input"].append({"type": "message", "role": "user", "content": [document]})
    return body


def best(run: Callable[[], object], rounds: int = 15) -> float:
    """The shortest of several runs, in seconds."""
    times: list[float] = []
    for _ in range(rounds):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


def measure(name: str, body: Body) -> float:
    """Print and give the ratio for one body."""
    found = check_request(body)
    assert not [violation for violation in found if violation.severity == "error"], found[:3]
    dumped = best(lambda: json.dumps(body))
    checked = best(lambda: check_request(body))
    size = len(json.dumps(body)) / 1e6
    print(
        f"{name:28} {size:6.2f} MB  json.dumps {dumped * 1e3:7.2f} ms"
        f"  check {checked * 1e3:7.2f} ms  ratio {checked / dumped:5.2f}"
    )
    return checked / dumped


def main() -> int:
    """Measure all bodies; 1 when a long one is over the limit."""
    measure("1 turn", history(1))
    ratios = [
        measure("40 turns", history(40)),
        measure("400 turns", history(400)),
        measure("400 turns, 8 images of 1 MB", with_media(400, 8, 1_000_000)),
    ]
    return int(max(ratios) > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
