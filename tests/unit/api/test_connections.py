"""Half-open requests are given up, and what is no HTTP is answered with a problem."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
import uvicorn

from api import connections
from api.connections import BoundedConnection

Talk = Callable[[bytes], Awaitable[bytes]]
HEAD = b"POST /x HTTP/1.1\r\nHost: localhost\r\n"


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Reads the body, and answers with its length."""
    if scope["type"] != "http":
        return
    length, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        length, more = length + len(message.get("body", b"")), message.get("more_body", False)
    body = str(length).encode()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]})
    await send({"type": "http.response.body", "body": body})


@pytest.fixture
async def talk(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Talk]:
    """Sends bytes and waits, however long, until the server closes the connection; then all that came back."""
    monkeypatch.setattr(connections, "HEAD_WITHIN_S", 0.2)
    monkeypatch.setattr(connections, "BODY_PAUSE_S", 0.2)
    config = uvicorn.Config(
        app, port=0, http=BoundedConnection, lifespan="off", log_config=None, timeout_keep_alive=60, access_log=False
    )
    server = uvicorn.Server(config)
    running = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 - the server tells it in no other way
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]

    async def said(sent: bytes) -> bytes:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(sent)
        try:
            return await reader.read()
        finally:
            writer.close()

    yield said
    server.should_exit = True
    await running


def problem(answer: bytes) -> tuple[int, str]:
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"content-type: application/problem+json" in head
    assert b"connection: close" in head
    told = json.loads(body)
    assert head.startswith(b"HTTP/1.1 %d " % told["status"])
    return told["status"], told["code"]


@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(b"P", id="a byte"),
        pytest.param(HEAD, id="a head without its end"),
        pytest.param(HEAD + b"Content-Length: 5\r\n\r\nab", id="a body without its end"),
        pytest.param(HEAD + b"Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n", id="chunks without an end"),
    ],
)
async def test_a_request_that_does_not_arrive_is_408(talk: Talk, sent: bytes) -> None:
    assert problem(await talk(sent)) == (408, "request_timeout")


async def test_a_connection_on_which_nothing_comes_is_closed_in_silence(talk: Talk) -> None:
    assert await talk(b"") == b""


async def test_the_next_request_of_a_connection_must_arrive_too(talk: Talk) -> None:
    first, second = (await talk(HEAD + b"Content-Length: 2\r\n\r\nab" + HEAD)).split(b"HTTP/1.1 408")
    assert first.startswith(b"HTTP/1.1 200")
    assert b"request_timeout" in second


async def test_a_request_that_arrives_is_answered_and_its_connection_goes_on(talk: Talk) -> None:
    whole = HEAD + b"Content-Length: 2\r\n\r\nab"
    closing = HEAD + b"Connection: close\r\nContent-Length: 3\r\n\r\nabc"
    answer = await talk(whole + whole + closing)
    assert answer.count(b"HTTP/1.1 200") == 3
    assert answer.endswith(b"3")


@pytest.mark.parametrize("sent", [b"nonsense\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\x00\r\n\r\n"])
async def test_what_is_no_http_is_a_problem(talk: Talk, sent: bytes) -> None:
    assert problem(await talk(sent)) == (400, "bad_request")
