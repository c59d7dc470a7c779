"""MCP over standard input and output: one client, which starts this process and ends it by closing its input."""

import asyncio
import logging
import os
import signal
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from api.logs import set_up_logging
from api.managed import neo4j
from api.mcp import Context, make_server
from graphmem.errors import GraphmemError
from graphmem.settings import Settings

if TYPE_CHECKING:  # imported in the background
    from api.auth import Access
    from graphmem.adapters.neo4j_server import RunningServer
    from graphmem.app import Graphmem
    from graphmem.services.operation.work import Worker

log = logging.getLogger("graphmem.mcp")
STOP_WITHIN_S = 1.0
"""Seconds a worker may take to finish: clients soon kill a process that has not ended."""


async def speak(settings: Settings) -> None:
    """Answer until standard input is closed, or SIGINT or SIGTERM; then everything this started has ended."""
    set_up_logging(settings)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for signum in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(signum, stop.set)
    opening = Opening(settings)
    talking = asyncio.create_task(_talk(make_server(opening.reach, aliases=settings.mcp_aliases)))
    stopping = asyncio.create_task(stop.wait())
    opening.begin()
    await asyncio.wait([talking, stopping], return_when=asyncio.FIRST_COMPLETED)
    await opening.close()
    if not talking.done():
        os._exit(0)  # after a signal a thread still waits for input, and only input ends it
    stopping.cancel()
    await talking


async def _talk(server: Server[Any]) -> None:
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


class Opening:
    """The services of this process. They open in the background: `initialize` waits for no database and no model."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._stack = AsyncExitStack()
        self._task: asyncio.Task[Graphmem] | None = None

    async def reach(self, _: Context) -> "tuple[Graphmem, Access]":
        """The services, once they are open; opened again if that failed before. Errors: those of `Graphmem.open`."""
        graphmem = await asyncio.shield(self.begin())
        from api.auth import Access

        return graphmem, Access(self._settings.agent_id)

    def begin(self) -> "asyncio.Task[Graphmem]":
        if self._task is None or (self._task.done() and self._task.exception()):
            entering = self._stack.enter_async_context(_services(self._settings))
            self._task = asyncio.create_task(entering, name="opening the memory")
            self._task.add_done_callback(_log_failure)
        return self._task

    async def close(self) -> None:
        if self._task:
            self._task.cancel()
            await asyncio.wait([self._task])
        await self._stack.aclose()


def _import_services() -> "type[Graphmem]":
    from graphmem.app import Graphmem

    return Graphmem


@asynccontextmanager
async def _services(settings: Settings) -> "AsyncIterator[Graphmem]":
    """All services, and a worker beside them unless the settings want none; Neo4j too, if nobody else runs it."""
    graphmem_type = await asyncio.to_thread(_import_services)
    async with AsyncExitStack() as stack:
        running = neo4j(settings, notice=log.warning)
        starting = asyncio.create_task(asyncio.to_thread(running.__enter__))
        stack.push_async_callback(_stop, running, starting)
        server = await asyncio.shield(starting)
        graphmem = await graphmem_type.open(settings, server, embedding_threads=1)
        stack.push_async_callback(graphmem.close)
        if settings.workers:
            await stack.enter_async_context(_working(graphmem.worker()))
        yield graphmem


async def _stop(
    running: "AbstractContextManager[RunningServer | None]", starting: "asyncio.Task[RunningServer | None]"
) -> None:
    await asyncio.wait([starting])  # a task that is starting cannot be stopped before it runs
    if not starting.exception():
        await asyncio.to_thread(running.__exit__, None, None, None)


@asynccontextmanager
async def _working(worker: "Worker") -> AsyncIterator[None]:
    stop = asyncio.Event()
    task = asyncio.create_task(worker.run(stop), name="the worker")
    task.add_done_callback(_log_failure)
    try:
        yield
    finally:
        stop.set()
        await asyncio.wait([task], timeout=STOP_WITHIN_S)
        task.cancel()  # its leases expire and another worker takes over
        await asyncio.gather(task, return_exceptions=True)


def _log_failure(task: "asyncio.Task[Any]") -> None:
    error = None if task.cancelled() else task.exception()
    if isinstance(error, GraphmemError):
        log.error(f"{task.get_name()} failed", extra={"error": error.code, "why": str(error)})
    elif error:
        log.error(f"{task.get_name()} failed", extra={"error": type(error).__name__})
