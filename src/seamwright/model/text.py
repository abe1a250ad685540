"""Texts as they enter: given as a string, or as a callable of the render context."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from seamwright.errors import TokenizableError

Tokenizable = str | Callable[[Any], str]
"""A text, or a callable that gives it when a request is built (its argument is ``render_ctx``)."""

_LONE: Final = re.compile("[\ud800-\udfff]")


def text(value: Tokenizable, ctx: object, owner: str = "text") -> str:
    """The string that *value* stands for. Raises :class:`TokenizableError` naming *owner*."""
    if isinstance(value, str):
        return value
    result = _called(value, ctx, owner)
    if not isinstance(result, str):
        raise TokenizableError(owner, f"the callable gave {type(result).__name__}, not a string")
    return result


def _called(function: Callable[[Any], object], ctx: object, owner: str) -> object:
    try:
        return function(ctx)
    except Exception as error:
        raise TokenizableError(owner, f"the callable raised {type(error).__name__}: {error}") from error


def has_lone_surrogates(value: str) -> bool:
    """Whether UTF-8 can't hold the text."""
    if value.isascii():
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return True
    return False


def replace_lone_surrogates(value: str) -> str:
    """Each lone surrogate becomes one U+FFFD."""
    return _LONE.sub("\ufffd", value) if has_lone_surrogates(value) else value
