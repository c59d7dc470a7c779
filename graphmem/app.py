"""All of graphmem, open: the six subjects over one database, in the order in which each needs the ones before."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Self

from graphmem.adapters.identity import utc_now
from graphmem.adapters.neo4j_server import RunningServer
from graphmem.errors import GraphmemError
from graphmem.graph.connection import Database
from graphmem.graph.operation.backup import BackupStore
from graphmem.graph.operation.reindexing import adopt
from graphmem.graph.schema import require_embedder
from graphmem.model.answers import DatabaseInfo
from graphmem.opening import Notice, connect_migrated, make_embedder
from graphmem.roots.continuity import Continuity
from graphmem.roots.conversation import Conversation
from graphmem.roots.impact import Impact
from graphmem.roots.knowledge import Knowledge
from graphmem.roots.operation import Operation
from graphmem.roots.recall import Recall
from graphmem.roots.world import World
from graphmem.rules.reading.relations import compile_templates
from graphmem.services.operation.backup import watch_for_signals
from graphmem.services.operation.work import Worker
from graphmem.services.ports import Embedder
from graphmem.settings import Settings

log = logging.getLogger(__name__)
CLOSE_WITHIN_S = 1.0
"""How long a last look at the database may take."""


@asynccontextmanager
async def open_care(settings: Settings, server: RunningServer | None) -> "AsyncIterator[Graphmem]":
    """All services, for a command that maintains the store: no model is loaded. Errors: as `Graphmem.open`."""
    opened = await Graphmem.open(settings, server, load_models=False)
    try:
        yield opened
    finally:
        await opened.close()


@asynccontextmanager
async def open_adopted(
    settings: Settings, server: RunningServer | None, tell: Callable[[int], None]
) -> "AsyncIterator[tuple[Graphmem, bool]]":
    """All services over a store that uses the embedder of the settings from now on, and whether that is a change.
    Errors: as `Graphmem.open`, but for EmbedderMismatch."""
    embedder = make_embedder(settings, threads=1)
    try:
        database, _ = await connect_migrated(settings, server, embedder)
        try:
            changed = await adopt(database, embedder.id, embedder.dimensions, utc_now(), tell)
        finally:
            await database.close()
    finally:
        await embedder.close()
    async with open_care(settings, server) as opened:
        yield opened, changed


@dataclass
class Graphmem:
    """All services over one database. Made by `open`, ended by `close`."""

    world: World
    conversation: Conversation
    knowledge: Knowledge
    recall: Recall
    continuity: Continuity
    impact: Impact
    operation: Operation
    _loading: asyncio.Task[None] | None = None
    _watching: asyncio.Task[None] | None = None
    _closing: asyncio.Event = field(default_factory=asyncio.Event)

    @classmethod
    async def open(
        cls,
        settings: Settings,
        server: RunningServer | None,
        *,
        notice: Notice | None = None,
        waiting: Notice | None = None,
        embedding_threads: int = 2,
        load_models: bool = True,
    ) -> Self:
        """Connected, with the schema up to date; models go on loading in the background, unless `load_models` is false.
        `waiting`: as `connect_migrated`.

        Errors: DatabaseUnavailable, DatabaseRefused, SchemaMismatch, EmbedderMismatch; ModelUnavailable when an
        embedding endpoint never returned its vector length.
        """
        embedder = make_embedder(settings, embedding_threads)
        database, version = await connect_migrated(settings, server, embedder, notice, waiting)
        try:
            await require_embedder(database, embedder.id, embedder.dimensions, utc_now())
            info = DatabaseInfo(mode="managed" if server else "own", address=database.address, version=version)
            opened = cls._join(World.of(settings, database, embedder, info))
        except BaseException:
            await database.close()
            raise
        if load_models:
            opened._loading = asyncio.create_task(opened._load_models())
        opened._watching = asyncio.create_task(
            watch_for_signals(BackupStore(database), opened.operation.erasing.forget, opened._closing)
        )
        return opened

    @classmethod
    def _join(cls, world: World) -> Self:
        conversation = Conversation.join(world)
        knowledge = Knowledge.join(world, conversation)
        recall = Recall.join(world, conversation, knowledge)
        continuity = Continuity.join(world, conversation, recall)
        impact = Impact.join(world, conversation, knowledge)
        return cls(
            world=world,
            conversation=conversation,
            knowledge=knowledge,
            recall=recall,
            continuity=continuity,
            impact=impact,
            operation=Operation.join(world, conversation, knowledge, recall, continuity, impact),
        )

    @property
    def settings(self) -> Settings:
        return self.world.settings

    @property
    def database(self) -> Database:
        return self.world.database

    @property
    def embedder(self) -> Embedder:
        return self.world.embedder

    def worker(self) -> Worker:
        """A worker over the same database, with a name of its own."""
        return self.operation.worker(self.world, self.knowledge, self.continuity)

    async def _load_models(self) -> None:
        try:
            await self.world.embedder.load()
            await asyncio.to_thread(self.world.parser.load)
            await asyncio.to_thread(compile_templates)
        except GraphmemError as error:
            log.error(
                "a model cannot be loaded; texts are found by words", extra={"error": error.code, "why": str(error)}
            )

    async def models_loaded(self) -> None:
        """Returns when loading has ended, well or not."""
        if self._loading:
            await asyncio.wait([self._loading])

    async def close(self) -> None:
        self._closing.set()
        if self._watching:  # cancelled while it connects, the driver would leave a socket open
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._watching, CLOSE_WITHIN_S)
        if self._loading:
            self._loading.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._loading
        await self.world.close()
