"""``render_batch`` in one process: what it takes, what it gives, what it says about what is wrong."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from batch_states import acting, environment, state
from hypothesis import given
from hypothesis import strategies as st

import seamwright
from seamwright import BatchLine, InvalidStateError, WiringError, load_state, render_batch
from seamwright.batch.ids import ClaimedIds
from seamwright_containers import responses_pipeline


def problems(lines: list[BatchLine]) -> list[str | None]:
    """What is wrong with each line."""
    return [line.problem for line in lines]


def test_the_request_is_that_of_a_build() -> None:
    """A line holds the vendor's four keys, and in the body what a build of the state gives."""
    (line,) = render_batch([state("Grüße ☃")])
    expected = responses_pipeline().build_sync(*load_state(state("Grüße ☃"))).to_request()

    assert line.request is not None
    assert ["custom_id", "method", "url", "body"] == list(json.loads(line.request))
    assert {"custom_id": "line-1", "method": "POST", "url": "/v1/responses", "body": expected} == json.loads(
        line.request
    )
    assert b"\n" not in line.request
    assert "☃".encode() in line.request


def test_every_kind_of_source_gives_the_same() -> None:
    """An object, text, bytes, with a byte order mark or a carriage return: one request."""
    text = json.dumps(state("é"), ensure_ascii=False)
    sources: list[Any] = [
        state("é"),
        text,
        text.encode(),
        f"\ufeff{text}\r\n",
        b"\xef\xbb\xbf" + text.encode() + b"\r\n",
    ]
    bodies = {json.dumps(json.loads(line.request or b"")["body"]) for line in render_batch(sources)}

    assert 1 == len(bodies)


def test_a_file_is_an_iterable_of_lines(tmp_path: Path) -> None:
    """A binary file can be given as it is."""
    path = tmp_path / "states.jsonl"
    path.write_text(f"{json.dumps(state())}\n\n{json.dumps(state())}", encoding="utf-8")
    with path.open("rb") as file:
        assert ["line-1", "line-3"] == [line.custom_id for line in render_batch(file)]


def test_blank_lines_count_and_give_nothing() -> None:
    """The number of a line is that in the file; what is empty has no result."""
    lines = list(render_batch(["", "  \t" * 5000, state(), "\r\n", b"\xef\xbb\xbf", state()], start=10))

    assert [(12, "line-12"), (15, "line-15")] == [(line.number, line.custom_id) for line in lines]


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("{", "no JSON: "),
        ("[]", "[] is not an object"),
        ('"text"', "'text' is not an object"),
        ("[" * 100_000, "nested too deep"),
        (b"\xff\xfe{\x00}\x00", "no UTF-8: invalid start byte at byte 0"),
        ("\x00", "no JSON: "),
        (state(messages=3), "messages: "),
        (state(custom_id=""), "custom_id: '' is not a string"),
        (state(custom_id=7), "custom_id: 7 is not a string"),
        (state(custom_id=None), "custom_id: None is not a string"),
        (state(custom_id="\ud800"), "custom_id: '\\ud800' holds lone surrogates"),
        (state(unknown=1), "unknown: unknown key"),
        (state("fail at this"), "seam 'timeline_message' over 'm1' raised LookupError"),
        (state("leave at once"), "at once"),
    ],
)
def test_a_bad_line_is_told_and_the_others_go_on(source: Any, told: str) -> None:
    """Whatever is wrong with one line, or raised over it, the lines around it are rendered."""
    before, bad, after = render_batch([state(), source, state()], acting)

    assert before.request is not None
    assert after.request is not None
    assert (2, None) == (bad.number, bad.request)
    assert told in str(bad.problem)


def test_an_id_belongs_to_the_first_line_that_has_it() -> None:
    """A later one is an error that names the first, also when the first can't be rendered or the id was a default."""
    lines = list(
        render_batch(
            [
                state(custom_id="a", unknown=1),
                state(custom_id="a"),
                state(custom_id="line-4"),
                state(),
                state(),
                state(custom_id="line-5"),
                state(custom_id="A"),
            ]
        )
    )

    assert [1, 2, 4, 6] == [line.number for line in lines if line.request is None]
    assert "custom_id: line 1 has 'a' already" == lines[1].problem
    assert "custom_id: line 3 has 'line-4' already" == lines[3].problem
    assert "custom_id: line 5 has 'line-5' already" == lines[5].problem


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=3)))
def test_claims_are_those_of_a_dictionary(names: list[str]) -> None:
    """The ids on disk behave as a dictionary would, whatever signs they hold."""
    first: dict[str, int] = {}
    with ClaimedIds() as ids:
        for number, name in enumerate(names):
            assert first.get(name) == ids.claim(name, number)
            first.setdefault(name, number)


def test_options_are_set_over_those_of_a_state() -> None:
    """What is given for the batch wins over what the state says, and the rest of the state stays."""
    given_options = state(options={"system_prompt_channel": "instructions"}, system_prompt="Be brief.")
    (line,) = render_batch([given_options], options={"system_prompt_channel": "system-item", "model": "gpt-5.5"})
    body = json.loads(line.request or b"")["body"]

    assert "gpt-5.5" == body["model"]
    assert "instructions" not in body
    assert "Be brief." in json.dumps(body)


def test_files_beside_the_states(tmp_path: Path) -> None:
    """Paths begin at ``base_dir`` and stay inside it, unless they are let out."""
    (tmp_path / "inside").mkdir()
    (tmp_path / "note.txt").write_text("A note.", encoding="utf-8")
    media = {"kind": "document", "mime_type": "text/plain", "filename": "note.txt", "path": "../note.txt"}
    media |= {"trust_tier": "third-party-public", "modality_hazard": "extractable-instructions"}
    one = state()
    one["messages"][0]["attachments"] = [media]
    refused, taken = (
        next(render_batch([one], base_dir=tmp_path / "inside", allow_paths=allowed)) for allowed in (False, True)
    )

    assert "--allow-paths" in str(refused.problem)
    assert taken.problem is None


def test_warnings_come_with_the_line() -> None:
    """What a build warns about stands beside the request."""
    (line,) = render_batch([state("a \ud800 b")])

    assert ["lone-surrogate"] == [warning.code for warning in line.warnings]
    assert line.request is not None


def test_lazily() -> None:
    """A state is asked for when its line is; nothing is read ahead in one process."""
    asked: list[int] = []

    def states() -> Iterator[dict[str, Any]]:
        for number in range(3):
            asked.append(number)
            yield state()

    lines = render_batch(states())
    assert [] == asked
    next(lines)
    assert [0] == asked


def test_drawn_on_from_another_thread() -> None:
    """A batch begun in one thread can be gone on with in another."""
    lines = render_batch([state(), state(), state()])
    first = next(lines)
    rest: list[BatchLine] = []
    thread = threading.Thread(target=lambda: rest.extend(lines))
    thread.start()
    thread.join()

    assert [1, 2, 3] == [line.number for line in (first, *rest)]
    assert [None] * 3 == problems([first, *rest])


@pytest.mark.parametrize(
    ("arguments", "error", "told"),
    [
        ({"workers": 0}, ValueError, "0 is less than 1"),
        ({"workers": 2, "pipeline": acting}, TypeError, "name it as 'module:attribute'"),
        ({"pipeline": "seamwright_containers:nothing"}, WiringError, "has no 'nothing'"),
        ({"pipeline": "seamwright_containers:nothing", "workers": 2}, WiringError, "has no 'nothing'"),
        ({"pipeline": "no_such_module_at_all:x"}, WiringError, "can't be imported"),
        ({"options": {"modal": "x"}}, InvalidStateError, "did you mean 'model'"),
    ],
)
def test_a_wrong_call_is_an_error_at_once(arguments: dict[str, Any], error: type[Exception], told: str) -> None:
    """What can't work is said by the call, before a state is asked for."""
    with pytest.raises(error, match=told):
        render_batch(iter([]), **arguments)


def test_the_top_level_loads_it_when_it_is_asked_for() -> None:
    """``import seamwright`` brings neither processes nor a database; the name is there all the same."""
    program = (
        "import sys, seamwright;"
        "print([m for m in ('sqlite3', 'multiprocessing', 'seamwright.batch') if m in sys.modules]);"
        "print(seamwright.render_batch.__module__)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment(), capture_output=True, encoding="utf-8", check=True
    )

    assert ["[]", "seamwright.batch.rendering"] == done.stdout.splitlines()


def test_an_unknown_name_of_the_top_level_is_told() -> None:
    """Names that are loaded late do not make wrong ones right."""
    with pytest.raises(AttributeError, match="no attribute 'render_batches'"):
        _ = seamwright.render_batches  # type: ignore[attr-defined]
