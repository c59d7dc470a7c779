"""Impact beyond one good answer: edges of another time, bounds, what if, single points of failure, other formats."""

import random
from collections.abc import Sequence
from typing import Any

import httpx
import networkx as nx
import pytest
from neo4j import AsyncDriver

from graphmem.adapters.identity import new_uuid7, utc_now
from graphmem.app import Graphmem
from graphmem.errors import DatabaseBusy
from graphmem.graph.impact.impact import ImpactStore
from graphmem.graph.statements import statement
from graphmem.model.caller import Caller
from graphmem.model.inputs import ImpactQuestion, NewDependencies, NewDependency
from graphmem.model.stored import Walk
from graphmem.services.impact.impacting import Impacting
from graphmem.services.impact.walking import CAPS

Json = dict[str, Any]


async def ok(response: httpx.Response) -> Json:
    assert response.status_code in (200, 201), response.text
    body: Json = response.json()
    return body


async def draw(http: httpx.AsyncClient, *edges: tuple[str, str, float]) -> list[Json]:
    """Edges by hand: who needs whom, how surely."""
    given = [{"source": source, "target": target, "confidence": sure} for source, target, sure in edges]
    put = await ok(await http.put("/api/graph/dependencies", json={"dependencies": given}))
    items: list[Json] = put["items"]
    return items


async def reached(http: httpx.AsyncClient, entity: str, **asked: Any) -> dict[str, tuple[int, float]]:
    answer = await ok(await http.post("/api/graph/impact", json={"entityId": entity, "minConfidence": 0.0} | asked))
    return {
        one["name"]: (one["depth"], round(one["confidence"], 9))
        for group in answer["groups"]
        for one in group["entities"]
    }


@pytest.mark.parametrize("seed", range(6))
async def test_edges_that_ended_are_walked_only_by_those_who_look_back(http: httpx.AsyncClient, seed: int) -> None:
    chance = random.Random(seed)
    nodes = [f"node {letter}" for letter in "abcdefg"]
    pairs = {(chance.choice(nodes), chance.choice(nodes)): round(chance.uniform(0.3, 1), 3) for _ in range(16)}
    drawn = await draw(http, *((source, target, sure) for (source, target), sure in pairs.items()))
    before = utc_now()
    gone = chance.sample(drawn, 5)
    for edge in gone:
        await ok(await http.delete(f"/api/graph/dependencies/{edge['id']}"))
    left = [edge for edge in drawn if edge not in gone]
    for start in sorted({edge["target"]["name"] for edge in drawn}):
        then = await reached(http, start, knownAt=before.isoformat(), maxDepth=4)
        assert await reached(http, start, maxDepth=4) == by_networkx(left, start, 4)
        assert then == by_networkx(drawn, start, 4)


def by_networkx(edges: Sequence[Json], start: str, most: int) -> dict[str, tuple[int, float]]:
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_node(start)
    for edge in edges:
        graph.add_edge(edge["target"]["name"], edge["source"]["name"], confidence=edge["confidence"])
    found = {}
    for end in set(graph) - {start}:
        products = {}
        for path in nx.all_simple_edge_paths(graph, start, end, cutoff=most):
            product = 1.0
            for step in path:
                product *= graph.edges[step]["confidence"]
            products[tuple(path)] = product
        if products:
            found[end] = (min(map(len, products)), round(max(products.values()), 9))
    return found


# --- bounds -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["impact/walk[up]", "impact/walk[down]", "impact/walk[up_then]", "impact/walk[down_then]"]
)
@pytest.mark.parametrize("depth", [3, 10])
async def test_plan_seeks_the_start_and_walks_breadth_first_within_its_bounds(
    graphmem: Graphmem, bolt: AsyncDriver, name: str, depth: int
) -> None:
    text = statement(name).with_literal(depth - 1)
    params = dict.fromkeys(statement(name).params) | {"now": utc_now(), "as_of": utc_now(), "known_at": utc_now()}
    params |= {"agent_id": "a", "id": "i", "min_confidence": 0.7, "node_cap": 10, "edge_cap": 10}
    async with bolt.session() as session:
        summary = await (await session.run(text.replace("CYPHER 25", "CYPHER 25 EXPLAIN", 1), params)).consume()

    def operators(plan: Any) -> list[str]:
        return [
            plan["operatorType"].split("@")[0],
            *(one for child in plan.get("children", []) for one in operators(child)),
        ]

    steps = operators(summary.plan)
    assert "NodeUniqueIndexSeek" in steps
    assert [step for step in steps if "Scan" in step] == []
    walks = [step for step in steps if step.startswith(("VarLength", "StatefulShortest"))]
    assert walks == ["VarLengthExpand(Pruning,BFS,All)"]
    # Each expansion is cut by the limit right above it: nothing that collects first stands between them.
    assert steps.index("Limit") < steps.index("OptionalExpand(All)") < len(steps) - 1
    assert steps.count("Limit") == 2
    assert not {"Sort", "Top", "Eager"} & set(steps)


@pytest.mark.long
async def test_a_hub_with_50000_neighbours_answers_what_is_certain(
    http: httpx.AsyncClient, agent_id: str, bolt: AsyncDriver
) -> None:
    hub = (await draw(http, ("neighbour 0", "hub", 0.9)))[0]["target"]["id"]
    for first in range(1, 50_000, 2_500):
        await bolt.execute_query(
            """MATCH (h:Entity {agent_id: $agent, id: $hub}) UNWIND range($first, $first + 2499) AS n
            CREATE (e:Entity {agent_id: $agent, id: 'n' + n, name: 'neighbour ' + n, canonicalName: 'neighbour ' + n,
              type: 'system'})-[:DEPENDS_ON {agent_id: $agent, id: 'e' + n, activeKey: 'k' + n, type: 'uses',
              confidence: 0.7 + 0.3 * n / 50001, strength: 0.5, validFrom: $now, createdAt: $now, status: 'active',
              memoryIds: [], attributeIds: []}]->(h)""",
            agent=agent_id,
            hub=hub,
            first=first,
            now=utc_now(),
        )
    for depth in (1, 3, 10):
        answer = await ok(await http.post("/api/graph/impact", json={"entityId": "hub", "maxDepth": depth}))
        assert answer["truncated"]
        assert answer["totalIsLowerBound"]
        assert 1000 < answer["total"] <= 50_000
        listed = [one for group in answer["groups"] for one in group["entities"]]
        assert len(listed) == 1000
        assert all(one["depth"] == 1 and one["path"][0]["target"]["name"] == "hub" for one in listed)
        assert all(one["confidence"] == one["path"][0]["confidence"] >= 0.7 for one in listed)


class Slow:
    """Reads that take too long while the caps are wide."""

    def __init__(self, reads: ImpactStore, *, narrow_too: bool = False) -> None:
        self._reads = reads
        self._narrow_too = narrow_too
        self.caps: list[tuple[int, int]] = []

    async def walk(self, *given: Any, node_cap: int, edge_cap: int, **how: Any) -> Walk:
        self.caps.append((node_cap, edge_cap))
        if self._narrow_too or (node_cap, edge_cap) == CAPS[0]:
            raise DatabaseBusy("it took too long")
        return await self._reads.walk(*given, node_cap=2, edge_cap=edge_cap, **how)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reads, name)


async def test_a_walk_that_takes_too_long_is_answered_by_a_shorter_one_that_says_so(
    graphmem: Graphmem, agent_id: str
) -> None:
    edges = [("b", "a"), ("c", "b"), ("d", "c"), ("e", "a")]
    given = NewDependencies(dependencies=tuple(NewDependency(source=one, target=two) for one, two in edges))
    await graphmem.knowledge.entities.put_dependencies(Caller(agent_id), given)
    slow = Slow(ImpactStore(graphmem.database))
    report = await Impacting(graphmem.knowledge.entities, slow, utc_now).impact(agent_id, ImpactQuestion(entity_id="a"))
    assert slow.caps == list(CAPS)
    assert report.truncated
    assert report.total_is_lower_bound
    assert {one.name for one in report.groups[0].entities} == {"b", "e"}
    busy = Impacting(graphmem.knowledge.entities, Slow(ImpactStore(graphmem.database), narrow_too=True), utc_now)
    with pytest.raises(DatabaseBusy, match="too long"):
        await busy.impact(agent_id, ImpactQuestion(entity_id="a"))


async def test_depth_ten_goes_ten_steps_and_no_further(http: httpx.AsyncClient) -> None:
    await draw(http, *((f"n{n + 1}", f"n{n}", 1.0) for n in range(12)))
    assert await reached(http, "n0", maxDepth=10) == {f"n{n}": (n, 1.0) for n in range(1, 11)}


async def test_unknown_entity_is_answered_with_names_like_it(http: httpx.AsyncClient, graphmem: Graphmem) -> None:
    await draw(http, ("web", "billing service", 1.0))
    await graphmem.operation.upkeep.refresh_text()
    for path, body in (("", {"entityId": "biling-service"}), ("/critical", {"entityId": "biling-service"})):
        answer = await http.post(f"/api/graph/impact{path}", json=body)
        assert answer.status_code == 404
        assert "billing service" in answer.text
        assert answer.json()["code"] == "entity_not_found"


# --- what if ------------------------------------------------------------------------------------------------


async def test_without_a_dependency_entities_are_lost_or_reached_less_surely(http: httpx.AsyncClient) -> None:
    edges = await draw(
        http, ("api", "db", 0.9), ("web", "api", 0.9), ("app", "web", 0.9), ("web", "db", 0.75), ("cron", "db", 0.8)
    )
    asked = {"dependencyId": edges[0]["id"], "minConfidence": 0.7, "maxDepth": 3}
    answer = await ok(await http.post("/api/graph/impact/what-if", json=asked))
    assert answer["attribute"] is None
    assert [one["id"] for one in answer["dependencies"]] == [edges[0]["id"]]
    (change,) = answer["changes"]
    assert change["entity"]["name"] == "db"
    assert [(one["name"], one["depth"]) for one in change["lost"]] == [("api", 1)]
    worse = {one["name"]: (one["confidenceBefore"], one["confidence"]) for one in change["weakened"]}
    assert worse == {"web": (pytest.approx(0.81), 0.75), "app": (pytest.approx(0.729), pytest.approx(0.675))}
    assert (change["totalLost"], change["totalWeakened"], answer["truncated"]) == (1, 2, False)
    assert "lost: **api**" in answer["text"]
    assert "0.81 → 0.75" in answer["text"]
    # Nothing was written: the same again, and the same as what removing it really does.
    assert await ok(await http.post("/api/graph/impact/what-if", json=asked)) == answer
    await ok(await http.delete(f"/api/graph/dependencies/{edges[0]['id']}"))
    after = await reached(http, "db", minConfidence=0.7)
    assert after == {"web": (1, 0.75), "cron": (1, 0.8), "app": (2, 0.675)}
    gone = await http.post("/api/graph/impact/what-if", json=asked)
    assert gone.status_code == 404


async def test_without_a_fact_what_only_it_supports_is_lost(http: httpx.AsyncClient) -> None:
    told = await ok(await http.post("/api/memory/remember", json={"content": "checkout-api depends on ledger-store."}))
    assert told["dependencies"], "the sentence states an edge"
    (edge,), (fact, *_) = told["dependencies"], told["attributes"]
    before = await ok(await http.get(f"/api/memory/{fact['id']}/history"))
    answer = await ok(
        await http.post("/api/graph/impact/what-if", json={"attributeId": fact["id"], "minConfidence": 0.0})
    )
    assert answer["attribute"]["id"] == fact["id"]
    assert [one["id"] for one in answer["dependencies"]] == [edge["id"]]
    assert answer["supported"] == []
    assert [one["id"] for one in answer["memories"]] == fact["memoryIds"]
    assert [one["name"] for one in answer["changes"][0]["lost"]] == [edge["source"]["name"]]
    assert await ok(await http.get(f"/api/memory/{fact['id']}/history")) == before
    # An edge that a person drew as well stands without the fact.
    ends = {"source": edge["source"]["name"], "target": edge["target"]["name"], "type": edge["type"]}
    await ok(await http.put("/api/graph/dependencies", json={"dependencies": [ends]}))
    answer = await ok(await http.post("/api/graph/impact/what-if", json={"attributeId": fact["id"]}))
    assert (answer["dependencies"], answer["changes"]) == ([], [])
    assert [one["id"] for one in answer["supported"]] == [edge["id"]]


@pytest.mark.parametrize("body", [{}, {"attributeId": "a", "dependencyId": "b"}, {"dependencyId": "a", "maxDepth": 11}])
async def test_what_if_takes_one_thing_and_sane_bounds(http: httpx.AsyncClient, body: Json) -> None:
    assert (await http.post("/api/graph/impact/what-if", json=body)).status_code == 422


@pytest.mark.parametrize("kind", ["attributeId", "dependencyId"])
async def test_what_if_of_another_agents_thing_is_unknown(http: httpx.AsyncClient, kind: str) -> None:
    (edge,) = await draw(http, ("web", "db", 1.0))
    asked = {kind: edge["id"] if kind == "dependencyId" else new_uuid7()}
    answer = await http.post("/api/graph/impact/what-if", json=asked, headers={"X-Agent-Id": f"other-{new_uuid7()}"})
    assert answer.status_code == 404


# --- single points of failure, other formats ----------------------------------------------------------------


async def test_an_entity_everything_goes_through_is_a_single_point_of_failure(http: httpx.AsyncClient) -> None:
    await draw(
        http, ("gate", "db", 0.9), ("web", "gate", 0.9), ("app", "gate", 0.8), ("shop", "web", 0.9), ("side", "db", 0.7)
    )
    answer = await ok(await http.post("/api/graph/impact/critical", json={"entityId": "db"}))
    assert (answer["entities"], answer["edges"], answer["truncated"]) == (5, 5, False)
    gate, web = answer["singlePoints"]
    assert (gate["name"], gate["dominates"], gate["carries"], gate["articulation"]) == ("gate", 3, 3, True)
    assert (web["name"], web["dominates"]) == ("web", 1)
    assert gate["betweenness"] > web["betweenness"] > 0
    names = [[edge["source"]["name"] for edge in one["path"]] for one in answer["criticalPaths"]]
    assert names == [["gate", "web", "shop"], ["gate", "app"], ["side"]]
    assert "**gate**: the only way to 3" in answer["text"]
    assert "db ← gate ← web ← shop" in answer["text"]


async def test_impact_is_told_as_markdown_and_as_graphml(http: httpx.AsyncClient) -> None:
    given = [{"source": "web", "target": "db", "confidence": 0.9, "reason": "reads | it\n<b>"}]
    await ok(await http.put("/api/graph/dependencies", json={"dependencies": given}))
    await draw(http, ("app", "web", 0.9))
    told = await http.post("/api/graph/impact", params={"format": "markdown"}, json={"entityId": "db"})
    assert told.headers["content-type"].startswith("text/markdown")
    assert "## Impact of changing db" in told.text
    assert "2 entities need it" in told.text
    assert "- **web** (unknown, 0.90): db ← web — reads \\| it \\<b\\>" in told.text
    assert "- **app** (unknown, 0.81): db ← web ← app" in told.text
    down = await http.post(
        "/api/graph/impact", params={"format": "markdown"}, json={"entityId": "app", "direction": "downstream"}
    )
    assert "app → web → db" in down.text
    drawn = await http.post("/api/graph/impact", params={"format": "graphml"}, json={"entityId": "db"})
    assert drawn.headers["content-type"].startswith("application/graphml+xml")
    graph = nx.parse_graphml(drawn.text, force_multigraph=True)
    assert {data["name"]: data["depth"] for _, data in graph.nodes(data=True)} == {"db": 0, "web": 1, "app": 2}
    assert graph.number_of_edges() == 2
    wrong = await http.post("/api/graph/impact", params={"format": "xml"}, json={"entityId": "db"})
    assert wrong.status_code == 422
