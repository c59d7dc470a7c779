"""The contract of the HTTP door, route by route: what is served, what an answer holds, and how an error looks."""

import re
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple
from uuid import uuid4

import httpx
import jsonschema
import pytest

from api.app import MAX_BODY_BYTES, create_app
from graphmem.services.operation.work import Worker
from graphmem.settings import Settings

Json = dict[str, Any]

CONTRACT = {
    tuple(line.split())
    for line in """
    POST   /api/sessions
    GET    /api/sessions
    GET    /api/sessions/{sessionId}
    POST   /api/sessions/{sessionId}/messages
    GET    /api/sessions/{sessionId}/messages
    GET    /api/sessions/{sessionId}/turns
    POST   /api/sessions/{sessionId}/end
    POST   /api/sessions/{sessionId}/compact
    POST   /api/sessions/{sessionId}/context
    GET    /api/sessions/{sessionId}/recap
    POST   /api/sessions/{sessionId}/recap
    GET    /api/sessions/summaries
    POST   /api/sessions/summaries/{id}/expand
    GET    /api/messages/{id}
    GET    /api/describe/{id}
    GET    /api/payloads/{sha256}
    POST   /api/memory/remember
    POST   /api/memory/resolve
    POST   /api/memory/recall
    POST   /api/memory/grep
    POST   /api/memory/expand
    POST   /api/memory/expand-query
    POST   /api/memory/query
    POST   /api/memory/feedback
    POST   /api/memory/contradiction
    POST   /api/memory/supersede
    GET    /api/memory/supersessions
    POST   /api/memory/supersessions/{id}/accept
    POST   /api/memory/supersessions/{id}/reject
    POST   /api/memory/supersessions/{id}/undo
    GET    /api/memory/{id}
    PATCH  /api/memory/{id}
    DELETE /api/memory/{id}
    POST   /api/memory/{id}/restore
    GET    /api/memory/{id}/history
    POST   /api/memory/erase
    GET    /api/graph/entities
    POST   /api/graph/entities
    GET    /api/graph/entities/{idOrName}
    PATCH  /api/graph/entities/{id}
    POST   /api/graph/entities/{id}/merge
    POST   /api/graph/merges/{id}/undo
    PUT    /api/graph/dependencies
    DELETE /api/graph/dependencies/{id}
    POST   /api/graph/explore
    POST   /api/graph/impact
    GET    /api/graph/export
    POST   /api/graph/import
    GET    /api/repair/cold-stats
    POST   /api/repair/backfill-skipped
    POST   /api/repair/retention
    POST   /api/repair/supersession-sweep
    POST   /api/repair/condense
    POST   /api/repair/reindex
    POST   /api/repair/rollback
    GET    /api/jobs/{jobId}
    GET    /api/status
    GET    /api/doctor
    GET    /api/telemetry/events
    GET    /healthz
    GET    /readyz
    GET    /metrics
    GET    /mcp
    POST   /mcp
    """.strip().splitlines()
}
"""Every route of API.md: method and path."""

BEYOND = {
    ("GET", "/api/provenance/{id}"),
    ("GET", "/api/verify"),
    ("POST", "/api/sessions/load"),
    ("GET", "/api/expand/{id}"),
    ("POST", "/api/repair/upkeep"),
    ("DELETE", "/api/graph/entities/{id}"),
    ("POST", "/api/graph/entities/{id}/restore"),
    ("GET", "/api/graph/merges"),
    ("POST", "/api/graph/merges/{id}/accept"),
    ("POST", "/api/graph/merges/{id}/reject"),
    ("GET", "/api/repair/rollbacks"),
    ("POST", "/api/repair/rollbacks/{id}/undo"),
    ("POST", "/api/graph/impact/what-if"),
    ("POST", "/api/graph/impact/critical"),
}
"""Routes of ours that the contract does not ask for."""
NO_JSON = {"/api/graph/import"}
"""Routes whose body is text."""
PROTOCOL = {("GET", "/mcp"), ("POST", "/mcp")}
"""Routes that speak JSON-RPC, so the OpenAPI document leaves them out: see test_mcp.py."""

OBJECTS: dict[str, set[str]] = {
    name: set(fields.split())
    for name, fields in {
        "memory": "id content type status importance pinned project validFrom validTo createdAt attributeIds "
        "messageIds entityIds",
        "entity": "id name type aliases pinned",
        "attribute": "id content kind status entityId aspect claimKey confidence importance pinned validFrom validTo "
        "createdAt retiredAt supersededBy memoryIds messageIds extractionLevel slot value scope polarity mood",
        "dependency": "id source target type confidence strength reason validFrom validTo messageIds",
        "job": "jobId kind status progress error result",
        "supersession": "id oldId newId signals confidence method status reason createdAt decidedAt",
        "message": "id messageId ordinal role content parts toolCalls toolCallId name metadata createdAt ingestedAt "
        "contentChars contentTruncated sha256 payloads sessionId",
        "summary": "id kind depth project content tokenCount earliestAt latestAt childCount parentIds predecessorId "
        "memoryIds entityIds",
        "hit": "id kind text score why sessionId messageIds entityIds status validFrom validTo createdAt",
        "signal": "name confidence evidence",
        "payload": "sha256 bytes mediaType",
        "ref": "id name",
        "merge": "id fromId intoId status method reason createdAt decidedAt",
    }.items()
}
"""The objects of DECISIONS.md and API.md, each with the fields it has wherever it is named."""

FREE_FORM = {
    "metadata",
    "overlays",
    "evidence",
    "why",
    "settings",
    "filters",
    "thresholds",
    "result",
    "toolCalls",
    "parts",
    "bySource",
}
"""Fields whose own keys are not ours to name."""
INSTANT = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z")


MARCH = "2026-03-01T00:00:00Z"
PICTURE = "data:image/png;base64," + "QUJD" * 100


class Told(NamedTuple):
    """A conversation that was read, and ids of what became of it."""

    client: httpx.AsyncClient
    session_id: str
    message_id: str
    summary_id: str
    job_id: str
    memory_id: str
    attribute_id: str
    entity_id: str
    sha256: str
    answers: dict[str, Any]


def filled(path: str) -> str:
    return re.sub(r"\{\w+\}", "0199aaaa-0000-7000-8000-000000000000", path)


def is_problem(response: httpx.Response, status: int, code: str) -> Json:
    """The body of an error, which is checked to be the one shape every error has."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"].split(";")[0] == "application/problem+json"
    body: Json = response.json()
    assert {"type", "title", "status", "detail", "code"} <= set(body)
    assert body["status"] == status
    assert body["code"] == code
    assert body["type"].endswith(code)
    assert all(isinstance(body[field], str) and body[field] for field in ("type", "title", "detail", "code"))
    assert response.headers["x-request-id"]
    return body


def locs(response: httpx.Response) -> list[list[str | int]]:
    return [one["loc"] for one in is_problem(response, 422, "invalid_input")["errors"]]


def has(body: Json, name: str) -> Json:
    """The body, checked to be this object; also where it is null it is present."""
    assert OBJECTS[name] <= set(body), f"{name} lacks {OBJECTS[name] - set(body)}"
    return body


@pytest.fixture(scope="module")
async def told(transport: httpx.ASGITransport, worker: Worker) -> AsyncIterator[Told]:
    agent = f"test-{uuid4().hex}"
    async with httpx.AsyncClient(
        transport=transport, base_url="http://127.0.0.1", headers={"X-Agent-Id": agent}, timeout=60
    ) as client:
        answers: dict[str, Any] = {}

        async def call(name: str, method: str, path: str, **more: Any) -> Any:
            response = await client.request(method, path, **more)
            assert response.status_code in (200, 201), response.text
            answers[name] = response.json()
            return answers[name]

        await call("open", "POST", "/api/sessions", json={"sessionId": "s1", "project": "Lantern"})
        said = [
            {
                "messageId": "m1",
                "role": "user",
                "name": "Ada",
                "content": "lamp-service uses PostgreSQL for everything.",
            },
            {
                "messageId": "m2",
                "role": "assistant",
                "content": "Noted: lamp-service uses PostgreSQL.",
                "toolCalls": [{"function": {"name": "draw", "arguments": PICTURE}}],
            },
        ]
        stored = await call("append", "POST", "/api/sessions/s1/messages", json={"messages": said})
        ended = await call("end", "POST", "/api/sessions/s1/end", json={"wait": True})
        assert ended["pipeline"] == "done"
        await call("session", "GET", "/api/sessions/s1")
        await call("sessions", "GET", "/api/sessions")
        await call("messages", "GET", "/api/sessions/s1/messages")
        await call("turns", "GET", "/api/sessions/s1/turns", params={"explain": "1"})
        await call("message", "GET", "/api/messages/m1")
        await call("load", "POST", "/api/sessions/load", json={"latest": True})
        await call("job", "GET", f"/api/jobs/{ended['jobId']}")
        summaries = await call("summaries", "GET", "/api/sessions/summaries")
        summary_id = summaries["items"][0]["id"]
        await call("expand_summary", "POST", f"/api/sessions/summaries/{summary_id}/expand")
        for name, id_ in {"session": "s1", "summary": summary_id, "message": "m1"}.items():
            await call(f"describe_{name}", "GET", f"/api/describe/{id_}")
        slot = {"entity": "wick-service", "aspect": "network", "claimKey": "port"}
        await call(
            "remember", "POST", "/api/memory/remember", json=slot | {"content": "wick-service runs on port 8080"}
        )
        newer = await call(
            "supersede", "POST", "/api/memory/remember", json=slot | {"content": "wick-service runs on port 9090"}
        )
        rule = {"content": "wick-service must never log tokens", "kind": "constraint", "entity": "wick-service"}
        await call("constraint", "POST", "/api/memory/remember", json=rule)
        await call("memory", "GET", f"/api/memory/{newer['memory']['id']}")
        await call("attribute", "GET", f"/api/memory/{newer['attributes'][0]['id']}")
        edges = [
            {"source": "wick-service", "target": "oil-store", "confidence": 0.9},
            {"source": "lantern-web", "target": "wick-service", "confidence": 0.8},
        ]
        await call("dependencies", "PUT", "/api/graph/dependencies", json={"dependencies": edges})
        await call("recall", "POST", "/api/memory/recall", json={"query": "Which database does lamp-service use?"})
        good = {"items": [{"id": newer["attributes"][0]["id"], "score": 1}]}
        await call("feedback", "POST", "/api/memory/feedback", json=good)
        await call("recap", "GET", "/api/sessions/s1/recap")
        await call("kept_recap", "POST", "/api/sessions/s1/recap")
        await call("query", "POST", "/api/memory/query", json={"query": "O1 + NOT O1"})
        await call("expand", "POST", "/api/memory/expand", json={"entity": "wick-service", "includeSuperseded": True})
        await call(
            "answer", "POST", "/api/memory/expand-query", json={"question": "Which port does wick-service run on?"}
        )
        await call("impact", "POST", "/api/graph/impact", json={"entityId": "oil-store"})
        await call("explore", "POST", "/api/graph/explore", json={"entity": "oil-store", "includeCold": True})
        await call("critical", "POST", "/api/graph/impact/critical", json={"entityId": "oil-store"})
        without = {"attributeId": newer["attributes"][0]["id"]}
        await call("what_if", "POST", "/api/graph/impact/what-if", json=without)
        await call("supersessions", "GET", "/api/memory/supersessions")
        entities = await call("entities", "GET", "/api/graph/entities")
        await call("entity", "GET", "/api/graph/entities/wick-service")
        claims = {
            "old": {"content": "The cat is alive", "createdAt": "2026-01-01"},
            "new": {"content": "The cat is not alive", "createdAt": "2026-01-02"},
        }
        await call("contradiction", "POST", "/api/memory/contradiction", json=claims)
        spare = await call("make", "POST", "/api/graph/entities", json={"name": "spare", "aliases": ["second lamp"]})
        other = await call("change", "PATCH", f"/api/graph/entities/{spare['id']}", json={"pinned": True})
        into = {"intoId": (await call("remade", "POST", "/api/graph/entities", json={"name": "third lamp"}))["id"]}
        merge = await call("merge", "POST", f"/api/graph/entities/{other['id']}/merge", json=into)
        await call("merges", "GET", "/api/graph/merges")
        await call("undo", "POST", f"/api/graph/merges/{merge['id']}/undo")
        rival = await call("rival", "POST", "/api/memory/remember", json=slot | {"content": "it serves port 7070"})
        pair = {"oldId": newer["attributes"][0]["id"], "newId": rival["attributes"][0]["id"], "reason": "seen"}
        asked = await call("ask", "POST", "/api/memory/supersede", json=pair)
        decided = f"/api/memory/supersessions/{asked['id']}"
        back = {"entityId": newer["entities"][0]["id"], "to": datetime.now(UTC).isoformat()}
        await call("preview", "POST", "/api/repair/rollback", json=back)
        await call("rollbacks", "GET", "/api/repair/rollbacks")
        await call("sweep", "POST", "/api/repair/supersession-sweep", json={"dryRun": True})
        await call("reindex", "POST", "/api/repair/reindex", json={"dryRun": True})
        await call("backfill", "POST", "/api/repair/backfill-skipped", json={"dryRun": True})
        await call("condense", "POST", "/api/repair/condense", json={"dryRun": True})
        await call("undo_supersession", "POST", f"{decided}/undo", json={"retireNew": True, "reason": "misread"})
        await call("status", "GET", "/api/status")
        yield Told(
            client,
            session_id="s1",
            message_id=stored["messages"][0]["id"],
            summary_id=summary_id,
            job_id=ended["jobId"],
            memory_id=newer["memory"]["id"],
            attribute_id=newer["attributes"][0]["id"],
            entity_id=entities["items"][0]["id"],
            sha256=answers["messages"]["items"][1]["payloads"][0]["sha256"],
            answers=answers,
        )


@pytest.fixture(scope="module")
def openapi(settings: Settings) -> Json:
    return create_app(settings).openapi()


def operations(document: Json) -> Iterator[tuple[str, str, Json]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield method.upper(), path, operation


# Routes


def test_the_routes_served_are_the_contract(openapi: Json) -> None:
    served = {(method, path) for method, path, _ in operations(openapi)}
    assert served | PROTOCOL == CONTRACT | BEYOND


@pytest.mark.parametrize(("method", "path"), sorted(CONTRACT - PROTOCOL))
async def test_a_route_of_the_contract_is_served(http: httpx.AsyncClient, method: str, path: str) -> None:
    response = await http.request(method, filled(path))
    assert response.status_code in (200, 201, 404, 415, 422)
    if response.status_code in (404, 422):
        body = response.json()
        assert body["title"] != "There is no such route"


@pytest.mark.parametrize(("method", "path"), sorted(CONTRACT))
async def test_no_route_answers_a_wrong_method(http: httpx.AsyncClient, method: str, path: str) -> None:
    body = is_problem(await http.request("TRACE", filled(path)), 405, "method_not_allowed")
    assert body["title"]


# Errors


async def test_an_unknown_route_is_a_problem(http: httpx.AsyncClient) -> None:
    is_problem(await http.get("/api/nowhere"), 404, "not_found")
    is_problem(await http.get("/nowhere"), 404, "not_found")


@pytest.mark.parametrize("body", [b"{", b"nonsense", b'{"query": }', b"\xff\xfe{", b'{"query": "a"'])
async def test_a_body_that_cannot_be_read_is_400(http: httpx.AsyncClient, body: bytes) -> None:
    response = await http.post("/api/memory/recall", content=body, headers={"Content-Type": "application/json"})
    assert response.status_code == 400
    is_problem(response, 400, response.json()["code"])
    assert response.json()["code"] in ("invalid_json", "bad_request")


@pytest.mark.parametrize(
    "body",
    [
        rb'{"query": "half a pair \ud83d"}',
        rb'{"\udc00": 1, "query": "a"}',
        b'{"query": "raw \xed\xa0\x80"}',
        b'{"query": "a", "limit": NaN}',
        b'{"query": "a", "limit": -Infinity}',
        b'{"query": "a", "limit": 1e999}',
    ],
)
async def test_what_python_alone_reads_as_json_is_400(http: httpx.AsyncClient, body: bytes) -> None:
    response = await http.post("/api/memory/recall", content=body, headers={"Content-Type": "application/json"})
    is_problem(response, 400, "invalid_json")


async def test_a_whole_surrogate_pair_and_the_word_nan_are_fine(http: httpx.AsyncClient) -> None:
    body = rb'{"messages": [{"role": "user", "content": "\ud83d\ude00 NaN", "metadata": {"NaN": 1e2}}]}'
    headers = {"Content-Type": "application/json"}
    assert (await http.post("/api/sessions/s/messages", content=body, headers=headers)).status_code == 201
    (message,) = (await http.get("/api/sessions/s/messages")).json()["items"]
    assert message["content"] == "\U0001f600 NaN"
    assert message["metadata"] == {"NaN": 100.0}


@pytest.mark.parametrize(
    "path",
    [
        "/api/sessions",
        "/api/sessions/summaries",
        "/api/memory/supersessions",
        "/api/graph/entities",
        "/api/graph/merges",
        "/api/repair/rollbacks",
    ],
)
@pytest.mark.parametrize("cursor", ["garbage", "é", "W10", "WzFd", "eyJhIjoxfQ", "WyJhIiwgImIiLCAiYyJd"])
async def test_a_bad_cursor_is_400(http: httpx.AsyncClient, path: str, cursor: str) -> None:
    is_problem(await http.get(path, params={"cursor": cursor}), 400, "invalid_cursor")


@pytest.mark.parametrize(
    "cursor", ["garbage", "WyItNSIsICIwIl0", "WyIwIiwgIi01Il0", "WyI5OTk5OTk5OTk5OTk5OTk5OTk5OSIsICIwIl0"]
)
async def test_a_bad_cursor_in_a_body_is_400(told: Told, cursor: str) -> None:
    path = f"/api/sessions/summaries/{told.summary_id}/expand"
    is_problem(await told.client.post(path, json={"cursor": cursor}), 400, "invalid_cursor")


@pytest.mark.parametrize(
    ("method", "path", "body", "loc"),
    [
        ("POST", "/api/sessions", {"projekt": "x"}, ["projekt"]),
        (
            "POST",
            "/api/sessions/s/messages",
            {"messages": [{"role": "user", "content": "a", "at": 1}]},
            ["messages", 0, "at"],
        ),
        ("POST", "/api/sessions/s/end", {"waiting": True}, ["waiting"]),
        ("POST", "/api/memory/remember", {"content": "a", "entitty": "b"}, ["entitty"]),
        ("POST", "/api/memory/recall", {"query": "a", "top": 3}, ["top"]),
        ("POST", "/api/memory/expand", {"entity": "a", "agentId": "b"}, ["agentId"]),
        ("POST", "/api/memory/contradiction", {"old": {"content": "a", "x": 1}, "new": {"content": "b"}}, ["old", "x"]),
        (
            "PUT",
            "/api/graph/dependencies",
            {"dependencies": [{"source": "a", "target": "b", "w": 1}]},
            ["dependencies", 0, "w"],
        ),
        ("POST", "/api/graph/impact", {"entityId": "a", "depth": 3}, ["depth"]),
        ("POST", "/api/graph/explore", {"entity": "a", "steps": 51}, ["steps"]),
        ("POST", "/api/graph/entities", {"name": "a", "alias": "b"}, ["alias"]),
        ("PATCH", "/api/graph/entities/a", {"name": "b", "pinned": True}, ["name"]),
        ("POST", "/api/graph/entities/a/merge", {"into": "b", "intoId": "b"}, ["into"]),
        ("POST", "/api/graph/merges/a/undo", {"why": "b"}, ["why"]),
        ("POST", "/api/memory/supersede", {"oldId": "a", "newId": "b", "reason": "c", "why": "d"}, ["why"]),
        ("POST", "/api/memory/feedback", {"items": [{"id": "a", "score": 1}], "why": "d"}, ["why"]),
        ("POST", "/api/memory/supersessions/a/accept", {"retireNew": True}, ["retireNew"]),
        ("POST", "/api/repair/supersession-sweep", {"dryrun": True}, ["dryrun"]),
        ("POST", "/api/repair/backfill-skipped", {"limit": 0}, ["limit"]),
        ("POST", "/api/repair/condense", {"dryrun": True}, ["dryrun"]),
        ("POST", "/api/memory/supersessions/a/undo", {"retire": True}, ["retire"]),
        ("POST", "/api/repair/rollback", {"entityId": "a", "to": MARCH, "dryrun": True}, ["dryrun"]),
        ("POST", "/api/repair/rollbacks/a/undo", {"why": "b"}, ["why"]),
    ],
)
async def test_an_unknown_field_is_422_with_its_place(
    http: httpx.AsyncClient, method: str, path: str, body: Json, loc: list[str | int]
) -> None:
    assert locs(await http.request(method, path, json=body)) == [loc]


@pytest.mark.parametrize("limit", [0, 1001, -1, "many", "1.5"])
@pytest.mark.parametrize(
    "path",
    [
        "/api/sessions",
        "/api/sessions/summaries",
        "/api/sessions/s/messages",
        "/api/memory/supersessions",
        "/api/graph/entities",
        "/api/graph/merges",
        "/api/repair/rollbacks",
    ],
)
async def test_a_limit_out_of_range_is_422(http: httpx.AsyncClient, path: str, limit: object) -> None:
    assert locs(await http.get(path, params={"limit": str(limit)})) == [["query", "limit"]]


@pytest.mark.parametrize(
    ("path", "body"),
    [("/api/memory/recall", {"query": "a"}), ("/api/graph/impact", {"entityId": "a"})],
)
async def test_a_limit_in_a_body_has_the_same_bounds(http: httpx.AsyncClient, path: str, body: Json) -> None:
    for limit in (0, 1001):
        assert locs(await http.post(path, json=body | {"limit": limit})) == [["limit"]]


NOTHING = {"role": "assistant"}
SAYS = {"role": "assistant", "content": "a"}


@pytest.mark.parametrize(
    ("path", "body", "loc"),
    [
        ("/api/memory/recall", {"query": "  "}, ["query"]),
        ("/api/memory/recall", {}, ["query"]),
        ("/api/memory/recall", {"query": "a", "maxTokens": 63}, ["maxTokens"]),
        ("/api/memory/recall", {"query": "a", "maxTokens": 32_001}, ["maxTokens"]),
        ("/api/memory/expand", {"entity": "a", "maxTokens": 63}, ["maxTokens"]),
        ("/api/memory/expand-query", {"question": "a", "maxTokens": 63}, ["maxTokens"]),
        ("/api/memory/expand-query", {"question": "a", "contextMaxTokens": 63}, ["contextMaxTokens"]),
        ("/api/memory/remember", {"content": "a", "importance": 1.1}, ["importance"]),
        ("/api/memory/remember", {"content": "\n\t"}, ["content"]),
        ("/api/memory/remember", {"content": "a", "entity": "n" * 301}, ["entity"]),
        ("/api/memory/remember", {"content": "a", "entity": "\ufdfa" * 300}, ["entity"]),
        ("/api/graph/impact", {"entityId": "a", "maxDepth": 11}, ["maxDepth"]),
        ("/api/graph/impact", {"entityId": "a", "maxDepth": 0}, ["maxDepth"]),
        ("/api/graph/impact", {"entityId": "a", "minConfidence": 1.01}, ["minConfidence"]),
        ("/api/graph/impact", {"entityId": "a", "types": ["eats"]}, ["types", 0]),
        ("/api/graph/entities", {"name": " "}, ["name"]),
        ("/api/graph/entities", {"name": "a", "type": "ghost"}, ["type"]),
        ("/api/graph/entities", {"name": "a", "aliases": ["b", "n" * 301]}, ["aliases", 1]),
        ("/api/graph/entities/a/merge", {}, ["intoId"]),
        ("/api/repair/rollback", {"entityId": "a"}, ["to"]),
        ("/api/repair/rollback", {"entityId": "a", "to": "2026-03-01T00:00:00"}, ["to"]),
        ("/api/sessions", {"contextWindow": 10**20}, ["contextWindow"]),
        ("/api/sessions/s/messages", {"messages": []}, ["messages"]),
        ("/api/sessions/s/messages", {"messages": [{"role": "robot", "content": "a"}]}, ["messages", 0, "role"]),
        ("/api/sessions/s/messages", {"messages": [{"role": "user"}]}, ["messages", 0, "content"]),
        ("/api/sessions/s/messages", {"messages": [NOTHING | {"content": None}]}, ["messages", 0, "content"]),
        ("/api/sessions/s/messages", {"messages": [NOTHING | {"toolCalls": []}]}, ["messages", 0, "content"]),
        ("/api/sessions/s/messages", {"messages": [SAYS | {"audio": {"id": "a"}}]}, ["messages", 0, "audio"]),
        ("/api/sessions/s/messages", {"messages": [SAYS | {"annotations": [{}]}]}, ["messages", 0, "annotations"]),
        ("/api/sessions/s/messages", {"messages": [SAYS | {"functionCall": {}}]}, ["messages", 0, "functionCall"]),
        ("/api/sessions/s/messages", {"messages": [SAYS | {"refusal": 1}]}, ["messages", 0, "refusal"]),
        ("/api/sessions/s/messages", {"messages": [SAYS | {"refusals": None}]}, ["messages", 0, "refusals"]),
    ],
)
async def test_a_value_outside_its_bounds_is_422_with_its_place(
    http: httpx.AsyncClient, path: str, body: Json, loc: list[str | int]
) -> None:
    assert locs(await http.post(path, json=body)) == [loc]


async def test_a_constraint_without_an_entity_to_bind_is_422(http: httpx.AsyncClient) -> None:
    body = {"content": "Never deploy on Fridays", "kind": "constraint"}
    locs(await http.post("/api/memory/remember", json=body))
    bound = await http.post("/api/memory/remember", json=body | {"project": "Lantern"})
    assert bound.status_code == 201
    assert bound.json()["attributes"][0]["kind"] == "constraint"


@pytest.mark.parametrize("agent", ["", "a b", "a/b", "ä", "x" * 129, "a\tb"])
async def test_a_bad_agent_id_is_422(http: httpx.AsyncClient, agent: str) -> None:
    headers = {"X-Agent-Id": agent.encode("latin-1")}
    for method, path in sorted(CONTRACT - {("GET", "/healthz"), ("GET", "/readyz")}):
        response = await http.request(method, filled(path), headers=headers)  # type: ignore[arg-type]
        assert locs(response) == [["header", "X-Agent-Id"]], f"{method} {path}"


@pytest.mark.parametrize("agent", ["a", "A.b_c:d@e-f", "x" * 128])
async def test_an_unknown_agent_has_nothing_and_that_is_no_error(http: httpx.AsyncClient, agent: str) -> None:
    headers = {"X-Agent-Id": f"{uuid4().hex}{agent}"[:128]}
    for path in ("/api/sessions", "/api/sessions/summaries", "/api/graph/entities", "/api/memory/supersessions"):
        assert (await http.get(path, headers=headers)).json() == {"items": [], "nextCursor": None}
    recalled = await http.post("/api/memory/recall", json={"query": "anything"}, headers=headers)
    assert recalled.json()["hits"] == []
    assert set((await http.get("/api/status", headers=headers)).json()["counts"].values()) == {0}


async def test_headers_too_big_are_431(http: httpx.AsyncClient) -> None:
    is_problem(await http.get("/healthz", headers={"X-Note": "x" * 70_000}), 431, "head_too_big")


async def test_a_body_too_big_is_413_however_it_is_sent(http: httpx.AsyncClient) -> None:
    async def chunks() -> AsyncIterator[bytes]:
        for _ in range(MAX_BODY_BYTES // 2**20 + 1):
            yield b" " * 2**20

    said_so = {"Content-Length": str(MAX_BODY_BYTES + 1), "Content-Type": "application/json"}
    is_problem(await http.post("/api/sessions", content=b"{}", headers=said_so), 413, "body_too_big")
    chunked = {"Content-Type": "application/json"}
    is_problem(await http.post("/api/memory/recall", content=chunks(), headers=chunked), 413, "body_too_big")


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/api/sessions/unknown", None),
        ("GET", "/api/sessions/unknown/messages", None),
        ("POST", "/api/sessions/unknown/end", None),
        ("GET", "/api/messages/unknown", None),
        ("GET", "/api/payloads/unknown", None),
        ("POST", "/api/sessions/summaries/unknown/expand", None),
        ("GET", "/api/memory/unknown", None),
        ("GET", "/api/jobs/unknown", None),
        ("GET", "/api/graph/entities/unknown", None),
        ("GET", "/api/graph/entities?name=unknown", None),
        ("POST", "/api/memory/expand", {"entity": "unknown"}),
        ("POST", "/api/graph/impact", {"entityId": "unknown"}),
        ("PATCH", "/api/graph/entities/unknown", {"pinned": True}),
        ("POST", "/api/graph/entities/unknown/merge", {"intoId": "unheard-of"}),
        ("POST", "/api/graph/merges/unknown/undo", None),
        ("POST", "/api/graph/merges/unknown/accept", None),
        ("POST", "/api/graph/merges/unknown/reject", None),
        ("POST", "/api/memory/supersede", {"oldId": "unknown", "newId": "unheard-of", "reason": "r"}),
        ("POST", "/api/memory/supersessions/unknown/accept", None),
        ("POST", "/api/memory/supersessions/unknown/reject", None),
        ("POST", "/api/memory/supersessions/unknown/undo", None),
        ("POST", "/api/repair/rollbacks/unknown/undo", None),
        ("POST", "/api/repair/rollback", {"entityId": "unknown", "to": MARCH}),
        ("GET", "/api/repair/rollbacks?entity=unknown", None),
        ("DELETE", "/api/graph/dependencies/unknown", None),
        (
            "PUT",
            "/api/graph/dependencies",
            {"dependencies": [{"source": "0199aaaa-0000-7000-8000-000000000000", "target": "b"}]},
        ),
    ],
)
async def test_an_unknown_id_is_404(http: httpx.AsyncClient, method: str, path: str, body: Json | None) -> None:
    response = await http.request(method, path, json=body)
    is_problem(response, 404, "entity_not_found" if "near" in response.json() else "not_found")


async def test_another_agents_ids_are_404(http: httpx.AsyncClient, told: Told) -> None:
    paths = [
        f"/api/sessions/{told.session_id}",
        f"/api/sessions/{told.session_id}/messages",
        f"/api/messages/{told.message_id}",
        f"/api/payloads/{told.sha256}",
        f"/api/memory/{told.memory_id}",
        f"/api/memory/{told.attribute_id}",
        f"/api/jobs/{told.job_id}",
        f"/api/graph/entities/{told.entity_id}",
    ]
    for path in paths:
        assert (await told.client.get(path)).status_code == 200, path
        assert (await http.get(path)).status_code == 404, path
    bodies: list[tuple[str, str, Json]] = [
        ("POST", f"/api/sessions/summaries/{told.summary_id}/expand", {}),
        ("POST", f"/api/sessions/{told.session_id}/end", {}),
        ("POST", "/api/memory/expand", {"entity": told.entity_id}),
        ("POST", "/api/graph/impact", {"entityId": told.entity_id}),
        ("PUT", "/api/graph/dependencies", {"dependencies": [{"source": told.entity_id, "target": "b"}]}),
    ]
    for method, path, body in bodies:
        assert (await http.request(method, path, json=body)).status_code == 404, path


@pytest.mark.parametrize(
    ("query", "status", "cut", "range_"),
    [
        ("", 200, slice(0, 300), "bytes 0-299/300"),
        ("?limit=7", 206, slice(0, 7), "bytes 0-6/300"),
        ("?offset=298&limit=7", 206, slice(298, 300), "bytes 298-299/300"),
        ("?offset=299", 206, slice(299, 300), "bytes 299-299/300"),
        ("?limit=300", 200, slice(0, 300), "bytes 0-299/300"),
    ],
)
async def test_a_payload_comes_back_byte_for_byte_and_in_pages(
    told: Told, query: str, status: int, cut: slice, range_: str
) -> None:
    response = await told.client.get(f"/api/payloads/{told.sha256}{query}")
    assert (response.status_code, response.content) == (status, (b"ABC" * 100)[cut])
    assert response.headers["content-range"] == range_
    assert response.headers["content-type"] == "image/png"
    assert response.headers["x-content-type-options"] == "nosniff"


async def test_bytes_behind_the_end_of_a_payload_are_416(told: Told) -> None:
    response = await told.client.get(f"/api/payloads/{told.sha256}?offset=300")
    is_problem(response, 416, "out_of_range")
    assert response.headers["content-range"] == "bytes */300"
    for wrong in ("offset=-1", "limit=0", "limit=x"):
        assert (await told.client.get(f"/api/payloads/{told.sha256}?{wrong}")).status_code == 422


async def test_an_unknown_entity_is_told_with_near_names(told: Told) -> None:
    body = is_problem(await told.client.get("/api/graph/entities/wick-servise service"), 404, "entity_not_found")
    assert "wick-service" in [near["name"] for near in body["near"]]
    assert all(OBJECTS["ref"] == set(near) for near in body["near"])


async def test_nothing_is_half_written_when_a_batch_is_refused(http: httpx.AsyncClient) -> None:
    first = {"messages": [{"messageId": "a", "role": "user", "content": "one"}]}
    changed = {
        "messages": [
            {"messageId": "b", "role": "user", "content": "two"},
            {"messageId": "a", "role": "user", "content": "changed"},
        ]
    }
    await http.post("/api/sessions/s/messages", json=first)
    is_problem(await http.post("/api/sessions/s/messages", json=changed), 409, "message_changed")
    assert [one["messageId"] for one in (await http.get("/api/sessions/s/messages")).json()["items"]] == ["a"]
    is_problem(
        await http.post("/api/sessions/new/messages", json={"messages": [*first["messages"], {}]}), 422, "invalid_input"
    )
    assert (await http.get("/api/sessions/new")).status_code == 404


# Objects


@pytest.mark.parametrize(
    ("answer", "fields"),
    [
        ("open", "sessionId project source startedAt contextWindow metadata"),
        ("session", "sessionId messages tokens"),
        ("append", "sessionId received stored duplicates ignored redactions externalized messages"),
        ("messages", "items nextCursor"),
        ("sessions", "items nextCursor"),
        ("summaries", "items nextCursor"),
        ("entities", "items nextCursor"),
        ("supersessions", "items nextCursor"),
        ("merges", "items nextCursor"),
        ("rollbacks", "items nextCursor"),
        ("preview", "id entity to status retired revived dependenciesRetired dependenciesRevived protectedIds left"),
        ("sweep", "jobId affected items"),
        ("reindex", "jobId affected items"),
        ("backfill", "jobId affected items"),
        ("condense", "jobId affected items"),
        ("end", "sessionId gate pipeline jobId"),
        ("expand_summary", "summary children memories usedTokens truncated nextCursor"),
        (
            "remember",
            "memory entities attributes dependencies superseded proposals confirmed related duplicateOf "
            "extractionLevel",
        ),
        ("recall", "hits usedTokens truncated tokenCounter"),
        ("query", "items pairs nextCursor"),
        ("feedback", "applied changed restored"),
        ("explore", "entity seed steps items"),
        ("recap", "mode modeScore text citations tokensBefore tokensAfter ratio"),
        ("kept_recap", "mode modeScore text citations tokensBefore tokensAfter ratio"),
        ("expand", "entity constraints aspects dependencies summaries text usedTokens truncated partial tokenCounter"),
        (
            "answer",
            "answer found citations confidence usedTokens truncated contextTokens notLookedAt method fallback "
            "tokenCounter",
        ),
        ("contradiction", "conflict confidence signals blockedBy"),
        ("entity", "entity aspects dependencies"),
        ("dependencies", "created updated items"),
        ("impact", "entity direction groups total totalIsLowerBound truncated"),
        ("critical", "entity direction entities edges singlePoints criticalPaths truncated text"),
        ("what_if", "attribute dependencies supported memories changes truncated text"),
        (
            "status",
            "version agentId database embedder tokenCounter backlog jobs upkeep counts supersession extraction "
            "filters settings",
        ),
    ],
)
def test_an_answer_has_the_fields_of_the_contract(told: Told, answer: str, fields: str) -> None:
    assert set(fields.split()) <= set(told.answers[answer])


def test_every_object_is_whole_wherever_it_is_named(told: Told) -> None:
    answers = told.answers
    for message in (answers["message"], *answers["messages"]["items"], *answers["expand_summary"]["children"]):
        has(message, "message")
        for payload in message["payloads"]:
            has(payload, "payload")
    for summary in (answers["expand_summary"]["summary"], *answers["summaries"]["items"]):
        has(summary, "summary")
    for memory in (
        answers["remember"]["memory"],
        answers["supersede"]["memory"],
        answers["memory"],
        *answers["expand_summary"]["memories"],
    ):
        has(memory, "memory")
    has(answers["job"], "job")
    for entity in (
        *answers["remember"]["entities"],
        answers["entity"]["entity"],
        answers["expand"]["entity"],
        answers["impact"]["entity"],
        *answers["entities"]["items"],
        answers["make"],
        answers["change"],
    ):
        has(entity, "entity")
    for merge in (answers["merge"], answers["undo"], *answers["merges"]["items"]):
        has(merge, "merge")
    for attribute in (
        *answers["remember"]["attributes"],
        answers["attribute"],
        *answers["expand"]["constraints"],
        *(one for aspect in answers["expand"]["aspects"] for one in aspect["attributes"]),
        *(one for aspect in answers["entity"]["aspects"] for one in aspect["attributes"]),
    ):
        has(attribute, "attribute")
    for supersession in (
        *answers["supersede"]["superseded"],
        *answers["supersessions"]["items"],
        answers["ask"],
        answers["undo_supersession"],
    ):
        has(supersession, "supersession")
    affected = [one for group in answers["impact"]["groups"] for one in group["entities"]]
    ends = answers["entity"]["dependencies"]
    for dependency in (
        *answers["dependencies"]["items"],
        *answers["expand"]["dependencies"],
        *ends["incoming"],
        *ends["outgoing"],
        *(edge for one in affected for edge in (one["weakestEdge"], *one["path"])),
    ):
        has(dependency, "dependency")
        has(dependency["source"], "ref")
        has(dependency["target"], "ref")
    for hit in answers["recall"]["hits"]:
        has(hit, "hit")
    for signal in answers["contradiction"]["signals"]:
        has(signal, "signal")


def test_the_answers_looked_at_are_not_empty(told: Told) -> None:
    answers = told.answers
    assert answers["recall"]["hits"]
    assert answers["supersede"]["superseded"]
    assert answers["supersessions"]["items"]
    assert answers["contradiction"]["signals"]
    assert answers["expand"]["constraints"]
    assert answers["answer"]["citations"]
    for citation in answers["answer"]["citations"]:
        assert set(citation) >= {"id", "kind", "quote"}
    assert [group["label"] for group in answers["impact"]["groups"]] == ["WILL BREAK", "LIKELY AFFECTED"]
    assert answers["expand_summary"]["children"]
    assert answers["entity"]["dependencies"]["incoming"]
    assert answers["entity"]["dependencies"]["outgoing"]


def test_parts_of_answers_have_the_fields_of_the_contract(told: Told) -> None:
    answers = told.answers
    assert set(answers["append"]["messages"][0]) >= {"id", "messageId", "ordinal", "status"}
    assert set(answers["end"]["gate"]) >= {
        "significant",
        "reasons",
        "turnCount",
        "entityOverlap",
        "novelty",
        "thresholds",
    }
    turn = answers["turns"]["items"][0]
    assert set(turn) >= {"messageId", "overlays", "novelty", "importance", "paradigmShift", "class"}
    assert set(turn["overlays"]) == {"O1", "O2", "O3", "O4", "O5", "O6", "O7"}
    assert set(answers["expand"]["aspects"][0]) >= {"id", "name", "weight", "attributes"}
    assert set(answers["entities"]["items"][0]) >= {
        "mentions",
        "aspectCount",
        "attributeCount",
        "constraintCount",
        "dependencyCount",
    }
    affected = answers["impact"]["groups"][0]["entities"][0]
    assert set(affected) >= {"id", "name", "type", "depth", "confidence", "weakestEdge", "path"}
    assert set(answers["impact"]["groups"][0]) >= {"depth", "label", "entities"}
    status = answers["status"]
    assert set(status["database"]) >= {"mode", "address", "version"}
    assert set(status["embedder"]) >= {"id", "dimensions", "state"}
    assert set(status["backlog"]) >= {"embedding", "extraction", "analysis", "condensation"}
    assert set(status["jobs"]) >= {"queued", "running", "failed", "items"}
    assert set(status["counts"]) >= {
        "sessions",
        "messages",
        "memories",
        "entities",
        "attributes",
        "dependencies",
        "summaries",
        "cold",
    }
    assert set(status["sourceLineage"]) >= {"messages", "attributed", "unknown", "sources", "bySource"}
    assert set(status) >= {"tokens", "lastRotate", "lastBackup", "preset"}
    assert set(status["supersession"]) >= {"proposed", "applied", "accepted", "rejected", "undone", "precision"}
    assert set(status["extraction"]) >= {"level1", "level2", "level3", "dropped"}


def keys(body: object) -> Iterator[tuple[str, object]]:
    if isinstance(body, list):
        for item in body:
            yield from keys(item)
    if isinstance(body, dict):
        for key, value in body.items():
            yield key, value
            if key not in FREE_FORM:
                yield from keys(value)


def test_every_key_is_camel_case_and_every_time_is_utc(told: Told) -> None:
    times = 0
    for name, answer in told.answers.items():
        for key, value in keys(answer):
            assert re.fullmatch(r"[a-z][A-Za-z0-9]*", key), f"{name}: {key}"
            is_time = key.endswith(("At", "validFrom", "validTo", "Run")) and key != "notLookedAt"
            if is_time and value is not None:
                assert INSTANT.fullmatch(str(value)), f"{name}: {key} is {value}"
                times += 1
    assert times > 20


def test_no_secret_is_among_the_settings_of_the_status(told: Told, server_settings: dict[str, str]) -> None:
    shown = told.answers["status"]["settings"]
    assert "neo4j_password" not in shown
    if password := server_settings.get("GRAPHMEM_NEO4J_PASSWORD"):
        assert password not in str(told.answers["status"])


def test_ids_of_ours_are_uuids_of_version_7(told: Told) -> None:
    for id_ in (told.message_id, told.summary_id, told.job_id, told.memory_id, told.attribute_id, told.entity_id):
        assert re.fullmatch(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", id_)


# Inputs


async def test_snake_case_is_accepted_on_input(http: httpx.AsyncClient) -> None:
    opened = await http.post(
        "/api/sessions", json={"session_id": "s", "context_window": 1000, "started_at": "2026-01-02"}
    )
    assert opened.status_code == 201
    assert (opened.json()["sessionId"], opened.json()["contextWindow"]) == ("s", 1000)
    batch = {
        "messages": [
            {"message_id": "m", "role": "tool", "tool_call_id": "c", "content": "a", "created_at": "2026-01-02"}
        ]
    }
    stored = await http.post("/api/sessions/s/messages", json=batch)
    assert stored.json()["messages"][0]["messageId"] == "m"
    slot = {"content": "a uses b", "entity": "a", "claim_key": "k", "valid_from": "2026-01-02"}
    kept = await http.post("/api/memory/remember", json=slot)
    assert kept.json()["attributes"][0]["claimKey"] == "k"
    recalled = await http.post("/api/memory/recall", json={"query": "a", "max_tokens": 64, "include_superseded": True})
    assert recalled.status_code == 200
    impact = await http.post("/api/graph/impact", json={"entity_id": "a", "min_confidence": 0.5, "max_depth": 1})
    assert impact.status_code == 200


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("2026-03-02", "2026-03-02T00:00:00Z"),
        ("2026-03-02T10:00:00+01:00", "2026-03-02T09:00:00Z"),
        ("2026-03-02T10:00:00Z", "2026-03-02T10:00:00Z"),
        ("2026-03-02T10:00:00.123456-05:30", "2026-03-02T15:30:00.123456Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
        ("9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"),
    ],
)
async def test_a_time_comes_back_in_utc(http: httpx.AsyncClient, given: str, shown: str) -> None:
    opened = (await http.post("/api/sessions", json={"sessionId": "s", "startedAt": given})).json()
    assert opened["startedAt"] == shown
    await http.post(
        "/api/sessions/s/messages", json={"messages": [{"role": "user", "content": "a", "createdAt": given}]}
    )
    (message,) = (await http.get("/api/sessions/s/messages")).json()["items"]
    assert message["createdAt"] == shown
    assert datetime.fromisoformat(message["ingestedAt"]).year >= 2026
    kept = (await http.post("/api/memory/remember", json={"content": "a", "entity": "b", "validFrom": given})).json()
    assert kept["memory"]["validFrom"] == kept["attributes"][0]["validFrom"] == shown


@pytest.mark.parametrize(
    "given",
    [
        "2026-03-02T10:00:00",
        "2026-03-02 10:00",
        "2026-02-30",
        "yesterday",
        "",
        "0001-01-01T00:00:00+14:00",
        "9999-12-31T23:59:59-14:00",
    ],
)
async def test_a_time_without_a_zone_or_a_meaning_is_422(http: httpx.AsyncClient, given: str) -> None:
    assert locs(await http.post("/api/sessions", json={"startedAt": given})) == [["startedAt"]]
    batch = {"messages": [{"role": "user", "content": "a", "createdAt": given}]}
    assert locs(await http.post("/api/sessions/s/messages", json=batch)) == [["messages", 0, "createdAt"]]
    kept = await http.post("/api/memory/remember", json={"content": "a", "validFrom": given, "occurredAt": given})
    assert locs(kept) == [["validFrom"], ["occurredAt"]]
    recalled = await http.post("/api/memory/recall", json={"query": "a", "from": given, "to": given, "asOf": given})
    assert sorted(locs(recalled)) == [["asOf"], ["from"], ["to"]]
    claims = {"old": {"content": "a", "createdAt": given}, "new": {"content": "b"}}
    assert locs(await http.post("/api/memory/contradiction", json=claims)) == [["old", "createdAt"]]


@pytest.mark.parametrize(
    "raw", ["%2e%2e", "%2e", "summaries", "a%00b", "a%0Ab", "a%7Fb", "a%C2%85b", "a%2Fb", "a%3Fb", "a%23b", "x" * 257]
)
async def test_a_session_id_in_a_path_that_can_be_none_is_422(http: httpx.AsyncClient, raw: str) -> None:
    batch = {"messages": [{"role": "user", "content": "a"}]}
    is_problem(await http.post(f"/api/sessions/{raw}/messages", json=batch), 422, "invalid_input")
    is_problem(await http.post(f"/api/sessions/{raw}/end"), 422, "invalid_input")
    assert (await http.get("/api/sessions")).json()["items"] == []


@pytest.mark.parametrize(
    "id_", ["..", ".", "summaries", "a\x00b", "a\nb", "a\x85b", "a/b", "a?b", "a#b", "x" * 257, ""]
)
async def test_an_id_in_a_body_keeps_the_same_rule(http: httpx.AsyncClient, id_: str) -> None:
    assert locs(await http.post("/api/sessions", json={"sessionId": id_})) == [["sessionId"]]
    batch = {"messages": [{"messageId": id_, "role": "user", "content": "a"}]}
    assert locs(await http.post("/api/sessions/s/messages", json=batch)) == [["messages", 0, "messageId"]]


@pytest.mark.parametrize("id_", ["x" * 256, "a b", "100%25", "ü&=+;,@:", "日本", "😀", "...", "Summaries", "a\\b", '"'])
async def test_any_other_id_is_opaque_and_comes_back_as_it_was(http: httpx.AsyncClient, id_: str) -> None:
    opened = await http.post("/api/sessions", json={"sessionId": id_})
    assert (opened.status_code, opened.json()["sessionId"]) == (201, id_)
    path = f"/api/sessions/{_quoted(id_)}"
    stored = await http.post(
        f"{path}/messages", json={"messages": [{"messageId": id_, "role": "user", "content": "a"}]}
    )
    assert (stored.status_code, stored.json()["sessionId"]) == (200, id_)
    assert (await http.get(path)).json()["messages"] == 1
    assert (await http.get(f"/api/messages/{_quoted(id_)}")).json()["messageId"] == id_


def _quoted(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode())


@pytest.mark.parametrize(
    "name", ["src/app/main.py", "a//b", "TCP/IP", "100%", "a%2Fb", "C#", "what?", "日本/東京", "a b"]
)
async def test_an_entity_is_found_under_a_name_with_slashes(http: httpx.AsyncClient, name: str) -> None:
    edge = {"source": name, "target": "thing"}
    await http.put("/api/graph/dependencies", json={"dependencies": [edge]})
    everything_encoded = await http.get(f"/api/graph/entities/{_quoted(name)}")
    assert everything_encoded.json()["entity"]["name"] == name
    slashes_kept = await http.get(f"/api/graph/entities/{'/'.join(map(_quoted, name.split('/')))}")
    assert slashes_kept.json()["entity"]["name"] == name
    by_query = await http.get("/api/graph/entities", params={"name": name})
    assert by_query.json() == everything_encoded.json()
    by_id = await http.get(f"/api/graph/entities/{by_query.json()['entity']['id']}")
    assert by_id.json() == by_query.json()


async def test_an_absent_body_is_an_empty_one(http: httpx.AsyncClient) -> None:
    opened = await http.post("/api/sessions")
    assert opened.status_code == 201
    ended = await http.post(f"/api/sessions/{opened.json()['sessionId']}/end")
    assert ended.status_code == 200
    assert (await http.post("/api/memory/recall")).status_code == 422


async def test_a_page_goes_on_behind_its_cursor_and_ends_with_null(http: httpx.AsyncClient) -> None:
    for number in range(5):
        await http.post("/api/sessions", json={"sessionId": f"s{number}", "startedAt": f"2026-01-0{number + 1}"})
        await http.put(
            "/api/graph/dependencies", json={"dependencies": [{"source": f"e{number}", "target": f"f{number}"}]}
        )
    for path, key, count in (("/api/sessions", "sessionId", 5), ("/api/graph/entities", "id", 10)):
        seen: list[str] = []
        cursor: str | None = None
        pages = 0
        while pages == 0 or cursor:
            page = (await http.get(path, params={"limit": 2} | ({"cursor": cursor} if cursor else {}))).json()
            seen += [item[key] for item in page["items"]]
            cursor = page["nextCursor"]
            pages += 1
        assert len(seen) == len(set(seen)) == count
        assert pages == -(-count // 2)


# The envelope


async def test_the_request_id_is_echoed_or_made(http: httpx.AsyncClient) -> None:
    for path in ("/healthz", "/api/sessions", "/api/nowhere", "/api/doctor"):
        assert (await http.get(path, headers={"X-Request-Id": "mine-1"})).headers["x-request-id"] == "mine-1"
    first, second = [(await http.get("/healthz")).headers["x-request-id"] for _ in range(2)]
    assert first != second


async def test_a_service_that_is_well_says_so(http: httpx.AsyncClient) -> None:
    assert (await http.get("/healthz")).json() == {"status": "ok"}
    assert (await http.get("/readyz")).json() == {"status": "ready"}


# The document


async def test_the_openapi_document_is_served(http: httpx.AsyncClient, openapi: Json) -> None:
    served = await http.get("/openapi.json")
    assert served.status_code == 200
    assert served.json() == openapi


@pytest.mark.parametrize("page", ["/docs", "/redoc"])
async def test_the_pages_about_the_api_need_nothing_from_elsewhere(http: httpx.AsyncClient, page: str) -> None:
    served = await http.get(page)
    assert served.status_code == 200
    assert served.headers["content-security-policy"] == "default-src 'self' 'unsafe-inline' data: blob:"
    assert (await http.head(page)).status_code == 200
    asked_for = re.findall(r"(?:src|href)=\"([^\"]+)\"", served.text)
    assert len(asked_for) >= 2
    for address in asked_for:
        assert address.startswith("/docs/files/")
        answer = await http.get(address)
        assert (answer.status_code, bool(answer.content)) == (200, True), address
    assert (await http.get("/docs/files/..%2Fcore.py")).status_code in (400, 404, 422)


async def test_the_front_page_leads_to_the_description(http: httpx.AsyncClient) -> None:
    served = await http.get("/")
    assert (served.status_code, served.headers["location"]) == (307, "/docs")


def test_the_openapi_document_is_valid(openapi: Json) -> None:
    assert openapi["openapi"].startswith("3.1")
    assert {"title", "version"} <= set(openapi["info"])
    for schema in openapi["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)
    ids = [operation["operationId"] for _, _, operation in operations(openapi)]
    assert len(ids) == len(set(ids))
    for _, path, operation in operations(openapi):
        declared = {one["name"] for one in operation.get("parameters", []) if one["in"] == "path"}
        assert declared == set(re.findall(r"\{(\w+)\}", path)), path
        assert operation["responses"]
    for reference in re.findall(r"'\$ref': '#/([^']+)'", str(openapi)):
        place: Any = openapi
        for part in reference.split("/"):
            place = place[part]
        assert isinstance(place, dict)


def test_every_route_is_described_and_its_request_has_a_valid_example(openapi: Json) -> None:
    for method, path, operation in operations(openapi):
        assert operation["summary"], f"{method} {path}"
        assert operation["description"], f"{method} {path}"
        content = operation.get("requestBody", {}).get("content", {}).get("application/json")
        if content is None:
            assert method in ("GET", "DELETE") or path in NO_JSON, f"{method} {path} takes no body"
            continue
        schema = content["schema"]
        name = schema.get("$ref", "").rsplit("/", 1)[-1] or next(
            option["$ref"].rsplit("/", 1)[-1]
            for option in schema.get("anyOf", schema.get("allOf", []))
            if "$ref" in option
        )
        model = openapi["components"]["schemas"][name]
        assert model.get("examples"), f"{method} {path}: {name} has no example"
        whole = model | {"components": openapi["components"]}
        for example in model["examples"]:
            jsonschema.Draft202012Validator(whole).validate(example)


def test_every_problem_a_route_can_answer_is_documented(openapi: Json) -> None:
    for method, path, operation in operations(openapi):
        for status in ("401", "403", "404", "409", "422", "503"):
            assert status in operation["responses"], f"{method} {path}"


async def test_every_example_of_the_document_is_accepted(http: httpx.AsyncClient, openapi: Json) -> None:
    schemas = openapi["components"]["schemas"]
    known = [{"source": "billing-service", "target": "PostgreSQL"}]
    await http.put("/api/graph/dependencies", json={"dependencies": known})
    for path, model in (
        ("POST /api/sessions", "NewSession"),
        ("POST /api/sessions/s/messages", "NewMessages"),
        ("POST /api/memory/remember", "Remember"),
        ("POST /api/memory/recall", "Recall"),
        ("POST /api/memory/expand", "Expand"),
        ("POST /api/memory/expand-query", "ExpandQuery"),
        ("POST /api/memory/contradiction", "ContradictionQuestion"),
        ("PUT /api/graph/dependencies", "NewDependencies"),
        ("POST /api/graph/impact", "ImpactQuestion"),
    ):
        method, route = path.split()
        for example in schemas[model]["examples"]:
            response = await http.request(method, route, json=example)
            assert response.status_code in (200, 201), response.text
