"""The pipeline of a protocol history: the items of the log, then made acceptable, each change a warning."""

from __future__ import annotations

import itertools
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, Protocol, TypedDict

import attrs

from seamwright.check import Change, repair_request
from seamwright.errors import Fault, InvalidStateError, StrictSchemaError
from seamwright.history.blocks import HistoryMessage, as_history
from seamwright.history.serialize import (
    CallItem,
    SerializeHistory,
    SerializeMessage,
    SerializeTools,
    TextItem,
    ThinkingItem,
    ToolOutput,
    UserPart,
)
from seamwright.history.turns import TurnContext, TurnItems
from seamwright.model.checks import OPTIONAL_TEXT
from seamwright.model.endpoints import EndpointProfile
from seamwright.model.guards import is_mapping
from seamwright.model.options import RenderOptions
from seamwright.model.spelling import shown
from seamwright.pipeline.blame import blaming
from seamwright.pipeline.leading import on_channel
from seamwright.seams.context import AddWarning, Warnings, WarningSink
from seamwright.seams.json_schema import JsonSchema
from seamwright.wire.assembled import AssembledInput
from seamwright.wire.items import Item

Declaration = dict[str, Any]


class Repair(Protocol):
    """A request that the API accepts, and what was changed for it."""

    def __call__(self, body: object, endpoint: EndpointProfile, /) -> tuple[dict[str, Any], list[Change]]: ...


class StrictDeclarations(Protocol):
    """Declarations whose ``strict`` is right: the API takes its absence for true.

    Each change that nobody asked for is a warning.
    """

    def __call__(
        self, declarations: Sequence[Declaration], strict: bool | None, warn: AddWarning, /
    ) -> list[Declaration]: ...


def repair(body: object, endpoint: EndpointProfile, /) -> tuple[dict[str, Any], list[Change]]:
    """The default: :func:`seamwright.check.repair_request`."""
    return repair_request(body, endpoint)


@contextmanager
def _of_tool(name: object) -> Generator[None]:
    try:
        yield
    except StrictSchemaError as error:
        raise StrictSchemaError(error.path, error.problem, str(name)) from None


def make_strict_declarations(*, json_schema: JsonSchema) -> StrictDeclarations:
    """The default: a schema that does not conform is declared not strict; when strict is asked for it is made to."""

    def conforms(parameters: Mapping[str, Any]) -> bool:
        try:
            return json_schema(parameters, True) == parameters
        except StrictSchemaError:
            return False

    def undecided(declaration: Declaration, warn: AddWarning) -> Declaration:
        if conforms(declaration["parameters"]):
            return declaration
        name = str(declaration.get("name"))
        warn("strict-written", f"the schema of {name!r} does not conform, so 'strict': false is said", name)
        return declaration | {"strict": False}

    def strict_declarations(
        declarations: Sequence[Declaration], strict: bool | None, warn: AddWarning, /
    ) -> list[Declaration]:
        settled: list[Declaration] = []
        for declaration in declarations:
            parameters = declaration.get("parameters")
            if "strict" in declaration or (strict is None and not isinstance(parameters, Mapping)):
                settled.append(declaration)
            elif strict is None:
                settled.append(undecided(declaration, warn))
            else:
                with _of_tool(declaration.get("name")):
                    schema = json_schema({} if parameters is None else parameters, strict)
                settled.append(declaration | {"parameters": schema, "strict": strict})
        return settled

    return strict_declarations


@attrs.frozen(kw_only=True)
class VerbatimSeams:
    """Every seam of the pipeline of protocol histories, resolved."""

    warn: WarningSink
    user_part: UserPart
    thinking_item: ThinkingItem
    text_item: TextItem
    call_item: CallItem
    tool_output: ToolOutput
    serialize_message: SerializeMessage
    serialize_history: SerializeHistory
    serialize_tools: SerializeTools
    turn_items: TurnItems
    json_schema: JsonSchema
    strict_declarations: StrictDeclarations
    repair: Repair


class VerbatimOverrides(TypedDict, total=False):
    """Keyword arguments that replace seams: the names and types of :class:`VerbatimSeams`."""

    warn: WarningSink
    user_part: UserPart
    thinking_item: ThinkingItem
    text_item: TextItem
    call_item: CallItem
    tool_output: ToolOutput
    serialize_message: SerializeMessage
    serialize_history: SerializeHistory
    serialize_tools: SerializeTools
    turn_items: TurnItems
    json_schema: JsonSchema
    strict_declarations: StrictDeclarations
    repair: Repair


VERBATIM_SEAM_NAMES: Final[tuple[str, ...]] = tuple(field.name for field in attrs.fields(VerbatimSeams))


@attrs.frozen
class VerbatimPipeline:
    """Makes requests of protocol histories with the seams it was made with. Immutable; share it between threads."""

    seams: VerbatimSeams

    def serialize_history(self, history: Iterable[HistoryMessage]) -> list[Item]:
        """The items of a history exactly as the log has them. Raises :class:`SchemaError`, and then gives nothing."""
        return self.seams.serialize_history(as_history(history))

    def serialize_tools(self, definitions: Iterable[Mapping[Any, Any]]) -> list[Declaration]:
        """Function declarations exactly as the definitions have them."""
        return self.seams.serialize_tools(_definitions(definitions))

    def build(
        self,
        history: Iterable[HistoryMessage],
        options: RenderOptions,
        *,
        tools: Iterable[Mapping[Any, Any]] | None = None,
        instructions: str | None = None,
    ) -> AssembledInput:
        """A request that the API accepts: the items of the history, each change of them a warning.

        ``tools``: definitions (``name``, ``description``, ``input_schema``). ``instructions`` stands for the system
        messages, which are left out. Of the options those about endpoint, channel, strict mode and reasoning count.
        Raises :class:`InvalidStateError`, :class:`SchemaError`, :class:`StrictSchemaError`, and :class:`SeamError` for
        whatever else a seam raises. The history is never changed.
        """
        messages = as_history(history)
        definitions = _definitions(tools or ())
        if (problem := OPTIONAL_TEXT.problem(instructions)) is not None:
            raise InvalidStateError([Fault("instructions", problem)])
        with blaming(self.seams):
            return self._build(messages, options, definitions, instructions)

    def _build(
        self,
        history: Sequence[HistoryMessage],
        options: RenderOptions,
        definitions: Sequence[Mapping[Any, Any]],
        instructions: str | None,
    ) -> AssembledInput:
        warnings = Warnings(self.seams.warn)
        leading = on_channel(instructions or "", options)
        context = TurnContext(options, warnings.add)
        items = [*leading.items, *self._items(history, context)]
        if instructions is None and any(message.role == "system" for message in history):
            context.warn("system-left-out", "system messages are left out; their text belongs in instructions", None)
        declarations = self.seams.serialize_tools(definitions)
        declarations = self.seams.strict_declarations(declarations, options.strict, warnings.add)

        body: dict[str, Any] = {"model": options.model, "input": items, "store": False}
        body |= {"instructions": leading.instructions} if leading.instructions is not None else {}
        body |= {"tools": declarations} if declarations else {}
        body, changes = self.seams.repair(body, options.endpoint)
        for change in changes:
            warnings.add(f"repaired-{change.rule}", str(change), change.path or None)
        return AssembledInput(
            model=options.model,
            options=options,
            instructions=body.get("instructions"),
            input=body["input"],
            tools=body.get("tools") or None,
            fingerprintable_length=len(body["input"]),
            warnings=tuple(warnings.collected),
        )

    def _items(self, history: Sequence[HistoryMessage], context: TurnContext) -> Iterator[Item]:
        for own, group in itertools.groupby(_said(history), lambda message: message.role == "assistant"):
            messages = list(group)
            items = self.seams.serialize_history(messages)
            settled = self.seams.turn_items(messages, items, context) if own else items
            yield from (_with_type(item, context) for item in settled)


def _said(history: Sequence[HistoryMessage]) -> Iterator[HistoryMessage]:
    """All but the system messages: one between two of the assistant does not part a turn, because it is not sent."""
    return (message for message in history if message.role != "system")


def _with_type(item: Item, context: TurnContext) -> Item:
    if "type" in item or "role" not in item:
        return item
    context.warn("item-type-written", "a message says its type", None)
    return {"type": "message"} | item


def _definitions(definitions: Iterable[object]) -> tuple[Mapping[Any, Any], ...]:
    given = tuple(definitions)
    faults = [
        Fault(f"tools[{index}]", f"{shown(one)} is no definition: a mapping with name, description, input_schema")
        for index, one in enumerate(given)
        if not is_mapping(one)
    ]
    if faults:
        raise InvalidStateError(faults)
    return tuple(filter(is_mapping, given))
