"""A small Responses server on loopback, for tests of code that talks to the API.

It answers ``POST …/responses`` from a script, plain or streamed as the request asks, keeps what it was sent, and
refuses with the API's own status, code and text. What the checker calls an error, the server refuses by itself::

    with ResponsesServer([response(message("Hello."))]) as server:
        client = OpenAI(base_url=server.base_url, api_key="none")
        client.responses.create(model="gpt-5.4", input="Hi.")
    assert server.requests[0]["input"] == "Hi."
"""

from __future__ import annotations

import contextlib
import json
import re
import socket
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from types import TracebackType
from typing import Any, Final, Protocol, Self, cast

import attrs

from seamwright.check import check_request
from seamwright.check.json_types import is_object
from seamwright.check.paths import locate
from seamwright.testing.events import CHUNK, sse, sse_event, stream_events
from seamwright.testing.items import encrypted_content, function_call, item, message, reasoning, response
from seamwright.testing.refusals import RULES, Refusal, refusal, refusal_of

__all__ = [
    "Refusal",
    "ResponsesServer",
    "Stream",
    "encrypted_content",
    "function_call",
    "item",
    "message",
    "reasoning",
    "refusal",
    "refusal_of",
    "response",
    "sse",
    "sse_event",
    "stream_events",
]

Body = dict[str, Any]


@attrs.frozen
class Stream:
    """A streamed answer, event by event.

    ``drop``: the connection is lost behind the last one, in the midst of the answer.
    """

    events: Sequence[Mapping[str, Any]]
    drop: bool = False


Reply = Mapping[str, Any] | Refusal | Stream
"""A response (streamed when the request asks for it), a refusal, or a stream given event by event."""


class ViolationLike(Protocol):
    """What a checker reports: the shape of ``seamwright.check.Violation``."""

    @property
    def rule(self) -> str: ...
    @property
    def severity(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def message(self) -> str: ...


Checker = Callable[[Body], Sequence[ViolationLike]]

_ITEM: Final = re.compile(r"input\[\d+\]")


class ResponsesServer:
    """Answers requests in the order of ``script``, or by calling it when it is a function of the request's body.

    ``requests`` holds every JSON body that came in, refused ones included, ``headers`` the headers of each, with
    lower-case names. A request that ``checker`` reports an error for is refused as the API would, without using up a
    reply: by default what :func:`seamwright.check.check_request` finds for OpenAI's own endpoint;
    ``partial(check_request, endpoint="azure")`` is another's, None takes everything. A request the script has no reply
    for gets a 400 that says so. Listens on 127.0.0.1 only, on a free port.
    """

    def __init__(
        self,
        script: Iterable[Reply] | Callable[[Body], Reply] = (),
        *,
        checker: Checker | None = check_request,
        chunk: int = CHUNK,
    ) -> None:
        self.requests: list[Body] = []
        self.headers: list[dict[str, str]] = []
        self.chunk = chunk
        self.connections: set[socket.socket] = set()
        self._checker = checker
        self._lock = Lock()
        self._replies: deque[Reply] = deque()
        self._answer: Callable[[Body], Reply]
        if callable(script):
            self._answer = script
        else:
            self._answer = self._next_reply
            self._replies.extend(script)
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler_for(self))
        self._http.daemon_threads = True
        self._thread = Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)

    @property
    def base_url(self) -> str:
        """What a client is given as ``base_url``."""
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    @property
    def left(self) -> int:
        """How many replies of the script were not used yet."""
        return len(self._replies)

    def reply_with(self, *replies: Reply) -> None:
        """Add to the end of the script."""
        self._replies.extend(replies)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()
        for connection in list(self.connections):  # clients keep theirs, and would be answered still
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def answer(self, text: bytes, headers: Mapping[str, str]) -> tuple[Body, Reply]:
        """The request and the reply to it: what an HTTP request with this body gets."""
        try:
            body = json.loads(text)
        except ValueError:
            return {}, refusal("X1")
        if not isinstance(body, dict):
            return {}, refusal_of("Invalid type for request body: expected an object.", code="invalid_type")
        request = cast(Body, body)
        with self._lock:
            self.requests.append(request)
            self.headers.append({name.lower(): value for name, value in headers.items()})
            reply = self._refused(request) or self._scripted(request)
        if isinstance(reply, Stream) and not request.get("stream"):
            reply = _last_response(reply)
        return request, reply

    def _refused(self, request: Body) -> Refusal | None:
        errors = [found for found in self._checker(request) if found.severity == "error"] if self._checker else []
        return _refusal_for(errors[0], request) if errors else None

    def _scripted(self, request: Body) -> Reply:
        try:
            return self._answer(request)
        except Exception as error:  # noqa: BLE001  # the script is the test's own: its mistake has to reach the client
            return refusal_of(f"the script raised {type(error).__name__}: {error}", code="script_error")

    def _next_reply(self, _request: Body) -> Reply:
        if not self._replies:
            return refusal_of(
                f"no reply is left in the script for request {len(self.requests)}", code="script_exhausted"
            )
        return self._replies.popleft()


def _refusal_for(violation: ViolationLike, request: Body) -> Refusal:
    """The API's own text for a rule it is known for, naming the item at fault, else the checker's."""
    if violation.rule not in RULES:
        return refusal_of(violation.message, code="invalid_value", param=violation.path)
    place = _ITEM.match(violation.path)
    at_fault: object = locate(request, place[0]) if place else None
    found = at_fault if is_object(at_fault) else {}
    named = {"value": locate(request, violation.path), "item_type": found.get("type"), "call_id": found.get("call_id")}
    told = {name: text for name, text in {**named, "item_id": found.get("id")}.items() if isinstance(text, str)}
    return refusal(violation.rule, path=violation.path, **told)


def _handler_for(server: ResponsesServer) -> type[BaseHTTPRequestHandler]:
    class Handler(_Handler):
        responses_server = server

    return Handler


class _Handler(BaseHTTPRequestHandler):
    responses_server: ResponsesServer
    protocol_version = "HTTP/1.1"
    # Without this, a small write waits for the acknowledgement of the one before: 40 ms a request.
    disable_nagle_algorithm = True
    timeout = 30

    def setup(self) -> None:
        super().setup()
        self.responses_server.connections.add(self.connection)

    def finish(self) -> None:
        self.responses_server.connections.discard(self.connection)
        with contextlib.suppress(OSError):
            super().finish()

    def do_POST(self) -> None:
        text = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path.partition("?")[0].rstrip("/") not in ("/v1/responses", "/responses"):
            self._send(404, _no_such_url("POST", self.path))
            return
        request, reply = self.responses_server.answer(text, dict(self.headers.items()))
        if isinstance(reply, Refusal):
            self._send(reply.status, reply.body)
        elif request.get("stream"):
            self._send_stream(reply if isinstance(reply, Stream) else self._streamed(reply))
        else:
            self._send(200, cast(Mapping[str, Any], reply))

    def do_GET(self) -> None:
        self._send(404, _no_such_url("GET", self.path))

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: a test's output is its own."""

    def _streamed(self, reply: Mapping[str, Any]) -> Stream:
        return Stream(stream_events(reply, self.responses_server.chunk))

    def _send(self, status: int, reply: Mapping[str, Any]) -> None:
        body = json.dumps(dict(reply)).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _send_stream(self, stream: Stream) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            for event in stream.events:
                self._send_chunk(sse_event(event))
            if not stream.drop:
                self._send_chunk(b"")
        except OSError:
            self.close_connection = True  # the client has heard enough
        self.close_connection = self.close_connection or stream.drop

    def _send_chunk(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")


def _last_response(stream: Stream) -> Body | Refusal:
    """What a request that does not stream gets of a streamed answer: the response as its last event had it."""
    held = [cast(Body, event["response"]) for event in stream.events if isinstance(event.get("response"), dict)]
    return held[-1] if held else refusal_of("the scripted stream holds no response", code="script_error")


def _no_such_url(method: str, path: str) -> Body:
    return refusal_of(f"Invalid URL ({method} {path})").body
