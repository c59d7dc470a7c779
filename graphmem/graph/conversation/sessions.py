"""Sessions: opened, filled in order, read by extraction, ended, and summarised. They are read back in reading.py."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime, timedelta, timezone
from typing import Any

from graphmem.errors import DatabaseUnavailable, NotFound
from graphmem.graph.connection import Database, ReadTransaction, Row, WriteTransaction
from graphmem.graph.continuity.compaction import session_carry
from graphmem.graph.continuity.condensing import line_follow, line_settle
from graphmem.graph.conversation.appending import SeenEnds, append_all, session_state, sessions_open, wanted_session
from graphmem.graph.conversation.significance import figures, means_store, verdict_store
from graphmem.graph.group_commit import GroupCommit
from graphmem.graph.operation.jobs import events_write, job_create
from graphmem.graph.requests import once_only
from graphmem.model.answers import EndReceipt, Gate, IngestReceipt, OpenedSession, Pipeline
from graphmem.model.caller import Caller
from graphmem.model.change import Appending, EventRow, OpeningSession, ReadMark, SummaryRow
from graphmem.model.conversation import Session
from graphmem.model.significance import Ending, Vector
from graphmem.model.stored import LearnedMemory, SessionState, UnreadMessage
from graphmem.rules.keeping.paging import FAR_FUTURE, LAST_ID
from graphmem.rules.language.text import parts_text
from graphmem.rules.summaries.compaction import THRESHOLD

SMALL_MESSAGES = 8
SMALL_CHARS = 20_000
"""Largest batch that is stored together with others that come at the same time."""
MOST_TOGETHER = 64


class SessionStore:
    def __init__(self, database: Database, threshold: float = THRESHOLD, arc_sessions: int = 8) -> None:
        """`threshold`: the share of its context window above which a session waits for compaction."""
        self._database = database
        self._threshold = threshold
        self._arc_sessions = arc_sessions
        self._ends = SeenEnds(database, threshold)
        self._small = GroupCommit(self._append_together, MOST_TOGETHER)

    async def open(self, caller: Caller, opening: OpeningSession, event: EventRow) -> OpenedSession:
        """The session, created if it is new, reopened if it had ended."""

        async def work(tx: WriteTransaction) -> OpenedSession:
            wanted = wanted_session(opening, event.at)
            held = (await sessions_open(tx, caller.agent_id, [wanted], reopen=True))[opening.session_id]
            created = held.open_id == opening.open_id
            if created:
                await events_write(tx, caller.agent_id, [event])
                if opening.continues:
                    await session_carry(tx, caller.agent_id, opening)
            return OpenedSession(**dict(held.state.session), created=created)

        return await self._database.write(once_only(caller, event.at, work))

    async def append(self, caller: Caller, batch: Appending) -> IngestReceipt:
        """Append a batch to the session, all of it or nothing."""
        if caller.once is None:
            if len(batch.message_ids) <= SMALL_MESSAGES and batch.chars <= SMALL_CHARS:
                return await self._small.carry_out(caller.agent_id, batch)
            return (await self._append_together(caller.agent_id, [batch]))[0]

        async def work(tx: WriteTransaction) -> IngestReceipt:
            return (await append_all(tx, caller.agent_id, [batch], self._threshold))[0]

        return await self._database.write(once_only(caller, batch.event.at, work))

    async def _append_together(self, agent_id: str, batches: Sequence[Appending]) -> list[IngestReceipt]:
        try:
            tried = await self._ends.append(agent_id, batches)
        except DatabaseUnavailable:  # what was stored anyway is found by its ids
            tried = [None] * len(batches)
        rest = [batch for batch, receipt in zip(batches, tried, strict=True) if receipt is None]
        stored: list[IngestReceipt] = []
        if rest:
            stored = await self._database.write(lambda tx: append_all(tx, agent_id, rest, self._threshold))
        behind = iter(stored)
        receipts = [receipt or next(behind) for receipt in tried]
        self._ends.note(agent_id, receipts)
        return receipts

    async def find(self, agent_id: str, session_id: str) -> Session | None:
        state = await self._database.read(lambda tx: session(tx, agent_id, session_id))
        return state.session if state else None

    async def page(
        self,
        agent_id: str,
        project: str | None,
        source: str | None,
        before: tuple[datetime, str] | None,
        limit: int,
        *,
        archived: bool = False,
    ) -> list[Session]:
        """Sessions newest first, after (startedAt, id): those in use, or the archived ones."""
        start = before or (FAR_FUTURE, LAST_ID)
        return await self._database.read(
            lambda tx: session_page(tx, agent_id, project, source, start, limit, archived=archived)
        )

    async def end(self, caller: Caller, session_id: str, ending: Ending, *, force: bool) -> EndReceipt:
        """End the session; if it passes the gate, queue its reading. Repeated with nothing new, it answers as before.

        Errors: NotFound for an unknown session.
        """
        agent_id, event = caller.agent_id, ending.event
        means: dict[str, tuple[int, Vector]] = {}

        async def work(tx: WriteTransaction) -> EndReceipt:
            state = await session_lock(tx, agent_id, session_id)
            if state is None:
                raise NotFound(f"There is no session {session_id!r}.")
            earlier, judged_through = await session_end_result(tx, agent_id, session_id)
            if earlier and not force and _still_holds(earlier, state, judged_through):
                if state.session.ended_at is None:  # it was reopened, and nothing was said
                    await session_end(tx, agent_id, session_id, event.at)
                return earlier
            verdict = await asyncio.to_thread(ending.decide, await figures(tx, agent_id, session_id))
            means.clear()
            means.update(verdict.means)
            events = [event] if state.session.ended_at is None else []  # otherwise it is only read again
            await session_end(tx, agent_id, session_id, event.at)
            await verdict_store(tx, agent_id, session_id, verdict, event.at)
            job = None
            if verdict.gate.significant:
                job = await job_create(
                    tx,
                    agent_id,
                    job_id=ending.job_id,
                    kind="end_session",
                    subject_id=session_id,
                    input_json="{}",
                    now=event.at,
                )
                await session_end_job(tx, agent_id, session_id, job)
            else:
                events.append(replace(ending.skipped, after=verdict.gate.model_dump_json(by_alias=True)))
            await events_write(tx, agent_id, events)
            return EndReceipt(
                session_id=session_id, gate=verdict.gate, pipeline="queued" if job else "skipped", job_id=job
            )

        receipt = await self._database.write(once_only(caller, event.at, work))
        if means:  # separately: two sessions that end at once would deadlock
            await self._database.write(lambda tx: means_store(tx, agent_id, means))
        return receipt

    async def end_result(self, agent_id: str, session_id: str) -> EndReceipt | None:
        """The current answer to ending the session; None where it never ended."""
        return (await self._database.read(lambda tx: session_end_result(tx, agent_id, session_id)))[0]

    async def unread(self, agent_id: str, session_id: str, limit: int) -> tuple[SessionState, list[UnreadMessage]]:
        """The session and its first messages that extraction has not read. Errors: NotFound."""

        async def work(tx: ReadTransaction) -> tuple[SessionState, list[UnreadMessage]]:
            state = await session(tx, agent_id, session_id)
            if state is None:
                raise NotFound(f"There is no session {session_id!r}.")
            return state, await messages_pending(tx, agent_id, session_id, state.extracted_through, limit)

        return await self._database.read(work)

    async def stretch(self, agent_id: str, session_id: str, from_ordinal: int, limit: int) -> list[UnreadMessage]:
        """The session's messages from an ordinal on."""
        return await self._database.read(lambda tx: messages_pending(tx, agent_id, session_id, from_ordinal, limit))

    async def opening(self, agent_id: str, session_id: str, limit: int) -> list[UnreadMessage]:
        """The session's first messages."""
        return await self._database.read(lambda tx: messages_pending(tx, agent_id, session_id, 0, limit))

    async def learned(self, agent_id: str, session_id: str) -> tuple[list[LearnedMemory], list[tuple[str, str]]]:
        """The memories extracted from a session in the order they were said, and the (id, name) of entities, most
        mentioned first."""
        return await self._database.read(lambda tx: session_knowledge(tx, agent_id, session_id))

    async def store_summary(self, agent_id: str, session_id: str, row: SummaryRow, event: EventRow) -> str:
        """The id of the session's summary node, now with this content."""

        async def work(tx: WriteTransaction) -> str:
            summary_id, created = await summary_store(tx, agent_id, session_id, row, event.at)
            if created:
                await events_write(tx, agent_id, [event])
            await line_follow(tx, agent_id, session_id)
            await line_settle(tx, agent_id, session_id, event, self._arc_sessions)
            return summary_id

        return await self._database.write(work)


async def session(tx: ReadTransaction, agent_id: str, session_id: str) -> SessionState | None:
    row = await tx.row("sessions/session[whole]", agent_id=agent_id, session_id=session_id)
    return session_state(row["session"]) if row else None


async def session_lock(tx: WriteTransaction, agent_id: str, session_id: str) -> SessionState | None:
    row = await tx.row("sessions/session[locked]", agent_id=agent_id, session_id=session_id)
    return session_state(row["session"]) if row else None


async def session_page(
    tx: ReadTransaction,
    agent_id: str,
    project: str | None,
    source: str | None,
    before: tuple[datetime, str],
    limit: int,
    *,
    archived: bool,
) -> list[Session]:
    rows = await tx.rows(
        "sessions/session_page",
        agent_id=agent_id,
        project=project,
        source=source,
        archived=archived,
        before=before[0],
        before_id=before[1],
        limit=limit,
    )
    return [session_state(row["session"]).session for row in rows]


async def messages_pending(
    tx: ReadTransaction, agent_id: str, session_id: str, from_ordinal: int, limit: int
) -> list[UnreadMessage]:
    rows = await tx.rows(
        "sessions/messages_pending",
        agent_id=agent_id,
        session_id=session_id,
        from_ordinal=from_ordinal,
        limit=limit,
    )
    return [
        UnreadMessage(
            id=row["message"]["id"],
            message_id=row["message"]["messageId"],
            ordinal=row["message"]["ordinal"],
            role=row["message"]["role"],
            name=row["message"]["name"],
            text=_text_of(row["message"]),
            created_at=_in_zone(row["message"]["createdAt"], row["message"]["offsetS"]),
        )
        for row in rows
    ]


async def session_end(tx: WriteTransaction, agent_id: str, session_id: str, now: datetime) -> None:
    await tx.rows("sessions/session_note[ended]", agent_id=agent_id, session_id=session_id, now=now)


async def session_end_job(tx: WriteTransaction, agent_id: str, session_id: str, job_id: str) -> None:
    await tx.rows("sessions/session_note[job]", agent_id=agent_id, session_id=session_id, job_id=job_id)


async def session_end_result(
    tx: ReadTransaction, agent_id: str, session_id: str
) -> tuple[EndReceipt | None, int | None]:
    """The answer to the last end, as it is now, and the next ordinal at that time."""
    row = await tx.row("sessions/session[end]", agent_id=agent_id, session_id=session_id)
    if row is None or row["gate"] is None:
        return None, None
    gate, status = Gate.model_validate_json(row["gate"]), row["jobStatus"]
    done: Pipeline = "failed" if status == "failed" else "done" if status == "done" else "queued"
    pipeline: Pipeline = done if gate.significant else "skipped"
    receipt = EndReceipt(session_id=session_id, gate=gate, pipeline=pipeline, job_id=row["jobId"])
    return receipt, row["judgedThrough"]


async def session_extracted(tx: WriteTransaction, agent_id: str, mark: ReadMark, now: datetime) -> bool:
    """Move the mark and record how the reading went; False when another worker moved it first."""
    row = await tx.row(
        "sessions/session_extracted",
        agent_id=agent_id,
        session_id=mark.session_id,
        expected=mark.expected,
        through=mark.through,
        level=mark.level,
        dropped=mark.dropped,
        foreign=mark.foreign,
        fallback=mark.fallback,
        extractor=mark.extractor,
        now=now,
    )
    if row is not None:
        await events_write(tx, agent_id, mark.events)
    return row is not None


async def session_knowledge(
    tx: ReadTransaction, agent_id: str, session_id: str
) -> tuple[list[LearnedMemory], list[tuple[str, str]]]:
    row = await tx.row("sessions/session_knowledge", agent_id=agent_id, session_id=session_id)
    if row is None:
        return [], []
    return [LearnedMemory(**memory) for memory in row["memories"]], [(e["id"], e["name"]) for e in row["entities"]]


async def summary_store(
    tx: WriteTransaction, agent_id: str, session_id: str, row: SummaryRow, now: datetime
) -> tuple[str, bool]:
    stored = await tx.row(
        "sessions/summary_store",
        agent_id=agent_id,
        session_id=session_id,
        now=now,
        **(asdict(row) | {"memory_ids": list(row.memory_ids), "entity_ids": list(row.entity_ids)}),
    )
    return (str(stored["id"]), bool(stored["created"])) if stored else (row.id, False)


def _still_holds(earlier: EndReceipt, state: SessionState, judged_through: int | None) -> bool:
    """Whether there is nothing to do when a session is ended again."""
    if state.next_ordinal <= state.extracted_through:
        return earlier.pipeline != "failed"
    return earlier.pipeline in ("queued", "skipped") and judged_through == state.next_ordinal


def _text_of(row: Row) -> str:
    content: str = row["content"]
    return content if row["contentKind"] == "text" else parts_text(json.loads(content))


def _in_zone(when: datetime, offset_s: int) -> datetime:
    return when.astimezone(timezone(timedelta(seconds=offset_s)))


def _json(text: str | None) -> Any:
    return None if text is None else json.loads(text)
