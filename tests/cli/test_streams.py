"""Where commands read and write: streams that are closed, broken, full, or of another encoding."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from cli.terminal import CALL, QUESTION, RESPONSE, SCRIPT, STATE, called, environment, errors, typed, written
from seamwright.cli import ingest, render

COMMANDS: Final = {
    "render": ["render", "state.json"],
    "ingest": ["ingest", "response.json", "--state", "state.json"],
    "check": ["check", "request.json"],
    "explain": ["explain", "state.json"],
    "seams": ["seams"],
    "schema": ["schema"],
}
READING: Final = {
    "render": (["render", "-"], 1),
    "ingest": (["ingest", "-", "--state", "state.json"], 1),
    "check": (["check", "-"], 2),
    "explain": (["explain", "-"], 1),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a file of each kind, large enough that no pipe holds what comes of it."""
    many = [QUESTION | {"id": f"m{number}", "content": "x" * 100} for number in range(2000)]
    written(tmp_path, "state.json", {**STATE, "messages": many})
    written(tmp_path, "response.json", RESPONSE)
    written(tmp_path, "request.json", {"model": "m", "input": [CALL] * 2000})
    return tmp_path


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    """A line as it is typed into a shell, with the installed script in place of ``seamwright``."""
    command = line.replace("seamwright", f"'{SCRIPT}'", 1)
    return subprocess.run(
        ["sh", "-c", command], cwd=folder, env=environment(), capture_output=True, check=False, timeout=60
    )


@pytest.mark.parametrize("command", ["render", "ingest", "schema"])
def test_closed_stdout(command: str, folder: Path) -> None:
    """A result that has nowhere to go is a wrong call, told on stderr."""
    done = shell(f"seamwright {' '.join(COMMANDS[command])} >&-", folder)

    assert 2 == done.returncode
    assert b"error: stdout can't be written: it is closed\n" == done.stderr


@pytest.mark.parametrize("command", ["render", "ingest", "schema"])
def test_closed_stdout_does_not_matter_with_a_file(command: str, folder: Path) -> None:
    """``-o`` needs no stdout."""
    done = shell(f"seamwright {' '.join(COMMANDS[command])} -o out.json >&-", folder)

    assert (0, b"") == (done.returncode, done.stderr)
    assert json.loads((folder / "out.json").read_bytes())


@pytest.mark.parametrize("command", READING)
def test_closed_stdin(command: str, folder: Path) -> None:
    """Read or not there: told as any file that can't be read."""
    arguments, code = READING[command]
    done = shell(f"seamwright {' '.join(arguments)} <&-", folder)

    assert (code, b"") == (done.returncode, done.stdout)
    assert b"stdin" in done.stderr
    assert b"closed" in done.stderr
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_closed_stderr_and_stdin_do_not_matter(command: str, folder: Path) -> None:
    """A command that has nothing to say there, and reads nothing, needs neither."""
    done = shell(f"seamwright {' '.join(COMMANDS[command])} 2>&- <&-", folder)

    assert done.returncode == (1 if command == "check" else 0)
    assert done.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_a_reader_that_goes_away(command: str, folder: Path) -> None:
    """``… | head -c 1`` is no error, and nothing is said about it."""
    done = shell(f"{{ seamwright {' '.join(COMMANDS[command])}; echo $? >code; }} | head -c 1", folder)

    assert (1, b"") == (len(done.stdout), done.stderr)
    assert (folder / "code").read_text("utf-8").strip() in ("0", "1" if command == "check" else "0")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_disk(command: str, folder: Path) -> None:
    """What can't be written is told, with exit code 2."""
    done = shell(f"seamwright {' '.join(COMMANDS[command])} >/dev/full", folder)

    assert 2 == done.returncode
    assert b"error: stdout can't be written: No space left on device\n" == done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-16"])
def test_the_locale_does_not_matter(encoding: str, tmp_path: Path) -> None:
    """Output is UTF-8 whatever the terminal is said to speak; half a sign becomes its JSON escape."""
    state = {**STATE, "system_prompt": "Grüße 😀 \ud83d", "tool_calls": [{**_WAITING, "id": "größe"}]}
    written(tmp_path, "state.json", state)
    done = typed("render", "state.json", cwd=tmp_path, PYTHONIOENCODING=encoding, LC_ALL="C", PYTHONUTF8="0")

    assert 0 == done.code
    assert "Grüße 😀 \ufffd" in done.json["instructions"]
    assert "größe" in done.err


_WAITING: Final = {"tool": "track", "args": {}, "created_at": "2026-01-01T12:00:00Z"}


def test_interrupted(monkeypatch: pytest.MonkeyPatch, state: Path) -> None:
    """Ctrl-C ends a command without a traceback, with the code that shells give it."""

    def interrupt(_name: str) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(ingest, "read_input", interrupt)
    assert (130, "", "") == _parts(called("ingest", state, "--state", state))


def _parts(done: Any) -> tuple[int, str, str]:
    return done.code, done.out, done.err


def test_a_fault_of_the_library_is_not_hidden(monkeypatch: pytest.MonkeyPatch, state: Path) -> None:
    """What is nobody's mistake but ours comes with its traceback, for the report."""

    def broken(*_arguments: Any) -> Any:
        raise ZeroDivisionError

    monkeypatch.setattr(render, "build", broken)
    with pytest.raises(ZeroDivisionError):
        called("render", state)


def test_it_runs_as_a_module_too(state: Path, tmp_path: Path) -> None:
    """Where the script is not on the path: the same."""
    command = [sys.executable, "-m", "seamwright", "render", str(state)]
    done = subprocess.run(command, cwd=tmp_path, env=environment(), capture_output=True, check=False)

    assert (0, b"") == (done.returncode, done.stderr)
    assert called("render", state).json == json.loads(done.stdout)


Reader = Callable[[Path], list[str]]


@pytest.mark.parametrize(
    ("command", "spoilt"),
    [
        (["render", "FILE"], b"\xff"),
        (["explain", "FILE"], b"\xff"),
        (["ingest", "FILE", "--state", "state.json"], b"\xff"),
        (["check", "FILE"], b"\xff"),
    ],
)
def test_bytes_that_are_no_text(command: list[str], spoilt: bytes, folder: Path) -> None:
    """Told with the file's name; the exit code is that of wrong input, for check that of what can't be read."""
    path = written(folder, "spoilt.json", spoilt)
    arguments = [str(path) if one == "FILE" else str(folder / one) if "." in one else one for one in command]
    done = called(*arguments)

    assert (2 if command[0] == "check" else 1, "") == (done.code, done.out)
    assert "spoilt.json: " in done.err
    if command[0] != "check":
        assert errors(done)
