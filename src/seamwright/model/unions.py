"""How fields of several shapes are read and dumped, each shape spelled as the state file spells it."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from typing import Any, Final, cast

from seamwright.errors import Fault
from seamwright.model.artifact import SpooledArtifact
from seamwright.model.budget import TokenBudget
from seamwright.model.checks import as_tuple
from seamwright.model.endpoints import ENDPOINTS, EndpointProfile
from seamwright.model.faults import Hook, collect, collect_each, fault, object_of, raise_all, unknown_keys
from seamwright.model.folder import find_file
from seamwright.model.guards import is_mapping
from seamwright.model.identity import Identity, as_identity
from seamwright.model.json_values import dump_code, dump_named, text_of
from seamwright.model.media import Media, StashEntry
from seamwright.model.options import FallbackStash, bucket_faults
from seamwright.model.records import Sources, converter, hook_of
from seamwright.model.sources import FileId, FileSource, Url
from seamwright.model.spelling import shown
from seamwright.model.thought import REASONING_VARIANT, ReasoningPayload


def identity_hook(read: Hook) -> Callable[[Any, Any], Any]:
    """Reads an identity: one text, or an object with both halves, which *read* is for."""
    return lambda value, _: as_identity(value) if isinstance(value, str) else read(value)


def dump_identity(value: Identity) -> Any:
    """The one text when both halves are the same."""
    if value.identifier == value.representation:
        return value.identifier
    return {"identifier": value.identifier, "representation": value.representation}


# --- where the content of a media or an artifact comes from


def _base64(value: Any) -> bytes:
    if not isinstance(value, str):
        raise fault(f"{shown(value)} is not base64")
    try:
        return base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        raise fault(f"{shown(value)} is not base64") from None


def _dump_source(source: Any) -> dict[str, Any]:
    """A path stays a path."""
    match source:
        case FileSource():
            return {"path": source.shown}
        case Url():
            return {"url": source.url}
        case FileId():
            return {"file_id": source.file_id}
        case bytes():
            return {"data": base64.b64encode(source).decode()}
        case str():
            return {"text": source}
        case _:
            return cast("dict[str, Any]", dump_code(source))


def _dump_artifact_source(source: Any) -> dict[str, Any]:
    """An artifact is text: its bytes are written as what :meth:`SpooledArtifact.as_string` shows."""
    return {"text": source.decode(errors="replace")} if isinstance(source, bytes) else _dump_source(source)


MEDIA_SOURCES: Final = Sources(
    "source_reader",
    {
        "data": _base64,
        "path": find_file,
        "url": lambda value: Url(text_of(value)),
        "file_id": lambda value: FileId(text_of(value)),
    },
    _dump_source,
)
ARTIFACT_SOURCES: Final = Sources("reader", {"text": text_of, "path": find_file}, _dump_artifact_source)


def read_stash(value: Any) -> dict[str, Any]:
    """What stands in for a media, by its keys."""
    entries = object_of(value)
    return dict(zip(entries, collect_each(hook_of(StashEntry), entries.items()), strict=True))


# --- texts or artifacts


def _artifact(value: Any) -> Any:
    return hook_of(SpooledArtifact)(value)


def read_content(value: Any) -> Any:
    """The content of a retrievable: a text or ``{"artifact": …}``."""
    if not is_mapping(value):
        return value
    faults = unknown_keys(value, ("artifact",))
    if "artifact" not in value:
        faults.append(Fault("artifact", "is missing"))
    raise_all(faults)
    artifact = collect(faults, "artifact", _artifact, value["artifact"])
    raise_all(faults)
    return artifact


def dump_content(value: Any) -> Any:
    """The same, dumped."""
    return dump_named({"artifact": value}) if isinstance(value, SpooledArtifact) else converter.unstructure(value)


def _some(kind: Any) -> Hook:
    def read_some(value: Any) -> Any:
        items = hook_of(tuple[kind, ...])(value)
        if not items:
            raise fault("an empty list holds no result; use null for a pending call")
        return items

    return read_some


_RESULTS: Final[dict[str, Hook]] = {
    "text": text_of,
    "media": _some(Media),
    "artifact": _artifact,
    "artifacts": _some(SpooledArtifact),
}


def read_results(value: Any) -> Any:
    """The results of a tool call: one of four shapes, or None while it is pending."""
    if value is None:
        return None
    given = object_of(value)
    raise_all(unknown_keys(given, _RESULTS))
    if len(given) != 1:
        raise fault(f"exactly one of {', '.join(_RESULTS)} is needed, not {len(given)}")
    [(key, raw)] = given.items()
    faults: list[Fault] = []
    result = collect(faults, key, _RESULTS[key], raw)
    raise_all(faults)
    return result


def dump_results(value: Any) -> Any:
    """The same, dumped."""
    match value:
        case None:
            return None
        case str():
            return {"text": value}
        case SpooledArtifact():
            return dump_named({"artifact": value})
        case _:
            return dump_named({"media" if isinstance(value[0], Media) else "artifacts": value})


# --- one of our own, or something else


def read_payload(value: Any) -> Any:
    """The payload of a thought: reasoning of ours, or what another provider's says."""
    if value is None or object_of(value).get("variant", REASONING_VARIANT) != REASONING_VARIANT:
        return value
    return hook_of(ReasoningPayload)(value)


def read_policy(value: Any) -> Any:
    """The policy for media that can't be sent: a word, or the stash with its keys."""
    if not is_mapping(value):
        return value
    faults = unknown_keys(value, ("mode", "keys"))
    if value.get("mode") != "fallback-stash":
        faults.append(Fault("mode", f"{shown(value.get('mode'))} is not 'fallback-stash'"))
    if "keys" not in value:
        faults.append(Fault("keys", "is missing"))
    keys = collect(faults, "keys", hook_of(tuple[str, ...]), value.get("keys", ()))
    raise_all(faults)
    return FallbackStash(keys)


def dump_policy(value: Any) -> Any:
    """The same, dumped."""
    return {"mode": "fallback-stash", "keys": list(value.keys)} if isinstance(value, FallbackStash) else value


def read_bucket_order(value: Any) -> Any:
    """The order of buckets, with a fault at each that is wrong."""
    raise_all(bucket_faults(value, ""))
    return as_tuple(value)


def read_budget(value: Any) -> Any:
    """A token budget: a number of tokens, or an object with both figures."""
    return hook_of(TokenBudget)(value) if is_mapping(value) else value


def dump_endpoint(value: EndpointProfile) -> str:
    """A profile of the library by its name; a host's own stands in no file."""
    if ENDPOINTS.get(value.name) != value:
        raise fault(f"a host's own profile {value.name!r} can't be written to a file")
    return value.name
