"""Messages written with nothing but the Neo4j driver, as graphmem is measured beside: the same properties on the same
labels in one transaction, without guards, duplicates, idempotency, chain and history.
"""

import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import neo4j
from uuid_utils import uuid7

from benchmarks.service import BenchmarkFailed, Service
from graphmem.adapters.neo4j_server import ManagedServer, RunningServer
from graphmem.rules.keeping.canonical import message_fingerprint
from graphmem.rules.language.grams import grams
from graphmem.rules.language.keys import agent_key, sha256_hex
from graphmem.rules.language.text import count_tokens
from graphmem.settings import load_settings

# The session is locked by a SET of its own: in one with what reads a property, writers of one session run into
# deadlocks.
WRITE = """
MERGE (s:Session {agent_id: $agent_id, id: $session_id})
ON CREATE SET s.nextOrdinal = 0
SET s.lock = true
WITH s, s.nextOrdinal AS first
SET s.nextOrdinal = first + size($rows)
WITH s, first
UNWIND range(0, size($rows) - 1) AS place
CREATE (s)-[:HAS_MESSAGE]->(m:Message:Unembedded {agent_id: $agent_id, sessionId: $session_id, status: 'active',
  ordinal: first + place})
SET m += $rows[place]
"""
BARE_SCHEMA = (
    "CREATE CONSTRAINT FOR (s:Session) REQUIRE s.id IS UNIQUE",
    "CREATE CONSTRAINT FOR (m:Message) REQUIRE m.id IS UNIQUE",
)
_FIRST_ANSWER = """
import sys
from neo4j import GraphDatabase
uri, user, password = sys.argv[1:]
with GraphDatabase.driver(uri, auth=(user, password)) as driver:
    driver.execute_query("RETURN 1")
    print("ready", flush=True)
    sys.stdin.read()
"""


class Message(NamedTuple):
    message_id: str
    name: str
    content: str


class PlainWriter:
    """Stores messages, each call in one transaction. `retries` counts those the driver carried out again."""

    def __init__(self, driver: neo4j.Driver, agent_id: str) -> None:
        self.retries = 0
        self._driver = driver
        self._agent_id = agent_id

    def write(self, session_id: str, messages: Sequence[Message]) -> None:
        attempts = 0
        parameters = {
            "agent_id": self._agent_id,
            "session_id": session_id,
            "rows": [properties(message, self._agent_id) for message in messages],
        }

        def work(transaction: neo4j.ManagedTransaction) -> None:
            nonlocal attempts
            attempts += 1
            transaction.run(WRITE, parameters).consume()

        with self._driver.session(database="neo4j") as session:
            session.execute_write(work)
        self.retries += attempts - 1


def properties(message: Message, agent_id: str) -> dict[str, Any]:
    """What graphmem keeps of a message besides its place; see `MessageRow`."""
    now = datetime.now(UTC)
    return {
        "id": str(uuid7()),
        "messageId": message.message_id,
        "role": "user",
        "content": message.content,
        "contentKind": "text",
        "name": message.name,
        "sha256": sha256_hex(message.content),
        "fingerprint": message_fingerprint("user", message.name, message.content, None, None),
        "contentChars": len(message.content),
        "tokens": count_tokens(message.content),
        "createdAt": now,
        "ingestedAt": now,
        "searchText": f"{message.name}: {message.content}",
        "agentKey": agent_key(agent_id),
        "grams": grams(f"{message.name}: {message.content}"),
    }


def neo4j_of(service: Service) -> RunningServer:
    """The Neo4j that a service of ours runs. Errors: BenchmarkFailed when it runs none."""
    running = ManagedServer(service.data_dir, load_settings().cache_dir).running()
    if running is None:
        raise BenchmarkFailed("the service has no Neo4j of its own: unset GRAPHMEM_NEO4J_URI")
    return running


@contextmanager
def driver_of(server: RunningServer) -> Iterator[neo4j.Driver]:
    with neo4j.GraphDatabase.driver(server.uri, auth=(server.user, server.password)) as driver:
        driver.verify_connectivity()
        yield driver


@contextmanager
def bare_neo4j(folder: Path) -> Iterator[RunningServer]:
    """A Neo4j like the service's, with no index but two unique ids."""
    settings = load_settings()
    server = ManagedServer(
        folder,
        settings.cache_dir,
        http=False,
        heap_mb=settings.neo4j_heap_mb,
        page_cache_mb=settings.neo4j_page_cache_mb,
        preferred_bolt_port=0,
        preferred_http_port=0,
        maven_url=settings.maven_url,
    )
    running = server.start()
    try:
        with driver_of(running) as driver:
            for statement in BARE_SCHEMA:
                driver.execute_query(statement)
        yield running
    finally:
        server.stop()


@contextmanager
def plain_process(server: RunningServer) -> Iterator[tuple[int, float]]:
    """A process with the driver alone, asleep: its id, and the seconds from its launch to the first answer."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-c", _FIRST_ANSWER, server.uri, server.user, server.password],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        if process.stdout.readline().strip() != b"ready":
            raise BenchmarkFailed("the process with the plain driver got no answer")
        yield process.pid, time.perf_counter() - began
    finally:
        process.stdin.close()
        process.wait(30)
        process.stdout.close()
