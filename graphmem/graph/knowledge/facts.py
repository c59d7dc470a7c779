"""The facts of entities, as the rule of supersession compares them."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graphmem.graph.connection import ReadTransaction, utc
from graphmem.model.stored import ActiveFact


async def facts_active(tx: ReadTransaction, agent_id: str, entity_ids: Sequence[str]) -> list[ActiveFact]:
    rows = await tx.rows("knowledge/facts[active]", agent_id=agent_id, entity_ids=list(entity_ids))
    return [active_fact(row) for row in rows]


async def facts_claimed(
    tx: ReadTransaction, agent_id: str, topics: Sequence[str], values: Sequence[str]
) -> list[ActiveFact]:
    rows = await tx.rows("knowledge/facts_claimed", agent_id=agent_id, topics=list(topics), values=list(values))
    return [active_fact(row) for row in rows]


async def facts_past(
    tx: ReadTransaction, agent_id: str, entity_ids: Sequence[str], since: datetime
) -> list[ActiveFact]:
    rows = await tx.rows("knowledge/facts[past]", agent_id=agent_id, entity_ids=list(entity_ids), since=since)
    return [active_fact(row) for row in rows]


def active_fact(row: Mapping[str, Any]) -> ActiveFact:
    return ActiveFact(
        id=row["id"],
        entity_id=row["entityId"],
        aspect=row["aspect"],
        content=row["content"],
        kind=row["kind"],
        claim_key=row["claimKey"],
        confidence=row["confidence"],
        explicit=row["explicit"],
        pinned=row["pinned"],
        valid_from=utc(row["validFrom"]),
        created_at=utc(row["createdAt"]),
        superseded_by=row.get("supersededBy"),
        valid_to=utc(row["validTo"]) if row.get("validTo") else None,
        traits=row.get("traits"),
        claims=row.get("claims"),
        said_at=utc(row["saidAt"]) if row.get("saidAt") else None,
        session_ids=tuple(row.get("sessionIds") or ()),
    )
