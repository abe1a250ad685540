"""How a seam comes to be, taken out of a container."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import attrs

from seamwright_containers.annotations import place


@attrs.frozen
class Argument:
    """One keyword of a factory: the seam it is given, or a value that stays the same in every request."""

    parameter: str
    hint: Any
    seam: str | None
    value: object = None


@attrs.frozen
class Recipe:
    """How one seam comes to be: a value, what a factory makes of other seams, or another seam that it follows.

    ``source`` is the value or the factory; ``arguments`` is None for a value. ``origin`` says where the container class
    has it from, as ``module:name``, when that was replaced; ``added``: no container class declares the seam.
    """

    seam: str
    source: Any
    arguments: tuple[Argument, ...] | None = None
    follows: str | None = None
    added: bool = False
    origin: str | None = None

    @property
    def needs(self) -> tuple[tuple[str, str], ...]:
        """The parameters that take seams, each with its seam."""
        if self.follows is not None:
            return (("seam", self.follows),)
        return tuple((argument.parameter, argument.seam) for argument in self.arguments or () if argument.seam)

    @property
    def make(self) -> Callable[..., Any] | None:
        """The function from the seams it needs to the seam; None for a value."""
        if self.follows is not None:
            return _itself
        if self.arguments is None:
            return None
        fixed = {argument.parameter: argument.value for argument in self.arguments if argument.seam is None}
        factory: Callable[..., Any] = self.source
        return functools.partial(factory, **fixed) if fixed else factory

    @property
    def provenance(self) -> str:
        """Where it comes from, as ``module:name``, or the seam it follows."""
        return f"seam {self.follows}" if self.follows is not None else place(self.source)


def _itself(seam: Any) -> Any:
    return seam
