"""What determines the confidence of dependencies, and its new value, with its history."""

from collections.abc import Callable, Sequence
from datetime import datetime

from graphmem.graph.connection import Database, ReadTransaction, WriteTransaction
from graphmem.graph.operation.jobs import events_write
from graphmem.model.living import EdgeStanding, SettledEdge
from graphmem.rules.keeping.history import Line, told


class LivingStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def edges(self, agent_id: str, after: str, limit: int) -> tuple[str | None, list[EdgeStanding]]:
        """The last id of the next `limit` edges after an id, and those of them that may have to change; None after the
        last."""
        return await self._database.read(lambda tx: edges(tx, agent_id, after, limit))

    async def settle(
        self, agent_id: str, rows: Sequence[SettledEdge], new_id: Callable[[], str], now: datetime
    ) -> list[str]:
        """The ids of what was changed, each with an event; without what was written since it was read."""

        async def work(tx: WriteTransaction) -> list[str]:
            done = await settle(tx, agent_id, rows)
            lines = [
                Line(
                    "confidence_moved",
                    row.id,
                    {"confidence": row.before},
                    {"confidence": row.after} | ({} if row.given is None else {"given": row.given}),
                    row.reason,
                )
                for row in rows
                if row.id in done and row.before != row.after
            ]
            if lines:
                await events_write(tx, agent_id, told(lines, "upkeep", now, [new_id()]))
            return [line.subject_id for line in lines]

        return await self._database.write(work) if rows else []

    async def mark(self, chore: str) -> tuple[str, str] | None:
        """The agent and the id after which a chore continues; None where it begins."""
        return await self._database.read(lambda tx: chore_mark(tx, chore))

    async def note_mark(self, chore: str, mark: tuple[str, str] | None) -> None:
        await self._database.write(lambda tx: chore_mark_note(tx, chore, mark))


async def edges(tx: ReadTransaction, agent_id: str, after: str, limit: int) -> tuple[str | None, list[EdgeStanding]]:
    row = await tx.row("living/edges", agent_id=agent_id, after=after, limit=limit)
    if row is None or row["last"] is None:
        return None, []
    return row["last"], [
        EdgeStanding(
            id=one["id"],
            confidence=one["confidence"],
            given=one["given"],
            living=one["living"],
            pinned=one["pinned"],
            by_code=one["byCode"],
            sources=one["sources"],
            single=one["single"],
            contradictions=one["contradictions"],
            said_at=one["saidAt"],
            used_at=one["usedAt"],
        )
        for one in row["edges"]
    ]


async def settle(tx: WriteTransaction, agent_id: str, rows: Sequence[SettledEdge]) -> set[str]:
    done = await tx.rows(
        "living/settle",
        agent_id=agent_id,
        rows=[{"id": row.id, "before": row.before, "after": row.after, "given": row.given} for row in rows],
    )
    return {row["id"] for row in done}


async def chore_mark(tx: ReadTransaction, name: str) -> tuple[str, str] | None:
    row = await tx.row("upkeep/lease_read[mark]", name=name)
    return (row["mark"][0], row["mark"][1]) if row and row["mark"] else None


async def chore_mark_note(tx: WriteTransaction, name: str, mark: tuple[str, str] | None) -> None:
    await tx.rows("upkeep/lease_note[mark]", name=name, mark=list(mark) if mark else None)
