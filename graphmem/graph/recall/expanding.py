"""What is known of one entity: all its facts in short form, and in full those that are shown."""

from collections.abc import Sequence
from datetime import datetime

from graphmem.graph.connection import Database, Numbers, ReadTransaction, utc
from graphmem.graph.knowledge.knowledge import entity_aspects
from graphmem.graph.knowledge.lookups import attributes
from graphmem.graph.recall.retrieval import passages
from graphmem.model.knowledge import Attribute
from graphmem.model.stored import Moment
from graphmem.rules.language.text import canonical_name
from graphmem.rules.recall.expansion import FactInShort


class ExpansionStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def facts_in_short(
        self,
        agent_id: str,
        id_: str,
        aspect: str | None,
        vector: Sequence[float] | None,
        limit: int,
        when: Moment,
        *,
        superseded: bool,
    ) -> list[FactInShort]:
        """The facts of an entity, of one aspect where one is named, up to the limit."""
        if when.is_now:
            return await self._database.read(
                lambda tx: facts(tx, agent_id, id_, aspect, superseded, when.as_of, vector, limit)
            )

        async def work(tx: ReadTransaction) -> list[FactInShort]:
            return await facts_then(tx, agent_id, id_, aspect, superseded, when, vector, limit)

        return await self._database.read(work)

    async def facts_whole(
        self, agent_id: str, id_: str, fact_ids: Sequence[str], when: Moment, *, superseded: bool
    ) -> list[Attribute]:
        """These facts of an entity as they were at that time, in no order."""
        if when.is_now:
            return await self._database.read(lambda tx: attributes(tx, agent_id, fact_ids))
        wanted = set(fact_ids)
        aspects = await self._database.read(lambda tx: entity_aspects(tx, agent_id, id_, superseded, when))
        return [fact for aspect in aspects for fact in aspect.attributes if fact.id in wanted]


async def facts(
    tx: ReadTransaction,
    agent_id: str,
    id_: str,
    aspect: str | None,
    superseded: bool,
    now: datetime,
    vector: Sequence[float] | None,
    limit: int,
) -> list[FactInShort]:
    row = await tx.row(
        "expanding/facts",
        agent_id=agent_id,
        id=id_,
        aspect=canonical_name(aspect) if aspect else None,
        superseded=superseded,
        now=now,
        vector=None if vector is None else Numbers(vector),
        limit=limit,
    )
    found = row["facts"] if row else ()
    return [
        FactInShort(id_, aspect_id, name, weight, text, kind, status, importance, bool(pinned), utc(since), near)
        for id_, aspect_id, name, weight, text, kind, status, importance, pinned, since, near in found
    ]


async def facts_then(
    tx: ReadTransaction,
    agent_id: str,
    id_: str,
    aspect: str | None,
    superseded: bool,
    when: Moment,
    vector: Sequence[float] | None,
    limit: int,
) -> list[FactInShort]:
    """As `facts`, at another time: it is rare, and transaction times are on the links of each fact, so all are read in
    full."""
    aspects = await entity_aspects(tx, agent_id, id_, superseded, when)
    wanted = canonical_name(aspect) if aspect else None
    met = [(one, fact) for one in aspects for fact in one.attributes if wanted in (None, canonical_name(one.name))]
    near: dict[str, float | None] = {}
    if vector is not None and met:
        found = await passages(tx, agent_id, [fact.id for _, fact in met], vector, chars=0)
        near = {one.id: one.nearness for one in found}
    return [
        FactInShort(
            id=fact.id,
            aspect_id=one.id,
            aspect=one.name,
            weight=one.weight,
            content=fact.content,
            kind=fact.kind,
            status=fact.status,
            importance=fact.importance,
            pinned=fact.pinned,
            valid_from=fact.valid_from,
            nearness=near.get(fact.id),
        )
        for one, fact in met[:limit]
    ]
