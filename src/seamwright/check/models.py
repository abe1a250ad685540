"""What models can do, as far as it decides whether a request is accepted: a small table with a date.

A model that is not in the table gives no finding. ``check_request(…, models={"my-deployment": ModelCapabilities(…)})``
adds or replaces entries, by the name as it stands in the request.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

import attrs

TABLE_DATE: Final = "2026-09"
"""The month the table was last looked over."""


@attrs.frozen(kw_only=True)
class ModelCapabilities:
    """``None`` = not known, nothing is said.

    ``served``: by the Responses API at all. ``reasoning``: takes reasoning items and ``reasoning`` options.
    ``encrypted_content``: takes ``include: ["reasoning.encrypted_content"]``. ``images``, ``files``: takes
    ``input_image``, ``input_file``. ``cache_breakpoints``: takes ``prompt_cache_breakpoint``. ``sampling``: takes
    ``temperature`` and ``top_p`` while it reasons. ``computer_use_preview``: takes the tool of that name, which is
    reserved to one model.
    """

    served: bool | None = None
    reasoning: bool | None = None
    encrypted_content: bool | None = None
    images: bool | None = None
    files: bool | None = None
    cache_breakpoints: bool | None = None
    sampling: bool | None = None
    efforts: tuple[str, ...] = ()
    refused_tools: frozenset[str] = frozenset()


UNKNOWN: Final = ModelCapabilities()

RESERVED_TOOLS: Final = ("computer_use_preview", "computer", "local_shell", "shell", "apply_patch", "tool_search")
"""Hosted tools that only certain models have."""
_OLD_TOOLS: Final = frozenset({"computer_use_preview", "local_shell"})

_CHAT: Final = ModelCapabilities(
    served=True,
    reasoning=False,
    encrypted_content=False,
    images=True,
    files=True,
    cache_breakpoints=False,
    sampling=True,
    refused_tools=frozenset(RESERVED_TOOLS),
)
_TEXT_CHAT: Final = attrs.evolve(_CHAT, images=False, files=False)
_THINKER: Final = attrs.evolve(
    _CHAT, reasoning=True, encrypted_content=True, sampling=False, efforts=("low", "medium", "high")
)
_TEXT_THINKER: Final = attrs.evolve(_THINKER, images=False, files=False)
_GPT_5: Final = attrs.evolve(
    _THINKER,
    efforts=("minimal", "low", "medium", "high"),
    refused_tools=_OLD_TOOLS | {"computer", "tool_search"},
)
_GPT_5_1: Final = attrs.evolve(_GPT_5, efforts=("none", "low", "medium", "high", "xhigh"))
_GPT_5_4: Final = attrs.evolve(_GPT_5_1, refused_tools=_OLD_TOOLS)
_NEW_THINKER: Final = attrs.evolve(_GPT_5_4, cache_breakpoints=True, efforts=())
_COMPUTER: Final = attrs.evolve(
    _THINKER, encrypted_content=None, sampling=None, efforts=(), refused_tools=frozenset({"local_shell", "tool_search"})
)
_LOCAL_SHELL: Final = attrs.evolve(
    _THINKER, refused_tools=frozenset({"computer_use_preview", "computer", "tool_search"})
)
_ELSEWHERE: Final = ModelCapabilities(served=False)

MODELS: Final[tuple[tuple[str, ModelCapabilities], ...]] = (
    (r"(gpt|chatgpt)-.*(audio|realtime|transcribe|tts|search-preview|search-api|instruct|image)", _ELSEWHERE),
    (r"(tts|whisper|dall-e|sora|text-embedding|(omni|text)-moderation|babbage|davinci)\b", _ELSEWHERE),
    (r"computer-use-preview", _COMPUTER),
    (r"gpt-5-chat", attrs.evolve(_CHAT, sampling=None)),
    # the later chat models think when they see fit; what they refuse is not reported
    (r"gpt-[5-9](\.\d+)?-chat", UNKNOWN),
    # the special ones of the first generation know fewer efforts than the rest of it
    (r"gpt-5-(pro|codex)", attrs.evolve(_GPT_5, efforts=())),
    (r"gpt-5(-|$)", _GPT_5),
    (r"gpt-5\.[1-3](-|$)", _GPT_5_1),
    (r"gpt-5\.[45](-|$)", _GPT_5_4),
    (r"gpt-(5\.([6-9]|\d\d)|[6-9](\.\d+)?)(-|$)", _NEW_THINKER),
    (r"(o1-mini|o3-mini)", _TEXT_THINKER),
    (r"(o1|o3|o4-mini)(-|$)", _THINKER),
    (r"codex-mini", _LOCAL_SHELL),
    (r"(gpt-4o|gpt-4\.1|gpt-4\.5|gpt-4-turbo|chatgpt-4o)", _CHAT),
    (r"(gpt-4|gpt-3\.5)(-|$)", _TEXT_CHAT),
)
"""Model names as patterns, most special first; the first that matches the beginning of a bare name decides."""

_PATTERNS: Final = tuple((re.compile(pattern), capabilities) for pattern, capabilities in MODELS)
_ROUTED: Final = re.compile(r"^(?:ft:|openai[/.]|azure/)+")


def bare_model(name: str) -> str:
    """A model name without the prefix of a router or a fine-tune: ``openai/gpt-5`` → ``gpt-5``."""
    return _ROUTED.sub("", name.lower())


def capabilities_of(model: object, overrides: Mapping[str, ModelCapabilities] | None = None) -> ModelCapabilities:
    """What is known of *model*, an override first; ``UNKNOWN`` for anything not in the table, or no string."""
    if not isinstance(model, str):
        return UNKNOWN
    if overrides and model in overrides:
        return overrides[model]
    bare = bare_model(model)
    return next((capabilities for pattern, capabilities in _PATTERNS if pattern.match(bare)), UNKNOWN)
