"""Things that ``--container`` may name."""

from __future__ import annotations

from typing import Any

from dependency_injector import containers, providers

from seamwright import Pipeline, RenderOptions
from seamwright.seams.envelopes import nonce
from seamwright_containers import Plan, ResponsesContainer, responses_pipeline

CONTAINER = ResponsesContainer()
PIPELINE = responses_pipeline()
PLAN = Plan.compile(ResponsesContainer())
NUMBER = 17
SEEN: list[Any] = []


class Holder:
    """Holds one deeper down."""

    pipeline = PIPELINE


class Lacking(containers.DeclarativeContainer):
    """A container of something else."""

    nonce = providers.Object(nonce)


def container() -> type[ResponsesContainer]:
    """Gives a class."""
    return ResponsesContainer


def gives_a_number() -> int:
    """Gives nothing that renders."""
    return NUMBER


def gives_nothing_of_use() -> Pipeline:
    """Raises."""
    raise ValueError("no configuration")


def leaves() -> Pipeline:
    """Ends the process."""
    raise SystemExit(3)


async def waits() -> Pipeline:
    """Has to be awaited."""
    return PIPELINE


def needs_one(argument: str) -> Pipeline:
    """Takes what nobody gives."""
    raise AssertionError(argument)


def broken() -> ResponsesContainer:
    """Gives a container with a number in the place of a seam."""
    made = ResponsesContainer()
    made.nonce.override(providers.Object(NUMBER))
    return made


def watching() -> Pipeline:
    """Notes the options of every build."""

    def tool_declarations(_tools: Any, options: RenderOptions, /) -> list[Any]:
        SEEN.append(options)
        return []

    return responses_pipeline(tool_declarations=tool_declarations)


def raising() -> Pipeline:
    """Has a seam that renders no message."""

    def timeline_message(message: Any, context: Any, /) -> Any:
        raise LookupError(f"no words for {message.id}")

    return responses_pipeline(timeline_message=timeline_message)
