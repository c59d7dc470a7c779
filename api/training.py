"""The AOT cache of the managed Neo4j: built on request, and automatically once a service has been running for a while
on an idle machine."""

import asyncio
import logging
import sys
import time
from pathlib import Path

import psutil

from api.managed import managed_server
from graphmem.adapters.neo4j_aot import machine_now, why_not_now
from graphmem.adapters.neo4j_server import RunningServer
from graphmem.adapters.neo4j_training import train
from graphmem.errors import DatabaseUnavailable, GraphmemError
from graphmem.opening import connect_migrated, make_embedder
from graphmem.settings import Settings

log = logging.getLogger("graphmem.training")

SERVED_S = 600.0
"""How long a service runs before it looks for an idle moment: a short trial is not disturbed."""
LOOK_EVERY_S = 60.0
STOP_WITHIN_S = 10.0
EXERCISE_WITHIN_S = 300.0
COMMAND = (sys.executable, "-P", "-m", "api.cli", "db", "train")


def train_now(settings: Settings) -> Path | None:
    """The new cache; None when another process is building it. It runs at the lowest priority.

    Errors: SetupFailed when memory or disk are too small; DownloadFailed, ServerFailed, DatabaseUnavailable.
    """
    lowest = getattr(psutil, "IDLE_PRIORITY_CLASS", 19)  # Windows has constants for it, other systems numbers
    psutil.Process().nice(lowest)  # child processes inherit it
    return train(settings.cache_dir, lambda server: _exercise(settings, server), maven_url=settings.maven_url)


def _exercise(settings: Settings, server: RunningServer) -> None:
    """What every service does first: check the schema, and bring it up to date."""
    offline = settings.model_copy(update={"embedding_url": None, "embedding_model": None})
    give_up = time.monotonic() + EXERCISE_WITHIN_S

    async def once() -> None:
        database, _ = await connect_migrated(offline, server, make_embedder(offline, threads=1))
        await database.close()

    while True:
        try:
            return asyncio.run(once())
        except DatabaseUnavailable:  # at the lowest priority a statement may exceed our usual time limit
            if time.monotonic() > give_up:
                raise


async def train_when_idle(
    settings: Settings, *, served_s: float = SERVED_S, look_every_s: float = LOOK_EVERY_S
) -> None:
    """Returns when there is a cache, or none is wanted. Trains at most once, in a separate process, which ends with
    this task."""
    if settings.neo4j_uri is not None or settings.aot_cache != "auto":
        return
    server = managed_server(settings)
    await asyncio.sleep(served_s)
    try:
        while why := why_not_now(machine_now(settings.cache_dir)):
            log.debug("no training now", extra={"why": why})
            await asyncio.sleep(look_every_s)
        if await asyncio.to_thread(server.aot_state) != "missing":
            return
    except (GraphmemError, OSError) as error:
        log.info("no AOT cache", extra={"error": type(error).__name__})
        return
    log.info("training the AOT cache of Neo4j")
    # A separate session: Ctrl-C reaches this process, which then ends it in order.
    quiet = asyncio.subprocess.DEVNULL  # our log is JSON
    process = await asyncio.create_subprocess_exec(*COMMAND, stdout=quiet, stderr=quiet, start_new_session=True)
    try:
        await process.wait()
    finally:
        if process.returncode is None:
            process.terminate()
            try:
                await asyncio.wait_for(process.wait(), STOP_WITHIN_S)
            except TimeoutError:
                process.kill()
    if process.returncode:
        log.warning("training failed; `graphmem db train` says why", extra={"exit": process.returncode})
