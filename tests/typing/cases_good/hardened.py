"""The hardened pipeline and presets."""

from __future__ import annotations

from typing import assert_type

from dependency_injector.providers import Object

from seamwright import KeyedNonce, Pipeline, Seams
from seamwright_containers import (
    HardenedContainer,
    Plan,
    Preset,
    ResponsesContainer,
    combined,
    hardened_pipeline,
    hardening,
    preset,
    preset_pipeline,
    resolve,
    swap,
    with_keyed_nonces,
    with_media_brackets,
    with_origin_fingerprint,
    with_sha256_fingerprint,
    with_strict_neutralising,
    with_tool_types,
    with_untrusted_memories,
)


def quiet(text: str, /) -> str:
    return text


assert_type(hardened_pipeline(secret=b"secret"), Pipeline)
assert_type(hardened_pipeline(secret="secret", operator_sources={"handbook"}, neutraliser=quiet), Pipeline)
container = HardenedContainer(secret=Object(b"secret"))
swap(container.neutraliser, quiet)
assert_type(resolve(container), Seams)
assert_type(Plan.compile(container), Plan[Seams])


@preset
def with_quiet_neutraliser(container: ResponsesContainer, /) -> None:
    swap(container.neutraliser, quiet)


every: list[Preset] = [
    with_keyed_nonces("secret"),
    with_origin_fingerprint("proxy"),
    with_sha256_fingerprint,
    with_strict_neutralising,
    with_media_brackets,
    with_untrusted_memories(),
    with_untrusted_memories(["handbook"]),
    with_tool_types,
    with_quiet_neutraliser,
    hardening("secret"),
    hardening(b"secret", {"handbook"}),
]
assert_type(combined(*every), Preset)
assert_type(combined(*every)(ResponsesContainer()), ResponsesContainer)
assert_type(with_sha256_fingerprint(container), HardenedContainer)
assert_type(preset_pipeline(*every, nonce=KeyedNonce("another")), Pipeline)
