"""Finding: texts by words and by meaning, and the facts of an entity."""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, TypeAlias

from graphmem.graph.connection import Database, Numbers, ReadTransaction, utc
from graphmem.graph.conversation.sessions import session, session_page
from graphmem.graph.moments import at
from graphmem.model.answers import FilterName, UnreadSession
from graphmem.model.inputs import HitKind
from graphmem.model.knowledge import AttributeStatus
from graphmem.model.stored import FactFate, Filters, FoundText, Moment, OnEntity, ReadText, StatementSpan
from graphmem.rules.keeping.paging import FAR_FUTURE, LAST_ID

Found: TypeAlias = dict[HitKind, list[str]]
"""Ids of each kind, best first."""

BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
SCAN_MORE = 8
"""The factor by which an index is asked for more when the filters left too little of its results."""
MOST_WORDS, MOST_NEAR = 100_000, 2_000
"""Most texts an index is asked for; deep results of a vector index cost seconds and are not near."""

_NEAR = {
    "agent": "retrieval/found[agent]",
    "project": "retrieval/found[project]",
    "session": "retrieval/found[session]",
}
_OF_ALL_TIMES: frozenset[HitKind] = frozenset({"message", "summary"})
"""Kinds for which the statements for now also read the past."""
_HITS: Mapping[HitKind, str] = {
    "message": "retrieval/message_hits[now]",
    "memory": "retrieval/memory_hits[now]",
    "attribute": "retrieval/attribute_hits[now]",
    "summary": "retrieval/summary_hits[now]",
}
_HITS_THEN: Mapping[HitKind, str] = {
    "message": "retrieval/message_hits[then]",
    "memory": "retrieval/memory_hits[then]",
    "attribute": "retrieval/attribute_hits[then]",
    "summary": "retrieval/summary_hits[then]",
}


class RetrievalStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def near(
        self, agent_id: str, vector: Sequence[float], filters: Filters, limits: Mapping[HitKind, int]
    ) -> Found:
        """The ids of the texts nearest to the vector, for each kind up to its limit."""
        return await self._database.read(lambda tx: near(tx, agent_id, vector, filters, limits))

    async def matching(self, agent_id: str, query: str, filters: Filters, limits: Mapping[HitKind, int]) -> Found:
        """The ids of the texts that match the full-text query best, for each kind up to its limit."""
        return await self._database.read(lambda tx: words(tx, agent_id, query, filters, limits))

    async def unread_sessions(self, agent_id: str) -> list[UnreadSession]:
        """Sessions whose reading failed and waits for a person."""
        rows = await self._database.read(lambda tx: tx.rows("retrieval/unread_sessions", agent_id=agent_id))
        return [UnreadSession.model_validate(row["session"]) for row in rows]

    async def known_filters(self, agent_id: str, given: Mapping[FilterName, str]) -> set[FilterName]:
        """Those of `sessionId`, `project` and `source` with whose value the agent has a session."""

        async def is_known(tx: ReadTransaction, field: FilterName, value: str) -> bool:
            if field == "sessionId":
                return await session(tx, agent_id, value) is not None
            project, source = (value, None) if field == "project" else (None, value)
            start = (FAR_FUTURE, LAST_ID)
            return any(
                [
                    await session_page(tx, agent_id, project, source, start, 1, archived=archived)
                    for archived in (False, True)
                ]
            )

        async def work(tx: ReadTransaction) -> set[FilterName]:
            return {field for field, value in given.items() if await is_known(tx, field, value)}

        return await self._database.read(work)

    async def read_texts(
        self,
        agent_id: str,
        ids: Mapping[HitKind, Sequence[str]],
        vector: Sequence[float] | None,
        filters: Filters,
        chars: int,
    ) -> list[tuple[HitKind, ReadText]]:
        """These texts, to compare with a question, and the messages around messages."""
        # A statement runs on one core, and this is the longest of a recall, so it is split in two. Ids begin with their
        # time: each half holds neighbouring messages, and little is read twice.
        messages = sorted(ids.get("message", ()))
        halves = messages[: len(messages) // 2], messages[len(messages) // 2 :]
        kind_of = {id_: kind for kind, some in ids.items() if kind != "message" for id_ in some}

        async def said(half: Sequence[str]) -> list[ReadText]:
            return await self._database.read(lambda tx: messages_around(tx, agent_id, half, vector, filters, chars))

        async def known() -> list[ReadText]:
            return await self._database.read(lambda tx: passages(tx, agent_id, list(kind_of), vector, chars))

        reads = [said(half) for half in halves if half] + ([known()] if kind_of else [])
        texts = {text.id: text for some in await asyncio.gather(*reads) for text in some}
        return [(kind_of.get(id_, "message"), text) for id_, text in texts.items()]

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
        """Archived memories that contain some of these terms, and archived or deleted facts that match the query."""

        async def work(tx: ReadTransaction) -> dict[HitKind, list[ReadText]]:
            found: dict[HitKind, list[ReadText]] = {}
            if "memory" in kinds and terms:
                found["memory"] = await cold_memories(tx, agent_id, terms, vector, filters, limit)
            if "attribute" in kinds and query:
                found["attribute"] = await cold_attributes(tx, agent_id, query, vector, filters, limit)
            return found

        return await self._database.read(work)

    async def found(self, agent_id: str, ids: Mapping[HitKind, Sequence[str]], when: Moment) -> list[FoundText]:
        """The texts of these ids, with their status at that time."""

        async def of(kind: HitKind) -> list[FoundText]:
            return await self._database.read(lambda tx: hits(tx, agent_id, kind, ids[kind], when))

        return [text for texts in await asyncio.gather(*map(of, ids)) for text in texts]

    async def on_entities(
        self, agent_id: str, canonical_names: Sequence[str], limit: int, when: Moment
    ) -> list[OnEntity]:
        """What is attached to the entities of these names and is valid at that time."""
        return await self._database.read(lambda tx: entities_in_words(tx, agent_id, canonical_names, limit, when))


async def words(
    tx: ReadTransaction,
    agent_id: str,
    query: str,
    filters: Filters,
    limits: Mapping[HitKind, int],
) -> Found:
    """The texts of each kind that match a full-text query best, best first, up to its limit."""
    # Without filters little is refused: only what is superseded. Some more are requested anyway, so that texts of equal
    # score are cut by their ids and not by their place in the index.
    more = 4 if filters.any or filters.beside or not filters.when.is_now else 2
    scans = {kind: more * limit for kind, limit in limits.items()}
    asked = {"agent_id": agent_id, "query": query}
    return await _enough(
        tx, "retrieval/found[words]", "time/found[words]", asked, filters, limits, limits, scans, MOST_WORDS
    )


async def near(
    tx: ReadTransaction,
    agent_id: str,
    vector: Sequence[float],
    filters: Filters,
    limits: Mapping[HitKind, int],
) -> Found:
    """The texts of each kind nearest to a vector as an approximate index finds them, nearest first, up to its limit."""
    scope = "session" if filters.session_id else "project" if filters.project else "agent"
    least = {kind: limit // 2 for kind, limit in limits.items()}
    asked = {"agent_id": agent_id, "vector": Numbers(vector)}
    return await _enough(tx, _NEAR[scope], "time/found[near]", asked, filters, limits, least, limits, MOST_NEAR)


async def _enough(
    tx: ReadTransaction,
    now: str,
    then: str,
    asked: Mapping[str, Any],
    filters: Filters,
    limits: Mapping[HitKind, int],
    least: Mapping[HitKind, int],
    scans: Mapping[HitKind, int],
    most: int,
) -> Found:
    """What an index finds for each kind, up to its limit: a limit before a filter loses hits, so the index is asked for
    more, up to `most`, while the filters leave less than `least` and it has more."""
    best: Found = {}
    missing = list(limits)
    times = 1
    while missing:
        current = [kind for kind in missing if filters.when.is_now or kind in _OF_ALL_TIMES]
        past = [kind for kind in missing if kind not in current]
        scan = {kind: max(limits[kind], min(times * scans[kind], most)) for kind in missing}
        known = {"scan_known": max([scan[kind] for kind in missing if kind != "message"], default=1)}
        both = {"scan": scan.get("message", 1)} | known
        rows = await tx.rows(now, **asked, kinds=current, **both, **_now(filters)) if current else []
        rows += await tx.rows(then, **asked, kinds=past, **known, **_then(filters)) if past else []
        for row in rows:
            found = sorted(row["found"], key=lambda one: (-one[1], one[0]))
            best[row["kind"]] = [id_ for id_, _ in found[: limits[row["kind"]]]]
        missing = [
            row["kind"]
            for row in rows
            if not (filters.beside and row["kind"] == "message")
            and len(row["found"]) < least[row["kind"]]
            and scan[row["kind"]] <= row["seen"]
            and scan[row["kind"]] < most
        ]
        times *= SCAN_MORE
    return best


async def cold_memories(
    tx: ReadTransaction,
    agent_id: str,
    terms: Sequence[str],
    vector: Sequence[float] | None,
    filters: Filters,
    limit: int,
) -> list[ReadText]:
    rows = await tx.rows(
        "cold/found[memories]",
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
        "cold/found[attributes]",
        agent_id=agent_id,
        query=query,
        vector=_list(vector),
        scan=MOST_WORDS,
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
        project=filters.project,
        session_id=filters.session_id,
        role=filters.role,
        source=filters.source,
        **{"from": filters.from_, "to": filters.to},
        known_at=None if filters.when.is_now else filters.when.known_at,
    )
    return [
        ReadText(id_, text, size, _cosine(near), _time(at), feedback, session_id, ordinal, speaker, eligible)
        for id_, text, size, near, session_id, ordinal, speaker, at, feedback, eligible in (
            row["passages"] if row else ()
        )
    ]


async def passages(
    tx: ReadTransaction, agent_id: str, ids: Sequence[str], vector: Sequence[float] | None, chars: int
) -> list[ReadText]:
    row = await tx.row("retrieval/passages", agent_id=agent_id, ids=list(ids), vector=_list(vector), chars=chars)
    return [
        ReadText(id_, text or "", size or 0, _cosine(near), _time(at), feedback)
        for id_, text, size, near, at, feedback in (row["passages"] if row else ())
    ]


async def hits(tx: ReadTransaction, agent_id: str, kind: HitKind, ids: Sequence[str], when: Moment) -> list[FoundText]:
    name, time = at(when, _HITS[kind], _HITS_THEN[kind])
    (row,) = await tx.rows(name, agent_id=agent_id, ids=list(ids), **time)
    return [_found(kind, hit) for hit in row["hits"]]


async def entities_in_words(
    tx: ReadTransaction, agent_id: str, canonical_names: Sequence[str], limit: int, when: Moment
) -> list[OnEntity]:
    name, time = at(when, "retrieval/entities_in_words[now]", "retrieval/entities_in_words[then]")
    rows = await tx.rows(name, agent_id=agent_id, names=list(canonical_names), limit=limit, **time)
    return [
        OnEntity(
            row["entityId"],
            tuple(row["attributeIds"]),
            tuple(row["memoryIds"]),
            tuple(row["messageIds"]),
            tuple(fact["id"] for fact in row["nearby"]),
            tuple(dict.fromkeys(id_ for fact in row["nearby"] for id_ in fact["messageIds"])),
        )
        for row in rows
    ]


def _found(kind: HitKind, hit: Mapping[str, Any]) -> FoundText:
    return FoundText(
        id=hit["id"],
        kind=kind,
        text=hit["text"],
        session_id=hit["sessionId"],
        message_ids=tuple(hit["messageIds"]),
        entity_ids=tuple(hit["entityIds"]),
        status=hit["status"],
        superseded_by=next((fact["id"] for fact in hit["successors"]), None),
        successors=_all_of(hit["successors"]),
        until=_all_of(hit.get("until", ())),
        valid_from=_utc(hit.get("validFrom")),
        valid_to=_utc(hit.get("validTo")),
        created_at=utc(hit["createdAt"]),
        about=next(iter(hit.get("about", ())), None),
        said=tuple(said_of(*one) for one in hit.get("said", ())),
        in_other_words=hit.get("inOtherWords", False),
    )


def _all_of(facts: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    return frozenset(id_ for fact in facts for id_ in (fact["id"], *fact["memoryIds"], *fact["messageIds"]))


def said_of(words: str | None, start: int | None, end: int | None, facts: Sequence[Sequence[Any]]) -> StatementSpan:
    """A statement in a text, as the statements of hits send it."""
    return StatementSpan(words, start, end, tuple(_fate_of(*one) for one in facts))


def _fate_of(
    status: AttributeStatus, ended: str | None, by: str | None, deleted: str | None, places: Sequence[int] | None
) -> FactFate:
    return FactFate(status, _utc(ended), by, _utc(deleted), tuple(zip(*[iter(places or ())] * 3, strict=True)))


def _now(filters: Filters) -> dict[str, Any]:
    """Parameters of the statements that search what is valid now, and messages and summaries of any time."""
    when = filters.when
    return _then(filters) | {
        "beside": filters.beside,
        "role": filters.role,
        "source": filters.source,
        "from": filters.from_,
        "to": filters.to,
        "now": when.as_of,
        "as_of": None if when.is_now else when.as_of,
        "known_at": None if when.is_now else when.known_at,
    }


def _then(filters: Filters) -> dict[str, Any]:
    """Parameters of the statements that search what was valid, as known, at another time."""
    return {
        "project": filters.project,
        "session_id": filters.session_id,
        "superseded": filters.superseded,
        "as_of": filters.when.as_of,
        "known_at": filters.when.known_at,
    }


def _archived(row: Mapping[str, Any]) -> ReadText:
    return ReadText(row["id"], row["opening"], len(row["opening"]), _cosine(row["nearness"]), None)


def _cosine(similarity: float | None) -> float | None:
    """Neo4j returns (1 + cosine) / 2."""
    return None if similarity is None else 2 * similarity - 1


def _utc(text: str | None) -> datetime | None:
    return None if text is None else utc(text)


def _time(milliseconds: int | None) -> datetime | None:
    return None if milliseconds is None else BEGINNING + timedelta(milliseconds=milliseconds)


def _list(vector: Sequence[float] | None) -> list[float] | None:
    return None if vector is None else Numbers(vector)
