"""Known things by their names or ids."""

from collections.abc import Sequence

from graphmem.graph.connection import ReadTransaction
from graphmem.model.knowledge import Attribute, Dependency, Entity, Memory
from graphmem.model.stored import KnownEntity


async def names(tx: ReadTransaction, agent_id: str, canonical_names: Sequence[str]) -> list[KnownEntity]:
    rows = await tx.rows("knowledge/names[rows]", agent_id=agent_id, names=list(canonical_names))
    return [KnownEntity(r["canonical"], r["own"], r["id"], r["name"], r["type"], r["pinned"]) for r in rows]


async def names_beginning(tx: ReadTransaction, agent_id: str, beginning: str, limit: int) -> list[KnownEntity]:
    rows = await tx.rows("knowledge/names_beginning", agent_id=agent_id, beginning=beginning, limit=limit)
    return [KnownEntity(r["canonical"], r["own"], r["id"], r["name"], r["type"], r["pinned"]) for r in rows]


async def entities(tx: ReadTransaction, agent_id: str, ids: Sequence[str]) -> list[Entity]:
    rows = await tx.rows("knowledge/by_id[entities]", agent_id=agent_id, ids=list(ids))
    return [Entity.model_validate(row["entity"]) for row in rows]


async def attributes(tx: ReadTransaction, agent_id: str, ids: Sequence[str]) -> list[Attribute]:
    if not ids:
        return []
    rows = await tx.rows("knowledge/by_id[attributes]", agent_id=agent_id, ids=list(ids))
    return [Attribute.model_validate(row["attribute"]) for row in rows]


async def memories(tx: ReadTransaction, agent_id: str, ids: Sequence[str]) -> list[Memory]:
    rows = await tx.rows("knowledge/by_id[memories]", agent_id=agent_id, ids=list(ids))
    return [Memory.model_validate(row["memory"]) for row in rows]


async def dependencies(tx: ReadTransaction, agent_id: str, ids: Sequence[str]) -> list[Dependency]:
    if not ids:
        return []
    rows = await tx.rows("knowledge/by_id[dependencies]", agent_id=agent_id, ids=list(ids))
    return [Dependency.model_validate(row["dependency"]) for row in rows]
