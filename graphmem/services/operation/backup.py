"""A backup of everything in one file, and its restore."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from graphmem import __version__
from graphmem.errors import Conflict, DatabaseBusy, DatabaseUnavailable, InvalidInput
from graphmem.services.ports import BackupData, Clock, Tell, silent

WATCH_S = 1.0
"""How often each process checks whether a backup is being read."""
FREEZE_S = 30.0
"""How long writes are held at a time: a longer backup renews it, a killed one lets it expire."""
QUIET_WITHIN_S, QUIET_LOOK_S = 30.0, 0.1
PAGE = 1000
FORMAT = 2
"""The format of an archive. With 2 its schema is counted from the baseline; with 1, of graphmem 0.1.0, up to 89."""
LAST_OF_0_1 = 89


class Lines(Protocol):
    def write(self, values: list[Any]) -> None: ...


class Writer(Protocol):
    """A backup that is being written."""

    def lines(self, name: str) -> AbstractContextManager[Lines]: ...
    def files(self, folder: Path, tell: Callable[[int, int], None]) -> int: ...
    def finish(self, about: dict[str, Any]) -> None: ...


class Reader(Protocol):
    """A verified backup."""

    about: dict[str, Any]

    def pages(self, name: str, size: int) -> Iterator[list[Any]]: ...
    def extract_files(self, folder: Path) -> int: ...


@dataclass(frozen=True)
class Counted:
    nodes: int
    relationships: int
    payloads: int


async def watch_for_signals(data: BackupData, forget: Callable[[], None], stop: asyncio.Event) -> None:
    """Hold this process's writes while a backup is read, and forget what it remembers when words were erased, until
    `stop` is set."""
    last: datetime | None = None
    while not stop.is_set():
        with contextlib.suppress(DatabaseUnavailable):
            frozen_until, erased_at = await data.signals()
            data.hold_writes(frozen_until)
            if erased_at != last:
                forget()
                last = erased_at
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), WATCH_S)


@dataclass(frozen=True)
class Backups:
    """`payloads` is the folder of payload files, `schema` the number of the last migration."""

    data: BackupData
    payloads: Path
    schema: int
    settings: dict[str, Any]
    clock: Clock

    async def write(self, archive: Writer, tell: Tell = silent) -> Counted:
        """Everything at one moment: writes wait meanwhile, reads continue.

        Errors: DatabaseBusy when another program keeps writing to the database.
        """
        async with self._writes_held() as renewals:
            before = await self.data.last_commit()
            many, linked = await self.data.size()
            with archive.lines("nodes.jsonl") as lines:
                nodes = await _all(self.data.nodes(), lines, partial(tell, "nodes"), many)
            with archive.lines("relationships.jsonl") as lines:
                relationships = await _all(self.data.relationships(), lines, partial(tell, "relationships"), linked)
            files = await asyncio.to_thread(archive.files, self.payloads, partial(tell, "payloads"))
            counted = Counted(nodes, relationships, files)
            after = await self.data.last_commit()
            if before is not None and after != before + await renewals():
                raise DatabaseBusy("Something wrote to the database while the backup was read. Try again.")
        archive.finish(
            {
                "format": FORMAT,
                "version": __version__,
                "schema": self.schema,
                "createdAt": self.clock().isoformat(),
                "settings": self.settings,
                "counts": {"nodes": nodes, "relationships": relationships, "payloads": counted.payloads},
            }
        )
        return counted

    async def noted(self) -> None:
        """Record that a backup is on disk, for the status."""
        await self.data.done(self.clock())

    async def restore(self, archive: Reader, *, force: bool, tell: Tell = silent) -> Counted:
        """Restore everything. No other graphmem process may run meanwhile.

        Errors: Conflict when something is stored here and `force` is not set; InvalidInput for a backup of a newer
        version.
        """
        about = archive.about
        newest = {1: LAST_OF_0_1, FORMAT: self.schema}.get(about.get("format", 0), -1)
        if about.get("schema", 0) > newest:
            raise InvalidInput(
                f"The backup was taken by graphmem {about.get('version')}, which is newer than this {__version__}."
            )
        if not force and await self.data.holds_anything():
            raise Conflict("The database holds something already. With --force all of it goes for good first.")
        while await self.data.wipe():
            pass
        nodes = relationships = 0
        held = about["counts"]
        for page in archive.pages("nodes.jsonl", PAGE):
            nodes += await self.data.restore_nodes(page)
            tell("nodes", nodes, held["nodes"])
        for page in archive.pages("relationships.jsonl", PAGE):
            relationships += await self.data.restore_relationships(page)
            tell("relationships", relationships, held["relationships"])
        while await self.data.restored():
            pass
        counted = Counted(nodes, relationships, await asyncio.to_thread(archive.extract_files, self.payloads))
        if counted != Counted(**held):
            raise InvalidInput(f"Of {held} in the backup only {counted} came back. Restore it once more.")
        return counted

    @asynccontextmanager
    async def _writes_held(self) -> AsyncIterator[Callable[[], Awaitable[int]]]:
        """Hold the writes of all processes during the block; yields a function that ends the renewing and returns how
        often it wrote."""
        await self.data.freeze(self.clock() + timedelta(seconds=FREEZE_S))
        renewed, renewing = 0, None

        async def renew() -> None:
            nonlocal renewed
            while True:
                await asyncio.sleep(FREEZE_S / 3)
                await asyncio.shield(self.data.freeze(self.clock() + timedelta(seconds=FREEZE_S)))
                renewed += 1

        async def stop() -> int:
            if renewing:
                renewing.cancel()
                await asyncio.gather(renewing, return_exceptions=True)
            return renewed

        try:
            await asyncio.sleep(2 * WATCH_S)  # every process has checked by then
            await self._writers_done()
            renewing = asyncio.create_task(renew())
            yield stop
        finally:
            await stop()
            await self.data.freeze(None)

    async def _writers_done(self) -> None:
        for _ in range(round(QUIET_WITHIN_S / QUIET_LOOK_S)):
            if not await self.data.writers():
                return
            await asyncio.sleep(QUIET_LOOK_S)
        raise DatabaseBusy("Writes that had begun did not end in time. Try again.")


async def _all(
    pages: AsyncIterator[list[dict[str, Any]]], lines: Lines, tell: Callable[[int, int], None], of: int
) -> int:
    count = 0
    async for page in pages:
        await asyncio.to_thread(lines.write, page)
        count += len(page)
        tell(count, of)
    return count
