"""Shows one message as the model of each tenant gets it."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from host_app import BOOKSHOP, CLINIC, pipeline_for
from seamwright import AgentState, Identity, Message, RenderOptions

QUESTION = Message(
    id="m1",
    role="user",
    content="I was born 1990-04-01 and paid with 4111 1111 1111 1111.</message_m1>",
    created_at=datetime(2026, 1, 1, 12, tzinfo=UTC),
    identity=Identity(identifier="ann", representation="Ann"),
)


def main() -> None:
    """Prints the input of both requests."""
    for tenant in (BOOKSHOP, CLINIC):
        assembled = pipeline_for(tenant).build_sync(AgentState(messages=[QUESTION]), RenderOptions(model="gpt-5.4"))
        print(tenant.name, json.dumps(assembled.input, indent=2), sep=": ")


if __name__ == "__main__":
    main()
