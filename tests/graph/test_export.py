"""Exports hold what the routes answer, at one moment, in three formats."""

import io
import json
from collections.abc import AsyncIterator
from typing import Any

import httpx
import networkx as nx
import pytest
from neo4j import AsyncDriver

from graphmem.adapters.identity import utc_now

Json = dict[str, Any]
ODD = 'says "two\nlines", a \\ and a \' — ü'


async def ok(response: httpx.Response) -> Json:
    assert response.status_code in (200, 201), response.text
    body: Json = response.json()
    return body


async def exported(http: httpx.AsyncClient, **how: Any) -> str:
    response = await http.get("/api/graph/export", params=how)
    assert response.status_code == 200, response.text
    return response.text


async def records(http: httpx.AsyncClient, **how: Any) -> dict[str, list[Json]]:
    found: dict[str, list[Json]] = {"entity": [], "attribute": [], "dependency": []}
    for line in (await exported(http, **how)).splitlines():
        one = json.loads(line)
        found[one.pop("record")].append(one)
    return found


@pytest.fixture
async def told(http: httpx.AsyncClient) -> str:
    """Facts of two entities, one replaced, and a dependency; when it was not replaced yet."""

    async def keep(content: str, since: str, **more: Any) -> None:
        given = {"content": content, "entity": "gate", "validFrom": since} | more
        await ok(await http.post("/api/memory/remember", json=given))

    await keep("gate listens on port 80", "2024-01-01", claimKey="port")
    await keep(f"gate {ODD}", "2024-01-01")
    edges = [{"source": "gate", "target": "wall", "confidence": 0.8, "reason": ODD, "validFrom": "2024-01-01"}]
    await ok(await http.put("/api/graph/dependencies", json={"dependencies": edges}))
    before = utc_now().isoformat()
    await keep("gate listens on port 81", "2025-01-01", claimKey="port")
    return before


@pytest.mark.usefixtures("told")
async def test_json_lines_hold_what_the_page_of_each_entity_shows(http: httpx.AsyncClient) -> None:
    found = await records(http)
    assert [one["name"] for one in found["entity"]] == ["gate", "wall"]
    page = await ok(await http.get("/api/graph/entities/gate"))
    facts = [fact for aspect in page["aspects"] for fact in aspect["attributes"]]
    for one in found["attribute"]:
        assert (bool(one.pop("claims")), one.pop("saidAt")) == (True, None)
    assert sorted(found["attribute"], key=lambda one: one["id"]) == sorted(facts, key=lambda one: one["id"])
    assert found["dependency"] == page["dependencies"]["outgoing"]


async def test_an_export_is_of_the_moment_that_is_asked_for(http: httpx.AsyncClient, told: str) -> None:
    async def ports(**how: Any) -> list[str]:
        facts = (await records(http, **how))["attribute"]
        return sorted(fact["content"][-2:] for fact in facts if fact["claimKey"])

    assert await ports() == ["81"]
    assert await ports(asOf="2024-06-01") == ["80"]
    assert await ports(knownAt=told) == ["80"]
    assert await ports(asOf="2023-01-01") == []
    assert await ports(includeSuperseded=True) == ["80", "81"]
    assert (await records(http, asOf="2023-01-01"))["dependency"] == []
    assert await exported(http, knownAt="2020-01-01") == ""


@pytest.mark.usefixtures("told")
async def test_graphml_is_read_by_others(http: httpx.AsyncClient) -> None:
    text = await exported(http, format="graphml", includeSuperseded=True)
    graph = nx.read_graphml(io.StringIO(text), force_multigraph=True)
    labels = sorted(data["label"] for _, data in graph.nodes(data=True))
    assert labels == ["Attribute"] * 3 + ["Entity"] * 2
    edges = sorted(data["label"] for _, _, data in graph.edges(data=True))
    assert edges == ["DEPENDS_ON", "HAS_ATTRIBUTE", "HAS_ATTRIBUTE", "HAS_ATTRIBUTE", "SUPERSEDED_BY"]
    (reason,) = [data["reason"] for _, _, data in graph.edges(data=True) if data["label"] == "DEPENDS_ON"]
    assert reason == ODD


@pytest.fixture
async def elsewhere(bolt: AsyncDriver) -> AsyncIterator[str]:
    """A label for nodes that an exported script makes: the test server has one database only."""
    yield "Exported"
    await bolt.execute_query("MATCH (n:Exported) DETACH DELETE n")


@pytest.mark.usefixtures("told")
async def test_cypher_makes_the_graph_again(http: httpx.AsyncClient, bolt: AsyncDriver, elsewhere: str) -> None:
    script = await exported(http, format="cypher", includeSuperseded=True)
    script = script.replace(":Entity {", f":{elsewhere} {{").replace(":Attribute {", f":{elsewhere} {{")
    for _ in range(2):
        for statement in script.removesuffix(";\n").split(";\n"):
            await bolt.execute_query(statement)
    rows, _, _ = await bolt.execute_query(
        f"MATCH (n:{elsewhere}) RETURN coalesce(n.content, n.name) AS said, n.validFrom IS NOT NULL AS timed, "
        "COLLECT { MATCH (n)-[r]->() RETURN type(r) ORDER BY type(r) } AS out ORDER BY said"
    )
    assert [(row["said"], row["timed"], row["out"]) for row in rows] == [
        ("gate", False, ["DEPENDS_ON", *["HAS_ATTRIBUTE"] * 3]),
        ("gate listens on port 80", True, ["SUPERSEDED_BY"]),
        ("gate listens on port 81", True, []),
        (f"gate {ODD}", True, []),
        ("wall", False, []),
    ]


async def test_a_format_that_does_not_exist_is_refused(http: httpx.AsyncClient) -> None:
    refused = await http.get("/api/graph/export", params={"format": "csv"})
    assert (refused.status_code, refused.json()["errors"][0]["loc"][-1]) == (422, "format")
