"""Sessions, their messages in order, and the summaries over them."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from pydantic.alias_generators import to_camel

from graphmem.errors import NotFound
from graphmem.graph.connection import Database, ReadTransaction, Row, WriteTransaction
from graphmem.graph.jobs import events_write, job_create
from graphmem.graph.payloads import payloads_link
from graphmem.graph.requests import once_only
from graphmem.model.answers import EndReceipt, Gate, IngestReceipt, OpenedSession
from graphmem.model.caller import Caller
from graphmem.model.change import EventRow, MessageRow, OpeningSession, PayloadRow, SummaryRow
from graphmem.model.conversation import Session, StoredMessage, Summary
from graphmem.model.stored import KnownMessage, LearnedMemory, SessionState, StoredTail, UnreadMessage
from graphmem.rules.text import parts_text

FAR_FUTURE = datetime.max.replace(tzinfo=UTC)
LAST_ID = "\U0010ffff"


class SessionStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def open(self, caller: Caller, opening: OpeningSession, event: EventRow) -> OpenedSession:
        """The session, made if it is new, reopened if it had ended."""

        async def work(tx: WriteTransaction) -> OpenedSession:
            created, state, _ = await session_open(tx, caller.agent_id, opening, event.at, reopen=True)
            if created:
                await events_write(tx, caller.agent_id, [event])
            return OpenedSession(**dict(state.session), created=created)

        return await self._database.write(once_only(caller, event.at, work))

    async def append(
        self,
        caller: Caller,
        opening: OpeningSession,
        message_ids: Sequence[str],
        decide: Callable[[StoredTail], tuple[Sequence[MessageRow], IngestReceipt]],
        event: EventRow,
        payloads: Mapping[str, Sequence[PayloadRow]],
    ) -> IngestReceipt:
        """Store a batch, all of it or nothing, behind the last message of the session, with the `payloads` of each
        message by its id.

        `decide` sees what the locked session holds and says what to store; it may raise, and then nothing is written.
        """

        async def work(tx: WriteTransaction) -> IngestReceipt:
            created, state, known = await session_open(
                tx, caller.agent_id, opening, event.at, reopen=False, message_ids=message_ids
            )
            tail: list[KnownMessage] = []
            if state.next_ordinal and len(message_ids) > 1:  # one message alone is never a replay
                first = max(0, state.next_ordinal - len(message_ids))
                tail = await session_tail(tx, caller.agent_id, opening.session_id, first)
            rows, receipt = decide(StoredTail(state.next_ordinal, {m.message_id: m for m in known}, tail))
            if rows:
                await messages_append(tx, caller.agent_id, opening.session_id, rows)
                await payloads_link(tx, caller.agent_id, [row.id for row in rows], payloads)
            if created:
                await events_write(tx, caller.agent_id, [event])
            return receipt.model_copy(update={"created": created})

        return await self._database.write(once_only(caller, event.at, work))

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
    ) -> list[Session]:
        """Sessions newest first, behind (startedAt, id)."""
        return await self._database.read(
            lambda tx: session_page(tx, agent_id, project, source, before or (FAR_FUTURE, LAST_ID), limit)
        )

    async def messages(self, agent_id: str, session_id: str, after: int, limit: int) -> list[StoredMessage]:
        return await self._database.read(lambda tx: message_page(tx, agent_id, session_id, after, limit))

    async def message(self, agent_id: str, message_id: str) -> StoredMessage | None:
        return await self._database.read(lambda tx: message(tx, agent_id, message_id))

    async def end(
        self, caller: Caller, session_id: str, *, job_id: str, gate: Gate, force: bool, event: EventRow
    ) -> EndReceipt:
        """End the session and put its reading into a job, unless everything in it was read before.

        Errors: NotFound for an unknown session.
        """

        async def work(tx: WriteTransaction) -> EndReceipt:
            state = await session_lock(tx, caller.agent_id, session_id)
            if state is None:
                raise NotFound(f"There is no session {session_id!r}.")
            earlier = await session_end_result(tx, caller.agent_id, session_id)
            unread = state.next_ordinal > state.extracted_through
            if earlier and not unread and not force and earlier.pipeline != "failed":
                if state.session.ended_at is None:  # it was opened again, and nothing was said
                    await session_end(tx, caller.agent_id, session_id, event.at, earlier.gate)
                return earlier
            job = await job_create(
                tx,
                caller.agent_id,
                job_id=job_id,
                kind="end_session",
                subject_id=session_id,
                input_json="{}",
                now=event.at,
            )
            await session_end(tx, caller.agent_id, session_id, event.at, gate)
            await session_end_job(tx, caller.agent_id, session_id, job)
            await events_write(tx, caller.agent_id, [event])
            return EndReceipt(session_id=session_id, gate=gate, pipeline="queued", job_id=job)

        return await self._database.write(once_only(caller, event.at, work))

    async def end_result(self, agent_id: str, session_id: str) -> EndReceipt | None:
        """What ending the session answers now; None where it never ended."""
        return await self._database.read(lambda tx: session_end_result(tx, agent_id, session_id))

    async def unread(self, agent_id: str, session_id: str, limit: int) -> tuple[SessionState, list[UnreadMessage]]:
        """The session and its first messages that extraction has not read. Errors: NotFound."""

        async def work(tx: ReadTransaction) -> tuple[SessionState, list[UnreadMessage]]:
            state = await session(tx, agent_id, session_id)
            if state is None:
                raise NotFound(f"There is no session {session_id!r}.")
            return state, await messages_pending(tx, agent_id, session_id, state.extracted_through, limit)

        return await self._database.read(work)

    async def learned(self, agent_id: str, session_id: str) -> tuple[list[LearnedMemory], list[tuple[str, str]]]:
        """The memories drawn from a session in the order they were said, and the (id, name) of entities, most named
        first."""
        return await self._database.read(lambda tx: session_knowledge(tx, agent_id, session_id))

    async def store_summary(self, agent_id: str, session_id: str, row: SummaryRow, event: EventRow) -> str:
        """The id of the session's summary node, now with this content."""

        async def work(tx: WriteTransaction) -> str:
            summary_id, created = await summary_store(tx, agent_id, session_id, row, event.at)
            if created:
                await events_write(tx, agent_id, [event])
            return summary_id

        return await self._database.write(work)

    async def summaries(
        self,
        agent_id: str,
        project: str | None,
        kind: str | None,
        session_id: str | None,
        before: tuple[datetime, str] | None,
        limit: int,
    ) -> list[Summary]:
        """Summaries newest first, behind (latestAt, id)."""
        return await self._database.read(
            lambda tx: summary_page(tx, agent_id, project, kind, session_id, before or (FAR_FUTURE, LAST_ID), limit)
        )

    async def summary(self, agent_id: str, summary_id: str) -> Summary | None:
        return await self._database.read(lambda tx: summary(tx, agent_id, summary_id))

    async def summary_messages(self, agent_id: str, summary_id: str, after: int, limit: int) -> list[StoredMessage]:
        return await self._database.read(lambda tx: summary_messages(tx, agent_id, summary_id, after, limit))


async def session_open(
    tx: WriteTransaction,
    agent_id: str,
    opening: OpeningSession,
    now: datetime,
    *,
    reopen: bool,
    message_ids: Sequence[str] = (),
) -> tuple[bool, SessionState, list[KnownMessage]]:
    """Whether the session was made by this call, its state, and those of these messages that it holds; it is locked
    until the transaction ends."""
    row = await tx.row(
        "sessions/session_open",
        agent_id=agent_id,
        now=now,
        reopen=reopen,
        message_ids=list(message_ids),
        **asdict(opening),
    )
    assert row is not None  # noqa: S101 - MERGE always answers
    return bool(row["created"]), _state(row["session"]), [_known(known) for known in row["known"]]


async def session(tx: ReadTransaction, agent_id: str, session_id: str) -> SessionState | None:
    row = await tx.row("sessions/session", agent_id=agent_id, session_id=session_id)
    return _state(row["session"]) if row else None


async def session_lock(tx: WriteTransaction, agent_id: str, session_id: str) -> SessionState | None:
    row = await tx.row("sessions/session_lock", agent_id=agent_id, session_id=session_id)
    return _state(row["session"]) if row else None


async def session_page(
    tx: ReadTransaction,
    agent_id: str,
    project: str | None,
    source: str | None,
    before: tuple[datetime, str],
    limit: int,
) -> list[Session]:
    rows = await tx.rows(
        "sessions/session_page",
        agent_id=agent_id,
        project=project,
        source=source,
        before=before[0],
        before_id=before[1],
        limit=limit,
    )
    return [_state(row["session"]).session for row in rows]


async def session_tail(tx: ReadTransaction, agent_id: str, session_id: str, from_ordinal: int) -> list[KnownMessage]:
    rows = await tx.rows("sessions/session_tail", agent_id=agent_id, session_id=session_id, from_ordinal=from_ordinal)
    return [_known(row) for row in rows]


async def messages_append(tx: WriteTransaction, agent_id: str, session_id: str, rows: Sequence[MessageRow]) -> None:
    await tx.rows(
        "sessions/messages_append",
        agent_id=agent_id,
        session_id=session_id,
        first=rows[0].ordinal,
        tokens=sum(row.tokens for row in rows),
        rows=[
            {to_camel(key) if key != "agent_id" else key: value for key, value in asdict(row).items()} for row in rows
        ],
    )


async def message_page(
    tx: ReadTransaction, agent_id: str, session_id: str, after: int, limit: int
) -> list[StoredMessage]:
    rows = await tx.rows("sessions/message_page", agent_id=agent_id, session_id=session_id, after=after, limit=limit)
    return [_message(row["message"]) for row in rows]


async def message(tx: ReadTransaction, agent_id: str, message_id: str) -> StoredMessage | None:
    row = await tx.row("sessions/message", agent_id=agent_id, id=message_id)
    return _message(row["message"]) if row else None


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
            text=_text_of(row["message"])[0],
            created_at=_in_zone(row["message"]["createdAt"], row["message"]["offsetS"]),
        )
        for row in rows
    ]


async def session_end(tx: WriteTransaction, agent_id: str, session_id: str, now: datetime, gate: Gate) -> None:
    await tx.rows(
        "sessions/session_end", agent_id=agent_id, session_id=session_id, now=now, gate=gate.model_dump_json()
    )


async def session_end_job(tx: WriteTransaction, agent_id: str, session_id: str, job_id: str) -> None:
    await tx.rows("sessions/session_end_job", agent_id=agent_id, session_id=session_id, job_id=job_id)


async def session_end_result(tx: ReadTransaction, agent_id: str, session_id: str) -> EndReceipt | None:
    row = await tx.row("sessions/session_end_result", agent_id=agent_id, session_id=session_id)
    if row is None or row["gate"] is None:
        return None
    status = row["jobStatus"]
    return EndReceipt(
        session_id=session_id,
        gate=Gate.model_validate_json(row["gate"]),
        pipeline="failed" if status == "failed" else "done" if status == "done" else "queued",
        job_id=row["jobId"],
    )


async def session_extracted(
    tx: WriteTransaction, agent_id: str, session_id: str, expected: int, through: int, dropped: int
) -> bool:
    """Whether the mark was moved; False when another worker moved it first."""
    row = await tx.row(
        "sessions/session_extracted",
        agent_id=agent_id,
        session_id=session_id,
        expected=expected,
        through=through,
        dropped=dropped,
    )
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


async def summary_page(
    tx: ReadTransaction,
    agent_id: str,
    project: str | None,
    kind: str | None,
    session_id: str | None,
    before: tuple[datetime, str],
    limit: int,
) -> list[Summary]:
    rows = await tx.rows(
        "sessions/summary_page",
        agent_id=agent_id,
        project=project,
        kind=kind,
        session_id=session_id,
        before=before[0],
        before_id=before[1],
        limit=limit,
    )
    return [Summary.model_validate(row["summary"]) for row in rows]


async def summary(tx: ReadTransaction, agent_id: str, summary_id: str) -> Summary | None:
    row = await tx.row("sessions/summary", agent_id=agent_id, id=summary_id)
    return Summary.model_validate(row["summary"]) if row else None


async def summary_messages(
    tx: ReadTransaction, agent_id: str, summary_id: str, after: int, limit: int
) -> list[StoredMessage]:
    rows = await tx.rows("sessions/summary_messages", agent_id=agent_id, id=summary_id, after=after, limit=limit)
    return [_message(row["message"]) for row in rows]


def _state(row: Row) -> SessionState:
    return SessionState(
        session=Session(
            session_id=row["id"],
            project=row["project"],
            source=row["source"],
            started_at=row["startedAt"],
            ended_at=row["endedAt"],
            messages=row["messages"],
            tokens=row["tokens"],
            context_window=row["contextWindow"],
            continues=row["continues"],
            metadata=_json(row["metadata"]),
        ),
        next_ordinal=row["nextOrdinal"],
        extracted_through=row["extractedThrough"],
    )


def _known(row: Row) -> KnownMessage:
    return KnownMessage(row["id"], row["messageId"], row["ordinal"], row["fingerprint"])


def _message(row: Row) -> StoredMessage:
    text, parts = _text_of(row)
    kept = {key: value for key, value in row.items() if key not in ("contentKind", "content")}
    return StoredMessage.model_validate(
        kept
        | {
            "content": text,
            "parts": parts,
            "toolCalls": _json(row["toolCalls"]),
            "metadata": _json(row["metadata"]),
            "contentTruncated": False,
        }
    )


def _text_of(row: Row) -> tuple[str, list[Any] | None]:
    """A message's text and, when it was sent in parts, the parts."""
    if row["contentKind"] == "text":
        return row["content"], None
    parts = json.loads(row["content"])
    return parts_text(parts), parts


def _in_zone(when: datetime, offset_s: int) -> datetime:
    return when.astimezone(timezone(timedelta(seconds=offset_s)))


def _json(text: str | None) -> Any:
    return None if text is None else json.loads(text)
