"""The edges of a blast radius, and what supports a fact or an edge."""

from collections.abc import Sequence

from graphmem.graph.connection import Database, ReadTransaction, Row, utc
from graphmem.graph.moments import at
from graphmem.model.impact import Support
from graphmem.model.knowledge import Dependency, DependencyType, EntityType, NamedRef
from graphmem.model.stored import Moment, Walk

NODE_CAP, EDGE_CAP = 5_000, 20_000
"""Bounds of a blast radius. Source: measured, 100,000 entities and 500,000 edges answer in under 0.3 s for any hub."""
WALK_TIMEOUT_S = 5.0
_ACTIVE = 12
"""Where `knowledge/by_id[dependencies_short]` says whether an edge is active."""
_NOW = {"upstream": "impact/walk[up]", "downstream": "impact/walk[down]"}
_THEN = {"upstream": "impact/walk[up_then]", "downstream": "impact/walk[down_then]"}


class ImpactStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def walk(
        self,
        agent_id: str,
        entity_id: str,
        direction: str,
        *,
        max_depth: int,
        min_confidence: float,
        types: Sequence[str] | None,
        when: Moment,
        node_cap: int = NODE_CAP,
        edge_cap: int = EDGE_CAP,
    ) -> Walk:
        """The edges on a walk `upstream` or `downstream`, nearest entities first.

        Errors: DatabaseBusy when it takes too long.
        """
        return await self._database.read(
            lambda tx: walk(
                tx, agent_id, entity_id, direction, max_depth, min_confidence, types, when, node_cap, edge_cap
            ),
            timeout_s=WALK_TIMEOUT_S,
        )

    async def edges(self, agent_id: str, ids: Sequence[str], *, active_only: bool = False) -> dict[str, Dependency]:
        """Edges by id; unknown ids are left out."""
        return await self._database.read(lambda tx: edges(tx, agent_id, ids, active_only=active_only))

    async def entities(self, agent_id: str, ids: Sequence[str]) -> dict[str, tuple[str, EntityType]]:
        """Names and types of entities by id; unknown ids are left out."""
        return await self._database.read(lambda tx: entities(tx, agent_id, ids))

    async def fact_edges(self, agent_id: str, attribute_id: str) -> list[Support]:
        """The active edges that a fact states."""
        return await self._database.read(lambda tx: fact_edges(tx, agent_id, attribute_id))

    async def fact_memories(self, agent_id: str, attribute_id: str) -> list[tuple[Support, str]]:
        """The active memories a fact was extracted from, with their texts."""
        return await self._database.read(lambda tx: fact_memories(tx, agent_id, attribute_id))


async def walk(
    tx: ReadTransaction,
    agent_id: str,
    entity_id: str,
    direction: str,
    max_depth: int,
    min_confidence: float,
    types: Sequence[str] | None,
    when: Moment,
    node_cap: int,
    edge_cap: int,
) -> Walk:
    name, time = at(when, _NOW[direction], _THEN[direction])
    (found,) = await tx.rows(
        name,
        literal=max_depth - 1,
        agent_id=agent_id,
        id=entity_id,
        min_confidence=min_confidence,
        types=list(types) if types else None,
        node_cap=node_cap,
        edge_cap=edge_cap,
        **time,
    )
    return Walk(
        found["near"],
        found["far"],
        found["edges"],
        found["confidences"],
        found["looked"],
        capped=capped(found, node_cap, edge_cap),
    )


def capped(found: Row, node_cap: int, edge_cap: int) -> bool:
    """Whether a cap cut a walk. A leaf is a separate row in the stream, so it counts as one."""
    return bool(found["looked"] >= node_cap or found["streamed"] >= edge_cap)


async def edges(tx: ReadTransaction, agent_id: str, ids: Sequence[str], *, active_only: bool) -> dict[str, Dependency]:
    if not ids:
        return {}
    (found,) = await tx.rows("knowledge/by_id[dependencies_short]", agent_id=agent_id, ids=list(ids))
    return {row[0]: _edge(*row) for row in found["edges"] if row[_ACTIVE] or not active_only}


async def entities(tx: ReadTransaction, agent_id: str, ids: Sequence[str]) -> dict[str, tuple[str, EntityType]]:
    if not ids:
        return {}
    (found,) = await tx.rows("knowledge/by_id[entities_short]", agent_id=agent_id, ids=list(ids))
    return {id_: (name, EntityType(type_)) for id_, name, type_ in found["entities"]}


async def fact_edges(tx: ReadTransaction, agent_id: str, attribute_id: str) -> list[Support]:
    rows = await tx.rows("impact/fact_edges", agent_id=agent_id, id=attribute_id)
    return [Support(row["id"], row["supports"]) for row in rows]


async def fact_memories(tx: ReadTransaction, agent_id: str, attribute_id: str) -> list[tuple[Support, str]]:
    rows = await tx.rows("impact/fact_memories", agent_id=agent_id, id=attribute_id)
    return [(Support(row["id"], row["supports"]), row["content"]) for row in rows]


def _edge(
    id_: str,
    source_id: str,
    source_name: str,
    target_id: str,
    target_name: str,
    type_: str,
    confidence: float,
    strength: float,
    reason: str | None,
    valid_from: str,
    valid_to: str | None,
    extraction_level: int,
    _active: bool,
    message_ids: Sequence[str],
) -> Dependency:
    # Stored values were validated when they were written: validating them again takes longer than reading them.
    return Dependency.model_construct(
        id=id_,
        source=NamedRef.model_construct(id=source_id, name=source_name),
        target=NamedRef.model_construct(id=target_id, name=target_name),
        type=DependencyType(type_),
        confidence=confidence,
        strength=strength,
        reason=reason,
        valid_from=utc(valid_from),
        valid_to=utc(valid_to) if valid_to else None,
        message_ids=tuple(message_ids),
        extraction_level=extraction_level,
    )
