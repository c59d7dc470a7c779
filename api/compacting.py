"""The files of the managed Neo4j written anew: without the bytes of what was deleted, which Neo4j leaves in them.

Everything is copied into a fresh store, by a second server beside the first, and that store is swapped in as a whole.
Until then the graph is where it was, and an interruption costs nothing but room.
"""

import asyncio
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from graphmem.adapters.archive import ArchiveReader, ArchiveWriter
from graphmem.adapters.identity import utc_now
from graphmem.adapters.neo4j_home import ServerHome
from graphmem.adapters.neo4j_server import ManagedServer, Notice, RunningServer
from graphmem.errors import ServerFailed, SetupFailed
from graphmem.opening import open_database
from graphmem.roots.operation import make_backups
from graphmem.services.operation.backup import Backups, Counted
from graphmem.settings import Settings

HELD = timedelta(minutes=10)
"""How long writes of other processes wait, at most, until the old store is stopped."""


def compact_store(settings: Settings, server: ManagedServer, notice: Notice) -> tuple[int, int]:
    """Write the store anew and return its bytes before and after. The server runs afterwards if it did before.

    Errors: ServerFailed when there is no graph yet, or others are connected; SetupFailed when the disk is too small.
    When this raises, the graph is as it was.
    """
    if not server.has_store:
        raise ServerFailed(f"There is no graph in {server.data_dir} yet: nothing was ever started there.")
    ran, done = server.running() is not None, False
    running = server.start(notice=notice)
    folder = Path(tempfile.mkdtemp(prefix="compacting-", dir=server.home_folder))
    try:
        copy = folder / "everything.backup"
        held = asyncio.run(_copied(settings, running, copy))
        with server.stopped() as home:
            before = home.store_size()
            _build(settings, folder, copy, held)
            previous = home.exchange_store(ServerHome(folder / "neo4j"))
            after = home.store_size()
        with _or_back(server, previous):
            found = asyncio.run(_size(settings, server.start(notice=notice)))
            if found[0] < held.nodes or found[1] != held.relationships:
                raise ServerFailed(f"Of {held} only {found} are in the new store.")
        shutil.rmtree(previous)
        done = True
    except OSError as error:
        raise SetupFailed(f"{server.home_folder} cannot be used: {error}.") from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if not done:
            asyncio.run(_thawed(settings, server.start(notice=notice)))
        if ran:
            server.start(notice=notice)
        else:
            server.stop()
    return before, after


@contextmanager
def _or_back(server: ManagedServer, previous: Path) -> Iterator[None]:
    """Put the old store back in place where the block fails."""
    try:
        yield
    except BaseException:
        with server.stopped() as home:
            home.take_store_back(previous)
        raise


def _build(settings: Settings, folder: Path, copy: Path, held: Counted) -> None:
    """A store with everything of the copy, below this folder."""
    fresh = ManagedServer(
        folder,
        settings.cache_dir,
        http=False,
        heap_mb=settings.neo4j_heap_mb,
        page_cache_mb=settings.neo4j_page_cache_mb,
        preferred_bolt_port=0,
        maven_url=settings.maven_url,
        use_aot=settings.aot_cache != "off",
    )
    try:
        restored = asyncio.run(_restored(settings, fresh.start(), copy))
    finally:
        fresh.stop()
    if restored != held:
        raise ServerFailed(f"Of {held} only {restored} could be written anew. Nothing was changed.")


async def _copied(settings: Settings, running: RunningServer, copy: Path) -> Counted:
    async with open_database(settings, running) as database:
        backups = _without_payloads(make_backups(settings, database), copy.parent)
        with ArchiveWriter(copy) as archive:
            counted = await backups.write(archive)
        await backups.data.freeze(utc_now() + HELD)
        return counted


async def _restored(settings: Settings, running: RunningServer, copy: Path) -> Counted:
    async with open_database(settings, running) as database:
        backups = _without_payloads(make_backups(settings, database), copy.parent)
        with ArchiveReader(copy) as archive:
            return await backups.restore(archive, force=True)


async def _size(settings: Settings, running: RunningServer) -> tuple[int, int]:
    async with open_database(settings, running) as database:
        return await make_backups(settings, database).data.size()


async def _thawed(settings: Settings, running: RunningServer) -> None:
    """Where nothing was swapped, writes go on."""
    async with open_database(settings, running) as database:
        await make_backups(settings, database).data.freeze(None)


def _without_payloads(backups: Backups, folder: Path) -> Backups:
    """Payloads lie beside the store, and stay there."""
    return replace(backups, payloads=folder / "payloads")
