"""The command line: one module per command, each with ``add(subparsers)`` and ``run(args) -> exit code``.

Results go to stdout as JSON, warnings and errors to stderr.
Exit code 0: good; 1: the input is wrong; 2: the call is wrong.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.metadata
import io
import os
import sys
from collections.abc import Sequence
from typing import TextIO

from seamwright.cli import batch, check, explain, ingest, render, schema, seams, show
from seamwright.cli.arguments import Parser
from seamwright.cli.common import CallError, InputError, report_error
from seamwright.errors import SeamwrightError

_COMMANDS = (render, batch, ingest, check, show, explain, seams, schema)


def parser() -> Parser:
    """The whole command line."""
    whole = Parser(prog="seamwright", description="Render an agent's memory into a Responses request.")
    version = importlib.metadata.version("seamwright")
    whole.add_argument("--version", action="version", version=f"seamwright {version}")
    subparsers = whole.add_subparsers(required=True, metavar="COMMAND")
    for command in _COMMANDS:
        command.add(subparsers)
    return whole


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and gives its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # what is printed is UTF-8 whatever the locale says
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    args = parser().parse_args(argv)
    try:
        code = _run(args)
        _flush()
    except CallError as error:
        report_error(error)
        return 2
    except (InputError, SeamwrightError) as error:
        report_error(error)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:  # the reader went away, as head does
        _give_up_stdout()
        return 0
    except OSError as error:
        _give_up_stdout()
        report_error(CallError(f"stdout can't be written: {error.strerror or error}"))
        return 2
    return code


def _run(args: argparse.Namespace) -> int:
    try:
        code: int = args.run(args)
    except SystemExit as error:  # a seam's, say: whatever it means there, the command has not done its work
        raise CallError(f"code that the command ran ended it with SystemExit({error.code!r})") from error
    return code


def _flush() -> None:
    stdout: TextIO | None = sys.stdout
    if stdout is not None:  # there is none when it was closed
        stdout.flush()


def _give_up_stdout() -> None:
    """Lets the flush at exit go nowhere, so that it does not complain once more."""
    with contextlib.suppress(OSError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
