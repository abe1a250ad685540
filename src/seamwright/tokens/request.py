"""The tokens of a whole request, by what they are spent on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from seamwright.model.guards import is_array, is_mapping
from seamwright.tokens.count import TokenCount
from seamwright.tokens.items import Ledger
from seamwright.tokens.weights import weights_of

if TYPE_CHECKING:
    from seamwright.seams.context import TokenCounter
    from seamwright.wire.assembled import AssembledInput


def count_request(request: AssembledInput | Mapping[str, Any], counter: TokenCounter) -> TokenCount:
    """The input tokens of a request: the keyword arguments of ``responses.create``, or what was built.

    Exact for messages of text, within a token or two, when *counter* counts in the model's own encoding; the rest is an
    estimate, see :class:`TokenCount`. What is no part of the request is not counted: an earlier response that it names,
    a prompt stored elsewhere, the form asked for in ``text``. Buckets are told apart when a state is built with a
    budget; of a request alone they are ``system_prompt``, ``timeline`` and ``tools``.
    """
    body = as_body(request)
    given = body.get("input")
    items: Sequence[Any] = [{"role": "user", "content": given}] if isinstance(given, str) else given or []
    tools: Any = body.get("tools")
    weights = weights_of(body.get("model"))
    leading, timeline, declared = (Ledger(counter, weights) for _ in range(3))
    leading.instructions(body.get("instructions"))
    timeline.add(weights.reply)
    timeline.items(filter(is_mapping, items))
    declared.tools(filter(is_mapping, tools if is_array(tools) else ()))
    return TokenCount(
        leading.total + timeline.total + declared.total,
        leading.estimated + timeline.estimated + declared.estimated,
        only_spent({"system_prompt": leading.total, "timeline": timeline.total, "tools": declared.total}),
        counter.encoding,
    )


def as_body(request: AssembledInput | Mapping[str, Any]) -> Mapping[str, Any]:
    """The keyword arguments of ``responses.create``."""
    return request if isinstance(request, Mapping) else request.to_request()


def only_spent(buckets: Mapping[str, int]) -> dict[str, int]:
    """The buckets that cost something."""
    return {name: tokens for name, tokens in buckets.items() if tokens}
