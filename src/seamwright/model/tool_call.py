"""A call of a tool and what came of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import attrs

from seamwright.model.artifact import SpooledArtifact
from seamwright.model.checks import (
    AWARE,
    FLAG,
    JSON_OBJECT,
    OPTIONAL_FLAG,
    OPTIONAL_TEXT,
    TEXT,
    Check,
    as_frozen,
    as_tuple,
    instance_of,
)
from seamwright.model.guards import is_mapping, is_tuple
from seamwright.model.media import Media
from seamwright.model.origin import ResponseOrigin
from seamwright.model.spelling import shown
from seamwright.model.text import replace_lone_surrogates

ToolResults = str | SpooledArtifact | tuple[SpooledArtifact, ...] | tuple[Media, ...]


def _args(value: object) -> str | None:
    if isinstance(value, str) or is_mapping(value):
        return None if isinstance(value, str) else JSON_OBJECT.problem(value)
    return f"{shown(value)} is not an object or a text that holds one"


def _results(value: object) -> str | None:
    if value is None or isinstance(value, (str, SpooledArtifact)):
        return None
    if is_tuple(value) and value:
        for kind in (SpooledArtifact, Media):
            if all(isinstance(item, kind) for item in value):
                return None
    return f"{shown(value)} is not text, an artifact, a list of artifacts or a list of media"


def _as_results(value: Any) -> Any:
    if isinstance(value, Media):
        return (value,)
    return value if value is None or isinstance(value, (str, SpooledArtifact)) else as_tuple(value)


def checksum_of(tool: str, args: Mapping[str, Any] | str) -> str:
    """SHA-256 hex of canonical ``{"args":…,"tool":…}``: the nonce of the result's envelope."""
    canonical = json.dumps({"args": args, "tool": tool}, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(replace_lone_surrogates(canonical).encode()).hexdigest()


def call_part(identifier: str) -> str:
    """The ``call_id`` of ``call_id|item_id``: what stands before the first ``|``, or the whole when nothing does."""
    return identifier.partition("|")[0] or identifier


def _derived_checksum(call: Any) -> str:
    if isinstance(call.tool, str) and _args(call.args) is None:
        return checksum_of(call.tool, call.args)
    return ""  # the checks of tool and args refuse the call next


@attrs.frozen(kw_only=True)
class ToolCall:
    """``id`` is ``call_id`` or ``call_id|item_id``.

    ``args`` as a string is the provider's own JSON and goes back verbatim.
    ``results``: None while pending. ``inline=False`` shows artifacts as handles. ``trusted=None`` asks the registry.
    ``incomplete``: the provider cut the call short; it is not meant to be run. ``namespace`` and ``caller`` are the
    provider's own (tools found by search, calls made by a program) and go back with the call.
    """

    id: str = attrs.field(validator=TEXT)
    tool: str = attrs.field(validator=TEXT)
    args: Mapping[str, Any] | str = attrs.field(converter=as_frozen, validator=Check(_args))
    created_at: datetime = attrs.field(validator=AWARE)
    results: ToolResults | None = attrs.field(
        default=None, converter=_as_results, validator=Check(_results), repr=False
    )
    checksum: str = attrs.field(default=attrs.Factory(_derived_checksum, takes_self=True), validator=TEXT)
    inline: bool = attrs.field(default=True, validator=FLAG)
    is_error: bool = attrs.field(default=False, validator=FLAG)
    trusted: bool | None = attrs.field(default=None, validator=OPTIONAL_FLAG)
    incomplete: bool = attrs.field(default=False, validator=FLAG)
    namespace: str | None = attrs.field(default=None, validator=OPTIONAL_TEXT)
    caller: Mapping[str, Any] | None = attrs.field(default=None, converter=as_frozen, validator=JSON_OBJECT.or_none())
    origin: ResponseOrigin | None = attrs.field(
        default=None, validator=instance_of(ResponseOrigin, "a response origin").or_none()
    )

    def complete(self, results: Any, trusted: bool | None = None, is_error: bool = False) -> ToolCall:
        """The finished call. ``results``: text, artifact(s) or media; ``trusted`` overrules the registry."""
        return attrs.evolve(
            self, results=results, trusted=self.trusted if trusted is None else trusted, is_error=is_error
        )

    def parsed_args(self) -> dict[str, Any]:
        """The arguments as a dict. Raises ValueError naming the call when the provider's JSON is no object."""
        if not isinstance(self.args, str):
            return dict(self.args)
        try:
            value: Any = json.loads(self.args)
        except ValueError as error:
            raise ValueError(f"tool call {self.id!r} of {self.tool!r}: the arguments are no JSON: {error}") from None
        if not is_mapping(value):
            raise ValueError(
                f"tool call {self.id!r} of {self.tool!r}: the arguments are {type(value).__name__}, no object"
            )
        return dict(value)
