"""Wrong uses of a plan."""

from __future__ import annotations

from typing import Protocol, Unpack

import attrs
from dependency_injector.providers import Object, Provider

from seamwright import KeyedNonce, Message, Overrides, Pipeline, Seams
from seamwright.seams.envelopes import Neutraliser, Nonce
from seamwright_containers import Plan, ResponsesContainer, add, made, use

plan = Plan.compile(ResponsesContainer())
plan.pipeline(nonse=KeyedNonce("secret"))  # E: no such seam
plan.seams(nonse=KeyedNonce("secret"))  # E: no such seam
plan.pipeline(nonce=3)  # E: no callable
plan.pipeline(nonce=lambda: "")  # E: a nonce takes the id
plan.pipeline(nonce=None)  # E: only the token counter may be None
plan.pipeline(KeyedNonce("secret"))  # E: by keyword only
plan.record = Seams  # E: a plan is frozen
Plan.compile(ResponsesContainer)  # E: an instance, not the class
Plan.compile(plan)  # E: no container


async def waiting(text: str, /) -> str:
    return text


plan.pipeline(neutraliser=waiting)  # E: a plain function is asked for


class Badge(Protocol):
    def __call__(self, message: Message, /) -> str: ...


@attrs.frozen(kw_only=True)
class HostSeams(Seams):
    badge: Badge


class HostOverrides(Overrides, total=False):
    badge: Badge


host_plan = Plan.compile(ResponsesContainer(), HostSeams)
host_plan.pipeline(badge=lambda message: message.id)  # E: the host's own function knows its own seam


def host_pipeline(**overrides: Unpack[HostOverrides]) -> Pipeline:
    return Pipeline(host_plan.resolve(overrides))


host_pipeline(bagde=lambda message: message.id)  # E: no such seam
host_pipeline(badge=lambda: "")  # E: a badge takes the message


def takes_host_plan(plan: Plan[HostSeams]) -> None:
    print(plan.seams().badge)


takes_host_plan(plan)  # E: the record has no badge
print(plan.seams().badge)  # E: the record has no badge


def make_badged(*, badge: Badge, neutraliser: Neutraliser) -> Nonce:
    raise NotImplementedError


container = ResponsesContainer()
own: Provider[Badge] = add(container, "badge", Object(3))  # E: no badge
made(make_badged, badge=use(own), neutraliser=use(container.clock))  # E: a clock is no neutraliser
print(container.badge)  # E: an added seam is known by the provider that add gave


@attrs.frozen
class OneSeam:
    nonce: Nonce


Plan.compile(container, OneSeam).pipeline()  # E: a pipeline needs all seams
