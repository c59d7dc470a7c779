"""Keys at the HTTP door: every route asks for one, with a scope that one table names; each opens one agent's memory."""

import re
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts

from api.app import create_app
from api.scopes import NEEDED, OPEN, needed
from graphmem.app import Graphmem
from graphmem.graph.connection import Database
from graphmem.model.keys import SCOPES, KeyScope, includes
from graphmem.settings import Settings

GUARDED = sorted(NEEDED)


def served(app: FastAPI) -> Iterator[str]:
    """Every route of an application as "METHOD path"; a part that is mounted would have no method, and be seen."""
    for route in iter_route_contexts(app.routes):
        for method in sorted(route.methods or {"ANY"}):
            if method != "HEAD":  # Starlette adds it to GET, and answers it as GET
                yield f"{method} {route.path}"


@pytest.fixture(scope="module")
async def locked(settings: Settings) -> AsyncIterator[httpx.ASGITransport]:
    """The HTTP service where a key is required."""
    app = create_app(settings.model_copy(update={"require_key": True}))
    async with app.router.lifespan_context(app):
        yield httpx.ASGITransport(app, raise_app_exceptions=False)


@pytest.fixture
async def door(locked: httpx.ASGITransport) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(transport=locked, base_url="http://127.0.0.1", timeout=60) as client:
        yield client


@pytest.fixture(scope="module")
async def by_scope(graphmem: Graphmem) -> dict[KeyScope, str]:
    """A key of each scope, for one agent."""
    agent_id = f"test-{uuid4().hex}"
    return {scope: (await graphmem.operation.keys.create(agent_id, scope))[1] for scope in SCOPES}


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def call(route: str) -> tuple[str, str]:
    method, path = route.split()
    return method, re.sub(r"\{[^}]+\}", "0199aaaa-0000-7000-8000-000000000000", path)


def is_refused(response: httpx.Response, status: int, code: str) -> None:
    assert (response.status_code, response.json()["code"]) == (status, code), response.text
    assert response.headers["content-type"] == "application/problem+json"
    assert ("www-authenticate" in response.headers) == (status == 401)


# The table


def test_every_route_that_is_served_has_its_scope_in_the_table_and_none_else_is_there(settings: Settings) -> None:
    routes = list(served(create_app(settings)))
    assert len(routes) == len(set(routes)) > 60
    assert set(routes) == NEEDED.keys() | OPEN


def test_a_route_that_nobody_put_there_needs_the_highest_scope() -> None:
    assert needed("POST", "/api/anything") == "admin"
    assert needed("GET", "/healthz") is None


def test_what_erases_or_repairs_needs_admin_and_no_get_of_data_needs_more_than_read() -> None:
    for route, scope in NEEDED.items():
        method, path = route.split()
        if path.startswith("/api/repair/") or path in ("/api/memory/erase", "/api/telemetry/events"):
            assert scope == "admin", route
        elif method == "GET":
            assert scope == "read", route
        elif method in ("PUT", "PATCH", "DELETE"):
            assert scope == "write", route


# Each route


@pytest.mark.parametrize("route", GUARDED)
async def test_a_route_refuses_who_has_no_key_before_it_reads_the_body(door: httpx.AsyncClient, route: str) -> None:
    read = False

    async def body() -> AsyncIterator[bytes]:
        nonlocal read
        read = True
        yield b"{"

    method, path = call(route)
    is_refused(await door.request(method, path, content=body()), 401, "unauthenticated")
    assert not read


@pytest.mark.parametrize("route", GUARDED)
async def test_a_route_refuses_a_lower_scope_and_lets_in_its_own(
    door: httpx.AsyncClient, by_scope: dict[KeyScope, str], route: str
) -> None:
    method, path = call(route)
    for scope, key in by_scope.items():
        answered = await door.request(method, path, headers=bearer(key))
        if includes(scope, NEEDED[route]):
            assert answered.status_code not in (401, 403), answered.text
        else:
            is_refused(answered, 403, "scope_missing")


@pytest.mark.parametrize("route", sorted(OPEN))
async def test_an_open_route_asks_for_no_key(door: httpx.AsyncClient, route: str) -> None:
    path = route.split()[1].replace("{name}", "favicon.png")
    assert (await door.get(path, follow_redirects=True)).status_code == 200


# Credentials


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"X-Agent-Id": "default"},
        {"Authorization": "Bearer"},
        {"Authorization": "Bearer "},
        {"Authorization": "Bearer gm_" + "x" * 43},
        {"Authorization": "Basic Z21feDp5"},
        {"X-Api-Key": ""},
        {"X-Api-Key": "gm_" + "x" * 43},
    ],
    ids=str,
)
async def test_what_is_no_valid_key_is_refused(door: httpx.AsyncClient, headers: dict[str, str]) -> None:
    is_refused(await door.get("/api/status", headers=headers), 401, "unauthenticated")


async def test_a_key_may_come_in_either_header(door: httpx.AsyncClient, graphmem: Graphmem, agent_id: str) -> None:
    _, text = await graphmem.operation.keys.create(agent_id, "read")
    for headers in (bearer(text), {"Authorization": f"bearer {text}"}, {"X-Api-Key": text}):
        answered = await door.get("/api/status", headers=headers)
        assert answered.json()["agentId"] == agent_id


async def test_a_revoked_and_an_expired_key_are_refused(
    door: httpx.AsyncClient, graphmem: Graphmem, agent_id: str
) -> None:
    revoked, first = await graphmem.operation.keys.create(agent_id, "read")
    await graphmem.operation.keys.revoke(revoked.id)
    _, second = await graphmem.operation.keys.create(agent_id, "read", valid_for=timedelta(microseconds=1))
    for text in (first, second):
        is_refused(await door.get("/api/status", headers=bearer(text)), 401, "unauthenticated")


async def test_where_none_is_required_a_wrong_key_is_refused_all_the_same(
    http: httpx.AsyncClient, graphmem: Graphmem, agent_id: str
) -> None:
    assert (await http.get("/api/status")).json()["agentId"] == agent_id
    is_refused(await http.get("/api/status", headers=bearer("gm_wrong")), 401, "unauthenticated")
    _, text = await graphmem.operation.keys.create(f"{agent_id}-2", "read")
    assert (await http.get("/api/status", headers=bearer(text))).json()["agentId"] == f"{agent_id}-2"
    is_refused(await http.post("/api/sessions", headers=bearer(text)), 403, "scope_missing")
    # What a proxy in front asked for is none of ours.
    assert (await http.get("/api/status", headers={"Authorization": "Basic Z21feDp5"})).status_code == 200


# Agents


async def test_a_key_opens_its_own_agents_memory_whatever_the_header_says(
    door: httpx.AsyncClient, graphmem: Graphmem, agent_id: str
) -> None:
    _, ada = await graphmem.operation.keys.create(agent_id, "write")
    _, bob = await graphmem.operation.keys.create(f"{agent_id}-bob", "write")
    assert (await door.post("/api/sessions", json={"sessionId": "s"}, headers=bearer(ada))).status_code == 201
    for named in (agent_id, f"{agent_id}-bob", "no agent at all"):
        headers = bearer(bob) | {"X-Agent-Id": named}
        assert (await door.get("/api/sessions/s", headers=headers)).status_code == 404
        assert (await door.get("/api/status", headers=headers)).json()["agentId"] == f"{agent_id}-bob"


async def test_a_key_for_all_agents_follows_the_header(
    door: httpx.AsyncClient, graphmem: Graphmem, agent_id: str
) -> None:
    _, text = await graphmem.operation.keys.create(agent_id, "read", all_agents=True)
    assert (await door.get("/api/status", headers=bearer(text))).json()["agentId"] == agent_id
    other = await door.get("/api/status", headers=bearer(text) | {"X-Agent-Id": "another"})
    assert other.json()["agentId"] == "another"
    wrong = await door.get("/api/status", headers=bearer(text) | {"X-Agent-Id": "no agent at all"})
    assert wrong.status_code == 422


# What is kept


async def test_the_database_holds_the_hash_and_when_it_was_used(
    door: httpx.AsyncClient, graphmem: Graphmem, database: Database, agent_id: str
) -> None:
    key, text = await graphmem.operation.keys.create(agent_id, "read", name="laptop")
    await door.get("/api/status", headers=bearer(text))
    (kept,) = await graphmem.operation.keys.all(agent_id)
    assert kept.last_used_at is not None
    assert kept.last_used_at > key.created_at
    assert kept.model_copy(update={"last_used_at": None}) == key

    async def nodes(tx: Any) -> list[dict[str, Any]]:
        found = await tx._run("MATCH (k:Key {id: $id}) RETURN properties(k) AS it", {"id": key.id})
        return [record["it"] async for record in found]

    (node,) = await database.read(nodes)
    assert len(node["hash"]) == 64
    assert text not in str(node)
    assert text[3:] not in str(node)


# The description


def test_the_document_says_how_keys_are_sent(settings: Settings) -> None:
    document = create_app(settings).openapi()
    assert document["components"]["securitySchemes"]["bearer"]["scheme"] == "bearer"
    assert document["components"]["securitySchemes"]["apiKey"]["name"] == "X-Api-Key"
    assert document["security"] == [{"bearer": []}, {"apiKey": []}]
    unasked = {path for path, methods in document["paths"].items() if methods.get("get", {}).get("security") == []}
    assert unasked == {"/healthz", "/readyz"}
