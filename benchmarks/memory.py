"""What a build with a large document takes: the peak of a process of its own, above the raw bytes, in base64 texts.

python -m benchmarks.memory
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final, Literal

SIZE: Final = 50_000_000
LIMIT: Final = 3.2
How = Literal["bytes", "file", "json"]

CHILD: Final = """
import sys
from datetime import UTC, datetime
from pathlib import Path

from seamwright import AgentState, Media, Message, RenderOptions
from seamwright_containers import responses_pipeline


def peak():
    # not ru_maxrss: that of a child begins at what its parent had
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM"))


def state(source):
    pdf = Media.user_attachment(kind="document", mime_type="application/pdf", filename="a.pdf", source_reader=source)
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return AgentState(messages=[Message(id="m", role="user", content="read", created_at=at, attachments=[pdf])])


where, how = Path(sys.argv[1]), sys.argv[2]
pipeline = responses_pipeline()
options = RenderOptions(model="gpt-test")
pipeline.build_sync(state(b"%PDF-small"), options)
raw = where.read_bytes()
before = peak()
assembled = pipeline.build_sync(state(where if how == "file" else raw), options)
body = assembled.to_json() if how == "json" else b""
print(peak() - before)
"""


def measured(how: How) -> float | None:
    """How many times the base64 text; None where a process can't be asked for its peak.

    ``json``: with the body of the request; ``file``: the document is read from a file.
    """
    if not Path("/proc/self/status").exists():
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.pdf"
        path.write_bytes(b"%PDF-" + b"x" * SIZE)
        child = [sys.executable, "-c", CHILD, str(path), how]
        done = subprocess.run(child, capture_output=True, text=True, check=True, timeout=300)
        return int(done.stdout) / (4 * (path.stat().st_size + 2) // 3)


def main() -> int:
    """Prints one row a way; 1 when a limit is passed."""
    ways: tuple[How, ...] = ("bytes", "file", "json")
    rows = {how: measured(how) for how in ways}
    for how, grown in rows.items():
        print(f"{how:<6} {'skipped: no /proc' if grown is None else f'{grown:.2f} × the base64 text'}")
    return int(any(grown is not None and grown > LIMIT for grown in rows.values()))


if __name__ == "__main__":
    sys.exit(main())
