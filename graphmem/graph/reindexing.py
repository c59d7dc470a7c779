"""Texts that are to be embedded anew."""

from graphmem.graph.connection import Database, ReadTransaction, WriteTransaction
from graphmem.model.inputs import HitKind
from graphmem.model.reindexing import TextsAnew
from graphmem.model.stored import WaitingText


class ReindexStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def counts(self, agent_id: str) -> dict[HitKind, int]:
        """How many texts there are of each kind; those of archived sessions have no vector."""
        return await self._database.read(lambda tx: texts_count(tx, agent_id))

    async def take(self, agent_id: str, after: str, limit: int) -> TextsAnew | None:
        """The next texts behind an id, from now on without a vector; None where there are none left."""
        return await self._database.write(lambda tx: texts_wait(tx, agent_id, after, limit))


async def texts_count(tx: ReadTransaction, agent_id: str) -> dict[HitKind, int]:
    row = await tx.row("reindex/texts_count", agent_id=agent_id) or {}
    return {
        "message": row.get("messages", 0),
        "memory": row.get("memories", 0),
        "attribute": row.get("attributes", 0),
        "summary": row.get("summaries", 0),
    }


async def texts_wait(tx: WriteTransaction, agent_id: str, after: str, limit: int) -> TextsAnew | None:
    rows = await tx.rows("reindex/texts_wait", agent_id=agent_id, after=after, limit=limit)
    if not rows:
        return None
    texts = tuple(WaitingText(row["node"], row["text"]) for row in rows if row["text"] is not None)
    return TextsAnew(texts, max(row["id"] for row in rows))
