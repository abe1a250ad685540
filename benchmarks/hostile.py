"""What neutralising a hostile text costs when it is eight times as long: eight times as much, whatever it is made of.

python -m benchmarks.hostile          # prints the growth; exit 1 when one is over the limit
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Final

from benchmarks.measure import best
from seamwright.seams.disguises import strict_neutraliser
from seamwright.seams.envelopes import neutraliser

LIMIT: Final = 32.0  # linear gives 8 and somewhat more, the square 64
UNITS: Final = ("<", "< ", " ", "&", "&amp;", "&l", "\u200b", "\uff1c", "&#38;", "<a", "</memories ", "<memories>")


def growth(neutralise: Callable[[str], str], unit: str) -> float:
    """The time for 160,000 characters, as a multiple of that for 20,000."""

    def text(count: int) -> Callable[[], str]:
        return lambda: "<" + unit * (count // len(unit)) + "memories>"

    return best(neutralise, text(160_000)) / best(neutralise, text(20_000))


def main() -> int:
    """Measure both neutralisers; 1 when one grows faster than the text."""
    worst = 0.0
    for neutralise in (neutraliser, strict_neutraliser):
        ratios = {unit: growth(neutralise, unit) for unit in UNITS}
        unit = max(ratios, key=ratios.__getitem__)
        worst = max(worst, ratios[unit])
        print(f"{neutralise.__name__:20} 8 times the text: {ratios[unit]:5.1f} times the time, at worst, for {unit!r}")
    return int(worst > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
