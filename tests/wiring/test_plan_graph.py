"""The graph of a container as data, and as ``seamwright seams`` prints it."""

from __future__ import annotations

import json
import sys
from functools import partial
from typing import Final

import attrs
import pytest
from dependency_injector.providers import Object, Provider

from seamwright import WiringError
from seamwright.cli import main
from seamwright.pipeline.pipeline import Pipeline
from seamwright.record import SEAM_NAMES, Seams
from seamwright.seams.envelopes import KeyedNonce, Nonce
from seamwright.seams.leading import make_memories
from seamwright_containers import (
    Plan,
    ResponsesContainer,
    SeamInfo,
    add,
    describe,
    made,
    responses_pipeline,
    rewire,
    swap,
    use,
)


@attrs.frozen(kw_only=True)
class HostSeams(Seams):
    """The record of a host with a seam of its own."""

    watermark: Nonce


def watermark(identifier: str, /) -> str:
    """The host's own seam."""
    return f"host-{identifier}"


def host_container() -> ResponsesContainer:
    """A container with one seam swapped, one rewired, one that follows another, and one added."""
    container = ResponsesContainer()
    own = add(container, "watermark", Object(watermark))
    swap(container.neutraliser, partial(str.replace, "<", "&lt;"))
    swap(container.nonce, KeyedNonce(b"secret"))
    rewire(container.memories, made(make_memories, nonce=use(own), neutraliser=use(container.neutraliser)))
    rewire(container.trusted_envelope, container.untrusted_envelope)
    return container


class NamingItsRecord(ResponsesContainer):
    """A container with a seam of its own, which says what its record is."""

    record = HostSeams
    watermark: Provider[Nonce] = Object(watermark)


HOST_PLAN: Final = Plan.compile(host_container(), HostSeams)
NOT_ONE_OF_THESE: Final = {"a": 1}


def broken_container() -> ResponsesContainer:
    """A container that no plan can be made of."""
    container = ResponsesContainer()
    rewire(container.nonce, container.providers["neutraliser"])
    return container


def raising() -> ResponsesContainer:
    """A function that fails."""
    raise LookupError("no vault")


def by_name(target: object) -> dict[str, SeamInfo]:
    """The graph of a target, seam by seam."""
    return {info.name: info for info in describe(target)}


def test_every_seam_is_described_in_the_order_of_the_record() -> None:
    """Name and Protocol of all seams, in the record's order; by default nothing is overridden or added."""
    described = describe(ResponsesContainer)

    assert SEAM_NAMES == tuple(info.name for info in described)
    assert all(info.source == info.default and not info.overridden for info in described)
    assert "TokenCounter | None" == by_name(ResponsesContainer)["token_counter"].protocol


def test_a_seam_says_where_it_comes_from_and_what_stands_round_it() -> None:
    """Source, what it needs and what needs it, for one in the middle of the graph."""
    assert (
        SeamInfo(
            name="media_blocks",
            protocol="MediaBlocks",
            source="seamwright.seams.media:make_media_blocks",
            default="seamwright.seams.media:make_media_blocks",
            overridden=False,
            needs=("media_policy",),
            needed_by=("timeline_message", "tool_result", "timeline_step"),
        )
        == by_name(ResponsesContainer)["media_blocks"]
    )


def test_needs_and_needed_by_are_two_sides_of_one_graph() -> None:
    """Whatever needs a seam is named by it, and the other way."""
    found = by_name(ResponsesContainer)
    needs = {(name, other) for name, info in found.items() for other in info.needs or ()}

    assert {(other, name) for name, info in found.items() for other in info.needed_by or ()} == needs
    assert needs


def test_what_was_changed_is_told() -> None:
    """A swapped value, a function behind a partial, a recipe, a follower and an added seam show what they are."""
    described = HOST_PLAN.describe()
    changed = {info.name: (info.source, info.default) for info in described if info.source != info.default}

    assert {
        "neutraliser": ("builtins:str.replace", "seamwright.seams.envelopes:neutraliser"),
        "nonce": ("seamwright.seams.envelopes:KeyedNonce", "seamwright.seams.envelopes:nonce"),
        "trusted_envelope": ("seam untrusted_envelope", "seamwright.seams.envelopes:trusted_envelope"),
        "watermark": (f"{__name__}:watermark", None),
    } == changed
    overridden = {info.name for info in described if info.overridden}
    assert {"neutraliser", "nonce", "trusted_envelope", "memories"} == overridden


def test_a_recipe_with_the_same_factory_is_overridden_nevertheless() -> None:
    """``memories`` is made by the default factory, of another seam."""
    memories = {info.name: info for info in HOST_PLAN.describe()}["memories"]

    assert memories.overridden
    assert memories.source == memories.default == "seamwright.seams.leading:make_memories"
    assert ("neutraliser", "watermark") == memories.needs


@pytest.mark.parametrize(
    "target",
    [ResponsesContainer, ResponsesContainer(), partial(ResponsesContainer), Plan.compile(ResponsesContainer())],
    ids=["class", "instance", "function", "plan"],
)
def test_the_same_graph_from_each_kind_of_target(target: object) -> None:
    """A class, an instance, a function that gives one and a plan of one are described alike."""
    assert describe(ResponsesContainer) == describe(target)


def test_a_container_may_name_its_record() -> None:
    """Then its own seams are seams of the graph."""
    found = by_name(NamingItsRecord)

    assert [*SEAM_NAMES, "watermark"] == list(found)
    assert f"{__name__}:watermark" == found["watermark"].source


def test_a_pipeline_shows_its_seams_without_their_graph() -> None:
    """A pipeline holds values: where they come from and which are no defaults is known, what they need is not."""
    pipeline: Pipeline = responses_pipeline(nonce=watermark)
    found = by_name(lambda: pipeline)

    assert {"nonce"} == {name for name, info in found.items() if info.overridden}
    assert (f"{__name__}:watermark", "seamwright.seams.envelopes:nonce") == (
        found["nonce"].source,
        found["nonce"].default,
    )
    assert {(None, None)} == {(info.needs, info.needed_by) for info in found.values()}


def test_a_pipeline_of_a_hosts_own_record_shows_its_own_seams() -> None:
    """They have no default to compare with."""
    found = by_name(HOST_PLAN.pipeline())

    assert (f"{__name__}:watermark", None) == (found["watermark"].source, found["watermark"].default)


@pytest.mark.parametrize("target", [3, Plan, NOT_ONE_OF_THESE, lambda: 3])
def test_anything_else_is_no_graph(target: object) -> None:
    """The error shows what was given."""
    with pytest.raises(WiringError, match="is no container, plan or pipeline"):
        describe(target)


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of the command."""
    code = main(["seams", *arguments])
    return code, *capsys.readouterr()


@pytest.fixture
def this_module(monkeypatch: pytest.MonkeyPatch) -> str:
    """This module under a name that can be imported."""
    monkeypatch.setitem(sys.modules, "host_of_the_test", sys.modules[__name__])
    return "host_of_the_test"


def test_the_command_prints_the_default_graph(capsys: pytest.CaptureFixture[str]) -> None:
    """One block for each seam: Protocol, source, what it needs, what needs it; then how many there are."""
    code, out, err = printed(capsys)

    assert (0, "") == (code, err)
    assert (
        "media_blocks: MediaBlocks\n"
        "    from       seamwright.seams.media:make_media_blocks\n"
        "    needs      media_policy\n"
        "    needed by  timeline_message, tool_result, timeline_step\n"
    ) in out
    assert f"{len(SEAM_NAMES)} seams, 0 overridden, 0 added" == out.splitlines()[-1]


def test_the_command_shows_what_a_host_changed(capsys: pytest.CaptureFixture[str], this_module: str) -> None:
    """Overridden seams name what they stand instead of; added ones are marked."""
    code, out, _ = printed(capsys, "--container", f"{this_module}:HOST_PLAN")

    assert 0 == code
    assert (
        "nonce: Nonce (overridden)\n"
        "    from       seamwright.seams.envelopes:KeyedNonce\n"
        "    instead of seamwright.seams.envelopes:nonce\n"
    ) in out
    assert "watermark: Nonce (added)\n" in out
    assert f"{len(SEAM_NAMES) + 1} seams, 4 overridden, 1 added" == out.splitlines()[-1]


def test_the_command_prints_json(capsys: pytest.CaptureFixture[str], this_module: str) -> None:
    """A list of objects with the fields of ``SeamInfo``."""
    code, out, _ = printed(capsys, "--json", "--container", f"{this_module}:HOST_PLAN")

    assert 0 == code
    assert json.loads(json.dumps([attrs.asdict(info) for info in HOST_PLAN.describe()])) == json.loads(out)


@pytest.mark.parametrize(
    ("attribute", "expected"),
    [
        ("NOT_ONE_OF_THESE", "is no container, plan or pipeline"),
        ("broken_container", "nonce: is Nonce, but 'neutraliser', which it follows, is Neutraliser"),
        ("raising", "describing it raised LookupError: no vault"),
        ("HOST_PLAM", "has no 'HOST_PLAM' (did you mean 'HOST_PLAN'?)"),
    ],
)
def test_a_wrong_target_is_a_wrong_call(
    capsys: pytest.CaptureFixture[str], this_module: str, attribute: str, expected: str
) -> None:
    """Exit code 2, one line that says what is wrong, and nothing on stdout."""
    code, out, err = printed(capsys, "--container", f"{this_module}:{attribute}")

    assert (2, "") == (code, out)
    assert err.startswith(f"error: --container {this_module}:{attribute}: ")
    assert expected in err
    assert 1 == err.count("\n")
