"""The composition root for single commands: the database, keys, the reading of repositories. Such a command need not
load all services."""

import asyncio
import os
import socket
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from graphmem.adapters.code_reader import read_code
from graphmem.adapters.disk import DiskRoom
from graphmem.adapters.embedding import EndpointEmbedder, LocalEmbedder
from graphmem.adapters.identity import new_key, new_uuid7, utc_now
from graphmem.adapters.neo4j_server import RunningServer
from graphmem.errors import DatabaseUnavailable
from graphmem.graph.connection import Database, connect
from graphmem.graph.impact.code import CodeStore
from graphmem.graph.operation.keys import KeyStore
from graphmem.graph.operation.upkeep import UpkeepStore
from graphmem.graph.schema import migrate, require_server, schema_state
from graphmem.services.impact.code import Repositories
from graphmem.services.operation.keys import Keys
from graphmem.services.ports import Embedder
from graphmem.settings import Settings

Notice = Callable[[str], None]
WAIT_S, AGAIN_S, TELL_EVERY_S = 600.0, 1.0, 30.0
"""How long a service waits for a database that does not answer, how often it tries, and how often it says so."""


def make_embedder(settings: Settings, threads: int) -> Embedder:
    """The embedder the settings ask for, not loaded yet; the local one computes on this many threads."""
    if settings.embedding_url and settings.embedding_model:
        key = settings.embedding_key.get_secret_value() if settings.embedding_key else None
        return EndpointEmbedder(settings.embedding_url, settings.embedding_model, key=key)
    folder = Path(settings.embedding_model).expanduser() if settings.embedding_model else None
    return LocalEmbedder(settings.cache_dir, threads=threads, model_dir=folder)


def make_room(settings: Settings) -> DiskRoom:
    return DiskRoom(settings.data_dir, settings.min_free_disk_mb)


async def connect_database(settings: Settings, server: RunningServer | None) -> Database:
    """The database of the settings: the managed server's where one is given, else the operator's own.

    Errors: DatabaseUnavailable, DatabaseRefused; SettingsInvalid for a password file that holds none.
    """
    if server is not None:
        room = make_room(settings).require
        return await connect(server.uri, user=server.user, password=server.password, require_room=room)
    if settings.neo4j_uri is None:
        raise ValueError("without neo4j_uri a managed server must be given")
    return await connect(
        settings.neo4j_uri,
        user=settings.neo4j_user,
        password=settings.database_password(),
        token=settings.neo4j_token.get_secret_value() if settings.neo4j_token else None,
        database=settings.neo4j_database,
    )


async def connect_migrated(
    settings: Settings,
    server: RunningServer | None,
    embedder: Embedder,
    notice: Notice | None = None,
    waiting: Notice | None = None,
) -> tuple[Database, str]:
    """The database with its schema up to date, and the version of its server.

    `waiting`: a database that does not answer yet is waited for, ten minutes at most, and this is told so.

    Errors: DatabaseUnavailable, DatabaseRefused, SchemaMismatch; ModelUnavailable when an embedding endpoint never
    returned its vector length.
    """
    if not embedder.dimensions:
        await embedder.load()
    give_up = time.monotonic() + (WAIT_S if waiting else 0)
    told_at = -TELL_EVERY_S
    while True:
        try:
            return await _connect_migrated(settings, server, embedder, notice)
        except DatabaseUnavailable as error:
            now = time.monotonic()
            if waiting is None or now >= give_up:
                raise
            if now - told_at >= TELL_EVERY_S:
                told_at = now
                waiting(f"Waiting for the database. {error}")
        await asyncio.sleep(AGAIN_S)


async def _connect_migrated(
    settings: Settings, server: RunningServer | None, embedder: Embedder, notice: Notice | None
) -> tuple[Database, str]:
    database = await connect_database(settings, server)
    try:
        version = await require_server(database)
        await migrate(database, holder=process_name(), dimensions=embedder.dimensions, notice=notice)
    except BaseException:
        await database.close()
        raise
    return database, version


@asynccontextmanager
async def open_database(
    settings: Settings, server: RunningServer | None, waiting: Notice | None = None
) -> AsyncIterator[Database]:
    """The database alone, its schema up to date; no model is loaded. Errors, and `waiting`: as `connect_migrated`."""
    embedder = make_embedder(settings, threads=1)
    try:
        database, _ = await connect_migrated(settings, server, embedder, waiting=waiting)
        try:
            yield database
        finally:
            await database.close()
    finally:
        await embedder.close()


def make_keys(database: Database) -> Keys:
    return Keys(KeyStore(database), utc_now, new_uuid7, new_key)


@asynccontextmanager
async def open_keys(
    settings: Settings, server: RunningServer | None, waiting: Notice | None = None
) -> AsyncIterator[Keys]:
    """The keys alone. Errors, and `waiting`: as `connect_migrated`."""
    async with open_database(settings, server, waiting) as database:
        yield make_keys(database)


def make_repositories(database: Database) -> Repositories:
    return Repositories(CodeStore(database, new_uuid7), UpkeepStore(database), read_code, utc_now, new_uuid7)


@asynccontextmanager
async def open_repositories(settings: Settings, server: RunningServer | None) -> AsyncIterator[Repositories]:
    """The reading of repositories alone. Errors: as `connect_migrated`."""
    async with open_database(settings, server) as database:
        yield make_repositories(database)


def process_name() -> str:
    """The name of this process in leases, new at each call."""
    return f"{socket.gethostname()}:{os.getpid()}:{new_uuid7()[-8:]}"


async def pending_migrations(database: Database) -> list[str]:
    """What `migrate` would do, a line each. Errors: SchemaMismatch."""
    return [f"{migration.name}: {migration.purpose}" for migration in (await schema_state(database)).pending]
