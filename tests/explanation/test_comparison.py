"""``explain``: the cause and the first differing place, one constructed pair for each cause."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from typing import Any

import pytest

from explanation.requests import CASES, TRAILING, Case, insert, request, said
from seamwright import AgentState, Memory, OutlineError, RenderOptions, Usage, explain
from seamwright.explanation import Outline, outline
from seamwright_containers import responses_pipeline

NAMES = [case.name for case in CASES]


def kept(body: dict[str, Any]) -> Any:
    """A request as a host keeps it that may keep no texts."""
    return json.loads(json.dumps(outline(body).to_json()))


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_each_cause_is_named_with_its_place(case: Case) -> None:
    """With both texts: the kind of change, its place, how many items, which reasoning stood behind it."""
    found = explain(request(), case.following())

    assert (case.kind, case.path, case.count) == (found.kind, found.path, found.count)
    assert case.reasoning == tuple((one.index, one.sent) for one in found.reasoning)
    assert case.parameters == found.parameters
    assert case.kind in str(found)
    assert case.path is None or f"at {case.path}" in str(found)


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_digests_say_the_same(case: Case) -> None:
    """Without texts the same is said, and the place goes down to the field; also when one side has its texts."""
    whole = explain(request(), case.following())
    for before, after in (
        (kept(request()), kept(case.following())),
        (outline(request()), case.following()),
        (request(), kept(case.following())),
    ):
        found = explain(before, after)

        assert case.outlined_path == found.path
        assert (whole.kind, whole.index, whole.count) == (found.kind, found.index, found.count)
        assert (whole.shared_bytes, whole.shared_tokens, whole.reasoning) == (
            found.shared_bytes,
            found.shared_tokens,
            found.reasoning,
        )


def test_an_outline_holds_no_text() -> None:
    """No text of the request, and no encrypted part, is in its outline; ids, types and roles are."""
    text = json.dumps(outline(request()).to_json())

    assert not [word for word in ("parcel", "depot", "gAAAA", "customer", "Likes", "track") if word in text]
    assert '"rs_1"' in text


def test_there_is_a_pair_for_each_kind() -> None:
    """The pairs are at least thirty, and every kind of change is among them."""
    from typing import get_args

    from seamwright.explanation.changes import Kind

    assert len({case.name for case in CASES}) >= 30
    assert set(get_args(Kind)) == {case.kind for case in CASES}


def test_shared_bytes_and_tokens_are_those_of_the_prefix() -> None:
    """What both have is counted: nothing under another model, tools before instructions, items up to the change."""
    by_name = {case.name: explain(request(), case.following()) for case in CASES}
    body = request()
    sizes = [len(json.dumps(item, separators=(",", ":"))) for item in body["tools"]]
    fmt = len(json.dumps(body["text"]["format"], separators=(",", ":")))

    assert 0 == by_name["another model"].shared_bytes
    assert sizes[0] == by_name["another description"].shared_bytes
    assert sum(sizes) == by_name["another format"].shared_bytes == by_name["no format"].shared_bytes
    assert sum(sizes) + fmt == by_name["other instructions"].shared_bytes == by_name["no instructions"].shared_bytes
    before = by_name["a word of the user edited"].shared_bytes
    assert sum(sizes) + fmt + len(body["instructions"]) + 2 == before
    first = len(json.dumps(body["input"][0], separators=(",", ":")))
    assert before + first == by_name["an id less"].shared_bytes
    assert 1000 < by_name["same"].shared_tokens < by_name["same"].shared_bytes // 4


def test_tokens_are_counted_when_a_counter_is_given() -> None:
    """``count`` is asked for the tokens; the estimate takes no bytes of an image for text."""
    body = {"model": "m", "input": [said("user", "Hello."), said("user", "Bye.")]}
    picture = {"type": "input_image", "image_url": "data:image/png;base64," + "A" * 400_000}

    assert 2 * (7 + 4) == explain(body, body, count=lambda text: 7).shared_tokens  # and four round each message
    body["input"][0]["content"].append(picture)
    assert 765 < explain(body, body).shared_tokens < 800


def test_a_text_as_input_is_one_message() -> None:
    """A body whose input is a text is compared by that text."""
    found = explain({"model": "m", "input": "one"}, {"model": "m", "input": "two"})

    assert ("history rewritten", "input[0].content") == (found.kind, found.path)


def test_a_message_without_a_type_is_the_same_message() -> None:
    """The API reads both spellings alike, so a change of spelling is none."""
    short = [{"role": "user", "content": "one"}]
    long = [{"type": "message", "role": "user", "content": "one"}, said("user", "two")]

    assert "same" == explain({"model": "m", "input": "one"}, {"model": "m", "input": short}).kind
    assert "appended only" == explain({"model": "m", "input": short}, {"model": "m", "input": long}).kind


@pytest.mark.parametrize(
    "wrong",
    [
        [],
        {"model": "m"},
        {"model": "m", "input": 3},
        {"outline": 2},
        {"outline": 1},
        {"outline": 1, "model": {"digest": "x"}},
        {**kept(request()), "tools": [3]},
        {**kept(request()), "input": [{}]},
    ],
    ids=["list", "no input", "number", "version", "empty", "half", "tool", "item"],
)
def test_what_is_no_request_is_an_error(wrong: Any) -> None:
    """Anything that is neither request nor outline is refused by name, on either side."""
    with pytest.raises(OutlineError):
        explain(wrong, request())
    with pytest.raises(OutlineError):
        explain(request(), wrong)


def test_a_state_file_is_told_apart() -> None:
    """The likeliest mistake has its hint."""
    with pytest.raises(OutlineError, match="a state file is rendered first"):
        explain({"model": "m", "messages": []}, request())


def test_the_request_is_not_changed() -> None:
    """Explaining changes neither side."""
    before, after = request(), CASES[20].following()
    copies = copy.deepcopy((before, after))
    explain(before, after)

    assert copies == (before, after)


def test_the_top_level_names_load_late() -> None:
    """``from seamwright import explain`` gives the function, and importing the package does not load the module."""
    code = (
        "import sys, seamwright; assert 'seamwright.explanation' not in sys.modules;"
        "from seamwright import explain, explain_reasoning; assert callable(explain) and callable(explain_reasoning);"
        "import seamwright.explanation, seamwright as s; assert callable(s.explain);"
        "assert not hasattr(seamwright, 'explian')"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# --- whose a miss was


def usage(cached: int | None, given: int | None = None) -> Usage:
    """A usage of the response to the next request."""
    return Usage(input_tokens=given, cached_tokens=cached)


def appended() -> dict[str, Any]:
    """The request a message later."""
    body = request()
    insert(TRAILING, said("user", "Thanks!"))(body)
    return body


def test_an_unchanged_prefix_that_came_from_the_cache_is_a_hit() -> None:
    """About as many cached tokens as the prefix has are a hit."""
    shared = explain(request(), appended()).shared_tokens
    cache = explain(request(), appended(), usage(shared // 128 * 128)).cache

    assert cache is not None
    assert ("hit", shared // 128 * 128) == (cache.verdict, cache.expected)


@pytest.mark.parametrize("cached", [0, 256])
def test_a_miss_of_an_unchanged_prefix_is_the_providers(cached: int) -> None:
    """Nothing changed and little was cached: the provider's."""
    cache = explain(request(), appended(), usage(cached)).cache

    assert cache is not None
    assert "provider" == cache.verdict
    assert "the provider's" in cache.text


@pytest.mark.parametrize("name", ["another model", "other instructions", "a tool less", "a word of the user edited"])
def test_a_miss_behind_our_change_is_ours(name: str) -> None:
    """The request changed before anything that could be cached: ours, with the place."""
    case = next(case for case in CASES if case.name == name)
    cache = explain(request(), case.following(), usage(0)).cache

    assert cache is not None
    assert "ours" == cache.verdict
    assert f"at {case.path}" in cache.text


def long_request() -> dict[str, Any]:
    """A request whose first half alone is long enough to be cached."""
    body = request()
    body["input"] = [said("user", f"{number} " * 2000) for number in range(4)]
    return body


def test_both_may_have_missed() -> None:
    """The end changed, and of the rest nothing came either: both."""
    before, after = long_request(), long_request()
    after["input"][2] = said("user", "other")

    ours = explain(before, after, usage(explain(before, after).shared_tokens)).cache
    both = explain(before, after, usage(0)).cache
    hit = explain(before, after, usage(100_000)).cache

    assert ours is not None
    assert both is not None
    assert hit is not None
    assert ("ours", "both", "hit") == (ours.verdict, both.verdict, hit.verdict)
    assert "input[2]" in ours.text
    assert "input[2]" in both.text


def test_a_parameter_may_have_cost_the_cache() -> None:
    """Another cache key explains a miss of an unchanged prefix."""
    case = next(case for case in CASES if case.name == "another cache key")
    cache = explain(request(), case.following(), usage(0)).cache

    assert cache is not None
    assert "ours" == cache.verdict
    assert "prompt_cache_key" in cache.text


def test_a_short_prefix_is_never_cached() -> None:
    """Below the minimum nobody missed anything."""
    body = {"model": "m", "input": "Hello."}
    cache = explain(body, body, usage(0)).cache

    assert cache is not None
    assert ("too short", 0) == (cache.verdict, cache.expected)


def test_what_stands_behind_the_prefix_is_not_missed() -> None:
    """A long item after the timeline is new at every turn: that it did not come from the cache is nobody's fault."""
    pipeline = responses_pipeline()
    options = RenderOptions(model="m", bucket_order=("timeline", "memories"))
    previous, following = (
        pipeline.build_sync(AgentState(system_prompt="s", memories=[Memory(id="k", content=said * 2000)]), options)
        for said in ("day ", "night ")
    )
    cache = explain(previous, following, usage(0)).cache

    assert cache is not None
    assert ("too short", 0) == (cache.verdict, cache.expected)


@pytest.mark.parametrize(
    "given",
    [
        Usage(input_tokens=4000, cached_tokens=1536),
        {"input_tokens": 4000, "input_tokens_details": {"cached_tokens": 1536}},
        {"id": "resp_1", "usage": {"input_tokens": 4000, "input_tokens_details": {"cached_tokens": 1536}}},
        {"input_tokens": 4000, "cached_tokens": 1536},
    ],
    ids=["ingested", "usage", "response", "flat"],
)
def test_a_usage_is_read_in_each_of_its_forms(given: Any) -> None:
    """The ingested usage, the API's own, a response that holds it, and a flat one say the same."""
    cache = explain(request(), appended(), given).cache

    assert cache is not None
    assert 1536 == cache.cached


@pytest.mark.parametrize("given", [Usage(), {}, {"input_tokens_details": None}, {"cached_tokens": True}])
def test_a_usage_without_cached_tokens_says_nothing(given: Any) -> None:
    """Where the usage is silent, so is the verdict."""
    cache = explain(request(), appended(), given).cache

    assert cache is not None
    assert ("unknown", None) == (cache.verdict, cache.cached)


def test_the_providers_count_corrects_ours() -> None:
    """The estimate is scaled by what the provider counted for the whole request."""
    whole = outline(appended())
    total = sum(piece.tokens for piece in [*whole.prefix(), *(item.whole for item in whole.input)])
    shared = explain(request(), appended()).shared_tokens

    cache = explain(request(), appended(), usage(0, total * 3)).cache
    assert cache is not None
    assert abs(cache.expected - shared * 3) <= 128


def test_an_outline_is_given_back_as_it_is() -> None:
    """Outlining twice changes nothing."""
    one = outline(request())

    assert isinstance(one, Outline)
    assert one is outline(one)
    assert one == outline(kept(request()))
