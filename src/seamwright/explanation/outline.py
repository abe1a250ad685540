"""A request without its texts: what it takes to compare two of them when the texts must not be kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import attrs
import xxhash

from seamwright.errors import OutlineError
from seamwright.model.guards import is_array, is_mapping
from seamwright.tokens.items import Ledger, compact
from seamwright.tokens.weights import weights_of
from seamwright.wire.assembled import AssembledInput
from seamwright.wire.canonical import canonical_bytes
from seamwright.wire.items import message

CountTokens = Callable[[str], int]
"""Counts the tokens of a text; where none is given, four bytes count as one."""

PARAMETERS: Final = (
    "prompt",
    "prompt_cache_key",
    "prompt_cache_retention",
    "prompt_cache_options",
    "reasoning",
    "text.format",
    "text.verbosity",
    "tool_choice",
    "parallel_tool_calls",
    "truncation",
    "service_tier",
)
"""Parameters beside the rendered ones on which a provider's cache may depend; a dot goes one level down."""


@attrs.frozen
class Piece:
    """One value of a request: the digest of its canonical JSON, its size in bytes and (estimated) tokens."""

    digest: str
    size: int
    tokens: int


@attrs.frozen
class OutlinedItem:
    """One item of ``input``. ``fields`` holds a digest for each key, so that a change can be placed."""

    type: str
    role: str | None
    id: str | None
    whole: Piece
    fields: Mapping[str, str]

    @property
    def is_reasoning(self) -> bool:
        """Whether it is a reasoning item."""
        return self.type == "reasoning"


@attrs.frozen(kw_only=True)
class Outline:
    """A request by its digests. ``fingerprintable_length`` is None for a body that is not known to be a build."""

    model: Piece
    instructions: Piece | None
    tools: tuple[Piece, ...]
    input: tuple[OutlinedItem, ...]
    parameters: Mapping[str, Piece]
    fingerprintable_length: int | None = None

    @property
    def prefix_length(self) -> int:
        """How many items stand before the trailing one, which may change every turn and costs nothing before it."""
        if self.fingerprintable_length is not None:
            return self.fingerprintable_length
        last = self.input[-1] if self.input else None
        trails = len(self.input) > 1 and last is not None and last.role == "system"
        return len(self.input) - 1 if trails else len(self.input)

    def prefix(self) -> list[Piece]:
        """What stands before the first item, in the order of the prompt."""
        output_format = self.parameters.get("text.format")
        return [*self.tools, *(piece for piece in (output_format, self.instructions) if piece is not None)]

    def to_json(self) -> dict[str, Any]:
        """The outline as JSON; :func:`outline` reads it again."""
        return {"outline": 1, **attrs.asdict(self)}


def outline(request: AssembledInput | Mapping[str, Any] | Outline, count: CountTokens | None = None) -> Outline:
    """The outline of a build, a request body, or an outline read from JSON.

    ``count`` counts tokens; without it four bytes count as one. Raises :class:`OutlineError` for anything else.
    """
    if isinstance(request, Outline):
        return request
    if isinstance(request, AssembledInput):
        length = request.fingerprintable_length
        return attrs.evolve(_of_body(request.to_request(), count or estimate), fingerprintable_length=length)
    given: Any = request
    if not is_mapping(given):
        raise OutlineError(f"a request is an object, not {type(given).__name__}")
    return _from_json(given) if is_outline(given) else _of_body(given, count or estimate)


def estimate(text: str) -> int:
    """Tokens of a text without counting: four bytes are one."""
    return -(-len(text.encode(errors="replace")) // 4)


def is_outline(value: Mapping[str, Any]) -> bool:
    """Whether a JSON object is an outline, and not a request."""
    return "outline" in value


def items_of(body: Mapping[str, Any]) -> Sequence[Any]:
    """The items of a request body; a text alone is the user's message. Raises :class:`OutlineError` without either.

    Every message says its type: the API reads one that does not as the same.
    """
    items: Any = body.get("input")
    if isinstance(items, str):
        return [message("user", items)]
    if not is_array(items):
        state = "; a state file is rendered first" if "messages" in body else ""
        raise OutlineError(f"a request has its items, or a text, under 'input'{state}")
    return [
        {"type": "message", **item} if is_mapping(item) and "role" in item and "type" not in item else item
        for item in items
    ]


def _of_body(body: Mapping[str, Any], count: CountTokens) -> Outline:
    items = items_of(body)
    tools: Any = body.get("tools")
    instructions = body.get("instructions")
    weights = weights_of(body.get("model"))

    def piece(value: Any, add: Callable[[Ledger, Any], None] = _add_json) -> Piece:
        data = _canonical(value)
        ledger = Ledger(count, weights)
        try:
            add(ledger, value)
        except (AttributeError, KeyError, TypeError, ValueError):  # of a shape that nobody accepts
            return Piece(_digest(data), len(data), count(data.decode(errors="replace")))
        return Piece(_digest(data), len(data), ledger.total)

    return Outline(
        model=piece(body.get("model")),
        instructions=None if instructions is None else piece(instructions, Ledger.instructions),
        tools=tuple(piece(tool, _add_tool) for tool in tools) if is_array(tools) else (),
        input=tuple(_item(item, piece(item, Ledger.item)) for item in items),
        parameters={name: piece(value) for name, value in _parameters(body)},
    )


def _add_json(ledger: Ledger, value: Any) -> None:
    ledger.add(ledger.text(compact(value)))


def _add_tool(ledger: Ledger, tool: Any) -> None:
    ledger.tools([tool])


def _parameters(body: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name in PARAMETERS:
        outer, _, inner = name.partition(".")
        value: Any = body.get(outer)
        if inner:
            value = value.get(inner) if is_mapping(value) else None
        # plain text is what a request without a format asks for
        if value is not None and (name != "text.format" or value != {"type": "text"}):
            yield name, value


def _item(item: Any, whole: Piece) -> OutlinedItem:
    if not is_mapping(item):
        return OutlinedItem(type(item).__name__, None, None, whole, {})
    fields = {str(key): _digest(_canonical(value)) for key, value in item.items()}
    return OutlinedItem(str(item.get("type")), _text(item.get("role")), _text(item.get("id")), whole, fields)


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _canonical(value: Any) -> bytes:
    try:
        return canonical_bytes(value)
    except (TypeError, ValueError):  # NaN, lone surrogates, keys that are no text: a request nobody accepts
        return repr(value).encode(errors="replace")


def _digest(data: bytes) -> str:
    return xxhash.xxh3_64_hexdigest(data)


def _from_json(value: Mapping[str, Any]) -> Outline:
    if value["outline"] != 1:
        raise OutlineError(f"an outline of version {value['outline']!r}, not 1")
    try:
        instructions = value["instructions"]
        return Outline(
            model=_piece_from_json(value["model"]),
            instructions=None if instructions is None else _piece_from_json(instructions),
            tools=tuple(_piece_from_json(tool) for tool in value["tools"]),
            input=tuple(_item_from_json(item) for item in value["input"]),
            parameters={name: _piece_from_json(piece) for name, piece in value["parameters"].items()},
            fingerprintable_length=value["fingerprintable_length"],
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        told = f"no {error}" if isinstance(error, KeyError) else str(error)
        raise OutlineError(f"no outline that can be read: {told}") from None


def _item_from_json(value: Mapping[str, Any]) -> OutlinedItem:
    fields = {key: str(digest) for key, digest in value["fields"].items()}
    return OutlinedItem(value["type"], value["role"], value["id"], _piece_from_json(value["whole"]), fields)


def _piece_from_json(value: Mapping[str, Any]) -> Piece:
    return Piece(str(value["digest"]), int(value["size"]), int(value["tokens"]))
