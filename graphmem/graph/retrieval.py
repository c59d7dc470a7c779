"""Finding: texts by words and by meaning, and the facts on an entity."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from graphmem.graph.connection import Database, ReadTransaction
from graphmem.graph.moments import at
from graphmem.model.inputs import HitKind
from graphmem.model.stored import Candidate, Filters, FoundText, Moment, OnEntity, ReadText

BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
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
        none); one met both ways stands twice."""

        async def of(kind: HitKind) -> list[Candidate]:
            async def by_vector(tx: ReadTransaction) -> list[Candidate]:
                return await near(tx, agent_id, kind, vector, filters, limit) if vector is not None else []

            async def by_words(tx: ReadTransaction) -> list[Candidate]:
                return await words(tx, agent_id, kind, query, filters, limit) if query else []

            met = await asyncio.gather(self._database.read(by_vector), self._database.read(by_words))
            return [candidate for some in met for candidate in some]

        return dict(zip(kinds, await asyncio.gather(*map(of, kinds)), strict=True))

    async def read_texts(
        self,
        agent_id: str,
        ids: Mapping[HitKind, Sequence[str]],
        vector: Sequence[float] | None,
        filters: Filters,
        chars: int,
    ) -> list[tuple[HitKind, ReadText]]:
        """These texts as a question is compared with them, and with messages what was said around them."""

        async def of(kind: HitKind) -> list[ReadText]:
            if not ids[kind]:
                return []
            if kind == "message":
                return await self._database.read(
                    lambda tx: messages_around(tx, agent_id, ids[kind], vector, filters, chars)
                )
            return await self._database.read(lambda tx: passages(tx, agent_id, ids[kind], vector, chars))

        read = await asyncio.gather(*map(of, ids))
        return [(kind, text) for kind, texts in zip(ids, read, strict=True) for text in texts]

    async def cold(
        self,
        agent_id: str,
        kinds: Sequence[HitKind],
        terms: Sequence[str],
        query: str,
        vector: Sequence[float] | None,
        filters: Filters,
        limit: int,
    ) -> dict[HitKind, list[ReadText]]:
        """Archived memories that hold some of these terms, and archived or deleted facts that match the query."""

        async def work(tx: ReadTransaction) -> dict[HitKind, list[ReadText]]:
            found: dict[HitKind, list[ReadText]] = {}
            if "memory" in kinds and terms:
                found["memory"] = await cold_memories(tx, agent_id, terms, vector, filters, limit)
            if "attribute" in kinds and query:
                found["attribute"] = await cold_attributes(tx, agent_id, query, vector, filters, limit)
            return found

        return await self._database.read(work)

    async def found(self, agent_id: str, ids: Mapping[HitKind, Sequence[str]], when: Moment) -> list[FoundText]:
        """The texts of these ids, with what they were worth at that time."""

        async def of(kind: HitKind) -> list[FoundText]:
            return await self._database.read(lambda tx: hits(tx, agent_id, kind, ids[kind], when))

        return [text for texts in await asyncio.gather(*map(of, ids)) for text in texts]

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
    filters: Filters,
    limit: int,
) -> list[Candidate]:
    then = not filters.when.is_now and kind in _WORDS_THEN
    rows = await tx.rows(
        _WORDS_THEN[kind] if then else _WORDS[kind],
        agent_id=agent_id,
        query=query,
        scan=SCAN_FILTERED if filters.any or kind in ("memory", "attribute") else max(SCAN, limit),
        limit=limit,
        **_params(filters, kind),
    )
    return [Candidate(row["id"], row["score"]) for row in rows]


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
    return [Candidate(row["id"]) for row in rows]


async def cold_memories(
    tx: ReadTransaction,
    agent_id: str,
    terms: Sequence[str],
    vector: Sequence[float] | None,
    filters: Filters,
    limit: int,
) -> list[ReadText]:
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
) -> list[ReadText]:
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


async def messages_around(
    tx: ReadTransaction,
    agent_id: str,
    ids: Sequence[str],
    vector: Sequence[float] | None,
    filters: Filters,
    chars: int,
) -> list[ReadText]:
    row = await tx.row(
        "retrieval/messages_around",
        agent_id=agent_id,
        ids=list(ids),
        vector=_list(vector),
        chars=chars,
        **_params(filters, "message"),
    )
    return [
        ReadText(id_, text, _cosine(near), _time(at), feedback, session_id, ordinal, speaker, eligible)
        for id_, text, near, session_id, ordinal, speaker, at, feedback, eligible in (row["passages"] if row else ())
    ]


async def passages(
    tx: ReadTransaction, agent_id: str, ids: Sequence[str], vector: Sequence[float] | None, chars: int
) -> list[ReadText]:
    row = await tx.row("retrieval/passages", agent_id=agent_id, ids=list(ids), vector=_list(vector), chars=chars)
    return [
        ReadText(id_, text or "", _cosine(near), _time(at), feedback)
        for id_, text, near, at, feedback in (row["passages"] if row else ())
    ]


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
        OnEntity(
            row["entityId"],
            tuple(row["attributeIds"]),
            tuple(row["memoryIds"]),
            tuple(row["messageIds"]),
            tuple(row["nearbyIds"]),
        )
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


def _archived(row: Mapping[str, Any]) -> ReadText:
    return ReadText(row["id"], row["opening"], _cosine(row["nearness"]), None)


def _cosine(similarity: float | None) -> float | None:
    """Neo4j answers (1 + cosine) / 2."""
    return None if similarity is None else 2 * similarity - 1


def _time(milliseconds: int | None) -> datetime | None:
    return None if milliseconds is None else BEGINNING + timedelta(milliseconds=milliseconds)


def _list(vector: Sequence[float] | None) -> list[float] | None:
    return None if vector is None else list(vector)
