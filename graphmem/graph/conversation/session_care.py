"""Sessions as operators maintain them: where their replay begins, which are archived, what leaves them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime

from pydantic.alias_generators import to_camel

from graphmem.graph.connection import Database, ReadTransaction, WriteTransaction
from graphmem.graph.continuity.condensing import line_settle
from graphmem.graph.conversation.payloads import payloads_link
from graphmem.graph.knowledge.cold import restore_with_session, send_with_session
from graphmem.graph.operation.doctor import raw_message
from graphmem.graph.operation.jobs import events_write
from graphmem.model.care import Frontier, Rotation, SessionLine
from graphmem.model.change import EventRow, PayloadRow, RewriteRow
from graphmem.model.stored import RawMessage
from graphmem.rules.language.keys import agent_key
from graphmem.rules.privacy.rewriting import SHORT_CHARS

MOST_MEMORIES = 10_000
BATCH = 200
"""Memories in one transaction."""


class SessionCareStore:
    def __init__(self, database: Database, arc_sessions: int = 8) -> None:
        self._database = database
        self._arc_sessions = arc_sessions

    async def lines(self, agent_id: str, after: str, limit: int) -> list[SessionLine]:
        """Sessions after an id."""
        return await self._database.read(lambda tx: session_lines(tx, agent_id, after, limit))

    async def frontier(self, agent_id: str, session_id: str) -> Frontier | None:
        return await self._database.read(lambda tx: session_frontier(tx, agent_id, session_id))

    async def uncovered(self, agent_id: str, session_id: str, from_ordinal: int, to_ordinal: int) -> int:
        """How many messages of [from, to) are in no summary."""
        return await self._database.read(
            lambda tx: messages_uncovered(tx, agent_id, session_id, from_ordinal, to_ordinal), timeout_s=60
        )

    async def rotate(self, agent_id: str, rotation: Rotation, event: EventRow) -> bool:
        """Move the frontier; False if it was moved since it was read."""

        async def work(tx: WriteTransaction) -> bool:
            moved = await session_rotate(tx, agent_id, rotation, event.at)
            if moved:
                await events_write(tx, agent_id, [event])
            return moved

        return await self._database.write(work)

    async def mark_archived(self, agent_id: str, session_id: str, event: EventRow) -> int:
        """Mark the session and return the number of its messages. Its parts follow, in separate transactions."""

        async def work(tx: WriteTransaction) -> int:
            messages, marked = await session_archive(tx, agent_id, session_id, event.at)
            await summaries_archive(tx, agent_id, session_id, event.at)
            if marked:
                await events_write(tx, agent_id, [event])
            await line_settle(tx, agent_id, session_id, event, self._arc_sessions, hide=True)
            return messages

        return await self._database.write(work)

    async def archive_messages(self, agent_id: str, session_id: str, ordinals: range, now: datetime) -> int:
        return await self._database.write(lambda tx: messages_archive(tx, agent_id, session_id, ordinals, now))

    async def restore_messages(self, agent_id: str, session_id: str, ordinals: range) -> int:
        return await self._database.write(lambda tx: messages_restore(tx, agent_id, session_id, ordinals))

    async def archive_knowledge(self, agent_id: str, session_id: str, event: EventRow) -> int:
        """Move memories that only archived sessions state to the cold tier, with the facts that nothing else supports;
        returns how many, a batch at most. 0: there are no more."""

        async def work(tx: WriteTransaction) -> int:
            ids = await memories_only_from(tx, agent_id, [session_id], BATCH)
            return await send_with_session(tx, agent_id, ids, session_id, event.id, event.at) if ids else 0

        return await self._database.write(work)

    async def restore_knowledge(self, agent_id: str, session_id: str, event: EventRow) -> int:
        """Restore memories from there; returns how many, a batch at most."""

        async def work(tx: WriteTransaction) -> int:
            ids = await memories_away_with(tx, agent_id, session_id, BATCH)
            return await restore_with_session(tx, agent_id, ids, event.id, event.at) if ids else 0

        return await self._database.write(work)

    async def mark_restored(self, agent_id: str, session_id: str, event: EventRow) -> bool:
        """The last step, when all messages are restored: summaries, and the session's own mark. Whether it had one."""

        async def work(tx: WriteTransaction) -> bool:
            await summaries_restore(tx, agent_id, session_id)
            restored = await session_restore(tx, agent_id, session_id, event.at)
            if restored:
                await events_write(tx, agent_id, [event])
                await line_settle(tx, agent_id, session_id, event, self._arc_sessions)
            return restored

        return await self._database.write(work)

    async def memories_only_from(self, agent_id: str, session_ids: Sequence[str]) -> list[str]:
        """Memories stated only in these sessions or in archived ones, and that no person gave or pinned."""
        return await self._database.read(
            lambda tx: memories_only_from(tx, agent_id, session_ids, MOST_MEMORIES), timeout_s=60
        )

    async def to_clean(
        self, agent_id: str, session_id: str, ordinals: range, limit: int
    ) -> list[tuple[int, RawMessage]]:
        """(ordinal, message) of tool results whose content may leave the session."""
        return await self._database.read(
            lambda tx: messages_to_clean(tx, agent_id, session_id, ordinals, limit), timeout_s=60
        )

    async def rewrite(
        self, agent_id: str, rows: Sequence[RewriteRow], payloads: Mapping[str, Sequence[PayloadRow]], event: EventRow
    ) -> list[str]:
        """The messages whose texts were replaced; their originals are linked to them as `payloads`, by message id."""

        async def work(tx: WriteTransaction) -> list[str]:
            ids = await messages_rewrite(tx, agent_id, rows, event.at)
            if ids:
                await payloads_link(tx, agent_id, ids, payloads)
                await events_write(tx, agent_id, [replace(event, after=json.dumps({"ids": ids}))])
            return ids

        return await self._database.write(work)


async def session_lines(tx: ReadTransaction, agent_id: str, after: str, limit: int) -> list[SessionLine]:
    rows = await tx.rows("sessions/behind[lines]", agent_id=agent_id, after=after, limit=limit)
    return [
        SessionLine(
            id=row["session"]["id"],
            project=row["session"]["project"],
            source=row["session"]["source"],
            messages=row["session"]["messages"],
            next_ordinal=row["session"]["nextOrdinal"],
            started_at=row["session"]["startedAt"],
            ended_at=row["session"]["endedAt"],
            archived_at=row["session"]["archivedAt"],
        )
        for row in rows
    ]


async def session_frontier(tx: ReadTransaction, agent_id: str, session_id: str) -> Frontier | None:
    row = await tx.row("sessions/session[frontier]", agent_id=agent_id, session_id=session_id)
    if row is None:
        return None
    return Frontier(row["source"], row["nextOrdinal"], row["frontier"], row["extractedThrough"], row["archivedAt"])


async def messages_uncovered(
    tx: ReadTransaction, agent_id: str, session_id: str, from_ordinal: int, to_ordinal: int
) -> int:
    row = await tx.row(
        "sessions/stretch[uncovered]",
        agent_id=agent_id,
        session_id=session_id,
        from_ordinal=from_ordinal,
        to_ordinal=to_ordinal,
    )
    return int(row["number"]) if row else 0


async def session_rotate(tx: WriteTransaction, agent_id: str, rotation: Rotation, now: datetime) -> bool:
    row = await tx.row(
        "sessions/session_advance[rotated]",
        agent_id=agent_id,
        session_id=rotation.session_id,
        expected=rotation.before,
        frontier=rotation.frontier,
        now=now,
    )
    return row is not None


async def session_archive(tx: WriteTransaction, agent_id: str, session_id: str, now: datetime) -> tuple[int, bool]:
    row = await tx.row("care/session_mark[archive]", agent_id=agent_id, session_id=session_id, now=now)
    return (int(row["nextOrdinal"]), bool(row["marked"])) if row else (0, False)


async def session_restore(tx: WriteTransaction, agent_id: str, session_id: str, now: datetime) -> bool:
    row = await tx.row("care/session_mark[restore]", agent_id=agent_id, session_id=session_id, now=now)
    return row is not None


async def messages_archive(tx: WriteTransaction, agent_id: str, session_id: str, ordinals: range, now: datetime) -> int:
    row = await tx.row(
        "care/archive[messages]",
        agent_id=agent_id,
        session_id=session_id,
        from_ordinal=ordinals.start,
        to_ordinal=ordinals.stop,
        now=now,
    )
    return int(row["number"]) if row else 0


async def messages_restore(tx: WriteTransaction, agent_id: str, session_id: str, ordinals: range) -> int:
    row = await tx.row(
        "care/restore[messages]",
        agent_id=agent_id,
        agent_key=agent_key(agent_id),
        session_id=session_id,
        from_ordinal=ordinals.start,
        to_ordinal=ordinals.stop,
    )
    return int(row["number"]) if row else 0


async def summaries_archive(tx: WriteTransaction, agent_id: str, session_id: str, now: datetime) -> None:
    await tx.rows("care/archive[summaries]", agent_id=agent_id, session_id=session_id, now=now)


async def summaries_restore(tx: WriteTransaction, agent_id: str, session_id: str) -> None:
    await tx.rows("care/restore[summaries]", agent_id=agent_id, agent_key=agent_key(agent_id), session_id=session_id)


async def memories_only_from(tx: ReadTransaction, agent_id: str, session_ids: Sequence[str], limit: int) -> list[str]:
    rows = await tx.rows("care/memories_only_from", agent_id=agent_id, session_ids=list(session_ids), limit=limit)
    return [row["id"] for row in rows]


async def memories_away_with(tx: ReadTransaction, agent_id: str, session_id: str, limit: int) -> list[str]:
    rows = await tx.rows("care/memories_away_with", agent_id=agent_id, session_id=session_id, limit=limit)
    return [row["id"] for row in rows]


async def messages_to_clean(
    tx: ReadTransaction, agent_id: str, session_id: str, ordinals: range, limit: int
) -> list[tuple[int, RawMessage]]:
    rows = await tx.rows(
        "care/messages_to_clean",
        agent_id=agent_id,
        session_id=session_id,
        from_ordinal=ordinals.start,
        to_ordinal=ordinals.stop,
        chars=SHORT_CHARS,
        limit=limit,
    )
    return [(row["ordinal"], raw_message(row["message"])) for row in rows]


async def messages_rewrite(tx: WriteTransaction, agent_id: str, rows: Sequence[RewriteRow], now: datetime) -> list[str]:
    given = [{to_camel(key): value for key, value in asdict(row).items()} for row in rows]
    return [row["id"] for row in await tx.rows("care/messages_rewrite", agent_id=agent_id, rows=given, now=now)]
