"""A state that shows every envelope there is, with a slot for each text that may come from outside."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal

from seamwright import (
    AgentState,
    AssembledInput,
    Identity,
    Media,
    Memory,
    Message,
    Pipeline,
    ProviderItem,
    RenderOptions,
    Retrievable,
    SpooledArtifact,
    StashEntry,
    Thought,
    ToolCall,
    ToolMethod,
)
from seamwright_containers import hardened_pipeline, responses_pipeline

Kind = Literal["body", "name", "id"]
Fill = Callable[[str, Kind], str]
"""What stands in a slot, by the slot's name and kind."""

PIPELINES: Final = {"default": responses_pipeline(), "hardened": hardened_pipeline(secret=b"known to nobody")}

_SITUATIONS: Final[Mapping[str, Mapping[str, Any]]] = {
    "native": {},
    "described": {"unsupported_media_policy": "synthetic-description", "system_prompt_channel": "developer-item"},
    "texts": {"endpoint": "compatible", "bucket_order": ("timeline", "memories", "retrievables")},
}
SITUATIONS: Final = tuple(_SITUATIONS)
PNG: Final = b"\x89PNG\r\n\x1a\n\x00"
_START: Final = datetime(2026, 1, 1, tzinfo=UTC)


def build(pipeline: Pipeline, situation: str, fill: Fill) -> AssembledInput:
    """The request of the scene with its slots filled."""
    options = RenderOptions(
        **{
            "model": "m",
            "thought_surfacing": "all",
            "unsupported_media_policy": "fallback-stash",
            **_SITUATIONS[situation],
        }
    )
    return pipeline.build_sync(scene(fill), options)


def scene(fill: Fill) -> AgentState:
    """The state with its slots filled. Nothing but what stands in the slots differs."""
    return _Scene(fill).state()


class _Scene:
    """Makes the things of a state, each at a time of its own, so that no id decides their order."""

    def __init__(self, fill: Fill) -> None:
        self._fill = fill
        self._time = _START

    def state(self) -> AgentState:
        return AgentState(
            system_prompt="Be brief.",
            standing_instructions=["Answer in English."],
            memories=[
                self.memory("m-unknown", None),
                self.memory("m-web", self.name("m-web.source")),
                self.memory("m-operator", "operator"),
            ],
            retrievables=[
                self.retrievable(f"{tier}-{form}", tier, form)
                for tier in ("first-party", "third-party-public", "third-party-private")
                for form in ("text", "inline", "handle")
            ],
            messages=self.messages(),
            thoughts=[self.thought("own", "assistant"), self.thought("peer", "peer")],
            tool_calls=self.calls(),
            provider_items=[self.unanswered("custom")],
        )

    def body(self, name: str) -> str:
        return self._fill(name, "body")

    def name(self, name: str) -> str:
        return self._fill(name, "name")

    def id(self, name: str) -> str:
        return self._fill(f"{name}.id", "id")

    def now(self) -> datetime:
        self._time += timedelta(seconds=1)
        return self._time

    def memory(self, name: str, source: str | None) -> Memory:
        return Memory(
            id=self.id(name),
            content=self.body(name),
            source=source,
            kind=self.name(f"{name}.kind"),
            created_at=self.now(),
        )

    def artifact(self, name: str) -> SpooledArtifact:
        method = ToolMethod(name=self.name(f"{name}.method"), description=self.body(f"{name}.described"))
        return SpooledArtifact(reader=self.body(name), tool_methods=[method])

    def retrievable(self, name: str, tier: Any, form: str) -> Retrievable:
        return Retrievable(
            id=self.id(name),
            content=self.body(name) if form == "text" else self.artifact(name),
            inline=form == "inline",
            trust_tier=tier,
            source=self.name(f"{name}.source"),
            kind=self.name(f"{name}.kind"),
            created_at=self.now(),
        )

    def media(self, name: str, kind: Any = "image", tier: Any = "third-party-private") -> Media:
        sources = {"image": PNG, "document": b"%PDF-1.7\n"}
        types = {"image": "image/png", "document": "application/pdf"}
        return Media(
            id=self.id(name),
            kind=kind,
            mime_type=types.get(kind) or self.name(f"{name}.type"),
            filename=self.name(f"{name}.file"),
            source_reader=sources.get(kind, b"sound"),
            trust_tier=tier,
            modality_hazard="extractable-instructions",
            stash={"text:caption": StashEntry(value=self.body(name), trust_tier=tier)},
        )

    def every_media(self, name: str) -> list[Media]:
        kinds = ("image", "document", "audio")
        return [self.media(f"{name}-{kind}", kind, tier) for kind, tier in zip(kinds, _TIERS, strict=True)]

    def message(self, name: str, author: str, **fields: Any) -> Message:
        identity = Identity(identifier=author, representation=self.name(f"{name}.author"))
        role: Any = "user" if author == "user" else "assistant"
        content = {} if "refusal" in fields else {"content": self.body(name)}
        return Message(id=self.id(name), role=role, identity=identity, created_at=self.now(), **{**content, **fields})

    def messages(self) -> list[Message]:
        said = [
            self.message(author, author, attachments=attachments)
            for author in ("user", "peer", "assistant")
            for attachments in ([], self.every_media(author))
        ]
        refused = [
            self.message(f"{author}-refusal", author, refusal=self.body(f"{author}-refusal"))
            for author in ("peer", "assistant")
        ]
        return [*said, *refused]

    def thought(self, name: str, author: str) -> Thought:
        identity = Identity(identifier=author, representation=self.name(f"thought-{name}.author"))
        body = self.body(f"thought-{name}")
        return Thought(id=self.id(f"thought-{name}"), content=body, identity=identity, created_at=self.now())

    def call(self, name: str, results: Any, **fields: Any) -> ToolCall:
        tool = self.name(f"{name}.tool")
        args = {"number": name}  # no two calls share a checksum
        fields = {"trusted": False, **fields}
        return ToolCall(id=self.id(name), tool=tool, args=args, results=results, created_at=self.now(), **fields)

    def calls(self) -> list[ToolCall]:
        return [
            self.call("call-text", self.body("call-text")),
            self.call("call-trusted", self.body("call-trusted"), trusted=True),
            self.call("call-checked", self.body("call-checked"), checksum=self.id("call-checksum")),
            self.call("call-artifacts", [self.artifact("call-one"), self.artifact("call-other")]),
            self.call("call-handle", self.artifact("call-handle"), inline=False),
            self.call("call-media", self.every_media("call-media")),
            self.call("call-trusted-media", self.every_media("call-trusted-media"), trusted=True),
            self.call("call-pending", None),
        ]

    def unanswered(self, name: str) -> ProviderItem:
        item = {"type": "custom_tool_call", "call_id": self.id(name), "name": "run", "input": self.body(name)}
        return ProviderItem(item=item, created_at=self.now())


_TIERS: Final = ("third-party-public", "first-party", "first-party")


def _slots() -> dict[str, Kind]:
    found: dict[str, Kind] = {}

    def note(name: str, kind: Kind) -> str:
        assert found.setdefault(name, kind) == kind
        return name

    for situation in SITUATIONS:
        build(PIPELINES["default"], situation, note)
    return found


SLOTS: Final[Mapping[str, Kind]] = _slots()
