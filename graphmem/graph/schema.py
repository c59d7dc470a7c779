"""The schema: numbered migrations in cypher/schema/, applied once, in order, by one process at a time.

The first is the baseline. A migration is one or more schema statements, separated by `;`, run in one transaction.
"""

import asyncio
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from graphmem.errors import DatabaseBusy, DatabaseRefused, EmbedderMismatch, SchemaMismatch
from graphmem.graph.connection import Database, ReadTransaction, WriteTransaction
from graphmem.graph.statements import Statement, all_statement_names, statement

START_TIMEOUT_S = 60.0
"""A server that has just started is slow with its first query."""
LEASE = "schema"
LEASE_S = 300
BEFORE_LEASE = 2
"""How many statements of the baseline a lease requires: the uniqueness of migrations and of leases."""
FIRST_OF_0_1 = "schema/0001_migration_number_unique"
"""The first migration of graphmem 0.1.0, which built the schema in 89 steps that this version does not know."""
OLDEST_SERVER = (2026, 1)
FILLED_S = 1800
"""Seconds an index may take to be populated from existing texts."""
_MADE = re.compile(r"\bCREATE (?:\w+ )?(?:INDEX|CONSTRAINT) (\w+)")
_DROPPED = re.compile(r"\bDROP (?:INDEX|CONSTRAINT) (\w+)")


@dataclass(frozen=True)
class Made:
    """A statement that creates an index or a constraint of the schema."""

    text: str

    @property
    def of_vectors(self) -> bool:
        return "$dimensions" in self.text

    @property
    def is_constraint(self) -> bool:
        return self.text.startswith("CREATE CONSTRAINT")


@dataclass(frozen=True)
class Applied:
    number: int
    name: str
    checksum: str


@dataclass(frozen=True)
class SchemaState:
    """The applied and the pending migrations, in order."""

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


def parts_of(migration: Statement) -> list[str]:
    """Its schema statements, in order: Neo4j accepts one at a time."""
    return [part.strip() for part in migration.text.split(";")]


def made_by_schema(applied: Sequence[Applied]) -> dict[str, Made]:
    """The indexes, including those of constraints, that these migrations create, each with its statement."""
    made: dict[str, Made] = {}
    for text in (part for done in applied for part in parts_of(statement(done.name))):
        for name in _DROPPED.findall(text):
            made.pop(name, None)
        made |= dict.fromkeys(_MADE.findall(text), Made(text))
    return made


async def make_index(database: Database, name: str, *, anew: bool) -> None:
    """Create an index of the schema where it is missing; `anew`: drop it before. Returns when it is populated.

    Errors: SchemaMismatch for an index that no migration creates.
    """
    made = made_by_schema((await schema_state(database)).applied).get(name)
    if made is None:
        raise SchemaMismatch(f"The index {name} is none of graphmem's: drop it in Neo4j Browser, or leave it.")
    known = await database.read(embedder)
    dimensions = {"dimensions": known[1]} if known and made.of_vectors else {}
    if anew and made.is_constraint:
        await database.write(lambda tx: constraint_drop(tx, name))
    elif anew:
        await database.write(lambda tx: index_drop(tx, name))
    await database.ddl([made.text], **dimensions)
    await database.read(lambda tx: indexes_await(tx, FILLED_S), timeout_s=FILLED_S + 30)


async def schema_state(database: Database) -> SchemaState:
    """Errors: SchemaMismatch when a migration was changed after it was applied, or the database is ahead of this
    version or was created by graphmem 0.1.0."""
    # Mostly the first question to a server that has just started, so that it takes as long as the start does.
    applied = await database.read(migrations, timeout_s=START_TIMEOUT_S)
    if applied and applied[0].name == FIRST_OF_0_1:
        raise SchemaMismatch(
            "The database was made by graphmem 0.1.0, whose schema this version does not take over. Run "
            "`graphmem backup FILE` with 0.1.0, and with this version `graphmem restore FILE` into an empty database: "
            "another GRAPHMEM_DATA_DIR, or another GRAPHMEM_NEO4J_URI."
        )
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
    # Harmless when repeated: without these, two processes could hold the lease.
    await database.ddl(parts_of(schema_statements()[0])[:BEFORE_LEASE])
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
            await database.ddl(
                parts_of(migration), **({"dimensions": dimensions} if "dimensions" in migration.params else {})
            )
        # Everything before this can be repeated after an interruption: each statement says IF NOT EXISTS.
        await database.write(lambda tx: migrations_record(tx, pending, datetime.now(UTC)))
        await database.read(lambda tx: indexes_await(tx, 120), timeout_s=150)
        return len(pending)
    finally:
        await database.write(lambda tx: lease_release(tx, LEASE, holder))


async def require_server(database: Database) -> str:
    """The server's version. Errors: DatabaseRefused when it lacks filtered vector search."""
    version = await database.read(server, timeout_s=START_TIMEOUT_S)
    # Aura reports 5.27-aura: only the leading digits count.
    found = re.match(r"(\d+)\.(\d+)", version)
    if found is None or (int(found[1]), int(found[2])) < OLDEST_SERVER:
        raise DatabaseRefused(
            f"Neo4j {version} at {database.address} is too old: "
            f"graphmem needs {OLDEST_SERVER[0]}.{OLDEST_SERVER[1]:02} or newer."
        )
    return version


async def require_embedder(database: Database, embedder_id: str, dimensions: int, now: datetime) -> None:
    """Record the embedder of an empty database; check it in any other.

    Errors: EmbedderMismatch when stored vectors come from another one; vectors of two models cannot be compared.
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
    """Take the lease for `seconds`; False if another process has it."""
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
