"""How one request is rendered."""

from __future__ import annotations

from typing import Any, Final, Literal

import attrs

from seamwright.errors import Fault, InvalidStateError, nearest
from seamwright.model.budget import TokenBudget, as_budget, budget_problem
from seamwright.model.checks import OPTIONAL_FLAG, OPTIONAL_TEXT, TEXT, Check, as_tuple, one_of, tuple_of
from seamwright.model.endpoints import ENDPOINTS, OPENAI, EndpointProfile
from seamwright.model.guards import is_array
from seamwright.model.spelling import shown
from seamwright.model.thought import REASONING_TAG

Bucket = Literal["standing_instructions", "memories", "retrievables", "timeline"]
BUCKETS: Final[tuple[Bucket, ...]] = ("standing_instructions", "memories", "retrievables", "timeline")

DEFAULT_STASH_KEYS: Final = ("text:transcript", "text:caption", "text:description")


@attrs.frozen
class FallbackStash:
    """A media policy: the first stash entry with text among ``keys``, in their order."""

    keys: tuple[str, ...] = attrs.field(
        default=DEFAULT_STASH_KEYS, converter=as_tuple, validator=tuple_of(str, "a stash key")
    )


MediaPolicy = Literal["throw", "fallback-stash", "synthetic-description"] | FallbackStash
_POLICY_WORDS: Final = one_of("throw", "fallback-stash", "synthetic-description")


def _policy(value: object) -> str | None:
    return None if isinstance(value, FallbackStash) else _POLICY_WORDS.problem(value)


def bucket_faults(order: object, path: str) -> list[Fault]:
    """What is wrong with a bucket order: every unknown bucket at its index, one named twice at the whole."""
    if not is_array(order):
        return [Fault(path, f"{shown(order)} is not a list of buckets")]
    known: list[str] = []
    faults: list[Fault] = []
    for index, name in enumerate(order):
        if isinstance(name, str) and name in BUCKETS:
            known.append(name)
        else:
            hint = nearest(name, BUCKETS) if isinstance(name, str) else ""
            faults.append(Fault(f"{path}[{index}]", f"{shown(name)} is not one of {', '.join(BUCKETS)}{hint}"))
    if len(known) != len(set(known)):
        faults.append(Fault(path, "a bucket is named twice"))
    return faults


def _endpoint(value: object) -> str | None:
    if isinstance(value, EndpointProfile):
        return None
    hint = nearest(value, ENDPOINTS) if isinstance(value, str) else ""
    return f"{shown(value)} is not an endpoint profile ({', '.join(ENDPOINTS)}){hint}"


def as_endpoint(value: Any) -> Any:
    """A name becomes its profile; a name that is none is left for the check to refuse."""
    return ENDPOINTS.get(value, value) if isinstance(value, str) else value


@attrs.frozen(kw_only=True)
class RenderOptions:
    """The options of one build; only ``model`` is required.

    ``bucket_order``: which buckets stand before and after the timeline; without ``timeline`` everything leads.
    ``thought_surfacing``: whose thoughts are shown. ``replay_compatibility``: tags whose thoughts may be replayed.
    ``strict``: None leaves strict mode to each tool. ``endpoint``: a profile, or the name of one. ``budget``: the most
    tokens a request may have, a :class:`TokenBudget` or its number; it needs the seam ``token_counter``.
    """

    model: str = attrs.field(validator=TEXT)
    bucket_order: tuple[Bucket, ...] = attrs.field(default=BUCKETS, converter=as_tuple)
    self_identity: str = attrs.field(default="assistant", validator=TEXT)
    thought_surfacing: Literal["all-self", "latest-self", "all"] = attrs.field(
        default="all-self", validator=one_of("all-self", "latest-self", "all")
    )
    replay_compatibility: tuple[str, ...] = attrs.field(
        default=(REASONING_TAG,), converter=as_tuple, validator=tuple_of(str, "a tag")
    )
    reasoning_replay: Literal["encrypted", "summary-only", "off"] = attrs.field(
        default="encrypted", validator=one_of("encrypted", "summary-only", "off")
    )
    system_prompt_channel: Literal["instructions", "developer-item", "system-item"] = attrs.field(
        default="instructions", validator=one_of("instructions", "developer-item", "system-item")
    )
    unsupported_media_policy: MediaPolicy = attrs.field(default="throw", validator=Check(_policy))
    strict: bool | None = attrs.field(default=None, validator=OPTIONAL_FLAG)
    standing_instructions_version: str | None = attrs.field(default=None, validator=OPTIONAL_TEXT)
    endpoint: EndpointProfile = attrs.field(default=OPENAI, converter=as_endpoint, validator=Check(_endpoint))
    budget: TokenBudget | None = attrs.field(
        default=None, converter=as_budget, validator=Check(budget_problem).or_none()
    )

    def __attrs_post_init__(self) -> None:
        if faults := bucket_faults(self.bucket_order, "RenderOptions.bucket_order"):
            raise InvalidStateError(faults)

    @property
    def leading_buckets(self) -> tuple[Bucket, ...]:
        """The buckets before the timeline; all of them when there is no timeline."""
        order = self.bucket_order
        return order[: order.index("timeline")] if "timeline" in order else order

    @property
    def trailing_buckets(self) -> tuple[Bucket, ...]:
        """The buckets after the timeline; none when there is no timeline."""
        order = self.bucket_order
        return order[order.index("timeline") + 1 :] if "timeline" in order else ()
