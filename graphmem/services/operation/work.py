"""The worker: carries out jobs, gives texts their vectors, analyses turns, and does the chores that are due. Several
may run at once, in separate processes."""

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from graphmem.errors import DatabaseUnavailable, GraphmemError, ModelUnavailable, PlanOutdated
from graphmem.model.stored import JobStep, LeasedJob
from graphmem.services.continuity.analysing import Analysing
from graphmem.services.operation.chores import Chores
from graphmem.services.operation.leases import kept
from graphmem.services.ports import Clock, Embedder, Jobs, Upkeep

log = logging.getLogger(__name__)

END_SESSION = "end_session"
ATTEMPTS = 3
"""Failures after which a job is parked for a person; a worker that stops responding counts as one."""
EMBED_LEASE = "embed-texts"
EMBED_LEASE_S = 15.0
"""Renewed with each batch. Short, because all texts wait while a killed worker holds it; repeating a batch does no
harm."""
ANALYSE_LEASE = "analyse-turns"
"""One worker analyses at a time, since it caches earlier turns; two would do no harm."""

LEASE_S = 120.0
"""Seconds after which the job of an unresponsive worker goes to another."""
EMBEDDING_BATCH = 64
"""Texts embedded in one background batch."""

Carry = Callable[[str, str, Mapping[str, Any]], Awaitable[JobStep]]
"""Carries out a step of a job: takes its agent, its subject, and its input or the mark of the step before."""
SLICE_S = 0.5
"""Seconds of work on one job, after which those of other agents come first; its last step may take longer."""
PAUSE_S = 10.0
"""Seconds until a job goes on that met trouble which is not its own."""


@dataclass(frozen=True)
class WorkSettings:
    poll_s: float
    lease_s: float = LEASE_S
    slice_s: float = SLICE_S
    embedding_batch: int = EMBEDDING_BATCH


class Worker:
    """One worker. `holder` names it in leases; `jobs_of` carries out jobs, by kind; without `analysing` turns wait for
    another worker."""

    def __init__(
        self,
        jobs: Jobs,
        upkeep: Upkeep,
        embedder: Embedder,
        chores: Chores,
        settings: WorkSettings,
        clock: Clock,
        holder: str,
        jobs_of: Mapping[str, Carry],
        analysing: Analysing | None = None,
    ) -> None:
        self._jobs = jobs
        self._upkeep = upkeep
        self._analysing = analysing
        self._embedder = embedder
        self._chores = chores
        self._settings = settings
        self._clock = clock
        self._holder = holder
        self._jobs_of = jobs_of
        self._troubled: list[LeasedJob] = []
        """Jobs left in trouble that could not be noted yet."""

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set; unfinished work goes to another worker when its lease ends."""
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._repeat(stop, self.work_once, self._settings.poll_s))
                group.create_task(self._repeat(stop, self.embed_once, self._settings.poll_s))
                group.create_task(self._repeat(stop, self.analyse_once, self._settings.poll_s))
                group.create_task(self._chores.run(stop, self._holder))
        finally:
            with contextlib.suppress(DatabaseUnavailable):  # the next worker need not wait for their end
                for lease in (EMBED_LEASE, ANALYSE_LEASE):
                    await self._upkeep.release_lease(lease, self._holder)

    async def work_once(self) -> bool:
        """Carry out a slice of the next job; whether there was one."""
        while self._troubled:
            now = self._clock()
            await self._jobs.spare(self._troubled[0], self._holder, None, now, now)
            self._troubled.pop(0)
        job = await self._jobs.lease(self._holder, self._clock(), self._settings.lease_s)
        if job is None:
            return False
        if job.attempts > ATTEMPTS:  # without an error: its workers were killed, maybe by it
            await self._failed(job, f"Each of {ATTEMPTS} workers that had this job ended in the midst of it.")
            return True
        try:
            async with kept(lambda: self._extend(job), self._settings.lease_s) as lost:
                step = await self._slice(job)
        except DatabaseUnavailable:
            self._troubled.append(job)  # nothing can be written now
            raise
        except (ModelUnavailable, PlanOutdated) as error:
            now = self._clock()
            again_at = now + timedelta(seconds=PAUSE_S)
            await self._jobs.spare(job, self._holder, str(error), now, again_at)
            log.warning("job waits", extra={"job": job.id, "kind": job.kind, "error": error.code})
        except Exception as error:  # noqa: BLE001 - after any error of a job the worker continues and records why
            reason = str(error) if isinstance(error, GraphmemError) else f"{type(error).__name__}: {error}"
            await self._failed(job, reason)
        else:
            await self._note(job, step, lost=lost.is_set())
        return True

    async def _slice(self, job: LeasedJob) -> JobStep:
        """Step by step for as long as a slice is; the mark is stored behind the last one, so that any worker goes on
        from there."""
        if job.kind not in self._jobs_of:
            raise ValueError(f"this version knows no job of kind {job.kind!r}")
        over = time.monotonic() + self._settings.slice_s
        mark = json.loads(job.input or "{}")
        while True:
            step = await self._jobs_of[job.kind](job.agent_id, job.subject_id, mark)
            if step.mark is None or time.monotonic() >= over:
                return step
            mark = step.mark

    async def _note(self, job: LeasedJob, step: JobStep, *, lost: bool) -> None:
        now = self._clock()
        if lost:  # by slowness: another worker repeats it, and that it took the job is no failure
            await self._jobs.spare(job, self._holder, None, now, now)
        elif step.mark is not None:
            await self._jobs.give_back(job, self._holder, step, now)
        else:
            await self._jobs.finish(job, self._holder, step, now)
            log.info("job done", extra={"job": job.id, "kind": job.kind, "agent": job.agent_id})

    async def embed_once(self) -> bool:
        """Embed the next texts; whether there may be more. Texts that arrive one by one are collected for a moment:
        each batch costs three transactions, regardless of its size, while others write."""
        texts = await self._upkeep.waiting_texts(self._settings.embedding_batch)
        if not texts:
            return False
        if not await self._upkeep.take_lease(EMBED_LEASE, self._holder, self._clock(), EMBED_LEASE_S):
            return False
        await self._embedder.load()
        vectors = await self._embedder.embed([waiting.text for waiting in texts])
        stored = await self._upkeep.store_vectors(texts, vectors)
        return stored > 0 and len(texts) == self._settings.embedding_batch

    async def analyse_once(self) -> bool:
        """Analyse the next turns of some sessions; whether there were any."""
        sessions = await self._analysing.sessions_waiting() if self._analysing else []
        if not self._analysing or not sessions:
            return False
        if not await self._upkeep.take_lease(ANALYSE_LEASE, self._holder, self._clock(), EMBED_LEASE_S):
            return False
        return await self._analysing.analyse(sessions) > 0

    async def _failed(self, job: LeasedJob, reason: str) -> None:
        parked = job.attempts >= ATTEMPTS
        now = self._clock()
        again_at = now + timedelta(seconds=min(5 * 2**job.attempts, 120))
        await self._jobs.fail(job, self._holder, reason[:2000], parked=parked, now=now, again_at=again_at)
        log.warning("job failed", extra={"job": job.id, "kind": job.kind, "parked": parked})

    async def _extend(self, job: LeasedJob) -> bool:
        until = self._clock() + timedelta(seconds=self._settings.lease_s)
        return await self._jobs.extend(job, self._holder, until)

    async def _repeat(self, stop: asyncio.Event, step: Callable[[], Awaitable[bool]], pause_s: float) -> None:
        """Take a step again and again, without a pause while there is more, until stopped."""
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
