"""The API's refusals, rule by rule: status, code, parameter and text as public bug reports quote them."""

from __future__ import annotations

from typing import Any, Final

import attrs

from seamwright.errors import nearest


@attrs.frozen
class Refusal:
    """An answer that refuses a request: HTTP status and JSON body (``{"error": {message, type, param, code}}``)."""

    status: int
    body: dict[str, Any]


@attrs.frozen
class _Form:
    """``message`` and ``param`` are filled with the fields of :func:`refusal`.

    ``path`` is what the fault is at by default.
    """

    message: str
    code: str | None = None
    path: str = "input"
    status: int = 400
    param: str | None = "{path}"


_DEFAULTS: Final = {
    "item_id": "rs_0123456789abcdef",
    "item_type": "function_call",
    "partner_id": "rs_0123456789abcdef",
    "call_id": "call_0123456789abcdef",
    "value": "X",
}

_TOO_LONG: Final = (
    "Invalid '{path}': string too long. Expected a string with maximum length {limit}, but got a string with length"
    " {length} instead."
)
_MISSING: Final = "Missing required parameter: '{path}'."
_UNKNOWN: Final = "Unknown parameter: '{path}'."


def _too_long(path: str, limit: int) -> _Form:
    text = _TOO_LONG.replace("{limit}", str(limit)).replace("{length}", str(limit + 1))
    return _Form(text, "string_above_max_length", path)


def _missing(path: str) -> _Form:
    return _Form(_MISSING, "missing_required_parameter", path)


def _unknown(path: str) -> _Form:
    return _Form(_UNKNOWN, "unknown_parameter", path)


def _invalid(message: str, path: str, code: str = "invalid_value") -> _Form:
    return _Form(message, code, path)


_FORMS: Final[dict[str, _Form]] = {
    "P1": _Form(
        "Item '{item_id}' of type 'reasoning' was provided without its required following item.", param="input"
    ),
    "P2": _Form(
        "Item '{item_id}' of type '{item_type}' was provided without its required 'reasoning' item: '{partner_id}'.",
        param="input",
    ),
    "P3": _Form("No tool output found for function call {call_id}.", param="input"),
    "P4": _Form("No tool call found for function call output with call_id {call_id}.", param="input"),
    "P5": _Form(
        "Duplicate item found with id {item_id}. Remove duplicate items from your input and try again.", param="input"
    ),
    "P6": _Form(
        "Item with id '{item_id}' not found. Items are not persisted when `store` is set to false. Try again with"
        " `store` set to true, or remove this item from your input.",
        status=404,
        param="input",
    ),
    "P7": _Form(
        "The encrypted content gAAA... could not be verified. Reason: Encrypted content could not be"
        " decrypted or parsed.",
        "invalid_encrypted_content",
        param=None,
    ),
    "P8": _Form(
        "Reasoning input items can only be provided to a reasoning or computer use model. Remove reasoning items from"
        " your input and try again.",
        param="input",
    ),
    "P9": _Form("Encrypted content is not supported with this model.", path="include", param="include"),
    "P11": _Form("Duplicate function_call_output for call_id {call_id}", param="input"),
    "I1": _invalid(
        "Invalid '{path}': '{value}'. Expected an ID that begins with 'msg'.", "input[0].id", "invalid_id_prefix"
    ),
    "I2": _too_long("input[0].id", 64),
    "I3": _invalid(
        "Invalid '{path}': '{value}'. Expected an ID that contains letters, numbers, underscores, or dashes, but this"
        " value contained additional characters.",
        "input[0].id",
    ),
    "I4": _missing("input[0].call_id"),
    "I5": _missing("input[0].id"),
    "F1": _unknown("input[0].parsed_arguments"),
    "F2": _unknown("input[0].status"),
    "F3": _missing("input[0].summary"),
    "F4": _invalid(
        "Invalid '{path}': array too long. Expected an array with maximum length 0, but got an array with"
        " length 1 instead.",
        "input[0].content",
        "array_above_max_length",
    ),
    "F5": _unknown("input[0].action.query"),
    "F6": _unknown("input[0].action"),
    "F7": _unknown("input[0].action"),
    "F10": _missing("input[0].output"),
    "F12": _missing("input[0].encrypted_content"),
    "C1": _invalid(
        "Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'.", "input[0].content[0]"
    ),
    "C2": _invalid(
        "Invalid value: '{value}'. Supported values are: 'assistant', 'system', 'developer', and 'user'.",
        "input[0].role",
    ),
    "C3": _invalid(
        "Invalid value: '{value}'. Supported values are: 'input_text', 'input_image', 'input_audio', 'output_text',"
        " 'refusal', 'input_file', 'computer_screenshot', 'summary_text', and 'encrypted_content'.",
        "input[0].content[0]",
    ),
    "C4": _invalid(
        "Invalid type for '{path}': expected one of an array of objects or string, but got null instead.",
        "input[0].content",
        "invalid_type",
    ),
    "T1": _invalid(
        "Invalid '{path}': string does not match pattern. Expected a string that matches the pattern"
        " '^[a-zA-Z0-9_-]+$'.",
        "tools[0].name",
    ),
    "T2": _invalid(
        "Invalid '{path}': string does not match pattern. Expected a string that matches the pattern"
        " '^[a-zA-Z0-9_-]+$'.",
        "input[0].name",
    ),
    "T3": _invalid(
        "Invalid schema for function '{value}': In context=(), 'additionalProperties' is required to be supplied and to"
        " be false.",
        "tools[0].parameters",
        "invalid_function_parameters",
    ),
    "T4": _invalid(
        "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with"
        " length 129 instead.",
        "tools",
        "array_above_max_length",
    ),
    "T5": _invalid(
        "Invalid type for '{path}': expected a string, but got an object instead.", "input[0].arguments", "invalid_type"
    ),
    "M1": _invalid(
        "The image data you provided does not represent a valid image. Please check your input and try again"
        " with one of"
        " the supported image formats: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'].",
        "input",
    ),
    "M2": _invalid(
        "Invalid '{path}'. Expected a base64-encoded data URL with an image MIME type, but got an invalid"
        " base64-encoded"
        " value.",
        "input[0].content[0].image_url",
    ),
    "M3": _invalid(
        "Invalid file data: '{path}'. Expected a base64-encoded data URL with a valid file MIME type (e.g."
        " 'data:text/plain;base64,SGVsbG8sIFdvcmxkIQ=='), but got unsupported MIME type '{value}'.",
        "input[0].content[0].file_data",
    ),
    "M4": _invalid(
        "Invalid type for '{path}': expected one of a string or array of objects, but got an object instead.",
        "input[0].output",
        "invalid_type",
    ),
    "L1": _too_long("input[0].content", 10_485_760),
    "L2": _too_long("prompt_cache_key", 64),
    "L3": _too_long("instructions", 1_048_576),
    "L4": _Form("'{path}' is not supported on this model.", None, "input[0].prompt_cache_breakpoint"),
    "M5": _Form("The requested model '{value}' is not supported with the Responses API.", None, "model"),
    "X1": _Form("The request body is not valid JSON.", param=None),
}

RULES: Final = tuple(_FORMS)
"""The rules whose refusal :func:`refusal` can make."""


def refusal(rule: str, *, path: str | None = None, **fields: str) -> Refusal:
    """The API's answer to a request that breaks ``rule``.

    ``path``: where (``input[3].id``). ``fields``: ``item_id``, ``item_type``, ``partner_id``, ``call_id`` and ``value``
    where the rule's text names them. Raises ``ValueError`` for a rule whose text is not known.
    """
    form = _FORMS.get(rule)
    if form is None:
        raise ValueError(f"no text of the API is known for rule {rule!r}{nearest(rule, RULES)}")
    given = {**_DEFAULTS, "path": path or form.path, **fields}
    param = None if form.param is None else form.param.format_map(given)
    return refusal_of(form.message.format_map(given), code=form.code, param=param, status=form.status)


def refusal_of(message: str, *, code: str | None = None, param: str | None = None, status: int = 400) -> Refusal:
    """A refusal with a text of one's own, in the API's form."""
    error = {"message": message, "type": "invalid_request_error", "param": param, "code": code}
    return Refusal(status, {"error": error})
