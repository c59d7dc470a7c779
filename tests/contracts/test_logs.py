"""What the logs say, and what they never say: no words of a message, no secret, one JSON line for each request."""

import io
import json
import logging
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import httpx
import pytest

from api.logs import set_up_logging
from graphmem.app import Graphmem
from graphmem.services.operation.work import Worker
from graphmem.settings import Settings

Json = dict[str, Any]


class Log:
    """What a service with log level debug writes to standard error."""

    def __init__(self, stream: io.StringIO) -> None:
        self._stream = stream

    @property
    def text(self) -> str:
        return self._stream.getvalue()

    def lines(self) -> list[Json]:
        return [json.loads(line) for line in self.text.splitlines()]

    def requests(self) -> list[Json]:
        return [line for line in self.lines() if line["message"] == "request"]


@pytest.fixture
def log(settings: Settings) -> Iterator[Log]:
    """The real set-up, with its handler writing to memory."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    levels = {
        name: logging.getLogger(name).level for name in ("neo4j", "httpx", "httpcore", "uvicorn", "asyncio", "mcp")
    }
    stream = io.StringIO()
    set_up_logging(settings.model_copy(update={"log_level": "debug"}))
    (handler,) = root.handlers
    assert isinstance(handler, logging.StreamHandler)
    handler.setStream(stream)
    yield Log(stream)
    root.handlers[:] = handlers
    root.setLevel(level)
    for name, before in levels.items():
        logging.getLogger(name).setLevel(before)


@pytest.fixture
def marker() -> str:
    """A word that nobody else would log."""
    return f"zqx{uuid4().hex}"


async def everything_with(http: httpx.AsyncClient, marker: str) -> list[int]:
    """The marker through every built route, in every field that takes text, well and badly; the statuses answered."""
    said = f"{marker} uses PostgreSQL. My name is {marker}, and {marker} must never be logged."
    message = {"messageId": marker, "role": "user", "name": marker, "content": said, "metadata": {marker: marker}}
    parts = {"role": "assistant", "content": [{"type": "text", "text": said}], "toolCalls": [{"id": marker}]}
    calls: list[tuple[str, str, Any]] = [
        (
            "POST",
            "/api/sessions",
            {"sessionId": marker, "project": marker, "source": marker, "metadata": {"a": marker}},
        ),
        ("POST", "/api/sessions", {marker: marker}),
        ("POST", f"/api/sessions/{marker}/messages", {"messages": [message, parts]}),
        ("POST", f"/api/sessions/{marker}/messages", {"messages": [message | {"content": f"{said} changed"}]}),
        ("POST", f"/api/sessions/{marker}/messages", {"messages": [{"role": marker, "content": said}]}),
        ("POST", f"/api/sessions/{marker}/messages", {"messages": []}),
        ("POST", f"/api/sessions/{marker}/end", {"wait": True}),
        ("POST", f"/api/sessions/{marker}x/end", {"force": marker}),
        ("GET", f"/api/sessions/{marker}", None),
        ("GET", f"/api/sessions/{marker}/messages", None),
        ("GET", f"/api/sessions?project={marker}", None),
        ("GET", f"/api/sessions?cursor={marker}", None),
        ("GET", f"/api/sessions/summaries?project={marker}&sessionId={marker}", None),
        ("GET", f"/api/sessions/summaries?kind={marker}", None),
        ("POST", f"/api/sessions/summaries/{marker}/expand", {"cursor": marker}),
        ("GET", f"/api/messages/{marker}", None),
        ("GET", f"/api/payloads/{marker}", None),
        ("GET", f"/api/messages/{marker}x", None),
        ("POST", "/api/memory/remember", {"content": said, "entity": marker, "aspect": marker, "claimKey": marker}),
        ("POST", "/api/memory/remember", {"content": said, "project": marker, "source": marker}),
        ("POST", "/api/memory/remember", {"content": said, "type": marker}),
        ("POST", "/api/memory/recall", {"query": said}),
        ("POST", "/api/memory/recall", {"query": said, "limit": marker}),
        ("POST", "/api/memory/recall", {"query": said, "asOf": marker}),
        ("POST", "/api/memory/expand", {"entity": marker, "question": said}),
        ("POST", "/api/memory/expand", {"entity": f"{marker}x"}),
        ("POST", "/api/memory/contradiction", {"old": {"content": said}, "new": {"content": f"{said} not"}}),
        ("GET", "/api/memory/supersessions", None),
        ("GET", f"/api/memory/supersessions?status={marker}", None),
        ("GET", f"/api/memory/{marker}", None),
        ("GET", f"/api/graph/entities?q={marker}", None),
        ("GET", f"/api/graph/entities?name={marker}", None),
        ("GET", f"/api/graph/entities/{marker}", None),
        ("GET", f"/api/graph/entities/{marker}x", None),
        ("PUT", "/api/graph/dependencies", {"dependencies": [{"source": marker, "target": "b", "reason": said}]}),
        ("PUT", "/api/graph/dependencies", {"dependencies": [{"source": marker}]}),
        ("POST", "/api/graph/impact", {"entityId": marker}),
        ("POST", "/api/graph/impact", {"entityId": marker, "types": [marker]}),
        ("GET", "/api/status", None),
        ("GET", f"/api/jobs/{marker}", None),
        ("POST", "/api/memory/erase", {"subject": {"person": marker}}),
        ("POST", "/api/memory/erase", {"subject": {"sessionId": marker}, "confirm": True}),
        ("GET", f"/{marker}", None),
        ("DELETE", f"/api/sessions/{marker}", None),
    ]
    statuses = [(await http.request(method, path, json=body)).status_code for method, path, body in calls]
    headers = {"Content-Type": "application/json"}
    unreadable = await http.post("/api/memory/remember", content=f'{{"content": "{marker}'.encode(), headers=headers)
    badly_named = await http.get("/api/status", headers={"X-Agent-Id": f"{marker} {marker}"})
    reused = {"Idempotency-Key": marker}
    await http.post("/api/memory/remember", json={"content": said}, headers=reused)
    again = await http.post("/api/memory/remember", json={"content": f"{said} again"}, headers=reused)
    return [*statuses, unreadable.status_code, badly_named.status_code, again.status_code]


async def test_no_word_of_a_message_is_ever_logged(
    http: httpx.AsyncClient, worker: Worker, log: Log, marker: str
) -> None:
    statuses = await everything_with(http, marker)
    assert {200, 201, 400, 404, 405, 409, 422} <= set(statuses)
    assert len(log.requests()) >= len(statuses)
    assert any(line["message"] == "job done" for line in log.lines())
    assert marker not in log.text


async def test_a_tool_is_logged_with_its_answer_and_without_what_was_said(
    http: httpx.AsyncClient, log: Log, marker: str
) -> None:
    headers = {"Accept": "application/json", "Host": "127.0.0.1", "X-Request-Id": "r1", "Origin": "http://127.0.0.1"}
    calls: list[tuple[str, Json]] = [
        ("remember", {"content": f"{marker} uses PostgreSQL", "idempotencyKey": marker}),
        ("remember", {"content": f"{marker} uses MySQL", "idempotencyKey": marker}),
        ("recall", {"query": marker}),
        ("recall", {"query": marker, marker: marker}),
        ("expand", {"entity": f"{marker}x", "question": marker}),
        (marker, {}),
    ]
    for tool, arguments in calls:
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        assert (await http.post("/mcp", json=message, headers=headers)).status_code == 200
    await http.post("/mcp", json={"jsonrpc": "2.0", "method": marker}, headers=headers)
    broken = headers | {"Content-Type": "application/json"}
    assert (await http.post("/mcp", content=f'{{"{marker}'.encode(), headers=broken)).status_code == 400
    told = [line for line in log.lines() if line["message"] == "tool called"]
    assert [(line["tool"], line["answer"]) for line in told] == [
        ("remember", "ok"),
        ("remember", "idempotency_key_reused"),
        ("recall", "ok"),
        ("recall", "invalid_input"),
        ("expand", "entity_not_found"),
    ]
    assert {line["request_id"] for line in told} == {"r1"}
    assert {line["route"] for line in log.requests()} == {"/mcp"}
    assert marker not in log.text


async def test_no_secret_is_ever_logged(
    http: httpx.AsyncClient, graphmem: Graphmem, log: Log, marker: str, server_settings: dict[str, str]
) -> None:
    secrets = {"Authorization": f"Bearer {marker}", "Cookie": f"key={marker}", "X-Api-Key": marker}
    for path in ("/api/status", "/api/nowhere", "/api/telemetry/events"):
        await http.get(path, headers=secrets)
    assert len(log.requests()) == 3
    assert marker not in log.text
    _, key = await graphmem.operation.keys.create(marker, "read")
    assert (await http.get("/api/status", headers={"Authorization": f"Bearer {key}"})).status_code == 200
    assert (await http.post("/api/sessions", headers={"X-Api-Key": key})).status_code == 403
    assert key.removeprefix("gm_") not in log.text
    if password := server_settings.get("GRAPHMEM_NEO4J_PASSWORD"):
        assert password not in log.text


async def test_one_json_line_tells_of_each_request(http: httpx.AsyncClient, log: Log, marker: str) -> None:
    calls = [
        ("GET", "/api/sessions", 200, "/api/sessions"),
        ("GET", f"/api/sessions/{marker}", 404, "/api/sessions/{sessionId}"),
        ("POST", "/api/memory/recall", 422, "/api/memory/recall"),
        ("GET", f"/api/graph/entities/{marker}/x", 404, "/api/graph/entities/{idOrName:path}"),
        ("POST", "/api/memory/erase", 422, "/api/memory/erase"),
        ("GET", f"/{marker}", 404, "unknown"),
    ]
    for number, (method, path, _, _) in enumerate(calls):
        await http.request(method, path, headers={"X-Request-Id": f"r{number}"})
    told = log.requests()
    assert [line["request_id"] for line in told] == [f"r{number}" for number in range(len(calls))]
    for line, (method, _, status, route) in zip(told, calls, strict=True):
        assert (line["method"], line["status"], line["route"]) == (method, status, route)
        assert 0 <= line["duration_ms"] < 60_000
        assert line["level"] == "INFO"
        assert line["at"]
        assert line["name"] == "graphmem.requests"


async def test_a_request_without_an_id_is_logged_under_the_one_it_was_given(http: httpx.AsyncClient, log: Log) -> None:
    answered = await http.get("/healthz")
    (line,) = log.requests()
    assert line["request_id"] == answered.headers["x-request-id"]


async def test_a_bug_is_logged_where_it_happened_and_without_what_was_said(
    http: httpx.AsyncClient, transport: httpx.ASGITransport, log: Log, marker: str
) -> None:
    application: Any = transport.app

    async def stumble() -> None:
        raise ValueError(f"cannot read {marker}") from KeyError(marker)

    application.add_api_route(f"/stumble-{marker[-6:]}", stumble)
    try:
        answered = await http.get(f"/stumble-{marker[-6:]}", headers={"X-Request-Id": "r1"})
    finally:
        application.router.routes.pop()
    assert answered.status_code == 500
    assert answered.headers["content-type"] == "application/problem+json"
    assert answered.headers["x-request-id"] == "r1"
    assert answered.json()["code"] == "internal"
    assert marker not in answered.text
    assert marker not in log.text
    (bug,) = [line for line in log.lines() if line["level"] == "ERROR"]
    assert bug["request_id"] == "r1"
    assert bug["error"] == "ValueError"
    assert "stumble" in bug["traceback"]
    assert "KeyError" in bug["traceback"]
    assert [line["status"] for line in log.requests()] == [500]
