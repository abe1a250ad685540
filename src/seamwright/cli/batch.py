"""``seamwright batch``: a file of states in, the vendor's batch file out."""

from __future__ import annotations

import argparse
import importlib
from typing import Any

from seamwright.cli.common import add_state_arguments


def add(subparsers: Any) -> None:
    """Adds the command."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "batch",
        help="render a file of states into a batch file",
        description=(
            "Render states, one a line, into the batch format: one request a line, in the same order. A line that"
            " can't be rendered is reported and skipped, and the exit code is 1. The output is written to OUT.part and"
            " renamed when it is complete."
        ),
    )
    parser.add_argument("states", metavar="STATES.jsonl", help="a file of states, one a line, or - for stdin")
    add_state_arguments(parser)
    parser.add_argument("-o", "--output", required=True, metavar="OUT", help="the batch file to write")
    parser.add_argument(
        "--workers", type=_count, default=1, metavar="N", help="processes that render (default: %(default)s, this one)"
    )
    parser.add_argument(
        "--resume",
        action="store_true",
        help="go on with the OUT.part of an interrupted run, which had the same states and options",
    )
    parser.set_defaults(run=run)


def _count(text: str) -> int:
    try:
        count = int(text)
    except ValueError:
        count = 0
    if count < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1")
    return count


def run(args: argparse.Namespace) -> int:
    """Renders and writes; 1 when a line was skipped. What it takes is loaded for this command alone."""
    code: int = importlib.import_module("seamwright.cli.batch_run").run(args)
    return code
