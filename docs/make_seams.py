"""Writes the lower part of ``seams.md``: ``python docs/make_seams.py``.

It says of each seam what its Protocol and its default say, and what the container makes it from.
"""

from __future__ import annotations

import inspect
import re
import textwrap
import typing
from collections.abc import Awaitable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from dependency_injector import providers

from seamwright.record import SEAM_NAMES
from seamwright.shapes import seam_protocols
from seamwright_containers import ResponsesContainer

PAGE: Final = Path(__file__).resolve().parent / "seams.md"
MARK: Final = "<!-- What follows is written by docs/make_seams.py. -->\n"

TOPICS: Final[Mapping[str, str]] = {
    "context": "Surroundings",
    "envelopes": "Trust envelopes",
    "leading": "Leading text",
    "retrievables": "Retrieved documents",
    "handles": "Handles",
    "timeline": "Messages and thoughts",
    "media": "Media",
    "tools": "Tools",
    "json_schema": "Tool schemas",
    "reasoning": "Reasoning",
    "fingerprint": "Fingerprints",
    "ids": "Ids",
    "steps": "The four steps",
    "slots": "Streams",
    "trimming": "Token budget",
}
"""Title of the topic of each module of ``seamwright.seams``, in the order of the page."""


def protocol_of(name: str) -> tuple[type, bool]:
    """The Protocol of a seam, and whether None may stand in its place."""
    expected: Any = seam_protocols()[name]
    options = [option for option in getattr(expected, "__args__", ()) if option is not type(None)]
    return (options[0], True) if options else (expected, False)


def topic_of(name: str) -> str:
    """The module of a seam's Protocol, without its package."""
    return protocol_of(name)[0].__module__.rpartition(".")[2]


def prose(text: str | None) -> str:
    """A docstring as Markdown."""
    text = inspect.cleandoc(text or "")
    text = re.sub(r":\w+:`~?([^`]+)`", r"`\1`", text)
    return text.replace("``", "`")


def signature(method: Any) -> str:
    """A method's parameters and result, without ``self`` and as they are written."""
    whole = inspect.signature(method)
    parameters = [p for p in whole.parameters.values() if p.name != "self"]
    return str(whole.replace(parameters=parameters)).replace("'", "")


def asked(protocol: type, name: str) -> Iterator[str]:
    """What a Protocol asks for, a line each: its call, its methods, its properties."""
    for method, member in vars(protocol).items():
        if isinstance(member, property):
            yield f"{name}.{method}: {typing.get_type_hints(member.fget)['return'].__name__}"
        elif method == "__call__":
            yield name + signature(member)
        elif inspect.isfunction(member) and not method.startswith("_"):
            said = prose(member.__doc__)
            yield (f"# {said}\n" if said else "") + f"{name}.{method}{signature(member)}"


def needs(name: str) -> list[str]:
    """The seams that a seam's default is made from."""
    provider = ResponsesContainer.providers[name]
    names = {id(provider): name for name, provider in ResponsesContainer.providers.items()}
    injected = provider.kwargs.values() if isinstance(provider, providers.Singleton) else ()
    return [names[id(one)] for one in injected if id(one) in names]


def used_by(name: str) -> list[str]:
    """The seams whose defaults are made from this one."""
    return [other for other in SEAM_NAMES if name in needs(other)]


def default_of(name: str) -> str:
    """What stands in a seam's place when nobody replaces it, with its own summary."""
    provider: Any = ResponsesContainer.providers[name]
    if isinstance(provider, providers.Singleton):
        return described(provider.provides)
    value = provider()
    if value is None:
        return "none"
    return described(value if inspect.isroutine(value) or inspect.isclass(value) else type(value))


def described(source: Any) -> str:
    """The full name of a function or a class, and the first thing that its docstring says beside being the default."""
    name = f"`{source.__module__}.{source.__qualname__}`"
    said = re.sub(r"^The default(?: `\w+`| of the seam of that name)?(?:[:;.]\s*|$)", "", prose(source.__doc__))
    summary = said.partition("\n\n")[0].replace("\n", " ")
    return f"{name}. {re.sub('^[a-z](?![a-z]*[0-9])', lambda first: first[0].upper(), summary)}".rstrip()


def product_of(protocol: type) -> Any:
    """What calling a seam gives."""
    call = vars(protocol).get("__call__")
    return typing.get_type_hints(call).get("return") if call else None


def shapes(protocol: type, name: str) -> str:
    """What a Protocol asks for; and, where its call gives an object with a Protocol of its own, what that asks for."""
    lines = list(asked(protocol, name))
    product = product_of(protocol)
    if getattr(product, "_is_protocol", False):
        lines += asked(product, product.__name__)
    return "\n".join(lines)


def links(names: list[str]) -> str:
    """Seam names that lead to their sections."""
    return ", ".join(f"[`{name}`](#{name})" for name in names)


def section(name: str) -> str:
    """The part of the page about one seam."""
    protocol, optional = protocol_of(name)
    may_wait = any(typing.get_origin(one) is Awaitable for one in typing.get_args(product_of(protocol)))
    facts = [
        f"Protocol: `{protocol.__module__}.{protocol.__name__}`{', or None' if optional else ''}",
        f"Default: {default_of(name)}",
        f"Made from: {links(needs(name))}" if needs(name) else "",
        f"Used by: {links(used_by(name)) or 'the pipeline itself'}",
        "May be asynchronous" if may_wait else "",
    ]
    parts = [
        f"### `{name}`",
        filled(prose(protocol.__doc__)),
        f"```text\n{shapes(protocol, name)}\n```",
        "\n".join(filled(fact, "- ") for fact in facts if fact),
    ]
    return "\n\n".join(parts)


def filled(text: str, bullet: str = "") -> str:
    """Paragraphs in lines of 120 columns; a link is never broken."""
    return "\n\n".join(
        textwrap.fill(
            paragraph.replace("\n", " "),
            120,
            initial_indent=bullet,
            subsequent_indent=" " * len(bullet),
            break_long_words=False,
            break_on_hyphens=False,
        )
        for paragraph in text.split("\n\n")
    )


def generated() -> str:
    """Everything behind the mark."""
    topics = list(TOPICS)
    ordered = sorted(SEAM_NAMES, key=lambda name: topics.index(topic_of(name)))
    groups = groupby(ordered, key=topic_of)
    return "\n\n".join("\n\n".join([f"## {TOPICS[topic]}", *map(section, names)]) for topic, names in groups) + "\n"


def page() -> str:
    """The whole page: what is written by hand, and what is not."""
    by_hand = PAGE.read_text(encoding="utf-8").partition(MARK)[0]
    return f"{by_hand}{MARK}\n{generated()}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
