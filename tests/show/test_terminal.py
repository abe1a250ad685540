"""``seamwright show`` in a terminal."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Final

import pytest
from rich.console import Console

from seamwright import AgentState, Memory, RenderOptions, dump_state, load_state
from seamwright.cli import main
from seamwright.show import view_sync
from seamwright.show.terminal import print_view
from seamwright_containers import responses_pipeline
from show import hostile

ROOT: Final = Path(__file__).resolve().parents[2]
EXAMPLE: Final = ROOT / "examples" / "support_agent.json"


def printed(width: int = 100, *, full: bool = False, color: bool = False, hostile_state: bool = False) -> str:
    """What a terminal of that width gets."""
    given = (hostile.state(), hostile.OPTIONS) if hostile_state else load_state(EXAMPLE)
    console = Console(
        file=io.StringIO(), width=width, force_terminal=color, color_system="truecolor" if color else None
    )
    print_view(view_sync(responses_pipeline(), *given), console, full=full)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_everything_is_there() -> None:
    """Sizes by bucket, tools, items with author and trust, replayed reasoning, what was left out, the prefix's end."""
    text = printed()

    for told in (
        "gpt-5.4 at openai",
        "25 items · 25.1 kB · 4 reasoning replayed · 2 left out",
        "standing instructions  █",
        "hidden from the model",
        "message: user  user  from Ines (customer) (customer-88213)  208 B · m4",
        "▏Thursday morning, please.",
        "reasoning  agent  from assistant  980 B · rs_03 · in resp_03  replayed",
        "✗ reasoning  agent  from assistant  left out · rs_01 · in resp_01",
        "reasoning-prefix-changed: reasoning left out: instructions changed",
        "end of the prefix that fingerprints cover",
    ):
        assert told in text
    assert text.index("m5") < text.index("end of the prefix") < text.index("message: system")


def test_without_trailing_item_the_prefix_ends_last() -> None:
    """Of a state that has no tools, no items and a bucket that is not asked for: its note, and the end."""
    state = AgentState(system_prompt="Help.", memories=[Memory(id="m", content="Tall.")])
    console = Console(file=io.StringIO(), width=90)
    print_view(view_sync(responses_pipeline(), state, RenderOptions(model="m", bucket_order=["timeline"])), console)
    assert isinstance(console.file, io.StringIO)
    text = console.file.getvalue()

    assert "bucket-left-out: bucket_order has no 'memories', and 1 stand in it" in text
    assert "tools" not in text
    assert text.rstrip("\n").endswith("─")
    assert "end of the prefix" in text.rstrip("\n").rpartition("\n")[2]


def test_long_texts_are_cut_unless_all_is_asked_for() -> None:
    """``full`` shows whole texts, else how much more there is."""
    assert "… 4 more lines" in printed()
    assert "more lines" not in printed(full=True)
    assert len(printed()) < len(printed(full=True))


@pytest.mark.parametrize("width", [40, 80, 200])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    """Lines are wrapped, in narrow terminals too."""
    from rich.cells import cell_len

    assert width >= max(cell_len(line) for line in printed(width).splitlines())


def test_trust_has_its_colour() -> None:
    """A trust is told by its word, and in colour besides."""
    text = printed(color=True)

    assert "\x1b[31m  untrusted\x1b[0m" in text
    assert "\x1b[35m  agent\x1b[0m" in text
    assert "\x1b" not in printed()


def test_hostile_text_stays_text() -> None:
    """Control, bidirectional and invisible characters are spelled out, and markup of the terminal's library is text."""
    text = printed(hostile_state=True, full=True)

    assert not [char for char in text if not char.isprintable() and char != "\n"]
    for told in ("\\x00\\x07\\x1b[31mred", "\\u202egnp.exe\\u200b\\U000e0041", "[bold red]markup[/]", ":smile:"):
        assert told in text


def test_the_command_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    """``seamwright show`` prints what the view holds; options of the call count."""
    assert 0 == main(["show", str(EXAMPLE)])
    out, err = capsys.readouterr()
    assert ("", True) == (err, "4 reasoning replayed" in out)

    assert 0 == main(["show", str(EXAMPLE), "--set", "reasoning_replay=off", "--full"])
    assert "0 reasoning replayed" in capsys.readouterr().out


def test_without_rich_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Where rich is not installed the command says how to get it, and the page is made all the same."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "rich"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "seamwright.show.terminal")
    monkeypatch.setitem(sys.modules, "rich", None)

    assert 2 == main(["show", str(EXAMPLE)])
    out, err = capsys.readouterr()
    assert ("", True) == (out, "pip install 'seamwright[show]'" in err)

    assert 0 == main(["show", str(EXAMPLE), "--html", "-"])
    assert "<!doctype html>" in capsys.readouterr().out


def test_a_wrong_state_is_exit_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is wrong with the file, or found when it is built, names the file."""
    path = tmp_path / "state.json"
    path.write_text('{"model": "m", "memory": []}', encoding="utf-8")
    assert 1 == main(["show", str(path)])
    assert capsys.readouterr().err.startswith(f"error: {path}: memory: ")

    state = dump_state(*load_state(EXAMPLE))
    del state["options"]["unsupported_media_policy"]
    path.write_text(json.dumps(state), encoding="utf-8")
    assert 1 == main(["show", str(path), "--allow-paths"])
    assert capsys.readouterr().err.startswith(f"error: {path}: ")
