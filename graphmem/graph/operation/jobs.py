"""Jobs, stored in the graph before they are promised, and the history of what was done."""

import json
from collections.abc import Sequence
from datetime import datetime, timedelta

from graphmem.graph.connection import Database, ReadTransaction, WriteTransaction
from graphmem.model.answers import Job
from graphmem.model.change import EventRow
from graphmem.model.stored import JobStep, LeasedJob, OpenJob


class JobStore:
    """Jobs by lease: several workers may ask at once, each job goes to one, and the job of a silent worker to
    another."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def lease(self, holder: str, now: datetime, lease_s: float) -> LeasedJob | None:
        """The next due job, by the turns of the agents, or None."""
        until = now + timedelta(seconds=lease_s)
        return await self._database.write(lambda tx: job_lease(tx, holder, now, until))

    async def want(
        self,
        agent_id: str,
        kind: str,
        subject_id: str,
        input_: object,
        job_id: str,
        now: datetime,
        available_at: datetime | None = None,
    ) -> str:
        """The id of the open job for this work: the existing one, else a new one."""

        async def work(tx: WriteTransaction) -> str:
            return await job_create(
                tx,
                agent_id,
                job_id=job_id,
                kind=kind,
                subject_id=subject_id,
                input_json=json.dumps(input_),
                now=now,
                available_at=available_at,
            )

        return await self._database.write(work)

    async def extend(self, job: LeasedJob, holder: str, until: datetime) -> bool:
        """Extend the lease until `until`; False if it is lost."""
        return await self._database.write(lambda tx: job_extend(tx, job, holder, until))

    async def give_back(self, job: LeasedJob, holder: str, step: JobStep, now: datetime) -> None:
        """Note what a step came to; the job goes on when it is the agent's turn again."""
        await self._database.write(lambda tx: job_give_back(tx, job, holder, step, now))

    async def spare(self, job: LeasedJob, holder: str, reason: str | None, now: datetime, again_at: datetime) -> None:
        """Take back the attempt that was counted when this holder took the job, and let it go on from `again_at`."""
        await self._database.write(lambda tx: job_spare(tx, job, holder, reason, now, again_at))

    async def finish(self, job: LeasedJob, holder: str, step: JobStep, now: datetime) -> None:
        await self._database.write(lambda tx: job_finish(tx, job, holder, step, now))

    async def fail(
        self, job: LeasedJob, holder: str, error: str, *, parked: bool, now: datetime, again_at: datetime
    ) -> None:
        await self._database.write(lambda tx: job_fail(tx, job, holder, error, parked, now, again_at))

    async def find(self, agent_id: str, job_id: str) -> Job | None:
        return await self._database.read(lambda tx: job(tx, agent_id, job_id))

    async def open_jobs(self, agent_id: str) -> list[OpenJob]:
        """An agent's queued, running and failed jobs, oldest first."""
        return await self._database.read(lambda tx: agent_jobs(tx, agent_id))


async def job_create(
    tx: WriteTransaction,
    agent_id: str,
    *,
    job_id: str,
    kind: str,
    subject_id: str,
    input_json: str,
    now: datetime,
    available_at: datetime | None = None,
) -> str:
    """The id of the open job for this work: the existing one, else the new one, for any worker from `available_at` on
    or at once."""
    row = await tx.row(
        "upkeep/job_create",
        agent_id=agent_id,
        id=job_id,
        kind=kind,
        subject_id=subject_id,
        active_key=f"{kind}:{subject_id}",
        input=input_json,
        now=now,
        available_at=available_at or now,
    )
    return str(row["id"]) if row else job_id


async def job_lease(tx: WriteTransaction, holder: str, now: datetime, until: datetime) -> LeasedJob | None:
    row = await tx.row("upkeep/job_lease", holder=holder, now=now, until=until)
    if row is None:
        return None
    return LeasedJob(row["id"], row["agent_id"], row["kind"], row["subjectId"], row["input"], row["attempts"])


async def job_extend(tx: WriteTransaction, leased: LeasedJob, holder: str, until: datetime) -> bool:
    row = await tx.row("upkeep/job_held[extend]", agent_id=leased.agent_id, id=leased.id, holder=holder, until=until)
    return row is not None


async def job_give_back(tx: WriteTransaction, leased: LeasedJob, holder: str, step: JobStep, now: datetime) -> None:
    await tx.rows(
        "upkeep/job_held[back]",
        agent_id=leased.agent_id,
        id=leased.id,
        holder=holder,
        progress=step.progress,
        input=json.dumps(step.mark),
        now=now,
    )


async def job_spare(
    tx: WriteTransaction, leased: LeasedJob, holder: str, reason: str | None, now: datetime, again_at: datetime
) -> None:
    await tx.rows(
        "upkeep/job_held[spare]",
        agent_id=leased.agent_id,
        id=leased.id,
        holder=holder,
        error=reason,
        now=now,
        again_at=again_at,
    )


async def job_finish(tx: WriteTransaction, leased: LeasedJob, holder: str, step: JobStep, now: datetime) -> None:
    await tx.rows(
        "upkeep/job_held[finish]",
        agent_id=leased.agent_id,
        id=leased.id,
        holder=holder,
        result=json.dumps(step.result),
        input=json.dumps(step.anew),
        now=now,
    )


async def job_fail(
    tx: WriteTransaction,
    leased: LeasedJob,
    holder: str,
    error: str,
    parked: bool,
    now: datetime,
    again_at: datetime,
) -> None:
    await tx.rows(
        "upkeep/job_held[fail]",
        agent_id=leased.agent_id,
        id=leased.id,
        holder=holder,
        error=error,
        parked=parked,
        now=now,
        again_at=again_at,
    )


async def job(tx: ReadTransaction, agent_id: str, job_id: str) -> Job | None:
    row = await tx.row("upkeep/job", agent_id=agent_id, id=job_id)
    if row is None:
        return None
    found = row["job"]
    return Job.model_validate(found | {"result": json.loads(found["result"]) if found["result"] else None})


async def agent_jobs(tx: ReadTransaction, agent_id: str) -> list[OpenJob]:
    rows = await tx.rows("upkeep/agent_jobs", agent_id=agent_id)
    return [OpenJob(row["id"], row["kind"], row["status"], row["error"]) for row in rows]


async def events_write(tx: WriteTransaction, agent_id: str, rows: Sequence[EventRow]) -> None:
    """Append to an agent's history, in the transaction of the recorded change."""
    await tx.rows(
        "upkeep/events_write",
        agent_id=agent_id,
        rows=[
            {
                "id": row.id,
                "kind": row.kind,
                "subjectId": row.subject_id,
                "actor": row.actor,
                "at": row.at.isoformat(),
                "before": row.before,
                "after": row.after,
                "reason": row.reason,
            }
            for row in rows
        ],
    )
