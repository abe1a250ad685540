"""``seamwright schema``: the JSON Schema of the state file."""

from __future__ import annotations

import argparse
from typing import Any

from seamwright.cli.common import write_json
from seamwright.model.state_schema import state_schema


def add(subparsers: Any) -> None:
    """Adds the command."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "schema",
        help="print the JSON Schema of the state file",
        description="Print the JSON Schema (2020-12) of the state file, for editors and for other languages.",
    )
    parser.add_argument("-o", "--output", metavar="FILE", help="write it to a file instead of stdout")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prints."""
    write_json(state_schema(), args.output)
    return 0
