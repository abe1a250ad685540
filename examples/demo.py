"""Renders the support case and tells what is sent, what is left out and why.

``python examples/demo.py``, or with another state file behind it.
"""

from __future__ import annotations

import json
import re
import sys
import textwrap
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from seamwright import AgentState, AssembledInput, RenderOptions, RenderWarning, SpooledArtifact, load_state
from seamwright_containers import responses_pipeline

STATE: Final = Path(__file__).resolve().parent / "support_agent.json"
WIDTH: Final = 100
NO_BREAK: Final = "\N{NO-BREAK SPACE}"

CHECKSUM: Final = re.compile("([0-9a-f]{8})[0-9a-f]{56}")
BASE64: Final = re.compile("[A-Za-z0-9+/_=-]{120}")

LEAVES_OUT: Final = ("reasoning-", "provider-item-dropped")
"""How the codes of those warnings begin that say something was left out; the others say it was changed."""


def as_json(value: Any) -> str:
    """JSON on one line; of a checksum only the beginning."""
    return CHECKSUM.sub(r"\1…", json.dumps(value, ensure_ascii=False))


def shortened(text: str, room: int) -> str:
    """A text as JSON in at most ``room`` columns: its beginning, and how many characters were cut.

    Base64, which nobody reads, is cut to a few characters wherever it would fit.
    """
    shown = as_json(text)
    if len(shown) <= room and not BASE64.search(text):
        return shown
    kept = 32 if BASE64.search(text) else len(text) - 1
    while len(shown := as_json(f"{text[:kept]}… (+{len(text) - kept:,})")) > room and kept:
        kept -= 1
    return shown


def pretty(value: Any, indent: str = "", used: int = 0) -> str:
    """JSON in ``WIDTH`` columns, as much on a line as fits. ``used`` columns of the first line are taken."""
    room = WIDTH - len(indent) - used - 1
    if isinstance(value, str):
        return shortened(value, room)
    line = as_json(value)
    if len(line) <= room or not value:
        return line
    inner = indent + "  "
    if line.startswith("["):
        return "[\n" + ",\n".join(inner + pretty(item, inner) for item in value) + f"\n{indent}]"
    named = ((as_json(key), item) for key, item in value.items())
    lines = packed([f"{name}: {pretty(item, inner, len(name) + 2)}" for name, item in named], len(inner))
    return "{\n" + ",\n".join(inner + line for line in lines) + f"\n{indent}}}"


def packed(parts: Iterable[str], indent: int) -> list[str]:
    """The parts, those that fit beside each other on one line."""
    lines: list[str] = []
    for part in parts:
        if lines and "\n" not in lines[-1] + part and indent + len(lines[-1]) + len(part) + 3 <= WIDTH:
            lines[-1] += f", {part}"
        else:
            lines.append(part)
    return lines


def kind_of(item: Mapping[str, Any]) -> str:
    """An item's type, and the role where it is a message."""
    return f"message ({item['role']})" if item["type"] == "message" else str(item["type"])


def counted(names: Iterable[str]) -> str:
    """``4 × reasoning, 1 × message (system)``, in the order of first appearance."""
    counts = Counter(names).items()
    return ", ".join(f"{count} × {name}".replace(" ", NO_BREAK) for name, count in counts)


def replayed(assembled: AssembledInput, state: AgentState) -> list[str]:
    """The ids of the thoughts whose encrypted reasoning is sent."""
    sent = {item["encrypted_content"] for item in assembled.input if item["type"] == "reasoning"}
    payloads = ((thought.id, getattr(thought.payload, "item", {})) for thought in state.thoughts)
    return [identifier for identifier, item in payloads if item.get("encrypted_content") in sent]


def handles(state: AgentState) -> list[str]:
    """The ids of results and documents that are large and go as a handle."""
    things: list[Any] = [*state.tool_calls, *state.retrievables]
    held = ((thing.id, getattr(thing, "results", getattr(thing, "content", None)), thing.inline) for thing in things)
    return [identifier for identifier, content, inline in held if isinstance(content, SpooledArtifact) and not inline]


def sent(assembled: AssembledInput, state: AgentState) -> Iterator[tuple[str, str]]:
    """What is sent: pairs of a label and a text."""
    length = assembled.fingerprintable_length
    yield f"{len(assembled.input)} items", counted(map(kind_of, assembled.input))
    trailing = "none" if length == len(assembled.input) else "the last item, outside every fingerprint"
    yield "after the timeline", trailing
    yield "instructions", f"{len(assembled.instructions or ''):,} characters"
    yield "tools", counted(tool["type"] for tool in assembled.tools or ()) or "none"
    yield "reasoning replayed", ", ".join(replayed(assembled, state)) or "none"
    yield "as a handle", ", ".join(handles(state)) or "none"
    yield "hidden tools", ", ".join(tool.name for tool in state.tools.hidden()) or "none"


def described(pairs: Iterable[tuple[str, str]]) -> Iterator[str]:
    """The pairs in two columns."""
    for label, text in pairs:
        lines = textwrap.fill(text, WIDTH, initial_indent=f"  {label:<20}", subsequent_indent=" " * 22)
        yield lines.replace(NO_BREAK, " ")


def grouped(warnings: Sequence[RenderWarning]) -> dict[tuple[str, str], list[str]]:
    """The subjects of all warnings that have code and text in common."""
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for warning in warnings:
        groups[warning.code, warning.text].append(warning.subject_id or "the request")
    return groups


def told(warnings: Sequence[RenderWarning]) -> Iterator[str]:
    """One paragraph for each cause."""
    for (code, text), subjects in grouped(warnings).items():
        yield f"  {code}: {', '.join(subjects)}"
        yield textwrap.fill(text, WIDTH, initial_indent="    ", subsequent_indent="    ")


def section(title: str, lines: Iterable[str]) -> str:
    """A part of the report under its title."""
    return "\n".join([f"{title} ".ljust(WIDTH, "─"), *(list(lines) or ["  nothing"])])


def report(state: AgentState, options: RenderOptions) -> str:
    """The whole story of one build."""
    assembled = responses_pipeline().build_sync(state, options)
    out = [warning for warning in assembled.warnings if warning.code.startswith(LEAVES_OUT)]
    rest = [warning for warning in assembled.warnings if not warning.code.startswith(LEAVES_OUT)]
    return "\n\n".join(
        [
            section("The request, long texts cut", [pretty(assembled.to_request())]),
            section("What is sent", described(sent(assembled, state))),
            section("What is left out, and why", told(out)),
            section("What is sent otherwise than it stands in the state", told(rest)),
        ]
    )


def main(arguments: Sequence[str]) -> None:
    """Prints the report of a state file, by default that of the support case."""
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:  # a terminal without these signs shows others, and no traceback
        reconfigure(errors="replace")
    print(report(*load_state(Path(arguments[0]) if arguments else STATE)))


if __name__ == "__main__":
    main(sys.argv[1:])
