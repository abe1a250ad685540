"""What a build gives: the request, and what was said about it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import attrs
import orjson

from seamwright.model.options import RenderOptions
from seamwright.wire.items import Item

if TYPE_CHECKING:
    from seamwright.check import Violation
    from seamwright.tokens.count import TokenCount


@attrs.frozen
class RenderWarning:
    """Something left out or changed.

    ``code`` is stable, ``text`` is for people, ``subject_id`` is the id of the thing it happened to.
    """

    code: str
    text: str
    subject_id: str | None = None


_OWNED: Final = {
    "model": "RenderOptions(model=…)",
    "input": "the state",
    "instructions": "AgentState(system_prompt=…) and RenderOptions(system_prompt_channel=…)",
    "tools": "AgentState(tools=…, provider_tools=…)",
    "store": "nothing: requests are stateless",
}

ENCRYPTED: Final = "reasoning.encrypted_content"


def check_params(params: Mapping[str, Any]) -> None:
    """Raises TypeError for a parameter that the build decides."""
    for name in params:
        if name in _OWNED:
            raise TypeError(f"to_request() takes no {name!r}; it comes from {_OWNED[name]}")


@attrs.frozen(kw_only=True)
class AssembledInput:
    """A rendered request.

    ``instructions`` and ``tools`` are None when there are none. ``fingerprintable_length`` is the number of items of
    ``input`` that a fingerprint covers: all but the trailing item. ``violations`` is what the checker found, when it
    was asked. ``tokens`` is what the request costs, when it has a budget.
    """

    model: str
    options: RenderOptions
    instructions: str | None
    input: list[Item] = attrs.field(repr=False)
    tools: list[dict[str, Any]] | None = attrs.field(repr=False)
    fingerprintable_length: int
    warnings: tuple[RenderWarning, ...] = ()
    violations: tuple[Violation, ...] = ()
    tokens: TokenCount | None = None

    def to_request(self, **params: Any) -> dict[str, Any]:
        """Keyword arguments for ``responses.create``; ``params`` are added.

        Always ``store=False``; ``include`` asks for encrypted reasoning while it is replayed. Raises TypeError for
        parameters that the build decides.
        """
        check_params(params)
        request: dict[str, Any] = {"model": self.model, "store": False}
        if self.instructions is not None:
            request["instructions"] = self.instructions
        if self.tools is not None:
            request["tools"] = list(self.tools)
        include: list[Any] = list(params.pop("include", None) or ())
        if self.options.reasoning_replay == "encrypted" and ENCRYPTED not in include:
            include.append(ENCRYPTED)
        if include:
            request["include"] = include
        request["input"] = list(self.input)
        return request | params

    def to_json(self, **params: Any) -> bytes:
        """The same as JSON in UTF-8, for clients that take the bytes of a body: a fraction of what ``json`` takes.

        Raises TypeError as :meth:`to_request` does, and for values that are no JSON.
        """
        request = self.to_request(**params)
        try:
            return orjson.dumps(request)
        except TypeError:  # integers beyond 64 bits, other keys than text, lone surrogates in params
            return json.dumps(request, separators=(",", ":")).encode()
