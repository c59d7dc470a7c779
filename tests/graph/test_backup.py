"""Backup and restore on a server of their own: what comes back is what was there, to the bit."""

import asyncio
import os
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import neo4j
import pytest
from click.testing import Result
from typer.testing import CliRunner

from api.cli import app
from graphmem.adapters.archive import ArchiveReader, ArchiveWriter
from graphmem.adapters.neo4j_server import ManagedServer, RunningServer
from graphmem.app import Graphmem
from graphmem.errors import Conflict, InvalidInput
from graphmem.model.caller import Caller
from graphmem.model.erasing import Erase, EraseSubject
from graphmem.model.inputs import NewMessage, NewMessages, Recall, Remember
from graphmem.roots.operation import open_backups
from graphmem.roots.world import payload_folder
from graphmem.services.operation.housekeeping import seal
from graphmem.settings import Settings, load_settings
from tests.agents import embed
from tests.waiting import until

AGENT = "keeper"
OF_0_1_0 = Path(__file__).parents[1] / "data" / "backups" / "0.1.0.graphmem"
"""What graphmem 0.1.0 wrote: a session of two messages that was read, and a memory; without its settings."""
PICTURE = "data:image/png;base64," + "iVBORw0KGgo" * 60


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    folder, cache = tmp_path_factory.mktemp("neo4j"), load_settings().cache_dir
    managed = ManagedServer(folder, cache, http=False, preferred_bolt_port=0, preferred_http_port=0, quick_start=True)
    yield managed.start()
    managed.stop()


@pytest.fixture(scope="module")
def own_settings(server: RunningServer, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    environ = {
        "GRAPHMEM_NEO4J_URI": server.uri,
        "GRAPHMEM_NEO4J_PASSWORD": server.password,
        "GRAPHMEM_DATA_DIR": str(tmp_path_factory.mktemp("data")),
        "GRAPHMEM_CACHE_DIR": str(load_settings().cache_dir),
    }
    return load_settings(environ)


@pytest.fixture(scope="module")
async def lived(own_settings: Settings) -> AsyncIterator[Graphmem]:
    """A service over a graph with some of everything."""
    opened = await Graphmem.open(own_settings, None)
    await opened.models_loaded()
    caller, zone = Caller(AGENT), timezone(timedelta(hours=5, minutes=30))
    said = (
        NewMessage(
            role="user",
            name="Mara",
            content="Noor owns billing. 👩‍🚀 北京",
            created_at=datetime(2026, 5, 1, 9, tzinfo=zone),
        ),
        NewMessage(role="assistant", content=[{"type": "text", "text": f"See {PICTURE}"}], metadata={"a": [1, None]}),
    )
    await opened.conversation.intake.add_messages(caller, "s", NewMessages(messages=said))
    for owner in ("Mara", "Noor"):
        given = Remember(content=f"{owner} owns billing.", entity="billing", claim_key="owner", importance=0.1 + 0.2)
        await opened.knowledge.learning.remember(caller, given)
    await embed(opened, AGENT)
    yield opened
    await opened.close()


async def whole_graph(settings: Settings) -> tuple[Counter[str], Counter[str]]:
    """Every node and every relationship, as text, whatever its internal id."""
    password = settings.database_password()
    async with neo4j.AsyncGraphDatabase.driver(str(settings.neo4j_uri), auth=("neo4j", password)) as driver:
        nodes, _, _ = await driver.execute_query(
            "MATCH (n) WHERE NOT n:Lease AND NOT n:Migration RETURN labels(n) AS labels, properties(n) AS p"
        )
        edges, _, _ = await driver.execute_query(
            "MATCH (a)-[r]->(b) RETURN type(r) AS type, properties(r) AS p, properties(a) AS a, properties(b) AS b"
        )
    return Counter(_text(sorted(n["labels"]), n["p"]) for n in nodes), Counter(
        _text(e["type"], e["p"], e["a"], e["b"]) for e in edges
    )


def _text(*parts: Any) -> str:
    return repr([sorted(part.items()) if isinstance(part, dict) else part for part in parts])


async def backed_up(settings: Settings, path: Path) -> Path:
    async with open_backups(settings, None) as backups:
        with ArchiveWriter(path) as archive:
            await backups.write(archive)
    return path


async def restored(settings: Settings, path: Path, *, force: bool) -> None:
    async with open_backups(settings, None) as backups:
        with ArchiveReader(path) as archive:
            await backups.restore(archive, force=force)


async def test_what_comes_back_is_what_was_there(lived: Graphmem, own_settings: Settings, tmp_path: Path) -> None:
    async with neo4j.AsyncGraphDatabase.driver(
        str(own_settings.neo4j_uri), auth=("neo4j", own_settings.database_password())
    ) as driver:
        await driver.execute_query(
            "CREATE (:Theirs {d: date('2026-05-01'), t: time('10:00:01+02:00'), "
            "l: localdatetime('2026-05-01T10:00:00.5'), z: datetime('2026-05-01T10:00:00.123456789+05:30'), "
            "p: point({longitude: 1.5, latitude: 2}), q: point({x: 1, y: 2, z: 3}), u: duration('P1M2DT3S'), "
            "b: $b, s: ['a', 'b'], n: [1, 2]})",
            b=b"\x00\xff",
        )
    await lived.operation.doctor.integrity.seal()
    before = await whole_graph(own_settings)
    assert sum(before[0].values()) > 20
    path = await backed_up(own_settings, tmp_path / "all.backup")
    assert path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(Conflict, match="--force"):
        await restored(own_settings, path, force=False)
    files = {file: file.read_bytes() for file in payload_folder(own_settings).rglob("*") if file.is_file()}
    assert files, "the picture went out of the message"
    for file in files:
        file.unlink()
    await lived.knowledge.learning.remember(Caller(AGENT), Remember(content="This was said after the backup."))
    await restored(own_settings, path, force=True)
    assert await whole_graph(own_settings) == before
    assert {file: file.read_bytes() for file in files} == files
    await lived.operation.upkeep.refresh_text()
    found = await lived.recall.recalling.recall(AGENT, Recall(query="Who owns billing?", kinds=("attribute",)))
    assert "Noor" in found.hits[0].text
    (agent,) = (await lived.operation.doctor.verify(AGENT)).agents
    assert (agent.healthy, agent.unsealed) == (True, 0)


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment of a server that holds nothing yet."""
    managed = ManagedServer(
        tmp_path / "neo4j",
        load_settings().cache_dir,
        http=False,
        preferred_bolt_port=0,
        preferred_http_port=0,
        quick_start=True,
    )
    server = managed.start()
    yield environ_of(server.uri, server.password, tmp_path / "data", load_settings().cache_dir)
    managed.stop()


def environ_of(uri: object, password: object, data: Path, cache: Path) -> dict[str, str]:
    return {
        "GRAPHMEM_NEO4J_URI": str(uri),
        "GRAPHMEM_NEO4J_PASSWORD": str(password),
        "GRAPHMEM_DATA_DIR": str(data),
        "GRAPHMEM_CACHE_DIR": str(cache),
    }


@pytest.mark.long
async def test_the_commands_bring_a_backup_back_into_an_empty_server(
    lived: Graphmem, own_settings: Settings, empty: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run(environ: dict[str, str], *command: str) -> Result:
        with monkeypatch.context() as patched:
            for name, value in (environ | {"FORCE_COLOR": "1", "COLUMNS": "80"}).items():
                patched.setenv(name, value)
            return await asyncio.to_thread(CliRunner().invoke, app, list(command))

    uri, password = own_settings.neo4j_uri, own_settings.database_password()
    full = environ_of(uri, password, own_settings.data_dir, own_settings.cache_dir)
    file, began = tmp_path / "all.backup", datetime.now(UTC)
    before = await whole_graph(own_settings)
    done = await run(full, "backup", str(file))
    assert done.exit_code == 0, done.output
    assert f"payloads in {file}." in done.stdout.replace("\n", "")
    for shown in ("Nodes", "Relationships", "Payloads", "100%"):
        assert shown in done.stderr, "a bar, on a terminal"
    last = (await lived.operation.reporting.status(AGENT)).last_backup
    assert last is not None
    assert last >= began - timedelta(seconds=1)
    assert isinstance((await run(full, "backup", str(file))).exception, Conflict)
    assert (await run(full, "backup", str(file), "--force")).exit_code == 0

    done = await run(empty, "restore", str(file))
    assert done.exit_code == 0, done.output
    assert "are back." in done.stdout
    assert "Nodes" in done.stderr
    there = load_settings(empty)
    assert await whole_graph(there) == before
    names = {path.name for path in payload_folder(own_settings).rglob("*") if path.is_file()}
    assert {path.name for path in payload_folder(there).rglob("*") if path.is_file()} == names
    assert names
    again = await run(empty, "restore", str(file))
    assert isinstance(again.exception, Conflict)
    assert await whole_graph(there) == before
    assert (await run(empty, "restore", str(file), "--force")).exit_code == 0
    assert await whole_graph(there) == before
    assert isinstance((await run(empty, "restore", str(tmp_path / "none"))).exception, InvalidInput)


async def test_writes_wait_while_a_backup_is_read_and_reads_go_on(
    lived: Graphmem, own_settings: Settings, tmp_path: Path
) -> None:
    async with open_backups(own_settings, None) as backups:
        with ArchiveWriter(tmp_path / "b") as archive:
            backing = asyncio.create_task(backups.write(archive))
            await until(backups.data.frozen_until)

            async def noticed() -> bool:
                return lived.database._frozen_until is not None

            await until(noticed)
            order: list[str] = []
            writing = asyncio.create_task(
                lived.knowledge.learning.remember(Caller(AGENT), Remember(content="It had to wait."))
            )
            writing.add_done_callback(lambda _: order.append("written"))
            backing.add_done_callback(lambda _: order.append("backed up"))
            assert (await lived.operation.reporting.status(AGENT)).counts.messages == 2
            await backing
    await writing
    assert order == ["backed up", "written"]
    assert "It had to wait." not in (tmp_path / "b").read_bytes().decode("latin-1")


@pytest.mark.parametrize("damage", ["cut", "changed", "no zip", "newer"])
async def test_a_damaged_or_newer_backup_is_refused_before_anything_is_touched(
    lived: Graphmem, own_settings: Settings, tmp_path: Path, damage: str
) -> None:
    path = await backed_up(own_settings, tmp_path / "b")
    if damage == "cut":
        path.write_bytes(path.read_bytes()[:-200])
    elif damage == "no zip":
        path.write_bytes(b"once upon a time")
    else:
        with ZipFile(path) as old, ZipFile(tmp_path / "other", "w") as new:
            for name in old.namelist():
                data = old.read(name)
                if damage == "changed" and name == "nodes.jsonl":
                    data = data.replace(b"billing", b"bulling")
                if damage == "newer" and name == "manifest.json":
                    data = data.replace(b'"schema": ', b'"schema": 9')
                new.writestr(name, data)
        path = tmp_path / "other"
    before = await whole_graph(own_settings)
    with pytest.raises(InvalidInput):
        await restored(own_settings, path, force=True)
    assert await whole_graph(own_settings) == before


async def test_a_backup_that_fails_leaves_no_file_and_lets_writes_go(
    lived: Graphmem, own_settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(ArchiveWriter, "files", full)
    with pytest.raises(OSError, match="No space"):
        await backed_up(own_settings, tmp_path / "b")
    assert os.listdir(tmp_path) == []
    async with open_backups(own_settings, None) as backups:
        assert await backups.data.frozen_until() is None


async def test_a_repair_has_a_backup_of_what_was_there_before_it(
    lived: Graphmem, own_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    environ = environ_of(
        own_settings.neo4j_uri, own_settings.database_password(), own_settings.data_dir, own_settings.cache_dir
    )
    for name, value in (environ | {"FORCE_COLOR": "1"}).items():
        monkeypatch.setenv(name, value)
    driver = neo4j.AsyncGraphDatabase.driver(
        str(own_settings.neo4j_uri), auth=("neo4j", own_settings.database_password())
    )
    async with driver:
        await driver.execute_query("MATCH (m:Message {agent_id: $a, ordinal: 0}) REMOVE m.embedding", a=AGENT)
        command = ["doctor", "--repair", "text_without_vector", "--agent", AGENT]
        done = await asyncio.to_thread(CliRunner().invoke, app, command)
        assert done.exit_code == 0, done.output
        assert "text_without_vector: 1 changed." in done.output
        for shown in ("Looks", "Nodes", "Repairing"):
            assert shown in done.stderr, "a bar, on a terminal"
        waiting, _, _ = await driver.execute_query("MATCH (m:Message:Unembedded) RETURN count(m) AS number")
    assert waiting[0]["number"] == 1
    (file,) = (own_settings.data_dir / "backups").iterdir()
    assert str(file) in done.output.replace("\n", "")
    assert file.stat().st_mode & 0o777 == 0o600
    with ArchiveReader(file) as archive:
        (message,) = [
            node
            for page in archive.pages("nodes.jsonl", 1000)
            for node in page
            if "Message" in node["labels"] and node["properties"]["ordinal"] == 0
        ]
    assert "Unembedded" not in message["labels"], "the backup is of before the repair"


async def test_a_backup_of_0_1_0_comes_back_under_the_schema_of_now(own_settings: Settings) -> None:
    await restored(own_settings, OF_0_1_0, force=True)
    nodes, relationships = await whole_graph(own_settings)
    assert (sum(nodes.values()), sum(relationships.values())) == (34, 32)
    opened = await Graphmem.open(own_settings, None)
    await opened.models_loaded()
    await opened.operation.upkeep.refresh_text()
    found = await opened.recall.recalling.recall(AGENT, Recall(query="Who owns search?", kinds=("attribute",)))
    await opened.close()
    assert "Ilse" in found.hits[0].text


async def test_a_restored_backup_is_cleaned_of_what_was_erased_since(
    lived: Graphmem, own_settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environ = environ_of(
        own_settings.neo4j_uri, own_settings.database_password(), own_settings.data_dir, own_settings.cache_dir
    )
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    for content in ("Mara likes plums.", "The shed is by the road."):
        await lived.knowledge.learning.remember(Caller(AGENT), Remember(content=content))
    await lived.operation.doctor.integrity.seal()
    file = tmp_path / "earlier.backup"
    done = await asyncio.to_thread(CliRunner().invoke, app, ["backup", str(file)])
    assert done.exit_code == 0, done.output
    given = Erase(subject=EraseSubject(person="Mara"), confirm=True)
    receipt = (await lived.operation.erasing.erase(Caller(AGENT), given)).receipt
    assert receipt.verified
    assert (str(file), "backup", True) in [(copy.path, copy.kind, copy.exists) for copy in receipt.older_copies]
    assert not await said(own_settings, "Mara")
    done = await asyncio.to_thread(CliRunner().invoke, app, ["restore", str(file), "--force"])
    assert done.exit_code == 0, done.output
    assert "1 erasures from the list were carried out again." in done.output.replace("\n", " ")
    assert not await said(own_settings, "Mara")
    assert await said(own_settings, "The shed is by the road.")
    while await seal(lived.operation.upkeep, AGENT, datetime.now(UTC) + timedelta(days=1)):
        pass
    assert (await lived.operation.doctor.verify(AGENT)).healthy, "its seals excuse what was erased again"


async def said(settings: Settings, words: str) -> list[str]:
    """Whatever in the whole graph holds these words."""
    nodes, edges = await whole_graph(settings)
    return [text for text in (*nodes, *edges) if words in text]
