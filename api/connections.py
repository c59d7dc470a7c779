"""Connections that come to an end: a request whose head or body does not arrive is given up, and one that is no HTTP is
answered with a problem."""

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from api import problems

HEAD_WITHIN_S = 15.0
"""From the first byte, or the connection itself, to the end of the headers."""
BODY_PAUSE_S = 30.0
"""The longest pause between two parts of a body."""
BODY_WITHIN_S = 600.0
"""The longest time for a whole body: 64 MiB at 110 KB a second."""
_REASONS = {400: "Bad Request", 408: "Request Timeout"}


class BoundedConnection(HttpToolsProtocol):
    """The server's own protocol, with a time limit for whatever it waits for from the client."""

    _timer: asyncio.TimerHandle | None = None
    _body_ends = 0.0
    _reads_body = False
    _received = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait(HEAD_WITHIN_S)

    def connection_lost(self, exc: Exception | None) -> None:
        self._wait(None)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._received = True
        if self._reads_body:
            self._wait(BODY_PAUSE_S)
        super().data_received(data)

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._reads_body = False
        self._wait(HEAD_WITHIN_S)

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self._reads_body = True
        self._body_ends = self.loop.time() + BODY_WITHIN_S
        self._wait(BODY_PAUSE_S)

    def on_message_complete(self) -> None:
        self._reads_body = False
        self._wait(None)
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        self._refuse(400, "bad_request", "The request cannot be read", f"{msg} See the request line and the headers.")

    def _wait(self, seconds: float | None) -> None:
        if self._timer:
            self._timer.cancel()
        self._timer = None if seconds is None else self.loop.call_later(seconds, self._give_up)

    def _give_up(self) -> None:
        reading_paused = self.flow is not None and self.flow.read_paused
        if self._reads_body and reading_paused and self.loop.time() < self._body_ends:
            self._wait(BODY_PAUSE_S)  # the client would send, and we do not read
            return
        answering = self.cycle is not None and not self.cycle.response_complete and self.cycle.response_started
        if answering or not self._received:
            self.transport.close()
            return
        what = "body" if self._reads_body else "headers"
        self._refuse(408, "request_timeout", "The request did not arrive", f"Its {what} did not come in time.")

    def _refuse(self, status: int, code: str, title: str, detail: str) -> None:
        body: Any = problems.problem(status, code, title, detail).body
        head = (
            f"HTTP/1.1 {status} {_REASONS[status]}\r\n"
            f"content-type: {problems.MEDIA_TYPE}\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode("ascii") + body)
        self.transport.close()
