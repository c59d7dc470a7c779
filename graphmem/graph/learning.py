"""Writing what was learned: a change is carried out whole, in the order its parts need each other."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graphmem.errors import PlanOutdated
from graphmem.graph.connection import ReadTransaction, WriteTransaction
from graphmem.graph.jobs import events_write
from graphmem.model.change import (
    AttributeRow,
    Change,
    DependencyRow,
    EntityRow,
    EventRow,
    MemoryRow,
    MentionRow,
    SupersessionRow,
    Written,
)
from graphmem.model.stored import ActiveFact
from graphmem.rules.identity import agent_key, dependency_key, fact_key
from graphmem.rules.learning import rivals_missed
from graphmem.rules.text import canonical_name


async def write_change(tx: WriteTransaction, agent_id: str, change: Change, now: datetime) -> Written:
    """Carry a change out in the order its parts need each other."""
    entity_ids = await entities_merge(tx, agent_id, change.entities, now)
    if change.seen and change.attributes:  # the entities are locked now: nobody adds a fact to them any more
        about = sorted({entity_ids[row.entity] for row in change.attributes})
        if rivals_missed(change, entity_ids, await facts_active(tx, agent_id, about), now):
            raise PlanOutdated("A fact came in between that the new ones retire.")
    memory_ids, new_memories = await memories_merge(tx, agent_id, change.memories)
    await mentions_create(tx, agent_id, change.mentions, entity_ids)
    await memory_mentions(tx, agent_id, change.memories, memory_ids, entity_ids)
    attribute_ids, new_attributes = await attributes_merge(tx, agent_id, change.attributes, entity_ids, memory_ids, now)
    edges = await dependencies_merge(tx, agent_id, change.dependencies, entity_ids, memory_ids, attribute_ids, now)
    applied = await supersessions_apply(tx, agent_id, change.applied, attribute_ids, now)
    if len(applied) != len(change.applied):
        raise PlanOutdated(
            f"{len(change.applied) - len(applied)} of {len(change.applied)} facts changed before they were retired."
        )
    proposed = await supersessions_propose(tx, agent_id, change.proposed, attribute_ids, now)
    retired = [old for _, old, _ in applied]
    if retired:
        await memories_restate(tx, agent_id, retired)
        await dependencies_retire(tx, agent_id, retired, now)
    lines = [
        *(("memory_created", id_, None, {"memory": id_}, None) for id_ in sorted(new_memories)),
        *(("attribute_created", id_, None, {"attribute": id_}, None) for id_ in sorted(new_attributes)),
        *(("dependency_created", edge.id, None, {"dependency": edge.id}, None) for edge in edges if edge.created),
        *(
            (
                "superseded",
                old,
                {"status": "active"},
                {"status": "superseded", "by": new, "supersession": id_},
                row.reason,
            )
            for (id_, old, new), row in zip(applied, change.applied, strict=True)
        ),
        *(
            ("supersession_proposal", old, None, {"by": new, "supersession": id_}, row.reason)
            for (id_, old, new), row in zip(proposed, change.proposed, strict=False)
        ),
    ]
    await events_write(tx, agent_id, _history(lines, change, now))
    return Written(
        entity_ids=entity_ids,
        memory_ids=memory_ids,
        attribute_ids=attribute_ids,
        dependency_ids=tuple(edge.id for edge in edges),
        created_memories=new_memories,
        created_attributes=new_attributes,
        created_dependencies=frozenset(edge.id for edge in edges if edge.created),
        superseded=tuple(id_ for id_, _, _ in applied),
        proposed=tuple(id_ for id_, _, _ in proposed),
    )


Line = tuple[str, str, Mapping[str, Any] | None, Mapping[str, Any] | None, str | None]


def _history(lines: Sequence[Line], change: Change, now: datetime) -> list[EventRow]:
    return [
        EventRow(
            id=event_id,
            kind=kind,
            subject_id=subject,
            actor=change.actor,
            at=now,
            before=json.dumps(before) if before else None,
            after=json.dumps(after) if after else None,
            reason=reason,
        )
        for event_id, (kind, subject, before, after, reason) in zip(change.event_ids, lines, strict=False)
    ]


async def entities_merge(
    tx: WriteTransaction, agent_id: str, rows: Sequence[EntityRow], now: datetime
) -> dict[str, str]:
    """Canonical name to entity id. The entities are locked, in sorted order, until the transaction ends."""
    if not rows:
        return {}
    merged = await tx.rows(
        "knowledge/entities_merge",
        agent_id=agent_id,
        agent_key=agent_key(agent_id),
        now=now,
        rows=[
            {
                "canonical": row.canonical,
                "id": row.id,
                "name": row.name,
                "type": row.type.value,
                "mentions": row.mentions,
                "aliases": [{"canonical": canonical_name(alias), "name": alias} for alias in row.aliases],
            }
            for row in sorted(rows, key=lambda row: row.canonical)
        ],
    )
    return {row["canonical"]: row["id"] for row in merged}


async def memories_merge(
    tx: WriteTransaction, agent_id: str, rows: Sequence[MemoryRow]
) -> tuple[dict[str, str], frozenset[str]]:
    """Ref to memory id, and the ids that are new."""
    if not rows:
        return {}, frozenset()
    merged = await tx.rows(
        "knowledge/memories_merge",
        agent_id=agent_id,
        agent_key=agent_key(agent_id),
        rows=[
            {
                "ref": row.ref,
                "id": row.id,
                "content": row.content,
                "contentKey": row.content_key,
                "type": row.type,
                "importance": row.importance,
                "pinned": row.pinned,
                "explicit": row.explicit,
                "source": row.source,
                "project": row.project,
                "sessionId": row.session_id,
                "validFrom": row.valid_from,
                "validTo": row.valid_to,
                "createdAt": row.created_at,
                "spans": [{"messageId": span.message_id, "start": span.start, "end": span.end} for span in row.spans],
            }
            for row in sorted(rows, key=lambda row: row.content_key)
        ],
    )
    return {r["ref"]: r["id"] for r in merged}, frozenset(r["id"] for r in merged if r["created"])


async def mentions_create(
    tx: WriteTransaction, agent_id: str, rows: Sequence[MentionRow], entity_ids: Mapping[str, str]
) -> None:
    if rows:
        await tx.rows(
            "knowledge/mentions_create",
            agent_id=agent_id,
            rows=[
                {
                    "messageId": row.message_id,
                    "entityId": entity_ids[row.entity],
                    "start": row.start,
                    "end": row.end,
                }
                for row in rows
            ],
        )


async def memory_mentions(
    tx: WriteTransaction,
    agent_id: str,
    rows: Sequence[MemoryRow],
    memory_ids: Mapping[str, str],
    entity_ids: Mapping[str, str],
) -> None:
    about = [{"memoryId": memory_ids[row.ref], "entityId": entity_ids[name]} for row in rows for name in row.about]
    if about:
        await tx.rows("knowledge/memory_mentions", agent_id=agent_id, rows=about)


async def attributes_merge(
    tx: WriteTransaction,
    agent_id: str,
    rows: Sequence[AttributeRow],
    entity_ids: Mapping[str, str],
    memory_ids: Mapping[str, str],
    now: datetime,
) -> tuple[dict[str, str], frozenset[str]]:
    """Ref to attribute id, and the ids that are new."""
    if not rows:
        return {}, frozenset()
    merged = await tx.rows(
        "knowledge/attributes_merge",
        agent_id=agent_id,
        agent_key=agent_key(agent_id),
        now=now,
        rows=[
            {
                "ref": row.ref,
                "id": row.id,
                "entityId": entity_ids[row.entity],
                "aspect": row.aspect,
                "aspectCanonical": canonical_name(row.aspect),
                "aspectId": row.aspect_id,
                "activeKey": fact_key(entity_ids[row.entity], row.content),
                "content": row.content,
                "searchText": row.content,
                "kind": row.kind,
                "claimKey": row.claim_key,
                "confidence": row.confidence,
                "importance": row.importance,
                "pinned": row.pinned,
                "explicit": row.explicit,
                "validFrom": row.valid_from,
                "validTo": row.valid_to,
                "extractionLevel": row.extraction_level,
                "memoryIds": [memory_ids[row.memory_ref]],
                "sessionIds": list(row.session_ids),
                "project": row.project,
                "sessionId": row.session_id,
            }
            for row in rows
        ],
    )
    return {r["ref"]: r["id"] for r in merged}, frozenset(r["id"] for r in merged if r["created"])


@dataclass(frozen=True)
class MergedEdge:
    id: str
    created: bool


async def dependencies_merge(
    tx: WriteTransaction,
    agent_id: str,
    rows: Sequence[DependencyRow],
    entity_ids: Mapping[str, str],
    memory_ids: Mapping[str, str],
    attribute_ids: Mapping[str, str],
    now: datetime,
) -> list[MergedEdge]:
    """One edge for each row, in their order; a row whose ends are one entity draws nothing of its own."""
    if not rows:
        return []
    merged = await tx.rows(
        "knowledge/dependencies_merge",
        agent_id=agent_id,
        now=now,
        rows=[
            {
                "ref": ref,
                "id": row.id,
                "sourceId": entity_ids[row.source],
                "targetId": entity_ids[row.target],
                "activeKey": dependency_key(entity_ids[row.source], entity_ids[row.target], row.type.value),
                "type": row.type.value,
                "confidence": row.confidence,
                "strength": row.strength,
                "reason": row.reason,
                "explicit": row.explicit,
                "validFrom": row.valid_from,
                "memoryIds": [memory_ids[memory] for memory in row.memory_refs],
                "attributeIds": [attribute_ids[attribute] for attribute in row.attribute_refs],
                "sessionIds": list(row.session_ids),
            }
            for ref, row in enumerate(rows)
        ],
    )
    return [MergedEdge(r["id"], r["created"]) for r in sorted(merged, key=lambda r: r["ref"])]


async def supersessions_apply(
    tx: WriteTransaction,
    agent_id: str,
    rows: Sequence[SupersessionRow],
    attribute_ids: Mapping[str, str],
    now: datetime,
) -> list[tuple[str, str, str]]:
    """(id, old id, new id) of what was really retired: fewer than asked for when a guard in the statement said no."""
    return await _decide_on(tx, "knowledge/supersessions_apply", agent_id, rows, attribute_ids, now)


async def supersessions_propose(
    tx: WriteTransaction,
    agent_id: str,
    rows: Sequence[SupersessionRow],
    attribute_ids: Mapping[str, str],
    now: datetime,
) -> list[tuple[str, str, str]]:
    return await _decide_on(tx, "knowledge/supersessions_propose", agent_id, rows, attribute_ids, now)


async def _decide_on(
    tx: WriteTransaction,
    name: str,
    agent_id: str,
    rows: Sequence[SupersessionRow],
    attribute_ids: Mapping[str, str],
    now: datetime,
) -> list[tuple[str, str, str]]:
    if not rows:
        return []
    decided = await tx.rows(
        name,
        agent_id=agent_id,
        now=now,
        rows=[
            {
                "id": row.id,
                "oldId": attribute_ids.get(row.old, row.old),
                "newId": attribute_ids.get(row.new, row.new),
                "signals": json.dumps([signal.model_dump() for signal in row.signals]),
                "confidence": row.confidence,
                "method": row.method,
                "reason": row.reason,
                "validTo": row.valid_to,
            }
            for row in rows
        ],
    )
    return [(row["id"], row["oldId"], row["newId"]) for row in decided]


async def memories_restate(tx: WriteTransaction, agent_id: str, attribute_ids: Sequence[str]) -> None:
    await tx.rows("knowledge/memories_restate", agent_id=agent_id, attribute_ids=list(attribute_ids))


async def dependencies_retire(tx: WriteTransaction, agent_id: str, attribute_ids: Sequence[str], now: datetime) -> None:
    await tx.rows(
        "knowledge/dependencies_retire",
        agent_id=agent_id,
        attribute_ids=list(attribute_ids),
        now=now,
    )


async def facts_active(tx: ReadTransaction, agent_id: str, entity_ids: Sequence[str]) -> list[ActiveFact]:
    rows = await tx.rows("knowledge/facts_active", agent_id=agent_id, entity_ids=list(entity_ids))
    return [
        ActiveFact(
            id=row["id"],
            entity_id=row["entityId"],
            aspect=row["aspect"],
            content=row["content"],
            kind=row["kind"],
            claim_key=row["claimKey"],
            confidence=row["confidence"],
            explicit=row["explicit"],
            pinned=row["pinned"],
            valid_from=row["validFrom"],
            created_at=row["createdAt"],
        )
        for row in rows
    ]
