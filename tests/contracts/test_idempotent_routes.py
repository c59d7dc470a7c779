"""Every route that writes carries a request with an idempotency key out once, whatever it does."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from fastapi.dependencies.models import Dependant
from fastapi.routing import iter_route_contexts

from api.calls import write_call
from api.scopes import NEEDED

Json = dict[str, Any]
Prepared = tuple[str, Any]
"""A path and a body for it."""
Prepare = Callable[[httpx.AsyncClient], Awaitable[Prepared]]
READING = {route for route, scope in NEEDED.items() if scope == "read" or route.startswith("GET ")}


async def ok(response: httpx.Response) -> Json:
    assert response.status_code in (200, 201), response.text
    body: Json = response.json()
    return body


async def facts(http: httpx.AsyncClient) -> list[Json]:
    """Two statements of one entity that can both hold, as `remember` answers them."""
    said = ("Wick burns oil.", "Wick stands in the hall.")
    return [await ok(await http.post("/api/memory/remember", json={"content": one, "entity": "wick"})) for one in said]


async def superseded(http: httpx.AsyncClient) -> Json:
    older, newer = await facts(http)
    ids = {"oldId": older["attributes"][0]["id"], "newId": newer["attributes"][0]["id"], "reason": "said so"}
    return await ok(await http.post("/api/memory/supersede", json=ids))


async def entities(http: httpx.AsyncClient) -> list[str]:
    made = [await ok(await http.post("/api/graph/entities", json={"name": name})) for name in ("wick", "lamp")]
    return [one["id"] for one in made]


async def merged(http: httpx.AsyncClient) -> Json:
    one, other = await entities(http)
    return await ok(await http.post(f"/api/graph/entities/{one}/merge", json={"intoId": other}))


async def undone_merge(http: httpx.AsyncClient) -> Json:
    return await ok(await http.post(f"/api/graph/merges/{(await merged(http))['id']}/undo"))


async def proposed(http: httpx.AsyncClient) -> Json:
    """What was given explicitly is not retired by what was merely read."""
    await ok(
        await http.post("/api/memory/remember", json={"content": "wick-api runs on port 80", "entity": "wick-api"})
    )
    read = await ok(await http.post("/api/memory/remember", json={"content": "wick-api now runs on port 81"}))
    (proposal,) = read["proposals"]
    return dict(proposal)


async def proposed_merge(http: httpx.AsyncClient) -> Json:
    for name in ("billing", "billing-service"):
        await ok(await http.post("/api/memory/remember", json={"content": "It bills", "entity": name}))
        await ok(await http.get("/api/status"))  # texts are found by words when this returns
    (merge,) = (await ok(await http.get("/api/graph/merges")))["items"]
    return dict(merge)


async def rolling_back(http: httpx.AsyncClient) -> Prepared:
    await ok(await http.post("/api/memory/remember", json={"content": "Wick burns oil.", "entity": "wick"}))
    to = datetime.now(UTC).isoformat()
    await facts(http)
    return "/api/repair/rollback", {"entityId": "wick", "to": to, "dryRun": False, "reason": "wrong"}


async def rolled_back(http: httpx.AsyncClient) -> Json:
    path, body = await rolling_back(http)
    return await ok(await http.post(path, json=body))


async def session(http: httpx.AsyncClient) -> None:
    said = [{"role": "user", "content": "The wick burns oil from the store."}, {"role": "assistant", "content": "So."}]
    await ok(await http.post("/api/sessions/s/messages", json={"messages": said}))


async def edge(http: httpx.AsyncClient) -> str:
    given = {"dependencies": [{"source": "wick", "target": "oil"}]}
    return str((await ok(await http.put("/api/graph/dependencies", json=given)))["items"][0]["id"])


def fixed(path: str, body: Any = None, *first: Callable[[httpx.AsyncClient], Awaitable[Any]]) -> Prepare:
    async def prepare(http: httpx.AsyncClient) -> Prepared:
        for step in first:
            await step(http)
        return path, body

    return prepare


def of(path: str, thing: Callable[[httpx.AsyncClient], Awaitable[Any]], body: Any = None) -> Prepare:
    """The path with the id of a thing that is made first; in the body "ID" stands for it."""

    async def prepare(http: httpx.AsyncClient) -> Prepared:
        made = await thing(http)
        id_ = made if isinstance(made, str) else made["id"]
        return path.format(id=id_), {name: id_ if given == "ID" else given for name, given in (body or {}).items()}

    return prepare


async def memory(http: httpx.AsyncClient) -> str:
    return str((await facts(http))[0]["memory"]["id"])


async def archived(http: httpx.AsyncClient) -> str:
    id_ = await memory(http)
    await ok(await http.delete(f"/api/memory/{id_}"))
    return id_


async def archived_entity(http: httpx.AsyncClient) -> str:
    id_ = (await entities(http))[0]
    await ok(await http.delete(f"/api/graph/entities/{id_}"))
    return id_


async def first_entity(http: httpx.AsyncClient) -> str:
    return (await entities(http))[0]


async def undone(http: httpx.AsyncClient) -> Json:
    return await ok(await http.post(f"/api/memory/supersessions/{(await superseded(http))['id']}/undo"))


async def pair(http: httpx.AsyncClient) -> Prepared:
    older, newer = await facts(http)
    return "/api/memory/supersede", {
        "oldId": older["attributes"][0]["id"],
        "newId": newer["attributes"][0]["id"],
        "reason": "said so",
    }


async def verdict(http: httpx.AsyncClient) -> Prepared:
    older, newer = await facts(http)
    ids = {"id": newer["attributes"][0]["id"], "with": older["attributes"][0]["id"]}
    return "/api/memory/resolve", {"items": [ids | {"verdict": "supersedes"}]}


async def liked(http: httpx.AsyncClient) -> Prepared:
    return "/api/memory/feedback", {"items": [{"id": await memory(http), "score": 1}]}


async def erasing(http: httpx.AsyncClient) -> Prepared:
    return "/api/memory/erase", {"subject": {"memoryId": await memory(http)}, "confirm": True}


async def merging(http: httpx.AsyncClient) -> Prepared:
    one, other = await entities(http)
    return f"/api/graph/entities/{one}/merge", {"intoId": other}


SAID = {"messages": [{"role": "user", "content": "the lamp is lit"}]}
WRITES: dict[str, Prepare] = {
    "POST /api/sessions": fixed("/api/sessions", {"project": "Lantern"}),
    "POST /api/sessions/{sessionId}/messages": fixed("/api/sessions/s/messages", SAID),
    "POST /api/sessions/{sessionId}/end": fixed("/api/sessions/s/end", {}, session),
    "POST /api/sessions/{sessionId}/compact": fixed("/api/sessions/s/compact", {"force": True}, session),
    "POST /api/sessions/{sessionId}/recap": fixed("/api/sessions/s/recap", None, session),
    "POST /api/memory/remember": fixed("/api/memory/remember", {"content": "Wick burns oil.", "entity": "wick"}),
    "POST /api/memory/resolve": verdict,
    "POST /api/memory/erase": erasing,
    "POST /api/memory/feedback": liked,
    "POST /api/memory/supersede": pair,
    "POST /api/memory/supersessions/{id}/accept": of("/api/memory/supersessions/{id}/accept", undone),
    "POST /api/memory/supersessions/{id}/reject": of("/api/memory/supersessions/{id}/reject", proposed),
    "POST /api/memory/supersessions/{id}/undo": of("/api/memory/supersessions/{id}/undo", superseded),
    "PATCH /api/memory/{id}": of("/api/memory/{id}", memory, {"content": "Wick burns wax.", "reason": "refilled"}),
    "DELETE /api/memory/{id}": of("/api/memory/{id}", memory),
    "POST /api/memory/{id}/restore": of("/api/memory/{id}/restore", archived),
    "POST /api/graph/entities": fixed("/api/graph/entities", {"name": "wick"}),
    "PATCH /api/graph/entities/{id}": of("/api/graph/entities/{id}", first_entity, {"pinned": True}),
    "DELETE /api/graph/entities/{id}": of("/api/graph/entities/{id}", first_entity),
    "POST /api/graph/entities/{id}/restore": of("/api/graph/entities/{id}/restore", archived_entity),
    "POST /api/graph/entities/{id}/merge": merging,
    "POST /api/graph/merges/{id}/accept": of("/api/graph/merges/{id}/accept", undone_merge),
    "POST /api/graph/merges/{id}/reject": of("/api/graph/merges/{id}/reject", proposed_merge),
    "POST /api/graph/merges/{id}/undo": of("/api/graph/merges/{id}/undo", merged),
    "PUT /api/graph/dependencies": fixed(
        "/api/graph/dependencies", {"dependencies": [{"source": "wick", "target": "oil"}]}
    ),
    "DELETE /api/graph/dependencies/{id}": of("/api/graph/dependencies/{id}", edge),
    "POST /api/graph/import": fixed("/api/graph/import", b'{"source": "wick", "target": "oil"}\n'),
    "POST /api/repair/retention": fixed("/api/repair/retention", {"dryRun": False}, facts),
    "POST /api/repair/supersession-sweep": fixed("/api/repair/supersession-sweep", {"dryRun": False}, facts),
    "POST /api/repair/backfill-skipped": fixed("/api/repair/backfill-skipped", {"dryRun": False}, session),
    "POST /api/repair/condense": fixed("/api/repair/condense", {"dryRun": False}, session),
    "POST /api/repair/reindex": fixed("/api/repair/reindex", {"dryRun": False}, facts),
    "POST /api/repair/rollback": rolling_back,
    "POST /api/repair/rollbacks/{id}/undo": of("/api/repair/rollbacks/{id}/undo", rolled_back),
    "POST /api/repair/upkeep": fixed("/api/repair/upkeep", {"name": "forget_requests"}),
}
"""What to send to each route that writes, on an agent that has nothing yet."""


def dry(prepare: Prepare) -> Prepare:
    async def prepared(http: httpx.AsyncClient) -> Prepared:
        path, body = await prepare(http)
        return path, body | {"dryRun": True}

    return prepared


DRY = {f"{route}, dry": dry(WRITES[route]) for route in WRITES if "/repair/" in route and "rollback" not in route}
del DRY["POST /api/repair/upkeep, dry"]


CALLS = WRITES | DRY


async def send(http: httpx.AsyncClient, route: str, path: str, body: Any, key: str) -> httpx.Response:
    headers = {"Idempotency-Key": key}
    if isinstance(body, bytes):
        return await http.post(path, content=body, headers=headers | {"Content-Type": "application/x-ndjson"})
    return await http.request(route.split()[0], path, json=body or None, headers=headers)


async def happened(http: httpx.AsyncClient) -> int:
    found = await ok(await http.get("/api/telemetry/events", params={"limit": 1000}))
    return len(found["items"])


def takes_key(dependant: Dependant) -> bool:
    return dependant.call is write_call or any(takes_key(one) for one in dependant.dependencies)


def test_every_route_that_writes_goes_through_the_one_place_and_is_called_below(transport: httpx.ASGITransport) -> None:
    app = transport.app
    assert isinstance(app, FastAPI)
    routes = {
        f"{method} {route.path}": route
        for route in iter_route_contexts(app.routes)
        for method in route.methods or ()
        if method not in ("GET", "HEAD")
    }
    writing = {name for name in routes if name not in READING}
    assert writing == WRITES.keys()
    assert {name for name, route in routes.items() if takes_key(route.dependant)} == writing


@pytest.mark.parametrize("route", sorted(CALLS))
async def test_a_repeat_is_answered_as_the_first_and_changes_nothing(http: httpx.AsyncClient, route: str) -> None:
    path, body = await CALLS[route](http)
    first = await send(http, route, path, body, "k")
    assert first.status_code in (200, 201), first.text
    assert "Idempotency-Replayed" not in first.headers
    before = await happened(http)
    again = await send(http, route, path, body, "k")
    assert (again.status_code, again.text) == (first.status_code, first.text)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert await happened(http) == before
    other = await send(http, "POST /api/sessions", "/api/sessions", {"project": "Another"}, "k")
    assert (other.status_code, other.json()["code"]) == (409, "idempotency_key_reused")
