"""The wiring of a pipeline for hosts whose texts come from people who want to get out of their envelopes."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, Required, Unpack

from dependency_injector import providers
from dependency_injector.providers import Object, Provider

from seamwright.pipeline.pipeline import Pipeline
from seamwright.record import SEAM_NAMES, Overrides
from seamwright.seams import disguises, envelopes, hardened, leading, media, retrievables, timeline
from seamwright.shapes import check_overrides, reject_unknown
from seamwright_containers.derivation import deriving
from seamwright_containers.doors import made, use
from seamwright_containers.responses import ResponsesContainer, resolve

OPERATOR_SOURCES = frozenset({hardened.OPERATOR})


@deriving(ResponsesContainer)
class HardenedContainer(ResponsesContainer):
    """The blueprint of a pipeline that trusts less; what is not declared here is that of the default pipeline.

    ``secret`` has no default: give ``HardenedContainer(secret=Object(b"…"))``. ``operator_sources`` are the values of
    ``Memory.source`` that mean the operator.
    """

    secret: Provider[str | bytes | None] = Object(None)
    operator_sources: Provider[Collection[str]] = Object(OPERATOR_SOURCES)

    nonce: Provider[envelopes.Nonce] = made(hardened.make_keyed_nonce, secret=use(secret))
    neutraliser: Provider[envelopes.Neutraliser] = Object(disguises.strict_neutraliser)
    untrusted_envelope: Provider[envelopes.Envelope] = made(
        hardened.make_untrusted_envelope, neutraliser=use(neutraliser)
    )
    trusted_envelope: Provider[envelopes.Envelope] = made(hardened.make_trusted_envelope, neutraliser=use(neutraliser))
    memories: Provider[leading.Memories] = made(
        hardened.make_memories,
        nonce=use(nonce),
        neutraliser=use(neutraliser),
        untrusted_envelope=use(untrusted_envelope),
        operator_sources=use(operator_sources),
    )
    first_party_retrievables: Provider[retrievables.Retrievables] = made(
        hardened.make_first_party_retrievables,
        nonce=use(nonce),
        neutraliser=use(neutraliser),
        retrievable_handle=use(ResponsesContainer.retrievable_handle),
        token_counter=use(ResponsesContainer.token_counter),
    )
    thought: Provider[timeline.RenderThought] = made(
        hardened.make_thought, nonce=use(nonce), neutraliser=use(neutraliser)
    )
    media_policy: Provider[media.RenderMediaPolicy] = made(
        hardened.make_media_policy,
        nonce=use(nonce),
        neutraliser=use(neutraliser),
        trusted_envelope=use(trusted_envelope),
        untrusted_envelope=use(untrusted_envelope),
    )
    media_blocks: Provider[media.MediaBlocks] = made(
        hardened.make_media_blocks,
        media_policy=use(media_policy),
        nonce=use(nonce),
        neutraliser=use(neutraliser),
        trusted_envelope=use(trusted_envelope),
        untrusted_envelope=use(untrusted_envelope),
    )
    timeline_message: Provider[timeline.TimelineMessage] = made(
        hardened.make_timeline_message,
        nonce=use(nonce),
        neutraliser=use(neutraliser),
        media_blocks=use(media_blocks),
    )


class HardenedOptions(Overrides, total=False):
    """Keywords of :func:`hardened_pipeline`: the seams, the secret and whose memories are the operator's."""

    secret: Required[str | bytes]
    operator_sources: Collection[str]


_SETTINGS: Final = ("secret", "operator_sources")


def hardened_pipeline(**options: Unpack[HardenedOptions]) -> Pipeline:
    """The hardened pipeline with some seams replaced; each reaches everything that depends on it.

    ``secret``: 1 to 32 bytes of the host's own, the same for as long as prompts are to be cached. Raises
    :class:`WiringError` without one, for a name that is no seam, and for a value that does not have the seam's shape.
    """
    reject_unknown(options, (*SEAM_NAMES, *_SETTINGS))
    given = dict(options)
    settings = {name: given.pop(name) for name in _SETTINGS if name in given}
    check_overrides(given)
    hardened.make_keyed_nonce(secret=options.get("secret"))  # asked for even where nonces of the host's own stand in
    replaced = {name: providers.Object(value) for name, value in (settings | given).items()}
    return Pipeline(resolve(HardenedContainer(**replaced)))
