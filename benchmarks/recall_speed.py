"""How fast `recall` and `expand` answer over HTTP where one agent has 100,000 messages and 50,000 facts: one client,
four clients at a steady rate, and as many as the service bears.

The talk comes in over HTTP; facts, and all vectors, are written by the plain driver, since learning and embedding
them would take an hour. A vector is one of 2,000 subjects with noise of its own: texts on one subject are neighbours,
as they are in life. The embedding of each question is made by the service. Beside the calls stands `GET /healthz` in
the same run: what HTTP costs with nothing behind it.

With `--long` every second message is a reply of pages, as an assistant's.
"""

import argparse
import os
import random
import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import neo4j
import numpy as np

from benchmarks import chatter
from benchmarks.plain import driver_of, neo4j_of
from benchmarks.service import (
    PAGE,
    Api,
    BenchmarkFailed,
    Service,
    asked_anew,
    named_processes,
    paragraph,
    percentile,
    running_service,
    say,
    table,
    write_section,
)
from benchmarks.supersession import Aspect, Entity, entities, fill
from graphmem import __version__

MESSAGES, FACTS = 100_000, 50_000
SESSION, BATCH = 50, 500
AGENT, LONG_AGENT = "recall-speed", "recall-speed-long"
SUBJECTS, NOISE = 2_000, 0.9
DIMENSIONS = 384
CALLS, WARM_UP = 200, 1_000
"""The server's compiler settles after a thousand calls; in life it runs for weeks."""
REST_S, REST_WITHIN_S, CHECKPOINT_S = 5, 900, 70
"""How often Neo4j is looked at, how long at most, and within how long it has made a checkpoint, which brings the parts
of an index together."""
AT_REST = 0.1
"""Cores that Neo4j uses at most when nothing is asked of it."""
RATE, RATED_S = 8.0, 30.0
CLIENTS = 4
SATURATED_S = 15.0
WAREHOUSE, BIG_ENTITY_FACTS = "Warehouse 12", 500
SETTINGS = {"GRAPHMEM_IDLE_END_MINUTES": "1440", "GRAPHMEM_WORKERS": "0"}
"""Nothing else works meanwhile: what is learned from this talk is measured elsewhere."""
_WITHOUT_VECTOR = """
MATCH (n:$($label)) WHERE n.agent_id = $agent_id AND n.embedding IS NULL
RETURN n.id AS id ORDER BY id
"""
_VECTORS = """
UNWIND range(0, size($ids) - 1) AS place
MATCH (n:$($label) {agent_id: $agent_id, id: $ids[place]})
CALL db.create.setNodeVectorProperty(n, 'embedding', $vectors[place])
REMOVE n:Unembedded
"""


def load(service: Service, api: Api, agent: str, facts: int, talk: Sequence[chatter.Turn]) -> None:
    """What is asked about; where the data is there from an earlier run, nothing is done."""
    with driver_of(neo4j_of(service)) as driver:
        if _count(driver, agent, "Message") < len(talk):
            _talk(api, agent, talk)
        if _count(driver, agent, "Attribute") < facts:
            fill(driver, agent, entities(facts // 50, 5, 10))
            fill(driver, agent, iter([_warehouse()]))
        for label in ("Message", "Attribute", "Memory"):
            _embed(driver, agent, label)
        driver.execute_query("CALL db.awaitIndexes(600)", database_="neo4j")


def _warehouse() -> Entity:
    """An entity with many facts."""
    each = BIG_ENTITY_FACTS // 5
    shelves = [f"Shelf {n} listens on port {7000 + n} and holds old paper." for n in range(BIG_ENTITY_FACTS)]
    aspects = (Aspect(f"aisle {n}", tuple(shelves[n * each : (n + 1) * each])) for n in range(5))
    return Entity(WAREHOUSE, tuple(aspects))


def _count(driver: neo4j.Driver, agent: str, label: str) -> int:
    counting = "MATCH (n:$($label)) WHERE n.agent_id = $agent_id RETURN count(n) AS n"
    rows, _, _ = driver.execute_query(counting, label=label, agent_id=agent, database_="neo4j")
    return int(rows[0]["n"])


def _talk(api: Api, agent: str, talk: Sequence[chatter.Turn]) -> None:
    for first in range(0, len(talk), BATCH):
        for start in range(first, min(first + BATCH, len(talk)), SESSION):
            said = [
                {
                    "role": "assistant" if turn.name == chatter.ASSISTANT else "user",
                    "name": turn.name,
                    "content": turn.text,
                    "messageId": f"m{start + place}",
                }
                for place, turn in enumerate(talk[start : start + SESSION])
            ]
            api.post(f"/api/sessions/talk-{start // SESSION}/messages", {"messages": said}, agent=agent)
        say(f"{first + BATCH} of {len(talk)} messages", over=True)
    say("", over=True)


def _embed(driver: neo4j.Driver, agent: str, label: str) -> None:
    rows, _, _ = driver.execute_query(_WITHOUT_VECTOR, label=label, agent_id=agent, database_="neo4j")
    ids = [row["id"] for row in rows]
    chance = np.random.default_rng(5)
    subjects = chance.normal(size=(SUBJECTS, DIMENSIONS))
    for first in range(0, len(ids), BATCH):
        some = ids[first : first + BATCH]
        vectors = subjects[chance.integers(SUBJECTS, size=len(some))]
        vectors = vectors + NOISE * chance.normal(size=vectors.shape)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        driver.execute_query(
            _VECTORS, label=label, agent_id=agent, ids=some, vectors=vectors.tolist(), database_="neo4j"
        )
        say(f"{label}: {first + len(some)} of {len(ids)} vectors", over=True)
    say("", over=True)


def questions(talk: Sequence[chatter.Turn], facts: int, count: int) -> list[str]:
    """As people ask: about what was said, by an identifier, about a fact; no two alike."""
    chance = random.Random(3)
    asked = chatter.questions(talk, count)
    sides = ("kitchen", "bridge", "cellar", "office", "garden")
    forms = (
        "Where does Harbour {} {} live?",
        "Which port does Harbour {} {} run on?",
        "Who is the manager of Harbour {} {}?",
    )
    about = [chance.choice(forms).format(chance.randrange(facts // 50), chance.choice(sides)) for _ in range(count)]
    kinds = [[one.pattern for one in asked[kind]] for kind in ("a question", "an identifier", "a word")]
    mixed = zip(kinds[0], about, kinds[0][::-1], about[::-1], cycle(kinds[1]), cycle(kinds[2]))
    return list(dict.fromkeys(text for texts in mixed for text in texts))[:count]


def one_client(calls: Iterable[Callable[[], Any]]) -> list[float]:
    """Milliseconds of each call, after those that do not count."""
    return [1000 * call().seconds for call in calls][WARM_UP:]


def at_a_rate(url: str, agent: str, texts: Sequence[str], rate: float, seconds: float) -> list[float]:
    """Milliseconds from when each call was due until its answer, `CLIENTS` clients together asking `rate` a second."""
    began = time.perf_counter() + 0.2
    taken: list[float] = []

    def client(number: int) -> None:
        with Api(url) as api:
            for place in range(number, int(rate * seconds), CLIENTS):
                due = began + place / rate
                time.sleep(max(0.0, due - time.perf_counter()))
                _recall(api, agent, texts[place % len(texts)])
                taken.append(1000 * (time.perf_counter() - due))

    _together(client, CLIENTS)
    return taken


def saturated(url: str, agent: str, texts: Sequence[str], clients: int, seconds: float) -> float:
    """Answers a second where each client asks anew as soon as it has its answer."""
    stop_at = time.perf_counter() + seconds
    answered: list[int] = []

    def client(number: int) -> None:
        count = 0
        with Api(url) as api:
            while time.perf_counter() < stop_at:
                _recall(api, agent, texts[(number * 37 + count) % len(texts)])
                count += 1
        answered.append(count)

    _together(client, clients)
    return sum(answered) / seconds


def _together(client: Callable[[int], None], clients: int) -> None:
    threads = [threading.Thread(target=client, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _recall(api: Api, agent: str, text: str) -> Any:
    return api.post("/api/memory/recall", {"query": asked_anew(text)}, agent=agent)


def _expand(api: Api, agent: str, text: str) -> Any:
    return api.post("/api/memory/expand", {"entity": WAREHOUSE, "question": asked_anew(text)}, agent=agent)


def measure(service: Service, api: Api, agent: str, facts: int, talk: Sequence[chatter.Turn]) -> str:
    """The section of the page."""
    said = [turn for turn in talk if turn.name != chatter.ASSISTANT]
    chars = sum(len(turn.text) for turn in talk) // len(talk)
    long = agent == LONG_AGENT
    texts = questions(said, facts, WARM_UP + CALLS)
    spoken: Sequence[str] = ("Which port does shelf 7 use?", "What must never be moved?", "Who looks after shelf 99?")
    floor = one_client([lambda: api.get("/healthz", agent=agent)] * (WARM_UP + CALLS))
    cpu = _cpu_s(service)
    recalls = one_client([lambda text=text: _recall(api, agent, text) for text in texts])  # type: ignore[misc]
    spent = {name: (after - cpu[name]) / (CALLS + WARM_UP) for name, after in _cpu_s(service).items()}
    say("recall, one client: done")
    spoken = tuple(islice(cycle(spoken), WARM_UP + CALLS))
    expands = one_client([lambda text=text: _expand(api, agent, text) for text in spoken])  # type: ignore[misc]
    steady = at_a_rate(service.url, agent, texts, RATE, RATED_S)
    most = saturated(service.url, agent, texts, CLIENTS, SATURATED_S)
    rows = [
        [name, str(len(taken)), f"{percentile(taken, 0.5):.1f}", f"{percentile(taken, 0.95):.1f}", goal]
        for name, taken, goal in (
            ("GET /healthz", floor, "—"),
            ("recall, one client", recalls, "40 / 100"),
            (f"recall, {CLIENTS} clients, {RATE:.0f} a second together", steady, "— / 150"),
            (f"expand, an entity with {BIG_ENTITY_FACTS} facts", expands, "— / 60"),
        )
    ]
    command = "python -m benchmarks.recall_speed --long" if long else "make bench-recall-speed"
    replies = ", every second a reply of pages," if long else ""
    head = f"""Measured {datetime.now(UTC):%Y-%m-%d} with `{command}`: graphmem {__version__},
        {os.cpu_count()} cores, load of the machine at the end {os.getloadavg()[0]:.1f}. One agent with {len(talk):,}
        messages of {chars:,} characters on average{replies} and {facts:,} facts, each fact with its statement; {CALLS}
        questions after {WARM_UP} that do not count, no two alike, asked once Neo4j has merged its indexes.
        A recall costs {1000 * spent.get("API", 0.0):.0f} ms of processor time in the API, the client's next to it, and
        {1000 * spent.get("Neo4j", 0.0):.0f} ms in Neo4j. {CLIENTS} clients that ask without a pause get
        {most:.1f} answers a second."""
    calls = table(("call", "calls", "p50 ms", "p95 ms", "goal p50 / p95"), rows)
    title = f"## Recall at {len(talk):,} {'long ' if long else ''}messages"
    return "\n\n".join((title, paragraph(head), calls))


def come_to_rest(service: Service) -> None:
    """Wait until Neo4j has merged what was loaded: for minutes that takes all cores, and would be measured instead.
    Errors: BenchmarkFailed."""
    time.sleep(CHECKPOINT_S)
    for _ in range(REST_WITHIN_S // REST_S):
        before = _cpu_s(service)["Neo4j"]
        time.sleep(REST_S)
        if _cpu_s(service)["Neo4j"] - before < REST_S * AT_REST:
            return
    raise BenchmarkFailed(f"Neo4j did not come to rest within {REST_WITHIN_S} s")


def _cpu_s(service: Service) -> dict[str, float]:
    spent: dict[str, float] = {}
    for name, process in named_processes(service):
        times = process.cpu_times()
        spent[name] = spent.get(name, 0.0) + times.user + times.system
    return spent


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--messages", type=int, default=MESSAGES)
    parser.add_argument("--facts", type=int, default=FACTS)
    parser.add_argument("--long", action="store_true", help="every second message is a reply of pages")
    parser.add_argument("--data", type=Path, help="a folder to keep the data in, and to find it again")
    parser.add_argument("--dry", action="store_true", help="print, and leave the page alone")
    given = parser.parse_args()
    agent, make = (LONG_AGENT, chatter.long_turns) if given.long else (AGENT, chatter.turns)
    talk = make(given.messages)
    with running_service(given.data, SETTINGS) as service, Api(service.url) as api:
        load(service, api, agent, given.facts, talk)
        come_to_rest(service)
        text = measure(service, api, agent, given.facts, talk)
    print(text)
    if not given.dry:
        write_section(PAGE, agent, text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
