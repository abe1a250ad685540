"""What the API adds to the texts of a request: measured on recorded usage figures, once for all models of a kind."""

from __future__ import annotations

from typing import Final

import attrs

from seamwright.check.models import capabilities_of

MESSAGE: Final = 4
"""Round each message, and round ``instructions``: start, role, separator, end."""

CALL: Final = 12
"""Round the name and the arguments of a call. Recorded calls with their outputs cost 14 to 24 beside their texts."""
OUTPUT: Final = 8
"""Round the output of a call."""

TOOL: Final = 10
TOOL_TEXT: Final = 0.6
"""A declaration costs some tokens, and about this share of its JSON: the model is shown schemas in a shorter form."""

SEALED_HEAD: Final = 950
SEALED_TOKEN: Final = 6
"""Encrypted reasoning: so many characters say nothing, and so many more hold a token. Recorded pairs of
``encrypted_content`` (characters) and ``reasoning_tokens``: 996 and 35, 1508 and 98, 2188 and 192, 9572 and 1792,
13176 and 1920."""

IMAGE: Final = 765
IMAGE_LOW: Final = 85
"""The vendor's published figures for a picture of 1024 pixels a side, and for one in low detail."""

DOCUMENT: Final = 1000
DOCUMENT_BYTES: Final = 25
"""A document that is no text: this much at least, and a token for so many bytes. Its pages are read and looked at."""


@attrs.frozen
class Weights:
    """What differs between kinds of models: ``reply``, what opens the reply; ``own``, what names the channel of a
    message of the assistant."""

    reply: int
    own: int


_CHAT: Final = Weights(reply=3, own=0)
_REASONING: Final = Weights(reply=2, own=2)


def weights_of(model: object) -> Weights:
    """The weights of a model by its name; an unknown one counts as one that reasons."""
    return _CHAT if capabilities_of(model).reasoning is False else _REASONING
