"""A log of Chat Completions messages becomes a state."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import attrs

from seamwright.errors import Fault, InvalidStateError, nearest
from seamwright.history.parts import Parts, read_parts
from seamwright.ingest.plain import try_mapping
from seamwright.model.faults import fault, join
from seamwright.model.guards import is_array, is_mapping
from seamwright.model.identity import Identity
from seamwright.model.message import Message
from seamwright.model.origin import ResponseOrigin
from seamwright.model.spelling import shown
from seamwright.model.state import AgentState
from seamwright.model.thought import Thought
from seamwright.model.tool_call import ToolCall

Object = Mapping[str, Any]

UNKNOWN_TOOL: Final = "unknown_tool"
"""The tool of a result whose call the log no longer has."""


def history_from_chat_completions(
    messages: Iterable[Any], *, self_identity: str = "assistant", started_at: datetime | None = None
) -> AgentState:
    """A state from chat messages (mappings or objects of the SDK).

    Texts of ``system`` become the system prompt and those of ``developer`` standing instructions, wherever they stood.
    ``name`` is a participant's identity; an assistant of another name than ``self_identity`` is a peer. Tool calls, the
    older ``function_call`` and calls of custom tools (with their input as argument ``input``) become tool calls, with
    the answer that was found for them. A result without call gets a call without arguments, so that it still stands in
    an untrusted envelope. ``reasoning_content`` becomes a thought, sound of the assistant its transcript. The text
    parts of a message are joined by a line break and stand before its media.

    The first message is at ``started_at``, each next a millisecond later (default: so that the last one is now).
    Raises :class:`InvalidStateError` with every message and part that has no form in a state (``[2].content[0].type``).
    """
    given = [try_mapping(message) for message in messages]
    first = started_at or datetime.now(UTC) - timedelta(milliseconds=len(given))
    reader = _Reader(first, self_identity)
    for index, message in enumerate(given):
        reader.read(message, index)
    if reader.faults:
        raise InvalidStateError(reader.faults)
    return AgentState(
        system_prompt="\n\n".join(reader.prompts),
        standing_instructions=reader.instructions,
        messages=reader.messages,
        thoughts=reader.thoughts,
        tool_calls=reader.calls,
    )


class _Reader:
    """Reads messages from left to right; what can't be read is noted with its path."""

    def __init__(self, first: datetime, self_identity: str) -> None:
        self.first = first
        self.self_identity = self_identity
        self.faults: list[Fault] = []
        self.prompts: list[str] = []
        self.instructions: list[str] = []
        self.messages: list[Message] = []
        self.thoughts: list[Thought] = []
        self.calls: list[ToolCall] = []
        self.waiting: dict[str, int] = {}
        self.roles: dict[str, Callable[[Object, int], None]] = {
            "system": lambda message, _: self.prompts.extend(_instruction(message)),
            "developer": lambda message, _: self.instructions.extend(_instruction(message)),
            "user": self.user,
            "assistant": self.assistant,
            "tool": self.tool,
            "function": self.function,
        }

    def read(self, message: Object | None, index: int) -> None:
        try:
            if message is None:
                raise fault("is no message: a mapping or an object of the SDK is")
            role = message.get("role")
            if not isinstance(role, str) or role not in self.roles:
                hint = nearest(str(role), self.roles)
                raise fault(f"{shown(role)} is not one of {', '.join(map(repr, self.roles))}{hint}", "role")
            self.roles[role](message, index)
        except InvalidStateError as error:
            self.faults += [Fault(join(f"[{index}]", one.path), one.problem) for one in error.faults]

    def at(self, index: int) -> datetime:
        return self.first + timedelta(milliseconds=index)

    def user(self, message: Object, index: int) -> None:
        parts = _parts(message.get("content"), f"chat-{index}")
        self.say(message, index, parts, identity=_name(message) or "user")

    def say(self, message: Object, index: int, parts: Parts, identity: str, **fields: Any) -> None:
        """Adds a message, unless there is nothing in it."""
        if not (parts.text or parts.media or fields.get("refusal")):
            return
        self.messages.append(
            Message(
                id=_text(message, "id") or f"chat-{index}",
                role="user" if message["role"] == "user" else "assistant",
                content=parts.text or None,
                attachments=parts.media,
                created_at=self.at(index),
                identity=Identity(identifier=identity, representation=identity),
                **fields,
            )
        )

    def assistant(self, message: Object, index: int) -> None:
        spoken = _spoken(message, index)
        calls = _calls(message, index)
        if thought := _text(message, "reasoning_content"):
            self.think(thought, index)
        self.say(
            message,
            index,
            spoken,
            identity=_name(message) or self.self_identity,
            refusal=_refusal(message),
            origin=_origin(index, 1),
        )
        for place, call in enumerate(calls, start=2):
            self.call(call, self.at(index), _origin(index, place))

    def think(self, text: str, index: int) -> None:
        identity = Identity(identifier=self.self_identity, representation=self.self_identity)
        self.thoughts.append(
            Thought(
                id=f"chat-{index}-thought",
                content=text,
                created_at=self.at(index),
                identity=identity,
                origin=_origin(index, 0),
            )
        )

    def call(self, call: _Call, created_at: datetime, origin: ResponseOrigin | None) -> None:
        self.waiting[call.id] = len(self.calls)
        args: Any = call.arguments or "{}"
        self.calls.append(ToolCall(id=call.id, tool=call.name, args=args, created_at=created_at, origin=origin))

    def tool(self, message: Object, index: int) -> None:
        call_id = _needed(message, "tool_call_id")
        self.answer(call_id, _text(message, "name") or UNKNOWN_TOOL, message, index)

    def function(self, message: Object, index: int) -> None:
        """The older form names the function; its answer is that of the last call of it."""
        name = _needed(message, "name")
        open_calls = [key for key, place in self.waiting.items() if self.calls[place].tool == name]
        self.answer(open_calls[-1] if open_calls else f"chat-{index}", name, message, index)

    def answer(self, call_id: str, name: str, message: Object, index: int) -> None:
        parts = _parts(message.get("content"), f"chat-{index}")
        if call_id not in self.waiting:
            self.call(_Call(call_id, name, None), self.at(index), None)
        place = self.waiting.pop(call_id)
        self.calls[place] = self.calls[place].complete(parts.all_as_media() if parts.media else parts.text)


@attrs.frozen
class _Call:
    id: str
    name: str
    arguments: Any


def _origin(index: int, place: int) -> ResponseOrigin:
    """What one message holds came out of one response: its calls stand together, their outputs behind them."""
    return ResponseOrigin(response_id=f"chat-{index}", output_index=place, model="")


def _text(message: Object, key: str) -> str | None:
    """The text under a key, None when there is none. Raises for anything but a text or null."""
    value = message.get(key)
    if value is not None and not isinstance(value, str):
        raise fault(f"{shown(value)} is not a string", key)
    return value or None


def _needed(message: Object, key: str) -> str:
    value = _text(message, key)
    if value is None:
        raise fault("is missing", key)
    return value


def _name(message: Object) -> str | None:
    return _text(message, "name")


def _instruction(message: Object) -> list[str]:
    parts = _parts(message.get("content"), "")
    if parts.media:
        raise fault("instructions are text", "content")
    return [parts.text] if parts.text else []


def _refusal(message: Object) -> str | None:
    content = message.get("content")
    texts = [part["refusal"] for part in content if _is_refusal(part)] if is_array(content) else []
    own = _text(message, "refusal")
    return "\n".join([own, *texts] if own else texts) or None


def _is_refusal(part: Any) -> bool:
    return is_mapping(part) and part.get("type") == "refusal" and isinstance(part.get("refusal"), str)


def _spoken(message: Object, index: int) -> Parts:
    """What the assistant said: its text, or the transcript of its sound."""
    content = message.get("content")
    said = [part for part in content if not _is_refusal(part)] if is_array(content) else content
    parts = _parts(said, f"chat-{index}")
    audio = message.get("audio")
    if audio is None or parts.text:
        return parts
    transcript = audio.get("transcript") if is_mapping(audio) else None
    if not isinstance(transcript, str) or not transcript:
        raise fault("sound of the assistant is kept as its transcript, and there is none", "audio.transcript")
    return attrs.evolve(parts, text=transcript)


def _calls(message: Object, index: int) -> list[_Call]:
    calls: list[_Call] = []
    given = message.get("tool_calls")
    if given is not None and not is_array(given):
        raise fault(f"{shown(given)} is not a list", "tool_calls")
    for place, call in enumerate(given or ()):
        try:
            calls.append(_call(call))
        except InvalidStateError as error:
            raise InvalidStateError(
                [Fault(join(f"tool_calls[{place}]", f.path), f.problem) for f in error.faults]
            ) from None
    older = message.get("function_call")
    if older is not None:
        calls.append(_named_call(f"chat-{index}-call", older, "function_call", "arguments"))
    return calls


def _call(call: Any) -> _Call:
    if not is_mapping(call):
        raise fault(f"{shown(call)} is not an object")
    kind = call.get("type") or "function"
    match kind:
        case "function":
            return _named_call(_needed(call, "id"), call.get("function"), "function", "arguments")
        case "custom":
            made = _named_call(_needed(call, "id"), call.get("custom"), "custom", "input")
            return attrs.evolve(made, arguments={"input": made.arguments or ""})
        case _:
            raise fault(f"{shown(kind)} is not one of 'function', 'custom'", "type")


def _named_call(call_id: str, body: Any, path: str, key: str) -> _Call:
    if not is_mapping(body):
        raise fault(f"{shown(body)} is not an object", path)
    arguments = body.get(key)
    try:
        name = _needed(body, "name")
        if not (key == "arguments" and is_mapping(arguments)):  # some servers give them decoded
            arguments = _text(body, key)
    except InvalidStateError as error:
        raise InvalidStateError([Fault(join(path, one.path), one.problem) for one in error.faults]) from None
    return _Call(call_id, name, arguments)


def _parts(content: Any, name: str) -> Parts:
    """The text and media of a content. Raises for a part that has no form here."""
    if content is None:
        return Parts(text="")
    if not isinstance(content, str) and not is_array(content):
        raise fault(f"{shown(content)} is not a string or a list of parts", "content")
    if isinstance(content, str):
        return Parts(text=content)
    faults: list[Fault] = []
    parts = [_part(part, f"content[{place}]", f"{name}-{place}", faults) for place, part in enumerate(content)]
    if faults:
        raise InvalidStateError(faults)
    return read_parts(parts, name)


def _part(part: Any, path: str, name: str, faults: list[Fault]) -> Any:
    """A chat part as the part of a response's input that says the same."""
    if not is_mapping(part):
        faults.append(Fault(path, f"{shown(part)} is not an object"))
        return None
    kind = part.get("type")
    made = _AS_INPUT[kind](part) if isinstance(kind, str) and kind in _AS_INPUT else None
    if made is None:
        hint = nearest(str(kind), _AS_INPUT)
        faults.append(Fault(f"{path}.type", f"{shown(kind)} is not one of {', '.join(map(repr, _AS_INPUT))}{hint}"))
    elif not _readable(made, name):
        faults.append(Fault(f"{path}.{kind}", "holds nothing that can be read"))
    return made


def _readable(made: Object, name: str) -> bool:
    read = read_parts([made], name)
    return bool(read.media) or isinstance(made.get("text"), str)


def _image(part: Object) -> Object:
    image = part.get("image_url")
    body: Object = image if is_mapping(image) else {"url": image}
    return {"type": "input_image", "image_url": body.get("url"), "detail": body.get("detail")}


_PDF: Final = base64.b64encode(b"%PDF-").decode()[:6]


def _file(part: Object) -> Object:
    file = part.get("file")
    body: dict[str, Any] = dict(file) if is_mapping(file) else {}
    data = body.get("file_data")
    if isinstance(data, str) and data and not data.startswith("data:"):
        mime_type = "application/pdf" if data.startswith(_PDF) else "application/octet-stream"
        body["file_data"] = f"data:{mime_type};base64,{data}"
    return body | {"type": "input_file"}


_AS_INPUT: Final[Mapping[str, Callable[[Object], Object]]] = {
    "text": lambda part: {"type": "input_text", "text": part.get("text")},
    "image_url": _image,
    "file": _file,
    "input_audio": lambda part: part,
}
"""The parts of a chat message by type; a refusal is read from the message."""
