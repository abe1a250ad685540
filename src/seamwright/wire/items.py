"""Items and parts as they go over the wire: plain dicts, as the API's client takes them and as they are hashed."""

from __future__ import annotations

from typing import Any

Item = dict[str, Any]
"""One element of ``input``, for example ``{"type": "message", "role": "user", "content": […]}``."""

Part = dict[str, Any]
"""One element of a message's content or of a tool's output, for example ``{"type": "input_text", "text": "…"}``."""


def input_text(text: str) -> Part:
    """A part of text given to the model."""
    return {"type": "input_text", "text": text}


def message(role: str, content: str | list[Part]) -> Item:
    """A message item; every one says its type."""
    return {"type": "message", "role": role, "content": content}


def function_call_output(call_id: str, output: str | list[Part]) -> Item:
    """What came of a function call."""
    return {"type": "function_call_output", "call_id": call_id, "output": output}
