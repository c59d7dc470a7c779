"""The significance gate: its input, its verdicts, and sessions that bypass it."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from graphmem.graph.connection import Database, ReadTransaction, WriteTransaction
from graphmem.graph.operation.jobs import events_write, job_create
from graphmem.model.answers import Gate
from graphmem.model.caller import Caller
from graphmem.model.change import EventRow
from graphmem.model.significance import EndedSession, GateFigures, SkippedSession, Spoken, Vector, Verdict
from graphmem.rules.turns.significance import ENDED_SESSIONS, IMPORTANT_MENTIONS

JOB = "backfill_skipped"
READ_MESSAGES, READ_CHARS = 2_000, 4_000
"""Messages of a session, and characters of each, that the gate reads: longer sessions pass anyway."""
READ_ENTITIES = 2_000
READ_VECTORS = 200
"""Approximate number of vectors for the mean of a session."""


class SkippedStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def skipped(self, agent_id: str, limit: int) -> list[SkippedSession]:
        """Sessions that the gate skipped, those that ended first in front."""
        return await self._database.read(lambda tx: skipped(tx, agent_id, limit))

    async def bypass(
        self, caller: Caller, passed: Callable[[Gate], Gate], limit: int, job_id: str, event: EventRow
    ) -> tuple[str | None, list[SkippedSession]]:
        """The job that will read skipped sessions, and these sessions with their new verdicts; None for none."""

        async def work(tx: WriteTransaction) -> tuple[str | None, list[SkippedSession]]:
            found = {one.id: passed(one.gate) for one in await skipped(tx, caller.agent_id, limit)}
            if not found:
                return None, []
            job = await job_create(
                tx, caller.agent_id, job_id=job_id, kind=JOB, subject_id=JOB, input_json="{}", now=event.at
            )
            ids = await bypass(tx, caller.agent_id, found, job)
            await events_write(tx, caller.agent_id, [event])
            return job, [SkippedSession(id_, found[id_]) for id_ in ids]

        return await self._database.write(work)

    async def to_read(self, agent_id: str) -> tuple[str | None, int]:
        """The next session that passed by the bypass and was not read yet, by id, and how many such there are."""
        return await self._database.read(lambda tx: to_read(tx, agent_id))

    async def read_done(self, agent_id: str, session_id: str) -> None:
        await self._database.write(lambda tx: read_done(tx, agent_id, session_id))


async def figures(tx: ReadTransaction, agent_id: str, session_id: str) -> GateFigures:
    row = await tx.row(
        "significance/figures",
        agent_id=agent_id,
        session_id=session_id,
        messages=READ_MESSAGES,
        chars=READ_CHARS,
        mentions=IMPORTANT_MENTIONS,
        entities=READ_ENTITIES,
        vectors=READ_VECTORS,
        sessions=ENDED_SESSIONS,
    )
    if row is None:
        return GateFigures((), (), False, (), ())
    return GateFigures(
        said=[Spoken(role, text) for role, text in row["said"]],
        important=row["important"],
        ready=not row["waiting"],
        vectors=row["vectors"],
        ended=[
            EndedSession(one["id"], one["through"], one["mean"], one["vectors"], not one["waiting"])
            for one in row["ended"]
        ],
    )


async def verdict_store(tx: WriteTransaction, agent_id: str, session_id: str, verdict: Verdict, now: datetime) -> None:
    await tx.rows(
        "significance/verdict_store",
        agent_id=agent_id,
        session_id=session_id,
        gate=verdict.gate.model_dump_json(),
        mean=None if verdict.mean is None else list(verdict.mean),
        skipped=not verdict.gate.significant,
        now=now,
    )


async def means_store(tx: WriteTransaction, agent_id: str, means: Mapping[str, tuple[int, Vector]]) -> None:
    rows = [{"id": id_, "through": through, "mean": list(mean)} for id_, (through, mean) in sorted(means.items())]
    await tx.rows("significance/sessions_note[means]", agent_id=agent_id, rows=rows)


async def skipped(tx: ReadTransaction, agent_id: str, limit: int) -> list[SkippedSession]:
    rows = await tx.rows("significance/skipped", agent_id=agent_id, limit=limit)
    return [SkippedSession(row["id"], Gate.model_validate_json(row["gate"])) for row in rows]


async def bypass(tx: WriteTransaction, agent_id: str, gates: Mapping[str, Gate], job_id: str) -> Sequence[str]:
    """The ids of those that were still skipped."""
    rows = [{"id": id_, "gate": gate.model_dump_json()} for id_, gate in sorted(gates.items())]
    return [
        row["id"]
        for row in await tx.rows("significance/sessions_note[bypass]", agent_id=agent_id, rows=rows, job_id=job_id)
    ]


async def to_read(tx: ReadTransaction, agent_id: str) -> tuple[str | None, int]:
    row = await tx.row("sessions/to_read", agent_id=agent_id)
    return (row["id"], row["sessions"]) if row else (None, 0)


async def read_done(tx: WriteTransaction, agent_id: str, session_id: str) -> None:
    await tx.rows("sessions/session_note[read]", agent_id=agent_id, session_id=session_id)
