"""Entities, facts, dependencies and memories: what is known, and how new knowledge is written."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graphmem.errors import NearName, PlanOutdated
from graphmem.graph.connection import Database, ReadTransaction, Row, WriteTransaction
from graphmem.graph.conversation.sessions import session_extracted
from graphmem.graph.impact import impact
from graphmem.graph.knowledge.facts import facts_active, facts_claimed, facts_past
from graphmem.graph.knowledge.learning import write_change
from graphmem.graph.knowledge.lookups import attributes, entities, memories, names, names_beginning
from graphmem.graph.moments import at, timeless
from graphmem.graph.requests import once_only
from graphmem.model.answers import AspectFacts, DependenciesReceipt, RememberReceipt, SaidAlready, SummaryLine
from graphmem.model.caller import Caller
from graphmem.model.change import (
    Change,
    ReadMark,
    Written,
)
from graphmem.model.knowledge import Attribute, Dependency, Entity, EntityCounts, Memory, Signal, Supersession
from graphmem.model.stored import ActiveFact, KnownEntity, Moment, NamedNode
from graphmem.rules.language.text import canonical_name


class KnowledgeStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def known(self, agent_id: str, canonical_names: Sequence[str]) -> list[KnownEntity]:
        """The entities that these names refer to; unknown names are left out."""
        return await self._database.read(lambda tx: names(tx, agent_id, canonical_names))

    async def active_facts(self, agent_id: str, entity_ids: Sequence[str]) -> list[ActiveFact]:
        return await self._database.read(lambda tx: facts_active(tx, agent_id, entity_ids))

    async def claimed_facts(self, agent_id: str, topics: Sequence[str], values: Sequence[str]) -> list[ActiveFact]:
        """Active facts whose claims are about one of these topics (`rules.claims.main_topic`), or give one of these
        values (`main_value`)."""
        return await self._database.read(lambda tx: facts_claimed(tx, agent_id, topics, values))

    async def past_facts(self, agent_id: str, entity_ids: Sequence[str], since: datetime) -> list[ActiveFact]:
        """Facts that were superseded, and were valid after `since`."""
        return await self._database.read(lambda tx: facts_past(tx, agent_id, entity_ids, since))

    async def learn(self, caller: Caller, change: Change, mark: ReadMark | None, now: datetime) -> Written:
        """Write a change, all of it or nothing.

        Errors: PlanOutdated when the graph has changed since the decision: read and decide again.
        """

        async def work(tx: WriteTransaction) -> Written:
            if mark and not await session_extracted(tx, caller.agent_id, mark, now):
                raise PlanOutdated(f"Session {mark.session_id!r} was read by another worker meanwhile.")
            return await write_change(tx, caller.agent_id, change, now)

        return await self._database.write(work)

    async def remember(self, caller: Caller, change: Change, level: int, now: datetime) -> RememberReceipt:
        """Write a change with one memory, and return everything it touched. Errors: as `learn`."""

        async def work(tx: WriteTransaction) -> RememberReceipt:
            agent_id = caller.agent_id
            written = await write_change(tx, agent_id, change, now)
            memory_id = next(iter(written.memory_ids.values()))
            row = await remembered(tx, agent_id, memory_id, written)
            there = set(written.attribute_ids.values()) - written.created_attributes
            return RememberReceipt(
                **row,
                confirmed=tuple(
                    SaidAlready(id=fact["id"], content=fact["content"])
                    for fact in row["attributes"]
                    if fact["id"] in there
                ),
                related=change.related,
                superseded=tuple(await supersessions(tx, agent_id, written.superseded)),
                proposals=tuple(await supersessions(tx, agent_id, written.proposed)),
                duplicate_of=None if written.brought_news else memory_id,
                extraction_level=level,
            )

        return await self._database.write(once_only(caller, now, work))

    async def put_dependencies(self, caller: Caller, change: Change, now: datetime) -> DependenciesReceipt:
        """Create or update edges, and return them in the given order. Errors: as `learn`."""

        async def work(tx: WriteTransaction) -> DependenciesReceipt:
            written = await write_change(tx, caller.agent_id, change, now)
            ids = list(dict.fromkeys(written.dependency_ids))
            found = await impact.edges(tx, caller.agent_id, ids, active_only=False)
            created = len(written.created_dependencies)
            return DependenciesReceipt(
                created=created,
                updated=len(found) - created,
                items=tuple(found[edge_id] for edge_id in written.dependency_ids),
            )

        return await self._database.write(once_only(caller, now, work))

    async def find_entity(self, agent_id: str, id_or_name: str) -> NamedNode | None:
        """The entity with this id, else with this name."""
        return await self._database.read(lambda tx: entity_id(tx, agent_id, id_or_name))

    async def beginning(self, agent_id: str, beginning: str, limit: int) -> list[KnownEntity]:
        """The entities with a canonical name that begins so, shortest names first."""
        return await self._database.read(lambda tx: names_beginning(tx, agent_id, beginning, limit))

    async def near(self, agent_id: str, queries: Sequence[str], limit: int) -> list[list[NearName]]:
        """For each query the entities whose names resemble it, best first."""
        return await self._database.read(lambda tx: near_names(tx, agent_id, queries, limit))

    async def entity(self, agent_id: str, id_: str) -> Entity | None:
        found = await self.entities(agent_id, [id_])
        return found[0] if found else None

    async def entities(self, agent_id: str, ids: Sequence[str]) -> list[Entity]:
        return await self._database.read(lambda tx: entities(tx, agent_id, ids))

    async def entity_page(
        self, agent_id: str, type_: str | None, after: str, limit: int, when: Moment
    ) -> list[tuple[EntityCounts, str]]:
        """Entities after a canonical name, each with its own canonical name."""
        return await self._database.read(lambda tx: entity_page(tx, agent_id, type_, after, limit, when))

    async def cold_entity_page(
        self, agent_id: str, type_: str | None, after: str, limit: int
    ) -> list[tuple[EntityCounts, str]]:
        """As `entity_page`, for those in the cold tier."""
        return await self._database.read(lambda tx: cold_entity_page(tx, agent_id, type_, after, limit))

    async def cold_entities_named(
        self, agent_id: str, terms: Sequence[str], type_: str | None, limit: int
    ) -> list[EntityCounts]:
        """Entities in the cold tier whose names contain some of the terms, those with most of them first."""
        return await self._database.read(lambda tx: cold_entities_named(tx, agent_id, terms, type_, limit))

    async def entities_named(
        self, agent_id: str, query: str, type_: str | None, limit: int, when: Moment
    ) -> list[EntityCounts]:
        return await self._database.read(lambda tx: entities_named(tx, agent_id, query, type_, limit, when))

    async def aspects(self, agent_id: str, id_: str, *, superseded: bool, when: Moment) -> list[AspectFacts]:
        return await self._database.read(lambda tx: entity_aspects(tx, agent_id, id_, superseded, when))

    async def edges(
        self, agent_id: str, id_: str, limit: int, when: Moment
    ) -> tuple[list[Dependency], list[Dependency]]:
        """The incoming and the outgoing dependencies of an entity, strongest first."""

        async def work(tx: ReadTransaction) -> tuple[list[Dependency], list[Dependency]]:
            return (
                await dependencies_incoming(tx, agent_id, id_, limit, when),
                await dependencies_outgoing(tx, agent_id, id_, limit, when),
            )

        return await self._database.read(work)

    async def summaries_about(self, agent_id: str, id_: str, limit: int, when: Moment) -> list[SummaryLine]:
        return await self._database.read(lambda tx: entity_summaries(tx, agent_id, id_, limit, when))

    async def memory(self, agent_id: str, id_: str) -> Memory | None:
        found = await self._database.read(lambda tx: memories(tx, agent_id, [id_]))
        return found[0] if found else None

    async def memories(self, agent_id: str, ids: Sequence[str]) -> list[Memory]:
        return await self._database.read(lambda tx: memories(tx, agent_id, ids))

    async def attribute(self, agent_id: str, id_: str) -> Attribute | None:
        found = await self.attributes(agent_id, [id_])
        return found[0] if found else None

    async def attributes(self, agent_id: str, ids: Sequence[str]) -> list[Attribute]:
        return await self._database.read(lambda tx: attributes(tx, agent_id, ids))

    async def supersessions(
        self, agent_id: str, status: str | None, before: tuple[datetime, str], limit: int
    ) -> list[Supersession]:
        """Supersessions newest first, after (createdAt, id)."""
        return await self._database.read(lambda tx: supersession_page(tx, agent_id, status, before, limit))


async def remembered(tx: ReadTransaction, agent_id: str, memory_id: str, written: Written) -> Row:
    """The receipt of a statement and of what it touched."""
    touched = {
        "memory": memory_id,
        "entities": list(dict.fromkeys(written.entity_ids.values())),
        "attributes": list(dict.fromkeys(written.attribute_ids.values())),
        "dependencies": list(written.dependency_ids),
    }
    (row,) = await tx.rows("knowledge/remembered", agent_id=agent_id, touched=touched)
    return row


async def supersessions(tx: ReadTransaction, agent_id: str, ids: Sequence[str]) -> list[Supersession]:
    if not ids:
        return []
    rows = await tx.rows("knowledge/supersessions[ids]", agent_id=agent_id, ids=list(ids))
    return [_supersession(row["supersession"]) for row in rows]


async def supersession_page(
    tx: ReadTransaction, agent_id: str, status: str | None, before: tuple[datetime, str], limit: int
) -> list[Supersession]:
    rows = await tx.rows(
        "knowledge/supersessions[page]",
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


async def entity_id(tx: ReadTransaction, agent_id: str, id_or_name: str) -> NamedNode | None:
    row = await tx.row("knowledge/entity_id", agent_id=agent_id, id=id_or_name, canonical=canonical_name(id_or_name))
    return NamedNode(row["id"], row["canonicalName"], row["createdAt"]) if row else None


async def entity_page(
    tx: ReadTransaction, agent_id: str, type_: str | None, after: str, limit: int, when: Moment
) -> list[tuple[EntityCounts, str]]:
    name, time = timeless(when, "knowledge/entity_page[active]", "knowledge/entity_page[then]")
    rows = await tx.rows(name, agent_id=agent_id, type=type_, after=after, limit=limit, **time)
    return [(EntityCounts.model_validate(row["entity"]), row["canonical"]) for row in rows]


async def cold_entity_page(
    tx: ReadTransaction, agent_id: str, type_: str | None, after: str, limit: int
) -> list[tuple[EntityCounts, str]]:
    rows = await tx.rows("knowledge/entity_page[cold]", agent_id=agent_id, type=type_, after=after, limit=limit)
    return [(EntityCounts.model_validate(row["entity"]), row["canonical"]) for row in rows]


async def cold_entities_named(
    tx: ReadTransaction, agent_id: str, terms: Sequence[str], type_: str | None, limit: int
) -> list[EntityCounts]:
    rows = await tx.rows(
        "knowledge/entities_named[cold]", agent_id=agent_id, terms=list(terms), type=type_, limit=limit
    )
    return [EntityCounts.model_validate(row["entity"]) for row in rows]


async def entities_named(
    tx: ReadTransaction, agent_id: str, query: str, type_: str | None, limit: int, when: Moment
) -> list[EntityCounts]:
    name, time = timeless(when, "knowledge/entities_named[now]", "knowledge/entities_named[then]")
    rows = await tx.rows(name, agent_id=agent_id, query=query, type=type_, limit=limit, **time)
    return [EntityCounts.model_validate(row["entity"]) for row in rows]


async def entity_aspects(
    tx: ReadTransaction, agent_id: str, id_: str, superseded: bool, when: Moment
) -> list[AspectFacts]:
    name, time = at(when, "knowledge/entity_aspects[now]", "knowledge/entity_aspects[then]")
    rows = await tx.rows(name, agent_id=agent_id, id=id_, superseded=superseded, **time)
    return [AspectFacts.model_validate(row["aspect"]) for row in rows]


async def dependencies_incoming(
    tx: ReadTransaction, agent_id: str, id_: str, limit: int, when: Moment
) -> list[Dependency]:
    name, time = at(when, "knowledge/dependencies_of[incoming]", "knowledge/dependencies_of[incoming_then]")
    rows = await tx.rows(name, agent_id=agent_id, id=id_, limit=limit, **time)
    return [Dependency.model_validate(row["dependency"]) for row in rows]


async def dependencies_outgoing(
    tx: ReadTransaction, agent_id: str, id_: str, limit: int, when: Moment
) -> list[Dependency]:
    name, time = at(when, "knowledge/dependencies_of[outgoing]", "knowledge/dependencies_of[outgoing_then]")
    rows = await tx.rows(name, agent_id=agent_id, id=id_, limit=limit, **time)
    return [Dependency.model_validate(row["dependency"]) for row in rows]


async def entity_summaries(tx: ReadTransaction, agent_id: str, id_: str, limit: int, when: Moment) -> list[SummaryLine]:
    name, time = timeless(when, "knowledge/entity_summaries[now]", "knowledge/entity_summaries[then]")
    rows = await tx.rows(name, agent_id=agent_id, id=id_, limit=limit, **time)
    return [SummaryLine(id=row["id"], kind=row["kind"], text=row["content"], latest_at=row["latestAt"]) for row in rows]


async def near_names(tx: ReadTransaction, agent_id: str, queries: Sequence[str], limit: int) -> list[list[NearName]]:
    rows = await tx.rows("knowledge/near_names", agent_id=agent_id, queries=list(queries), limit=limit)
    return [[NearName(near["id"], near["name"]) for near in row["near"]] for row in rows]
