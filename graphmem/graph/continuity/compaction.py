"""Sessions as compaction reads them, and the leaves and condensed summaries it puts over them."""

from datetime import datetime

from graphmem.graph.connection import Database, ReadTransaction, WriteTransaction, utc
from graphmem.graph.operation.jobs import events_write, job_create
from graphmem.model.change import EventRow, OpeningSession
from graphmem.model.compaction import (
    BacklogMessage,
    CompactionNode,
    CompactionState,
    CondensedRow,
    Draft,
    Edge,
    LeafRow,
)
from graphmem.rules.language.keys import sha256_hex

JOB = "compact_session"
MOST_FORMER = 100
"""Most ids of a chain of sessions that the newest one stores: those of the last ones."""
HEAD_CHARS, TAIL_CHARS = 16_000, 8_000
"""Longest message read whole; of a longer one beginning and end: neither a model nor the rules use more."""
RESULT_HEAD_CHARS, RESULT_TAIL_CHARS = 60_000, 190_000
"""The same for tool results, of which the verdict stands at the end, and what failed anywhere."""


class CompactionStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def state(self, agent_id: str, session_id: str, fresh_tail: int) -> CompactionState | None:
        return await self._database.read(lambda tx: session_state(tx, agent_id, session_id, fresh_tail))

    async def backlog(
        self, agent_id: str, session_id: str, from_ordinal: int, to_ordinal: int, limit: int
    ) -> list[BacklogMessage]:
        """Messages of [from, to), in order."""
        return await self._database.read(lambda tx: backlog(tx, agent_id, session_id, from_ordinal, to_ordinal, limit))

    async def waiting_tokens(self, agent_id: str, session_id: str, from_ordinal: int, to_ordinal: int) -> int:
        """The tokens of the messages of [from, to)."""
        return await self._database.read(lambda tx: waiting_tokens(tx, agent_id, session_id, from_ordinal, to_ordinal))

    async def store_leaf(self, agent_id: str, session_id: str, row: LeafRow, event: EventRow) -> bool:
        """Store the leaf; False where another writer covered its messages meanwhile."""

        async def work(tx: WriteTransaction) -> bool:
            stored = await leaf_store(tx, agent_id, session_id, row, event.at)
            if stored:
                await events_write(tx, agent_id, [event])
            return stored

        return await self._database.write(work)

    async def store_condensed(self, agent_id: str, session_id: str, row: CondensedRow, event: EventRow) -> bool:
        """Store the node; False where another writer condensed a part of it meanwhile."""

        async def work(tx: WriteTransaction) -> bool:
            stored = await condensed_store(tx, agent_id, session_id, row, event.at)
            if stored:
                await events_write(tx, agent_id, [event])
            return stored

        return await self._database.write(work)

    async def uncompacted(self, fresh_tail: int, before: datetime, limit: int) -> list[tuple[str, str]]:
        """(agent, session) of sessions that exceed their thresholds and have no job yet: those that are analysed up to
        their fresh tails, or whose analysis has not advanced since `before`."""
        return await self._database.read(lambda tx: uncompacted(tx, fresh_tail, before, limit))

    async def enqueue(self, agent_id: str, session_id: str, job_id: str, now: datetime) -> str:
        """The id of the job that compacts a session: the existing one, else a new one."""

        async def work(tx: WriteTransaction) -> str:
            await session_queued(tx, agent_id, session_id)
            return await job_create(
                tx, agent_id, job_id=job_id, kind=JOB, subject_id=session_id, input_json="{}", now=now
            )

        return await self._database.write(work)


async def session_state(tx: ReadTransaction, agent_id: str, session_id: str, fresh_tail: int) -> CompactionState | None:
    row = await tx.row("compaction/session_state", agent_id=agent_id, session_id=session_id, fresh_tail=fresh_tail)
    if row is None:
        return None
    found = row["state"]
    return CompactionState(
        session_id=found["id"],
        source=found["source"],
        project=found["project"],
        context_window=found["contextWindow"],
        next_ordinal=found["nextOrdinal"],
        compacted_through=found["compactedThrough"],
        recapped_through=found["recappedThrough"],
        tokens=found["tokens"],
        archived_at=found["archivedAt"],
        tops=tuple(CompactionNode(**(top | {"kept": tuple(top["kept"])})) for top in row["tops"]),
        edge=tuple(Edge(edge["ordinal"], edge["role"]) for edge in row["edge"]),
    )


async def backlog(
    tx: ReadTransaction, agent_id: str, session_id: str, from_ordinal: int, to_ordinal: int, limit: int
) -> list[BacklogMessage]:
    rows = await tx.rows(
        "compaction/backlog",
        agent_id=agent_id,
        session_id=session_id,
        from_ordinal=from_ordinal,
        to_ordinal=to_ordinal,
        head=HEAD_CHARS,
        tail=TAIL_CHARS,
        result_head=RESULT_HEAD_CHARS,
        result_tail=RESULT_TAIL_CHARS,
        limit=limit,
    )
    return [
        BacklogMessage(
            ordinal=row["message"]["ordinal"],
            role=row["message"]["role"],
            name=row["message"]["name"],
            text=row["message"]["text"],
            tokens=row["message"]["tokens"],
            tool_calls=row["message"]["toolCalls"],
            created_at=utc(row["message"]["createdAt"]),
            shift=row["message"]["shift"],
            importance=row["message"]["importance"],
        )
        for row in rows
    ]


async def waiting_tokens(
    tx: ReadTransaction, agent_id: str, session_id: str, from_ordinal: int, to_ordinal: int
) -> int:
    row = await tx.row(
        "sessions/stretch[tokens]",
        agent_id=agent_id,
        session_id=session_id,
        from_ordinal=from_ordinal,
        to_ordinal=to_ordinal,
    )
    return int(row["tokens"]) if row else 0


async def leaf_store(tx: WriteTransaction, agent_id: str, session_id: str, row: LeafRow, now: datetime) -> bool:
    stored = await tx.row(
        "compaction/leaf_store",
        agent_id=agent_id,
        session_id=session_id,
        first=row.first,
        through=row.through,
        now=now,
        **_written(row, row.draft),
    )
    return stored is not None


async def condensed_store(
    tx: WriteTransaction, agent_id: str, session_id: str, row: CondensedRow, now: datetime
) -> bool:
    stored = await tx.row(
        "compaction/condensed_store",
        agent_id=agent_id,
        session_id=session_id,
        depth=row.depth,
        child_ids=[child.id for child in row.children],
        now=now,
        **_written(row, row.draft),
    )
    return stored is not None


async def session_carry(tx: WriteTransaction, agent_id: str, opening: OpeningSession) -> None:
    """Make a new session begin with the summaries of the one that it continues."""
    await tx.rows(
        "compaction/session_carry",
        agent_id=agent_id,
        session_id=opening.session_id,
        continues=opening.continues,
        retain_depth=opening.retain_depth,
        most=MOST_FORMER,
    )


async def uncompacted(tx: ReadTransaction, fresh_tail: int, before: datetime, limit: int) -> list[tuple[str, str]]:
    rows = await tx.rows("compaction/uncompacted", fresh_tail=fresh_tail, before=before, limit=limit)
    return [(row["agent_id"], row["id"]) for row in rows]


async def session_queued(tx: WriteTransaction, agent_id: str, session_id: str) -> None:
    await tx.rows("sessions/session_note[queued]", agent_id=agent_id, session_id=session_id)


def _written(row: LeafRow | CondensedRow, draft: Draft) -> dict[str, object]:
    return {
        "id": row.id,
        "dag_key": f"compaction:{row.id}",
        "content": draft.content,
        "tokens": draft.tokens,
        "source_tokens": row.source_tokens,
        "level": draft.level,
        "method": draft.method,
        "by": draft.by,
        "sha256": sha256_hex(draft.content),
        "kept": list(draft.kept),
        "hint": draft.hint,
        "fallback": draft.fallback,
        "agent_key": row.agent_key,
        "grams": row.grams,
    }
