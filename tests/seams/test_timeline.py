"""Thoughts and messages: the filter, the thought, messages of others and the agent's own, each alone."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seams.fakes import (
    SHOWN_NOON,
    Notes,
    assistant,
    at,
    blocks,
    media,
    neutraliser,
    nonce,
    peer,
    settle,
    thought,
    user,
    waiting_blocks,
)
from seamwright import REASONING_TAG, Identity, ReasoningPayload, RenderOptions, Thought
from seamwright.seams.timeline import make_own_message, make_thought, make_timeline_message, thought_filter

PAYLOAD = ReasoningPayload(item={"type": "reasoning", "encrypted_content": "e"}, prefix_fingerprint="")
OTHER_PAYLOAD = {"variant": "other"}


def options(**given: Any) -> RenderOptions:
    """Options of which most are at their default."""
    return RenderOptions(**{"model": "m", **given})


# --- thought_filter


def kept(thoughts: list[Thought], **given: Any) -> list[str]:
    """The ids of what the filter keeps."""
    return [one.id for one in thought_filter(thoughts, options(**given))]


def test_only_own_thoughts_are_kept_unless_all_are_asked_for() -> None:
    """The identifier is compared, not what is shown of it."""
    own = thought(id="own", identity=Identity(identifier="assistant", representation="Someone"))
    other = thought(id="other", identity=Identity(identifier="x", representation="assistant"))

    assert kept([own, other]) == ["own"]
    assert kept([own, other], thought_surfacing="latest-self") == ["own"]
    assert kept([own, other], thought_surfacing="all") == ["other", "own"]
    assert kept([own, other], self_identity="x") == ["other"]


@pytest.mark.parametrize(
    ("tag", "payload", "shown"),
    [
        (None, None, True),
        ("plain-text", None, True),
        (REASONING_TAG, None, True),
        ("strange", None, False),
        ("", None, False),
        (REASONING_TAG, PAYLOAD, True),
        ("plain-text", PAYLOAD, False),
        ("strange", PAYLOAD, False),
        (REASONING_TAG, OTHER_PAYLOAD, True),
        ("strange", OTHER_PAYLOAD, False),
    ],
)
def test_a_tag_decides_what_may_be_replayed(tag: str | None, payload: Any, shown: bool) -> None:
    """Without payload: no tag, ``plain-text`` or a listed one. With payload: a listed one only."""
    one = thought(replay_compatibility=tag, payload=payload)
    assert kept([one]) == (["t1"] if shown else [])


@pytest.mark.parametrize(
    ("listed", "expected"),
    [(("strange",), ["none", "plain", "strange"]), ((), ["none", "plain"]), (("plain-text",), ["none", "plain", "pp"])],
)
def test_the_listed_tags_are_those_of_the_options(listed: tuple[str, ...], expected: list[str]) -> None:
    """Listing ``plain-text`` lets payloads of that tag through; what needs no tag stays."""
    thoughts = [
        thought(id="none"),
        thought(id="plain", replay_compatibility="plain-text"),
        thought(id="pp", replay_compatibility="plain-text", payload=PAYLOAD),
        thought(id="strange", replay_compatibility="strange"),
        thought(id="ours", replay_compatibility=REASONING_TAG),
    ]
    assert sorted(kept(thoughts, replay_compatibility=listed)) == sorted(expected)


def test_thoughts_stand_in_time_then_by_id() -> None:
    """Ids by code point; the whole time counts, not what is shown of it."""
    thoughts = [
        thought(id="b", created_at=at(1)),
        thought(id="a", created_at=at(1)),
        thought(id="B", created_at=at(1)),
        thought(id="late", created_at=at(1.000001)),
        thought(id="early", created_at=at(0.999999)),
    ]
    assert kept(thoughts) == ["early", "B", "a", "b", "late"]


def test_latest_self_keeps_the_last_of_what_is_kept() -> None:
    """After author and tag were looked at; nothing when nothing was kept."""
    thoughts = [
        thought(id="old", created_at=at(0)),
        thought(id="new", created_at=at(1)),
        thought(id="untold", created_at=at(2), replay_compatibility="strange"),
        thought(id="peer", created_at=at(3), identity="x"),
    ]
    assert kept(thoughts, thought_surfacing="latest-self") == ["new"]
    assert kept(thoughts[2:], thought_surfacing="latest-self") == []
    assert kept([], thought_surfacing="latest-self") == []


THOUGHTS = st.lists(
    st.builds(
        lambda number, seconds, identity, tag, payload: thought(
            id=f"t{number}",
            created_at=at(seconds),
            identity=identity,
            replay_compatibility=tag if payload is None else tag or "x",
            payload=payload,
        ),
        st.integers(0, 9),
        st.integers(0, 3),
        st.sampled_from(["assistant", "x"]),
        st.sampled_from([None, "plain-text", REASONING_TAG, "strange"]),
        st.sampled_from([None, PAYLOAD]),
    ),
    max_size=6,
)


@given(THOUGHTS, st.sampled_from(["all", "all-self", "latest-self"]))
def test_the_filter_gives_thoughts_it_was_given(thoughts: list[Thought], surfacing: str) -> None:
    """The same objects, in order; each mode keeps no more than the one before it; the argument is not changed."""
    before = list(thoughts)
    shown = thought_filter(thoughts, options(thought_surfacing=surfacing))

    assert before == thoughts
    assert {id(one) for one in shown} <= {id(one) for one in thoughts}
    assert [(one.created_at, one.id) for one in shown] == sorted((one.created_at, one.id) for one in shown)
    own = thought_filter(thoughts, options(thought_surfacing="all-self"))
    assert thought_filter(thoughts, options(thought_surfacing="latest-self")) == own[-1:]
    everyone = thought_filter(thoughts, options(thought_surfacing="all"))
    assert [one for one in everyone if one.identity.identifier == "assistant"] == own


# --- thought

render_thought = make_thought(nonce=nonce, neutraliser=neutraliser)


def test_an_own_thought_stands_in_its_envelope() -> None:
    """nonce, kind, from, createdAt; ``from`` shows the representation, escaped; the body is neutralised."""
    one = thought("I see.", id="t 1", identity=Identity(identifier="assistant", representation='A "b"'))

    assert render_thought(one, "self-reasoning") == (
        '<thought_N(t 1) nonce="N(t 1)" kind="self-reasoning" from="A &quot;b&quot;"'
        f' createdAt="{SHOWN_NOON}">\n~I see.~\n</thought_N(t 1)>'
    )


def test_a_peers_thought_is_wrapped_once_more() -> None:
    """In an envelope of peer output, of the same nonce and of kind reasoning; the body is neutralised once."""
    one = thought("I see.", identity=Identity(identifier="x", representation="X"))
    tail = f'from="X" createdAt="{SHOWN_NOON}"'

    assert render_thought(one, "peer-reasoning") == (
        f'<peer_agent_output_N(t1) nonce="N(t1)" kind="reasoning" {tail}>\n'
        f'<thought_N(t1) nonce="N(t1)" kind="peer-reasoning" {tail}>\n~I see.~\n</thought_N(t1)>\n'
        "</peer_agent_output_N(t1)>"
    )


# --- timeline_message


def timeline_message(message: Any, media_blocks: Any = blocks) -> list[dict[str, Any]]:
    """The default with fakes."""
    seam = make_timeline_message(nonce=nonce, neutraliser=neutraliser, media_blocks=media_blocks)
    return settle(seam(message, Notes().context))


def test_a_user_message_is_one_item_of_one_part() -> None:
    """from, role, createdAt; no nonce attribute; the body neutralised."""
    one = user("Hello", id="u 1", identity=Identity(identifier="u", representation="Ann <a>\n"))

    assert timeline_message(one) == [
        {
            "type": "message",
            "role": "user",
            "content": [
                {
                    "type": "input_text",
                    "text": f'<message_N(u 1) from="Ann &lt;a&gt;&#10;" role="user" createdAt="{SHOWN_NOON}">\n'
                    "~Hello~\n</message_N(u 1)>",
                }
            ],
        }
    ]


def test_a_users_attachments_follow_in_the_same_item() -> None:
    """In order, whatever the seam gives for each; one that gives nothing adds nothing."""
    one = user("Look", attachments=[media(id="b"), media(id="a"), media(id="none")])

    def some(item: Any, context: Any) -> list[dict[str, Any]]:
        return [] if item.id == "none" else [{"type": "x", "of": item.id}, {"type": "y"}]

    [item] = timeline_message(one, some)

    assert [part.get("of", part["type"]) for part in item["content"]] == ["input_text", "b", "y", "a", "y"]


def test_a_peer_message_is_plain_text_under_the_assistant_role() -> None:
    """A string, because the API refuses input parts there; no role on the tag."""
    one = peer("Found it", identity=Identity(identifier="r", representation="R"))

    assert timeline_message(one) == [
        {
            "type": "message",
            "role": "assistant",
            "content": f'<peer_agent_output_N(p1) from="R" createdAt="{SHOWN_NOON}">\n~Found it~\n'
            "</peer_agent_output_N(p1)>",
        }
    ]


def test_a_peers_attachments_follow_in_one_user_item() -> None:
    """All of them together, behind the text."""
    text, attachments = timeline_message(peer("See", attachments=[media(id="a"), media(id="b")]))

    assert (text["role"], attachments["role"], attachments["type"]) == ("assistant", "user", "message")
    assert [part["of"] for part in attachments["content"]] == ["a", "b"]


@pytest.mark.parametrize("make", [user, peer])
def test_only_an_attachment_still_has_its_envelope(make: Any) -> None:
    """With an empty body, so that it is known who sent it."""
    items = timeline_message(make(None, attachments=[media()]))
    content = items[0]["content"]
    text = content if isinstance(content, str) else content[0]["text"]

    assert ">\n~~\n</" in text


def test_a_refusal_is_the_body_of_what_has_no_text() -> None:
    """A peer that only refused; text goes before a refusal."""
    assert "\n~I can't.~\n" in timeline_message(peer(None, refusal="I can't."))[0]["content"]
    both = timeline_message(peer("Text", refusal="I can't."))[0]["content"]
    assert "~Text~" in both
    assert "can't" not in both


@pytest.mark.parametrize("make", [user, peer])
def test_attachments_may_wait(make: Any) -> None:
    """The same items as of a plain seam."""
    one = make("x", attachments=[media(id="a"), media(id="b")])
    assert timeline_message(one, waiting_blocks) == timeline_message(one)


def test_a_time_is_shown_cut_to_the_millisecond() -> None:
    """Not rounded."""
    assert (
        'createdAt="2026-01-01T12:00:00.999Z"' in timeline_message(user(created_at=at(0.9999)))[0]["content"][0]["text"]
    )


# --- own_message

own_message = make_own_message(neutraliser=neutraliser)


def test_an_own_message_goes_out_in_output_shape() -> None:
    """Completed, text neutralised, without id; annotations go out empty though the state keeps them."""
    one = assistant("Hi", annotations=[{"type": "url_citation"}])

    assert own_message(one) == {
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": [{"type": "output_text", "text": "~Hi~", "annotations": []}],
    }


def test_a_refusal_is_a_part_behind_the_text() -> None:
    """Neutralised as well; alone when there is no text."""
    refusal = {"type": "refusal", "refusal": "~no~"}
    both = own_message(assistant("Hi", refusal="no"))
    alone = own_message(assistant(None, refusal="no"))

    assert both is not None
    assert alone is not None
    assert [part["type"] for part in both["content"]] == ["output_text", "refusal"]
    assert alone["content"] == [refusal]


def test_an_incomplete_message_says_so_and_keeps_its_phase() -> None:
    """``status`` and ``phase`` go back as the provider gave them; no phase, no key."""
    item = own_message(assistant("Hi", incomplete=True, phase="commentary"))
    plain = own_message(assistant("Hi"))

    assert item is not None
    assert plain is not None
    assert (item["status"], item["phase"]) == ("incomplete", "commentary")
    assert "phase" not in plain


@pytest.mark.parametrize("content", [None, ""])
def test_nothing_to_show_is_no_item(content: str | None) -> None:
    """Attachments are shown elsewhere."""
    assert own_message(assistant(content, attachments=[media()])) is None


def test_white_space_is_text() -> None:
    """It is what the model said."""
    item = own_message(assistant(" "))
    assert item is not None
    assert item["content"][0]["text"] == "~ ~"
