"""What an export reads: entities, facts and dependencies, in batches."""

from collections.abc import Sequence

from graphmem.graph.connection import Database, ReadTransaction
from graphmem.model.knowledge import Dependency, Entity, ExportedFact
from graphmem.model.stored import Moment
from graphmem.rules.claims import unpacked


class ExportStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def entities(self, agent_id: str, after: str, limit: int, when: Moment) -> list[tuple[Entity, str]]:
        """Entities after a canonical name, each with its own canonical name."""
        return await self._database.read(lambda tx: export_entities(tx, agent_id, after, limit, when))

    async def facts(self, agent_id: str, ids: Sequence[str], when: Moment, *, superseded: bool) -> list[ExportedFact]:
        return await self._database.read(lambda tx: export_facts(tx, agent_id, ids, when, superseded=superseded))

    async def edges(self, agent_id: str, ids: Sequence[str], when: Moment) -> list[Dependency]:
        """The dependencies of these entities."""
        return await self._database.read(lambda tx: export_edges(tx, agent_id, ids, when))


async def export_entities(
    tx: ReadTransaction, agent_id: str, after: str, limit: int, when: Moment
) -> list[tuple[Entity, str]]:
    rows = await tx.rows(
        "knowledge/entity_page[exported]", agent_id=agent_id, after=after, limit=limit, known_at=when.known_at
    )
    return [(Entity.model_validate(row["entity"]), row["canonical"]) for row in rows]


async def export_facts(
    tx: ReadTransaction, agent_id: str, ids: Sequence[str], when: Moment, *, superseded: bool
) -> list[ExportedFact]:
    rows = await tx.rows(
        "export/facts",
        agent_id=agent_id,
        ids=list(ids),
        superseded=superseded,
        as_of=when.as_of,
        known_at=when.known_at,
    )
    return [
        ExportedFact.model_validate(row["attribute"] | {"claims": unpacked(row["claims"]), "said_at": row["saidAt"]})
        for row in rows
    ]


async def export_edges(tx: ReadTransaction, agent_id: str, ids: Sequence[str], when: Moment) -> list[Dependency]:
    rows = await tx.rows(
        "knowledge/dependencies_of[exported]",
        agent_id=agent_id,
        ids=list(ids),
        as_of=when.as_of,
        known_at=when.known_at,
    )
    return [Dependency.model_validate(row["dependency"]) for row in rows]
