"""The orchestrator: it holds the resolved seams and calls the four steps in order."""

from __future__ import annotations

from collections.abc import Mapping
from types import NoneType
from typing import Any, Literal

import attrs

from seamwright.awaiting import drive, settled
from seamwright.check import check_request
from seamwright.errors import InvalidRequestError
from seamwright.ingest.ingested import Ingested
from seamwright.ingest.response import ingest
from seamwright.model.options import RenderOptions
from seamwright.model.state import AgentState
from seamwright.pipeline.blame import blaming
from seamwright.pipeline.entering import enter, enter_results
from seamwright.pipeline.memory import Memory
from seamwright.pipeline.spending import Counted, Spending, start_spending
from seamwright.record import Seams
from seamwright.seams.context import BuildContext, Warnings, data_url
from seamwright.seams.fingerprint import start_prefix
from seamwright.seams.steps import Leading
from seamwright.wire.assembled import AssembledInput
from seamwright.wire.items import Item

Check = Literal["off", "report", "error"]


def _checked(assembled: AssembledInput, *, raising: bool) -> AssembledInput:
    violations = check_request(assembled, assembled.options.endpoint)
    if raising and any(violation.severity == "error" for violation in violations):
        raise InvalidRequestError(violations)
    return attrs.evolve(assembled, violations=tuple(violations))


@attrs.frozen
class Pipeline:
    """Renders states into requests with the seams it was made with. Immutable; share it between threads and tasks."""

    seams: Seams

    async def build(
        self,
        state: AgentState,
        options: RenderOptions,
        render_ctx: object = None,
        rendered_tool_results: Mapping[str, Any] | None = None,
        check: Check = "off",
    ) -> AssembledInput:
        """The request of a state.

        ``render_ctx`` is handed to callable texts. ``rendered_tool_results`` are outputs (text or parts) by the whole
        id of their tool call. ``check``: ``report`` fills ``violations`` with what the checker finds, ``error`` raises
        :class:`InvalidRequestError` when an error is among it. The state is never changed.

        Raises :class:`InvalidStateError`, :class:`TokenizableError`, :class:`UnsupportedMediaError`,
        :class:`StrictSchemaError`, and :class:`SeamError` for whatever else a seam raises.
        """
        return await self.build_with(state, options, render_ctx, rendered_tool_results, check)

    async def build_with(
        self,
        state: AgentState,
        options: RenderOptions,
        render_ctx: object,
        rendered_tool_results: Mapping[str, Any] | None,
        check: Check,
        *,
        memory: Memory | None = None,
    ) -> AssembledInput:
        """:meth:`build` with what a session remembers."""
        with blaming(self.seams):
            assembled = await self._build(memory, state, options, render_ctx, rendered_tool_results)
        return assembled if check == "off" else _checked(assembled, raising=check == "error")

    def session(self) -> RenderSession:
        """Builds one conversation turn after turn, rendering only what is new; see :class:`RenderSession`."""
        return RenderSession(self)

    def build_sync(
        self,
        state: AgentState,
        options: RenderOptions,
        render_ctx: object = None,
        rendered_tool_results: Mapping[str, Any] | None = None,
        check: Check = "off",
    ) -> AssembledInput:
        """:meth:`build` for callers without a loop. Inside a running loop it works as long as no seam really waits."""
        return drive(self.build(state, options, render_ctx, rendered_tool_results, check), "pipeline.build")

    async def rebuild_without_reasoning(
        self,
        state: AgentState,
        options: RenderOptions,
        render_ctx: object = None,
        rendered_tool_results: Mapping[str, Any] | None = None,
        check: Check = "off",
    ) -> AssembledInput:
        """The request with every reasoning item and every id bound to one left out; plain-text thoughts stay.

        For an API that refused replayed reasoning. ``state.withhold(reason)`` makes the next builds the same.
        """
        withheld = state.withhold("rebuilt without reasoning")
        return await self.build(withheld, options, render_ctx, rendered_tool_results, check)

    def rebuild_without_reasoning_sync(
        self,
        state: AgentState,
        options: RenderOptions,
        render_ctx: object = None,
        rendered_tool_results: Mapping[str, Any] | None = None,
        check: Check = "off",
    ) -> AssembledInput:
        """:meth:`rebuild_without_reasoning` for callers without a loop."""
        work = self.rebuild_without_reasoning(state, options, render_ctx, rendered_tool_results, check)
        return drive(work, "pipeline.rebuild_without_reasoning")

    def ingest(self, response: object, request: AssembledInput, state: AgentState) -> Ingested:
        """What a response adds to *state*; ``state.extend(…)`` of it is the next state.

        ``response`` is the SDK's object, its dict, or what a stream accumulated; ``request`` is the build that was
        sent. The state is not changed. Raises :class:`IngestError` when nothing can be made of the response, and
        :class:`SeamError` for whatever else a seam raises.
        """
        with blaming(self.seams):
            return ingest(self.seams, response, request, state)

    async def _build(
        self,
        memory: Memory | None,
        state: AgentState,
        options: RenderOptions,
        ctx: object,
        given: Mapping[str, Any] | None,
    ) -> AssembledInput:
        seams = self.seams
        warnings = Warnings(seams.warn)
        state, options = (enter if memory is None else memory.enter)(state, options, ctx, warnings.add)
        results = enter_results(given, state, warnings.add)
        urls = data_url if memory is None else memory.urls
        context = BuildContext(options, state.tools, results, warnings.add, urls)
        spending = None
        if options.budget is not None:
            known = Counted() if memory is None else memory.counted
            spending = start_spending(seams, state, options, options.budget, known)
        tools = (seams.tool_declarations(state.tools, options) or []) + [dict(tool) for tool in state.provider_tools]

        leading = seams.leading_step(state, context)
        leading = leading if isinstance(leading, Leading) else await settled(leading, Leading, "leading_step")
        items, length = await self._timeline(memory, state, context, leading, tools or None, spending=spending)

        assembled = AssembledInput(
            model=options.model,
            options=options,
            instructions=leading.instructions,
            input=items,
            tools=tools or None,
            fingerprintable_length=length,
            warnings=tuple(warnings.collected),
        )
        if spending is not None:
            assembled = spending.settled(assembled, leading)
            if memory is not None:
                memory.counted = spending.counted
        return assembled

    async def _timeline(
        self,
        memory: Memory | None,
        state: AgentState,
        context: BuildContext,
        leading: Leading,
        tools: list[dict[str, Any]] | None,
        *,
        spending: Spending | None,
    ) -> tuple[list[Item], int]:
        """Steps 2 to 4: the items, and how many of them a fingerprint covers."""
        seams = self.seams
        items = list(leading.items)
        if "timeline" not in context.options.bucket_order:
            return items, len(items)
        prefix = start_prefix(seams.fingerprint, context.options.model, leading.instructions, tools)
        for item in items:
            prefix.update(item)
        trailing = trim = None
        if spending is not None:
            trailing = await self._trailing(state, context)  # what it costs decides what the timeline goes without
            trim = spending.trimmed_to(leading, tools, trailing, prefix.sections, context.warn)
        kept = None if memory is None else await memory.timeline(seams, state, context, prefix, trim)
        if kept is None:
            rendered = seams.timeline_step(state, context)
            rendered = rendered if isinstance(rendered, list) else await settled(rendered, list, "timeline_step")
            kept = seams.reasoning_pairing(rendered if trim is None else trim(rendered), prefix, context)
        items += kept
        length = len(items)
        if spending is None:
            trailing = await self._trailing(state, context)
        if trailing is not None:
            items.append(trailing)
        return items, length

    async def _trailing(self, state: AgentState, context: BuildContext) -> Item | None:
        trailing = self.seams.trailing_step(state, context)
        if trailing is None or isinstance(trailing, dict):
            return trailing
        return await settled(trailing, (dict, NoneType), "trailing_step")


class RenderSession:
    """Builds one conversation turn after turn. Same results, byte for byte, as ``pipeline.build``.

    Keeps what was rendered last, and the running hash; renders only what is new. Everything is compared by identity and
    then by equality, so states may be read anew each turn. Dynamic texts, files, readers and given results are looked
    at every time. Seams must give the same for the same input. Items of results are shared between turns: read them,
    don't change them. One conversation, one task at a time; memory is that of one build.
    """

    def __init__(self, pipeline: Pipeline) -> None:
        self._pipeline = pipeline
        self._memory = Memory()

    async def build(
        self,
        state: AgentState,
        options: RenderOptions,
        render_ctx: object = None,
        rendered_tool_results: Mapping[str, Any] | None = None,
        check: Check = "off",
    ) -> AssembledInput:
        """See :meth:`Pipeline.build`."""
        memory, self._memory = self._memory, Memory()  # an error leaves nothing half changed behind
        assembled = await self._pipeline.build_with(
            state, options, render_ctx, rendered_tool_results, check, memory=memory
        )
        self._memory = memory
        return assembled

    def build_sync(
        self,
        state: AgentState,
        options: RenderOptions,
        render_ctx: object = None,
        rendered_tool_results: Mapping[str, Any] | None = None,
        check: Check = "off",
    ) -> AssembledInput:
        """:meth:`build` for callers without a loop."""
        return drive(self.build(state, options, render_ctx, rendered_tool_results, check), "session.build")
