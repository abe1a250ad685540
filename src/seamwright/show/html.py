"""Elements as text. Whatever is no element already is escaped, in one place."""

from __future__ import annotations

import html
from typing import Final

from seamwright.show.words import visible


class Html(str):
    """Markup that :func:`element` made, or that is ours."""

    __slots__ = ()


_VOID: Final = frozenset({"meta", "input"})


def element(name: str, /, *children: str | None, **attributes: str | int | bool | None) -> Html:
    """An element. Children that are no :class:`Html` are text; None is nothing.

    An attribute of True stands alone, of None or False not at all; ``_`` in its name becomes ``-``, and one at the end
    is dropped (``class_``).
    """
    head = "".join(_attribute(key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items())
    if name in _VOID:
        return Html(f"<{name}{head}>")
    return Html(f"<{name}{head}>{joined(*children)}</{name}>")


def joined(*children: str | None) -> Html:
    """Children behind one another."""
    return Html("".join(_child(child) for child in children if child is not None))


def preformatted(text: str, class_: str | None = None) -> Html:
    """A text with its lines. A parser drops a line break that stands first, so ours stands before it."""
    return element("pre", Html("\n"), text, class_=class_)


def _child(child: str) -> str:
    return child if isinstance(child, Html) else html.escape(visible(child))


def _attribute(key: str, value: str | int | bool | None) -> str:
    if value is None or value is False:
        return ""
    return f" {key}" if value is True else f' {key}="{html.escape(visible(str(value)))}"'
