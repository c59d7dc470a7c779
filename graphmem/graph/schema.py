"""The schema: numbered statements in cypher/schema/, applied once, in order, by one process at a time."""

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from graphmem.errors import DatabaseBusy, DatabaseRefused, EmbedderMismatch, SchemaMismatch
from graphmem.graph.connection import Database, ReadTransaction, WriteTransaction
from graphmem.graph.statements import Statement, all_statement_names, statement

START_TIMEOUT_S = 60.0
"""A server that has only just started is slow with its first query."""
LEASE = "schema"
LEASE_S = 300
BEFORE_LEASE = 2
"""How many migrations must be there before a lease means anything: the uniqueness of migrations and of leases."""
OLDEST_SERVER = (2026, 1)
FILLED_S = 1800
"""Seconds an index may take to be filled from the texts there are."""
_MADE = re.compile(r"\bCREATE (?:\w+ )?(?:INDEX|CONSTRAINT) (\w+)")
_DROPPED = re.compile(r"\bDROP (?:INDEX|CONSTRAINT) (\w+)")


@dataclass(frozen=True)
class Applied:
    number: int
    name: str
    checksum: str


@dataclass(frozen=True)
class SchemaState:
    """What is in the database and what is still to come, in order."""

    applied: tuple[Applied, ...]
    pending: tuple[Statement, ...]


def schema_statements() -> list[Statement]:
    """All migrations in order. Errors: SchemaMismatch when their numbers have a gap."""
    found = [statement(name) for name in all_statement_names() if name.startswith("schema/")]
    numbers = [number_of(migration) for migration in found]
    if numbers != list(range(1, len(numbers) + 1)):
        raise SchemaMismatch("The migrations in cypher/schema/ are not numbered 1, 2, 3 …: reinstall graphmem.")
    return found


def number_of(migration: Statement) -> int:
    return int(migration.name.removeprefix("schema/").split("_", 1)[0])


def made_by_schema(applied: Sequence[Applied]) -> dict[str, Statement]:
    """The indexes, those of constraints too, that these migrations made, each with the statement that makes it."""
    made: dict[str, Statement] = {}
    for done in applied:
        migration = statement(done.name)
        for name in _DROPPED.findall(migration.text):
            made.pop(name, None)
        made |= dict.fromkeys(_MADE.findall(migration.text), migration)
    return made


async def make_index(database: Database, name: str, *, anew: bool) -> None:
    """An index of the schema, made where it is missing; `anew`: dropped before. Returns when it is filled.

    Errors: SchemaMismatch for an index that no migration made.
    """
    migration = made_by_schema((await schema_state(database)).applied).get(name)
    if migration is None:
        raise SchemaMismatch(f"The index {name} is none of graphmem's: drop it in Neo4j Browser, or leave it.")
    known = await database.read(embedder)
    dimensions = {"dimensions": known[1]} if known and "dimensions" in migration.params else {}
    if anew and "CREATE CONSTRAINT" in migration.text:
        await database.write(lambda tx: constraint_drop(tx, name))
    elif anew:
        await database.write(lambda tx: index_drop(tx, name))
    await database.ddl(migration, **dimensions)
    await database.read(lambda tx: indexes_await(tx, FILLED_S), timeout_s=FILLED_S + 30)


async def schema_state(database: Database) -> SchemaState:
    """Errors: SchemaMismatch when a migration was changed after it was applied, or the database is ahead of this
    version."""
    applied = await database.read(migrations)
    known = schema_statements()
    for done in applied:
        if done.number > len(known):
            raise SchemaMismatch(
                f"The database has schema {applied[-1].number}, this version of graphmem knows {len(known)}. "
                "Install the newer version."
            )
        if known[done.number - 1].checksum != done.checksum:
            raise SchemaMismatch(
                f"Migration {done.number} ({done.name}) was changed after it was applied. "
                "Install the version that applied it."
            )
    there = {done.number for done in applied}
    missing = next((number for number in range(1, len(there) + 1) if number not in there), None)
    if missing:
        raise SchemaMismatch(
            f"Migration {missing} was never applied here, though later ones were: the database was changed by hand. "
            "Restore it from a backup."
        )
    return SchemaState(tuple(applied), tuple(known[len(applied) :]))


async def migrate(
    database: Database,
    *,
    holder: str,
    dimensions: int,
    wait_s: float = 120,
    notice: Callable[[str], None] | None = None,
) -> int:
    """Bring the schema up to date; how many migrations were applied. Nothing is written when it is current.

    Errors: SchemaMismatch; DatabaseRefused for a server too old; DatabaseBusy when another process migrates for
    longer than `wait_s`.
    """
    await require_server(database)
    if not (await schema_state(database)).pending:
        return 0
    for first in schema_statements()[:BEFORE_LEASE]:
        await database.ddl(first)  # harmless when done: without these two processes could hold the lease
    give_up = datetime.now(UTC) + timedelta(seconds=wait_s)
    while not await database.write(lambda tx: lease_take(tx, LEASE, holder, datetime.now(UTC), LEASE_S)):
        if datetime.now(UTC) > give_up:
            raise DatabaseBusy("Another process has been changing the schema for too long. Try again when it is done.")
        await asyncio.sleep(0.2)
    try:
        pending = (await schema_state(database)).pending
        for migration in pending:
            if notice:
                notice(f"schema {number_of(migration)}: {migration.purpose}")
            await database.ddl(migration, **({"dimensions": dimensions} if "dimensions" in migration.params else {}))
        # What is interrupted before this is done again, in peace: each says IF NOT EXISTS.
        await database.write(lambda tx: migrations_record(tx, pending, datetime.now(UTC)))
        await database.read(lambda tx: indexes_await(tx, 120), timeout_s=150)
        return len(pending)
    finally:
        await database.write(lambda tx: lease_release(tx, LEASE, holder))


async def require_server(database: Database) -> str:
    """The server's version. Errors: DatabaseRefused when it lacks filtered vector search."""
    version = await database.read(server, timeout_s=START_TIMEOUT_S)
    # Aura says 5.27-aura: only the digits in front count.
    found = re.match(r"(\d+)\.(\d+)", version)
    if found is None or (int(found[1]), int(found[2])) < OLDEST_SERVER:
        raise DatabaseRefused(
            f"Neo4j {version} at {database.address} is too old: "
            f"graphmem needs {OLDEST_SERVER[0]}.{OLDEST_SERVER[1]:02} or newer."
        )
    return version


async def require_embedder(database: Database, embedder_id: str, dimensions: int, now: datetime) -> None:
    """Note the embedder of an empty database; check it in any other.

    Errors: EmbedderMismatch when stored vectors come from another one; mixed vectors would compare nonsense.
    """
    known = await database.read(embedder)
    if known is None:
        known = await database.write(lambda tx: embedder_record(tx, embedder_id, dimensions, now))
    if known != (embedder_id, dimensions):
        raise EmbedderMismatch(
            f"The vectors in this database come from {known[0]} ({known[1]} dimensions); the settings ask for "
            f"{embedder_id} ({dimensions}). Set GRAPHMEM_EMBEDDING_URL and GRAPHMEM_EMBEDDING_MODEL back to what they "
            "were, or stop the service and run `graphmem reindex`, which gives the store to the new one and has every "
            "text embedded again."
        )


async def migrations(tx: ReadTransaction) -> list[Applied]:
    return [Applied(row["number"], row["name"], row["checksum"]) for row in await tx.rows("upkeep/migrations")]


async def migrations_record(tx: WriteTransaction, applied: Sequence[Statement], now: datetime) -> None:
    rows = [{"number": number_of(done), "name": done.name, "checksum": done.checksum} for done in applied]
    await tx.rows("upkeep/migrations_record", migrations=rows, now=now)


async def lease_take(tx: WriteTransaction, name: str, holder: str, now: datetime, seconds: float) -> bool:
    """Whether the lease is ours now, for `seconds`."""
    row = await tx.row(
        "upkeep/lease_take[lease]", name=name, holder=holder, now=now, until=now + timedelta(seconds=seconds)
    )
    return bool(row and row["taken"])


async def lease_release(tx: WriteTransaction, name: str, holder: str) -> None:
    await tx.rows("upkeep/lease_release[lease]", name=name, holder=holder)


async def indexes(tx: ReadTransaction) -> dict[str, str]:
    """Name to state (ONLINE, POPULATING, FAILED) of every index."""
    return {row["name"]: row["state"] for row in await tx.rows("upkeep/indexes")}


async def indexes_await(tx: ReadTransaction, seconds: int) -> None:
    await tx.rows("upkeep/indexes_await", seconds=seconds)


async def index_drop(tx: WriteTransaction, name: str) -> None:
    await tx.rows("repair/drop[index]", name=name)


async def constraint_drop(tx: WriteTransaction, name: str) -> None:
    await tx.rows("repair/drop[constraint]", name=name)


async def server(tx: ReadTransaction) -> str:
    row = await tx.row("upkeep/server")
    return str(row["version"]) if row else "0.0"


async def embedder(tx: ReadTransaction) -> tuple[str, int] | None:
    row = await tx.row("upkeep/embedder[noted]")
    return (row["id"], row["dimensions"]) if row else None


async def embedder_record(tx: WriteTransaction, embedder_id: str, dimensions: int, now: datetime) -> tuple[str, int]:
    row = await tx.row("upkeep/embedder[first]", id=embedder_id, dimensions=dimensions, now=now)
    return (row["id"], row["dimensions"]) if row else (embedder_id, dimensions)
