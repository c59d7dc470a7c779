"""What a change reaches, in scale-free graphs: how long that takes over HTTP, and how fast such graphs are written.

Beside each figure stands networkx over the same edges in memory, and the Cypher one would write first: all paths of
variable length. Answers are held to an independent walk over the same edges.
"""

import argparse
import json
import math
import os
import random
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import neo4j
import networkx as nx

from benchmarks.impact_bulk import load_in_bulk
from benchmarks.plain import driver_of, neo4j_of
from benchmarks.service import (
    PAGE,
    Api,
    BenchmarkFailed,
    Service,
    paragraph,
    percentile,
    running_service,
    say,
    table,
    write_section,
)
from graphmem import __version__

SIZES, ORDINARY, HUBS, WARM_UP = (10_000, 100_000, 1_000_000), 200, 100, 20
BULK, DEEP_CHECKED = 1_000_000, 10
"""From so many entities on a graph comes by bulk import; of its answers at depth 10 one in so many is checked, for each
check walks the whole graph in memory."""
EDGES_EACH, LEAST, DEPTH, DEEP = 5, 0.7, 3, 10
PART, PUT_BATCH, PUTS = 10_000, 1_000, 10
FIRST = 10_000
"""Entities of a graph that is written before any that counts: the server compiles what it runs often."""
NAIVE_S = 10.0
HEAP_MB = 1024
SETTINGS = {
    "GRAPHMEM_SUPERSESSION_SWEEP_INTERVAL_S": "0",
    "GRAPHMEM_NEO4J_HEAP_MB": str(HEAP_MB),
}
NAIVE = """
MATCH (:Name {agent_id: $agent_id, canonical: $name})-[:NAMES]->(s:Entity)
MATCH p = (s)<-[:DEPENDS_ON*1..3]-(x)
WHERE all(r IN relationships(p) WHERE r.activeKey IS NOT NULL AND r.confidence >= $least)
RETURN x.id AS id, min(length(p)) AS depth, max(reduce(c = 1.0, r IN relationships(p) | c * r.confidence)) AS confidence
"""
Edge = tuple[int, int, float]
"""Who needs, what is needed, how surely."""


@dataclass
class Asked:
    """Milliseconds of each call; of networkx and of naive Cypher for the same entities, `late` where that took too
    long; how many answers were cut, and what was wrong with any."""

    name: str
    ms: list[float]
    networkx_ms: list[float] = field(default_factory=list)
    naive_ms: list[float] = field(default_factory=list)
    late: int = 0
    cut: int = 0
    wrong: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Measured:
    """`written`: entities and dependencies imported, and dependencies put, a second; None where Neo4j's bulk import
    loaded the graph."""

    nodes: int
    edges: int
    written: tuple[float, float, float] | None
    asked: tuple[Asked, ...]


def scale_free(nodes: int, seed: int = 7) -> list[Edge]:
    """New entities need mostly what is needed already; one edge in ten goes anywhere, so that there are cycles."""
    chance = random.Random(seed)
    ends: list[int] = [0]
    edges: dict[tuple[int, int], float] = {}
    for new in range(1, nodes):
        for _ in range(EDGES_EACH):
            anywhere = chance.random() < 0.1
            needed = chance.randrange(nodes) if anywhere else ends[chance.randrange(len(ends))]
            if needed != new:
                edges[new, needed] = round(chance.uniform(0.3, 1.0), 3)
            ends += [needed, new]
    return [(source, target, sure) for (source, target), sure in edges.items()]


def name(node: int) -> str:
    return f"service {node}"


def expected(steps: dict[int, list[tuple[int, float]]], start: int, most: int) -> dict[str, tuple[int, float]]:
    """Depth and confidence by name, level by level over all edges."""
    level, best, depth = {start: 1.0}, {start: 1.0}, {start: 0}
    for length in range(1, most + 1):
        found: dict[int, float] = {}
        for near, product in level.items():
            for far, sure in steps.get(near, ()):
                found[far] = max(found.get(far, 0.0), product * sure)
        level = {far: product for far, product in found.items() if product > best.get(far, -1.0)}
        best |= level
        for far in level:
            depth.setdefault(far, length)
    return {name(node): (depth[node], best[node]) for node in best if node != start}


def check(answer: dict[str, Any], whole: dict[str, tuple[int, float]], limit: int) -> str | None:
    """What is wrong with an answer. One that a cap cut may tell less, and lower confidences, and nothing false."""
    listed = {one["name"]: one for group in answer["groups"] for one in group["entities"]}
    if not answer["totalIsLowerBound"] and answer["total"] != len(whole):
        return f"total {answer['total']} instead of {len(whole)}"
    if len(listed) != min(answer["total"], limit):
        return f"{len(listed)} of {answer['total']} listed"
    for told in listed.values():
        depth, sure = whole.get(told["name"], (0, 0.0))
        exact = math.isclose(told["confidence"], sure, abs_tol=1e-9)
        if told["depth"] != depth or told["confidence"] > sure + 1e-9:
            return f"{told['name']}: {told['depth']}, {told['confidence']} instead of {depth}, {sure}"
        if not exact and not answer["totalIsLowerBound"]:
            return f"{told['name']}: {told['confidence']} instead of {sure}"
        if not math.isclose(math.prod(edge["confidence"] for edge in told["path"]), told["confidence"], abs_tol=1e-9):
            return f"{told['name']}: the path has another confidence"
    return None


def lines(edges: Sequence[Edge]) -> Iterator[bytes]:
    """Parts of the edges as an import takes them."""
    for start in range(0, len(edges), PART):
        told = (
            json.dumps({"source": name(source), "target": name(target), "confidence": sure})
            for source, target, sure in edges[start : start + PART]
        )
        yield "\n".join(told).encode()


def load(service: Service, agent: str, nodes: int, edges: Sequence[Edge]) -> tuple[float, float, float]:
    """Entities and dependencies a second through the import, and dependencies a second through PUT."""
    headers = {"X-Agent-Id": agent}
    lines_sent = {"Content-Type": "application/x-ndjson"}
    with httpx.Client(base_url=service.url, headers=headers, timeout=600, trust_env=False) as client:

        def send(part: bytes) -> None:
            report = client.post("/api/graph/import", content=part, headers=lines_sent).raise_for_status().json()
            if report["errors"]:
                raise BenchmarkFailed(f"the import says {report['errors'][0]}")

        made = [json.dumps({"record": "entity", "name": name(node), "type": "system"}) for node in range(nodes)]
        began = time.perf_counter()
        for start in range(0, nodes, PART):
            send("\n".join(made[start : start + PART]).encode())
        entities_s = nodes / (time.perf_counter() - began)
        parts = list(lines(edges))
        began = time.perf_counter()
        for part in parts:
            send(part)
        imported_s = len(edges) / (time.perf_counter() - began)
        began = time.perf_counter()
        for start in range(0, PUTS * PUT_BATCH, PUT_BATCH):
            given = [
                {"source": name(source), "target": name(target), "type": "uses", "confidence": sure}
                for source, target, sure in edges[start : start + PUT_BATCH]
            ]
            client.put(
                "/api/graph/dependencies", json={"dependencies": given}, headers={"X-Agent-Id": f"{agent}-put"}
            ).raise_for_status()
        return entities_s, imported_s, PUTS * PUT_BATCH / (time.perf_counter() - began)


def ask(api: Api, agent: str, kind: str, starts: Sequence[int], depth: int, reached: Any, each: int = 1) -> Asked:
    """Each start asked once, after some that do not count; one answer in `each` is checked."""
    asked = Asked(f"{kind}, depth {depth}", [])
    body = {"minConfidence": LEAST, "maxDepth": depth, "limit": 1000}
    for node in starts[:WARM_UP]:
        api.post("/api/graph/impact", body | {"entityId": name(node)}, agent=agent)
    for number, node in enumerate(starts):
        answer = api.post("/api/graph/impact", body | {"entityId": name(node)}, agent=agent)
        asked.ms.append(1000 * answer.seconds)
        asked.cut += answer.body["totalIsLowerBound"]
        if number % each:
            continue
        if wrong := check(answer.body, expected(reached, node, depth), 1000):
            asked.wrong.append(f"{name(node)}: {wrong}")
    return asked


def beside(asked: Asked, driver: neo4j.Driver, agent: str, graph: Any, starts: Sequence[int], depth: int) -> None:
    """The same entities by networkx in memory and, for ten of them at depth 3, by naive Cypher."""
    for node in starts:
        began = time.perf_counter()
        nx.single_source_shortest_path_length(graph, node, cutoff=depth)
        asked.networkx_ms.append(1000 * (time.perf_counter() - began))
    if depth != DEPTH:
        return
    for node in starts[:: max(1, len(starts) // 10)][:10]:
        query = neo4j.Query(NAIVE, timeout=NAIVE_S)
        began = time.perf_counter()
        try:
            driver.execute_query(query, agent_id=agent, name=name(node), least=LEAST, database_="neo4j")
            asked.naive_ms.append(1000 * (time.perf_counter() - began))
        except neo4j.exceptions.Neo4jError:  # it took too long, or more memory than there is
            asked.late += 1


def measure(nodes: int) -> Measured:
    edges = scale_free(nodes)
    steps: dict[int, list[tuple[int, float]]] = defaultdict(list)
    needed: dict[int, int] = defaultdict(int)
    for source, target, sure in edges:
        needed[target] += 1
        if sure >= LEAST:
            steps[target].append((source, sure))
    hubs = sorted(needed, key=lambda node: -needed[node])[:HUBS]
    ordinary = random.Random(3).sample(sorted(set(needed) - set(hubs)), ORDINARY)
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_edges_from((target, source) for source, target, sure in edges if sure >= LEAST)
    graph.add_nodes_from(range(nodes))
    agent = f"impact-{nodes}"
    bulk = nodes >= BULK
    with tempfile.TemporaryDirectory(prefix="graphmem-impact-") as folder:
        say(f"{nodes:,} entities, {len(edges):,} dependencies are written")
        if bulk:
            load_in_bulk(Path(folder), HEAP_MB, agent, [name(node) for node in range(nodes)], edges)
        with running_service(Path(folder), SETTINGS) as service, Api(service.url) as api:
            written = None
            if not bulk:
                load(service, f"{agent}-first", FIRST, scale_free(FIRST))
                written = load(service, agent, nodes, edges)
            say("impact is asked")
            asked = []
            with driver_of(neo4j_of(service)) as driver:
                for kind, starts, depth in (("ordinary", ordinary, DEPTH), ("hubs", hubs, DEPTH), ("hubs", hubs, DEEP)):
                    each = DEEP_CHECKED if bulk and depth == DEEP else 1
                    asked.append(ask(api, agent, kind, starts, depth, steps, each))
                    beside(asked[-1], driver, agent, graph, starts[::each], depth)
    return Measured(nodes, len(edges), written, tuple(asked))


def report(sizes: Sequence[Measured]) -> str:
    """The section of the page."""
    how = f"""Measured {datetime.now(UTC):%Y-%m-%d} with `make bench-impact`: graphmem {__version__}, {os.cpu_count()}
        cores, load of the machine at the end {os.getloadavg()[0]:.1f}, 1 GB heap. Scale-free graphs with five
        dependencies for each entity, confidences from 0.3 to 1. One client asks over HTTP what depends on an entity
        with at least {LEAST} on every edge, one call after the other: of {ORDINARY} entities by chance, and of the
        {HUBS} that most others need. Each answer is compared with a walk over all edges in memory: `wrong` counts false
        entities, wrong depths, confidences above the true ones, paths that do not lead there, and anything missing in
        an answer that does not say it was cut (at depth 10 in {BULK:,} entities of one answer in
        {DEEP_CHECKED}). networkx is its breadth-first search over a graph in memory, without
        confidences and paths; naive is `*1..3` with `reduce`, for ten of the entities, given up after {NAIVE_S:.0f} s
        (late). Times of networkx and naive are told as ratios to graphmem's, of p95 and of medians: below 1 is faster
        than graphmem. Graphs of {BULK:,} entities come by `neo4j-admin database import`."""
    rows = []
    for size in sizes:
        for one in size.asked:
            p95 = percentile(one.ms, 0.95)
            # At a million entities twice as long will do.
            goal = {"ordinary, depth 3": 60, "hubs, depth 3": 500}.get(one.name, 0) * (2 if size.nodes >= BULK else 1)
            ours = percentile(one.ms, 0.5)
            naive = f"{percentile(one.naive_ms, 0.5) / ours:.2f}" if one.naive_ms else "—"
            rows.append(
                [
                    f"{size.nodes:,} / {size.edges:,}",
                    one.name,
                    f"{ours:.1f}",
                    f"{p95:.1f}",
                    f"≤ {goal:,}" if goal else "—",
                    f"{percentile(one.networkx_ms, 0.95):.1f}",
                    f"{percentile(one.networkx_ms, 0.95) / p95:.3f}",
                    f"{naive} ({one.late} late)" if one.late else naive,
                    str(one.cut),
                    str(len(one.wrong)),
                ]
            )
    told = (
        "entities / edges",
        "asked",
        "p50 ms",
        "p95 ms",
        "goal p95",
        "networkx p95 ms",
        "networkx : graphmem",
        "naive : graphmem",
        "cut",
        "wrong",
    )
    written = [
        [
            f"{size.nodes:,}",
            *(f"{rate:,.0f}" for rate in size.written or ()),
            *(["bulk"] * 3 if size.written is None else ()),
            _ratio(size.asked[2], size.asked[1]),
        ]
        for size in sizes
    ]
    heads = ("entities", "entities imported /s", "dependencies imported /s", "PUT /s", "hubs, depth 10 : 3")
    rest = f"""Written after a graph of {FIRST:,} entities that does not count. Goals: 10,000 dependencies imported and
        2,000 put a second, in batches of 1,000; depth 10 at most three times depth 3 on hubs (medians)."""
    if len(sizes) > 1:
        rest += f""" From {sizes[-2].nodes:,} to {sizes[-1].nodes:,} entities the hubs' median grows
            {_ratio(sizes[-1].asked[1], sizes[-2].asked[1])} times, that of ordinary entities
            {_ratio(sizes[-1].asked[0], sizes[-2].asked[0])} times."""
    return "\n\n".join(("## Impact", paragraph(how), table(told, rows), table(heads, written), paragraph(rest)))


def _ratio(one: Asked, other: Asked) -> str:
    return f"{percentile(one.ms, 0.5) / percentile(other.ms, 0.5):.2f}"


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.impact", description=__doc__)
    parser.add_argument(
        "--sizes", type=int, nargs="+", default=list(SIZES), help="entities; a million takes half an hour and 8 GB"
    )
    parser.add_argument("--dry", action="store_true", help="prints, but leaves the page alone")
    given = parser.parse_args(argv)
    sizes = [measure(nodes) for nodes in given.sizes]
    text = report(sizes)
    print(text)
    for size in sizes:
        for one in size.asked:
            for wrong in one.wrong[:5]:
                say(f"{size.nodes:,} {one.name}: {wrong}")
    if not given.dry:
        write_section(PAGE, "impact", text)
    return 1 if any(one.wrong for size in sizes for one in size.asked) else 0


if __name__ == "__main__":
    sys.exit(main())
