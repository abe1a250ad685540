"""Presets: functions from a container to a container, to be combined.

A preset gives a configured copy, so nothing leaks from one tenant to another::

    tenant = with_keyed_nonces(secret)(with_sha256_fingerprint(ResponsesContainer()))
    pipeline = preset_pipeline(with_keyed_nonces(secret), with_sha256_fingerprint)
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Collection
from typing import Protocol, TypeVar, Unpack

from dependency_injector import containers, providers

from seamwright.errors import WiringError
from seamwright.pipeline.pipeline import Pipeline
from seamwright.record import SEAM_NAMES, Overrides
from seamwright.seams import hardened
from seamwright.seams.disguises import strict_neutraliser
from seamwright.seams.fingerprint import OriginFingerprint, Sha256Fingerprint
from seamwright.seams.type_schema import make_typed_json_schema
from seamwright.shapes import check_overrides
from seamwright_containers.doors import made, rewire, swap, use
from seamwright_containers.hardened import OPERATOR_SOURCES
from seamwright_containers.responses import ResponsesContainer, resolve

C = TypeVar("C", bound=ResponsesContainer)


class Preset(Protocol):
    """Gives a configured copy of a container instance; the instance stays as it is."""

    def __call__(self, container: C, /) -> C: ...


def preset(configure: Callable[[ResponsesContainer], None]) -> Preset:
    """A function that configures a container instance, as a preset.

    Raises :class:`WiringError` for what is no function; the preset does for a class, and for a container without the
    seams of :class:`ResponsesContainer`.
    """
    _check_callable(configure, "configures a container instance")

    def apply(container: C, /) -> C:
        _check_instance(container)
        changed = copy.deepcopy(container)
        configure(changed)
        return changed

    functools.update_wrapper(apply, configure)
    return apply


def _check_instance(container: object) -> None:
    if isinstance(container, type) or not isinstance(container, containers.Container):
        raise WiringError(f"{container!r:.80} is no container instance; a preset takes one, as ResponsesContainer()")
    missing = [name for name in SEAM_NAMES if name not in container.providers]
    if missing:
        raise WiringError(
            f"the container has no {', '.join(missing)}; a preset takes an instance of ResponsesContainer or of a class"
            " that derives from it"
        )


def _check_callable(value: object, what: str) -> None:
    if not callable(value) or isinstance(value, type):
        raise WiringError(f"{value!r:.80} is no function that {what}")


def _check_text(name: str, value: object) -> None:
    if not isinstance(value, str):
        raise WiringError(f"{name}: {value!r:.80} is no text")


def _check_given(one: object, container: object) -> None:
    if not isinstance(container, containers.Container):
        name = getattr(one, "__name__", repr(one))
        raise WiringError(f"{name} gave no container: {name}(…) with its arguments gives the preset")


def combined(*presets: Preset) -> Preset:
    """One preset of several, applied from left to right; a later one sees what the earlier ones did.

    Raises :class:`WiringError` for what is no function; the preset does when one of them gives no container.
    """
    for one in presets:
        _check_callable(one, "gives a configured copy of a container")

    def apply(container: C, /) -> C:
        for one in presets:
            container = one(container)
            _check_given(one, container)
        return container

    return apply


def preset_pipeline(*presets: Preset, **overrides: Unpack[Overrides]) -> Pipeline:
    """The default pipeline with presets applied from left to right, and then single seams replaced.

    Raises :class:`WiringError` for a name that is no seam, and for a value that does not have the seam's shape.
    """
    check_overrides(overrides)
    container = combined(*presets)(ResponsesContainer())
    container.override_providers(**{name: providers.Object(value) for name, value in overrides.items()})
    return Pipeline(resolve(container))


@preset
def with_sha256_fingerprint(container: ResponsesContainer, /) -> None:
    """Fingerprints by SHA-256, for hosts that want a cryptographic hash."""
    swap(container.fingerprint, Sha256Fingerprint())


def with_origin_fingerprint(endpoint: str) -> Preset:
    """Fingerprints over model and endpoint alone, for hosts whose instructions or tools change every turn.

    Raises :class:`WiringError` for an endpoint that is no text.
    """
    _check_text("endpoint", endpoint)

    @preset
    def with_origin_fingerprint(container: ResponsesContainer, /) -> None:
        swap(container.fingerprint, OriginFingerprint(endpoint))

    return with_origin_fingerprint


def with_keyed_nonces(secret: str | bytes) -> Preset:
    """Nonces that can't be guessed from an id. Raises :class:`WiringError` for a secret that is none."""
    nonce = hardened.make_keyed_nonce(secret=secret)

    @preset
    def with_keyed_nonces(container: ResponsesContainer, /) -> None:
        swap(container.nonce, nonce)

    return with_keyed_nonces


@preset
def with_tool_types(container: ResponsesContainer, /) -> None:
    """Tool schemas may be classes, TypedDicts, pydantic models and annotated callables; see :mod:`type_schema`."""
    swap(container.json_schema, make_typed_json_schema(json_schema=container.json_schema()))


@preset
def with_strict_neutralising(container: ResponsesContainer, /) -> None:
    """Reserved tags are found in every disguise, in bodies and in the labels of tags."""
    swap(container.neutraliser, strict_neutraliser)
    nonce, neutraliser = use(container.nonce), use(container.neutraliser)
    rewire(container.untrusted_envelope, made(hardened.make_untrusted_envelope, neutraliser=neutraliser))
    rewire(container.trusted_envelope, made(hardened.make_trusted_envelope, neutraliser=neutraliser))
    rewire(
        container.first_party_retrievables,
        made(
            hardened.make_first_party_retrievables,
            nonce=nonce,
            neutraliser=neutraliser,
            retrievable_handle=use(container.retrievable_handle),
            token_counter=use(container.token_counter),
        ),
    )
    rewire(container.thought, made(hardened.make_thought, nonce=nonce, neutraliser=neutraliser))
    rewire(
        container.timeline_message,
        made(
            hardened.make_timeline_message,
            nonce=nonce,
            neutraliser=neutraliser,
            media_blocks=use(container.media_blocks),
        ),
    )
    rewire(
        container.media_policy,
        made(
            hardened.make_media_policy,
            nonce=nonce,
            neutraliser=neutraliser,
            trusted_envelope=use(container.trusted_envelope),
            untrusted_envelope=use(container.untrusted_envelope),
        ),
    )


@preset
def with_media_brackets(container: ResponsesContainer, /) -> None:
    """Every native media stands between the tags of its tier."""
    rewire(
        container.media_blocks,
        made(
            hardened.make_media_blocks,
            media_policy=use(container.media_policy),
            nonce=use(container.nonce),
            neutraliser=use(container.neutraliser),
            trusted_envelope=use(container.trusted_envelope),
            untrusted_envelope=use(container.untrusted_envelope),
        ),
    )


def with_untrusted_memories(operator_sources: Collection[str] = OPERATOR_SOURCES) -> Preset:
    """Memories of any other source than these stand in untrusted envelopes.

    Raises :class:`WiringError` for sources that are no collection of texts.
    """
    sources = hardened.sources_of_operator(operator_sources)

    @preset
    def with_untrusted_memories(container: ResponsesContainer, /) -> None:
        rewire(
            container.memories,
            made(
                hardened.make_memories,
                nonce=use(container.nonce),
                neutraliser=use(container.neutraliser),
                untrusted_envelope=use(container.untrusted_envelope),
                operator_sources=sources,
            ),
        )

    return with_untrusted_memories


def hardening(secret: str | bytes, operator_sources: Collection[str] = OPERATOR_SOURCES) -> Preset:
    """All that ``HardenedContainer`` does, for a container that has seams of its own."""
    return combined(
        with_keyed_nonces(secret),
        with_strict_neutralising,
        with_media_brackets,
        with_untrusted_memories(operator_sources),
    )
