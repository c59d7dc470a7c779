"""A graph of millions of dependencies, put into a new data folder by Neo4j's own bulk import.

The service then makes its schema over what it finds there, as it does over any graph of an older version.
"""

import csv
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from graphmem.adapters.identity import new_uuid7
from graphmem.adapters.neo4j_conf import DATABASE
from graphmem.adapters.neo4j_dump import admin
from graphmem.adapters.neo4j_server import ManagedServer
from graphmem.rules.language.keys import agent_key, dependency_key
from graphmem.rules.language.text import canonical_name
from graphmem.settings import load_settings

ENTITIES = (
    "node:ID(entity),agent_id,id,name,canonicalName,type,mentions:int,pinned:boolean,searchText,agentKey,"
    "createdAt:datetime"
)
NAMES = "name:ID(name),agent_id,canonical,surface"
NAMED = ":START_ID(name),:END_ID(entity)"
DEPENDENCIES = (
    ":START_ID(entity),:END_ID(entity),agent_id,id,activeKey,type,confidence:double,strength:double,status,"
    "explicit:boolean,validFrom:datetime,createdAt:datetime,extractionLevel:int"
)
TYPE = "DEPENDS_ON"


def load_in_bulk(
    data_dir: Path, heap_mb: int, agent: str, names: Sequence[str], edges: Iterable[tuple[int, int, float]]
) -> None:
    """Write entities of these names, and edges between their places in the list, into a folder nothing was in yet."""
    settings = load_settings()
    server = ManagedServer(
        data_dir,
        settings.cache_dir,
        http=False,
        heap_mb=heap_mb,
        preferred_bolt_port=0,
        preferred_http_port=0,
        maven_url=settings.maven_url,
    )
    server.start()  # it makes the users, and the place for the graph
    with tempfile.TemporaryDirectory(prefix="graphmem-bulk-") as folder, server.stopped() as home:
        server.prepare(home)
        tables = [
            ("--nodes", "Entity", ENTITIES, _entities(agent, names, ids := [new_uuid7() for _ in names])),
            ("--nodes", "Name", NAMES, ((n, agent, canonical_name(name), name) for n, name in enumerate(names))),
            ("--relationships", "NAMES", NAMED, ((n, n) for n in range(len(names)))),
            ("--relationships", TYPE, DEPENDENCIES, _dependencies(agent, ids, edges)),
        ]
        given = []
        for option, label, head, rows in tables:
            file = Path(folder) / f"{label}.csv"
            with file.open("w", encoding="utf-8", newline="") as out:
                out.write(f"{head}\n")
                csv.writer(out).writerows(rows)
            given.append(f"{option}={label}={file}")
        admin(server, home, ["import", "full", DATABASE, "--overwrite-destination", "--id-type=integer", *given])


def _entities(agent: str, names: Sequence[str], ids: Sequence[str]) -> Iterator[tuple[object, ...]]:
    key, now = agent_key(agent), datetime.now(UTC).isoformat()
    for node, (name, id_) in enumerate(zip(names, ids, strict=True)):
        yield node, agent, id_, name, canonical_name(name), "system", 0, "false", name, key, now


def _dependencies(
    agent: str, ids: Sequence[str], edges: Iterable[tuple[int, int, float]]
) -> Iterator[tuple[object, ...]]:
    now = datetime.now(UTC).isoformat()
    for source, target, sure in edges:
        key = dependency_key(ids[source], ids[target], "depends_on")
        yield source, target, agent, new_uuid7(), key, "depends_on", sure, 0.5, "active", "true", now, now, 1
