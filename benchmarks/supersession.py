"""How long a sweep of 100,000 facts in 10,000 aspects takes, the second one right after it, and what supersession adds
to a write beside 10 facts of the same aspect.

The facts are made up, and written by the plain driver: with the setting off, over HTTP, it would take an hour. They
have the traits that every write leaves beside a fact; a third sweep finds all of them anew, as after an update. Beside
the sweep stands, from the same run, what it costs to compare all pairs of each aspect; beside a write, the same write
to a second service on the same database with the setting off, in turns.
"""

import argparse
import os
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import combinations, islice
from typing import Any, NamedTuple

import neo4j
import psutil

from benchmarks.plain import driver_of, neo4j_of
from benchmarks.service import (
    PAGE,
    Api,
    BenchmarkFailed,
    Service,
    named_processes,
    paragraph,
    percentile,
    running_service,
    say,
    table,
    write_section,
)
from graphmem import __version__
from graphmem.adapters.identity import rules_id
from graphmem.adapters.neo4j_server import RunningServer
from graphmem.model.knowledge import Claim
from graphmem.rules.contradiction import check, pack
from graphmem.rules.language.keys import agent_key, fact_key, sha256_hex

ENTITIES, FACTS = 2_000, 10
SIDES = ("kitchen", "bridge", "cellar", "office", "garden")
ASPECTS = len(SIDES)
WRITES = 300
WARM_UP = 60
SAMPLE = 300
"""Aspects of which all pairs are compared for the figure beside the sweep."""
ADDITIONS = 10_000_000
GOAL_SWEEP_S, GOAL_WRITE_MS = 60, 15
SWEPT, SMALL, INLINE = "sweep-large", "sweep-small", "sweep-inline"
SETTINGS = {"GRAPHMEM_SUPERSESSION_SWEEP_INTERVAL_S": "0", "GRAPHMEM_IDLE_END_MINUTES": "1440"}
"""Nothing sweeps unasked meanwhile."""
WITHIN_S = 3_600.0
BEGAN = datetime(2025, 3, 1, tzinfo=UTC)
CHANGING = 0.06
"""Of the facts, the share that says otherwise what an older one of the same aspect says."""

# What a person or a service is said to do; where there are several values, another one later is a change.
TOPICS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("{} lives in {}", ("Oslo", "Porto", "Graz", "Lund", "Ghent")),
    ("{} works at {}", ("Initech", "the harbour office", "Northwind", "a bakery in Turin")),
    ("{} runs on port {}", ("8080", "9090", "7443", "5005")),
    ("{}'s manager is {}", ("Nadia", "Piotr", "Ines", "Haruto")),
    ("The default branch of {} is {}", ("main", "trunk", "develop")),
    ("{} uses {} as the primary database", ("PostgreSQL", "MongoDB", "MariaDB")),
    ("{} is {}", ("enabled", "disabled")),
    ("{} meets the auditors on {}", ("Monday", "Thursday", "Friday")),
    ("{} {} the retry queue", ("drains", "does not drain", "no longer drains")),
    ("{} keeps logs for {} days", ("14", "30", "90")),
)
STEADY = (
    "{} likes tea with cardamom",
    "{} plays the cello in the town orchestra",
    "{} speaks Greek and a little Polish",
    "{} reads about whales on the train",
    "{} depends on the address service",
    "{} sends invoices to the courier",
    "{} has two cats, Miso and Pepper",
    "{} was founded in 1998 by three friends",
    "{} writes reports for the board every quarter",
    "{} is allergic to walnuts",
    "{} supports import of CSV and Parquet files",
    "{} visited the lighthouse near Bergen",
    "{} bought a second-hand rowing boat",
    "{} validates every order before it is paid",
    "{} collects maps of old railways",
    "{} caches prices of the catalogue in memory",
    "{} teaches chess to children in the library",
    "{} was praised for the handbook on outages",
    "{} exports figures to the data warehouse at night",
    "{} prefers quiet rooms to open offices",
)
FILL = """
UNWIND $rows AS row
CREATE (n:Name {agent_id: $agent_id, canonical: row.canonical, surface: row.name})
CREATE (e:Entity {agent_id: $agent_id, id: row.id, name: row.name, canonicalName: row.canonical, type: 'system',
  mentions: 1, pinned: false, searchText: row.name, agentKey: $agent_key, createdAt: $now})
CREATE (n)-[:NAMES]->(e)
WITH e, row
UNWIND row.aspects AS aspect
CREATE (e)-[:HAS_ASPECT]->(s:Aspect {agent_id: $agent_id, entityId: row.id, canonicalName: aspect.name,
  name: aspect.name, id: aspect.id, weight: 0.5, createdAt: $now})
WITH s, row, aspect
UNWIND aspect.facts AS fact
CREATE (s)-[:HAS_ATTRIBUTE]->(t:Attribute {agent_id: $agent_id, activeKey: fact.key, id: fact.id, content: fact.content,
  searchText: fact.content, agentKey: $agent_key, kind: 'attribute', status: 'active', entityId: row.id,
  aspect: aspect.name, confidence: 0.8, importance: 0.5, pinned: false, explicit: false, validFrom: fact.at,
  createdAt: fact.at, extractionLevel: 1, sessionIds: ['s'], sessionId: 's', traits: fact.traits})
CREATE (t)-[:DERIVED_FROM]->(:Memory {agent_id: $agent_id, contentKey: fact.key, id: 'm' + fact.id,
  content: fact.content, searchText: fact.content, agentKey: $agent_key,
  type: 'fact', status: 'active', importance: 0.5, pinned: false,
  sessionId: 's', validFrom: fact.at, createdAt: fact.at, explicit: false})
"""


FORGET_TRAITS = """
MATCH (t:Attribute {agent_id: $agent_id})
CALL (t) { REMOVE t.traits } IN TRANSACTIONS OF 5000 ROWS
"""


class Aspect(NamedTuple):
    name: str
    contents: tuple[str, ...]


class Entity(NamedTuple):
    name: str
    aspects: tuple[Aspect, ...]


@dataclass(frozen=True)
class Sweep:
    """One sweep: its seconds, what it retired, the processor seconds of each process, and how many events it wrote."""

    seconds: float
    retired: int
    cpu_s: dict[str, float]
    events: int


def entities(count: int, aspects: int, facts: int, seed: int = 7) -> Iterator[Entity]:
    """Entities whose aspects hold facts of different topics, oldest first, a few of which change what was said."""
    chance = random.Random(seed)
    for number in range(count):
        name = f"Harbour {number}"
        sides = (f"{name} {side}" for side in SIDES[:aspects])  # no statement is there twice
        yield Entity(name, tuple(Aspect(side, _facts(chance, side, facts)) for side in sides))


def _facts(chance: random.Random, name: str, count: int) -> tuple[str, ...]:
    topics: list[tuple[str, Sequence[str]]] = [*TOPICS, *((steady, ("",)) for steady in STEADY)]
    said = [(form, chance.choice(values)) for form, values in chance.sample(topics, count)]
    told = [form.format(name, value) for form, value in said]
    changes = [
        form.format(name, chance.choice([other for other in dict(topics)[form] if other != value]))
        for form, value in said
        if len(dict(topics)[form]) > 1 and chance.random() < CHANGING * len(topics) / len(TOPICS)
    ]
    return (*told[: count - len(changes)], *changes)


def fill(driver: neo4j.Driver, agent: str, made: Iterator[Entity]) -> int:
    """Writes the entities for an agent; how many facts they have."""
    facts = 0
    while batch := list(islice(made, 50)):
        rows = [_row(entity) for entity in batch]
        facts += sum(len(aspect["facts"]) for row in rows for aspect in row["aspects"])
        driver.execute_query(FILL, rows=rows, agent_id=agent, agent_key=agent_key(agent), now=BEGAN, database_="neo4j")
    return facts


def _row(entity: Entity) -> dict[str, Any]:
    id_ = sha256_hex(entity.name)[:32]
    return {
        "id": id_,
        "name": entity.name,
        "canonical": entity.name.lower(),
        "aspects": [
            {
                "id": f"{id_}-{aspect.name}",
                "name": aspect.name,
                "facts": [
                    {
                        "id": f"{id_}-{side}-{place}",
                        "content": content,
                        "key": fact_key(id_, f"{aspect.name}: {content}"),
                        "at": BEGAN + timedelta(days=place),
                        "traits": pack(content, rules_id()),
                    }
                    for place, content in enumerate(aspect.contents)
                ],
            }
            for side, aspect in enumerate(entity.aspects)
        ],
    }


def sweep(service: Service, api: Api, driver: neo4j.Driver, agent: str) -> Sweep:
    """Asks for a sweep, and waits for its end."""
    before = {process.pid: _cpu_s(process) for _, process in named_processes(service)}
    events = _events(driver, agent)
    began = time.perf_counter()
    job_id = api.post("/api/repair/supersession-sweep", agent=agent).body["jobId"]
    while True:
        job = api.get(f"/api/jobs/{job_id}", agent=agent).body
        if job["status"] in ("done", "failed"):
            break
        if time.perf_counter() - began > WITHIN_S:
            raise BenchmarkFailed(f"the sweep did not end within {WITHIN_S:.0f} s")
        time.sleep(0.2)
    if job["status"] == "failed":
        raise BenchmarkFailed(f"the sweep failed: {job['error']}")
    seconds = time.perf_counter() - began
    spent: dict[str, float] = {}
    for name, process in named_processes(service):  # some that compare started meanwhile, none of them ends at once
        spent[name] = spent.get(name, 0.0) + _cpu_s(process) - before.get(process.pid, 0.0)
    return Sweep(seconds, job["result"]["retired"], spent, _events(driver, agent) - events)


def _events(driver: neo4j.Driver, agent: str) -> int:
    rows, _, _ = driver.execute_query("MATCH (e:Event {agent_id: $a}) RETURN count(e) AS n", a=agent, database_="neo4j")
    return int(rows[0]["n"])


def _cpu_s(process: psutil.Process) -> float:
    times = process.cpu_times()
    return times.user + times.system


def all_pairs_s(aspects: Sequence[Aspect]) -> float:
    """Processor seconds an aspect costs when each pair of its facts is compared."""
    began = time.process_time()
    for aspect in aspects:
        claims = [
            Claim(content=content, created_at=BEGAN + timedelta(days=day))
            for day, content in enumerate(aspect.contents)
        ]
        for old, new in combinations(claims, 2):
            check(old, new)
    return (time.process_time() - began) / len(aspects)


def additions_s() -> float:
    """Processor seconds for ten million additions: how fast the machine is, and a yardstick for the others."""
    began = time.process_time()
    total = 0
    for number in range(ADDITIONS):
        total += number
    return time.process_time() - began


def write_in_turns(on: Api, off: Api, writes: int) -> tuple[list[float], list[float]]:
    """Milliseconds of each write that adds a fact beside ten, with supersession and without."""
    taken: tuple[list[float], list[float]] = ([], [])
    chance = random.Random(11)
    for number in range(writes):
        name = f"Harbour {number} {SIDES[0]}"
        fact = {"entity": f"Harbour {number}", "aspect": name, "content": _facts(chance, name, 1)[0]}
        calls = [(on, f"{INLINE}-on", taken[0]), (off, f"{INLINE}-off", taken[1])]
        for api, agent, seconds in calls if number % 2 else calls[::-1]:
            seconds.append(1000 * api.post("/api/memory/remember", fact, agent=agent).seconds)
    return taken[0][WARM_UP:], taken[1][WARM_UP:]


def other_service(server: RunningServer) -> dict[str, str]:
    """The settings of a second service on the same database, where facts retire nothing."""
    return SETTINGS | {
        "GRAPHMEM_NEO4J_URI": server.uri,
        "GRAPHMEM_NEO4J_USER": server.user,
        "GRAPHMEM_NEO4J_PASSWORD": server.password,
        "GRAPHMEM_SUPERSESSION_ENABLED": "false",
    }


def report(
    facts: int,
    aspects: int,
    sweeps: Sequence[Sweep],
    pairs_s: float,
    additions: float,
    on: list[float],
    off: list[float],
) -> str:
    """The section of the page."""
    rows = [
        [
            name,
            f"{one.seconds:.1f}",
            f"{sum(cpu for who, cpu in one.cpu_s.items() if who != 'Neo4j'):.1f}",
            f"{one.cpu_s.get('Neo4j', 0.0):.1f}",
            f"{one.retired:,}",
            f"{one.events:,}",
            goal,
        ]
        for one, (name, goal) in zip(
            sweeps,
            (("sweep", f"{GOAL_SWEEP_S} s"), ("second sweep", "0 events"), ("sweep that finds all traits anew", "—")),
            strict=True,
        )
    ]
    rows.append(["all pairs compared, nothing read or written", "—", f"{pairs_s * aspects:.1f}", "—", "—", "—", "—"])
    shares = (0.5, 0.95)
    taken = [[percentile(side, share) for share in shares] for side in (on, off)]
    added = [mine - others for mine, others in zip(*taken, strict=True)]
    writes = [
        [name, *(f"{value:.1f}" for value in values), goal]
        for name, values, goal in (
            ("supersession on", taken[0], "—"),
            ("supersession off", taken[1], "—"),
            ("added", added, f"{GOAL_WRITE_MS} ms"),
        )
    ]
    head = f"""Measured {datetime.now(UTC):%Y-%m-%d} with `make bench-supersession`: graphmem {__version__},
        {os.cpu_count()} cores, load of the machine at the end {os.getloadavg()[0]:.1f}; ten million additions in a loop
        take {additions:.2f} s here. {facts:,} facts in {aspects:,}
        aspects; the goal is {GOAL_SWEEP_S} s on 2 cores. Processor seconds stand beside the time: they say the same on
        a busy machine."""
    tail = f"""A write beside {FACTS} facts of the same aspect (`remember`, ms), in turns with a service on the same
        database where `GRAPHMEM_SUPERSESSION_ENABLED` is false."""
    return "\n\n".join(
        (
            "## Supersession",
            paragraph(head),
            table(("", "s", "CPU s graphmem", "CPU s Neo4j", "retired", "events", "goal"), rows),
            paragraph(tail),
            table(("", "p50", "p95", "goal p95"), writes),
        )
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entities", type=int, default=ENTITIES, help="with 5 aspects of 10 facts each")
    parser.add_argument("--writes", type=int, default=WRITES)
    parser.add_argument("--dry", action="store_true", help="print, and leave the page alone")
    given = parser.parse_args()
    with running_service(settings=SETTINGS) as service, Api(service.url) as api:
        server = neo4j_of(service)
        with driver_of(server) as driver:
            fill(driver, SMALL, entities(100, ASPECTS, FACTS))
            say(f"warm-up: {sweep(service, api, driver, SMALL).seconds:.1f} s")
            facts = fill(driver, SWEPT, entities(given.entities, ASPECTS, FACTS))
            say(f"{facts:,} facts written; sweeping")
            sweeps = [sweep(service, api, driver, SWEPT) for _ in range(2)]
            say(f"swept in {sweeps[0].seconds:.1f} s, and once more in {sweeps[1].seconds:.1f} s")
            with driver.session(database="neo4j") as session:
                session.run(FORGET_TRAITS, agent_id=SWEPT).consume()
            sweeps.append(sweep(service, api, driver, SWEPT))
            say(f"and in {sweeps[2].seconds:.1f} s where all traits are to be found")
            for side in ("on", "off"):
                fill(driver, f"{INLINE}-{side}", entities(given.writes + WARM_UP, 1, FACTS))
        aspects = [aspect for one in entities(SAMPLE // ASPECTS, ASPECTS, FACTS) for aspect in one.aspects]
        pairs_s = all_pairs_s(aspects)
        say("writing in turns")
        with running_service(settings=other_service(server)) as other, Api(other.url) as off:
            on_ms, off_ms = write_in_turns(api, off, given.writes + WARM_UP)
    text = report(facts, given.entities * ASPECTS, sweeps, pairs_s, additions_s(), on_ms, off_ms)
    print(text)
    if not given.dry:
        write_section(PAGE, "supersession", text)
    return 0 if sweeps[1].events == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
