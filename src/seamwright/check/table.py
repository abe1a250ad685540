"""The table of rules: what the checker runs, where a violation's hint comes from, and the documentation page."""

from __future__ import annotations

from typing import Final

from seamwright.check import conditions
from seamwright.check.fields import (
    CALL_ID_TYPES,
    ID_PREFIX,
    ITEM_KEYS,
    NEEDS_ID,
    OUTPUT_TYPES,
    PART_KEYS,
    PART_OUTPUTS,
    STATUS_TYPES,
    TEXT_KEY,
)
from seamwright.check.models import RESERVED_TOOLS
from seamwright.check.rule import Rule, on_body, on_items, on_parts, on_tools
from seamwright.check.rules import ids, items, media, messages, pairing, request, tools

_TYPED: Final = tuple(ITEM_KEYS)
_WITH_IDLE_ID: Final = tuple(kind for kind in ITEM_KEYS if kind not in ("local_shell_call_output", "item_reference"))
_MAY_LACK_ID: Final = (*sorted(NEEDS_ID), "reasoning", "program_output")
_TEXTS: Final = tuple(TEXT_KEY)
_TEXT_PARTS: Final = ("input_text", "output_text", "refusal")
_EVERYWHERE: Final = ("message", "output", "summary", "screenshot")
_WITH_IMAGES: Final = ("message", "output", "screenshot")

RULES: Final[tuple[Rule, ...]] = (
    Rule(
        id="P1",
        severity="error",
        varies="warning at `compatible`, and where nothing has to be looked up: `store` is false and the item brings"
        " its encrypted part",
        meaning="A reasoning item is followed by the item it led to.",
        api_error="Item 'rs_…' of type 'reasoning' was provided without its required following item.",
        remedy="Send the item the reasoning led to right behind it, with its id; or drop the reasoning item.",
        checks=(on_body(pairing.reasoning_followed),),
    ),
    Rule(
        id="P2",
        severity="error",
        varies="error in the two shapes a body shows (see the message), in a stored request; else warning",
        meaning="An item with an id from the API, whose response had reasoning, travels with that reasoning.",
        api_error="Item 'fc_…' of type 'function_call' was provided without its required 'reasoning' item: 'rs_…'.",
        remedy="Send reasoning, calls and messages of one response in the order they came in, tool outputs after them;"
        " or send the item without id.",
        checks=(on_body(pairing.partner_present),),
    ),
    Rule(
        id="P3",
        severity="error",
        varies="warning when the answer is of another type, or the server holds the call",
        meaning="Every function, custom tool, shell, local shell, computer and apply-patch call has its output in the"
        " input.",
        api_error="No tool output found for function call call_….",
        remedy="Add an output with the call's call_id, a text such as 'aborted' if there is no result; or drop the"
        " call.",
        checks=(
            on_body(pairing.calls_answered),
            on_body(pairing.chained_screenshots),
            on_items(pairing.answer_with_call_id, "function_call_output"),
        ),
    ),
    Rule(
        id="P4",
        severity="error",
        meaning="Every output has its call, somewhere before it.",
        api_error="No tool call found for function call output with call_id ….",
        remedy="Send the call before its output; or drop the output, or send its text as a message.",
        checks=(on_body(pairing.answers_called),),
    ),
    Rule(
        id="P5",
        severity="error",
        varies="warning for items that `conversation` may hold already",
        meaning="No item id stands in the input twice.",
        api_error="Duplicate item found with id …. Remove duplicate items from your input and try again.",
        remedy="Keep the first; send the other without id, or not at all.",
        checks=(on_body(ids.unique_ids), on_body(ids.resent_ids)),
    ),
    Rule(
        id="P6",
        severity="error",
        varies="warning at `compatible`, for an id sent to an endpoint that takes none, and in a stored request for"
        " reasoning with neither id nor encrypted part",
        meaning="With `store: false` nothing is referred to by id: no item_reference, no reasoning without"
        " encrypted_content.",
        api_error="Item with id 'rs_…' not found. Items are not persisted when `store` is set to false. Try again with"
        " `store` set to"
        " true, or remove this item from your input.",
        remedy='Ask for `include: ["reasoning.encrypted_content"]` and send it back; drop what has none.',
        checks=(
            on_items(pairing.reasoning_persisted, "reasoning"),
            on_items(pairing.reference_persisted, "item_reference", ""),
            on_items(pairing.idle_id, *_WITH_IDLE_ID, when=conditions.takes_no_ids),
        ),
    ),
    Rule(
        id="P7",
        severity="warning",
        meaning="An encrypted part looks like one: begins with gAAAA, base64url, no white space.",
        api_error="The encrypted content … could not be verified. Reason: Encrypted content could not be decrypted or"
        " parsed.",
        remedy="Send the part exactly as the finished item had it, to the organisation and endpoint it came from; else"
        " drop the item.",
        checks=(on_items(request.sealed, "reasoning", "compaction"),),
    ),
    Rule(
        id="P8",
        severity="warning",
        meaning="Reasoning items go to reasoning models.",
        api_error="Reasoning input items can only be provided to a reasoning or computer use model. Remove reasoning"
        " items from your input"
        " and try again.",
        remedy="Drop the reasoning items and the ids that depend on them.",
        checks=(on_items(request.reasoning_model, "reasoning", when=conditions.no_reasoning),),
    ),
    Rule(
        id="P9",
        severity="warning",
        meaning='`include: ["reasoning.encrypted_content"]` goes to models that give it.',
        api_error="Encrypted content is not supported with this model.",
        remedy="Leave it out of include.",
        checks=(on_body(request.encrypted_include),),
    ),
    Rule(
        id="P11",
        severity="warning",
        varies="error at `compatible`",
        meaning="No call_id names two calls, or two outputs.",
        api_error="Duplicate function_call_output for call_id …",
        remedy="Give the later call and its output a call_id of their own.",
        checks=(on_body(ids.unique_call_ids),),
    ),
    Rule(
        id="I1",
        severity="error",
        varies="warning at `compatible`",
        meaning="Ids begin as their type wants: message msg, function_call fc, custom_tool_call ctc, reasoning rs.",
        api_error="Invalid 'input[i].id': 'X'. Expected an ID that begins with 'msg'.",
        remedy="Send the id the API gave, or none. Don't make ids.",
        checks=(on_items(ids.id_prefix, *ID_PREFIX),),
    ),
    Rule(
        id="I2",
        severity="error",
        meaning="An item id has at most 64 characters.",
        api_error="Invalid 'input[i].id': string too long. Expected a string with maximum length 64, but got a string"
        " with length N instead.",
        remedy="Leave the id out; keep the rest of the item.",
        checks=(on_items(ids.id_length, *_TYPED, "", "?"),),
    ),
    Rule(
        id="I3",
        severity="error",
        meaning="An item id is not empty and made of letters, digits, _ and -.",
        api_error="Invalid 'input[i].id': ''. Expected an ID that contains letters, numbers, underscores, or dashes,"
        " but this value"
        " contained additional characters.",
        remedy="Leave the key out instead of sending an empty or foreign id.",
        checks=(on_items(ids.id_characters, *_TYPED, "", "?"),),
    ),
    Rule(
        id="I4",
        severity="error",
        varies="warning for other characters than letters, digits, _ and -",
        meaning="call_id is there, with 1 to 64 characters, on calls and their outputs. On tool_search_* it may be"
        " null.",
        api_error="Missing required parameter: 'input[i].call_id'.",
        remedy="Send the call_id the API gave. Shorten a long one by a hash, the same way on both sides.",
        checks=(
            on_items(ids.call_id, *CALL_ID_TYPES),
            on_items(ids.optional_call_id, "tool_search_call", "tool_search_output"),
            on_items(ids.approval_request_id, "mcp_approval_response"),
        ),
    ),
    Rule(
        id="I5",
        severity="error",
        varies="at `azure` and `foundry` for reasoning as well; warning on program_output",
        meaning="Items of hosted calls, references and local shell outputs have their id.",
        api_error="Missing required parameter: 'input[i].id'.",
        remedy="Send the item with the id it came with; without one, leave it out.",
        checks=(on_items(ids.id_present, *_MAY_LACK_ID), on_items(ids.reference_id, "")),
    ),
    Rule(
        id="F1",
        severity="error",
        varies="warning on tools and annotations",
        meaning="Items and parts have only the keys of their type. A key that is null counts.",
        api_error="Unknown parameter: 'input[i].KEY'.",
        remedy="Leave the key out; send a fixed list of keys for each type instead of everything an SDK object has.",
        checks=(
            on_items(items.known_item_keys, *_TYPED),
            on_items(items.reference_keys, ""),
            on_parts(items.known_part_keys, *PART_KEYS, owners=_EVERYWHERE),
            on_parts(items.known_annotation_keys, "output_text", owners=("message",)),
            on_tools(items.known_tool_keys, "function", "custom"),
        ),
    ),
    Rule(
        id="F2",
        severity="error",
        varies="warning for a word that is no published status",
        meaning="status stands on messages of the assistant and on calls, never on reasoning and other messages. Null"
        " counts.",
        api_error="Unknown parameter: 'input[i].status'.",
        remedy="Leave status out.",
        checks=(
            on_items(items.message_status, "message"),
            on_items(items.status_value, *sorted(STATUS_TYPES)),
        ),
    ),
    Rule(
        id="F3",
        severity="error",
        meaning="Reasoning has summary, an array that may be empty.",
        api_error="Missing required parameter: 'input[i].summary'.",
        remedy="Send summary: [].",
        checks=(on_items(items.reasoning_summary, "reasoning"),),
    ),
    Rule(
        id="F4",
        severity="error",
        varies="warning at `compatible`, and for null",
        meaning="The content of reasoning is absent or [].",
        api_error="Invalid 'input[i].content': array too long. Expected an array with maximum length 0, but got an"
        " array with length 1 instead.",
        remedy="Leave content out.",
        checks=(on_items(items.reasoning_content, "reasoning"),),
    ),
    Rule(
        id="F5",
        severity="error",
        varies="warning for an action that is missing or of a type the table does not know",
        meaning="web_search_call.action has a type, and the keys of that type.",
        api_error="Unknown parameter: 'input[i].action.query'.",
        remedy="Leave out what the action's type does not have, null included.",
        checks=(on_items(items.web_search_action, "web_search_call"),),
    ),
    Rule(
        id="F6",
        severity="warning",
        meaning="image_generation_call is sent with id, status and result alone.",
        api_error="Unknown parameter: 'input[i].action'.",
        remedy="Keep type, id, status and result.",
        checks=(on_items(items.image_call_settings, "image_generation_call"),),
    ),
    Rule(
        id="F7",
        severity="warning",
        varies="error at `codex`",
        meaning="computer_call is sent without action where the backend does not know it.",
        api_error="Unknown parameter: 'input[i].action'.",
        remedy="Send the keys of the tool version in use.",
        checks=(on_items(items.computer_action, "computer_call"),),
    ),
    Rule(
        id="F8",
        severity=None,
        meaning="The container of a code_interpreter_call still lives. A body does not show it.",
        api_error="Expected container_id: cntr_…",
        remedy="Send such calls as text once the container may be gone.",
    ),
    Rule(
        id="F9",
        severity=None,
        meaning="phase goes back on the assistant messages that came with it. A body does not show it, and nothing is"
        " refused.",
        remedy="Keep phase.",
    ),
    Rule(
        id="F10",
        severity="error",
        meaning="An output item has output.",
        api_error="Missing required parameter: 'input[i].output'.",
        remedy="Send an empty string when there is nothing to say.",
        checks=(on_items(items.output_present, *OUTPUT_TYPES),),
    ),
    Rule(
        id="F12",
        severity="error",
        meaning="A compaction item has encrypted_content.",
        api_error="Missing required parameter: 'input[i].encrypted_content'.",
        remedy="Send the item as it came, or leave it out with what it stands for.",
        checks=(on_items(items.compaction_content, "compaction"),),
    ),
    Rule(
        id="C1",
        severity="error",
        meaning="Parts of the assistant are output_text and refusal; parts of user, system and developer are input_*.",
        api_error="Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'.",
        remedy="Rename the part type to that of the message's side.",
        checks=(on_parts(messages.part_of_role, *PART_KEYS, "encrypted_content", owners=("message",)),),
    ),
    Rule(
        id="C2",
        severity="error",
        meaning="Roles are user, assistant, system and developer.",
        api_error="Invalid value: 'tool'. Supported values are: 'assistant', 'system', 'developer', and 'user'.",
        remedy="A tool's answer is a function_call_output, not a message.",
        checks=(on_items(messages.role, "message"),),
    ),
    Rule(
        id="C3",
        severity="error",
        varies="warning for an item type the table does not know, unless it is one of a part",
        meaning="Parts are objects of a published type, and image_url is a string.",
        api_error="Invalid value: 'text'. Supported values are: 'input_text', 'input_image', 'input_audio',"
        " 'output_text', 'refusal',"
        " 'input_file', 'computer_screenshot', 'summary_text', and 'encrypted_content'.",
        remedy="Write input_text and input_image instead of text and image_url.",
        checks=(
            on_parts(messages.published_part, "?", owners=_EVERYWHERE),
            on_parts(messages.image_url_string, "input_image", "computer_screenshot", owners=_WITH_IMAGES),
            on_items(messages.item_type, "?"),
        ),
    ),
    Rule(
        id="C4",
        severity="error",
        meaning="content is a string or an array, never null; texts are strings; input is a string or an array of"
        " objects.",
        api_error="Invalid type for 'input[i].content': expected one of an array of objects or string, but got null"
        " instead.",
        remedy="Leave out a message that has nothing to say; join a list of texts.",
        checks=(
            on_body(messages.input_shape),
            on_items(messages.content, "message"),
            on_items(messages.item_shape, "!"),
            on_parts(messages.part_text, *_TEXTS, owners=_EVERYWHERE),
        ),
    ),
    Rule(
        id="C5",
        severity="warning",
        meaning="Content and texts are not empty.",
        remedy="Leave the message or the part out.",
        checks=(
            on_body(messages.empty_input),
            on_items(messages.empty_content, "message"),
            on_parts(messages.empty_text, *_TEXT_PARTS),
        ),
    ),
    Rule(
        id="T1",
        severity="error",
        varies="warning for 65 to 128 characters",
        meaning="Tool names match ^[a-zA-Z0-9_-]{1,64}$ and are unique.",
        api_error="Invalid 'tools[0].name': string does not match pattern. Expected a string that matches the pattern"
        " '^[a-zA-Z0-9_-]+$'.",
        remedy="Replace other characters, and keep a map back to the name.",
        checks=(on_tools(tools.tool_name, "function", "custom"), on_body(tools.unique_tool_names)),
    ),
    Rule(
        id="T2",
        severity="error",
        varies="warning for 65 to 128 characters, and on custom tool calls",
        meaning="The name of a function_call has the form of a tool name.",
        api_error="Invalid 'input[i].name': string does not match pattern. Expected a string that matches the pattern"
        " '^[a-zA-Z0-9_-]+$'.",
        remedy="Clean the name like the tool's; calls are paired by call_id, so a new name does no harm.",
        checks=(on_items(tools.call_name, "function_call"), on_items(tools.custom_call_name, "custom_tool_call")),
    ),
    Rule(
        id="T3",
        severity="error",
        varies="warning when strict is not set (it is the default), and for keywords strict mode does not know",
        meaning="With strict: true every object of the schema is closed and requires all its properties.",
        api_error="Invalid schema for function 'f': In context=(), 'additionalProperties' is required to be supplied"
        " and to be false.",
        remedy="Close the objects and require every property (null for optional ones); or send strict: false.",
        checks=(on_tools(tools.strict_tool, "function"), on_body(tools.strict_format)),
    ),
    Rule(
        id="T4",
        severity="warning",
        varies="error when tools is no array of objects with a type",
        meaning="At most 128 tools; parameters are an object with properties, arrays have items, enums are not empty.",
        api_error="Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with"
        " length N instead.",
        remedy="Send fewer tools, or let the model search them (tool_search).",
        checks=(on_body(tools.tool_list), on_tools(tools.schema_shape, "function")),
    ),
    Rule(
        id="T5",
        severity="error",
        varies="warning for a string that is no JSON",
        meaning="function_call.arguments is a string of JSON; tool_search_call.arguments is an object.",
        api_error="Invalid type for 'input[i].arguments': expected an object, but got a string instead.",
        remedy="Serialise the arguments of a function call, and only those.",
        checks=(on_items(tools.call_arguments, "function_call"), on_items(tools.search_arguments, "tool_search_call")),
    ),
    Rule(
        id="T6",
        severity="warning",
        meaning="Options, tools and media are such as the model takes.",
        api_error="Unsupported parameter: 'top_p' is not supported with this model.",
        remedy="Leave the option out for this model.",
        checks=(
            on_body(request.sampling),
            on_body(request.reasoning_options),
            on_tools(request.tool_kind, *RESERVED_TOOLS),
            on_parts(request.image_model, "input_image", when=conditions.no_images),
            on_parts(request.file_model, "input_file", when=conditions.no_files),
        ),
    ),
    Rule(
        id="T7",
        severity="warning",
        meaning="tools is absent rather than empty. The API takes [], other endpoints do not.",
        remedy="Leave tools out.",
        checks=(on_body(tools.empty_tools),),
    ),
    Rule(
        id="M1",
        severity="error",
        varies="warning for the label image/jpg",
        meaning="Images are jpeg, png, gif or webp, and what their data URL says.",
        api_error="The image data you provided does not represent a valid image. Please check your input and try again"
        " with one of the"
        " supported image formats: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'].",
        remedy="Convert the image, or label it by its leading bytes.",
    ),
    Rule(
        id="M2",
        severity="error",
        meaning="Data URLs are well formed, base64 and not empty; an image has a source.",
        api_error="Invalid 'input[i].content[j].image_url'. Expected a base64-encoded data URL with an image MIME"
        " type, but got an invalid"
        " base64-encoded value.",
        remedy="Write data:TYPE;base64, and plain base64 with its padding, no white space.",
        checks=(on_parts(media.image_source, "input_image", "computer_screenshot", owners=_WITH_IMAGES),),
    ),
    Rule(
        id="M3",
        severity="error",
        varies="warning for a URL that looks like something else",
        meaning="An input_file has a data URL of an accepted type and a filename, or a file_id, or a file_url.",
        api_error="Invalid file data: 'input[i].content[j].file_data'. Expected a base64-encoded data URL with a valid"
        " file MIME type, but"
        " got unsupported MIME type ….",
        remedy="Write data:TYPE;base64,… with an accepted type and a filename; send other files as text.",
        checks=(on_parts(media.file_source, "input_file"),),
    ),
    Rule(
        id="M4",
        severity="error",
        meaning="A tool output is a string or an array of input_text, input_image and input_file.",
        varies="at `compatible` a string only",
        api_error="Invalid type for 'input[i].output': expected one of a string or array of objects, but got an object"
        " instead.",
        remedy="Serialise an object; write parts with their input_ types.",
        checks=(
            on_items(media.tool_output, *PART_OUTPUTS),
            on_items(media.output_object, "computer_call_output"),
            on_items(media.output_string, "local_shell_call_output"),
            on_items(media.output_list, "shell_call_output"),
            on_parts(media.output_part, *PART_KEYS, "?", "encrypted_content", owners=("output",)),
        ),
    ),
    Rule(
        id="M5",
        severity="warning",
        meaning="The model is one the Responses API serves.",
        api_error="The requested model 'gpt-audio' is not supported with the Responses API.",
        remedy="Use the API the model belongs to.",
        checks=(on_body(request.served_model),),
    ),
    Rule(
        id="L1",
        severity="error",
        meaning="A string has at most 10,485,760 characters (image_url 20,971,520; file_data 73,400,320).",
        api_error="Invalid 'input[i].content': string too long. Expected a string with maximum length 10485760, but"
        " got a string with length N"
        " instead.",
        remedy="Cut it, or send it as a file.",
    ),
    Rule(
        id="L2",
        severity="error",
        meaning="prompt_cache_key has at most 64 characters.",
        api_error="Invalid 'prompt_cache_key': string too long. Expected a string with maximum length 64, but got a"
        " string with length N instead.",
        remedy="Send a hash of it.",
        checks=(on_body(request.cache_key),),
    ),
    Rule(
        id="L3",
        severity="error",
        meaning="instructions has at most 1,048,576 characters.",
        api_error="Invalid 'instructions': string too long. Expected a string with maximum length 1048576, but got a"
        " string with length N instead.",
        remedy="Move what is long into a message: that may be ten times longer.",
        checks=(on_body(request.instructions_length),),
    ),
    Rule(
        id="L4",
        severity="warning",
        meaning="prompt_cache_breakpoint goes to models from GPT-5.6 on, as an object.",
        api_error="'input[0].prompt_cache_breakpoint' is not supported on this model.",
        remedy="Leave it out.",
        checks=(
            on_items(request.item_cache_breakpoint, "message"),
            on_parts(request.cache_breakpoint, "input_text", "input_image", "input_file"),
        ),
    ),
    Rule(
        id="X1",
        severity="error",
        meaning="The body is a JSON object in valid UTF-8: no NaN, no Infinity, no lone surrogates.",
        api_error="We could not parse the JSON body of your request.",
        remedy="Give one JSON object. Replace lone surrogates by U+FFFD, and cut texts between characters; write null"
        " for NaN.",
    ),
    Rule(
        id="K1",
        severity="warning",
        meaning="Model and input are there; parameters are published, numbers in their range, include values known;"
        " previous_response_id and conversation exclude each other.",
        api_error="Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got 1"
        " instead.",
        remedy="Set the parameter to a value the API takes, or leave it out.",
        checks=(
            on_body(request.parameters),
            on_body(request.something_to_do),
            on_body(request.numbers),
            on_body(request.words),
            on_body(request.includes),
            on_body(request.one_history),
            on_body(request.tool_choice),
            on_body(request.metadata),
        ),
    ),
)
"""Every rule. X1 and L1 are found while the body is read (``tree.py``), M1 where a data URL is taken apart (M2)."""
