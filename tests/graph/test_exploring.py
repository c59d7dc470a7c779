"""Exploring a real graph: the same seed goes the same way, cold things surface, and nothing changes."""

from typing import Any

import httpx
import pytest
from neo4j import AsyncDriver

from tests.agents import nodes_of

EDGES = [
    {"source": "web", "target": "api", "confidence": 0.9},
    {"source": "api", "target": "store", "confidence": 0.8},
    {"source": "api", "target": "queue", "confidence": 0.7},
    {"source": "worker", "target": "queue", "confidence": 0.9},
    {"source": "web", "target": "web", "confidence": 0.9},
]


async def ok(response: httpx.Response) -> dict[str, Any]:
    assert response.status_code < 300, response.text
    body: dict[str, Any] = response.json()
    return body


async def explored(http: httpx.AsyncClient, **asked: Any) -> dict[str, Any]:
    return await ok(await http.post("/api/graph/explore", json={"entity": "web", "steps": 20} | asked))


@pytest.fixture
async def told(http: httpx.AsyncClient) -> None:
    await ok(await http.put("/api/graph/dependencies", json={"dependencies": EDGES}))
    await ok(await http.post("/api/memory/remember", json={"content": "store keeps seven copies", "entity": "store"}))


async def snapshot(bolt: AsyncDriver, agent_id: str) -> list[Any]:
    rows, _, _ = await bolt.execute_query(
        f"{await nodes_of(bolt)} WHERE NOT n:Event AND NOT n:EventChain OPTIONAL MATCH (n)-[r]->() "
        "WITH n, r ORDER BY elementId(n), elementId(r) "
        "RETURN labels(n) AS labels, properties(n) AS node, properties(r) AS edge",
        a=agent_id,
    )
    return [dict(row) for row in rows]


@pytest.mark.usefixtures("told")
async def test_a_walk_meets_each_once_says_why_and_goes_back_out_of_a_dead_end(http: httpx.AsyncClient) -> None:
    found = await explored(http)
    items = found["items"]
    assert sorted(item["name"] for item in items) == ["api", "queue", "store", "worker"]
    assert (found["steps"], found["entity"]["name"]) == (4, "web")
    met = {found["entity"]["id"]}
    for item in items:
        assert item["fromId"] in met
        assert item["why"].keys() == {"rarelyUsed", "confidence"}
        met.add(item["id"])
    (store,) = (item for item in items if item["name"] == "store")
    assert [fact["content"] for fact in store["facts"]] == ["store keeps seven copies"]
    assert (await explored(http, steps=2))["items"] == items[:2]


@pytest.mark.usefixtures("told")
async def test_the_same_seed_goes_the_same_way_and_nothing_is_changed(
    http: httpx.AsyncClient, bolt: AsyncDriver, agent_id: str
) -> None:
    before = await snapshot(bolt, agent_id)
    walks = [[item["name"] for item in (await explored(http, seed=seed))["items"]] for seed in range(12)]
    again = [[item["name"] for item in (await explored(http, seed=seed))["items"]] for seed in range(12)]
    assert walks == again
    assert len({tuple(walk) for walk in walks}) > 1
    assert await snapshot(bolt, agent_id) == before


@pytest.mark.usefixtures("told")
async def test_what_is_cold_is_met_only_when_asked_for(http: httpx.AsyncClient) -> None:
    queue = (await ok(await http.get("/api/graph/entities/queue")))["entity"]["id"]
    await ok(await http.delete(f"/api/graph/entities/{queue}"))
    assert sorted(item["name"] for item in (await explored(http))["items"]) == ["api", "store"]
    cold = {item["name"]: item for item in (await explored(http, includeCold=True))["items"]}
    assert cold.keys() == {"api", "store", "queue", "worker"}
    assert (cold["queue"]["status"], cold["queue"]["why"]["cold"]) == ("cold", 1.0)
    assert cold["worker"]["status"] == "active"


async def test_from_what_nobody_knows_no_walk_begins(http: httpx.AsyncClient) -> None:
    unknown = await http.post("/api/graph/explore", json={"entity": "nobody"})
    assert (unknown.status_code, unknown.json()["code"]) == (404, "entity_not_found")
