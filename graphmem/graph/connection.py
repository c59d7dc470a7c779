"""One driver for each process: read and write transactions, their limits, and Neo4j's errors as ours."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from typing import Any, TypeVar, cast

import neo4j
from neo4j import (
    AsyncDriver,
    AsyncGraphDatabase,
    AsyncManagedTransaction,
    AsyncResult,
    AsyncSession,
    Query,
    unit_of_work,
)
from neo4j import exceptions as driver_errors
from neo4j.time import DateTime

from graphmem.errors import (
    DatabaseBusy,
    DatabaseFailed,
    DatabaseReadOnly,
    DatabaseRefused,
    DatabaseUnavailable,
)
from graphmem.graph.pulse import Pulse
from graphmem.graph.statements import statement

Result = TypeVar("Result")
Row = dict[str, Any]
Run = Callable[[str, dict[str, Any]], Awaitable[AsyncResult]]
"""Sends a statement."""

READ_TIMEOUT_S = 10.0
WRITE_TIMEOUT_S = 30.0
# The server marks memory-pool errors as retryable although they never are: bound how long the driver retries.
RETRY_TIME_S = 15.0
OVERTAKEN = 2
"""How often a write begins again that others were faster than."""
LATE_S = 5.0
"""How long beyond its time limit the server may take to end a transaction; then it is abandoned."""
STREAM_TIMEOUT_S = 3600.0
PING_S = 5.0
FROZEN_WAIT_S = 30.0
"""How long a write waits for a backup."""
WRITES = {"graphmem": "write"}
"""Marks our writes among the transactions of the server."""
DDL_TIMEOUT_S, DDL_ATTEMPTS = 300.0, 10
_BUSY_CODES = (
    "TransactionTimedOut",
    "LockAcquisitionTimeout",
    "MemoryPoolOutOfMemory",
    "LockClientStopped",
    "Terminated",
)
_FAILED_CODES = ("Neo.DatabaseError.Transaction.", "StorageDamageDetected")
"""After a panic no transaction can be started or committed."""
_READ_ONLY_CODES = ("ReadOnly", "NotALeader")


class _Answered(Exception):
    """Ends a transaction that is not to be committed."""


class Numbers(list[float]):
    """The numbers of a vector as a parameter. The driver formats every parameter for its log, even if it is not read,
    and formatting hundreds of numbers takes longer than sending them."""

    def __repr__(self) -> str:
        return f"[{len(self)} numbers]"


class ReadTransaction:
    """A transaction for `mode: read` statements."""

    _allowed: tuple[str, ...] = ("read",)

    def __init__(self, run: Run) -> None:
        self._run = run

    async def rows(self, name: str, /, *, literal: int | None = None, **params: Any) -> list[Row]:
        """All rows of a statement, times as UTC datetimes."""
        wanted = statement(name)
        if wanted.mode not in self._allowed:
            raise TypeError(f"{name} is a {wanted.mode} statement")
        text = wanted.text if literal is None else wanted.with_literal(literal)
        return await _rows(await self._run(text, params))

    async def row(self, name: str, /, **params: Any) -> Row | None:
        """The first row, or None where there is none."""
        rows = await self.rows(name, **params)
        return rows[0] if rows else None


class WriteTransaction(ReadTransaction):
    """A transaction that may also run `mode: write` statements. It may run more than once: ids and times are
    arguments."""

    _allowed = ("read", "write")


ReadWork = Callable[[ReadTransaction], Awaitable[Result]]
WriteWork = Callable[[WriteTransaction], Awaitable[Result]]


class Database:
    """A Neo4j database, managed or not. Open with `connect`, close once.

    `lookout` has one connection of its own, which asks whether the server lives. `require_room` raises where a write
    would fill the disk.
    """

    def __init__(
        self,
        driver: AsyncDriver,
        database: str,
        address: str,
        lookout: AsyncDriver,
        require_room: Callable[[], None] | None = None,
    ) -> None:
        self._driver = driver
        self._database = database
        self.address = address
        self._frozen_until: datetime | None = None
        self._lookout = lookout
        self._pulse = Pulse(lookout.verify_connectivity)
        self._require_room = require_room

    async def close(self) -> None:
        await self._pulse.close()
        await self._lookout.close()
        await self._driver.close()

    async def read(self, work: ReadWork[Result], *, timeout_s: float = READ_TIMEOUT_S) -> Result:
        """What `work` returns; a replica may serve it. It may run more than once.

        Neo4j reads what is committed when a statement runs, whether a transaction has one or several. So each is its
        own transaction, one round trip instead of three; after a transient error `work` starts again in a transaction
        that the driver retries.

        Errors: DatabaseUnavailable, DatabaseBusy after `timeout_s`, DatabaseRefused.
        """
        async with self._session(timeout_s + LATE_S, default_access_mode=neo4j.READ_ACCESS) as session:
            ends = asyncio.get_running_loop().time() + timeout_s

            async def alone(text: str, params: dict[str, Any]) -> AsyncResult:
                left_s = max(ends - asyncio.get_running_loop().time(), 0.001)
                return await session.run(Query(cast(Any, text), timeout=left_s), params)

            try:
                return await work(ReadTransaction(alone))
            except (driver_errors.DriverError, driver_errors.Neo4jError) as error:
                if not error.is_retryable():
                    raise

        @unit_of_work(timeout=timeout_s)
        async def once(transaction: AsyncManagedTransaction) -> Result:
            return await work(ReadTransaction(transaction.run))

        async with self._session(timeout_s + RETRY_TIME_S + LATE_S, default_access_mode=neo4j.READ_ACCESS) as session:
            return await session.execute_read(once)

    def hold_writes(self, until: datetime | None) -> None:
        """Make writes wait until then, or, with None, no longer."""
        self._frozen_until = until

    async def stream(self, name: str, size: int, **params: Any) -> AsyncIterator[list[Row]]:
        """All rows of a read statement, in batches, values as the driver returns them. It may take an hour.

        Errors: as `read`.
        """
        wanted = statement(name)
        if wanted.mode != "read":
            raise TypeError(f"{name} cannot be streamed")
        async with self._session(STREAM_TIMEOUT_S + LATE_S, fetch_size=size) as session:
            result = await session.run(Query(cast(Any, wanted.text), timeout=STREAM_TIMEOUT_S), params)
            while page := await result.fetch(size):
                yield [dict(record) for record in page]

    async def write(
        self, work: WriteWork[Result], *, timeout_s: float = WRITE_TIMEOUT_S, while_frozen: bool = False
    ) -> Result:
        """What `work` returns, from one write transaction that is committed when this returns.

        While a backup is read it waits, unless `while_frozen` is set: for what a backup notes about itself.

        Errors: as `read`; DatabaseBusy when a backup takes too long; DiskFull; whatever `work` raises rolls everything
        back.
        """
        if not while_frozen:
            await self._admitted()

        @unit_of_work(timeout=timeout_s, metadata=WRITES)
        async def once(transaction: AsyncManagedTransaction) -> Result:
            return await work(WriteTransaction(transaction.run))

        async def begun() -> Result:
            async with self._session(timeout_s + RETRY_TIME_S + LATE_S) as session:
                return await session.execute_write(once)

        return await _overtaken(begun)

    async def write_alone(self, name: str, /, **params: Any) -> list[Row]:
        """All rows of a write statement that is its own transaction, committed when this returns: one round trip where
        `write` takes four. After an error it is unknown whether it ran; only one that found a key taken surely did not,
        and runs again.

        Errors: as `write`.
        """
        wanted = statement(name)
        if wanted.mode != "write":
            raise TypeError(f"{name} is a {wanted.mode} statement")
        await self._admitted()
        query = Query(cast(Any, wanted.text), metadata=WRITES, timeout=WRITE_TIMEOUT_S)

        async def begun() -> list[Row]:
            async with self._session(WRITE_TIMEOUT_S + LATE_S) as session:
                return await _rows(await session.run(query, params))

        return await _overtaken(begun)

    async def _admitted(self) -> None:
        """Returns when a write may begin."""
        if self._require_room:
            self._require_room()
        waited_s = 0.0
        while self._frozen_until and self._frozen_until > datetime.now(UTC):
            if waited_s >= FROZEN_WAIT_S:
                raise DatabaseBusy("A backup is being read, and writes wait for it. Try again in a while.")
            await asyncio.sleep(0.1)
            waited_s += 0.1

    async def ddl(self, texts: Sequence[str], **params: Any) -> None:
        """Run schema statements in one transaction: all of them or none. Neo4j allows no data statements in it.

        Two such transactions at once may deadlock, and then this one is repeated: each statement says IF NOT EXISTS, so
        it can be.
        """
        for attempts_left in reversed(range(DDL_ATTEMPTS)):
            try:
                async with (
                    self._session(DDL_TIMEOUT_S + LATE_S) as session,
                    await session.begin_transaction(timeout=DDL_TIMEOUT_S) as transaction,
                ):
                    for text in texts:
                        await (await transaction.run(cast(Any, text), params)).consume()
                    await transaction.commit()
                    return
            except DatabaseBusy:
                if not attempts_left:
                    raise
                await asyncio.sleep(random.uniform(0.1, 0.5))

    async def explain(self, text: str, params: Mapping[str, Any]) -> neo4j.ResultSummary:
        """The plan of a statement and its warnings; nothing is executed."""
        async with self._session(READ_TIMEOUT_S) as session:
            result = await session.run(cast(Any, f"EXPLAIN {text}"), dict(params))
            return await result.consume()

    @asynccontextmanager
    async def _session(self, given_s: float, **config: Any) -> AsyncIterator[AsyncSession]:
        """A session with a time limit: a server that hangs sends nothing, and nothing else watches it."""
        opened = self._driver.session(database=self._database, **config)
        async with our_errors(self.address), self._pulse.over(given_s), opened as session:
            yield session

    async def ping(self) -> None:
        """Returns when the database takes a write, which is rolled back; that room is left is not asked.

        Errors: as `read`; DatabaseReadOnly.
        """

        async def rolled_back(transaction: AsyncManagedTransaction) -> None:
            await (await transaction.run("CREATE ()")).consume()
            raise _Answered

        with suppress(_Answered):
            async with self._session(PING_S) as session:
                await session.execute_write(rolled_back)


async def connect(
    address: str,
    *,
    user: str | None = None,
    password: str | None = None,
    token: str | None = None,
    database: str = "neo4j",
    require_room: Callable[[], None] | None = None,
) -> Database:
    """A database at a bolt:// or neo4j:// address that has answered. `require_room`: called before each write.

    Errors: DatabaseUnavailable when nothing answers there, DatabaseRefused for wrong credentials.
    """
    auth: Any = neo4j.bearer_auth(token) if token else (user or "neo4j", password) if password else None
    driver, lookout = (
        AsyncGraphDatabase.driver(
            address,
            auth=auth,
            max_connection_pool_size=connections,
            max_transaction_retry_time=RETRY_TIME_S,
            initial_retry_delay=0.05,
            connection_acquisition_timeout=10,
            connection_timeout=10,
            user_agent="graphmem",
            notifications_min_severity="OFF",
            telemetry_disabled=True,  # saves one message per transaction about how it was begun
        )
        for connections in (100, 1)
    )
    opened = Database(driver, database, address, lookout, require_room)
    try:
        async with our_errors(address):
            await asyncio.wait_for(lookout.verify_connectivity(), timeout=PING_S)
    except BaseException:
        await opened.close()
        raise
    return opened


@asynccontextmanager
async def our_errors(address: str) -> AsyncIterator[None]:
    """Neo4j's errors as ours: what happened, and what to do."""
    try:
        yield
    except (driver_errors.ServiceUnavailable, driver_errors.SessionExpired, TimeoutError, OSError) as error:
        raise DatabaseUnavailable(
            f"Neo4j at {address} does not answer. `graphmem db status` tells about the managed one."
        ) from error
    except driver_errors.ConnectionAcquisitionTimeoutError as error:
        raise DatabaseBusy(f"All connections to Neo4j at {address} are in use. Try again.") from error
    except driver_errors.AuthError as error:
        raise DatabaseRefused(
            f"Neo4j at {address} refused the credentials. Check GRAPHMEM_NEO4J_USER and GRAPHMEM_NEO4J_PASSWORD "
            "(or GRAPHMEM_NEO4J_PASSWORD_FILE), or GRAPHMEM_NEO4J_TOKEN."
        ) from error
    except driver_errors.ConfigurationError as error:
        raise DatabaseRefused(f"{address} cannot be used: {error}") from error
    except driver_errors.Neo4jError as error:
        code = error.code or ""
        if isinstance(error, driver_errors.TransientError) or any(part in code for part in _BUSY_CODES):
            raise DatabaseBusy(f"Neo4j at {address} did not finish in time ({code}). Try again.") from error
        if any(part in code for part in _FAILED_CODES):
            raise DatabaseFailed(
                f"Neo4j at {address} met a critical error, such as a full disk, and takes no transaction until it is "
                "started again. `graphmem serve` does that with the managed one once there is room; its log has the "
                "reason."
            ) from error
        if any(part in code for part in _READ_ONLY_CODES):
            raise DatabaseReadOnly(
                f"Neo4j at {address} takes no writes ({code}). What is stored can be read; look into its log and "
                "settings."
            ) from error
        if "DatabaseNotFound" in code:
            raise DatabaseRefused(f"Neo4j at {address} has no such database. Check GRAPHMEM_NEO4J_DATABASE.") from error
        raise


async def _overtaken(begun: Callable[[], Awaitable[Result]]) -> Result:
    """What a write returns. One that finds the key of what it adds taken was rolled back, and is begun again: what took
    it came after the write had looked, and is seen now."""
    for _ in range(OVERTAKEN):
        try:
            return await begun()
        except driver_errors.ConstraintError:
            continue
    return await begun()


async def _rows(result: AsyncResult) -> list[Row]:
    keys = result.keys()
    return [dict(zip(keys, map(to_native, record.values()), strict=True)) async for record in result]


def utc(text: str) -> datetime:
    """A time from its text, `toString` of it: the driver reads a text 100 times as fast as a time.

    A time with a named zone, as a backup restores it, ends with the name.
    """
    return datetime.fromisoformat(text.partition("[")[0]).astimezone(UTC)


def to_native(value: Any) -> Any:
    """A driver value as plain Python: Neo4j times as UTC datetimes, through lists and maps."""
    # Some lists and maps are long, and a call for each text in them would take longer than the search.
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind is dict:
        if _PLAIN.issuperset(map(type, value.values())):
            return value
        return {key: item if type(item) in _PLAIN else to_native(item) for key, item in value.items()}
    if kind is list:
        if _PLAIN.issuperset(map(type, value)):
            return value
        return [item if type(item) in _PLAIN else to_native(item) for item in value]
    return value.to_native().astimezone(UTC) if kind is DateTime else value


_PLAIN = frozenset({str, float, int, bool, type(None)})
