"""How long lattice queries take over 10,000 analysed turns: wall time, and processor time of Neo4j and of this process.

Processor time says the same on a busy machine. The turns are made up, each with a text of some hundred characters, half
of them in one session; a managed Neo4j is started in a folder of its own.
"""

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import neo4j
import psutil

from benchmarks.service import percentile, say, table
from graphmem.adapters.neo4j_server import ManagedServer, RunningServer
from graphmem.app import open_care
from graphmem.model.lattice import LatticeQuestion
from graphmem.services.recall.lattice import Lattice
from graphmem.settings import load_settings

AGENT = "lattice-benchmark"
TURNS = 10_000
SESSIONS = 101
DIMENSIONS = 384
RUNS = 40
WARM_UP = 10
GOAL_MS = 100
QUERIES = (
    "O1",
    "(O1 > 7) AND (O2 > 7)",
    "NOT (O1 + O2 + O3)",
    "(O1 + O4) & importance >= 7 - O2",
    "O5[user] + O6[tag=file-3.py,file-5.py]",
    "O1[is_paradigm_shift=true] | novelty > 0.9",
    " & ".join(f"O{n} != 5" for n in range(1, 8)),
    "O1 > 9.5 ~ O2 > 9.5",
    "O1 > 9.5 -> O2 > 9.5",
    "O1 > 9 ~ O2 > 9",
)


class Taken(NamedTuple):
    """Milliseconds of one query."""

    wall: float
    neo4j: float
    ours: float


def fill(running: RunningServer, rng: Random) -> None:
    """Sessions and turns as an analysis leaves them, past the service: what is measured is how they are found."""
    start = datetime(2026, 1, 1, tzinfo=UTC)
    sizes = [TURNS // 2] + [TURNS // 2 // (SESSIONS - 1)] * (SESSIONS - 1)
    with neo4j.GraphDatabase.driver(running.uri, auth=(running.user, running.password)) as driver:
        for number, size in enumerate(sizes):
            rows = [_turn(rng, number, ordinal) for ordinal in range(size)]
            for begin in range(0, size, 500):
                driver.execute_query(
                    "MERGE (s:Session {agent_id: $a, id: $session}) SET s.startedAt = $at "
                    "WITH s UNWIND $rows AS row CREATE (s)-[:HAS_MESSAGE]->(m:Message {agent_id: $a}) "
                    "SET m += row, m.analysedAt = $at, m.createdAt = $at",
                    a=AGENT,
                    session=f"session-{number:03}",
                    at=start + timedelta(hours=number),
                    rows=rows[begin : begin + 500],
                )


def _turn(rng: Random, session: int, ordinal: int) -> dict[str, Any]:
    importance = rng.randint(1, 10)
    text = " ".join(rng.choice(("ledger", "deploys", "on", "friday", "with", "retries")) for _ in range(60))
    return {
        "id": f"{session:03}-{ordinal:05}",
        "messageId": f"{session:03}-{ordinal:05}",
        "sessionId": f"session-{session:03}",
        "ordinal": ordinal,
        "role": rng.choice(("user", "assistant")),
        "content": text,
        "contentKind": "text",
        "searchText": text,
        "tags": [f"file-{rng.randint(1, 40)}.py"],
        "novelty": rng.random(),
        "noveltyRaw": 0.5,
        "analyser": "benchmark",
        "importance": importance,
        "paradigmShift": importance >= 9,
        "class": "preserved" if importance >= 7 else "summarized" if importance >= 3 else "compressed",
        "embedding": [rng.gauss(0.8, 0.5) for _ in range(DIMENSIONS)],
        **{f"o{n}": rng.uniform(0, 10) for n in range(1, 8)},
    }


async def measure(lattice: Lattice, query: str, session_id: str | None, server: psutil.Process) -> list[Taken]:
    taken = []
    asked = LatticeQuestion(query=query, session_id=session_id)
    for run in range(WARM_UP + RUNS):
        before, began, ours = _cpu_ms(server), time.perf_counter(), time.process_time()
        await lattice.query(AGENT, asked)
        wall = (time.perf_counter() - began) * 1000
        if run >= WARM_UP:
            taken.append(Taken(wall, _cpu_ms(server) - before, (time.process_time() - ours) * 1000))
    return taken


def _cpu_ms(process: psutil.Process) -> float:
    times = process.cpu_times()
    return (times.user + times.system) * 1000


def row(name: str, scope: str, taken: Sequence[Taken]) -> list[str]:
    walls = [one.wall for one in taken]
    means = [sum(getattr(one, part) for one in taken) / len(taken) for part in ("neo4j", "ours")]
    return [
        f"`{name.replace('|', chr(92) + '|')}`",
        scope,
        f"{percentile(walls, 0.5):.0f}",
        f"{percentile(walls, 0.95):.0f}",
    ] + [f"{mean:.0f}" for mean in means]


async def run(data_dir: Path) -> str:
    settings = load_settings()
    server = ManagedServer(data_dir, settings.cache_dir, http=False, preferred_bolt_port=0, preferred_http_port=0)
    running = server.start(timeout_s=600)
    try:
        async with open_care(settings, running) as opened:
            say(f"storing {TURNS:,} turns", over=True)
            await asyncio.to_thread(fill, running, Random(1))
            rows = []
            process = psutil.Process(running.pid)
            for query in QUERIES:
                for scope, session_id in (("agent", None), ("half, one session", "session-000")):
                    say(f"{query} ({scope})", over=True)
                    rows.append(row(query, scope, await measure(opened.recall.lattice, query, session_id, process)))
            say("", over=True)
            header = ["query", "scope", "p50 ms", "p95 ms", "CPU ms of Neo4j", "CPU ms of ours"]
            return table(header, rows)
    finally:
        server.stop()


def main() -> int:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        print(asyncio.run(run(Path(folder))))
    print(f"\n{TURNS:,} turns, {RUNS} runs of each query; the goal is a p95 of {GOAL_MS} ms on an idle machine.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
