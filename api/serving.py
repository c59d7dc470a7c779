"""Serving: the HTTP service in this process, its workers in separate processes, and Neo4j if nobody else runs it. A
worker or server that is killed is started again."""

import asyncio
import contextlib
import logging
import os
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Literal

import psutil
import uvicorn

from api.app import create_app, freeze_loaded
from api.logs import set_up_logging
from api.managed import managed_server, neo4j
from api.training import train_when_idle
from graphmem.adapters.disk import DiskRoom
from graphmem.adapters.neo4j_server import ManagedServer, RunningServer
from graphmem.app import Graphmem
from graphmem.errors import DatabaseFailed, GraphmemError, SettingsInvalid
from graphmem.graph.connection import Database
from graphmem.opening import make_room, open_keys
from graphmem.settings import LOOPBACK_HOSTS, Settings

log = logging.getLogger("graphmem.serving")
STOP_WITHIN_S = 10.0
LOOK_AT_NEO4J_S = 1.0
NEO4J_PAUSE_S = 30.0
"""Pause after a failed start of Neo4j."""
PARENT_LOOK_S = 1.0
WORKER_NICENESS = 10
"""Niceness of a worker beside the service, where the system supports it: background work must not take the processors
from requests."""
AUTOGROUP = Path("/proc/self/autogroup")
"""The file in which Linux stores the niceness of a session."""


def require_free_port(settings: Settings) -> None:
    """Errors: SettingsInvalid when something listens on the service's port already."""
    with socket.socket(socket.AF_INET6 if ":" in settings.host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except socket.gaierror as error:
            raise SettingsInvalid(
                f"GRAPHMEM_HOST is {settings.host}, which is no address of this machine ({error.strerror})."
            ) from None
        except OSError as error:
            raise SettingsInvalid(
                f"Port {settings.port} on {settings.host} cannot be used ({error.strerror}). Stop what listens there, "
                "perhaps another graphmem, or set GRAPHMEM_PORT to another port."
            ) from None


def serve(settings: Settings) -> None:
    """Serve until SIGINT or SIGTERM; when it returns, everything it started has ended.

    Errors: SettingsInvalid for a host beyond loopback without keys; those of starting Neo4j and opening the database.
    """
    beyond_loopback = settings.host not in LOOPBACK_HOSTS
    if beyond_loopback and not settings.require_key:
        raise SettingsInvalid(
            f"GRAPHMEM_HOST is {settings.host}: beyond loopback everybody would be let in. Set "
            "GRAPHMEM_REQUIRE_KEY=true and make a key with `graphmem keys create`, or listen on 127.0.0.1."
        )
    set_up_logging(settings)
    require_free_port(settings)
    with neo4j(settings, notice=log.warning) as server:
        if beyond_loopback and not asyncio.run(_has_key(settings, server)):
            raise SettingsInvalid(
                f"GRAPHMEM_HOST is {settings.host}, and there is no valid key in the database: nobody could use the "
                "service. Make one with `graphmem keys create --agent …`, or listen on 127.0.0.1."
            )
        config = uvicorn.Config(
            create_app(settings, server, beside=lambda opened: workers(settings, opened.database)),
            host=settings.host,
            port=settings.port,
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=5,
            server_header=False,
            http=_connections(),
        )
        with contextlib.suppress(KeyboardInterrupt):  # uvicorn raises it again once it has stopped
            uvicorn.Server(config).run()


def _connections() -> "type[asyncio.Protocol] | Literal['auto']":
    """The protocol with time limits; where its parser does not exist, on Windows, the server's own choice."""
    try:
        from api.connections import BoundedConnection
    except ImportError:
        return "auto"
    return BoundedConnection


async def _has_key(settings: Settings, server: RunningServer | None) -> bool:
    async with open_keys(settings, server, log.warning) as keys:
        return await keys.any_valid()


@asynccontextmanager
async def workers(settings: Settings, database: Database) -> AsyncIterator[None]:
    """Run as many worker processes as the settings say, restarted when they end by themselves, as the managed Neo4j is,
    and the training of the AOT cache when the machine idles; all are stopped at the end."""
    tending = [asyncio.create_task(_tend_worker()) for _ in range(settings.workers)]
    if settings.neo4j_uri is None:
        tending.append(asyncio.create_task(tend_neo4j(managed_server(settings), database, make_room(settings))))
    tending.append(asyncio.create_task(train_when_idle(settings)))
    try:
        yield
    finally:
        for task in tending:
            task.cancel()
        await asyncio.gather(*tending, return_exceptions=True)


async def tend_neo4j(managed: ManagedServer, database: Database, room: DiskRoom) -> None:
    """Restarts a Neo4j that was killed, or that met a critical error and has room again, at its address; one that was
    stopped deliberately stays stopped."""
    while True:
        await asyncio.sleep(LOOK_AT_NEO4J_S)
        try:
            if await asyncio.to_thread(managed.was_killed):
                log.warning("Neo4j ended and is started again")
                running = await asyncio.to_thread(managed.revive)
            elif await _has_failed(database):
                await asyncio.to_thread(room.require)
                log.warning("Neo4j met a critical error and is started again")
                running = await asyncio.to_thread(managed.restart)
            else:
                continue
            log.warning("Neo4j runs again", extra={"address": running.uri})
        except GraphmemError as error:
            log.error("Neo4j does not start", extra={"error": error.code, "why": str(error)})
            await asyncio.sleep(NEO4J_PAUSE_S)


async def _has_failed(database: Database) -> bool:
    try:
        await database.ping()
    except DatabaseFailed:
        return True
    except GraphmemError:
        return False
    return False


async def _tend_worker() -> None:
    pause_s = 1.0
    while True:
        started = time.monotonic()
        # A separate session: Ctrl-C reaches this process, which then stops the worker in order.
        # -P: an `api` in the working directory is not ours.
        command = (sys.executable, "-P", "-m", "api.cli", "work", "--with", str(os.getpid()))
        process = await asyncio.create_subprocess_exec(*command, start_new_session=True)
        try:
            await process.wait()
        finally:
            if process.returncode is None:
                process.terminate()
                try:
                    await asyncio.wait_for(process.wait(), STOP_WITHIN_S)
                except TimeoutError:
                    process.kill()  # its leases expire and another worker takes over
        pause_s = 1.0 if time.monotonic() - started > 60 else min(pause_s * 2, 30.0)
        log.warning("a worker ended and is started again", extra={"exit": process.returncode, "pause_s": pause_s})
        await asyncio.sleep(pause_s)


async def work(settings: Settings, beside: int | None = None) -> None:
    """Work until SIGINT or SIGTERM, or until the process `beside` has ended for any reason."""
    set_up_logging(settings)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for signum in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(signum, stop.set)
    watching = asyncio.create_task(stop_after(beside, stop)) if beside else None
    using = contextlib.ExitStack()
    try:
        server = await asyncio.to_thread(using.enter_context, neo4j(settings, notice=log.warning))
        give_way()  # only after the start of Neo4j, which would inherit it
        opened = await Graphmem.open(settings, server, waiting=log.warning, embedding_threads=1)
        freezing = asyncio.create_task(freeze_loaded(opened))
        try:
            await opened.worker().run(stop)
        finally:
            freezing.cancel()
            if watching:
                watching.cancel()
            await opened.close()
    finally:
        await asyncio.to_thread(using.close)


def give_way(group: Path = AUTOGROUP) -> None:
    """Lowers the priority of this process below the service. Linux divides the processors between sessions first, and
    niceness counts only within one: the session gets the same niceness, where autogroups exist."""
    if not hasattr(os, "nice"):  # Windows has neither niceness nor sessions
        return
    os.nice(WORKER_NICENESS)
    if os.getpid() == os.getsid(0):
        with contextlib.suppress(OSError):
            group.write_text(str(WORKER_NICENESS))


async def stop_after(pid: int, stop: asyncio.Event) -> None:
    """Sets `stop` once the process is gone: a killed service cannot notify its workers."""
    with contextlib.suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        while process.is_running() and process.status() != psutil.STATUS_ZOMBIE:  # noqa: ASYNC110 - no event tells it
            await asyncio.sleep(PARENT_LOOK_S)
    stop.set()
