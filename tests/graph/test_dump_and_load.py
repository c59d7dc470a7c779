"""Dump and load for real: two servers of their own, a graph that goes from one to the other, files that are none."""

import asyncio
import stat
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import neo4j
import neo4j.exceptions
import pytest

from api.compacting import compact_store
from api.dumps import load_graph
from graphmem.adapters.erasures import files_holding
from graphmem.adapters.neo4j_dump import dump
from graphmem.adapters.neo4j_server import ManagedServer, RunningServer
from graphmem.errors import Conflict, InvalidInput, ServerFailed
from graphmem.opening import connect_migrated, make_embedder
from graphmem.settings import Settings, load_settings

pytestmark = pytest.mark.long

AGENT = "someone"
VECTOR = [1.0] + [0.0] * 383


def managed(folder: Path) -> ManagedServer:
    return ManagedServer(
        folder,
        load_settings().cache_dir,
        http=False,
        preferred_bolt_port=0,
        preferred_http_port=0,
        quick_start=True,
    )


@pytest.fixture(scope="module")
def own_settings(clean_environment: None) -> Settings:
    return load_settings({"GRAPHMEM_CACHE_DIR": str(load_settings().cache_dir)})


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory, own_settings: Settings) -> Iterator[ManagedServer]:
    """A server with our schema and one memory."""
    server = managed(tmp_path_factory.mktemp("here"))
    running = server.start()
    try:
        asyncio.run(migrated(own_settings, running))
        query(
            running,
            "CREATE (m:Memory {agent_id: $agent, id: 'm1', content: 'Kafka carries the orders', "
            "searchText: 'Kafka carries the orders', status: 'active', createdAt: $now}) "
            "WITH m CALL db.create.setNodeVectorProperty(m, 'embedding', $vector)",
            agent=AGENT,
            vector=VECTOR,
            now=datetime.now(UTC),
        )
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ManagedServer]:
    """A server that was never started."""
    server = managed(tmp_path_factory.mktemp("there"))
    yield server
    server.stop()


@pytest.fixture(scope="module")
def file(here: ManagedServer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The graph of `here`, dumped while it ran."""
    file = tmp_path_factory.mktemp("dumps") / "graph.dump"
    assert dump(here, file) == file.stat().st_size > 1000
    return file


@pytest.fixture(scope="module")
def loaded(own_settings: Settings, there: ManagedServer, file: Path) -> ManagedServer:
    """`there`, with the graph of the file. Each test that changes it puts it back, so that any may run alone."""
    load(own_settings, there, file)
    assert there.status().state == "stopped", "as it was before"
    return there


async def migrated(settings: Settings, running: RunningServer) -> None:
    database, _ = await connect_migrated(settings, running, make_embedder(settings, 1))
    await database.close()


def query(running: RunningServer, text: str, **params: object) -> list[neo4j.Record]:
    with neo4j.GraphDatabase.driver(running.uri, auth=(running.user, running.password)) as driver:
        return driver.execute_query(text, params, database_="neo4j").records


def contents(server: ManagedServer) -> list[str]:
    return [row["content"] for row in query(server.start(), "MATCH (n:Memory) RETURN n.content AS content")]


def load(settings: Settings, server: ManagedServer, file: Path, *, force: bool = False) -> None:
    load_graph(settings, server, file, force=force, notice=lambda _: None)


def test_a_dump_is_whole_private_and_leaves_the_server_running(here: ManagedServer, file: Path) -> None:
    assert here.running() is not None
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(file.parent.iterdir()) == [file]
    assert contents(here) == ["Kafka carries the orders"]


def test_a_file_is_not_written_over_unasked(here: ManagedServer, file: Path) -> None:
    before = file.read_bytes()
    with pytest.raises(Conflict, match="--force"):
        dump(here, file)
    assert file.read_bytes() == before


def test_a_server_in_use_is_not_stopped(here: ManagedServer, file: Path) -> None:
    running = here.start()
    with neo4j.GraphDatabase.driver(running.uri, auth=(running.user, running.password)) as driver:
        driver.verify_connectivity()
        with pytest.raises(ServerFailed, match=r"in use.*graphmem serve"):
            dump(here, file, force=True)
        driver.verify_connectivity()
    assert here.running() == running
    assert not file.with_name("graph.dump.new").exists()


def test_a_loaded_graph_is_all_there_with_constraints_and_indexes(loaded: ManagedServer) -> None:
    assert contents(loaded) == ["Kafka carries the orders"]
    running = loaded.start()
    words = query(running, "CALL db.index.fulltext.queryNodes('memory_text', 'kafka') YIELD node RETURN node.id AS id")
    near = query(
        running,
        "CYPHER 25 MATCH (n:Memory) SEARCH n IN (VECTOR INDEX memory_vector FOR $vector WHERE n.agent_id = $agent "
        "LIMIT 1) RETURN n.id AS id",
        vector=VECTOR,
        agent=AGENT,
    )
    assert [row["id"] for row in words + near] == ["m1", "m1"]
    with pytest.raises(neo4j.exceptions.ConstraintError):
        query(running, "CREATE (:Memory {agent_id: $agent, id: 'm1'})", agent=AGENT)


def test_a_graph_that_holds_something_is_not_replaced_unasked(
    own_settings: Settings, loaded: ManagedServer, file: Path
) -> None:
    query(loaded.start(), "CREATE (:Memory {agent_id: $agent, id: 'm2', content: 'newer'})", agent=AGENT)
    with pytest.raises(Conflict, match="holds 2 nodes"):
        load(own_settings, loaded, file)
    assert sorted(contents(loaded)) == ["Kafka carries the orders", "newer"]
    load(own_settings, loaded, file, force=True)
    assert contents(loaded) == ["Kafka carries the orders"]


@pytest.mark.parametrize("wrong", ["text", "truncated", "missing"])
def test_a_bad_file_leaves_the_graph_as_it_was(
    own_settings: Settings, loaded: ManagedServer, file: Path, tmp_path: Path, wrong: str
) -> None:
    bad = tmp_path / "bad.dump"
    if wrong != "missing":
        bad.write_bytes(b"not a dump" if wrong == "text" else file.read_bytes()[: file.stat().st_size // 2])
    with pytest.raises(InvalidInput, match=r"bad\.dump"):
        load(own_settings, loaded, bad, force=True)
    assert contents(loaded) == ["Kafka carries the orders"]
    assert not list(loaded.home_folder.glob("loading-*"))


def test_a_graph_of_others_is_put_back_out(
    own_settings: Settings, loaded: ManagedServer, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = managed(tmp_path_factory.mktemp("other"))
    foreign = tmp_path_factory.mktemp("foreign") / "foreign.dump"
    other.start()
    try:
        dump(other, foreign)
    finally:
        other.stop()
    with pytest.raises(InvalidInput, match="not graphmem's"):
        load(own_settings, loaded, foreign, force=True)
    assert contents(loaded) == ["Kafka carries the orders"]
    assert not list(loaded.home_folder.glob("previous-*"))


def test_files_that_are_written_anew_hold_nothing_that_was_deleted(here: ManagedServer, own_settings: Settings) -> None:
    """A delete and a clean stop leave the words in the store and in the transaction log; compacting does not."""
    settings = own_settings.model_copy(update={"data_dir": here.data_dir})
    running = here.start()
    words = "Quibblefrost counts the herons " * 30
    query(running, "CREATE (:Memory {agent_id: 'x', id: 'gone', content: $words, searchText: $words})", words=words)
    query(running, "MATCH (m:Memory {agent_id: 'x', id: 'gone'}) DETACH DELETE m")
    here.stop()
    assert files_holding([here.home_folder], ["Quibblefrost"])[1]
    before = nodes_of(here)
    compact_store(settings, here, print)
    here.stop()
    assert files_holding([here.home_folder], ["Quibblefrost"])[1] == []
    assert nodes_of(here) == before
    assert not list(here.home_folder.glob("compacting-*"))


def nodes_of(server: ManagedServer) -> list[object]:
    """All nodes that are not this server's own."""
    rows = query(server.start(), "MATCH (n) WHERE NOT n:Lease AND NOT n:Migration RETURN properties(n) AS held")
    return sorted(repr(sorted(row["held"].items())) for row in rows)
