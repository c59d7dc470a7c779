"""How long a context takes in a session of 10,000 turns, with and without compaction: wall time, processor time of this
process and of Neo4j, and round trips. The embedding of the question is in it.

Vectors of the turns are random: what is nearest does not change the work.
"""

import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import neo4j
import psutil

from benchmarks.service import percentile, say, table
from graphmem.adapters.neo4j_server import ManagedServer
from graphmem.app import Graphmem
from graphmem.model.caller import Caller
from graphmem.model.context import AssembleContext
from graphmem.model.inputs import NewMessage, NewMessages, NewSession, Remember
from graphmem.settings import load_settings

TURNS, CALLS, WARM_UP = 10_000, 100, 30
AGENT = "benchmark-context"
GOAL_MS = 50
QUESTIONS = ("Which port does Ledger use?", "What did we decide about retries?", "Who owns the billing service?")
_ENRICH = """
MATCH (m:Message {agent_id: $agent, sessionId: $session}) WHERE m.ordinal >= $first AND m.ordinal < $through
SET m.embedding = $vectors[m.ordinal - $first], m.importance = 1 + m.ordinal % 10, m.o1 = 3.0, m.o4 = 2.0, m.o5 = 1.0,
  m.paradigmShift = m.ordinal % 50 = 0
REMOVE m:Unembedded
"""
_COMPACT = """
MATCH (s:Session {agent_id: $agent, id: 'compacted'}) SET s.compactedThrough = $through
WITH s UNWIND range(0, 5) AS n
CREATE (s)-[:HAS_COMPACTION]->(:Summary {agent_id: $agent, id: 'node-' + n, dagKey: 'node-' + n, kind: 'leaf',
  depth: n % 3, sessionId: s.id, content: $text, tokens: 500, createdAt: datetime(), earliestAt: datetime(),
  status: 'active'})
"""


class RoundTrips:
    """Statements sent by the driver."""

    def __init__(self) -> None:
        self.count = 0
        send = neo4j.AsyncSession.run

        async def counted(session: neo4j.AsyncSession, *given: Any, **more: Any) -> neo4j.AsyncResult:
            self.count += 1
            return await send(session, *given, **more)

        neo4j.AsyncSession.run = counted  # type: ignore[method-assign]


async def fill(graphmem: Graphmem, session_id: str, driver: neo4j.AsyncDriver) -> None:
    caller, chance = Caller(AGENT), random.Random(7)
    began = datetime(2026, 1, 1, tzinfo=UTC)
    await graphmem.conversation.intake.open(caller, NewSession(session_id=session_id, project="atlas"))
    for first in range(0, TURNS, 500):
        batch = tuple(
            NewMessage(
                role="user" if n % 2 == 0 else "assistant",
                content=f"Turn {n}: we looked at service {n % 37} and changed its retries to {n % 9}. " * 3,
                created_at=began + timedelta(seconds=n),
            )
            for n in range(first, first + 500)
        )
        await graphmem.conversation.intake.add_messages(caller, session_id, NewMessages(messages=batch))
        vectors = [_unit([chance.gauss(0, 1) for _ in range(graphmem.embedder.dimensions)]) for _ in batch]
        await driver.execute_query(
            _ENRICH, agent=AGENT, session=session_id, first=first, through=first + 500, vectors=vectors
        )


def _unit(vector: Sequence[float]) -> list[float]:
    length = sum(number * number for number in vector) ** 0.5
    return [number / length for number in vector]


async def measure(graphmem: Graphmem, session_id: str, trips: RoundTrips, server: psutil.Process) -> list[str]:
    """A row of the table."""
    own, walls, sizes = psutil.Process(), [], []
    for call in range(WARM_UP + CALLS):
        if call == WARM_UP:
            trips.count, ours, theirs = 0, sum(own.cpu_times()[:2]), sum(server.cpu_times()[:2])
        asked = AssembleContext(context_window=128_000, query=QUESTIONS[call % len(QUESTIONS)])
        began = time.perf_counter()
        context = await graphmem.continuity.assembling.assemble(AGENT, session_id, asked)
        walls.append(1000 * (time.perf_counter() - began))
        sizes.append(context.used_tokens)
    ours, theirs = sum(own.cpu_times()[:2]) - ours, sum(server.cpu_times()[:2]) - theirs
    counted = walls[WARM_UP:]
    figures = (percentile(counted, 0.5), percentile(counted, 0.95), 1000 * ours / CALLS, 1000 * theirs / CALLS)
    return [session_id, *(f"{figure:.1f}" for figure in figures), f"{trips.count / CALLS:.0f}", f"{max(sizes):,}"]


async def run(folder: Path) -> None:
    settings = load_settings()
    server = ManagedServer(folder, settings.cache_dir, http=False, preferred_bolt_port=0, preferred_http_port=0)
    running = server.start()
    try:
        graphmem = await Graphmem.open(settings, running)
        await graphmem.models_loaded()
        auth = (running.user, running.password)
        async with neo4j.AsyncGraphDatabase.driver(running.uri, auth=auth) as driver:
            for session_id in ("as it is", "compacted"):
                await fill(graphmem, session_id, driver)
            await driver.execute_query(_COMPACT, agent=AGENT, through=TURNS - 64, text="What was decided then. " * 80)
        for n in range(50):
            given = Remember(content=f"Service {n} must never retry.", entity=f"service {n}", kind="constraint")
            await graphmem.knowledge.learning.remember(Caller(AGENT), given.model_copy(update={"project": "atlas"}))
        trips, process = RoundTrips(), psutil.Process(running.pid)
        rows = [await measure(graphmem, session_id, trips, process) for session_id in ("as it is", "compacted")]
        head = ["session", "p50 ms", "p95 ms", "processor ms", "Neo4j's processor ms", "round trips", "tokens"]
        say(table(head, rows))
        say(f"The goal is a p95 below {GOAL_MS} ms on a machine that does nothing else.")
        await graphmem.close()
    finally:
        server.stop()


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="graphmem-context-", ignore_cleanup_errors=True) as folder:
        asyncio.run(run(Path(folder)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
