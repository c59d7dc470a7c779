"""How long an expansion takes for an entity with 500 facts, and an answer to a question by the rules: wall time,
processor time of this process and of Neo4j, and round trips. The embedding of the question is in it."""

import asyncio
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import neo4j
import psutil

from benchmarks.context import RoundTrips
from benchmarks.service import percentile, say, table
from graphmem.adapters.neo4j_server import ManagedServer
from graphmem.app import Graphmem
from graphmem.model.answering import ExpandQuery
from graphmem.model.caller import Caller
from graphmem.model.inputs import Expand, NewDependencies, NewDependency, Remember
from graphmem.settings import load_settings

FACTS, CALLS, WARM_UP = 500, 100, 30
AGENT, ENTITY = "benchmark-expanding", "wick-service"
GOAL_MS = 60
QUESTIONS = ("Which port does shelf 7 use?", "What must never be retried?", "Who looks after shelf 99?")
_COPY = """
MATCH (e:Entity {agent_id: $agent, canonicalName: 'wick service'})
MATCH (e)-[:HAS_ASPECT]->(s:Aspect)-[:HAS_ATTRIBUTE]->(t:Attribute)-[:DERIVED_FROM]->(k:Memory)
WITH s, t, k LIMIT 1
UNWIND range(2, $facts) AS n
WITH s, t, k, n, 'Shelf ' + n + ' listens on port ' + (7000 + n) + ' and holds old paper.' AS text
CREATE (s)-[:HAS_ATTRIBUTE]->(c:Attribute)-[:DERIVED_FROM]->(k)
SET c = t {.*, id: randomUUID(), activeKey: 'copy-' + n, content: text, searchText: text,
  kind: CASE WHEN n % 50 = 0 THEN 'constraint' ELSE 'attribute' END}
"""


async def fill(graphmem: Graphmem, driver: neo4j.AsyncDriver) -> None:
    given = Remember(content="Shelf 1 listens on port 7001.", entity=ENTITY, aspect="network")
    await graphmem.knowledge.learning.remember(Caller(AGENT), given)
    while texts := await graphmem.operation.upkeep.waiting_texts(100):
        await graphmem.operation.upkeep.store_vectors(texts, await graphmem.embedder.embed([one.text for one in texts]))
    await driver.execute_query(_COPY, agent=AGENT, facts=FACTS)
    edges = tuple(NewDependency(source=ENTITY, target=f"neighbour {n}", strength=n / 50) for n in range(50))
    await graphmem.knowledge.entities.put_dependencies(Caller(AGENT), NewDependencies(dependencies=edges))
    await graphmem.operation.upkeep.refresh_text()


async def measure(
    name: str, call: Callable[[str], Awaitable[int]], trips: RoundTrips, server: psutil.Process
) -> list[str]:
    """A row of the table; `call` gives the tokens of an answer."""
    own, walls, sizes = psutil.Process(), [], []
    for number in range(WARM_UP + CALLS):
        if number == WARM_UP:
            trips.count, ours, theirs = 0, sum(own.cpu_times()[:2]), sum(server.cpu_times()[:2])
        began = time.perf_counter()
        sizes.append(await call(QUESTIONS[number % len(QUESTIONS)]))
        walls.append(1000 * (time.perf_counter() - began))
    ours, theirs = sum(own.cpu_times()[:2]) - ours, sum(server.cpu_times()[:2]) - theirs
    counted = walls[WARM_UP:]
    figures = (percentile(counted, 0.5), percentile(counted, 0.95), 1000 * ours / CALLS, 1000 * theirs / CALLS)
    return [name, *(f"{figure:.1f}" for figure in figures), f"{trips.count / CALLS:.0f}", f"{max(sizes):,}"]


async def run(folder: Path) -> None:
    settings = load_settings()
    server = ManagedServer(folder, settings.cache_dir, http=False, preferred_bolt_port=0, preferred_http_port=0)
    running = server.start()
    try:
        graphmem = await Graphmem.open(settings, running)
        await graphmem.models_loaded()
        auth = (running.user, running.password)
        async with neo4j.AsyncGraphDatabase.driver(running.uri, auth=auth) as driver:
            await fill(graphmem, driver)

        async def expand(question: str) -> int:
            asked = Expand(entity=ENTITY, question=question)
            return (await graphmem.recall.expanding.entities.expand(AGENT, asked)).used_tokens

        async def page(_: str) -> int:
            whole = await graphmem.knowledge.entities.entity_page(AGENT, ENTITY)
            return sum(len(aspect.attributes) for aspect in whole.aspects)

        async def answer(question: str) -> int:
            return (await graphmem.recall.answering.answer(AGENT, ExpandQuery(question=question))).context_tokens

        trips, process = RoundTrips(), psutil.Process(running.pid)
        rows = [
            await measure("expand", expand, trips, process),
            await measure("all facts whole, for comparison", page, trips, process),
            await measure("expand-query by the rules", answer, trips, process),
        ]
        head = ["call", "p50 ms", "p95 ms", "processor ms", "Neo4j's processor ms", "round trips", "tokens or facts"]
        say(table(head, rows))
        say(f"The goal of expand is a p95 below {GOAL_MS} ms on a machine that does nothing else.")
        await graphmem.close()
    finally:
        server.stop()


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="graphmem-expanding-", ignore_cleanup_errors=True) as folder:
        asyncio.run(run(Path(folder)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
