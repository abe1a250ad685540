"""What seams are given by the orchestrator: primitives whose texts are rendered and hold no lone surrogates."""

from __future__ import annotations

from typing import Any, Final, TypeVar

import attrs
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from seamwright.model.knowledge import Memory, Retrievable
from seamwright.model.message import Message
from seamwright.model.options import RenderOptions
from seamwright.model.state import AgentState
from seamwright.model.text import replace_lone_surrogates
from seamwright.model.thought import Thought
from seamwright.model.tool_call import ToolCall
from seamwright.model.trust import TrustTier
from seamwright.pipeline.entering import Entrance
from seamwright.seams.context import BuildContext, ignore_warning
from seamwright.testing import strategies as given
from seamwright.testing.strategies import BASE_TIME

T = TypeVar("T", bound=attrs.AttrsInstance)

_ENTRANCE: Final = Entrance(None, ignore_warning)

PLAIN: Final = "tea at four"
"""A body that every renderer has to show."""

OPTIONS: Final = RenderOptions(model="gpt-test", unsupported_media_policy="synthetic-description")
CONTEXT: Final = BuildContext(OPTIONS)

MEMORY: Final = Memory(id="k1", content=PLAIN)
MESSAGE: Final = Message(id="m1", role="user", content=PLAIN, created_at=BASE_TIME, identity="user")
PEER: Final = Message(id="m2", role="assistant", content=PLAIN, created_at=BASE_TIME, identity="peer")
OWN: Final = Message(id="msg_1", role="assistant", content=PLAIN, created_at=BASE_TIME)
THOUGHT: Final = Thought(id="t1", content=PLAIN, created_at=BASE_TIME)
CALL: Final = ToolCall(id="call_1", tool="lookup", args="{}", created_at=BASE_TIME, results=PLAIN)


def document(tier: TrustTier) -> Retrievable:
    """A document that has to be shown."""
    return Retrievable(id="r1", content=PLAIN, trust_tier=tier)


def clean(things: SearchStrategy[T]) -> SearchStrategy[T]:
    """Primitives as they have entered."""
    return things.map(_ENTRANCE.thing)


def clean_texts() -> SearchStrategy[str]:
    """Texts as they have entered."""
    return given.texts().map(replace_lone_surrogates)


def clean_ids() -> SearchStrategy[str]:
    """Ids as they have entered."""
    return given.ids().map(replace_lone_surrogates)


def clean_states(**fields: Any) -> SearchStrategy[AgentState]:
    """States as they have entered."""
    return given.states(**fields).map(_ENTRANCE.state)


def clean_options(**fields: Any) -> SearchStrategy[RenderOptions]:
    """Options as they have entered."""
    return given.options(**fields).map(_ENTRANCE.options)


def contexts(**fields: Any) -> SearchStrategy[BuildContext]:
    """Builds with any options; ``fields`` are strategies of options. No policy is ``throw``."""
    registries = st.lists(clean(given.tools()), max_size=2, unique_by=lambda tool: tool.name)
    made = registries.map(lambda tools: AgentState(tools=tools).tools)
    return st.builds(BuildContext, clean_options(**fields), made)


def small_states(**fields: Any) -> SearchStrategy[AgentState]:
    """States whose operator texts are harmless, because those are nobody's to neutralise."""
    own: dict[str, Any] = {
        "system_prompt": st.sampled_from(("", "You are a support agent.")),
        "standing_instructions": st.sampled_from(((), ("Answer briefly.", "", "Be kind."))),
    }
    return clean_states(**own | fields)
