"""``seamwright render``: a state file in, the request out."""

from __future__ import annotations

import argparse
from typing import Any

from seamwright.cli.common import add_state_arguments, find_pipeline, read_state, report_warnings, write_json


def add(subparsers: Any) -> None:
    """Adds the command."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "render",
        help="render a state file into a request",
        description="Render a state file into a Responses request. Warnings go to stderr, one line for each cause.",
    )
    parser.add_argument("state", metavar="STATE", help="a state file, or - for stdin")
    add_state_arguments(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="write the request to a file instead of stdout")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Builds and prints."""
    pipeline = find_pipeline(args.container)
    state, options = read_state(args, args.state)
    assembled = pipeline.build_sync(state, options)
    write_json(assembled.to_request(), args.output)
    report_warnings(assembled.warnings)
    return 0
