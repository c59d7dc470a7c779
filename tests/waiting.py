"""Waiting for a state and never for a time: a state that never occurs ends with the timeout that every test has."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from neo4j import AsyncDriver

from graphmem.app import Graphmem
from graphmem.services.operation.work import Worker

Found = TypeVar("Found")
EVERY_S = 0.1


async def until(seen: Callable[[], Awaitable[Found]]) -> Found:
    """What `seen` answers, as soon as it is true."""
    while not (found := await seen()):  # noqa: ASYNC110 - what is waited for happens in other processes
        await asyncio.sleep(EVERY_S)
    return found


def until_it_holds(seen: Callable[[], Found]) -> Found:
    """The same where nothing else runs in this thread."""
    while not (found := seen()):
        time.sleep(EVERY_S)
    return found


async def worked_until(worker: Worker, seen: Callable[[], Awaitable[Found]]) -> Found:
    """What `seen` answers, as soon as it is true; the worker goes on until then."""
    while not (found := await seen()):
        if not await worker.work_once():
            await asyncio.sleep(EVERY_S)  # another one has the lease
    return found


async def job_done(graphmem: Graphmem, agent_id: str, job_id: str) -> None:
    """Returns when some worker is done with a job."""

    async def done() -> bool:
        return (await graphmem.operation.reporting.job(agent_id, job_id)).status == "done"

    await until(done)


async def waits_for_a_lock(bolt: AsyncDriver) -> None:
    """Returns when some transaction waits for what another one holds."""
    blocked = "SHOW TRANSACTIONS YIELD status WHERE status STARTS WITH 'Blocked' RETURN status"

    async def seen() -> bool:
        return bool((await bolt.execute_query(blocked)).records)

    await until(seen)
