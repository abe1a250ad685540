"""What the published contract says about items, parts and parameters, as data.

Item keys: the provider-item table of the builder's exact forms, plus what accepted traffic carries. Where the vendor's
schema lists a key that the API answers with *Unknown parameter* (``status`` on reasoning and on user messages), it is
left out.
"""

from __future__ import annotations

from typing import Final

ROLES: Final = ("user", "assistant", "system", "developer")


def _keys(names: str) -> frozenset[str]:
    return frozenset(names.split()) | {"type"}


ITEM_KEYS: Final[dict[str, frozenset[str]]] = {
    # `prompt_cache_breakpoint`: the API's text for older models names it as a parameter of the item, so it knows it.
    "message": _keys("role content id status phase prompt_cache_breakpoint"),
    "reasoning": _keys("id summary content encrypted_content"),
    "function_call": _keys("arguments call_id name async id caller namespace status"),
    "function_call_output": _keys("output id call_id caller name namespace status"),
    # `status`: accepted traffic carries it although the types do not list it.
    "custom_tool_call": _keys("call_id input name async id caller namespace status"),
    "custom_tool_call_output": _keys("call_id output id caller"),
    "web_search_call": _keys("id action status"),
    "file_search_call": _keys("id queries status results"),
    "computer_call": _keys("id call_id pending_safety_checks status action actions"),
    "computer_call_output": _keys("call_id output id acknowledged_safety_checks status"),
    "image_generation_call": _keys(
        "id result status action background error output_format quality revised_prompt size svg_usage"
    ),
    "code_interpreter_call": _keys("id code container_id outputs status"),
    "local_shell_call": _keys("id action call_id status"),
    "local_shell_call_output": _keys("id output status"),
    "shell_call": _keys("action call_id id caller environment status"),
    "shell_call_output": _keys("call_id output id caller max_output_length status"),
    "apply_patch_call": _keys("call_id operation status id caller"),
    "apply_patch_call_output": _keys("call_id status id caller output"),
    "mcp_list_tools": _keys("id server_label tools error"),
    "mcp_approval_request": _keys("id arguments name server_label"),
    "mcp_approval_response": _keys("approval_request_id approve id reason"),
    "mcp_call": _keys("id arguments name server_label approval_request_id error output status"),
    "tool_search_call": _keys("arguments id call_id execution status"),
    "tool_search_output": _keys("tools id call_id execution status"),
    "additional_tools": _keys("role tools id"),
    "configuration_update": _keys("id reasoning text"),
    "compaction": _keys("encrypted_content id"),
    "compaction_trigger": _keys("id"),
    "item_reference": _keys("id"),
    "program": _keys("id call_id code fingerprint"),
    "program_output": _keys("id call_id result status"),
}
"""Keys the API knows on each item type, ``type`` among them."""

PART_KEYS: Final[dict[str, frozenset[str]]] = {
    "input_text": _keys("text prompt_cache_breakpoint"),
    "input_image": _keys("detail file_id image_url prompt_cache_breakpoint"),
    "input_file": _keys("detail file_data file_id file_url filename prompt_cache_breakpoint"),
    "input_audio": _keys("input_audio"),
    "output_text": _keys("text annotations logprobs"),
    "refusal": _keys("refusal"),
    "summary_text": _keys("text"),
    "reasoning_text": _keys("text"),
    "computer_screenshot": _keys("file_id image_url detail"),
}
"""Keys the API knows on each content part."""

TEXT_KEY: Final = {
    "input_text": "text",
    "output_text": "text",
    "summary_text": "text",
    "reasoning_text": "text",
    "refusal": "refusal",
}
"""Where the text of a part stands."""

PUBLISHED_PARTS: Final = frozenset(PART_KEYS) | {"encrypted_content"}
"""The part types the API names in its own error text, and ``reasoning_text``."""

NO_ITEMS: Final = PUBLISHED_PARTS | frozenset(
    {"text", "image_url", "image", "file", "document", "thinking", "tool_use", "tool_result", "tool_call", "function"}
)
"""Types of parts, and of other APIs, that are often put in the place of an item."""

AGENT_PARTS: Final = frozenset({"output_text", "refusal"})
INPUT_PARTS: Final = frozenset({"input_text", "input_image", "input_file", "input_audio"})
OUTPUT_PARTS: Final = frozenset({"input_text", "input_image", "input_file"})
"""Part types a tool output may hold."""

STATUS_TYPES: Final = frozenset(name for name, keys in ITEM_KEYS.items() if "status" in keys)
"""Item types that have a ``status``; on messages only those of the assistant."""

STATUSES: Final = frozenset(
    {"in_progress", "completed", "incomplete", "searching", "interpreting", "generating", "calling", "failed"}
)

NEEDS_ID: Final = frozenset(
    {
        "web_search_call",
        "file_search_call",
        "computer_call",
        "image_generation_call",
        "code_interpreter_call",
        "local_shell_call",
        "mcp_list_tools",
        "mcp_approval_request",
        "mcp_call",
        "program",
        "item_reference",
        # its `id` names the call it answers
        "local_shell_call_output",
    }
)
"""Item types the API refuses without ``id``."""

ID_PREFIX: Final = {"message": "msg", "function_call": "fc", "custom_tool_call": "ctc", "reasoning": "rs"}
"""Item types whose id the API checks for a prefix; those of hosted calls are not checked."""

CALL_ID_TYPES: Final = (
    "function_call",
    "function_call_output",
    "custom_tool_call",
    "custom_tool_call_output",
    "computer_call",
    "computer_call_output",
    "shell_call",
    "shell_call_output",
    "apply_patch_call",
    "apply_patch_call_output",
    "local_shell_call",
)
"""Item types that must have a ``call_id``; on ``tool_search_*`` null is legal."""

ANSWER_OF: Final = {
    "function_call": "function_call_output",
    "custom_tool_call": "custom_tool_call_output",
    "computer_call": "computer_call_output",
    "shell_call": "shell_call_output",
    "apply_patch_call": "apply_patch_call_output",
    "local_shell_call": "local_shell_call_output",
}
"""Calls that the API wants answered in the input, with the type of the answer."""

PART_OUTPUTS: Final = ("function_call_output", "custom_tool_call_output")
"""Answers whose ``output`` is a string or a list of parts."""

OUTPUT_TYPES: Final = (*PART_OUTPUTS, "computer_call_output", "shell_call_output", "local_shell_call_output")
"""Answers that must have ``output``."""

ACTION_KEYS: Final = {
    "search": _keys("queries query sources"),
    "open_page": _keys("url"),
    "find_in_page": _keys("pattern url"),
    "find": _keys("pattern url"),
}
"""Keys of ``web_search_call.action`` by its type (``find`` is the name ``find_in_page`` had in 2025)."""

ANNOTATION_KEYS: Final = {
    "file_citation": _keys("file_id filename index"),
    "url_citation": _keys("end_index start_index title url"),
    "container_file_citation": _keys("container_id end_index file_id filename start_index"),
    "file_path": _keys("file_id index"),
}
"""Keys of the annotations of an ``output_text``, by type."""

IMAGE_CALL_SETTINGS: Final = ITEM_KEYS["image_generation_call"] - {"type", "id", "result", "status"}
"""Keys of ``image_generation_call`` that some backends answer with *Unknown parameter*."""

INCLUDES: Final = frozenset(
    {
        "file_search_call.results",
        "web_search_call.results",
        "web_search_call.action.sources",
        "message.input_image.image_url",
        "computer_call_output.output.image_url",
        "code_interpreter_call.outputs",
        "reasoning.encrypted_content",
        "message.output_text.logprobs",
    }
)

PARAMETERS: Final = frozenset(
    (
        "access_programs background background_options context_management conversation image include input instructions"
        " max_output_tokens max_tool_calls metadata model moderation parallel_tool_calls previous_response_id prompt"
        " prompt_cache_key prompt_cache_options prompt_cache_retention reasoning safety_identifier service_tier store"
        " stream stream_options temperature text tool_choice tools top_logprobs top_p truncation user"
    ).split()
)
"""Keys of the request body."""

TOOL_KEYS: Final = {
    "function": _keys("name parameters strict description async allowed_callers defer_loading output_schema"),
    "custom": _keys("name description format async allowed_callers defer_loading"),
}

MAX_STRING: Final = 10_485_760
MAX_INSTRUCTIONS: Final = 1_048_576
MAX_STRING_BY_KEY: Final = {"image_url": 20_971_520, "file_data": 73_400_320}
"""Characters a string may have, by the key it stands under."""
MAX_ID: Final = 64
MAX_CACHE_KEY: Final = 64
MAX_TOOLS: Final = 128
