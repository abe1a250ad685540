"""Tool results and tool declarations."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

import attrs

from seamwright.awaiting import MaybeAwaitable, eager, settled
from seamwright.errors import StrictSchemaError
from seamwright.model.artifact import SpooledArtifact
from seamwright.model.media import Media
from seamwright.model.options import RenderOptions
from seamwright.model.provider_item import ProviderItem
from seamwright.model.tool_call import ToolCall
from seamwright.model.tools import ToolRegistry
from seamwright.seams.brackets import brackets
from seamwright.seams.context import BuildContext, TokenCounter
from seamwright.seams.envelopes import Envelope, EnvelopeAttrs, Neutraliser, Nonce
from seamwright.seams.handles import Handle, handle_info
from seamwright.seams.json_schema import JsonSchema
from seamwright.seams.media import MediaBlocks, RenderMediaPolicy
from seamwright.wire.items import Part, input_text


class ToolResult(Protocol):
    """The ``output`` of a call: text, or parts when there is media.

    Every body stands in an envelope and is neutralised.
    """

    def __call__(self, call: ToolCall, context: BuildContext, /) -> MaybeAwaitable[str | list[Part]]: ...


class PendingResult(Protocol):
    """What stands as the result of a call that has none. The caller neutralises it and puts it in an envelope."""

    def __call__(self, call: ToolCall | ProviderItem, /) -> str: ...


class ToolDeclarations(Protocol):
    """The declarations of the visible tools, or None when there are none."""

    def __call__(self, tools: ToolRegistry, options: RenderOptions, /) -> list[dict[str, Any]] | None: ...


def pending_result(call: ToolCall | ProviderItem, /) -> str:
    """The default ``pending_result``: says that no result was recorded."""
    return "No result was recorded for this call: it was interrupted, or is still running."


@attrs.frozen
class _Results:
    """Renders results; every seam it needs is decided at construction."""

    nonce: Nonce
    neutraliser: Neutraliser
    trusted_envelope: Envelope
    untrusted_envelope: Envelope
    media_blocks: MediaBlocks
    media_policy: RenderMediaPolicy
    artifact_handle: Handle
    pending_result: PendingResult
    token_counter: TokenCounter | None
    kinds: tuple[tuple[Envelope, str], tuple[Envelope, str]] = attrs.field(init=False)
    """The envelope and its kind, by whether the result is trusted."""

    def __attrs_post_init__(self) -> None:
        kinds = ((self.untrusted_envelope, _kind(trusted=False)), (self.trusted_envelope, _kind(trusted=True)))
        object.__setattr__(self, "kinds", kinds)

    def __call__(self, call: ToolCall, context: BuildContext, /) -> MaybeAwaitable[str | list[Part]]:
        results = call.results
        if isinstance(results, str):
            envelope, kind = self.kinds[self.trusted(call, context)]
            return envelope(self.neutraliser(results), EnvelopeAttrs(self.nonce(call.checksum), kind, call.tool))
        if results is None:
            context.warn("pending-tool-call", f"the call of {call.tool!r} has no result", call.id)
            return self.enclosed(call, self.pending_result(call), trusted=False)
        return self.waiting(call, context)

    @eager
    async def waiting(self, call: ToolCall, context: BuildContext) -> str | list[Part]:
        results = call.results
        artifacts = (results,) if isinstance(results, SpooledArtifact) else results
        assert isinstance(artifacts, tuple)
        media = [item for item in artifacts if isinstance(item, Media)]
        if media:
            return await self.media(call, media, context)
        texts = [item for item in artifacts if isinstance(item, SpooledArtifact)]
        return await self.artifacts(call, texts, context)

    async def artifacts(self, call: ToolCall, artifacts: Sequence[SpooledArtifact], context: BuildContext) -> str:
        if not call.inline:
            infos = [await handle_info(call.id, artifact, self.token_counter) for artifact in artifacts]
            body = "\n\n".join([self.artifact_handle(info) for info in infos])
            return self.enclosed(call, body, trusted=False, kind="artifact-handle")
        trusted = self.trusted(call, context)
        texts = [context.clean(await artifact.as_string(), call.id) for artifact in artifacts]
        return self.enclosed(call, "\n\n".join(texts), trusted)

    async def media(self, call: ToolCall, media: Sequence[Media], context: BuildContext) -> str | list[Part]:
        trusted = self.trusted(call, context)
        if context.options.endpoint.tool_output == "string":
            texts: list[str] = []
            for one in media:
                text = self.media_policy(one, context)
                texts.append(text if isinstance(text, str) else await settled(text, str, "media_policy"))
            return self.envelope(trusted)("\n".join(texts), self.attributes(call, _kind(trusted)))
        opening, closing = self.brackets(call, trusted, context)
        parts = [input_text(opening)]
        for one in media:
            blocks = self.media_blocks(one, context)
            parts += blocks if isinstance(blocks, list) else await settled(blocks, list, "media_blocks")
        return [*parts, input_text(closing)]

    def brackets(self, call: ToolCall, trusted: bool, context: BuildContext) -> tuple[str, str]:
        attributes = self.attributes(call, f"{_kind(trusted)}-media")
        return brackets(self.envelope(trusted), attributes, trusted=trusted, context=context, subject_id=call.id)

    def trusted(self, call: ToolCall, context: BuildContext) -> bool:
        trusted = call.trusted
        if trusted is not None:
            return trusted
        tool = context.tools.get(call.tool)
        if tool is None:
            text = f"no tool {call.tool!r} is registered; its result is untrusted"
            context.warn("unknown-tool", text, call.id)
        return tool is not None and tool.trusted

    def envelope(self, trusted: bool) -> Envelope:
        return self.trusted_envelope if trusted else self.untrusted_envelope

    def attributes(self, call: ToolCall, kind: str) -> EnvelopeAttrs:
        return EnvelopeAttrs(self.nonce(call.checksum), kind, call.tool)

    def enclosed(self, call: ToolCall, body: str, trusted: bool, kind: str | None = None) -> str:
        return self.envelope(trusted)(self.neutraliser(body), self.attributes(call, kind or _kind(trusted)))


def _kind(trusted: bool) -> str:
    return "trusted-tool-result" if trusted else "tool-result"


def make_tool_result(
    *,
    nonce: Nonce,
    neutraliser: Neutraliser,
    trusted_envelope: Envelope,
    untrusted_envelope: Envelope,
    media_blocks: MediaBlocks,
    media_policy: RenderMediaPolicy,
    artifact_handle: Handle,
    pending_result: PendingResult,
    token_counter: TokenCounter | None,
) -> ToolResult:
    """The default ``tool_result``: a trusted or an untrusted envelope round text, artifacts, handles or media.

    A handle is always untrusted; native media stand between the envelope's two tags.
    """
    return _Results(
        nonce,
        neutraliser,
        trusted_envelope,
        untrusted_envelope,
        media_blocks,
        media_policy,
        artifact_handle,
        pending_result,
        token_counter,
    )


@contextmanager
def _of_tool(name: str) -> Generator[None, None, None]:
    try:
        yield
    except StrictSchemaError as error:
        raise StrictSchemaError(error.path, error.problem, name) from None


def make_tool_declarations(*, json_schema: JsonSchema) -> ToolDeclarations:
    """The default ``tool_declarations``: ``strict`` is always written, because the API takes its absence for true."""

    def tool_declarations(tools: ToolRegistry, options: RenderOptions, /) -> list[dict[str, Any]] | None:
        declarations: list[dict[str, Any]] = []
        for tool in tools.visible():
            strict = bool(tool.strict if options.strict is None else options.strict)
            with _of_tool(tool.name):
                parameters = json_schema(tool.input_schema, strict)
            declarations.append(
                {
                    "type": "function",
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": parameters,
                    "strict": strict,
                }
            )
        return declarations or None

    return tool_declarations
