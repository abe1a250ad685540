"""The texts of an item, as blocks: bytes and encrypted parts cut to a word, envelopes apart from what they hold."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import attrs

from seamwright.model.guards import is_array, is_mapping
from seamwright.seams.context import TokenCounter
from seamwright.show.model import Block, Trust
from seamwright.tokens.items import Ledger
from seamwright.tokens.weights import weights_of
from seamwright.wire.canonical import canonical_bytes

_ENVELOPE: Final = re.compile(r"(<(\w[\w.-]*)(?: [^\n]*)?>)\n(.*)\n(</\2>)", re.DOTALL)
_CONTENT: Final = frozenset({"content", "output", "arguments", "input", "summary", "encrypted_content"})
_LABELS: Final = {"output_text": "text", "input_text": "text", "summary_text": "summary", "reasoning_text": "text"}


@attrs.frozen
class Counter:
    """Sizes and, when the pipeline counts them, tokens of what is sent to a model."""

    count: TokenCounter | None
    model: str

    def size(self, value: Any) -> int:
        """The bytes of canonical JSON."""
        return len(canonical_bytes(value))

    def instructions(self, text: str) -> int | None:
        """The tokens of the leading text; None without a counter."""
        return self._counted(Ledger.instructions, text)

    def item(self, item: Mapping[str, Any]) -> int | None:
        """The tokens of an item of ``input``; None without a counter."""
        return self._counted(Ledger.item, item)

    def tool(self, declaration: Mapping[str, Any]) -> int | None:
        """The tokens of a declared tool; None without a counter."""
        return self._counted(Ledger.tools, [declaration])

    def _counted(self, add: Callable[[Ledger, Any], None], value: Any) -> int | None:
        if self.count is None:
            return None
        ledger = Ledger(self.count, weights_of(self.model))
        add(ledger, value)
        return ledger.total


def enclosed(label: str, text: str, trust: Trust, bucket: str) -> Block:
    """A text as a block, its outermost envelope apart."""
    found = _ENVELOPE.fullmatch(text)
    opening, body, closing = (found[1], found[3], found[4]) if found else ("", text, "")
    return Block(
        label=label,
        text=body,
        trust=trust,
        bucket=bucket,
        size=len(text.encode(errors="replace")),
        code=label in ("arguments", "input", "output"),
        opening=opening,
        closing=closing,
    )


@attrs.frozen
class Reading:
    """How the blocks of an item are made. ``media``: the trust of parts that are no text, and of texts beside them."""

    trust: Trust
    media: Trust
    bucket: str

    def blocks(self, item: Mapping[str, Any]) -> tuple[Block, ...]:
        """The blocks of an item."""
        blocks = [block for key, value in item.items() if key in _CONTENT for block in self._value(key, value)]
        said = _SAID | {"name"} if item.get("type") == "function_call" else _SAID
        rest = {key: value for key, value in item.items() if key not in _CONTENT and key not in said}
        return (*blocks, self._json("fields", rest, self.trust)) if rest else tuple(blocks)

    def _value(self, key: str, value: Any) -> Iterator[Block]:
        if key == "encrypted_content":
            if isinstance(value, str) and value:
                text = f"{len(value):,} characters that the provider alone can read"
                yield Block(label="encrypted", text=text, trust=self.trust, bucket=self.bucket, size=len(value))
        elif isinstance(value, str):
            yield enclosed(key, value, self.trust, self.bucket)
        elif is_array(value):
            yield from self._parts(value)
        elif value:
            yield self._json(key, value, self.trust)

    def _parts(self, parts: Sequence[Any]) -> Iterator[Block]:
        """A list of parts; behind the first text everything belongs to the media, when there is one."""
        kinds = [part.get("type") if is_mapping(part) else None for part in parts]
        with_media = any(kind in ("input_image", "input_file") for kind in kinds) or self.media != self.trust
        for index, part in enumerate(parts):
            trust = self.media if with_media and index else self.trust
            text = part.get("text", part.get("refusal")) if is_mapping(part) else None
            kind = str(kinds[index] or "part")
            if isinstance(text, str):
                yield enclosed(_LABELS.get(kind, kind), text, trust, self.bucket)
            else:
                yield self._json(kind.removeprefix("input_"), part, trust)

    def _json(self, label: str, value: Any, trust: Trust) -> Block:
        shown = shortened(value)
        text = json.dumps(shown, ensure_ascii=False)
        if len(text) > _LINE:
            text = json.dumps(shown, ensure_ascii=False, indent=2)
        size = len(canonical_bytes(value))
        return Block(label=label, text=text, trust=trust, bucket=self.bucket, size=size, code=True)


_SAID: Final = frozenset({"type", "role", "id", "status", "call_id"})
"""Keys that are shown elsewhere, or that say nothing to a person; the name of a called function is its title."""

_LINE: Final = 110
"""JSON that is not longer stands on one line."""
_BYTES: Final = re.compile(r"data:[^,]{0,200};base64,")


def shortened(value: Any) -> Any:
    """A JSON value in which bytes are cut to their length."""
    if isinstance(value, str):
        found = _BYTES.match(value)
        return f"{found[0]}… ({len(value) - found.end():,} characters)" if found else value
    if is_mapping(value):
        return {key: _encrypted(key, inner) for key, inner in value.items()}
    return [shortened(inner) for inner in value] if is_array(value) else value


def _encrypted(key: Any, value: Any) -> Any:
    if key == "encrypted_content" and isinstance(value, str):
        return f"… ({len(value):,} characters)"
    return shortened(value)
