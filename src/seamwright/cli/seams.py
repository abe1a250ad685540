"""``seamwright seams``: the graph of a container, seam by seam."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import attrs

from seamwright.cli.common import CallError, find_target, write_json
from seamwright.errors import WiringError, printable

DEFAULT_GRAPH: Final = "seamwright_containers:ResponsesContainer"
_DESCRIBE: Final = "seamwright_containers:describe"


def add(subparsers: Any) -> None:
    """Adds the command."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "seams",
        help="show the seams of a container and what depends on what",
        description=(
            "Show each seam of a container: its Protocol, where it comes from, what it needs, what needs it, what it"
            " replaces. A pipeline does not know how its seams were made: name its container or its plan to see that."
        ),
    )
    parser.add_argument(
        "--container",
        default=DEFAULT_GRAPH,
        metavar="MODULE:ATTRIBUTE",
        help="a container, a plan, a pipeline, or a function that gives one (default: %(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="print a list with one object for each seam")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Describes and prints."""
    seams = _described(args.container)
    if args.json:
        write_json([attrs.asdict(seam) for seam in seams], None)
    else:
        print("\n".join(printable(line) for line in _lines(seams)))
    return 0


def _described(target: str) -> Sequence[Any]:
    """The seams of a target, as the wiring describes them; it is found by name, since it is no part of the library."""
    value = find_target(target)
    describe: Callable[[object], Sequence[Any]] = find_target(_DESCRIBE)
    try:
        return describe(value)
    except WiringError as error:
        raise CallError(f"--container {target}: {error}") from error
    except Exception as error:
        raise CallError(f"--container {target}: describing it raised {type(error).__name__}: {error}") from error


def _lines(seams: Sequence[Any]) -> Iterator[str]:
    for seam in seams:
        added = seam.default is None
        yield f"{seam.name}: {seam.protocol}{' (added)' if added else ' (overridden)' if seam.overridden else ''}"
        yield f"    from       {seam.source}"
        if seam.overridden:
            yield f"    instead of {seam.default}"
        for label, others in (("needs", seam.needs), ("needed by", seam.needed_by)):
            if others:
                yield f"    {label:<10} {', '.join(others)}"
    overridden = sum(bool(seam.overridden) for seam in seams)
    yield f"{len(seams)} seams, {overridden} overridden, {sum(seam.default is None for seam in seams)} added"
