"""The worker: carries out jobs, gives texts their vectors, analyses turns, and does the chores that are due. Several
may run at once, in separate processes."""

import asyncio
import contextlib
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import timedelta

from graphmem.errors import DatabaseUnavailable, GraphmemError, ModelUnavailable, PlanOutdated
from graphmem.model.reindexing import ReindexMark
from graphmem.model.stored import LeasedJob
from graphmem.services.continuity.analysing import Analysing
from graphmem.services.knowledge.learning import Learning
from graphmem.services.knowledge.sweeping import KIND, Sweeping, SweepMark
from graphmem.services.operation.chores import Chores
from graphmem.services.operation.leases import kept
from graphmem.services.operation.reindexing import REINDEX, Reindexing
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

Carry = Callable[[str, str], Awaitable[object]]
"""Carries out a job: takes its agent and its subject, returns its result."""
CarryBounded = Callable[[str, int | None], Awaitable[object]]
"""As `Carry`, for a job of the whole agent with a `limit`, or none."""


@dataclass(frozen=True)
class WorkSettings:
    poll_s: float
    lease_s: float = LEASE_S
    embedding_batch: int = EMBEDDING_BATCH


class Worker:
    """One worker. `holder` names it in leases; `others` and `bounded` carry out jobs other than ending a session, by
    kind; without `analysing` turns wait for another worker."""

    def __init__(
        self,
        jobs: Jobs,
        upkeep: Upkeep,
        learning: Learning,
        sweeping: Sweeping,
        embedder: Embedder,
        chores: Chores,
        settings: WorkSettings,
        clock: Clock,
        holder: str,
        others: Mapping[str, Carry] | None = None,
        bounded: Mapping[str, CarryBounded] | None = None,
        analysing: Analysing | None = None,
        reindexing: Reindexing | None = None,
    ) -> None:
        self._jobs = jobs
        self._upkeep = upkeep
        self._learning = learning
        self._sweeping = sweeping
        self._analysing = analysing
        self._reindexing = reindexing
        self._came: dict[str, float] = {}
        self._embedder = embedder
        self._chores = chores
        self._settings = settings
        self._clock = clock
        self._holder = holder
        self._carry: Mapping[str, Carry] = {"end_session": self._end_session, **(others or {})}
        self._carry_bounded: Mapping[str, CarryBounded] = bounded or {}

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

    async def work_once(self, besides: str | None = None) -> bool:
        """Carry out the next job, of any kind except `besides`; whether there was one."""
        job = await self._jobs.lease(self._holder, self._clock(), self._settings.lease_s, besides)
        if job is None:
            return False
        if job.attempts > ATTEMPTS:  # without an error: its workers were killed, maybe by it
            await self._failed(job, f"Each of {ATTEMPTS} workers that had this job ended in the midst of it.")
            return True
        try:
            async with kept(lambda: self._extend(job), self._settings.lease_s):
                result = await self._carry_out(job)
        except DatabaseUnavailable:
            raise  # the lease expires and the job is retried; nothing can be written now anyway
        except Exception as error:  # noqa: BLE001 - after any error of a job the worker continues and records why
            reason = str(error) if isinstance(error, GraphmemError) else f"{type(error).__name__}: {error}"
            await self._failed(job, reason)
        else:
            await self._jobs.finish(job, self._holder, result, self._clock())
            log.info("job done", extra={"job": job.id, "kind": job.kind, "agent": job.agent_id})
        return True

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

    async def _carry_out(self, job: LeasedJob) -> object:
        if job.kind == KIND:
            return await self._sweep(job)
        if job.kind == REINDEX and self._reindexing:
            return await self._reindex(self._reindexing, job)
        if job.kind in self._carry_bounded:
            return await self._carry_bounded[job.kind](job.agent_id, json.loads(job.input or "{}").get("limit"))
        if job.kind not in self._carry:
            raise ValueError(f"this version knows no job of kind {job.kind!r}")
        return await self._carry[job.kind](job.agent_id, job.subject_id)

    async def _end_session(self, agent_id: str, session_id: str) -> object:
        read = await self._learning.read_whole(agent_id, session_id)
        summary = await self._learning.summarise_session(agent_id, session_id)
        return {"messages": read.messages, "memories": read.memories, "summaryId": summary}

    async def _sweep(self, job: LeasedJob) -> object:
        """Step by step; the progress is stored with the job, so that another worker continues from there.

        Between steps all other due jobs go first, since callers may wait for them, except other sweeps.
        """
        given = json.loads(job.input or "{}")
        mark = SweepMark(left=given.get("limit")) if "before" not in given else SweepMark(**given)
        while step := await self._sweeping.step(job.agent_id, mark):
            mark = step
            if not await self._extend(job, asdict(mark)):
                raise PlanOutdated("Another worker has this sweep now.")
            while await self.work_once(besides=KIND):
                pass
        await self._extend(job, {})  # a request made meanwhile starts it again
        return {"retired": mark.retired, "proposed": mark.proposed}

    async def _reindex(self, reindexing: Reindexing, job: LeasedJob) -> object:
        """As a sweep: step by step, and all other jobs that are due go first."""
        mark = ReindexMark(**json.loads(job.input or '{"of": 0}'))
        while step := await reindexing.step(job.agent_id, mark):
            mark = step
            if not await self._extend(job, asdict(mark), min(mark.done / (mark.of or 1), 0.99)):
                raise PlanOutdated("Another worker embeds these texts anew now.")
            while await self.work_once(besides=REINDEX):
                pass
        await self._extend(job, {"of": mark.of, "waiting": mark.waiting})  # a request made meanwhile starts it again
        return {"texts": mark.done}

    async def _failed(self, job: LeasedJob, reason: str) -> None:
        parked = job.attempts >= ATTEMPTS
        now = self._clock()
        again_at = now + timedelta(seconds=min(5 * 2**job.attempts, 120))
        await self._jobs.fail(job, self._holder, reason[:2000], parked=parked, now=now, again_at=again_at)
        log.warning("job failed", extra={"job": job.id, "kind": job.kind, "parked": parked})

    async def _extend(self, job: LeasedJob, input_: object = None, progress: float | None = None) -> bool:
        if progress is not None:
            self._came = {job.id: progress}
        until = self._clock() + timedelta(seconds=self._settings.lease_s)
        return await self._jobs.extend(job, self._holder, until, self._came.get(job.id, 0.5), input_)

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
