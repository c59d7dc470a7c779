"""The schema comes into an empty database once, in order, whoever asks for it and however many do so at once."""

import asyncio
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from neo4j import AsyncDriver, AsyncGraphDatabase
from neo4j.exceptions import Neo4jError

from graphmem.adapters.neo4j_server import ManagedServer, RunningServer
from graphmem.app import Graphmem
from graphmem.errors import DatabaseBusy, DatabaseRefused, EmbedderMismatch, SchemaMismatch
from graphmem.graph import schema, statements
from graphmem.graph.connection import Database, ReadTransaction, connect
from graphmem.graph.operation.reindexing import adopt
from graphmem.opening import pending_migrations
from graphmem.settings import load_settings

DIMENSIONS = 384
MIGRATE = """
import asyncio, sys
from graphmem.graph.connection import connect
from graphmem.graph.schema import migrate
async def main():
    database = await connect(sys.argv[1], user=sys.argv[2], password=sys.argv[3])
    print(await migrate(database, holder=sys.argv[4], dimensions=384))
    await database.close()
asyncio.run(main())
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    """A Neo4j for this module alone: Community has one database for each server, and here it must be empty."""
    managed = ManagedServer(
        tmp_path_factory.mktemp("empty"),
        load_settings().cache_dir,
        http=False,
        preferred_bolt_port=0,
        preferred_http_port=0,
        quick_start=True,
    )
    yield managed.start()
    managed.stop()


@pytest.fixture(scope="module")
async def bolt(server: RunningServer) -> AsyncIterator[AsyncDriver]:
    async with AsyncGraphDatabase.driver(server.uri, auth=(server.user, server.password)) as driver:
        yield driver


@pytest.fixture(scope="module")
async def database(server: RunningServer) -> AsyncIterator[Database]:
    opened = await connect(server.uri, user=server.user, password=server.password)
    yield opened
    await opened.close()


@pytest.fixture
async def empty(database: Database, bolt: AsyncDriver) -> Database:
    """The database without any schema and any node."""
    for kind, kinds in (("CONSTRAINT", "CONSTRAINTS"), ("INDEX", "INDEXES")):
        names = [row["name"] for row in await rows(bolt, f"SHOW {kinds} YIELD name, type WHERE type <> 'LOOKUP'")]
        async with bolt.session() as session, await session.begin_transaction() as transaction:
            for name in names:
                await transaction.run(f"DROP {kind} `{name}`")
            await transaction.commit()
    await rows(bolt, "MATCH (n) DETACH DELETE n")
    return database


@pytest.fixture(scope="module")
async def current(database: Database) -> Database:
    """The database with the whole schema."""
    await schema.migrate(database, holder="first", dimensions=DIMENSIONS)
    return database


async def rows(bolt: AsyncDriver, text: str, **params: Any) -> list[dict[str, Any]]:
    records, _, _ = await bolt.execute_query(text, params)
    return [record.data() for record in records]


async def built(bolt: AsyncDriver) -> dict[str, str]:
    """Names and states of all indexes but the two that Neo4j brings."""
    found = await rows(bolt, "SHOW INDEXES YIELD name, state, type WHERE type <> 'LOOKUP'")
    return {row["name"]: row["state"] for row in found}


async def last_write(bolt: AsyncDriver) -> frozenset[str]:
    """The bookmark that a reader gets: another one after every transaction that wrote or changed the schema."""
    async with bolt.session() as session:
        await (await session.run("RETURN 1")).consume()
        return (await session.last_bookmarks()).raw_values


def named_by_migrations() -> set[str]:
    parts = [part for found in schema.schema_statements() for part in schema.parts_of(found)]
    return {part.partition(" IF NOT EXISTS")[0].split()[-1] for part in parts}


@pytest.fixture
def later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many migrations there are: two more than now."""
    folder = tmp_path / "cypher"
    shutil.copytree(statements.cypher_folder(), folder)
    known = len(schema.schema_statements())
    for number in (known + 1, known + 2):
        (folder / "schema" / f"{number:04}_later.cypher").write_text(
            "// purpose: later\n// params: none\n// returns: nothing\n// mode: schema\n// scope: system\n"
            f"CREATE INDEX later_{number} IF NOT EXISTS\nFOR (n:Later) ON (n.p{number})\n"
        )
    monkeypatch.setattr(statements, "cypher_folder", lambda: folder)
    return known + 2


async def forget(bolt: AsyncDriver, number: int) -> None:
    """The record of every migration from this one on is gone; what they made stays."""
    await rows(bolt, "MATCH (m:Migration) WHERE m.number >= $number DETACH DELETE m", number=number)


# --- an empty database ------------------------------------------------------------------------------------


async def test_migrations_come_once_in_order_and_a_second_run_writes_nothing(
    empty: Database, bolt: AsyncDriver
) -> None:
    said: list[str] = []
    known = schema.schema_statements()
    assert await schema.migrate(empty, holder="a", dimensions=DIMENSIONS, notice=said.append) == len(known)
    assert said == [f"schema {n}: {found.purpose}" for n, found in enumerate(known, start=1)]
    recorded = await rows(
        bolt, "MATCH (m:Migration) RETURN m.number AS n, m.name AS name, m.checksum AS sum ORDER BY n"
    )
    assert [(row["n"], row["name"], row["sum"]) for row in recorded] == [
        (n, found.name, found.checksum) for n, found in enumerate(known, start=1)
    ]
    assert await built(bolt) == dict.fromkeys(named_by_migrations(), "ONLINE")
    (vector,) = await rows(bolt, "SHOW VECTOR INDEXES YIELD name, options WHERE name = 'message_vector' RETURN options")
    assert vector["options"]["indexConfig"]["vector.dimensions"] == DIMENSIONS
    before = await last_write(bolt)
    said.clear()
    assert await schema.migrate(empty, holder="b", dimensions=DIMENSIONS, notice=said.append) == 0
    assert await last_write(bolt) == before
    assert said == []


async def test_four_tasks_at_once_bring_an_empty_database_up_to_date(empty: Database, bolt: AsyncDriver) -> None:
    done = await asyncio.gather(*(schema.migrate(empty, holder=f"task-{n}", dimensions=DIMENSIONS) for n in range(4)))
    assert sorted(done) == [0, 0, 0, len(schema.schema_statements())]
    assert await built(bolt) == dict.fromkeys(named_by_migrations(), "ONLINE")
    assert await rows(bolt, "MATCH (l:Lease) WHERE l.holder IS NOT NULL RETURN l") == []


async def test_two_processes_at_once_bring_an_empty_database_up_to_date(
    empty: Database, bolt: AsyncDriver, server: RunningServer
) -> None:
    def run(holder: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", MIGRATE, server.uri, server.user, server.password, holder]
        return subprocess.run(command, capture_output=True, text=True, timeout=120)

    ended = await asyncio.gather(*(asyncio.to_thread(run, f"process-{n}") for n in range(2)))
    assert [process.stderr for process in ended] == ["", ""]
    assert sorted(int(process.stdout) for process in ended) == [0, len(schema.schema_statements())]
    assert await built(bolt) == dict.fromkeys(named_by_migrations(), "ONLINE")


async def test_migration_that_was_applied_and_not_recorded_is_applied_again_in_peace(
    empty: Database, bolt: AsyncDriver
) -> None:
    """A process was killed between the two: what it built is there, and stays."""
    known = await schema.migrate(empty, holder="a", dimensions=DIMENSIONS)
    await forget(bolt, 1)
    assert await schema.migrate(empty, holder="b", dimensions=DIMENSIONS) == known
    assert await built(bolt) == dict.fromkeys(named_by_migrations(), "ONLINE")


async def test_a_migration_comes_whole_or_not_at_all(empty: Database, bolt: AsyncDriver) -> None:
    baseline = schema.parts_of(schema.schema_statements()[0])
    with pytest.raises(Neo4jError, match="Invalid input"):
        await empty.ddl([*baseline, "CREATE NOTHING"], dimensions=DIMENSIONS)
    assert await built(bolt) == {}


async def test_later_migrations_come_after_the_baseline(empty: Database, bolt: AsyncDriver, later: int) -> None:
    async with restored(bolt):
        assert await schema.migrate(empty, holder="a", dimensions=DIMENSIONS) == later
        assert {f"later_{later - 1}", f"later_{later}"} <= (await built(bolt)).keys()
        await forget(bolt, later)
        assert await schema.migrate(empty, holder="b", dimensions=DIMENSIONS) == 1


# --- a database that has the schema -----------------------------------------------------------------------


async def test_dry_run_lists_what_is_to_come_and_changes_nothing(
    current: Database, bolt: AsyncDriver, later: int
) -> None:
    before = await last_write(bolt)
    assert await pending_migrations(current) == [f"schema/{number:04}_later: later" for number in (later - 1, later)]
    assert await last_write(bolt) == before


async def test_a_current_database_has_nothing_to_come(current: Database) -> None:
    assert await pending_migrations(current) == []


async def test_database_of_0_1_is_refused_with_the_way_to_bring_it_over(current: Database, bolt: AsyncDriver) -> None:
    async with restored(bolt):
        await forget(bolt, 1)
        await rows(
            bolt,
            "UNWIND range(1, 89) AS number CREATE (m:Migration {number: number, checksum: 'x', "
            "name: CASE number WHEN 1 THEN 'schema/0001_migration_number_unique' ELSE 'schema/other' END})",
        )
        before = await last_write(bolt)
        with pytest.raises(SchemaMismatch, match=r"0\.1\.0.*`graphmem backup FILE`.*`graphmem restore FILE`"):
            await schema.migrate(current, holder="a", dimensions=DIMENSIONS)
        assert await last_write(bolt) == before


async def test_changed_migration_is_refused_by_its_number(current: Database, bolt: AsyncDriver) -> None:
    async with restored(bolt):
        await rows(bolt, "MATCH (m:Migration {number: 1}) SET m.checksum = 'other'")
        before = await last_write(bolt)
        with pytest.raises(SchemaMismatch, match=r"Migration 1 .*changed after it was applied"):
            await schema.migrate(current, holder="a", dimensions=DIMENSIONS)
        assert await last_write(bolt) == before


async def test_database_ahead_of_this_version_is_refused(current: Database, bolt: AsyncDriver) -> None:
    ahead = len(schema.schema_statements()) + 1
    async with restored(bolt):
        await rows(bolt, "CREATE (:Migration {number: $number, name: 'schema/later', checksum: 'x'})", number=ahead)
        with pytest.raises(SchemaMismatch, match=rf"has schema {ahead}.*newer version"):
            await schema.migrate(current, holder="a", dimensions=DIMENSIONS)


async def test_gap_in_what_was_applied_is_refused(current: Database, bolt: AsyncDriver, later: int) -> None:
    """Counting alone would take the gap's migration for done."""
    async with restored(bolt):
        await schema.migrate(current, holder="a", dimensions=DIMENSIONS)
        await rows(bolt, "MATCH (m:Migration {number: $gap}) DETACH DELETE m", gap=later - 1)
        with pytest.raises(SchemaMismatch, match=f"Migration {later - 1} was never applied"):
            await schema.migrate(current, holder="a", dimensions=DIMENSIONS)


def test_gap_in_the_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in (1, 3):
        file = tmp_path / "schema" / f"{number:04}_x.cypher"
        file.parent.mkdir(exist_ok=True)
        file.write_text("// purpose: p\n// params: none\n// returns: nothing\n// mode: schema\n// scope: system\nX\n")
    monkeypatch.setattr(statements, "cypher_folder", lambda: tmp_path)
    statements.statement.cache_clear()
    try:
        with pytest.raises(SchemaMismatch, match=r"not numbered 1, 2, 3"):
            schema.schema_statements()
    finally:
        statements.statement.cache_clear()


async def test_who_waits_too_long_for_another_process_is_told_so(current: Database, bolt: AsyncDriver) -> None:
    async with restored(bolt):
        await forget(bolt, 1)
        now = datetime.now(UTC)
        await current.write(lambda tx: schema.lease_take(tx, schema.LEASE, "somebody", now, 60))
        with pytest.raises(DatabaseBusy, match="Another process"):
            await schema.migrate(current, holder="late", dimensions=DIMENSIONS, wait_s=0.1)
        assert not await current.write(lambda tx: schema.lease_take(tx, schema.LEASE, "late", now, 60)), "still theirs"
        # When it falls silent, its lease ends and the work is done by who waits.
        later = now + timedelta(seconds=61)
        assert await current.write(lambda tx: schema.lease_take(tx, schema.LEASE, "late", later, 0))
        await current.write(lambda tx: schema.lease_release(tx, schema.LEASE, "late"))
        assert await schema.migrate(current, holder="late", dimensions=DIMENSIONS) > 0


@pytest.mark.parametrize("version", ["5.26.1", "2025.12.0", "4.4.40", "5.27-aura"])
async def test_server_without_filtered_vector_search_is_refused(
    current: Database, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    async def answer(_: ReadTransaction) -> str:
        return version

    monkeypatch.setattr(schema, "server", answer)
    with pytest.raises(DatabaseRefused, match=rf"Neo4j {version} .*too old.*2026\.01"):
        await schema.migrate(current, holder="a", dimensions=DIMENSIONS)


@pytest.mark.parametrize("version", ["2026.01.0", "2026.08.1", "2027.1-aura", "2026.09.0-SNAPSHOT"])
async def test_newer_server_is_taken(current: Database, monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    async def answer(_: ReadTransaction) -> str:
        return version

    monkeypatch.setattr(schema, "server", answer)
    assert await schema.require_server(current) == version


async def test_other_embedder_is_refused_with_advice(current: Database, bolt: AsyncDriver) -> None:
    now = datetime.now(UTC)
    await rows(bolt, "MATCH (e:Embedder) DETACH DELETE e")
    await schema.require_embedder(current, "minilm", DIMENSIONS, now)
    await schema.require_embedder(current, "minilm", DIMENSIONS, now + timedelta(days=1))
    for other, dimensions in (("bge", DIMENSIONS), ("minilm", 768)):
        with pytest.raises(EmbedderMismatch, match=r"minilm \(384 dimensions\).*GRAPHMEM_EMBEDDING_MODEL.*again"):
            await schema.require_embedder(current, other, dimensions, now)
    (kept,) = await rows(bolt, "MATCH (e:Embedder) RETURN e.id AS id, e.dimensions AS dimensions, e.since AS since")
    assert (kept["id"], kept["dimensions"], kept["since"].to_native()) == ("minilm", DIMENSIONS, now)


async def test_a_store_is_given_to_another_embedder(current: Database, bolt: AsyncDriver) -> None:
    now = datetime.now(UTC)
    await rows(bolt, "MATCH (e:Embedder) DETACH DELETE e")
    await schema.require_embedder(current, "minilm", DIMENSIONS, now)
    await rows(
        bolt,
        "CREATE (:Message {agent_id: 'a', id: 'm', searchText: 'x', embedding: [1.0]}), "
        "(:Message {agent_id: 'a', id: 'n', searchText: 'x', archivedEmbedding: [1.0]}), "
        "(:Session {agent_id: 'a', id: 's', meanVector: [1.0]})",
    )
    heard: list[int] = []
    assert not await adopt(current, "minilm", DIMENSIONS, now, heard.append)
    assert heard == []
    assert await adopt(current, "bge", 768, now, heard.append)
    assert heard == [2]
    with pytest.raises(EmbedderMismatch, match="graphmem reindex"):
        await schema.require_embedder(current, "minilm", DIMENSIONS, now)
    await schema.require_embedder(current, "bge", 768, now)
    (left,) = await rows(
        bolt,
        "MATCH (m) WHERE m.embedding IS NOT NULL OR m.archivedEmbedding IS NOT NULL OR m.meanVector IS NOT NULL "
        "RETURN count(m) AS n",
    )
    assert left["n"] == 0
    waiting = await rows(bolt, "MATCH (m:Unembedded) RETURN m.id AS id")
    assert [one["id"] for one in waiting] == ["m"]
    lengths = await rows(bolt, "SHOW VECTOR INDEXES YIELD options RETURN options.indexConfig['vector.dimensions'] AS n")
    assert {one["n"] for one in lengths} == {768}
    assert await adopt(current, "minilm", DIMENSIONS, now, heard.append)
    await rows(bolt, "MATCH (n:Message|Session {agent_id: 'a'}) DETACH DELETE n")


async def test_of_two_embedders_at_once_one_is_refused(current: Database, bolt: AsyncDriver) -> None:
    await rows(bolt, "MATCH (e:Embedder) DETACH DELETE e")
    now = datetime.now(UTC)
    tried = await asyncio.gather(
        *(schema.require_embedder(current, f"embedder-{n}", DIMENSIONS, now) for n in range(4)), return_exceptions=True
    )
    assert [type(error) for error in tried if error is not None] == [EmbedderMismatch] * 3
    assert len(await rows(bolt, "MATCH (e:Embedder) RETURN e")) == 1


async def test_service_with_another_embedder_does_not_open(
    current: Database, bolt: AsyncDriver, server: RunningServer, tmp_path: Path
) -> None:
    await rows(bolt, "MERGE (e:Embedder {name: 'vectors'}) SET e.id = 'another', e.dimensions = $n", n=DIMENSIONS)
    environ = {
        "GRAPHMEM_NEO4J_URI": server.uri,
        "GRAPHMEM_NEO4J_PASSWORD": server.password,
        "GRAPHMEM_CACHE_DIR": str(load_settings().cache_dir),
        "GRAPHMEM_DATA_DIR": str(tmp_path),
    }
    with pytest.raises(EmbedderMismatch, match="another"):
        await Graphmem.open(load_settings(environ), None)


class restored:
    """Puts the records of applied migrations back as they were."""

    def __init__(self, bolt: AsyncDriver) -> None:
        self._bolt = bolt

    async def __aenter__(self) -> None:
        self._kept = await rows(self._bolt, "MATCH (m:Migration) RETURN properties(m) AS held")

    async def __aexit__(self, *_: object) -> None:
        await rows(self._bolt, "MATCH (m:Migration) DETACH DELETE m")
        held = [row["held"] for row in self._kept]
        await rows(self._bolt, "UNWIND $held AS held CREATE (m:Migration) SET m = held", held=held)
        await rows(self._bolt, "MATCH (l:Lease) DETACH DELETE l")
