"""Properties of checker and repair over generated bodies."""

from __future__ import annotations

import json
import random
from typing import Any

from check_bodies import ENCRYPTED, agent, answer, call, errors, image, reasoning, reports, text, tool, user
from hypothesis import given, settings
from hypothesis import strategies as st
from mutation import JUNK, mutilated
from test_repair import unreported

from seamwright.check import check_request, guards, repair_request
from seamwright.check.context import Context
from seamwright.check.endpoints import endpoint_profile
from seamwright.check.engine import TEXTS
from seamwright.check.json_types import is_list, is_object
from seamwright.check.models import capabilities_of
from seamwright.check.plan import Checklist, plan_for
from seamwright.model.endpoints import ENDPOINTS

Body = dict[str, Any]

NUMBERS = st.integers(1, 4)
SEARCH: Body = {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search"}}
ITEMS = st.one_of(
    st.builds(user, st.text(min_size=1, max_size=8)),
    st.builds(agent, st.text(min_size=1, max_size=8)),
    NUMBERS.map(lambda n: agent(f"said {n}", id=f"msg_{n}")),
    NUMBERS.map(reasoning),
    NUMBERS.map(lambda n: reasoning(n, sealed=False)),
    st.just(reasoning(None)),
    NUMBERS.map(call),
    NUMBERS.map(lambda n: call(n, id=f"fc_{n}")),
    NUMBERS.map(answer),
    NUMBERS.map(lambda n: answer(n, output=[text(f"out {n}"), image()])),
    NUMBERS.map(lambda n: {"type": "item_reference", "id": f"msg_{n}"}),
    st.just(SEARCH),
    st.just({"type": "compaction", "encrypted_content": ENCRYPTED}),
    st.just({"role": "tool", "tool_call_id": "call_1", "content": "from a tool"}),
    st.just({"role": "user", "content": [{"type": "text", "text": "other form"}]}),
)
BODIES = st.fixed_dictionaries(
    {"model": st.sampled_from(["gpt-5.4", "gpt-4o", "mine"]), "input": st.lists(ITEMS, max_size=9)},
    optional={"store": st.booleans(), "tools": st.just([tool()]), "previous_response_id": st.just("resp_1")},
)
NAMES = st.sampled_from(list(ENDPOINTS))


@given(BODIES, NAMES)
@settings(deadline=None, max_examples=70)
def test_repair_holds_its_promises(body: Body, endpoint: str) -> None:
    """No error is left, nothing changes without one, a second repair changes nothing, lost texts are reported, the body
    is untouched.
    """
    before = json.dumps(body)
    had = errors(check_request(body, endpoint))
    repaired, changes = repair_request(body, endpoint)
    assert errors(check_request(repaired, endpoint)) == []
    assert bool(changes) == bool(had)
    assert had or repaired == body
    assert repair_request(repaired, endpoint) == (repaired, [])
    assert unreported(body, repaired, changes) == []
    assert json.dumps(body) == before


@given(st.integers(), st.sampled_from([r for r in reports() if len(str(r["minimal_input"])) < 10_000]), NAMES)
@settings(deadline=None, max_examples=70)
def test_repair_of_mutilated_reports_loses_nothing_in_silence(seed: int, report: Body, endpoint: str) -> None:
    """Whatever is broken in a body, a text that the repair drops is spoken of by a change at or around its place."""
    chance = random.Random(seed)
    body = mutilated(report["minimal_input"], chance, chance.choice((1, 2, 3)))
    if is_object(body):
        repaired, changes = repair_request(body, endpoint)
        assert unreported(body, repaired, changes) == []


@given(BODIES, NAMES)
@settings(deadline=None, max_examples=40)
def test_the_form_of_the_body_does_not_matter(body: Body, endpoint: str) -> None:
    """A body, its JSON text, its bytes, a maker of it and a copy in other containers give the same violations."""

    class Assembled:
        """Something with ``to_request()``."""

        def to_request(self) -> Body:
            """The body."""
            return body

    found = check_request(body, endpoint)
    written = json.dumps(body)
    assert check_request(written, endpoint) == found
    assert check_request(written.encode(), endpoint) == found
    assert check_request(Assembled(), endpoint) == found
    assert check_request({**body, "input": tuple(body["input"])}, endpoint) == found


@given(st.integers(), st.sampled_from([r for r in reports() if len(str(r["minimal_input"])) < 10_000]), NAMES)
@settings(deadline=None, max_examples=70)
def test_guards_hide_nothing(seed: int, report: Body, endpoint: str) -> None:
    """Where a guard lets an item or part pass, the checks behind it find nothing in it."""
    chance = random.Random(seed)
    body = mutilated(report["minimal_input"], chance, chance.choice((0, 1, 2)))
    given_items: Any = body.get("input") if is_object(body) else None
    items = [item for item in given_items if is_object(item)] if is_list(given_items) else []
    profile = endpoint_profile(endpoint)
    ctx = Context({"input": items, "model": "gpt-5.4"}, profile, None, TEXTS)
    plan = plan_for(profile, capabilities_of("gpt-5.4"))
    for index, item in enumerate(items):
        ctx.index, ctx.field, ctx.position = index, "content", 0
        checklist = plan.find(item)[1]
        _passes(checklist, ctx, item)
        parts = item.get(checklist.field)
        for part in parts if checklist.parts and is_list(parts) else []:
            kind = part.get("type") if is_object(part) else None
            if isinstance(kind, str) and checklist.parts and kind in checklist.parts:
                _passes(checklist.parts[kind], ctx, part)


def _passes(checklist: Checklist, ctx: Context, thing: Any) -> None:
    for guard, checks in checklist.guarded:
        if guard(thing):
            before = len(ctx.found)
            for check in checks:
                check(ctx, thing)
            assert len(ctx.found) == before, (guard.__name__, thing, ctx.found[before:])


def test_guards_are_worth_something() -> None:
    """The common items and parts pass their guards."""
    assert guards.sound_message(user()) and guards.sound_message(agent())
    assert guards.sound_text(text()) and guards.sound_text(agent()["content"][0])
    assert guards.sound_id(call(id="fc_1")) and guards.sound_id(agent())
    assert guards.sound_call(call()) and guards.sound_answer(answer()) and guards.sound_reasoning(reasoning())
    assert not guards.sound_message({**user(), "x": 1})


@given(st.sampled_from(JUNK), st.sampled_from(["input", "tools", "text", "metadata", "include", "reasoning", "store"]))
@settings(deadline=None, max_examples=60)
def test_more_wrong_is_never_fewer_rules(junk: Any, key: str) -> None:
    """A junk parameter beside a breach does not hide the breach."""
    body: Body = {"model": "gpt-5.4", "input": [agent(id="rs_1")], key: junk}
    if key != "input":
        assert "I1" in {violation.rule for violation in check_request(body)}
