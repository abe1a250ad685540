"""Endpoint profiles and the table of models."""

from __future__ import annotations

import re

import attrs
import pytest
from check_bodies import answer, call, errors, reasoning, rules, stateless, stored, user

from seamwright.check import MODELS, TABLE_DATE, ModelCapabilities, check_request
from seamwright.check.endpoints import endpoint_profile
from seamwright.check.models import UNKNOWN, capabilities_of
from seamwright.errors import InvalidStateError
from seamwright.model.endpoints import ENDPOINTS, OPENAI, EndpointProfile


def test_profiles_by_name_and_by_record() -> None:
    """A profile is found by its name, and a record is itself."""
    for name, profile in ENDPOINTS.items():
        assert endpoint_profile(name) is profile
        assert endpoint_profile(profile) is profile


def test_an_unknown_name_is_the_callers_mistake() -> None:
    """An unknown name raises a ValueError that names the nearest one and all known ones."""
    with pytest.raises(
        ValueError, match=r"unknown endpoint 'opnai' \(did you mean 'openai'\?\); known: openai, azure"
    ) as raised:
        check_request({}, "opnai")
    assert isinstance(raised.value, InvalidStateError)


def test_a_profile_of_ones_own() -> None:
    """A host's own record decides what is an error at its endpoint, both ways."""
    mine = EndpointProfile(name="mine", refuses=frozenset({"P11", "T7"}), tolerates=frozenset({"P3"}))
    body = stateless(call(), answer(), call(), answer(), call(2), tools=[])
    assert rules(errors(check_request(body, mine))) == {"P11", "T7"}
    assert rules(errors(check_request(body))) == {"P3"}


def test_profiles_are_records_that_can_be_keys() -> None:
    """Profiles compare by value and are hashable: compiled checks are kept by them."""
    assert attrs.evolve(OPENAI) == OPENAI
    assert len({*ENDPOINTS.values(), attrs.evolve(OPENAI)}) == len(ENDPOINTS)


@pytest.mark.parametrize(
    ("model", "thinks"),
    [
        ("gpt-5", True),
        ("gpt-5-mini-2025-08-07", True),
        ("gpt-5.3-codex", True),
        ("gpt-5.6-sol", True),
        ("gpt-6.1-terra", True),
        ("openai/gpt-5.6-sol", True),
        ("openai.gpt-5.5", True),
        ("o3", True),
        ("o4-mini", True),
        ("o1-pro", True),
        ("computer-use-preview-2025-03-11", True),
        ("gpt-5-chat-latest", False),
        ("gpt-4o", False),
        ("gpt-4.1-nano-2025-04-14", False),
        ("ft:gpt-4o-mini:org::id", False),
        ("gpt-3.5-turbo", False),
        ("gpt-5.1-chat-latest", None),
        ("gpt-oss-120b", None),
        ("my-deployment", None),
        ("", None),
    ],
)
def test_which_models_reason(model: str, thinks: bool | None) -> None:
    """The table knows the families by name, with date, router and fine-tune; of others it says nothing."""
    assert capabilities_of(model).reasoning is thinks


@pytest.mark.parametrize(
    "model", ["gpt-audio", "gpt-4o-audio-preview", "gpt-realtime", "whisper-1", "gpt-image-1", "text-embedding-3-small"]
)
def test_models_served_elsewhere(model: str) -> None:
    """Models of other APIs are known as such."""
    assert capabilities_of(model).served is False


@pytest.mark.parametrize(
    ("model", "knows"), [("gpt-5.5", False), ("gpt-5.6", True), ("gpt-5.10", True), ("gpt-6-astra", True), ("x", None)]
)
def test_cache_breakpoints(model: str, knows: bool | None) -> None:
    """Cache breakpoints came with GPT-5.6."""
    assert capabilities_of(model).cache_breakpoints is knows


@pytest.mark.parametrize("model", [None, 5, [], {}, "my-deployment", "claude"])
def test_unknown_models_give_nothing(model: object) -> None:
    """A model that is not in the table gives no finding about what it can do."""
    body = stored(
        reasoning(),
        call(id="fc_1"),
        answer(),
        model=model,
        include=["reasoning.encrypted_content"],
        top_p=1,
        reasoning={"effort": "low"},
    )
    assert rules(check_request(body)) <= {"K1"}
    assert capabilities_of(model) is UNKNOWN


def test_models_can_be_overridden() -> None:
    """An entry of the caller's own adds a model or replaces one."""
    body = stateless(reasoning(), call(), answer(), model="my-deployment")
    assert check_request(body) == []
    assert rules(check_request(body, models={"my-deployment": ModelCapabilities(reasoning=False)})) == {"P8"}
    chat = stateless(reasoning(), call(), answer(), model="gpt-4o")
    assert rules(check_request(chat)) == {"P8"}
    assert check_request(chat, models={"gpt-4o": ModelCapabilities(reasoning=True)}) == []


def test_the_table_has_a_date() -> None:
    """The table says when it was looked over, and its patterns are valid."""
    assert re.fullmatch(r"20\d\d-\d\d", TABLE_DATE)
    for pattern, capabilities in MODELS:
        assert re.compile(pattern)
        assert isinstance(capabilities, ModelCapabilities)


def test_no_ids_where_none_are_taken() -> None:
    """At an endpoint without ids, reasoning is never looked up: what OpenAI refuses for its pairing is a warning."""
    body = stored(user(), reasoning(), user())
    assert rules(errors(check_request(body))) == {"P1"}
    assert errors(check_request(body, "codex")) == []
