"""The Python client, raw HTTP and MCP are doors to one house: equal answers, and errors of the same kind.

Every MCP tool is compared with its route in test_mcp.py; here its client meets the service on a socket.
"""

import asyncio
import hashlib
import json
import socket
import threading
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import httpx
import httpx2
import pytest
import uvicorn
from mcp import Client as McpClient
from mcp.client.streamable_http import streamable_http_client
from pydantic.alias_generators import to_camel

from api.app import create_app
from api.mcp_answers import shown
from graphmem import errors
from graphmem.client import GraphmemClient
from graphmem.settings import Settings
from tests.waiting import until_it_holds

Json = dict[str, Any]
VOLATILE = {"id", "oldId", "newId", "jobId", "createdAt", "decidedAt", "validFrom", "validTo", "entityId", "startedAt"}
"""Fields that differ between two agents who said the same."""


@pytest.fixture(scope="module")
def url(settings: Settings) -> Iterator[str]:
    """The service on a socket, in a thread."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    config = uvicorn.Config(
        create_app(settings), host="127.0.0.1", port=port, log_config=None, lifespan="on", server_header=False
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    with GraphmemClient(f"http://127.0.0.1:{port}") as probing:
        while not (server.started and probing.is_ready()):
            assert thread.is_alive(), "the service ended while it started"
    yield f"http://127.0.0.1:{port}"
    server.should_exit = True
    thread.join(timeout=20)
    assert not thread.is_alive()


@pytest.fixture
def client(url: str, agent_id: str) -> Iterator[GraphmemClient]:
    with GraphmemClient(url, agent_id=agent_id) as opened:
        yield opened


@pytest.fixture
def raw(url: str, agent_id: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=url, headers={"X-Agent-Id": agent_id}, timeout=60) as opened:
        yield opened


@pytest.fixture
def other(url: str) -> Iterator[httpx.Client]:
    """Raw HTTP for an agent of its own."""
    with httpx.Client(base_url=url, headers={"X-Agent-Id": f"test-{uuid4().hex}"}, timeout=60) as opened:
        yield opened


def wire(answer: Any) -> Json:
    parsed: Json = json.loads(answer.model_dump_json(by_alias=True))
    return parsed


def steady(body: Any) -> Any:
    """A body without what must differ between two agents."""
    if isinstance(body, dict):
        return {key: steady(value) for key, value in body.items() if key not in VOLATILE and not key.endswith("Ids")}
    return [steady(item) for item in body] if isinstance(body, list) else body


SAID = [
    {"messageId": "m1", "role": "user", "name": "Ada", "content": "lamp-service uses PostgreSQL."},
    {"messageId": "m2", "role": "assistant", "content": "Noted."},
]
SLOT = {"entity": "wick-service", "aspect": "network", "claimKey": "port"}
EDGES = [{"source": "lamp-service", "target": "wick-service", "confidence": 0.9}]


def test_reads_are_equal_through_both_doors(client: GraphmemClient, raw: httpx.Client) -> None:
    client.open_session(session_id="s", project="Lantern")
    client.add_messages("s", SAID)
    client.end_session("s")
    for port in (8080, 9090):
        client.remember(content=f"wick-service runs on port {port}", entity="wick-service", claim_key="port")
    client.put_dependencies(EDGES)
    client.status()  # waits until all of it is found by words

    assert (
        wire(client.recall(query="port", limit=3))
        == raw.post("/api/memory/recall", json={"query": "port", "limit": 3}).json()
    )
    assert (
        wire(client.expand(entity="wick-service", max_tokens=500))
        == raw.post("/api/memory/expand", json={"entity": "wick-service", "maxTokens": 500}).json()
    )
    assert (
        wire(client.expand_query("Which port does wick-service run on?", max_tokens=300))
        == raw.post(
            "/api/memory/expand-query",
            json={"question": "Which port does wick-service run on?", "maxTokens": 300},
        ).json()
    )
    assert (
        wire(client.impact(entity_id="wick-service"))
        == raw.post("/api/graph/impact", json={"entityId": "wick-service"}).json()
    )
    assert (
        wire(client.grep("port", sort="recency"))
        == raw.post("/api/memory/grep", json={"pattern": "port", "sort": "recency"}).json()
    )
    assert wire(client.session("s")) == raw.get("/api/sessions/s").json()
    assert wire(client.turns("s", limit=2)) == raw.get("/api/sessions/s/turns?limit=2").json()
    assert (
        wire(client.load_session("s", max_tokens=64))
        == raw.post("/api/sessions/load", json={"sessionId": "s", "maxTokens": 64}).json()
    )
    assert wire(client.message("m1", offset=2, limit=3)) == raw.get("/api/messages/m1?offset=2&limit=3").json()
    for kind in ("session", "message", "entity"):
        id_ = {"session": "s", "message": "m1", "entity": "wick-service"}[kind]
        assert wire(client.describe(id_, kind=kind)) == raw.get(f"/api/describe/{id_}?kind={kind}").json()
        assert client.expand_id(id_, maxTokens=64) == raw.get(f"/api/expand/{id_}?maxTokens=64").json()
    assert wire(client.summaries(limit=3)) == raw.get("/api/sessions/summaries?limit=3").json()
    assert wire(client.entities(limit=10)) == raw.get("/api/graph/entities", params={"limit": 10}).json()
    assert wire(client.entity("wick-service")) == raw.get("/api/graph/entities/wick-service").json()
    supersessions = client.supersessions(status="applied")
    assert len(supersessions.items) == 1
    assert wire(supersessions) == raw.get("/api/memory/supersessions", params={"status": "applied"}).json()
    old = supersessions.items[0].old_id
    assert client.fact(old) == raw.get(f"/api/memory/{old}").json()
    status, seen = wire(client.status()), raw.get("/api/status").json()
    for moving in ("backlog", "jobs", "upkeep"):
        del status[moving], seen[moving]
    assert status == seen


async def test_an_mcp_client_reads_what_the_others_wrote(client: GraphmemClient, agent_id: str, url: str) -> None:
    client.put_dependencies(EDGES)
    impact = wire(client.impact(entity_id="wick-service"))
    async with (
        httpx2.AsyncClient(headers={"X-Agent-Id": agent_id}) as http,
        McpClient(streamable_http_client(f"{url}/mcp", http_client=http)) as mcp,
    ):
        told_too = json.loads((await mcp.call_tool("impact", {"entityId": "wick-service"})).content[0].text)
        assert told_too == shown("impact", impact)
        refused = await mcp.call_tool("expand", {"entity": "lump"})
    with pytest.raises(errors.GraphmemError) as told:
        client.expand(entity="lump")
    problem = json.loads(refused.content[0].text)
    assert (problem["code"], problem["detail"]) == (told.value.code, str(told.value))


def test_writes_answer_the_same_through_both_doors(client: GraphmemClient, other: httpx.Client) -> None:
    assert steady(wire(client.open_session(session_id="s", project="Lantern"))) == steady(
        other.post("/api/sessions", json={"sessionId": "s", "project": "Lantern"}).json()
    )
    assert steady(wire(client.add_messages("s", SAID))) == steady(
        other.post("/api/sessions/s/messages", json={"messages": SAID}).json()
    )
    assert steady(wire(client.end_session("s"))) == steady(other.post("/api/sessions/s/end").json())
    for port in (8080, 9090):
        given = {"content": f"wick-service runs on port {port}", **SLOT}
        assert steady(wire(client.remember(**given))) == steady(other.post("/api/memory/remember", json=given).json())
    settled = []
    for resolve, keep in (
        (lambda items: wire(client.resolve(items, "it moved")), lambda given: wire(client.remember(**given))),
        (
            lambda items: other.post("/api/memory/resolve", json={"items": items, "reason": "it moved"}).json(),
            lambda given: other.post("/api/memory/remember", json=given).json(),
        ),
    ):
        claims = ({"slot": "host", "value": "Fly"}, {"slot": "host", "value": "Render", "scope": ["at night"]})
        old, new = (keep({"content": f"{n} it is", "entity": "vane", "claim": claim}) for n, claim in enumerate(claims))
        assert [near["why"] for near in new["related"]] == ["another scope"]
        pair = {"id": new["attributes"][0]["id"], "with": old["attributes"][0]["id"]}
        done = resolve([pair | {"verdict": "supersedes"}])["settled"]
        settled.append([steady({key: value for key, value in one.items() if key != "with"}) for one in done])
    assert settled[0] == settled[1]
    assert steady(wire(client.put_dependencies(EDGES))) == steady(
        other.put("/api/graph/dependencies", json={"dependencies": EDGES}).json()
    )


CALL = {"id": "c1", "type": "function", "function": {"name": "read", "arguments": '{"path": "/etc/zwieback"}'}}
UNUSED = {"refusal": None, "audio": None, "function_call": None, "annotations": []}
REFUSAL = {"type": "refusal", "refusal": "I will not."}
SHAPES: list[tuple[Json, str | None, list[Json] | None, str]] = [
    ({"content": None, "tool_calls": [CALL]} | UNUSED, None, None, "null"),
    ({"toolCalls": [CALL]}, None, None, "null"),
    ({"content": [], "toolCalls": [CALL]}, "", [], "[]"),
    ({"content": []}, "", [], "[]"),
    ({"content": "", "toolCalls": [CALL]}, "", None, ""),
    ({"content": "words"} | UNUSED, "words", None, "words"),
    ({"content": None} | UNUSED | {"refusal": "I will not."}, "", [REFUSAL], json.dumps([REFUSAL])),
    ({"content": "Be brief.", "role": "developer"}, "Be brief.", None, "Be brief."),
]
"""What clients of OpenAI and Anthropic send, and what it is read back as: content, parts, and what `sha256` is of."""


async def loaded_over_mcp(url: str, agent_id: str, **asked: Any) -> list[Json]:
    async with (
        httpx2.AsyncClient(headers={"X-Agent-Id": agent_id}) as http,
        McpClient(streamable_http_client(f"{url}/mcp", http_client=http)) as mcp,
    ):
        items: list[Json] = json.loads((await mcp.call_tool("load_session", asked)).content[0].text)["items"]
        return items


def test_deciding_on_supersessions_through_the_client(client: GraphmemClient, raw: httpx.Client) -> None:
    said = ("wick-service runs on Fly", "wick-service has two regions")
    old, new = (client.remember(content=one, entity="wick-service").attributes[0].id for one in said)
    record = client.supersede(old, new, "the team says so")
    assert (record.old_id, record.new_id, record.status, record.method) == (old, new, "applied", "user")
    assert client.undo_supersession(record.id, retire_new=True).status == "undone"
    assert client.fact(new)["supersededBy"] == old
    (back,) = client.supersessions(status="applied").items
    assert client.undo_supersession(back.id, reason="no").status == "undone"
    assert client.accept_supersession(record.id).status == "applied"
    with pytest.raises(errors.Conflict):
        client.reject_supersession(record.id)
    assert wire(client.supersessions()) == raw.get("/api/memory/supersessions").json()
    assert client.supersession_sweep(dry_run=True).affected == 0
    assert wire(client.reindex(dry_run=True)) == raw.post("/api/repair/reindex", json={"dryRun": True}).json()
    assert client.backfill_skipped(dry_run=True).affected == 0
    assert client.condense(dry_run=True).affected == 0


def test_shapes_of_other_clients_come_back_as_they_were_sent(
    client: GraphmemClient, raw: httpx.Client, agent_id: str, url: str
) -> None:
    sent = [{"role": "assistant", "messageId": f"m{n}"} | shape for n, (shape, *_) in enumerate(SHAPES)]
    client.add_messages("by-client", sent)
    assert raw.post("/api/sessions/by-http/messages", json={"messages": sent}).json()["stored"] == len(sent)
    loaded = asyncio.run(loaded_over_mcp(url, agent_id, sessionId="by-client", maxTokens=32_000))
    pages = [client.messages(session).items for session in ("by-client", "by-http")]
    assert [(one["role"], one.get("content"), one.get("parts"), one.get("toolCalls")) for one in loaded] == [
        (message["role"], content or None, parts or None, message.get("toolCalls", message.get("tool_calls")))
        for message, (_, content, parts, _) in zip(sent, SHAPES, strict=True)
    ]
    for items in ([wire(item) for item in page] for page in pages):
        assert [(item["role"], item["content"], item["parts"]) for item in items] == [
            (message["role"], content, parts) for message, (_, content, parts, _) in zip(sent, SHAPES, strict=True)
        ]
        assert [item["toolCalls"] for item in items] == [
            message.get("toolCalls", message.get("tool_calls")) for message in sent
        ]
        assert not any(item["omitted"] or item["contentTruncated"] or item["metadata"] for item in items)
        hashed = [
            json.dumps(json.loads(of), sort_keys=True, separators=(",", ":")) if of[:1] == "[" else of
            for *_, of in SHAPES
        ]
        assert [item["sha256"] for item in items] == [hashlib.sha256(of.encode()).hexdigest() for of in hashed]
    again = raw.post("/api/sessions/by-client/messages", json={"messages": sent}).json()
    assert again["duplicates"] == len(sent)
    unnamed = [{key: value for key, value in message.items() if key != "messageId"} for message in sent]
    assert raw.post("/api/sessions/by-http/messages", json={"messages": unnamed}).json()["duplicates"] == len(sent)
    other = {"messages": [sent[0] | {"tool_calls": None, "content": ""}]}
    assert raw.post("/api/sessions/by-http/messages", json=other).json()["code"] == "message_changed"
    for pattern, number in (({"pattern": "zwieback"}, 4), ({"pattern": "brief", "role": "developer"}, 1)):
        asked = pattern | {"sessionId": "by-http"}
        # The index that grep asks is a moment behind.
        found = until_it_holds(lambda asked=asked: raw.post("/api/memory/grep", json=asked).json()["items"])
        assert len(found) == number
    null = raw.get("/api/messages/m0", params={"sessionId": "by-http", "raw": True}).json()
    assert null["content"] == "null"
    for id_ in (item["id"] for item in loaded):
        assert raw.get(f"/api/expand/{id_}").status_code == raw.get(f"/api/describe/{id_}").status_code == 200


@pytest.mark.parametrize("session_id", ["a b", "100%25", "50%", "ü&=+;", "日本", "..."])
def test_an_opaque_session_id_survives_the_client(client: GraphmemClient, session_id: str) -> None:
    assert client.open_session(session_id=session_id).session_id == session_id
    assert client.add_messages(session_id, SAID).session_id == session_id
    assert client.end_session(session_id).session_id == session_id
    assert client.status().counts.sessions == 1


def test_the_clients_errors_are_ours(client: GraphmemClient) -> None:
    client.add_messages("s", SAID)
    with pytest.raises(errors.MessageChanged, match="m1"):
        client.add_messages("s", [SAID[0] | {"content": "something else"}])
    for call in (client.end_session, client.session, client.load_session, client.describe, client.expand_summary):
        with pytest.raises(errors.NotFound):
            call("nowhere")
    with pytest.raises(errors.NotFound):
        client.fact("0199aaaa-0000-7000-8000-000000000000")
    with pytest.raises(errors.InvalidCursor):
        client.supersessions(cursor="garbage")
    with pytest.raises(errors.NotFound, match="nobody"):
        client.erase(person="nobody")
    with pytest.raises(errors.InvalidInput, match="name one of"):
        client.erase(person="a", entity="b")
    client.put_dependencies(EDGES)
    client.status()  # names are found by words once the index has taken them in; the status waits for that
    with pytest.raises(errors.EntityNotFound) as unknown:
        client.expand(entity="lamp-servize service")
    assert unknown.value.wanted == "lamp-servize service"
    assert "lamp-service" in {near.name for near in unknown.value.near}
    assert str(unknown.value).count("No entity is called") == 1


@pytest.mark.parametrize(
    ("call", "place"),
    [
        (lambda client: client.recall(query=" "), "query"),
        (lambda client: client.recall(query="a", limit=0), "limit"),
        (lambda client: client.recall(query="a", tpo=3), "tpo"),
        (lambda client: client.expand(entity="a", max_tokens=3), "maxTokens"),
        (lambda client: client.impact(entity_id="a", max_depth=99), "maxDepth"),
        (lambda client: client.remember(content=""), "content"),
        (lambda client: client.open_session(session_id="a/b"), "sessionId"),
        (lambda client: client.add_messages("..", SAID), "sessionId"),
        (lambda client: client.entities(limit=1001), "limit"),
        (lambda client: client.entities(type="spaceship"), "type"),
        (lambda client: client.put_dependencies([{"source": "a"}]), "target"),
    ],
)
def test_what_is_wrong_is_said_with_its_place_whoever_finds_it(client: GraphmemClient, call: Any, place: str) -> None:
    with pytest.raises(errors.InvalidInput) as wrong:
        call(client)
    # A place is spelt as the input was: snake_case from Python, camelCase on the wire.
    assert place in {to_camel(str(one.loc[-1])) for one in wrong.value.problems}
    assert wrong.value.problems[0].msg in str(wrong.value)


def test_a_service_that_is_away_is_an_unavailable_one() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        away = f"http://127.0.0.1:{taken.getsockname()[1]}"
    with GraphmemClient(away, timeout_s=5) as client:
        assert not client.is_ready()
        with pytest.raises(errors.DatabaseUnavailable, match="graphmem serve"):
            client.status()


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("plan_outdated", errors.PlanOutdated),
        ("database_busy", errors.DatabaseBusy),
        ("database_unavailable", errors.DatabaseUnavailable),
        ("database_refused", errors.DatabaseRefused),
        ("embedder_mismatch", errors.EmbedderMismatch),
        ("conflict", errors.Conflict),
        ("idempotency_key_reused", errors.IdempotencyKeyReused),
        ("something_of_tomorrow", errors.GraphmemError),
    ],
)
def test_every_code_on_the_wire_becomes_its_class(code: str, kind: type[errors.GraphmemError]) -> None:
    problem = {"type": "t", "title": "t", "status": 503, "detail": "what happened", "code": code}
    refusing = httpx.MockTransport(lambda _: httpx.Response(503, json=problem, headers={"Retry-After": "7"}))
    with GraphmemClient() as client:
        client._http = httpx.Client(transport=refusing, base_url="http://127.0.0.1")
        with pytest.raises(errors.GraphmemError) as told:
            client.status()
    assert type(told.value) is kind
    assert str(told.value) == "what happened"
    assert getattr(told.value, "retry_after_s", 7) == 7
