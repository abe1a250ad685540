"""The tokens of one item of ``input``, and of the declared tools."""

from __future__ import annotations

import base64
import binascii
import json
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import attrs

from seamwright.model.guards import is_array, is_mapping
from seamwright.tokens import weights
from seamwright.tokens.weights import Weights

CountText = Callable[[str], int]


@attrs.define
class Ledger:
    """Adds up the tokens of things. ``estimated`` is the part of ``total`` that no text was counted for, or not alone.

    ``text`` counts a text.
    """

    text: CountText
    weights: Weights
    total: int = 0
    estimated: int = 0

    def add(self, tokens: int) -> None:
        self.total += tokens

    def guess(self, tokens: int) -> None:
        self.total += tokens
        self.estimated += tokens

    def texts(self, *texts: object) -> int:
        return sum(self.text(text) for text in texts if isinstance(text, str))

    def instructions(self, text: object) -> None:
        if isinstance(text, str) and text:
            self.add(weights.MESSAGE + self.text(text))

    def items(self, items: Iterable[Mapping[str, Any]]) -> None:
        """Items of ``input``."""
        for item in items:
            self.item(item)

    def item(self, item: Mapping[str, Any]) -> None:
        """An item of ``input``."""
        kind = item.get("type", "message")
        if kind == "message":
            self.add(weights.MESSAGE + (self.weights.own if item.get("role") == "assistant" else 0))
            self.content(item.get("content"))
        elif kind == "function_call":
            self.guess(weights.CALL + self.texts(item.get("name"), item.get("arguments"), item.get("namespace")))
        elif kind == "reasoning":
            self.reasoning(item)
        elif isinstance(kind, str) and kind.endswith("_output") and _is_content(item.get("output")):
            self.guess(weights.OUTPUT)
            self.content(item["output"])
        else:
            self.guess(weights.CALL)
            self.anything(item)

    def content(self, content: object) -> None:
        """A text, or a list of parts."""
        if isinstance(content, str):
            self.add(self.text(content))
            return
        for part in content if is_array(content) else ():
            if is_mapping(part):
                self.part(part)

    def part(self, part: Mapping[str, Any]) -> None:
        kind = part.get("type")
        if kind == "input_image":
            self.guess(weights.IMAGE_LOW if part.get("detail") == "low" else weights.IMAGE)
        elif kind == "input_file":
            self.document(part.get("file_data"))
        else:
            self.add(self.texts(part.get("text"), part.get("refusal")))

    def document(self, data: object) -> None:
        """The bytes of a document, as a data URL or as plain base64; None when they are elsewhere."""
        content = _decoded(data) if isinstance(data, str) else b""
        try:
            text = content.decode() if content and not content.startswith(b"%PDF-") else None
        except UnicodeDecodeError:
            text = None
        if text is not None:
            self.guess(self.text(text))
        else:
            self.guess(max(weights.DOCUMENT, len(content) // weights.DOCUMENT_BYTES))

    def reasoning(self, item: Mapping[str, Any]) -> None:
        """What was thought: sealed, or as text. A summary beside it is for people, and not shown to the model."""
        sealed = item.get("encrypted_content")
        if isinstance(sealed, str) and sealed:
            self.guess(sealed_tokens(sealed))
            return
        parts: list[Any] = [
            part for name in ("content", "summary") for part in item.get(name) or () if is_mapping(part)
        ]
        self.guess(sum(self.texts(part.get("text")) for part in parts))

    def anything(self, value: Mapping[str, Any]) -> None:
        """An item of another type: its JSON, without what is no text."""
        self.guess(self.text(compact(self._bare(value))))

    def _bare(self, value: Any) -> Any:
        """A value without ids, sealed parts and pictures, which are added up by themselves."""
        if is_mapping(value):
            return {key: self._bare_field(key, item) for key, item in value.items() if key not in ("id", "status")}
        if is_array(value):
            return [self._bare(item) for item in value]
        return value

    def _bare_field(self, key: str, value: Any) -> Any:
        if not isinstance(value, str):
            return self._bare(value)
        if key == "encrypted_content":
            self.guess(sealed_tokens(value))
            return ""
        if value.startswith("data:") or (key == "result" and len(value) > 1000):
            self.guess(weights.IMAGE)
            return ""
        return value

    def tools(self, tools: Iterable[Mapping[str, Any]]) -> None:
        """The declared tools."""
        for tool in tools:
            shown = {name: tool.get(name) for name in ("name", "description", "parameters")}
            text = compact(shown if tool.get("type") == "function" else tool)
            self.guess(weights.TOOL + math.ceil(weights.TOOL_TEXT * self.text(text)))


def sealed_tokens(sealed: str) -> int:
    """About how many tokens an encrypted part holds, from its length."""
    return max(0, len(sealed) - weights.SEALED_HEAD) // weights.SEALED_TOKEN


def compact(value: object) -> str:
    """JSON without spaces, with the letters as they are; what JSON can't hold as Python shows it."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False, default=_plain)


def _plain(value: object) -> Any:
    return dict(value) if is_mapping(value) else list(value) if is_array(value) else repr(value)


def _is_content(value: object) -> bool:
    return isinstance(value, str) or is_array(value)


def _decoded(data: str) -> bytes:
    encoded = data.partition(",")[2] if data.startswith("data:") else data
    try:
        return base64.b64decode(encoded)
    except (binascii.Error, ValueError):
        return b""
