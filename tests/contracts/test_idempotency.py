"""A write with an Idempotency-Key happens once, whatever the network does."""

import asyncio
from collections.abc import Mapping
from typing import Any, NamedTuple
from uuid import uuid4

import httpx
import pytest

from graphmem.services.operation.work import Worker

Json = dict[str, Any]


class Writing(NamedTuple):
    """A writing route with two bodies that mean different things, and what must be there for it to work."""

    method: str
    path: str
    body: Json
    other: Json
    needs_session: bool = False
    needs_message: bool = False


WRITES = {
    "open": Writing("POST", "/api/sessions", {"project": "Lantern"}, {"project": "Wick"}),
    "append": Writing(
        "POST",
        "/api/sessions/s/messages",
        {"messages": [{"role": "user", "content": "the lamp is lit"}]},
        {"messages": [{"role": "user", "content": "the lamp is out"}]},
    ),
    "end": Writing("POST", "/api/sessions/s/end", {}, {"force": True}, needs_session=True),
    "compact": Writing("POST", "/api/sessions/s/compact", {"force": True}, {"contextWindow": 1000}, needs_session=True),
    "remember": Writing(
        "POST",
        "/api/memory/remember",
        {"content": "wick-service runs on port 8080", "entity": "wick-service"},
        {"content": "wick-service runs on port 9090", "entity": "wick-service"},
    ),
    "dependencies": Writing(
        "PUT",
        "/api/graph/dependencies",
        {"dependencies": [{"source": "wick-service", "target": "oil-store"}]},
        {"dependencies": [{"source": "wick-service", "target": "lamp-store"}]},
    ),
    "feedback": Writing(
        "POST",
        "/api/memory/feedback",
        {"items": [{"id": "MESSAGE", "score": 1}]},
        {"items": [{"id": "MESSAGE", "score": -1}]},
        needs_message=True,
    ),
    "entity": Writing(
        "POST", "/api/graph/entities", {"name": "wick-service"}, {"name": "wick-service", "pinned": True}
    ),
}


async def send(
    http: httpx.AsyncClient,
    write: Writing,
    key: str,
    body: Json | None = None,
    headers: Mapping[str, str] | None = None,
) -> httpx.Response:
    sent = write.body if body is None else body
    if write.needs_message:  # ids are new for each agent
        (message,) = (await http.get("/api/sessions/s/messages", headers=headers)).json()["items"]
        sent = {"items": [one | {"id": message["id"]} for one in sent["items"]]}
    return await http.request(
        write.method, write.path, json=sent, headers={"Idempotency-Key": key} | dict(headers or {})
    )


async def counts(http: httpx.AsyncClient) -> Json:
    """How much there is, without what a worker beside this test may add after an end."""
    found: Json = (await http.get("/api/status")).json()["counts"]
    del found["summaries"]
    return found


async def prepare(http: httpx.AsyncClient, write: Writing) -> None:
    if write.needs_session or write.needs_message:
        batch = {"messages": [{"role": "user", "content": "hm"}]}
        assert (await http.post("/api/sessions/s/messages", json=batch)).status_code == 201


@pytest.fixture(params=sorted(WRITES))
def write(request: pytest.FixtureRequest) -> Writing:
    found: Writing = WRITES[request.param]
    return found


async def test_a_repeat_gets_the_first_answer_and_writes_nothing(http: httpx.AsyncClient, write: Writing) -> None:
    await prepare(http, write)
    first = await send(http, write, "k")
    assert first.status_code in (200, 201)
    assert "Idempotency-Replayed" not in first.headers
    before = await counts(http)
    for _ in range(2):
        again = await send(http, write, "k")
        assert (again.status_code, again.text) == (first.status_code, first.text)
        assert again.headers["Idempotency-Replayed"] == "true"
        assert again.headers["content-type"] == first.headers["content-type"]
    assert await counts(http) == before


async def test_without_a_key_a_repeat_is_a_request_of_its_own(http: httpx.AsyncClient) -> None:
    body = WRITES["append"].body
    for stored in (1, 2, 3):  # people repeat themselves
        await http.post("/api/sessions/s/messages", json=body)
        assert (await http.get("/api/sessions/s")).json()["messages"] == stored


async def test_another_body_under_a_used_key_is_a_conflict(http: httpx.AsyncClient, write: Writing) -> None:
    await prepare(http, write)
    first = await send(http, write, "k")
    before = await counts(http)
    refused = await send(http, write, "k", write.other)
    assert refused.status_code == 409
    assert refused.json()["code"] == "idempotency_key_reused"
    assert refused.headers["content-type"] == "application/problem+json"
    assert await counts(http) == before
    assert (await send(http, write, "k")).text == first.text


async def test_another_route_under_a_used_key_is_a_conflict(http: httpx.AsyncClient) -> None:
    await http.post("/api/sessions/s/messages", json=WRITES["append"].body)
    await send(http, WRITES["open"], "k", {})
    refused = await send(http, WRITES["end"], "k", {})
    assert (refused.status_code, refused.json()["code"]) == (409, "idempotency_key_reused")
    elsewhere = WRITES["append"]._replace(path="/api/sessions/other/messages")
    await send(http, WRITES["append"], "k2")
    assert (await send(http, elsewhere, "k2")).status_code == 409
    assert (await http.get("/api/sessions/other")).status_code == 404


async def test_of_two_requests_at_once_one_writes_and_both_get_its_answer(
    http: httpx.AsyncClient, transport: httpx.ASGITransport, write: Writing
) -> None:
    await prepare(http, write)
    before = await counts(http)
    answers = await asyncio.gather(*(send(http, write, "k") for _ in range(4)))
    assert len({(answer.status_code, answer.text) for answer in answers}) == 1
    assert answers[0].status_code in (200, 201)
    assert sorted(answer.headers.get("Idempotency-Replayed", "") for answer in answers) == ["", "true", "true", "true"]
    after = await counts(http)
    headers = {"X-Agent-Id": f"test-{uuid4().hex}"}
    async with httpx.AsyncClient(
        transport=transport, base_url="http://127.0.0.1", headers=headers, timeout=60
    ) as alone:
        await prepare(alone, write)
        ground = await counts(alone)
        await send(alone, write, "k")
        grown = await counts(alone)
    assert {name: after[name] - before[name] for name in after} == {name: grown[name] - ground[name] for name in grown}


async def test_a_key_that_only_failed_is_not_burnt(http: httpx.AsyncClient) -> None:
    append = WRITES["append"]
    refused = await send(http, append, "k", {"messages": []})
    assert refused.status_code == 422
    assert (await send(http, append, "k")).status_code == 201

    named = {"messages": [{"messageId": "m", "role": "user", "content": "first"}]}
    await http.post("/api/sessions/s/messages", json=named)
    changed = {"messages": [{"messageId": "m", "role": "user", "content": "second"}]}
    conflict = await send(http, append, "k2", changed)
    assert (conflict.status_code, conflict.json()["code"]) == (409, "message_changed")
    assert (await send(http, append, "k2", named)).status_code == 200

    end = WRITES["end"]._replace(path="/api/sessions/later/end")
    assert (await send(http, end, "k3")).status_code == 404
    await http.post("/api/sessions", json={"sessionId": "later"})
    late = await send(http, end, "k3")
    assert (late.status_code, "Idempotency-Replayed" in late.headers) == (200, False)

    unknown = {"dependencies": [{"source": "0199aaaa-0000-7000-8000-000000000000", "target": "b"}]}
    assert (await send(http, WRITES["dependencies"], "k4", unknown)).status_code == 404
    assert (await send(http, WRITES["dependencies"], "k4")).status_code == 200


async def test_a_failure_is_not_replayed(http: httpx.AsyncClient) -> None:
    named = {"messages": [{"messageId": "m", "role": "user", "content": "first"}]}
    changed = {"messages": [{"messageId": "m", "role": "user", "content": "second"}]}
    await http.post("/api/sessions/s/messages", json=named)
    for _ in range(2):
        conflict = await send(http, WRITES["append"], "k", changed)
        assert conflict.json()["code"] == "message_changed"
        assert "Idempotency-Replayed" not in conflict.headers


async def test_keys_are_an_agents_own(http: httpx.AsyncClient, write: Writing) -> None:
    other = {"X-Agent-Id": f"test-{uuid4().hex}"}
    await prepare(http, write)
    if write.needs_session:
        await http.post("/api/sessions", json={"sessionId": "s"}, headers=other)
    if write.needs_message:
        await http.post("/api/sessions/s/messages", json=WRITES["append"].body, headers=other)
    first = await send(http, write, "k")
    theirs = await send(http, write, "k", write.other, headers=other)
    assert theirs.status_code == first.status_code
    assert "Idempotency-Replayed" not in theirs.headers


async def test_a_replay_is_the_first_answer_though_the_world_went_on(http: httpx.AsyncClient) -> None:
    first = await send(http, WRITES["append"], "k")
    assert first.status_code == 201
    await http.post("/api/sessions/s/messages", json={"messages": [{"role": "user", "content": "more"}]})
    again = await send(http, WRITES["append"], "k")
    assert (again.status_code, again.text) == (201, first.text)
    assert (await http.get("/api/sessions/s")).json()["messages"] == 2

    made = await send(http, WRITES["remember"], "k2")
    newer = {"content": "wick-service runs on port 9090", "entity": "wick-service"}
    await http.post("/api/memory/remember", json=newer)
    assert (await send(http, WRITES["remember"], "k2")).text == made.text


async def test_a_repeated_end_that_waits_says_that_it_is_a_repeat(http: httpx.AsyncClient, worker: Worker) -> None:
    await http.post("/api/sessions/s/messages", json=WRITES["append"].body)
    end, waiting = WRITES["end"], {"wait": True}
    first = await send(http, end, "k", waiting)
    assert (first.status_code, first.json()["pipeline"]) == (200, "done")
    again = await send(http, end, "k", waiting)
    assert (again.status_code, again.text) == (200, first.text)
    assert again.headers["Idempotency-Replayed"] == "true"


async def test_a_key_longer_than_256_characters_is_422(http: httpx.AsyncClient, write: Writing) -> None:
    await prepare(http, write)
    refused = await send(http, write, "k" * 257)
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["loc"][0] == "header"
    assert (await send(http, write, "k" * 256)).status_code in (200, 201)


async def test_reads_take_no_notice_of_a_key(http: httpx.AsyncClient) -> None:
    headers = {"Idempotency-Key": "k"}
    for query in ("lamp", "wick"):
        asked = await http.post("/api/memory/recall", json={"query": query}, headers=headers)
        assert asked.status_code == 200
        assert "Idempotency-Replayed" not in asked.headers
