"""Which rule a refusal of the API is about."""

from __future__ import annotations

import gzip
import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seamwright.errors import StreamFailedError
from seamwright.ingest.rejection import classify_rejection, is_replay_refusal
from seamwright.testing.refusals import RULES, refusal

RECORDED = Path(os.environ.get("SEAMWRIGHT_SHARED", Path(__file__).resolve().parents[2].parent / "shared")) / "recorded"

REPORTS = [
    json.loads(line) for line in (Path(__file__).parent.parent / "data" / "reports.jsonl").read_text().splitlines()
]

# The reports name some rules after the item the fault was seen at: P10 is P3 for a computer call, F11 a C4 inside a
# part.
SAME_RULE = {"P10": "P3", "F11": "C4"}

# Reports without a text of the API, or with a text that several rules share: what is recognised instead, and why.
UNDECIDED: dict[str, tuple[str | None, str]] = {
    "(none: HTTP 200)": (None, "nothing was refused"),
    "(no error; behaviour change)": (None, "nothing was refused"),
    "(no error)": (None, "nothing was refused"),
    "(none: accepted)": (None, "nothing was refused"),
    "(none from OpenAI)": (None, "another provider refused, its text is not given"),
    "400 (missing/empty call_id)": (None, "the reporter's words"),
    "(id not found) / (ID is required)": (None, "the reporter's words"),
    "(missing *.encrypted_content)": (None, "the reporter's words"),
    "(400, item ids not stored)": (None, "the reporter's words"),
    "(400 on include/encrypted content, Azure)": (None, "the reporter's words"),
    "(rejected strict schema)": (None, "the reporter's words"),
    "(prompt_cache_key max length)": (None, "the reporter's words"),
    "HTTP 400 invalid_payload": (None, "a code that any fault has"),
    "400 missing_required_parameter": (None, "a code that any missing key has"),
    "Invalid 'input[1].id'": (None, "I1, I2 and I3 begin like this"),
    "`input[66]` missing required field `id`": (None, "a gateway's words, and I5 as well as P6"),
    "Invalid type for 'input'.": (None, "the fault can be anywhere in the input"),
    "Unknown parameter: 'input[n].action'.": ("F1", "the type of the item is not in the text"),
    "Unknown parameter: 'input[447].action'.": ("F1", "the type of the item is not in the text"),
}


def test_every_reported_text_is_recognised() -> None:
    """Each text of the API in the public reports gives the rule it was reported for.

    What can't be decided is listed.
    """
    counts: Counter[str] = Counter()
    for report in REPORTS:
        text, rule = report["server_error"], SAME_RULE.get(report["rule"], report["rule"])
        expected = UNDECIDED[text][0] if text in UNDECIDED else rule
        assert expected == classify_rejection(text), text
        counts["undecided" if text in UNDECIDED else "recognised"] += 1
    print(dict(counts))

    assert {"recognised": 118, "undecided": 20} == counts


@pytest.mark.skipif(not RECORDED.is_dir(), reason="recorded traffic is not here")
def test_recorded_refusals_are_recognised() -> None:
    """Refusals in recorded traffic give their rule; those about key, model name or temperature are no rule's."""
    found: Counter[str | None] = Counter()
    for path in sorted(RECORDED.glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for recording in map(json.loads, lines):
                if recording.get("status", 200) >= 400:
                    found[classify_rejection({"status": recording["status"], **recording["response"]})] += 1

    assert {"P1": 1, "P3": 1, "M3": 4, None: 4} == found


def test_the_list_of_undecided_texts_holds_nothing_else() -> None:
    """Every text on the list is in the reports."""
    assert set(UNDECIDED) == {report["server_error"] for report in REPORTS} & set(UNDECIDED)


@pytest.mark.parametrize("rule", RULES)
def test_every_form_of_an_error_gives_the_rule(rule: str) -> None:
    """Text, body, the part under ``error``, JSON text and bytes all say the same."""
    expected = {"F6": "F1", "F7": "F1"}.get(rule, rule)
    made = refusal(rule)
    forms: list[object] = [
        made.body["error"]["message"],
        f"{made.status} {made.body['error']['message']}",
        f"Error code: {made.status} - {made.body}",
        made.body,
        made.body["error"],
        {"status": str(made.status), **made.body},
        json.dumps(made.body),
        json.dumps(made.body).encode(),
        StreamFailedError(made.body["error"]["message"], made.body["error"]["code"]),
        RuntimeError(f"OpenAIException: {made.body['error']['message']}"),
    ]

    assert [expected] * len(forms) == [classify_rejection(form) for form in forms]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Item with id `rs_1` not found. Items are not persisted when store is set to false.", "P6"),
        ("Item with id 'msg_1' not found.", "P6"),
        ("Item with id “fc_1” not found. Items are not persisted when “store” is set to false.", "P6"),
        ("Item `rs_1` of type `reasoning` was provided without its required following item.", "P1"),
        ("ITEM 'rs_1' OF TYPE 'reasoning' WAS PROVIDED\n  WITHOUT ITS REQUIRED FOLLOWING ITEM", "P1"),
        ("Item 'msg_1' of type 'message' was provided without its required 'reasoning' item: 'rs_1'.", "P2"),
        ("Item 'ws_1' of type 'web_search_call' was provided without its required 'reasoning' item: 'rs_1'.", "P2"),
        ("Item 'msg_1' of type 'message' was provided without its required preceding item of type 'reasoning'", "P2"),
        ("The encrypted content for item rs_1 could not be verified. Reason: organization_id did not match.", "P7"),
        ("The encrypted content gAAA.b= could not be decrypted", "P7"),
        ("No tool output found for custom tool call call_1.", "P3"),
        ("No tool call found for custom tool call output with call_id call_1.", "P4"),
    ],
)
def test_spellings_of_one_text(text: str, rule: str) -> None:
    """Quotation marks, backticks, case, line breaks and the kind of id do not matter."""
    assert rule == classify_rejection(text)


@pytest.mark.parametrize("status", [400, 404, 422, "400", None])
def test_the_status_of_a_refused_body_is_any_of_several(status: object) -> None:
    """404 and 400 are both in use for one fault, and a proxy may give no status."""
    assert "P6" == classify_rejection({"status": status, "error": {"message": "Item with id 'rs_1' not found."}})


@pytest.mark.parametrize("status", [200, 401, 403, 408, 429, 500, 503])
def test_other_failures_are_no_refusal_of_the_body(status: int) -> None:
    """A failure of key, rate or server says nothing about the body, even when it quotes such a text."""
    assert classify_rejection({"status_code": status, "error": {"message": "Item with id 'rs_1' not found."}}) is None


def test_the_code_alone_decides_where_it_can() -> None:
    """A code of one rule's own is enough; parameter and code together are read like the API's bracketed form."""
    assert "P7" == classify_rejection({"error": {"message": "Bad request", "code": "invalid_encrypted_content"}})
    body = {"message": "Too long", "param": "input[3].id", "code": "string_above_max_length"}
    assert "I2" == classify_rejection({"error": body})


def test_replayed_reasoning_comes_first() -> None:
    """A text that names several faults is classified by the one a rebuild can cure."""
    assert "P7" == classify_rejection(
        "Unknown parameter: 'input[1].status'. The encrypted content gAAA could not be verified."
    )


@pytest.mark.parametrize(
    "error", [None, 3, [], {}, "", b"", "{", "[1]", "Rate limit reached", RuntimeError(), {"error": 3}, {"error": None}]
)
def test_what_is_no_known_refusal_is_none(error: object) -> None:
    """Anything else is None, never an error."""
    assert classify_rejection(error) is None


@given(
    st.text(max_size=300) | st.binary(max_size=100) | st.dictionaries(st.text(), st.none() | st.text() | st.integers())
)
def test_classifying_never_raises(error: Any) -> None:
    """Whatever is given gives a rule or None."""
    rule = classify_rejection(error)

    assert rule is None or isinstance(rule, str)


def test_a_property_that_raises_is_no_obstacle() -> None:
    """Exceptions of foreign clients are read as far as they let themselves be read."""

    class OddError(Exception):
        @property
        def body(self) -> object:
            raise RuntimeError("not read yet")

    assert "P6" == classify_rejection(OddError("Item with id 'rs_1' not found."))


def test_an_endless_text_is_read_in_time() -> None:
    """Only the beginning of a text counts, where the API's own words are."""
    known = "Item with id 'rs_1' not found."
    assert ["P6", None] == [classify_rejection(f"{'x ' * times}{known}") for times in (4000, 6000)]


def test_which_refusals_a_rebuild_cures() -> None:
    """Those about reasoning and the ids bound to it; nothing about other items, shapes or sizes."""
    assert {"P1", "P2", "P6", "P7", "P8", "P9", "F3", "F4"} == {rule for rule in RULES if is_replay_refusal(rule)}
    assert not is_replay_refusal(None)
