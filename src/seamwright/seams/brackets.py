"""The two tags of an envelope apart, for what can't stand inside a text: native media."""

from __future__ import annotations

import itertools
from typing import Final

from seamwright.seams import envelopes
from seamwright.seams.context import BuildContext
from seamwright.seams.envelopes import Envelope, EnvelopeAttrs

DEFAULTS: Final[dict[bool, Envelope]] = {True: envelopes.trusted_envelope, False: envelopes.untrusted_envelope}
"""The default envelopes, by whether they are the trusted one."""


def brackets(
    envelope: Envelope, attributes: EnvelopeAttrs, *, trusted: bool, context: BuildContext, subject_id: str
) -> tuple[str, str]:
    """The opening and the closing tag, found by rendering the envelope round a body that nothing else in it holds.

    An envelope that loses its body gives the default one and a warning: native media never stands outside a bracket.
    """
    body = _unused(attributes)
    before, found, after = envelope(body, attributes).partition(body)
    if not found:
        text = "the envelope override lost its body; the default envelope stands round the media"
        context.warn("envelope-body-swallowed", text, subject_id)
        before, _, after = DEFAULTS[trusted](body, attributes).partition(body)
    return before.removesuffix("\n"), after.removeprefix("\n")


def _unused(attributes: EnvelopeAttrs) -> str:
    """A body that no attribute holds: the name of a tool is whatever the model made up, and this source is public."""
    taken = f"{attributes.nonce} {attributes.kind} {attributes.tool} {attributes.modality}"
    bodies = (f"seamwright-body-{number}-" for number in itertools.count())
    return next(body for body in bodies if body not in taken)
