"""What happened to one thing, as the events and links of the graph tell it."""

import json
from collections.abc import Sequence
from datetime import datetime

from graphmem.graph.connection import Database, ReadTransaction
from graphmem.model.answers import HistoryItem


class HistoryStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, agent_id: str, ids: Sequence[str], after: tuple[datetime, str], limit: int) -> list[HistoryItem]:
        """What happened to these things behind (at, id), oldest first."""
        return await self._database.read(lambda tx: history(tx, agent_id, ids, after, limit))


async def history(
    tx: ReadTransaction, agent_id: str, ids: Sequence[str], after: tuple[datetime, str], limit: int
) -> list[HistoryItem]:
    rows = await tx.rows(
        "upkeep/history", agent_id=agent_id, ids=list(ids), after=after[0], after_id=after[1], limit=limit
    )
    return [
        HistoryItem.model_validate(
            row | {field: json.loads(row[field]) if row[field] else None for field in ("before", "after")}
        )
        for row in rows
    ]
