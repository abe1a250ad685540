"""States for batches, the command run on them, and pipelines that misbehave; found by name, as workers find them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from seamwright import BuildContext, Message, Pipeline
from seamwright.cli import main
from seamwright.seams.timeline import TimelineMessage
from seamwright_containers import responses_pipeline

ROOT: Final = Path(__file__).resolve().parents[2]
HERE: Final = Path(__file__).resolve().parent


def state(text: str = "Hello", **more: Any) -> dict[str, Any]:
    """A state file's content with one message."""
    message = {"id": "m1", "role": "user", "content": text, "created_at": "2026-01-01T00:00:00Z"}
    return {"model": "gpt-5.4", "messages": [message], **more}


def written(path: Path, lines: Iterable[Any]) -> Path:
    """A file of lines: texts as they are, all else as JSON."""
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")
    return path


def batch(*arguments: str | Path) -> int:
    """Runs the command in this process."""
    return main(["batch", *map(str, arguments)])


def command(*arguments: str | Path) -> list[str]:
    """The command as a child process runs it."""
    program = "import sys; from seamwright.cli import main; sys.exit(main())"
    return [sys.executable, "-c", program, "batch", *map(str, arguments)]


def environment() -> dict[str, str]:
    """The environment of a child process: it finds the library, and this module."""
    path = [str(ROOT / "src"), str(ROOT / "containers"), str(HERE)]
    return os.environ | {"PYTHONPATH": os.pathsep.join(path)}


def started(*arguments: str | Path, **more: Any) -> subprocess.Popen[str]:
    """The command in a child process that leads a group of its own, as in a terminal."""
    streams: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(
        command(*arguments), env=environment(), start_new_session=True, encoding="utf-8", **(streams | more)
    )


def until(condition: Any, seconds: float = 60) -> None:
    """Waits until something holds."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("it did not come about in time")
        time.sleep(0.002)


def size(path: Path) -> int:
    """Bytes of a file; none when there is no such file."""
    return path.stat().st_size if path.exists() else 0


def ids(output: bytes) -> list[str]:
    """The custom ids of a batch file, each line of which is a whole request."""
    assert output == b"" or output.endswith(b"\n")
    requests = [json.loads(line) for line in output.splitlines()]
    assert all(request["method"] == "POST" and request["url"] == "/v1/responses" for request in requests)
    return [request["custom_id"] for request in requests]


# ---------------------------------------------------------------------- pipelines, named batch_states:…


def _acting() -> Pipeline:
    whole = responses_pipeline()
    plain: TimelineMessage = whole.seams.timeline_message

    def acting(message: Message, context: BuildContext, /) -> Any:
        _act(str(message.content))
        return plain(message, context)

    return responses_pipeline(timeline_message=acting)


def _act(text: str) -> None:
    """Does what the message says, such as ``die`` or ``note FILE``."""
    verb, _, rest = text.partition(" ")
    match verb:
        case "die":
            os._exit(3)
        case "die-once":
            marker = Path(rest)
            if not marker.exists():
                marker.touch()
                os._exit(3)
        case "fail":
            raise LookupError(rest)
        case "leave":
            raise SystemExit(rest)
        case "note":
            with Path(rest).open("a", encoding="utf-8") as file:
                file.write(f"{os.getpid()}\n")
            time.sleep(0.02)
        case "sleep":
            time.sleep(float(rest))
        case _:
            return


acting: Final = _acting()
