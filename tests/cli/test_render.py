"""``seamwright render``: options, containers, where the result goes."""

from __future__ import annotations

import json
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import attrs
import pytest

from cli.terminal import QUESTION, STATE, called, errors, typed, written
from seamwright import load_state
from seamwright_containers import responses_pipeline


def test_it_prints_the_request(state: Path, tmp_path: Path) -> None:
    """What the library would send, as JSON, and nothing else on either stream."""
    done = typed("render", "state.json", cwd=tmp_path)

    assert (0, "") == (done.code, done.err)
    assert responses_pipeline().build_sync(*load_state(state)).to_request() == done.json


def test_warnings_go_to_stderr_one_line_for_each_cause(root: Path, tmp_path: Path) -> None:
    """The result stays JSON; a line names its code, everything it struck, and why."""
    done = typed("render", root / "examples" / "support_agent.json", cwd=tmp_path)

    assert 0 == done.code
    assert "gpt-5.4" == done.json["model"]
    lines = done.err.splitlines()
    assert {"warning:"} == {line.split()[0] for line in lines}
    assert len(lines) == len({line.partition(": ")[2] for line in lines})
    assert any(line.startswith("warning: reasoning-prefix-changed (rs_01): reasoning left out: ") for line in lines)


def test_things_struck_by_one_cause_share_a_line(tmp_path: Path) -> None:
    """Two calls of one tool that wait are one line with two ids."""
    call = {"tool": "track", "args": {}, "created_at": "2026-01-01T12:00:00Z"}
    state = written(tmp_path, "state.json", STATE | {"tool_calls": [{"id": "c1", **call}, {"id": "c2", **call}]})
    (line,) = called("render", state).err.splitlines()

    assert line.startswith("warning: pending-tool-call (c1, c2): ")


def test_a_dash_reads_stdin(tmp_path: Path) -> None:
    """Typed and in a pipe; paths in it begin in the folder the command runs in."""
    written(tmp_path, "note.txt", "It is late.")
    media = {"kind": "document", "mime_type": "text/plain", "filename": "n.txt", "path": "note.txt"}
    tiers = {"trust_tier": "first-party", "modality_hazard": "inert"}
    text = json.dumps(STATE | {"messages": [QUESTION | {"attachments": [media | tiers]}]})
    done = typed("render", "-", cwd=tmp_path, stdin=text.encode())

    assert (0, "") == (done.code, done.err)
    assert "SXQgaXMgbGF0ZS4=" in done.out


@pytest.mark.parametrize(
    ("given", "name", "value"),
    [
        ("model=gpt-5.4-mini", "model", "gpt-5.4-mini"),
        ("self_identity=helper", "self_identity", "helper"),
        ('self_identity="helper"', "self_identity", "helper"),
        ("self_identity=a=b", "self_identity", "a=b"),
        ("reasoning_replay=off", "reasoning_replay", "off"),
        ("strict=true", "strict", True),
        ('bucket_order=["timeline"]', "bucket_order", ("timeline",)),
    ],
)
def test_set_changes_one_option(
    given: str, name: str, value: Any, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The value is JSON, a bare word a string; what stands in the file besides stays."""
    seen: list[Any] = []
    monkeypatch.setattr("cli.made_here.SEEN", seen, raising=True)
    assert 0 == called("render", state, "--set", given, "--container", "cli.made_here:watching").code

    expected = attrs.evolve(load_state(state)[1], **{name: value})
    assert {expected} == set(seen)


def test_set_is_stronger_than_the_file_and_the_last_one_wins(tmp_path: Path) -> None:
    """Several are taken, in order."""
    state = written(tmp_path, "state.json", STATE | {"options": {"system_prompt_channel": "developer-item"}})
    assert "developer" == called("render", state).json["input"][0]["role"]
    twice = ("--set", "system_prompt_channel=instructions", "--set", "system_prompt_channel=system-item")
    done = called("render", state, *twice, "--set", "model=another")

    assert "another" == done.json["model"]
    assert "system" == done.json["input"][0]["role"]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("modle=x", "--set modle: no such option (did you mean 'model'?); model, "),
        ("=x", "--set : no such option; model, "),
        ("model", "--set model: NAME=VALUE is expected"),
        ("model=1", "--set model: 1 is not "),
        ("reasoning_replay=of", "--set reasoning_replay: 'of' is not one of "),
        ("strict=yes", "--set strict: 'yes' is not true or false"),
        ("bucket_order=[1]", "--set bucket_order"),
        ("endpoint=opnai", "--set endpoint: 'opnai' is "),
    ],
)
def test_a_wrong_option_is_a_wrong_call(given: str, told: str, state: Path) -> None:
    """Exit 2, whatever the file holds; the option is named, and what would be right."""
    for name in (state, state.parent / "none.json"):
        done = called("render", name, "--set", given)
        assert (2, "") == (done.code, done.out)
        assert errors(done)[0].startswith(told)


@pytest.mark.parametrize(
    ("option", "given", "told"),
    [
        ("--set", "mo\ndel=1", r"--set mo\ndel: no such option (did you mean 'model'?); "),
        ("--set", "a\nmodel: fine", r"--set a\nmodel: fine: NAME=VALUE is expected"),
        ("--set", 'unsupported_media_policy={"mo\\nde": 1}', r"--set unsupported_media_policy.mo\nde: unknown key"),
        ("--container", "a\nb", r"--container a\nb: MODULE:ATTRIBUTE is expected"),
        ("--container", "a\nb:c", r"--container a\nb:c: a\nb can't be imported: "),
        ("--container", "seamwright_containers:x\u2028y", r"--container seamwright_containers:x\u2028y: "),
    ],
)
def test_an_argument_cant_forge_a_line(option: str, given: str, told: str, state: Path) -> None:
    """A line break in what was typed is shown as an escape, so each fault stays on its line."""
    done = called("render", state, option, given)

    assert (2, "") == (done.code, done.out)
    assert errors(done)[0].startswith(told)
    assert len(errors(done)) == (3 if "policy" in given else 1)


def test_keys_and_names_cant_forge_a_line(tmp_path: Path) -> None:
    """Neither a key of the file nor a property of a schema begins a line of its own."""
    schema = {"type": "object", "properties": {"x\nerror: y": {"type": "object", "additionalProperties": True}}}
    tool = {"name": "t", "description": "", "input_schema": schema, "strict": True}
    for changes, count in ({"a\nb": 1, "c\rd": 2}, 2), ({"tools": [tool]}, 1):
        done = called("render", written(tmp_path, "state.json", {**STATE, **changes}))

        assert (1, "") == (done.code, done.out)
        assert count == len(errors(done))
        assert all(line.startswith(f"{tmp_path}/state.json: ") for line in errors(done))


@pytest.mark.parametrize(
    "target",
    [
        "seamwright_containers:responses_pipeline",
        "seamwright_containers:ResponsesContainer",
        "cli.made_here:CONTAINER",
        "cli.made_here:PIPELINE",
        "cli.made_here:Holder.pipeline",
        "cli.made_here:PLAN.pipeline",
        "cli.made_here:container",
    ],
)
def test_a_container_in_every_form(target: str, state: Path) -> None:
    """Class, instance, pipeline, a function that gives one of them, something within something."""
    assert called("render", state).json == called("render", state, "--container", target).json


def test_a_container_of_the_folder(state: Path, tmp_path: Path) -> None:
    """A module beside the state file is found as with ``python -m``, and its seams are those that render."""
    text = "from seamwright_containers import responses_pipeline\nloud = responses_pipeline(neutraliser=str.upper)\n"
    written(tmp_path, "mine.py", text)
    done = typed("render", "state.json", "--container", "mine:loud", cwd=tmp_path)

    assert (0, "") == (done.code, done.err)
    assert "WHERE IS IT?" in done.out


@pytest.mark.parametrize(
    ("target", "told"),
    [
        ("seamwright_containers", "MODULE:ATTRIBUTE is expected"),
        (":x", "MODULE:ATTRIBUTE is expected"),
        ("x:", "MODULE:ATTRIBUTE is expected"),
        ("no_such_module:x", "no_such_module can't be imported: ModuleNotFoundError: "),
        ("cli.raising:x", "cli.raising can't be imported: RuntimeError: not today"),
        ("cli.leaving:x", "cli.leaving can't be imported: SystemExit: 0"),
        ("seamwright_containers:responses_pipline", "no 'responses_pipline' (did you mean 'responses_pipeline'?)"),
        ("cli.made_here:NUMBER", "17 is no container, pipeline or function giving one"),
        ("cli.made_here:PLAN", "function giving one; cli.made_here:PLAN.pipeline would be"),
        ("cli.made_here:gives_a_number", "17 is no container, pipeline or function giving one"),
        ("cli.made_here:gives_nothing_of_use", "calling it raised ValueError: no configuration"),
        ("cli.made_here:leaves", "calling it raised SystemExit: 3"),
        ("cli.made_here:waits", "is no container, pipeline or function giving one"),
        ("cli.made_here:needs_one", "calling it raised TypeError: "),
        ("cli.made_here:Lacking", "the container has no provider for "),
        ("cli.made_here:broken", "nonce: "),
    ],
)
def test_a_wrong_container_is_a_wrong_call(target: str, told: str, state: Path) -> None:
    """Exit 2; the line names the target and what is wrong with it."""
    done = called("render", state, "--container", target)

    assert (2, "") == (done.code, done.out)
    (line,) = errors(done)
    assert line.startswith(f"--container {target}: ")
    assert told in line


@pytest.mark.parametrize(
    ("gives", "told"), [("object()", "Object of type object is not JSON"), ("float('nan')", "Out of range float")]
)
def test_a_seam_that_gives_no_json_is_a_wrong_call(gives: str, told: str, state: Path, tmp_path: Path) -> None:
    """Exit 2 and one line, no traceback; nothing on stdout."""
    text = "from seamwright_containers import responses_pipeline\n"
    text += f"odd = responses_pipeline(timeline_message=lambda m, c: [{{'a': {gives}}}])\n"
    written(tmp_path, "odd.py", text)
    done = typed("render", state, "--container", "odd:odd", cwd=tmp_path)

    assert (2, "") == (done.code, done.out)
    (line,) = errors(done)
    assert line.startswith(f"what was made can't be written as JSON: {told}")


def test_a_seam_that_raises_is_named(state: Path) -> None:
    """Exit 1: the call was right, the state met a seam that can't render it."""
    done = called("render", state, "--container", "cli.made_here:raising")

    assert (1, "") == (done.code, done.out)
    assert "timeline_message" in done.err
    assert "no words for m1" in done.err


def test_into_a_file(state: Path, tmp_path: Path) -> None:
    """``-o`` writes what stdout would get, under the mask of the user, and prints nothing."""
    done = typed("render", "state.json", "-o", "request.json", cwd=tmp_path)

    assert (0, "", "") == (done.code, done.out, done.err)
    assert typed("render", "state.json", cwd=tmp_path).out == (tmp_path / "request.json").read_text("utf-8")
    mask = os.umask(0)
    os.umask(mask)
    assert 0o666 & ~mask == stat.S_IMODE((tmp_path / "request.json").stat().st_mode)
    assert ["request.json", "state.json"] == sorted(path.name for path in tmp_path.iterdir())


def test_a_dash_as_output_is_stdout(state: Path) -> None:
    """As for input."""
    assert called("render", state).out == called("render", state, "-o", "-").out


def test_a_file_that_is_there_keeps_its_permissions_and_links(state: Path, tmp_path: Path) -> None:
    """What is replaced is the file a link leads to; the link stays one."""
    target = written(tmp_path, "request.json", "old")
    target.chmod(0o640)
    (tmp_path / "link.json").symlink_to("request.json")
    assert 0 == called("render", state, "-o", tmp_path / "link.json").code

    assert (tmp_path / "link.json").is_symlink()
    assert "gpt-5.4" == json.loads(target.read_text("utf-8"))["model"]
    assert 0o640 == stat.S_IMODE(target.stat().st_mode)


def test_the_input_may_be_the_output(tmp_path: Path) -> None:
    """Everything is read before anything is written."""
    state = written(tmp_path, "state.json", STATE)
    assert 0 == called("render", state, "-o", state).code
    assert {"model", "store", "input"} <= json.loads(state.read_text("utf-8")).keys()


def test_what_fails_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A state that is wrong, and a disk that is full in the midst of writing: the old file is as it was, alone."""
    target = written(tmp_path, "request.json", "old")
    wrong = written(tmp_path, "wrong.json", STATE | {"messages": [{}]})
    assert 1 == called("render", wrong, "-o", target).code
    right = written(tmp_path, "right.json", STATE)

    def full(_self: Path, _target: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    done = called("render", right, "-o", target)

    assert (2, f"{target}: can't be written: No space left on device") == (done.code, errors(done)[0])
    assert "old" == target.read_text("utf-8")
    assert ["request.json", "right.json", "wrong.json"] == sorted(path.name for path in tmp_path.iterdir())


@pytest.mark.parametrize("name", ["none/request.json", ".", "state.json/x", "a\0b", "n" * 300])
def test_an_output_that_cant_be_written(name: str, state: Path) -> None:
    """Exit 2, with the name and the reason."""
    done = called("render", state, "-o", state.parent / name)

    assert (2, "") == (done.code, done.out)
    assert ": can't be written: " in errors(done)[0]
    assert ["state.json"] == [path.name for path in state.parent.iterdir()]


def test_a_pipe_is_written_to(state: Path, tmp_path: Path) -> None:
    """What is no file is not replaced by one."""
    os.mkfifo(tmp_path / "pipe")
    with ThreadPoolExecutor() as threads:
        read = threads.submit((tmp_path / "pipe").read_text, "utf-8")
        assert 0 == called("render", state, "-o", tmp_path / "pipe").code

    assert called("render", state).out == read.result()
    assert (tmp_path / "pipe").is_fifo()


def test_a_seam_that_ends_the_process_is_told(state: Path, tmp_path: Path) -> None:
    """A seam that calls ``sys.exit(0)`` can't make a command that printed nothing look like a success."""
    text = "import sys\nfrom seamwright_containers import responses_pipeline\n"
    text += "leaving = responses_pipeline(neutraliser=lambda text: sys.exit(0))\n"
    written(tmp_path, "mine.py", text)
    done = typed("render", state, "--container", "mine:leaving", cwd=tmp_path)

    assert (2, "") == (done.code, done.out)
    assert errors(done) == ["code that the command ran ended it with SystemExit(0)"]
