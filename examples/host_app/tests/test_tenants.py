"""Two tenants in one process, from one plan."""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from typing import Any

import pytest

from host_app import BOOKSHOP, CLINIC, PLAN, Tenant, host_pipeline, pipeline_for
from host_app.__main__ import main
from host_app.seams import no_badge
from host_app.wiring import HostSeams
from seamwright import AgentState, Identity, Message, Pipeline, RenderOptions, WiringError
from seamwright.testing.assertions import assert_no_warnings, assert_sendable
from seamwright.testing.contracts import check_seams
from seamwright_containers import Plan

OPTIONS = RenderOptions(model="gpt-5.4")
STATE = AgentState(
    messages=[
        Message(
            id="m1",
            role="user",
            content="I was born 1990-04-01.",
            created_at=datetime(2026, 1, 1, tzinfo=UTC),
            identity=Identity(identifier="ann", representation="Ann"),
        )
    ]
)


def shown(tenant: Tenant) -> list[str]:
    """What the model of a tenant reads of Ann's message, part by part."""
    (item,) = pipeline_for(tenant).build_sync(STATE, OPTIONS).input
    return [part["text"] for part in item["content"]]


def test_each_tenant_has_its_own_behaviour() -> None:
    """The bookshop knows Ann's level and may see dates; the clinic blacks them out. Their nonces differ."""
    badge, in_the_bookshop = shown(BOOKSHOP)
    (in_the_clinic,) = shown(CLINIC)

    assert "[customer level: gold]" == badge
    assert "1990-04-01" in in_the_bookshop
    assert "[redacted]" in in_the_clinic
    assert "1990" not in in_the_clinic
    assert in_the_bookshop.partition(" ")[0] != in_the_clinic.partition(" ")[0]


def test_tenants_do_not_meet_in_threads() -> None:
    """Requests of both at once, in many threads, each get what they would get alone."""
    expected = {tenant.name: shown(tenant) for tenant in (BOOKSHOP, CLINIC)}
    wrong: list[str] = []

    def serve(tenant: Tenant) -> None:
        wrong.extend(tenant.name for _ in range(200) if shown(tenant) != expected[tenant.name])

    threads = [threading.Thread(target=serve, args=(tenant,)) for tenant in (BOOKSHOP, CLINIC) * 4]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [] == wrong


def test_what_is_wired_is_what_was_meant() -> None:
    """Three seams replaced, one added, and what depends on them follows."""
    described = {info.name: info for info in PLAN.describe()}

    assert {"nonce", "neutraliser", "timeline_message"} == {name for name, info in described.items() if info.overridden}
    assert {"badge"} == {name for name, info in described.items() if info.default is None}
    assert ("timeline_message",) == described["badge"].needed_by


def test_every_seam_that_is_wired_keeps_its_contract(plan: Plan[HostSeams]) -> None:
    """Those of the library, and the three that were replaced."""
    check_seams(plan.seams(), max_examples=3)


def test_what_is_built_may_be_sent(pipeline: Pipeline) -> None:
    """The host's own pipeline, without a tenant's seams: nothing is left out, and the API takes it."""
    assembled = pipeline.build_sync(STATE, OPTIONS)

    assert_no_warnings(assembled)
    assert_sendable(assembled)


def test_a_misspelt_seam_is_an_error_before_anything_is_sent() -> None:
    """The host's own seams are checked as those of the library."""
    wrong: Any = {"bagde": no_badge}
    with pytest.raises(WiringError, match="did you mean 'badge'"):
        host_pipeline(**wrong)


def test_a_secret_is_not_shown() -> None:
    """Neither by a tenant nor by its seams."""
    assert "secret" not in f"{BOOKSHOP!r}{BOOKSHOP.overrides!r}".replace("secret=", "")


def test_the_program_shows_both_tenants(capsys: pytest.CaptureFixture[str]) -> None:
    """Two requests, one below the other, and in neither a closed envelope that was not opened by the renderer."""
    main()
    out = capsys.readouterr().out

    assert out.startswith("bookshop: [")
    assert "clinic: [" in out
    assert "&lt;/message_m1>" in out
    assert "</message_m1>" not in out
