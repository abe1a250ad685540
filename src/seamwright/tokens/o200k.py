"""The encoding of today's models, offline."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Iterator, Sequence
from typing import Any, Final

_PIECE: Final = 50_000
"""Characters encoded in one go: the encoder refuses texts of more than some hundred thousand tokens."""


class O200kCounter:
    """A ``token_counter`` for the encoding ``o200k_base``, without network: ``pip install "seamwright[tokens]"``.

    Making one loads the vocabulary, which takes some tenths of a second: make one for the process. Counts a text as it
    is: what looks like a control token of the model is plain text, as it is to the API. Raises ImportError when the
    extra is not installed.
    """

    encoding = "o200k_base"

    def __init__(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of how the library opens its own files
            try:
                library: Any = importlib.import_module("bpe_openai")
            except ImportError as error:
                problem = 'O200kCounter needs the extra "tokens": pip install "seamwright[tokens]"'
                raise ImportError(problem, name="bpe_openai") from error
            self._encode = library.get_encoding(self.encoding).encode_ordinary

    def __call__(self, text: str, /) -> int:
        if len(text) <= _PIECE:
            return self._tokens(text)
        return sum(self._tokens(piece) for piece in _pieces(text))

    def _tokens(self, text: str) -> int:
        tokens: Sequence[int] = self._encode(text)
        return len(tokens)


def _pieces(text: str) -> Iterator[str]:
    """The text in pieces that end where a token ends in all likelihood: before a line, else before a word."""
    start = 0
    while len(text) - start > _PIECE:
        limit = start + _PIECE
        end = max(text.rfind("\n", start + 1, limit), text.rfind(" ", start + 1, limit))
        end = end if end > start else limit
        yield text[start:end]
        start = end
    yield text[start:]
