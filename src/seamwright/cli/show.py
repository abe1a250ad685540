"""``seamwright show``: a state's request as a person reads it, in the terminal or as a page."""

from __future__ import annotations

import argparse
import importlib
from typing import Any

from seamwright.cli.common import CallError, add_state_arguments, find_pipeline, naming_input, read_state, write_text
from seamwright.finding import counting, counting_if_can


def add(subparsers: Any) -> None:
    """Adds the command."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "show",
        help="show the request of a state file as a person reads it",
        description=(
            "Show what a state file is rendered into: each item with its author, trust and size, which reasoning is"
            " replayed, what was left out and why. In the terminal (needs the extra 'show'), or as one page of HTML."
        ),
    )
    parser.add_argument("state", metavar="STATE", help="a state file, or - for stdin")
    parser.add_argument("--html", metavar="FILE", help="write a page that needs no network, instead; - for stdout")
    parser.add_argument("--full", action="store_true", help="print whole texts, not their first lines")
    add_state_arguments(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Builds and shows."""
    shown = importlib.import_module("seamwright.show")  # what only this command needs is loaded by it alone
    terminal = None if args.html is not None else _terminal()
    pipeline = find_pipeline(args.container)
    state, options = read_state(args, args.state)
    with naming_input(args.state):
        view = shown.view_sync(counting_if_can(counting(pipeline, options)), state, options)
    if terminal is None:
        write_text(shown.page(view), args.html)
    else:
        terminal.print_view(view, terminal.Stdout(), full=args.full)
    return 0


def _terminal() -> Any:
    try:
        return importlib.import_module("seamwright.show.terminal")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != "rich":
            raise
        raise CallError(
            "show needs rich, which is not installed: pip install 'seamwright[show]'; --html FILE works without it"
        ) from None
