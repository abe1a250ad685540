"""A view in a terminal. Needs the extra ``show``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Final, NoReturn

from rich.console import Console, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from seamwright.show.model import Block, Entry, Note, Trust, View
from seamwright.show.words import PREFIX_END, heading, measured, short, size, summary, visible

_STYLES: Final[dict[Trust, str]] = {
    "operator": "blue",
    "agent": "magenta",
    "first-party": "green",
    "user": "cyan",
    "peer": "bright_magenta",
    "third-party-private": "yellow",
    "third-party-public": "bright_yellow",
    "untrusted": "red",
    "unknown": "bright_black",
}
_BAR: Final = 40
SHORT: Final = 6
"""How many lines of a text are shown unless all are asked for, and of a line how many characters."""
LONG: Final = 400
_INDENT: Final = 6


class Stdout(Console):
    """Prints to stdout what is meant as it stands; a reader that went away is the caller's to handle."""

    def __init__(self) -> None:
        super().__init__(file=sys.stdout, highlight=False, emoji=False, markup=False)

    def on_broken_pipe(self) -> NoReturn:
        """Without this the console ends the process with exit code 1."""
        raise BrokenPipeError


def print_view(view: View, console: Console, *, full: bool = False) -> None:
    """Prints a view; ``full``: with whole texts."""
    console.print(Text(f"{visible(short(view.model))} at {visible(view.endpoint)}", "bold"))
    console.print(Text(summary(view)))
    if view.encoding:
        console.print(Text(f"tokens by {visible(view.encoding)}", "dim"))
    console.print()
    console.print(_chart(view))
    console.print(_legend(view))
    for note in view.notes:
        console.print(_note(note))
    if view.tools:
        console.print()
        console.print(Rule("tools", align="left", style="dim"))
        console.print(_tools(view))
    console.print()
    console.print(Rule("request", align="left", style="dim"))
    for place, entry in enumerate(view.entries):
        if place == view.prefix_end:
            console.print()
            console.print(_end())
        console.print()
        for line in _entry(entry, console, full):
            console.print(line)
    if view.prefix_end == len(view.entries):
        console.print()
        console.print(_end())


def _end() -> RenderableType:
    return Rule(PREFIX_END, style="bold")


def _chart(view: View) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right")
    table.add_column()
    table.add_column(justify="right")
    sizes = view.sizes()
    largest = max((sum(of.values()) for of in sizes.values()), default=1) or 1
    for bucket, of in sizes.items():
        bar = Text()
        for trust, count in of.items():
            bar.append("█" * max(1, round(_BAR * count / largest)), _STYLES[trust])
        table.add_row(bucket, bar, size(sum(of.values())))
    return table


def _legend(view: View) -> Text:
    legend = Text()
    for trust in view.trusts():
        legend.append("  ■ ", _STYLES[trust])
        legend.append(trust, "dim")
    return legend


def _tools(view: View) -> Table:
    table = Table.grid(padding=(0, 2))
    for row in view.tools:
        style = "dim" if row.hidden else ""
        said = "hidden from the model" if row.hidden else measured(row.size, row.tokens)
        description = Text(visible(row.description).replace("\n", " "), style, no_wrap=True, overflow="ellipsis")
        table.add_row(
            Text(visible(short(row.name)), style), Text(visible(short(row.kind)), "dim"), Text(said, "dim"), description
        )
    return table


def _entry(entry: Entry, console: Console, full: bool) -> Iterator[Text]:
    out = entry.status == "left out"
    head = Text()
    head.append("    ✗ " if out else f"{'' if entry.index is None else entry.index:>5} ", "dim")
    head.append(visible(heading(entry)), "bold dim strike" if out else "bold")
    head.append(f"  {entry.trust}", _STYLES[entry.trust])
    if entry.author and entry.author not in {entry.title, entry.role}:
        head.append(f"  from {visible(entry.author)}")
    said = "left out" if out else measured(entry.size, entry.tokens)
    told = [said, visible(entry.thing_id or ""), f"in {visible(entry.group)}" if entry.group else ""]
    head.append("  " + " · ".join(word for word in told if word), "dim")
    if entry.replayed:
        head.append("  replayed", "green")
    yield head
    room = max(20, console.width - _INDENT - 1)
    for note in entry.notes:
        for line in _note(note).wrap(console, room):
            yield Text(" " * _INDENT) + line
    for block in entry.blocks:
        yield from _block(block, entry, console, room, full)


def _block(block: Block, entry: Entry, console: Console, room: int, full: bool) -> Iterator[Text]:
    edge = Text(" " * _INDENT + "▏", _STYLES[block.trust])
    if len(entry.blocks) > 1 or block.trust != entry.trust:
        label = Text.assemble((f"{visible(block.label)} ", "dim"), (block.trust, _STYLES[block.trust]))
        yield Text(" " * _INDENT) + label
    lines = visible(block.text).expandtabs(4).split("\n")
    for line in lines if full else lines[:SHORT]:
        cut = line if full or len(line) <= LONG else f"{line[:LONG]}…"
        for row in Text(cut, "dim" if entry.status == "left out" else "").wrap(console, room) or [Text()]:
            yield edge + row
    if not full and len(lines) > SHORT:
        yield edge + Text(f"… {len(lines) - SHORT} more lines", "dim")


def _note(note: Note) -> Text:
    return Text.assemble((f"{note.code}: ", "bold"), visible(note.text))
