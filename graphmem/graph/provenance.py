"""Where things come from, and what the hashes say of them."""

from collections.abc import Mapping

from graphmem.graph.connection import Database, ReadTransaction
from graphmem.model.provenance import Derivation, Direction, KeptMessage
from graphmem.model.stored import FoundIds

LONG_S = 120.0
"""Seconds one look may take: it goes over everything an agent has."""
_WALKS: Mapping[Direction, str] = {"inputs": "provenance/inputs", "dependents": "provenance/dependents"}


class ProvenanceStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def walk(
        self, agent_id: str, id_: str, direction: Direction, max_depth: int, after: tuple[int, str], limit: int
    ) -> list[Derivation]:
        """Things behind (depth, id), each at its fewest steps."""
        return await self._database.read(lambda tx: walk(tx, agent_id, id_, direction, max_depth, after, limit))

    async def messages(self, agent_id: str, after: str, limit: int) -> list[KeptMessage]:
        """Messages behind an id."""
        return await self._database.read(lambda tx: messages_kept(tx, agent_id, after, limit), timeout_s=LONG_S)

    async def changed(self, agent_id: str) -> FoundIds:
        """Statements whose messages say something else now."""
        return await self._database.read(lambda tx: inputs_changed(tx, agent_id), timeout_s=LONG_S)

    async def missing(self, agent_id: str) -> list[FoundIds]:
        """What was made of something that is gone."""
        return await self._database.read(lambda tx: inputs_missing(tx, agent_id), timeout_s=LONG_S)


async def walk(
    tx: ReadTransaction,
    agent_id: str,
    id_: str,
    direction: Direction,
    max_depth: int,
    after: tuple[int, str],
    limit: int,
) -> list[Derivation]:
    rows = await tx.rows(
        _WALKS[direction],
        literal=max_depth,
        agent_id=agent_id,
        id=id_,
        after_depth=after[0],
        after=after[1],
        limit=limit,
    )
    return [Derivation(**row["step"]) for row in rows]


async def messages_kept(tx: ReadTransaction, agent_id: str, after: str, limit: int) -> list[KeptMessage]:
    rows = await tx.rows("provenance/messages_kept", agent_id=agent_id, after=after, limit=limit)
    return [KeptMessage(row["id"], row["content"], row["sha256"], row["moved"]) for row in rows]


async def inputs_changed(tx: ReadTransaction, agent_id: str) -> FoundIds:
    row = await tx.row("provenance/inputs_changed", agent_id=agent_id)
    return FoundIds("statement", row["number"], tuple(row["ids"])) if row else FoundIds("statement", 0, ())


async def inputs_missing(tx: ReadTransaction, agent_id: str) -> list[FoundIds]:
    rows = await tx.rows("provenance/inputs_missing", agent_id=agent_id)
    return [FoundIds(row["kind"], row["number"], tuple(row["ids"])) for row in rows]
