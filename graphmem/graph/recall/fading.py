"""The standing of things that got feedback, and its fading, with history."""

from collections.abc import Callable, Sequence
from datetime import datetime

from graphmem.graph.connection import Database, ReadTransaction, WriteTransaction
from graphmem.graph.operation.jobs import events_write
from graphmem.model.feedback import FadedRow, GivenStanding, Standing
from graphmem.rules.keeping.history import Line, told


class FadingStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def agent_after(self, agent_id: str) -> str | None:
        """The next agent that gave feedback, by name; None after the last."""
        return await self._database.read(lambda tx: agent_after(tx, agent_id))

    async def session_ends(self, agent_id: str, limit: int) -> list[datetime]:
        """When the last sessions ended, the last one first."""
        return await self._database.read(lambda tx: session_ends(tx, agent_id, limit))

    async def standings(self, agent_id: str, after: str, limit: int) -> tuple[str | None, list[GivenStanding]]:
        """The last id of the next `limit` things that got feedback, and those of them whose standing it changed; None
        after the last."""
        return await self._database.read(lambda tx: standings(tx, agent_id, after, limit))

    async def fade(
        self, agent_id: str, rows: Sequence[FadedRow], new_id: Callable[[], str], now: datetime
    ) -> list[str]:
        """The ids of what faded, each with an event; without what got feedback since it was read."""

        async def work(tx: WriteTransaction) -> list[str]:
            done = await fade(tx, agent_id, rows)
            faded = [row for row in rows if row.moved.id in done]
            lines = [
                Line(
                    "feedback_faded",
                    row.moved.id,
                    {"weight": row.moved.before},
                    {"weight": row.moved.after},
                    f"{row.sessions} sessions ended since.",
                )
                for row in faded
            ]
            if lines:
                await events_write(tx, agent_id, told(lines, "upkeep", now, [new_id()]))
            return [row.moved.id for row in faded]

        return await self._database.write(work) if rows else []


async def agent_after(tx: ReadTransaction, agent_id: str) -> str | None:
    row = await tx.row("upkeep/agent_after[feedback]", after=agent_id)
    return str(row["agent_id"]) if row else None


async def session_ends(tx: ReadTransaction, agent_id: str, limit: int) -> list[datetime]:
    return [row["at"] for row in await tx.rows("feedback/session_ends", agent_id=agent_id, limit=limit)]


async def standings(
    tx: ReadTransaction, agent_id: str, after: str, limit: int
) -> tuple[str | None, list[GivenStanding]]:
    row = await tx.row("feedback/standings", agent_id=agent_id, after=after, limit=limit)
    if row is None or row["last"] is None:
        return None, []
    return row["last"], [
        GivenStanding(
            Standing(one["id"], one["id"], one["kind"], one["weight"], one["own"], one["feedback"]), one["since"]
        )
        for one in row["things"]
    ]


async def fade(tx: WriteTransaction, agent_id: str, rows: Sequence[FadedRow]) -> set[str]:
    done = await tx.rows(
        "feedback/fade",
        agent_id=agent_id,
        rows=[
            {
                "id": row.moved.id,
                "stood": row.stood,
                "feedback": row.moved.feedback,
                "own": row.moved.own,
                "before": row.moved.before,
                "after": row.moved.after,
                "through": row.through,
            }
            for row in rows
        ],
    )
    return {row["id"] for row in done}
