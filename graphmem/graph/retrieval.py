"""Finding: texts by words and by meaning, and the facts on an entity."""

from collections.abc import Mapping, Sequence
from typing import Any

from graphmem.graph.connection import Database, ReadTransaction
from graphmem.graph.moments import at
from graphmem.model.inputs import HitKind
from graphmem.model.stored import Candidate, Filters, FoundText, Moment, OnEntity

SCAN = 200
"""Texts an index hands over before the other filters; without any, nothing is lost by it."""
SCAN_FILTERED = 100_000
"""With a filter the index hands over everything it can: a limit before a filter loses hits."""

_WORDS: Mapping[HitKind, str] = {
    "message": "retrieval/message_words",
    "memory": "retrieval/memory_words",
    "attribute": "retrieval/attribute_words",
    "summary": "retrieval/summary_words",
}
_WORDS_THEN: Mapping[HitKind, str] = {"memory": "time/memory_words", "attribute": "time/attribute_words"}
_NEAR: Mapping[tuple[HitKind, str], str] = {
    ("message", "agent"): "retrieval/message_near",
    ("message", "project"): "retrieval/message_near_in_project",
    ("message", "session"): "retrieval/message_near_in_session",
    ("memory", "agent"): "retrieval/memory_near",
    ("memory", "project"): "retrieval/memory_near_in_project",
    ("memory", "session"): "retrieval/memory_near_in_session",
    ("attribute", "agent"): "retrieval/attribute_near",
    ("attribute", "project"): "retrieval/attribute_near_in_project",
    ("attribute", "session"): "retrieval/attribute_near_in_session",
    ("summary", "agent"): "retrieval/summary_near",
    ("summary", "project"): "retrieval/summary_near_in_project",
    ("summary", "session"): "retrieval/summary_near_in_session",
}
_NEAR_THEN: Mapping[HitKind, str] = {"memory": "time/memory_near", "attribute": "time/attribute_near"}
_HITS: Mapping[HitKind, str] = {
    "message": "retrieval/message_hits",
    "memory": "retrieval/memory_hits",
    "attribute": "retrieval/attribute_hits",
    "summary": "retrieval/summary_hits",
}
_HITS_THEN: Mapping[HitKind, str] = {
    "message": "time/message_hits",
    "memory": "time/memory_hits",
    "attribute": "time/attribute_hits",
}


class RetrievalStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def search(
        self,
        agent_id: str,
        kinds: Sequence[HitKind],
        query: str,
        vector: Sequence[float] | None,
        filters: Filters,
        limit: int,
    ) -> dict[HitKind, list[Candidate]]:
        """Of each kind the texts nearest to the vector, then those that match the full-text query best ('' matches
        none); one met both ways stands last with both scores."""

        async def work(tx: ReadTransaction) -> dict[HitKind, list[Candidate]]:
            return {
                kind: [
                    *(await near(tx, agent_id, kind, vector, filters, limit) if vector is not None else ()),
                    *(await words(tx, agent_id, kind, query, vector, filters, limit) if query else ()),
                ]
                for kind in kinds
            }

        return await self._database.read(work)

    async def cold(
        self,
        agent_id: str,
        kinds: Sequence[HitKind],
        terms: Sequence[str],
        query: str,
        vector: Sequence[float] | None,
        filters: Filters,
        limit: int,
    ) -> dict[HitKind, list[Candidate]]:
        """Archived memories that hold some of these terms, and archived or deleted facts that match the query."""

        async def work(tx: ReadTransaction) -> dict[HitKind, list[Candidate]]:
            found: dict[HitKind, list[Candidate]] = {}
            if "memory" in kinds and terms:
                found["memory"] = await cold_memories(tx, agent_id, terms, vector, filters, limit)
            if "attribute" in kinds and query:
                found["attribute"] = await cold_attributes(tx, agent_id, query, vector, filters, limit)
            return found

        return await self._database.read(work)

    async def nearness(self, agent_id: str, ids: Sequence[str], vector: Sequence[float] | None) -> list[Candidate]:
        """How near each text is to a question; ids of nothing are left out."""
        return await self._database.read(lambda tx: nearness(tx, agent_id, ids, vector))

    async def found(self, agent_id: str, ids: Mapping[HitKind, Sequence[str]], when: Moment) -> list[FoundText]:
        """The texts of these ids, with what they were worth at that time."""

        async def work(tx: ReadTransaction) -> list[FoundText]:
            return [text for kind, of_kind in ids.items() for text in await hits(tx, agent_id, kind, of_kind, when)]

        return await self._database.read(work)

    async def on_entities(
        self, agent_id: str, canonical_names: Sequence[str], limit: int, when: Moment
    ) -> list[OnEntity]:
        """What hangs on the entities of these names and holds at that time."""
        return await self._database.read(lambda tx: entities_in_words(tx, agent_id, canonical_names, limit, when))


async def words(
    tx: ReadTransaction,
    agent_id: str,
    kind: HitKind,
    query: str,
    vector: Sequence[float] | None,
    filters: Filters,
    limit: int,
) -> list[Candidate]:
    then = not filters.when.is_now and kind in _WORDS_THEN
    rows = await tx.rows(
        _WORDS_THEN[kind] if then else _WORDS[kind],
        agent_id=agent_id,
        query=query,
        vector=_list(vector),
        scan=SCAN_FILTERED if filters.any or kind in ("memory", "attribute") else max(SCAN, limit),
        limit=limit,
        **_params(filters, kind),
    )
    return [_candidate(row, row["score"]) for row in rows]


async def near(
    tx: ReadTransaction, agent_id: str, kind: HitKind, vector: Sequence[float], filters: Filters, limit: int
) -> list[Candidate]:
    scope = "session" if filters.session_id else "project" if filters.project else "agent"
    then = not filters.when.is_now and kind in _NEAR_THEN
    rows = await tx.rows(
        _NEAR_THEN[kind] if then else _NEAR[kind, scope],
        agent_id=agent_id,
        vector=_list(vector),
        scan=max(limit, 10 * SCAN) if filters.any or not filters.when.is_now else limit,
        limit=limit,
        **_params(filters, kind),
    )
    return [_candidate(row) for row in rows]


async def cold_memories(
    tx: ReadTransaction,
    agent_id: str,
    terms: Sequence[str],
    vector: Sequence[float] | None,
    filters: Filters,
    limit: int,
) -> list[Candidate]:
    rows = await tx.rows(
        "cold/cold_memories",
        agent_id=agent_id,
        terms=list(terms),
        vector=_list(vector),
        project=filters.project,
        session_id=filters.session_id,
        limit=limit,
    )
    return [_archived(row) for row in rows]


async def cold_attributes(
    tx: ReadTransaction,
    agent_id: str,
    query: str,
    vector: Sequence[float] | None,
    filters: Filters,
    limit: int,
) -> list[Candidate]:
    rows = await tx.rows(
        "cold/cold_attributes",
        agent_id=agent_id,
        query=query,
        vector=_list(vector),
        scan=SCAN_FILTERED,
        project=filters.project,
        session_id=filters.session_id,
        limit=limit,
    )
    return [_archived(row) for row in rows]


async def nearness(
    tx: ReadTransaction, agent_id: str, ids: Sequence[str], vector: Sequence[float] | None
) -> list[Candidate]:
    rows = await tx.rows("retrieval/nearness", agent_id=agent_id, ids=list(ids), vector=_list(vector))
    return [_candidate(row) for row in rows]


async def hits(tx: ReadTransaction, agent_id: str, kind: HitKind, ids: Sequence[str], when: Moment) -> list[FoundText]:
    if when.is_now or kind not in _HITS_THEN:
        rows = await tx.rows(_HITS[kind], agent_id=agent_id, ids=list(ids))
    else:
        rows = await tx.rows(
            _HITS_THEN[kind], agent_id=agent_id, ids=list(ids), as_of=when.as_of, known_at=when.known_at
        )
    return [_found(kind, row) for row in rows]


async def entities_in_words(
    tx: ReadTransaction, agent_id: str, canonical_names: Sequence[str], limit: int, when: Moment
) -> list[OnEntity]:
    name, time = at(when, "retrieval/entities_in_words", "time/entities_in_words")
    rows = await tx.rows(name, agent_id=agent_id, names=list(canonical_names), limit=limit, **time)
    return [
        OnEntity(row["entityId"], tuple(row["attributeIds"]), tuple(row["memoryIds"]), tuple(row["messageIds"]))
        for row in rows
    ]


def _found(kind: HitKind, row: Mapping[str, Any]) -> FoundText:
    hit = row["hit"]
    return FoundText(
        id=hit["id"],
        kind=kind,
        text=hit["text"],
        session_id=hit["sessionId"],
        message_ids=tuple(hit["messageIds"]),
        entity_ids=tuple(hit["entityIds"]),
        status=hit["status"],
        superseded_by=next((fact["id"] for fact in hit["successors"]), None),
        successors=frozenset(
            id_ for fact in hit["successors"] for id_ in (fact["id"], *fact["memoryIds"], *fact["messageIds"])
        ),
        valid_from=hit.get("validFrom"),
        valid_to=hit.get("validTo"),
        created_at=hit["createdAt"],
    )


def _params(filters: Filters, kind: HitKind) -> dict[str, Any]:
    given: dict[str, Any] = {"project": filters.project, "session_id": filters.session_id}
    when = filters.when
    then = {"as_of": None if when.is_now else when.as_of, "known_at": None if when.is_now else when.known_at}
    if kind == "message":
        given |= {"role": filters.role, "source": filters.source, "from": filters.from_, "to": filters.to}
        given["known_at"] = then["known_at"]
    elif kind == "summary":
        given |= then
    else:
        given |= {"superseded": filters.superseded} | ({"now": when.as_of} if when.is_now else then)
    return given


def _candidate(row: Mapping[str, Any], score: float | None = None) -> Candidate:
    return Candidate(row["id"], row["sessionId"], row["ordinal"], score, row["nearness"], row.get("opening") or "")


def _archived(row: Mapping[str, Any]) -> Candidate:
    return Candidate(row["id"], row["sessionId"], None, None, row["nearness"], row["opening"])


def _list(vector: Sequence[float] | None) -> list[float] | None:
    return None if vector is None else list(vector)
