"""The session DAG above the sessions: lines of sessions, the arcs and epochs over them, and what makes these stale."""

from collections.abc import Sequence
from datetime import datetime

from graphmem.graph.connection import Database, ReadTransaction, WriteTransaction, utc
from graphmem.graph.operation.jobs import events_write, job_create
from graphmem.model.change import EventRow
from graphmem.model.condensing import CONDENSE, GroupRow, HeldGroup, Line, LineSession, StatedFact, Statement
from graphmem.rules.language.keys import derived_id, sha256_hex

READ_TIMEOUT_S = 60.0


class CondensingStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def agent_after(self, agent_id: str) -> str | None:
        """The next agent that has summaries, by name."""
        return await self._database.read(lambda tx: agent_after(tx, agent_id))

    async def stale(self, agent_id: str, now: datetime) -> bool:
        """Whether the sources of some arc or epoch may have changed, or no longer hold."""
        return await self._database.read(lambda tx: stale(tx, agent_id, now), timeout_s=READ_TIMEOUT_S)

    async def lines(self, agent_id: str) -> list[str | None]:
        """The projects whose sessions have summaries; None for sessions without one."""
        return await self._database.read(lambda tx: lines(tx, agent_id))

    async def line(self, agent_id: str, project: str | None, now: datetime) -> Line:
        async def work(tx: ReadTransaction) -> Line:
            return Line(await sessions(tx, agent_id, project), await groups(tx, agent_id, project, now))

        return await self._database.read(work, timeout_s=READ_TIMEOUT_S)

    async def statements(self, agent_id: str, summary_ids: Sequence[str], now: datetime) -> list[Statement]:
        """What was learned in the sessions of these summaries, each statement once, in the order it was said."""
        return await self._database.read(
            lambda tx: statements(tx, agent_id, summary_ids, now), timeout_s=READ_TIMEOUT_S
        )

    async def store(self, agent_id: str, row: GroupRow, event: EventRow) -> str:
        """The id of the arc or epoch, now with this content."""

        async def work(tx: WriteTransaction) -> str:
            id_, created = await group_store(tx, agent_id, row, event.at)
            await group_link(tx, agent_id, id_, row)
            if created:
                await events_write(tx, agent_id, [event])
            return id_

        return await self._database.write(work)

    async def dissolve(self, agent_id: str, id_: str, event: EventRow) -> None:
        async def work(tx: WriteTransaction) -> None:
            await group_dissolve(tx, agent_id, id_, event.at)
            await events_write(tx, agent_id, [event])

        await self._database.write(work)

    async def mend(self, agent_id: str, summary_ids: Sequence[str]) -> int:
        """How many summaries of a line, given in order, did not follow their predecessor."""
        return await self._database.write(lambda tx: line_mend(tx, agent_id, summary_ids))


async def line_settle(
    tx: WriteTransaction, agent_id: str, session_id: str, event: EventRow, arc_sessions: int, *, hide: bool = False
) -> None:
    """Record that a session changed its line, and queue a job where there is something to condense. `hide`: what covers
    the session leaves every search at once."""
    row = await tx.row("condensing/line_touch", agent_id=agent_id, session_id=session_id, hide=hide, now=event.at)
    if row is None or not (row["marked"] or row["sessions"] >= arc_sessions):
        return
    await job_create(
        tx,
        agent_id,
        job_id=derived_id(event.id, CONDENSE),
        kind=CONDENSE,
        subject_id=row["project"] or "",
        input_json="{}",
        now=event.at,
    )


async def line_follow(tx: WriteTransaction, agent_id: str, session_id: str) -> None:
    await tx.rows("condensing/line_follow", agent_id=agent_id, session_id=session_id)


async def line_mend(tx: WriteTransaction, agent_id: str, summary_ids: Sequence[str]) -> int:
    row = await tx.row("condensing/line_mend", agent_id=agent_id, ids=list(summary_ids))
    return int(row["mended"]) if row else 0


async def agent_after(tx: ReadTransaction, agent_id: str) -> str | None:
    row = await tx.row("upkeep/agent_after[summaries]", after=agent_id)
    return row["agent_id"] if row else None


async def stale(tx: ReadTransaction, agent_id: str, now: datetime) -> bool:
    row = await tx.row("condensing/stale", agent_id=agent_id, now=now)
    return bool(row and row["stale"])


async def lines(tx: ReadTransaction, agent_id: str) -> list[str | None]:
    return [row["project"] for row in await tx.rows("condensing/sessions[projects]", agent_id=agent_id)]


async def sessions(tx: ReadTransaction, agent_id: str, project: str | None) -> list[LineSession]:
    rows = await tx.rows("condensing/sessions[project]", agent_id=agent_id, project=project)
    return [LineSession(row["sessionId"], row["summaryId"], utc(row["startedAt"]), row["hidden"]) for row in rows]


async def groups(tx: ReadTransaction, agent_id: str, project: str | None, now: datetime) -> list[HeldGroup]:
    rows = await tx.rows("condensing/groups", agent_id=agent_id, project=project, now=now)
    return [
        HeldGroup(
            row["id"], row["kind"], row["number"], tuple(row["childIds"]), row["stale"], row["marks"], row["hidden"]
        )
        for row in rows
    ]


async def statements(tx: ReadTransaction, agent_id: str, summary_ids: Sequence[str], now: datetime) -> list[Statement]:
    rows = await tx.rows("condensing/statements", agent_id=agent_id, ids=list(summary_ids), now=now)
    found = []
    for one in (row["statement"] for row in rows):
        facts = tuple(StatedFact(**fact) for fact in one["facts"])
        replaced_by = frozenset() if any(fact.open for fact in facts) else frozenset(one["replacedBy"])
        kept = {name: one[name] for name in ("id", "content", "type", "importance", "place", "ordinal")}
        found.append(Statement(**kept, facts=facts, replaced_by=replaced_by))
    return found


async def group_store(tx: WriteTransaction, agent_id: str, row: GroupRow, now: datetime) -> tuple[str, bool]:
    stored = await tx.row(
        "condensing/group_store",
        agent_id=agent_id,
        dag_key=row.dag_key,
        id=row.id,
        kind=row.kind,
        depth=row.depth,
        number=row.number,
        project=row.project,
        content=row.content,
        tokens=row.tokens,
        method=row.method,
        by=row.by,
        sha256=sha256_hex(row.content),
        agent_key=row.agent_key,
        grams=row.grams,
        expected_marks=row.expected_marks,
        now=now,
    )
    return (str(stored["id"]), bool(stored["created"])) if stored else (row.id, False)


async def group_link(tx: WriteTransaction, agent_id: str, id_: str, row: GroupRow) -> None:
    await tx.rows(
        "condensing/group_link",
        agent_id=agent_id,
        id=id_,
        child_ids=list(row.child_ids),
        lines=[
            {"line": place, "memoryId": line.memory_id, "factId": line.fact_id} for place, line in enumerate(row.lines)
        ],
        follows_key=row.follows_key,
    )


async def group_dissolve(tx: WriteTransaction, agent_id: str, id_: str, now: datetime) -> None:
    await tx.rows("condensing/group_dissolve", agent_id=agent_id, id=id_, now=now)
