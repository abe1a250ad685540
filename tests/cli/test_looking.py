"""``check``, ``explain``, ``seams`` and ``schema`` as they are typed; what they say in full is told elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli.terminal import CALL, QUESTION, RESPONSE, STATE, called, errors, typed, written
from seamwright.model.state_schema import state_schema
from seamwright.record import SEAM_NAMES


def request_of(state: dict[str, Any], folder: Path, name: str) -> Path:
    """The request of a state, in a file."""
    return written(folder, name, called("render", "-", stdin=json.dumps(state)).json)


def test_check_what_render_printed(state: Path, tmp_path: Path) -> None:
    """From one command into the other; exit 0 and a line."""
    rendered = typed("render", state, cwd=tmp_path)
    done = typed("check", "-", cwd=tmp_path, stdin=rendered.out.encode())

    assert (0, "stdin: 0 errors, 0 warnings\n", "") == (done.code, done.out, done.err)


def test_check_a_request_that_is_wrong(tmp_path: Path) -> None:
    """Exit 1, and ``--fix`` prints one that is right."""
    wrong = written(tmp_path, "request.json", {"model": "m", "input": [CALL], "store": False})
    done = typed("check", "request.json", cwd=tmp_path)
    assert (1, "") == (done.code, done.err)
    assert "error P3 input[0]" in done.out

    fixed = typed("check", "--fix", wrong, cwd=tmp_path)
    assert 0 == fixed.code
    assert fixed.err.startswith(f"{wrong}: ")
    assert 0 == typed("check", "-", cwd=tmp_path, stdin=fixed.out.encode()).code


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (dict(STATE), "this is a state file, not a request; 'seamwright render' makes the request of it"),
        (RESPONSE, "this is a response, not a request; 'seamwright ingest' takes it into the state it answers"),
        (
            {"model": "m", "messages": [{"role": "user", "content": "Hi"}]},
            "this looks like a request to Chat Completions; 'history_from_chat_completions' reads its messages",
        ),
        ({"model": "m", "previous_response_id": "resp_1", "store": False}, ""),
        ({"model": "m"}, ""),
        ([], ""),
    ],
)
def test_check_what_is_no_request(body: Any, told: str, tmp_path: Path) -> None:
    """The report is followed by what the file is, and which way leads to a request; of a request nothing is said."""
    written(tmp_path, "file.json", body)
    done = typed("check", "file.json", cwd=tmp_path)

    assert (f"warning: file.json: {told}\n" if told else "") == done.err
    assert done.out.startswith("file.json: ")


def test_explain_two_requests(tmp_path: Path) -> None:
    """What differs first, for people and as JSON; equal requests are told too."""
    later = {**STATE, "messages": [QUESTION, QUESTION | {"id": "m2", "content": "And now?"}]}
    other = {**STATE, "system_prompt": "You answer for a bank."}
    first = request_of(dict(STATE), tmp_path, "a.json")
    for state, change in ((later, "appended"), (other, "instructions"), (dict(STATE), "")):
        second = request_of(state, tmp_path, "b.json")
        done = typed("explain", first, second, cwd=tmp_path)
        assert (0, "") == (done.code, done.err)
        assert change in done.out
        assert called("explain", first, second, "--format", "json").json.keys()


def test_explain_a_state(state: Path, response: Path, tmp_path: Path) -> None:
    """One line for each reasoning item: replayed, or why not. The state's own options and those of the call count."""
    following = tmp_path / "next.json"
    assert "the state holds no reasoning\n" == called("explain", state).out
    assert 0 == called("ingest", response, "--state", state, "-o", following).code

    done = typed("explain", following, cwd=tmp_path)
    assert (0, "") == (done.code, done.err)
    assert done.out.startswith("rs_1: ")
    assert done.out != called("explain", following, "--set", "model=another").out
    (fate,) = called("explain", following, "--format", "json").json
    assert "rs_1" == fate["thought_id"]


def test_explain_an_outline(tmp_path: Path) -> None:
    """Digests and sizes, none of the texts; two outlines are compared like the requests."""
    request = request_of(dict(STATE), tmp_path, "a.json")
    done = typed("explain", "--outline", request, cwd=tmp_path)

    assert (0, "") == (done.code, done.err)
    assert "Where is it?" not in done.out
    outlined = written(tmp_path, "outline.json", done.json)
    assert called("explain", request, request).out == called("explain", outlined, outlined).out


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (["none.json"], 1, "none.json: can't be read"),
        (["a.json", "none.json"], 1, "none.json: can't be read"),
        (["a.json", "list.json"], 1, "list.json: "),
        (["list.json"], 1, "list.json: "),
        (["--outline", "list.json"], 1, "list.json: "),
        (["a.json", "a.json", "--usage", "{"], 2, "--usage"),
        (["a.json", "a.json", "--usage", "17"], 2, "--usage 17"),
        (["a.json", "a.json", "--usage", "none.json"], 2, "--usage none.json"),
    ],
)
def test_explain_what_cant_be(
    arguments: list[str], code: int, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wrong files are exit 1, wrong calls exit 2, each named."""
    monkeypatch.chdir(tmp_path)
    request_of(dict(STATE), tmp_path, "a.json")
    written(tmp_path, "list.json", [1])
    done = called("explain", *arguments)

    assert (code, "") == (done.code, done.out)
    assert errors(done)[0].startswith(told)


def test_seams_are_listed(tmp_path: Path) -> None:
    """Each seam once, with a count at the end; as JSON one object each."""
    done = typed("seams", cwd=tmp_path)

    assert (0, "") == (done.code, done.err)
    heads = [line.partition(":")[0] for line in done.out.splitlines() if not line.startswith(" ")]
    assert set(SEAM_NAMES) == set(heads[:-1])
    assert done.out.endswith("0 overridden, 0 added\n")
    assert set(SEAM_NAMES) == {seam["name"] for seam in typed("seams", "--json", cwd=tmp_path).json}


def test_seams_of_a_container_of_ones_own() -> None:
    """What was put in the place of what."""
    done = called("seams", "--container", "cli.made_here:raising")

    assert 0 == done.code
    assert "timeline_message: TimelineMessage (overridden)" in done.out
    assert "1 overridden" in done.out


@pytest.mark.parametrize("target", ["cli.made_here:NUMBER", "cli.made_here:gives_nothing_of_use", "x", "no_such:x"])
def test_seams_of_nothing(target: str) -> None:
    """Exit 2 with the target."""
    done = called("seams", "--container", target)

    assert (2, "") == (done.code, done.out)
    assert errors(done)[0].startswith(f"--container {target}: ")


def test_the_schema(tmp_path: Path) -> None:
    """On stdout or in a file, the same; a state that a command printed fits its keys."""
    done = typed("schema", cwd=tmp_path)
    assert (0, "") == (done.code, done.err)
    assert state_schema() == done.json
    assert 0 == typed("schema", "-o", "schema.json", cwd=tmp_path).code
    assert done.out == (tmp_path / "schema.json").read_text("utf-8")

    state = written(tmp_path, "state.json", STATE)
    following = called("ingest", "-", "--state", state, stdin=json.dumps(RESPONSE)).json
    assert following.keys() <= done.json["properties"].keys()
