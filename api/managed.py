"""The managed Neo4j of the current settings."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from typing import TypeVar

from graphmem.adapters.neo4j_server import ManagedServer, RunningServer
from graphmem.settings import Settings, load_settings

Opened = TypeVar("Opened")
Result = TypeVar("Result")


def managed_server(settings: Settings) -> ManagedServer:
    """The Neo4j that graphmem runs itself, with its data under `data_dir`. Creating this starts nothing."""
    return ManagedServer(
        settings.data_dir,
        settings.cache_dir,
        heap_mb=settings.neo4j_heap_mb,
        page_cache_mb=settings.neo4j_page_cache_mb,
        maven_url=settings.maven_url,
        use_aot=settings.aot_cache != "off",
    )


@contextmanager
def neo4j(settings: Settings, notice: Callable[[str], None] | None = None) -> Iterator[RunningServer | None]:
    """The managed Neo4j, running; the last of those who use it stops it, if they started it. None where the settings
    name another."""
    if settings.neo4j_uri is not None:
        yield None
        return
    with managed_server(settings).used(notice=notice) as running:
        yield running


def on_database(
    opening: Callable[[Settings, RunningServer | None], AbstractAsyncContextManager[Opened]],
    work: Callable[[Opened], Awaitable[Result]],
) -> Result:
    """The result of `work` on what `opening` opens, with a managed Neo4j as `neo4j` has it."""
    settings = load_settings()
    with neo4j(settings) as server:

        async def run() -> Result:
            async with opening(settings, server) as opened:
                return await work(opened)

        return asyncio.run(run())
