"""A request without its texts: what it takes to compare two of them when the texts must not be kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import attrs
import xxhash

from seamwright.errors import SeamwrightError
from seamwright.model.guards import is_array, is_mapping
from seamwright.wire.assembled import AssembledInput
from seamwright.wire.canonical import canonical_bytes

CountTokens = Callable[[str], int]
"""Counts the tokens of a text; where none is given, four bytes count as one."""

PARAMETERS: Final = (
    "prompt_cache_key",
    "prompt_cache_retention",
    "prompt_cache_options",
    "reasoning",
    "text",
    "tool_choice",
    "parallel_tool_calls",
    "truncation",
    "service_tier",
)
"""Parameters beside the rendered ones on which a provider's cache may depend."""


class OutlineError(SeamwrightError, ValueError):
    """What was given is no request, no build and no outline."""


@attrs.frozen
class Piece:
    """One value of a request: the digest of its canonical JSON, its size in bytes and (estimated) tokens."""

    digest: str
    size: int
    tokens: int


@attrs.frozen
class OutlinedItem:
    """One item of ``input``. ``fields`` holds a piece for each key, so that a change can be placed."""

    type: str
    role: str | None
    id: str | None
    whole: Piece
    fields: Mapping[str, Piece]

    @property
    def is_reasoning(self) -> bool:
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
        """How many items stand before the trailing one, which may change every turn without costing anything before it."""
        if self.fingerprintable_length is not None:
            return self.fingerprintable_length
        last = self.input[-1] if self.input else None
        trails = len(self.input) > 1 and last is not None and last.role == "system"
        return len(self.input) - 1 if trails else len(self.input)

    def to_json(self) -> dict[str, Any]:
        """The outline as JSON; :func:`outline` reads it again."""
        return {"outline": 1, **attrs.asdict(self)}


def outline(request: AssembledInput | Mapping[str, Any] | Outline, count: CountTokens | None = None) -> Outline:
    """The outline of a build, a request body, or an outline read from JSON. Raises :class:`OutlineError` for anything else."""
    if isinstance(request, Outline):
        return request
    if isinstance(request, AssembledInput):
        return attrs.evolve(
            _of_body(request.to_request(), count), fingerprintable_length=request.fingerprintable_length
        )
    if not is_mapping(request):
        raise OutlineError(f"a request is an object, not {type(request).__name__}")
    return _from_json(request) if request.get("outline") == 1 else _of_body(request, count)


def _of_body(body: Mapping[str, Any], count: CountTokens | None) -> Outline:
    items = body.get("input")
    if isinstance(items, str):
        items = [{"type": "message", "role": "user", "content": items}]
    if not is_array(items):
        raise OutlineError("a request has its items, or a text, under 'input'")
    tools = body.get("tools")
    instructions = body.get("instructions")
    return Outline(
        model=_piece(body.get("model"), count),
        instructions=None if instructions is None else _piece(instructions, count),
        tools=tuple(_piece(tool, count) for tool in tools) if is_array(tools) else (),
        input=tuple(_item(item, count) for item in items),
        parameters={name: _piece(body[name], count) for name in PARAMETERS if body.get(name) is not None},
    )


def _item(item: Any, count: CountTokens | None) -> OutlinedItem:
    if not is_mapping(item):
        return OutlinedItem(type(item).__name__, None, None, _piece(item, count), {})
    kind = item.get("type", "message" if "role" in item else "")
    return OutlinedItem(
        str(kind),
        _text(item.get("role")),
        _text(item.get("id")),
        _piece(item, count),
        {str(key): _piece(value, count) for key, value in item.items()},
    )


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _piece(value: Any, count: CountTokens | None) -> Piece:
    try:
        data = canonical_bytes(value)
    except (TypeError, ValueError):  # NaN, lone surrogates, keys that are no text: a request nobody accepts
        data = repr(value).encode(errors="replace")
    size = len(data)
    tokens = -(-size // 4) if count is None else count(data.decode(errors="replace"))
    return Piece(xxhash.xxh3_64_hexdigest(data), size, tokens)


def _from_json(value: Mapping[str, Any]) -> Outline:
    try:
        instructions = value["instructions"]
        return Outline(
            model=Piece(**value["model"]),
            instructions=None if instructions is None else Piece(**instructions),
            tools=tuple(Piece(**tool) for tool in value["tools"]),
            input=tuple(_item_from_json(item) for item in value["input"]),
            parameters={name: Piece(**piece) for name, piece in value["parameters"].items()},
            fingerprintable_length=value["fingerprintable_length"],
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise OutlineError(f"no outline that can be read: {error}") from None


def _item_from_json(value: Mapping[str, Any]) -> OutlinedItem:
    fields = {key: Piece(**piece) for key, piece in value["fields"].items()}
    return OutlinedItem(value["type"], value["role"], value["id"], Piece(**value["whole"]), fields)
