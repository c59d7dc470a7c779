"""How we talk to Neo4j: what of our reading is repeated, and what is not."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import neo4j
import pytest

from graphmem.errors import DatabaseUnavailable, DiskFull
from graphmem.graph import connection
from graphmem.graph.connection import Database, ReadTransaction, WriteTransaction, connect
from graphmem.graph.conversation import appending
from graphmem.settings import Settings


async def applied(tx: ReadTransaction) -> Sequence[object]:
    return await tx.rows("upkeep/migrations")


@pytest.mark.parametrize(
    "passing", [neo4j.exceptions.ServiceUnavailable("the server was restarted"), neo4j.exceptions.TransientError()]
)
async def test_reading_begins_anew_where_it_met_what_passes(database: Database, passing: Exception) -> None:
    calls: list[int] = []

    async def work(tx: ReadTransaction) -> Sequence[object]:
        calls.append(len(await applied(tx)))
        if len(calls) == 1:
            raise passing
        return await applied(tx)

    assert len(await database.read(work)) == calls[0] == calls[1]


async def test_reading_is_not_repeated_for_what_does_not_pass(database: Database) -> None:
    calls: list[int] = []

    async def work(tx: ReadTransaction) -> None:
        calls.append(len(await applied(tx)))
        raise neo4j.exceptions.ClientError()

    with pytest.raises(neo4j.exceptions.ClientError):
        await database.read(work)
    assert len(calls) == 1


async def test_a_write_that_another_was_faster_than_begins_anew(
    database: Database, bolt: neo4j.AsyncDriver, agent_id: str
) -> None:
    """Between its look and its writing, another adds what it did not see; when it looks again, it sees it."""
    taken = {"a": agent_id, "key": "the same words"}
    seen: list[int] = []

    async def work(tx: WriteTransaction) -> int:
        found = await (await tx._run("MATCH (k:Memory {agent_id: $a, contentKey: $key}) RETURN k", taken)).value()
        seen.append(len(found))
        if not found:
            await bolt.execute_query("CREATE (:Memory {agent_id: $a, id: 'first', contentKey: $key})", taken)
            await (await tx._run("CREATE (:Memory {agent_id: $a, id: 'late', contentKey: $key})", taken)).consume()
        return len(found)

    assert await database.write(work) == 1
    assert seen == [0, 1]


async def test_a_key_that_is_always_taken_is_an_error(database: Database, agent_id: str) -> None:
    calls: list[int] = []

    async def work(tx: WriteTransaction) -> None:
        calls.append(1)
        twice = "UNWIND [1, 2] AS n CREATE (:Memory {agent_id: $a, id: toString(n), contentKey: 'the same'})"
        await (await tx._run(twice, {"a": agent_id})).consume()

    with pytest.raises(neo4j.exceptions.ConstraintError):
        await database.write(work)
    assert len(calls) == connection.OVERTAKEN + 1


@asynccontextmanager
async def on_the_way_to(address: str, flows: asyncio.Event) -> AsyncIterator[str]:
    """An address that leads to the server as long as `flows` is set; then nothing comes through, and nothing breaks."""
    to = urlsplit(address)

    async def pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(65_536):
            await flows.wait()
            writer.write(data)
        writer.close()

    async def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(to.hostname, to.port)
        await asyncio.gather(pass_on(reader, back), pass_on(there, writer), return_exceptions=True)

    async with await asyncio.start_server(meet, "127.0.0.1", 0) as server:
        yield f"bolt://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        flows.set()


@pytest.mark.parametrize("timeout_s", [0.2, 3600])
async def test_a_server_that_hangs_is_given_up_and_asked_again(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, timeout_s: float
) -> None:
    """By the time limit of the call, or long before it, since the server gives no sign of life."""

    async def written(tx: WriteTransaction) -> Sequence[object]:
        return await applied(tx)

    monkeypatch.setattr(connection, "LATE_S", 0.2)
    monkeypatch.setattr(connection, "RETRY_TIME_S", 0.2)
    flows = asyncio.Event()
    flows.set()
    password = settings.neo4j_password.get_secret_value() if settings.neo4j_password else None
    async with on_the_way_to(str(settings.neo4j_uri), flows) as address:
        database = await connect(address, user=settings.neo4j_user, password=password)
        there = await database.read(applied)
        flows.clear()
        with pytest.raises(DatabaseUnavailable, match="does not answer"):
            await database.read(applied, timeout_s=timeout_s)
        with pytest.raises(DatabaseUnavailable, match="does not answer"):
            await database.write(written, timeout_s=timeout_s)
        flows.set()
        assert await database.read(applied) == there
        await database.close()


async def test_a_write_needs_room_and_a_read_does_not(settings: Settings) -> None:
    def require() -> None:
        raise DiskFull("The disk is full.")

    async def written(tx: WriteTransaction) -> Sequence[object]:
        return await applied(tx)

    password = settings.neo4j_password.get_secret_value() if settings.neo4j_password else None
    database = await connect(str(settings.neo4j_uri), user=settings.neo4j_user, password=password, require_room=require)
    assert await database.read(applied)
    for refused in (database.write(written), database.write_alone(appending.APPEND)):
        with pytest.raises(DiskFull):
            await refused
    await database.ping()
    await database.close()
