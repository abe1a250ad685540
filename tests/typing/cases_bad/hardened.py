"""Forgotten secrets, and presets that are none."""

from __future__ import annotations

from seamwright import KeyedNonce
from seamwright_containers import (
    HardenedContainer,
    ResponsesContainer,
    combined,
    hardened_pipeline,
    hardening,
    preset,
    preset_pipeline,
    swap,
    with_keyed_nonces,
    with_origin_fingerprint,
    with_sha256_fingerprint,
    with_untrusted_memories,
)

hardened_pipeline()  # E: there is no default secret
hardened_pipeline(nonce=KeyedNonce("own"))  # E: nor with nonces of one's own
hardened_pipeline(b"secret")  # E: the secret is given by name
hardened_pipeline(secret=3)  # E: a number is no secret
hardened_pipeline(secret=None)  # E: none is no secret
hardened_pipeline(secret="s", secrets="s")  # E: no seam and no setting has this name
hardened_pipeline(secret="s", nonse=KeyedNonce("own"))  # E: no seam has this name
hardened_pipeline(secret="s", operator_sources=3)  # E: sources are a collection
hardened_pipeline(secret="s", neutraliser=3)  # E: a number is no function

with_keyed_nonces()  # E: there is no default secret
with_keyed_nonces(3)  # E: a number is no secret
with_origin_fingerprint()  # E: an endpoint is needed
with_untrusted_memories(3)  # E: sources are a collection
hardening()  # E: there is no default secret
preset_pipeline(with_keyed_nonces)  # E: a preset is made with its secret
preset_pipeline(with_origin_fingerprint)  # E: a preset is made with its endpoint
preset_pipeline(hardening)  # E: a preset is made with its secret
preset_pipeline(ResponsesContainer())  # E: a container is no preset
preset_pipeline(with_sha256_fingerprint, nonse=KeyedNonce("own"))  # E: no seam has this name
combined(with_sha256_fingerprint, 3)  # E: a number is no preset
with_sha256_fingerprint(ResponsesContainer)  # E: an instance, not the class
with_sha256_fingerprint(3)  # E: a number is no container
preset(lambda: None)  # E: a container is given
swap(HardenedContainer().secrets, b"s")  # E: no provider has this name
swap(HardenedContainer().nonce, 3)  # E: a number is no nonce
