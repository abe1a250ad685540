"""A plan, its overrides, and the one function by which a host types seams of its own."""

from __future__ import annotations

from typing import Protocol, Unpack, assert_type

import attrs
from dependency_injector.providers import Object, Provider

from seamwright import KeyedNonce, Message, Overrides, Pipeline, Seams
from seamwright.seams.envelopes import Nonce
from seamwright_containers import Plan, ResponsesContainer, SeamInfo, add, describe, made, rewire, use

plan = Plan.compile(ResponsesContainer())
assert_type(plan, Plan[Seams])
assert_type(plan.seams(nonce=KeyedNonce("secret")), Seams)
assert_type(plan.pipeline(nonce=KeyedNonce("secret"), token_counter=None), Pipeline)
assert_type(plan.pipeline(neutraliser=lambda text: text.upper()), Pipeline)
assert_type(plan.describe(), tuple[SeamInfo, ...])
assert_type(describe(ResponsesContainer)[0].needs, tuple[str, ...] | None)

overrides: Overrides = {"nonce": KeyedNonce("secret")}
plan.pipeline(**overrides)


class Badge(Protocol):
    def __call__(self, message: Message, /) -> str: ...


@attrs.frozen(kw_only=True)
class HostSeams(Seams):
    badge: Badge


class HostOverrides(Overrides, total=False):
    badge: Badge


def badge(message: Message, /) -> str:
    return message.id


def make_badged_nonce(*, badge: Badge) -> Nonce:
    def nonce(identifier: str, /) -> str:
        return identifier

    return nonce


container = ResponsesContainer()
own: Provider[Badge] = Object(badge)
assert_type(add(container, "badge", own), Provider[Badge])
rewire(container.nonce, made(make_badged_nonce, badge=use(own)))
host_plan = Plan.compile(container, HostSeams)
assert_type(host_plan, Plan[HostSeams])
assert_type(host_plan.seams(nonce=KeyedNonce("secret")), HostSeams)
assert_type(host_plan.seams().badge, Badge)
assert_type(host_plan.resolve({}), HostSeams)


def host_pipeline(**overrides: Unpack[HostOverrides]) -> Pipeline:
    return Pipeline(host_plan.resolve(overrides))


assert_type(host_pipeline(badge=lambda message: message.id, nonce=KeyedNonce("secret")), Pipeline)


def takes_any_plan(plan: Plan[Seams]) -> Pipeline:
    return plan.pipeline()


takes_any_plan(host_plan)


@attrs.frozen
class OneSeam:
    nonce: Nonce


assert_type(Plan.compile(container, OneSeam).resolve({"nonce": KeyedNonce("secret")}).nonce, Nonce)
