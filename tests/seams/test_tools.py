"""Tool results, what stands for a result that is not there, and tool declarations, each alone."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from seams.fakes import (
    NOON,
    Notes,
    Words,
    blocks,
    call,
    document,
    handle,
    media,
    neutraliser,
    nonce,
    settle,
    trusted,
    untrusted,
    waiting_blocks,
)
from seamwright import (
    ENDPOINTS,
    EnvelopeAttrs,
    ProviderItem,
    RenderOptions,
    SpooledArtifact,
    StrictSchemaError,
    Tool,
    ToolCall,
    ToolMethod,
    ToolRegistry,
)
from seamwright.seams import envelopes
from seamwright.seams.tools import make_tool_declarations, make_tool_result, pending_result

SCHEMA = {"type": "object", "properties": {}}
SEARCH = Tool(name="search", description="Search", input_schema=SCHEMA)
TRUSTED_SEARCH = Tool(name="search", description="Search", input_schema=SCHEMA, trusted=True)


def policy(item: Any, context: Any) -> str:
    """A policy that names its media."""
    return f"POLICY {item.id}"


def output_of(one: ToolCall, notes: Notes | None = None, **seams: Any) -> Any:
    """What the default gives for a call, with fakes, some of them replaced."""
    given = {
        "nonce": nonce,
        "neutraliser": neutraliser,
        "trusted_envelope": trusted,
        "untrusted_envelope": untrusted,
        "media_blocks": blocks,
        "media_policy": policy,
        "artifact_handle": handle,
        "pending_result": lambda call: f"PENDING {call.id}",
        "token_counter": None,
    }
    seam = make_tool_result(**(given | seams))
    return settle(seam(one, (notes or Notes([SEARCH])).context))


def text_part(text: str) -> dict[str, str]:
    """A part of text."""
    return {"type": "input_text", "text": text}


# --- text and artifacts


@pytest.mark.parametrize("results", ["done", "", "</b>"])
def test_a_text_stands_in_one_envelope(results: str) -> None:
    """Nonce is the checksum, tool the name as it stands in the call; the body is neutralised."""
    assert output_of(call(results, tool="search")) == f"U[N(sum) tool-result tool=search](~{results}~)"
    assert output_of(call(results, trusted=True)) == f"T[N(sum) trusted-tool-result tool=search](~{results}~)"


def test_the_nonce_is_that_of_the_derived_checksum() -> None:
    """Two calls of the same tool with the same arguments share it, whatever their ids."""
    first = ToolCall(id="a", tool="t", args={"b": 1, "a": 2}, created_at=NOON, results="x")
    second = ToolCall(id="b", tool="t", args={"a": 2, "b": 1}, created_at=NOON, results="x")

    assert output_of(first) == output_of(second)
    assert f"N({first.checksum})" in output_of(first)


@pytest.mark.parametrize("fields", [{"inline": False}, {"is_error": True}, {"incomplete": True}, {"id": "x|fc_1"}])
def test_what_does_not_concern_a_text_does_not_show(fields: Any) -> None:
    """``inline`` is for artifacts; that a tool failed is for the host."""
    assert output_of(call("done", **fields)) == output_of(call("done"))


def test_an_inline_artifact_is_its_text() -> None:
    """One or several, these with a blank line between, in one envelope."""
    one = SpooledArtifact(reader="é\nb", kind="json")
    two = SpooledArtifact(reader=b"bytes \xff")

    assert output_of(call(one)) == "U[N(sum) tool-result tool=search](~é\nb~)"
    assert output_of(call((one, two), trusted=True)) == (
        "T[N(sum) trusted-tool-result tool=search](~é\nb\n\nbytes \ufffd~)"
    )


def test_an_artifact_that_is_not_inline_is_a_handle() -> None:
    """Always untrusted, whatever the call or the registry says; told the call's whole id."""
    methods = (ToolMethod(name="grep"),)
    one = SpooledArtifact(reader="a\nb", kind="markdown", tool_methods=methods)

    for notes in (Notes([SEARCH]), Notes([TRUSTED_SEARCH])):
        for said in (None, True, False):
            result = output_of(call(one, id="c|fc_1", inline=False, trusted=said), notes)
            assert result == "U[N(sum) artifact-handle tool=search](~HANDLE c|fc_1 markdown 3 2 None None~)"


def test_several_handles_stand_in_one_envelope() -> None:
    """The seam is asked once for each, the envelope is one, the neutraliser runs once."""
    artifacts = (SpooledArtifact(reader="a"), SpooledArtifact(reader=""))

    assert output_of(call(artifacts, inline=False), token_counter=Words()) == (
        "U[N(sum) artifact-handle tool=search](~HANDLE call_1 text 1 1 1 words\n\nHANDLE call_1 text 0 0 0 words~)"
    )


def test_the_registry_is_not_asked_about_a_handle() -> None:
    """A handle is untrusted anyway: an unknown tool is nothing to warn about."""
    notes = Notes()
    output_of(call(SpooledArtifact(reader="a"), inline=False), notes)
    assert notes.codes == []


def test_an_inline_artifact_is_cleaned_as_it_enters() -> None:
    """Each text that held lone surrogates gives one warning."""
    notes = Notes([SEARCH])
    lone = SpooledArtifact(reader=lambda: "\ud83d")

    assert output_of(call((lone, lone)), notes).endswith("(~\ufffd\n\n\ufffd~)")
    assert notes.codes == [("lone-surrogate", "call_1")] * 2


def test_a_reader_may_wait() -> None:
    """Inline and as a handle."""

    async def read() -> bytes:
        await asyncio.sleep(0)
        return b"a b"

    one = SpooledArtifact(reader=read)
    assert output_of(call(one)).endswith("(~a b~)")
    assert "HANDLE call_1 text 3 1" in output_of(call(one, inline=False))


# --- trust


@pytest.mark.parametrize(
    ("said", "tools", "is_trusted", "codes"),
    [
        (None, [TRUSTED_SEARCH], True, []),
        (None, [SEARCH], False, []),
        (None, [], False, [("unknown-tool", "call_1")]),
        (True, [SEARCH], True, []),
        (True, [], True, []),
        (False, [TRUSTED_SEARCH], False, []),
        (False, [], False, []),
        (None, ToolRegistry([TRUSTED_SEARCH], ["search"]), True, []),
    ],
)
@pytest.mark.parametrize("results", ["text", SpooledArtifact(reader="a"), (media(),)])
def test_trust_is_the_calls_else_the_registrys(
    said: bool | None, tools: Any, is_trusted: bool, codes: Any, results: Any
) -> None:
    """What the call says goes first; a hidden tool is known; an unknown one is untrusted, with one warning."""
    notes = Notes(tools)
    output = output_of(call(results, trusted=said), notes)
    opening = output if isinstance(output, str) else output[0]["text"]

    assert opening.startswith("T[" if is_trusted else "U[")
    assert notes.codes == codes


# --- pending


@pytest.mark.parametrize("said", [None, True, False])
@pytest.mark.parametrize("incomplete", [True, False])
def test_a_pending_call_says_so(said: bool | None, incomplete: bool) -> None:
    """Untrusted whatever is said, with a warning; the registry is not asked."""
    notes = Notes()
    output = output_of(call(None, trusted=said, incomplete=incomplete, inline=False), notes)

    assert output == "U[N(sum) tool-result tool=search](~PENDING call_1~)"
    assert notes.codes == [("pending-tool-call", "call_1")]


def test_the_default_pending_text_says_that_no_result_was_recorded() -> None:
    """The same for tool calls and for calls among the provider items."""
    item = ProviderItem(item={"type": "custom_tool_call", "call_id": "c"}, created_at=NOON)

    assert "No result was recorded" in pending_result(call(None))
    assert pending_result(item) == pending_result(call(None))


# --- media


@pytest.mark.parametrize("media_blocks", [blocks, waiting_blocks])
def test_media_stand_between_two_tags(media_blocks: Any) -> None:
    """The envelope's two tags as parts, every media's parts between, of the kind for media."""
    results = (media(id="a"), document(id="b"))
    untrusted_output = output_of(call(results), media_blocks=media_blocks)
    trusted_output = output_of(call(results, trusted=True), media_blocks=media_blocks)

    assert untrusted_output == [
        text_part("U[N(sum) tool-result-media tool=search]("),
        {"type": "blocks", "of": "a"},
        {"type": "blocks", "of": "b"},
        text_part(")"),
    ]
    assert trusted_output[0] == text_part("T[N(sum) trusted-tool-result-media tool=search](")


def test_the_tags_are_those_of_the_envelope_alone() -> None:
    """Without the line breaks round the body."""
    output = output_of(
        call((media(),)),
        trusted_envelope=envelopes.trusted_envelope,
        untrusted_envelope=envelopes.untrusted_envelope,
    )

    assert output[0] == text_part('<untrusted_content_N(sum) nonce="N(sum)" kind="tool-result-media" tool="search">')
    assert output[-1] == text_part("</untrusted_content_N(sum)>")


@pytest.mark.parametrize("inline", [True, False])
def test_one_media_is_a_list_of_one(inline: bool) -> None:
    """Given alone or in a list; ``inline`` means nothing for media."""
    assert output_of(call(media(), inline=inline)) == output_of(call([media()]))


@pytest.mark.parametrize("said", [True, False])
def test_an_envelope_that_swallows_its_body_is_replaced(said: bool) -> None:
    """Native media never stands outside a bracket: the default envelope is used, with a warning."""
    notes = Notes()

    def swallow(content: str, attrs: EnvelopeAttrs) -> str:
        return "SWALLOWED"

    output = output_of(call((media(),), trusted=said), notes, trusted_envelope=swallow, untrusted_envelope=swallow)
    tag = "trusted_content" if said else "untrusted_content"
    kind = "trusted-tool-result-media" if said else "tool-result-media"

    assert output[0] == text_part(f'<{tag}_N(sum) nonce="N(sum)" kind="{kind}" tool="search">')
    assert output[-1] == text_part(f"</{tag}_N(sum)>")
    assert notes.codes == [("envelope-body-swallowed", "call_1")]


def test_a_swallowed_text_is_the_overrides_own_affair() -> None:
    """Only media needs its bracket: a text goes out as the override gave it."""
    notes = Notes([SEARCH])
    assert output_of(call("x"), notes, untrusted_envelope=lambda content, attrs: "S") == "S"
    assert notes.codes == []


@pytest.mark.parametrize("said", [True, False])
def test_an_endpoint_that_takes_strings_gets_the_policys_texts(said: bool) -> None:
    """Each media by the policy, joined by line breaks, not neutralised again, in an envelope of the plain kind."""
    notes = Notes([SEARCH], endpoint="compatible")
    output = output_of(call((media(id="a"), document(id="b")), trusted=said), notes, untrusted_envelope=untrusted)
    letter, kind = ("T", "trusted-tool-result") if said else ("U", "tool-result")

    assert output == f"{letter}[N(sum) {kind} tool=search](POLICY a\nPOLICY b)"
    assert notes.codes == []


def test_the_policy_of_a_string_endpoint_may_wait_and_may_refuse() -> None:
    """A swallowing envelope is not looked at: there is no bracket."""

    async def waits(item: Any, context: Any) -> str:
        await asyncio.sleep(0)
        return "W"

    notes = Notes([SEARCH], endpoint=ENDPOINTS["compatible"])
    assert output_of(call((media(),)), notes, media_policy=waits) == "U[N(sum) tool-result tool=search](W)"
    assert output_of(call((media(),)), notes, untrusted_envelope=lambda content, attrs: "S") == "S"
    assert notes.codes == []


# --- declarations


def fake_schema(schema: Any, strict: bool) -> dict[str, Any]:
    """Shows what it was called with."""
    return {"schema": schema, "was_strict": strict}


declarations = make_tool_declarations(json_schema=fake_schema)


def options(**given: Any) -> RenderOptions:
    """Options of which most are at their default."""
    return RenderOptions(**{"model": "m", **given})


def test_a_declaration_has_five_keys() -> None:
    """The name at the top level; parameters come from ``json_schema``."""
    assert declarations(ToolRegistry([SEARCH]), options()) == [
        {
            "type": "function",
            "name": "search",
            "description": "Search",
            "parameters": {"schema": SCHEMA, "was_strict": False},
            "strict": False,
        }
    ]


@pytest.mark.parametrize("own", [None, True, False])
@pytest.mark.parametrize("option", [None, True, False])
def test_strict_is_always_there(own: bool | None, option: bool | None) -> None:
    """The option, else the tool's own, else false; ``json_schema`` is told the same."""
    tool = Tool(name="t", description="", input_schema={}, strict=own)
    made = declarations(ToolRegistry([tool]), options(strict=option))
    expected = bool(own) if option is None else option

    assert made is not None
    assert made[0]["strict"] is expected
    assert made[0]["parameters"]["was_strict"] is expected


def test_only_visible_tools_are_declared() -> None:
    """In their order; a hidden one's schema is not looked at."""

    def schema(given: Any, strict: bool) -> dict[str, Any]:
        assert given != {"hidden": True}
        return {}

    tools = [Tool(name=name, description="", input_schema={}) for name in ("b", "a")]
    registry = ToolRegistry([*tools, Tool(name="c", description="", input_schema={"hidden": True})], ["c"])
    made = make_tool_declarations(json_schema=schema)(registry, options())

    assert made is not None
    assert [one["name"] for one in made] == ["b", "a"]


def test_no_visible_tools_no_declarations() -> None:
    """None, never an empty list."""
    assert declarations(ToolRegistry(), options()) is None
    assert declarations(ToolRegistry([SEARCH], ["search"]), options()) is None


def test_a_schema_that_can_not_be_strict_names_its_tool() -> None:
    """The path stays inside the schema."""

    def refuse(schema: Any, strict: bool) -> dict[str, Any]:
        raise StrictSchemaError("properties.m", "is open")

    with pytest.raises(StrictSchemaError, match="search") as caught:
        make_tool_declarations(json_schema=refuse)(ToolRegistry([SEARCH]), options())
    assert (caught.value.path, caught.value.tool) == ("properties.m", "search")


@pytest.mark.parametrize("count", [1, 3])
def test_no_name_of_a_tool_breaks_the_bracket(count: int) -> None:
    """A tool named like what the envelope is rendered round leaves both tags of the bracket whole."""
    name = "".join(f"seamwright-body-{number}-" for number in range(count))
    output = output_of(call((media(),), tool=name), untrusted_envelope=envelopes.untrusted_envelope)
    opening, closing = output[0]["text"], output[-1]["text"]
    assert opening.endswith(f' tool="{name}">')
    assert closing.startswith("</")
    assert 1 == closing.count(">")
