"""The request as a whole, and what its model takes: P7 to P9, T6, L2 to L4, M5, K1."""

from __future__ import annotations

from typing import Any, Final

from seamwright.check.context import Context
from seamwright.check.fields import INCLUDES, MAX_CACHE_KEY, MAX_INSTRUCTIONS, PARAMETERS
from seamwright.check.json_types import Object, is_list, is_object, kind, shown, step

_BASE64URL: Final = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_="
_ENCRYPTED: Final = "reasoning.encrypted_content"
_SUMMARIES: Final = ("auto", "concise", "detailed")
_EFFORTS: Final = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
_RANGES: Final = {
    "temperature": (0, 2),
    "top_p": (0, 1),
    "top_logprobs": (0, 20),
    "max_output_tokens": (16, None),
    "max_tool_calls": (1, None),
}


def sealed(ctx: Context, item: Object) -> None:
    """P7: an encrypted part looks like one. Whether it can be opened only the API knows."""
    value = item.get("encrypted_content")
    if type(value) is str:
        if value and not (
            value.startswith("gAAAA") and value.isascii() and not value.encode().translate(None, _BASE64URL)
        ):
            ctx.on_item("P7", "encrypted_content", f"{shown(value, 24)} does not look like an encrypted part")
    elif value is not None:
        ctx.on_item("P7", "encrypted_content", f"{kind(value)}; an encrypted part is a string")


def reasoning_model(ctx: Context, item: Object) -> None:
    """P8: reasoning items go to reasoning models only."""
    if ctx.can.reasoning is False:
        ctx.on_item("P8", "", f"{shown(ctx.body.get('model'))} takes no reasoning items")


def encrypted_include(ctx: Context) -> None:
    """P9: only reasoning models give encrypted reasoning."""
    include = ctx.body.get("include")
    if ctx.can.encrypted_content is False and is_list(include) and _ENCRYPTED in include:
        ctx.add("P9", "include", f"{shown(ctx.body.get('model'))} gives no encrypted reasoning")


def sampling(ctx: Context) -> None:
    """T6: reasoning models take no sampling options while they reason."""
    if ctx.can.sampling is not False or _effort(ctx) == "none":
        return
    for key in ("top_p", "temperature", "top_logprobs"):
        if ctx.body.get(key) is not None:
            message = f"{shown(ctx.body.get('model'))} takes no {key} while it reasons"
            ctx.add("T6", key, message, hint="Leave it out, or set reasoning.effort to none where the model has that.")


def _reasoning(ctx: Context) -> Object:
    value = ctx.body.get("reasoning")
    return value if is_object(value) else {}


def _effort(ctx: Context) -> object:
    return _reasoning(ctx).get("effort")


def reasoning_options(ctx: Context) -> None:
    """T6: the options of ``reasoning`` are known words, and only reasoning models take them."""
    given = {key: value for key, value in _reasoning(ctx).items() if value is not None}
    for key, words in (("summary", _SUMMARIES), ("generate_summary", _SUMMARIES), ("effort", _EFFORTS)):
        if key in given and given[key] not in words:
            ctx.add("T6", f"reasoning.{key}", f"{shown(given[key])}; known: {', '.join(words)}")
    if ctx.can.efforts and given.get("effort") in _EFFORTS and given["effort"] not in ctx.can.efforts:
        ctx.add("T6", "reasoning.effort", f"{shown(given['effort'])}; this model knows {', '.join(ctx.can.efforts)}")
    if given and ctx.can.reasoning is False:
        ctx.add("T6", "reasoning", f"{shown(ctx.body.get('model'))} takes no reasoning options")


def tool_kind(ctx: Context, tool: Object) -> None:
    """T6: hosted tools that belong to certain models."""
    if tool["type"] in ctx.can.refused_tools:
        message = f"{tool['type']} is not supported with {shown(ctx.body.get('model'))}"
        ctx.add(
            "T6", f"{ctx.tool_path}.type", message, hint="Use a tool this model has, or a model that has this tool."
        )


def image_model(ctx: Context, part: Object) -> None:
    """T6: the model reads images."""
    if ctx.can.images is False:
        ctx.on_part("T6", "", f"{shown(ctx.body.get('model'))} reads no images")


def file_model(ctx: Context, part: Object) -> None:
    """T6: the model reads files."""
    if ctx.can.files is False:
        ctx.on_part("T6", "", f"{shown(ctx.body.get('model'))} reads no files")


def cache_breakpoint(ctx: Context, part: Object) -> None:
    """L4: cache breakpoints on a part go to models that know them."""
    if part.get("prompt_cache_breakpoint") is not None:
        if ctx.can.cache_breakpoints is False:
            ctx.on_part("L4", "prompt_cache_breakpoint", f"{shown(ctx.body.get('model'))} knows no cache breakpoints")
        elif not is_object(part["prompt_cache_breakpoint"]):
            ctx.on_part("L4", "prompt_cache_breakpoint", "an object with mode, not a flag")


def item_cache_breakpoint(ctx: Context, item: Object) -> None:
    """L4: cache breakpoints on a message go to models that know them."""
    if item.get("prompt_cache_breakpoint") is not None and ctx.can.cache_breakpoints is False:
        ctx.on_item("L4", "prompt_cache_breakpoint", f"{shown(ctx.body.get('model'))} knows no cache breakpoints")


def served_model(ctx: Context) -> None:
    """M5: the model is served by the Responses API."""
    if ctx.can.served is False:
        ctx.add("M5", "model", f"{shown(ctx.body.get('model'))} is not served by the Responses API")


def cache_key(ctx: Context) -> None:
    """L2: ``prompt_cache_key`` has at most 64 characters."""
    value = ctx.body.get("prompt_cache_key")
    if type(value) is str and len(value) > MAX_CACHE_KEY:
        ctx.add("L2", "prompt_cache_key", f"{len(value)} characters; at most {MAX_CACHE_KEY}")


def instructions_length(ctx: Context) -> None:
    """L3: ``instructions`` has at most 1,048,576 characters."""
    value = ctx.body.get("instructions")
    if type(value) is str and len(value) > MAX_INSTRUCTIONS:
        ctx.add("L3", "instructions", f"{len(value)} characters; at most {MAX_INSTRUCTIONS}")


def parameters(ctx: Context) -> None:
    """K1: only published parameters; other vendors have more."""
    for key in ctx.body.keys() - PARAMETERS:
        ctx.add("K1", step(key).removeprefix("."), f"{shown(key)} is no published parameter")


def numbers(ctx: Context) -> None:
    """K1: numbers lie in the range the API takes."""
    for key, (low, high) in _RANGES.items():
        value = ctx.body.get(key)
        if value is None:
            continue
        if type(value) not in (int, float):
            ctx.add("K1", key, f"{kind(value)}; expected a number")
        elif value < low or (high is not None and value > high):
            ctx.add("K1", key, f"{shown(value)}; expected {low} {'or more' if high is None else f'to {high}'}")


def words(ctx: Context) -> None:
    """K1: ``model``, ``instructions``, ``prompt_cache_key``, ``previous_response_id`` are strings, ``store`` and
    ``stream`` flags.
    """
    for key in ("model", "instructions", "prompt_cache_key", "previous_response_id", "safety_identifier"):
        value = ctx.body.get(key)
        if value is not None and type(value) is not str:
            ctx.add("K1", key, f"{kind(value)}; expected a string")
    for key in ("store", "stream", "background", "parallel_tool_calls"):
        value = ctx.body.get(key)
        if value is not None and type(value) is not bool:
            ctx.add("K1", key, f"{kind(value)}; expected true or false")
    if type(ctx.body.get("safety_identifier")) is str and len(ctx.body["safety_identifier"]) > MAX_CACHE_KEY:
        ctx.add("K1", "safety_identifier", f"more than {MAX_CACHE_KEY} characters")


def something_to_do(ctx: Context) -> None:
    """K1: a request names a model and says something, or stands on a prompt, a response or a conversation."""
    if not any(ctx.body.get(key) for key in ("model", "prompt")):
        ctx.add("K1", "model", "missing", hint="Name a model.")
    if "input" not in ctx.body and not (ctx.chained or ctx.body.get("prompt")):
        ctx.add("K1", "input", "missing", hint="Send at least one item, or a prompt.")


def includes(ctx: Context) -> None:
    """K1: ``include`` asks for known things."""
    value = ctx.body.get("include")
    if value is None:
        return
    if not is_list(value):
        ctx.add("K1", "include", f"{kind(value)}; expected an array")
        return
    for index, name in enumerate(value):
        if type(name) is not str or name not in INCLUDES:
            ctx.add("K1", f"include[{index}]", f"{shown(name)} is nothing that can be included")


def one_history(ctx: Context) -> None:
    """K1: a request continues a response or a conversation, not both."""
    if ctx.body.get("previous_response_id") and ctx.body.get("conversation"):
        ctx.add("K1", "previous_response_id", "not together with conversation")


def tool_choice(ctx: Context) -> None:
    """K1: a tool that is asked for by name is among the tools."""
    choice, tools = ctx.body.get("tool_choice"), ctx.body.get("tools")
    if (
        not is_object(choice)
        or choice.get("type") not in ("function", "custom")
        or not (tools is None or is_list(tools))
    ):
        return
    declared = [tool.get("name") for tool in tools or [] if is_object(tool) and tool.get("type") == choice["type"]]
    if choice.get("name") not in declared and not _searchable(tools):
        ctx.add("K1", "tool_choice", f"{shown(choice.get('name'))} is not among the tools")


def _searchable(tools: list[Any] | None) -> bool:
    """Whether a tool may stand elsewhere: in a namespace, or behind a search."""
    return any(is_object(tool) and tool.get("type") in ("namespace", "tool_search") for tool in tools or [])


def metadata(ctx: Context) -> None:
    """K1: at most 16 pairs, keys of 64 and values of 512 characters."""
    value: Any = ctx.body.get("metadata")
    if value is None:
        return
    if not is_object(value):
        ctx.add("K1", "metadata", f"{kind(value)}; expected an object")
        return
    if len(value) > 16:
        ctx.add("K1", "metadata", f"{len(value)} pairs; at most 16")
    for key, text in value.items():
        if len(key) > 64 or type(text) is not str or len(text) > 512:
            ctx.add("K1", f"metadata{step(key)}", "a key has at most 64 characters, a value is a string of at most 512")
