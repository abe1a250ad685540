"""An argument parser that names the nearest option or command, and prints nothing that a terminal acts on."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import Any, Final, NoReturn

from seamwright.errors import nearest, printable

_CHOICE: Final = re.compile(r"invalid choice: '(?P<given>[^']*)' \(choose from (?P<known>.*)\)")


class Parser(argparse.ArgumentParser):
    """``argparse``'s own, for the whole and, since subparsers are made of the same class, for each command."""

    def parse_known_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> tuple[Any, list[str]]:  # type: ignore[override]  # argparse declares it in overloads that differ in the namespace alone
        """What was given; here and not in the parser above, where the options of this command are not known."""
        known, rest = super().parse_known_args(args, namespace)
        if rest:
            self.error(f"unrecognized arguments: {' '.join(rest)}{self._nearest(rest)}")
        return known, rest

    def error(self, message: str) -> NoReturn:
        """Usage and message, exit code 2."""
        if found := _CHOICE.search(message):
            message += nearest(found["given"], re.findall(r"[\w-]+", found["known"]))
        super().error(printable(message))

    def _nearest(self, rest: Sequence[str]) -> str:
        option = next((text.partition("=")[0] for text in rest if text.startswith("-")), None)
        known = [name for action in self._actions for name in action.option_strings]
        return "" if option is None else nearest(option, known)
