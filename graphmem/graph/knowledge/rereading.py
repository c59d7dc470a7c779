"""Sessions that are read again: what was extracted from them, what a change adds, and what is withdrawn."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from graphmem.errors import PlanOutdated
from graphmem.graph.connection import Database, ReadTransaction, WriteTransaction
from graphmem.graph.knowledge.cold import (
    attribute_lock,
    entity_lock,
    locked,
    restore_fact,
    restore_memory,
    send_entity,
    send_memories,
)
from graphmem.graph.knowledge.facts import active_fact
from graphmem.graph.knowledge.learning import write_change
from graphmem.graph.operation.jobs import events_write, job_create
from graphmem.model.change import EventRow, Written
from graphmem.model.knowledge import DependencyType
from graphmem.model.rereading import (
    REEXTRACTION,
    Again,
    DrawnBefore,
    DrawnEdge,
    DrawnFact,
    DrawnMemory,
    Found,
    Going,
    Notes,
    ReadSession,
    SessionGave,
)
from graphmem.model.stored import ActiveFact
from graphmem.rules.keeping.history import Line, told
from graphmem.rules.keeping.rereading import no_longer, notes
from graphmem.rules.language.keys import content_key, normalised

JOB = "reextract_session"


class RereadingStore:
    def __init__(self, database: Database) -> None:
        self._database = database

    async def session(self, agent_id: str, session_id: str) -> ReadSession | None:
        return await self._database.read(lambda tx: session_read(tx, agent_id, session_id))

    async def stale(self, agent_id: str, extractor: str, after: str, limit: int) -> list[str]:
        """Ids of sessions, after one of them, that this extractor has not read completely."""
        return await self._database.read(lambda tx: sessions_stale(tx, agent_id, extractor, after, limit))

    async def entities_before(
        self, agent_id: str, entity_ids: Sequence[str], session_id: str, from_ordinal: int
    ) -> set[str]:
        """Those of these entities that would exist without what the session says from the message on."""
        return await self._database.read(lambda tx: entities_before(tx, agent_id, entity_ids, session_id, from_ordinal))

    async def facts_before(
        self, agent_id: str, entity_ids: Sequence[str], session_id: str, from_ordinal: int
    ) -> list[ActiveFact]:
        """Facts that would exist without what the session says from the message on, including those superseded
        since."""
        return await self._database.read(lambda tx: facts_before(tx, agent_id, entity_ids, session_id, from_ordinal))

    async def drawn(self, agent_id: str, message_ids: Sequence[str], entity_ids: Sequence[str]) -> DrawnBefore:
        """What was extracted from these messages, and which of these entities are in the cold tier."""
        return await self._database.read(lambda tx: drawn(tx, agent_id, message_ids, entity_ids), timeout_s=60)

    async def going(
        self, agent_id: str, session_id: str, through: int, found: Found
    ) -> tuple[SessionGave, Going, list[str]]:
        """What would be withdrawn from the session, and the names of entities."""

        async def work(tx: ReadTransaction) -> tuple[SessionGave, Going, list[str]]:
            gave = await session_gave(tx, agent_id, session_id, through)
            gone = no_longer(gave, found)
            unnamed = await entities_unnamed(tx, agent_id, session_id, through, gone)
            return gave, gone, [name for id_, name in unnamed if id_ not in found.entities]

        return await self._database.read(work, timeout_s=60)

    async def add(self, agent_id: str, again: Again, event_id: str, now: datetime) -> Written:
        """Write what is newly found in a chunk. Errors: PlanOutdated."""

        async def work(tx: WriteTransaction) -> Written:
            lines: list[Line] = []
            for row in await locked(tx, agent_id, again.memories):
                if row["status"] == "cold" and row["coldReason"] == REEXTRACTION:
                    lines += await restore_memory(tx, agent_id, row["id"])
            for id_ in again.facts:
                fact = await attribute_lock(tx, agent_id, id_)
                if fact["coldReason"] == REEXTRACTION and fact["active"] and not fact["twinId"]:
                    lines += await restore_fact(tx, agent_id, fact, by_person=False)
            await events_write(tx, agent_id, told(lines, "extraction", now, [event_id]))
            return await write_change(tx, agent_id, again.change, now)

        return await self._database.write(work)

    async def settle(
        self, agent_id: str, session_id: str, extractor: str, through: int, found: Found, event_id: str, now: datetime
    ) -> tuple[SessionGave, Going, list[str]]:
        """Withdraw what the extractor no longer finds in the session, as `going`, and record that it has read it.

        Errors: PlanOutdated when reading of the session advanced meanwhile.
        """

        async def work(tx: WriteTransaction) -> tuple[SessionGave, Going, list[str]]:
            if not await session_reread(tx, agent_id, session_id, through, extractor):
                raise PlanOutdated(f"Session {session_id!r} was read on meanwhile.")
            wanted = no_longer(await session_gave(tx, agent_id, session_id, through), found)
            held = await locked(tx, agent_id, wanted.memories)
            for id_ in wanted.facts:
                await attribute_lock(tx, agent_id, id_)
            gave = await session_gave(tx, agent_id, session_id, through)  # read again under the locks
            gone = no_longer(gave, found)
            note = f"{extractor} no longer finds it in session {session_id}"
            await lost_note(tx, agent_id, session_id, through, notes(gave, found))
            lines = await _send(tx, agent_id, [row for row in held if row["id"] in gone.memories], gone, note, now)
            unnamed = await entities_unnamed(tx, agent_id, session_id, through, Going())
            names: list[str] = []
            for id_, name in unnamed:
                if id_ not in found.entities:
                    entity = await entity_lock(tx, agent_id, id_)
                    lines += (await send_entity(tx, agent_id, entity, REEXTRACTION, note, now))[1]
                    names.append(name)
            await events_write(tx, agent_id, told(lines, "extraction", now, [event_id]))
            return gave, gone, names

        return await self._database.write(work)

    async def enqueue(self, agent_id: str, session_id: str, job_id: str, event: EventRow) -> str:
        """The id of the open job that reads the session again."""

        async def work(tx: WriteTransaction) -> str:
            made = await job_create(
                tx,
                agent_id,
                job_id=job_id,
                kind=JOB,
                subject_id=session_id,
                input_json=json.dumps({}),
                now=event.at,
            )
            if made == job_id:
                await events_write(tx, agent_id, [event])
            return made

        return await self._database.write(work)


async def _send(
    tx: WriteTransaction, agent_id: str, held: Sequence[dict[str, Any]], gone: Going, note: str, now: datetime
) -> list[Line]:
    lines = await send_memories(tx, agent_id, held, REEXTRACTION, note, now)
    after = {"status": "cold", "reason": REEXTRACTION}
    facts = await facts_withdraw(tx, agent_id, gone.facts, note, now)
    lines += [Line("attribute_archived", id_, {"status": "active"}, after, note) for id_ in facts]
    edges = await edges_withdraw(tx, agent_id, gone.edges, facts, now)
    return lines + [Line("dependency_archived", id_, {"status": "active"}, after, note) for id_ in edges]


async def session_read(tx: ReadTransaction, agent_id: str, session_id: str) -> ReadSession | None:
    row = await tx.row("sessions/session[read]", agent_id=agent_id, session_id=session_id)
    if row is None:
        return None
    return ReadSession(row["project"], row["source"], row["through"], row["extractor"], row["archivedAt"])


async def sessions_stale(tx: ReadTransaction, agent_id: str, extractor: str, after: str, limit: int) -> list[str]:
    rows = await tx.rows("sessions/behind[stale]", agent_id=agent_id, extractor=extractor, after=after, limit=limit)
    return [row["id"] for row in rows]


async def session_reread(tx: WriteTransaction, agent_id: str, session_id: str, through: int, extractor: str) -> bool:
    row = await tx.row(
        "sessions/session_advance[reread]",
        agent_id=agent_id,
        session_id=session_id,
        through=through,
        extractor=extractor,
    )
    return row is not None


async def entities_before(
    tx: ReadTransaction, agent_id: str, entity_ids: Sequence[str], session_id: str, from_ordinal: int
) -> set[str]:
    rows = await tx.rows(
        "rereading/entities_before",
        agent_id=agent_id,
        entity_ids=list(entity_ids),
        session_id=session_id,
        from_ordinal=from_ordinal,
    )
    return {row["id"] for row in rows}


async def facts_before(
    tx: ReadTransaction, agent_id: str, entity_ids: Sequence[str], session_id: str, from_ordinal: int
) -> list[ActiveFact]:
    rows = await tx.rows(
        "knowledge/facts[before]",
        agent_id=agent_id,
        entity_ids=list(entity_ids),
        session_id=session_id,
        from_ordinal=from_ordinal,
    )
    return [active_fact(row) for row in rows]


async def drawn(
    tx: ReadTransaction, agent_id: str, message_ids: Sequence[str], entity_ids: Sequence[str]
) -> DrawnBefore:
    row: Mapping[str, Any] = (
        await tx.row("rereading/drawn", agent_id=agent_id, ids=list(message_ids), entity_ids=list(entity_ids)) or {}
    )
    return DrawnBefore(
        memories=tuple(
            DrawnMemory(one["id"], one["content"], one["status"], one["coldReason"], one["corrected"])
            for one in row["memories"]
        ),
        facts=tuple(
            DrawnFact(
                one["id"],
                one["entityId"],
                one["content"],
                one["status"],
                one["coldReason"],
                frozenset(one["memoryIds"]),
            )
            for one in row["facts"]
        ),
        edges=tuple(
            DrawnEdge(
                one["id"],
                one["sourceId"],
                one["targetId"],
                DependencyType(one["type"]),
                one["status"],
                frozenset(one["memoryIds"]),
            )
            for one in row["edges"]
        ),
        mentions=frozenset((one["messageId"], one["entityId"], one["start"], one["end"]) for one in row["mentions"]),
        away={one["id"]: one["coldReason"] for one in row["away"]},
    )


async def session_gave(tx: ReadTransaction, agent_id: str, session_id: str, through: int) -> SessionGave:
    row: Mapping[str, Any] = await tx.row(
        "rereading/session_gave", agent_id=agent_id, session_id=session_id, through=through
    ) or {"memories": [], "facts": [], "edges": [], "entities": []}
    items = (*row["memories"], *row["facts"], *row["edges"])
    return SessionGave(
        memories={one["id"]: content_key(one["content"]) for one in row["memories"]},
        facts={one["id"]: (one["entityId"], normalised(one["content"])) for one in row["facts"]},
        edges={one["id"]: (one["sourceId"], one["targetId"], DependencyType(one["type"])) for one in row["edges"]},
        entities={one["id"]: one["id"] for one in row["entities"]},
        texts={one["id"]: one["content"] for one in (*row["memories"], *row["facts"])},
        free=frozenset(one["id"] for one in items if one["free"]),
        lost=frozenset(one["id"] for one in (*items, *row["entities"]) if one["lost"]),
    )


async def lost_note(tx: WriteTransaction, agent_id: str, session_id: str, through: int, noted: Notes) -> None:
    if noted.memories or noted.facts or noted.edges or noted.entities:
        await tx.rows(
            "rereading/lost_note",
            agent_id=agent_id,
            session_id=session_id,
            through=through,
            memories=[{"id": id_, "lost": lost} for id_, lost in noted.memories],
            facts=[{"id": id_, "lost": lost} for id_, lost in noted.facts],
            edges=[{"id": id_, "lost": lost} for id_, lost in noted.edges],
            entities=[{"id": id_, "lost": lost} for id_, lost in noted.entities],
        )


async def entities_unnamed(
    tx: ReadTransaction, agent_id: str, session_id: str, through: int, going: Going
) -> list[tuple[str, str]]:
    """(id, name) of entities that only withdrawn items mention."""
    rows = await tx.rows(
        "rereading/entities_unnamed",
        agent_id=agent_id,
        session_id=session_id,
        through=through,
        memory_ids=list(going.memories),
        attribute_ids=list(going.facts),
        edge_ids=list(going.edges),
    )
    return [(row["id"], row["name"]) for row in rows]


async def facts_withdraw(
    tx: WriteTransaction, agent_id: str, ids: Sequence[str], note: str, now: datetime
) -> list[str]:
    rows = await tx.rows(
        "rereading/facts_withdraw", agent_id=agent_id, ids=list(ids), reason=REEXTRACTION, note=note, now=now
    )
    return [row["id"] for row in rows]


async def edges_withdraw(
    tx: WriteTransaction, agent_id: str, ids: Sequence[str], attribute_ids: Sequence[str], now: datetime
) -> list[str]:
    rows = await tx.rows(
        "rereading/edges_withdraw",
        agent_id=agent_id,
        ids=list(ids),
        attribute_ids=list(attribute_ids),
        reason=REEXTRACTION,
        now=now,
    )
    return [row["id"] for row in rows]
