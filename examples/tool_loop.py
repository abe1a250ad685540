"""A complete agent turn over the client of the vendor: stream, run the tools in parallel, go on until all is answered.

python examples/tool_loop.py

The model is a script on a server of this machine, so it runs without a key and without a network. For the real one,
make the client with ``OpenAI()``; nothing else changes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from openai import DefaultHttpxClient, OpenAI

from seamwright import AgentState, RenderOptions, Session, Tool, ToolCall
from seamwright.testing.server import ResponsesServer, function_call, message, reasoning, response
from seamwright_containers import responses_pipeline

# --- the tools: ordinary functions, and what the model is told of them


def repair_status(ticket: str) -> str:
    """What the workshop knows about a repair."""
    return {"K-204": "waiting for a brake cable; done on Thursday at 15:00"}[ticket]


def forecast(day: str) -> str:
    """The weather of a day, from a service that is not ours."""
    return {"Thursday": "rain from noon", "Friday": "dry"}[day]


def book_pickup(ticket: str, day: str) -> str:
    """Books a time at the counter."""
    return f"pickup of {ticket} booked for {day}, 9:00"


def takes(*names: str) -> dict[str, Any]:
    """The schema of arguments that are all texts."""
    return {"type": "object", "properties": {name: {"type": "string"} for name in names}, "required": list(names)}


HANDLERS: Final[Mapping[str, Callable[..., str]]] = {
    "repair_status": repair_status,
    "forecast": forecast,
    "book_pickup": book_pickup,
}
STATE: Final = AgentState(
    system_prompt="You answer for a bicycle workshop. Be brief.",
    tools=[
        # What a trusted tool gives stands in no envelope for text from outside.
        Tool(name="repair_status", description="Looks a repair up.", input_schema=takes("ticket"), trusted=True),
        Tool(name="forecast", description="The weather of a day.", input_schema=takes("day")),
        Tool(name="book_pickup", description="Books a pickup.", input_schema=takes("ticket", "day"), trusted=True),
    ],
)


# --- the loop


def run(call: ToolCall) -> tuple[str, bool]:
    """Runs one call. A mistake of the model's, like an unknown tool or a wrong argument, is told to the model."""
    try:
        return HANDLERS[call.tool](**call.parsed_args()), False
    except Exception as error:  # noqa: BLE001 whatever a tool raises, the model gets an answer to its call
        return f"{type(error).__name__}: {error}", True


def take_turn(session: Session, question: str) -> None:
    """One question: requests and tool calls until the model waits for nothing more."""
    print(f"\nuser   {question}")
    said: str | None = question
    while True:
        speaking = False
        for event in session.stream(said):  # the client's own events, as they come
            if event.type == "response.output_text.delta":
                print(event.delta if speaking else f"agent  {event.delta}", end="", flush=True)
                speaking = True
        if speaking:
            print()
        told(session)
        if not session.pending:
            return
        calls = session.pending
        with ThreadPoolExecutor() as threads:
            results = list(threads.map(run, calls))
        for call, (result, is_error) in zip(calls, results, strict=True):
            print(f"tool   {call.tool} {call.args}: {result}")
            session.complete(call.id, result, is_error=is_error)
        said = None  # the next request carries the results


def told(session: Session) -> None:
    """Says what the last request carried of the reasoning so far, and what was left out of it."""
    turn = session.turn
    if turn is not None:
        sent = [item["type"] for item in turn.request.input]
        print(f"       (items sent: {len(sent)}, encrypted reasoning among them: {sent.count('reasoning')})")
        for warning in turn.request.warnings:
            print(f"       {warning.code} {warning.subject_id}: {warning.text}", file=sys.stderr)


# --- the model: what it answers to one request after the other

SCRIPT: Final = (
    response(
        reasoning("Two questions in one: the repair, and the weather then."),
        function_call("repair_status", {"ticket": "K-204"}),
        function_call("forecast", {"day": "Thursday"}),
    ),
    response(reasoning(), message("It is done on Thursday at 15:00, but it rains from noon.")),
    response(reasoning(), function_call("forecast", {"day": "Friday"})),
    response(reasoning(), function_call("book_pickup", {"ticket": "K-204", "day": "Friday"})),
    response(reasoning(), message("Friday stays dry. Your pickup is booked for 9:00.")),
    response(message("You are welcome.")),
)


def main() -> None:
    """Three turns of one conversation."""
    with (
        ResponsesServer(SCRIPT) as server,
        # trust_env: a proxy for the network has no business between here and this machine.
        DefaultHttpxClient(trust_env=False) as http_client,
        OpenAI(base_url=server.base_url, api_key="none", http_client=http_client) as client,
    ):
        options = RenderOptions(model="gpt-5.4")
        session = Session(client, responses_pipeline(), STATE, options, reasoning={"effort": "low"})
        take_turn(session, "My bike is K-204. Is it done before the rain?")
        take_turn(session, "Then book me the next dry day.")
        take_turn(session, "Thank you.")


if __name__ == "__main__":
    main()
