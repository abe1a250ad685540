"""Commands as a user types them, and in this process where there are many."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, Final

import attrs
import pytest

import seamwright
import seamwright_containers
from seamwright.cli import main

SCRIPT: Final = Path(sysconfig.get_path("scripts")) / "seamwright"
PACKAGES: Final = [str(Path(str(one.__file__)).parents[1]) for one in (seamwright, seamwright_containers)]
"""Where the packages under test lie: a script that runs elsewhere would find those that are installed."""

QUESTION: Final = {"id": "m1", "role": "user", "content": "Where is it?", "created_at": "2026-01-01T12:00:00Z"}
SCHEMA: Final = {"type": "object", "properties": {}}
STATE: Final[Mapping[str, Any]] = {
    "model": "gpt-5.4",
    "system_prompt": "You answer for a parcel service.",
    "messages": [QUESTION],
    "tools": [{"name": "track", "description": "Tracks a parcel.", "input_schema": SCHEMA}],
}
REASONING: Final = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAAAAB1c2VhbGVk"}
CALL: Final = {
    "type": "function_call",
    "id": "fc_1",
    "call_id": "call_1",
    "name": "track",
    "arguments": "{}",
    "status": "completed",
}
RESPONSE: Final = {
    "id": "resp_1",
    "object": "response",
    "model": "gpt-5.4",
    "status": "completed",
    "output": [REASONING, CALL],
}


@attrs.frozen
class Done:
    """A command that ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What stands on stdout, which has to be JSON and nothing else."""
        return json.loads(self.out)


def environment(**more: str) -> dict[str, str]:
    """The environment of a typed command."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(PACKAGES)} | more


def typed(*arguments: str | Path, cwd: Path, stdin: bytes = b"", **env: str) -> Done:
    """The installed script, in a folder."""
    done = subprocess.run(
        [SCRIPT, *arguments], cwd=cwd, input=stdin, env=environment(**env), capture_output=True, check=False
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def called(*arguments: str | Path, stdin: bytes | str | None = None) -> Done:
    """The same in this process; what the parser says by leaving is its exit code."""
    content = stdin.encode() if isinstance(stdin, str) else stdin
    with pytest.MonkeyPatch.context() as patch:
        if content is not None:
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
            try:
                code = main([str(argument) for argument in arguments])
            except SystemExit as left:
                code = int(left.code or 0)
    assert "Traceback" not in err.getvalue()
    return Done(code, out.getvalue(), err.getvalue())


def written(folder: Path, name: str, value: Any) -> Path:
    """A file with a JSON value, or with bytes or text as they are."""
    path = folder / name
    data = value if isinstance(value, (bytes, str)) else json.dumps(value)
    path.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass"))
    return path


def errors(done: Done) -> list[str]:
    """The lines of stderr, each of which has to be an error."""
    lines = done.err.splitlines()
    assert lines
    assert all(line.startswith("error: ") for line in lines), done.err
    return [line.removeprefix("error: ") for line in lines]
