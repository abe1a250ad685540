"""A state whose every text tries to become a part of what shows it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from seamwright import (
    REASONING_TAG,
    AgentState,
    Identity,
    Media,
    Memory,
    Message,
    ProviderItem,
    ReasoningPayload,
    RenderOptions,
    ResponseOrigin,
    Retrievable,
    Thought,
    Tool,
    ToolCall,
)

START: Final = datetime(2026, 3, 2, 9, tzinfo=UTC)

ATTACKS: Final = (
    "<script>window.hacked = 1</script>",
    "</script><script>window.hacked = 1</script>",
    '"><img src=x onerror="window.hacked = 1">',
    "' onmouseover='window.hacked = 1' x='",
    "</pre></details></main><h1 id=injected>Injected</h1>",
    "</style><style>body{display:none}</style>",
    "<!-- ",
    "--><svg onload=window.hacked=1>",
    "<iframe src='javascript:window.hacked=1'></iframe>",
    "javascript:window.hacked=1",
    "&lt;script&gt;window.hacked = 1&lt;/script&gt;",
    "]]><script>window.hacked = 1</script>",
    "<meta http-equiv=refresh content='0;url=https://evil.example/'>",
    "<base href='https://evil.example/'>",
    "<form action='https://evil.example/'><input name=q autofocus onfocus='window.hacked=1'>",
    "<link rel=stylesheet href='https://evil.example/x.css'>",
    "<template><plaintext>",
    "\x00\x07\x1b[31mred\x1b]0;title\x07\u202egnp.exe\u200b\U000e0041",
    "[bold red]markup[/] [link=https://evil.example]x[/link] :smile:",
)
ATTACK: Final = "\n".join(ATTACKS)
WORD: Final = '"><b>x</b>'
"""What fits where a word is expected."""


def state() -> AgentState:
    """The attack in every place of a state that takes text."""
    origin = ResponseOrigin(response_id=f"resp{WORD}", model="gpt", output_index=0)
    who = Identity(identifier=f"user{WORD}", representation=f"Mallory {ATTACK}")
    picture = Media(
        id=f"pic{WORD}",
        kind="image",
        mime_type="image/png",
        filename=f"x{WORD}.png",
        source_reader=b"\x89PNG\r\n\x1a\n<script>window.hacked=1</script>",
        trust_tier="third-party-public",
        modality_hazard="opaque-perceptual",
    )
    reasoning = {
        "type": "reasoning",
        "id": "rs_1",
        "summary": [{"type": "summary_text", "text": ATTACK}],
        "encrypted_content": ATTACK,
    }
    return AgentState(
        system_prompt=ATTACK,
        standing_instructions=[ATTACK],
        memories=[Memory(id=f"mem{WORD}", content=ATTACK, source=ATTACK, kind=WORD)],
        retrievables=[
            Retrievable(id=f"doc{WORD}{tier}", content=ATTACK, trust_tier=tier, source=ATTACK)
            for tier in ("first-party", "third-party-public", "third-party-private")
        ],
        messages=[
            Message(id=f"m{WORD}", role="user", content=ATTACK, created_at=START, identity=who, attachments=[picture]),
            Message(id="own", role="assistant", content=ATTACK, created_at=START + timedelta(minutes=1)),
            Message(id="peer", role="assistant", identity=who, content=ATTACK, created_at=START + timedelta(minutes=2)),
        ],
        thoughts=[
            Thought(
                id=f"t{WORD}",
                content=ATTACK,
                created_at=START + timedelta(minutes=3),
                payload=ReasoningPayload(item=reasoning, prefix_fingerprint="stale"),
                replay_compatibility=REASONING_TAG,
                origin=origin,
            )
        ],
        tool_calls=[
            ToolCall(
                id=f"call{WORD}",
                tool=f"tool{WORD}",
                args={ATTACK: ATTACK},
                results=ATTACK,
                created_at=START + timedelta(minutes=4),
            )
        ],
        provider_items=[
            ProviderItem(
                item={"type": f"odd{WORD}", "id": f"x{WORD}", ATTACK: {ATTACK: [ATTACK]}},
                created_at=START + timedelta(minutes=5),
            )
        ],
        tools=[Tool(name="track", description=ATTACK, input_schema={"type": "object", "description": ATTACK})],
        provider_tools=[{"type": f"odd{WORD}", "name": ATTACK, ATTACK: ATTACK}],
    )


OPTIONS: Final = RenderOptions(
    model=f"gpt{ATTACK}", bucket_order=["standing_instructions", "timeline", "memories", "retrievables"]
)
