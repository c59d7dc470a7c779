"""The worker: carries out jobs, gives texts their vectors, and chains history. Several may run at once, in processes
of their own."""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta

from graphmem.errors import DatabaseUnavailable, GraphmemError, ModelUnavailable
from graphmem.model.stored import LeasedJob
from graphmem.rules.history import chain
from graphmem.services.learning import Learning
from graphmem.services.ports import Clock, Embedder, Jobs, Upkeep

log = logging.getLogger(__name__)

ATTEMPTS = 3
"""Failures after which a job is parked for a person to look at."""
SEAL_LEASE = "seal-events"
EMBED_LEASE = "embed-texts"
EMBED_LEASE_S = 15.0
"""Renewed with each batch. Short, because all texts wait while a killed worker holds it; done twice, a batch does no
harm."""
FORGET_LEASE = "forget-requests"
FORGET_INTERVAL_S = 3600.0
SEAL_BATCH = 500
SEAL_AGE_S = 2.0
"""Events younger than this may still be joined by earlier ones of a transaction that commits late."""


@dataclass(frozen=True)
class WorkSettings:
    lease_s: float
    poll_s: float
    embedding_batch: int
    seal_interval_s: float


class Worker:
    """One worker. `holder` names it in leases."""

    def __init__(
        self,
        jobs: Jobs,
        upkeep: Upkeep,
        learning: Learning,
        embedder: Embedder,
        settings: WorkSettings,
        clock: Clock,
        holder: str,
    ) -> None:
        self._jobs = jobs
        self._upkeep = upkeep
        self._learning = learning
        self._embedder = embedder
        self._settings = settings
        self._clock = clock
        self._holder = holder

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set; what was begun and not finished is given to another worker when its lease ends."""
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._repeat(stop, self.work_once, self._settings.poll_s))
                group.create_task(self._repeat(stop, self.embed_once, self._settings.poll_s))
                group.create_task(self._repeat(stop, self.seal_once, self._settings.seal_interval_s, at_once=False))
                group.create_task(self._repeat(stop, self.forget_once, FORGET_INTERVAL_S, at_once=False))
        finally:
            for name in (EMBED_LEASE, SEAL_LEASE, FORGET_LEASE):  # the next worker need not wait for their end
                with contextlib.suppress(DatabaseUnavailable):
                    await self._upkeep.release_lease(name, self._holder)

    async def work_once(self) -> bool:
        """Carry out the next job; whether there was one."""
        job = await self._jobs.lease(self._holder, self._clock(), self._settings.lease_s)
        if job is None:
            return False
        keeper = asyncio.create_task(self._keep(job))
        try:
            result = await self._carry_out(job)
        except DatabaseUnavailable:
            raise  # the lease runs out and the job is tried again; nothing can be written now anyway
        except Exception as error:  # noqa: BLE001 - whatever a job meets, the worker lives on and says why
            await self._failed(job, error)
        else:
            await self._jobs.finish(job, self._holder, result, self._clock())
            log.info("job done", extra={"job": job.id, "kind": job.kind, "agent": job.agent_id})
        finally:
            keeper.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await keeper
        return True

    async def embed_once(self) -> bool:
        """Give the next texts their vectors; whether there were any."""
        texts = await self._upkeep.waiting_texts(self._settings.embedding_batch)
        if not texts:
            return False
        if not await self._upkeep.take_lease(EMBED_LEASE, self._holder, self._clock(), EMBED_LEASE_S):
            return False
        await self._embedder.load()
        vectors = await self._embedder.embed([waiting.text for waiting in texts])
        return await self._upkeep.store_vectors(texts, vectors) > 0

    async def seal_once(self) -> bool:
        """Chain new events by their hashes; whether there may be more."""
        if not await self._upkeep.take_lease(SEAL_LEASE, self._holder, self._clock(), self._settings.lease_s):
            return False
        more = False
        for agent_id in await self._upkeep.agents_unsealed():
            before = self._clock() - timedelta(seconds=SEAL_AGE_S)
            waiting = await self._upkeep.unsealed_events(agent_id, before, SEAL_BATCH)
            if waiting.events:
                await self._upkeep.seal_events(agent_id, waiting.last_hash, chain(waiting.last_hash, waiting.events))
                more = more or len(waiting.events) == SEAL_BATCH
        return more

    async def forget_once(self) -> bool:
        """Drop idempotency keys past their day; whether there may be more."""
        if not await self._upkeep.take_lease(FORGET_LEASE, self._holder, self._clock(), self._settings.lease_s):
            return False
        return await self._upkeep.forget_requests(self._clock()) > 0

    async def _carry_out(self, job: LeasedJob) -> object:
        if job.kind != "end_session":
            raise ValueError(f"this version knows no job of kind {job.kind!r}")
        messages = memories = 0
        while True:
            read = await self._learning.read_session(job.agent_id, job.subject_id)
            messages += read.messages
            memories += read.memories
            if not read.more:
                break
        summary = await self._learning.summarise_session(job.agent_id, job.subject_id)
        return {"messages": messages, "memories": memories, "summaryId": summary}

    async def _failed(self, job: LeasedJob, error: Exception) -> None:
        parked = job.attempts >= ATTEMPTS
        reason = str(error) if isinstance(error, GraphmemError) else f"{type(error).__name__}: {error}"
        now = self._clock()
        again_at = now + timedelta(seconds=min(5 * 2**job.attempts, 120))
        await self._jobs.fail(job, self._holder, reason[:2000], parked=parked, now=now, again_at=again_at)
        log.warning(
            "job failed", extra={"job": job.id, "kind": job.kind, "parked": parked, "error": type(error).__name__}
        )

    async def _keep(self, job: LeasedJob) -> None:
        """Renew the lease of a long job in time."""
        while True:
            await asyncio.sleep(self._settings.lease_s / 3)
            until = self._clock() + timedelta(seconds=self._settings.lease_s)
            await self._jobs.extend(job, self._holder, until, 0.5)

    async def _repeat(
        self, stop: asyncio.Event, step: Callable[[], Awaitable[bool]], pause_s: float, *, at_once: bool = True
    ) -> None:
        """Take a step again and again, without a pause while there is more, until told to stop."""
        if not at_once:
            await _pause(stop, pause_s)
        trouble_s = pause_s
        while not stop.is_set():
            try:
                more = await step()
                trouble_s = pause_s
            except (DatabaseUnavailable, ModelUnavailable) as error:
                log.warning("worker waits", extra={"step": step.__name__, "error": error.code})
                more, trouble_s = False, min(max(1.0, trouble_s * 2), 30.0)
            if not more:
                await _pause(stop, trouble_s)


async def _pause(stop: asyncio.Event, seconds: float) -> None:
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), seconds)
