"""``seamwright explain``: what changed between two requests, or what became of each reasoning item of a state."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import attrs

from seamwright.cli.common import (
    CallError,
    InputError,
    add_state_arguments,
    build,
    find_pipeline,
    read_input,
    read_state,
    write_json,
)
from seamwright.errors import InvalidStateError, OutlineError, printable
from seamwright.explanation import Outline, explain, explain_reasoning, outline
from seamwright.finding import counter_if_installed
from seamwright.model.guards import is_mapping
from seamwright.model.state_file import parse_json


def add(subparsers: Any) -> None:
    """Adds the command."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "explain",
        help="say what changed between two requests, or why reasoning was replayed or not",
        description=(
            "With two requests (or outlines): where they first differ, what kind of change it is and what it costs."
            " With one state file: what became of each reasoning item in its build."
        ),
    )
    parser.add_argument("previous", metavar="PREVIOUS", help="the earlier request; alone: a state file; - for stdin")
    parser.add_argument("next", metavar="NEXT", nargs="?", help="the later request")
    parser.add_argument("--usage", metavar="JSON|FILE", help="usage of the response to NEXT, to judge a cache miss")
    parser.add_argument(
        "--outline", action="store_true", help="print the outline of the request PREVIOUS: digests and sizes, no texts"
    )
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="how to print (default: %(default)s)"
    )
    add_state_arguments(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Compares, or explains one build."""
    if args.next is None and args.usage is not None:
        raise CallError("--usage: it is judged against two requests")
    if args.outline:
        if args.next is not None:
            raise CallError("--outline: one request is outlined at a time")
        write_json(_outlined(args.previous, _read(args.previous)).to_json(), None)
    elif args.next is None:
        _explain_build(args)
    else:
        _explain_pair(args)
    return 0


def _explain_pair(args: argparse.Namespace) -> None:
    if args.previous == args.next == "-":
        raise CallError("-: stdin holds one request, not two")
    usage = None if args.usage is None else _usage(args.usage)
    before, after = _read(args.previous), _read(args.next)
    for name, request in ((args.previous, before), (args.next, after)):
        _outlined(name, request)
    explanation = explain(before, after, usage, count=counter_if_installed())
    if args.format == "json":
        write_json(attrs.asdict(explanation), None)
    else:
        print("\n".join(printable(line) for line in str(explanation).split("\n")))


def _explain_build(args: argparse.Namespace) -> None:
    pipeline = find_pipeline(args.container)
    state, options = read_state(args, args.previous)
    fates = explain_reasoning(state, build(pipeline, state, options, args.previous))
    if args.format == "json":
        write_json([attrs.asdict(fate) for fate in fates], None)
        return
    for fate in fates:
        print(f"{printable(fate.thought_id)}: {fate.fate} ({fate.cause}): {printable(fate.text)}")
    if not fates:
        print("the state holds no reasoning")


def _outlined(name: str, request: Any) -> Outline:
    try:
        return outline(request, counter_if_installed())
    except OutlineError as error:
        raise InputError(name, error) from None


def _read(name: str) -> Any:
    try:
        return parse_json(read_input(name))
    except InvalidStateError as error:
        raise InputError(name, error) from None


def _usage(text: str) -> Any:
    """The usage that ``--usage`` gives as JSON, or as the name of a file."""
    if text.lstrip().startswith("{"):
        try:
            value = parse_json(text)
        except InvalidStateError as error:
            raise CallError(f"--usage: {error}") from None
    else:
        value = _read(text) if text == "-" or _is_file(text) else None
    if not is_mapping(value):
        raise CallError(f"--usage {text}: neither a JSON object nor a file that holds one")
    return value


def _is_file(name: str) -> bool:
    try:
        return Path(name).exists()
    except (OSError, ValueError):  # too long, or with a NUL
        return False
