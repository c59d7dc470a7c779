"""Entities, facts, dependencies and memories: what is known, and how new knowledge is written."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from graphmem.errors import NearName, PlanOutdated
from graphmem.graph.connection import Database, ReadTransaction, WriteTransaction
from graphmem.graph.jobs import events_write
from graphmem.graph.requests import once_only
from graphmem.graph.sessions import session_extracted
from graphmem.model.answers import AspectFacts, DependenciesReceipt, RememberReceipt, SummaryLine
from graphmem.model.caller import Caller
from graphmem.model.change import (
    AttributeRow,
    Change,
    DependencyRow,
    EntityRow,
    EventRow,
    MemoryRow,
    MentionRow,
    ReadMark,
    SupersessionRow,
    Written,
)
from graphmem.model.knowledge import Attribute, Dependency, Entity, EntityCounts, Memory, Signal, Supersession
from graphmem.model.stored import ActiveFact, KnownEntity
from graphmem.rules.identity import agent_key, dependency_key, fact_key
from graphmem.rules.learning import rivals_missed
from graphmem.rules.text import canonical_name


class KnowledgeStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def known(self, agent_id: str, canonical_names: Sequence[str]) -> list[KnownEntity]:
        """The entities that these names lead to; names nobody has are left out."""
        return await self._database.read(lambda tx: names(tx, agent_id, canonical_names))

    async def active_facts(self, agent_id: str, entity_ids: Sequence[str]) -> list[ActiveFact]:
        return await self._database.read(lambda tx: facts_active(tx, agent_id, entity_ids))

    async def memory_saying(self, agent_id: str, content_key: str) -> str | None:
        """The id of the memory that is kept under this content key."""
        return await self._database.read(lambda tx: memory_by_content(tx, agent_id, content_key))

    async def learn(self, caller: Caller, change: Change, mark: ReadMark | None, now: datetime) -> Written:
        """Write a change, all of it or nothing.

        Errors: PlanOutdated when the graph no longer is what the change was decided on: read and decide again.
        """

        async def work(tx: WriteTransaction) -> Written:
            if mark and not await session_extracted(
                tx, caller.agent_id, mark.session_id, mark.expected, mark.through, mark.dropped
            ):
                raise PlanOutdated(f"Session {mark.session_id!r} was read by another worker meanwhile.")
            return await _write(tx, caller.agent_id, change, now)

        return await self._database.write(work)

    async def remember(
        self, caller: Caller, change: Change, duplicate_of: str | None, level: int, now: datetime
    ) -> RememberReceipt:
        """Write a change that says one memory, and answer with everything it touched. Errors: as `learn`."""

        async def work(tx: WriteTransaction) -> RememberReceipt:
            agent_id = caller.agent_id
            written = await _write(tx, agent_id, change, now)
            memory_id = next(iter(written.memory_ids.values()))
            return RememberReceipt(
                memory=(await memories(tx, agent_id, [memory_id]))[0],
                entities=tuple(await entities(tx, agent_id, list(dict.fromkeys(written.entity_ids.values())))),
                attributes=tuple(await attributes(tx, agent_id, list(dict.fromkeys(written.attribute_ids.values())))),
                dependencies=tuple(await dependencies(tx, agent_id, written.dependency_ids)),
                superseded=tuple(await supersessions(tx, agent_id, written.superseded)),
                proposals=tuple(await supersessions(tx, agent_id, written.proposed)),
                duplicate_of=duplicate_of,
                extraction_level=level,
            )

        return await self._database.write(once_only(caller, now, work))

    async def put_dependencies(self, caller: Caller, change: Change, now: datetime) -> DependenciesReceipt:
        """Draw or update edges, and answer with them in the order given. Errors: as `learn`."""

        async def work(tx: WriteTransaction) -> DependenciesReceipt:
            written = await _write(tx, caller.agent_id, change, now)
            found = {
                d.id: d for d in await dependencies(tx, caller.agent_id, list(dict.fromkeys(written.dependency_ids)))
            }
            created = len(written.created_dependencies)
            return DependenciesReceipt(
                created=created,
                updated=len(found) - created,
                items=tuple(found[edge_id] for edge_id in written.dependency_ids),
            )

        return await self._database.write(once_only(caller, now, work))

    async def find_entity(self, agent_id: str, id_or_name: str) -> tuple[str, str] | None:
        """The id and own canonical name of the entity with this id, else with this name."""
        return await self._database.read(lambda tx: entity_id(tx, agent_id, id_or_name))

    async def near(self, agent_id: str, query: str, limit: int) -> list[NearName]:
        return await self._database.read(lambda tx: near_names(tx, agent_id, query, limit))

    async def entity(self, agent_id: str, id_: str) -> Entity | None:
        found = await self._database.read(lambda tx: entities(tx, agent_id, [id_]))
        return found[0] if found else None

    async def entity_page(
        self, agent_id: str, type_: str | None, after: str, limit: int
    ) -> list[tuple[EntityCounts, str]]:
        """Entities behind a canonical name, each with its own canonical name."""
        return await self._database.read(lambda tx: entity_page(tx, agent_id, type_, after, limit))

    async def entities_named(self, agent_id: str, query: str, type_: str | None, limit: int) -> list[EntityCounts]:
        return await self._database.read(lambda tx: entities_named(tx, agent_id, query, type_, limit))

    async def aspects(self, agent_id: str, id_: str, *, superseded: bool, now: datetime) -> list[AspectFacts]:
        return await self._database.read(lambda tx: entity_aspects(tx, agent_id, id_, superseded, now))

    async def edges(
        self, agent_id: str, id_: str, limit: int, now: datetime
    ) -> tuple[list[Dependency], list[Dependency]]:
        """The incoming and the outgoing dependencies of an entity, strongest first."""

        async def work(tx: ReadTransaction) -> tuple[list[Dependency], list[Dependency]]:
            return (
                await dependencies_incoming(tx, agent_id, id_, limit, now),
                await dependencies_outgoing(tx, agent_id, id_, limit, now),
            )

        return await self._database.read(work)

    async def summaries_about(self, agent_id: str, id_: str, limit: int) -> list[SummaryLine]:
        return await self._database.read(lambda tx: entity_summaries(tx, agent_id, id_, limit))

    async def memory(self, agent_id: str, id_: str) -> Memory | None:
        found = await self._database.read(lambda tx: memories(tx, agent_id, [id_]))
        return found[0] if found else None

    async def memories(self, agent_id: str, ids: Sequence[str]) -> list[Memory]:
        return await self._database.read(lambda tx: memories(tx, agent_id, ids))

    async def attribute(self, agent_id: str, id_: str) -> Attribute | None:
        found = await self._database.read(lambda tx: attributes(tx, agent_id, [id_]))
        return found[0] if found else None

    async def supersessions(
        self, agent_id: str, status: str | None, before: tuple[datetime, str], limit: int
    ) -> list[Supersession]:
        """Supersessions newest first, behind (createdAt, id)."""
        return await self._database.read(lambda tx: supersession_page(tx, agent_id, status, before, limit))


async def _write(tx: WriteTransaction, agent_id: str, change: Change, now: datetime) -> Written:
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


async def names(tx: ReadTransaction, agent_id: str, canonical_names: Sequence[str]) -> list[KnownEntity]:
    rows = await tx.rows("knowledge/names", agent_id=agent_id, names=list(canonical_names))
    return [KnownEntity(r["canonical"], r["own"], r["id"], r["name"], r["type"], r["pinned"]) for r in rows]


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


async def dependencies(tx: ReadTransaction, agent_id: str, ids: Sequence[str]) -> list[Dependency]:
    if not ids:
        return []
    rows = await tx.rows("knowledge/dependencies", agent_id=agent_id, ids=list(ids))
    return [Dependency.model_validate(row["dependency"]) for row in rows]


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


async def memories(tx: ReadTransaction, agent_id: str, ids: Sequence[str]) -> list[Memory]:
    rows = await tx.rows("knowledge/memories", agent_id=agent_id, ids=list(ids))
    return [Memory.model_validate(row["memory"]) for row in rows]


async def memory_by_content(tx: ReadTransaction, agent_id: str, content_key: str) -> str | None:
    row = await tx.row("knowledge/memory_by_content", agent_id=agent_id, content_key=content_key)
    return str(row["id"]) if row else None


async def attributes(tx: ReadTransaction, agent_id: str, ids: Sequence[str]) -> list[Attribute]:
    rows = await tx.rows("knowledge/attributes", agent_id=agent_id, ids=list(ids))
    return [Attribute.model_validate(row["attribute"]) for row in rows]


async def supersessions(tx: ReadTransaction, agent_id: str, ids: Sequence[str]) -> list[Supersession]:
    rows = await tx.rows("knowledge/supersessions", agent_id=agent_id, ids=list(ids))
    return [_supersession(row["supersession"]) for row in rows]


async def supersession_page(
    tx: ReadTransaction, agent_id: str, status: str | None, before: tuple[datetime, str], limit: int
) -> list[Supersession]:
    rows = await tx.rows(
        "knowledge/supersession_page",
        agent_id=agent_id,
        status=status,
        before=before[0],
        before_id=before[1],
        limit=limit,
    )
    return [_supersession(row["supersession"]) for row in rows]


def _supersession(row: Mapping[str, Any]) -> Supersession:
    signals = [Signal.model_validate(signal) for signal in json.loads(row["signals"] or "[]")]
    return Supersession.model_validate(dict(row) | {"signals": signals})


async def entity_id(tx: ReadTransaction, agent_id: str, id_or_name: str) -> tuple[str, str] | None:
    row = await tx.row("knowledge/entity_id", agent_id=agent_id, id=id_or_name, canonical=canonical_name(id_or_name))
    return (row["id"], row["canonicalName"]) if row else None


async def entities(tx: ReadTransaction, agent_id: str, ids: Sequence[str]) -> list[Entity]:
    rows = await tx.rows("knowledge/entities", agent_id=agent_id, ids=list(ids))
    return [Entity.model_validate(row["entity"]) for row in rows]


async def entity_page(
    tx: ReadTransaction, agent_id: str, type_: str | None, after: str, limit: int
) -> list[tuple[EntityCounts, str]]:
    rows = await tx.rows("knowledge/entity_page", agent_id=agent_id, type=type_, after=after, limit=limit)
    return [(EntityCounts.model_validate(row["entity"]), row["canonical"]) for row in rows]


async def entities_named(
    tx: ReadTransaction, agent_id: str, query: str, type_: str | None, limit: int
) -> list[EntityCounts]:
    rows = await tx.rows("knowledge/entities_named", agent_id=agent_id, query=query, type=type_, limit=limit)
    return [EntityCounts.model_validate(row["entity"]) for row in rows]


async def entity_aspects(
    tx: ReadTransaction, agent_id: str, id_: str, superseded: bool, now: datetime
) -> list[AspectFacts]:
    rows = await tx.rows("knowledge/entity_aspects", agent_id=agent_id, id=id_, superseded=superseded, now=now)
    return [AspectFacts.model_validate(row["aspect"]) for row in rows]


async def dependencies_incoming(
    tx: ReadTransaction, agent_id: str, id_: str, limit: int, now: datetime
) -> list[Dependency]:
    rows = await tx.rows("knowledge/dependencies_incoming", agent_id=agent_id, id=id_, limit=limit, now=now)
    return [Dependency.model_validate(row["dependency"]) for row in rows]


async def dependencies_outgoing(
    tx: ReadTransaction, agent_id: str, id_: str, limit: int, now: datetime
) -> list[Dependency]:
    rows = await tx.rows("knowledge/dependencies_outgoing", agent_id=agent_id, id=id_, limit=limit, now=now)
    return [Dependency.model_validate(row["dependency"]) for row in rows]


async def entity_summaries(tx: ReadTransaction, agent_id: str, id_: str, limit: int) -> list[SummaryLine]:
    rows = await tx.rows("knowledge/entity_summaries", agent_id=agent_id, id=id_, limit=limit)
    return [SummaryLine(id=row["id"], kind=row["kind"], text=row["content"], latest_at=row["latestAt"]) for row in rows]


async def near_names(tx: ReadTransaction, agent_id: str, query: str, limit: int) -> list[NearName]:
    rows = await tx.rows("knowledge/near_names", agent_id=agent_id, query=query, limit=limit)
    return [NearName(row["id"], row["name"]) for row in rows]
