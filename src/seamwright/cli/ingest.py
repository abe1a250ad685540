"""``seamwright ingest``: a response taken into the state it answers, the next state out."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from seamwright.cli.common import (
    CallError,
    InputError,
    add_state_arguments,
    build,
    find_pipeline,
    read_input,
    read_state,
    report_warnings,
    write_json,
)
from seamwright.errors import IngestError, InvalidStateError, StreamFailedError, printable
from seamwright.ingest import Ingested
from seamwright.ingest.events import read_events
from seamwright.ingest.stream import OutputSlots
from seamwright.model.guards import is_mapping
from seamwright.model.state_file import dump_state, parse_json
from seamwright.wire.assembled import AssembledInput
from seamwright.wire.difference import Difference, first_difference


def add(subparsers: Any) -> None:
    """Adds the command."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "ingest",
        help="take a response into the state it answers",
        description="Build the state again, take the response in, print the next state. A saved stream is read too.",
    )
    parser.add_argument(
        "response",
        metavar="RESPONSE",
        help="a response, or a stream saved as JSON Lines or server-sent events; - for stdin",
    )
    parser.add_argument("--state", required=True, metavar="STATE", help="the state file whose request was answered")
    parser.add_argument("--request", metavar="REQUEST", help="the request that was sent; it must equal the build")
    add_state_arguments(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="write the next state to a file instead of stdout")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Builds, compares, ingests, prints."""
    if [args.response, args.state, args.request].count("-") > 1:
        raise CallError("stdin can be read once: only one of RESPONSE, --state and --request may be -")
    pipeline = find_pipeline(args.container)
    state, options = read_state(args, args.state)
    response = read_response(args.response)
    assembled = build(pipeline, state, options, args.state)
    if args.request is not None:
        _compare(args.request, assembled)
    try:
        ingested = pipeline.ingest(response, assembled, state)
    except IngestError as error:
        raise InputError(args.response, error) from None
    if ingested.finish == "failed":
        raise InputError(args.response, IngestError("status", f"the response failed: {_reason(ingested)}"))
    write_json(dump_state(state.extend(ingested), options), args.output)
    report_warnings(assembled.warnings)
    report_warnings(ingested.warnings)
    return 0


def _reason(ingested: Ingested) -> str:
    error = ingested.error or {}
    return ": ".join(str(error[key]) for key in ("code", "message") if error.get(key)) or "no reason is given"


def read_response(name: str) -> Any:
    """The response in a file: as it is, or accumulated from the events of a stream."""
    content = read_input(name)
    try:
        value = parse_json(content)
    except InvalidStateError as error:
        return _accumulated(name, content, error)
    if is_mapping(value) and _is_event(value):
        return _accumulated(name, content, None)
    return value


def _is_event(value: Mapping[str, Any]) -> bool:
    """Whether an object is one event, and so the whole of a very short stream."""
    kind = str(value.get("type", ""))
    return kind == "error" or kind.startswith("response.")


def _accumulated(name: str, content: bytes, error: Exception | None) -> dict[str, Any]:
    slots = OutputSlots()
    count = 0
    try:
        for event in read_events(content):
            slots.feed(event)
            count += 1
    except StreamFailedError as failure:
        raise InputError(name, failure) from None
    if count == 0:
        raise InputError(name, error or IngestError("", "holds no response and no events of one"))
    return slots.result()


def _compare(name: str, assembled: AssembledInput) -> None:
    """Refuses a request that is not what this state renders to; parameters beside the rendered ones don't count."""
    given = parse_json_of(name)
    if not is_mapping(given):
        raise InputError(name, ValueError("a request is an object"))
    ours = assembled.to_request()
    for key in ("model", "instructions", "tools", "input"):
        if (found := first_difference({key: ours.get(key)}, {key: given.get(key)})) is not None:
            raise InputError(name, IngestError(found.path, _differs(found)))


def parse_json_of(name: str) -> Any:
    """The JSON value in a file."""
    try:
        return parse_json(read_input(name))
    except InvalidStateError as error:
        raise InputError(name, error) from None


def _differs(found: Difference) -> str:
    return f"the request has {_short(found.right)} where this state renders {_short(found.left)}"


def _short(value: Any) -> str:
    text = printable(repr(value))
    return text if len(text) <= 80 else text[:77] + "..."
