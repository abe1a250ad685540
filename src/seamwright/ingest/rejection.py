"""Which rule of the API a refusal is about, from its status, code, parameter and text.

The texts are the API's own, as public bug reports quote them. They come with and without backticks, with 400 or 404,
and through proxies that put words of theirs before them, so each is recognised by its unchanging part.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

import attrs

from seamwright.ingest.plain import as_index

# Texts are compared in lower case, single-spaced, every kind of quotation mark as ' and without backticks and
# backslashes.
_AT: Final = r"'?input\[\w*\]"

_FORMS: Final[tuple[tuple[str, str], ...]] = (
    # Replayed reasoning first: when an answer names several faults, these are the ones that can be cured here.
    ("P1", r"\bitem .{1,100}? of type '?reasoning'? was provided without its required following item"),
    ("P2", r"was provided without its required '?reasoning'? item"),
    ("P2", r"was provided without its required preceding item of type '?reasoning"),
    ("P6", r"\bitem with id (\S{1,200} )?not found"),
    ("P6", r"items are not persisted when store is set to false"),
    ("P7", r"\bencrypted content\b.{1,400}? could not be (verified|decrypted)"),
    ("P7", r"\binvalid_encrypted_content\b"),
    ("P8", r"reasoning input items can only be provided to a reasoning"),
    ("P9", r"encrypted content is not supported with this model"),
    ("F3", rf"missing required parameter: {_AT}\.summary"),
    ("F4", rf"{_AT}\.content'?: array too long\. expected an array with maximum length 0\b"),
    # calls and their outputs
    ("P3", r"no tool output found for (\w+ ){1,4}call\b"),
    ("P4", r"no tool call found for (\w+ ){1,5}with call_id"),
    ("P5", r"duplicate item found with id"),
    ("P11", r"duplicate function_call_output for call_id"),
    # ids
    ("I1", r"expected an id that begins with"),
    ("I2", rf"{_AT}\.id'?: string too long"),
    ("I2", rf"\[{_AT}\.id\] \[string_above_max_length\]"),
    ("I3", r"expected an id that contains letters, numbers"),
    ("I4", rf"(missing required parameter: |invalid ){_AT}\.call_id\b"),
    ("I4", rf"\[{_AT}\.call_id\] \[(missing_required_parameter|empty_string|string_above_max_length)\]"),
    ("I5", rf"missing required parameter: {_AT}\.id\b"),
    # keys
    ("F2", rf"unknown parameter: {_AT}\.status\b"),
    ("F5", rf"unknown parameter: {_AT}\.action\.\w"),
    ("F1", rf"unknown parameter: {_AT}\.\w"),
    ("F10", rf"missing required parameter: {_AT}\.output\b"),
    ("F12", rf"missing required parameter: {_AT}\.encrypted_content\b"),
    ("F8", r"expected container_id: |container is expired"),
    # shapes of content
    ("C1", r"supported values are: 'output_text' and 'refusal'"),
    ("C2", r"supported values are: 'assistant', 'system', 'developer', and 'user'"),
    ("C3", r"supported values are: 'input_text', "),
    ("C4", rf"invalid type for {_AT}\.content\b"),
    # tools
    ("T3", r"invalid schema for function '"),
    ("T1", r"'tools\[\w*\]\.name'?: string does not match pattern"),
    ("T2", rf"{_AT}\.name'?: string does not match pattern"),
    ("T4", r"invalid 'tools': array too long"),
    ("T5", rf"invalid type for {_AT}\.arguments\b"),
    ("T6", r"\bunsupported (parameter|value)\b"),
    ("T6", r"\btool '[^']{1,100}' is not supported with\b"),
    ("T6", r"supported values are: 'concise', 'detailed', and 'auto'"),
    # media
    ("M1", r"image data you provided does not represent a valid image"),
    ("M2", r"expected a base64-encoded data url with an image mime type"),
    ("M3", r"unsupported mime type|file type you uploaded is not supported|expected context stuffing file type"),
    ("M3", rf"{_AT}\.(content|output)\[\w*\]\.file_data\b"),
    ("M4", rf"invalid type for {_AT}\.output\b"),
    # sizes, then the rest
    ("L2", r"invalid 'prompt_cache_key': string too long"),
    ("L3", r"invalid 'instructions': string too long"),
    ("L1", rf"{_AT}[\w.\[\]]*'?: string too long"),
    ("L4", r"prompt_cache_breakpoint'? is not supported on this model"),
    ("M5", r"is not supported with the responses api"),
    ("X1", r"(request )?body is not valid json|could not parse the json body"),
)

_TABLE: Final = tuple((rule, re.compile(pattern)) for rule, pattern in _FORMS)

_REPLAY: Final = frozenset({"P1", "P2", "P6", "P7", "P8", "P9", "F3", "F4"})

# Wrong key, no right, too slow, too many: they say nothing about the body, whatever words they come with.
_OTHER_REFUSALS: Final = frozenset({401, 402, 403, 407, 408, 429})

_QUOTES: Final = str.maketrans({**dict.fromkeys('‘’‚“”„"', "'"), **dict.fromkeys("`\\", "")})

_LONGEST: Final = 10_000


def classify_rejection(error: object) -> str | None:
    """The rule id (``P1`` … ``X1``) of the API's refusal, or None when its text is none that is known.

    ``error``: an ``openai.APIStatusError`` or any exception like it, a ``StreamFailedError``, a body
    (``{"error": {"message", "code", "param"}}``, or what stands under ``error``), or the text alone, of which the first
    10,000 characters count. Never raises. Rules that share one text (F1, F6, F7: an unknown key) are told apart as far
    as the text does.
    """
    refusal = _read(error)
    if refusal is None or not refusal.about_the_body:
        return None
    text = refusal.comparable
    return next((rule for rule, pattern in _TABLE if pattern.search(text)), None)


def is_replay_refusal(rule: str | None) -> bool:
    """Whether a rebuild without reasoning, and without the ids bound to it, cures a refusal of this rule."""
    return rule in _REPLAY


@attrs.frozen
class _Refusal:
    status: int | None
    code: str
    param: str
    text: str

    @property
    def about_the_body(self) -> bool:
        return self.status is None or (400 <= self.status < 500 and self.status not in _OTHER_REFUSALS)

    @property
    def comparable(self) -> str:
        """The text with parameter and code behind it, in brackets as some of the API's messages show them."""
        whole = f"{self.text[:_LONGEST]} [{self.param}] [{self.code}]"
        return " ".join(whole.translate(_QUOTES).casefold().split())


def _read(error: object) -> _Refusal | None:
    if isinstance(error, bytes):
        error = error.decode(errors="replace")
    if isinstance(error, str):
        return _read_text(error)
    if not isinstance(error, (Mapping, BaseException)):
        return None
    layers = list(_layers(cast(object, error)))
    texts = [text for layer in layers for text in _texts(layer)]
    if isinstance(error, BaseException):
        texts.append(str(error))
    return _Refusal(
        status=next((status for layer in layers if (status := _status(layer)) is not None), None),
        code=_first(layers, "code"),
        param=_first(layers, "param"),
        text="\n".join(dict.fromkeys(texts)),
    )


def _read_text(text: str) -> _Refusal:
    """A text is either the message or a whole body written as JSON."""
    if text.lstrip().startswith("{"):
        try:
            body = json.loads(text)
        except (ValueError, RecursionError):
            body = None
        if isinstance(body, dict):
            return _read(cast(dict[str, Any], body)) or _Refusal(None, "", "", text)
    return _Refusal(None, "", "", text)


def _layers(error: object) -> Iterator[object]:
    """The error, its body, and what stands under ``error`` in either."""
    yield error
    for inner in (_get(error, "error"), body := _get(error, "body"), _get(body, "error")):
        if isinstance(inner, Mapping):
            yield cast(object, inner)


def _texts(layer: object) -> list[str]:
    found = (_get(layer, key) for key in ("message", "detail", "error"))
    return [text for text in found if isinstance(text, str)]


def _status(layer: object) -> int | None:
    found = (_get(layer, key) for key in ("status_code", "status"))
    return next((number for value in found if (number := as_index(value)) is not None), None)


def _first(layers: list[object], key: str) -> str:
    return next((text for layer in layers if isinstance(text := _get(layer, key), str) and text), "")


def _get(holder: object, key: str) -> object:
    if isinstance(holder, Mapping):
        return cast(Mapping[str, object], holder).get(key)
    try:
        return cast(object, getattr(holder, key, None))
    except Exception:  # noqa: BLE001 a property of a foreign exception may raise anything
        return None
