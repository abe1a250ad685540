"""The command line as a whole: help, version, and options that don't exist."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path

import pytest

from cli.terminal import called, typed

COMMANDS = ("render", "ingest", "check", "explain", "seams", "schema")


def test_help_names_every_command(tmp_path: Path) -> None:
    """On stdout, exit 0."""
    done = typed("--help", cwd=tmp_path)

    assert (0, "") == (done.code, done.err)
    assert all(f"\n    {command} " in done.out for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_has_its_help(command: str) -> None:
    """With what it is for and what it takes."""
    done = called(command, "--help")

    assert (0, "") == (done.code, done.err)
    assert done.out.startswith(f"usage: seamwright {command} ")
    assert len(done.out.splitlines()) > 5


def test_the_version(tmp_path: Path) -> None:
    """That of the distribution."""
    done = typed("--version", cwd=tmp_path)
    assert (0, f"seamwright {importlib.metadata.version('seamwright')}\n") == (done.code, done.out)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "seamwright: error: the following arguments are required: COMMAND"),
        (["rendr"], "(did you mean 'render'?)"),
        (["schemas"], "(did you mean 'schema'?)"),
        (["render"], "seamwright render: error: the following arguments are required: STATE"),
        (["render", "s", "--contaner", "x:y"], "--contaner x:y (did you mean '--container'?)"),
        (["render", "s", "--sett=a=b"], "--sett=a=b (did you mean '--set'?)"),
        (["render", "s", "--allow-path"], ""),
        (["render", "s", "t"], "seamwright render: error: unrecognized arguments: t\n"),
        (["render", "s", "--set"], "argument --set: expected one argument"),
        (["ingest", "r"], "the following arguments are required: --state"),
        (["ingest", "r", "--state", "s", "--requst", "q"], "(did you mean '--request'?)"),
        (["check"], "the following arguments are required: FILE"),
        (["check", "f", "--fixx"], "--fixx (did you mean '--fix'?)"),
        (["check", "f", "--format", "jsn"], "(did you mean 'json'?)"),
        (["explain", "a", "b", "c"], "unrecognized arguments: c"),
        (["explain", "a", "b", "--usag", "{}"], ""),
        (["seams", "--jsn"], "--jsn (did you mean '--json'?)"),
        (["schema", "x"], "seamwright schema: error: unrecognized arguments: x"),
    ],
)
def test_a_wrong_call(arguments: list[str], told: str) -> None:
    """Exit 2, nothing on stdout; what is not known is quoted with the nearest that is. Beginnings of options do."""
    done = called(*arguments)

    assert "" == done.out
    assert told in done.err
    assert done.code == (2 if told else 1)  # a beginning is enough, so that the file is what is missed


def test_a_wrong_call_as_it_is_typed(tmp_path: Path) -> None:
    """Usage and one line."""
    done = typed("rendr", "state.json", cwd=tmp_path)

    assert (2, "") == (done.code, done.out)
    assert done.err.startswith("usage: seamwright ")
    assert done.err.rstrip().endswith("(did you mean 'render'?)")
