"""Texts to embed again."""

from collections.abc import Callable
from datetime import datetime

from graphmem.graph.connection import Database, ReadTransaction, WriteTransaction
from graphmem.graph.schema import FILLED_S, embedder, index_drop, indexes_await, made_by_schema, schema_state
from graphmem.model.inputs import HitKind
from graphmem.model.reindexing import TextsAnew
from graphmem.model.stored import WaitingText

BATCH = 2000
"""Texts that lose their vectors in one transaction."""


class ReindexStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def counts(self, agent_id: str) -> dict[HitKind, int]:
        """How many texts there are of each kind; those of archived sessions have no vector."""
        return await self._database.read(lambda tx: texts_count(tx, agent_id))

    async def take(self, agent_id: str, after: str, limit: int, *, waiting: bool) -> TextsAnew | None:
        """Remove the vectors of the next texts after an id, and return these; None where there are none left.
        `waiting`: only those that wait for one."""
        return await self._database.write(lambda tx: texts_wait(tx, agent_id, after, limit, waiting))

    async def agent_after(self, after: str) -> str | None:
        """The next agent with texts that wait for a vector."""
        return await self._database.read(lambda tx: agent_after(tx, after))


async def texts_count(tx: ReadTransaction, agent_id: str) -> dict[HitKind, int]:
    row = await tx.row("reindex/texts_count", agent_id=agent_id) or {}
    return {
        "message": row.get("messages", 0),
        "memory": row.get("memories", 0),
        "attribute": row.get("attributes", 0),
        "summary": row.get("summaries", 0),
    }


async def texts_wait(tx: WriteTransaction, agent_id: str, after: str, limit: int, waiting: bool) -> TextsAnew | None:
    rows = await tx.rows("reindex/texts_wait", agent_id=agent_id, after=after, limit=limit, waiting=waiting)
    if not rows:
        return None
    texts = tuple(WaitingText(row["node"], row["text"]) for row in rows if row["text"] is not None)
    return TextsAnew(texts, max(row["id"] for row in rows))


async def agent_after(tx: ReadTransaction, after: str) -> str | None:
    row = await tx.row("upkeep/agent_after[unembedded]", after=after)
    return row["agent_id"] if row else None


async def adopt(
    database: Database, embedder_id: str, dimensions: int, now: datetime, tell: Callable[[int], None]
) -> bool:
    """Move the store to another embedder: all vectors are removed, and the indexes get its dimensions. False where the
    store uses it already.

    If interrupted, the store keeps its embedder, and a repeat continues. `tell` is called with the number of texts that
    lost their vectors so far. Nothing else may be running: it would store vectors of the old embedder.
    """
    if await database.read(embedder) == (embedder_id, dimensions):
        return False
    lost = 0
    while dropped := await database.write(lambda tx: vectors_drop(tx, BATCH)):
        lost += dropped
        tell(lost)
    while await database.write(lambda tx: means_drop(tx, BATCH)):
        pass
    for name, made in made_by_schema((await schema_state(database)).applied).items():
        if made.of_vectors:
            await database.write(lambda tx, index=name: index_drop(tx, index))  # type: ignore[misc]
            await database.ddl([made.text], dimensions=dimensions)
    await database.read(lambda tx: indexes_await(tx, FILLED_S), timeout_s=FILLED_S + 30)
    await database.write(lambda tx: embedder_change(tx, embedder_id, dimensions, now))
    return True


async def vectors_drop(tx: WriteTransaction, limit: int) -> int:
    row = await tx.row("reindex/vectors_drop", limit=limit)
    return int(row["dropped"]) if row else 0


async def means_drop(tx: WriteTransaction, limit: int) -> int:
    row = await tx.row("reindex/means_drop", limit=limit)
    return int(row["dropped"]) if row else 0


async def embedder_change(tx: WriteTransaction, embedder_id: str, dimensions: int, now: datetime) -> None:
    await tx.rows("upkeep/embedder[changed]", id=embedder_id, dimensions=dimensions, now=now)
