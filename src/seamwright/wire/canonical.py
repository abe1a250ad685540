"""JSON in one spelling: for hashing, and for arguments."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import orjson


def canonical_bytes(value: object) -> bytes:
    """UTF-8 JSON with sorted keys and no spaces. ``value`` holds no lone surrogates and no NaN."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # integers beyond 64 bits, and nesting orjson gives up on
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def compact_json(value: Mapping[str, Any]) -> str:
    """JSON text without spaces, in the order given, other letters than ASCII kept."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
