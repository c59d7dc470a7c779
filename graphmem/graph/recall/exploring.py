"""The neighbours of an entity, cold or not."""

from datetime import datetime

from graphmem.graph.connection import Database, ReadTransaction
from graphmem.model.exploring import ExploredFact, Neighbour
from graphmem.model.knowledge import EntityType


class ExploringStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def neighbours(self, agent_id: str, entity_id: str, now: datetime, *, cold: bool) -> list[Neighbour]:
        """At most 50 neighbours, the least mentioned first; with `cold` also those in the cold tier."""
        return await self._database.read(lambda tx: neighbours(tx, agent_id, entity_id, cold, now))


async def neighbours(tx: ReadTransaction, agent_id: str, id_: str, cold: bool, now: datetime) -> list[Neighbour]:
    row = await tx.row("exploring/neighbours", agent_id=agent_id, id=id_, cold=cold, now=now)
    return [
        Neighbour(
            id=one["id"],
            name=one["name"],
            type=EntityType(one["type"]),
            cold=one["cold"],
            mentions=one["mentions"],
            confidence=one["confidence"],
            dependency_id=one["dependencyId"],
            facts=tuple(ExploredFact(**fact) for fact in one["facts"]),
        )
        for one in (row["neighbours"] if row else ())
    ]
