"""Which of this host's seams stand where. The plan is made once, when the application starts."""

from __future__ import annotations

from typing import Final, Unpack

import attrs
from dependency_injector.providers import Object

from host_app.seams import Badge, make_badged_message, no_badge, redactor
from seamwright import KeyedNonce, Overrides, Pipeline, Seams
from seamwright_containers import Plan, ResponsesContainer, add, made, rewire, swap, use


@attrs.frozen(kw_only=True)
class HostSeams(Seams):
    """The record of the default pipeline, and one seam more."""

    badge: Badge


class HostOverrides(Overrides, total=False):
    """Keyword arguments of :func:`host_pipeline`: the seams of the default pipeline, and one more."""

    badge: Badge


def host_container(secret: bytes) -> ResponsesContainer:
    """The default container, with three of its seams replaced and one added."""
    container = ResponsesContainer()
    badge = add(container, "badge", Object[Badge](no_badge))
    swap(container.nonce, KeyedNonce(secret))
    swap(container.neutraliser, redactor())
    rewire(
        container.timeline_message,
        made(
            make_badged_message,
            badge=use(badge),
            nonce=use(container.nonce),
            neutraliser=use(container.neutraliser),
            media_blocks=use(container.media_blocks),
        ),
    )
    return container


PLAN: Final = Plan.compile(host_container(b"out of the host's vault"), HostSeams)


def host_pipeline(**overrides: Unpack[HostOverrides]) -> Pipeline:
    """A pipeline of this host with some seams replaced; this is all it takes to type the host's own."""
    return Pipeline(PLAN.resolve(overrides))
