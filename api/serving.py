"""Serving: the HTTP service in this process, its workers in processes of their own, and Neo4j if nobody else runs
it."""

import asyncio
import contextlib
import logging
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import uvicorn
from pythonjsonlogger.json import JsonFormatter

from api.app import create_app
from api.managed import managed_server
from graphmem.adapters.neo4j_server import RunningServer
from graphmem.app import Graphmem
from graphmem.errors import SettingsInvalid
from graphmem.settings import LOOPBACK_HOSTS, Settings

log = logging.getLogger("graphmem.serving")
STOP_WITHIN_S = 10.0


def require_free_port(settings: Settings) -> None:
    """Errors: SettingsInvalid when something listens on the service's port already."""
    with socket.socket(socket.AF_INET6 if ":" in settings.host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((settings.host, settings.port))
        except OSError as error:
            raise SettingsInvalid(
                f"Port {settings.port} on {settings.host} cannot be used ({error.strerror}). Stop what listens there, "
                "perhaps another graphmem, or set GRAPHMEM_PORT to another port."
            ) from None


def serve(settings: Settings) -> None:
    """Serve until SIGINT or SIGTERM; everything this started has ended when it returns.

    Errors: SettingsInvalid for a host beyond loopback; what starting Neo4j and opening the database may raise.
    """
    if settings.host not in LOOPBACK_HOSTS:
        raise SettingsInvalid(
            f"GRAPHMEM_HOST is {settings.host}: beyond loopback graphmem needs keys, which this version does not have. "
            "Use 127.0.0.1, and a proxy that authenticates where others must reach it."
        )
    set_up_logging(settings)
    require_free_port(settings)
    with neo4j(settings) as server:
        config = uvicorn.Config(
            create_app(settings, server, beside=workers(settings)),
            host=settings.host,
            port=settings.port,
            log_config=None,
            access_log=False,
            timeout_graceful_shutdown=5,
            server_header=False,
        )
        with contextlib.suppress(KeyboardInterrupt):  # uvicorn raises it again once it has stopped
            uvicorn.Server(config).run()


@contextmanager
def neo4j(settings: Settings) -> Iterator[RunningServer | None]:
    """The managed Neo4j, running; it is stopped at the end if it was started here. None where the settings name
    another."""
    if settings.neo4j_uri is not None:
        yield None
        return
    managed = managed_server(settings)
    running = managed.start(notice=log.warning)
    try:
        yield running
    finally:
        if running.started_here:
            managed.stop()


@asynccontextmanager
async def workers(settings: Settings) -> AsyncIterator[None]:
    """As many worker processes as the settings ask for, started again when they end by themselves; stopped at the
    end."""
    tending = [asyncio.create_task(_tend_worker()) for _ in range(settings.workers)]
    try:
        yield
    finally:
        for task in tending:
            task.cancel()
        await asyncio.gather(*tending, return_exceptions=True)


async def _tend_worker() -> None:
    pause_s = 1.0
    while True:
        started = time.monotonic()
        # A session of its own: Ctrl-C reaches this process, which then stops the worker in order.
        process = await asyncio.create_subprocess_exec(sys.executable, "-m", "api.cli", "work", start_new_session=True)
        try:
            await process.wait()
        finally:
            if process.returncode is None:
                process.terminate()
                try:
                    await asyncio.wait_for(process.wait(), STOP_WITHIN_S)
                except TimeoutError:
                    process.kill()  # its leases run out and another worker takes over
        pause_s = 1.0 if time.monotonic() - started > 60 else min(pause_s * 2, 30.0)
        log.warning("a worker ended and is started again", extra={"exit": process.returncode, "pause_s": pause_s})
        await asyncio.sleep(pause_s)


async def work(settings: Settings) -> None:
    """Work until SIGINT or SIGTERM."""
    set_up_logging(settings)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for signum in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(signum, stop.set)
    server = None
    if settings.neo4j_uri is None:
        server = await asyncio.to_thread(managed_server(settings).start)
    # One thread: what waits in the background must not take the processors from those who ask.
    opened = await Graphmem.open(settings, server, embedding_threads=1)
    try:
        await opened.worker().run(stop)
    finally:
        await opened.close()


def set_up_logging(settings: Settings) -> None:
    """One JSON object a line on standard error; never message text, never secrets."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        JsonFormatter("{levelname}{name}{message}", style="{", timestamp="at", rename_fields={"levelname": "level"})
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(settings.log_level.upper())
    for noisy, least in {"httpx": logging.WARNING, "httpcore": logging.WARNING, "neo4j": logging.ERROR}.items():
        logging.getLogger(noisy).setLevel(least)  # the driver warns of every retry it makes
    for noisy in ("uvicorn", "asyncio"):
        logging.getLogger(noisy).setLevel(max(logging.WARNING, root.level))
