"""The wiring of the pipeline of protocol histories: other seams, the same framework."""

from __future__ import annotations

from typing import Unpack

from dependency_injector import containers, providers
from dependency_injector.providers import Object, Provider

from seamwright.history import serialize, turns, verbatim
from seamwright.history.verbatim import VERBATIM_SEAM_NAMES, VerbatimOverrides, VerbatimPipeline, VerbatimSeams
from seamwright.seams import context, json_schema
from seamwright.shapes import check_overrides, seam_protocols
from seamwright_containers.derivation import Blueprint
from seamwright_containers.doors import made, use
from seamwright_containers.responses import no_sink


class VerbatimContainer(Blueprint):
    """The blueprint of the pipeline of protocol histories. Make an instance, configure it, resolve it once, drop it."""

    record = VerbatimSeams

    warn: Provider[context.WarningSink] = Object(no_sink)
    user_part: Provider[serialize.UserPart] = Object(serialize.user_part)
    thinking_item: Provider[serialize.ThinkingItem] = Object(serialize.thinking_item)
    text_item: Provider[serialize.TextItem] = Object(serialize.text_item)
    call_item: Provider[serialize.CallItem] = Object(serialize.call_item)
    tool_output: Provider[serialize.ToolOutput] = Object(serialize.tool_output)
    serialize_message: Provider[serialize.SerializeMessage] = made(
        serialize.make_serialize_message,
        user_part=use(user_part),
        thinking_item=use(thinking_item),
        text_item=use(text_item),
        call_item=use(call_item),
        tool_output=use(tool_output),
    )
    serialize_history: Provider[serialize.SerializeHistory] = made(
        serialize.make_serialize_history, serialize_message=use(serialize_message)
    )
    serialize_tools: Provider[serialize.SerializeTools] = Object(serialize.serialize_tools)
    turn_items: Provider[turns.TurnItems] = Object(turns.turn_items)
    json_schema: Provider[json_schema.JsonSchema] = Object(json_schema.json_schema)
    strict_declarations: Provider[verbatim.StrictDeclarations] = made(
        verbatim.make_strict_declarations, json_schema=use(json_schema)
    )
    repair: Provider[verbatim.Repair] = Object(verbatim.repair)


def resolve_verbatim(container: containers.Container) -> VerbatimSeams:
    """Every seam of a container instance, resolved once.

    Raises :class:`WiringError` for a seam that does not have the shape of its Protocol.
    """
    values = {name: container.providers[name]() for name in VERBATIM_SEAM_NAMES}
    check_overrides(values, seam_protocols(VerbatimSeams))
    return VerbatimSeams(**values)


def verbatim_pipeline(**overrides: Unpack[VerbatimOverrides]) -> VerbatimPipeline:
    """The pipeline of protocol histories with some seams replaced; each reaches everything that depends on it.

    Raises :class:`WiringError` for a name that is no seam, and for a value that does not have the seam's shape.
    """
    check_overrides(overrides, seam_protocols(VerbatimSeams))
    replaced = {name: providers.Object(value) for name, value in overrides.items()}
    return VerbatimPipeline(resolve_verbatim(VerbatimContainer(**replaced)))
